/** Lies by transactions that a chain knows, and that are none of the order's. */
import type {Fields, Json} from '../sandbox/client.js';
import {read, type Lie} from './man.js';

/** A transaction that a chain knows, which is none of the order's. */
export interface Known {
  readonly what: string;
  readonly hash: string;
  readonly block?: Json;
  /** A secret that it may have revealed. */
  readonly secret?: Json;
  /** It gave the recipient what was agreed, or more: who believes the service says that it was the service who said so. */
  readonly isEnough?: boolean;
}

/** A hash without what the service writes behind it. */
export const plain = (hash: Json | undefined) => String(hash ?? '').split(/[:,]/)[0] ?? '';

const named = (leg: Fields, deed: 'initiate' | 'redeem' | 'refund', {hash, secret}: Known) =>
  Object.assign(leg, {[`${deed}_tx_hash`]: hash, [`${deed}_block_number`]: '7', ...(secret !== undefined && {secret})});

export const asPaidIn = (known: Known): Lie =>
  read(({source_swap: leg}) => {
    named(leg, 'initiate', known);
    const required = leg['required_confirmations'] ?? 1;
    Object.assign(leg, {filled_amount: leg['amount'], current_confirmations: required});
  });
export const asPaidOut = (known: Known): Lie =>
  read(({source_swap, destination_swap: leg}) => {
    named(leg, 'initiate', known);
    named(leg, 'redeem', known);
    named(source_swap, 'redeem', known);
    Object.assign(leg, {filled_amount: leg['amount']});
  });
export const asPaidBack = (known: Known): Lie => read(({source_swap}) => void named(source_swap, 'refund', known));
/** Names as taken what is the payment itself, or anything else, without an end of its own. */
export const asTaken = (known: Known): Lie => read(({source_swap}) => void named(source_swap, 'redeem', known));
