import {formatAmount} from '../domain/amount.js';
import type {AssetId} from '../domain/asset.js';
import {toCsv} from '../domain/csv.js';
import {isSameAddress, type OwedFee} from '../domain/fee-ledger.js';

/*
 * What orders owe a payee, compared with what its address received, week by week.
 *
 * The service pays “at the end of each week” (API, Affiliate fee entry, rule 5) without a day or hour. So weeks here
 * end on Monday at 00:00 UTC, as in ISO 8601, unless the partner sets other ends. An order belongs to the week in which
 * it was completed, and transfers between the end of a week and the end of the next one pay that week. A week's surplus
 * pays what others lack, older weeks first, so a late payout counts for the week that it was missing in.
 */

/** A transfer of a payout asset to a payee, as its chain shows it. */
export interface PayoutTransfer {
  readonly hash: string;
  /** The sender. */
  readonly from: string;
  /** In the asset's smallest unit. */
  readonly amount: bigint;
  /** The time of its block, in milliseconds since 1970. */
  readonly at: number;
}

export type ReadTransfers =
  | {
      readonly transfers: readonly PayoutTransfer[];
      /** The time of the chain's newest block when it was read, in milliseconds since 1970. */
      readonly until: number;
    }
  | {
      readonly unread: string;
    };

/**
 * The state of a week. `paid`: everything owed was paid. `short`: a part of it. `missing`: nothing. `over`: more than
 * owed, and no other week lacks it. `due`: the week has not ended, or its payout still has time. `claimed` and
 * `unclaimed`: where payees take fees themselves, all of them or not yet. `unread`: the chain could not be read, which
 * says nothing about payments.
 */
export type PayoutVerdict = 'paid' | 'short' | 'missing' | 'over' | 'due' | 'claimed' | 'unclaimed' | 'unread';

/** What one week's orders owe one payee, and what was paid. */
export interface PayoutWeek {
  /** The beginning and end, in milliseconds since 1970. `ends` is absent while the week lasts and its end is unknown. */
  readonly begins: number;
  readonly ends?: number | undefined;
  readonly asset: AssetId;
  readonly address: string;
  /** The amount owed for orders that were completed in this week, in the asset's smallest unit. */
  readonly owed: bigint;
  /** The amount received after this week's end and before the next one's; absent if `unread`. */
  readonly paid?: bigint | undefined;
  /** The amount that other weeks' payouts paid for this one; negative: that this one's payout paid for others. */
  readonly carried?: bigint | undefined;
  /** The surplus over what was owed; negative if something is missing. */
  readonly difference?: bigint | undefined;
  readonly verdict: PayoutVerdict;
  /** Why it is `unread`. */
  readonly why?: string | undefined;
  /** The transfers that make up `paid`, the oldest first. */
  readonly transfers: readonly PayoutTransfer[];
  /** The orders that make up `owed`. */
  readonly orders: readonly string[];
  /** The asset's decimals; absent if unknown. */
  readonly decimals?: number | undefined;
}

/** The part of a ledger entry that is needed here. */
export type EarnedFee = Pick<OwedFee, 'orderId' | 'completedAt' | 'isComplete' | 'asset' | 'address' | 'amount'>;

export type CountedFee = EarnedFee & {
  readonly asset: AssetId;
  readonly completedAt: number;
  readonly amount: bigint;
};

export interface EarningPayee {
  readonly asset: AssetId;
  readonly address: string;
  readonly fees: readonly CountedFee[];
}

/** One such moment, from which every seventh day counts, or all the moments, in order. */
export type WeekEnds = number | readonly number[];

const WEEK_MS = 7 * 24 * 3_600_000;
/** A Monday, at 00:00 UTC. */
export const MONDAY = Date.UTC(2024, 0, 1);

