import {atom, batch, computed, type ReadableAtom} from 'nanostores';
import {toSwapError, type SwapError} from '../../domain/error.js';
import type {Order} from '../../domain/order.js';
import {isUnderWay, type Stage} from '../../domain/stage.js';
import {failed, idle, pending, ready, valueOf, type Remote} from '../../domain/remote.js';
import {plainText} from '../../domain/witness.js';
import type {SessionCore} from '../shared.js';
import {isOver} from './standing.js';

/** The first reads come quickly, since some swaps take seconds; then each waits a little longer, up to the stage's own pace. */
const FIRST_PAUSE_MS = 600;
const GROWTH = 1.3;

/**
 * How long a new claim of the service's about money waits for the chains: after that it is shown as the service's word.
 */
const LONGEST_LOOK_MS = 5_000;

/** How many reads of one order may be under way: one that was pressed for does not wait for a slow one. */
const MOST_READS = 2;

/** An order that claims nothing of money: nothing is waited for. */
const NO_CLAIM = {claims: '', found: Promise.resolve<(() => void) | undefined>(undefined)};

/** The shortest wait while the page is hidden. Browsers wake it no oftener than once a minute after a while. */
const HIDDEN_PAUSE_MS = 30_000;

/** The longest wait after a read that failed. */
const LONGEST_FAULT_PAUSE_MS = 30_000;

/** The slowest pace of each stage. */
function longestPause(stage: Stage): number {
  switch (stage) {
    case 'awaiting-deposit':
    case 'funding':
    case 'deposit-seen':
    case 'confirming':
    case 'settling':
      return 5_000;
    case 'refunding':
      return 15_000;
    default:
      // An order that is past its time or was stopped is still read: a payment may come, and has to go back. So is one
      // that is complete, until the recipient's payment has its block.
      return 60_000;
  }
}

/** How long to wait before each read. */
function createPace() {
  let pause = FIRST_PAUSE_MS;
  let last: Stage | undefined;
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
      pause = stage === last ? Math.min(pause * GROWTH, longestPause(stage)) : FIRST_PAUSE_MS;
      last = stage;
      return stage === 'expired' ? longestPause(stage) : pause;
    },
    afterFault({retryAfter = 0}: SwapError): number {
      faults += 1;
      return Math.max(retryAfter, Math.min(1_000 * 2 ** faults, LONGEST_FAULT_PAUSE_MS));
    },
  };
}

/** The order that is shown, read again and again. */
export interface Tracking {
  /** What is shown of the order, told anew with each answer, also where it is the same: `$status` tells what changed. */
  readonly $answer: ReadableAtom<Remote<Order>>;
  /** Reads another order from now on, or none. */
  follow(orderId: string | undefined): void;
  /** Reads an order now, also one that is not shown. @throws SwapError */
  read(orderId: string): Promise<Order>;
  /** Looks at the chains for the order now, if it is the one that is followed. */
  look(orderId: string): Promise<void>;
  /** Reads soon, without waiting for the answer. */
  readNow(): void;
  /** Reads while it is wanted. Returns how to stop. */
  run(): () => void;
}

/** What tracking needs to know of the chains. */
interface Witnesses {
  /** Looks at the chains for the order on the screen. Resolves with what shows what was found. */
  look(orderId: string, told: Order | undefined): Promise<() => void>;
  /** What is shown of an order: as told, with what the chains show. */
  overlay(orderId: string, told: Order | undefined): Order | undefined;
}

/**
 * Follows one order at a time while the page is looked at, with back-off, and slowly while it is hidden and money is under
 * way; the newest answer wins. A bad answer never takes the last good one away. Whatever the service answers, or does
 * not, the chains are looked at too.
 */
