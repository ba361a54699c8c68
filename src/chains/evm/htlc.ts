import {AbiCoder, getAddress, id as hashOf} from 'ethers';
import {SwapError} from '../../domain/error.js';
import type {Leg} from '../../domain/order.js';
import {sha256} from '../checks.js';
import {hex} from '../rpc.js';
import type {Event, KeptOrder, Node, Receipt, Said, Terms} from '../token-htlc/dialect.js';
import {faultOf, isUncovered, readHeight, readTime, type Read} from './rpc.js';

/*
 * The wire format of the swap contracts: hash time-locked contracts, one for each token, in all public generations. The
 * specification only shows the first form of `initiate`.
 */

type Types = readonly ('address' | 'uint256' | 'bytes32' | 'bytes')[];

/** Hashed when first needed: hashing all at once would delay a page that only shows a price. */
const hashed = (text: string) => {
  let hash: string | undefined;
  return () => (hash ??= hashOf(text));
};

/** A supported call: its selector, and its parameters. */
const call = (name: string, ...types: Types) => {
  const hash = hashed(`${name}(${types.join()})`);
  return {selector: () => hash().slice(0, 10), types};
};

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

/** The supported events: their first topics. */
const EVENTS = {
  Transfer: hashed('Transfer(address,address,uint256)'),
  Initiated: hashed('Initiated(bytes32,bytes32,uint256)'),
  InitiatedWithDestinationData: hashed('InitiatedWithDestinationData(bytes32,bytes32,uint256,bytes)'),
  Redeemed: hashed('Redeemed(bytes32,bytes32,bytes)'),
  Refunded: hashed('Refunded(bytes32)'),
};

const abi = AbiCoder.defaultAbiCoder();

/** ABI-encodes values. Throws if a type cannot hold its value. */
export function encode(types: Types, values: readonly unknown[]): string {
  return abi.encode(
    types,
    values.map((value, at) => (types[at] === 'uint256' ? value : plainHex(value))),
  );
}

/** An address with its checksum (EIP-55), whatever it had before. Throws for invalid addresses. */
export function checksummed(address: string): string {
  return getAddress(plainHex(address).toLowerCase());
}

/** Hex text of whole bytes. The library also accepts addresses without a prefix, or as IBAN (ICAP). */
function plainHex(bytes: unknown): string {
  if (typeof bytes !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(bytes)) throw new TypeError('no bytes');
  return bytes;
}

/**
 * ABI-decodes values. `undefined` unless they are encoded canonically, for example if offsets overlap. Trailing data
 * does not matter.
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
  return selector() + encode(types, values).slice('0x'.length);
}

/** The token address in contracts for a native coin. */
export const COIN = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

/** Whether a text is an address: with the right checksum (EIP-55), or in a single letter case, which has none. */
export function isEvmAddress(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text) || /^0x0+$/.test(text)) return false;
  const digits = text.slice(2);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || checksummed(text) === text;
}

/** An address with its checksum; anything else as it is. */
export function addressText(text: string): string {
  return /^0x[0-9a-f]{40}$/i.test(text) ? checksummed(text) : text;
}

