import type {AssetId} from '../domain/asset.js';
import {createMarket, Refusal, type Market} from './market.js';
import {madeUp, orderJson, PAYLOADS, type TestFee, type TestOrder, type TestStep} from './orders.js';

export type {TestStep} from './orders.js';

/** How the test service behaves. */
export interface TestServiceOptions {
  /** The ids of the assets it swaps. Default: all testnet assets in the catalogue. It has none on mainnet. */
  readonly assets?: readonly AssetId[];
  /** US dollars for one whole unit, by symbol: `{BTC: 100_000}`. They override the default ones. */
  readonly prices?: Readonly<Record<string, number>>;
  /** The service's own fee, in basis points. Default: 30. */
  readonly feeBps?: number;
  /** The delay of each response, in milliseconds. Default: 0. */
  readonly delay?: number;
  /** Advances paid orders automatically after this many milliseconds each. Default: never. */
  readonly stepAfter?: number;
  /** Treats orders as paid automatically after this many milliseconds. Default: never. */
  readonly payAfter?: number;
  /** Where orders are stored, so that they survive a reload: `sessionStorage`, for example. Default: in memory. */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem'>;
}

/** An order of the test service, and its state. */
export interface PlacedTestOrder {
  readonly orderId: string;
  readonly from: AssetId;
  readonly to: AssetId;
  /** In the smallest unit, like the next. */
  readonly amount: bigint;
  readonly receive: bigint;
  /** The payer; for Bitcoin, the refund address. */
  readonly owner: string;
  readonly recipient: string;
  readonly step: TestStep;
}

/** The four endpoints, by purpose. */
export type TestEndpoint = 'quote' | 'order' | 'initiate' | 'read';

/** A response to return instead of the service's own. */
export interface TestFault {
  /** The HTTP status. Default: 503. `0`: the connection breaks. */
  readonly status?: number;
  /** The error text. */
  readonly error?: string;
}

/** A mock service in the page: prices and orders are fictitious, and nothing leaves the page. */
export interface TestService {
  /** For the widget's `base-url`: a URL that nothing serves, so that without this service no request reaches anybody. */
  readonly baseUrl: string;
  /** For the widget's `fetch`. It sends nothing. */
  readonly fetch: typeof globalThis.fetch;
  /** The orders, the oldest first. */
  readonly orders: readonly PlacedTestOrder[];
  /**
   * Treats an order as paid, by `amount` in the smallest unit, or in full; the payment is seen, but unconfirmed.
   * @throws Error for an order that the service does not have, like all methods below.
   */
  pay(orderId: string, amount?: bigint): void;
  /** Advances an order by one step: seen, confirmed, locked on the other chain, complete. Returns the new step. */
  advance(orderId: string): TestStep;
  /** Advances an order through all steps, to the payout. */
  settle(orderId: string): void;
  /** Refunds the payment of an order. @throws Error if there was none. */
  refund(orderId: string): void;
  /** Ends the time in which an order may be paid. @throws Error if it is paid. */
  expire(orderId: string): void;
  /** Changes a price from now on, in US dollars for one whole unit. */
  setPrice(symbol: string, dollars: number): void;
  /** Returns an error for the next request of a kind, or the next `times`. Quotes and reads are retried once. */
  fail(endpoint: TestEndpoint, fault?: TestFault, times?: number): void;
}

const STORAGE_KEY = 'swap-widget:test-service';
const STEPS: readonly TestStep[] = ['placed', 'seen', 'confirmed', 'locked', 'complete'];
const ENDS: readonly TestStep[] = ['refunded', 'expired'];

