import {bare, type Agreement, type Deposit} from '../domain/deposit.js';
import {SwapError, toSwapError} from '../domain/error.js';
import type {Order} from '../domain/order.js';
import type {LimitsByAsset, Quote, QuoteRequest} from '../domain/quote.js';
import {readEnvelope, readLimits, readOrder, readPlaced, readQuotes} from './schema.js';

/**
 * The service, as far as a swap needs it (API, Endpoints). Every rejection is a `SwapError`. A read that meets one hiccup is
 * made again by itself, once: whoever asks again after a rejection waits longer each time.
 */
export interface SwapApi {
  /** Asks for prices. The answers are neither ranked nor compared with the request. */
  quote(request: QuoteRequest, options?: ReadOptions): Promise<readonly Quote[]>;
  /** Places an order. Asked once: a lost answer leaves an order that nobody can pay. */
  createOrder(
    agreed: Agreement,
    options?: {readonly nameSolver?: boolean},
  ): Promise<{orderId: string; deposit: Deposit}>;
  /**
   * Hands a signature to the service, which sends the payment. Asked once. A clear yes or no is an answer; a rejection means
   * that the answer was lost, so the payment may happen.
   */
  initiate(orderId: string, signature: unknown): Promise<InitiateAnswer>;
  /** Reads an order. `onAge`: how old the answer is, in milliseconds, as far as that can be told. */
  readOrder(orderId: string, options?: ReadOptions & {readonly onAge?: (age: number) => void}): Promise<Order>;
  /** Asks for the service's list of assets, which not every service has. Asked once. */
  readLimits?(): Promise<LimitsByAsset>;
}

/** Whether the service took a signature, and if not why, in its own words. */
export type InitiateAnswer = {readonly accepted: true} | {readonly accepted: false; readonly reason: string};

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}

interface ReadDetails extends ReadOptions {
  readonly onAge?: ((age: number) => void) | undefined;
  /** What is not there where the answer is a 404. */
  readonly absent?: string;
}

/** How long to wait, in milliseconds. */
export interface Timeouts {
  /** For an answer to a question that changes nothing. */
  readonly read: number;
  /** For an answer to an order or a signature. */
  readonly write: number;
  /** Before a read is made again after a hiccup, give or take a half. */
  readonly pause: number;
}

/** Longer than any answer of the service, in bytes. */
const LONGEST_BODY = 2_000_000;
/** Deeper than any answer of the service. */
const DEEPEST_BODY = 32;
/** The longest `Retry-After` that is observed, in milliseconds. */
const LONGEST_WANTED = 600_000;

/** What every request needs. */
interface ClientOptions {
  /** The address that every path is put behind. */
  readonly base: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly timeouts: Timeouts;
}

/** Sends requests: reads again where that may help, writes once. */
function createTransport({base, headers, fetch, timeouts}: ClientOptions) {
  const ageOf = createAges();
  const send = async (path: string, init: RequestInit, timeout: number, signal?: AbortSignal): Promise<Answer> => {
    const late = AbortSignal.timeout(timeout);
    try {
      const response = await (fetch ?? globalThis.fetch)(base + path, {
        ...init,
        credentials: 'omit',
        cache: 'no-store',
        signal: signal ? AbortSignal.any([signal, late]) : late,
      });
      const {ok, status} = response;
      const age = ageOf(path, response.headers);
      return {ok, status, text: await readText(response), retryAfter: retryAfter(response), age};
    } catch (error) {
      signal?.throwIfAborted();
      const offline = (globalThis.navigator as Navigator | undefined)?.onLine === false;
      throw new SwapError(offline ? 'offline' : 'timeout', {
        detail: late.aborted ? `no answer in ${String(timeout / 1000)} s` : 'the connection broke',
        cause: error,
      });
    }
  };

  /** Whether any answer was a good one, so that the app id was taken. */
  let wasTaken = false;
  const resultOf = (answer: Answer, absent?: string): unknown => {
    const result = readAnswer(answer, wasTaken, absent);
    wasTaken = true;
    return result;
  };

  /** Whether the last read met no hiccup: an outage is not met with twice the load. */
  let isWell = true;
  const read = async (path: string, {signal, onAge, absent}: ReadDetails = {}): Promise<unknown> => {
    for (;;) {
      const mayRepeat = isWell;
      try {
        const answer = await send(path, {headers}, timeouts.read, signal);
        const result = resultOf(answer, absent);
        isWell = true;
        onAge?.(answer.age);
        return result;
      } catch (error) {
        signal?.throwIfAborted();
        const fault = toSwapError(error, 'service');
        isWell = !isHiccup(fault);
        if (isWell || !mayRepeat) throw fault;
        await pause(timeouts.pause * (0.5 + Math.random()), signal);
      }
    }
  };

  const write = (method: 'POST' | 'PATCH', path: string, body: unknown) =>
    send(
      path,
      {method, headers: {...headers, 'content-type': 'application/json'}, body: JSON.stringify(body)},
      timeouts.write,
    );

  return {send, read, write, resultOf};
}

