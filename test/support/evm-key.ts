import {Wallet, hexlify, randomBytes} from 'ethers';

/** A new key. `Wallet.createRandom()` would also derive an unneeded seed phrase, for half a second. */
export function newKey(): Wallet {
  return new Wallet(hexlify(randomBytes(32)));
}

export function newAddress(): string {
  return newKey().address;
}
