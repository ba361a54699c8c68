/**
 * Bitcoin Core's script test vectors, as included in bitcore-lib's package, parsed for the sandbox's `script.ts`.
 */
import {createRequire} from 'node:module';
import {hex} from '@scure/base';
import {OP, RawTx, ScriptNum} from '@scure/btc-signer';
import {RawOutput} from '@scure/btc-signer/script.js';
import {concatBytes} from '@scure/btc-signer/utils.js';
import type {Rule} from '../../demo/sandbox/chains/bitcoin/script.js';
import {
  isCoinbase,
  readTransaction,
  type Transaction,
  type TxOutput,
} from '../../demo/sandbox/chains/bitcoin/transaction.js';

export interface Vector {
  /** Its position in its file. */
  readonly name: string;
  readonly transaction: () => Transaction;
  readonly prevouts: readonly TxOutput[];
  /** The inputs to check. */
  readonly inputs: readonly number[];
  readonly rules: readonly Rule[];
  readonly spends: boolean;
}

const require = createRequire(import.meta.url);
const read = (file: string) => require(`bitcore-lib/test/data/bitcoind/${file}.json`) as unknown[];

/** Single scripts: `[[witness…, amount]?, scriptSig, scriptPubKey, rules, result, comment?]`. */
export function scriptTests(): Vector[] {
  return read('script_tests').flatMap((given, place) => {
    const fields = [...(given as (string | (string | number)[])[])];
    if (fields.length === 1) return [];
    const extra = Array.isArray(fields[0]) ? (fields.shift() as (string | number)[]) : [0];
    const amount = BigInt(Math.round(Number(extra.at(-1)) * 1e8));
    const witness = extra.slice(0, -1).map(item => hex.decode(String(item)));
    const [scriptSig = '', scriptPubKey = '', rules = '', result, comment] = fields as string[];
    const prevout = {amount, script: scriptFrom(scriptPubKey)};
    return {
      name: `script_tests #${place}: ${comment ?? `${scriptSig} | ${scriptPubKey}`}`,
      transaction: () => spend(prevout, scriptFrom(scriptSig), witness),
      prevouts: [prevout],
      inputs: [0],
      rules: rulesFrom(rules),
      spends: result === 'OK',
    };
  });
}

/** As the format defines it: a first transaction with the output, and a second one that spends it. */
function spend(prevout: TxOutput, scriptSig: Uint8Array, witness: Uint8Array[]): Transaction {
  const common = {version: 1, lockTime: 0, segwitFlag: false, witnesses: undefined};
  const input = {index: 0, sequence: 0xffffffff};
  const credit = RawTx.encode({
    ...common,
    inputs: [{...input, txid: new Uint8Array(32), index: 0xffffffff, finalScriptSig: new Uint8Array(2)}],
    outputs: [prevout],
  });
  const {txid} = readTransaction(hex.encode(credit));
  return readTransaction(
    hex.encode(
      RawTx.encode({
        ...common,
        ...(witness.length ? {segwitFlag: true, witnesses: [witness]} : {}),
        inputs: [{...input, txid: hex.decode(txid), finalScriptSig: scriptSig}],
        outputs: [{amount: prevout.amount, script: new Uint8Array()}],
      }),
    ),
  );
}

/** Whole transactions: `[[[txid, vout, scriptPubKey, amount?]…], transaction, rules]`. */
export function transactionTests(file: 'tx_valid' | 'tx_invalid'): Vector[] {
  return read(file).flatMap((given, place) => {
    const fields = given as [(string | number)[][], string, string];
    if ((fields as unknown[]).length === 1) return [];
    const [spent, text, rules] = fields;
    const transaction = () => readTransaction(text);
    const {inputs} = readTransaction(text);
    const prevouts = inputs.map(({txid, vout}) => {
      const found = spent.find(([id, index]) => id === txid && Number(index) >>> 0 === vout);
      return {amount: BigInt(found?.[3] ?? 0), script: scriptFrom(String(found?.[2] ?? ''))};
    });
    return {
      name: `${file} #${place}`,
      transaction,
      prevouts,
      // A coinbase has no script to run.
      inputs: isCoinbase({inputs}) ? [] : [...inputs.keys()],
      rules: rulesFrom(rules),
      spends: file === 'tx_valid',
    };
  });
}

