/**
 * The sandbox's Bitcoin chain: real transactions, blocks, proof of work and scripts, in memory.
 *
 * The rules are those of a regression-test network: halving every 150 blocks, minimum difficulty, segregated witness
 * and taproot from the start. Addresses have the format of the test network, which it stands for. What is rejected, and
 * the reasons, follow Bitcoin Core 29. Ours: when blocks are mined and what they contain. There are no peers.
 */
import {hex} from '@scure/base';
import {Address, OutScript, TEST_NETWORK, p2wpkh} from '@scure/btc-signer';
import {equalBytes, pubECDSA} from '@scure/btc-signer/utils.js';
import {createBlock, createGenesis, type Block} from './block.js';
import {COINBASE_MATURITY, Mempool, type Entry} from './mempool.js';
import {createTreasury, keyOfRole} from './treasury.js';
import {
  BitcoinReject,
  MAX_BLOCK_WEIGHT,
  keyOf,
  kindOf,
  readTransaction,
  type BlockRef,
  type Coin,
  type Outpoint,
  type Transaction,
  type TxInput,
  type TxOutput,
} from './transaction.js';

export type {Block} from './block.js';
export {BitcoinReject, type BlockRef, type Coin, type Outpoint, type TxOutput} from './transaction.js';

export interface ChainInput extends TxInput {
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

export interface BitcoinChain {
  readonly network: typeof TEST_NETWORK;
  /** The hash of block 0. */
  readonly genesis: string;
  /** The address with the coins that `fund` pays from. */
  readonly treasury: string;

  tip(): Block;
  blockAt(height: number): Block | undefined;
  blockOf(hash: string): Block | undefined;

  /**
   * Adds a signed transaction to the mempool and returns its id. Like nodes, it ignores one that is already there.
   * @throws BitcoinReject
   */
  submit(hex: string): string;
  /** A transaction in a block or in the mempool. */
  transaction(txid: string): ChainTransaction | undefined;
  /** All transactions that pay to or spend from this script, newest first, starting with the mempool. */
  transactionsOf(script: Uint8Array): ChainTransaction[];
  /** All outputs to this script, spent or not, oldest first. */
  outputsTo(script: Uint8Array): Coin[];
  /** The unspent outputs to this script, oldest first. */
  utxosOf(script: Uint8Array): Coin[];
  /** The input that spends an output. */
  spenderOf(outpoint: Outpoint): {readonly txid: string; readonly vin: number} | undefined;
  /** The ids in the mempool, in order of arrival. */
  mempool(): string[];
  /** The id of the transaction that replaced this one in the mempool (BIP 125); the last one of several. */
  replaced(txid: string): string | undefined;

  /** Mines blocks with the mempool's transactions, or empty ones. The treasury gets the reward unless `to` is given. */
  mine(count?: number, options?: {readonly to?: string; readonly empty?: boolean}): Block[];
  /** Disconnects the newest blocks, except the initial ones. Their transactions return to the mempool. */
  disconnect(count: number): void;
  /** Removes a transaction and its descendants from the mempool, as if they had never been seen. */
  dropFromMempool(txid: string): void;
  /** Pays from the treasury; returns the id of the transaction, which is in the mempool. */
  fund(address: string, amount: bigint): Promise<string>;

  /** The output script of an address of the test network; undefined if the text is not one. */
  scriptOf(address: string): Uint8Array | undefined;
  /** The address of an output script, if it has one. */
  addressOf(script: Uint8Array): string | undefined;

