import {AbiCoder, EventFragment, FunctionFragment, getAddress} from 'ethers';
import type {Deal} from '../../domain/deposit.js';
import type {Leg} from '../../domain/order.js';
import {lowerCase, sha256} from '../checks.js';
import {hex} from '../rpc.js';
import type {KeptOrder} from '../witness.js';
import {faultOf, type Read} from './rpc.js';

/*
 * The wire format of the swap contracts: hash-time-locked contracts, one for each token, in the generations that are
 * public. The specification shows only the first form of `initiate`.
 */

type Types = readonly ('address' | 'uint256' | 'bytes32' | 'bytes')[];

/** A call that is in use: its selector, and what is handed over. */
const call = (name: string, ...types: Types) => ({selector: FunctionFragment.getSelector(name, [...types]), types});

const CALLS = {
  initiate: call('initiate', 'address', 'uint256', 'uint256', 'bytes32'),
  /** A later form, with bytes for the destination that the contract only logs. */
  initiateWithData: call('initiate', 'address', 'uint256', 'uint256', 'bytes32', 'bytes'),
  refund: call('refund', 'bytes32'),
  orders: call('orders', 'bytes32'),
  token: call('token'),
  balanceOf: call('balanceOf', 'address'),
  allowance: call('allowance', 'address', 'address'),
  approve: call('approve', 'address', 'uint256'),
};

/** The events in use: the first topic. */
const EVENTS = {
  Transfer: EventFragment.getTopicHash('Transfer', ['address', 'address', 'uint256']),
  Initiated: EventFragment.getTopicHash('Initiated', ['bytes32', 'bytes32', 'uint256']),
  InitiatedWithDestinationData: EventFragment.getTopicHash('InitiatedWithDestinationData', [
    ...['bytes32', 'bytes32', 'uint256', 'bytes'],
  ]),
  Redeemed: EventFragment.getTopicHash('Redeemed', ['bytes32', 'bytes32', 'bytes']),
  Refunded: EventFragment.getTopicHash('Refunded', ['bytes32']),
};

const abi = AbiCoder.defaultAbiCoder();

/** Writes values as contracts take them. Throws for one that its type cannot hold. */
function encode(types: Types, values: readonly unknown[]): string {
  return abi.encode(
    types,
    values.map((value, at) => (types[at] === 'uint256' ? value : plainHex(value))),
  );
}

/** An address with its checksum (EIP-55), whatever it had before. Throws for what is no address. */
export function checksummed(address: string): string {
  return getAddress(plainHex(address).toLowerCase());
}

/** Text of whole bytes. The library also takes an address without its prefix, or as one of a bank (ICAP). */
export function plainHex(bytes: unknown): string {
  if (typeof bytes !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(bytes)) throw new TypeError('no bytes');
  return bytes;
}

/**
 * Reads values as contracts write them. `undefined` where they are written in any other way, with offsets that overlap for
 * one. What follows them does not matter.
 */
function decode(types: Types, data: string): readonly unknown[] | undefined {
  try {
    const values = [...(abi.decode(types, data) as Iterable<unknown>)];
    return data.toLowerCase().startsWith(encode(types, values)) ? values : undefined;
  } catch {
    return undefined;
  }
}

function encodeCall(name: keyof typeof CALLS, values: readonly unknown[]): string {
  const {selector, types} = CALLS[name];
  return selector + encode(types, values).slice('0x'.length);
}

/** What a contract for a chain's own coin names as its token. */
export const COIN = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

/** What is paid into a swap, read from the call. */
export interface Terms {
  readonly redeemer: string;
  /** In blocks. */
  readonly timelock: bigint;
  readonly amount: bigint;
  /** `0x` and 64 lowercase hex digits. */
  readonly secretHash: string;
}

/**
 * Reads a call that pays into a swap. `undefined` for any other call, and for one that is not in canonical form, with
 * too many or too few bytes or with offsets that overlap. The later form passes only without bytes for the destination,
 * since their meaning is not known.
 */
