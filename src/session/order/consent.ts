import {unverifiedIn, type CheckReport, type Deal} from '../../domain/deposit.js';
import {writeJson} from '../../domain/json.js';
import {termsOf, type Order} from '../../domain/order.js';
import type {Question} from '../types.js';
import type {JournalEntry} from './journal.js';

/** The visitor's yeses to unverified payments. They last as long as the page. */
export type Consent = ReturnType<typeof createConsent>;

export function createConsent() {
  /** The last question of each order, with all that its yes would agree to, and whether it was given. */
  const asked = new Map<string, {readonly question: Question; readonly about: string; readonly isGiven: boolean}>();
  let count = 0;

  return {
    /** What is still to be asked before a deal may be paid; `undefined` if nothing is. */
    open(deal: Deal, report: CheckReport): Question | undefined {
      if (report.outcome !== 'unverified') return undefined;
      const about = partsOf(deal, report);
      const last = asked.get(deal.orderId);
      if (last?.about === about) return last.isGiven ? undefined : last.question;
      const question = {id: `${deal.orderId} ${String((count += 1))}`};
      asked.set(deal.orderId, {question, about, isGiven: false});
      return question;
    },

    /** The visitor says yes to that question. Does nothing if another one came after it. */
    give(orderId: string, {id}: Question) {
      const last = asked.get(orderId);
      if (last?.question.id === id) asked.set(orderId, {...last, isGiven: true});
    },

    /** Whether an entry's address must not be shown: nobody has found it to be payable, or agreed that it is unverified. */
    isWithheld: ({orderId, deposit, payableSince, unverified}: JournalEntry): boolean =>
      deposit.how === 'transfer' &&
      (payableSince === null || (unverified === true && asked.get(orderId)?.isGiven !== true)),
  };
}

/**
 * All that a yes agrees to, as text: the payment, the account, what is agreed, the order's terms, and each finding with
 * both its values. It contains the address, so it stays here.
 */
function partsOf({deposit, agreed, order}: Deal, report: CheckReport): string {
  const {from, to, owner, recipient, amount, receive} = agreed;
  return writeJson([
    [from.id, to.id, owner, recipient, amount, receive],
    deposit,
    order && termsOf(order),
    unverifiedIn(report).map(({name, expected = null, found = null}) => [name, expected, found]),
  ]);
}

/** An entry without its address, nor what tells it. */
export function withoutAddress(entry: JournalEntry): JournalEntry {
  const {deposit, terms: _, ...rest} = entry;
  return deposit.how === 'transfer' ? Object.freeze({...rest, deposit: {...deposit, address: ''}}) : entry;
}

/** An order without its address. */
export function withoutSwapId(order: Order): Order {
  return Object.freeze({...order, source: {...order.source, swapId: ''}});
}
