/*
 * The work of a session once there are settings: it applies them, loads what the draft needs next, and provides the
 * actions whose code loads with their first call. Loaded with the code that reads the settings, after the form.
 */
import {computed, type ReadableAtom} from 'nanostores';
import type {Adapters, ChainAdapter} from '../chains/adapter.js';
import type {ChainFamily} from '../domain/asset.js';
import {FIELDS, isProblem, type Draft} from '../domain/draft.js';
import type {SwapError} from '../domain/error.js';
import {isSameData, writeJson} from '../domain/json.js';
import {lazy, type Lazy} from '../domain/lazy.js';
import {failed, idle, pending} from '../domain/remote.js';
import type {Orders} from './order/orders.js';
import type {Review} from './review.js';
import {backOff} from './pace.js';
import {readForm, type Reading} from './reading.js';
import {configure, type Parts} from './settings.js';
import {guard} from './rules.js';
import {change, type SessionBase, type SessionCore} from './shared.js';
import type {Memory} from './storage.js';
import type {SessionConfig, SwapSession} from './types.js';

/** The pause before a failed load is retried, doubled after each further failure. */
const RETRY_MS = 5_000;

/** Gives a session all of its actions and lets it work. Returns a function that takes its settings. */
export function engage(
  base: SessionBase,
  session: SwapSession,
  adapters: Adapters,
): (settings: SessionConfig | SwapError) => void {
  const {$config, $draft, $form, $memory, $running, $rendered, host} = base;
  const core: SessionCore = Object.assign(base, {
    adapters,
    $active: computed([$running, $rendered, host.visible$, host.online$], (...all) => all.every(Boolean)),
    config() {
      const config = $config.get();
      if (!config) throw new Error('The session is not configured.');
      return config;
    },
    adapter: familyLoader(base, adapters),
    readBalance: () => parts.accounts.part?.readBalance(),
    noteDraft() {
      const memory = $memory.get();
      memory?.setNote(draftNote(memory), writeJson({draft: $draft.get(), prefill: $form.get()?.prefill}));
    },
    restoredDraft(prefill: Partial<Draft>) {
      const memory = $memory.get();
      return restored(memory?.note(draftNote(memory)), prefill);
    },
    draftChanged: () => parts.review.part?.draftChanged(),
    closeOrder: () => parts.orders.part?.close(),
  });
  const parts = createParts(core);
  const reading = readForm(core);
  const actions: Partial<SwapSession> = {
    ...lateActions(core, parts),
    confirm: reading.confirm,
    requote: work(core, parts, reading),
  };
  Object.assign(session, actions);
  for (const one of Object.values(session) as object[]) if ('subscribe' in one) guard(one as ReadableAtom);
  return settings => {
    configure(core, settings, parts);
  };
}

/** The note with a widget's draft and the page's presets at that time. */
function draftNote({scope}: Memory): string {
  return `draft/${scope}`;
}

/** The initial draft: as the visitor left it, unless the page now presets something else. */
function restored(text: string | undefined, prefill: Partial<Draft>): Partial<Draft> {
  try {
    const kept = JSON.parse(text ?? '') as {draft: Record<string, unknown>; prefill: unknown};
    const isSame = isSameData(kept.prefill, prefill);
    // Of a draft with other presets only the pair is kept, unless the page presets one.
    const fields = isSame ? FIELDS : prefill.from || prefill.to ? [] : ['from', 'to'];
    const own = fields.filter(field => typeof kept.draft[field] === 'string').map(field => [field, kept.draft[field]]);
    return {...(!isSame && prefill), ...(Object.fromEntries(own) as Partial<Draft>)};
  } catch {
    return prefill;
  }
}

