import {batch, computed} from 'nanostores';
import type {Adapters, ChainAdapter} from '../chains/adapter.js';
import type {ChainFamily} from '../domain/asset.js';
import {isProblem} from '../domain/draft.js';
import {attempt, SwapError} from '../domain/error.js';
import {lazy, type Lazy} from '../domain/lazy.js';
import {failed, idle} from '../domain/remote.js';
import type {Wallets} from './accounts.js';
import type {AddressRules} from './addresses.js';
import {createDraft, readStores} from './draft.js';
import type {Orders} from './order/orders.js';
import type {Review} from './review.js';
import {createInnerStores, createStores, guard, type InnerStores, type SessionCore} from './shared.js';
import {openMemory, walletNote} from './storage.js';
import type {SessionConfig, SessionEvent, SessionOptions, SwapSession} from './types.js';

export type * from './types.js';

/** How soon a part that could not be loaded is tried again. */
const RETRY_MS = 5_000;

/** Puts together the stores and the actions of one widget. Nothing happens until it is configured and started. */
export function createSwapSession({adapters, host, gates = {}, scope = ''}: SessionOptions): SwapSession {
  const stores = createStores(host);
  const inner = createInnerStores();
  const reading = readStores({...stores, ...inner});
  const {$config, $view, $stage, $connecting, $order} = stores;
  const listeners = new Set<(event: SessionEvent) => void>();

  const core: SessionCore = {
    ...stores,
    ...inner,
    ...reading,
    $active: computed([inner.$running, host.visible$, host.online$], (...all) => all.every(Boolean)),
    adapters,
    host,
    gates,
    config() {
      const config = $config.get();
      if (!config) throw new Error('The session is not configured.');
      return config;
    },
    adapter: familyLoader(adapters, inner),
    tell: event => listeners.forEach(listener => attempt(() => listener(event))),
    edit: change => draft.edit(change),
    readBalance: () => accounts.part?.readBalance(),
    show: view =>
      batch(() => {
        // An order that is under way goes on, and stays in the list.
        orders.part?.close();
        $order.set(idle);
        if (view === 'form') inner.$floor.set(undefined);
        $view.set(view);
      }),
  };
  const draft = createDraft(core, () => review.part?.draftChanged());
  const addresses = lazy(
    () => import('./addresses.js'),
    ({createAddresses}) => createAddresses(core),
  );
  const accounts: Lazy<Wallets> = lazy(
    () => import('./accounts.js'),
    ({createWallets}) => createWallets(core),
  );
  const orders: Lazy<Orders> = lazy(
    () => import('./order/orders.js'),
    ({createOrders}) => createOrders(core),
  );
  const review: Lazy<Review> = lazy(
    () => import('./review.js'),
    ({createReview}) => createReview(core, orders),
  );
  const tellFault = (error: SwapError) => core.tell({type: 'error', error});
  const failConnecting = (error: SwapError) => $connecting.set(failed(error));
  const work = createWork(core, addresses, review);

  const session: SwapSession = {
    ...stores,
    ...reading,
    configure: settings => configure(core, settings, {scope, fitDraft: draft.fit, accounts, orders, review}),
    start: () => work.start(),
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    edit: draft.edit,
    flip: draft.flip,
    confirm: field => addresses.use(({confirm}) => confirm(field)),
    useShare: percent => accounts.part?.useShare(percent),
    readBalances: () => accounts.part?.readBalances(),
    choose: solverId => inner.$chosen.set(solverId),
    requote: () => work.loadPrice(({ask}) => ask()),

    discover: (family, signal) => accounts.use(({discover}) => discover(family, signal), failConnecting),
    connect: (wallet, options) =>
      new Promise(resolve => {
        accounts.use(
          ({connect}) => resolve(connect(wallet, options)),
          error => {
            failConnecting(error);
            resolve(false);
          },
        );
      }),
    cancelConnect: () => accounts.part?.cancel(),
    disconnect: family => accounts.part?.disconnect(family),

    review: () => review.use(({open}) => open()),
    back() {
      // What is being ordered is ordered: the answer decides where it goes on.
      if ($stage.get() !== 'ordering' || $view.get() !== 'review') core.show('form');
    },
    placeOrder: async () => review.part?.place(),
    pay: async way => (await orders()).pay(way),
    answer: async confirmed => (await orders()).answer(confirmed),
    refund: async () => (await orders()).refund(),
    refresh: () => orders.part?.refresh(),

    openOrder: orderId =>
      orders.use(
        ({open}) => open(orderId),
        error => core.tell({type: 'error', error, orderId}),
      ),
    openJournal() {
      if ($stage.get() === 'ordering') return;
      core.show('journal');
      orders.use(() => undefined, tellFault);
    },
    reset({keep = false} = {}) {
      if (!keep) draft.edit({amount: '', recipient: '', refundAddress: ''});
      inner.$chosen.set(undefined);
      core.show('form');
    },
  };
  Object.values(stores).forEach(guard);
  Object.values(reading).forEach(guard);
  return session;
}

