/** Builds blocks: coinbase, merkle root, witness commitment, header and proof of work. */
import {hex} from '@scure/base';
import {CompactSize, OP, RawTx, Script} from '@scure/btc-signer';
import {concatBytes, sha256x2} from '@scure/btc-signer/utils.js';
import {idOf, readTransaction, type BlockRef, type Transaction, type TxOutput} from './transaction.js';

export interface Block extends BlockRef {
  readonly previous?: string;
  readonly merkleRoot: string;
  readonly version: number;
  readonly bits: number;
  readonly nonce: number;
  /** The median time past of this and the ten blocks before it, which time locks are checked against (BIP 113). */
  readonly medianTime: number;
  readonly raw: Uint8Array;
  readonly weight: number;
  /** The coinbase first. */
  readonly txids: readonly string[];
}

const HALVING = 150;
const REWARD = 5_000_000_000n;
const VERSION = 0x20000000;
const BITS = 0x207fffff;
/** The target of these bits: half of all hashes are below it. */
const HIGHEST_BYTE = 0x7f;
const FINAL = 0xffffffff;
const MEDIAN_SPAN = 11;

/** Block 0 of every regression-test network. */
const GENESIS = {
  version: 1,
  time: 1_296_688_602,
  nonce: 2,
  coinbase:
    '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d' +
    '65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f7220' +
    '62616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f' +
    '4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000',
};

export function createGenesis(): {block: Block; coinbase: Transaction} {
  const {version, time, nonce} = GENESIS;
  const coinbase = readTransaction(GENESIS.coinbase);
  return {coinbase, block: seal([coinbase], {version, time, nonce, below: []})};
}

/** Mines the next block. `extra` distinguishes two blocks of the same height. */
export function createBlock(
  below: readonly Block[],
  {
    transactions,
    fees,
    reward,
    gifts = [],
    extra,
    time,
  }: {
    transactions: readonly Transaction[];
    fees: bigint;
    reward: Uint8Array;
    /** Outputs of the coinbase that others get. */
    gifts?: readonly TxOutput[];
    extra: number;
    time: number;
  },
): {block: Block; coinbase: Transaction} {
  const height = below.length;
  const tree = merkleRoot([new Uint8Array(32), ...transactions.map(({wtxid}) => hashOf(wtxid))]);
  // The witness commitment (BIP 141), with a reserved value of zeros.
  const commitment = sha256x2(tree, new Uint8Array(32));
  const tag = Uint8Array.of(0xaa, 0x21, 0xa9, 0xed);
  const rest = gifts.reduce((left, {amount}) => left - amount, (REWARD >> BigInt(Math.floor(height / HALVING))) + fees);
  const coinbase = readTransaction(
    hex.encode(
      RawTx.encode({
        version: 2,
        segwitFlag: true,
        inputs: [
          {
            txid: new Uint8Array(32),
            index: FINAL,
            // The height comes first (BIP 34).
            finalScriptSig: Script.encode([height, Uint8Array.from([0, 8, 16, 24], bits => extra >>> bits)]),
            sequence: FINAL,
          },
        ],
        outputs: [
          ...gifts,
          {amount: rest, script: reward},
          {amount: 0n, script: concatBytes(Uint8Array.of(OP.RETURN, 36), tag, commitment)},
        ],
        witnesses: [[new Uint8Array(32)]],
        lockTime: 0,
      }),
    ),
  );
  return {coinbase, block: seal([coinbase, ...transactions], {version: VERSION, time, nonce: 0, below})};
}

function seal(
  transactions: readonly Transaction[],
  {version, time, nonce, below}: {version: number; time: number; nonce: number; below: readonly Block[]},
): Block {
  const previous = below.at(-1)?.hash;
  const root = merkleRoot(transactions.map(({txid}) => hashOf(txid)));
  const header = new Uint8Array(80);
  const view = new DataView(header.buffer);
  view.setInt32(0, version, true);
  if (previous !== undefined) header.set(hashOf(previous), 4);
  header.set(root, 36);
  view.setUint32(68, time, true);
  view.setUint32(72, BITS, true);
  view.setUint32(76, nonce, true);
  let hash = sha256x2(header);
  while ((hash[31] ?? 0) > HIGHEST_BYTE) {
    view.setUint32(76, ++nonce, true);
    hash = sha256x2(header);
  }
  const count = CompactSize.encode(BigInt(transactions.length));
  return {
    height: below.length,
    hash: idOf(hash),
    time,
    ...(previous === undefined ? {} : {previous}),
    merkleRoot: idOf(root),
    version,
    bits: BITS,
    nonce,
    medianTime: medianOf([...below.slice(1 - MEDIAN_SPAN).map(block => block.time), time]),
    raw: concatBytes(header, count, ...transactions.map(({raw}) => raw)),
    weight: (header.length + count.length) * 4 + transactions.reduce((sum, {weight}) => sum + weight, 0),
    txids: transactions.map(({txid}) => txid),
  };
}

const hashOf = (id: string) => hex.decode(id).reverse();

function merkleRoot(hashes: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array(32)] = hashes;
  if (hashes.length <= 1) return first;
  const above: Uint8Array[] = [];
  for (let place = 0; place < hashes.length; place += 2) {
    const [left = first, right = left] = hashes.slice(place, place + 2);
    above.push(sha256x2(left, right));
  }
  return merkleRoot(above);
}

function medianOf(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;
}
