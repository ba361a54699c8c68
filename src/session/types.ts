import type {ReadableAtom} from 'nanostores';
import type {SwapApi} from '../api/client.js';
import type {Account, Adapters, DepositState, FeeHint, Foresight, Wallet} from '../chains/adapter.js';
import type {AffiliateFee} from '../domain/affiliate.js';
import type {Asked} from '../domain/asked.js';
import type {AssetId, Catalogue, ChainFamily} from '../domain/asset.js';
import type {
  Agreement,
  WalletRequest,
  WalletRequestKind,
  CheckReport,
  Deal,
  Funding,
  FundWay,
  Policy,
  SignatureFormat,
} from '../domain/deposit.js';
import type {AddressName, Draft, LockedField, Problem} from '../domain/draft.js';
import type {SwapError} from '../domain/error.js';
import type {Order} from '../domain/order.js';
import type {Stage} from '../domain/stage.js';
import type {Story} from '../domain/story.js';
import type {LimitsByAsset, Quote, QuoteRequest, Quotes} from '../domain/quote.js';
import type {ReferencePrice} from '../domain/reference.js';
import type {Remote} from '../domain/remote.js';
import type {JournalEntry} from './order/journal.js';
import type {Host} from './storage.js';

export type {Host} from './storage.js';

/** What the form is drawn from. */
export interface FormSettings {
  readonly catalogue: Catalogue;
  /** What the page fills in. A person's own draft outlives a reload as long as this stays the same. */
  readonly prefill: Partial<Draft>;
  /** What of that came with the page's address: whoever made the link, it was not the page. */
  readonly linked?: Partial<Draft>;
  /** What the page asks for as a payment. That no less is ordered comes from `prefill.receive`, which says the same. */
  readonly asked?: Asked;
  /** The fields that always stay as the page filled them in: typing, swapping, emptying and restoring do not change them. */
  readonly locked?: readonly LockedField[];
  /** Whether the partner has paused new swaps. */
  readonly paused: boolean;
}

/** The settings of one widget, read and checked. */
export interface SessionConfig extends FormSettings {
  readonly api: SwapApi;
  /** Orders are kept apart by the service they were placed with. */
  readonly service: string;
  /** Whether requests carry an app id. If not, on mainnets, the console shows a warning once. */
  readonly hasAppId?: boolean;
  readonly affiliateFees: readonly AffiliateFee[];
  readonly policy: Policy;
  /** Basis points by which the price may fall between review and order without asking the person again. */
  readonly priceTolerance: number;
  /** The most that a swap may cost without asking the person, in basis points of what is paid. */
  readonly maxCostBps?: number | undefined;
  /** How long a deposit may be made, in milliseconds. */
  readonly depositWindow: number;
  /** How a signature of several parts is handed to the service. */
  readonly signatureFormat: SignatureFormat;
  /** Whether an order's body names the solver (`order-fields`). */
  readonly nameSolver: boolean;
  /** The page's own price, to be shown beside the quote's (`reference.ts`). */
  readonly referencePrice?: ReferencePrice;
  /** Whether orders are remembered in the browser. */
  readonly journal: boolean;
  /** Whether what is remembered goes with the tab. */
  readonly forThisTab?: boolean;
  /** Wallets that the page brings, in the form in which their families' libraries give them. */
  readonly wallets?: Readonly<Partial<Record<ChainFamily, object | null | undefined>>> | undefined;
  /** The page's project id with WalletConnect, which finds wallets on other devices. Without it none are offered. */
  readonly walletConnect?: string | undefined;
}

/** The settings of a widget, as far as they could be read. */
export interface SettingsState {
  /** The last good ones; absent until there are any. */
  readonly config?: SessionConfig | undefined;
  /** As much of them as `preview` was given, until there are any. */
  readonly preview?: FormSettings | undefined;
  /** What is wrong with those that came last. */
  readonly fault?: SwapError | undefined;
}

/** Where the person is. */
export type View = 'form' | 'review' | 'order' | 'journal';

/** The order that is shown. */
export interface PlacedOrder {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly placedAt: number;
  /** Until when it may be paid, in milliseconds since 1970. */
  readonly payUntil: number;
  /** Everything about it. Absent on an order that this browser did not place: that one is for looking at. */
  readonly deal?: Deal;
  /** What the last check found. Absent until it ran. */
  readonly report?: CheckReport;
}

