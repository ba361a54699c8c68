import {Point} from '@noble/secp256k1';
import {keccak256} from 'ethers';
import {hexBytes} from '../checks.js';
import {addressText} from './htlc.js';

/** Whether an address is that of a public key (SEC 1). One without its y, or that is not on the curve, has none. */
export function isKeyOf(address: string, key: string): boolean {
  try {
    const [, ...coordinates] = Point.fromBytes(hexBytes(key)).toBytes(false);
    return addressText(`0x${keccak256(Uint8Array.from(coordinates)).slice(-40)}`) === addressText(address);
  } catch {
    return false;
  }
}
