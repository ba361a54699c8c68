import {bare, type Agreement, type Deposit} from '../domain/deposit.js';
import {fault, SwapError, toSwapError} from '../domain/error.js';
import {totalBps} from '../domain/affiliate-fee.js';
import {writeJson} from '../domain/json.js';
import {isOrderId, type Order} from '../domain/order.js';
import type {LimitsByAsset, Quote, QuoteRequest} from '../domain/quote.js';
import type {Offered} from '../domain/routes.js';
import {furtherFields, writeSignature, type ServiceDialect} from './dialect.js';
import {readEnvelope, readListed, readOrder, readPlaced, readPolicy, readQuotes} from './schema.js';

/**
 * The service's endpoints that a swap needs (API, Endpoints). Every rejection is a `SwapError`. A read with a transient
 * error is retried once automatically; callers that retry after a rejection wait longer each time.
 */
export interface SwapApi {
  /** Requests prices. They are neither ranked nor compared with the request. */
  quote(request: QuoteRequest, options?: ReadOptions): Promise<readonly Quote[]>;
  /** Places an order. Sent once: a lost response leaves an order that nobody can pay. */
  createOrder(agreed: Agreement): Promise<{orderId: string; deposit: Deposit}>;
  /**
   * Hands a signature to the service, which sends the payment. Sent once. An explicit acceptance or refusal is
   * returned; a rejection means that the response was lost, so the payment may happen.
   */
  initiate(orderId: string, signature: unknown): Promise<InitiateAnswer>;
  /** Reads an order. */
  readOrder(orderId: string, options?: ReadOptions & Pick<ReadDetails, 'onAge'>): Promise<Order>;
  /** Reads the service's lists of its assets and of its pairs, which not every service has. Each is sent once. */
  readOffered?(): Promise<Offered & {readonly limits: LimitsByAsset}>;
}

/** Whether the service accepted a signature, and if not the reason, in its own words. */
export type InitiateAnswer = {readonly accepted: true} | {readonly accepted: false; readonly reason: string};

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}

interface ReadDetails extends ReadOptions {
  /**
   * Gets the response's age in milliseconds, as far as it can be determined; and the service's time now, in milliseconds
   * since 1970, if its `Date` can be read (CORS: `Access-Control-Expose-Headers`).
   */
  readonly onAge?: ((age: number, now?: number) => void) | undefined;
  /** The field of the error if the response is a 404. */
  readonly absent?: string;
}

/** Timeouts in milliseconds. */
export interface Timeouts {
  /** For the response to a read. */
  readonly read: number;
  /** For the response to an order or a signature. */
  readonly write: number;
  /** The pause before a read is retried after a transient error, plus or minus a half. */
  readonly pause: number;
}

/** Longer than any response of the service, in bytes. */
const LONGEST_BODY = 2_000_000;
const DEEPEST_BODY = 32;
/** The longest `Retry-After` that is respected, in milliseconds. */
const LONGEST_WANTED = 600_000;