/** The order on the screen, and all that is known of it. */
export interface ShownOrder extends PlacedOrder {
  /** What is known of it, from the chains, the service and this browser; absent until anything is. */
  readonly story?: Story | undefined;
  /** How the last question to the service went. */
  readonly reading: Remote<true>;
  /** When the last good answer about it was made, as far as that can be told, in milliseconds since 1970. */
  readonly readAt?: number | undefined;
  /** Set when a good answer moved it back to an earlier stage, to the stage it was in. */
  readonly movedBackFrom?: Stage | undefined;
  readonly funding: FundingProgress;
  /** How taking the money back goes: the transaction's hash in the end. */
  readonly refund: Remote<string>;
  /** What the payment gives for a block, as long as it waits for one and the chain can be asked. */
  readonly fee?: FeeHint | undefined;
}

/** The orders of this browser with one service. */
export interface JournalState {
  /** Newest first. */
  readonly entries: readonly JournalEntry[];
  /** How many finished ones had to make room for a new one, in a storage that is full. */
  readonly removed: number;
  /**
   * Those by whose handed-over signature the service may still take the asset on the screen from the payer on the screen.
   * Newest first.
   */
  readonly live: readonly JournalEntry[];
  /** How taking back an allowance goes (`revoke`): the transaction's hash in the end. */
  readonly revoking: Remote<string>;
  /**
   * For each address in the draft that begins and ends like one that this browser used before, or like the connected
   * account, and is none of these: the one that it may be taken for. Absent until orders of this browser are read.
   */
  readonly lookalikes?: Partial<Readonly<Record<AddressName, string>>>;
  /** Addresses to offer for a field: those used there before on the network of its asset, newest first. */
  readonly recent?: Readonly<Record<AddressName, readonly RecentAddress[]>>;
}

/** An address that this browser used before. */
export interface RecentAddress {
  readonly address: string;
  /** When the order was placed, in milliseconds since 1970. */
  readonly at: number;
}

/** How the funding of the shown order goes. */
export interface FundingProgress {
  /** The way that is used, or will be at the next press. */
  readonly way: FundWay;
  /** The other way, if there is one. */
  readonly other?: FundWay | undefined;
  /** What will be asked for, in order; known once the account's allowance was read. */
  readonly plan: readonly WalletRequestKind[];
  /** The payment has its approval in it, as one request. */
  readonly isBundle?: boolean;
  /** The wallet requests so far, oldest first. */
  readonly walletRequests: readonly WalletRequest[];
  /** Work is under way: the order is read and checked, or the wallet or the service is asked. */
  readonly busy?: boolean;
  /** What is being asked right now. */
  readonly asking?: WalletRequestKind | undefined;
  /**
   * The wallet's change to the chain that is paid on: it is asked for that, has to do it before anything else (`wanted`),
   * or did (`moved`). Absent where it was on that chain.
   */
  readonly move?: 'asking' | 'wanted' | 'moved' | undefined;
  /** Work on the order waits for another tab, or for a widget that was on this page before and asked the wallet. */
  readonly elsewhere?: boolean | undefined;
  /** The last wallet request was never clearly answered: the payment may have gone out. */
  readonly unclear: boolean;
  /** The payment went out, by the wallet's or the service's answer or by the person's own word: there is nothing left to pay. */
  readonly sent?: boolean;
  /** What was done in the end. */
  readonly funding?: Funding | undefined;
  /** What went wrong with the last try. */
  readonly error?: SwapError | undefined;
  /** What the chain says of the deposit, where it was asked. */
  readonly seen?: DepositState | undefined;
  /** Why the service did not take the signature, in its own words; a transaction is the way that is left. */
  readonly refusedBecause?: string | undefined;
  /** Why a transaction is what is left though a signature was wanted: what is strange in what would be signed, or was. */
  readonly unsigned?: string | undefined;
}

/** A price that fell below the floor between review and order: the person is asked once, with both amounts. */
export interface PriceMove {
  readonly before: bigint;
  readonly now: bigint;
}

