import {ripemd160} from '@noble/hashes/legacy.js';
import {sha256} from '@noble/hashes/sha2.js';
import {bytesToHex, concatBytes, hexToBytes, utf8ToBytes} from '@noble/hashes/utils.js';
import {Point} from '@noble/secp256k1';
import type {Chain} from '../../domain/asset.js';
import {isSameBitcoinAddress, keyHashAddresses, taprootAddress} from './address.js';

/**
 * Derives P2TR, tweaked without scripts (BIP 86) or not at all, P2WPKH (BIP 84), that in P2SH (BIP 49), and P2PKH.
 * `undefined` for an address of no single key: P2WSH, or P2SH of another script.
 */
export function isKeyOf(chain: Pick<Chain, 'test'>, address: string, text: string): boolean | undefined {
  const points = pointsOf(text.replace(/^0x/i, '').toLowerCase());
  const derived = points.flatMap(point => {
    const full = point.toBytes();
    const hash = ripemd160(sha256(full));
    const xOnly = full.slice(1);
    return [
      ...[xOnly, tweaked(xOnly)].map(key => taprootAddress(chain, key)),
      ...keyHashAddresses(chain, hash, ripemd160(sha256(concatBytes(Uint8Array.of(0, 20), hash)))),
    ];
  });
  if (derived.some(one => isSameBitcoinAddress(one, address))) return true;
  return isOfScript(address) && points.length > 0 ? undefined : false;
}

/** The points of a key: both with its x if only that is given; none if it is not on the curve. */
function pointsOf(hex: string): readonly Point[] {
  const texts = hex.length === 64 ? [`02${hex}`, `03${hex}`] : [hex];
  try {
    return texts.map(text => Point.fromBytes(hexToBytes(text)));
  } catch {
    return [];
  }
}

/** An output key that commits to no scripts (BIP 86; the even point of an x, BIP 340). */
function tweaked(xOnly: Uint8Array): Uint8Array {
  const tag = sha256(utf8ToBytes('TapTweak'));
  const tweak = BigInt(`0x${bytesToHex(sha256(concatBytes(tag, tag, xOnly)))}`);
  return Point.fromBytes(concatBytes(Uint8Array.of(2), xOnly))
    .add(Point.BASE.multiply(tweak))
    .toBytes()
    .slice(1);
}

/** Whether an address may be of a script that no single key determines: P2SH, P2WSH (32 bytes of version 0). */
function isOfScript(address: string): boolean {
  return /^(?:[23]|(?:bc|tb)1q.{58}$)/i.test(address);
}
