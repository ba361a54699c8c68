import {
  fixDecoderSize,
  getAddressDecoder,
  getBytesDecoder,
  getStructDecoder,
  getU64Decoder,
  getU64Encoder,
  isAddress,
  isOffCurveAddress,
  type Address,
} from '@solana/kit';
import type {DepositEnd} from '../../domain/evidence.js';
import {hexBytes, hexText} from '../checks.js';
import type {Call, Read} from './rpc.js';
import {base58, bytesOf, fromBase64, SYSTEM_PROGRAM, type Instruction} from './transaction.js';

/*
 * The wire format of the swap program for SOL: a hash time-locked contract that keeps each swap's money in its own
 * account, at an address derived from payer and secret hash. Program and format are public
 * (2bag6xpshpvPe7SJ9nSDLHpxqhEAoHPGpEkjNSv7gxoF, the generation of the specification's sample).
 */

/** Anchor's discriminators of instructions and accounts: the first 8 bytes of the SHA-256 of `global:initiate` and so on. */
const INITIATE = '053f7b71994b940e';
const REDEEM = 'b80c569546c461e1';
const REFUND = '0260b7fb3fd02e2e';
/** A refund that the redeemer agrees to, before the timelock has ended. */
const INSTANT_REFUND = 'd3ca6729b7933bfb';
const SWAP_ACCOUNT = '357e090e0ec569b6';

const NAME_LENGTH = 8;

function isNamed(data: Uint8Array, name: string): boolean {
  return hexText(data.subarray(0, NAME_LENGTH)) === name;
}

const SEED = 'swap_account';

/** The size of a swap's account. The chain requires a rent deposit for it, which the payer gets back. */
export const ACCOUNT_LENGTH = 120;

/** The terms of a payment into a swap, decoded from the instruction. */
export interface Terms {
  readonly amount: bigint;
  /** In slots. */
  readonly timelock: bigint;
  readonly redeemer: string;
  /** 64 hex digits. */
  readonly secretHash: string;
}

const TERMS = getStructDecoder([
  ['amount', getU64Decoder()],
  ['timelock', getU64Decoder()],
  ['redeemer', getAddressDecoder()],
  ['secretHash', fixDecoderSize(getBytesDecoder(), 32)],
]);

/** Decodes an instruction that pays into a swap; `undefined` for any other. */
export function decodeInitiate({data}: Pick<Instruction, 'data'>): Terms | undefined {
  if (data.length !== 88 || !isNamed(data, INITIATE)) return undefined;
  const {secretHash, ...terms} = TERMS.decode(data, NAME_LENGTH);
  return {...terms, secretHash: hexText(secretHash)};
}

/** The data of an instruction that pays into a swap; `undefined` for invalid terms. */
export function encodeInitiate({amount, timelock, redeemer, secretHash}: Terms): Uint8Array | undefined {
  const u64 = getU64Encoder();
  const isNumber = (value: bigint) => value >= 0n && value < 2n ** 64n;
  if (!isNumber(amount) || !isNumber(timelock) || !isAddress(redeemer) || !/^[0-9a-f]{64}$/.test(secretHash))
    return undefined;
  return Uint8Array.from([
    ...hexBytes(INITIATE),
    ...u64.encode(amount),
    ...u64.encode(timelock),
    ...bytesOf(redeemer),
    ...hexBytes(secretHash),
  ]);
}

/** The instruction that pays into a swap; `undefined` for invalid terms. */
export function initiateInstruction({program, account, payer, terms}: Swap): Instruction | undefined {
  const data = encodeInitiate(terms);
  return (
    data && {
      program,
      accounts: [
        {address: account, signer: false, writable: true},
        {address: payer, signer: true, writable: true},
        {address: SYSTEM_PROGRAM, signer: false, writable: false},
      ],
      data,
    }
  );
}

/**
 * The account in which a program keeps a swap's money: the first address off the curve for its seeds, so that it has no
 * key. (Kit's own `getProgramDerivedAddress` requires a secure context, and its browser build does not run in Node.)
 */
export async function swapAccount(program: string, payer: string, secretHash: string): Promise<string> {
  const encode = (text: string) => [...new TextEncoder().encode(text)];
  const seeds = [...encode(SEED), ...bytesOf(payer), ...hexBytes(secretHash)];
  const end = [...bytesOf(program), ...encode('ProgramDerivedAddress')];
  for (let bump = 255; bump >= 0; bump--) {
    const hash = await crypto.subtle.digest('SHA-256', Uint8Array.from([...seeds, bump, ...end]));
    const address = base58(new Uint8Array(hash));
    if (isOffCurveAddress(address as Address)) return address;
  }
  throw new Error('no address off the curve');
}