/** What is known of the price of the draft, from the amount that was typed to the offer that is chosen. */
export interface PriceState {
  /** What the draft asks for, or what keeps it from asking for anything. */
  readonly request: QuoteRequest | Problem;
  /** What keeps the draft from being reviewed. A price that is missing is no problem of the draft, unless it is known why. */
  readonly problem: Problem | undefined;
  readonly quote: Remote<Quotes>;
  /** The offer that is chosen: the best one, unless the person took another. */
  readonly offer?: Quote | undefined;
  /** When the price is asked for again, in milliseconds since 1970; `undefined` while it is not. */
  readonly nextQuoteAt?: number | undefined;
  /** A price that is long in coming, with a way to wait for it no longer; absent otherwise. */
  readonly slow?: {cancel(): void} | undefined;
  /**
   * What has to be paid for the amount that is to arrive, where the price moved while that was in the review, and what it
   * was there. Absent once another amount is asked for, or the review is opened again.
   */
  readonly raised?: {readonly before: bigint; readonly now: bigint} | undefined;
  /** What the service's list of assets says may be swapped at once, where it has one: hints that block nothing. */
  readonly limits: LimitsByAsset;
}

/** What a press would order, and what is to be known before that. */
export interface AgreementState {
  /** What the review shows and the press will order; absent while something is in the way. */
  readonly agreed?: Agreement | undefined;
  readonly moved?: PriceMove | undefined;
  /** What the wallet will be asked for once the review's swap is placed; absent where that is not known. */
  readonly foresight?: Foresight | undefined;
  /** The order that is being placed is long in coming. What was sent may be placed all the same. */
  readonly isSlow?: boolean | undefined;
}

/** The wallets of the person, and what the connected accounts have. */
export interface WalletsState {
  /** Those that announced themselves, of all families that were looked for. */
  readonly found: readonly Wallet[];
  readonly accounts: Accounts;
  /** The families whose wallet is about to come back by itself: the one of the last visit, or the page's. With its name, where that is known. */
  readonly restoring: Restoring;
  /** The wallet that is being asked to connect. */
  readonly connecting: Remote<Wallet>;
  /** What the paying account has of the source asset; idle where that is not known. */
  readonly balance: Remote<bigint>;
  /** What of that is kept back for the chain's fee, where the source is the coin that the fee is paid in; 0 otherwise. */
  readonly reserve: bigint;
  /** What the connected accounts have, as far as it was read (`readBalances`). */
  readonly balances: Balances;
}

/** The connected account of each family. */
export type Accounts = Partial<Readonly<Record<ChainFamily, Account>>>;

/** The name of the wallet that is about to come back, by family; empty where it is not known. */
export type Restoring = Partial<Readonly<Record<ChainFamily, string>>>;

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
      /** Who says so. */
      readonly witness: 'chain' | 'service';
      /** This browser's page was told of it before: by another widget or tab, or by the service's word alone. */
      readonly again?: true;
    }
  | {readonly type: 'error'; readonly error: SwapError; readonly report?: CheckReport; readonly orderId?: string};

/** Where the page may hold a swap. A rejection holds it (`held`). */
export interface SessionGates {
  beforeOrder?(agreed: Agreement): Promise<void>;
  beforeSign?(agreed: Agreement, report: CheckReport, payload: unknown): Promise<void>;
}

export interface ConnectOptions {
  /** A wallet that the page answers with, in the place of the one that it brought. Without one in it none is connected. */
  readonly answer?: Promise<unknown> | undefined;
  /** Called when a window opens for the wallet within the page. */
  readonly onWindow?: () => void;
}

/** The state and the actions of one widget. */
export interface SwapSession {
  /** The settings, or what is wrong with them. */
  readonly $settings: ReadableAtom<SettingsState>;
  /** What the form is drawn from: the settings, or as much of them as `preview` was given before there are any. */
  readonly $form: ReadableAtom<FormSettings | undefined>;
  readonly $view: ReadableAtom<View>;
  readonly $stage: ReadableAtom<Stage>;
  /** The time, once a second while anything on the screen counts, in milliseconds since 1970. */
  readonly $now: ReadableAtom<number>;

  readonly $draft: ReadableAtom<Draft>;
  readonly $price: ReadableAtom<PriceState>;
  readonly $wallets: ReadableAtom<WalletsState>;
  readonly $agreement: ReadableAtom<AgreementState>;

