/**
 * What waits for a block: which transactions a node takes, which it lets another replace (BIP 125), and in which order
 * they go into the next block. The checks come in the order of Bitcoin Core 29, so that the first reason is the same.
 */
import {signatureCost, spendError, nonStandardSpend} from './script.js';
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

/** What the mempool asks of the chain below it. */
export interface ChainView {
  height(): number;
  /** The median time that ends with the block of this height (BIP 113). */
  medianTime(height: number): number;
  /** An output on the chain that nothing on it spends. */
  coin(key: string): Coin | undefined;
  /** Whether a block holds this transaction. */
  holds(txid: string): boolean;
}

export interface Entry {
  readonly tx: Transaction;
  /** What its inputs spend, in their order. */
  readonly prevouts: readonly Coin[];
  readonly fee: bigint;
  readonly signatureCost: number;
}

export interface Mempool {
  /** In the order they came: what one spends from comes before it. */
  entries(): Entry[];
  get(txid: string): Entry | undefined;
  /** Takes a transaction, or throws a {@link BitcoinReject}; answers what it replaced. */
  submit(tx: Transaction): {entry: Entry; replaced: Entry[]};
  /** Takes back what a block held, or waited above it: only what the chain now forbids is refused. */
  readmit(tx: Transaction): Entry;
  /** Forgets a transaction and all that spend from it, and answers them. */
  remove(txid: string): Entry[];
  /** Forgets one transaction: it is in a block now, or everything is looked at anew. */
  take(txid: string): void;
  /** What the next block holds: the best paid first, but after what they spend from. */
  best(maxWeight: number): Entry[];
}

/** A reward may be spent by the hundredth block after its own. */
export const COINBASE_MATURITY = 100;
const MAX_BLOCK_SIGNATURE_COST = 80_000;
const MAX_STANDARD_SIGNATURE_COST = MAX_BLOCK_SIGNATURE_COST / 5;
const LOCKTIME_IS_TIME = 500_000_000;
const FINAL_SEQUENCE = 0xffffffff;
/** Sequences up to here let another transaction take the place (BIP 125). */
const REPLACEABLE_SEQUENCE = 0xfffffffd;
const MAX_REPLACED = 100;
/** How many transactions, and how many virtual bytes of them, may hang together before a block holds some. */
const MAX_CHAIN_LENGTH = 25;
const MAX_CHAIN_VSIZE = 101_000;
/** Satoshi for each virtual byte: the least that is passed on, and the least by which a replacement pays more. */
const RELAY_RATE = 1n;
/** Above this rate a node takes it for a slip. */
const MAX_RATE = 10_000n;

