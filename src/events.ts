import type {AssetId, ChainFamily} from './domain/asset.js';
import type {Agreement, CheckReport, Funding, Screening, SignStep} from './domain/deposit.js';
import type {SwapError, SwapErrorCode} from './domain/error.js';
import type {Order} from './domain/order.js';
import type {Stage} from './domain/stage.js';
import type {QuoteRequest, Quotes} from './domain/quote.js';

/** A widget's event for the page. Amounts are bigints in an asset's smallest unit; `toJSON()` writes them as text. */
export abstract class SwapEvent extends Event {
  constructor(type: string, {cancelable = false} = {}) {
    super(type, {bubbles: true, composed: true, cancelable});
  }

  /** The event's own fields with decimal text for amounts, ready for `JSON.stringify`. */
  toJSON(): Record<string, unknown> {
    const own = Object.entries(this).filter(([key]) => key !== 'isTrusted');
    return {type: this.type, ...(plain(Object.fromEntries(own)) as Record<string, unknown>)};
  }
}

/** `swap-quote`: prices have arrived. */
export class SwapQuoteEvent extends SwapEvent {
  constructor(
    readonly request: QuoteRequest,
    readonly quotes: Quotes,
  ) {
    super('swap-quote');
  }
}

/**
 * `swap-connect-request`: a visitor wants to connect a wallet. If it is canceled, the widget does not open its own
 * list; the page can open its own, and respond with the visitor's choice.
 */
export class SwapConnectRequestEvent extends SwapEvent {
  #answer?: Promise<unknown>;

  constructor(
    readonly family: ChainFamily,
    /** The purpose of the wallet. */
    readonly side: 'pay' | 'receive',
  ) {
    super('swap-connect-request', {cancelable: true});
  }

  /** @internal */
  get answer(): Promise<unknown> | undefined {
    return this.#answer;
  }

  /**
   * Responds with a wallet as for `wallets`, or with a promise of one, and cancels the event. `undefined` means that
   * the visitor chose none; a rejection is shown as a failed connection. Call it while the event is being dispatched,
   * not later.
   */
  provide(wallet: unknown): void {
    mustBeHeard(this.eventPhase, 'provide');
    this.preventDefault();
    this.#answer = Promise.resolve(wallet);
    // The code that waits for it is still loading, and will show a failure.
    this.#answer.catch(() => undefined);
  }
}

function mustBeHeard(isHeard: unknown, method: string): void {
  if (!isHeard)
    throw new DOMException(`${method}() must be called while the event is dispatched.`, 'InvalidStateError');
}

/** An event that can block the swap: cancel it, or pass a promise to `waitUntil`; if that rejects, the swap is blocked. */
export abstract class SwapGateEvent extends SwapEvent {
  readonly #waits: Promise<unknown>[] = [];
  #open = true;

  constructor(type: string) {
    super(type, {cancelable: true});
  }

