import {batch} from 'nanostores';
import {SwapError, toSwapError} from '../../domain/error.js';
import type {Order} from '../../domain/order.js';
import {ready} from '../../domain/remote.js';
import {elapsedOf} from '../clock.js';
import {spread} from '../pace.js';
import {change} from '../shared.js';
import type {EvidenceStore, OrderBase} from './evidence.js';

/** The first reads are quick, since some swaps take seconds; then each waits a little longer, up to the stage's own pace. */
export const FIRST_PAUSE_MS = 600;
export const GROWTH = 1.3;

/**
 * A new order that is unknown, or has no secret hash, is “not yet” known for this long: the service may be behind
 * itself.
 */
const NOT_YET_MS = 30_000;

const isMatched = ({source}: Order) => source.secretHash !== '';

export interface Followed {
  id?: string | undefined;
}

/**
 * Requests to the service about orders. What a failed one said about the displayed order is taken back by the next good
 * response, and by nothing else; what a check or a wallet said is not.
 */
export class Reads {
  readonly #core: OrderBase;
  readonly #evidence: EvidenceStore;
  readonly #followed: Readonly<Followed>;
  readonly #answered: (order: Order) => void;
  /** When the service responded with each new order, by the clock that is never set. */
  readonly #placed = new Map<string, number>();
  readonly #failures = new WeakSet<SwapError>();

  /** `answered`: called with each order as read, unless a later response came first. */
  constructor(
    core: OrderBase,
    evidence: EvidenceStore,
    followed: Readonly<Followed>,
    answered: (order: Order) => void,
  ) {
    this.#core = core;
    this.#evidence = evidence;
    this.#followed = followed;
    this.#answered = answered;
  }

  begin(orderId: string): void {
    const {host, clock} = this.#core;
    this.#placed.set(orderId, elapsedOf(host));
    clock.begin(orderId);
  }

  /** Awaits the response to a request. @throws SwapError that the next good response takes back. */
  async request<T>(response: Promise<T>): Promise<T> {
    try {
      return await response;
    } catch (cause) {
      const error = toSwapError(cause, 'service');
      this.#failures.add(error);
      throw error;
    }
  }

  /** @throws SwapError */
  async once(orderId: string, signal?: AbortSignal): Promise<Order> {
    const {$orderState, clock, config, host} = this.#core;
    const {api} = config();
    const askedAt = this.#evidence.askedNow();
    let age = 0;
    const onAge = (milliseconds: number, now?: number) => {
      age = milliseconds;
      if (now !== undefined) clock.hear(now);
    };
    const order = await this.request(api.readOrder(orderId, {signal, onAge}));
    const readAt = host.now() - age;
    const isLast = () => this.#evidence.of(orderId).told?.askedAt === askedAt;
    batch(() => {
      this.#evidence.accept(orderId, {about: 'order', askedAt, value: order});
      if (!isLast() || this.#followed.id !== orderId) return;
      change($orderState, {reading: ready(true), readAt});
      this.takeBack(order);
    });
    if (isLast()) this.#answered(this.#evidence.storyOf(orderId)?.order ?? order);
    return order;
  }

  /** Reads an order, also one that is not displayed; a new one again, until it is known whole. @throws SwapError */
  async untilKnown(orderId: string): Promise<Order> {
    const {$page, host} = this.#core;
    for (let pause = FIRST_PAUSE_MS; ; pause *= GROWTH) {
      try {
        const order = await this.once(orderId);
        if (isMatched(order) || !$page.get().isStarted || !this.#isNew(orderId)) return order;
      } catch (error) {
        if (!$page.get().isStarted || !this.isNotYet(orderId, error as SwapError)) throw error;
      }
      await new Promise<void>(resolve => void host.after(spread(host, pause), resolve));
    }
  }

  /** That an order has no secret hash is only taken back once it has. */
  takeBack(order?: Order): void {
    const {$orderState} = this.#core;
    const {funding} = $orderState.get();
    const {error} = funding;
    const isStillSo = order && !isMatched(order) && error?.field === 'secret_hash';
    if (error && this.#failures.has(error) && !isStillSo)
      change($orderState, {funding: {...funding, error: undefined}});
  }

  /** Without its secret hash, nothing of an order's payment can be checked. @throws SwapError `unreadable` */
  requireMatched(order: Order): void {
    if (isMatched(order)) return;
    const error = new SwapError('unreadable', {field: 'secret_hash'});
    this.#failures.add(error);
    throw error;
  }

  isNotYet(orderId: string, {code, field}: SwapError): boolean {
    return code === 'service' && field === 'order' && this.#isNew(orderId);
  }

  #isNew(orderId: string): boolean {
    return elapsedOf(this.#core.host) < (this.#placed.get(orderId) ?? -Infinity) + NOT_YET_MS;
  }
}
