import {batch, computed} from 'nanostores';
import {depositBy, type Catalogue, type ChainFamily} from '../../domain/asset.js';
import type {Agreement, FundWay} from '../../domain/deposit.js';
import {SwapError, toSwapError} from '../../domain/error.js';
import {mayBePaid} from '../../domain/funding.js';
import {hasOtherTerms, addSeen, type Order} from '../../domain/order.js';
import {valueOf} from '../../domain/remote.js';
import {
  confirmedSince,
  isStepBack,
  isStepOn,
  isTerminal,
  standingOf,
  type Standing,
  type Stage,
  type StageClock,
} from '../../domain/stage.js';
import {openJournal, type Journal, type JournalEntry} from './journal.js';
import {shownNote, type Memory} from '../storage.js';
import {createFeeWatch} from './fees.js';
import {createOrdering} from './ordering.js';
import type {SessionCore} from '../shared.js';
import {createTracking} from './track.js';
import type {SessionConfig} from '../types.js';

/** How often orders that are not shown and not at their end are read. */
const OTHERS_PAUSE_MS = 30_000;

/**
 * How often those are read that nobody paid in time: a payment may come late, and has to go back. Each waits a twentieth
 * of its age, within these bounds.
 */
const EXPIRED_PAUSE_MS = {least: 5 * 60_000, most: 6 * 3_600_000} as const;

/** Everything that happens once there is an order. Loaded with the first one; the form does without. */
export interface Orders {
  /** Takes the journal of new settings. */
  configure(): void;
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
  /** Goes on with the order that was on the screen when the page was left. */
  resume(): void;
}

