/** Lies with real transactions of a chain that do not belong to the order. */
import type {Fields, Json} from '../sandbox/client.js';
import {read} from './man.js';

/** A real transaction of a chain that does not belong to the order. */
export interface Known {
  readonly what: string;
  readonly hash: string;
  /** A secret that it may have revealed. */
  readonly secret?: Json;
  /** It paid the recipient the agreed amount or more: a page that believes it has to name the service as the source. */
  readonly isEnough?: boolean;
}

/** A hash without the service's suffix. */
export const plain = (hash: Json | undefined) => String(hash ?? '').split(/[:,]/)[0] ?? '';

const named = (leg: Fields, deed: 'initiate' | 'redeem' | 'refund', {hash, secret}: Known) =>
  Object.assign(leg, {[`${deed}_tx_hash`]: hash, [`${deed}_block_number`]: '7', ...(secret !== undefined && {secret})});

export const asPaidIn = (known: Known) =>
  read(({source_swap: leg}) => {
    named(leg, 'initiate', known);
    const required = leg['required_confirmations'] ?? 1;
    Object.assign(leg, {filled_amount: leg['amount'], current_confirmations: required});
  });
export const asPaidOut = (known: Known) =>
  read(({source_swap, destination_swap: leg}) => {
    named(leg, 'initiate', known);
    named(leg, 'redeem', known);
    named(source_swap, 'redeem', known);
    Object.assign(leg, {filled_amount: leg['amount']});
  });
export const asPaidBack = (known: Known) => read(({source_swap}) => void named(source_swap, 'refund', known));
/** The hash of a transaction that does not exist, in the format of a chain; another one for each number. */
export function inventedHash(chain: Json | undefined, number = 0): string {
  const digits = (0xab00 + number).toString(16).repeat(16);
  if (String(chain).startsWith('solana')) return `${String.fromCharCode(65 + (number % 8))}${'5'.repeat(86)}`;
  return String(chain).startsWith('bitcoin') ? digits : `0x0${digits.slice(1)}`;
}

export const NOTHING = {
  initiate_tx_hash: '',
  redeem_tx_hash: '',
  refund_tx_hash: '',
  initiate_block_number: '0',
  redeem_block_number: '0',
  refund_block_number: '0',
  filled_amount: '0',
  current_confirmations: 0,
  initiate_timestamp: null,
  redeem_timestamp: null,
  refund_timestamp: null,
  secret: '',
};
export const asUnpaid = read(({source_swap, destination_swap}) => {
  for (const leg of [source_swap, destination_swap]) Object.assign(leg, NOTHING);
});
/** Claims that a transaction redeemed the payment, without any other end. */
export const asTaken = (known: Known) => read(({source_swap}) => void named(source_swap, 'redeem', known));
