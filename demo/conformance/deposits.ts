/**
 * Deposits of the contract generation that the widget supports, read without its code: the tapscript of a Bitcoin
 * address, and the calls to EVM, Solana and Starknet contracts.
 */
import {createECDH, createHash, generateKeyPairSync, randomBytes} from 'node:crypto';
import type {Family} from './specification.js';

/** The terms that a contract call locks. Hashes and EVM addresses are in lower case. */
export interface Locked {
  readonly redeemer: string;
  readonly timelock: bigint;
  readonly amount: bigint;
  readonly secretHash: string;
}

const sha256 = (...parts: readonly Uint8Array[]) => {
  const made = createHash('sha256');
  for (const part of parts) made.update(part);
  return made.digest();
};

/** The hash of a secret, both in hex. */
export const hashOf = (secret: string) => sha256(Buffer.from(secret, 'hex')).toString('hex');

/* -- EVM ------------------------------------------------------------------------------------------------------------ */

/** Reads `initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash)`. */
export function readEvmCall(data: string): Locked | undefined {
  const [, redeemer, timelock, amount, secretHash] =
    /^0x97ffc7ae0{24}([0-9a-f]{40})([0-9a-f]{64})([0-9a-f]{64})([0-9a-f]{64})$/i.exec(data) ?? [];
  if (!redeemer || !timelock || !amount || !secretHash) return undefined;
  return {
    redeemer: `0x${redeemer.toLowerCase()}`,
    timelock: BigInt(`0x${timelock}`),
    amount: BigInt(`0x${amount}`),
    secretHash: secretHash.toLowerCase(),
  };
}

/* -- Starknet ------------------------------------------------------------------------------------------------------- */

/** `starknet_keccak("initiate")`. */
const INITIATE = 0x2aed25fcd0101fcece997d93f9d0643dfa3fbd4118cae16bf7d6cd533577c28n;

/** A number from hex or decimal text. */
export function numberOf(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^(?:0x[0-9a-f]+|\d+)$/i.test(value) ? BigInt(value) : undefined;
}

const wordsText = (words: readonly bigint[]) => words.map(word => word.toString(16).padStart(8, '0')).join('');

/** Reads `initiate(redeemer, timelock, amount: u256, secret_hash: [u32; 8])`. */
export function readStarknetCall(selector: unknown, calldata: unknown): Locked | undefined {
  const felts = Array.isArray(calldata) ? calldata.map(numberOf) : [];
  const [redeemer, timelock, low, high, ...words] = felts.filter(felt => felt !== undefined);
  if (numberOf(selector) !== INITIATE || felts.length !== 12 || words.length !== 8) return undefined;
  if (redeemer === undefined || timelock === undefined || low === undefined || high === undefined) return undefined;
  return {redeemer: hexText(redeemer), timelock, amount: (high << 128n) + low, secretHash: wordsText(words)};
}

/** The secret's hash in a Starknet message. */
export function hashOfWords(words: unknown): string {
  return Array.isArray(words) ? wordsText(words.map(word => BigInt(Number.isInteger(word) ? Number(word) : 0))) : '';
}

export const hexText = (number: bigint) => `0x${number.toString(16)}`;

/* -- Solana --------------------------------------------------------------------------------------------------------- */

/** What a Solana transaction does. */
export interface SolanaDeposit extends Locked {
  readonly feePayer: string;
  readonly initiator: string;
}

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';

/**
 * Reads a transaction that only calls `initiate`, and may limit its own cost. `undefined` for any other, including one
 * with address lookup tables.
 */
