import type {Funding, WalletRequest, WalletRequestKind} from './deposit.js';

/*
 * What the wallet requests say about a payment: whether it may have gone out, and whether that is certain.
 */

/** Only these move money: a transaction of the payer's own, and a signature that was handed to the service. */
const PAYING: ReadonlySet<WalletRequestKind> = new Set<WalletRequestKind>(['send', 'initiate']);

/** Whether a request of this kind moves money. */
export function isPaying(kind: WalletRequestKind): boolean {
  return PAYING.has(kind);
}

/** The wallet requests of an order, oldest first. */
interface RequestsOfOrder {
  readonly walletRequests: readonly WalletRequest[];
}

/**
 * The payment that may have gone out, or has: the last one that was not clearly refused and that the person still waits
 * for. A signature that never left the page (`sign`) is none.
 */
export function openPayment({walletRequests}: RequestsOfOrder): WalletRequest | undefined {
  return walletRequests.findLast(
    ({kind, state, abandoned}) => PAYING.has(kind) && (state === 'asking' || state === 'sent') && !abandoned,
  );
}

/** Whether anything may have left the payer's hands: then the order is followed to its end. */
export function mayBePaid(order: RequestsOfOrder): boolean {
  return openPayment(order) !== undefined;
}

/** Whether a payment went out, by the wallet's or the service's answer or because the person says so. */
export function isSent(order: RequestsOfOrder): boolean {
  return mayBePaid(order) && !isUnclear(order);
}

/** What a wallet request that pays did, if it was answered. */
export function fundingBy({state, hash, calls}: Pick<WalletRequest, 'state' | 'hash' | 'calls'>): Funding | undefined {
  if (state !== 'sent') return undefined;
  if (hash !== undefined) return {how: 'transaction', hash};
  return calls === undefined ? undefined : {how: 'calls', id: calls};
}

/** The wallet requests with what became of the payment that may have gone out. */
export function withSettled(order: RequestsOfOrder, change: Partial<WalletRequest>): readonly WalletRequest[] {
  const open = openPayment(order);
  return order.walletRequests.map(request => (request === open ? {...request, ...change} : request));
}

/**
 * Whether a payment ever left the payer's hands, or may have: also one that is waited for no longer, and a signature that
 * the service says it did not take.
 */
export function mayHaveGoneOut({walletRequests}: RequestsOfOrder): boolean {
  return walletRequests.some(({kind, state}) => PAYING.has(kind) && (state !== 'refused' || kind === 'initiate'));
}

/** Whether the wallet sent a refund, whatever became of it. */
export function hasSentRefund({walletRequests}: RequestsOfOrder): boolean {
  return walletRequests.some(({kind, state}) => kind === 'refund' && state === 'sent');
}

/** The transactions by which the payer's wallet took the money back, as far as they are known. */
export function refundHashes({walletRequests}: RequestsOfOrder): readonly string[] {
  return walletRequests.flatMap(({kind, hash}) => (kind === 'refund' && hash !== undefined ? [hash] : []));
}

/** Whether a payment was ever asked for, whatever came of it. */
export function wasAsked({walletRequests}: RequestsOfOrder): boolean {
  return walletRequests.some(({kind}) => PAYING.has(kind));
}

/** Whether a signature was ever handed to the service, whatever it answered. */
export function hasHandedOver({walletRequests}: RequestsOfOrder): boolean {
  return walletRequests.some(({kind}) => kind === 'initiate');
}

/** Whether the last request that could move money was never clearly answered. */
export function isUnclear({walletRequests}: RequestsOfOrder): boolean {
  const last = walletRequests.findLast(({kind}) => PAYING.has(kind));
  return last?.state === 'asking' && !last.claimed && !last.abandoned;
}
