import {batch, type WritableAtom} from 'nanostores';
import type {Adapters, ChainAdapter} from '../chains/adapter.js';
import type {ChainFamily} from '../domain/asset.js';
import {attempt, type SwapError} from '../domain/error.js';
import {isTouched, type FormFact} from '../domain/form/form.js';
import {lazy, type Lazy} from '../domain/lazy.js';
import {failed, idle} from '../domain/remote.js';
import {withSteadyTime} from './clock.js';
import {createConnection} from './connection.js';
import {createDraft, type FormDraft} from './draft.js';
import type {Orders} from './order/orders.js';
import {backOff} from './pace.js';
import {Pricing} from './pricing.js';
import {askChains} from './reading.js';
import {Review} from './review.js';
import {configure, noteDraft, type Parts} from './settings.js';
import {change, createStores, type SessionCore} from './shared.js';
import type {SessionEvent, SessionOptions, SwapSession} from './types.js';

export type * from './types.js';
const RETRY_MS = 5_000;

/**
 * Creates the stores and the actions of one widget. Nothing happens until it is configured and started. What orders and
 * wallets need loads with its first use. `draft`: the form so far, which it takes over.
 */
export function createSession({
  adapters,
  host: page,
  gates = {},
  scope = '',
  draft = createDraft(),
}: SessionOptions & {readonly draft?: FormDraft}): SwapSession {
  const host = withSteadyTime(page);
  const {shown, inner} = createStores(host, draft);
  const listeners = new Set<(event: SessionEvent) => void>();
  const edit: SwapSession['edit'] = typed => accept({about: 'typed', change: typed});
  const core: SessionCore = {
    ...shown,
    ...inner,
    connectivity: createConnection(host, isOnline => change(inner.$page, {isOnline})),
    adapters,
    host,
    gates,
    scope,
    config() {
      const {config} = shown.$settings.get();
      if (!config) throw new Error('The session is not configured.');
      return config;
    },
    adapter: familyLoader(inner.$families, adapters),
    tell: event => listeners.forEach(listener => attempt(() => listener(event))),
    accept,
    edit,
    show: view =>
      batch(() => {
        // An open order continues, and stays in the list.
        parts.orders.part?.close();
        change(inner.$orderState, {placed: idle});
        if (view === 'form') accept({about: 'floor'});
        shown.$view.set(view);
      }),
    readBalance: () => parts.accounts.part?.readBalance(),
  };
  const parts = createParts(core);
  const {review} = parts;
  const reading = askChains(core);
  loadFamilies(core, reading);

  function accept(fact: FormFact): void {
    const before = draft.$facts.get().draft;
    const isTyped = fact.about !== 'page';
    const isOther = () => draft.$facts.get().draft !== before;
    batch(() => {
      draft.accept(fact);
      if (isTyped && isOther()) review.draftChanged();
    });
    if (isTyped) core.connectivity.tryOnline();
    if (isTyped ? isOther() : isTouched(draft.$facts.get())) noteDraft(core);
  }

  const session: SwapSession = {
    ...shown,
    ...formActions(core, parts),
    ...walletActions(core, parts),
    ...orderActions(core, parts),
    confirm: reading.confirm,
    configure: settings => configure(core, settings, parts),
    start: starter(core),
    setRendered: isRendered => change(inner.$page, {isRendered}),
    keep: keepsFor(() => session),
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return session;
}

/** What a session keeps for code that loads after it. */
export function keepsFor(session: () => SwapSession): SwapSession['keep'] {
  const made = new Map<unknown, unknown>();
  return <T>(make: (session: SwapSession) => T) => {
    if (!made.has(make)) made.set(make, make(session()));
    return made.get(make) as T;
  };
}

function createParts(core: SessionCore): Parts {
  const orders: Lazy<Orders> = lazy(
    () => import('./order/orders.js'),
    ({createOrders}) => createOrders(core),
  );
  const pricing = new Pricing(core);
  return {
    accounts: lazy(
      () => import('./accounts.js'),
      ({createWallets}) => createWallets(core),
    ),
    pricing,
    review: new Review(core, orders, pricing),
    orders,
  };
}

function formActions(
  {$view, $stage, $settings, connectivity, accept, edit, show}: SessionCore,
  {pricing, review}: Parts,
) {
  return {
    edit,
    flip: () => accept({about: 'turned'}),
    choose: solverId => accept({about: 'solver', solverId}),
    requote() {
      connectivity.tryOnline();
      void pricing.ask();
    },
    recall: name => $settings.get().memory?.note(name),
    reset({keep = false} = {}) {
      if (!keep) edit({amount: '', recipient: '', refundAddress: ''});
      accept({about: 'solver'});
      show('form');
    },
    review: () => review.open(),
    back() {
      // An order that is being placed is not interrupted: its outcome decides what is shown.
      if ($stage.get() !== 'ordering' || $view.get() !== 'review') show('form');
    },
    placeOrder: () => review.place(),
  } satisfies Partial<SwapSession>;
}

function walletActions({$wallets, adapter}: SessionCore, {accounts}: Parts) {
  const fail = (error: SwapError) => {
    change($wallets, {connecting: failed(error)});
    return false;
  };
  return {
    readBalances: () => accounts.part?.readBalances(),
    discover: (family, signal) =>
      accounts.use(
        ({discover}) => discover(family, signal),
        error => void fail(error),
      ),
    prepare: adapter,
    connect: (wallet, options) => accounts.use(({connect}) => connect(wallet, options), fail),
    cancelConnect: () => accounts.part?.cancel(),
    disconnect: family => accounts.part?.disconnect(family),
  } satisfies Partial<SwapSession>;
}

function orderActions({$settings, $stage, connectivity, show, tell}: SessionCore, {orders}: Parts) {
  const ignore = () => undefined;
  return {
    pay: way => orders.use(({paying}) => paying.pay(way)),
    accept: questionId => orders.use(({paying}) => paying.accept(questionId)),
    answer: confirmed => orders.use(({paying}) => paying.answer(confirmed)),
    cancel: () => orders.use(({paying}) => paying.cancel()),
    refund: () => orders.use(({refund}) => refund()),
    revoke: (orderId, token) => orders.use(({revoke}) => revoke(orderId, token)),
    rescueFile: orderId => orders.use(({rescueFile}) => rescueFile(orderId)),
    refresh() {
      connectivity.tryOnline();
      orders.part?.refresh();
    },

    openOrder: orderId =>
      void orders.use(
        ({open}) => open(orderId),
        error => tell({type: 'error', error, orderId}),
      ),
    openJournal() {
      if ($stage.get() === 'ordering' || !$settings.get().config) return;
      show('journal');
      void orders.use(ignore, error => tell({type: 'error', error}));
    },
  } satisfies Partial<SwapSession>;
}

/** Starts the session; several starts end one by one. While it is stopped it leaves no listeners on the page. */
function starter({$page, host, connectivity}: SessionCore): SwapSession['start'] {
  let starts = 0;
  let leave = () => {};
  return () => {
    starts += 1;
    if (starts === 1) {
      const stops = [host.visible$.subscribe(isVisible => change($page, {isVisible})), connectivity.followOnline()];
      leave = () => stops.forEach(stop => stop());
      change($page, {isStarted: true});
    }
    let isStopped = false;
    return () => {
      if (isStopped) return;
      isStopped = true;
      starts -= 1;
      if (starts) return;
      change($page, {isStarted: false});
      leave();
    };
  };
}

function familyLoader(
  $families: WritableAtom<Partial<Record<ChainFamily, ChainAdapter>>>,
  adapters: Adapters,
): SessionCore['adapter'] {
  const families: Partial<Record<ChainFamily, Lazy<ChainAdapter>>> = {};
  return family =>
    (families[family] ??= lazy(
      async () => {
        const adapter = await adapters[family]?.();
        // The catalogue only has families that this build supports.
        if (!adapter) throw new Error(family);
        return adapter;
      },
      adapter => {
        $families.set({...$families.get(), [family]: adapter});
        return adapter;
      },
    ))();
}

/** Loads the families whose addresses are in the draft while the session is started, and retries if that failed. */
function loadFamilies(core: SessionCore, reading: Pick<ReturnType<typeof askChains>, 'loadFamilies'>): void {
  const {$page, $facts, $wallets, $settings, host} = core;
  let faults = 0;
  let cancel = () => {};
  const load = () => {
    cancel();
    if (!$settings.get().config || !$page.get().isStarted) return;
    reading.loadFamilies().then(
      () => {
        faults = 0;
      },
      () => {
        cancel();
        cancel = host.after(backOff(host, RETRY_MS, ++faults), load);
      },
    );
  };
  for (const $store of [$facts, $wallets, $settings, $page]) $store.listen(load);
}
