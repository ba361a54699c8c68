import type {Asset, Chain, ChainFamily, Coin, OtherAsset} from '../domain/asset.js';
import type {NameReading} from '../domain/draft.js';
import type {DepositOnChain, PayoutOnChain} from '../domain/evidence.js';
import type {
  WalletRequest,
  WalletRequestKind,
  CheckReport,
  Deal,
  Deposit,
  Funding,
  FundWay,
} from '../domain/deposit.js';
import type {Leg, Order} from '../domain/order.js';
import type {PaidTerms} from '../domain/rescue.js';

/** A wallet that can be chosen to pay from or to receive in. */
export interface Wallet {
  /** The same on every visit, so that the last one used can be offered first. */
  readonly id: string;
  /** Its own among the wallets of this page: two extensions may announce one id. */
  readonly key: string;
  readonly family: ChainFamily;
  /** On one line. Empty if the page passed a wallet without a name. */
  readonly name: string;
  /** A `data:` image, shown beside the name. */
  readonly icon?: string;
  /** Whether it is on another device than this page. */
  readonly isElsewhere?: boolean;
  /** Whether it did not announce itself: one that does takes its place. */
  readonly isInjected?: boolean;
  /**
   * Requests the wallet's account; its window may open.
   * @throws SwapError `rejected`, `wallet-locked`, `wallet-unclear`.
   */
  connect(options?: {
    /** Only if the wallet allowed it before, without a window; rejects otherwise. */
    readonly silent?: boolean;
    /** The chain that the account is for. A wallet that supports this returns its account there. */
    readonly chain?: Chain | undefined;
    readonly signal?: AbortSignal;
    /** Called when its window opens within the page. Nothing of the widget may cover that window. */
    readonly onWindow?: () => void;
  }): Promise<Account>;
}

/** An address in a connected wallet. */
export interface Account {
  readonly family: ChainFamily;
  readonly address: string;
  readonly wallet: Wallet;
  /** Calls back when the wallet changes to another account, or to none, until the signal aborts. */
  watch(changed: (account: Account | undefined) => void, signal: AbortSignal): void;
}

export interface DiscoverOptions {
  readonly signal: AbortSignal;
  /** For wallets on other devices: the page's WalletConnect project id, and all chains to swap on. */
  readonly elsewhere?: {readonly projectId: string; readonly chains: readonly Chain[]} | undefined;
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** The account whose wallet can be used to read its chain. Otherwise only the chain's own `rpc` is read. */
  readonly account?: Account | undefined;
}

/** What a check compares with, besides the deal. */
export interface CheckOptions extends ReadOptions {
  /** All known assets of the deal's chain, whose contracts and tokens no unknown contract may be. */
  readonly others?: readonly OtherAsset[] | undefined;
}

export type {DepositOnChain, DepositState, PayoutOnChain} from '../domain/evidence.js';

/** Hints about a deposit from elsewhere. They say where to look, and prove nothing. */
export interface ReadDepositOptions extends ReadOptions {
  /** The hash of the payment's transaction. */
  readonly hash?: string | undefined;
  readonly lifetime?: string | undefined;
  /** The id of calls that the wallet was asked for in one request. If the chain shows none of them, the wallet is queried. */
  readonly calls?: string | undefined;
  /**
   * All that was sent for an unverified payment: the chain's height before that, its transactions, and the amount that
   * other orders may have moved since. Absent while any of them is unknown: then nothing shows that no money left.
   */
  readonly given?: {readonly after: bigint; readonly hashes: readonly string[]; readonly others: bigint} | undefined;
  /** Transactions that may have ended it: the payer's own refunds, and those that the service names. */
  readonly ends?: readonly string[];
  /** Whether it is claimed to be there, or was seen: then no single one of several RPCs is believed that it is not. */
  readonly mustShow?: boolean;
}

/** What ties a payout to its order. */
export interface ReadPayoutOptions extends ReadOptions {
  /** The swap's, whose secret a payout reveals. */
  readonly secretHash?: string | undefined;
  /** The order's own leg: which of several swaps with its secret is the order's. */
  readonly leg?: Pick<Leg, 'swapId' | 'initiator' | 'timelock' | 'amount'> | undefined;
  /** The chain's height when the order was placed: a payout in that block or an earlier one is older than the order. */
  readonly after?: bigint | undefined;
  /** Without `after`: a payout in a block from before that, in milliseconds since 1970, is older than the order. */
  readonly since?: number | undefined;
}

