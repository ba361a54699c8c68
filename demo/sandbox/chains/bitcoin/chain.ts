/**
 * The sandbox's Bitcoin chain: real transactions, blocks, proof of work and scripts, in memory.
 *
 * The rules are those of a regression-test network: halving every 150 blocks, minimum difficulty, segregated witness
 * and taproot from the start. Addresses have the testnet format, since the chain stands in for testnet. What is rejected, and
 * the reasons, follow Bitcoin Core 29. Ours: when blocks are mined and what they contain. There are no peers.
 */
import {Address, OutScript, TEST_NETWORK, p2wpkh} from '@scure/btc-signer';
import {pubECDSA} from '@scure/btc-signer/utils.js';
import {createBlock, createGenesis, type Block} from './block.js';
import {TransactionIndex, type ChainTransaction} from './known.js';
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
  type TxOutput,
} from './transaction.js';

export type {Block} from './block.js';
export type {ChainTransaction} from './known.js';
export {BitcoinReject, type BlockRef, type Coin, type Outpoint, type TxOutput} from './transaction.js';

export interface BitcoinChain {
  tip(): Block;
  blockAt(height: number): Block | undefined;
  blockOf(hash: string): Block | undefined;

  /**
   * Adds a signed transaction to the mempool and returns its id. Like nodes, it ignores one that is already there.
   * @throws BitcoinReject
   */
  submit(hex: string): string;
  transaction(txid: string): ChainTransaction | undefined;
  /** All transactions that pay to or spend from this script, newest first, starting with the mempool. */
  transactionsOf(script: Uint8Array): ChainTransaction[];
  /** All outputs to this script, spent or not, oldest first. */
  outputsTo(script: Uint8Array): Coin[];
  /** The unspent outputs to this script, oldest first. */
  utxosOf(script: Uint8Array): Coin[];
  spenderOf(outpoint: Outpoint): {readonly txid: string; readonly vin: number} | undefined;
  mempool(): string[];
  /** The id of the transaction that replaced this one in the mempool (BIP 125); the last one of several. */
  replaced(txid: string): string | undefined;

  /** Mines blocks with the mempool's transactions, or empty ones. */
  mine(count?: number, options?: {readonly empty?: boolean}): Block[];
  /** Disconnects the newest blocks, except the initial ones. Their transactions return to the mempool. */
  disconnect(count: number): void;
  /** Removes a transaction and its descendants from the mempool, as if they had never been seen. */
  dropFromMempool(txid: string): void;
  fund(address: string, amount: bigint): Promise<string>;

  /** The output script of a testnet address; undefined if the text is not one. */
  scriptOf(address: string): Uint8Array | undefined;
  addressOf(script: Uint8Array): string | undefined;

  /** Calls back for every transaction that arrived, was confirmed or unconfirmed, or was dropped. */
  onTransaction(listener: (txid: string) => void): void;
  close(): void;
}

export interface BitcoinChainOptions {
  /** Outputs from the rewards of the first blocks, spendable from the start; the treasury gets the rest. */
  readonly gifts?: readonly (readonly TxOutput[])[];
  /** Real seconds per block; null if blocks are only mined on demand. */
  readonly blockSeconds: number | null;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
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

class Blocks {
  readonly #index: TransactionIndex;
  readonly #genesis = createGenesis();
  readonly #blocks = [this.#genesis.block];
  readonly #heights = new Map([[this.#genesis.block.hash, 0]]);
  /** The outputs that each block spent, to restore them when it is disconnected. */
  readonly #spent = new Map<string, readonly Coin[]>();
  readonly #coins = new Map<string, Coin>();
  #made = 0;

