import {CallData, hash, uint256, validateAndParseAddress} from 'starknet';
import type {StarknetPayload} from '../../domain/deposit.js';
import type {Leg, Order} from '../../domain/order.js';
import {canonicalAddress, sha256} from '../checks.js';
import {hex} from '../rpc.js';
import type {KeptOrder} from '../witness.js';
import {faultOf, type Read} from './rpc.js';

/*
 * The wire format of the swap contracts, hash-time-locked contracts with one for each token, and of the tokens. The
 * specification names an entry point by its selector, which is the hash of the name; wallets want the name.
 */

const selector = (name: string) => hash.getSelectorFromName(name);

/** The entry points in use by name, with their selectors. */
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

export type EntryPoint = keyof typeof SELECTORS;

/** The events in use, each by the hash of its name. */
export const EVENTS = {
  Transfer: selector('Transfer'),
  Initiated: selector('Initiated'),
  InitiatedWithDestinationData: selector('InitiatedWithDestinationData'),
  Redeemed: selector('Redeemed'),
  Refunded: selector('Refunded'),
} as const;

/** A call as starknet.js takes it, by the name of its entry point. */
export interface NamedCall {
  readonly contractAddress: string;
  readonly entrypoint: EntryPoint;
  readonly calldata: readonly string[];
}

/** The same call as the wallet API has it. */
export function walletCall({contractAddress, entrypoint, calldata}: NamedCall) {
  return {contract_address: contractAddress, entry_point: entrypoint, calldata};
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

/** Each half of an amount is smaller. */
const HALF = 2n ** 128n;
/** All numbers on this chain are smaller. */
const PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;

/** Whether a contract may have this address. */
export function isContractAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{1,64}$/.test(text) && BigInt(text) > 0n && isInBounds(text);
}

/** All addresses are smaller than the bound that the protocol sets. */
function isInBounds(address: string): boolean {
  try {
    return Boolean(validateAndParseAddress(address));
  } catch {
    return false;
  }
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
  if (redeemer === undefined || !isInBounds(hex(redeemer))) return undefined;
  const amount = joinAmount(low, high);
  const secretHash = joinHash(words);
  if (timelock === undefined || timelock >= HALF || amount === undefined || secretHash === undefined) {
    return undefined;
  }
  return {redeemer: addressText(hex(redeemer)), timelock, amount, secretHash};
}

/** The call that pays into a leg of an order. */
export function encodeInitiate({redeemer, timelock, amount, secretHash}: Leg, to: string): StarknetPayload['call'] {
  const words = (secretHash.match(/.{8}/g) ?? []).map(word => `0x${word}`);
  const calldata = CallData.toHex([redeemer, timelock, uint256.bnToUint256(amount), ...words]);
  return {to, selector: SELECTORS.initiate, calldata};
}

/** An amount of two halves of 128 bits each (`u256`). */
export function joinAmount(low: bigint | undefined, high: bigint | undefined): bigint | undefined {
  const isHalf = (half: bigint | undefined) => half !== undefined && half < HALF;
  return isHalf(low) && isHalf(high) ? (high ?? 0n) * HALF + (low ?? 0n) : undefined;
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
    calldata: CallData.toHex([spender, uint256.bnToUint256(amount)]),
  };
}

/** The service's own call, with the name that its selector stands for. */
export function initiateCall({to, calldata}: StarknetPayload['call']): NamedCall {
  return {contractAddress: shortHex(to), entrypoint: 'initiate', calldata};
}

export function refundCall({to}: StarknetPayload['call'], orderId: string): NamedCall {
  return {contractAddress: shortHex(to), entrypoint: 'refund', calldata: [orderId]};
}

/** The id in the order as read back, if it can be one. */
export function namedId(order: Order | undefined): string | undefined {
  const text = order?.source.swapId.replace(/^0x/i, '');
  const id = text === undefined ? undefined : readFelt(`0x${text}`);
  return id === undefined || id === 0n ? undefined : hex(id);
}

/**
 * The numbers whose Poseidon hash a contract uses as an order's id: in the first generation chain, secret hash and
 * payer; in a later one all terms and the contract as well.
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

/** A block as nodes take it: the newest, or one by its number. */
type BlockId = 'latest' | {readonly block_number: number};

const blockId = (block: bigint | undefined): BlockId =>
  block === undefined ? 'latest' : {block_number: Number(block)};

/** What a contract keeps under an id, now or after a block; `undefined` where there is nothing: that reads as zeros. */
export async function readOrder(read: Read, contract: string, id: string, at?: bigint): Promise<KeptOrder | undefined> {
  const order = await call(read, contract, 'get_order', [id], blockId(at));
  const [over = 0n, initiator = 0n, redeemer = 0n, block = 0n, timelock = 0n, low, high] = order;
  const amount = joinAmount(low, high);
  if (amount === undefined) throw strangeAnswer('get_order');
  if (order.every(value => value === 0n)) return undefined;
  return {
    initiator: addressText(hex(initiator)),
    redeemer: addressText(hex(redeemer)),
    timelock,
    amount,
    block,
    isHeld: over === 0n,
    // Where a contract only says that it is over, that is a 1.
    ...(over > 1n && {endedIn: over}),
  };
}

/** Marks an answer that is none of the expected form. */
const BAD_DATA = 'BAD_DATA';

function strangeAnswer(name: string): Error {
  return Object.assign(new Error(`${name} gave something else`), {code: BAD_DATA});
}

/** Whether a failed call is an answer of its own: it is refused, or cannot be asked. A failed read is none. */
export function isAnswer(error: unknown): boolean {
  const fault = faultOf(error);
  const isRefused = fault === 'reverted' || fault === 'no-entry-point' || fault === 'no-contract';
  return isRefused || (error as {readonly code?: unknown} | null)?.code === BAD_DATA;
}