/** Makes what sends requests to the service and reads its answers. It is loaded with the first request. */
export function createClient(options: ClientOptions): Required<SwapApi> {
  const {headers, timeouts} = options;
  const {send, read, write, resultOf} = createTransport(options);

  return {
    async quote({from, to, amount, affiliateBps}, {signal} = {}) {
      const query = new URLSearchParams({from: from.id, to: to.id, from_amount: String(amount)});
      if (affiliateBps > 0) query.set('affiliate_fee', String(affiliateBps));
      return readQuotes(await read(`/quote?${String(query)}`, {signal}));
    },

    async createOrder(agreed, {nameSolver = false} = {}) {
      const result = resultOf(
        await write('POST', '/orders', {
          source: {asset: agreed.from.id, owner: agreed.owner, amount: String(agreed.amount)},
          destination: {asset: agreed.to.id, owner: agreed.recipient, amount: String(agreed.receive)},
          ...(agreed.affiliateFees.length
            ? {affiliate_fees: agreed.affiliateFees.map(({asset, address, bps}) => ({asset, address, fee: bps}))}
            : {}),
          ...(nameSolver ? {solver_id: agreed.solverId} : {}),
        }),
      );
      return readPlaced(result, agreed.from.chain.family);
    },

    async initiate(orderId, signature) {
      const answer = await write('PATCH', `/orders/${encodeURIComponent(orderId)}?action=initiate`, {signature});
      const {ok, status, text} = answer;
      if (NO_ANSWER.has(status))
        throw new SwapError(status === 429 ? 'rate-limited' : 'service', {detail: detailOf(answer)});
      // Plain words are the service's own. A page is that of a proxy or a firewall, which say little too.
      const isWords = status >= 400 && status < 500 && status !== 403 && !parseJson(text) && !/^\s*</.test(text);
      if (isWords) return {accepted: false, reason: text.trim().slice(0, LONGEST_REASON)};
      // What a service says of an accepted signature is not documented (API, PATCH): any JSON but an Error is its yes.
      if (ok && parseValue(text) !== undefined && parseJson(text)?.['status'] !== 'Error') return {accepted: true};
      try {
        resultOf(answer);
      } catch (error) {
        if (error instanceof Refusal) return {accepted: false, reason: error.reason};
        throw error;
      }
      return {accepted: true};
    },

    async readOrder(orderId, {signal, onAge} = {}) {
      const order = readOrder(await read(`/orders/${encodeURIComponent(orderId)}`, {signal, onAge, absent: 'order'}));
      if (!isSameId(order.id, orderId)) throw new SwapError('unreadable', {field: 'order_id', detail: order.id});
      // One order has one name in here, however the service spells it.
      return {...order, id: orderId};
    },

    readLimits: async () => readLimits(resultOf(await send('/assets', {headers}, timeouts.read))),
  };
}

/**
 * Answers to a signature that say nothing on whether it was taken: too slow, beside another one, too early, too often, or
 * from a proxy on the way (RFC 9110, 15.5; RFC 8470; RFC 6585).
 */
const NO_ANSWER: ReadonlySet<number> = new Set([407, 408, 409, 425, 429]);
/** A reason is one sentence on the screen. */
const LONGEST_REASON = 300;

/**
 * Whether two texts are the same id. Hex digits, with dashes in them or not, are the same in either letter case; any
 * other id may tell them apart.
 */
function isSameId(one: string, other: string): boolean {
  const isHex = (id: string) => /^(?:0x)?[0-9a-f-]+$/i.test(id);
  return one === other || (isHex(one) && isHex(other) && one.toLowerCase() === other.toLowerCase());
}

/** The service's own no, as opposed to an answer that was lost. */
class Refusal extends SwapError {
  readonly reason: string;

  constructor(status: number, reason: string) {
    super(...classify(status, reason));
    this.reason = reason;
  }
}

/** What came back, before anybody knows what it says. */
interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly text: string;
  readonly retryAfter: number | undefined;
  /** In milliseconds, as far as it can be told. */
  readonly age: number;
}

/** What was seen, for a report. */
function detailOf({status, text}: Answer): string {
  return `${String(status)} ${text.slice(0, 300)}`.trim();
}

/**
 * Takes the result out of an answer, or throws what is wrong with it.
 * @param wasTaken Whether the service took the app id before.
 * @param absent What is not there where the service says 404, in whatever words.
 */
