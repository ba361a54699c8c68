import {parseAmount} from './amount.js';
import {depositBy, type Asset} from './asset.js';
import type {Problem} from './draft.js';
import type {SwapError} from './error.js';
import {costOf, type AmountLimits, type Cost, type Quote, type QuoteRequest} from './quote.js';

/** The cost in basis points of the amount paid up to which no confirmation is needed, unless the page sets another. */
export const MAX_COST_BPS = 500;

/** Everything that decides whether a request and its price can go to review. */
export interface PriceContext {
  readonly request: QuoteRequest;
  /** Why there is no price. */
  readonly error: SwapError | undefined;
  readonly offer: Quote | undefined;
  /** The limits of the amount in the service's own list. */
  readonly limits: AmountLimits | undefined;
  /** The paying account's balance, and the part that is reserved for the network fee. */
  readonly balance: bigint | undefined;
  readonly reserve: bigint;
  /** Whether the visitor cannot change the amount. */
  readonly isLocked: boolean;
  readonly affiliateFees: readonly {readonly bps: number}[];
  /** The maximum cost without a confirmation, in basis points. */
  readonly maxCostBps: number;
}

/** Why a request must not be reviewed: it would only fail later, or cost more than a visitor expects. */
export function priceProblem(context: PriceContext): Problem | undefined {
  const {request, error, offer, balance, reserve, isLocked, affiliateFees, maxCostBps} = context;
  if (error?.code === 'amount-range') {
    return amountProblem('amount-range', isLocked ? undefined : nearest(request.amount, error.range ?? context.limits));
  }
  if (balance !== undefined && isShort(request, balance)) {
    return amountProblem('not-enough', balance > reserve && !isLocked ? balance - reserve : undefined);
  }
  const cost = offer && costOf(offer, affiliateFees);
  return cost && cost.bps > maxCostBps ? {code: 'confirm-cost', field: 'amount', remedy: 'press', cost} : undefined;
}

/**
 * An amount with more decimals than the asset has, in decimal text, as the problem that it is: `use` is the amount
 * without the excess, but no more than the account has and the service takes; absent if nothing would be left.
 */
export function tooFine(
  text: string,
  {decimals, chain}: Asset,
  {balance, reserve, limits}: Pick<PriceContext, 'balance' | 'reserve' | 'limits'>,
): Problem {
  const cut = withoutExcess(text, decimals);
  // Payments to an address may come from anywhere.
  const most = balance && depositBy(chain) === 'wallet' ? spendable(balance, reserve, limits) : cut;
  return amountProblem('too-many-decimals', (most < cut ? most : cut) || undefined);
}

/** Reads decimal text as an amount, without the decimals that an asset does not have; 0 if it is none. */
export function withoutExcess(text: string, decimals: number): bigint {
  const read = parseAmount(text.slice(0, text.indexOf('.') + 1 + decimals), decimals);
  return typeof read === 'bigint' ? read : 0n;
}

/** Whether the paying account is known to have too little. Payments to an address may come from anywhere. */
export function isShort({from, amount}: QuoteRequest, balance: bigint | undefined): boolean {
  return balance !== undefined && balance < amount && depositBy(from.chain) === 'wallet';
}

function amountProblem(code: 'amount-range' | 'not-enough' | 'too-many-decimals', use: bigint | undefined): Problem {
  return use === undefined ? {code, field: 'amount', remedy: 'correct'} : {code, field: 'amount', remedy: 'press', use};
}

/** The maximum that an account can swap: its balance less the reserve for the chain's fee, within the service's usual limit. */
export function spendable(balance: bigint, reserve: bigint, limits: AmountLimits | undefined): bigint {
  const most = balance > reserve ? balance - reserve : 0n;
  return limits && limits.min <= limits.max && limits.max < most ? limits.max : most;
}

/** The amount within the limits that is nearest to one outside them. */
function nearest(amount: bigint, limits: AmountLimits | undefined): bigint | undefined {
  if (!limits || limits.min > limits.max) return undefined;
  return amount < limits.min ? limits.min : amount > limits.max ? limits.max : undefined;
}

/** The maximum cost: what the visitor accepted, plus the price tolerance. */
export function acceptedBps(maxCostBps: number, accepted: Cost['bps'] | undefined, tolerance: number): number {
  return accepted === undefined ? maxCostBps : Math.max(maxCostBps, accepted + tolerance);
}
