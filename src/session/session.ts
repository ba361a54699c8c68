import {batch, computed} from 'nanostores';
import {attempt} from '../domain/error.js';
import {idle} from '../domain/remote.js';
import {withSteadyTime} from './clock.js';
import {createForm} from './form.js';
import {change, createStores, type SessionBase} from './shared.js';
import type {PriceState, SessionEvent, SessionOptions, SwapSession} from './types.js';
import type {engage as Engage} from './work.js';

export type * from './types.js';

/**
 * Creates the stores of one widget and the actions on its form. All other actions, and the handling of settings, come
 * with `engage`, whose code loads later, so that a page's form appears sooner. Until then nothing can be requested,
 * since nothing is configured.
 */
export function assembleSession(
  {host: page, gates = {}, scope = ''}: Omit<SessionOptions, 'adapters'>,
  engage: (base: SessionBase, session: SwapSession) => ReturnType<typeof Engage> | undefined,
): SwapSession {
  const host = withSteadyTime(page);
  const {shown: given, inner} = createStores(host);
  const stores = {...given, ...inner};
  const listeners = new Set<(event: SessionEvent) => void>();
  const {$request, $problem, accept} = createForm(stores, host.online$, () => base);
  const $offer = computed(stores.$read, story => story?.offer);
  const $price = computed(
    [$request, $problem, $offer, stores.$priced],
    (request, problem, offer, priced): PriceState => ({
      request,
      problem,
      offer,
      ...priced,
    }),
  );
  const edit: SwapSession['edit'] = typed => accept({about: 'typed', change: typed});
  const base: SessionBase = {
    ...stores,
    $request,
    $problem,
    $price,
    host,
    gates,
    scope,
    tell: event => listeners.forEach(listener => attempt(() => listener(event))),
    accept,
    edit,
    show: view =>
      batch(() => {
        // An open order continues, and stays in the list.
        base.closeOrder?.();
        stores.$placed.set(idle);
        if (view === 'form') accept({about: 'floor'});
        stores.$view.set(view);
      }),
  };
  let starts = 0;
  // `engage` has added its parts before anything can call them.
  const session = {
    ...given,
    $price,
    preview(settings) {
      if (stores.$config.get()) return;
      change(stores.$settings, {preview: settings});
      accept({about: 'page', page: settings, fills: 'untyped'});
    },
    configure: settings => (configure ??= engage(base, session))?.(settings),
    start() {
      starts += 1;
      stores.$running.set(true);
      let isStopped = false;
      return () => {
        if (isStopped) return;
        isStopped = true;
        starts -= 1;
        stores.$running.set(starts > 0);
      };
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    edit,
    flip: () => accept({about: 'turned'}),
    openJournal() {},
    reset({keep = false} = {}) {
      if (!keep) edit({amount: '', recipient: '', refundAddress: ''});
      accept({about: 'solver'});
      base.show('form');
    },
  } satisfies Partial<SwapSession> as Partial<SwapSession> as SwapSession;
  let configure = engage(base, session);
  return session;
}
