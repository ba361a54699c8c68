import {keccak256} from 'ethers';

/*
 * The encoding of calls and events (Solidity's contract ABI specification), for the types that occur in them: words of
 * 32 bytes, and bytes behind them.
 */

/** Types of parameters. */
export type Types = readonly ('address' | 'uint256' | 'bytes32' | 'bytes')[];

const WORD = 64;

/** An address with its checksum (EIP-55), whatever it had before. Throws for invalid addresses. */
export function checksummed(address: string): string {
  const digits = digitsOf(address).toLowerCase();
  if (digits.length !== 40) throw new TypeError('no address');
  const hash = keccak256(new TextEncoder().encode(digits)).slice('0x'.length);
  const isUpper = (at: number) => /[89a-f]/.test(hash[at] ?? '');
  return `0x${digits.replace(/[a-f]/g, (letter, at: number) => (isUpper(at) ? letter.toUpperCase() : letter))}`;
}

/** Whether an address has the right checksum, or is in a single letter case, which has none. */
export function isWritten(address: string): boolean {
  const digits = digitsOf(address);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || checksummed(address) === address;
}

/** The digits of hex text of whole bytes. */
function digitsOf(bytes: unknown): string {
  if (typeof bytes !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(bytes)) throw new TypeError('no bytes');
  return bytes.slice('0x'.length);
}

function wordOf(value: unknown): string {
  if (typeof value !== 'bigint' && typeof value !== 'number') throw new TypeError('no number');
  const number = BigInt(value);
  const word = number.toString(16).padStart(WORD, '0');
  if (number < 0n || word.length > WORD) throw new RangeError('no number of 256 bits');
  return word;
}

/** Encodes values. Throws if a type cannot hold its value. */
export function encode(types: Types, values: readonly unknown[]): string {
  if (values.length !== types.length) throw new TypeError('another number of values');
  let tail = '';
  const words = types.map((type, at) => {
    const value = values[at];
    if (type === 'uint256') return wordOf(value);
    const digits = digitsOf(value).toLowerCase();
    if (type === 'address' && (digits.length !== 40 || !isWritten(value as string))) throw new TypeError('no address');
    if (type === 'bytes32' && digits.length !== WORD) throw new TypeError('no 32 bytes');
    if (type !== 'bytes') return digits.padStart(WORD, '0');
    const offset = wordOf((types.length * WORD + tail.length) / 2);
    tail += wordOf(digits.length / 2) + digits.padEnd(Math.ceil(digits.length / WORD) * WORD, '0');
    return offset;
  });
  return `0x${words.join('')}${tail}`;
}

/**
 * Decodes values. `undefined` unless they are encoded canonically, for example if offsets overlap. Trailing data does not
 * matter.
 */
export function decode(types: Types, data: string): readonly unknown[] | undefined {
  const text = data.slice('0x'.length).toLowerCase();
  const wordAt = (place: number) => text.slice(place, place + WORD);
  const numberAt = (place: number) => BigInt(`0x${wordAt(place)}`);
  try {
    const values = types.map((type, at) => {
      const place = at * WORD;
      if (type === 'uint256') return numberAt(place);
      if (type === 'bytes32') return `0x${wordAt(place)}`;
      if (type === 'address') return checksummed(`0x${wordAt(place).slice(-40)}`);
      const start = 2 * Number(numberAt(place)) + WORD;
      return `0x${text.slice(start, start + 2 * Number(numberAt(start - WORD)))}`;
    });
    return data.toLowerCase().startsWith(encode(types, values)) ? values : undefined;
  } catch {
    return undefined;
  }
}
