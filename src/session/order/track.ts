import {atom, batch, computed} from 'nanostores';
import {toSwapError, type SwapError} from '../../domain/error.js';
import {plainText} from '../../domain/evidence.js';
import type {Order} from '../../domain/order.js';
import {failed, idle, pending, ready, valueOf} from '../../domain/remote.js';
import {isUnderWay, type Stage} from '../../domain/stage.js';
import {isFinal, isOpen} from '../../domain/story.js';
import {BACK_ONLINE_MS, backOff, spread} from '../pace.js';
import type {Host} from '../types.js';
import type {EvidenceStore, OrderBase} from './evidence.js';
import type {JournalEntry} from './journal.js';
import type {Questions} from './questions.js';

/** The first reads come quickly, since some swaps take seconds; then each waits a little longer, up to the stage's own pace. */
const FIRST_PAUSE_MS = 600;
const GROWTH = 1.3;

/** How long a chain read may take until it counts as failed, and is repeated. */
const LONGEST_READ_MS = 30_000;

/** How many reads of one order may be under way: one that was pressed for does not wait for a slow one. */
const MOST_READS = 2;

/**
 * How long at most, and at least, until the chains are asked again while nobody claims anything new. It is a block in
 * between; on a chain with longer ones, what matters shows before its block.
 */
const LONGEST_LOOK_PAUSE_MS = 12_000;
const SHORTEST_LOOK_PAUSE_MS = 5_000;

/** The shortest wait while the page is hidden. Browsers wake it no oftener than once a minute after a while. */
const HIDDEN_PAUSE_MS = 30_000;

/** The wait after a read that failed, at first. */
const FIRST_FAULT_PAUSE_MS = 2_000;

/** A stage that lasts is read less and less often, after this part of its age, and no more seldom than that. */
const AGE_PART = 1 / 15;
const SLOWEST_UNDER_WAY_MS = 32_000;

/** How often orders that are not shown and not at their end are read. */
const OTHERS_PAUSE_MS = 30_000;

/**
 * How often those are read of which little is expected: they were not paid in time, or the service alone says that they
 * ended. Each waits a twentieth of its age, within these bounds.
 */
const SELDOM_MS = {least: 5 * 60_000, most: 6 * 3_600_000} as const;

/** The slowest pace of each stage, by how long it has lasted. */
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
      // An order that is past its time or was stopped is still read: a payment may come, and has to go back. So is one
      // whose end the service alone tells, and one that is complete, until the recipient's payment has its block.
      return 60_000;
  }
}

