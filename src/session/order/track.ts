import type {ReadableAtom} from 'nanostores';
import {toSwapError} from '../../domain/error.js';
import type {Order} from '../../domain/order.js';
import type {Stage} from '../../domain/stage.js';
import {failed, idle, pending, ready, valueOf} from '../../domain/remote.js';
import type {Stores} from '../shared.js';
import type {Host, SessionConfig} from '../types.js';

/** The first reads come quickly, since some swaps take seconds; then each waits a little longer, up to the stage's own pace. */
const FIRST_PAUSE_MS = 600;
const GROWTH = 1.3;

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

/** How long nobody waits longer after an answer that could not be had. */
const LONGEST_FAULT_PAUSE_MS = 30_000;

/** The order that is shown, read again and again. */
export interface Tracking {
  /** Reads another order from now on, or none. */
  follow(orderId: string | undefined): void;
  /** Reads an order now and answers it, be it the one that is followed or not. @throws SwapError */
  read(orderId: string): Promise<Order>;
  /** Reads soon, without waiting for it. */
  readNow(): void;
  /** Goes to work until called off. */
  run(): () => void;
}

/** Follows one order at a time while somebody looks, with back-off; the newest answer wins. */
export function createTracking({
  stores: {$status, $readAt},
  $config,
  $active,
  stage: stageNow,
  isOver,
  host,
}: {
  /** The order as the service last told it, which a bad answer never takes away, and when the last good answer came. */
  readonly stores: Pick<Stores, '$status' | '$readAt'>;
  readonly $config: ReadableAtom<SessionConfig | undefined>;
  /** Whether the widget is on the page, can be seen and has a connection. */
  readonly $active: ReadableAtom<boolean>;
  /** Where the order stands, which sets the pace. */
  readonly stage: () => Stage;
  /** Whether nothing can change any more, so that it need not be read. */
  readonly isOver: () => boolean;
  readonly host: Host;
}): Tracking {
  let followed: string | undefined;
  let reading = new AbortController();
  let callOff = () => {};
  let asked = 0;
  let answered = 0;
  let pace = FIRST_PAUSE_MS;
  let pacedStage: Stage | undefined;
  let faults = 0;

  const schedule = (milliseconds: number) => {
    callOff();
    if (followed !== undefined && $active.get()) callOff = host.after(milliseconds, () => void poll());
  };

  const read = async (orderId: string, signal?: AbortSignal): Promise<Order> => {
    const config = $config.get();
    if (!config) throw new Error('The session is not configured.');
    const turn = ++asked;
    const order = await config.api.readOrder(orderId, signal ? {signal} : {});
    // An answer that was overtaken by a later question's answer is out of date.
    if (orderId === followed && turn > answered) {
      answered = turn;
      $readAt.set(host.now());
      $status.set(ready(order));
    }
    return order;
  };

  const poll = async () => {
    callOff();
    if (followed === undefined || !$active.get()) return;
    reading.abort();
    const {signal} = (reading = new AbortController());
    if ($status.get().state === 'idle') $status.set(pending());
    try {
      await read(followed, signal);
      if (signal.aborted) return;
      faults = 0;
      if (isOver()) return;
      const stage = stageNow();
      pace = stage === pacedStage ? Math.min(pace * GROWTH, longestPause(stage)) : FIRST_PAUSE_MS;
      pacedStage = stage;
      schedule(stage === 'expired' ? longestPause(stage) : pace);
    } catch (cause) {
      if (signal.aborted) return;
      const error = toSwapError(cause, 'service');
      $status.set(failed(error, valueOf($status.get())));
      faults += 1;
      schedule(Math.max(error.retryAfter ?? 0, Math.min(1_000 * 2 ** faults, LONGEST_FAULT_PAUSE_MS)));
    }
  };

  return {
    follow(orderId) {
      if (orderId === followed) return;
      reading.abort();
      callOff();
      followed = orderId;
      answered = asked;
      faults = 0;
      pace = FIRST_PAUSE_MS;
      pacedStage = undefined;
      $readAt.set(undefined);
      $status.set(idle);
      void poll();
    },
    read: orderId => read(orderId),
    readNow() {
      pace = FIRST_PAUSE_MS;
      void poll();
    },
    run() {
      const stop = $active.subscribe(active => {
        if (active) {
          if (!isOver()) void poll();
        } else {
          callOff();
          reading.abort();
        }
      });
      return () => {
        stop();
        callOff();
        reading.abort();
      };
    },
  };
}