/** Creates a test service. Each has its own orders. */
export function createTestService(options: TestServiceOptions = {}): TestService {
  const market = createMarket(options.assets, options.prices, options.feeBps);
  const book = new OrderBook(options);
  const faults: {readonly endpoint: TestEndpoint; readonly fault: TestFault; times: number}[] = [];
  let isTold = false;

  const answer = (method: string, url: URL, body: unknown): unknown => {
    const [, endpoint = '', id] = /\/v2\/(quote|orders|assets)(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
    const kind = kindOf(method, endpoint, id);
    const fault = faults.find(one => one.endpoint === kind && one.times > 0);
    if (fault) {
      fault.times -= 1;
      const {status = 503, error = 'A made-up failure'} = fault.fault;
      throw status === 0 ? new TypeError('Failed to fetch') : new Refusal(error, status);
    }
    if (endpoint === 'assets') return market.list();
    switch (kind) {
      case 'quote':
        return [market.quote(url.searchParams)];
      case 'order':
        return placeOrder(body, book, market);
      case 'initiate':
        return initiateOrder(decodeURIComponent(id ?? ''), body, book);
      case 'read': {
        const order = book.read(decodeURIComponent(id ?? ''));
        return orderJson(order, {from: market.find(order.from), to: market.find(order.to), price: market.priceOf});
      }
      case undefined:
        throw new Refusal('not found', 404);
    }
  };

  return {
    baseUrl: 'https://swap-widget-test.invalid',

    async fetch(input, init = {}) {
      if (!isTold) console.warn(WARNING);
      isTold = true;
      const request = input instanceof Request ? input : undefined;
      const url = new URL(input instanceof Request ? input.url : input);
      const {signal, method = request?.method ?? 'GET', body} = init;
      if (options.delay) await new Promise(resolve => setTimeout(resolve, options.delay));
      signal?.throwIfAborted();
      const text = typeof body === 'string' ? body : await request?.text();
      try {
        return respond(200, {status: 'Ok', result: answer(method, url, text ? JSON.parse(text) : undefined)});
      } catch (error) {
        if (error instanceof Refusal) return respond(error.status, {status: 'Error', error: error.message});
        throw error;
      }
    },

    get orders() {
      return book.all();
    },
    pay: (orderId, amount) => book.pay(book.get(orderId), amount),
    advance: orderId => book.advance(book.get(orderId)),
    settle: orderId => book.take(book.get(orderId), 'complete'),
    refund: orderId => book.refund(book.get(orderId)),
    expire: orderId => book.expire(book.get(orderId)),
    setPrice: market.setPrice,
    fail: (endpoint, fault = {}, times = 1) => void faults.push({endpoint, fault, times}),
  };
}

/** The console's warning, once for each service. */
const WARNING =
  'swap-widget: this page uses the test service. Its prices and orders are made up, nothing is swapped, and nothing may be sent to its addresses.';

function kindOf(method: string, endpoint: string, id: string | undefined): TestEndpoint | undefined {
  if (endpoint === 'quote') return 'quote';
  if (endpoint !== 'orders') return undefined;
  if (method === 'POST') return 'order';
  return id === undefined ? undefined : method === 'PATCH' ? 'initiate' : 'read';
}

function respond(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), {status, headers: {'content-type': 'application/json'}});
}

interface OrderBody {
  readonly source?: Partial<BodySide>;
  readonly destination?: Partial<BodySide>;
  readonly affiliate_fees?: readonly Omit<TestFee, 'amount'>[];
}

interface BodySide {
  readonly asset: string;
  readonly owner: string;
  readonly amount: string;
}

/** The orders, and how far each is. */
class OrderBook {
  readonly #options: TestServiceOptions;
  readonly #orders: Map<string, TestOrder>;

  constructor(options: TestServiceOptions) {
    this.#options = options;
    const kept = JSON.parse(options.storage?.getItem(STORAGE_KEY) || '[]') as TestOrder[];
    this.#orders = new Map(kept.map(order => [order.id, order]));
  }