/** The payees, and the fees of complete orders that cannot be counted because amount, time, asset or address is missing. */
export function payeesOf(fees: readonly EarnedFee[]): {
  readonly payees: readonly EarningPayee[];
  readonly uncounted: readonly EarnedFee[];
} {
  const payees: {asset: AssetId; address: string; fees: CountedFee[]}[] = [];
  const complete = fees.filter(({isComplete}) => isComplete);
  const uncounted = complete.filter(fee => !isCounted(fee));
  for (const fee of complete.filter(isCounted)) {
    const {asset, address} = fee;
    const known = payees.find(
      payee => payee.asset.toLowerCase() === asset.toLowerCase() && isSameAddress(asset, payee.address, address),
    );
    if (known) known.fees.push(fee);
    else payees.push({asset, address, fees: [fee]});
  }
  return {payees, uncounted};
}

function isCounted(fee: EarnedFee): fee is CountedFee {
  return fee.asset !== '' && fee.address !== '' && fee.completedAt !== undefined && fee.amount !== undefined;
}

interface Span {
  readonly begins: number;
  readonly ends?: number;
}

/** The weeks from the one that contains a moment to the current one. */
function weeksSince(first: number, now: number, ends: WeekEnds): readonly Span[] {
  if (typeof ends !== 'number') {
    const later = ends.filter(end => end > first);
    const before = ends.findLast(end => end <= first) ?? first;
    return [before, ...later].map((begins, at) => {
      const end = later[at];
      return {begins, ...(end !== undefined && {ends: end})};
    });
  }
  const begins = ends + Math.floor((first - ends) / WEEK_MS) * WEEK_MS;
  const count = Math.floor((Math.max(now, first) - begins) / WEEK_MS) + 1;
  return Array.from({length: count}, (_, at) => ({begins: begins + at * WEEK_MS, ends: begins + (at + 1) * WEEK_MS}));
}

/** When a payee's transfers begin to count: at the end of the first week with fees; `undefined` before that end. */
export function payableSince({fees}: EarningPayee, now: number, ends: WeekEnds): number | undefined {
  const [week] = weeksSince(Math.min(...fees.map(({completedAt}) => completedAt)), now, ends);
  return week?.ends !== undefined && week.ends <= now ? week.ends : undefined;
}

export interface JudgeOptions {
  readonly now: number;
  readonly ends: WeekEnds;
  /** How long after a week's end its payout may arrive, in milliseconds. */
  readonly grace: number;
  readonly decimals?: number | undefined;
  /** Whether payees take the fees themselves, whenever they like. */
  readonly isClaimed?: boolean;
}

/** What each week owes a payee and what was paid, the oldest week first. Weeks without either are omitted. */
export function judgeWeeks(
  {asset, address, fees}: EarningPayee,
  read: ReadTransfers,
  {now, ends, grace, decimals, isClaimed = false}: JudgeOptions,
): readonly PayoutWeek[] {
  const spans = weeksSince(Math.min(...fees.map(({completedAt}) => completedAt)), now, ends);
  const isRead = 'transfers' in read;
  // Nothing is known about the time after the newest block.
  const seenUntil = isRead ? Math.min(now, read.until) : now;
  const weeks = spans.map((span, at) => {
    const own = fees.filter(({completedAt}) => isWithin(completedAt, span));
    const next = spans[at + 1];
    const transfers = isRead && next ? read.transfers.filter(transfer => isWithin(transfer.at, next)) : [];
    return {
      span,
      owed: sumOf(own),
      paid: sumOf(transfers),
      transfers: [...transfers].sort((one, other) => one.at - other.at),
      orders: own.map(({orderId}) => orderId),
    };
  });
  const carried = carry(weeks.filter(({span: {ends: end = Infinity}}) => end <= now));
  return weeks.flatMap(({span, owed, paid, transfers, orders}, at): PayoutWeek[] => {
    if (owed === 0n && !transfers.length) return [];
    const common = {...span, asset, address, owed, transfers, orders, decimals};
    const {ends: end = Infinity} = span;
    if (end > now) return [{...common, verdict: 'due'}];
    if (!isRead) return [{...common, verdict: 'unread', why: read.unread}];
    const moved = carried[at] ?? 0n;
    const difference = paid + moved - owed;
    const verdict = verdictOf(difference, paid + moved, end + grace > seenUntil, isClaimed);
    return [{...common, paid, carried: moved, difference, verdict}];
  });
}

