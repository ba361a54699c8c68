/*
 * ENS names in place of addresses. Loaded with the first name: the code that normalizes names is large.
 */
import {ensNormalize, id, namehash} from 'ethers';
import type {Chain} from '../../domain/asset.js';
import type {NameReading} from '../../domain/draft.js';
import {layersOf} from '../errors.js';
import type {Timeouts} from '../timeouts.js';
import {checksummed, decode} from './abi.js';
import {faultOf, readerOf, type Read} from './rpc.js';

/** The registry, at the same address on mainnet and Sepolia. */
const REGISTRY = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e';

/** The chain ids of Ethereum mainnet and Sepolia. */
const MAIN = 1;
const TEST = 11_155_111;

const selector = (form: string) => id(form).slice(0, 10);

/** Selectors of the calls (EIP-137, ENSIP-9), and of the error for an off-chain lookup (EIP-3668). */
const RESOLVER = selector('resolver(bytes32)');
const ADDR = selector('addr(bytes32)');
const ADDR_OF_COIN = selector('addr(bytes32,uint256)');
const OFFCHAIN_LOOKUP = selector('OffchainLookup(address,string[],bytes,bytes4,bytes)');

const ZERO = /^0x0*$/;

class NoAddress extends Error {
  constructor(readonly fault: 'no-address' | 'offchain') {
    super(fault);
  }
}

/**
 * Resolves a name to its address on a chain, using only the `rpc` that the partner named for Ethereum. On another chain
 * only an address that was set for that chain counts (ENSIP-11). Never rejects.
 */
export async function readName(
  text: string,
  chain: Chain,
  ethereum: Chain | undefined,
  timeouts: Timeouts,
  signal?: AbortSignal,
): Promise<NameReading> {
  const home = chain.test ? TEST : MAIN;
  if (ethereum?.rpc === undefined || ethereum.chainId !== home) return {name: text, fault: 'off'};
  const name = normalized(text);
  if (name === undefined) return {name: text, fault: 'not-a-name'};
  try {
    const read = await readerOf(ethereum, undefined, timeouts, signal);
    if (!read) return {name, fault: 'unread'};
    return {name, address: await readAddress(read, namehash(name), chain.chainId === home ? undefined : chain)};
  } catch (error) {
    return {name, fault: error instanceof NoAddress ? error.fault : 'unread'};
  }
}

/**
 * The name normalized by ENSIP-15. `undefined` if it cannot be, or if more than capitals and emoji variants would
 * change: the visitor has to correct characters that only look like others.
 */
function normalized(text: string): string | undefined {
  try {
    const name = ensNormalize(text);
    return name === text.toLowerCase().replaceAll('\ufe0f', '') ? name : undefined;
  } catch {
    return undefined;
  }
}

/** `other`: the chain, if it is not the one on which names are registered. */
async function readAddress(read: Read, node: string, other: Chain | undefined): Promise<string> {
  const resolver = addressIn(await call(read, REGISTRY, RESOLVER + node.slice(2)));
  if (!other) return addressIn(await callResolver(read, resolver, ADDR + node.slice(2)));
  // ENSIP-11: 0x80000000 | chain id. Higher chain ids have no coin type.
  const chainId = other.chainId ?? 0;
  if (!(chainId > 0 && chainId < 0x8000_0000)) throw new NoAddress('no-address');
  const coinType = (0x8000_0000 + chainId).toString(16).padStart(64, '0');
  const answer = await callResolver(read, resolver, ADDR_OF_COIN + node.slice(2) + coinType);
  const [bytes] = decode(['bytes'], answer) ?? [];
  if (typeof bytes !== 'string') throw new Error('The resolver gave no bytes.');
  if (ZERO.test(bytes)) throw new NoAddress('no-address');
  return checksummed(bytes);
}

function addressIn(word: string): string {
  if (!/^0x0{24}[\da-f]{40}$/i.test(word)) throw new Error(`no address: ${word.slice(0, 80)}`);
  if (ZERO.test(word)) throw new NoAddress('no-address');
  return checksummed(`0x${word.slice(26)}`);
}

/** A resolver without such a call, or with an empty result, has no address. */
async function callResolver(read: Read, resolver: string, data: string): Promise<string> {
  try {
    const answer = await call(read, resolver, data);
    if (answer === '0x') throw new NoAddress('no-address');
    return answer;
  } catch (error) {
    if (layersOf(error).some(layer => Object.values(layer).some(isOffchainLookup))) throw new NoAddress('offchain');
    throw faultOf(error) === 'reverted' ? new NoAddress('no-address') : error;
  }
}

/** Whether the revert data of a node's error, possibly inside its message, is that error. */
function isOffchainLookup(value: unknown): boolean {
  return typeof value === 'string' && value.toLowerCase().includes(OFFCHAIN_LOOKUP);
}

async function call(read: Read, to: string, data: string): Promise<string> {
  const answer = await read('eth_call', {to, data}, 'latest');
  if (typeof answer !== 'string') throw new Error('The answer is no data.');
  return answer;
}
