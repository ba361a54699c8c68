import {unverifiedIn, type CheckReport, type Deal} from '../../domain/deposit.js';
import {writeJson} from '../../domain/json.js';
import {termsOf, type Order} from '../../domain/order.js';
import {hexText} from '../../chains/checks.js';
import type {Question} from '../types.js';
import type {JournalEntry} from './journal.js';

/** The visitor's yeses to unverified payments. They last as long as the page. */
export type Consent = ReturnType<typeof createConsent>;

export function createConsent() {
  /** The question that was answered with yes, by order. */
  const given = new Map<string, string>();

  return {
    /** What is still to be asked before a deal may be paid; `undefined` if nothing is. */
    async open(deal: Deal, report: CheckReport): Promise<Question | undefined> {
      if (report.outcome !== 'unverified') return undefined;
      const id = await idOf(deal, report);
      return given.get(deal.orderId) === id ? undefined : {id};
    },

    give(orderId: string, {id}: Question) {
      given.set(orderId, id);
    },

    /** Whether an entry's address must not be shown: nobody has found it to be payable, or agreed that it is unverified. */
    isWithheld: ({orderId, deposit, payableSince, unverified}: JournalEntry): boolean =>
      deposit.how === 'transfer' && (payableSince === null || (unverified === true && !given.has(orderId))),
  };
}

/**
 * Identifies a question by all that its yes agrees to: the payment, the account, what is agreed, the order's terms, and
 * each finding with both its values.
 */
async function idOf({orderId, deposit, agreed, order}: Deal, report: CheckReport): Promise<string> {
  const {from, to, owner, recipient, amount, receive} = agreed;
  const parts = [
    [orderId, from.id, to.id, owner, recipient, amount, receive],
    deposit,
    order ? termsOf(order) : [],
    unverifiedIn(report).map(({name, expected = null, found = null}) => [name, expected, found]),
  ];
  const bytes = new TextEncoder().encode(writeJson(parts, {bigint: String}));
  return hexText(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
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
