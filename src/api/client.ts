import {isWebAddress} from '../domain/asset.js';
import type {Agreement, Deposit} from '../domain/deposit.js';
import {SwapError} from '../domain/error.js';
import {lazy} from '../domain/lazy.js';
import type {Order} from '../domain/order.js';
import type {LimitsByAsset, Quote, QuoteRequest} from '../domain/quote.js';

/** The service, as far as a swap needs it (API, Endpoints). Every rejection is a `SwapError`. */
export interface SwapApi {
  /** Asks for prices; tries again by itself. What comes is neither ranked nor held against the request. */
  quote(request: QuoteRequest, options?: ReadOptions): Promise<readonly Quote[]>;
  /** Places an order. Asked once: a lost answer leaves an order that nobody can pay. */
  createOrder(
    agreed: Agreement,
    options?: {readonly nameSolver?: boolean},
  ): Promise<{orderId: string; deposit: Deposit}>;
  /**
   * Hands a signature to the service, which sends the payment. Asked once. A clear no is an answer; a rejection means that
   * the answer was lost, so the payment may happen.
   */
  initiate(orderId: string, signature: unknown): Promise<InitiateAnswer>;
  /** Reads an order; tries again by itself. */
  readOrder(orderId: string, options?: ReadOptions): Promise<Order>;
  /** Asks for the service's list of assets, which not every service has. Asked once. */
  readLimits?(): Promise<LimitsByAsset>;
}

/** Whether the service took a signature, and if not why, in its own words. */
export type InitiateAnswer = {readonly accepted: true} | {readonly accepted: false; readonly reason: string};

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface SwapApiOptions {
  /** The service's base address, https, or http on this very machine. */
  readonly baseUrl: string;
  /** 64 lowercase hex digits (API, Authentication). Absent: no header is sent. */
  readonly appId?: string | undefined;
  /** The header that carries it. */
  readonly appIdHeader?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** How long is waited, in milliseconds. */
export interface Timeouts {
  /** For an answer to a question that changes nothing. */
  readonly read: number;
  /** For an answer to an order or a signature. */
  readonly write: number;
  /** Before the second try of a read, give or take a half; doubled before each further one. */
  readonly pause: number;
  /** At most before another try: where the service wants more (`Retry-After`), the read fails and says so. */
  readonly longestPause: number;
}

const TIMEOUTS: Timeouts = {read: 10_000, write: 45_000, pause: 400, longestPause: 10_000};
/**
 * Makes a client of the service.
 * @throws SwapError `config`, with `field` `base-url`, `app-id` or `app-id-header`.
 */
export function createSwapApi(
  {baseUrl, appId, appIdHeader = 'service-app-id', fetch}: SwapApiOptions,
  patience: Timeouts = TIMEOUTS,
): SwapApi {
  // Paths are put behind it, so a query or a fragment would swallow them.
  if (!isWebAddress(baseUrl) || /[?#]/.test(baseUrl)) {
    throw new SwapError('config', {field: 'base-url', detail: `“${baseUrl}” is not an https address.`});
  }
  if (appId !== undefined && !/^[0-9a-f]{64}$/.test(appId)) {
    throw new SwapError('config', {field: 'app-id', detail: 'An app id is 64 hex digits in lower case.'});
  }
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(appIdHeader)) {
    throw new SwapError('config', {field: 'app-id-header', detail: `“${appIdHeader}” is not the name of a header.`});
  }
  const base = `${baseUrl.replace(/\/+$/, '')}/v2`;
  const headers = {accept: 'application/json', ...(appId === undefined ? {} : {[appIdHeader]: appId})};

  // What asks the service and reads its answers is loaded with the first question. Without it nothing is asked.
  const load = lazy(
    () => import('./requests.js'),
    ({createRequests}) => createRequests({base, headers, fetch, patience}),
  );

  return {
    quote: async (request, options) => (await load()).quote(request, options),
    createOrder: async (agreed, options) => (await load()).createOrder(agreed, options),
    initiate: async (orderId, signature) => (await load()).initiate(orderId, signature),
    readOrder: async (orderId, options) => (await load()).readOrder(orderId, options),
    readLimits: async () => (await load()).readLimits(),
  };
}
