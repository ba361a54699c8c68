/**
 * One Bitcoin transaction by itself: read, measured, and held against the rules that need nothing but it. What is
 * refused, and in which words, follows Bitcoin Core 29: first the rules of consensus, then what its nodes pass on.
 */
import {hex} from '@scure/base';
import {OP, RawTx} from '@scure/btc-signer';
import {sha256x2} from '@scure/btc-signer/utils.js';

/** An output, by the transaction that made it. */
export interface Outpoint {
  readonly txid: string;
  readonly vout: number;
}

export interface TxOutput {
  readonly amount: bigint;
  readonly script: Uint8Array;
}

/** An output on the chain or in the mempool. */
export interface Coin extends Outpoint, TxOutput {
  readonly coinbase: boolean;
  /** The block that holds it; absent while none does. */
  readonly block?: BlockRef;
}

export interface BlockRef {
  readonly height: number;
  readonly hash: string;
  /** Seconds since 1970. */
  readonly time: number;
}

export interface TxInput extends Outpoint {
  readonly scriptSig: Uint8Array;
  readonly witness: readonly Uint8Array[];
  readonly sequence: number;
}

export interface Transaction {
  readonly txid: string;
  /** The hash over the witnesses too. */
  readonly wtxid: string;
  readonly raw: Uint8Array;
  readonly version: number;
  readonly lockTime: number;
  readonly inputs: readonly TxInput[];
  readonly outputs: readonly TxOutput[];
  /** Bytes of the whole, and without the witnesses. */
  readonly size: number;
  readonly strippedSize: number;
  /** A byte counts four, one of a witness one (BIP 141); `vsize` is a fourth of it, rounded up. */
  readonly weight: number;
  readonly vsize: number;
}

/** A transaction that the chain does not take, with the reason as a node words it. */
export class BitcoinReject extends Error {
  constructor(
    readonly reason: string,
    /**
     * The number that goes with it in a node's interface: -22 it cannot be read, -25 it spends what is not there or
     * gives away too much, -26 it breaks a rule, -27 a block holds it already.
     */
    readonly code: -22 | -25 | -26 | -27 = -26,
    detail = '',
  ) {
    super(detail ? `${reason}, ${detail}` : reason);
    this.name = 'BitcoinReject';
  }
}

export const MAX_MONEY = 2_100_000_000_000_000n;
export const MAX_BLOCK_WEIGHT = 4_000_000;
const MAX_STANDARD_WEIGHT = 400_000;
const MIN_STANDARD_STRIPPED_SIZE = 65;
const MAX_STANDARD_SCRIPTSIG = 1_650;
const MAX_DATA_SCRIPT = 83;
/** Satoshi for each 1,000 bytes below which an output is not worth what spending it takes. */
const DUST_RATE = 3_000;

/** The id of a hash is written backwards. */
export const idOf = (hash: Uint8Array) => hex.encode(Uint8Array.from(hash).reverse());
export const keyOf = ({txid, vout}: Outpoint) => `${txid}:${vout}`;

/** A transaction in the words of the library that reads it. */
interface ParsedTransaction {
  version: number;
  segwitFlag: boolean | undefined;
  inputs: {txid: Uint8Array; index: number; finalScriptSig: Uint8Array; sequence: number}[];
  outputs: {amount: bigint; script: Uint8Array}[];
  witnesses: Uint8Array[][] | undefined;
  lockTime: number;
}

/** Reads a transaction from hex; throws a {@link BitcoinReject} where it is none, whole and to the last byte. */
export function readTransaction(text: string): Transaction {
  let raw: Uint8Array;
  let read: ParsedTransaction;
  let again: Uint8Array;
  let stripped: Uint8Array;
  try {
    raw = hex.decode(text);
    read = RawTx.decode(raw) as ParsedTransaction;
    again = RawTx.encode(read);
    stripped = RawTx.encode({...read, segwitFlag: false, witnesses: undefined});
  } catch {
    throw new BitcoinReject('TX decode failed. Make sure the tx has at least one input.', -22);
  }
  // One meaning has one form only.
  if (hex.encode(again) !== hex.encode(raw)) throw new BitcoinReject('TX decode failed.', -22);

  const size = raw.length;
  const weight = stripped.length * 3 + size;
  return {
    txid: idOf(sha256x2(stripped)),
    wtxid: idOf(sha256x2(raw)),
    raw,
    version: read.version,
    lockTime: read.lockTime,
    inputs: read.inputs.map(({txid, index, finalScriptSig, sequence}, place) => ({
      txid: hex.encode(txid),
      vout: index,
      scriptSig: finalScriptSig,
      witness: read.witnesses?.[place] ?? [],
      sequence,
    })),
    outputs: read.outputs.map(({amount, script}) => ({amount, script})),
    size,
    strippedSize: stripped.length,
    weight,
    vsize: Math.ceil(weight / 4),
  };
}