export function decodeInitiate(data: string): Terms | undefined {
  for (const name of ['initiate', 'initiateWithData'] as const) {
    const {selector, types} = CALLS[name];
    const values = data.toLowerCase().startsWith(selector)
      ? decode(types, `0x${data.slice(selector.length)}`)
      : undefined;
    // The call as it would be made of these values, without a byte more.
    if (!values || encodeCall(name, values) !== data.toLowerCase()) continue;
    const [redeemer, timelock, amount, secretHash, more = '0x'] = values as [string, bigint, bigint, string, string?];
    if (more === '0x') return {redeemer, timelock, amount, secretHash};
  }
  return undefined;
}

/** The call that pays into a leg of an order. Throws for terms that are none. */
export function encodeInitiate({redeemer, timelock, amount, secretHash}: Leg): string {
  return encodeCall('initiate', [redeemer, timelock, amount, `0x${secretHash}`]);
}

export function encodeApprove(spender: string, amount: bigint): string {
  return encodeCall('approve', [spender, amount]);
}

export function encodeRefund(orderId: string): string {
  return encodeCall('refund', [orderId]);
}

export async function readToken(read: Read, swapContract: string): Promise<string> {
  return (await ask(read, swapContract, 'token', [], 'address')) as string;
}

export async function readBalance(read: Read, token: string, owner: string): Promise<bigint> {
  return (await ask(read, token, 'balanceOf', [owner], 'uint256')) as bigint;
}

export async function readAllowance(read: Read, token: string, owner: string, spender: string): Promise<bigint> {
  return (await ask(read, token, 'allowance', [owner, spender], 'uint256')) as bigint;
}

/** What an account has of the chain's own coin, now or after a block. */
export async function readCoins(read: Read, owner: string, block = 'latest'): Promise<bigint> {
  return BigInt((await read('eth_getBalance', owner, block)) as string);
}

/** The number of the newest block. */
export async function readHead(read: Read): Promise<bigint> {
  return BigInt((await read('eth_blockNumber')) as string);
}

/** When a block was made, in milliseconds since 1970. */
export async function readTime(read: Read, block: bigint): Promise<number> {
  const {timestamp} = ((await read('eth_getBlockByNumber', hex(block), false)) ?? {}) as {readonly timestamp?: string};
  if (timestamp === undefined) throw new Error(`There is no block ${String(block)}.`);
  return Number(timestamp) * 1_000;
}

/** Whether there is code at an address. */
export async function hasCode(read: Read, address: string): Promise<boolean> {
  const code = await read('eth_getCode', address, 'latest');
  return typeof code === 'string' && /^0x0*[1-9a-f]/i.test(code);
}

/** What a contract keeps under an id, now or after a block; `undefined` where there is nothing. */
export async function readOrder(
  read: Read,
  contract: string,
  id: string,
  block = 'latest',
): Promise<KeptOrder | undefined> {
  const kept = await read('eth_call', {to: contract, data: encodeCall('orders', [id])}, block);
  if (typeof kept !== 'string' || !/^0x([0-9a-f]{64})+$/i.test(kept)) throw strangeAnswer('orders');
  // An order that is not there reads as zeros, whichever fields a generation has.
  if (!/[1-9a-f]/i.test(kept.slice(2))) return undefined;
  const words = (kept.slice(2).match(/.{64}/g) ?? []).map(word => BigInt(`0x${word}`));
  const [first = 0n, ...others] = words;
  // One generation says first whether it is over, and others last in which block it was: an address is never 0 or 1.
  const fields = first > 1n ? words : [...others, first];
  const [initiator = 0n, redeemer = 0n, paidIn = 0n, timelock = 0n, amount = 0n, over] = fields;
  if (over === undefined) throw strangeAnswer('orders');
  const address = (word: bigint) => `0x${word.toString(16).padStart(40, '0')}`;
  return {
    initiator: address(initiator),
    redeemer: address(redeemer),
    timelock,
    amount,
    block: paidIn,
    isHeld: over === 0n,
    ...(over > 1n && {endedIn: over}),
  };
}