/** An adapter's report on a wallet request. */
export type WalletRequestUpdate = Pick<WalletRequest, 'kind' | 'state' | 'hash' | 'lifetime' | 'calls'>;

export interface FundOptions extends CheckOptions {
  readonly way: FundWay;
  /**
   * Whether the visitor chose this way over the other. If not, a wallet that can approve and pay in one request is
   * asked for that, rather than for an approval and a signature.
   */
  readonly isChosen?: boolean;
  /**
   * Announces the requests to the wallet, in order, before the first one; again if they change. `by`: the way that
   * remains. `isBundle`: approval and payment are in one request. `isOnly`: the other way is not possible.
   */
  onPlan?(
    plan: readonly WalletRequestKind[],
    how: {readonly by: FundWay; readonly isBundle: boolean; readonly isOnly?: boolean},
  ): void;
  /**
   * Reports why the order is paid by a transaction although a signature was wanted: what is unusual in the typed data,
   * or in the signature. After that, everything is checked, planned and shown to the page again.
   */
  onFallback?(reason: string): void;
  /**
   * Called when the wallet is asked to switch to the source chain, and again once it has (`moved`). That costs nothing
   * and moves no money, so it is not a wallet request.
   */
  onMove?(state: 'asking' | 'moved'): void;
  /**
   * Called before each wallet request (`asking`) and after its response, and awaited: a request that cannot be recorded
   * is not made. It is also called for a response after the timeout, when the funding has long ended.
   */
  onWalletRequest(update: WalletRequestUpdate): Promise<void>;
  /**
   * Called with each report that is `unverified`, before anything is requested on it. Rejects unless the visitor said yes
   * to exactly that. Absent: nothing unverified is paid.
   */
  confirm?(report: CheckReport): Promise<void>;
  /**
   * An approval, alone or with its payment, or a signature was made for this order before. Then an unverified contract
   * may have used it, and nothing more is approved; absent where its chain shows that it took nothing, and cannot any
   * more. `hashes`: the transactions that gave it something, as far as they are known. `isTaken` as `readDeposit` says.
   */
  readonly approved?: {readonly hashes: readonly string[]; readonly isTaken?: boolean | undefined} | undefined;
  /**
   * Gets the report of the last check and the very object that the wallet will get; rejects to block the payment. For an
   * unverified payment it is called once, before the first request, with all that the wallet will get: `{approvals,
   * payment}`.
   */
  beforeSign?(report: CheckReport, payload: unknown): Promise<void>;
  /** The same before each approval that is a request of its own; not for an unverified payment. */
  readonly beforeApprove?: FundOptions['beforeSign'] | undefined;
}

/** The requests to a wallet for a payment, as far as they are known before there is an order. */
export interface Foresight {
  /** Whether it first has to switch to the source chain. */
  readonly moves: boolean;
  /** The wallet requests, in order. */
  readonly plan: readonly WalletRequestKind[];
  /** Approval and payment are in one request: the wallet reports that it supports this. */
  readonly isBundle?: boolean;
  /** An estimate of what its transactions cost in network fees; absent if it was not read, or nothing is sent. */
  readonly fee?: {readonly amount: bigint; readonly coin: Coin};
}

/** The recommended fee rate of a payment, and that of one that is unconfirmed. */
export interface FeeHint {
  /** The rate that it pays; the lowest, if there are several, and absent before there is one. */
  readonly paid?: number;
  /** The rate for one of the next blocks. */
  readonly wanted: number;
  /** How long a payment at that rate may take to be confirmed, in milliseconds. */
  readonly within: number;
  /** The unit of both, as this chain's users write it. */
  readonly unit: string;
}