  /** Calls back on every new tip, also after a disconnect. Returns a function that stops it. */
  on(event: 'block', listener: (tip: Block) => void): () => void;
  /** Calls back for every transaction that arrived, was confirmed or unconfirmed, or was dropped. */
  on(event: 'transaction', listener: (txid: string) => void): () => void;
  /** Stops the clock. */
  close(): void;
}

export interface BitcoinChainOptions {
  /** What is paid of the rewards of the first blocks, which can be spent at once; the treasury gets the rest. */
  readonly gifts?: readonly (readonly TxOutput[])[];
  /** Real seconds per block; null if blocks are only mined on demand. */
  readonly blockSeconds: number | null;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** A transaction in a block or in the mempool. */
interface KnownTransaction {
  readonly tx: Transaction;
  /** The outputs that its inputs spend; empty for a coinbase. */
  readonly prevouts: readonly TxOutput[];
  readonly fee: bigint;
  readonly block?: BlockRef;
}

/** Enough for the rewards of 21 blocks to be mature. */
const FIRST_BLOCKS = 120;
/** Their times are counted from block 0, so their hashes are the same on every start. */
const FIRST_BLOCK_SECONDS = 600;
/** Reserved for the coinbase, the header and the transaction count. */
const RESERVED_WEIGHT = 4_000;

const TESTNET_ADDRESS = Address(TEST_NETWORK);

function scriptOf(address: string): Uint8Array | undefined {
  try {
    return OutScript.encode(TESTNET_ADDRESS.decode(address));
  } catch {
    return undefined;
  }
}

function addressOf(script: Uint8Array): string | undefined {
  try {
    return TESTNET_ADDRESS.encode(OutScript.decode(script));
  } catch {
    return undefined;
  }
}

/** Starts a chain whose treasury has mature coins. It is the same on every start, except for the times of later blocks. */
export function createBitcoinChain({gifts = [], blockSeconds, now = Date.now}: BitcoinChainOptions): BitcoinChain {
  const genesis = createGenesis();
  const treasury = createTreasury();
  const miner = p2wpkh(pubECDSA(keyOfRole('bitcoin miner')), TEST_NETWORK);
  const blocks = [genesis.block];
  const heights = new Map([[genesis.block.hash, 0]]);
  /** The outputs that each block spent, to restore them when it is disconnected. */
  const spent = new Map<string, readonly Coin[]>();
  /** The unspent outputs on the chain, without the mempool. */
  const coins = new Map<string, Coin>();
  const known = new Map<string, KnownTransaction>();
  /** When each transaction first arrived, and its position; a disconnect does not change it. */
  const arrivals = new Map<string, {readonly at: Date; readonly place: number}>();
  const spenders = new Map<string, {txid: string; vin: number}>();
  /** The transactions that touch a script. */
  const byScript = new Map<string, Set<string>>();
  const replacements = new Map<string, string>();
  const listeners = {block: new Set<(tip: Block) => void>(), transaction: new Set<(txid: string) => void>()};
  let made = 0;

  const tip = () => blocks.at(-1) ?? genesis.block;
  const mempool = new Mempool({
    height: () => tip().height,
    medianTime: height => blocks[height]?.medianTime ?? 0,
    coin: key => coins.get(key),
    holds: txid => known.get(txid)?.block !== undefined,
  });

  function remember({tx, prevouts, fee}: KnownTransaction, block?: BlockRef) {
    known.set(tx.txid, {tx, prevouts, fee, ...(block ? {block} : {})});
    if (!arrivals.has(tx.txid)) arrivals.set(tx.txid, {at: new Date(now()), place: arrivals.size});
    for (const [vin, input] of tx.inputs.entries()) spenders.set(keyOf(input), {txid: tx.txid, vin});
    for (const {script} of [...tx.outputs, ...prevouts]) {
      const name = hex.encode(script);
      byScript.set(name, (byScript.get(name) ?? new Set()).add(tx.txid));
    }
  }

  function forget({tx, prevouts}: KnownTransaction) {
    known.delete(tx.txid);
    for (const input of tx.inputs) {
      if (spenders.get(keyOf(input))?.txid === tx.txid) spenders.delete(keyOf(input));
    }
    for (const {script} of [...tx.outputs, ...prevouts]) byScript.get(hex.encode(script))?.delete(tx.txid);
  }

  /** Connects a block. Its transactions are not validated again: the mempool's rules are stricter. */
  function connectBlock(
    reward: Uint8Array,
    time: number,
    entries: readonly Entry[],
    gifts: readonly TxOutput[] = [],
  ): Block {
    const {block, coinbase} = createBlock(blocks, {
      transactions: entries.map(({tx}) => tx),
      fees: entries.reduce((sum, {fee}) => sum + fee, 0n),
      reward,
      gifts,
      extra: made++,
      time,
    });
    const {height, hash} = block;
    const ref: BlockRef = {height, hash, time};
    const taken: Coin[] = [];
    for (const entry of [{tx: coinbase, prevouts: [], fee: 0n}, ...entries]) {
      const {tx} = entry;
      for (const input of tx.inputs) {
        const coin = coins.get(keyOf(input));
        if (coin && coin.block?.height !== height) taken.push(coin);
        coins.delete(keyOf(input));
      }
      for (const [vout, output] of tx.outputs.entries()) {
        const coin = {txid: tx.txid, vout, ...output, coinbase: tx === coinbase, block: ref};
        if (kindOf(output.script) !== 'data') coins.set(keyOf(coin), coin);
      }
      mempool.take(tx.txid);
      remember(entry, ref);
    }
    blocks.push(block);
    heights.set(hash, height);
    spent.set(hash, taken);
    return block;
  }

  /** Disconnects the tip; returns its transactions in their order. */
  function disconnectTip(): Transaction[] {
    const block = blocks.pop() ?? genesis.block;
    heights.delete(block.hash);
    const held = block.txids.map(txid => known.get(txid)).filter(each => each !== undefined);
    for (const each of held) {
      for (const vout of each.tx.outputs.keys()) coins.delete(keyOf({txid: each.tx.txid, vout}));
      forget(each);
    }
    for (const coin of spent.get(block.hash) ?? []) coins.set(keyOf(coin), coin);
    spent.delete(block.hash);
    return held.filter(({prevouts}) => prevouts.length).map(({tx}) => tx);
  }

  function emitTransactions(txids: Iterable<string>) {
    for (const txid of new Set(txids)) for (const listener of listeners.transaction) listener(txid);
  }
  function emitTip() {
    for (const listener of listeners.block) listener(tip());
  }

  function mine(count = 1, {to, empty = false}: {readonly to?: string; readonly empty?: boolean} = {}): Block[] {
    const reward = to === undefined ? miner.script : scriptOf(to);
    if (!reward) throw new Error(`${to} is no address of the test network`);
    return Array.from({length: count}, () => {
      const time = Math.max(tip().medianTime + 1, Math.floor(now() / 1000));
      const block = connectBlock(reward, time, empty ? [] : mempool.best(MAX_BLOCK_WEIGHT - RESERVED_WEIGHT));
      emitTransactions(block.txids);
      emitTip();
      return block;
    });
  }

  function outputsOf({tx: {txid, outputs}, prevouts, block}: KnownTransaction): Coin[] {
    const common = {txid, coinbase: !prevouts.length, ...(block ? {block} : {})};
    return outputs.map((output, vout) => ({...common, vout, ...output}));
  }

  function viewOf({tx, prevouts, fee, block}: KnownTransaction): ChainTransaction {
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
      seenAt: arrivals.get(txid)?.at ?? new Date(now()),
    };
  }

