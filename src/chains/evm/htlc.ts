import {AbiCoder, Interface} from 'ethers/abi';
import type {Deal, EvmPayload} from '../../domain/deposit.js';
import {sha256} from '../checks.js';
import {faultOf, type Read} from './rpc.js';

/*
 * The wire format of the swap contracts: hash-time-locked contracts, one for each token, in the generations that are
 * public. The specification shows only the first form of `initiate`.
 */

const INITIATE = 'initiate(address,uint256,uint256,bytes32)';
/** A later form, with bytes for the destination that the contract only logs. */
const INITIATE_WITH_DATA = 'initiate(address,uint256,uint256,bytes32,bytes)';

const contract = new Interface([
  `function ${INITIATE}`,
  `function ${INITIATE_WITH_DATA}`,
  'function refund(bytes32)',
  'function orders(bytes32)',
  'function token() view returns (address)',
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address, address) view returns (uint256)',
  'function approve(address, uint256)',
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
      const values = contract.decodeFunctionData(form, data);
      if (contract.encodeFunctionData(form, values) !== data.toLowerCase()) continue;
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

export function encodeApprove(spender: string, amount: bigint): string {
  return contract.encodeFunctionData('approve', [spender, amount]);
}

export function encodeRefund(orderId: string): string {
  return contract.encodeFunctionData('refund', [orderId]);
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

export async function readCoins(read: Read, owner: string): Promise<bigint> {
  return BigInt((await read('eth_getBalance', owner, 'latest')) as string);
}

/** Whether there is code at an address. */
export async function hasCode(read: Read, address: string): Promise<boolean> {
  const code = await read('eth_getCode', address, 'latest');
  return typeof code === 'string' && /^0x0*[1-9a-f]/i.test(code);
}

/**
 * The id under which a contract keeps the order that was paid into it, if one was. Contracts of domain version 2 derive
 * it from chain, secret hash and payer; those of version 3 from all terms and their own address. Typed data names the
 * version. Where it names neither, both ids are looked up, and the one in the order as read.
 */
export async function findOrderId(read: Read, {agreed, order}: Deal, payload: EvmPayload, terms: Terms) {
  const {transaction, typedData} = payload;
  const {redeemer, timelock, amount, secretHash} = terms;
  const {chainId, to} = transaction;
  const payer = agreed.owner;
  const ids = {
    '2': await idOf(['uint256', 'bytes32', 'address'], [chainId, secretHash, payer]),
    '3': await idOf(
      ['uint256', 'bytes32', 'address', 'address', 'uint256', 'uint256', 'address'],
      [chainId, secretHash, payer, redeemer, timelock, amount, to],
    ),
  };
  const {version} = (typedData?.domain ?? {}) as {readonly version?: unknown};
  const isKnown = version === '2' || version === '3';
  const [, name] = /^(?:0x)?([0-9a-f]{64})$/i.exec(order?.source.swapId ?? '') ?? [];
  const wanted = isKnown ? [ids[version]] : [ids['2'], ids['3'], ...(name ? [`0x${name.toLowerCase()}`] : [])];
  for (const id of new Set(wanted)) {
    const kept = await read('eth_call', {to, data: contract.encodeFunctionData('orders', [id])}, 'latest');
    if (typeof kept !== 'string' || !/^0x([0-9a-f]{64})+$/i.test(kept)) throw new Error('orders() gave no order');
    // An order that is not there reads as zeros, whichever fields a generation has.
    if (/[1-9a-f]/i.test(kept.slice(2))) return id;
  }
  if (version !== undefined && !isKnown && !name) throw new Error('the id of the order is not known');
  return undefined;
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
  const data = await read('eth_call', {to, data: contract.encodeFunctionData(method, values)}, 'latest');
  const [value] = contract.decodeFunctionResult(method, data as string) as unknown[];
  return value;
}

async function idOf(types: string[], values: unknown[]): Promise<string> {
  return `0x${await sha256(AbiCoder.defaultAbiCoder().encode(types, values))}`;
}