/** Throws where a transaction breaks a rule of consensus by itself. */
export function checkTransaction({inputs, outputs, strippedSize}: Transaction): void {
  if (inputs.length === 0) throw new BitcoinReject('bad-txns-vin-empty');
  if (outputs.length === 0) throw new BitcoinReject('bad-txns-vout-empty');
  if (strippedSize * 4 > MAX_BLOCK_WEIGHT) throw new BitcoinReject('bad-txns-oversize');
  let total = 0n;
  for (const {amount} of outputs) {
    // The eight bytes are a signed number.
    if (amount >= 1n << 63n) throw new BitcoinReject('bad-txns-vout-negative');
    if (amount > MAX_MONEY) throw new BitcoinReject('bad-txns-vout-toolarge');
    total += amount;
    if (total > MAX_MONEY) throw new BitcoinReject('bad-txns-txouttotal-toolarge');
  }
  if (new Set(inputs.map(keyOf)).size < inputs.length) throw new BitcoinReject('bad-txns-inputs-duplicate');
  if (isCoinbase({inputs})) {
    const length = inputs[0]?.scriptSig.length ?? 0;
    if (length < 2 || length > 100) throw new BitcoinReject('bad-cb-length');
  } else if (inputs.some(isNull)) {
    throw new BitcoinReject('bad-txns-prevout-null');
  }
}

const isNull = ({txid, vout}: Outpoint) => /^0+$/.test(txid) && vout === 0xffffffff;

/** Whether it makes new coins: it spends nothing. */
export function isCoinbase({inputs}: Pick<Transaction, 'inputs'>): boolean {
  return inputs.length === 1 && inputs.every(isNull);
}

/** Throws where nodes would not pass a transaction on, though a block might hold it. */
export function checkStandard({version, weight, strippedSize, inputs, outputs}: Transaction): void {
  // Version 3 has rules of its own (BIP 431), which this chain does not know.
  if (version !== 1 && version !== 2) throw new BitcoinReject('version');
  if (weight > MAX_STANDARD_WEIGHT) throw new BitcoinReject('tx-size');
  for (const {scriptSig} of inputs) {
    if (scriptSig.length > MAX_STANDARD_SCRIPTSIG) throw new BitcoinReject('scriptsig-size');
    if (!pushesOf(scriptSig)) throw new BitcoinReject('scriptsig-not-pushonly');
  }
  const kinds = outputs.map(({script}) => kindOf(script));
  if (kinds.includes('unknown')) throw new BitcoinReject('scriptpubkey');
  if (outputs.some(isDust)) throw new BitcoinReject('dust');
  if (kinds.filter(kind => kind === 'data').length > 1) throw new BitcoinReject('multi-op-return');
  // A node that parsed a smaller one could be shown a proof of a transaction that does not exist.
  if (strippedSize < MIN_STANDARD_STRIPPED_SIZE) throw new BitcoinReject('tx-size-small');
}

export type ScriptKind = 'pk' | 'pkh' | 'sh' | 'multisig' | 'data' | 'wpkh' | 'wsh' | 'tr' | 'witness' | 'unknown';