export function createOrders(core: SessionCore): Orders {
  const {host, gates, $config, $active, $now, $running, $view, $memory, config, adapter, tell, readBalance} = core;
  const stores = core;
  const account = (family: ChainFamily) => core.$accounts.get()[family];
  const isHere = () => $running.get();
  let memory: Memory | undefined;
  let catalogue: Catalogue | undefined;
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
    stage: () => stores.$standing.get()?.stage ?? 'editing',
    isOver: () => {
      const stage = stores.$standing.get()?.stage;
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

  const watchFees = createFeeWatch({config, journal: () => known(journal), adapter, tell});

  /**
   * Whether what the recipient got stays as it is. On a chain that is paid to by address a payment counts as soon as it
   * is seen, and may still be replaced by one with a higher fee as long as it has no block.
   */
  const isKept = ({destination: {asset, redeemed}}: Order) => {
    const chain = $config.get()?.catalogue.find(asset)?.chain;
    return !chain || depositBy(chain) !== 'transfer' || redeemed?.block !== undefined;
  };

  const clockOf = (
    sourceAsset: string | undefined,
    now: number,
    {catalogue, depositWindow}: SessionConfig,
    refundOpen?: boolean,
  ): StageClock => {
    const chain = catalogue.find(sourceAsset ?? '')?.chain;
    return {now, depositWindow, blockSeconds: chain?.blockSeconds ?? Infinity, refundOpen};
  };

  const $standing = computed(
    [stores.$order, stores.$funding, stores.$status, stores.$refundOpen, stores.$journal, $now, $config],
    (placed, {busy, plan, funding, unclear}, status, refundOpen, entries, now, settings) => {
      const shown = valueOf(placed);
      if (!shown || !settings) return undefined;
      const order = valueOf(status);
      return standingOf({
        order,
        record: entries.find(({orderId}) => orderId === shown.id),
        hasFailed: shown.report?.outcome === 'failed',
        funding: {isAsking: busy === true && plan.length > 0, isOut: funding !== undefined, isUnclear: unclear},
        clock: clockOf(order?.source.asset, now, settings, refundOpen),
      });
    },
  );

  let told: {readonly orderId: string; readonly stage: Stage} | undefined;

  /** Writes down and tells where the shown order stands, whenever a good answer moved it. */
  const follow = (standing: Standing | undefined) => {
    stores.$standing.set(standing);
    const stage = standing?.stage;
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
    if (isStepBack(previous, stage)) stores.$movedBackFrom.set(previous);
    else if (isStepOn(previous, stage)) stores.$movedBackFrom.set(undefined);
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

  /** Writes down what is seen of an order's payment where that is news, and tells where its terms are other ones now. */
  const see = (order: Order) => {
    const {id, source} = order;
    const entry = journal?.get(id);
    if (!entry) return;
    const seen = addSeen(entry.seen, source);
    const confirmedAt = confirmedSince(entry.confirmedAt, source, host.now());
    const isPaid = source.initiated !== undefined || mayBePaid(entry);
    const isChanged = isPaid && !entry.changed && entry.terms !== undefined && hasOtherTerms(entry.terms, order);
    if (seen === entry.seen && confirmedAt === entry.confirmedAt && !isChanged) return;
    try {
      journal?.update(id, () => ({confirmedAt, ...(seen && {seen}), ...(isChanged && {changed: true as const})}));
    } catch {
      // A full storage is told of where money depends on it.
    }
    if (isChanged) tell({type: 'error', error: new SwapError('order-changed'), orderId: id});
  };

  const announce = (stage: Stage, previous: Stage, order: Order) => {
    tell({type: 'status', orderId: order.id, stage, previous, order});
    if (stage === 'complete') tell({type: 'complete', orderId: order.id, order});
    if (stage === 'refunded') tell({type: 'refund', orderId: order.id, order});
    if (stage === 'complete' || stage === 'refunded') readBalance();
  };

  /** When each order that is not shown was last asked for. */
  const lastAsked = new Map<string, number>();

  /** Whether it is time to read an order that is not shown. */
  const isDue = ({orderId, stage, placedAt, ...entry}: JournalEntry): boolean => {
    if (isTerminal(stage)) return false;
    if (stage !== 'expired' || mayBePaid(entry)) return true;
    const {least, most} = EXPIRED_PAUSE_MS;
    const pause = Math.min(Math.max((host.now() - placedAt) / 20, least), most);
    return host.now() >= (lastAsked.get(orderId) ?? 0) + pause;
  };

  /** Reads the orders that are not shown, one after the other, so that the list and the page know where they stand. */
  const readOthers = async () => {
    const settings = $config.get();
    if (!settings || !journal || !$active.get()) return;
    for (const entry of journal.$entries.get()) {
      const isShown = () => entry.orderId === valueOf(stores.$order.get())?.id;
      if (isShown() || !isDue(entry)) continue;
      if (!$active.get()) return;
      lastAsked.set(entry.orderId, host.now());
      try {
        const order = await settings.api.readOrder(entry.orderId);
        see(order);
        void watchFees(order).catch(() => undefined);
        const record = journal.get(entry.orderId);
        if (!record || isTerminal(record.stage) || isShown()) continue;
        const {stage} = standingOf({order, record, clock: clockOf(order.source.asset, host.now(), settings)}) ?? record;
        if (record.stage === stage) continue;
        journal.update(entry.orderId, () => ({stage}));
        announce(stage, record.stage, order);
      } catch {
        // It is read again on the next round.
      }
    }
  };

  const run = () => {
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
      $standing.subscribe(follow),
      stores.$status.listen(status => {
        if (status.state !== 'ready') return;
        see(status.value);
        void watchFees(status.value).catch(() => undefined);
        if (stores.$standing.get()?.stage === 'funding') void ordering.look().catch(() => undefined);
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
  };

  const configure = () => {
    const opened = $memory.get();
    const settings = $config.get();
    if (!opened || !settings || (opened === memory && settings.catalogue === catalogue)) return;
    catalogue = settings.catalogue;
    if (opened === memory) {
      journal?.use(catalogue);
      ordering.reconfigure();
      return;
    }
    forget();
    memory = opened;
    journal = openJournal({memory, catalogue, keep: settings.journal});
    const stops = [
      journal.$entries.subscribe(entries => stores.$journal.set(entries)),
      journal.$removed.subscribe(count => stores.$removed.set(count)),
    ];
    forget = () => stops.forEach(stop => stop());
  };

  const open = (orderId: string) =>
    batch(() => {
      ordering.open(orderId);
      $view.set('order');
    });

  configure();
  let rest = () => {};
  $running.subscribe(running => {
    rest();
    rest = running ? run() : () => {};
  });

  return {
    configure,

    resume() {
      const last = memory?.note(shownNote(memory));
      if (last !== undefined && journal?.get(last) && $view.get() === 'form') open(last);
    },

    place: (agreed, isAwaited, onPlaced) => ordering.place(agreed, isAwaited, onPlaced),
    pay: way => ordering.pay(way),
    answer: confirmed => ordering.answer(confirmed),
    refund: () => ordering.refund(),

    open,

    close() {
      ordering.close();
      void readOthers();
    },

    refresh: () => tracking.readNow(),
  };
}
