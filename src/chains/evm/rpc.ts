import type {Chain, Coin} from '../../domain/asset.js';
import {codesOf, isRejection, messageOf} from '../errors.js';
import {askNode, openChain} from '../rpc.js';
import {within, type Timeouts} from '../timeouts.js';
import {PUBLIC} from './public.js';

/** How a wallet is asked (EIP-1193). */
export interface Provider {
  request(request: {readonly method: string; readonly params?: readonly unknown[]}): Promise<unknown>;
  on?(event: string, listener: (value: unknown) => void): void;
  removeListener?(event: string, listener: (value: unknown) => void): void;
}

/** Reads a chain by a JSON-RPC method. */
export type Read = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

/** Reads through a wallet, from the chain it is on. */
export function readThrough(provider: Provider, {read}: Timeouts, signal?: AbortSignal): Read {
  return (method, ...params) => within(read, ask(provider, method, params), signal);
}

/**
 * Reads a chain from its `rpc`, else through the wallet if it is on that chain. Either must say that it is that chain.
 * `undefined` where there is neither, or they say that they are others. Rejects where one did not say. What the partner
 * named learns nothing of the person but what is read.
 */
export async function readerOf(
  chain: Chain,
  provider: Provider | undefined,
  timeouts: Timeouts,
  signal?: AbortSignal,
): Promise<Read | undefined> {
  const isIt = async (read: Read) => {
    const chainId = await readChainId(read);
    if (!(chainId > 0)) throw new Error('The answer is no id of a chain.');
    return chainId === chain.chainId;
  };
  const through = async () => {
    const read = provider && readThrough(provider, timeouts, signal);
    return read && (await isIt(read)) ? read : undefined;
  };
  try {
    const read = await openChain(
      chain,
      (url, method, params) => askNode(url, method, params, timeouts, signal),
      ask => isIt((method, ...params) => ask(method, params)),
      signal,
    );
    if (read) return (method, ...params) => read(method, params);
  } catch (failure) {
    const read = await through().catch(() => undefined);
    if (read) return read;
    throw failure;
  }
  return through();
}

/** The number of the newest block. */
export async function readHeight(read: Read): Promise<bigint> {
  return BigInt((await read('eth_blockNumber')) as string);
}

/** The EIP-155 id of the chain that answers. Some wallets write it in decimals. */
export async function readChainId(read: Read): Promise<number> {
  return Number(await read('eth_chainId'));
}

/** The coin that a chain's fees are paid in. */
export function coinOf({coin, chainId = 0}: Chain): Coin {
  return coin ?? PUBLIC[chainId]?.coin ?? {name: 'Ether', symbol: 'ETH', decimals: 18};
}

/** The address of a chain's explorer, without the place of a transaction in it. */
export function explorerOf({explorer = ''}: Chain): string | undefined {
  const site = explorer.replace(/\/tx\/\{tx\}.*$/, '');
  return site.includes('{tx}') ? new URL(site).origin : site || undefined;
}

/** Makes a request to a wallet. What it throws at once comes as a rejection too. */
export async function ask(provider: Provider, method: string, params: readonly unknown[] = []): Promise<unknown> {
  return provider.request({method, params});
}

/** What an error of a wallet or a node says for certain; `undefined` where it says nothing certain. */
export type Fault =
  /** The person said no. */
  | 'rejected'
  /** The wallet waits for an answer to an earlier request. */
  | 'pending'
  /** The account is not open to this page. */
  | 'unauthorized'
  /** The wallet does not know this method. */
  | 'unsupported'
  /** The coins do not cover amount and fee. */
  | 'insufficient-funds'
  /** A contract refuses the call. */
  | 'reverted';

/**
 * Reads an error by its codes (EIP-1193, EIP-1474), which wallets wrap into others, and by its message where
 * the codes say nothing.
 */
export function faultOf(error: unknown): Fault | undefined {
  const codes = codesOf(error);
  const text = messageOf(error);
  const has = (...wanted: number[]) => codes.some(code => wanted.includes(code));

  // 5000 is WalletConnect's.
  if (isRejection(error, 5000)) return 'rejected';
  if (has(-32002)) return 'pending';
  if (has(4100)) return 'unauthorized';
  if (has(4200, -32601)) return 'unsupported';
  if (/\binsufficient funds\b/i.test(text)) return 'insufficient-funds';
  if (has(3) || /\brevert/i.test(text)) return 'reverted';
  return undefined;
}
