import {computed, type ReadableAtom} from 'nanostores';
import type {Account, ChainAdapter} from '../chains/adapter.js';
import {depositBy, type Catalogue, type ChainFamily} from '../domain/asset.js';
import type {Agreement, FundWay} from '../domain/deposit.js';
import {toSwapError} from '../domain/error.js';
import {seeMore, stageOf, type Order, type Stage} from '../domain/order.js';
import {isTerminal} from '../domain/stage.js';
import {valueOf} from '../domain/remote.js';
import {mayBePaid, openJournal, type Journal} from './journal.js';
import type {Memory} from './memory.js';
import {createOrdering} from './ordering.js';
import type {OrderStores} from './stores.js';
import {createTracking} from './tracking.js';
import type {Host, SessionConfig, SessionEvent, SessionGates} from './types.js';

/** How often orders that are not shown and not at their end are read. */
const OTHERS_PAUSE_MS = 30_000;

/** How far a swap has come at each stage; going down is going back. */
const PROGRESS: Readonly<Record<Stage, number>> = {
  editing: 0,
  reviewing: 0,
  ordering: 0,
  'awaiting-deposit': 1,
  expired: 1,
  stopped: 1,
  funding: 2,
  'deposit-seen': 3,
  confirming: 4,
  settling: 5,
  refunding: 6,
  refunded: 7,
  complete: 7,
};

/** Everything that happens once there is an order. Loaded with the first one; the form does without. */
export interface Orders {
  /** Goes to work until called off: reads, other tabs' changes. Answers to writes are still written down after that. */
  run(): () => void;
  /** Takes the journal of other settings. */
  configure(memory: Memory, catalogue: Catalogue, keep: boolean): void;
  /**
   * Places what was agreed; `onPlaced` is called in the same breath in which the order is shown. One that is no longer
   * awaited is only written down.
   */
  place(agreed: Agreement, isAwaited: () => boolean, onPlaced: () => void): Promise<void>;
  pay(way?: FundWay): Promise<void>;
  answer(confirmed: boolean): Promise<void>;
  refund(): Promise<void>;
  open(orderId: string): void;
  close(): void;
  refresh(): void;
  /** Whether an order is one of this browser's. */
  has(orderId: string): boolean;
}

export interface OrdersOptions {
  readonly stores: OrderStores;
  readonly host: Host;
  readonly gates: SessionGates;
  readonly $config: ReadableAtom<SessionConfig | undefined>;
  readonly $active: ReadableAtom<boolean>;
  readonly $now: ReadableAtom<number>;
  readonly config: () => SessionConfig;
  readonly adapter: (family: ChainFamily) => Promise<ChainAdapter>;
  readonly account: (family: ChainFamily) => Account | undefined;
  readonly isHere: () => boolean;
  readonly tell: (event: SessionEvent) => void;
  /** Is called when money moved: balances are old. */
  readonly settled: () => void;
}

