import {
  fixDecoderSize,
  getAddressDecoder,
  getBytesDecoder,
  getStructDecoder,
  getU64Decoder,
  getU64Encoder,
  getU8Decoder,
  isAddress,
  type Decoder,
} from '@solana/kit';
import type {DepositEnd} from '../../domain/evidence.js';
import {hexBytes, hexText} from '../checks.js';
import {derivedAddress, tokenAccount, TOKEN_PROGRAM} from './accounts.js';
import type {Call, Read} from './rpc.js';
import {bytesOf, fromBase64, SYSTEM_PROGRAM, type AccountUse, type Instruction} from './transaction.js';

/*
 * The wire format of the two swap programs: hash time-locked contracts that keep each swap in its own account, at an
 * address derived from payer and secret hash. The one for SOL keeps the money there, too; the one for tokens keeps all
 * of a token in one vault. Programs and formats are public: that of 2bag6xpshpvPe7SJ9nSDLHpxqhEAoHPGpEkjNSv7gxoF, the
 * generation of the specification's sample, and hashiraio/solana-spl-swaps 1.0.1 (2025-08).
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

const SEED = new TextEncoder().encode('swap_account');

export interface Terms {
  readonly amount: bigint;
  /** In slots. */
  readonly timelock: bigint;
  readonly redeemer: string;
  /** 64 hex digits. */
  readonly secretHash: string;
  /** The token (its mint); absent for SOL. */
  readonly token?: string;
}

/** The content of a swap's account, as a program writes it. */
interface Written {
  readonly amount: bigint;
  /** The last slot before a refund is possible. */
  readonly expiry: bigint;
  readonly initiator: string;
  readonly redeemer: string;
  readonly secretHash: Iterable<number>;
  readonly token?: string;
  /** Who paid the account's deposit and gets it back, if that need not be the initiator. */
  readonly sponsor?: string;
}

interface Layout {
  readonly terms: Decoder<Pick<Written, 'amount' | 'redeemer' | 'secretHash'> & Pick<Terms, 'timelock'>>;
  readonly written: Decoder<Written>;
  /** The size of a swap's account. The chain requires a rent deposit for it, which who paid it gets back. */
  readonly length: number;
  readonly swapAt: number;
  readonly payerAt: number;
}

const AMOUNT = ['amount', getU64Decoder()] as const;
const TIMELOCK = ['timelock', getU64Decoder()] as const;
const EXPIRY = ['expiry', getU64Decoder()] as const;
const INITIATOR = ['initiator', getAddressDecoder()] as const;
const REDEEMER = ['redeemer', getAddressDecoder()] as const;
const HASH = ['secretHash', fixDecoderSize(getBytesDecoder(), 32)] as const;

const OF_COIN: Layout = {
  terms: getStructDecoder([AMOUNT, TIMELOCK, REDEEMER, HASH]),
  written: getStructDecoder([AMOUNT, EXPIRY, INITIATOR, REDEEMER, HASH]),
  length: 120,
  swapAt: 0,
  payerAt: 1,
};
const OF_TOKEN: Layout = {
  terms: getStructDecoder([TIMELOCK, REDEEMER, HASH, AMOUNT]),
  written: getStructDecoder([
    ['token', getAddressDecoder()],
    EXPIRY,
    INITIATOR,
    REDEEMER,
    HASH,
    AMOUNT,
    ['bump', getU8Decoder()],
    ['sponsor', getAddressDecoder()],
  ]),
  length: 185,
  swapAt: 1,
  payerAt: 3,
};
const TOKEN_AT = 5;

export function layoutOf({token}: {readonly token?: string | undefined}): Layout {
  return token === undefined ? OF_COIN : OF_TOKEN;
}

/** The size of both programs' arguments. That for tokens takes data for its event besides, an option of bytes (Borsh). */
const ARGUMENTS_END = 88;

function endsWithOption(data: Uint8Array): boolean {
  const [isSome, ...length] = data.subarray(ARGUMENTS_END, ARGUMENTS_END + 5);
  if (isSome !== 1) return isSome === 0 && data.length === ARGUMENTS_END + 1;
  return data.length === ARGUMENTS_END + 5 + length.reduceRight((sum, byte) => sum * 256 + byte, 0);
}

export interface Swap {
  readonly program: string;
  readonly account: string;
  readonly payer: string;
  readonly terms: Terms;
}

/** The swap that a call pays into, by what it says itself; `undefined` for any other call. */
export function paymentIn({program, accounts, data}: Call): Swap | undefined {
  const isCoin = data.length === ARGUMENTS_END;
  if (!isNamed(data, INITIATE) || !(isCoin || endsWithOption(data))) return undefined;
  const layout = isCoin ? OF_COIN : OF_TOKEN;
  const {secretHash, ...terms} = layout.terms.decode(data, NAME_LENGTH);
  const [account, payer, token] = [layout.swapAt, layout.payerAt, TOKEN_AT].map(place => accounts[place]);
  if (account === undefined || payer === undefined || (!isCoin && token === undefined)) return undefined;
  const ofToken = isCoin || token === undefined ? {} : {token};
  return {program, account, payer, terms: {...terms, secretHash: hexText(secretHash), ...ofToken}};
}

/**
 * A call that pays into a swap with these terms, to search for: it is never sent, so its accounts but the token do not
 * matter. `undefined` for invalid terms.
 */
