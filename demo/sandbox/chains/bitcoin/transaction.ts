/**
 * A single Bitcoin transaction: parsed, measured, and checked against the rules that need no other data. What is
 * rejected, and the reasons, follow Bitcoin Core 29: first the consensus rules, then those for relay.
 */
import {hex} from '@scure/base';
import {OP, OutScript, RawTx} from '@scure/btc-signer';
import {sha256x2} from '@scure/btc-signer/utils.js';

export interface Outpoint {
  readonly txid: string;
  readonly vout: number;
}

export interface TxOutput {
  readonly amount: bigint;
  readonly script: Uint8Array;
}

export interface Coin extends Outpoint, TxOutput {
  readonly coinbase: boolean;
  /** Its block; absent while it is unconfirmed. */
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
  /** The hash that includes the witnesses. */
  readonly wtxid: string;
  readonly raw: Uint8Array;
  readonly version: number;
  readonly lockTime: number;
  readonly inputs: readonly TxInput[];
  readonly outputs: readonly TxOutput[];
  /** In bytes, with witnesses; `strippedSize` is without them. */
  readonly size: number;
  readonly strippedSize: number;
  /** Four per byte, one per witness byte (BIP 141); `vsize` is a quarter of it, rounded up. */
  readonly weight: number;
  readonly vsize: number;
}

/** A rejected transaction, with the reason as a node words it. */
export class BitcoinReject extends Error {
  constructor(
    readonly reason: string,
    /**
     * The RPC error code: -22 it cannot be decoded, -25 inputs are missing or the fee is too high, -26 it breaks a
     * rule, -27 it is already in a block.
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
/** The dust relay fee, in satoshi per 1,000 bytes. */
const DUST_RATE = 3_000;

/** Ids are hashes in reverse byte order. */
export const idOf = (hash: Uint8Array) => hex.encode(Uint8Array.from(hash).reverse());
export const keyOf = ({txid, vout}: Outpoint) => `${txid}:${vout}`;

interface ParsedTransaction {
  version: number;
  segwitFlag: boolean | undefined;
  inputs: {txid: Uint8Array; index: number; finalScriptSig: Uint8Array; sequence: number}[];
  outputs: {amount: bigint; script: Uint8Array}[];
  witnesses: Uint8Array[][] | undefined;
  lockTime: number;
}

/** Parses a transaction from hex. @throws BitcoinReject unless it is exactly one complete transaction. */
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
  // Only the canonical encoding is valid.
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

/** Checks the consensus rules that need no other data. @throws BitcoinReject */
export function checkTransaction({inputs, outputs, strippedSize}: Transaction): void {
  if (inputs.length === 0) throw new BitcoinReject('bad-txns-vin-empty');
  if (outputs.length === 0) throw new BitcoinReject('bad-txns-vout-empty');
  if (strippedSize * 4 > MAX_BLOCK_WEIGHT) throw new BitcoinReject('bad-txns-oversize');
  let total = 0n;
  for (const {amount} of outputs) {
    // The eight bytes are a signed integer.
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

export function isCoinbase({inputs}: Pick<Transaction, 'inputs'>): boolean {
  return inputs.length === 1 && inputs.every(isNull);
}

/** Checks the relay rules that need no other data. @throws BitcoinReject */
export function checkStandard({version, weight, strippedSize, inputs, outputs}: Transaction): void {
  // Version 3 has its own rules (BIP 431), which are not implemented.
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
  // Smaller transactions would allow forged merkle proofs.
  if (strippedSize < MIN_STANDARD_STRIPPED_SIZE) throw new BitcoinReject('tx-size-small');
}

/** A script as the library knows it, data, or an output of a later version of segregated witness. */
export type ScriptKind = NonNullable<ReturnType<typeof OutScript.decode>>['type'] | 'data' | 'witness';

export function kindOf(script: Uint8Array): ScriptKind {
  if (script[0] === OP.RETURN) {
    return script.length <= MAX_DATA_SCRIPT && pushesOf(script.subarray(1)) ? 'data' : 'unknown';
  }
  const program = witnessProgram(script);
  if (program?.version === 1 && program.bytes.length === 32) return 'tr';
  const {type} = OutScript.decode(script);
  return program && program.version > 0 ? 'witness' : type;
}

/** The witness version and program of a script (BIP 141). */
export function witnessProgram(script: Uint8Array): {version: number; bytes: Uint8Array} | undefined {
  const [first = 0, length] = script;
  const isVersion = first === 0 || (first >= OP.OP_1 && first <= OP.OP_16);
  if (!isVersion || script.length < 4 || script.length > 42 || length !== script.length - 2) return undefined;
  return {version: first === 0 ? 0 : first - OP.OP_1 + 1, bytes: script.subarray(2)};
}

export function pushesOf(script: Uint8Array): Uint8Array[] | undefined {
  const pushes: Uint8Array[] = [];
  for (const {code, data} of operations(script)) {
    if (code === undefined || code > OP.OP_16) return undefined;
    // The data of small-number opcodes is not needed.
    pushes.push(data);
  }
  return pushes;
}

/** An operation of a script; `code` is absent for a push that exceeds the script, which ends it. */
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

/** The dust limit: three times what it costs to spend the output at {@link DUST_RATE}. */
export function dustLimit(script: Uint8Array): bigint {
  const kind = kindOf(script);
  if (kind === 'data') return 0n;
  const input = witnessProgram(script) ? 32 + 4 + 1 + Math.floor(107 / 4) + 4 : 32 + 4 + 1 + 107 + 4;
  return BigInt(Math.floor(((8 + 1 + script.length + input) * DUST_RATE) / 1_000));
}

const isDust = ({amount, script}: TxOutput) => amount < dustLimit(script);
