import {AbiCoder, getAddress} from 'ethers';

/* The encoding of calls and events (Solidity's contract ABI specification), for the types that occur in them. */

export type Types = readonly ('address' | 'uint256' | 'bytes32' | 'bytes')[];

const abi = AbiCoder.defaultAbiCoder();

/** An address with its checksum (EIP-55), whatever it had before. Throws for invalid addresses. */
export function checksummed(address: string): string {
  return getAddress(plainHex(address).toLowerCase());
}

/** Whether an address has the right checksum, or is in a single letter case, which has none. */
export function isWritten(address: string): boolean {
  const digits = address.slice('0x'.length);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || checksummed(address) === address;
}

/** Encodes values. Throws if a type cannot hold its value. */
export function encode(types: Types, values: readonly unknown[]): string {
  return abi.encode(
    types,
    values.map((value, at) => (types[at] === 'uint256' ? value : plainHex(value))),
  );
}

/** Hex text of whole bytes. The library also accepts addresses without a prefix, or as IBAN (ICAP). */
function plainHex(bytes: unknown): string {
  if (typeof bytes !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(bytes)) throw new TypeError('no bytes');
  return bytes;
}

/**
 * `undefined` unless they are encoded canonically: offsets must not overlap, for example. Trailing data does not
 * matter.
 */
export function decode(types: Types, data: string): readonly unknown[] | undefined {
  try {
    const values = [...(abi.decode(types, data) as Iterable<unknown>)];
    return data.toLowerCase().startsWith(encode(types, values)) ? values : undefined;
  } catch {
    return undefined;
  }
}
