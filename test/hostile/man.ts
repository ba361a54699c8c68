/** A man in the middle: a `fetch` between a session and the real service that changes the responses. */
import type {Fields, Json} from '../sandbox/client.js';

export type Endpoint = 'quote' | 'order' | 'initiate' | 'read';

export interface Asked {
  readonly endpoint: Endpoint;
  /** How many requests to this endpoint came before. */
  readonly turn: number;
  readonly url: string;
  /** The order's real id, once there is one. */
  readonly orderId: string;
  readonly body: unknown;
  pass(): Promise<Response>;
}

/** Changes a result in place, or returns another result or a whole response; `undefined` keeps it. */
export type Change<Result> = (result: Result, asked: Asked) => unknown;

export interface Lie {
  readonly quote?: Change<Fields[]>;
  readonly order?: Change<Fields>;
  readonly read?: Change<ReadFields>;
  /** Decides itself whether a signature is passed on. */
  readonly initiate?: (asked: Asked) => Response | Promise<Response>;
  /** Responds in place of the service, if it returns anything. */
  readonly instead?: (asked: Asked) => Response | Promise<Response> | undefined;
}

export type ReadFields = Fields & {source_swap: Fields; destination_swap: Fields};

export const read = (change: (order: ReadFields) => void) =>
  ({read: (order: ReadFields) => change(order)}) satisfies Lie;

/** A response of the service. */
export const answer = (result: unknown): Response => Response.json({status: 'Ok', result});

export const refusal = (error: string): Response => Response.json({status: 'Error', error}, {status: 400});

export class Man {
  readonly orderIds: string[] = [];
  /** The service's unchanged results. */
  readonly truths: {readonly endpoint: Endpoint; readonly result: Json}[] = [];
  readonly requests: {readonly endpoint: Endpoint; readonly at: number; readonly body: unknown}[] = [];
  readonly #turns: Record<Endpoint, number> = {quote: 0, order: 0, initiate: 0, read: 0};

  constructor(public lie: Lie = {}) {}

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const endpoint = endpointOf(url, init?.method);
    if (!endpoint) return globalThis.fetch(input, init);
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    this.requests.push({endpoint, at: Date.now(), body});
    const asked: Asked = {
      endpoint,
      turn: this.#turns[endpoint]++,
      url,
      body,
      orderId: this.orderIds.at(-1) ?? '',
      pass: () => globalThis.fetch(input, init),
    };
    const instead = this.lie.instead?.(asked);
    if (instead) return instead;
    if (endpoint === 'initiate' && this.lie.initiate) return this.lie.initiate(asked);
    const response = await asked.pass();
    const change = endpoint === 'initiate' ? undefined : (this.lie[endpoint] as Change<unknown> | undefined);
    if (!response.ok) return response;
    const {status, result} = (await response.json()) as {status: string; result: Json};
    this.truths.push({endpoint, result: structuredClone(result)});
    if (endpoint === 'order') this.orderIds.push(String((result as Fields)['order_id']));
    const changed = status === 'Ok' ? change?.(result, asked) : undefined;
    return changed instanceof Response ? changed : Response.json({status, result: changed ?? result});
  };
}

export function endpointOf(url: string, method = 'GET'): Endpoint | undefined {
  const {pathname} = new URL(url);
  if (pathname === '/v2/quote') return 'quote';
  if (!pathname.startsWith('/v2/orders')) return undefined;
  return method === 'POST' ? 'order' : method === 'PATCH' ? 'initiate' : 'read';
}

export function both(...lies: readonly Lie[]): Lie {
  const inTurn =
    <Result>(changes: readonly (Change<Result> | undefined)[]): Change<Result> =>
    (result, asked) =>
      changes.reduce((before, change) => (change?.(before, asked) as Result | undefined) ?? before, result);
  return {
    quote: inTurn(lies.map(({quote}) => quote)),
    order: inTurn(lies.map(({order}) => order)),
    read: inTurn(lies.map(({read}) => read)),
  };
}