  /** Makes the swap wait for a promise. Call it while the event is being dispatched, not later. */
  waitUntil(promise: Promise<unknown>): void {
    mustBeHeard(this.#open, 'waitUntil');
    this.#waits.push(promise);
  }

  /**
   * Dispatches the event to the page and waits for its promises.
   * @internal
   */
  async passThrough(target: EventTarget): Promise<boolean> {
    const allowed = target.dispatchEvent(this);
    this.#open = false;
    const results = await Promise.allSettled(this.#waits);
    return allowed && results.every(({status}) => status === 'fulfilled');
  }
}

/** `swap-before-order`: the visitor clicked; the order is about to be placed. */
export class SwapBeforeOrderEvent extends SwapGateEvent {
  constructor(
    readonly agreed: Agreement,
    /** With `policy.screen`: what the sanctions list says of `payer` and `recipient`. */
    readonly screening?: Screening,
  ) {
    super('swap-before-order');
  }
}

/**
 * `swap-before-sign`: the checks are done; the wallet is about to be prompted, with exactly this payload. The report's
 * `outcome` is `unverified` if the visitor said yes to what is neither known nor vouched for, and never `failed`.
 */
export class SwapBeforeSignEvent extends SwapGateEvent {
  constructor(
    readonly agreed: Agreement,
    readonly report: CheckReport,
    readonly payload: unknown,
    /** `approve` before an approval alone, with `policy.holdApprovals`. */
    readonly step: SignStep,
  ) {
    super('swap-before-sign');
  }
}

/** `swap-order`: an order was placed. */
export class SwapOrderEvent extends SwapEvent {
  constructor(
    readonly orderId: string,
    readonly agreed: Agreement,
  ) {
    super('swap-order');
  }
}

/** `swap-deposit`: the wallet paid or signed. */
export class SwapDepositEvent extends SwapEvent {
  constructor(
    readonly orderId: string,
    readonly funding: Funding,
  ) {
    super('swap-deposit');
  }
}

/** `swap-status`: the order moved to another stage, forward or back. */
export class SwapStatusEvent extends SwapEvent {
  constructor(
    readonly orderId: string,
    readonly stage: Stage,
    readonly previous: Stage,
    readonly order: Order,
  ) {
    super('swap-status');
  }
}

/** `swap-complete`: the recipient has the money. */
export class SwapCompleteEvent extends SwapEvent {
  constructor(
    readonly orderId: string,
    readonly order: Order,
    /** Who confirms it: the `chain`, or only the `service`, which may be revised. */
    readonly witness: 'chain' | 'service',
    /** It was reported in this browser before: by another widget or tab, or when only the service said so. Absent the first time. */
    readonly again?: true,
  ) {
    super('swap-complete');
  }
}

/** `swap-refund`: the payer has the money back. */
export class SwapRefundEvent extends SwapEvent {
  constructor(
    readonly orderId: string,
    readonly order: Order,
    /** Who confirms it: the `chain`, or only the `service`, which may be revised. */
    readonly witness: 'chain' | 'service',
    /** It was reported in this browser before: by another widget or tab, or when only the service said so. Absent the first time. */
    readonly again?: true,
  ) {
    super('swap-refund');
  }
}

/**
 * The displayed screen: `button`, while the dialog of `variant="button"` is closed; `deposit`, while the visitor has to
 * pay; `progress`, while a payment is on its way; `closed`, if there is no form because you paused swaps or the
 * settings are invalid.
 */
export type ScreenName =
  | 'button'
  | 'form'
  | 'review'
  | 'deposit'
  | 'progress'
  | 'complete'
  | 'refund'
  | 'expired'
  | 'stopped'
  | 'journal'
  | 'closed';

/** `swap-track`: what happened on the screen, and nothing about who the visitor is. */
export class SwapTrackEvent extends SwapEvent {
  /** `view`: another screen; `wallet`: one was chosen or connected, or that failed; `change`: of pair or amount. */
  readonly what!: 'view' | 'wallet' | 'change';
  /** The displayed screen. */
  readonly view?: ScreenName;
  /** `restored`: the wallet of the last visit, or the page's, was reconnected without a prompt. */
  readonly outcome?: 'chosen' | 'connected' | 'restored' | 'failed';
  readonly family?: ChainFamily;
  /** The purpose of the wallet. */
  readonly side?: 'pay' | 'receive';
  /** The name under which the wallet announced itself. */
  readonly wallet?: string;
  /** Why it failed. */
  readonly code?: SwapErrorCode;
  /** The ids of the assets in the form; empty if none is chosen. */
  readonly from?: AssetId | '';
  readonly to?: AssetId | '';
  /** In the smallest unit of `from`; absent while there is none that can be read. */
  readonly amount?: bigint;

  constructor(fields: Tracked) {
    super('swap-track');
    Object.assign(this, fields);
  }
}

/** The own fields of a `swap-track`. */
export type Tracked = {readonly what: SwapTrackEvent['what']} & Partial<Omit<SwapTrackEvent, keyof SwapEvent>>;

/**
 * `swap-funds-request`: the paying account has less than the amount. If the page provides a way to add what is missing,
 * the note offers it.
 */
export class SwapFundsRequestEvent extends SwapEvent {
  #add?: () => unknown;

  constructor(
    readonly asset: AssetId,
    /** In the smallest unit of the asset, with the network fee if that is paid in it. */
    readonly missing: bigint,
    /** The paying account's address. */
    readonly address: string,
  ) {
    super('swap-funds-request');
  }

  /** @internal */
  get add(): (() => unknown) | undefined {
    return this.#add;
  }

  /** Puts a button “Add funds” into the note, which calls `add`. Call it while the event is being dispatched, not later. */
  provide(add: () => unknown): void {
    mustBeHeard(this.eventPhase, 'provide');
    this.#add = add;
  }
}

/** `swap-support`: a visitor in trouble pressed the link to `support`. If it is canceled, the widget does not open it. */
export class SwapSupportEvent extends SwapEvent {
  constructor(readonly orderId: string) {
    super('swap-support', {cancelable: true});
  }
}

/** `swap-error`: an error occurred; `code` is from a closed list. */
export class SwapErrorEvent extends SwapEvent {
  readonly code: SwapErrorCode;
  /** The attribute, property or response field at fault. */
  readonly field: string | undefined;
  /** Details for logs. */
  readonly detail: string | undefined;

  constructor(
    {code, field, detail}: SwapError,
    /** The results of the checks, if one failed. */
    readonly report?: CheckReport,
    readonly orderId?: string,
  ) {
    super('swap-error');
    this.code = code;
    this.field = field;
    this.detail = detail;
  }
}

/** All events by their names, for `addEventListener` on anything they bubble through. */
export interface SwapEventMap {
  'swap-quote': SwapQuoteEvent;
  'swap-connect-request': SwapConnectRequestEvent;
  'swap-before-order': SwapBeforeOrderEvent;
  'swap-before-sign': SwapBeforeSignEvent;
  'swap-order': SwapOrderEvent;
  'swap-deposit': SwapDepositEvent;
  'swap-status': SwapStatusEvent;
  'swap-complete': SwapCompleteEvent;
  'swap-refund': SwapRefundEvent;
  'swap-error': SwapErrorEvent;
  'swap-track': SwapTrackEvent;
  'swap-funds-request': SwapFundsRequestEvent;
  'swap-support': SwapSupportEvent;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type
  interface GlobalEventHandlersEventMap extends SwapEventMap {}
}

/** A value for JSON: bigints as decimal text, at any depth. */
export function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