function isWithin(at: number, {begins, ends = Infinity}: Span): boolean {
  return at >= begins && at < ends;
}

function verdictOf(difference: bigint, got: bigint, isDue: boolean, isClaimed: boolean): PayoutVerdict {
  if (difference > 0n) return 'over';
  if (isClaimed) return difference === 0n ? 'claimed' : 'unclaimed';
  if (difference === 0n) return 'paid';
  if (isDue) return 'due';
  return got === 0n ? 'missing' : 'short';
}

/** The amount that each week gets from other weeks' payouts (or gives, if negative): a surplus pays older weeks first. */
function carry(weeks: readonly {readonly owed: bigint; readonly paid: bigint}[]): readonly bigint[] {
  const moved = weeks.map(() => 0n);
  const open = weeks.map(({owed, paid}) => paid - owed);
  const move = (from: number, to: number) => {
    const [has = 0n, lacks = 0n] = [open[from], open[to]];
    if (has <= 0n || lacks >= 0n) return;
    const amount = has < -lacks ? has : -lacks;
    open[from] = has - amount;
    open[to] = lacks + amount;
    moved[from] = (moved[from] ?? 0n) - amount;
    moved[to] = (moved[to] ?? 0n) + amount;
  };
  for (let at = 0; at < weeks.length; at++) {
    for (let older = 0; older < at; older++) move(at, older);
  }
  for (let at = 0; at < weeks.length; at++) {
    for (let later = at + 1; later < weeks.length; later++) move(at, later);
  }
  return moved;
}

function sumOf(items: readonly {readonly amount: bigint}[]): bigint {
  return items.reduce((sum, {amount}) => sum + amount, 0n);
}

const COLUMNS: readonly (readonly [name: string, read: (week: PayoutWeek) => string | bigint | undefined])[] = [
  ['week_begins', ({begins}) => new Date(begins).toISOString()],
  ['week_ends', ({ends}) => (ends === undefined ? '' : new Date(ends).toISOString())],
  ['asset', ({asset}) => asset],
  ['address', ({address}) => address],
  ['verdict', ({verdict}) => verdict],
  ['owed', ({owed}) => owed],
  ['paid', ({paid}) => paid],
  // No negative numbers: a spreadsheet might treat them as formulas, and as text they cannot be summed.
  ['paid_by_other_weeks', ({carried}) => above0(carried)],
  ['paid_for_other_weeks', ({carried}) => above0(carried, -1n)],
  ['missing', ({difference}) => above0(difference, -1n)],
  ['extra', ({difference}) => above0(difference)],
  ['owed_decimal', week => decimalOf(week, week.owed)],
  ['paid_decimal', week => decimalOf(week, week.paid)],
  ['missing_decimal', week => decimalOf(week, above0(week.difference, -1n))],
  ['extra_decimal', week => decimalOf(week, above0(week.difference))],
  ['transactions', ({transfers}) => transfers.map(({hash}) => hash).join(' ')],
  ['why', ({why}) => why],
];

function above0(amount: bigint | undefined, sign = 1n): bigint | undefined {
  return amount === undefined || amount * sign > 0n ? amount && amount * sign : 0n;
}

function decimalOf({decimals}: PayoutWeek, amount: bigint | undefined): string | undefined {
  return amount === undefined || decimals === undefined ? undefined : formatAmount(amount, decimals);
}

/** The weeks as CSV (RFC 4180), with a header. No text in it can be treated as a formula by a spreadsheet. */
export function weeksToCsv(weeks: readonly PayoutWeek[]): string {
  return toCsv([
    COLUMNS.map(([name]) => name),
    ...weeks.map(week => COLUMNS.map(([, read]) => read(week)?.toString() ?? '')),
  ]);
}