export function readSolanaTransaction(written: string): SolanaDeposit | undefined {
  const bytes = Buffer.from(written, 'hex');
  let at = 0;
  const take = (length: number) => {
    if (at + length > bytes.length) throw new RangeError('The transaction ends too early.');
    return bytes.subarray(at, (at += length));
  };
  const byte = () => take(1)[0] ?? 0;
  const count = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const next = byte();
      value |= (next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
  };
  try {
    take(64 * count());
    const isVersioned = (bytes[at] ?? 0) >= 0x80;
    if (isVersioned) byte();
    take(3);
    const accounts = Array.from({length: count()}, () => toBase58(take(32)));
    const account = (place: number | undefined) => accounts[place ?? -1] ?? '';
    take(32);
    const calls = Array.from({length: count()}, () => ({
      program: account(byte()),
      accounts: [...take(count())].map(account),
      data: take(count()),
    }));
    const lookups = isVersioned ? count() : 0;
    const [call, ...others] = calls.filter(({program}) => program !== COMPUTE_BUDGET);
    const discriminator = sha256(Buffer.from('global:initiate')).subarray(0, 8);
    if (!call?.data.subarray(0, 8).equals(discriminator) || call.data.length !== 88 || others.length || lookups)
      return undefined;
    const {data} = call;
    return {
      feePayer: account(0),
      initiator: call.accounts[1] ?? '',
      amount: data.readBigUInt64LE(8),
      timelock: data.readBigUInt64LE(16),
      redeemer: toBase58(data.subarray(24, 56)),
      secretHash: data.subarray(56).toString('hex'),
    };
  } catch {
    return undefined;
  }
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function toBase58(bytes: Uint8Array): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
  let written = '';
  for (; number > 0n; number /= 58n) written = BASE58.charAt(Number(number % 58n)) + written;
  const zeros = bytes.findIndex(byte => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + written;
}

/* -- Bitcoin -------------------------------------------------------------------------------------------------------- */

/** The terms in a deposit address, in hex; keys are x-only (BIP-340). */
interface BitcoinTerms {
  readonly secretHash: string;
  /** Redeems with the secret. */
  readonly redeemer: string;
  /** Refunds after the timelock. */
  readonly initiator: string;
  readonly timelock: number;
}

/**
 * The address of `[redeem, [refund, instant refund]]` under a key that nobody has (BIP-341). `undefined` for invalid
 * terms.
 */
export function bitcoinAddress(chain: string, {secretHash, redeemer, initiator, timelock}: BitcoinTerms) {
  if (![secretHash, redeemer, initiator].every(one => /^[0-9a-f]{64}$/i.test(one))) return undefined;
  if (timelock < 1 || timelock > 0xffff) return undefined;
  const lock = timelock <= 16 ? (0x50 + timelock).toString(16) : pushed(scriptNumber(timelock));
  const redeem = leaf(`a8${pushed(secretHash)}88${pushed(redeemer)}ac`);
  const refund = leaf(`${lock}b275${pushed(initiator)}ac`);
  const instantRefund = leaf(`${pushed(initiator)}ac${pushed(redeemer)}ba529c`);
  const root = branch(redeem, branch(refund, instantRefund));
  const tweak = toNumber(tagged('TapTweak', toBytes(NOBODY), root));
  return witnessAddress(isMain(chain) ? 'bc' : 'tb', toBytes(add(lift(NOBODY), multiply(tweak))?.x ?? 0n));
}

const isMain = (chain: string) => chain === 'bitcoin';
const pushed = (written: string) => (written.length / 2).toString(16).padStart(2, '0') + written;

function scriptNumber(value: number): string {
  const bytes: number[] = [];
  for (let rest = value; rest > 0; rest >>= 8) bytes.push(rest & 0xff);
  if ((bytes.at(-1) ?? 0) >= 0x80) bytes.push(0);
  return Buffer.from(bytes).toString('hex');
}

function tagged(tag: string, ...parts: readonly Uint8Array[]): Buffer {
  const head = sha256(Buffer.from(tag));
  return sha256(head, head, ...parts);
}

function leaf(script: string): Buffer {
  return tagged('TapLeaf', Buffer.from([0xc0, script.length / 2]), Buffer.from(script, 'hex'));
}

const branch = (...both: [Buffer, Buffer]) => tagged('TapBranch', ...both.sort((one, other) => one.compare(other)));

/** BIP-341's point H, tweaked by the hash of the contract's name: a key that nobody has. */
const NOBODY = 0x2160e11a135f94e536a5b222e5d09fd9db1be5f5f5e753920290c0410cf388f0n;

/** secp256k1, only as needed to add public points. */
type Point = {readonly x: bigint; readonly y: bigint} | undefined;
const P = 2n ** 256n - 2n ** 32n - 977n;
const G: Point = {
  x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
};
const mod = (value: bigint) => ((value % P) + P) % P;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let factor = mod(base); exponent > 0n; exponent >>= 1n, factor = mod(factor * factor)) {
    if (exponent & 1n) result = mod(result * factor);
  }
  return result;
}

function inverse(value: bigint): bigint {
  let [rest, next, result, other] = [mod(value), P, 1n, 0n];
  while (rest > 1n) [rest, next, result, other] = [next % rest, rest, other - (next / rest) * result, result];
  return mod(result);
}

function add(one: Point, other: Point): Point {
  if (!one || !other) return one ?? other;
  if (one.x === other.x && mod(one.y + other.y) === 0n) return undefined;
  const slope =
    one.x === other.x ? 3n * one.x * one.x * inverse(2n * one.y) : (other.y - one.y) * inverse(other.x - one.x);
  const x = mod(slope * slope - one.x - other.x);
  return {x, y: mod(slope * (one.x - x) - one.y)};
}

function multiply(times: bigint): Point {
  let result: Point;
  for (let point: Point = G; times > 0n; times >>= 1n, point = add(point, point)) {
    if (times & 1n) result = add(result, point);
  }
  return result;
}

/** The point with this x and an even y. */
function lift(x: bigint): Point {
  const y = power(x ** 3n + 7n, (P + 1n) / 4n);
  return {x, y: y & 1n ? P - y : y};
}

const toNumber = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const toBytes = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

/** A taproot address (BIP-350). */
function witnessAddress(prefix: string, program: Uint8Array): string {
  const bits = [...program].map(byte => byte.toString(2).padStart(8, '0')).join('');
  const values = [1, ...(bits.match(/.{1,5}/g) ?? []).map(five => parseInt(five.padEnd(5, '0'), 2))];
  const head = Array.from(prefix, letter => letter.charCodeAt(0));
  const all = [...head.map(code => code >> 5), 0, ...head.map(code => code & 31), ...values, 0, 0, 0, 0, 0, 0];
  let check = 1;
  for (const value of all) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].forEach((part, place) => {
      if ((top >> place) & 1) check ^= part;
    });
  }
  check ^= 0x2bc830a3;
  const sum = Array.from({length: 6}, (_, place) => (check >>> (5 * (5 - place))) & 31);
  return `${prefix}1${[...values, ...sum].map(value => BECH32.charAt(value)).join('')}`;
}

/* -- people --------------------------------------------------------------------------------------------------------- */

/** A new address on a chain, whose key is discarded: money sent there is lost. */
export function newAddress(chain: string, family: Family): string {
  switch (family) {
    case 'bitcoin': {
      const pair = createECDH('secp256k1');
      pair.generateKeys();
      return witnessAddress(isMain(chain) ? 'bc' : 'tb', pair.getPublicKey(null, 'compressed').subarray(1));
    }
    case 'evm':
      return `0x${randomBytes(20).toString('hex')}`;
    case 'solana':
      return toBase58(generateKeyPairSync('ed25519').publicKey.export({format: 'der', type: 'spki'}).subarray(-32));
    case 'starknet':
      return `0x0${randomBytes(31).toString('hex')}`;
  }
}
