import {Point, recoverPublicKey} from '@noble/secp256k1';
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
  const parity = Number.parseInt(signature.slice(130), 16) - 27;
  const recovered = Uint8Array.of(parity, ...hexBytes(signature.slice(2, 130)));
  return addressOf(recoverPublicKey(recovered, hexBytes(digest.slice(2)), {prehash: false}));
}

function addressOf(key: Uint8Array): string {
  const [, ...coordinates] = Point.fromBytes(key).toBytes(false);
  return addressText(`0x${keccak256(Uint8Array.from(coordinates)).slice(-40)}`);
}