/** An event in a receipt, as nodes write it. */
export interface ContractEvent {
  readonly from_address: string;
  readonly keys: readonly string[];
  readonly data: readonly string[];
}

/** An event of a block. */
export interface MinedEvent extends ContractEvent {
  readonly transaction_hash: string;
  /** Absent while it is in none. */
  readonly block_number?: number | undefined;
}

/** The contract's own events of an order's payment. */
export function readPayments(read: Read, contract: string, {id, block}: {readonly id: string; readonly block: bigint}) {
  return readEvents(read, contract, id, ['Initiated', 'InitiatedWithDestinationData'], block, block);
}

/** The contract's own events of how an order ended, from a block on, or in it. */
export function readEnds(read: Read, contract: string, id: string, from: bigint, to?: bigint) {
  return readEvents(read, contract, id, ['Redeemed', 'Refunded'], from, to);
}

async function readEvents(
  read: Read,
  contract: string,
  id: string,
  names: readonly (keyof typeof EVENTS)[],
  from: bigint,
  to?: bigint,
): Promise<readonly MinedEvent[]> {
  const range = {from_block: blockId(from), to_block: blockId(to)};
  const keys = [names.map(name => EVENTS[name]), [shortHex(id)]];
  const filter = {...range, address: shortHex(contract), keys, chunk_size: 10};
  const {events} = (await read('starknet_getEvents', {filter})) as {readonly events: readonly MinedEvent[]};
  return events;
}

/** The ids of the orders with a secret hash that were paid into a contract, by its own events. */
export function paidIds(events: readonly ContractEvent[], contract: string, secretHash: string): readonly string[] {
  const names = [EVENTS.Initiated, EVENTS.InitiatedWithDestinationData].map(BigInt);
  return events
    .filter(({from_address: address}) => isSameStarknetAddress(address, contract))
    .map(({keys, data}) => [...keys, ...data].map(readFelt))
    .flatMap(([name = 0n, id, ...values]) =>
      names.includes(name) && id !== undefined && joinHash(values.slice(0, 8)) === secretHash ? [hex(id)] : [],
    );
}

/** How a contract's own event says that it ended an order; `undefined` for any other event. */
export function readEnd(
  {from_address: address, keys, data}: ContractEvent,
  contract: string,
  id: string,
): 'redeemed' | 'refunded' | undefined {
  const [name, ofId] = [...keys, ...data].map(readFelt);
  if (!isSameStarknetAddress(address, contract) || ofId !== BigInt(id)) return undefined;
  if (name === BigInt(EVENTS.Refunded)) return 'refunded';
  return name === BigInt(EVENTS.Redeemed) ? 'redeemed' : undefined;
}

/** What an event says that a token moved, and between whom; `undefined` for any other event. */
export function readTransfer({keys, data}: ContractEvent) {
  // Tokens of the first generation have no keys beside the name.
  const [name, from, to, low, high] = [...keys, ...data].map(readFelt);
  const value = joinAmount(low, high);
  if (name !== BigInt(EVENTS.Transfer) || from === undefined || to === undefined || value === undefined)
    return undefined;
  return {from: addressText(hex(from)), to: addressText(hex(to)), value};
}

/** What an event says that a swap contract paid out: the order's id, and the secret as hex digits. */
export async function readRedeemed({keys, data}: ContractEvent) {
  const [name, id, ...values] = [...keys, ...data].map(readFelt);
  if (name !== BigInt(EVENTS.Redeemed) || id === undefined) return undefined;
  const [hash, secret] = [joinHash(values.slice(0, 8)), joinHash(values.slice(9))];
  return values[8] === 8n && secret !== undefined && (await sha256(secret)) === hash
    ? {id: hex(id), secret}
    : undefined;
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

/** The number of the newest block. */
export async function readHead(read: Read): Promise<bigint> {
  return BigInt((await read('starknet_blockNumber')) as number);
}

/** When a block was made, in milliseconds since 1970. */
export async function readTime(read: Read, block: bigint): Promise<number> {
  const {timestamp} = (await read('starknet_getBlockWithTxHashes', {block_id: blockId(block)})) as {
    readonly timestamp?: number;
  };
  if (typeof timestamp !== 'number') throw new Error(`Block ${String(block)} has no time.`);
  return timestamp * 1_000;
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

/** A transaction's receipt, without a block while it is in none; `undefined` where the chain does not know it. */
export async function readReceipt(read: Read, hash: string) {
  try {
    const receipt = (await read('starknet_getTransactionReceipt', {transaction_hash: hash})) as {
      readonly execution_status: string;
      readonly finality_status?: string;
      readonly block_number?: number;
      readonly events: readonly ContractEvent[];
    };
    // The number of the block that is being made is known before that is one.
    const {block_number: number, finality_status: finality} = receipt;
    return {...receipt, block_number: finality === 'PRE_CONFIRMED' ? undefined : number};
  } catch (error) {
    if (faultOf(error) === 'no-transaction') return undefined;
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
  block: BlockId = 'latest',
): Promise<readonly bigint[]> {
  const answer = await read('starknet_call', {
    request: {
      contract_address: shortHex(contract),
      entry_point_selector: SELECTORS[entryPoint],
      calldata: calldata.map(shortHex),
    },
    block_id: block,
  });
  if (!Array.isArray(answer)) throw new Error(`${entryPoint} gave no answer`);
  return answer.map(value => {
    const felt = readFelt(value);
    if (felt === undefined) throw new Error(`${entryPoint} gave no number`);
    return felt;
  });
}

/** Whether a text is a number of this chain, in hex digits. */
export function isFelt(text: string): boolean {
  return readFelt(text) !== undefined;
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
