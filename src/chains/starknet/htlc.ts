import {hash, num, validateAndParseAddress, type BigNumberish} from 'starknet';
import type {StarknetPayload} from '../../domain/deposit.js';
import type {Leg} from '../../domain/order.js';
import {canonicalAddress} from '../checks.js';
import {StrangeAnswer} from '../errors.js';
import {hex} from '../rpc.js';
import type {Said, Terms} from '../token-htlc/dialect.js';
import {faultOf} from './rpc.js';

/*
 * The wire format of the swap contracts (hash time-locked contracts, one for each token) and of the tokens. The
 * specification names an entry point by its selector, the hash of its name; wallets require the name.
 */

export const selector = (name: string) => hash.getSelectorFromName(name);

export const SELECTORS = {
  initiate: selector('initiate'),
  refund: selector('refund'),
  get_order: selector('get_order'),
  token: selector('token'),
  approve: selector('approve'),
  allowance: selector('allowance'),
  balance_of: selector('balance_of'),
  balanceOf: selector('balanceOf'),
} as const;

export const EVENTS = {
  Transfer: selector('Transfer'),
  Initiated: selector('Initiated'),
  InitiatedWithDestinationData: selector('InitiatedWithDestinationData'),
  Redeemed: selector('Redeemed'),
  Refunded: selector('Refunded'),
} as const;

export interface NamedCall {
  readonly contractAddress: string;
  readonly entrypoint: string;
  readonly calldata: readonly string[];
}

export function walletCall({contractAddress, entrypoint, calldata}: NamedCall) {
  return {contract_address: contractAddress, entry_point: entrypoint, calldata};
}

const HALF = 2n ** 128n;
/** The bound of all numbers on this chain. */
const PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;

/** Whether a contract may have this address. */
export function isContractAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{1,64}$/.test(text) && BigInt(text) > 0n && isInBounds(text);
}

function isInBounds(address: string): boolean {
  try {
    return Boolean(validateAndParseAddress(address));
  } catch {
    return false;
  }
}

/**
 * An Ethereum address would be in range too, but coins sent to it here would be lost; an account's address is a hash,
 * which does not start with 24 zeros. Letter case has no meaning: the checksum of one library is in no standard.
 */
export function isStarknetAddress(text: string): boolean {
  return isContractAddress(text) && BigInt(text) >= 2n ** 160n;
}

/** An address with all its zeros, in lowercase; anything else as it is. */
export function addressText(text: string): string {
  return canonicalAddress({family: 'starknet'}, text);
}

/** Whether a call is of the known entry point, or of one with that name: its selector is the name's hash. */
export function isEntryOf({selector: called, calldata}: StarknetPayload['call'], entry = 'initiate'): boolean {
  const isReadable = Array.isArray(calldata) && calldata.every(felt => readFelt(felt) !== undefined);
  return isReadable && readFelt(called) === BigInt(selector(entry));
}

/**
 * `initiate(redeemer, timelock u128, amount u256, secret_hash [u32; 8])`, or the same under another name. `undefined`
 * for any other call, and for one with too many or too few numbers, or with one out of range.
 */
export function decodeInitiate(call: StarknetPayload['call'], entry?: string): Terms | undefined {
  if (!isEntryOf(call, entry)) return undefined;
  const {calldata} = call;
  if (!Array.isArray(calldata) || calldata.length !== 12) return undefined;
  const [redeemer, timelock, low, high, ...words] = calldata.map(readFelt);
  if (redeemer === undefined || !isInBounds(hex(redeemer))) return undefined;
  const amount = joinAmount(low, high);
  const secretHash = joinHash(words);
  if (timelock === undefined || timelock >= HALF || amount === undefined || secretHash === undefined) {
    return undefined;
  }
  return {redeemer: addressText(hex(redeemer)), timelock, amount, secretHash};
}

/** The call that pays into a leg of an order. Throws for invalid terms. */
export function encodeInitiate({redeemer, timelock, amount, secretHash}: Leg, to: string): StarknetPayload['call'] {
  const words = (secretHash.match(/.{1,8}/g) ?? []).map(word => `0x${word}`);
  const calldata = calldataOf(redeemer, timelock, ...halvesOf(amount), ...words);
  const call = {to, selector: SELECTORS.initiate, calldata};
  if (!isContractAddress(redeemer) || decodeInitiate(call)?.secretHash !== secretHash)
    throw new TypeError('invalid terms');
  return call;
}

/** Numbers as a call carries them. `CallData` writes the same, with the code for all types of Cairo. */
function calldataOf(...numbers: readonly BigNumberish[]): string[] {
  return numbers.map(number => num.toHex(number));
}

