import {batch, computed} from 'nanostores';
import type {Adapters, ChainAdapter} from '../chains/adapter.js';
import type {ChainFamily} from '../domain/asset.js';
import {isProblem} from '../domain/draft.js';
import {attempt, type SwapError} from '../domain/error.js';
import {lazy, type Lazy} from '../domain/lazy.js';
import {failed, idle} from '../domain/remote.js';
import {createDraft} from './draft.js';
import type {Orders} from './order/orders.js';
import type {Review} from './review.js';
import type {configure as Configure, Parts} from './settings.js';
import {change, createStores, guard, type SessionCore, type Stores} from './shared.js';
import type {PriceState, SessionEvent, SessionOptions, SwapSession} from './types.js';

export type * from './types.js';

/** How soon a part that could not be loaded is tried again. */
const RETRY_MS = 5_000;

/**
 * Puts together the stores and the actions of one widget. What configures it is handed in: a page's form is there before
 * the code for that is.
 */
export function assembleSession(
  {adapters, host, gates = {}, scope = ''}: SessionOptions,
  configure: typeof Configure,
): SwapSession {
  const {shown: given, inner} = createStores(host);
  const stores = {...given, ...inner};
  const {$config, $view, $placed} = stores;
  const listeners = new Set<(event: SessionEvent) => void>();

  const {$request, $problem, edit, flip, fit} = createDraft(stores, host.online$, () =>
    parts.review.part?.draftChanged(),
  );
  const $price = computed([$request, $problem, stores.$priced], (request, problem, priced): PriceState => ({
    request,
    problem,
    ...priced,
  }));
  const shown = {...given, $price};
  const core: SessionCore = {
    ...stores,
    $request,
    $problem,
    $price,
    $active: computed([inner.$running, inner.$rendered, host.visible$, host.online$], (...all) => all.every(Boolean)),
    adapters,
    host,
    gates,
    config() {
      const config = $config.get();
      if (!config) throw new Error('The session is not configured.');
      return config;
    },
    adapter: familyLoader(adapters, stores),
    tell: event => listeners.forEach(listener => attempt(() => listener(event))),
    edit,
    readBalance: () => parts.accounts.part?.readBalance(),
    show: view =>
      batch(() => {
        // An order that is under way goes on, and stays in the list.
        parts.orders.part?.close();
        $placed.set(idle);
        if (view === 'form') inner.$floor.set(undefined);
        $view.set(view);
      }),
  };
  const parts = createParts(core);
  const work = createWork(core, parts);

  Object.values(shown).forEach(guard);
  return {
    ...shown,
    preview(settings) {
      if ($config.get()) return;
      change(stores.$settings, {preview: settings});
      fit(settings, true);
    },
    configure: settings => configure(core, settings, parts, {scope, fitDraft: fit}),
    start: work.start,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    edit,
    flip,
    recall: name => inner.$memory.get()?.note(name),
    choose: solverId => inner.$chosen.set(solverId),
    requote: () => work.loadPrice(({ask}) => ask()),
    ...lateActions(core, parts),
    reset({keep = false} = {}) {
      if (!keep) edit({amount: '', recipient: '', refundAddress: ''});
      inner.$chosen.set(undefined);
      core.show('form');
    },
  };
}

/** The actions whose code loads when they are first called. */
function lateActions({$config, $view, $stage, $wallets, adapter, show, tell}: SessionCore, parts: Parts) {
  const {addresses, accounts, orders, review} = parts;
  const ignore = () => undefined;
  const failConnecting = (error: SwapError) => {
    change($wallets, {connecting: failed(error)});
    return false;
  };
  return {
    confirm: field => void addresses.use(({confirm}) => confirm(field), ignore),
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
      // What is being ordered is ordered: the answer decides where it goes on.
      if ($stage.get() !== 'ordering' || $view.get() !== 'review') show('form');
    },
    placeOrder: async () => review.part?.place(),
    pay: way => orders.use(({pay}) => pay(way)),
    answer: confirmed => orders.use(({answer}) => answer(confirmed)),
    refund: () => orders.use(({refund}) => refund()),
    revoke: orderId => orders.use(({revoke}) => revoke(orderId)),
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
function familyLoader(adapters: Adapters, {$families}: Stores): SessionCore['adapter'] {
  const families: Partial<Record<ChainFamily, Lazy<ChainAdapter>>> = {};
  return family =>
    (families[family] ??= lazy(
      async () => {
        const adapter = await adapters[family]?.();
        // The catalogue only lets families through that this build has.
        if (!adapter) throw new Error(family);
        return adapter;
      },
      adapter => {
        $families.set({...$families.get(), [family]: adapter});
        return adapter;
      },
    ))();
}

/** What loads when it is first needed, each part as a whole. */
function createParts(core: SessionCore): Parts {
  const orders: Lazy<Orders> = lazy(
    () => import('./order/orders.js'),
    ({createOrders}) => createOrders(core),
  );
  return {
    addresses: lazy(
      () => import('./addresses.js'),
      ({createAddresses}) => createAddresses(core),
    ),
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

/** What a session does by itself while it is started: loading what the draft needs next. */
function createWork(core: SessionCore, {addresses, review}: Parts) {
  const {$running, $draft, $accounts, $config, $request, $priced, host, tell} = core;
  let starts = 0;
  let stop = () => {};
  let cancelRetry = () => {};

  /** Addresses, and texts that are no plain amounts, are read by rules that load now, and again where that failed. */
  const checkDraft = () => {
    cancelRetry();
    if (!$config.get()) return;
    const {recipient, refundAddress} = $draft.get();
    const request = $request.get();
    const isNumber = !isProblem(request) || request.code !== 'not-a-number';
    if (isNumber && !(recipient + refundAddress).trim() && !Object.keys($accounts.get()).length) return;
    addresses()
      .then(({loadFamilies}) => loadFamilies())
      .catch(() => {
        cancelRetry();
        cancelRetry = host.after(RETRY_MS, checkDraft);
      });
  };
  for (const $store of [$draft, $accounts, $config]) $store.listen(checkDraft);

  /** Uses what asks for prices. */
  const loadPrice = (act: (review: Review) => void) =>
    void review.use(act, error => {
      const isNew = $priced.get().quote.state !== 'failed';
      change($priced, {quote: failed(error)});
      if (isNew) tell({type: 'error', error});
    });

  $running.listen(running => {
    stop();
    if (!running) return;
    checkDraft();
    const $ready = computed([$request, $config, host.online$], (request, config, online) => {
      return online && config && !isProblem(request);
    });
    const unsubscribe = $ready.subscribe(isReady => {
      if (isReady) loadPrice(() => undefined);
    });
    stop = () => {
      cancelRetry();
      unsubscribe();
    };
  });

  return {
    loadPrice,

    start() {
      starts += 1;
      $running.set(true);
      let isStopped = false;
      return () => {
        if (isStopped) return;
        isStopped = true;
        starts -= 1;
        $running.set(starts > 0);
      };
    },
  };
}
