import type {Chain} from '../domain/asset.js';
import type {PayoutTransfer} from './payout-weeks.js';
import {hex} from '../chains/rpc.js';
import {TIMEOUTS} from '../chains/timeouts.js';
import {EVENTS} from '../chains/evm/htlc.js';
import {nodeOf} from '../chains/evm/node.js';
import {readerOf, type Read} from '../chains/evm/rpc.js';

/** The number of blocks per request, at first. Many nodes allow fewer, and report their limit in their own words. */
const MOST_BLOCKS = 50_000n;
const FEWEST_BLOCKS = 100n;
/** The maximum number of transfers. Payouts are weekly: anybody who sends more has other intentions. */
const MOST_TRANSFERS = 1_000;

export interface ReadTransfersOptions {
  readonly token: string;
  readonly to: string;
  readonly payers?: readonly string[] | undefined;
  readonly first: bigint;
  readonly last: bigint;
}

export interface TransferReader {
  height(): Promise<bigint>;
  /** A block's time, in milliseconds since 1970. */
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
  if (!read) return undefined;
  const {head, time} = nodeOf(read);
  return {height: head, time, transfers: by => readAll(read, time, by)};
}

async function readAll(
  read: Read,
  timeOf: TransferReader['time'],
  {token, to, payers, first, last}: ReadTransfersOptions,
): Promise<PayoutTransfer[]> {
  const topics = [EVENTS.Transfer, payers?.map(word), word(to)];
  const logs: Log[] = [];
  let size = MOST_BLOCKS;
  for (let from = first; from <= last;) {
    const most = from + size - 1n;
    const end = most < last ? most : last;
    try {
      const filter = {address: token, topics, fromBlock: hex(from), toBlock: hex(end)};
      const some = await read('eth_getLogs', filter);
      if (!Array.isArray(some)) throw new Error('The answer is no list of events.');
      // Logs that were not requested are ignored.
      logs.push(...(some as readonly Log[]).filter(log => isAsked(log, from, end)));
    } catch (failure) {
      if (size <= FEWEST_BLOCKS) throw failure;
      const less = size / 4n;
      size = less > FEWEST_BLOCKS ? less : FEWEST_BLOCKS;
      continue;
    }
    if (logs.length > MOST_TRANSFERS)
      throw new Error(`There are more than ${String(MOST_TRANSFERS)} transfers. Name who pays.`);
    from = end + 1n;
  }
  const times = new Map<string, number>();
  const transfers: PayoutTransfer[] = [];
  for (const {topics: [, from = ''] = [], data = '', blockNumber, transactionHash} of logs) {
    const block = String(blockNumber);
    const at = times.get(block) ?? (await timeOf(BigInt(block)));
    times.set(block, at);
    const sender = `0x${from.slice(-40)}`;
    const amount = BigInt(data);
    // A transfer to itself is not income.
    if (amount > 0n && word(sender) !== word(to))
      transfers.push({hash: transactionHash ?? '', from: sender, amount, at});
  }
  return transfers;

  function isAsked({address = '', topics: said = [], data = '', blockNumber, removed}: Log, from: bigint, end: bigint) {
    if (removed || address.toLowerCase() !== token.toLowerCase() || !/^0x[0-9a-f]{64}$/i.test(data)) return false;
    const [event = '', sender = '', recipient = ''] = said.map(topic => topic.toLowerCase());
    if (said.length !== 3 || event !== EVENTS.Transfer || recipient !== word(to)) return false;
    if (payers && !payers.some(payer => word(payer) === sender)) return false;
    return blockNumber != null && BigInt(blockNumber) >= from && BigInt(blockNumber) <= end;
  }
}

function word(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}
