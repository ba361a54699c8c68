import type {Leg} from '../../domain/order.js';
import {sha256} from '../checks.js';
import {StrangeAnswer} from '../errors.js';
import type {KeptOrder, Said, Terms} from '../token-htlc/dialect.js';
import {checksummed, decode, encode, isWritten, type Types} from './abi.js';

/*
 * The wire format of the swap contracts: hash time-locked contracts, one for each token, in all public generations. The
 * specification only shows the first form of `initiate`.
 */

/** A supported call: its selector, the first bytes of its signature's hash, and its parameters. */
const call = (selector: string, ...types: Types) => ({selector, types});

const CALLS = {
  initiate: call('0x97ffc7ae', 'address', 'uint256', 'uint256', 'bytes32'),
  /** A later form, with bytes for the destination that the contract only logs. */
  initiateWithData: call('0x4ede0ab7', 'address', 'uint256', 'uint256', 'bytes32', 'bytes'),
  refund: call('0x7249fbb6', 'bytes32'),
  orders: call('0x9c3f1e90', 'bytes32'),
  token: call('0xfc0c546a'),
  balanceOf: call('0x70a08231', 'address'),
  allowance: call('0xdd62ed3e', 'address', 'address'),
  approve: call('0x095ea7b3', 'address', 'uint256'),
};

/** The supported events by their first topic, the hash of their signature: `Transfer(address,address,uint256)`. */
export const EVENTS = {
  Transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  Initiated: '0x01b41cbd4bbcc3c5b968a04d3fbdd8c1648a39ff6d9a3929b4840cea1142bc65',
  InitiatedWithDestinationData: '0x380328b26f928a9e51ec19f8e2199a2bce34db266d093d1e0104bce139ed7555',
  Redeemed: '0x4c9a044220477b4e94dbb0d07ff6ff4ac30d443bef59098c4541b006954778e2',
  Refunded: '0xfe509803c09416b28ff3d8f690c8b0c61462a892c46d5430c8fb20abe472daf0',
};

export function encodeCall(name: keyof typeof CALLS, values: readonly unknown[]): string {
  const {selector, types} = CALLS[name];
  return selector + encode(types, values).slice('0x'.length);
}

/** The token address in contracts for a native coin. */
export const COIN = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

export function isEvmAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text) && !/^0x0+$/.test(text) && isWritten(text);
}

export function addressText(text: string): string {
  return /^0x[0-9a-f]{40}$/i.test(text) ? checksummed(text) : text;
}

/** 32 bytes in hex, like hashes and ids; `undefined` for any other text. */
export function wordOf(text: unknown): string | undefined {
  return typeof text === 'string' && /^0x[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined;
}

export interface EvmCall {
  readonly to: string;
  readonly data: string;
  readonly value?: bigint;
}

/**
 * `undefined` for any other call, and for one that is not in canonical form, with too many or too few bytes or with
 * overlapping offsets. The later form must have no bytes for the destination: their meaning is unknown.
 */
export function decodeInitiate(data: string): Terms | undefined {
  for (const name of ['initiate', 'initiateWithData'] as const) {
    const {selector, types} = CALLS[name];
    const values = data.toLowerCase().startsWith(selector)
      ? decode(types, `0x${data.slice(selector.length)}`)
      : undefined;
    // The canonical encoding of these values, without trailing bytes.
    if (!values || encodeCall(name, values) !== data.toLowerCase()) continue;
    const [redeemer, timelock, amount, secretHash, more = '0x'] = values as [string, bigint, bigint, string, string?];
    if (more === '0x') return {redeemer, timelock, amount, secretHash: secretHash.slice(2)};
  }
  return undefined;
}

/** The call that pays into a leg of an order. Throws for invalid terms. */
export function encodeInitiate({redeemer, timelock, amount, secretHash}: Leg): string {
  return encodeCall('initiate', [redeemer, timelock, amount, `0x${secretHash}`]);
}

export function encodeApprove(spender: string, amount: bigint): string {
  return encodeCall('approve', [spender, amount]);
}

export function encodeRefund(orderId: string): string {
  return encodeCall('refund', [orderId]);
}

/**
 * Contracts with domain version 2 derive an order's id from chain, secret hash and payer; those with version 3 from all
 * terms and their own address. Typed data has a version, but a payment by transaction does not depend on it.
 */
export async function idsOf(chainId: number, payer: string, contract: string, terms: Terms): Promise<string[]> {
  const {redeemer, timelock, amount, secretHash} = terms;
  const values = [chainId, `0x${secretHash}`, payer, redeemer, timelock, amount, contract];
  const types = ['uint256', 'bytes32', 'address', 'address', 'uint256', 'uint256', 'address'] as const;
  const idOf = async (count: number) => `0x${await sha256(encode(types.slice(0, count), values.slice(0, count)))}`;
  return Promise.all([idOf(3), idOf(types.length)]);
}

/** A log in a receipt, in a node's format. */
export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly transactionHash?: string;
  readonly blockNumber?: string;
}

export function readLog({topics, data}: Pick<Log, 'topics' | 'data'>): Said | undefined {
  const [event, ...others] = topics;
  const [id, hash] = others.map(wordOf);
  if (id === undefined) return undefined;
  if (event === EVENTS.Refunded) return {what: 'refunded', id};
  if (hash === undefined) return undefined;
  const secretHash = hash.slice(2);
  if (event === EVENTS.Initiated || event === EVENTS.InitiatedWithDestinationData)
    return {what: 'paid', id, secretHash};
  if (event === EVENTS.Redeemed) {
    const [secret] = (decode(['bytes'], data) ?? []) as [string?];
    return {what: 'redeemed', id, secretHash, secret: secret?.slice(2)};
  }
  if (event !== EVENTS.Transfer) return undefined;
  const values = decode(['address', 'address', 'uint256'], `${id}${secretHash}${data.slice(2)}`);
  const [from, to, value] = (values ?? []) as [string?, string?, bigint?];
  if (from === undefined || to === undefined || value === undefined) return undefined;
  return {what: 'moved', from, to, value};
}

export function readKept(kept: unknown): KeptOrder | undefined {
  if (typeof kept !== 'string' || !/^0x([0-9a-f]{64})+$/i.test(kept)) throw new StrangeAnswer('orders');
  // A missing order reads as zeros, whichever fields a generation has.
  if (!/[1-9a-f]/i.test(kept.slice(2))) return undefined;
  const words = (kept.slice(2).match(/.{64}/g) ?? []).map(word => BigInt(`0x${word}`));
  const [first = 0n, ...others] = words;
  // In one generation the first field is whether it is fulfilled, in others the last is its block: an address is never
  // 0 or 1.
  const fields = first > 1n ? words : [...others, first];
  const [initiator = 0n, redeemer = 0n, paidIn = 0n, timelock = 0n, amount = 0n, over] = fields;
  if (over === undefined) throw new StrangeAnswer('orders');
  const address = (word: bigint) => addressText(`0x${word.toString(16).padStart(40, '0')}`);
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
