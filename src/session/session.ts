import {batch, computed} from 'nanostores';
import type {Adapters, ChainAdapter} from '../chains/adapter.js';
import type {ChainFamily} from '../domain/asset.js';
import {attempt, type SwapError} from '../domain/error.js';
import {lazy, type Lazy} from '../domain/lazy.js';
import {failed, idle} from '../domain/remote.js';
import type {Wallets} from './accounts.js';
import {createDraft} from './draft.js';
import type {Orders} from './order/orders.js';
import type {Review} from './review.js';
import {configure} from './settings.js';
import {createInnerStores, createStores, guard, type InnerStores, type SessionCore} from './shared.js';
import type {SessionEvent, SessionOptions, SwapSession} from './types.js';
import {createWork} from './work.js';

export type * from './types.js';

/** Puts together the stores and the actions of one widget. Nothing happens until it is configured and started. */
export function createSwapSession({adapters, host, gates = {}, scope = ''}: SessionOptions): SwapSession {
  const stores = createStores(host);
  const inner = createInnerStores();
  const {$config, $view, $stage, $connecting, $order} = stores;
  const listeners = new Set<(event: SessionEvent) => void>();

  const {$request, $problem, edit, flip, fit} = createDraft({...stores, ...inner}, () => review.part?.draftChanged());
  const shown = {...stores, $request, $problem};
  const core: SessionCore = {
    ...shown,
    ...inner,
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
    edit,
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
  const work = createWork(core, addresses, review);
  const ignore = () => undefined;
  const failConnecting = (error: SwapError) => {
    $connecting.set(failed(error));
    return false;
  };

  Object.values(shown).forEach(guard);
  return {
    ...shown,
    configure: settings => configure(core, settings, {scope, fitDraft: fit, accounts, orders, review}),
    start: work.start,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    edit,
    flip,
    confirm: field => void addresses.use(({confirm}) => confirm(field), ignore),
    useShare: percent => accounts.part?.useShare(percent),
    readBalances: () => accounts.part?.readBalances(),
    choose: solverId => inner.$chosen.set(solverId),
    requote: () => work.loadPrice(({ask}) => ask()),

    discover: (family, signal) =>
      void accounts.use(
        ({discover}) => discover(family, signal),
        error => void failConnecting(error),
      ),
    connect: (wallet, options) => accounts.use(({connect}) => connect(wallet, options), failConnecting),
    cancelConnect: () => accounts.part?.cancel(),
    disconnect: family => accounts.part?.disconnect(family),

    review: () => void review.use(({open}) => open(), ignore),
    back() {
      // What is being ordered is ordered: the answer decides where it goes on.
      if ($stage.get() !== 'ordering' || $view.get() !== 'review') core.show('form');
    },
    placeOrder: async () => review.part?.place(),
    pay: way => orders.use(({pay}) => pay(way)),
    answer: confirmed => orders.use(({answer}) => answer(confirmed)),
    refund: () => orders.use(({refund}) => refund()),
    refresh: () => orders.part?.refresh(),

    openOrder: orderId =>
      void orders.use(
        ({open}) => open(orderId),
        error => core.tell({type: 'error', error, orderId}),
      ),
    openJournal() {
      if ($stage.get() === 'ordering') return;
      core.show('journal');
      void orders.use(ignore, error => core.tell({type: 'error', error}));
    },
    reset({keep = false} = {}) {
      if (!keep) edit({amount: '', recipient: '', refundAddress: ''});
      inner.$chosen.set(undefined);
      core.show('form');
    },
  };
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
