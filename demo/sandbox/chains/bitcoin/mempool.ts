/**
 * The mempool: which transactions are accepted, which can be replaced (BIP 125), and their order in the next block. The
 * checks have the same order as in Bitcoin Core 29, so that the first reason for a rejection is the same.
 */
import {spendError, nonStandardSpend} from './script.js';
import {
  BitcoinReject,
  MAX_MONEY,
  checkTransaction,
  checkStandard,
  isCoinbase,
  keyOf,
  type Coin,
  type Transaction,
} from './transaction.js';

export interface ChainView {
  height(): number;
  /** The median time past at this height (BIP 113). */
  medianTime(height: number): number;
  coin(key: string): Coin | undefined;
  holds(txid: string): boolean;
}

export interface Entry {
  readonly tx: Transaction;
  /** The outputs that its inputs spend, in order. */
  readonly prevouts: readonly Coin[];
  readonly fee: bigint;
}

/** A reward can be spent in the hundredth block after its own. */
export const COINBASE_MATURITY = 100;
const LOCKTIME_IS_TIME = 500_000_000;
const FINAL_SEQUENCE = 0xffffffff;
/** Sequences up to this signal replaceability (BIP 125). */
const REPLACEABLE_SEQUENCE = 0xfffffffd;
/** In satoshi per virtual byte: the minimum relay fee, and the minimum increment of a replacement. */
const RELAY_RATE = 1n;
/** Nodes reject a higher rate as a mistake. */
const MAX_RATE = 10_000n;

export class Mempool {
  readonly #chain: ChainView;
  readonly #pool = new Map<string, Entry>();
  readonly #spenders = new Map<string, string>();

  constructor(chain: ChainView) {
    this.#chain = chain;
  }