/** What an output's script is, among those that nodes pass on. */
export function kindOf(script: Uint8Array): ScriptKind {
  const [first = 0, second] = script;
  const {length} = script;
  if (first === OP.RETURN) return length <= MAX_DATA_SCRIPT && pushesOf(script.subarray(1)) ? 'data' : 'unknown';
  if (length === 25 && begins(script, [OP.DUP, OP.HASH160, 20]) && ends(script, [OP.EQUALVERIFY, OP.CHECKSIG])) {
    return 'pkh';
  }
  if (length === 23 && begins(script, [OP.HASH160, 20]) && ends(script, [OP.EQUAL])) return 'sh';
  if ((length === 35 || length === 67) && second !== undefined && first === length - 2 && ends(script, [OP.CHECKSIG])) {
    return isKey(script.subarray(1, -1)) ? 'pk' : 'unknown';
  }
  const program = witnessProgram(script);
  if (program) {
    const {version, bytes} = program;
    if (version === 0) return bytes.length === 20 ? 'wpkh' : bytes.length === 32 ? 'wsh' : 'unknown';
    if (version === 1 && bytes.length === 32) return 'tr';
    return 'witness';
  }
  return isMultisig(script) ? 'multisig' : 'unknown';
}

function begins(script: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, place) => script[place] === byte);
}

function ends(script: Uint8Array, bytes: readonly number[]): boolean {
  return begins(script.subarray(-bytes.length), bytes);
}

function isKey(bytes: Uint8Array): boolean {
  const [prefix] = bytes;
  return bytes.length === 33 ? prefix === 2 || prefix === 3 : bytes.length === 65 && prefix === 4;
}

/** One of up to three keys, or several of them, in the open. */
function isMultisig(script: Uint8Array): boolean {
  const wanted = (script[0] ?? 0) - OP.OP_1 + 1;
  const count = (script.at(-2) ?? 0) - OP.OP_1 + 1;
  if (script.at(-1) !== OP.CHECKMULTISIG || wanted < 1 || count > 3 || wanted > count) return false;
  const keys = pushesOf(script.subarray(1, -2));
  return keys?.length === count && keys.every(isKey);
}

/** A version and two to forty bytes, pushed as they are (BIP 141). */
export function witnessProgram(script: Uint8Array): {version: number; bytes: Uint8Array} | undefined {
  const [first = 0, length] = script;
  const isVersion = first === 0 || (first >= OP.OP_1 && first <= OP.OP_16);
  if (!isVersion || script.length < 4 || script.length > 42 || length !== script.length - 2) return undefined;
  return {version: first === 0 ? 0 : first - OP.OP_1 + 1, bytes: script.subarray(2)};
}

/** What a script pushes, where it does nothing else. */
export function pushesOf(script: Uint8Array): Uint8Array[] | undefined {
  const pushes: Uint8Array[] = [];
  for (const {code, data} of operations(script)) {
    if (code === undefined || code > OP.OP_16) return undefined;
    // The small numbers stand for themselves; what they push is not asked for.
    pushes.push(data);
  }
  return pushes;
}

/** A step of a script; `code` is absent where a push reaches past the end, and nothing follows that. */
export interface Operation {
  readonly code: number | undefined;
  readonly data: Uint8Array;
}

const PREFIX_BYTES: Readonly<Record<number, number>> = {[OP.PUSHDATA1]: 1, [OP.PUSHDATA2]: 2, [OP.PUSHDATA4]: 4};

export function operations(script: Uint8Array): Operation[] {
  const found: Operation[] = [];
  for (let at = 0; at < script.length;) {
    const code = script[at++] ?? 0;
    const prefix = script.subarray(at, (at += PREFIX_BYTES[code] ?? 0));
    const length = prefix.length ? prefix.reduceRight((sum, byte) => sum * 256 + byte, 0) : code % OP.PUSHDATA1;
    const data = script.subarray(at, (at += code <= OP.PUSHDATA4 ? length : 0));
    found.push({code: at > script.length ? undefined : code, data});
  }
  return found;
}

/** The least that an output must hold: a third of it would go on spending it, at the fee of {@link DUST_RATE}. */
export function dustLimit(script: Uint8Array): bigint {
  const kind = kindOf(script);
  if (kind === 'data') return 0n;
  const input = witnessProgram(script) ? 32 + 4 + 1 + Math.floor(107 / 4) + 4 : 32 + 4 + 1 + 107 + 4;
  return BigInt(Math.floor(((8 + 1 + script.length + input) * DUST_RATE) / 1_000));
}

const isDust = ({amount, script}: TxOutput) => amount < dustLimit(script);
