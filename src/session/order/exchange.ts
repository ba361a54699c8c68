import * as v from 'valibot';
import {formatAmount, parseAmount} from '../../domain/amount.js';
import type {Asset, Catalogue} from '../../domain/asset.js';
import {toCsv} from '../../domain/csv.js';
import {deepFreeze} from '../../domain/deposit.js';
import {writeJson} from '../../domain/json.js';
import {isOrderId} from '../../domain/order.js';
import {STAGES, type Stage} from '../../domain/stage.js';
import {Decimals, Id, object, upTo, type JournalEntry} from './journal.js';

/*
 * Swaps as a file, to archive or to view in another browser. It contains what a receipt needs and nothing that could be
 * paid: no payload, no deposit address, no secret. Swaps from a file are view-only; no journal accepts them.
 */

/** An asset of the current catalogue, or a file's description of another one. */
export type ListedAsset = Asset | (Pick<Asset, 'id' | 'symbol' | 'decimals'> & {readonly chain?: undefined});

/** A swap as a list shows it: from a journal, or from a file. */
export interface ListedSwap {
  readonly orderId: string;
  /** Milliseconds since 1970. */
  readonly placedAt: number;
  readonly stage: Stage;
  readonly agreed: {
    readonly from: ListedAsset;
    readonly to: ListedAsset;
    readonly amount: bigint;
    readonly receive: bigint;
  };
}

const VERSION = 1;

/** The maximum number of swaps in a file, and the resulting length. */
const MOST_SWAPS = 10_000;
const LONGEST_FILE = 1_000 * MOST_SWAPS;

/** Writes swaps as file text: JSON, with amounts as decimal text in whole units. */
export function writeSwaps(entries: readonly JournalEntry[], service: string): string {
  const asset = ({id, symbol, decimals, chain}: Asset) => ({id, symbol, decimals, chain: chain.title});
  const swaps = entries.map(({orderId, placedAt, stage, agreed, walletRequests, seen}) => ({
    orderId,
    placedAt: new Date(placedAt).toISOString(),
    stage,
    from: asset(agreed.from),
    to: asset(agreed.to),
    amount: inUnits(agreed.amount, agreed.from),
    receive: inUnits(agreed.receive, agreed.to),
    atLeast: inUnits(agreed.atLeast, agreed.to),
    owner: agreed.owner,
    recipient: agreed.recipient,
    payments: seen?.hashes ?? [],
    transactions: walletRequests.flatMap(({kind, hash}) => (hash === undefined ? [] : [{kind, hash}])),
  }));
  return writeJson({swapWidget: VERSION, service, swaps}, {space: 2});
}

const inUnits = (amount: bigint, {decimals}: Asset) => formatAmount(amount, decimals);

/** The columns of the table, readable by people and programs. */
const COLUMNS: Readonly<Record<string, (entry: JournalEntry) => string>> = {
  placed_at: ({placedAt}) => new Date(placedAt).toISOString(),
  swap_id: ({orderId}) => orderId,
  stage: ({stage}) => stage,
  paid: ({agreed}) => inUnits(agreed.amount, agreed.from),
  paid_asset: ({agreed}) => agreed.from.symbol,
  paid_network: ({agreed}) => agreed.from.chain.title,
  received: ({agreed, paidOut, stage}) =>
    stage === 'complete' ? inUnits(paidOut?.amount ?? agreed.receive, agreed.to) : '',
  received_asset: ({agreed}) => agreed.to.symbol,
  received_network: ({agreed}) => agreed.to.chain.title,
  received_witness: ({paidOut, stage}) => (stage !== 'complete' ? '' : paidOut ? 'network' : 'service'),
  quoted: ({agreed}) => inUnits(agreed.receive, agreed.to),
  payer: ({agreed}) => agreed.owner,
  recipient: ({agreed}) => agreed.recipient,
  payments: ({seen}) => seen?.hashes.join(' ') ?? '',
};

/**
 * Writes swaps as a table (CSV, RFC 4180, UTF-8 with a byte order mark for spreadsheets): amounts as plain decimal text
 * in whole units, times in UTC. `received` is empty if the swap is not complete; its witness is the network that showed
 * the payout, or only the service.
 */
export function writeTable(entries: readonly JournalEntry[]): string {
  const rows = entries.map(entry => Object.values(COLUMNS).map(column => column(entry)));
  return `\uFEFF${toCsv([Object.keys(COLUMNS), ...rows])}`;
}

/**
 * Parses the text of such a file; `undefined` for any other text. Swaps with an invalid field are omitted. Known assets
 * are those of the current catalogue.
 */
export function readSwaps(text: string, {find}: Catalogue): readonly ListedSwap[] | undefined {
  if (text.length > LONGEST_FILE) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const file = v.safeParse(SwapsFile, value);
  if (!file.success) return undefined;
  const swaps = file.output.swaps.slice(0, MOST_SWAPS).flatMap(each => {
    const reading = v.safeParse(WrittenSwap, each);
    if (!reading.success) return [];
    const {orderId, placedAt, stage, ...agreed} = reading.output;
    const amount = parseAmount(agreed.amount, agreed.from.decimals);
    const receive = parseAmount(agreed.receive, agreed.to.decimals);
    if (typeof amount !== 'bigint' || typeof receive !== 'bigint') return [];
    const known = (asset: ListedAsset): ListedAsset => {
      const today = find(asset.id);
      return today?.decimals === asset.decimals ? today : asset;
    };
    const {from, to} = agreed;
    return [{orderId, placedAt, stage, agreed: {from: known(from), to: known(to), amount, receive}}];
  });
  return deepFreeze(swaps);
}

const Text = upTo(100);
const WrittenAsset = object({id: Id, symbol: v.pipe(v.string(), v.minLength(1), v.maxLength(32)), decimals: Decimals});

const WrittenSwap = object({
  orderId: v.pipe(v.string(), v.check(isOrderId)),
  placedAt: v.pipe(
    Text,
    v.isoTimestamp(),
    v.transform(text => Date.parse(text)),
    v.number(),
    v.finite(),
  ),
  stage: v.picklist(STAGES),
  from: WrittenAsset,
  to: WrittenAsset,
  amount: Text,
  receive: Text,
});

const SwapsFile = object({swapWidget: v.literal(VERSION), swaps: v.array(v.unknown())});
