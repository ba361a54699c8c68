import type {Chain} from './asset.js';
import type {Agreement, Funding, WalletRequest, WalletRequestKind} from './deposit.js';

/*
 * What the wallet requests show about a payment: whether it may have been sent, and whether that is certain.
 */

/** Only these move money: the payer's own transaction, and a signature submitted to the service. */
export const PAYING: ReadonlySet<WalletRequestKind> = new Set<WalletRequestKind>(['send', 'initiate']);

interface RequestsOfOrder {
  readonly walletRequests: readonly WalletRequest[];
}

interface AgreedRequests extends RequestsOfOrder {
  readonly agreed: Agreement;
}

/**
 * The payment that was or may have been sent: the last one that was not explicitly rejected and that the visitor still
 * waits for. A signature that never left the page (`sign`) does not count.
 */
export function openPayment({walletRequests}: RequestsOfOrder): WalletRequest | undefined {
  return walletRequests.findLast(
    ({kind, state, abandoned}) => PAYING.has(kind) && (state === 'asking' || state === 'sent') && !abandoned,
  );
}

export function mayBePaid(order: RequestsOfOrder): boolean {
  return openPayment(order) !== undefined;
}

/** Whether a payment was sent, as reported by the wallet, the service or the visitor. */
export function isSent(order: RequestsOfOrder): boolean {
  return mayBePaid(order) && !isUnclear(order);
}

export function fundingBy({state, hash, calls}: Pick<WalletRequest, 'state' | 'hash' | 'calls'>): Funding | undefined {
  if (state !== 'sent') return undefined;
  if (hash !== undefined) return {how: 'transaction', hash};
  return calls === undefined ? undefined : {how: 'calls', id: calls};
}

export function withSettled(order: RequestsOfOrder, change: Partial<WalletRequest>): readonly WalletRequest[] {
  const open = openPayment(order);
  return order.walletRequests.map(request => (request === open ? {...request, ...change} : request));
}

/** Also a payment that is no longer waited for, and a signature that the service claims not to have accepted. */
export function mayHaveGoneOut({walletRequests}: RequestsOfOrder): boolean {
  return walletRequests.some(({kind, state}) => PAYING.has(kind) && (state !== 'refused' || kind === 'initiate'));
}

/**
 * The transactions of all that was sent before and for a payment; `undefined` if its own is not known. Another that a
 * wallet never answered counts as not sent after a while (`longAgo`, in milliseconds since 1970).
 */
export function sentHashes({walletRequests}: RequestsOfOrder, longAgo: number): readonly string[] | undefined {
  const sent = walletRequests.filter(one => mayBeDone(one) && SENT.has(one.kind));
  const isUnknown = ({kind, hash, at}: WalletRequest) => hash === undefined && (kind === 'send' || at > longAgo);
  return sent.some(isUnknown) ? undefined : sent.flatMap(({hash}) => hash ?? []);
}

const SENT: ReadonlySet<WalletRequestKind> = new Set<WalletRequestKind>(['approve', 'revoke', 'send']);

/** Whether a request gives an allowance: an approval, or a payment with its approval in the same request. */
export function givesAllowance({kind, calls}: Pick<WalletRequest, 'kind' | 'calls'>, {family}: Chain): boolean {
  return kind === 'approve' || (kind === 'send' && (calls !== undefined || family === 'starknet'));
}

/** Whether a request may have been carried out: a “no” that is only the visitor's own word does not count. */
const mayBeDone = ({state, abandoned}: WalletRequest) => state !== 'refused' || abandoned === true;

/** Whether a contract may have got an allowance, a signature or coins for an order, whatever became of it. */
export function wasGiven({walletRequests}: RequestsOfOrder): boolean {
  return walletRequests.some(one => mayBeDone(one) && GIVING.has(one.kind));
}

const GIVING: ReadonlySet<WalletRequestKind> = new Set<WalletRequestKind>(['approve', 'sign', 'send']);

/** The requests by which a contract may have been allowed to take the amount, at any time. */
function allowing({walletRequests, agreed}: AgreedRequests): readonly WalletRequest[] {
  return walletRequests.filter(one => mayBeDone(one) && givesAllowance(one, agreed.from.chain));
}

export function wasAllowed(order: AgreedRequests): boolean {
  return allowing(order).length > 0;
}

/**
 * `given`: a contract was allowed to take the amount, and is not forbidden since, as far as is known. `asked`: it is
 * allowed as soon as the wallet's request, which was never answered, is confirmed.
 */
export function allowanceOf(order: AgreedRequests): 'given' | 'asked' | undefined {
  const valid = allowing(order).filter(({revoked}) => !revoked);
  if (!valid.length) return undefined;
  return valid.every(({state, claimed}) => state !== 'sent' && !claimed) ? 'asked' : 'given';
}

/** The wallet requests, once a chain showed that nothing is left of what they allowed, or what these transactions did. */
export function withoutAllowance(
  {walletRequests}: RequestsOfOrder,
  chain: Chain,
  spent?: readonly string[],
): readonly WalletRequest[] {
  const isSpent = ({hash, state}: WalletRequest) =>
    !spent || (hash === undefined ? state === 'sent' : spent.includes(hash));
  return walletRequests.map(request =>
    givesAllowance(request, chain) && isSpent(request) ? {...request, revoked: true} : request,
  );
}

/** The wallet requests, once a chain showed an allowance: an approval that was never answered was sent all the same. */
export function withAllowance({walletRequests}: RequestsOfOrder): readonly WalletRequest[] {
  return walletRequests.map(request =>
    request.kind === 'approve' && request.state === 'asking' ? {...request, state: 'sent'} : request,
  );
}

export function hasSentRefund({walletRequests}: RequestsOfOrder): boolean {
  return walletRequests.some(({kind, state}) => kind === 'refund' && state === 'sent');
}

export function refundHashes({walletRequests}: RequestsOfOrder): readonly string[] {
  return walletRequests.flatMap(({kind, hash}) => (kind === 'refund' && hash !== undefined ? [hash] : []));
}

export function wasAsked({walletRequests}: RequestsOfOrder): boolean {
  return walletRequests.some(({kind}) => PAYING.has(kind));
}

/** Whether a signature was ever submitted to the service, whatever its response. */
export function hasHandedOver({walletRequests}: RequestsOfOrder): boolean {
  return walletRequests.some(({kind}) => kind === 'initiate');
}

export function isUnclear({walletRequests}: RequestsOfOrder): boolean {
  const last = walletRequests.findLast(({kind}) => PAYING.has(kind));
  return last?.state === 'asking' && !last.claimed && !last.abandoned;
}