export function createMempool(chain: ChainView): Mempool {
  const pool = new Map<string, Entry>();
  /** Which transaction that waits spends an output. */
  const spenders = new Map<string, string>();

  const next = () => chain.height() + 1;
  const now = () => chain.medianTime(chain.height());
  const feeRate = ({fee, tx}: Pick<Entry, 'fee' | 'tx'>) => Number(fee) / tx.vsize;
  const signals = ({tx}: Entry) => tx.inputs.some(({sequence}) => sequence <= REPLACEABLE_SEQUENCE);

  function coin(key: string): Coin | undefined {
    const [txid = '', place] = key.split(':');
    const output = pool.get(txid)?.tx.outputs[Number(place)];
    return output ? {txid, vout: Number(place), ...output, coinbase: false} : chain.coin(key);
  }

  /** All that these spend from and that waits too, without themselves. */
  function ancestors(tx: Transaction): Set<Entry> {
    const found = new Set<Entry>();
    const look = ({inputs}: Transaction) => {
      for (const {txid} of inputs) {
        const parent = pool.get(txid);
        if (!parent || found.has(parent)) continue;
        found.add(parent);
        look(parent.tx);
      }
    };
    look(tx);
    return found;
  }

  /** A transaction and all that spend from it. */
  function withDescendants(entry: Entry, found = new Set<Entry>()): Set<Entry> {
    found.add(entry);
    for (const vout of entry.tx.outputs.keys()) {
      const child = pool.get(spenders.get(keyOf({txid: entry.tx.txid, vout})) ?? '');
      if (child && !found.has(child)) withDescendants(child, found);
    }
    return found;
  }

  /** Whether it may be in the next block as to time (nLockTime, BIP 113). */
  function isFinal({lockTime, inputs}: Transaction): boolean {
    if (lockTime === 0 || lockTime < (lockTime < LOCKTIME_IS_TIME ? next() : now())) return true;
    return inputs.every(({sequence}) => sequence === FINAL_SEQUENCE);
  }

  /** Whether each input has waited as long as it says it would (BIP 68). What waits counts as of the next block. */
  function satisfiesSequenceLocks({version, inputs}: Transaction, prevouts: readonly Coin[]): boolean {
    return inputs.every(({sequence}, place) => {
      const isDisabled = (sequence & 0x80000000) !== 0;
      if (version < 2 || isDisabled) return true;
      const since = prevouts[place]?.block?.height ?? next();
      const span = sequence & 0xffff;
      const isTime = (sequence & 0x400000) !== 0;
      return isTime ? chain.medianTime(Math.max(since - 1, 0)) + span * 512 <= now() : since + span <= next();
    });
  }

  /** The fee, where the inputs are there, ripe and worth enough; throws where they are not. */
  function checkInputs(tx: Transaction): {prevouts: Coin[]; fee: bigint} {
    const prevouts = tx.inputs.map(input => {
      const found = coin(keyOf(input));
      if (!found) throw new BitcoinReject('bad-txns-inputs-missingorspent', -25);
      return found;
    });
    if (!satisfiesSequenceLocks(tx, prevouts)) throw new BitcoinReject('non-BIP68-final');
    for (const {coinbase, block} of prevouts) {
      const depth = next() - (block?.height ?? next());
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

  function conflictsOf(tx: Transaction): Entry[] {
    const ids = new Set(tx.inputs.map(input => spenders.get(keyOf(input))));
    return [...ids].map(id => pool.get(id ?? '')).filter(entry => entry !== undefined);
  }

  /** What goes for a replacement, where it may (BIP 125, rules 2 to 5; rule 1 was asked before). */
  function checkReplacement(tx: Transaction, fee: bigint, conflicts: readonly Entry[]): Entry[] {
    const all = conflicts.reduce((found, entry) => withDescendants(entry, found), new Set<Entry>());
    const refuse = (reason: string, detail: string) => {
      throw new BitcoinReject(reason, -26, detail);
    };
    const name = `rejecting replacement ${tx.txid}`;
    for (const above of ancestors(tx)) {
      if (conflicts.includes(above))
        refuse('bad-txns-spends-conflicting-tx', `${tx.txid} spends conflicting transaction`);
    }
    if (all.size > MAX_REPLACED) {
      refuse(
        'too many potential replacements',
        `${name}; too many potential replacements (${all.size} > ${MAX_REPLACED})`,
      );
    }
    const known = new Set(conflicts.flatMap(({tx: {inputs}}) => inputs.map(({txid}) => txid)));
    for (const [place, {txid}] of tx.inputs.entries()) {
      if (!pool.has(txid) || known.has(txid)) continue;
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

  /** Throws where too many would hang together, which a node could not keep in order. */
  function checkChainLimits(tx: Transaction, replaced: readonly Entry[]): void {
    const refuse = (detail: string) => {
      throw new BitcoinReject('too-long-mempool-chain', -26, detail);
    };
    const size = (entries: Iterable<Entry>) => [...entries].reduce((sum, entry) => sum + entry.tx.vsize, tx.vsize);
    const above = ancestors(tx);
    if (above.size + 1 > MAX_CHAIN_LENGTH) refuse(`too many unconfirmed ancestors [limit: ${MAX_CHAIN_LENGTH}]`);
    if (size(above) > MAX_CHAIN_VSIZE) refuse(`exceeds ancestor size limit [limit: ${MAX_CHAIN_VSIZE}]`);
    for (const entry of above) {
      const under = [...withDescendants(entry)].filter(each => !replaced.includes(each));
      const which = `for tx ${entry.tx.txid}`;
      if (under.length + 1 > MAX_CHAIN_LENGTH) refuse(`too many descendants ${which} [limit: ${MAX_CHAIN_LENGTH}]`);
      if (size(under) > MAX_CHAIN_VSIZE) refuse(`exceeds descendant size limit ${which} [limit: ${MAX_CHAIN_VSIZE}]`);
    }
  }

  function add(entry: Entry): Entry {
    pool.set(entry.tx.txid, entry);
    for (const input of entry.tx.inputs) spenders.set(keyOf(input), entry.tx.txid);
    return entry;
  }

  function take(txid: string): void {
    for (const input of pool.get(txid)?.tx.inputs ?? []) spenders.delete(keyOf(input));
    pool.delete(txid);
  }

  const discard = (entries: Iterable<Entry>) => {
    for (const {tx} of entries) take(tx.txid);
  };

  return {
    entries: () => [...pool.values()],
    get: txid => pool.get(txid),
    take,

    submit(tx) {
      checkTransaction(tx);
      if (isCoinbase(tx)) throw new BitcoinReject('coinbase');
      checkStandard(tx);
      if (!isFinal(tx)) throw new BitcoinReject('non-final');
      if (pool.has(tx.txid)) throw new BitcoinReject('txn-same-nonwitness-data-in-mempool');
      const conflicts = conflictsOf(tx);
      // Rule 1: it said that it may be replaced, or something that it hangs on did.
      const mayGo = (entry: Entry) => [entry, ...ancestors(entry.tx)].some(signals);
      if (!conflicts.every(mayGo)) throw new BitcoinReject('txn-mempool-conflict');
      if (chain.holds(tx.txid)) throw new BitcoinReject('Transaction outputs already in utxo set', -27);

      const {prevouts, fee} = checkInputs(tx);
      const unusual = nonStandardSpend(tx, prevouts);
      if (unusual !== undefined) throw new BitcoinReject(unusual);
      const cost = signatureCost(tx, prevouts);
      if (cost > MAX_STANDARD_SIGNATURE_COST) throw new BitcoinReject('bad-txns-too-many-sigops', -26, String(cost));
      // Long signature checks cannot be had for little weight: each counts like twenty virtual bytes.
      const size = BigInt(Math.max(tx.vsize, cost * 5));
      if (fee < size * RELAY_RATE) {
        throw new BitcoinReject('min relay fee not met', -26, `${fee} < ${size * RELAY_RATE}`);
      }
      const replaced = conflicts.length ? checkReplacement(tx, fee, conflicts) : [];
      checkChainLimits(tx, replaced);
      const error = spendError(tx, prevouts);
      if (error !== undefined) throw new BitcoinReject(error);
      if (fee > size * MAX_RATE) {
        throw new BitcoinReject('Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)', -25);
      }
      discard(replaced);
      return {entry: add({tx, prevouts, fee, signatureCost: cost}), replaced};
    },

    readmit(tx) {
      if (!isFinal(tx)) throw new BitcoinReject('non-final');
      if (conflictsOf(tx).length) throw new BitcoinReject('txn-mempool-conflict');
      const {prevouts, fee} = checkInputs(tx);
      return add({tx, prevouts, fee, signatureCost: signatureCost(tx, prevouts)});
    },

    remove(txid) {
      const entry = pool.get(txid);
      const gone = entry ? [...withDescendants(entry)] : [];
      discard(gone);
      return gone;
    },

    best(maxWeight) {
      const chosen = new Set<Entry>();
      let weight = 0;
      let cost = 0;
      const byRate = [...pool.values()].sort((a, b) => feeRate(b) - feeRate(a));
      for (const entry of byRate) {
        const missing = [...ancestors(entry.tx)].filter(above => !chosen.has(above));
        // In the order they came, so that each follows what it spends from.
        const together = [...pool.values()].filter(each => missing.includes(each) || each === entry);
        const fresh = together.filter(each => !chosen.has(each));
        const addedWeight = fresh.reduce((sum, {tx}) => sum + tx.weight, 0);
        const addedCost = fresh.reduce((sum, each) => sum + each.signatureCost, 0);
        if (weight + addedWeight > maxWeight || cost + addedCost > MAX_BLOCK_SIGNATURE_COST) continue;
        for (const each of fresh) chosen.add(each);
        weight += addedWeight;
        cost += addedCost;
      }
      return [...chosen];
    },
  };
}

/** Satoshi as a node writes amounts in its reasons. */
function formatCoins(amount: bigint): string {
  const text = String(amount).padStart(9, '0');
  return `${text.slice(0, -8)}.${text.slice(-8)}`;
}
