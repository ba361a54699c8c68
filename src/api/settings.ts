import {isWebAddress} from '../domain/web-address.js';
import {fault} from '../domain/error.js';
import {lazy} from '../domain/lazy.js';
import type {SwapApi, Timeouts} from './client.js';
import {readDialect, type ServiceDialect} from './dialect.js';

export interface SwapApiOptions {
  /** The service's base URL, https, or http on this machine; with or without `/v2` at its end. */
  readonly baseUrl: string;
  /** 64 lowercase hex digits (API, Authentication). Absent: no header is sent. */
  readonly appId?: string | undefined;
  /** How the service differs from the specification, or the JSON of that. */
  readonly service?: string | ServiceDialect | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** A service's URL, without `/v2` and slashes at its end. */
export function rootOf(baseUrl: string): string {
  return baseUrl.replace(/(?:\/v2)?\/*$/, '');
}

const TIMEOUTS: Timeouts = {read: 15_000, write: 45_000, pause: 400};

/**
 * Creates a client of the service.
 * @throws SwapError `config`, with `field` `base-url`, `app-id`, or `service` and the name in it: `service.header`.
 */
export function createSwapApi(
  {baseUrl, appId, service, fetch}: SwapApiOptions,
  timeouts: Timeouts = TIMEOUTS,
): SwapApi {
  // Paths are appended to it, so a query or a fragment would swallow them.
  if (!isWebAddress(baseUrl) || /[?#]/.test(baseUrl)) {
    throw fault('base-url', `“${baseUrl}” is not an https address.`);
  }
  if (appId !== undefined && !/^[0-9a-f]{64}$/.test(appId)) {
    throw fault('app-id', 'An app id is 64 hex digits in lower case.');
  }
  const dialect = readDialect(service);
  const base = `${rootOf(baseUrl)}/v2`;
  const headers = {
    accept: 'application/json',
    ...(appId === undefined ? {} : {[dialect.header ?? 'service-app-id']: appId}),
  };

  // The client itself is loaded with the first request.
  const load = lazy(
    () => import('./client.js'),
    ({createClient}) => createClient({base, headers, dialect, fetch, timeouts}),
  );

  return {
    quote: async (...args) => (await load()).quote(...args),
    createOrder: async (...args) => (await load()).createOrder(...args),
    initiate: async (...args) => (await load()).initiate(...args),
    readOrder: async (...args) => (await load()).readOrder(...args),
    readOffered: async () => (await load()).readOffered(),
  };
}
