import type {ReadableAtom} from 'nanostores';
import type {SwapApi} from '../api/client.js';
import type {Account, Adapters, DepositState, FeeHint, Foresight, Wallet} from '../chains/adapter.js';
import type {FeeRule} from '../domain/affiliate-fee.js';
import type {AssetId, ChainFamily} from '../domain/asset.js';
import type {
  Agreement,
  WalletRequest,
  WalletRequestKind,
  CheckReport,
  Deal,
  Funding,
  FundWay,
  Policy,
  Screening,
  SignStep,
} from '../domain/deposit.js';
import type {AddressName, Draft} from '../domain/draft.js';
import type {SwapError} from '../domain/error.js';
import type {FormPage} from '../domain/form/form.js';
import type {FormStory} from '../domain/form/story.js';
import type {Order} from '../domain/order.js';
import type {Stage} from '../domain/stage.js';
import type {Story} from '../domain/story.js';
import type {LimitsByAsset, QuoteRequest, Quotes} from '../domain/quote.js';
import type {ReferencePrice} from '../domain/reference.js';
import type {Remote} from '../domain/remote.js';
import type {Routes} from '../domain/routes.js';
import type {JournalEntry} from './order/journal.js';
import type {Host} from './storage.js';

export type {FormPage} from '../domain/form/form.js';
export type {PriceMove} from '../domain/form/story.js';
export type {Host} from './storage.js';

/** The settings of one widget, parsed and checked. */
export interface SessionConfig extends FormPage {
  /** The service. Another object has other prices: keep it as long as its own settings stay the same. */
  readonly api: SwapApi;
  /** Orders are stored separately for each service. */
  readonly service: string;
  /** Whether requests carry an app id. If not, the console shows a warning once on mainnet. */
  readonly hasAppId?: boolean;
  readonly affiliateFees: FeeRule;
  readonly policy: Policy;
  /** What becomes of an order whose payer or recipient a sanctions list names. */
  readonly screen?: 'warn' | 'stop' | undefined;
  /** Whether the page decides about each approval, too. */
  readonly holdApprovals?: boolean | undefined;
  /** The basis points by which the price may fall between review and order without asking the visitor again. */
  readonly priceTolerance: number;
  /** The maximum cost of a swap without asking the visitor, in basis points of the amount paid. */
  readonly maxCostBps?: number | undefined;
  /** How long a deposit may be made, in milliseconds. */
  readonly depositWindow: number;
  /** The page's own price, displayed beside the quote's (`reference.ts`). */
  readonly referencePrice?: ReferencePrice;
  /** Whether orders are stored in the browser. */
  readonly journal: boolean;
  /** Whether what is stored disappears with the tab. */
  readonly forThisTab?: boolean;
  /** Wallets that the page passes, as their families' libraries return them. */
  readonly wallets?: Readonly<Partial<Record<ChainFamily, object | null | undefined>>> | undefined;
  /** The page's WalletConnect project id, which finds wallets on other devices. Without it none are offered. */
  readonly walletConnect?: string | undefined;
  /** Where the site helps its visitors: a `mailto:` or https address. */
  readonly support?: string;
}

/** The settings of a widget, as far as they could be read. */
export interface SettingsState {
  /** The last valid ones; absent until there are any. */
  readonly config?: SessionConfig | undefined;
  /** The fault of the latest ones. */
  readonly fault?: SwapError | undefined;
}

/** The view that is displayed. */
export type View = 'form' | 'review' | 'order' | 'journal';

/** The displayed order. */
export interface PlacedOrder {
  readonly id: string;
  /** By this page's clock (`$now`), in milliseconds since 1970. */
  readonly placedAt: number;
  /** Until when it may be paid, by this page's clock, in milliseconds since 1970. */
  readonly payUntil: number;
  /** Everything about it. Absent on an order that this browser did not place, which is view-only. */
  readonly deal?: Deal;
  /** The result of the last check. Absent until it ran. */
  readonly report?: CheckReport;
  /**
   * What the visitor has to say yes to (`accept`) before this can be paid, or its address shown: all that the report
   * found `unverified`. Absent once they have, and where nothing is to be asked.
   */
  readonly question?: Question;
}

/** One question about one payment. Nothing else is paid by its yes. */
export interface Question {
  /** The hash of the payment, the account, the order's terms and each finding with both its values. */
  readonly id: string;
}

