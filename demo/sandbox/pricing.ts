/**
 * Quotes: what each solver offers for an amount.
 *
 * Real: the integer arithmetic in smallest units, and that quotes expire. Ours: the prices, a random walk around fixed
 * ones that is the same for the same seed.
 *
 * Rounding: the output without an affiliate fee is rounded down, the fee deducted from it is rounded up, and what each
 * payee is owed is rounded down, entry by entry (`shareOf`). So payees are never owed more than the person was charged.
 * The difference, less than one smallest unit of the destination and of each payout, stays with the service.
 */
import {formatUnits} from 'ethers';
import {RequestError} from './chains/leg.js';

/** What pricing needs to know about an asset. */
export interface PricedAsset {
  readonly asset: string;
  readonly symbol: string;
  readonly decimals: number;
}

export interface Solver {
  /** The solver's public identifier: 20 bytes. */
  readonly id: string;
  /** The fee of solver and protocol, in basis points of the source amount. */
  readonly fee: bigint;
}

/** An issued quote, with everything an order needs to repeat it. */
export interface IssuedQuote {
  readonly at: number;
  readonly from: PricedAsset;
  readonly to: PricedAsset;
  readonly fromAmount: bigint;
  readonly toAmount: bigint;
  readonly affiliateBps: number;
  /** The index of the solver that offered it. */
  readonly solver: number;
  /** Every symbol's price when it was issued, in USD scaled by 10^8. */
  readonly prices: Readonly<Record<string, bigint>>;
}

export interface Pricing {
  readonly solvers: readonly Solver[];
  /** A quote from each solver, optionally worse by a number of basis points. */
  quote(from: PricedAsset, to: PricedAsset, amount: bigint, affiliateBps: number, worseBps?: number): IssuedQuote[];
  /** The minimum and maximum of a swap, by the source's symbol. */
  limits(symbol: string): {readonly min: bigint; readonly max: bigint};
  recent(from: string, to: string): IssuedQuote[];
  /** Starts or stops the movement of prices. They move at first. */
  setMoving(moving: boolean): void;
}

const PRICE_DECIMALS = 8;
/** How long an order can repeat a quote. */
const QUOTE_MS = 60_000;
/** The maximum number of stored quotes; beyond it the oldest are dropped early. */
const MAX_QUOTES = 10_000;
const BPS = 10_000n;
const STEP_MS = 2_000;
const PPM = 1_000_000;

/** Prices in USD scaled by 10^8, the largest step in parts per million, and the minimum and maximum of a swap. */
const MARKET: Readonly<Record<string, {usd: bigint; stepPpm: number; min: bigint; max: bigint}>> = {
  WBTC: {usd: 118_000_00000000n, stepPpm: 150, min: 50_000n, max: 100_000_000n},
  cbBTC: {usd: 117_940_00000000n, stepPpm: 150, min: 50_000n, max: 100_000_000n},
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
  let steppedAt = Date.now();
  let isMoving = true;
  let prices = computePrices();

  function pricesNow(): IssuedQuote['prices'] {
    if (!isMoving || steppedAt + STEP_MS > Date.now()) return prices;
    for (; steppedAt + STEP_MS <= Date.now(); steppedAt += STEP_MS) {
      for (const [symbol, {stepPpm}] of Object.entries(MARKET)) {
        const was = drift[symbol] ?? 0;
        // Reverting by a twentieth each time keeps a price near its start.
        drift[symbol] = was + Math.round((random() * 2 - 1) * stepPpm - was / 20);
      }
    }
    prices = computePrices();
    return prices;
  }

  function computePrices(): IssuedQuote['prices'] {
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
    issued.splice(0, Math.max(kept < 0 ? issued.length : kept, issued.length - MAX_QUOTES));
  }

  return {
    solvers,

    quote(from, to, amount, affiliateBps, worseBps = 0) {
      const limits = marketOf(from.symbol);
      if (amount < limits.min || amount > limits.max) throw new RequestError(rangeText(limits.min, limits.max));
      const prices = pricesNow();
      const quotes = solvers.map(({fee}, solver): IssuedQuote => {
        const without = floor(fraction(amount, BPS - fee - BigInt(worseBps), from, to, prices));
        const charged = ceiling(fraction(amount, BigInt(affiliateBps), from, to, prices));
        const toAmount = without > charged ? without - charged : 0n;
        return {at: Date.now(), from, to, fromAmount: amount, toAmount, affiliateBps, solver, prices};
      });
      if (quotes.some(({toAmount}) => toAmount === 0n))
        throw new RequestError('affiliate_fee: leaves nothing to receive');
      issued.push(...quotes);
      prune();
      return quotes;
    },

    limits: marketOf,

    recent(from, to) {
      prune();
      return issued.filter(quote => quote.from.asset === from && quote.to.asset === to).reverse();
    },

    setMoving(moving) {
      if (moving && !isMoving) steppedAt = Date.now();
      isMoving = moving;
    },
  };
}

/** The error text of live services for an amount out of range. */
export function rangeText(min: bigint, max: bigint): string {
  return `Exact output quote error : expected amount to be within the range of ${min} to ${max}`;
}

/** A payee's fee: basis points of the source amount, in the payout asset at the quote's prices. */
export function shareOf({fromAmount, from, prices}: IssuedQuote, bps: number, payout: PricedAsset): bigint {
  return floor(fraction(fromAmount, BigInt(bps), from, payout, prices));
}

/** One side of a quote as JSON of the API. */
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

/** A price as the JSON number that the API shows for each leg; it is not used in computations. */
export function priceNumber(quote: IssuedQuote, {symbol}: PricedAsset): number {
  return Number(formatUnits(priceIn(quote.prices, symbol), PRICE_DECIMALS));
}

/** An amount in whole units with all decimals, trailing zeros included. */
function fixed(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Basis points of an amount, in the smallest unit of another asset, as an exact fraction. */
function fraction(amount: bigint, bps: bigint, from: PricedAsset, to: PricedAsset, prices: IssuedQuote['prices']) {
  return {
    numerator: amount * bps * priceIn(prices, from.symbol) * 10n ** BigInt(to.decimals),
    denominator: BPS * priceIn(prices, to.symbol) * 10n ** BigInt(from.decimals),
  };
}

const floor = ({numerator, denominator}: ReturnType<typeof fraction>) => numerator / denominator;
const ceiling = ({numerator, denominator}: ReturnType<typeof fraction>) => (numerator + denominator - 1n) / denominator;

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

/** Mulberry32: pseudorandom numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