  /** In order of arrival: ancestors come before descendants. */
  entries(): Entry[] {
    return [...this.#pool.values()];
  }

  get(txid: string): Entry | undefined {
    return this.#pool.get(txid);
  }

  /** Accepts a transaction and returns what it replaced. @throws BitcoinReject */
  submit(tx: Transaction): {entry: Entry; replaced: Entry[]} {
    checkTransaction(tx);
    if (isCoinbase(tx)) throw new BitcoinReject('coinbase');
    checkStandard(tx);
    if (!this.#isFinal(tx)) throw new BitcoinReject('non-final');
    if (this.#pool.has(tx.txid)) throw new BitcoinReject('txn-same-nonwitness-data-in-mempool');
    const conflicts = this.#conflictsOf(tx);
    // Rule 1: it or one of its unconfirmed ancestors signals replaceability.
    const mayGo = (entry: Entry) => [entry, ...this.#ancestors(entry.tx)].some(signals);
    if (!conflicts.every(mayGo)) throw new BitcoinReject('txn-mempool-conflict');
    if (this.#chain.holds(tx.txid)) throw new BitcoinReject('Transaction outputs already in utxo set', -27);

    const {prevouts, fee} = this.#checkInputs(tx);
    const unusual = nonStandardSpend(tx, prevouts);
    if (unusual !== undefined) throw new BitcoinReject(unusual);
    const size = BigInt(tx.vsize);
    if (fee < size * RELAY_RATE) {
      throw new BitcoinReject('min relay fee not met', -26, `${fee} < ${size * RELAY_RATE}`);
    }
    const replaced = conflicts.length ? this.#checkReplacement(tx, fee, conflicts) : [];
    const error = spendError(tx, prevouts);
    if (error !== undefined) throw new BitcoinReject(error);
    if (fee > size * MAX_RATE) {
      throw new BitcoinReject('Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)', -25);
    }
    this.#discard(replaced);
    return {entry: this.#add({tx, prevouts, fee}), replaced};
  }

  /** Readmits a transaction after a block was disconnected; only consensus rules are checked. */
  readmit(tx: Transaction): Entry {
    if (!this.#isFinal(tx)) throw new BitcoinReject('non-final');
    if (this.#conflictsOf(tx).length) throw new BitcoinReject('txn-mempool-conflict');
    return this.#add({tx, ...this.#checkInputs(tx)});
  }

  remove(txid: string): Entry[] {
    const entry = this.#pool.get(txid);
    const gone = entry ? [...this.#withDescendants(entry)] : [];
    this.#discard(gone);
    return gone;
  }

  /** The transactions for the next block: the highest fee rates first, but after their ancestors. */
  best(maxWeight: number): Entry[] {
    const chosen = new Set<Entry>();
    let weight = 0;
    const byRate = [...this.#pool.values()].sort((a, b) => feeRate(b) - feeRate(a));
    for (const entry of byRate) {
      const missing = [...this.#ancestors(entry.tx)].filter(above => !chosen.has(above));
      // In order of arrival, so that descendants follow ancestors.
      const together = [...this.#pool.values()].filter(each => missing.includes(each) || each === entry);
      const fresh = together.filter(each => !chosen.has(each));
      const added = fresh.reduce((sum, {tx}) => sum + tx.weight, 0);
      if (weight + added > maxWeight) continue;
      for (const each of fresh) chosen.add(each);
      weight += added;
    }
    return [...chosen];
  }

  take(txid: string): void {
    for (const input of this.#pool.get(txid)?.tx.inputs ?? []) this.#spenders.delete(keyOf(input));
    this.#pool.delete(txid);
  }

  #coin(key: string): Coin | undefined {
    const [txid = '', place] = key.split(':');
    const output = this.#pool.get(txid)?.tx.outputs[Number(place)];
    return output ? {txid, vout: Number(place), ...output, coinbase: false} : this.#chain.coin(key);
  }

  #ancestors(tx: Transaction): Set<Entry> {
    const found = new Set<Entry>();
    const look = ({inputs}: Transaction) => {
      for (const {txid} of inputs) {
        const parent = this.#pool.get(txid);
        if (!parent || found.has(parent)) continue;
        found.add(parent);
        look(parent.tx);
      }
    };
    look(tx);
    return found;
  }

  #withDescendants(entry: Entry, found = new Set<Entry>()): Set<Entry> {
    found.add(entry);
    for (const vout of entry.tx.outputs.keys()) {
      const child = this.#pool.get(this.#spenders.get(keyOf({txid: entry.tx.txid, vout})) ?? '');
      if (child && !found.has(child)) this.#withDescendants(child, found);
    }
    return found;
  }

  /** Whether its nLockTime allows it in the next block (BIP 113). */
  #isFinal({lockTime, inputs}: Transaction): boolean {
    if (lockTime === 0 || lockTime < (lockTime < LOCKTIME_IS_TIME ? this.#next : this.#now)) return true;
    return inputs.every(({sequence}) => sequence === FINAL_SEQUENCE);
  }

  /** Whether the relative locks of its inputs are satisfied (BIP 68). Unconfirmed inputs count as in the next block. */
  #satisfiesSequenceLocks({version, inputs}: Transaction, prevouts: readonly Coin[]): boolean {
    return inputs.every(({sequence}, place) => {
      const isDisabled = (sequence & 0x80000000) !== 0;
      if (version < 2 || isDisabled) return true;
      const since = prevouts[place]?.block?.height ?? this.#next;
      const span = sequence & 0xffff;
      const isTime = (sequence & 0x400000) !== 0;
      return isTime
        ? this.#chain.medianTime(Math.max(since - 1, 0)) + span * 512 <= this.#now
        : since + span <= this.#next;
    });
  }

  /** The inputs' outputs and the fee. @throws BitcoinReject if inputs are missing, immature or worth too little. */
  #checkInputs(tx: Transaction): {prevouts: Coin[]; fee: bigint} {
    const prevouts = tx.inputs.map(input => {
      const found = this.#coin(keyOf(input));
      if (!found) throw new BitcoinReject('bad-txns-inputs-missingorspent', -25);
      return found;
    });
    if (!this.#satisfiesSequenceLocks(tx, prevouts)) throw new BitcoinReject('non-BIP68-final');
    for (const {coinbase, block} of prevouts) {
      const depth = this.#next - (block?.height ?? this.#next);
      if (!coinbase || depth >= COINBASE_MATURITY) continue;
      throw new BitcoinReject('bad-txns-premature-spend-of-coinbase', -26, `tried to spend coinbase at depth ${depth}`);
    }
    const sum = (amounts: readonly {amount: bigint}[]) => amounts.reduce((total, {amount}) => total + amount, 0n);
    const [paid, given] = [sum(prevouts), sum(tx.outputs)];
    if (paid > MAX_MONEY) throw new BitcoinReject('bad-txns-inputvalues-outofrange');
    if (paid < given) {
      throw new BitcoinReject(
        'bad-txns-in-belowout',
        -26,
        `value in (${formatCoins(paid)}) < value out (${formatCoins(given)})`,
      );
    }
    return {prevouts, fee: paid - given};
  }

  #conflictsOf(tx: Transaction): Entry[] {
    const ids = new Set(tx.inputs.map(input => this.#spenders.get(keyOf(input))));
    return [...ids].map(id => this.#pool.get(id ?? '')).filter(entry => entry !== undefined);
  }

  /** What a replacement would remove (BIP 125, rules 2 to 5; rule 1 was checked before). @throws BitcoinReject */
  #checkReplacement(tx: Transaction, fee: bigint, conflicts: readonly Entry[]): Entry[] {
    const all = conflicts.reduce((found, entry) => this.#withDescendants(entry, found), new Set<Entry>());
    const refuse = (reason: string, detail: string) => {
      throw new BitcoinReject(reason, -26, detail);
    };
    const name = `rejecting replacement ${tx.txid}`;
    for (const above of this.#ancestors(tx)) {
      if (conflicts.includes(above))
        refuse('bad-txns-spends-conflicting-tx', `${tx.txid} spends conflicting transaction`);
    }
    const known = new Set(conflicts.flatMap(({tx: {inputs}}) => inputs.map(({txid}) => txid)));
    for (const [place, {txid}] of tx.inputs.entries()) {
      if (!this.#pool.has(txid) || known.has(txid)) continue;
      refuse('replacement-adds-unconfirmed', `replacement ${tx.txid} adds unconfirmed input, idx ${place}`);
    }
    for (const conflict of conflicts) {
      if (feeRate({fee, tx}) > feeRate(conflict)) continue;
      refuse(
        'insufficient fee',
        `${name}; new feerate ${feeRate({fee, tx})} <= old feerate ${feeRate(conflict)} sat/vB`,
      );
    }
    const before = [...all].reduce((sum, entry) => sum + entry.fee, 0n);
    if (fee < before) {
      refuse(
        'insufficient fee',
        `${name}, less fees than conflicting txs; ${formatCoins(fee)} < ${formatCoins(before)}`,
      );
    }
    const more = BigInt(tx.vsize) * RELAY_RATE;
    if (fee - before < more) {
      refuse(
        'insufficient fee',
        `${name}, not enough additional fees to relay; ${formatCoins(fee - before)} < ${formatCoins(more)}`,
      );
    }
    return [...all];
  }

  #add(entry: Entry): Entry {
    this.#pool.set(entry.tx.txid, entry);
    for (const input of entry.tx.inputs) this.#spenders.set(keyOf(input), entry.tx.txid);
    return entry;
  }

  #discard(entries: Iterable<Entry>): void {
    for (const {tx} of entries) this.take(tx.txid);
  }

  get #next() {
    return this.#chain.height() + 1;
  }

  get #now() {
    return this.#chain.medianTime(this.#chain.height());
  }
}

const feeRate = ({fee, tx}: Pick<Entry, 'fee' | 'tx'>) => Number(fee) / tx.vsize;
const signals = ({tx}: Entry) => tx.inputs.some(({sequence}) => sequence <= REPLACEABLE_SEQUENCE);

/** An amount as nodes format it in reasons. */
function formatCoins(amount: bigint): string {
  const text = String(amount).padStart(9, '0');
  return `${text.slice(0, -8)}.${text.slice(-8)}`;
}
