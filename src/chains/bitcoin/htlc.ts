import {sha256} from '@noble/hashes/sha2.js';
import {bytesToHex, concatBytes, hexToBytes, utf8ToBytes} from '@noble/hashes/utils.js';
import {Point} from '@noble/secp256k1';
import type {Chain} from '../../domain/asset.js';
import {taprootAddress} from './address.js';

/** The parameters of a deposit address's scripts, in hex. Keys are x-only (BIP 340). */
export interface Terms {
  readonly secretHash: string;
  readonly redeemer: string;
  /** Refunds it after the timelock; the service holds this key for the payer. */
  readonly delegate: string;
  /** In blocks after the deposit's own (BIP 112). */
  readonly timelock: number;
}

/**
 * An unusable internal key, so that the output can only be spent by its scripts: the point H of BIP 341, whose private
 * key is unknown, plus SHA-256("GardenHTLC") times G.
 */
const INTERNAL_KEY = '2160e11a135f94e536a5b222e5d09fd9db1be5f5f5e753920290c0410cf388f0';

/** BIP 342. */
const LEAF_VERSION = 0xc0;

const SHA256 = 0xa8;
const EQUALVERIFY = 0x88;
const CHECKSIG = 0xac;
const CHECKSIGADD = 0xba;
const CHECKSEQUENCEVERIFY = 0xb2;
const DROP = 0x75;
const NUMBER = 0x50;
const NUMEQUAL = 0x9c;

/** A P2TR output over `[redeem, [refund, instant refund]]`; `undefined` if no such contract has these terms. */
export function depositAddress(
  chain: Pick<Chain, 'test'>,
  {secretHash, redeemer, delegate, timelock}: Terms,
): string | undefined {
  const [hash, taker, giver] = [read32Bytes(secretHash), readKey(redeemer), readKey(delegate)];
  // More than 16 bits would give a relative lock another meaning (BIP 68).
  const isLock = Number.isInteger(timelock) && timelock >= 1 && timelock <= 0xffff;
  if (!hash || !taker || !giver || !isLock) return undefined;

  const redeem = leaf([SHA256], push(hash), [EQUALVERIFY], push(taker), [CHECKSIG]);
  const refund = leaf(pushNumber(timelock), [CHECKSEQUENCEVERIFY, DROP], push(giver), [CHECKSIG]);
  const instantRefund = leaf(push(giver), [CHECKSIG], push(taker), [CHECKSIGADD, NUMBER + 2, NUMEQUAL]);
  return taprootAddress(chain, outputKey(branch(redeem, branch(refund, instantRefund))));
}

/** The internal key, tweaked by the commitment to the scripts (BIP 341). */
function outputKey(root: Uint8Array): Uint8Array {
  const internal = hexToBytes(INTERNAL_KEY);
  const tweak = BigInt(`0x${bytesToHex(tagged('TapTweak', internal, root))}`);
  return Point.fromBytes(concatBytes(Uint8Array.of(2), internal))
    .add(Point.BASE.multiply(tweak))
    .toBytes()
    .slice(1);
}

function leaf(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const script = concatBytes(...parts.map(part => Uint8Array.from(part)));
  return tagged('TapLeaf', Uint8Array.of(LEAF_VERSION, script.length), script);
}

function branch(one: Uint8Array, other: Uint8Array): Uint8Array {
  const first = one.findIndex((byte, place) => byte !== other[place]);
  return (one[first] ?? 0) < (other[first] ?? 0) ? tagged('TapBranch', one, other) : tagged('TapBranch', other, one);
}

/** A tagged hash (BIP 340). */
function tagged(tag: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const prefix = sha256(utf8ToBytes(tag));
  return sha256(concatBytes(prefix, prefix, ...parts));
}

function push(bytes: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(bytes.length), bytes);
}

/** A minimal script number: little-endian, the highest bit is the sign. */
function pushNumber(value: number): readonly number[] {
  if (value <= 16) return [NUMBER + value];
  const bytes = [];
  for (let rest = value; rest > 0; rest >>= 8) bytes.push(rest & 0xff);
  if ((bytes.at(-1) ?? 0) & 0x80) bytes.push(0);
  return [bytes.length, ...bytes];
}

/** Reads a key and checks that it is on the curve: otherwise the money could never be moved again. */
function readKey(text: string): Uint8Array | undefined {
  const key = read32Bytes(text);
  try {
    if (key) Point.fromBytes(concatBytes(Uint8Array.of(2), key));
    return key;
  } catch {
    return undefined;
  }
}

function read32Bytes(text: string): Uint8Array | undefined {
  return /^[0-9a-f]{64}$/i.test(text) ? hexToBytes(text) : undefined;
}