  all(): readonly PlacedTestOrder[] {
    return [...this.#orders.values()].map(order => {
      this.#takeDue(order);
      const {id: orderId, from, to, owner, recipient} = order;
      const [amount, receive] = [BigInt(order.amount), BigInt(order.receive)];
      return {orderId, from, to, amount, receive, owner, recipient, step: stepOf(order)};
    });
  }

  read(id: string): TestOrder {
    const order = this.get(id);
    this.#takeDue(order);
    return order;
  }

  get(id: string): TestOrder {
    const order = this.#orders.get(id);
    if (!order) throw new Refusal('order_id: order not found', 404);
    return order;
  }

  add(order: TestOrder): void {
    this.#orders.set(order.id, order);
    this.#save();
  }

  /** Also all skipped steps before it. */
  take(order: TestOrder, step: TestStep, at = Date.now()): void {
    if (ENDS.includes(stepOf(order))) throw new Error(`The order is ${stepOf(order)}.`);
    const upTo = STEPS.indexOf(step);
    for (const before of upTo < 0 ? [step] : STEPS.slice(1, upTo + 1)) order.at[before] ??= at;
    if (upTo > 0 && order.filled === '0') order.filled = order.amount;
    this.#save();
  }

  advance(order: TestOrder, at?: number): TestStep {
    const next = STEPS[STEPS.indexOf(stepOf(order)) + 1];
    if (next && !ENDS.includes(stepOf(order))) this.take(order, next, at);
    return stepOf(order);
  }

  pay(order: TestOrder, amount?: bigint): void {
    this.take(order, 'seen');
    order.filled = String(amount ?? order.amount);
    this.#save();
  }

  refund(order: TestOrder): void {
    if (order.at.seen === undefined) throw new Error('Nothing was paid for this order.');
    if (order.at.complete !== undefined) throw new Error('The order is complete.');
    order.at.confirmed ??= Date.now();
    this.take(order, 'refunded');
  }

  expire(order: TestOrder): void {
    if (order.at.seen !== undefined) throw new Error('The order is paid.');
    this.take(order, 'expired', Math.max(Date.now(), order.createdAt + 1));
  }

  #takeDue(order: TestOrder): void {
    const {stepAfter, payAfter} = this.#options;
    for (;;) {
      const step = stepOf(order);
      const wait = step === 'placed' ? payAfter : stepAfter;
      const due = (order.at[step] ?? order.createdAt) + (wait ?? Infinity);
      if (due > Date.now() || step === 'complete' || ENDS.includes(step) || isPart(order)) return;
      this.advance(order, due);
    }
  }

  #save(): void {
    this.#options.storage?.setItem(STORAGE_KEY, JSON.stringify([...this.#orders.values()]));
  }
}

/** API, POST orders. */
function placeOrder(body: unknown, book: OrderBook, market: Market) {
  const {source = {}, destination = {}, affiliate_fees = []} = (body ?? {}) as OrderBody;
  const [from, to] = [market.find(source.asset ?? ''), market.find(destination.asset ?? '')];
  const {amount = '', owner} = source;
  const {amount: receive = '', owner: recipient} = destination;
  const bps = affiliate_fees.reduce((sum, {fee}) => sum + fee, 0);
  if (!owner || !recipient) throw new Refusal('Invalid address format');
  if (!market.isQuoted(from, to, amount, bps, receive)) throw new Refusal('destination.amount: not that of a quote');
  const id = madeUp(crypto.randomUUID());
  const order: TestOrder = {
    id,
    createdAt: Date.now(),
    from: from.id,
    to: to.id,
    owner,
    recipient,
    amount,
    receive,
    fees: affiliate_fees.map(({asset, address, fee}) => {
      const owed = market.convert(BigInt(amount), from, market.find(asset), fee);
      return {asset, address, fee, amount: String(owed)};
    }),
    secret: madeUp(id, 'secret'),
    filled: '0',
    at: {},
  };
  book.add(order);
  return {order_id: id, ...PAYLOADS[from.chain.family]?.(order, from)};
}

/** API, PATCH: a signature counts as the payment. */
function initiateOrder(id: string, body: unknown, book: OrderBook): string {
  const order = book.get(id);
  if (!(body as {signature?: unknown} | undefined)?.signature) throw new Refusal('Missing signature');
  if (stepOf(order) === 'expired') throw new Refusal('Invalid swap request : the deposit window is over');
  if (stepOf(order) === 'placed') book.take(order, 'seen');
  return `0x${madeUp(order.id, 'source', 'initiate')}`;
}

function stepOf({at}: TestOrder): TestStep {
  return [...STEPS, ...ENDS].findLast(step => at[step] !== undefined) ?? 'placed';
}

/** Whether less was paid than agreed: no solver continues with that. */
function isPart({filled, amount}: TestOrder): boolean {
  return BigInt(filled) > 0n && BigInt(filled) < BigInt(amount);
}