/** Loads the code of a family when it is first needed. */
function familyLoader(adapters: Adapters, {$families}: InnerStores): SessionCore['adapter'] {
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

/** What a session does by itself while it is started: time, and loading what the draft needs next. */
function createWork(core: SessionCore, addresses: Lazy<AddressRules>, review: Lazy<Review>) {
  const {$running, $now, $draft, $accounts, $config, $request, $quote, host, tell} = core;
  let starts = 0;
  let stop = () => {};
  let cancelRetry = () => {};

  /** Addresses, and texts that are no plain amounts, are read by rules that load now, and again where that failed. */
  const checkDraft = () => {
    cancelRetry();
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
    review.use(act, error => {
      const isNew = $quote.get().state !== 'failed';
      $quote.set(failed(error));
      if (isNew) tell({type: 'error', error});
    });

  $running.listen(running => {
    stop();
    if (!running) return;
    let cancelTick = () => {};
    const tick = () => {
      $now.set(host.now());
      cancelTick = host.after(1_000, tick);
    };
    tick();
    checkDraft();
    const unsubscribe = $request.subscribe(request => {
      if (!isProblem(request)) loadPrice(() => undefined);
    });
    stop = () => {
      cancelTick();
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

/** Takes new settings, or what is wrong with them. */
function configure(
  {$config, $fault, $memory, adapters, host, show, tell}: SessionCore,
  settings: SessionConfig | SwapError,
  {
    scope,
    fitDraft,
    accounts,
    orders,
    review,
  }: {
    readonly scope: string;
    readonly fitDraft: (config: SessionConfig, restores: boolean) => void;
    readonly accounts: Lazy<Wallets>;
    readonly orders: Lazy<Orders>;
    readonly review: Lazy<Review>;
  },
): void {
  if (settings instanceof SwapError) {
    // The code that found the fault reports it. The last good settings stay, for orders that are under way.
    $fault.set(settings);
    return;
  }
  const before = $config.get();
  const isOther = (['service', 'journal', 'forThisTab'] as const).some(name => before?.[name] !== settings[name]);
  const memory = isOther ? openMemory(host, settings.service, settings.journal, scope) : $memory.get();
  batch(() => {
    $fault.set(undefined);
    $config.set(settings);
    $memory.set(memory);
    orders.part?.configure();
    fitDraft(settings, isOther);
  });
  /** What only the code of a family finds wrong. What could not be loaded is loaded with the order. */
  const refuse = (fault: unknown) => {
    if (!(fault instanceof SwapError) || fault.code !== 'config' || $config.get() !== settings || $fault.get()) return;
    $fault.set(fault);
    tell({type: 'error', error: fault});
  };
  if (settings.affiliateFees.length) review.use(({checkFees}) => checkFees(settings).catch(refuse));
  // Those that the page brings now, and those that it does not bring any more.
  if (settings.wallets ?? accounts.part) accounts.use(wallets => wallets.configure(settings).catch(refuse));
  if (!isOther) return;
  if (before) show('form');
  if (Object.keys(adapters).some(family => memory?.note(walletNote(family)) !== undefined))
    accounts.use(({reconnect}) => reconnect());
  if (memory?.hasOrders())
    orders.use(
      ({resume}) => resume(),
      error => tell({type: 'error', error}),
    );
}
