import type {Chain, Coin} from '../../domain/asset.js';
import {codesOf, messageOf, onDevice, readSaid, StrangeAnswer, USER_REJECTED, type Said} from '../errors.js';
import {askNode, openChain} from '../rpc.js';
import {within, type Timeouts} from '../timeouts.js';
import {chainIdIn} from './answers.js';
import known from './public.json';

/** A wallet's request interface (EIP-1193). */
export interface Provider {
  request(request: {readonly method: string; readonly params?: readonly unknown[]}): Promise<unknown>;
  on?(event: string, listener: (value: unknown) => void): void;
  removeListener?(event: string, listener: (value: unknown) => void): void;
}

export type Read = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

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
    const chainId = chainIdIn(await read('eth_chainId'));
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

export async function readHeight(read: Read): Promise<bigint> {
  return BigInt((await read('eth_blockNumber')) as string);
}

/** The time of a block, by default the newest one, in milliseconds since 1970. */
export async function readTime(read: Read, at = 'latest'): Promise<number> {
  const made = (await read('eth_getBlockByNumber', at, false)) as {readonly timestamp?: string} | null;
  if (made?.timestamp === undefined) throw new Error(`There is no block ${at}.`);
  return Number(made.timestamp) * 1_000;
}

/** What wallets are told of public chains (EIP-3085), by their ids. The widget itself reads at none of these nodes. */
export const PUBLIC: Readonly<Record<number, Partial<Chain> | undefined>> = known;

export function coinOf({coin, chainId = 0}: Chain): Coin {
  return coin ?? PUBLIC[chainId]?.coin ?? {name: 'Ether', symbol: 'ETH', decimals: 18};
}

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
  | 'rejected'
  /** The wallet still waits for the answer to an earlier prompt. */
  | 'pending'
  /** The account is not connected to this page. */
  | 'unauthorized'
  | 'unsupported'
  /** The wallet, or the device behind it, did not carry out the request. */
  | 'failed'
  | 'insufficient-funds'
  | 'reverted';

/** What wallets say, with who says it and where. */
const SAID: readonly Said<Fault>[] = [
  {
    means: 'rejected',
    // WalletConnect has its own (Sign API, Error Codes): wallets use each of them for a transaction.
    codes: [USER_REJECTED, 5000, 5001, 5002, 5003],
    // ethers, for what it wraps (API, Error Codes).
    names: ['ACTION_REJECTED'],
    texts: [
      // EIP-1193, as `@metamask/rpc-errors` and Coinbase's SDK write it.
      'User rejected the request.',
      // MetaMask's controllers.
      'MetaMask Tx Signature: User denied transaction signature.',
      'MetaMask Message Signature: User denied message signature.',
      'MetaMask Typed Message Signature: User denied message signature.',
      // WalletConnect's `getSdkError`, without its code.
      'User rejected.',
      'User rejected methods.',
    ],
  },
  ...onDevice<Fault>('rejected', 'unauthorized', 'failed'),
  // EIP-1474, “Resource unavailable”: MetaMask's other window.
  {means: 'pending', codes: [-32002]},
  {means: 'unauthorized', codes: [4100]},
  // EIP-1193, JSON-RPC 2.0; WalletConnect: chains, methods.
  {means: 'unsupported', codes: [4200, -32601, 5100, 5101]},
  // EIP-1474, “Invalid params”: before anything is done with them.
  {means: 'failed', ownCodes: [-32602]},
  {
    means: 'insufficient-funds',
    texts: [
      // go-ethereum, for a transaction that it does not take (`core/error.go`), with its numbers.
      /^(?:err: )?insufficient funds for (?:gas \* price \+ value|transfer)(?:[:;(].*)?$/,
      // The same, for an estimate: the account cannot pay for any gas (`eth/gasestimator`).
      'gas required exceeds allowance (0)',
    ],
  },
];

export function faultOf(error: unknown): Fault | undefined {
  const said = readSaid(SAID, error);
  if (said) return said;
  return codesOf(error).includes(3) || /\brevert/i.test(messageOf(error)) ? 'reverted' : undefined;
}

/** Whether a failed call is the contract's own response: a revert, or an unexpected result. A failed read is not. */
export function isAnswer(error: unknown): boolean {
  return faultOf(error) === 'reverted' || error instanceof StrangeAnswer;
}

export function isUncovered(error: unknown): boolean {
  return faultOf(error) === 'insufficient-funds' || /\binsufficient funds\b/i.test(messageOf(error));
}
