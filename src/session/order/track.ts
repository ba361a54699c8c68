import {atom, batch, computed} from 'nanostores';
import {SwapError, toSwapError} from '../../domain/error.js';
import {writeJson} from '../../domain/json.js';
import type {Order} from '../../domain/order.js';
import {failed, idle, pending, valueOf} from '../../domain/remote.js';
import {isUnderWay, type Stage} from '../../domain/stage.js';
import {isFinal, isOpen} from '../../domain/story.js';
import {BACK_ONLINE_MS, backOff, spread} from '../pace.js';
import type {Host} from '../types.js';
import type {EvidenceStore, OrderBase} from './evidence.js';
import type {JournalEntry} from './journal.js';
import type {Questions} from './questions.js';
import {createReads, FIRST_PAUSE_MS, GROWTH} from './reads.js';

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

/** The pause after a failed read, at first. */
const FIRST_FAULT_PAUSE_MS = 2_000;

/** A lasting stage is read less often, after this part of its age, but at least this often. */
const AGE_PART = 1 / 15;
const SLOWEST_UNDER_WAY_MS = 32_000;

/** The pause between reads of orders that are not displayed and have not ended. */
const OTHERS_PAUSE_MS = 30_000;

/**
 * The pause for orders in which little is expected: they were not paid in time, or only the service says that they
 * ended. Each waits a twentieth of its age, within these bounds.
 */
const SELDOM_MS = {least: 5 * 60_000, most: 6 * 3_600_000} as const;

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

