import type {StarknetPayload} from '../../domain/deposit.js';
import type {Order} from '../../domain/order.js';
import {canonicalAddress} from '../checks.js';
import {hex} from '../rpc.js';
import {faultOf, type Read} from './rpc.js';

/*
 * The wire format of the swap contracts, hash-time-locked contracts with one for each token, and of the tokens. The
 * specification names an entry point by its selector, which is the hash of the name; wallets want the name.
 */

/** The entry points in use by name, with their selectors: `starknet_keccak` of the name. */
export const SELECTORS = {
  initiate: '0x2aed25fcd0101fcece997d93f9d0643dfa3fbd4118cae16bf7d6cd533577c28',
  refund: '0x3d967966e6b0ea40f78dff297fed3b472763137dac6cf564d7263e918f425ef',
  get_order: '0x3b0f8219bcd51d885e6cef695035d39abb7013c04c900cb308595625dcfa0f1',
  token: '0x39b0454cadcb5884dd3faa6ba975da4d2459aa3f11d31291a25a8358f84946d',
  approve: '0x219209e083275171774dab1df80982e9df2096516f06319c5c6d71ae0a8480c',
  allowance: '0x1e888a1026b19c8c0b57c72d63ed1737106aa10034105b980ba117bd0c29fe1',
  balance_of: '0x35a73cd311a05d46deda634c5ee045db92f811b4e74bca4437fcb5302b7af33',
  balanceOf: '0x2e4263afad30923c891518314c3c95dbe830a16874e8abc5777a9a20b54c76e',
} as const;

export type EntryPoint = keyof typeof SELECTORS;

/** A call as `WalletAccount` takes it, by the name of its entry point. */
export interface NamedCall {
  readonly contractAddress: string;
  readonly entrypoint: EntryPoint;
  readonly calldata: readonly string[];
}

/** What is paid into a swap, read from the call. */
export interface Terms {
  readonly redeemer: string;
  /** In blocks. */
  readonly timelock: bigint;
  readonly amount: bigint;
  /** 64 lowercase hex digits without a prefix. */
  readonly secretHash: string;
}

/** All numbers on this chain are smaller. */
const PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;
/** All addresses are smaller. */
const ADDRESS_BOUND = 2n ** 251n - 256n;

/** Whether a contract may have this address. */
export function isContractAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{1,64}$/.test(text) && BigInt(text) > 0n && BigInt(text) < ADDRESS_BOUND;
}

/**
 * Whether a text can be an account's address. An Ethereum address would be a number in range too, and coins sent to it
 * here would be lost; an account's address is a hash, which has no 24 zeros in front. Mixed case means nothing: the
 * checksum that one library writes is in no standard.
 */
export function isStarknetAddress(text: string): boolean {
  return isContractAddress(text) && BigInt(text) >= 2n ** 160n;
}

export function isSameStarknetAddress(one: string, other: string): boolean {
  return addressText(one) === addressText(other);
}

/** An address with all its zeros, in lowercase; anything else as it is. */
export function addressText(text: string): string {
  return canonicalAddress({family: 'starknet'}, text);
}

/**
 * Reads a call that pays into a swap: `initiate(redeemer, timelock u128, amount u256, secret_hash [u32; 8])`.
 * `undefined` for any other call, and for one with too many or too few numbers, or with one out of range.
 */
export function decodeInitiate({selector, calldata}: StarknetPayload['call']): Terms | undefined {
  if (readFelt(selector) !== BigInt(SELECTORS.initiate)) return undefined;
  if (!Array.isArray(calldata) || calldata.length !== 12) return undefined;
  const [redeemer, timelock, low, high, ...words] = calldata.map(readFelt);
  if (redeemer === undefined || redeemer >= ADDRESS_BOUND) return undefined;
  const amount = joinAmount(low, high);
  const secretHash = joinHash(words);
  if (timelock === undefined || timelock >= 2n ** 128n || amount === undefined || secretHash === undefined) {
    return undefined;
  }
  return {redeemer: addressText(hex(redeemer)), timelock, amount, secretHash};
}

/** An amount of two halves of 128 bits each (`u256`). */
export function joinAmount(low: bigint | undefined, high: bigint | undefined): bigint | undefined {
  const isHalf = (half: bigint | undefined) => half !== undefined && half < 2n ** 128n;
  return isHalf(low) && isHalf(high) ? (high ?? 0n) * 2n ** 128n + (low ?? 0n) : undefined;
}

/** A secret's hash from eight words of 32 bits, the highest first. */
export function joinHash(words: readonly (bigint | undefined)[]): string | undefined {
  if (words.length !== 8 || words.some(word => word === undefined || word >= 2n ** 32n)) return undefined;
  return words.map(word => (word ?? 0n).toString(16).padStart(8, '0')).join('');
}

