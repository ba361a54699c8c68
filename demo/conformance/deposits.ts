/**
 * Deposits of the contract generation that the widget supports, read without its code: the tapscript of a Bitcoin
 * address, and the calls to EVM, Solana and Starknet contracts.
 */
import {Point} from '@noble/secp256k1';
import {base58, bech32m} from '@scure/base';
import {createECDH, createHash, generateKeyPairSync, randomBytes} from 'node:crypto';
import type {Family} from './specification.js';

/** The terms that a contract call locks. Hashes and EVM addresses are in lower case. */
export interface Locked {
  readonly redeemer: string;
  readonly timelock: bigint;
  readonly amount: bigint;
  readonly secretHash: string;
}

const sha256 = (...parts: readonly Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
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

export function hashOfWords(words: unknown): string {
  return Array.isArray(words) ? wordsText(words.map(word => BigInt(Number.isInteger(word) ? Number(word) : 0))) : '';
}

export const hexText = (number: bigint) => `0x${number.toString(16)}`;

/* -- Solana --------------------------------------------------------------------------------------------------------- */

export interface SolanaDeposit extends Locked {
  readonly feePayer: string;
  readonly initiator: string;
  readonly program: string;
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
    const accounts = Array.from({length: count()}, () => base58.encode(take(32)));
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
      program: call.program,
      amount: data.readBigUInt64LE(8),
      timelock: data.readBigUInt64LE(16),
      redeemer: base58.encode(data.subarray(24, 56)),
      secretHash: data.subarray(56).toString('hex'),
    };
  } catch {
    return undefined;
  }
}

/* -- Bitcoin -------------------------------------------------------------------------------------------------------- */

/** The terms in a deposit address, in hex; keys are x-only (BIP-340). */
interface BitcoinTerms {
  readonly secretHash: string;
  readonly redeemer: string;
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
  const tweak = tagged('TapTweak', NOBODY.toBytes().subarray(1), root);
  return witnessAddress(
    chain,
    NOBODY.add(Point.BASE.multiply(BigInt(`0x${tweak.toString('hex')}`)))
      .toBytes()
      .subarray(1),
  );
}

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
const NOBODY = Point.fromHex('022160e11a135f94e536a5b222e5d09fd9db1be5f5f5e753920290c0410cf388f0');

/** A taproot address (BIP-350) of a key's 32 bytes. */
function witnessAddress(chain: string, key: Uint8Array): string {
  return bech32m.encode(chain === 'bitcoin' ? 'bc' : 'tb', [1, ...bech32m.toWords(key)]);
}

/* -- people --------------------------------------------------------------------------------------------------------- */

/** A new address on a chain, whose key is discarded: money sent there is lost. */
export function newAddress(chain: string, family: Family): string {
  switch (family) {
    case 'bitcoin': {
      const pair = createECDH('secp256k1');
      pair.generateKeys();
      return witnessAddress(chain, pair.getPublicKey(null, 'compressed').subarray(1));
    }
    case 'evm':
      return `0x${randomBytes(20).toString('hex')}`;
    case 'solana':
      return base58.encode(
        generateKeyPairSync('ed25519').publicKey.export({format: 'der', type: 'spki'}).subarray(-32),
      );
    case 'starknet':
      return `0x0${randomBytes(31).toString('hex')}`;
  }
}
