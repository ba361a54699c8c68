import type {Asset} from '../asset.js';
import {isProblem, type Problem, type Side} from '../draft.js';
import {withoutExcess} from './story.js';
import type {AmountLimits, QuoteRequest} from '../quote.js';
import {readingsOf} from '../typed.js';

/**
 * What is said at an amount: why it cannot be used, what to mind, or a hint. Amounts are in the smallest unit of the
 * amount's asset; `use` is one that the note offers instead.
 */
export type AmountRemark =
  | {readonly code: 'not-a-number'}
  /** The text may mean either of these, as decimal text. */
  | {readonly code: 'ambiguous'; readonly readings: readonly string[]; readonly isOffered: boolean}
  | {readonly code: 'too-many-decimals'; readonly use?: bigint}
  /** The service takes no less, or no more; if it says how much, the form's button takes that. */
  | {readonly code: 'amount-range'; readonly bound?: 'least' | 'most'; readonly amount?: bigint}
  /** The paying account has less: that is why it cannot be swapped, or beside another reason. */
  | {readonly code: 'not-enough' | 'has-less'; readonly has: bigint}
  /** Nothing would be left for the network's fee, which is an estimate. */
  | {readonly code: 'keep-for-fee'; readonly reserve: bigint; readonly use?: bigint}
  | {readonly code: 'stays-for-fee'; readonly reserve: bigint}
  | {readonly code: 'usual-amounts'; readonly min: bigint; readonly max: bigint};

/** What decides what is said at the amount of one side. */
export interface AmountFacts {
  readonly side: Side;
  /** The side's text in the draft, and its asset. */
  readonly text: string;
  readonly asset: Asset | undefined;
  readonly request: QuoteRequest | Problem;
  readonly problem: Problem | undefined;
  /** Of the paying account, and what of it the network's fee needs. */
  readonly balance: bigint | undefined;
  readonly reserve: bigint;
  /** The service's usual limits of the asset. */
  readonly limits: AmountLimits | undefined;
  /** Whether the visitor cannot change the amount. */
  readonly isLocked: boolean;
}

/** What is said at an amount; nothing if there is nothing to say. */
export function amountNote(facts: AmountFacts): AmountRemark | undefined {
  const {side, request} = facts;
  if (isProblem(request)) {
    const isHere = request.field === (side === 'pay' ? 'amount' : 'receive');
    return (isHere ? unreadNote(facts, request) : undefined) ?? usualAmounts(facts);
  }
  return side === 'pay' ? (shortNote(facts, request) ?? usualAmounts(facts)) : undefined;
}

/** Whether a note only helps, and nothing is wrong. */
export function isHint({code}: AmountRemark): boolean {
  return code === 'stays-for-fee' || code === 'usual-amounts';
}

/** The fault of a text that is not an amount. */
function unreadNote({text, asset, problem, isLocked}: AmountFacts, {code}: Problem): AmountRemark | undefined {
  if (code === 'too-many-decimals' && asset) {
    const rest = withoutExcess(text, asset.decimals);
    // Of an amount to pay, the form's own button takes the rest.
    const isOffered = problem?.use === undefined && rest > 0n && !isLocked;
    return {code, ...(isOffered && {use: rest})};
  }
  if (code !== 'not-a-number') return undefined;
  const readings = asset && readingsOf(text);
  return readings ? {code: 'ambiguous', readings, isOffered: !isLocked} : {code};
}

/** The service takes another amount, the account has less, or nothing is left for the fee. */
function shortNote(
  {problem, balance, reserve, isLocked}: AmountFacts,
  {amount}: QuoteRequest,
): AmountRemark | undefined {
  const {code, use} = problem ?? {};
  if (code === 'amount-range') {
    return use === undefined ? {code} : {code, bound: amount < use ? 'least' : 'most', amount: use};
  }
  if (balance === undefined) return undefined;
  if (balance < amount) return {code: code === 'not-enough' ? code : 'has-less', has: balance};
  const left = balance - amount;
  if (left >= reserve) return left === reserve && reserve ? {code: 'stays-for-fee', reserve} : undefined;
  const most = balance - reserve;
  return {code: 'keep-for-fee', reserve, ...(most > 0n && !isLocked && {use: most})};
}

/** The limits of an asset in the service's list, while there is no amount or one outside them. */
function usualAmounts({side, request, limits}: AmountFacts): AmountRemark | undefined {
  if (side !== 'pay' || !limits) return undefined;
  const {min, max} = limits;
  const isAsked = isProblem(request) ? request.code === 'enter-amount' : request.amount < min || request.amount > max;
  return isAsked ? {code: 'usual-amounts', min, max} : undefined;
}
