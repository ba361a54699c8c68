/** An index of all transactions, in blocks and in the mempool: by id, by script, and by the outputs they spend. */
import {hex} from '@scure/base';
import {equalBytes} from '@scure/btc-signer/utils.js';
import {
  keyOf,
  type BlockRef,
  type Coin,
  type Outpoint,
  type Transaction,
  type TxInput,
  type TxOutput,
} from './transaction.js';

interface ChainInput extends TxInput {
  /** The output that it spends; absent in a coinbase. */
  readonly prevout?: TxOutput;
}

export interface ChainTransaction {
  readonly txid: string;
  readonly hex: string;
  readonly version: number;
  readonly lockTime: number;
  readonly inputs: readonly ChainInput[];
  readonly outputs: readonly TxOutput[];
  readonly size: number;
  readonly weight: number;
  readonly vsize: number;
  /** 0 for a coinbase. */
  readonly fee: bigint;
  readonly coinbase: boolean;
  /** Its block; absent while it is in the mempool. */
  readonly block?: BlockRef;
  /** When the chain first saw it. */
  readonly seenAt: Date;
}

export interface KnownTransaction {
  readonly tx: Transaction;
  /** The outputs that its inputs spend; empty for a coinbase. */
  readonly prevouts: readonly TxOutput[];
  readonly fee: bigint;
  readonly block?: BlockRef;
}

export class TransactionIndex {
  readonly #now: () => number;
  readonly #known = new Map<string, KnownTransaction>();
  /** When each transaction first arrived, and its position; a disconnect does not change it. */
  readonly #arrivals = new Map<string, {readonly at: Date; readonly place: number}>();
  readonly #spenders = new Map<string, {txid: string; vin: number}>();
  readonly #byScript = new Map<string, Set<string>>();
  readonly #replacements = new Map<string, string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get(txid: string): KnownTransaction | undefined {
    return this.#known.get(txid);
  }

  spenderOf(outpoint: Outpoint): {readonly txid: string; readonly vin: number} | undefined {
    return this.#spenders.get(keyOf(outpoint));
  }

  remember({tx, prevouts, fee}: KnownTransaction, block?: BlockRef): void {
    this.#known.set(tx.txid, {tx, prevouts, fee, ...(block ? {block} : {})});
    if (!this.#arrivals.has(tx.txid))
      this.#arrivals.set(tx.txid, {at: new Date(this.#now()), place: this.#arrivals.size});
    for (const [vin, input] of tx.inputs.entries()) this.#spenders.set(keyOf(input), {txid: tx.txid, vin});
    for (const {script} of [...tx.outputs, ...prevouts]) {
      const name = hex.encode(script);
      this.#byScript.set(name, (this.#byScript.get(name) ?? new Set()).add(tx.txid));
    }
  }

  forget({tx, prevouts}: KnownTransaction): void {
    this.#known.delete(tx.txid);
    for (const input of tx.inputs) {
      if (this.#spenders.get(keyOf(input))?.txid === tx.txid) this.#spenders.delete(keyOf(input));
    }
    for (const {script} of [...tx.outputs, ...prevouts]) this.#byScript.get(hex.encode(script))?.delete(tx.txid);
  }

  /** Also forgets when it arrived. */
  forgetWhole(known: KnownTransaction): void {
    this.forget(known);
    this.#arrivals.delete(known.tx.txid);
  }

  /** Records that these were replaced by another one. */
  replace(old: readonly KnownTransaction[], txid: string): void {
    for (const each of old) {
      this.forget(each);
      this.#replacements.set(each.tx.txid, txid);
    }
    this.#replacements.delete(txid);
  }

  /** The transaction that replaced it; the last one of several. */
  replacementOf(txid: string): string | undefined {
    let last = this.#replacements.get(txid);
    for (let next = last; next !== undefined; next = this.#replacements.get(next)) last = next;
    return last;
  }

  view({tx, prevouts, fee, block}: KnownTransaction): ChainTransaction {
    const {txid, version, lockTime, outputs, size, weight, vsize} = tx;
    return {
      txid,
      hex: hex.encode(tx.raw),
      version,
      lockTime,
      inputs: tx.inputs.map((input, vin) => {
        const prevout = prevouts[vin];
        return prevout ? {...input, prevout: {amount: prevout.amount, script: prevout.script}} : input;
      }),
      outputs,
      size,
      weight,
      vsize,
      fee,
      coinbase: !prevouts.length,
      ...(block ? {block} : {}),
      seenAt: this.#arrivals.get(txid)?.at ?? new Date(this.#now()),
    };
  }

  /** The transactions that touch a script, oldest first. */
  touching(script: Uint8Array): KnownTransaction[] {
    const found = [...(this.#byScript.get(hex.encode(script)) ?? [])].map(txid => this.#known.get(txid));
    const height = ({block}: KnownTransaction) => block?.height ?? Infinity;
    const placeOf = ({tx}: KnownTransaction) => this.#arrivals.get(tx.txid)?.place ?? 0;
    return found
      .filter(each => each !== undefined)
      .sort((a, b) => (height(a) === height(b) ? placeOf(a) - placeOf(b) : height(a) - height(b)));
  }

  outputsTo(script: Uint8Array): Coin[] {
    const isTo = (coin: Coin) => equalBytes(coin.script, script);
    return this.touching(script).flatMap(each => outputsOf(each).filter(isTo));
  }

  unspentTo(script: Uint8Array): Coin[] {
    return this.outputsTo(script).filter(coin => !this.spenderOf(coin));
  }
}

function outputsOf({tx: {txid, outputs}, prevouts, block}: KnownTransaction): Coin[] {
  const common = {txid, coinbase: !prevouts.length, ...(block ? {block} : {})};
  return outputs.map((output, vout) => ({...common, vout, ...output}));
}
