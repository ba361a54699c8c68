import {sha256} from '@noble/hashes/sha2.js';
import {bytesToHex, utf8ToBytes} from '@noble/hashes/utils.js';
import {unverifiedIn, type CheckReport, type Deal} from '../../domain/deposit.js';
import {writeJson} from '../../domain/json.js';
import {termsOf, type Order} from '../../domain/order.js';
import type {Question} from '../types.js';
import type {JournalEntry} from './journal.js';

/** The visitor's yeses to unverified payments. They last as long as the page. */
export type Consent = ReturnType<typeof createConsent>;

export function createConsent() {
  const judged = new Map<string, {readonly question?: Question; readonly isOpen: boolean}>();

  return {
    /** What is still to be asked before a deal may be paid; `undefined` if nothing is, or if nothing may be. */
    ask(deal: Deal, report: CheckReport): Question | undefined {
      const {orderId} = deal;
      if (report.outcome !== 'unverified') {
        judged.set(orderId, {isOpen: report.outcome === 'passed'});
        return undefined;
      }
      const id = idOf(deal, report);
      const last = judged.get(orderId);
      const now = last?.question?.id === id ? last : {question: {id}, isOpen: false};
      judged.set(orderId, now);
      return now.isOpen ? undefined : now.question;
    },

    /** The visitor says yes to that question. Does nothing if another one came after it. */
    give(orderId: string, question: Question) {
      if (judged.get(orderId)?.question?.id === question.id) judged.set(orderId, {question, isOpen: true});
    },

    /** An address is only shown if it was found to be payable, or the visitor agreed that it is unverified. */
    isWithheld: ({orderId, deposit, payableSince, unverified}: JournalEntry): boolean =>
      deposit.how === 'transfer' && (payableSince === null || !(judged.get(orderId)?.isOpen ?? unverified !== true)),
  };
}

/** Of all that a yes agrees to. It may contain an address that must not be read yet, so only its hash is public. */
function idOf({orderId, deposit, agreed, order}: Deal, report: CheckReport): string {
  const {from, to, owner, recipient, amount, receive} = agreed;
  const text = writeJson([
    [orderId, from.id, to.id, owner, recipient, amount, receive],
    inOrder(deposit),
    order && termsOf(order),
    unverifiedIn(report).map(({name, expected = null, found = null}) => [name, expected, found]),
  ]);
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** An object that was stored and read again may have its fields in another order. */
function inOrder(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(inOrder);
  if (typeof part !== 'object' || part === null) return part;
  const fields = Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, value]) => [name, inOrder(value)]));
}

export function withoutAddress(entry: JournalEntry): JournalEntry {
  const {deposit, terms: _, ...rest} = entry;
  return deposit.how === 'transfer' ? Object.freeze({...rest, deposit: {...deposit, address: ''}}) : entry;
}

export function withoutSwapId(order: Order): Order {
  return Object.freeze({...order, source: {...order.source, swapId: ''}});
}