/** 32 bytes in hex, like hashes and ids; `undefined` for any other text. */
export function wordOf(text: unknown): string | undefined {
  return typeof text === 'string' && /^0x[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined;
}

/** A call of a contract. */
export interface EvmCall {
  readonly to: string;
  readonly data: string;
  readonly value?: bigint;
}

/**
 * Decodes a call that pays into a swap. `undefined` for any other call, and for one that is not in canonical form, with
 * too many or too few bytes or with overlapping offsets. The later form is only accepted without bytes for the
 * destination, since their meaning is unknown.
 */
export function decodeInitiate(data: string): Terms | undefined {
  for (const name of ['initiate', 'initiateWithData'] as const) {
    const {types} = CALLS[name];
    const selector = CALLS[name].selector();
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

/** A decoded log; `undefined` for any other event, and for an incomplete one. */
export function readLog({topics, data}: Pick<Log, 'topics' | 'data'>): Said | undefined {
  const [event, ...others] = topics;
  const [id, hash] = others.map(wordOf);
  if (id === undefined) return undefined;
  if (event === EVENTS.Refunded()) return {what: 'refunded', id};
  if (hash === undefined) return undefined;
  const secretHash = hash.slice(2);
  if (event === EVENTS.Initiated() || event === EVENTS.InitiatedWithDestinationData())
    return {what: 'paid', id, secretHash};
  if (event === EVENTS.Redeemed()) {
    const [secret] = (decode(['bytes'], data) ?? []) as [string?];
    return {what: 'redeemed', id, secretHash, secret: secret?.slice(2)};
  }
  if (event !== EVENTS.Transfer()) return undefined;
  const values = decode(['address', 'address', 'uint256'], `${id}${secretHash}${data.slice(2)}`);
  const [from, to, value] = (values ?? []) as [string?, string?, bigint?];
  if (from === undefined || to === undefined || value === undefined) return undefined;
  return {what: 'moved', from, to, value};
}

const BAD_DATA = 'BAD_DATA';

function strangeAnswer(name: string): Error {
  return Object.assign(new Error(`${name}() gave something else`), {code: BAD_DATA});
}

/** Whether a failed call is the contract's own response: a revert, or an unexpected result. A failed read is not. */
export function isAnswer(error: unknown): boolean {
  return faultOf(error) === 'reverted' || (error as {readonly code?: unknown} | null)?.code === BAD_DATA;
}

/** Decodes a contract's record; `undefined` if there is none. */
function readKept(kept: unknown): KeptOrder | undefined {
  if (typeof kept !== 'string' || !/^0x([0-9a-f]{64})+$/i.test(kept)) throw strangeAnswer('orders');
  // A missing order reads as zeros, whichever fields a generation has.
  if (!/[1-9a-f]/i.test(kept.slice(2))) return undefined;
  const words = (kept.slice(2).match(/.{64}/g) ?? []).map(word => BigInt(`0x${word}`));
  const [first = 0n, ...others] = words;
  // In one generation the first field is whether it is fulfilled, in others the last is its block: an address is never
  // 0 or 1.
  const fields = first > 1n ? words : [...others, first];
  const [initiator = 0n, redeemer = 0n, paidIn = 0n, timelock = 0n, amount = 0n, over] = fields;
  if (over === undefined) throw strangeAnswer('orders');
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

/** Reads swap contracts and tokens. */
export function nodeOf(read: Read): Node<EvmCall> {
  const block = (at: bigint | undefined) => (at === undefined ? 'latest' : hex(at));
  const readLogs = (log: Log): readonly Event[] => {
    const said = readLog(log);
    const {address, transactionHash = '', blockNumber} = log;
    if (!said) return [];
    return [
      {by: addressText(address), said, hash: transactionHash, block: blockNumber ? BigInt(blockNumber) : undefined},
    ];
  };
  const logsBy = async (filter: object) =>
    ((await read('eth_getLogs', filter)) as readonly Log[]).flatMap(log => readLogs(log));
  const receiptOf = async (hash: string) =>
    (await read('eth_getTransactionReceipt', hash)) as RawReceipt | null | undefined;

  return {
    async hasCode(address) {
      const code = await read('eth_getCode', address, 'latest');
      return typeof code === 'string' && /^0x0*[1-9a-f]/i.test(code);
    },
    async token(contract) {
      try {
        return (await ask(read, contract, 'token', [], 'address')) as string;
      } catch (error) {
        if (isAnswer(error)) return undefined;
        throw error;
      }
    },
    balance: async (token, owner, at) =>
      token === undefined
        ? BigInt((await read('eth_getBalance', owner, block(at))) as string)
        : ((await ask(read, token, 'balanceOf', [owner], 'uint256')) as bigint),
    allowance: async (token, owner, spender, at) =>
      (await ask(read, token, 'allowance', [owner, spender], 'uint256', block(at))) as bigint,
    order: async (contract, id, at) =>
      readKept(await read('eth_call', {to: contract, data: encodeCall('orders', [id])}, block(at))),
    events(contract, id, of, from, to) {
      const {Initiated, InitiatedWithDestinationData, Redeemed, Refunded} = EVENTS;
      const topics = [of === 'payment' ? [Initiated(), InitiatedWithDestinationData()] : [Redeemed(), Refunded()], id];
      return logsBy({address: contract, fromBlock: hex(from), toBlock: block(to), topics});
    },
    /** A token has to index the sender (EIP-20). */
    moves(token, owner, since) {
      const topics = [[EVENTS.Transfer()], encode(['address'], [owner])];
      return logsBy({address: token, fromBlock: hex(since), toBlock: block(undefined), topics});
    },
    async receipt(hash): Promise<Receipt | undefined> {
      const receipt = await receiptOf(hash);
      if (!receipt) return undefined;
      const {status, blockNumber, logs} = receipt;
      return {
        isReverted: Number(status) === 0,
        block: BigInt(blockNumber),
        events: logs.flatMap(log => readLogs({...log, transactionHash: hash, blockNumber})),
      };
    },
    async status(hash) {
      const receipt = await receiptOf(hash);
      if (receipt) return Number(receipt.status) === 0 ? 'reverted' : 'done';
      return (await read('eth_getTransactionByHash', hash)) ? 'seen' : 'none';
    },
    async sender(hash) {
      const {from, nonce} = ((await read('eth_getTransactionByHash', hash)) ?? {}) as Partial<SentTransaction>;
      return from !== undefined && nonce !== undefined ? {address: addressText(from), nonce: BigInt(nonce)} : undefined;
    },
    async hasUnconfirmed(owner) {
      const [all, done] = await Promise.all(
        ['pending', 'latest'].map(at => read('eth_getTransactionCount', owner, at)),
      );
      return BigInt(all as string) > BigInt(done as string);
    },
    nonce: async (owner, at) => BigInt((await read('eth_getTransactionCount', owner, block(at))) as string),
    head: () => readHeight(read),
    time: at => readTime(read, hex(at)),
    /** In its next block, where it knows that: timelocks count blocks, and an approval may be pending. */
    async refusalOf({to, data, value = 0n}, from) {
      let failure: unknown;
      for (const at of ['pending', 'latest']) {
        try {
          await read('eth_call', {from, to, data, value: hex(value)}, at);
          return undefined;
        } catch (cause) {
          if (faultOf(cause) === 'reverted' || isUncovered(cause)) return {cause};
          failure = cause;
          // A node that did not respond is not asked again.
          if (cause instanceof SwapError) break;
        }
      }
      throw failure;
    },
    async isCheap(calls, from) {
      const sent = calls.map(({to, data, value = 0n}) => ({from, to, data, value: hex(value)}));
      const used = sent.length === 1 ? [await read('eth_estimateGas', sent[0])] : await simulate(read, sent);
      return used.reduce<bigint>((sum, gas) => sum + BigInt(gas as string), 0n) <= MOST_GAS;
    },
    async sent(hash, owner) {
      const transaction = (await read('eth_getTransactionByHash', hash)) as SentTransaction | null | undefined;
      if (!transaction) throw new Error('The transaction is in a block, and not known.');
      const {from, to, value = '0x0'} = transaction;
      const isTheirs = (address: string | null | undefined) => !!address && addressText(address) === owner;
      return (isTheirs(to) ? BigInt(value) : 0n) - (isTheirs(from) ? BigInt(value) : 0n);
    },
  };
}

interface RawReceipt {
  readonly status?: string;
  readonly blockNumber: string;
  readonly logs: readonly Log[];
}

interface SentTransaction {
  readonly from?: string;
  readonly nonce?: string;
  readonly to?: string | null;
  readonly value?: string;
}

/** More gas than any payment into a swap needs. */
const MOST_GAS = 1_000_000n;

/** The gas of calls that come one after the other. Rejects if one of them would fail, or the node cannot tell. */
async function simulate(read: Read, calls: readonly object[]): Promise<readonly unknown[]> {
  const blocks = await read('eth_simulateV1', {blockStateCalls: [{calls}]}, 'latest');
  const [block] = blocks as readonly {readonly calls: readonly Readonly<Record<string, unknown>>[]}[];
  const done = (block?.calls ?? []).filter(({status}) => status === '0x1');
  if (done.length !== calls.length) throw new Error('The calls were not simulated.');
  return done.map(({gasUsed}) => gasUsed);
}

/** Calls a contract for one value. */
async function ask(
  read: Read,
  to: string,
  name: 'token' | 'balanceOf' | 'allowance',
  values: readonly unknown[],
  type: Types[number],
  at = 'latest',
): Promise<unknown> {
  const data = await read('eth_call', {to, data: encodeCall(name, values)}, at);
  if (typeof data !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(data)) throw new Error('The answer is no data.');
  const answer = data.length % 64 === 2 && decode([type], data);
  if (!answer) throw strangeAnswer(name);
  return answer[0];
}
