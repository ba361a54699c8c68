import {AbiCoder, Interface} from 'ethers/abi';
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

const INITIATE = 'initiate(address,uint256,uint256,bytes32)';
/** A later form, with bytes for the destination that the contract only logs. */
const INITIATE_WITH_DATA = 'initiate(address,uint256,uint256,bytes32,bytes)';

const wire = new Interface([
  `function ${INITIATE}`,
  `function ${INITIATE_WITH_DATA}`,
  'function refund(bytes32)',
  'function orders(bytes32)',
  'function token() view returns (address)',
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address, address) view returns (uint256)',
  'function approve(address, uint256)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Initiated(bytes32 indexed, bytes32 indexed, uint256 indexed)',
  'event InitiatedWithDestinationData(bytes32 indexed, bytes32 indexed, uint256 indexed, bytes)',
  'event Redeemed(bytes32 indexed orderId, bytes32 indexed secretHash, bytes secret)',
  'event Refunded(bytes32 indexed orderID)',
]);

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
  for (const form of [INITIATE, INITIATE_WITH_DATA]) {
    try {
      const values = wire.decodeFunctionData(form, data);
      if (wire.encodeFunctionData(form, values) !== data.toLowerCase()) continue;
      const [redeemer, timelock, amount, secretHash, more = '0x'] = values as unknown as [
        string,
        bigint,
        bigint,
        string,
        string?,
      ];
      if (more === '0x') return {redeemer, timelock, amount, secretHash};
    } catch {
      // Another call, or no call.
    }
  }
  return undefined;
}

/** The call that pays into a leg of an order. @throws TypeError for terms that are none. */
export function encodeInitiate({redeemer, timelock, amount, secretHash}: Leg): string {
  return wire.encodeFunctionData(INITIATE, [redeemer, timelock, amount, `0x${secretHash}`]);
}

export function encodeApprove(spender: string, amount: bigint): string {
  return wire.encodeFunctionData('approve', [spender, amount]);
}

export function encodeRefund(orderId: string): string {
  return wire.encodeFunctionData('refund', [orderId]);
}

export async function readToken(read: Read, swapContract: string): Promise<string> {
  return (await call(read, swapContract, 'token', [])) as string;
}

export async function readBalance(read: Read, token: string, owner: string): Promise<bigint> {
  return (await call(read, token, 'balanceOf', [owner])) as bigint;
}

export async function readAllowance(read: Read, token: string, owner: string, spender: string): Promise<bigint> {
  return (await call(read, token, 'allowance', [owner, spender])) as bigint;
}

/** What an account has of the chain's own coin, now or after a block. */
export async function readCoins(read: Read, owner: string, block = 'latest'): Promise<bigint> {
  return BigInt((await read('eth_getBalance', owner, block)) as string);
}

/** Whether there is code at an address. */
export async function hasCode(read: Read, address: string): Promise<boolean> {
  const code = await read('eth_getCode', address, 'latest');
  return typeof code === 'string' && /^0x0*[1-9a-f]/i.test(code);
}

/** What a contract keeps under an id; `undefined` where there is nothing. */
export async function readOrder(read: Read, contract: string, id: string): Promise<KeptOrder | undefined> {
  const kept = await read('eth_call', {to: contract, data: wire.encodeFunctionData('orders', [id])}, 'latest');
  if (typeof kept !== 'string' || !/^0x([0-9a-f]{64})+$/i.test(kept)) throw noOrder();
  // An order that is not there reads as zeros, whichever fields a generation has.
  if (!/[1-9a-f]/i.test(kept.slice(2))) return undefined;
  const words = (kept.slice(2).match(/.{64}/g) ?? []).map(word => BigInt(`0x${word}`));
  const [first = 0n, ...others] = words;
  // One generation says first whether it is over, and others last in which block it was: an address is never 0 or 1.
  const fields = first > 1n ? words : [...others, first];
  const [initiator = 0n, redeemer = 0n, block = 0n, , amount = 0n, over] = fields;
  if (over === undefined) throw noOrder();
  const address = (word: bigint) => `0x${word.toString(16).padStart(40, '0')}`;
  return {initiator: address(initiator), redeemer: address(redeemer), amount, block, isHeld: over === 0n};
}

function noOrder(): Error {
  return Object.assign(new Error('orders() gave no order'), {code: BAD_DATA});
}

/** What ethers calls an answer that is none of the expected form. */
const BAD_DATA = 'BAD_DATA';