  constructor(index: TransactionIndex) {
    this.#index = index;
    index.remember({tx: this.#genesis.coinbase, prevouts: [], fee: 0n}, this.#genesis.block);
  }

  get genesis(): Block {
    return this.#genesis.block;
  }

  get tip(): Block {
    return this.#blocks.at(-1) ?? this.genesis;
  }

  at(height: number): Block | undefined {
    return this.#blocks[height];
  }

  of(hash: string): Block | undefined {
    return this.#blocks[this.#heights.get(hash) ?? -1];
  }

  coin(key: string): Coin | undefined {
    return this.#coins.get(key);
  }

  /** Connects a block. Its transactions are not validated again: the mempool's rules are stricter. */
  connect(reward: Uint8Array, time: number, entries: readonly Entry[], gifts: readonly TxOutput[] = []): Block {
    const {block, coinbase} = createBlock(this.#blocks, {
      transactions: entries.map(({tx}) => tx),
      fees: entries.reduce((sum, {fee}) => sum + fee, 0n),
      reward,
      gifts,
      extra: this.#made++,
      time,
    });
    const {height, hash} = block;
    const ref: BlockRef = {height, hash, time};
    const taken: Coin[] = [];
    for (const entry of [{tx: coinbase, prevouts: [], fee: 0n}, ...entries]) {
      const {tx} = entry;
      for (const input of tx.inputs) {
        const coin = this.#coins.get(keyOf(input));
        if (coin && coin.block?.height !== height) taken.push(coin);
        this.#coins.delete(keyOf(input));
      }
      for (const [vout, output] of tx.outputs.entries()) {
        const coin = {txid: tx.txid, vout, ...output, coinbase: tx === coinbase, block: ref};
        if (kindOf(output.script) !== 'data') this.#coins.set(keyOf(coin), coin);
      }
      this.#index.remember(entry, ref);
    }
    this.#blocks.push(block);
    this.#heights.set(hash, height);
    this.#spent.set(hash, taken);
    return block;
  }

  disconnectTip(): Transaction[] {
    const block = this.#blocks.pop() ?? this.genesis;
    this.#heights.delete(block.hash);
    const held = block.txids.map(txid => this.#index.get(txid)).filter(each => each !== undefined);
    for (const each of held) {
      for (const vout of each.tx.outputs.keys()) this.#coins.delete(keyOf({txid: each.tx.txid, vout}));
      this.#index.forget(each);
    }
    for (const coin of this.#spent.get(block.hash) ?? []) this.#coins.set(keyOf(coin), coin);
    this.#spent.delete(block.hash);
    return held.filter(({prevouts}) => prevouts.length).map(({tx}) => tx);
  }
}

/** Starts a chain whose treasury has mature coins. It is the same on every start, except for the times of later blocks. */
export function createBitcoinChain({gifts = [], blockSeconds, now = Date.now}: BitcoinChainOptions): BitcoinChain {
  const treasury = createTreasury();
  const miner = p2wpkh(pubECDSA(keyOfRole('bitcoin miner')), TEST_NETWORK);
  const index = new TransactionIndex(now);
  const blocks = new Blocks(index);
  const mempool = new Mempool({
    height: () => blocks.tip.height,
    medianTime: height => blocks.at(height)?.medianTime ?? 0,
    coin: key => blocks.coin(key),
    holds: txid => index.get(txid)?.block !== undefined,
  });
  const listeners: ((txid: string) => void)[] = [];

  function emitTransactions(txids: Iterable<string>) {
    for (const txid of new Set(txids)) for (const listener of listeners) listener(txid);
  }

  function mine(count = 1, {empty = false} = {}): Block[] {
    return Array.from({length: count}, () => {
      const time = Math.max(blocks.tip.medianTime + 1, Math.floor(now() / 1000));
      const block = blocks.connect(miner.script, time, empty ? [] : mempool.best(MAX_BLOCK_WEIGHT - RESERVED_WEIGHT));
      for (const txid of block.txids) mempool.take(txid);
      emitTransactions(block.txids);
      return block;
    });
  }

  function submit(text: string): string {
    const tx = readTransaction(text);
    if (tx.outputs.some(({amount, script}) => amount > 0n && kindOf(script) === 'data')) {
      throw new BitcoinReject('Unspendable output exceeds maximum configured by user (maxburnamount)', -25);
    }
    const waiting = mempool.get(tx.txid);
    if (waiting?.tx.wtxid === tx.wtxid) return tx.txid;
    const {entry, replaced} = mempool.submit(tx);
    index.replace(replaced, tx.txid);
    index.remember(entry);
    emitTransactions([...replaced.map(old => old.tx.txid), tx.txid]);
    return tx.txid;
  }

  for (let height = 1; height <= FIRST_BLOCKS; height++) {
    blocks.connect(treasury.script, blocks.genesis.time + height * FIRST_BLOCK_SECONDS, [], gifts[height - 1]);
  }
  const clock = blockSeconds === null ? undefined : setInterval(() => mine(), blockSeconds * 1000).unref();

  return {
    tip: () => blocks.tip,
    blockAt: height => blocks.at(height),
    blockOf: hash => blocks.of(hash),
    submit,
    transaction(txid) {
      const found = index.get(txid);
      return found && index.view(found);
    },
    transactionsOf: script =>
      index
        .touching(script)
        .reverse()
        .map(each => index.view(each)),
    outputsTo: script => index.outputsTo(script),
    utxosOf: script => index.unspentTo(script),
    spenderOf: outpoint => index.spenderOf(outpoint),
    mempool: () => mempool.entries().map(({tx}) => tx.txid),
    replaced: txid => index.replacementOf(txid),
    mine,

    disconnect(count) {
      if (count > blocks.tip.height - FIRST_BLOCKS) throw new RangeError('the chain keeps the blocks it started with');
      const back = Array.from({length: count}, () => blocks.disconnectTip())
        .reverse()
        .flat();
      const waiting = mempool.entries();
      for (const entry of waiting) {
        mempool.take(entry.tx.txid);
        index.forget(entry);
      }
      const again = [...back, ...waiting.map(({tx}) => tx)];
      for (const tx of again) {
        try {
          index.remember(mempool.readmit(tx));
        } catch (error) {
          // Its timelock is not over at the lower height, or the reward it spends is gone: it is dropped.
          if (!(error instanceof BitcoinReject)) throw error;
        }
      }
      emitTransactions(again.map(({txid}) => txid));
    },

    dropFromMempool(txid) {
      const gone = mempool.remove(txid);
      for (const entry of gone) index.forgetWhole(entry);
      emitTransactions(gone.map(({tx}) => tx.txid));
    },

    fund: (address, amount) =>
      new Promise(resolve => {
        const script = scriptOf(address);
        if (!script) throw new Error(`${address} is no address of the test network`);
        const ripe = ({coinbase, block}: Coin) =>
          !coinbase || blocks.tip.height + 1 - (block?.height ?? 0) >= COINBASE_MATURITY;
        resolve(submit(treasury.pay(script, amount, index.unspentTo(treasury.script).filter(ripe))));
      }),

    scriptOf,
    addressOf,
    onTransaction: listener => void listeners.push(listener),
    close: () => clearInterval(clock),
  };
}
