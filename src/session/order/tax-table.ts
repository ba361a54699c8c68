import {formatAmount} from '../../domain/amount.js';
import type {Asset} from '../../domain/asset.js';
import {toCsv} from '../../domain/csv.js';
import {totalBps} from '../../domain/affiliate-fee.js';
import type {JournalEntry} from './journal.js';

/**
 * The columns of Koinly's universal file, which other tax programs read too
 * (https://support.koinly.io/en/articles/9489976, 2026-11). A fee is on top of what was sent.
 */
const COLUMNS =
  'Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Label,Description,TxHash';

/**
 * Writes swaps as a table (CSV, RFC 4180): amounts as plain decimal text in whole units, times in UTC. A row for each
 * swap that was paid, and one for what was paid back. All partners' fees are a part of the agreed amount.
 */
export function writeTable(entries: readonly JournalEntry[]): string {
  return toCsv([COLUMNS.split(','), ...entries.flatMap(rowsOf)]);
}

function rowsOf({orderId, placedAt, stage, agreed, seen, paidOut, paidBack}: JournalEntry): readonly string[][] {
  const {from, to, amount, affiliateFees} = agreed;
  const isComplete = stage === 'complete';
  const isBack = stage === 'refunded' || paidBack !== undefined;
  if (!isComplete && !isBack && !seen) return [];
  const date = `${new Date(placedAt).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const name = `Swap ${orderId} from ${from.chain.title} to ${to.chain.title}`;
  const by = (proof: unknown) => (proof ? '' : ', as the swap service reports');
  // It may be paid in part. What is too much comes back, and is no part of the swap.
  const part = isComplete ? 0n : (seen?.filled ?? 0n);
  const sent = part && part < amount ? part : amount;
  const fee = isComplete ? (sent * BigInt(totalBps(affiliateFees))) / 10_000n : 0n;
  const got = isComplete ? cells(paidOut?.amount ?? agreed.receive, to) : NONE;
  const end = isComplete ? `: received${by(paidOut)} ${paidOut?.hashes.join(' ') ?? ''}` : '';
  const paid = [
    date,
    ...cells(sent - fee, from),
    ...got,
    ...(fee ? cells(fee, from) : NONE),
    '',
    `${name}${end}`.trim(),
  ];
  const back = [
    date,
    ...NONE,
    ...cells(paidBack?.amount ?? sent, from),
    ...NONE,
    '',
    `${name}: refunded${by(paidBack)}`,
  ];
  const hashes = (some: readonly string[] = []) => some.join(' ');
  return [[...paid, hashes(seen?.hashes)], ...(isBack ? [[...back, hashes(paidBack?.hashes)]] : [])];
}

const NONE = ['', ''];

function cells(amount: bigint, {decimals, symbol}: Asset): readonly string[] {
  return [formatAmount(amount, decimals), symbol];
}