/** Marks an answer that is none of the expected form. */
const BAD_DATA = 'BAD_DATA';

function strangeAnswer(name: string): Error {
  return Object.assign(new Error(`${name}() gave something else`), {code: BAD_DATA});
}

/** Whether a failed call is a contract's own answer: it refuses, or gives something else. A failed read is none. */
export function isAnswer(error: unknown): boolean {
  return faultOf(error) === 'reverted' || (error as {readonly code?: unknown} | null)?.code === BAD_DATA;
}

/** The id in the order as read, if it can be one. */
function namedId({order}: Deal): string | undefined {
  const [, name] = /^(?:0x)?([0-9a-f]{64})$/i.exec(order?.source.swapId ?? '') ?? [];
  return name && `0x${name.toLowerCase()}`;
}

/** An order that was found in a contract. */
export interface FoundOrder extends KeptOrder {
  readonly id: string;
}

/**
 * The order that was paid into a contract, with its id; `undefined` where there is none. Contracts of domain version 2
 * derive the id from chain, secret hash and payer; those of version 3 from all terms and their own address. Typed data
 * names a version, but not that of the contract, so both ids are looked up, and the one in the order as read. What is
 * kept there counts only as it was agreed: a service may name the id of any order, of an earlier one of this payer too.
 * Such an id binds no secret hash, so that is the one that the contract itself logged.
 *
 * `paid`: ids that the contract logged with this secret hash. `at`: the block whose state counts.
 */
export async function findOrder(
  read: Read,
  deal: Deal,
  contract: string,
  terms: Terms,
  {paid = [], at}: {readonly paid?: readonly string[]; readonly at?: string} = {},
): Promise<FoundOrder | undefined> {
  const {owner, from} = deal.agreed;
  const {redeemer, timelock, amount, secretHash} = terms;
  const chainId = from.chain.chainId ?? 0;
  const bound = [
    await idOf(['uint256', 'bytes32', 'address'], [chainId, secretHash, owner]),
    await idOf(
      ['uint256', 'bytes32', 'address', 'address', 'uint256', 'uint256', 'address'],
      [chainId, secretHash, owner, redeemer, timelock, amount, contract],
    ),
    ...paid,
  ];
  const named = namedId(deal);
  const textOf = (order: readonly unknown[]) => lowerCase(order.join());
  const wanted = textOf([owner, redeemer, timelock, amount]);
  for (const id of new Set([...bound, ...(named === undefined ? [] : [named])])) {
    const kept = await readOrder(read, contract, id, at);
    if (!kept || textOf([kept.initiator, kept.redeemer, kept.timelock, kept.amount]) !== wanted) continue;
    const order = {...kept, id};
    if (bound.includes(id) || paidIds(await readPayments(read, contract, order), contract, secretHash).includes(id)) {
      return order;
    }
  }
  return undefined;
}

/** A log in a receipt, as nodes write it. */
export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** A log of a block. */
export interface MinedLog extends Log {
  readonly transactionHash: string;
  readonly blockNumber: string;
}

/** The contract's own logs of an order's payment. */
export function readPayments(read: Read, contract: string, {id, block}: Pick<FoundOrder, 'id' | 'block'>) {
  return readLogs(read, contract, id, ['Initiated', 'InitiatedWithDestinationData'], block, block);
}

/** The contract's own logs of how an order ended, from a block on, or in it. */
export function readEnds(read: Read, contract: string, id: string, from: bigint, to?: bigint) {
  return readLogs(read, contract, id, ['Redeemed', 'Refunded'], from, to);
}

async function readLogs(
  read: Read,
  address: string,
  id: string,
  names: readonly (keyof typeof EVENTS)[],
  from: bigint,
  to?: bigint,
): Promise<readonly MinedLog[]> {
  const topics = [names.map(name => EVENTS[name]), id];
  const range = {fromBlock: hex(from), toBlock: to === undefined ? 'latest' : hex(to)};
  return (await read('eth_getLogs', {address, ...range, topics})) as readonly MinedLog[];
}