/** The actions outside the form; the code of most of them loads with the first call. */
function lateActions(
  {$config, $view, $stage, $wallets, $memory, accept, adapter, show, tell}: SessionCore,
  parts: Parts,
) {
  const {accounts, orders, review} = parts;
  const ignore = () => undefined;
  const failConnecting = (error: SwapError) => {
    change($wallets, {connecting: failed(error)});
    return false;
  };
  return {
    recall: name => $memory.get()?.note(name),
    choose: solverId => accept({about: 'solver', solverId}),
    useShare: percent => accounts.part?.useShare(percent),
    readBalances: () => accounts.part?.readBalances(),

    discover: (family, signal) =>
      accounts.use(
        ({discover}) => discover(family, signal),
        error => void failConnecting(error),
      ),
    prepare: adapter,
    connect: (wallet, options) => accounts.use(({connect}) => connect(wallet, options), failConnecting),
    cancelConnect: () => accounts.part?.cancel(),
    disconnect: family => accounts.part?.disconnect(family),

    review: () => void review.use(({open}) => open(), ignore),
    back() {
      // An order that is being placed is not interrupted: its outcome decides what is shown.
      if ($stage.get() !== 'ordering' || $view.get() !== 'review') show('form');
    },
    placeOrder: async () => review.part?.place(),
    pay: way => orders.use(({pay}) => pay(way)),
    accept: questionId => orders.use(({accept}) => accept(questionId)),
    answer: confirmed => orders.use(({answer}) => answer(confirmed)),
    cancel: () => orders.use(({cancel}) => cancel()),
    refund: () => orders.use(({refund}) => refund()),
    revoke: (orderId, token) => orders.use(({revoke}) => revoke(orderId, token)),
    rescueFile: orderId => orders.use(({rescueFile}) => rescueFile(orderId)),
    refresh: () => orders.part?.refresh(),

    openOrder: orderId =>
      void orders.use(
        ({open}) => open(orderId),
        error => tell({type: 'error', error, orderId}),
      ),
    openJournal() {
      if ($stage.get() === 'ordering' || !$config.get()) return;
      show('journal');
      void orders.use(ignore, error => tell({type: 'error', error}));
    },
  } satisfies Partial<SwapSession>;
}

/** Loads the code of a family when it is first needed. */
function familyLoader({$families}: SessionBase, adapters: Adapters): SessionCore['adapter'] {
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

/** The parts that load when they are first needed. */
function createParts(core: SessionCore): Parts {
  const orders: Lazy<Orders> = lazy(
    () => import('./order/orders.js'),
    ({createOrders}) => createOrders(core),
  );
  return {
    accounts: lazy(
      () => import('./accounts.js'),
      ({createWallets}) => createWallets(core),
    ),
    review: lazy(
      () => import('./review.js'),
      ({createReview}) => createReview(core, orders),
    ),
    orders,
  };
}

/** Repeats a load that failed, after growing pauses. */
function createRetry(host: SessionCore['host']) {
  let faults = 0;
  let cancel = () => {};
  return {
    succeed() {
      faults = 0;
    },
    fail(again: () => void) {
      cancel();
      cancel = host.after(backOff(host, RETRY_MS, ++faults), again);
    },
    cancel() {
      cancel();
    },
  };
}

/** The automatic work of a session while it is started: loading what the draft needs next. Returns a function that requests a price now. */
function work(core: SessionCore, {review}: Parts, {loadFamilies}: Reading): () => void {
  const {$running, $draft, $accounts, $config, $priced, $request, host, tell} = core;
  const checking = createRetry(host);
  const pricing = createRetry(host);
  let stop = () => {};

  /** Loads the families whose addresses are in the draft, and retries if that failed. */
  const checkDraft = () => {
    checking.cancel();
    if (!$config.get()) return;
    loadFamilies().then(checking.succeed, () => {
      checking.fail(checkDraft);
    });
  };
  for (const $store of [$draft, $accounts, $config]) $store.listen(checkDraft);

  /** Uses the code that requests prices, and retries if it cannot be loaded. */
  const loadPrice = (act: (review: Review) => void) => {
    pricing.cancel();
    void review.use(act, error => {
      const isNew = $priced.get().quote.state !== 'failed';
      change($priced, {quote: failed(error)});
      if (isNew) tell({type: 'error', error});
      pricing.fail(() => {
        loadPrice(act);
      });
    });
  };

  $running.subscribe(running => {
    stop();
    if (!running) return;
    checkDraft();
    const $ready = computed([$request, $config, host.online$], (request, config, online) => {
      return online && config && (!isProblem(request) || request.target);
    });
    const unsubscribe = $ready.subscribe(isReady => {
      // It is on its way as soon as its code is.
      if (!review.part) change($priced, {quote: isReady ? pending() : idle});
      if (isReady) loadPrice(() => undefined);
      else pricing.cancel();
    });
    const unlisten = host.online$.listen(checkDraft);
    stop = () => {
      unlisten();
      checking.cancel();
      pricing.cancel();
      unsubscribe();
    };
  });

  return () => {
    loadPrice(({ask}) => ask());
  };
}
