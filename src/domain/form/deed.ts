import type {Asset} from '../asset.js';
import type {AddressName, Problem, Side} from '../draft.js';
import type {Remote} from '../remote.js';

/** What the form's button does. It says what it does, and does nothing else. */
export type Deed =
  | {readonly does: 'review' | 'ask-again' | 'connect' | 'wait'}
  | {readonly does: 'choose'; readonly side: Side}
  /** Leads to a field. Drawn as unavailable if no other entry there is known to `mend` it. */
  | {readonly does: 'focus'; readonly field: 'amount' | 'receive' | AddressName; readonly mends: boolean}
  /** Puts this amount in place of the one to pay, in the smallest unit of its asset. */
  | {readonly does: 'use'; readonly amount: bigint}
  /** Puts this pair in place of one without a route. */
  | {readonly does: 'take'; readonly pair: Readonly<Record<'from' | 'to', Asset>>}
  | {readonly does: 'confirm'; readonly what: 'cost' | AddressName};

export interface ButtonFacts {
  readonly problem?: Problem | undefined;
  readonly quote: Remote<unknown>;
  readonly offer?: unknown;
}

export function deedOf({problem, quote, offer}: ButtonFacts): Deed {
  if (!problem) return {does: quote.state === 'failed' ? 'ask-again' : offer ? 'review' : 'wait'};
  if (problem.remedy === 'wait') return {does: 'wait'};
  if ('use' in problem) return {does: 'use', amount: problem.use};
  if (problem.code === 'no-route' && problem.instead) return {does: 'take', pair: problem.instead};
  if (problem.field === 'from') return {does: 'choose', side: 'pay'};
  if (problem.field === 'to') return {does: 'choose', side: 'receive'};
  if (problem.field === 'account') return {does: 'connect'};
  const {code, field, remedy} = problem;
  if (remedy !== 'press') return {does: 'focus', field, mends: code !== 'not-enough'};
  return {does: 'confirm', what: code === 'confirm-cost' ? 'cost' : problem.field};
}

export function isAvailable(deed: Deed): boolean {
  return deed.does !== 'wait' && !(deed.does === 'focus' && !deed.mends);
}

/** Whether a deed is a decision, which Enter in a field leads to but does not make: the visitor may not have read it. */
export function isDecision({does}: Deed): boolean {
  return does === 'choose' || does === 'use' || does === 'take' || does === 'confirm';
}
