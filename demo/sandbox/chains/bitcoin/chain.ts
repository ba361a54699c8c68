/**
 * The sandbox's Bitcoin chain, in this process: real transactions, blocks, proof of work and scripts, kept in memory.
 *
 * The rules are those of a regression-test network (halving every 150 blocks, the easiest proof of work, segregated
 * witness and taproot from the start). Addresses are written as on the test network, which it plays.
 */
import type {TEST_NETWORK} from '@scure/btc-signer';

/** An output, by the transaction that made it. */
export interface Outpoint {
  readonly txid: string;
  readonly vout: number;
}

export interface TxInput extends Outpoint {
  readonly scriptSig: Uint8Array;
  readonly witness: readonly Uint8Array[];
  readonly sequence: number;
  /** What it spends; absent in a coinbase. */
  readonly prevout?: TxOutput;
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

export interface Block extends BlockRef {
  readonly previous: string;
  readonly merkleRoot: string;
  readonly version: number;
  readonly bits: number;
  readonly nonce: number;
  /** Median of this and the ten blocks before it, which locks by time are held against (BIP 113). */
  readonly medianTime: number;
  readonly raw: Uint8Array;
  readonly weight: number;
  /** The coinbase first. */
  readonly txids: readonly string[];
}

export interface ChainTransaction {
  readonly txid: string;
  readonly hex: string;
  readonly version: number;
  readonly lockTime: number;
  readonly inputs: readonly TxInput[];
  readonly outputs: readonly TxOutput[];
  readonly size: number;
  readonly weight: number;
  readonly vsize: number;
  /** 0 for a coinbase. */
  readonly fee: bigint;
  readonly coinbase: boolean;
  /** The block that holds it; absent while it waits in the mempool. */
  readonly block?: BlockRef;
  /** When the chain first saw it. */
  readonly seenAt: Date;
}

/** A transaction that the chain does not take, with the reason as a node words it. */
export class BitcoinReject extends Error {
  constructor(
    readonly reason: string,
    /** The number that a node's interface gives with it: -22 could not be read, -25 spends what is not there, -26 breaks a rule, -27 is in a block already. */
    readonly code: -22 | -25 | -26 | -27 = -26,
  ) {
    super(reason);
    this.name = 'BitcoinReject';
  }
}

export interface BitcoinChain {
  readonly network: typeof TEST_NETWORK;
  /** The hash of block 0. */
  readonly genesis: string;
  /** The address that the faucet pays from. */
  readonly purse: string;

  tip(): Block;
  blockAt(height: number): Block | undefined;
  blockOf(hash: string): Block | undefined;

  /** Takes a signed transaction into the mempool and answers its id; throws a {@link BitcoinReject}. */
  submit(hex: string): string;
  /** As the chain knows it now: in a block or in the mempool. */
  transaction(txid: string): ChainTransaction | undefined;
  /** Every transaction that pays to or spends from this script, newest first: mempool, then blocks downwards. */
  transactionsOf(script: Uint8Array): ChainTransaction[];
  /** Every output to this script, spent or not, oldest first. */
  outputsTo(script: Uint8Array): Coin[];
  /** The outputs to this script that nothing spends, oldest first. */
  utxosOf(script: Uint8Array): Coin[];
  /** The input that spends an output. */
  spenderOf(outpoint: Outpoint): {readonly txid: string; readonly vin: number} | undefined;
  /** The ids that wait for a block, in the order they came. */
  mempool(): string[];
  /** The id that replaced a transaction in the mempool (BIP 125); the last one, where it was replaced again. */
  replaced(txid: string): string | undefined;

  /** Makes blocks of what waits, or empty ones, and answers them. Their reward goes to the service unless `to` names an address. */
  mine(count?: number, options?: {readonly to?: string; readonly empty?: boolean}): Block[];
  /** Takes the newest blocks off the chain. Their transactions wait again in the mempool. */
  disconnect(count: number): void;
  /** Forgets a transaction that waits, and all that spend from it, as if no node had ever seen them. */
  dropFromMempool(txid: string): void;
  /** Pays from the purse and answers the transaction's id; it waits in the mempool. */
  fund(address: string, amount: bigint): Promise<string>;

  /** The script that pays to an address of the test network; undefined where the text is none. */
  scriptOf(address: string): Uint8Array | undefined;
  /** The address of a script that has one. */
  addressOf(script: Uint8Array): string | undefined;

  /** Tells of every new tip, also after blocks left, and of every transaction that came, moved or went. Answers how to stop. */
  on(event: 'block', listener: (tip: Block) => void): () => void;
  on(event: 'transaction', listener: (txid: string) => void): () => void;
  /** Stops the clock. */
  close(): void;
}

export interface BitcoinChainOptions {
  /** Real seconds from block to block; null where blocks come on demand. */
  readonly blockSeconds: number | null;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Starts a chain whose purse holds mature coins: the same on every start, but for the time of what is mined later. */
export declare function createBitcoinChain(options: BitcoinChainOptions): BitcoinChain;