  /** The transactions that touch a script, oldest first. */
  function transactionsTouching(script: Uint8Array): KnownTransaction[] {
    const found = [...(byScript.get(hex.encode(script)) ?? [])].map(txid => known.get(txid));
    const height = ({block}: KnownTransaction) => block?.height ?? Infinity;
    const placeOf = ({tx}: KnownTransaction) => arrivals.get(tx.txid)?.place ?? 0;
    return found
      .filter(each => each !== undefined)
      .sort((a, b) => (height(a) === height(b) ? placeOf(a) - placeOf(b) : height(a) - height(b)));
  }

  function outputsTo(script: Uint8Array): Coin[] {
    const isTo = (coin: Coin) => equalBytes(coin.script, script);
    return transactionsTouching(script).flatMap(each => outputsOf(each).filter(isTo));
  }

  const utxosOf = (script: Uint8Array) => outputsTo(script).filter(coin => !spenders.has(keyOf(coin)));

  function submit(text: string): string {
    const tx = readTransaction(text);
    if (tx.outputs.some(({amount, script}) => amount > 0n && kindOf(script) === 'data')) {
      throw new BitcoinReject('Unspendable output exceeds maximum configured by user (maxburnamount)', -25);
    }
    const waiting = mempool.get(tx.txid);
    if (waiting?.tx.wtxid === tx.wtxid) return tx.txid;
    const {entry, replaced} = mempool.submit(tx);
    for (const old of replaced) {
      forget(old);
      replacements.set(old.tx.txid, tx.txid);
    }
    replacements.delete(tx.txid);
    remember(entry);
    emitTransactions([...replaced.map(old => old.tx.txid), tx.txid]);
    return tx.txid;
  }

