import type {Chain, Coin} from '../../domain/asset.js';
import {layersOf, within, messageOf, type Timeouts} from '../common.js';
import {askNode} from '../rpc.js';
import {PUBLIC} from './public.js';

/** A wallet's door, by EIP-1193. */
export interface Provider {
  request(question: {readonly method: string; readonly params?: readonly unknown[]}): Promise<unknown>;
  on?(event: string, listener: (value: unknown) => void): void;
  removeListener?(event: string, listener: (value: unknown) => void): void;
}

/** Asks a chain something that changes nothing. */
export type Read = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

/** Reads through a wallet, from whatever chain it is on. */
export function readThrough(provider: Provider, {read}: Timeouts, signal?: AbortSignal): Read {
  return (method, ...params) => within(read, ask(provider, method, params), signal);
}

/** Reads from a node that the partner named. Nothing of the person goes with it but what is read. */
export function readFrom(url: string, {read}: Timeouts, signal?: AbortSignal): Read {
  return (method, ...params) => within(read, askNode(url, method, params, signal), signal);
}

/**
 * How an asset's chain can be read: from its `rpc`, else through the wallet if it is on that chain. Either must say
 * that it is the chain meant. `undefined` where neither does.
 */
export async function readerOf(
  chain: Chain,
  provider: Provider | undefined,
  patience: Timeouts,
  signal?: AbortSignal,
): Promise<Read | undefined> {
  const doors = [
    ...(chain.rpc === undefined ? [] : [readFrom(chain.rpc, patience, signal)]),
    ...(provider ? [readThrough(provider, patience, signal)] : []),
  ];
  for (const read of doors) {
    const chainId = await readChainId(read).catch(() => undefined);
    if (chainId !== undefined && chainId === chain.chainId) return read;
  }
  return undefined;
}

/** The EIP-155 id of the chain that answers. Some wallets give it in decimals. */
export async function readChainId(read: Read): Promise<number> {
  return Number(await read('eth_chainId'));
}

/** What a chain's fees are paid in. */
export function coinOf({coin, chainId = 0}: Chain): Coin {
  return coin ?? PUBLIC[chainId]?.coin ?? {name: 'Ether', symbol: 'ETH', decimals: 18};
}

/** Asks a wallet. What it throws at once comes as a rejection like all else. */
export async function ask(provider: Provider, method: string, params: readonly unknown[] = []): Promise<unknown> {
  return provider.request({method, params});
}

/** What an error of a wallet or a node says for certain; `undefined` where it says nothing certain. */
export type Fault =
  /** The person said no. */
  | 'rejected'
  /** The wallet waits for an answer to an earlier question. */
  | 'pending'
  /** The account is not open to this page. */
  | 'unauthorized'
  /** The wallet does not know this method. */
  | 'unsupported'
  /** The wallet does not know this chain. */
  | 'unknown-chain'
  /** The coins do not cover amount and fee. */
  | 'insufficient-funds'
  /** A contract refuses the call. */
  | 'reverted';

/** A person's no, as wallets word it that send no code of their own for it. */
const REJECTION =
  /\buser\b.{0,24}\b(?:rejected|denied|declined|cancell?ed|disapproved)\b|\b(?:rejected|denied|declined|cancell?ed) by (?:the )?user\b/i;

/** Codes that say no more than that something went wrong (JSON-RPC 2.0). */
const VAGUE = new Set([-32603, -32000]);

/** Reads an error by its codes (EIP-1193, EIP-1474, EIP-3085), which wallets wrap into others, and by its words where the codes say nothing. */
export function faultOf(error: unknown): Fault | undefined {
  const layers = layersOf(error);
  const codes = layers.map(layer => layer['code']).filter(code => typeof code === 'number');
  const text = messageOf(error);
  const has = (...wanted: number[]) => codes.some(code => wanted.includes(code));

  // 5000 is WalletConnect's.
  if (has(4001, 5000)) return 'rejected';
  if (codes.every(code => VAGUE.has(code)) && REJECTION.test(text)) return 'rejected';
  if (has(4902)) return 'unknown-chain';
  if (has(-32603) && /\b(?:unrecogni[sz]ed|unknown|unsupported) chain|wallet_addEthereumChain/i.test(text)) {
    return 'unknown-chain';
  }
  if (has(-32002)) return 'pending';
  if (has(4100)) return 'unauthorized';
  if (has(4200, -32601)) return 'unsupported';
  if (/\binsufficient funds\b/i.test(text)) return 'insufficient-funds';
  if (has(3) || /\brevert/i.test(text)) return 'reverted';
  return undefined;
}

/** A number as chains and wallets write it. */
export function hex(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}
