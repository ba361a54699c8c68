import {atom, batch} from 'nanostores';
import {SwapError, toSwapError} from '../../domain/error.js';
import type {Order} from '../../domain/order.js';
import {ready} from '../../domain/remote.js';
import {elapsedOf} from '../clock.js';
import {spread} from '../pace.js';
import type {EvidenceStore, OrderBase} from './evidence.js';

/** The first reads are quick, since some swaps take seconds; then each waits a little longer, up to the stage's own pace. */
export const FIRST_PAUSE_MS = 600;
export const GROWTH = 1.3;

/** How long a new order may be unknown to a service that is behind itself, or have no secret hash: that is “not yet”. */
const NOT_YET_MS = 30_000;

const isMatched = ({source}: Order) => source.secretHash !== '';

export type Reads = ReturnType<typeof createReads>;

/**
 * Requests to the service about orders. What a failed one said about the displayed order (`isFollowed`) is taken back by
 * the next good response, and by nothing else; what a check or a wallet said is not.
 */
export function createReads(
  {$reading, $readAt, $funding, $running, host, clock, config}: OrderBase,
  evidence: EvidenceStore,
  isFollowed: (orderId: string) => boolean,
) {
  const $answer = atom<Order | undefined>();
  /** When the service responded with each new order, by the clock that is never set. */
  const placed = new Map<string, number>();
  const failures = new WeakSet<SwapError>();

  /** Awaits the response to a request. @throws SwapError that the next good response takes back. */
  const request = async <T>(response: Promise<T>): Promise<T> => {
    try {
      return await response;
    } catch (cause) {
      const error = toSwapError(cause, 'service');
      failures.add(error);
      throw error;
    }
  };

  /** Takes back what the last failed request said; that an order has no secret hash, only once it has. */
  const takeBack = (order?: Order) => {
    const {error} = $funding.get();
    const isStillSo = order && !isMatched(order) && error?.field === 'secret_hash';
    if (error && failures.has(error) && !isStillSo) $funding.set({...$funding.get(), error: undefined});
  };

  const isNew = (orderId: string) => elapsedOf(host) < (placed.get(orderId) ?? -Infinity) + NOT_YET_MS;

  const isNotYet = (orderId: string, {code, field}: SwapError) =>
    code === 'service' && field === 'order' && isNew(orderId);

  const once = async (orderId: string, signal?: AbortSignal): Promise<Order> => {
    const {api} = config();
    const askedAt = evidence.askedNow();
    let age = 0;
    const onAge = (milliseconds: number, now?: number) => {
      age = milliseconds;
      if (now !== undefined) clock.hear(now);
    };
    const order = await request(api.readOrder(orderId, {signal, onAge}));
    const madeAt = host.now() - age;
    batch(() => {
      evidence.accept(orderId, {about: 'order', askedAt, value: order});
      if (evidence.of(orderId).told?.askedAt !== askedAt) return;
      if (isFollowed(orderId)) {
        $reading.set(ready(true));
        $readAt.set(madeAt);
        takeBack(order);
      }
      $answer.set({...(evidence.storyOf(orderId)?.order ?? order)});
    });
    return order;
  };

  return {
    /** The order that was read last, set with each good response. */
    $answer,

    /** Records that the service has just placed an order, which it may not know everywhere yet. */
    begin(orderId: string) {
      placed.set(orderId, elapsedOf(host));
      clock.begin(orderId);
    },

    /** Whether a failure says no more than that a new order is not known everywhere yet. */
    isNotYet,

    request,
    takeBack,
    once,

    /** Without its secret hash, nothing of an order's payment can be checked. @throws SwapError `unreadable` */
    requireMatched(order: Order) {
      if (isMatched(order)) return;
      const error = new SwapError('unreadable', {field: 'secret_hash'});
      failures.add(error);
      throw error;
    },

    /** Reads an order, also one that is not displayed; a new one again, until it is known whole. @throws SwapError */
    async untilKnown(orderId: string): Promise<Order> {
      for (let pause = FIRST_PAUSE_MS; ; pause *= GROWTH) {
        try {
          const order = await once(orderId);
          if (isMatched(order) || !$running.get() || !isNew(orderId)) return order;
        } catch (error) {
          if (!$running.get() || !isNotYet(orderId, error as SwapError)) throw error;
        }
        await new Promise<void>(resolve => void host.after(spread(host, pause), resolve));
      }
    },
  };
}
