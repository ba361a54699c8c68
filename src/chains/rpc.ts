import type {Chain} from '../domain/asset.js';
import {writeJson} from '../domain/json.js';
import {codesOf, messageOf} from './errors.js';
import {within, type Timeouts} from './timeouts.js';

/** Sends a JSON-RPC 2.0 request to a chain's node. `errorOf` converts the node's own error. */
export function askNode(
  url: string,
  method: string,
  params: unknown,
  {read}: Timeouts,
  signal?: AbortSignal,
  errorOf = (error: unknown) => error as Error,
): Promise<unknown> {
  const ask = async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: writeJson({jsonrpc: '2.0', id: 1, method, params}),
      credentials: 'omit',
      ...(signal && {signal}),
    });
    const answer = (await response.json()) as {readonly result?: unknown; readonly error?: unknown};
    if (answer.error != null) throw errorOf(answer.error);
    if (!response.ok) throw new Error(`${method}: ${String(response.status)}`);
    return answer.result;
  };
  return within(read, ask(), signal);
}

/** How long an RPC that failed, or that lags behind its chain, is only used after the others, in milliseconds. */
const REST_MS = {failed: 60_000, behind: 5 * 60_000} as const;

const resting = new Map<string, number>();

/** Lets an RPC rest: it is only used after the others for a while. */
export function rest(url: string, why: keyof typeof REST_MS): void {
  resting.set(url, performance.now() + REST_MS[why]);
}

/** A chain's RPCs: in the given order, resting ones last. */
export function rpcsOf({rpc, otherRpcs = []}: Pick<Chain, 'rpc' | 'otherRpcs'>): readonly string[] {
  if (rpc === undefined) return [];
  const rests = (url: string) => Number(Number(resting.get(url)) > performance.now());
  return [rpc, ...otherRpcs].sort((one, other) => rests(one) - rests(other));
}

/** A chain without the RPC that is in use; `undefined` if there is no other. */
export function withoutFirst(chain: Chain): Chain | undefined {
  const [, rpc, ...otherRpcs] = rpcsOf(chain);
  return rpc === undefined ? undefined : {...chain, rpc, otherRpcs};
}

class OtherChain extends Error {}

/** Rejects with the first error that came as a response. Only for reads: a write is never sent again. */
export async function askInTurn<T>(
  urls: readonly string[],
  ask: (url: string) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const failures: unknown[] = [];
  for (const url of urls) {
    try {
      return await ask(url);
    } catch (failure) {
      if (signal?.aborted || isVerdict(failure)) throw failure;
      failures.push(failure);
      if (urls.length > 1) rest(url, 'failed');
    }
  }
  const isClear = (failure: unknown) => codesOf(failure).length > 0;
  throw failures.find(isClear) ?? failures.find(failure => !(failure instanceof OtherChain)) ?? failures[0];
}

/**
 * Whether an error is the chain's own, which every node would return: a revert (3 on EVM chains, 40 on Starknet), or an
 * unknown object. A node's refusal to respond has a negative code, or an HTTP status.
 */
function isVerdict(error: unknown): boolean {
  return codesOf(error).some(code => code > 0 && code < 100) || /\brevert/i.test(messageOf(error));
}

/**
 * Opens a chain at the first of its RPCs that succeeds, each of which has to confirm first that it is that chain
 * (`isIt`). `undefined` if none is named, or all belong to other chains. Rejects if none responds.
 */
export async function openChain(
  chain: Chain,
  ask: (url: string, method: string, params: unknown) => Promise<unknown>,
  isIt: (ask: (method: string, params: unknown) => Promise<unknown>) => Promise<boolean>,
  signal?: AbortSignal,
): Promise<((method: string, params: unknown) => Promise<unknown>) | undefined> {
  const urls = rpcsOf(chain);
  if (!urls.length) return undefined;
  const known = new Map<string, Promise<void>>();
  const requireIt = (url: string) => {
    const answer =
      known.get(url) ??
      isIt((method, params) => ask(url, method, params)).then(is => {
        if (!is) throw new OtherChain(url);
      });
    known.set(url, answer);
    return answer;
  };
  try {
    await askInTurn(urls, requireIt, signal);
  } catch (failure) {
    if (failure instanceof OtherChain) return undefined;
    throw failure;
  }
  return (method, params) =>
    askInTurn(
      urls,
      async url => {
        await requireIt(url);
        return ask(url, method, params);
      },
      signal,
    );
}

export function hex(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}
