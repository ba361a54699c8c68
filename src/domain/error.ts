/** Every external failure of a swap, as a closed list. Partners rely on these codes; they never change their meaning. */
export type SwapErrorCode =
  /** Your settings are wrong; `field` names the attribute or property. */
  | 'config'
  /** The service has no route between these two assets. */
  | 'no-route'
  /** The amount is outside the service's range. */
  | 'amount-range'
  /** No solver offers a price at the moment. */
  | 'no-quote'
  /** The browser has no connection. */
  | 'offline'
  /** No response in time, or a part of the widget did not load. */
  | 'timeout'
  /** Too many requests; the service requires a pause. */
  | 'rate-limited'
  /** The service returned an error (`detail`). */
  | 'service'
  /** The service returned a response that cannot be parsed; `field` names what is missing or has the wrong type. */
  | 'unreadable'
  /** The service's deposit differs from what was agreed; `report` has every check, `field` those that failed. */
  | 'deposit-mismatch'
  /** After the payment, the service describes the order differently than when it was checked. Sent once. */
  | 'order-changed'
  /** An order's affiliate fees differ from those sent with it: one was dropped, or has another payee. */
  | 'fees-changed'
  /** The visitor rejected the request in the wallet. */
  | 'rejected'
  /** The wallet is no longer available. */
  | 'wallet-missing'
  /** The wallet is locked, or needs an action in its own window first. */
  | 'wallet-locked'
  /** The wallet gave no clear response: the payment may have been sent. */
  | 'wallet-unclear'
  /** The wallet did not carry out a request, and not because the visitor rejected it. Nothing was sent. */
  | 'wallet-failed'
  /** The wallet is on another chain and did not switch. */
  | 'wrong-network'
  /** The wallet uses another account than the order's. */
  | 'wrong-account'
  /** The account cannot pay the amount or the network fee. */
  | 'insufficient-funds'
  /**
   * The token could not be approved for payment; with the field `pending`, what became of that cannot be told yet; with `used`, what was
   * approved is not there any more; with `taken`, a contract that is not verified may have taken it.
   */
  | 'approval-failed'
  /** The payment reverted, or would revert. */
  | 'funding-reverted'
  /** The time to pay has run out. */
  | 'expired'
  /** Your page blocked the swap (a canceled `swap-before-…` event). */
  | 'held'
  /** A sanctions list names the payer or the recipient (`policy.screen`). Nothing was ordered. */
  | 'listed'
  /** You paused swaps while a visitor was about to order, or your code requested a review. Nothing was ordered. */
  | 'paused'
  /** The browser cannot store a record, and without one nothing is ordered or paid. */
  | 'storage';

export interface SwapErrorDetails {
  /** The attribute, property or response field at fault. */
  readonly field?: string | undefined;
  /** Details for logs and reports: the service's status and text, or the wallet's message. Never presented as fact. */
  readonly detail?: string | undefined;
  /** Milliseconds to wait before the next request, if the service specified it (`Retry-After`). */
  readonly retryAfter?: number | undefined;
  /** The smallest and largest amount, in the source asset's smallest unit, if the service's text names them. */
  readonly range?: {readonly min: bigint; readonly max: bigint} | undefined;
  readonly cause?: unknown;
}

/** An external failure of a swap. It is created where it enters: in the service's client or a chain's adapter. */
export class SwapError extends Error {
  readonly code: SwapErrorCode;
  readonly field: string | undefined;
  readonly detail: string | undefined;
  readonly retryAfter: number | undefined;
  readonly range: {readonly min: bigint; readonly max: bigint} | undefined;
  /** The service's own words, if it refused a request. Foreign text: nothing in it is a fact. */
  declare readonly reason?: string;

  /** Not assigned: that throws on a page that froze its prototypes. */
  override get name() {
    return 'SwapError';
  }

  constructor(code: SwapErrorCode, details: SwapErrorDetails = {}) {
    super(
      [code, details.field, details.detail].filter(Boolean).join(': '),
      details.cause === undefined ? undefined : {cause: details.cause},
    );
    this.code = code;
    this.field = details.field;
    this.detail = details.detail;
    this.retryAfter = details.retryAfter;
    this.range = details.range;
  }
}

/** What the page's developer has to put right, and in which setting. */
export function fault(field: string, detail: string): SwapError {
  return new SwapError('config', {field, detail});
}

export function toSwapError(error: unknown, code: SwapErrorCode): SwapError {
  if (error instanceof SwapError) return error;
  return new SwapError(code, {detail: error instanceof Error ? error.message : String(error), cause: error});
}

/** Runs the page's code. If it throws, the error is reported as browsers do, and nothing here breaks. */
export function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    const {reportError = console.error} = globalThis as Partial<typeof globalThis>;
    reportError(error);
  }
}

export function notLoaded(cause: unknown): SwapError {
  return new SwapError('timeout', {detail: 'a part of the widget could not be loaded', cause});
}
