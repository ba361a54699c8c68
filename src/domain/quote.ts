import type {Asset, AssetId} from './asset.js';
import {SwapError} from './error.js';
import type {AffiliateFee} from './affiliate-fee.js';

/** A valid draft, for which a price can be requested. */
export interface QuoteRequest {
  readonly from: Asset;
  readonly to: Asset;
  /** The amount to pay, in the smallest unit of `from`. */
  readonly amount: bigint;
  /** The minimum that has to arrive, in the smallest unit of `to`, if that was requested. */
  readonly atLeast?: bigint;
  /** The partner's fees for it; none while its amount is searched for and decides about them. */
  readonly affiliateFees: readonly AffiliateFee[];
}

/** A request whose amount is still searched for. */
export type QuoteTarget = Omit<QuoteRequest, 'amount'> & Required<Pick<QuoteRequest, 'atLeast'>>;

/** One side of a quote (API, Quote side object). */
export interface QuoteSide {
  readonly asset: AssetId;
  /** In the smallest unit. */
  readonly amount: bigint;
  /** The same in whole units, decimal text. */
  readonly display: string;
  /** Its value, as decimal text. The specification names no currency; in practice it is US dollars. */
  readonly value: string;
}

/** A solver's offer. */
export interface Quote {
  readonly source: QuoteSide;
  readonly destination: QuoteSide;
  readonly solverId: string;
  /** The solver's estimate of the swap's duration, in seconds. Not in the specification; some services return it. */
  readonly estimatedSeconds?: number;
}

/** The minimum and maximum of an asset in the service's own list, in the smallest unit. A hint, not the truth. */
export interface AmountLimits {
  readonly min: bigint;
  readonly max: bigint;
}

/** By asset id in lowercase. */
export type LimitsByAsset = Readonly<Record<string, AmountLimits>>;

/** The offers for one request, best first, never empty. */
export interface Quotes {
  readonly request: QuoteRequest;
  readonly offers: readonly [Quote, ...Quote[]];
  /** When they were requested, in milliseconds since 1970. The service gives no expiry (API, Quote). */
  readonly at: number;
}

/**
 * Sorts the service's offers, best first, and omits invalid ones: with an amount of zero, for another request, or with
 * other decimals than the catalogue's.
 * @throws SwapError if none is left: `unreadable` with the fault of the first, or `no-quote`.
 */
export function rankQuotes(request: QuoteRequest, quotes: readonly Quote[], at: number): Quotes {
  const faults = quotes.map(quote => contradictionOf(request, quote));
  const [best, ...others] = quotes
    .filter(({destination}, index) => !faults[index] && destination.amount > 0n)
    .sort((a, b) =>
      a.destination.amount < b.destination.amount ? 1 : a.destination.amount > b.destination.amount ? -1 : 0,
    );
  if (!best) throw faults.find(fault => fault !== undefined) ?? new SwapError('no-quote');
  return {request, offers: [best, ...others], at};
}

function contradictionOf(request: QuoteRequest, quote: Quote): SwapError | undefined {
  for (const [side, asset] of [['source', request.from] as const, ['destination', request.to] as const]) {
    const {asset: id, amount, display} = quote[side];
    if (id.toLowerCase() !== asset.id.toLowerCase()) {
      return new SwapError('unreadable', {field: `${side}.asset`, detail: id});
    }
    if (!isSameAmount(display, amount, asset.decimals)) {
      return new SwapError('unreadable', {
        field: `${side}.display`,
        detail: `${display} is not ${String(amount)} with ${String(asset.decimals)} decimals`,
      });
    }
  }
  return quote.source.amount === request.amount
    ? undefined
    : new SwapError('unreadable', {field: 'source.amount', detail: String(quote.source.amount)});
}

/**
 * `display` × 10^decimals = `amount`: wrong decimals in a catalogue are found before somebody pays a hundred times too
 * much. A display may have fewer decimals than the amount, truncated (a published quote shows eight of nine) or
 * rounded: that hides less than one power of ten, and may leave nothing but zeros of a very small amount.
 */
export function isSameAmount(display: string, amount: bigint, decimals: number): boolean {
  const match = /^(\d{1,80})(?:\.(\d{1,80}))?$/.exec(display);
  if (!match) return false;
  const places = match[2] ?? '';
  const fraction = places.replace(/0+$/, '');
  if (fraction.length > decimals) return false;
  const shown = BigInt((match[1] ?? '') + fraction.padEnd(decimals, '0'));
  const hidden = amount - shown;
  if (hidden === 0n || (shown === 0n && !places)) return hidden === 0n;
  const lastPlace = 10n ** BigInt(Math.max(0, decimals - places.length));
  return hidden < lastPlace && hidden * 2n >= -lastPlace;
}

