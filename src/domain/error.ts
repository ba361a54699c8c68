/** Everything the world can do to a swap, as a closed list. Partners read these; they never change their meaning. */
export type SwapErrorCode =
  /** Your settings are wrong; `field` names the attribute or property. */
  | 'config'
  /** The service knows no way between these two assets. */
  | 'no-route'
  /** The service does not take this amount. */
  | 'amount-range'
  /** No solver offers a price at the moment. */
  | 'no-quote'
  /** The browser has no connection. */
  | 'offline'
  /** No answer in time, or a part of the widget did not load. */
  | 'timeout'
  /** Asked too often; the service wants a pause. */
  | 'rate-limited'
  /** The service answered with an error (`detail`). */
  | 'service'
  /** The service answered with something that cannot be read; `field` names what is missing or ill-typed. */
  | 'unreadable'
  /** What the service wants paid is not what was agreed; `report` has every check, `field` those that failed. */
  | 'deposit-mismatch'
  /** After the payment, the service describes the order otherwise than when it was checked. Sent once. */
  | 'order-changed'
  /** An order's affiliate fees are not those sent with it: one was dropped, or goes elsewhere. */
  | 'fees-changed'
  /** The visitor said no in the wallet. */
  | 'rejected'
  /** The wallet is no longer there. */
  | 'wallet-missing'
  /** The wallet is locked, or wants something done in its own window first. */
  | 'wallet-locked'
  /** The wallet gave no clear answer: the payment may have gone out. */
  | 'wallet-unclear'
  /** The wallet did not do what it was asked, and not because the visitor said no. Nothing was sent. */
  | 'wallet-failed'
  /** The wallet is on another chain and would not change. */
  | 'wrong-network'
  /** The wallet uses another account than the order's. */
  | 'wrong-account'
  /** The account cannot pay the amount or the network fee. */
  | 'insufficient-funds'
  /** The token could not be approved for payment. */
  | 'approval-failed'
  /** The chain refused the payment, or would refuse it. */
  | 'funding-reverted'
  /** The time to pay has run out. */
  | 'expired'
  /** Your page held the swap (a canceled `swap-before-…` event). */
  | 'held'
  /** You paused swaps while a visitor was about to order, or your code asked for a review. Nothing was ordered. */
  | 'paused'
  /** The browser keeps no record, and without one nothing is ordered or paid. */
  | 'storage';

export interface SwapErrorDetails {
  /** The attribute, property or field of an answer that is at fault. */
  readonly field?: string | undefined;
  /** What was seen, for logs and reports: a status and text of the service, a wallet's own words. Never shown as truth. */
  readonly detail?: string | undefined;
  /** Milliseconds to wait before asking again, where the service said so (`Retry-After`). */
  readonly retryAfter?: number | undefined;
  /** The smallest and largest amount, in the source asset's smallest unit, where the service's text names them. */
  readonly range?: {readonly min: bigint; readonly max: bigint} | undefined;
  readonly cause?: unknown;
}

/** Something that the world did to a swap. It is made where it comes in: in the service's client or a chain's adapter. */
export class SwapError extends Error {
  readonly code: SwapErrorCode;
  readonly field: string | undefined;
  readonly detail: string | undefined;
  readonly retryAfter: number | undefined;
  readonly range: {readonly min: bigint; readonly max: bigint} | undefined;

  constructor(code: SwapErrorCode, details: SwapErrorDetails = {}) {
    super(
      [code, details.field, details.detail].filter(Boolean).join(': '),
      details.cause === undefined ? undefined : {cause: details.cause},
    );
    this.name = 'SwapError';
    this.code = code;
    this.field = details.field;
    this.detail = details.detail;
    this.retryAfter = details.retryAfter;
    this.range = details.range;
  }
}

/** Any thrown value as a `SwapError`; what is none already gets the code given. */
export function toSwapError(error: unknown, code: SwapErrorCode): SwapError {
  if (error instanceof SwapError) return error;
  return new SwapError(code, {detail: error instanceof Error ? error.message : String(error), cause: error});
}

/** Runs code of the page. What it throws is reported as browsers report it, and breaks nothing here. */
export function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    const {reportError = console.error} = globalThis as Partial<typeof globalThis>;
    reportError(error);
  }
}