/** How long to wait before each read. */
function createPace(host: Host) {
  let pause = FIRST_PAUSE_MS;
  let last: Stage | undefined;
  /** Since when it has been at that stage. */
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
    /** The pause after a good answer. */
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

/** Asks the service and the chains about orders: the one on the screen again and again, the others now and then. */
export type Tracking = ReturnType<typeof createTracking>;

/** Asks the chains about an order, once at a time for each question. */
function createLooks(
  {host}: OrderBase,
  evidence: EvidenceStore,
  questions: Questions,
  looked: (orderId: string) => void,
) {
  const underWay = new Map<string, Promise<void>>();
  /** When each order was last asked about, and on which claims. */
  const last = new Map<string, {readonly key: string; readonly at: number}>();

  const look = async (orderId: string) => {
    const asked = questions.of(evidence.of(orderId)).map(question => {
      const at = evidence.askedNow();
      return new Promise<void>(resolve => {
        const cancel = host.after(LONGEST_READ_MS, () => {
          evidence.accept(orderId, question.unanswered(at));
          resolve();
        });
        // What comes after that is an answer all the same.
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
   * The same questions wait for the same answers, and are not asked again before they are of some age; what the service
   * claims anew is asked for itself.
   */
  return (orderId: string, leastAge = 0): Promise<void> => {
    const {claims} = evidence.of(orderId);
    const key = `${orderId} ${plainText(claims)}`;
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
  const $answer = atom<Order | undefined>();
  let followed: string | undefined;
  let reading = new AbortController();
  /** How many reads of the followed order are under way. */
  let underWay = 0;
  let polls = 0;
  /** The last poll that had a good answer. */
  let lastGood = 0;
  let cancel = () => {};
  const $looked = atom<{readonly orderId: string} | undefined>();
  const look = createLooks(core, evidence, questions, orderId => $looked.set({orderId}));
  const pace = createPace(host);

  /** How long a block takes on the faster one of an order's two chains, at most as long as may be waited for one. */
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

  /** Asks the chains again and again while the service is not asked: it may be down, or be spared. Returns how to stop. */
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

  /** Asks the service. */
  const read = async (orderId: string, signal?: AbortSignal): Promise<Order> => {
    const {api} = config();
    const askedAt = evidence.askedNow();
    let age = 0;
    const onAge = (milliseconds: number) => {
      age = milliseconds;
    };
    const order = await api.readOrder(orderId, {signal, onAge});
    const madeAt = host.now() - age;
    batch(() => {
      evidence.accept(orderId, {about: 'order', askedAt, value: order});
      if (evidence.of(orderId).told?.askedAt !== askedAt) return;
      if (orderId === followed) {
        $reading.set(ready(true));
        $readAt.set(madeAt);
      }
      $answer.set({...(evidence.storyOf(orderId)?.order ?? order)});
    });
    return order;
  };

  const poll = async () => {
    cancel();
    if (followed === undefined || $watch.get() === 'off') return;
    const {signal} = reading;
    const turn = ++polls;
    underWay += 1;
    if ($reading.get().state === 'idle') $reading.set(pending());
    try {
      await read(followed, signal);
      if (signal.aborted) return;
      lastGood = Math.max(lastGood, turn);
      pace.recover();
      void look(followed, blockOf(followed));
      if (!$story.get()?.isOver) schedule(pace.next($story.get()?.stage ?? 'editing'));
    } catch (cause) {
      // The answer to a later request may be here already.
      if (signal.aborted || turn < lastGood) return;
      const error = toSwapError(cause, 'service');
      const before = $reading.get();
      const isNews = before.state !== 'failed' || before.error.field !== error.field;
      // The page hears what will not pass by itself: once, however often it is asked again.
      if (error.field === 'order' && isNews) tell({type: 'error', error, orderId: followed});
      $reading.set(failed(error, valueOf($reading.get())));
      void look(followed, blockOf(followed));
      schedule(pace.afterFault(error));
    } finally {
      if (!signal.aborted) underWay -= 1;
    }
  };

  /** Lets go of what is under way. */
  const stopReading = () => {
    cancel();
    reading.abort();
    reading = new AbortController();
    underWay = 0;
  };

  const others = createRounds(core, read, look);
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
    return () => {
      stop();
      stopReading();
      stopOthers();
    };
  };

  return {
    /** The order that was read last, anew with each good answer. */
    $answer,

    /** The order that the chains were asked about last, anew with each time. */
    $looked,

    /** Reads another order from now on, or none. */
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
      });
      void poll();
    },
    /** Reads an order now, also one that is not shown. Resolves with what the service says. @throws SwapError */
    read: (orderId: string) => read(orderId),

    /** Asks the chains about an order now. Resolves once they have answered, or failed to. */
    look: (orderId: string) => look(orderId),

    /** Reads soon, without waiting for the answer. */
    readNow() {
      pace.quicken();
      if (followed !== undefined) void look(followed);
      // What is under way is left to end, however often it is asked for: a failure is an answer, too.
      if (underWay < MOST_READS) void poll();
    },
    /** Reads the others, unless that is going on. */
    readOthers: others.read,

    /** Reads while it is wanted. Returns how to stop. */
    run,
  };
}

/** Reads the orders that are not shown, one after the other, so that the list and the page know where they stand. */
function createRounds(
  {$placed, $config, $active, $running, host, journal}: OrderBase,
  read: (orderId: string) => Promise<Order>,
  look: (orderId: string) => Promise<void>,
) {
  /** When each order was last asked for. */
  const lastAsked = new Map<string, number>();
  let isGoing = false;

  /** Whether it is time to read an order. */
  const isDue = (entry: JournalEntry): boolean => {
    const {orderId, placedAt} = entry;
    if (isFinal(entry)) return false;
    if (isOpen(entry)) return true;
    const {least, most} = SELDOM_MS;
    const pause = Math.min(Math.max((host.now() - placedAt) / 20, least), most);
    return host.now() >= (lastAsked.get(orderId) ?? 0) + pause;
  };

  /** Whether an order is read now: while the page is hidden, only where money is under way. */
  const isWanted = (stage: Stage) => $active.get() || ($running.get() && host.online$.get() && isUnderWay(stage));

  const round = async () => {
    if (!$config.get()) return;
    const book = journal();
    for (const {orderId} of book.$entries.get()) {
      const entry = book.get(orderId);
      const isShown = orderId === valueOf($placed.get())?.id;
      // Other settings may have come meanwhile, with another journal.
      if (!entry || isShown || book !== journal() || !isWanted(entry.stage) || !isDue(entry)) continue;
      lastAsked.set(orderId, host.now());
      // Whatever the service answers, or does not, the chains are asked too.
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
    /** Reads them now and again. Returns how to stop. */
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