interface ClientOptions {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly dialect: ServiceDialect;
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly timeouts: Timeouts;
}

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
      const date = Date.parse(response.headers.get('date') ?? '');
      const now = Number.isNaN(date) ? undefined : date + age;
      return {ok, status, text: await readText(response), retryAfter: retryAfter(response, now), age, now};
    } catch (error) {
      signal?.throwIfAborted();
      const offline = (globalThis.navigator as Navigator | undefined)?.onLine === false;
      throw new SwapError(offline ? 'offline' : 'timeout', {
        detail: late.aborted ? `no answer in ${String(timeout / 1000)} s` : 'the connection broke',
        cause: error,
      });
    }
  };

  /** Whether any response was a success, so that the app id is valid. */
  let wasTaken = false;
  const resultOf = (answer: Answer, absent?: string): unknown => {
    const result = readAnswer(answer, wasTaken, absent);
    wasTaken = true;
    return result;
  };

  /** Whether the last read had no transient error: an outage must not get twice the load. */
  let isWell = true;
  const read = async (path: string, {signal, onAge, absent}: ReadDetails = {}): Promise<unknown> => {
    for (;;) {
      const mayRepeat = isWell;
      try {
        const answer = await send(path, {headers}, timeouts.read, signal);
        const result = resultOf(answer, absent);
        isWell = true;
        onAge?.(answer.age, answer.now);
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
      {method, headers: {...headers, 'content-type': 'application/json'}, body: writeJson(body)},
      timeouts.write,
    );

  return {send, read, write, resultOf};
}

/** Creates the client, which sends requests and parses responses. It is loaded with the first request. */
export function createClient(options: ClientOptions): Required<SwapApi> {
  const {headers, timeouts, dialect} = options;
  const {send, read, write, resultOf} = createTransport(options);

  return {
    async quote({from, to, amount, affiliateFees}, {signal} = {}) {
      const query = new URLSearchParams({from: from.id, to: to.id, from_amount: String(amount)});
      if (affiliateFees.length) query.set('affiliate_fee', String(totalBps(affiliateFees)));
      return readQuotes(await read(`/quote?${String(query)}`, {signal}));
    },

    async createOrder(agreed) {
      const result = resultOf(
        await write('POST', '/orders', {
          source: {asset: agreed.from.id, owner: agreed.owner, amount: String(agreed.amount)},
          destination: {asset: agreed.to.id, owner: agreed.recipient, amount: String(agreed.receive)},
          ...(agreed.affiliateFees.length
            ? {affiliate_fees: agreed.affiliateFees.map(({asset, address, bps}) => ({asset, address, fee: bps}))}
            : {}),
          ...furtherFields(dialect, agreed.solverId),
        }),
      );
      return readPlaced(result, agreed.from.chain.family);
    },

    async initiate(orderId, signature) {
      const body = {signature: writeSignature(signature, dialect)};
      const answer = await write('PATCH', `${pathOf(orderId)}?action=initiate`, body);
      const {ok, status, text} = answer;
      if (NO_ANSWER.has(status))
        throw new SwapError(status === 429 ? 'rate-limited' : 'service', {detail: detailOf(answer)});
      // Plain text is the service's own. HTML is from a proxy or a firewall, and so is a 403.
      const isWords = status >= 400 && status < 500 && status !== 403 && !parseJson(text) && !/^\s*</.test(text);
      if (isWords) return {accepted: false, reason: text.trim().slice(0, LONGEST_REASON)};
      // The response to an accepted signature is not documented (API, PATCH): any JSON except an Error means
      // acceptance.
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
      const order = readOrder(await read(pathOf(orderId), {signal, onAge, absent: 'order'}));
      if (!isSameId(order.id, orderId)) throw new SwapError('unreadable', {field: 'order_id', detail: order.id});
      // Here an order has a single id, however the service spells it.
      return {...order, id: orderId};
    },

    async readOffered() {
      const get = async (path: string) => resultOf(await send(path, {headers}, timeouts.read));
      const listed = readListed(await get('/assets'));
      const policy = await get('/policy').then(readPolicy, () => undefined);
      return {...listed, policy};
    },
  };
}

/** The path of an order. @throws SwapError as after a 404 for a text that is no id: no service has such an order. */
function pathOf(orderId: string): string {
  if (!isOrderId(orderId)) throw new SwapError('service', {field: 'order', detail: 'It is not the id of an order.'});
  return `/orders/${encodeURIComponent(orderId)}`;
}

/**
 * Responses to a signature that do not say whether it was accepted: too slow, a conflict, too early, too often, or from
 * a proxy on the way (RFC 9110, 15.5; RFC 8470; RFC 6585).
 */
const NO_ANSWER: ReadonlySet<number> = new Set([407, 408, 409, 425, 429]);
/** A reason is one sentence on the screen. */
const LONGEST_REASON = 300;

/** Hex ids, with or without dashes, are case-insensitive; other ids may be case-sensitive. */
function isSameId(one: string, other: string): boolean {
  const isHex = (id: string) => /^(?:0x)?[0-9a-f-]+$/i.test(id);
  return one === other || (isHex(one) && isHex(other) && one.toLowerCase() === other.toLowerCase());
}

/** The service's explicit refusal, as opposed to a lost response. */
class Refusal extends SwapError {
  override readonly reason: string;

  constructor(status: number, reason: string) {
    super(...classify(status, reason));
    this.reason = reason;
  }
}

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly text: string;
  readonly retryAfter: number | undefined;
  /** In milliseconds, as far as it can be determined. */
  readonly age: number;
  /** The service's time, if it can be read. */
  readonly now: number | undefined;
}

