import type {Asset, AssetId} from './asset.js';
import {fault, SwapError} from './error.js';

/** A share of the fee for one payee (API, Affiliate fee entry). */
export interface AffiliateFee {
  /** The asset in which it is paid out. */
  readonly asset: AssetId;
  /** The payee's address on that asset's chain. */
  readonly address: string;
  /** Basis points of the source amount's value: 1 is 0.01 %. */
  readonly bps: number;
}

export function totalBps(fees: readonly {readonly bps: number}[]): number {
  return fees.reduce((sum, {bps}) => sum + bps, 0);
}

export const NO_FEES: readonly AffiliateFee[] = Object.freeze([]);

/** What a page's fees may depend on. */
export interface FeeRequest {
  readonly from: AssetId;
  readonly to: AssetId;
  /** In the smallest unit of `from`. */
  readonly amount: bigint;
}

/** The fees of all requests, or of each. */
export type FeeRule<Fees = readonly AffiliateFee[]> = Fees | ((request: FeeRequest) => Fees);

/** What a page's function said of each request. It is not asked again: another answer would be another request, without end. */
const said = new WeakMap<object, Map<string, readonly AffiliateFee[]>>();

/**
 * The fees of a request, the same whenever they are asked for; none while its amount is unknown and decides about them.
 * @throws SwapError `config`, `affiliate-fees`, also if the page's function fails.
 */
export function feesFor(
  rule: FeeRule,
  {from, to, amount}: {readonly from: Asset; readonly to: Asset; readonly amount?: bigint | undefined},
): readonly AffiliateFee[] {
  if (typeof rule !== 'function') return rule;
  if (amount === undefined) return NO_FEES;
  const known = said.get(rule) ?? new Map<string, readonly AffiliateFee[]>();
  said.set(rule, known);
  const key = `${from.id} ${to.id} ${String(amount)}`;
  try {
    // The page may change its own list later.
    const fees = known.get(key) ?? rule({from: from.id, to: to.id, amount}).map(fee => Object.freeze({...fee}));
    known.set(key, Object.freeze(fees));
    return fees;
  } catch (cause) {
    if (cause instanceof SwapError) throw cause;
    const detail = `Your function failed for ${String(amount)} of ${from.id} to ${to.id}: ${String(cause)}`;
    throw fault('affiliate-fees', detail);
  }
}
