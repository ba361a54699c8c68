import {batch, effect} from 'nanostores';
import {SwapError, toSwapError} from '../../domain/error.js';
import type {Asset} from '../../domain/asset.js';
import type {Evidence} from '../../domain/evidence.js';
import type {Order} from '../../domain/order.js';
import {writeJson} from '../../domain/json.js';
import {failed, idle, pending, valueOf} from '../../domain/remote.js';
import {isUnderWay, type Stage} from '../../domain/stage.js';
import {BACK_ONLINE_MS, backOff, spread} from '../pace.js';
import {change, type Watch} from '../shared.js';
import type {Host} from '../types.js';
import type {EvidenceStore, OrderBase} from './evidence.js';
import type {JournalEntry} from './journal.js';
import type {Questions} from './questions.js';
import {FIRST_PAUSE_MS, GROWTH, Reads, type Followed} from './reads.js';
import {createRounds, isWatched} from './rounds.js';

/** How long a chain read may take until it counts as failed, and is repeated. */
const LONGEST_READ_MS = 30_000;

/** The maximum number of concurrent reads of one order: a manual refresh does not wait for a slow read. */
const MOST_READS = 2;

/**
 * The maximum and minimum pause between chain reads while there are no new claims. Between them it is a block; on a
 * chain with longer blocks, changes are visible before their block.
 */
const LONGEST_LOOK_PAUSE_MS = 12_000;
const SHORTEST_LOOK_PAUSE_MS = 5_000;

/** The shortest pause while the page is hidden. Browsers throttle its timers to one a minute after a while. */
const HIDDEN_PAUSE_MS = 30_000;

const FIRST_FAULT_PAUSE_MS = 2_000;

/** A lasting stage is read less often, after this part of its age, but at least this often. */
const AGE_PART = 1 / 15;
const SLOWEST_UNDER_WAY_MS = 32_000;

/** The slowest pace of each stage, by its duration. */
function longestPause(stage: Stage, age: number): number {
  switch (stage) {
    case 'awaiting-deposit':
    case 'funding':
    case 'deposit-seen':
    case 'confirming':
    case 'settling':
      return Math.min(Math.max(5_000, age * AGE_PART), SLOWEST_UNDER_WAY_MS);
    case 'refunding':
      return Math.min(Math.max(15_000, age * AGE_PART), SLOWEST_UNDER_WAY_MS);
    default:
      // An expired or stopped order is still read: a payment may arrive, and has to be refunded. So is one whose end
      // only the service reports, and a complete one until the payout is in a block.
      return 60_000;
  }
}

function createPace(host: Host) {
  let pause = FIRST_PAUSE_MS;
  let last: Stage | undefined;
  let since = 0;
  let faults = 0;
  return {
    reset() {
      pause = FIRST_PAUSE_MS;
      last = undefined;
      faults = 0;
    },
    quicken() {
      pause = FIRST_PAUSE_MS;
    },
    recover() {
      faults = 0;
    },
    next(stage: Stage): number {
      const now = host.now();
      if (stage !== last) since = now;
      const longest = longestPause(stage, now - since);
      pause = stage === last ? Math.min(pause * GROWTH, longest) : FIRST_PAUSE_MS;
      last = stage;
      return spread(host, stage === 'expired' ? longest : pause);
    },
    afterFault({retryAfter}: SwapError): number {
      faults += 1;
      return backOff(host, FIRST_FAULT_PAUSE_MS, faults, retryAfter);
    },
  };
}

export type Tracking = ReturnType<typeof createTracking>;

type Look = ReturnType<typeof createLooks>;