export function soughtPayment(program: string, payer: string, terms: Terms): Instruction | undefined {
  const {amount, timelock, redeemer, secretHash, token} = terms;
  const u64 = getU64Encoder();
  const isNumber = (value: bigint) => value >= 0n && value < 2n ** 64n;
  if (!isNumber(amount) || !isNumber(timelock) || !isAddress(redeemer) || !/^[0-9a-f]{64}$/.test(secretHash))
    return undefined;
  const before = token === undefined ? [...u64.encode(amount)] : [];
  const after = token === undefined ? [] : [...u64.encode(amount), 0];
  const arguments_ = [...before, ...u64.encode(timelock), ...bytesOf(redeemer), ...hexBytes(secretHash), ...after];
  return {
    program,
    accounts: [...Array.from({length: TOKEN_AT}, () => payer), token ?? payer].map(reading),
    data: Uint8Array.from([...hexBytes(INITIATE), ...arguments_]),
  };
}

export function swapAccount(
  program: string,
  payer: string,
  {secretHash, token}: Pick<Terms, 'secretHash' | 'token'>,
): Promise<string> {
  const seeds = [bytesOf(payer), hexBytes(secretHash)];
  return derivedAddress(program, token === undefined ? [SEED, ...seeds] : seeds);
}

export async function swapOf(program: string, payer: string, terms: Terms): Promise<Swap> {
  return {program, account: await swapAccount(program, payer, terms), payer, terms};
}

const reading = (address: string): AccountUse => ({address, signer: false, writable: false});
const writing = (address: string): AccountUse => ({address, signer: false, writable: true});
const signing = (address: string): AccountUse => ({address, signer: true, writable: true});

function tokenAccountsOf(program: string, payer: string, token: string) {
  return Promise.all([
    derivedAddress(program, []),
    derivedAddress(program, [bytesOf(token)]),
    tokenAccount(payer, token),
  ]);
}

/**
 * The accounts of the call that pays into a swap, in order. In that for tokens the payer stands twice: it also pays the
 * deposits of accounts that are created, the vault's too if it is the first of its token.
 */
export async function accountsOf({program, account, payer, terms: {token}}: Swap): Promise<readonly AccountUse[]> {
  if (token === undefined) return [writing(account), signing(payer), reading(SYSTEM_PROGRAM)];
  const [authority, vault, own] = await tokenAccountsOf(program, payer, token);
  const programs = [TOKEN_PROGRAM, SYSTEM_PROGRAM].map(reading);
  const begin = [authority, account, vault].map(writing);
  return [...begin, signing(payer), writing(own), reading(token), signing(payer), ...programs];
}

/** It only needs the fee payer's signature. `sponsor`: who gets the deposit of the swap's account. */
export async function refundInstruction(
  {program, account, payer, terms: {token}}: Swap,
  sponsor: string,
): Promise<Instruction> {
  const data = hexBytes(REFUND);
  if (token === undefined) return {program, accounts: [account, payer].map(writing), data};
  const [authority, vault, own] = await tokenAccountsOf(program, payer, token);
  const money = [account, vault, own, sponsor].map(writing);
  return {program, accounts: [reading(authority), ...money, reading(TOKEN_PROGRAM)], data};
}

export interface Held {
  readonly amount: bigint;
  /** The slot in which it was paid in. */
  readonly block: bigint;
  /** Whether the program would refund it to the payer now. */
  readonly isRefundOpen: boolean;
  readonly sponsor: string;
}

/**
 * `undefined` if the account is empty, has other terms, or coins that were only sent to its address. `commitment`: the
 * required finality. `slot`: up to which the node must have read its chain.
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
  const {length, written} = layoutOf(terms);
  if (data.length !== length || !isNamed(data, SWAP_ACCOUNT)) return undefined;
  const {amount, expiry, initiator, redeemer, secretHash, token, sponsor} = written.decode(data, NAME_LENGTH);
  const now = BigInt(context.slot);
  const block = expiry - terms.timelock;
  const isSame =
    amount === terms.amount &&
    initiator === payer &&
    redeemer === terms.redeemer &&
    hexText(secretHash) === terms.secretHash &&
    token === terms.token &&
    // The account only stores the end. With a longer timelock it would have been paid after now.
    block <= now;
  return isSame ? {amount, block, isRefundOpen: now > expiry, sponsor: sponsor ?? payer} : undefined;
}

export type Deed = 'initiated' | DepositEnd['how'];

export function deedOf(call: Call, {program, account, terms}: Swap): Deed | undefined {
  if (call.program !== program || !call.accounts.includes(account)) return undefined;
  if (isNamed(call.data, REFUND) || isNamed(call.data, INSTANT_REFUND)) return 'refunded';
  if (decodeRedeem(call) !== undefined) return 'redeemed';
  const paid = paymentIn(call)?.terms;
  const isSame =
    paid?.amount === terms.amount &&
    paid.timelock === terms.timelock &&
    paid.redeemer === terms.redeemer &&
    paid.secretHash === terms.secretHash &&
    paid.token === terms.token;
  return isSame ? 'initiated' : undefined;
}

/** As hex digits; `undefined` for any other instruction. Anchor's programs ignore trailing bytes. */
export function decodeRedeem({data}: Pick<Instruction, 'data'>): string | undefined {
  return data.length >= 40 && isNamed(data, REDEEM) ? hexText(data.subarray(NAME_LENGTH, 40)) : undefined;
}

export async function isProgram(read: Read, address: string): Promise<boolean> {
  const {value} = (await read('getAccountInfo', address, {encoding: 'base64', commitment: 'confirmed'})) as {
    readonly value: {readonly executable: boolean} | null;
  };
  return value?.executable === true;
}