/** The cost of a swap, in hundredths of the value's currency. Its parts add up to the total, to the cent. */
export interface Cost {
  /** The total lost on the way. */
  readonly total: bigint;
  /** The service's and the solver's part: the total less the payees' shares, including rounding. */
  readonly network: bigint;
  /** Each payee's share of the source's value, in the order of the fees. */
  readonly shares: readonly bigint[];
  /** The total in basis points of the source's value, rounded to nearest. */
  readonly bps: number;
}

/** The difference between what is paid and what arrives, below zero for a gain. */
export type Loss = Pick<Cost, 'total' | 'bps'>;

/** The gain in basis points of the amount paid up to which a price may be right. */
export const MAX_GAIN_BPS = 500;

/** A quote's cost, split by who gets it; `undefined` where `costBetween` is. */
export function costOf({source, destination}: Quote, shares: readonly {readonly bps: number}[]): Cost | undefined {
  const paid = cents(source.value);
  const cost = costBetween(paid, cents(destination.value));
  if (paid === undefined || !cost) return undefined;
  const amounts = shares.map(({bps}) => (paid * BigInt(bps) + 5_000n) / 10_000n);
  return {...cost, network: cost.total - amounts.reduce((sum, share) => sum + share, 0n), shares: amounts};
}

/** What a swap of these values costs, in hundredths; `undefined` if one is unknown, or both cannot be right. */
export function costBetween(paid: bigint | undefined, received: bigint | undefined): Loss | undefined {
  const loss = lossBetween(paid, received);
  return loss && loss.bps < -MAX_GAIN_BPS ? undefined : loss;
}

/** What is lost between two values in hundredths, also a gain too good to be true; `undefined` if one is unknown. */
export function lossBetween(paid: bigint | undefined, received: bigint | undefined): Loss | undefined {
  // A price that rounds to nothing says nothing of the cost.
  if (paid === undefined || paid <= 0n || received === undefined) return undefined;
  const total = paid - received;
  return {total, bps: Math.round(Number((total * 1_000_000n) / paid) / 100)};
}

/**
 * The part of the source amount that is worth this many hundredths at the quote's own price, in the smallest unit,
 * rounded down; `undefined` if the service returned no readable value.
 */
export function amountWorth(hundredths: bigint, {source}: Quote): bigint | undefined {
  const match = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(source.value);
  const [, whole = '', fraction = ''] = match ?? [];
  const value = BigInt(whole + fraction);
  // A hundredth is 10^(places - 2) of the value's last place.
  return value > 0n ? (hundredths * source.amount * 10n ** BigInt(fraction.length)) / (value * 100n) : undefined;
}

/** The value of an amount at this side's price, in hundredths; `undefined` if it has no readable value. */
export function worthOf(amount: bigint, {amount: priced, value}: QuoteSide): bigint | undefined {
  const hundredths = cents(value);
  return hundredths === undefined || priced === 0n ? undefined : (hundredths * amount) / priced;
}

/** The value of both sides of a swap at the agreed offer, in hundredths, if it has values. */
export function worthOfSides(
  agreed: QuoteRequest & {readonly receive: bigint; readonly solverId: string},
  offer: Quote | undefined,
): {readonly paid: bigint; readonly received: bigint} | undefined {
  const {from, to, amount, receive, solverId} = agreed;
  const isIts =
    offer?.solverId === solverId &&
    offer.source.asset.toLowerCase() === from.id.toLowerCase() &&
    offer.destination.asset.toLowerCase() === to.id.toLowerCase();
  if (!isIts) return undefined;
  const [paid, received] = [worthOf(amount, offer.source), worthOf(receive, offer.destination)];
  return paid !== undefined && paid >= 0n && received !== undefined && received >= 0n ? {paid, received} : undefined;
}

interface Sides {
  readonly source: {readonly amount: bigint};
  readonly destination: {readonly amount: bigint};
}

/** How much of `to` one whole unit of `from` buys, as an amount of `to`'s smallest unit. */
export function rateOf({source, destination}: Sides, from: Asset): bigint {
  return (destination.amount * 10n ** BigInt(from.decimals)) / source.amount;
}

/** How much of `from` one whole unit of `to` costs, as an amount of `from`'s smallest unit. */
export function inverseRateOf(quote: Quote, to: Asset): bigint {
  return (quote.source.amount * 10n ** BigInt(to.decimals)) / quote.destination.amount;
}

/** An amount less a number of basis points, rounded up: so never lower than agreed. */
export function lessBps(amount: bigint, bps: number): bigint {
  return amount - (amount * BigInt(bps)) / 10_000n;
}

/** A value in hundredths, rounded to nearest; `undefined` if the text is not a plain decimal. */
export function cents(value: string): bigint | undefined {
  const match = /^(-?)(\d{1,30})(?:\.(\d+))?$/.exec(value);
  if (!match) return undefined;
  const digits = (match[3] ?? '').padEnd(3, '0');
  const rounded = (BigInt((match[2] ?? '') + digits.slice(0, 3)) + 5n) / 10n;
  return match[1] ? -rounded : rounded;
}