/** The displayed order, and all that is known of it. */
export interface ShownOrder extends PlacedOrder {
  /** The facts from the chains, the service and this browser; absent until there are any. */
  readonly story?: Story | undefined;
  /** The state of the last request to the service. */
  readonly reading: Remote<true>;
  /** When the last good response was created, as far as that can be determined, in milliseconds since 1970. */
  readonly readAt?: number | undefined;
  /** Set when a good response moved it back to an earlier stage: the previous stage. */
  readonly movedBackFrom?: Stage | undefined;
  readonly funding: FundingProgress;
  /** The state of a refund: finally the transaction's hash. */
  readonly refund: Remote<string>;
  /** The fee rate now, and what the payment offers, until it is confirmed, if the chain can be read. */
  readonly fee?: FeeHint | undefined;
}

/** The orders of this browser with one service. */
export interface JournalState {
  /** Newest first. */
  readonly entries: readonly JournalEntry[];
  /** How many finished ones were removed from a full storage to make room for a new one. */
  readonly removed: number;
  /**
   * Those whose submitted signature still lets the service take the displayed asset from the displayed payer. Newest
   * first.
   */
  readonly live: readonly JournalEntry[];
  /** The state of revoking an allowance (`revoke`), with the order and token it is of: finally the transaction's hash. */
  readonly revoking: Remote<string> & {readonly orderId?: string | undefined; readonly token?: string | undefined};
  /**
   * For each address in the draft that begins and ends like one used before in this browser, or like the connected
   * account, but is none of these: the one that it may be confused with. Absent until this browser's orders are read.
   */
  readonly lookalikes?: Partial<Readonly<Record<AddressName, string>>>;
  /** Addresses to offer for a field: those used there before on its asset's chain, newest first. */
  readonly recent?: Readonly<Record<AddressName, readonly RecentAddress[]>>;
}

/** An address that this browser used before. */
export interface RecentAddress {
  readonly address: string;
  /** When the order was placed, in milliseconds since 1970. */
  readonly at: number;
}

/** The state of the displayed order's funding. */
export interface FundingProgress {
  /** The way that is used, or will be with the next click. */
  readonly way: FundWay;
  /** The other way, if there is one. */
  readonly other?: FundWay | undefined;
  /** The requests to come, in order; known once the account's allowance was read. */
  readonly plan: readonly WalletRequestKind[];
  /** How many of the wallet requests so far were made before the plan, and do not count for its steps. */
  readonly earlier?: number | undefined;
  /**
   * What was read ahead of the wallet's requests for an order that is displayed again, or with another account;
   * `pending` while it is read, absent if it could not be read.
   */
  readonly foreseen?: 'pending' | Foresight | undefined;
  /** Approval and payment are in one request. */
  readonly isBundle?: boolean;
  /** The wallet requests so far, oldest first. */
  readonly walletRequests: readonly WalletRequest[];
  /** Work is in progress: the order is read and checked, or a response of the wallet or the service is pending. */
  readonly busy?: boolean;
  /** The request that is pending right now. */
  readonly asking?: WalletRequestKind | undefined;
  /**
   * The wallet's switch to the source chain: it is prompting for that, has to do it first (`wanted`), or has done it
   * (`moved`). Absent if it was on that chain.
   */
  readonly move?: 'asking' | 'wanted' | 'moved' | undefined;
  /** Work on the order waits for another tab, or for an earlier widget on this page that prompted the wallet. */
  readonly elsewhere?: boolean | undefined;
  /** The last wallet request never got a clear response: the payment may have been sent. */
  readonly unclear: boolean;
  /** The payment was sent, according to the wallet, the service or the visitor: there is nothing left to pay. */
  readonly sent?: boolean;
  /** How it was finally funded. */
  readonly funding?: Funding | undefined;
  /** The error of the last try. */
  readonly error?: SwapError | undefined;
  /** What the chain shows of the deposit, if it was read. */
  readonly seen?: DepositState | undefined;
  /** Why the service refused the signature, in its own words; only a transaction remains. */
  readonly refusedBecause?: string | undefined;
  /** Why only a transaction remains although a signature was wanted: what is unusual in the typed data, or the signature. */
  readonly unsigned?: string | undefined;
}

type FormBasics = Pick<FormStory, 'request' | 'problem' | 'deed'>;

/**
 * What was typed and chosen, what that means, and how its price is requested. A missing price is not a problem of the
 * draft unless its reason is known. Before there are settings it has no more than the draft, its request or problem, and
 * what the button does.
 */
