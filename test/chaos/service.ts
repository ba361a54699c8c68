/** A proxy between a session and the service, which applies a plan's faults to requests and responses. */
import {setTimeout as pause} from 'node:timers/promises';
import type {Fields} from '../sandbox/client.js';
import {endpointOf, type ReadFields} from '../hostile/man.js';
import {asPaidBack, asPaidOut, asTaken, asUnpaid, inventedHash} from '../hostile/named.js';
import {SERVICE_FAULTS, type Injection, type Request, type ServiceFault} from './plan.js';

type Fetch = typeof globalThis.fetch;
export type Lie = 'says complete' | 'says refunded' | 'says unpaid' | 'says gone' | 'another order';

export interface UnreliableService {
  readonly fetch: Fetch;
  /** While the page is offline, nothing gets through in either direction. */
  isOffline: boolean;
  /** The service is gone for good. */
  isGone: boolean;
  /** How it lies about orders from now on. */
  lie: Lie | undefined;
  /** Whether it is reachable, and tells the truth. */
  readonly isHonest: boolean;
}

interface ServiceOptions {
  readonly faults: readonly Injection[];
  /** A number that decides between variants of a fault, from 0 to 1. */
  readonly variant: number;
  readonly sent: (request: Request) => void;
  readonly happened: (fault: Injection) => void;
  /** Makes the service falsify the payment of its next order. */
  readonly falsify: () => Promise<void>;
  /** Others' transactions that paid the payer and the recipient something: half of the lies use them. */
  readonly real?: () => Real;
}

interface Real {
  readonly payer: string;
  readonly recipient: string;
}

export function createUnreliableService({
  faults,
  variant,
  sent,
  happened,
  falsify,
  real: others,
}: ServiceOptions): UnreliableService {
  const real = () => (Math.floor(variant * 64) % 2 ? others?.() : undefined);
  const pending = faults
    .filter(({fault}) => fault in SERVICE_FAULTS)
    .map(injection => ({injection, after: injection.after, times: injection.times}));

  const due = (request: Request) => {
    const next = pending.find(({injection, times}) => injection.step === request && times > 0);
    if (!next) return undefined;
    if (next.after-- > 0) return undefined;
    next.times--;
    happened(next.injection);
    return next.injection.fault as ServiceFault;
  };

  const service: UnreliableService = {
    isOffline: false,
    isGone: false,
    lie: undefined,
    get isHonest() {
      return !this.lie && !this.isGone && !this.isOffline;
    },
    async fetch(input, init = {}) {
      const url = input instanceof globalThis.Request ? input.url : String(input);
      const request = endpointOf(url, init.method);
      if (!request) return fetch(input, init);
      sent(request);
      if (service.isOffline || service.isGone) throw new TypeError('fetch failed');
      const fault = due(request);
      // A write that the page no longer waits for is still processed.
      const pass = async () => {
        const response = await fetch(input, request === 'quote' || request === 'read' ? init : {...init, signal: null});
        if (service.isOffline) throw new TypeError('fetch failed');
        return request === 'read' && service.lie ? lied(response, service.lie, real()) : response;
      };
      return fault
        ? suffer({fault, request, pass, variant, falsify, real: real(), signal: init.signal ?? undefined})
        : pass();
    },
  };
  return service;
}

interface Suffering {
  readonly fault: ServiceFault;
  readonly request: Request;
  readonly pass: () => Promise<Response>;
  readonly variant: number;
  readonly falsify: () => Promise<void>;
  readonly real: Real | undefined;
  readonly signal: AbortSignal | undefined;
}

async function suffer({fault, request, pass, variant, falsify, real, signal}: Suffering): Promise<Response> {
  const broken = () => new TypeError('fetch failed');
  /** In half of the cases the request is processed before the fault. */
  const processed = () => (variant < 0.5 ? pass() : undefined);
  switch (fault) {
    case 'lost before':
      throw broken();
    case 'lost after':
      await pass();
      throw broken();
    case 'reset mid-body':
      return torn(await pass());
    case 'slow': {
      const answer = pass();
      answer.catch(() => undefined);
      await pause(variant < 0.5 ? 500 : LATE_MS, undefined, {signal}).catch(() =>
        Promise.reject(signal?.reason as Error),
      );
      return answer;
    }
    case '5xx':
      await processed();
      return new Response('<!doctype html><h1>502 Bad Gateway</h1>', {
        status: variant < 0.7 ? 502 : 503,
        headers: HTML,
      });
    case 'too many': {
      const wait = ['1', '0', '', '2160000', 'Thu, 01 Jan 1970 00:00:00 GMT'][Math.floor(variant * 5)] ?? '';
      return json({status: 'Error', error: 'too many requests'}, 429, wait ? {'retry-after': wait} : {});
    }
    case 'page of HTML':
      await processed();
      return new Response('<!doctype html><p>Please sign in to this network.</p>', {headers: HTML});
    case 'cut JSON': {
      const text = await (await pass()).text();
      return new Response(text.slice(0, Math.floor(text.length * variant)), {headers: JSON_TYPE});
    }
    case 'Error with 200':
      await processed();
      return json({status: 'Error', error: 'internal error'});
    case 'wrong types':
      return changed(await pass(), (_, value) => twist(value));
    case 'another order':
      if (request === 'read') return lied(await pass(), 'another order');
      await falsify();
      return pass();
    case 'says no, takes it':
      await pass();
      return json({status: 'Error', error: 'this chain is not supported for initiations'}, 400);
    default:
      return lied(await pass(), fault, real);
  }
}

/** Longer than the harness's client waits for a read. */
const LATE_MS = 3_500;
const HTML = {'content-type': 'text/html'};
const JSON_TYPE = {'content-type': 'application/json'};

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {status, headers: {...JSON_TYPE, ...headers}});
}

async function changed(response: Response, change: (key: string, value: unknown) => unknown): Promise<Response> {
  const text = await response.text();
  return new Response(JSON.stringify(JSON.parse(text, change)), {status: response.status, headers: JSON_TYPE});
}

function twist(value: unknown): unknown {
  if (typeof value === 'string') return /^\d+$/.test(value) ? [value] : value;
  return typeof value === 'number' ? String(value) + 'x' : value;
}

/** The connection ends in the middle of the body. */
async function torn(response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.subarray(0, bytes.length / 2));
      setTimeout(() => controller.error(new TypeError('terminated')), 5);
    },
  });
  return new Response(body, {status: response.status, headers: JSON_TYPE});
}

/** The order as a hostile service would return it. */
async function lied(response: Response, lie: Lie, real?: Real): Promise<Response> {
  if (lie === 'says gone') return json({status: 'Error', error: 'order_id: order not found'}, 404);
  const body = (await response.json()) as {result?: ReadFields};
  const {result: order} = body;
  if (!order?.source_swap) return json(body, response.status);
  const {source_swap: source, destination_swap: destination} = order;
  const by = (hash: string | undefined, leg: Fields) => ({what: lie, hash: hash || inventedHash(leg['chain'])});
  const secret = '5a'.repeat(32);
  if (lie === 'says complete') {
    asPaidOut({...by(real?.recipient, destination), secret}).read(order);
    asTaken({...by(undefined, source), secret}).read(order);
  } else if (lie === 'says refunded') asPaidBack(by(real?.payer, source)).read(order);
  else if (lie === 'says unpaid') asUnpaid.read(order);
  else {
    destination['amount'] = String(BigInt(String(destination['amount'])) / 2n);
    source['secret_hash'] = secret;
  }
  return json(body, response.status);
}
