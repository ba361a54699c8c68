import type {Chain} from '../../domain/asset.js';
import {clearCodesOf, isRejection, layersOf} from '../errors.js';
import {askNode, openChain} from '../rpc.js';
import type {Timeouts} from '../timeouts.js';

/** Reads a chain by a JSON-RPC method. */
export type Read = (method: string, params?: Readonly<Record<string, unknown>>) => Promise<unknown>;

/**
 * Reads a chain from its `rpc`, if the partner named one and it says that it is that chain. The wallet API cannot read,
 * so there is no other way. `undefined` where none is named, or it says that it is another. Rejects where it did not say.
 */
export async function readerOf(chain: Chain, timeouts: Timeouts, signal?: AbortSignal): Promise<Read | undefined> {
  const read = await openChain(
    chain,
    (url, method, params) => askNode(url, method, params, timeouts, signal),
    async ask => {
      const id = readChainId(await ask('starknet_chainId', {}));
      if (id === undefined) throw new Error('The answer is no id of a chain.');
      return id === chainIdOf(chain);
    },
    signal,
  );
  return read && ((method, params = {}) => read(method, params));
}

/** The number of the newest block. */
export async function readHeight(read: Read): Promise<bigint> {
  return BigInt((await read('starknet_blockNumber')) as number);
}

/** There are two public networks; a chain with another name stands for the one of its kind. */
const CHAIN_IDS = {main: 'SN_MAIN', test: 'SN_SEPOLIA'};

/** The id of a chain: a number made of its letters (a short string). */
export function chainIdOf({test}: Pick<Chain, 'test'>): bigint {
  return encodeText(test ? CHAIN_IDS.test : CHAIN_IDS.main);
}

/** A chain's id as wallets, nodes and typed data write it: as hex text, or as its letters. */
export function readChainId(id: unknown): bigint | undefined {
  if (typeof id !== 'string') return undefined;
  if (/^0x[0-9a-f]{1,64}$/i.test(id)) return BigInt(id);
  return /^[!-~]{1,31}$/.test(id) ? encodeText(id) : undefined;
}

function encodeText(text: string): bigint {
  return Array.from(text).reduce((number, letter) => number * 256n + BigInt(letter.charCodeAt(0)), 0n);
}

/** What an error of a wallet or a node says for certain; `undefined` where it says nothing certain. */
export type Fault =
  /** The person said no. */
  | 'rejected'
  /** The wallet does not know this method, or not in this form. */
  | 'unsupported'
  /** The coins do not cover the fee. */
  | 'insufficient-funds'
  /** A contract refuses the call. Nothing was sent: a transaction that is sent gets a hash, and fails later. */
  | 'reverted'
  /** There is no contract at that address. */
  | 'no-contract'
  /** The contract has no entry point of that name. */
  | 'no-entry-point'
  /** The chain does not know that transaction. */
  | 'no-transaction';

/** By code: those of the wallet API (`wallet_rpc.json`) and those of nodes (`starknet_api_openrpc.json`). */
const FAULTS: Readonly<Record<number, Fault>> = {
  162: 'unsupported',
  [-32601]: 'unsupported',
  20: 'no-contract',
  21: 'no-entry-point',
  29: 'no-transaction',
  25: 'no-transaction',
  40: 'reverted',
  41: 'reverted',
  53: 'insufficient-funds',
  54: 'insufficient-funds',
};

/** Reads an error by its codes, which wallets wrap into others, and by its message where the codes say nothing. */
export function faultOf(error: unknown): Fault | undefined {
  if (isRejection(error, 113)) return 'rejected';
  const fault = clearCodesOf(error)
    .map(code => FAULTS[code])
    .find(Boolean);
  // Older nodes have no code for it, and pass on the message of the virtual machine.
  return fault === 'reverted' && /entry_?point\S*[ _]not[ _]found/i.test(JSON.stringify(layersOf(error)[0]))
    ? 'no-entry-point'
    : fault;
}
