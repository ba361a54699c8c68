import {concat, getAddress, TypedDataEncoder} from 'ethers';

/* The encoding of calls and events (Solidity's contract ABI specification), for the types that occur in them. */

export type Types = readonly ('address' | 'uint256' | 'bytes32')[];

/** EIP-712 encodes a value of these types as contracts do: as one word of 32 bytes. The whole coder is 6 kB more. */
const words = TypedDataEncoder.from({Words: []});
const WORD = 64;

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
  const plain = values.map((value, at) => (types[at] === 'uint256' ? value : plainHex(value)));
  return concat(types.map((type, at) => words.encodeData(type, plain[at])));
}

/** Hex text of whole bytes. The library also accepts addresses without a prefix, or as IBAN (ICAP). */
function plainHex(bytes: unknown): string {
  if (typeof bytes !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(bytes)) throw new TypeError('no bytes');
  return bytes;
}

/** `undefined` unless they are what is encoded like this. Trailing data does not matter. */
export function decode(types: Types, data: string): readonly unknown[] | undefined {
  const text = data.toLowerCase();
  const given = text.slice('0x'.length).match(/[0-9a-f]{64}/g) ?? [];
  if (given.length < types.length) return undefined;
  const values = given.slice(0, types.length).map((word, at) => {
    if (types[at] === 'uint256') return BigInt(`0x${word}`);
    return types[at] === 'address' ? checksummed(`0x${word.slice(-40)}`) : `0x${word}`;
  });
  return text.startsWith(encode(types, values)) ? values : undefined;
}

/** The only value of data, bytes: after their place and their number, and filled up with zeros to whole words. */
export function decodeBytes(data: string): string | undefined {
  const [place, count] = decode(['uint256', 'uint256'], data) ?? [];
  const rest = data.slice('0x'.length + 2 * WORD).toLowerCase();
  const bytes = rest.slice(0, 2 * Number(count));
  const filled = bytes.padEnd(Math.ceil(bytes.length / WORD) * WORD, '0');
  const isWhole = place === 32n && bytes.length === 2 * Number(count) && rest.startsWith(filled);
  return isWhole && /^[0-9a-f]*$/.test(bytes) ? `0x${bytes}` : undefined;
}