function readAnswer(answer: Answer, wasTaken: boolean, absent?: string): unknown {
  const {ok, status, text, retryAfter} = answer;
  const detail = detailOf(answer);
  if (status === 404 && absent !== undefined) throw new SwapError('service', {field: absent, detail});
  const body = parseJson(text);
  if (!body && (status === 401 || status === 403)) {
    // A gateway's no to the app id. A firewall in front of the service, too, answers bursts with a page of its own.
    if (status === 403 && wasTaken) throw new SwapError('rate-limited', {detail, retryAfter});
    throw new SwapError('config', {field: 'app-id', detail});
  }
  if (status === 429) throw new SwapError('rate-limited', {detail, retryAfter});
  if (status === 422 && !body) throw new Refusal(status, text.trim().slice(0, LONGEST_REASON));
  if (status >= 500 || status === 408 || status === 425 || (!ok && !body))
    throw new SwapError('service', {detail, retryAfter});
  if (!body) throw new SwapError('unreadable', {field: 'body', detail});

  const envelope = readEnvelope(body, ok);
  if (!envelope.ok) throw new Refusal(status, envelope.error);
  if (!ok) throw new SwapError('service', {detail});
  return envelope.result;
}

/** The body of an answer, and no more of it than an answer may have: one that is longer is cut, so that it cannot be read. */
async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  // A `fetch` of the page’s own may answer without a stream.
  if (!reader) return response.text();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; bytes <= LONGEST_BODY;) {
    const {done, value} = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    text += decoder.decode(value, {stream: true});
  }
  reader.cancel().catch(() => undefined);
  return text;
}

/** The value of JSON; `undefined` for any other text, and for more than any answer is. */
function parseValue(text: string): unknown {
  if (text.length > LONGEST_BODY) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value !== 'object' || !value || disinherit(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function parseJson(text: string): Record<string, unknown> | undefined {
  const value = parseValue(text);
  return typeof value === 'object' && value ? (value as Record<string, unknown>) : undefined;
}

/**
 * Leaves to each object in an answer nothing but what the answer says: neither what the page’s scripts add to all objects,
 * nor a prototype of its own. Returns whether no part of it lies too deep.
 */
function disinherit(value: object, depth = 1): boolean {
  if (!Array.isArray(value)) {
    Reflect.deleteProperty(bare(value), '__proto__');
  }
  const parts = Object.values(value).filter((part): part is object => typeof part === 'object' && part !== null);
  return !parts.length || (depth < DEEPEST_BODY && parts.every(part => disinherit(part, depth + 1)));
}

/** What the service's words mean. Its errors are not documented (API, Errors); these texts are a hint, never the truth. */
function classify(status: number, text: string): ConstructorParameters<typeof SwapError> {
  const detail = `${String(status)} ${text}`;
  const range = /range of (\d{1,78}) to (\d{1,78})/.exec(text);
  if (range) return ['amount-range', {detail, range: {min: BigInt(range[1] ?? 0), max: BigInt(range[2] ?? 0)}}];
  if (/no order pair|asset .* not found/i.test(text)) return ['no-route', {detail}];
  if (/no quotes? available|insufficient liquidity/i.test(text)) return ['no-quote', {detail}];
  if (status === 401 || /app-id|unauthori[sz]ed/i.test(text)) return ['config', {field: 'app-id', detail}];
  // Nothing else comes of the same request (RFC 9110, 15.5.21).
  return ['service', {field: status === 422 ? 'request' : undefined, detail}];
}

/** Whether a read failed in a way that is over in a moment, more often than not. Silence has lasted long enough. */
function isHiccup(fault: SwapError): boolean {
  const {code, field, retryAfter, cause} = fault;
  if (fault instanceof Refusal || retryAfter !== undefined) return false;
  if (code === 'service') return field === undefined;
  return (
    code === 'unreadable' || (code === 'timeout' && (cause as Partial<Error> | undefined)?.name !== 'TimeoutError')
  );
}

/** `Retry-After` in milliseconds: seconds or a date (RFC 9110, 10.2.3), and never so long that nobody would wait for it. */
function retryAfter(response: Response): number | undefined {
  const text = response.headers.get('retry-after');
  if (!text) return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return wait >= 0 ? Math.min(wait, LONGEST_WANTED) : undefined;
}

/**
 * Tells how old answers are, where their headers can be read: a cache on the way, or a worker of the page that does not mind
 * `no-store`, may answer with one from before. Clocks differ, so a `Date` says nothing by itself: one that was seen before
 * does, and one that is older than that.
 */
function createAges(): (path: string, headers: Headers) => number {
  /** Of each path the newest answer: its `Date`, and when it was made at the latest, by this browser's clock. */
  const newest = new Map<string, {readonly date: number; readonly at: number}>();
  return (path, headers) => {
    const stated = /^\d+$/.test(headers.get('age') ?? '') ? Number(headers.get('age')) * 1000 : 0;
    const now = Date.now();
    const date = Date.parse(headers.get('date') ?? '');
    if (Number.isNaN(date)) return stated;
    const known = newest.get(path) ?? {date: -Infinity, at: 0};
    if (date > known.date) {
      newest.set(path, {date, at: now - stated});
      return stated;
    }
    return Math.max(stated, now - known.at + known.date - date);
  };
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', stop, {once: true});
  });
}