function halvesOf(amount: bigint): readonly [low: BigNumberish, high: BigNumberish] {
  return [amount % HALF, amount / HALF];
}

export function joinAmount(low: bigint | undefined, high: bigint | undefined): bigint | undefined {
  const isHalf = (half: bigint | undefined) => half !== undefined && half < HALF;
  return isHalf(low) && isHalf(high) ? (high ?? 0n) * HALF + (low ?? 0n) : undefined;
}

/** A secret's hash from eight 32-bit words, the highest first. */
export function joinHash(words: readonly (bigint | undefined)[]): string | undefined {
  if (words.length !== 8 || words.some(word => word === undefined || word >= 2n ** 32n)) return undefined;
  return words.map(word => (word ?? 0n).toString(16).padStart(8, '0')).join('');
}

export function approveCall(token: string, spender: string, amount: bigint): NamedCall {
  return {
    contractAddress: shortHex(token),
    entrypoint: 'approve',
    calldata: calldataOf(spender, ...halvesOf(amount)),
  };
}

export function initiateCall({to, calldata}: StarknetPayload['call'], entry = 'initiate'): NamedCall {
  return {contractAddress: shortHex(to), entrypoint: entry, calldata};
}

export function refundCall(contract: string, orderId: string): NamedCall {
  return {contractAddress: shortHex(contract), entrypoint: 'refund', calldata: [orderId]};
}

/**
 * The numbers whose Poseidon hash is an order's id: in the first generation chain, secret hash and payer; in a later
 * one all terms and the contract as well.
 */
export function idParts(
  chainId: bigint,
  payer: string,
  contract: string,
  terms: Terms,
): readonly (readonly bigint[])[] {
  const {redeemer, timelock, amount, secretHash} = terms;
  const words = (secretHash.match(/.{8}/g) ?? []).map(word => BigInt(`0x${word}`));
  const first = [chainId, ...words, BigInt(payer)];
  return [first, [...first, BigInt(redeemer), timelock, amount % HALF, amount / HALF, BigInt(contract)]];
}

/** A cache of the last ids: every read of the chain needs them, and a hash takes milliseconds. */
let last: {readonly of: string; readonly ids: readonly string[]} | undefined;

export function idsOf(...order: Parameters<typeof idParts>): readonly string[] {
  const parts = idParts(...order);
  const of = parts.join(';');
  if (last?.of !== of) last = {of, ids: parts.map(one => hash.computePoseidonHashOnElements([...one]))};
  return last.ids;
}

/** Whether a failed call is the contract's own response: a revert, or a missing entry point. A failed read is not. */
export function isAnswer(error: unknown): boolean {
  const fault = faultOf(error);
  const isRefused = fault === 'reverted' || fault === 'no-entry-point' || fault === 'no-contract';
  return isRefused || error instanceof StrangeAnswer;
}

/** An event in a receipt, in a node's format. */
export interface ContractEvent {
  readonly from_address: string;
  readonly keys: readonly string[];
  readonly data: readonly string[];
  readonly transaction_hash?: string;
  /** Absent while it is unconfirmed. */
  readonly block_number?: number | undefined;
}

export function readEvent({keys, data}: Pick<ContractEvent, 'keys' | 'data'>): Said | undefined {
  // Tokens of the first generation have no keys except the name.
  const [name, first, ...values] = [...keys, ...data].map(readFelt);
  if (name === undefined || first === undefined) return undefined;
  const id = hex(first);
  const secretHash = joinHash(values.slice(0, 8));
  switch (hex(name)) {
    case EVENTS.Refunded:
      return {what: 'refunded', id};
    case EVENTS.Redeemed: {
      const secret = values[8] === 8n ? joinHash(values.slice(9)) : undefined;
      return {what: 'redeemed', id, secretHash: secretHash ?? '', secret};
    }
    case EVENTS.Initiated:
    case EVENTS.InitiatedWithDestinationData:
      return secretHash === undefined ? undefined : {what: 'paid', id, secretHash};
    case EVENTS.Transfer: {
      const [to, low, high] = values;
      const value = joinAmount(low, high);
      if (to === undefined || value === undefined) return undefined;
      return {what: 'moved', from: addressText(id), to: addressText(hex(to)), value};
    }
    default:
      return undefined;
  }
}

export function readFelt(value: unknown): bigint | undefined {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) return undefined;
  const felt = BigInt(value);
  return felt < PRIME ? felt : undefined;
}

/** Wallets and nodes may reject a number with leading zeros. */
export function shortHex(text: string): string {
  return hex(BigInt(text));
}
