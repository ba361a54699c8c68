import {bech32, bech32m, createBase58check} from '@scure/base';
import {sha256} from '@noble/hashes/sha2.js';
import type {Chain} from '../../domain/asset.js';

interface Network {
  /** The human-readable part of bech32 (BIP 173). */
  readonly prefix: 'bc' | 'tb';
  /** The first byte of base58check: P2PKH, P2SH. */
  readonly versions: readonly [keyHash: number, scriptHash: number];
}

const MAIN: Network = {prefix: 'bc', versions: [0x00, 0x05]};
const TEST: Network = {prefix: 'tb', versions: [0x6f, 0xc4]};

const base58check = createBase58check(sha256);

function networkOf({test}: Pick<Chain, 'test'>): Network {
  return test ? TEST : MAIN;
}

/**
 * Future witness versions are well-formed (BIP 350), but rejected: until they have rules, anyone can take the coins.
 */
export function isBitcoinAddress(chain: Pick<Chain, 'test'>, text: string): boolean {
  const network = networkOf(chain);
  try {
    return isSegwit(text) ? holdsProgram(network, text) : holdsHash(network, text);
  } catch {
    return false;
  }
}

/** Bech32 is case-insensitive but never mixed (BIP 173); base58 is case-sensitive. */
export function isSameBitcoinAddress(one: string, other: string): boolean {
  return one === other || (isSegwit(one) && isSegwit(other) && one.toLowerCase() === other.toLowerCase());
}

export function taprootAddress(chain: Pick<Chain, 'test'>, key: Uint8Array): string {
  return bech32m.encode(networkOf(chain).prefix, [1, ...bech32m.toWords(key)]);
}

/** The addresses of a key's hash: P2WPKH, P2PKH, and P2SH around the former, by the hash of that script (BIP 49). */
export function keyHashAddresses(
  chain: Pick<Chain, 'test'>,
  keyHash: Uint8Array,
  scriptHash: Uint8Array,
): readonly string[] {
  const {prefix, versions} = networkOf(chain);
  const [ofKey, ofScript] = versions;
  return [
    bech32.encode(prefix, [0, ...bech32.toWords(keyHash)]),
    base58check.encode(Uint8Array.of(ofKey, ...keyHash)),
    base58check.encode(Uint8Array.of(ofScript, ...scriptHash)),
  ];
}

function isSegwit(text: string): boolean {
  return /^(?:bc|tb)1[02-9ac-hj-np-z]+$/.test(text) || /^(?:BC|TB)1[02-9AC-HJ-NP-Z]+$/.test(text);
}

function holdsProgram({prefix}: Network, text: string): boolean {
  // Version 0 has the older checksum, all others the newer one (BIP 350).
  const isOld = /^..1q/i.test(text);
  const {prefix: found, words} = (isOld ? bech32 : bech32m).decode(text as `${string}1${string}`);
  const [version, ...program] = words;
  const {length} = bech32.fromWords(program);
  return found === prefix && ((version === 0 && (length === 20 || length === 32)) || (version === 1 && length === 32));
}

function holdsHash({versions}: Network, text: string): boolean {
  const bytes = base58check.decode(text);
  return bytes.length === 21 && versions.some(version => version === bytes[0]);
}