function createLooks(
  core: OrderBase,
  evidence: EvidenceStore,
  questions: Questions,
  looked: (orderId: string) => void,
) {
  const {host, clock} = core;
  const underWay = new Map<string, Promise<void>>();
  const last = new Map<string, {readonly key: string; readonly at: number}>();

  const look = async (orderId: string) => {
    const asked = questions.of(evidence.of(orderId)).map(question => {
      const at = evidence.askedNow();
      return new Promise<void>(resolve => {
        const cancel = host.after(LONGEST_READ_MS, () => {
          evidence.accept(orderId, question.unanswered(at));
          resolve();
        });
        // A later response still counts.
        void question.ask(at).then(fact => {
          cancel();
          evidence.accept(orderId, fact);
          resolve();
        });
      });
    });
    void clock.hearChain(() => questions.readTime(assetsOf(core, evidence.of(orderId))));
    await Promise.all(asked);
    looked(orderId);
  };

  /**
   * Calls with the same questions share their answers, which are not requested again before a minimum age; new claims
   * of the service are checked separately.
   */
  return (orderId: string, leastAge = 0): Promise<void> => {
    const {claims} = evidence.of(orderId);
    const key = `${orderId} ${writeJson(claims)}`;
    const before = last.get(orderId);
    if (before?.key === key && host.now() - before.at < leastAge) return Promise.resolve();
    last.set(orderId, {key, at: host.now()});
    const going = underWay.get(key) ?? look(orderId).finally(() => underWay.delete(key));
    underWay.set(key, going);
    return going;
  };
}

function assetsOf({config}: OrderBase, {record, told}: Evidence<JournalEntry>): readonly Asset[] {
  const {find} = config().catalogue;
  return [
    record?.agreed.from,
    record?.agreed.to,
    ...[told?.value.source, told?.value.destination].map(leg => leg && find(leg.asset)),
  ].filter(asset => asset !== undefined);
}

/** The block time of the faster of an order's two chains, limited to the longest pause. */
function blockOf(core: OrderBase, known: Evidence<JournalEntry>): number {
  return Math.min(LONGEST_LOOK_PAUSE_MS, ...assetsOf(core, known).map(({chain}) => chain.blockSeconds * 1_000));
}

/** How the displayed order is watched. */
function watchOf({$watch, $orderState}: OrderBase): Watch {
  const watch = $watch.get();
  return isWatched(watch, $orderState.get().story?.stage ?? 'editing') ? watch : 'off';
}

/** Calls back now, and whenever that has changed. */
function followWatch(core: OrderBase, changed: (watch: Watch, before?: Watch) => void): () => void {
  let watch: Watch | undefined;
  return effect([core.$watch, core.$orderState], () => {
    const before = watch;
    watch = watchOf(core);
    if (watch !== before) changed(watch, before);
  });
}

/**
 * When the displayed order is read again. Its chains are read meanwhile: the service may be down, or be spared.
 * `blockOf`: the time between two blocks.
 */
function createSchedule(
  core: OrderBase,
  order: Readonly<Followed>,
  blockOf: (orderId: string) => number,
  {poll, look}: {poll(): void; look(orderId: string): void},
) {
  const {$orderState, host} = core;
  const pace = createPace(host);
  let stopPoll = () => {};
  let stopLooks = () => {};

  const cancel = () => {
    stopPoll();
    stopLooks();
  };

  const lookMeanwhile = (orderId: string) => {
    if (!isUnderWay($orderState.get().story?.stage ?? 'editing')) return;
    stopLooks = host.after(Math.max(blockOf(orderId), SHORTEST_LOOK_PAUSE_MS), () => {
      look(orderId);
      lookMeanwhile(orderId);
    });
  };

  const after = (milliseconds: number) => {
    cancel();
    const watch = watchOf(core);
    if (order.id === undefined || watch === 'off') return;
    const isSeen = watch === 'seen';
    stopPoll = host.after(isSeen ? milliseconds : Math.max(milliseconds, spread(host, HIDDEN_PAUSE_MS)), poll);
    if (isSeen) lookMeanwhile(order.id);
  };

  return {
    pace,
    cancel,
    after,
    next: () => after(pace.next($orderState.get().story?.stage ?? 'editing')),
  };
}

/** `undefined` if the failure only means “not yet”. */
function showFailure(
  {$orderState, connectivity, tell}: OrderBase,
  reads: Reads,
  orderId: string,
  cause: unknown,
): SwapError | undefined {
  const error = toSwapError(cause, 'service');
  if (reads.isNotYet(orderId, error)) return undefined;
  const {reading: before} = $orderState.get();
  const isNews = before.state !== 'failed' || before.error.field !== error.field;
  // An error that will not resolve itself is reported to the page: once, however often the request is repeated.
  if (error.field === 'order' && isNews) tell({type: 'error', error, orderId});
  change($orderState, {reading: failed(error, valueOf(before))});
  connectivity.heed(error);
  return error;
}

