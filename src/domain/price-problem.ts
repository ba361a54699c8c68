import {depositBy} from './asset.js';
import type {Problem} from './draft.js';
import type {SwapError} from './error.js';
import {costOf, type AmountLimits, type Cost, type Quote, type QuoteRequest} from './quote.js';

/** What a swap may cost without a question, in basis points of what is paid, unless the page says otherwise. */
export const MAX_COST_BPS = 500;

/** All that decides whether a request and its price make sense to go on with. */
export interface PriceContext {
  readonly request: QuoteRequest;
  /** Why there is no price. */
  readonly error: SwapError | undefined;
  readonly offer: Quote | undefined;
  /** What the service's own list says it takes of what is paid. */
  readonly limits: AmountLimits | undefined;
  /** What the paying account has, and what of that is kept back for the chain's fee. */
  readonly balance: bigint | undefined;
  readonly reserve: bigint;
  /** Whether the person may change the amount. */
  readonly isLocked: boolean;
  readonly affiliateFees: readonly {readonly bps: number}[];
  /** The most that it may cost without a question, in basis points. */
  readonly maxCostBps: number;
}

/** What keeps a request from a review that would only fail later, or cost more than a person expects. */
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

/** Whether the paying account is known to have less than is to be paid. What is sent to an address may come from anywhere. */
export function isShort({from, amount}: QuoteRequest, balance: bigint | undefined): boolean {
  return balance !== undefined && balance < amount && depositBy(from.chain) === 'wallet';
}

function amountProblem(code: 'amount-range' | 'not-enough', use: bigint | undefined): Problem {
  return use === undefined ? {code, field: 'amount', remedy: 'correct'} : {code, field: 'amount', remedy: 'press', use};
}

/** The amount within the limits that is nearest to one beyond them. */
function nearest(amount: bigint, limits: AmountLimits | undefined): bigint | undefined {
  if (!limits || limits.min > limits.max) return undefined;
  return amount < limits.min ? limits.min : amount > limits.max ? limits.max : undefined;
}

/** What the person agreed to covers a cost that is no higher than that and the tolerance of the price. */
export function acceptedBps(maxCostBps: number, accepted: Cost['bps'] | undefined, tolerance: number): number {
  return accepted === undefined ? maxCostBps : Math.max(maxCostBps, accepted + tolerance);
}