/** A family's addresses. */
export interface Addresses {
  /** Whether a text is an address on this chain, with its checksum if it has one. */
  isAddress(chain: Chain, text: string): boolean;
  /** Whether two texts are the same address. */
  isSameAddress(one: string, other: string): boolean;
  /** An address with its checksum (EIP-55), as services want it; absent if it is a part of every address, or none has one. */
  withChecksum?(address: string): string;
  /** Whether a text is a name that may resolve to an address. Absent if names are not supported. */
  isName?(text: string): boolean;
  /** The name of the chain on which a chain's names are registered. */
  namesOn?(chain: Chain): string;
  /**
   * Resolves a name to its address on a chain, using only the `rpc` of `home`, the chain on which the names are
   * registered. Never rejects.
   */
  readName?(
    text: string,
    chain: Chain,
    home: Chain | undefined,
    options: Pick<ReadOptions, 'signal'>,
  ): Promise<NameReading>;
  /**
   * Whether there is code at an address, so that it is a contract on this one chain; `undefined` if the chain cannot
   * be read. Code that only delegates an account's calls (EIP-7702) does not count. Absent if it makes no difference.
   */
  isContract?(chain: Chain, address: string, options: ReadOptions): Promise<boolean | undefined>;
  /** Whether its chain's public sanctions oracle lists an address; `undefined` if the partner's RPC cannot tell. */
  isListed?(chain: Chain, address: string, options: Pick<ReadOptions, 'signal'>): Promise<boolean | undefined>;
}

/** How a family's wallets are discovered. */
export interface Wallets {
  /** Discovers wallets as they announce themselves, until the signal aborts. Nothing is connected. */
  discover(found: (wallet: Wallet) => void, options: DiscoverOptions): void;
  /**
   * Creates a wallet from one that the page passed, as its family's libraries return it. No request is made.
   * @throws SwapError `config` (`field`: `wallets.` and the family) if it cannot pay.
   */
  walletOf?(given: unknown): Wallet | Promise<Wallet>;
  /**
   * Asks an account's wallet to watch a token of its chain, so that its owner sees it; resolves with whether the wallet
   * accepted the request. That moves no money. Absent if wallets have no such request.
   * @throws SwapError `rejected`, `wallet-missing`, `wallet-failed`.
   */
  list?(asset: Asset, account: Account): Promise<boolean>;
  /**
   * Brings an account's wallet to a chain, where it may be the only one that can read it. Absent if wallets read none.
   * @throws SwapError as `fund` does
   */
  moveTo?(chain: Chain, account: Account, options: Pick<FundOptions, 'onMove'>): Promise<unknown>;
}

/** An account's balance, and the requests that a payment needs. */
export interface Means {
  /** An account's balance of an asset; `undefined` if the chain cannot be read. */
  balance(asset: Asset, account: Account, options?: ReadOptions): Promise<bigint | undefined>;
  /**
   * The amount that a payment in the native coin has to leave for the fee at most; 0 if the fee is paid in another
   * coin.
   */
  reserve?(asset: Asset, account: Account, options?: ReadOptions): Promise<bigint>;
  /**
   * The requests that the wallet will most likely get for a payment, determined without opening its window; `undefined`
   * if the wallet cannot be read. Never rejects. Absent if it is always a single payment. `way`: the visitor's choice,
   * if any.
   */
  foresee?(
    asset: Asset,
    amount: bigint,
    account: Account,
    options?: ReadOptions & {readonly way?: FundWay | undefined},
  ): Promise<Foresight | undefined>;
}

/** What a payer can reclaim: the money, or the contract's allowance. */
export interface TakingBack {
  /** The terms that a deal pays into its contract: all that a refund needs. `undefined` if its call has no known form. */
  termsOf?(deal: Deal): PaidTerms | undefined;
  /**
   * The contract's own refund after the timelock; resolves with the transaction's hash. Absent if there is none
   * (Bitcoin).
   * @throws SwapError as `fund` does; `funding-reverted` if the contract would reject it, for example before the
   * timelock ends.
   */
  refund?(deal: Deal, account: Account, options: BackOptions): Promise<string>;
  /**
   * Revokes the swap contract's remaining allowance of the deal's token, or of another one (`token`), so that a
   * submitted signature can no longer be used; resolves with the transaction's hash, once the chain shows it. Without
   * one of a verified contract, the wallet is not prompted and the result is empty. Absent if there are no allowances.
   * @throws SwapError as `fund` does.
   */
  revoke?(deal: Deal, account: Account, options: RevokeOptions): Promise<string>;
  /** The contract that a deal's allowance is for, in one form; absent if there are no allowances. */
  spenderOf?(deal: Deal): string | undefined;
}

