/**
 * Quotes: what each solver would give for an amount.
 *
 * Real: the arithmetic, in whole units of the smallest unit, and that a quote is only good for a while. Ours: the
 * prices, which walk at random around a fixed one, the same way for the same seed.
 *
 * Rounding: what a person would get without an affiliate fee is rounded down, what the fee takes from that is rounded
 * up, and what each payee is owed is rounded down, entry by entry (`shareOf`). So payees are never owed more than the
 * person was charged. What remains, less than one smallest unit of the destination and of each payout, stays with the
 * service.
 */
import {formatUnits} from 'ethers';
import {Refusal} from './chains/leg.js';

/** An asset as far as its price is concerned. */
export interface PricedAsset {
  readonly asset: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** Someone who swaps from their own purse. */
export interface Solver {
  /** The solver's public identifier: 20 bytes. */
  readonly id: string;
  /** What the solver and the protocol take of the source amount, in basis points. */
  readonly fee: bigint;
}

/** A quote that was given, with all that an order needs to repeat it. */
export interface IssuedQuote {
  readonly at: number;
  readonly from: PricedAsset;
  readonly to: PricedAsset;
  readonly fromAmount: bigint;
  readonly toAmount: bigint;
  readonly affiliateBps: number;
  /** Which solver offered it: the place in the list of solvers. */
  readonly solver: number;
  /** Every symbol's price at that moment, in USD scaled by 10^8. */
  readonly prices: Readonly<Record<string, bigint>>;
}

export interface Pricing {
  readonly solvers: readonly Solver[];
  /** A quote of each solver, worse than it need be by so many basis points. */
  quote(from: PricedAsset, to: PricedAsset, amount: bigint, affiliateBps: number, worseBps?: number): IssuedQuote[];
  /** What may be swapped of an asset at once, by its symbol. */
  limits(symbol: string): {readonly min: bigint; readonly max: bigint};
  /** The quotes of the last minute between two assets, newest first. */
  recent(from: string, to: string): IssuedQuote[];
}

export const PRICE_DECIMALS = 8;
/** For how long an order may repeat a quote. */
export const QUOTE_MS = 60_000;
/** How many quotes are remembered: whoever asks for more makes the service forget older ones before their time. */
const MOST_QUOTES = 10_000;
const BPS = 10_000n;
const STEP_MS = 2_000;
const PPM = 1_000_000;

/** Prices in USD scaled by 10^8, how far one step may go in parts per million, and what may be swapped at once. */
const MARKET: Readonly<Record<string, {usd: bigint; stepPpm: number; min: bigint; max: bigint}>> = {
  WBTC: {usd: 118_000_00000000n, stepPpm: 150, min: 50_000n, max: 100_000_000n},
  CBBTC: {usd: 117_940_00000000n, stepPpm: 150, min: 50_000n, max: 100_000_000n},
  ETH: {usd: 4_180_00000000n, stepPpm: 200, min: 5_000_000_000_000_000n, max: 30_000_000_000_000_000_000n},
  BTC: {usd: 118_000_00000000n, stepPpm: 150, min: 50_000n, max: 100_000_000n},
  SOL: {usd: 160_00000000n, stepPpm: 250, min: 100_000_000n, max: 500_000_000_000n},
  USDC: {usd: 1_00000000n, stepPpm: 20, min: 15_000_000n, max: 120_000_000_000n},
  USDT: {usd: 1_00000000n, stepPpm: 20, min: 15_000_000n, max: 120_000_000_000n},
};

export function createPricing(solvers: readonly Solver[], seed: number): Pricing {
  const random = randomFrom(seed);
  const drift: Record<string, number> = {};
  /** Oldest first. */
  const issued: IssuedQuote[] = [];
  let walkedAt = Date.now();
  let prices = reckon();

  function pricesNow(): IssuedQuote['prices'] {
    if (walkedAt + STEP_MS > Date.now()) return prices;
    for (; walkedAt + STEP_MS <= Date.now(); walkedAt += STEP_MS) {
      for (const [symbol, {stepPpm}] of Object.entries(MARKET)) {
        const was = drift[symbol] ?? 0;
        // A twentieth of the way back each time keeps a price near the one it started from.
        drift[symbol] = was + Math.round((random() * 2 - 1) * stepPpm - was / 20);
      }
    }
    prices = reckon();
    return prices;
  }

  function reckon(): IssuedQuote['prices'] {
    return Object.fromEntries(
      Object.entries(MARKET).map(([symbol, {usd}]) => [
        symbol,
        (usd * BigInt(PPM + (drift[symbol] ?? 0))) / BigInt(PPM),
      ]),
    );
  }

  function prune(): void {
    const oldest = Date.now() - QUOTE_MS;
    const kept = issued.findIndex(({at}) => at >= oldest);
    issued.splice(0, Math.max(kept < 0 ? issued.length : kept, issued.length - MOST_QUOTES));
  }

  return {
    solvers,

    quote(from, to, amount, affiliateBps, worseBps = 0) {
      const limits = marketOf(from.symbol);
      if (amount < limits.min || amount > limits.max) throw new Refusal(rangeText(limits.min, limits.max));
      const prices = pricesNow();
      const quotes = solvers.map(({fee}, solver): IssuedQuote => {
        const without = floor(part(amount, BPS - fee - BigInt(worseBps), from, to, prices));
        const charged = ceiling(part(amount, BigInt(affiliateBps), from, to, prices));
        const toAmount = without > charged ? without - charged : 0n;
        return {at: Date.now(), from, to, fromAmount: amount, toAmount, affiliateBps, solver, prices};
      });
      if (quotes.some(({toAmount}) => toAmount === 0n)) throw new Refusal('affiliate_fee: leaves nothing to receive');
      issued.push(...quotes);
      prune();
      return quotes;
    },

    limits: marketOf,

    recent(from, to) {
      prune();
      return issued.filter(quote => quote.from.asset === from && quote.to.asset === to).reverse();
    },
  };
}

/** The words in which services of this family say that an amount is out of range. */
export function rangeText(min: bigint, max: bigint): string {
  return `Exact output quote error : expected amount to be within the range of ${min} to ${max}`;
}

/** What a payee is owed: so many basis points of the source amount in the payout asset, at the quote's prices. */
export function shareOf({fromAmount, from, prices}: IssuedQuote, bps: number, payout: PricedAsset): bigint {
  return floor(part(fromAmount, BigInt(bps), from, payout, prices));
}

/** One side of a quote as the interface writes it. */
export function quoteSide({asset, symbol, decimals}: PricedAsset, amount: bigint, prices: IssuedQuote['prices']) {
  const cents = (amount * priceIn(prices, symbol)) / 10n ** BigInt(decimals + PRICE_DECIMALS - 4);
  return {
    asset,
    amount: amount.toString(),
    display: fixed(amount, decimals),
    // USD to four places.
    value: fixed(cents, 4),
  };
}

/** A price as the JSON number that the interface shows beside each leg; nothing is reckoned with it. */
export function priceNumber(quote: IssuedQuote, {symbol}: PricedAsset): number {
  return Number(formatUnits(priceIn(quote.prices, symbol), PRICE_DECIMALS));
}

/** An amount in whole units with all its decimals, zeros too. */
function fixed(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** So many basis points of an amount, in the smallest unit of another asset: exactly, as a fraction. */
function part(amount: bigint, bps: bigint, from: PricedAsset, to: PricedAsset, prices: IssuedQuote['prices']) {
  return {
    over: amount * bps * priceIn(prices, from.symbol) * 10n ** BigInt(to.decimals),
    under: BPS * priceIn(prices, to.symbol) * 10n ** BigInt(from.decimals),
  };
}

const floor = ({over, under}: ReturnType<typeof part>) => over / under;
const ceiling = ({over, under}: ReturnType<typeof part>) => (over + under - 1n) / under;

function priceIn(prices: IssuedQuote['prices'], symbol: string): bigint {
  const price = prices[symbol];
  if (price === undefined) throw new Error(`no price for ${symbol}`);
  return price;
}

function marketOf(symbol: string) {
  const market = MARKET[symbol];
  if (!market) throw new Error(`no market for ${symbol}`);
  return market;
}

/** Mulberry32: numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
