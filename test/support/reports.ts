/** The names of a deposit's checks, by their outcome. */
import type {CheckName, CheckReport, CheckResult} from '../../src/domain/deposit.js';

const named =
  (...wanted: readonly CheckResult['outcome'][]) =>
  ({results}: CheckReport): readonly CheckName[] =>
    results.filter(({outcome}) => wanted.includes(outcome)).map(({name}) => name);

export const failed = named('failed');
export const unverified = named('unverified');
export const unchecked = named('unchecked');
/** What keeps a deal from being paid without a question. */
export const doubted = named('failed', 'unverified');