  remember({tx: genesis.coinbase, prevouts: [], fee: 0n}, genesis.block);
  for (let height = 1; height <= FIRST_BLOCKS; height++) {
    connectBlock(treasury.script, genesis.block.time + height * FIRST_BLOCK_SECONDS, [], gifts[height - 1]);
  }
  const clock = blockSeconds === null ? undefined : setInterval(() => mine(), blockSeconds * 1000).unref();

  return {
    network: TEST_NETWORK,
    genesis: genesis.block.hash,
    treasury: treasury.address,
    tip,
    blockAt: height => blocks[height],
    blockOf: hash => blocks[heights.get(hash) ?? -1],
    submit,
    transaction(txid) {
      const found = known.get(txid);
      return found && viewOf(found);
    },
    transactionsOf: script => transactionsTouching(script).reverse().map(viewOf),
    outputsTo,
    utxosOf,
    spenderOf: outpoint => spenders.get(keyOf(outpoint)),
    mempool: () => mempool.entries().map(({tx}) => tx.txid),
    replaced(txid) {
      let last = replacements.get(txid);
      for (let next = last; next !== undefined; next = replacements.get(next)) last = next;
      return last;
    },
    mine,

    disconnect(count) {
      if (count > tip().height - FIRST_BLOCKS) throw new RangeError('the chain keeps the blocks it started with');
      const back = Array.from({length: count}, disconnectTip).reverse().flat();
      const waiting = mempool.entries();
      for (const entry of waiting) {
        mempool.take(entry.tx.txid);
        forget(entry);
      }
      const again = [...back, ...waiting.map(({tx}) => tx)];
      for (const tx of again) {
        try {
          remember(mempool.readmit(tx));
        } catch (error) {
          // Its timelock is not over at the lower height, or the reward it spends is gone: it is dropped.
          if (!(error instanceof BitcoinReject)) throw error;
        }
      }
      emitTransactions(again.map(({txid}) => txid));
      emitTip();
    },

    dropFromMempool(txid) {
      const gone = mempool.remove(txid);
      for (const entry of gone) {
        forget(entry);
        arrivals.delete(entry.tx.txid);
      }
      emitTransactions(gone.map(({tx}) => tx.txid));
    },

    fund: (address, amount) =>
      new Promise(resolve => {
        const script = scriptOf(address);
        if (!script) throw new Error(`${address} is no address of the test network`);
        const ripe = ({coinbase, block}: Coin) =>
          !coinbase || tip().height + 1 - (block?.height ?? 0) >= COINBASE_MATURITY;
        resolve(submit(treasury.pay(script, amount, utxosOf(treasury.script).filter(ripe))));
      }),

    scriptOf,
    addressOf,
    on(event: keyof typeof listeners, listener: (told: never) => void) {
      const those = listeners[event] as Set<typeof listener>;
      those.add(listener);
      return () => void those.delete(listener);
    },
    close: () => clearInterval(clock),
  };
}