/** Whether a failed call is a contract's own answer: it refuses, or gives something else. A failed read is none. */
export function isAnswer(error: unknown): boolean {
  return faultOf(error) === 'reverted' || (error as {readonly code?: unknown} | null)?.code === BAD_DATA;
}

/** The id in the order as read, if it can be one. */
export function namedId({order}: Deal): string | undefined {
  const [, name] = /^(?:0x)?([0-9a-f]{64})$/i.exec(order?.source.swapId ?? '') ?? [];
  return name && `0x${name.toLowerCase()}`;
}

/**
 * The order that was paid into a contract, with its id; `undefined` where there is none. Contracts of domain version 2
 * derive the id from chain, secret hash and payer; those of version 3 from all terms and their own address. Typed data
 * names a version, but not that of the contract, so both ids are looked up, and the one in the order as read. What is
 * kept there counts only with this payer and these terms: a service may name the id of any order.
 */
export async function findOrder(
  read: Read,
  deal: Deal,
  contract: string,
  terms: Terms,
): Promise<(KeptOrder & {readonly id: string}) | undefined> {
  const {owner, from} = deal.agreed;
  const {redeemer, timelock, amount, secretHash} = terms;
  const chainId = from.chain.chainId ?? 0;
  const named = namedId(deal);
  const ids = new Set([
    await idOf(['uint256', 'bytes32', 'address'], [chainId, secretHash, owner]),
    await idOf(
      ['uint256', 'bytes32', 'address', 'address', 'uint256', 'uint256', 'address'],
      [chainId, secretHash, owner, redeemer, timelock, amount, contract],
    ),
    ...(named === undefined ? [] : [named]),
  ]);
  const wanted = lowerCase([owner, redeemer, amount].join());
  for (const id of ids) {
    const kept = await readOrder(read, contract, id);
    if (kept && lowerCase([kept.initiator, kept.redeemer, kept.amount].join()) === wanted) return {...kept, id};
  }
  return undefined;
}

/** A log in a receipt, as nodes write it. */
export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** The transactions that paid an order in, by the contract's own log. */
export async function readPayments(read: Read, contract: string, {id, block}: {id: string; block: bigint}) {
  const events = ['Initiated', 'InitiatedWithDestinationData'].map(name => wire.getEvent(name)?.topicHash);
  const filter = {address: contract, fromBlock: hex(block), toBlock: hex(block), topics: [events, id]};
  const logs = (await read('eth_getLogs', filter)) as readonly {readonly transactionHash: string}[];
  return [...new Set(logs.map(({transactionHash}) => transactionHash))];
}

/** What a log says that a token moved, and between whom; `undefined` for any other log. */
export function readTransfer(
  log: Log,
): {readonly from: string; readonly to: string; readonly value: bigint} | undefined {
  const [from, to, value] = (readLog('Transfer', log) ?? []) as [string?, string?, bigint?];
  return from === undefined || to === undefined || value === undefined ? undefined : {from, to, value};
}

/** What a log says that a swap contract paid out: the order's id, and the secret as hex digits. */
export async function readRedeemed(log: Log): Promise<{readonly id: string; readonly secret: string} | undefined> {
  const [id, secretHash, secret] = (readLog('Redeemed', log) ?? []) as string[];
  if (id === undefined || secret === undefined || `0x${await sha256(secret)}` !== secretHash) return undefined;
  return {id, secret: secret.slice(2)};
}

/** What a log says that a swap contract paid back: the order's id. */
export function readRefunded(log: Log): {readonly id: string} | undefined {
  const [id] = (readLog('Refunded', log) ?? []) as string[];
  return id === undefined ? undefined : {id};
}

/** The values of a log of this event; `undefined` for any other log. */
function readLog(event: string, {topics, data}: Log): readonly unknown[] | undefined {
  if (topics[0] !== wire.getEvent(event)?.topicHash) return undefined;
  try {
    // What cannot be decoded throws when it is looked at.
    const values: readonly unknown[] = wire.decodeEventLog(event, data, topics);
    return [...values];
  } catch {
    // Another event of the same name, with other fields.
    return undefined;
  }
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

async function call(read: Read, to: string, method: string, values: readonly unknown[]): Promise<unknown> {
  const data = await read('eth_call', {to, data: wire.encodeFunctionData(method, values)}, 'latest');
  const [value] = wire.decodeFunctionResult(method, data as string) as unknown[];
  return value;
}

async function idOf(types: string[], values: unknown[]): Promise<string> {
  return `0x${await sha256(AbiCoder.defaultAbiCoder().encode(types, values))}`;
}
