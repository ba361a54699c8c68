import type {Asset, AssetId} from './asset.js';
import type {Quote} from './quote.js';

/**
 * The page's reference price: how many whole units of `to` one whole unit of `from` is worth, as plain decimal text
 * (`"65123.5"`), or `undefined` if it has none. May return a promise.
 */
export type ReferencePrice = (from: AssetId, to: AssetId) => string | undefined | Promise<string | undefined>;

/** An exact number above zero: `digits` ÷ 10^`places`. */
export interface Price {
  readonly digits: bigint;
  readonly places: number;
}

/** Reads plain decimal text above zero: digits and a point, no sign, no exponent, no grouping. Anything else is invalid. */
export function readPrice(text: unknown): Price | undefined {
  const match = typeof text === 'string' ? /^(\d{1,60})(?:\.(\d{1,60}))?$/.exec(text) : null;
  const [, whole = '', fraction = ''] = match ?? [];
  const digits = BigInt(whole + fraction);
  return digits > 0n ? {digits, places: fraction.length} : undefined;
}

/** Net of all fees, in basis points rounded to nearest; negative if the offer brings less. */
export function aboveReference({source, destination}: Quote, from: Asset, to: Asset, {digits, places}: Price): number {
  const offered = destination.amount * 10n ** BigInt(from.decimals + places);
  const named = source.amount * digits * 10n ** BigInt(to.decimals);
  return bpsAbove(offered, named);
}

export function bpsAbove(amount: bigint, base: bigint): number {
  const difference = (amount - base) * 20_000n;
  const half = difference < 0n ? -base : base;
  return Number((difference + half) / (2n * base));
}