function createPolls(core: OrderBase, evidence: EvidenceStore, reads: Reads, look: Look, order: Readonly<Followed>) {
  const {$orderState, $page, host} = core;
  let reading = new AbortController();
  let underWay = 0;
  let polls = 0;
  let lastGood = 0;

  const block = (orderId: string) => blockOf(core, evidence.of(orderId));
  const schedule = createSchedule(core, order, block, {
    poll: () => void poll(),
    look: orderId => void look(orderId),
  });
  const {pace} = schedule;

  const poll = async () => {
    schedule.cancel();
    const {id} = order;
    if (id === undefined || watchOf(core) === 'off') return;
    const {signal} = reading;
    const turn = ++polls;
    underWay += 1;
    if ($orderState.get().reading.state === 'idle') change($orderState, {reading: pending()});
    try {
      await reads.once(id, signal);
      if (signal.aborted) return;
      lastGood = Math.max(lastGood, turn);
      pace.recover();
      schedule.next();
      void look(id, block(id)).then(() => {
        if ($orderState.get().story?.isOver) schedule.cancel();
      });
    } catch (cause) {
      // The response to a later request may have arrived already.
      if (signal.aborted || turn < lastGood) return;
      const error = showFailure(core, reads, id, cause);
      if (error) void look(id, block(id));
      if (error) schedule.after(pace.afterFault(error));
      else schedule.next();
    } finally {
      if (!signal.aborted) underWay -= 1;
    }
  };

  const stop = () => {
    schedule.cancel();
    reading.abort();
    reading = new AbortController();
    underWay = 0;
  };

  return {
    poll,
    stop,
    reset: pace.reset,

    /** Polls soon. Requests in progress may finish, however often another is requested: a failure is a result, too. */
    pollNow() {
      pace.quicken();
      if (underWay < MOST_READS) void poll();
    },

    run() {
      let wasOffline = false;
      const unsubscribe = followWatch(core, (watch, before) => {
        const {isOnline} = $page.get();
        const isBack = wasOffline && isOnline;
        wasOffline = !isOnline;
        if (watch === 'off') stop();
        else if (isBack) schedule.after(spread(host, BACK_ONLINE_MS));
        else if (!(watch === 'hidden' && before === 'seen') && !$orderState.get().story?.isOver) void poll();
      });
      return () => {
        unsubscribe();
        stop();
      };
    },
  };
}

/** `answered`: called with each order that was read. `looked`: called once an order's chains were read. */
export function createTracking(
  core: OrderBase,
  evidence: EvidenceStore,
  questions: Questions,
  {answered, looked}: {answered(order: Order): void; looked(orderId: string): void},
) {
  const {$orderState, $page} = core;
  const followed: Followed = {};
  const reads = new Reads(core, evidence, followed, answered);
  const look = createLooks(core, evidence, questions, looked);
  const polls = createPolls(core, evidence, reads, look, followed);
  const others = createRounds(core, orderId => reads.once(orderId), look);

  /** While the browser is offline, nothing is read: that is known at once, and no longer holds once it is back. */
  const noteOnline = ({isOnline}: {readonly isOnline: boolean}, before?: {readonly isOnline: boolean}) => {
    if (isOnline === before?.isOnline) return;
    const {reading: now} = $orderState.get();
    if (isOnline && now.state === 'failed' && now.error.code === 'offline') {
      change($orderState, {reading: pending(valueOf(now))});
      reads.takeBack();
    }
    if (!isOnline && followed.id !== undefined && !$orderState.get().story?.isOver)
      change($orderState, {reading: failed(new SwapError('offline'), valueOf(now))});
  };

  return {
    reads,
    look,

    follow(orderId: string | undefined) {
      if (orderId === followed.id) return;
      polls.stop();
      followed.id = orderId;
      polls.reset();
      batch(() => {
        change($orderState, {reading: idle, readAt: undefined});
        evidence.reset();
        if (orderId !== undefined) evidence.judge(orderId);
        noteOnline($page.get());
      });
      void polls.poll();
    },

    readNow() {
      if (followed.id !== undefined) void look(followed.id);
      polls.pollNow();
    },
    readOthers: others.read,

    run() {
      const stops = [others.run(), polls.run(), $page.subscribe(noteOnline)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