  /** The order on the screen, with all that is known of it; pending while it is being placed. */
  readonly $order: ReadableAtom<Remote<ShownOrder>>;
  /** The orders of this browser with this service. */
  readonly $journal: ReadableAtom<JournalState>;

  /**
   * Takes what the form can be drawn from before all settings are read. The draft can be typed in; nothing is asked of the
   * service, of a wallet or of a chain before `configure`.
   */
  preview(settings: FormSettings): void;
  /** Takes new settings, or what is wrong with them. Draft, order and accounts stay where they still make sense. */
  configure(settings: SessionConfig | SwapError): void;
  /** Starts the work: prices, reads of the order, time. Returns how to stop it. Answers to writes are still written down after that. */
  start(): () => void;
  /** Reports to the page. Returns how to stop. */
  listen(listener: (event: SessionEvent) => void): () => void;

  edit(change: Partial<Draft>): void;
  /**
   * The person says yes to the address in that field: nothing goes to one that the page filled in, or beside their wallet's,
   * before that. Or to a cost that is more than usual.
   */
  confirm(field: AddressName | 'cost'): void;
  /** Swaps the two sides. */
  flip(): void;
  /** Puts that many percent of what the paying account has into the draft, less what is kept back for the chain's fee. */
  useShare(percent: number): void;
  /** Reads what the connected accounts have of all assets. */
  readBalances(): void;
  /** A small text that this browser keeps under that name (`storage.ts`). */
  recall(name: string): string | undefined;
  /** Takes another offer than the best, by its solver. */
  choose(solverId: string): void;
  /** Asks for a price now. */
  requote(): void;

  /** Looks for wallets of a family until the signal aborts. Resolves once it is looking. Never rejects: `$wallets` has what went wrong (`connecting`). */
  discover(family: ChainFamily, signal: AbortSignal): Promise<void>;
  /**
   * Loads the code of a family, which something is about to need. Asks nobody for anything. Rejects with `SwapError`
   * `timeout` where it cannot be loaded.
   */
  prepare(family: ChainFamily): Promise<unknown>;
  /**
   * Asks a wallet for its account: one that announced itself, or, where a family is named, the one that the page brought
   * for it (`wallets`). Never rejects: `$wallets` has what went wrong (`connecting`). Resolves with whether it is connected.
   */
  connect(wallet: Wallet | ChainFamily, options?: ConnectOptions): Promise<boolean>;
  /** No longer waits for the wallet that was asked. */
  cancelConnect(): void;
  disconnect(family: ChainFamily): void;

  /** Goes from the form to the review, if nothing is in the way. */
  review(): void;
  /** Goes back: from the review or the journal to the form, from an order to the form. */
  back(): void;
  /** Orders what the review shows, checks it and, for a deposit by wallet, asks the wallet. A moved price is accepted by pressing again. */
  placeOrder(): Promise<void>;
  /** Asks the wallet again, or by the other way; a deposit to an address is paid from the connected wallet. */
  pay(way?: FundWay): Promise<void>;
  /** Answers “Did you confirm it in your wallet?”. */
  answer(confirmed: boolean): Promise<void>;
  /** Takes the money back after the timelock. */
  refund(): Promise<void>;
  /** Takes back what an order's contract may take of its token, so that a signature for it can no longer be used. */
  revoke(orderId: string): Promise<void>;
  /**
   * Writes the rescue file of an order of this browser, JSON on one line: `rescue.html` gets the money back with it.
   * @throws SwapError `unreadable` where there is nothing to write it of.
   */
  rescueFile(orderId: string): Promise<string>;
  /** Reads the shown order now. */
  refresh(): void;

  /** Shows an order: one of this browser's to go on with, any other to look at. */
  openOrder(orderId: string): void;
  openJournal(): void;
  /** Back to an empty form; `keep`: with the draft as it was. Orders under way go on and stay in the journal. */
  reset(options?: {readonly keep?: boolean}): void;
}

export interface SessionOptions {
  readonly adapters: Adapters;
  readonly host: Host;
  readonly gates?: SessionGates;
  /** Keeps the drafts of several widgets on one page apart. */
  readonly scope?: string;
}