export function createTracking(core: SessionCore, {look, overlay}: Witnesses): Tracking {
  const {$status, $readAt, $active, $running, $standing, host, config} = core;
  const $watch = computed([$active, $running, host.online$, $standing], (isActive, isRunning, isOnline, standing) => {
    if (isActive) return 'seen';
    return isRunning && isOnline && standing && isUnderWay(standing.stage) ? 'hidden' : 'off';
  });
  let followed: string | undefined;
  /** The order as the service tells it. */
  let told: Remote<Order> = idle;
  const $answer = atom<Remote<Order>>(idle);
  /** What it last claimed of money, and the look at the chains for that. */
  let claimed = NO_CLAIM;
  /** How many looks there were, and the one that is shown. */
  let looks = 0;
  let shown = {claims: '', turn: 0};
  let reading = new AbortController();
  /** How many reads of the followed order are under way. */
  let underWay = 0;
  let polls = 0;
  /** The last poll that had a good answer. */
  let lastGood = 0;
  let cancel = () => {};
  let asked = 0;
  let answered = 0;
  const pace = createPace();

  const schedule = (milliseconds: number) => {
    cancel();
    const watch = $watch.get();
    if (followed === undefined || watch === 'off') return;
    const pause = watch === 'seen' ? milliseconds : Math.max(milliseconds, HIDDEN_PAUSE_MS);
    cancel = host.after(pause, () => void poll());
  };

  const publish = (answer = told) => {
    told = answer;
    const order = followed === undefined ? undefined : overlay(followed, valueOf(told));
    const status = order && told.state !== 'idle' ? {...told, value: order} : told;
    $answer.set(status);
    if (!isSame(status, $status.get())) $status.set(status);
  };

  /** Looks at the chains. Resolves with what shows what was found, if that is still news by then. */
  const lookFor = async (orderId: string, order: Order | undefined): Promise<() => void> => {
    const turn = ++looks;
    const claims = claimsOf(order);
    const show = await look(orderId, order).catch(() => undefined);
    return () => {
      // What was found for other claims leaves out what is claimed now; what was found later for the same is newer.
      const isLate = claims === shown.claims && turn <= shown.turn;
      if (!show || isLate || claims !== claimsOf(valueOf(told))) return;
      shown = {claims, turn};
      show();
    };
  };

  /** Shows what the chains show, once that is known. */
  const lookNow = async (orderId: string) => {
    const show = await lookFor(orderId, valueOf(told));
    if (orderId === followed) {
      batch(() => {
        show();
        publish();
      });
    }
  };

  /** Looks at the chains before a new claim about money is shown. Resolves with what shows what was found in time. */
  const awaitChains = (order: Order): Promise<(() => void) | undefined> => {
    const claims = claimsOf(order);
    // Every answer that claims the same waits for the same look.
    if (claims !== claimed.claims) claimed = {claims, found: lookInTime(order)};
    return claimed.found;
  };

  const lookInTime = (order: Order): Promise<(() => void) | undefined> =>
    new Promise(resolve => {
      const cancelWait = host.after(LONGEST_LOOK_MS, () => resolve(undefined));
      void lookFor(order.id, order).then(resolve).finally(cancelWait);
    });

  const read = async (orderId: string, signal?: AbortSignal): Promise<Order> => {
    const {api} = config();
    const turn = ++asked;
    let age = 0;
    const onAge = (milliseconds: number) => {
      age = milliseconds;
    };
    const order = await api.readOrder(orderId, {signal, onAge});
    const madeAt = host.now() - age;
    // An answer that comes after the answer to a later request is out of date.
    if (orderId === followed && turn > answered) {
      answered = turn;
      const show = await awaitChains(order);
      // The answer to a later request, or another order, may have come meanwhile.
      if (orderId === followed && turn === answered) {
        batch(() => {
          told = ready(order);
          show?.();
          $readAt.set(madeAt);
          publish();
        });
      }
    }
    return order;
  };

  const poll = async () => {
    cancel();
    if (followed === undefined || $watch.get() === 'off') return;
    const {signal} = reading;
    const turn = ++polls;
    underWay += 1;
    if (told.state === 'idle') publish(pending());
    try {
      await read(followed, signal);
      if (signal.aborted) return;
      lastGood = Math.max(lastGood, turn);
      pace.recover();
      void lookNow(followed);
      if (!isOver(core)) schedule(pace.next($standing.get()?.stage ?? 'editing'));
    } catch (cause) {
      // The answer to a later request may be here already.
      if (signal.aborted || turn < lastGood) return;
      const error = toSwapError(cause, 'service');
      publish(failed(error, valueOf(told)));
      void lookNow(followed);
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

  return {
    $answer,
    follow(orderId) {
      if (orderId === followed) return;
      stopReading();
      followed = orderId;
      answered = asked;
      pace.reset();
      claimed = NO_CLAIM;
      $readAt.set(undefined);
      publish(idle);
      void poll();
    },
    read: orderId => read(orderId),
    look: lookNow,
    readNow() {
      pace.quicken();
      // What is under way is left to end, however often it is asked for: a failure is an answer, too.
      if (underWay < MOST_READS) void poll();
    },
    run() {
      const stop = $watch.subscribe((watch, before) => {
        if (watch === 'off') stopReading();
        else if (!(watch === 'hidden' && before === 'seen') && !isOver(core)) void poll();
      });
      return () => {
        stop();
        stopReading();
      };
    },
  };
}

/** Whether two answers say the same. A failure is news each time: it may have other words. */
function isSame(one: Remote<Order>, other: Remote<Order>): boolean {
  return one.state === other.state && one.state !== 'failed' && plainText(one) === plainText(other);
}

/** All that an order as told says of money that moved; empty while it says nothing. */
function claimsOf(order: Order | undefined): string {
  if (!order) return '';
  const {source, destination} = order;
  const events = [source.initiated, source.refunded, source.redeemed, destination.redeemed];
  if (events.every(event => event === undefined)) return '';
  return [String(source.filled), ...events.map(event => event?.hashes.join() ?? '')].join(' ');
}