/** A call that approves exactly an amount of a token for a spender. */
export function approveCall(token: string, spender: string, amount: bigint): NamedCall {
  return {
    contractAddress: shortHex(token),
    entrypoint: 'approve',
    calldata: [shortHex(spender), hex(amount % 2n ** 128n), hex(amount / 2n ** 128n)],
  };
}

/** The service's own call, with the name that its selector stands for. */
export function initiateCall({to, calldata}: StarknetPayload['call']): NamedCall {
  return {contractAddress: shortHex(to), entrypoint: 'initiate', calldata};
}

export function refundCall({to}: StarknetPayload['call'], orderId: string): NamedCall {
  return {contractAddress: shortHex(to), entrypoint: 'refund', calldata: [orderId]};
}

/**
 * The id under which the contract keeps an order. Each generation of contracts derives it differently, so it is taken
 * from the order as read back.
 */
export function orderIdOf(order: Order | undefined): string | undefined {
  const text = order?.source.swapId.replace(/^0x/i, '');
  const id = text === undefined ? undefined : readFelt(`0x${text}`);
  return id === undefined || id === 0n ? undefined : hex(id);
}

export async function readToken(read: Read, contract: string): Promise<string | undefined> {
  const [token] = await call(read, contract, 'token', []);
  return token === undefined ? undefined : addressText(hex(token));
}

export async function readBalance(read: Read, token: string, owner: string): Promise<bigint> {
  try {
    return await readAmount(read, token, 'balance_of', [owner]);
  } catch (error) {
    // Older tokens only have the older name.
    if (faultOf(error) !== 'no-entry-point') throw error;
    return readAmount(read, token, 'balanceOf', [owner]);
  }
}

export function readAllowance(read: Read, token: string, owner: string, spender: string): Promise<bigint> {
  return readAmount(read, token, 'allowance', [owner, spender]);
}

/** Whether the contract holds this order, or held it: one that was never there reads as zeros. */
export async function holdsOrder(read: Read, contract: string, orderId: string): Promise<boolean> {
  const order = await call(read, contract, 'get_order', [orderId]);
  if (!order.length) throw new Error('get_order gave no order');
  return order.some(value => value !== 0n);
}

/** Whether the contract would pay a refund now. Anyone may call it, so it can be simulated without a caller. */
export async function wouldRefund(read: Read, contract: string, orderId: string): Promise<boolean> {
  try {
    await call(read, contract, 'refund', [orderId]);
    return true;
  } catch (error) {
    if (faultOf(error) === 'reverted') return false;
    throw error;
  }
}

/** Whether there is a contract at an address. */
export async function hasCode(read: Read, address: string): Promise<boolean> {
  try {
    const hash = await read('starknet_getClassHashAt', {block_id: 'latest', contract_address: address});
    return readFelt(hash) !== 0n;
  } catch (error) {
    if (faultOf(error) === 'no-contract') return false;
    throw error;
  }
}

/** How a transaction stands. `seen`: in no block yet; `none`: the chain does not know it. */
export async function transactionStatus(read: Read, hash: string): Promise<'none' | 'seen' | 'done' | 'reverted'> {
  try {
    const {finality_status: finality, execution_status: execution} = (await read('starknet_getTransactionStatus', {
      transaction_hash: hash,
    })) as {readonly finality_status?: unknown; readonly execution_status?: unknown};
    if (execution === 'REVERTED' || finality === 'REJECTED') return 'reverted';
    return finality === 'ACCEPTED_ON_L2' || finality === 'ACCEPTED_ON_L1' ? 'done' : 'seen';
  } catch (error) {
    if (faultOf(error) === 'no-transaction') return 'none';
    throw error;
  }
}

async function readAmount(
  read: Read,
  token: string,
  entryPoint: EntryPoint,
  addresses: readonly string[],
): Promise<bigint> {
  const [low, high] = await call(read, token, entryPoint, addresses);
  const amount = joinAmount(low, high);
  if (amount === undefined) throw new Error(`${entryPoint} gave no amount`);
  return amount;
}

async function call(
  read: Read,
  contract: string,
  entryPoint: EntryPoint,
  calldata: readonly string[],
): Promise<readonly bigint[]> {
  const answer = await read('starknet_call', {
    request: {
      contract_address: shortHex(contract),
      entry_point_selector: SELECTORS[entryPoint],
      calldata: calldata.map(shortHex),
    },
    block_id: 'latest',
  });
  if (!Array.isArray(answer)) throw new Error(`${entryPoint} gave no answer`);
  return answer.map(value => {
    const felt = readFelt(value);
    if (felt === undefined) throw new Error(`${entryPoint} gave no number`);
    return felt;
  });
}

/** A number of this chain, as hex text. */
function readFelt(value: unknown): bigint | undefined {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) return undefined;
  const felt = BigInt(value);
  return felt < PRIME ? felt : undefined;
}

/** Wallets and nodes may refuse a number with leading zeros. */
function shortHex(text: string): string {
  return hex(BigInt(text));
}