interface Asset {
  readonly comment: string;
  readonly tx: string;
  readonly prevouts: string[];
  readonly index: number;
  readonly flags: string;
  readonly success?: {readonly scriptSig: string; readonly witness?: string[]};
  readonly failure?: {readonly scriptSig: string; readonly witness?: string[]};
}

/** Spends of every kind, taproot included, each with a valid and an invalid version. */
export function assetTests(): Vector[] {
  return (read('script_assets_test') as Asset[]).flatMap((asset, place) =>
    (['success', 'failure'] as const).flatMap(kind => {
      const given = asset[kind];
      if (!given) return [];
      return {
        name: `script_assets_test #${place} ${kind}: ${asset.comment}`,
        transaction: () => {
          const tx = RawTx.decode(hex.decode(asset.tx));
          const witness = (given.witness ?? []).map(item => hex.decode(item));
          const inputs = (tx.inputs as object[]).map((input, vin) =>
            vin === asset.index ? {...input, finalScriptSig: hex.decode(given.scriptSig)} : input,
          );
          const witnesses = inputs.map((_, vin) => (vin === asset.index ? witness : []));
          const segwit = witness.length ? {segwitFlag: true, witnesses} : {segwitFlag: false, witnesses: undefined};
          return readTransaction(hex.encode(RawTx.encode({...tx, inputs, ...segwit} as typeof tx)));
        },
        prevouts: asset.prevouts.map(text => RawOutput.decode(hex.decode(text))),
        inputs: [asset.index],
        rules: rulesFrom(asset.flags),
        spends: kind === 'success',
      };
    }),
  );
}

const rulesFrom = (text: string) => text.split(',').filter(name => name !== '' && name !== 'NONE') as Rule[];

/** Parses a script in the vectors' notation: raw hex, quoted text, numbers, and opcode names. */
function scriptFrom(text: string): Uint8Array {
  const parts = text.split(/\s+/).map(word => {
    if (word === '') return new Uint8Array();
    if (word.startsWith('0x')) return hex.decode(word.slice(2));
    if (word.startsWith("'")) return push(new TextEncoder().encode(word.slice(1, -1)));
    if (/^-?\d+$/.test(word)) return pushNumber(BigInt(word));
    const name = word.replace(/^OP_/, '');
    const code = NAMES[name] ?? OP[name as keyof typeof OP] ?? OP[`OP_${name}` as keyof typeof OP];
    if (code === undefined) throw new Error(`${word} is not an opcode`);
    return Uint8Array.of(code);
  });
  return concatBytes(...parts);
}

/** Former names of opcodes. */
const NAMES: Readonly<Record<string, number>> = {
  NOP2: OP.CHECKLOCKTIMEVERIFY,
  NOP3: OP.CHECKSEQUENCEVERIFY,
  CHECKSIGADD: OP.CHECKSIGADD,
};

function pushNumber(value: bigint): Uint8Array {
  if (value === 0n) return Uint8Array.of(OP.OP_0);
  if (value === -1n) return Uint8Array.of(OP['1NEGATE']);
  if (value >= 1n && value <= 16n) return Uint8Array.of(Number(value) + OP.OP_1 - 1);
  return push(ScriptNum(9).encode(value));
}

function push(data: Uint8Array): Uint8Array {
  const {length} = data;
  if (length < OP.PUSHDATA1) return concatBytes(Uint8Array.of(length), data);
  if (length < 0x100) return concatBytes(Uint8Array.of(OP.PUSHDATA1, length), data);
  return concatBytes(Uint8Array.of(OP.PUSHDATA2, length & 0xff, length >> 8), data);
}
