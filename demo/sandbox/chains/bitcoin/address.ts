/** Parses Bitcoin testnet addresses in all their formats, or says what is wrong. */
import {schnorr} from '@noble/curves/secp256k1.js';
import {sha256} from '@noble/hashes/sha2.js';
import {bech32, bech32m, createBase58check} from '@scure/base';

type Read = {address: string} | {problem: string};

const base58check = createBase58check(sha256);
const WRONG_NETWORK = {
  main: 'an address of the main network, not of the test network',
  regtest: 'an address of a regression-test network, not of the test network',
};

/** The address in canonical form (BIP-173 allows all lower or all upper case). */
export function readAddress(text: string): Read {
  const prefix = /^(tb|bc|bcrt)1/i.exec(text)?.[1]?.toLowerCase();
  if (prefix === 'bc') return {problem: WRONG_NETWORK.main};
  if (prefix === 'bcrt') return {problem: WRONG_NETWORK.regtest};
  return prefix ? readSegwit(text) : readBase58(text);
}

/** BIP-173, and BIP-350 from witness version 1 on. */
function readSegwit(text: string): Read {
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return {problem: 'mixes upper and lower case'};
  const [first, other] = [bech32.decodeUnsafe(text, 90), bech32m.decodeUnsafe(text, 90)];
  const decoded = first ?? other;
  if (!decoded) return {problem: 'mistyped: its checksum is wrong'};
  const [version = 0, ...words] = decoded.words;
  if ((version === 0) !== (first !== undefined)) return {problem: 'its checksum is of the wrong kind for its version'};
  const program = bech32.fromWordsUnsafe(words);
  if (!program) return {problem: 'not a valid Bitcoin address'};
  if (version === 0) {
    return program.length === 20 || program.length === 32
      ? {address: text.toLowerCase()}
      : {problem: 'not a valid Bitcoin address: a version 0 program has 20 or 32 bytes'};
  }
  // Any other version, or a key that is not on the curve (BIP-341), cannot be spent by anyone today.
  if (version !== 1 || program.length !== 32) return {problem: 'of a witness version that is not in use yet'};
  return isPoint(program) ? {address: text.toLowerCase()} : {problem: 'its key is not a point on the curve'};
}

function readBase58(text: string): Read {
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(text);
  } catch {
    return {problem: 'not a valid Bitcoin address'};
  }
  if (bytes.length !== 21) return {problem: 'not a valid Bitcoin address'};
  switch (bytes[0]) {
    case 0x6f:
    case 0xc4:
      return {address: text};
    case 0x00:
    case 0x05:
      return {problem: WRONG_NETWORK.main};
    default:
      return {problem: 'not an address of the Bitcoin test network'};
  }
}

function isPoint(x: Uint8Array): boolean {
  try {
    schnorr.utils.lift_x(BigInt(`0x${Buffer.from(x).toString('hex')}`));
    return true;
  } catch {
    return false;
  }
}
