/* What came to an address of an EVM chain in one token, by the token's own events. */
import type {Chain} from '../../domain/asset.js';
import type {PayoutTransfer} from '../../domain/payouts.js';
import {hex} from '../rpc.js';
import {TIMEOUTS} from '../timeouts.js';
import {readerOf, readHeight, type Read} from './rpc.js';

/** The hash of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** How many blocks are asked about at once, at first. Many nodes answer for less, and say how few in words of their own. */
const MOST_BLOCKS = 50_000n;
/** A node that refuses so few is not asked for fewer. */
const FEWEST_BLOCKS = 100n;
/** Payouts are weekly. Whoever sends more to an address than this has something else in mind. */
const MOST_TRANSFERS = 1_000;

export interface ReadTransfersOptions {
  readonly token: string;
  readonly to: string;
  /** Whose transfers count; all, unless set. */
  readonly payers?: readonly string[] | undefined;
  readonly first: bigint;
  readonly last: bigint;
}

/** Reads one chain at one address. */
export interface TransferReader {
  /** The number of the newest block. */
  height(): Promise<bigint>;
  /** When a block was made, in milliseconds since 1970. */
  time(block: bigint): Promise<number>;
  transfers(options: ReadTransfersOptions): Promise<readonly PayoutTransfer[]>;
}

interface Log {
  readonly address?: string;
  readonly topics?: readonly string[];
  readonly data?: string;
  readonly blockNumber?: string | null;
  readonly transactionHash?: string | null;
  readonly removed?: boolean;
}

export async function openTransfers(chain: Chain): Promise<TransferReader | undefined> {
  const read = await readerOf(chain, undefined, TIMEOUTS);
  return (
    read && {height: () => readHeight(read), time: block => timeOf(read, block), transfers: by => readAll(read, by)}
  );
}

async function timeOf(read: Read, block: bigint): Promise<number> {
  const made = (await read('eth_getBlockByNumber', hex(block), false)) as {readonly timestamp?: string} | null;
  if (made?.timestamp === undefined) throw new Error(`There is no block ${String(block)}.`);
  return Number(made.timestamp) * 1_000;
}

async function readAll(read: Read, {token, to, payers, first, last}: ReadTransfersOptions): Promise<PayoutTransfer[]> {
  const topics = [TRANSFER, payers?.map(word) ?? null, word(to)];
  const logs: Log[] = [];
  let size = MOST_BLOCKS;
  for (let from = first; from <= last;) {
    const end = from + size - 1n < last ? from + size - 1n : last;
    try {
      const filter = {address: token, topics, fromBlock: hex(from), toBlock: hex(end)};
      const some = await read('eth_getLogs', filter);
      if (!Array.isArray(some)) throw new Error('The answer is no list of events.');
      // Nothing is taken on trust that was not asked for.
      logs.push(...(some as readonly Log[]).filter(log => isAsked(log, from, end)));
    } catch (failure) {
      if (size <= FEWEST_BLOCKS) throw failure;
      size = size / 4n > FEWEST_BLOCKS ? size / 4n : FEWEST_BLOCKS;
      continue;
    }
    if (logs.length > MOST_TRANSFERS)
      throw new Error(`There are more than ${String(MOST_TRANSFERS)} transfers. Name who pays.`);
    from = end + 1n;
  }
  const times = new Map<string, number>();
  const transfers: PayoutTransfer[] = [];
  for (const {topics: [, from = ''] = [], data = '', blockNumber, transactionHash} of logs) {
    const block = blockNumber ?? '';
    const at = times.get(block) ?? (await timeOf(read, BigInt(block)));
    times.set(block, at);
    const sender = `0x${from.slice(-40)}`;
    const amount = BigInt(data);
    // What an address sends to itself is no income.
    if (amount > 0n && word(sender) !== word(to))
      transfers.push({hash: transactionHash ?? '', from: sender, amount, at});
  }
  return transfers;

  function isAsked({address = '', topics: said = [], data = '', blockNumber, removed}: Log, from: bigint, end: bigint) {
    if (removed || address.toLowerCase() !== token.toLowerCase() || !/^0x[0-9a-f]{64}$/i.test(data)) return false;
    const [event = '', sender = '', recipient = ''] = said.map(topic => topic.toLowerCase());
    if (said.length !== 3 || event !== TRANSFER || recipient !== word(to)) return false;
    if (payers && !payers.some(payer => word(payer) === sender)) return false;
    return blockNumber != null && BigInt(blockNumber) >= from && BigInt(blockNumber) <= end;
  }
}

/** An address as events have it. */
function word(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}
