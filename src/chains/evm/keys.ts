import {Point} from '@noble/secp256k1';
import {keccak256} from 'ethers';
import {hexBytes} from '../checks.js';
import {addressText} from './htlc.js';

/** Whether an address is that of a public key (SEC 1). One without its y, or that is not on the curve, has none. */
export function isKeyOf(address: string, key: string): boolean {
  try {
    return addressOf(hexBytes(key)) === addressText(address);
  } catch {
    return false;
  }
}

/** The address whose key made a signature (r, s, v: 27 or 28) of a digest (SEC 1, 4.1.6). Throws if none did. */
export function signerOf(digest: string, signature: string): string {
  const words = [digest.slice(2), signature.slice(2, 66), signature.slice(66, 130)];
  const [z, r, s] = words.map(word => BigInt(`0x${word}`)) as [bigint, bigint, bigint];
  const parity = {'1b': '02', '1c': '03'}[signature.slice(130)];
  const {n} = Point.CURVE();
  // By Fermat: the order of the curve is prime.
  let inverse = 1n;
  for (let power = n - 2n, square = r; power; power >>= 1n, square = (square * square) % n) {
    if (power & 1n) inverse = (inverse * square) % n;
  }
  const point = Point.fromBytes(hexBytes(String(parity) + signature.slice(2, 66)));
  const key = point.multiply((s * inverse) % n).add(Point.BASE.multiply(((n - (z % n)) * inverse) % n));
  return addressOf(key.toBytes());
}

function addressOf(key: Uint8Array): string {
  const [, ...coordinates] = Point.fromBytes(key).toBytes(false);
  return addressText(`0x${keccak256(Uint8Array.from(coordinates)).slice(-40)}`);
}