/** The ids of the orders with a secret hash that were paid into a contract, by its own logs. */
export function paidIds(logs: readonly Log[], contract: string, secretHash: string): readonly string[] {
  return logs
    .filter(({address}) => lowerCase(address) === lowerCase(contract))
    .map(log => topicsOf('Initiated', log, 2) ?? topicsOf('InitiatedWithDestinationData', log, 2) ?? [])
    .flatMap(([id, hash]) => (id !== undefined && `0x${hash ?? ''}` === secretHash ? [`0x${id}`] : []));
}

/** How a contract's own log says that it ended an order; `undefined` for any other log. */
export function readEnd(log: Log, contract: string, id: string): 'redeemed' | 'refunded' | undefined {
  if (lowerCase(log.address) !== lowerCase(contract)) return undefined;
  if (topicsOf('Refunded', log, 1)?.[0] === id.slice(2)) return 'refunded';
  return topicsOf('Redeemed', log, 2)?.[0] === id.slice(2) ? 'redeemed' : undefined;
}

/** What a log says that a token moved, and between whom; `undefined` for any other log. */
export function readTransfer(
  log: Log,
): {readonly from: string; readonly to: string; readonly value: bigint} | undefined {
  const words = topicsOf('Transfer', log, 2);
  const values =
    words && decode(['address', 'address', 'uint256'], `0x${words.join('')}${log.data.slice('0x'.length)}`);
  if (!values) return undefined;
  const [from, to, value] = values as [string, string, bigint];
  return {from, to, value};
}

/** What a log says that a swap contract paid out: the order's id, and the secret as hex digits. */
export async function readRedeemed(log: Log): Promise<{readonly id: string; readonly secret: string} | undefined> {
  const [id, secretHash] = topicsOf('Redeemed', log, 2) ?? [];
  const [secret] = (decode(['bytes'], log.data) ?? []) as string[];
  if (id === undefined || secret === undefined || (await sha256(secret)) !== secretHash) return undefined;
  return {id: `0x${id}`, secret: secret.slice(2)};
}

/** What a log says that a swap contract paid back: the order's id. */
export function readRefunded(log: Log): {readonly id: string} | undefined {
  const [id] = topicsOf('Refunded', log, 1) ?? [];
  return id === undefined ? undefined : {id: `0x${id}`};
}

/** The hex digits of a log's topics behind the first; `undefined` for a log of any other event, or with fewer of them. */
function topicsOf(
  event: keyof typeof EVENTS,
  {topics}: Pick<Log, 'topics'>,
  count: number,
): readonly string[] | undefined {
  const words = topics.slice(1, count + 1);
  const isWhole = words.length === count && words.every(word => /^0x[0-9a-f]{64}$/i.test(word));
  return isWhole && topics[0] === EVENTS[event] ? words.map(word => word.slice(2).toLowerCase()) : undefined;
}

/**
 * Whether a chain would refuse a transaction in its next block: timelocks count blocks, and an approval may be on its
 * way. Rejects where the chain cannot be read.
 */
export async function wouldRevert(
  read: Read,
  transaction: {readonly from: string; readonly to: string; readonly data: string; readonly value?: string},
): Promise<{readonly cause: unknown} | undefined> {
  try {
    await read('eth_call', transaction, 'pending');
    return undefined;
  } catch (cause) {
    if (faultOf(cause) === 'reverted' || faultOf(cause) === 'insufficient-funds') return {cause};
    throw cause;
  }
}

/** Asks a contract for one value. */
async function ask(
  read: Read,
  to: string,
  name: 'token' | 'balanceOf' | 'allowance',
  values: readonly unknown[],
  type: Types[number],
): Promise<unknown> {
  const data = await read('eth_call', {to, data: encodeCall(name, values)}, 'latest');
  if (typeof data !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(data)) throw new Error('The answer is no data.');
  const answer = data.length % 64 === 2 && decode([type], data);
  if (!answer) throw strangeAnswer(name);
  return answer[0];
}

async function idOf(types: Types, values: readonly unknown[]): Promise<string> {
  return `0x${await sha256(encode(types, values))}`;
}