export function createOrders(options: OrdersOptions): Orders {
  const {stores, host, gates, $config, $active, $now, config, adapter, account, isHere, tell, settled} = options;
  let memory: Memory | undefined;
  let journal: Journal | undefined;
  let forget = () => {};

  const known = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The session is not configured.');
    return value;
  };
  const tracking = createTracking({
    stores,
    $config,
    $active,
    stage: () => stores.$orderStage.get() ?? 'editing',
    isOver: () => {
      const stage = stores.$orderStage.get();
      const order = valueOf(stores.$status.get());
      if (!stage || !order || !isTerminal(stage)) return false;
      // Whoever has seen an address may pay to it, whatever was found out since.
      if (stage === 'stopped') return valueOf(stores.$order.get())?.deal?.deposit.how !== 'transfer';
      return stage !== 'complete' || isKept(order);
    },
    host,
  });
  const ordering = createOrdering({
    stores,
    host,
    gates,
    tracking,
    config,
    journal: () => known(journal),
    memory: () => known(memory),
    adapter,
    account,
    isHere,
    tell,
  });

  /**
   * Whether what the recipient got stays as it is. On a chain that is paid to by address a payment counts as soon as it
   * is seen, and may still be replaced by one with a higher fee as long as it has no block.
   */
  const isKept = ({destination: {asset, redeemed}}: Order) => {
    const chain = $config.get()?.catalogue.find(asset)?.chain;
    return !chain || depositBy(chain) !== 'transfer' || redeemed?.block !== undefined;
  };

  const stageNow = (
    order: Order,
    now: number,
    {catalogue, depositWindow}: SessionConfig,
    refundOpen?: boolean,
  ): Stage => {
    const chain = catalogue.find(order.source.asset)?.chain;
    return stageOf(order, {now, depositWindow, blockSeconds: chain?.blockSeconds ?? Infinity, refundOpen});
  };

  const $stage = computed(
    [stores.$order, stores.$funding, stores.$status, stores.$refundOpen, stores.$journal, $now, $config],
    (placed, funding, status, refundOpen, entries, now, settings): Stage | undefined => {
      const shown = valueOf(placed);
      if (!shown || !settings) return undefined;
      const entry = entries.find(({orderId}) => orderId === shown.id);
      if (entry?.stage === 'complete') return 'complete';
      const order = valueOf(status);
      const mayBe = entry !== undefined && mayBePaid(entry);
      // What was paid all the same is followed to its end.
      const isPaid = mayBe || order?.source.initiated !== undefined;
      if (!isPaid && (entry?.stage === 'stopped' || shown.report?.outcome === 'failed')) return 'stopped';
      // Until the order was read it stands where it last stood: only a good answer moves it.
      const stage = order ? stageNow(order, now, settings, refundOpen) : entry?.stage;
      if (stage && PROGRESS[stage] > PROGRESS.funding) return stage;
      // What may have been paid is neither waiting to be paid nor expired.
      if ((funding.busy && funding.plan.length > 0) || funding.funding || mayBe) return 'funding';
      return stage;
    },
  );

  let told: {readonly orderId: string; readonly stage: Stage} | undefined;

  /** Writes down and tells where the shown order stands, whenever a good answer moved it. */
  const follow = (stage: Stage | undefined) => {
    stores.$orderStage.set(stage);
    const shown = valueOf(stores.$order.get());
    const order = valueOf(stores.$status.get());
    if (!shown || !stage || !journal) return;
    const entry = journal.get(shown.id);
    if (told?.orderId !== shown.id) {
      told = {orderId: shown.id, stage: entry?.stage ?? 'awaiting-deposit'};
      stores.$movedBackFrom.set(undefined);
    }
    const previous = told.stage;
    if (stage === previous) return;
    told = {orderId: shown.id, stage};
    if (PROGRESS[stage] > PROGRESS[previous]) stores.$movedBackFrom.set(undefined);
    else if (PROGRESS[previous] > PROGRESS.funding) stores.$movedBackFrom.set(previous);
    // What stops an order for good writes so itself.
    if (entry && entry.stage !== stage && stage !== 'stopped') {
      try {
        journal.update(shown.id, () => ({stage}));
      } catch (error) {
        tell({type: 'error', error: toSwapError(error, 'storage'), orderId: shown.id});
      }
    }
    if (order?.id === shown.id) announce(stage, previous, order);
  };

  /** Writes down what is seen of an order's payment, if that is more than before. */
  const see = ({id, source}: Order) => {
    const entry = journal?.get(id);
    const seen = entry && seeMore(entry.seen, source);
    if (!seen || seen === entry.seen) return;
    try {
      journal?.update(id, () => ({seen}));
    } catch {
      // A full storage is told of where money depends on it.
    }
  };

  const announce = (stage: Stage, previous: Stage, order: Order) => {
    tell({type: 'status', orderId: order.id, stage, previous, order});
    if (stage === 'complete') tell({type: 'complete', orderId: order.id, order});
    if (stage === 'refunded') tell({type: 'refund', orderId: order.id, order});
    if (stage === 'complete' || stage === 'refunded') settled();
  };

  /** Reads the orders that are not shown, one after the other, so that the list and the page know where they stand. */
  const readOthers = async () => {
    const settings = $config.get();
    if (!settings || !journal || !$active.get()) return;
    for (const entry of journal.$entries.get()) {
      const isShown = () => entry.orderId === valueOf(stores.$order.get())?.id;
      if (isShown() || isTerminal(entry.stage)) continue;
      if (entry.stage === 'expired' && !mayBePaid(entry)) continue;
      if (!$active.get()) return;
      try {
        const order = await settings.api.readOrder(entry.orderId);
        see(order);
        const read = stageNow(order, host.now(), settings);
        const stage = (read === 'awaiting-deposit' || read === 'expired') && mayBePaid(entry) ? 'funding' : read;
        const present = journal.get(entry.orderId);
        if (!present || present.stage === stage || isTerminal(present.stage) || isShown()) continue;
        journal.update(entry.orderId, () => ({stage}));
        announce(stage, present.stage, order);
      } catch {
        // It is read again on the next round.
      }
    }
  };

  return {
    run() {
      let callOff = () => {};
      const next = () => {
        callOff = host.after(OTHERS_PAUSE_MS, () => {
          void readOthers();
          next();
        });
      };
      next();
      const undo = [
        () => callOff(),
        host.onStorage(key => journal?.otherTab(key)),
        $stage.subscribe(follow),
        stores.$status.listen(status => {
          if (status.state !== 'ready') return;
          see(status.value);
          if (stores.$orderStage.get() === 'funding') void ordering.look().catch(() => undefined);
          void ordering.checkAgain(status.value).catch(() => undefined);
          void ordering.lookForRefund(status.value).catch(() => undefined);
          void ordering.lookForFee(status.value).catch(() => undefined);
        }),
        $active.subscribe(active => {
          if (active) void readOthers();
        }),
        tracking.run(),
      ];
      return () => undo.forEach(stop => stop());
    },

    configure(opened, catalogue, keep) {
      if (opened === memory) {
        journal?.use(catalogue);
        ordering.reconfigure();
        return;
      }
      forget();
      memory = opened;
      journal = openJournal({memory, catalogue, keep});
      forget = journal.$entries.subscribe(entries => stores.$journal.set(entries));
    },

    place: (agreed, isAwaited, onPlaced) => ordering.place(agreed, isAwaited, onPlaced),
    pay: way => ordering.pay(way),
    answer: confirmed => ordering.answer(confirmed),
    refund: () => ordering.refund(),

    open: orderId => ordering.open(orderId),

    close() {
      ordering.close();
      void readOthers();
    },

    refresh: () => tracking.hurry(),
    has: orderId => journal?.get(orderId) !== undefined,
  };
}
