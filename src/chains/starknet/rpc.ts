import type {Chain} from '../../domain/asset.js';
import {writeJson} from '../../domain/json.js';
import {clearCodesOf, layersOf, onDevice, readSaid, USER_REJECTED, type Said} from '../errors.js';
import {askNode, openChain} from '../rpc.js';
import type {Timeouts} from '../timeouts.js';

export type Read = (method: string, params?: Readonly<Record<string, unknown>>) => Promise<unknown>;

/**
 * The RPC must confirm that it is that chain; the wallet API cannot read. `undefined` if the partner named none, or it
 * is another chain's. Rejects if it does not respond.
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

export const blockId = (block: bigint | undefined): 'latest' | {readonly block_number: number} =>
  block === undefined ? 'latest' : {block_number: Number(block)};

export async function readHeight(read: Read): Promise<bigint> {
  return BigInt((await read('starknet_blockNumber')) as number);
}

/** The time of a block, by default the newest one, in milliseconds since 1970. */
export async function readTime(read: Read, at?: bigint): Promise<number> {
  const {timestamp} = (await read('starknet_getBlockWithTxHashes', {block_id: blockId(at)})) as {timestamp?: number};
  if (typeof timestamp !== 'number') throw new Error('The block has no time.');
  return timestamp * 1_000;
}

/** There are two public networks; a chain with another name uses the id of mainnet or Sepolia. */
const CHAIN_IDS = {main: 'SN_MAIN', test: 'SN_SEPOLIA'};

/** The id of a chain: its name as a number (a short string). */
export function chainIdOf({test}: Pick<Chain, 'test'>): bigint {
  return encodeText(test ? CHAIN_IDS.test : CHAIN_IDS.main);
}

/** A chain's id from a wallet, a node or typed data: as hex text, or as its name. */
export function readChainId(id: unknown): bigint | undefined {
  if (typeof id !== 'string') return undefined;
  if (/^0x[0-9a-f]{1,64}$/i.test(id)) return BigInt(id);
  return /^[!-~]{1,31}$/.test(id) ? encodeText(id) : undefined;
}

function encodeText(text: string): bigint {
  return Array.from(text).reduce((number, letter) => number * 256n + BigInt(letter.charCodeAt(0)), 0n);
}

/** What an error of a wallet or a node means for certain; `undefined` if nothing is certain. */
export type Fault =
  | 'rejected'
  | 'unsupported'
  | 'insufficient-funds'
  /** The call reverts. Nothing was sent: a transaction that is sent gets a hash, and fails later. */
  | 'reverted'
  | 'no-contract'
  | 'no-entry-point'
  | 'no-transaction';

/** By code: those of the wallet API (`wallet_rpc.json`) and those of nodes (`starknet_api_openrpc.json`). */
const FAULTS: Readonly<Record<number, Fault>> = {
  162: 'unsupported',
  4200: 'unsupported',
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

/**
 * What wallets say, with who says it and where. Not “User abort”: Argent X said so of whatever failed; nor “Execute
 * failed”: Braavos said so of payments that were made.
 */
const SAID: readonly Said<Fault>[] = [
  {
    means: 'rejected',
    // 113: the wallet API (`wallet_rpc.json`), with its message, and the name in it.
    codes: [USER_REJECTED, 113],
    texts: ['An error occurred (USER_REFUSED_OP)', 'USER_REFUSED_OP'],
  },
  ...onDevice<Fault>('rejected', 'unsupported', 'unsupported'),
];

/** Classifies an error by what wallets say, and by the codes of nodes, which wallets nest in others. */
export function faultOf(error: unknown): Fault | undefined {
  const said = readSaid(SAID, error);
  if (said) return said;
  const fault = clearCodesOf(error)
    .map(code => FAULTS[code])
    .find(Boolean);
  // Older nodes have no code for it, and return the message of the virtual machine.
  return fault === 'reverted' && /entry_?point\S*[ _]not[ _]found/i.test(writeJson(layersOf(error)[0]))
    ? 'no-entry-point'
    : fault;
}