/** The pauses between reads. */
function createPace(host: Host) {
  let pause = FIRST_PAUSE_MS;
  let last: Stage | undefined;
  /** When the current stage began. */
  let since = 0;
  let faults = 0;
  return {
    /** Starts again, with another order. */
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
    /** The pause after a good response. */
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

/** Reads orders from the service and the chains: the displayed one continuously, the others now and then. */
export type Tracking = ReturnType<typeof createTracking>;

/** Reads an order from the chains, each question once at a time. */
function createLooks(
  {host}: OrderBase,
  evidence: EvidenceStore,
  questions: Questions,
  looked: (orderId: string) => void,
) {
  const underWay = new Map<string, Promise<void>>();
  /** When each order was last read, and with which claims. */
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

export function createTracking(core: OrderBase, evidence: EvidenceStore, questions: Questions) {
  const {$reading, $readAt, $active, $running, $story, host, config, tell} = core;
  const $watch = computed([$active, $running, host.online$, $story], (isActive, isRunning, isOnline, story) => {
    if (isActive) return 'seen';
    return isRunning && isOnline && story && isUnderWay(story.stage) ? 'hidden' : 'off';
  });
  let followed: string | undefined;
  let reading = new AbortController();
  /** The number of reads of the followed order in progress. */
  let underWay = 0;
  let polls = 0;
  /** The last poll with a good response. */
  let lastGood = 0;
  let cancel = () => {};
  const $looked = atom<{readonly orderId: string} | undefined>();
  const reads = createReads(core, evidence, orderId => orderId === followed);
  const look = createLooks(core, evidence, questions, orderId => $looked.set({orderId}));
  const pace = createPace(host);

  /** The block time of the faster of an order's two chains, limited to the longest pause. */
  const blockOf = (orderId: string): number => {
    const {record, told} = evidence.of(orderId);
    const {find} = config().catalogue;
    const assets = [
      record?.agreed.from,
      record?.agreed.to,
      ...[told?.value.source, told?.value.destination].map(leg => leg && find(leg.asset)),
    ];
    return Math.min(LONGEST_LOOK_PAUSE_MS, ...assets.flatMap(asset => (asset ? asset.chain.blockSeconds * 1_000 : [])));
  };

  /** Polls the chains while the service is not polled: it may be down, or be spared. Returns a function to stop. */
  const lookMeanwhile = (orderId: string, watch: 'seen' | 'hidden'): (() => void) => {
    let stop = () => {};
    const wait = () => {
      if (watch !== 'seen' || !isUnderWay($story.get()?.stage ?? 'editing')) return;
      stop = host.after(Math.max(blockOf(orderId), SHORTEST_LOOK_PAUSE_MS), () => {
        void look(orderId);
        wait();
      });
    };
    wait();
    return () => {
      stop();
    };
  };

  const schedule = (milliseconds: number) => {
    cancel();
    const watch = $watch.get();
    if (followed === undefined || watch === 'off') return;
    const pause = watch === 'seen' ? milliseconds : Math.max(milliseconds, spread(host, HIDDEN_PAUSE_MS));
    const stopPoll = host.after(pause, () => void poll());
    const stopLooks = lookMeanwhile(followed, watch);
    cancel = () => {
      stopPoll();
      stopLooks();
    };
  };

  const scheduleNext = () => schedule(pace.next($story.get()?.stage ?? 'editing'));

  const poll = async () => {
    cancel();
    if (followed === undefined || $watch.get() === 'off') return;
    const {signal} = reading;
    const turn = ++polls;
    underWay += 1;
    if ($reading.get().state === 'idle') $reading.set(pending());
    try {
      await reads.once(followed, signal);
      if (signal.aborted) return;
      lastGood = Math.max(lastGood, turn);
      pace.recover();
      scheduleNext();
      void look(followed, blockOf(followed)).then(() => {
        if ($story.get()?.isOver) cancel();
      });
    } catch (cause) {
      // The response to a later request may have arrived already.
      if (signal.aborted || turn < lastGood) return;
      const error = toSwapError(cause, 'service');
      if (reads.isNotYet(followed, error)) {
        scheduleNext();
        return;
      }
      const before = $reading.get();
      const isNews = before.state !== 'failed' || before.error.field !== error.field;
      // An error that will not resolve itself is reported to the page: once, however often the request is repeated.
      if (error.field === 'order' && isNews) tell({type: 'error', error, orderId: followed});
      $reading.set(failed(error, valueOf($reading.get())));
      void look(followed, blockOf(followed));
      schedule(pace.afterFault(error));
    } finally {
      if (!signal.aborted) underWay -= 1;
    }
  };

  /** While the browser is offline, nothing is read: that is known at once, and no longer holds once it is back. */
  const noteOnline = (isOnline: boolean) => {
    const now = $reading.get();
    if (isOnline && now.state === 'failed' && now.error.code === 'offline') {
      $reading.set(pending(valueOf(now)));
      reads.takeBack();
    }
    if (!isOnline && followed !== undefined && !$story.get()?.isOver)
      $reading.set(failed(new SwapError('offline'), valueOf(now)));
  };

  /** Releases the requests in progress. */
  const stopReading = () => {
    cancel();
    reading.abort();
    reading = new AbortController();
    underWay = 0;
  };

  const others = createRounds(core, reads.once, look);
  const run = () => {
    const stopOthers = others.run();
    let wasOffline = false;
    const stop = $watch.subscribe((watch, before) => {
      const isBack = wasOffline && host.online$.get();
      wasOffline = !host.online$.get();
      if (watch === 'off') stopReading();
      else if (isBack) schedule(spread(host, BACK_ONLINE_MS));
      else if (!(watch === 'hidden' && before === 'seen') && !$story.get()?.isOver) void poll();
    });
    const stopNoting = host.online$.subscribe(noteOnline);
    return () => {
      stopNoting();
      stop();
      stopReading();
      stopOthers();
    };
  };

  return {
    /** The order that was read last, set with each good response. */
    $answer: reads.$answer,

    /** The order that was last read from the chains, set each time. */
    $looked,

    /** Follows another order from now on, or none. */
    follow(orderId: string | undefined) {
      if (orderId === followed) return;
      stopReading();
      followed = orderId;
      pace.reset();
      batch(() => {
        $readAt.set(undefined);
        $reading.set(idle);
        evidence.reset();
        if (orderId !== undefined) evidence.judge(orderId);
        noteOnline(host.online$.get());
      });
      void poll();
    },
    begin: reads.begin,
    request: reads.request,
    read: reads.untilKnown,

    /** Reads an order from the chains now. Resolves once they have responded or failed. */
    look: (orderId: string) => look(orderId),

    /** Reads soon, without waiting for the response. */
    readNow() {
      pace.quicken();
      if (followed !== undefined) void look(followed);
      // Reads in progress may finish, however often another is requested: a failure is a result, too.
      if (underWay < MOST_READS) void poll();
    },
    /** Reads the others, unless that is in progress. */
    readOthers: others.read,

    /** Reads while it is wanted. Returns a function to stop. */
    run,
  };
}

/** Reads the orders that are not displayed, one after the other, so that the list and the page have their stages. */
function createRounds(
  {$placed, $config, $active, $running, host, journal}: OrderBase,
  read: (orderId: string) => Promise<Order>,
  look: (orderId: string) => Promise<void>,
) {
  /** When each order was last read. */
  const lastAsked = new Map<string, number>();
  let isGoing = false;

  /** Whether an order is due to be read. */
  const isDue = (entry: JournalEntry): boolean => {
    const {orderId, placedAt} = entry;
    if (isFinal(entry)) return false;
    if (isOpen(entry)) return true;
    const {least, most} = SELDOM_MS;
    const pause = Math.min(Math.max((host.now() - placedAt) / 20, least), most);
    return host.now() >= (lastAsked.get(orderId) ?? 0) + pause;
  };

  /** Whether an order is read now: while the page is hidden, only if money is on its way. */
  const isWanted = (stage: Stage) => $active.get() || ($running.get() && host.online$.get() && isUnderWay(stage));

  const round = async () => {
    if (!$config.get()) return;
    const book = journal();
    for (const {orderId} of book.$entries.get()) {
      const entry = book.get(orderId);
      const isShown = orderId === valueOf($placed.get())?.id;
      // The settings may have changed meanwhile, and with them the journal.
      if (!entry || isShown || book !== journal() || !isWanted(entry.stage) || !isDue(entry)) continue;
      lastAsked.set(orderId, host.now());
      // Whatever the service responds, if at all, the chains are read too.
      await read(orderId).catch(() => undefined);
      await look(orderId).catch(() => undefined);
    }
  };

  const start = () => {
    if (isGoing) return;
    isGoing = true;
    void round().finally(() => (isGoing = false));
  };

  return {
    read: start,
    /** Reads them now and again. Returns a function to stop. */
    run() {
      let cancel = () => {};
      const next = () => {
        cancel = host.after(spread(host, OTHERS_PAUSE_MS), () => {
          start();
          next();
        });
      };
      next();
      const unsubscribe = $active.subscribe(active => {
        if (active) start();
      });
      return () => {
        cancel();
        unsubscribe();
      };
    },
  };
}