function detailOf({status, text}: Answer): string {
  return `${String(status)} ${text.slice(0, 300)}`.trim();
}

/**
 * @param wasTaken Whether the service has accepted the app id before.
 * @param absent The field of the error if the service returns a 404, with whatever text.
 */
function readAnswer(answer: Answer, wasTaken: boolean, absent?: string): unknown {
  const {ok, status, text, retryAfter} = answer;
  const detail = detailOf(answer);
  if (status === 404 && absent !== undefined) throw new SwapError('service', {field: absent, detail});
  const body = parseJson(text);
  if (!body && (status === 401 || status === 403)) {
    // A gateway's rejection of the app id. But a firewall, too, answers bursts with a page of its own.
    if (status === 403 && wasTaken) throw new SwapError('rate-limited', {detail, retryAfter});
    throw fault('app-id', detail);
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

/** The body of a response, truncated if it is longer than any valid one, so that it cannot be parsed. */
async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  // The page’s own `fetch` may return a response without a stream.
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

/** The value of JSON; `undefined` for any other text, and for more than any response has. */
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
 * Removes the prototypes of all objects in a response, so that neither the page’s scripts nor `__proto__` can add
 * fields. Returns whether no part is nested too deeply.
 */
function disinherit(value: object, depth = 1): boolean {
  if (!Array.isArray(value)) {
    Reflect.deleteProperty(bare(value), '__proto__');
  }
  const parts = Object.values(value).filter((part): part is object => typeof part === 'object' && part !== null);
  return !parts.length || (depth < DEEPEST_BODY && parts.every(part => disinherit(part, depth + 1)));
}

/** Classifies the service's error text. Errors are not documented (API, Errors); these texts are a hint, not the truth. */
function classify(status: number, text: string): ConstructorParameters<typeof SwapError> {
  const detail = `${String(status)} ${text}`;
  const [, min, max] = /range of (\d{1,78}) to (\d{1,78})\b/.exec(text) ?? [];
  if (min && max) return ['amount-range', {detail, range: {min: BigInt(min), max: BigInt(max)}}];
  if (/no order pair|asset .* not found/i.test(text)) return ['no-route', {detail}];
  if (/no quotes? available|insufficient liquidity/i.test(text)) return ['no-quote', {detail}];
  if (status === 401 || /app-id|unauthori[sz]ed/i.test(text)) return ['config', {field: 'app-id', detail}];
  // The same request would get the same response (RFC 9110, 15.5.21).
  return ['service', {field: status === 422 ? 'request' : undefined, detail}];
}

/** A timeout is not repeated: it has lasted long enough. */
function isHiccup(fault: SwapError): boolean {
  const {code, field, retryAfter, cause} = fault;
  if (fault instanceof Refusal || retryAfter !== undefined) return false;
  if (code === 'service') return field === undefined;
  return (
    code === 'unreadable' || (code === 'timeout' && (cause as Partial<Error> | undefined)?.name !== 'TimeoutError')
  );
}

/** `Retry-After` in milliseconds: seconds or a date (RFC 9110, 10.2.3), capped at {@link LONGEST_WANTED}. */
function retryAfter(response: Response, now = Date.now()): number | undefined {
  const text = response.headers.get('retry-after');
  if (!text) return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return wait >= 0 ? Math.min(wait, LONGEST_WANTED) : undefined;
}

/**
 * A cache on the way, or the page's service worker that ignores `no-store`, may return an earlier response. Clocks
 * differ, so a `Date` alone proves nothing: one that was seen before does, and one that is older than that.
 */
function createAges(): (path: string, headers: Headers) => number {
  /** The newest response of each path: its `Date`, and its latest possible time by the clock that is never set. */
  const newest = new Map<string, {readonly date: number; readonly at: number}>();
  return (path, headers) => {
    const stated = /^\d+$/.test(headers.get('age') ?? '') ? Number(headers.get('age')) * 1000 : 0;
    const now = performance.now();
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