/** A swap's terms, and the account that keeps its money. */
export interface Swap {
  readonly program: string;
  readonly account: string;
  readonly payer: string;
  readonly terms: Terms;
}

export async function swapOf(program: string, payer: string, terms: Terms): Promise<Swap> {
  return {program, account: await swapAccount(program, payer, terms.secretHash), payer, terms};
}

/** The instruction that refunds a swap to its payer. It only needs the fee payer's signature. */
export function refundInstruction({program, account, payer}: Swap): Instruction {
  return {
    program,
    accounts: [
      {address: account, signer: false, writable: true},
      {address: payer, signer: false, writable: true},
    ],
    data: hexBytes(REFUND),
  };
}

/** The content of a swap's account. */
export interface Held {
  readonly amount: bigint;
  /** The slot in which it was paid in. */
  readonly block: bigint;
  /** Whether the program would refund it to the payer now. */
  readonly isRefundOpen: boolean;
}

const HELD = getStructDecoder([
  ['amount', getU64Decoder()],
  // The last slot before a refund is possible.
  ['expiry', getU64Decoder()],
  ['initiator', getAddressDecoder()],
  ['redeemer', getAddressDecoder()],
  ['secretHash', fixDecoderSize(getBytesDecoder(), 32)],
]);

/**
 * The content of a swap's account, if it matches the terms; `undefined` if it is empty, has other terms, or coins that
 * were only sent to its address. `commitment`: the required finality. `slot`: up to which the node must have read its
 * chain.
 */
export async function readHeld(
  read: Read,
  {program, account, payer, terms}: Swap,
  commitment: 'processed' | 'confirmed',
  slot?: number,
): Promise<Held | undefined> {
  const config = {encoding: 'base64', commitment, ...(slot !== undefined && {minContextSlot: slot})};
  const {context, value} = (await read('getAccountInfo', account, config)) as {
    readonly context: {readonly slot: number};
    readonly value: {readonly owner: string; readonly data: readonly [string, string]} | null;
  };
  if (value?.owner !== program) return undefined;
  const data = fromBase64(value.data[0]);
  if (data.length !== ACCOUNT_LENGTH || !isNamed(data, SWAP_ACCOUNT)) return undefined;
  const {amount, expiry, initiator, redeemer, secretHash} = HELD.decode(data, NAME_LENGTH);
  const now = BigInt(context.slot);
  const block = expiry - terms.timelock;
  const isSame =
    amount === terms.amount &&
    initiator === payer &&
    redeemer === terms.redeemer &&
    hexText(secretHash) === terms.secretHash &&
    // The account only stores the end. With a longer timelock it would have been paid after now.
    block <= now;
  return isSame ? {amount, block, isRefundOpen: now > expiry} : undefined;
}

/** The effect of a call on a swap's account. */
export type Deed = 'initiated' | DepositEnd['how'];

/** The effect of a call on a swap with these terms; `undefined` if it has none. */
export function deedOf({program, accounts, data}: Call, {terms, ...swap}: Swap): Deed | undefined {
  if (program !== swap.program || !accounts.includes(swap.account)) return undefined;
  if (isNamed(data, REFUND) || isNamed(data, INSTANT_REFUND)) return 'refunded';
  if (decodeRedeem({data}) !== undefined) return 'redeemed';
  const paid = decodeInitiate({data});
  const isSame =
    paid?.amount === terms.amount &&
    paid.timelock === terms.timelock &&
    paid.redeemer === terms.redeemer &&
    paid.secretHash === terms.secretHash;
  return isSame ? 'initiated' : undefined;
}

/**
 * The secret in the data of an instruction that redeems a swap, as hex digits; `undefined` for any other. Anchor's
 * programs ignore trailing bytes.
 */
export function decodeRedeem({data}: Pick<Instruction, 'data'>): string | undefined {
  return data.length >= 40 && isNamed(data, REDEEM) ? hexText(data.subarray(NAME_LENGTH, 40)) : undefined;
}

/** Whether there is a program at an address. */
export async function isProgram(read: Read, address: string): Promise<boolean> {
  const {value} = (await read('getAccountInfo', address, {encoding: 'base64', commitment: 'confirmed'})) as {
    readonly value: {readonly executable: boolean} | null;
  };
  return value?.executable === true;
}