/** What is asked for after the payment, by the family's wallet. */
export type BackOptions = Omit<FundOptions, 'way' | 'onPlan' | 'onFallback' | 'beforeSign'>;

export interface RevokeOptions extends BackOptions {
  /** The token whose allowance is revoked; the deal's own by default. */
  readonly token?: string;
}

/** Everything that differs between chain families. */
export interface ChainAdapter {
  readonly family: ChainFamily;
  readonly addresses: Addresses;
  readonly wallets: Wallets;
  readonly means: Means;
  readonly back: TakingBack;
  /**
   * After this many milliseconds the chain no longer accepts the service's payload, signed or not; with a margin for
   * clocks. Absent if it stays valid.
   */
  readonly expiresAfter?: number;
  /**
   * Checks what the service wants signed or paid against what the visitor agreed to. What cannot be read from the chain
   * is `unchecked`.
   * @throws SwapError `unreadable` (`field`: `check`) if a check itself failed to run: that is no verdict, and nothing
   * is paid.
   */
  check(deal: Deal, options: CheckOptions): Promise<CheckReport>;
  /**
   * Funds an order: checks again right before each wallet request, on the very object that the wallet gets.
   * @throws SwapError `rejected` (an explicit rejection; `field`: `chain` if it was of the chain switch),
   * `wallet-unclear` (no clear response: it may have been paid; `field`: `paid` if the chain shows this very payment
   * already, and the wallet was not prompted), `wallet-failed` (the wallet did not do it, and certainly sent nothing),
   * `wallet-locked`, `wallet-missing`, `wrong-account`, `wrong-network`, `insufficient-funds`, `approval-failed`
   * (`field`: `used` if the chain shows that a signature's allowance was used or changed meanwhile; it stays here;
   * `taken` if an unverified contract may have used it; `pending` while that cannot be told yet),
   * `funding-reverted` (the payment would revert, so the wallet was not prompted), `timeout` (the chain could not be
   * read, so the wallet was not prompted), `expired` (the payload has expired: a new order is needed),
   * `deposit-mismatch` (`field`: the failed checks; `cause`: the report).
   */
  fund(deal: Deal, account: Account, options: FundOptions): Promise<Funding>;
  /**
   * Reads an order's deposit from its chain, and how it ended. `deal.order` may be absent: the journal's data is
   * enough. Only what is tied to the order counts: the contract's record under the id, or in the account, that derives
   * from the terms, with this payer, redeemer, amount, timelock and secret hash; or payments to the order's own
   * address. `unknown` if there is no way to read the chain. Rejects if reading failed, which proves nothing; with
   * `Disagreement` if several RPCs of the chain contradict each other, as `readPayout` does.
   */
  readDeposit(deal: Deal, options: ReadDepositOptions): Promise<DepositOnChain>;
  /**
   * The possible deposits of an order by its own terms, one for each known contract of its asset: for finding a deposit
   * if nobody says how it was paid. None for terms that no contract can hold.
   */
  depositsOf(order: Order, from: Asset): readonly Deposit[];
  /**
   * Reads the amount of an asset that transactions paid to a recipient, and what of it is an order's own. `undefined`
   * if there is no way to read the chain. Rejects if reading failed, which proves nothing.
   */
  readPayout(
    asset: Asset,
    recipient: string,
    hashes: readonly string[],
    options: ReadPayoutOptions,
  ): Promise<PayoutOnChain | undefined>;
  /**
   * The number of a chain's newest block (on Solana: slot); `undefined` if it cannot be read. Of several RPCs the lowest
   * number, if all respond and none is further from another than a node may lag. Never rejects.
   */
  readHeight(chain: Chain, options: ReadOptions): Promise<bigint | undefined>;
  /** The time of a chain's newest block, in milliseconds since 1970; several RPCs and failures as for `readHeight`. */
  readTime(chain: Chain, options: ReadOptions): Promise<number | undefined>;
  /**
   * The recommended fee rate, and that of unconfirmed payments to a deposit's address; `undefined` if it cannot be read.
   * Never rejects.
   */
  readFee?(deal: Deal, options: ReadOptions): Promise<FeeHint | undefined>;
}

/** Loads each family's adapter when it is first needed. Other families cannot be swapped. */
export type Adapters = Partial<Record<ChainFamily, () => Promise<ChainAdapter>>>;
