import type {Chain, Coin} from '../../domain/asset.js';
import {codesOf, isRejection, messageOf} from '../errors.js';
import {askNode, openChain} from '../rpc.js';
import {within, type Timeouts} from '../timeouts.js';
import {PUBLIC} from './public.js';

/** A wallet's request interface (EIP-1193). */
export interface Provider {
  request(request: {readonly method: string; readonly params?: readonly unknown[]}): Promise<unknown>;
  on?(event: string, listener: (value: unknown) => void): void;
  removeListener?(event: string, listener: (value: unknown) => void): void;
}

/** Reads a chain with a JSON-RPC method. */
export type Read = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

/** Reads through a wallet, from its current chain. */
export function readThrough(provider: Provider, {read}: Timeouts, signal?: AbortSignal): Read {
  return (method, ...params) => within(read, ask(provider, method, params), signal);
}

/**
 * Reads a chain from its `rpc`, else through the wallet if it is on that chain. Either must confirm that it is that
 * chain. `undefined` if there is neither, or both belong to other chains. Rejects if one did not respond. The partner's
 * RPC learns nothing about the visitor but what is read.
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

/** The EIP-155 id of the responding chain. Some wallets return it in decimal. */
export async function readChainId(read: Read): Promise<number> {
  return Number(await read('eth_chainId'));
}

/** The coin that a chain's fees are paid in. */
export function coinOf({coin, chainId = 0}: Chain): Coin {
  return coin ?? PUBLIC[chainId]?.coin ?? {name: 'Ether', symbol: 'ETH', decimals: 18};
}

/** The URL of a chain's explorer, without the path of a transaction. */
export function explorerOf({explorer = ''}: Chain): string | undefined {
  const site = explorer.replace(/\/tx\/\{tx\}.*$/, '');
  return site.includes('{tx}') ? new URL(site).origin : site || undefined;
}

/** Sends a request to a wallet. Synchronous errors become rejections. */
export async function ask(provider: Provider, method: string, params: readonly unknown[] = []): Promise<unknown> {
  return provider.request({method, params});
}

/** What an error of a wallet or a node means for certain; `undefined` if nothing is certain. */
export type Fault =
  /** The visitor rejected the request. */
  | 'rejected'
  /** The wallet still waits for the answer to an earlier prompt. */
  | 'pending'
  /** The account is not connected to this page. */
  | 'unauthorized'
  /** The wallet does not support this method. */
  | 'unsupported'
  /** The coins do not cover amount and fee. */
  | 'insufficient-funds'
  /** The call reverts. */
  | 'reverted';

/**
 * Classifies an error by its codes (EIP-1193, EIP-1474), which wallets nest in others, and by its message if the codes
 * are unspecific.
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
