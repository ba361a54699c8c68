import type {WalletRequest, WalletRequestKind} from './deposit.js';

/*
 * What the questions to a wallet say of a payment: whether it may have gone out, and whether it is certain.
 */

/** Only these move money: a transaction of the payer's own, and a signature that was handed to the service. */
const PAYING: ReadonlySet<WalletRequestKind> = new Set<WalletRequestKind>(['send', 'initiate']);

/** The questions of an order, oldest first. */
interface RequestsOfOrder {
  readonly walletRequests: readonly WalletRequest[];
}

/**
 * The payment that may have gone out, or went: the last one that was not clearly refused and that the person still waits
 * for. A signature that never left the page (`sign`) is none.
 */
export function openPayment({walletRequests: asks}: RequestsOfOrder): WalletRequest | undefined {
  return asks.findLast(
    ({kind, state, abandoned}) => PAYING.has(kind) && (state === 'asking' || state === 'sent') && !abandoned,
  );
}

/** Whether anything may have left the payer's hands: then the order is followed to its end. */
export function mayBePaid(asked: RequestsOfOrder): boolean {
  return openPayment(asked) !== undefined;
}

/** Whether the last question that could move money was never clearly answered. */
export function isUnclear({walletRequests: asks}: RequestsOfOrder): boolean {
  const last = asks.findLast(({kind}) => PAYING.has(kind));
  return last?.state === 'asking' && !last.claimed && !last.abandoned;
}