export interface FormState extends FormBasics, Partial<Omit<FormStory, keyof FormBasics>> {
  readonly draft: Draft;
  /** What the form is rendered from: the settings, or before there are any the part of them that is read first. */
  readonly page?: FormPage | undefined;
  readonly quote: Remote<Quotes>;
  /** When the price is requested again, in milliseconds since 1970; `undefined` if it is not. */
  readonly nextQuoteAt?: number | undefined;
  /** A price that takes long, with a way to stop waiting; absent otherwise. */
  readonly slow?: {cancel(): void} | undefined;
  /**
   * The amount to pay for the requested minimum, if the price moved during the review, and the amount before. Absent
   * once another amount is requested, or the review is opened again.
   */
  readonly raised?: {readonly before: bigint; readonly now: bigint} | undefined;
  /** What is known of the service's pairs. */
  readonly routes?: Routes | undefined;
  /** The limits in the service's list of assets, if it has one, or in its last refusal: hints that block nothing. */
  readonly limits: LimitsByAsset;
  /** What the wallet will be asked for once the swap is placed; `pending` while it is read, absent if unknown. */
  readonly foresight?: 'pending' | Foresight | undefined;
  /** Placing the order takes long. What was sent may be placed all the same. */
  readonly isPlacingSlow?: boolean | undefined;
}

/** The visitor's wallets, and the connected accounts' balances. */
export interface WalletsState {
  /** The wallets that announced themselves, of all families that were searched. */
  readonly found: readonly Wallet[];
  readonly accounts: Accounts;
  /** The name of the wallet that is about to reconnect, by family: that of the last visit, or the page's; empty if unknown. */
  readonly restoring: Partial<Readonly<Record<ChainFamily, string>>>;
  /** The wallet whose connection is pending. */
  readonly connecting: Remote<Wallet>;
  /** The paying account's balance of the source asset; idle if unknown. */
  readonly balance: Remote<bigint>;
  /** The part of it that is reserved for the network fee, if the source is the coin that fees are paid in; 0 otherwise. */
  readonly reserve: bigint;
  /** The connected accounts' balances, as far as they were read (`readBalances`). */
  readonly balances: Balances;
}

/** The connected account of each family. */
export type Accounts = Partial<Readonly<Record<ChainFamily, Account>>>;

/** Balances by asset, in the smallest unit. */
export type Balances = Readonly<Record<AssetId, bigint>>;

/** What a session reports to the page. */
export type SessionEvent =
  | {readonly type: 'quote'; readonly request: QuoteRequest; readonly quotes: Quotes}
  | {readonly type: 'order'; readonly orderId: string; readonly agreed: Agreement}
  | {readonly type: 'deposit'; readonly orderId: string; readonly funding: Funding}
  | {
      readonly type: 'status';
      readonly orderId: string;
      readonly stage: Stage;
      readonly previous: Stage;
      readonly order: Order;
    }
  | {
      readonly type: 'complete' | 'refund';
      readonly orderId: string;
      readonly order: Order;
      /** Who confirms it. */
      readonly witness: 'chain' | 'service';
      /** It was reported to the page before: by another widget or tab, or when only the service said so. */
      readonly again?: true;
    }
  | {readonly type: 'error'; readonly error: SwapError; readonly report?: CheckReport; readonly orderId?: string};

/** Where the page can block a swap. A rejection blocks it (`held`). */
export interface SessionGates {
  beforeOrder?(agreed: Agreement, screening?: Screening): Promise<void>;
  beforeSign?(agreed: Agreement, report: CheckReport, payload: unknown, step: SignStep): Promise<void>;
}

export interface ConnectOptions {
  /** A wallet from the page, in place of the one that it passed. If it resolves without one, none is connected. */
  readonly answer?: Promise<unknown> | undefined;
  /** Called when a window opens for the wallet within the page. */
  readonly onWindow?: () => void;
}

/** The state and the actions of one widget. */
export interface SwapSession {
  /** The settings, or their fault. */
  readonly $settings: ReadableAtom<SettingsState>;
  readonly $view: ReadableAtom<View>;
  readonly $stage: ReadableAtom<Stage>;
  /**
   * The time, every second while anything displayed counts, in milliseconds since 1970: by the visitor's clock as it was
   * when the page opened, whatever it is set to later.
   */
  readonly $now: ReadableAtom<number>;

  readonly $form: ReadableAtom<FormState>;
  readonly $wallets: ReadableAtom<WalletsState>;

  /** The displayed order, with all that is known of it; pending while it is being placed. */
  readonly $order: ReadableAtom<Remote<ShownOrder>>;
  /** This browser's orders with this service. */
  readonly $journal: ReadableAtom<JournalState>;

  /** Takes new settings, or their fault. Draft, order and accounts stay as far as they still make sense. */
  configure(settings: SessionConfig | SwapError): void;
  /** Starts the work: prices, reads of the order, time. Returns a function to stop it. Responses to writes are recorded even then. */
  start(): () => void;
  /** Takes whether the widget is rendered on its page: nothing is requested for one that is not, as in a closed tab panel. */
  setRendered(isRendered: boolean): void;
  /** What `make` makes for this session, once: for code that loads after it, and goes with it. */
  keep<T>(make: (session: SwapSession) => T): T;
  /** Reports to the page. Returns a function to stop. */
  listen(listener: (event: SessionEvent) => void): () => void;

  edit(change: Partial<Draft>): void;
  /**
   * Confirms the address in that field: before that, nothing goes to an address that the page preset, or to another
   * than the visitor's wallet. Or accepts a cost that is higher than usual.
   */
  confirm(field: AddressName | 'cost'): void;
  /** Swaps the two sides. */
  flip(): void;
  /** Reads the connected accounts' balances of all assets. */
  readBalances(): void;
  /** A small text that this browser stores under that name (`storage.ts`). */
  recall(name: string): string | undefined;
  /** Chooses another offer than the best, by its solver. */
  choose(solverId: string): void;
  /** Requests a price now. */
  requote(): void;

  /** Searches for wallets of a family until the signal aborts. Resolves once the search runs. Never rejects: `$wallets` has the error (`connecting`). */
  discover(family: ChainFamily, signal: AbortSignal): Promise<void>;
  /**
   * Loads the code of a family that is about to be needed, without any other request. Rejects with `SwapError`
   * `timeout` if it cannot be loaded.
   */
  prepare(family: ChainFamily): Promise<unknown>;
  /**
   * Requests a wallet's account: of one that announced itself, or, for a family, of the one that the page passed
   * (`wallets`). Never rejects: `$wallets` has the error (`connecting`). Resolves with whether it is connected.
   */
  connect(wallet: Wallet | ChainFamily, options?: ConnectOptions): Promise<boolean>;
  /** Stops waiting for the wallet's response. */
  cancelConnect(): void;
  disconnect(family: ChainFamily): void;

  /** Opens the review, if nothing prevents it. */
  review(): void;
  /** Goes back: from the review or the journal to the form, from an order to the form. */
  back(): void;
  /** Orders what the review shows, checks it and, for a deposit by wallet, prompts the wallet. Calling it again accepts a moved price. */
  placeOrder(): Promise<void>;
  /** Prompts the wallet again, optionally for the other way; a deposit to an address is paid from the connected wallet. */
  pay(way?: FundWay): Promise<void>;
  /**
   * The visitor's yes to the question of the displayed order (`question`), and to nothing else: the address is shown, or
   * the wallet prompted. It lasts until the page is left. Another id than the present question's does nothing.
   */
  accept(questionId: string): Promise<void>;
  /** Answers “Did you confirm it in your wallet?”. */
  answer(confirmed: boolean): Promise<void>;
  /** Cancels the displayed order, if nothing was paid and nothing that was signed or sent can pay it. */
  cancel(): Promise<void>;
  /** Refunds the payment after the timelock. */
  refund(): Promise<void>;
  /**
   * Revokes the allowance of an order's contract, so that a signature for it can no longer be used; or its allowance of
   * another token that its check has found (`CheckResult.allowed`).
   */
  revoke(orderId: string, token?: string): Promise<void>;
  /**
   * Writes the rescue file of one of this browser's orders, JSON on one line, with which `rescue.html` can refund it.
   * @throws SwapError `unreadable` if there is nothing to write.
   */
  rescueFile(orderId: string): Promise<string>;
  /** Reads the displayed order now. */
  refresh(): void;

  /** Opens an order: one of this browser's to continue, any other one view-only. */
  openOrder(orderId: string): void;
  openJournal(): void;
  /** Back to an empty form; `keep`: with the draft as it was. Open orders continue and stay in the journal. */
  reset(options?: {readonly keep?: boolean}): void;
}

export interface SessionOptions {
  readonly adapters: Adapters;
  readonly host: Host;
  readonly gates?: SessionGates;
  /** Separates the drafts of several widgets on one page. */
  readonly scope?: string;
}
