import type {Asset, Chain, ChainFamily} from '../domain/asset.js';
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
import type {Order} from '../domain/order.js';
import type {PaidTerms} from '../domain/rescue.js';

/** A wallet that can be chosen to pay or to receive with. */
export interface Wallet {
  /** The same on every visit, so that the last one used can be offered first. */
  readonly id: string;
  readonly family: ChainFamily;
  /** On one line. Empty where the page brought a wallet without a name. */
  readonly name: string;
  /** A `data:` image, shown beside the name. */
  readonly icon?: string;
  /** Whether it is on another device than this page. */
  readonly isElsewhere?: boolean;
  /**
   * Asks the wallet for its account; its window may open.
   * @throws SwapError `rejected`, `wallet-locked`, `wallet-unclear`.
   */
  connect(options?: {
    /** Only where the wallet allowed it before, without a window; rejects otherwise. */
    readonly silent?: boolean;
    /** The chain that the account is wanted for. A wallet that can be told so answers with its account there. */
    readonly chain?: Chain | undefined;
    readonly signal?: AbortSignal;
    /** Called when a window opens for it within the page. Nothing of the widget should cover that window. */
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
  /** Where wallets on other devices are wanted: the page's project id with WalletConnect, and all chains to swap on. */
  readonly elsewhere?: {readonly projectId: string; readonly chains: readonly Chain[]} | undefined;
}

export interface ReadOptions {
  readonly signal?: AbortSignal;
  /** The account whose wallet may be asked to read its chain. Beside it, only the chain's own `rpc` is read. */
  readonly account?: Account | undefined;
}

export type {DepositOnChain, DepositState, PayoutOnChain} from '../domain/evidence.js';

/** What is known of a deposit from elsewhere. It says where to look, and proves nothing. */
export interface ReadDepositOptions extends ReadOptions {
  /** That of the payment's transaction. */
  readonly hash?: string | undefined;
  readonly lifetime?: string | undefined;
  /** The id of calls that the wallet was asked for at once. Where the chain shows nothing of them, the wallet is asked. */
  readonly calls?: string | undefined;
  /** Transactions that may have ended it: those of the payer's own refund, and those that the service names. */
  readonly ends?: readonly string[];
  /** Whether somebody says that it is there, or it was seen: of several addresses no one alone is believed that it is not. */
  readonly mustShow?: boolean;
}

/** What an adapter reports of a wallet request. */
export type WalletRequestUpdate = Pick<WalletRequest, 'kind' | 'state' | 'hash' | 'lifetime' | 'calls'>;

export interface FundOptions extends ReadOptions {
  readonly way: FundWay;
  /**
   * Whether the person chose this way over the other. Where they did not, a wallet that can approve and pay at once is asked
   * for that, rather than for an approval and a signature.
   */
  readonly isChosen?: boolean;
  /**
   * Says what the wallet will be asked for, in order, before the first request; again if that changes. `by`: the way that is
   * left. `isBundle`: the payment has its approval in it.
   */
  onPlan?(plan: readonly WalletRequestKind[], how: {readonly by: FundWay; readonly isBundle: boolean}): void;
  /**
   * Says why the order is paid by a transaction though a signature was wanted: what is unusual in the typed data, or in
   * the signature. After that, everything is checked, planned and shown to the page again.
   */
  onFallback?(reason: string): void;
  /**
   * Called when the wallet is asked to change to the chain that is paid on, and again once it is there (`moved`). That
   * costs nothing and moves no money, so it is no wallet request.
   */
  onMove?(state: 'asking' | 'moved'): void;
  /**
   * Called before each wallet request (`asking`) and after its answer, and awaited: a request that cannot be written
   * down is not made. It is also called for an answer that comes after the time-out, when the funding has long ended.
   */
  onWalletRequest(update: WalletRequestUpdate): Promise<void>;
  /** Gets the report of the last check and the very object that the wallet will get; rejects to hold the payment. */
  beforeSign?(report: CheckReport, payload: unknown): Promise<void>;
}

/** What a wallet will be asked for to pay, as far as that can be told before there is an order. */
export interface Foresight {
  /** Whether it first has to change to the chain that is paid on. */
  readonly moves: boolean;
  /** The wallet requests, in order. */
  readonly plan: readonly WalletRequestKind[];
  /** The payment has its approval in it: the wallet says that it can do both at once. */
  readonly isBundle?: boolean;
}

/** The fee rate of a payment that waits for a block, beside the rate that is advised. */
export interface FeeHint {
  /** What it pays; the lowest, if there are several. */
  readonly paid: number;
  /** What gets a payment into one of the next blocks. */
  readonly wanted: number;
  /** The unit of both, as people on this chain write it. */
  readonly unit: string;
}

/** What a family's addresses are like. */
export interface Addresses {
  /** Whether a text is an address on this chain, with its checksum where it has one. */
  isAddress(chain: Chain, text: string): boolean;
  /** Whether two texts are the same address. */
  isSameAddress(one: string, other: string): boolean;
  /** Whether a text is a name that may lead to an address. Absent where names are not read. */
  isName?(text: string): boolean;
  /** The name of the chain that keeps the names that lead to addresses on a chain. */
  namesOn?(chain: Chain): string;
  /**
   * Reads which address a name has on a chain, from the `rpc` of `home`, the chain that keeps the names, and from nowhere
   * else. Never rejects.
   */
  readName?(
    text: string,
    chain: Chain,
    home: Chain | undefined,
    options: Pick<ReadOptions, 'signal'>,
  ): Promise<NameReading>;
  /**
   * Whether there is code at an address, so that it is a contract of this one chain; `undefined` where the chain cannot
   * be read. Code that only forwards an account's calls (EIP-7702) does not count. Absent where it makes no difference.
   */
  isContract?(chain: Chain, address: string, options: ReadOptions): Promise<boolean | undefined>;
}

/** How a family's wallets are found. */
export interface Wallets {
  /** Finds wallets as they announce themselves, until the signal aborts. Nothing is connected. */
  discover(found: (wallet: Wallet) => void, options: DiscoverOptions): void;
  /**
   * Makes a wallet of one that the page brought, in the form in which its family's libraries give it. Nothing is asked.
   * @throws SwapError `config` (`field`: `wallets.` and the family) for what cannot pay.
   */
  walletOf?(given: unknown): Wallet | Promise<Wallet>;
  /**
   * Asks an account's wallet to list a token of its chain, so that its owner sees it; answers whether the wallet took the
   * question. That moves no money. Absent where wallets have no such request.
   * @throws SwapError `rejected`, `wallet-missing`, `wallet-failed`.
   */
  list?(asset: Asset, account: Account): Promise<boolean>;
}

/** What an account has, and what it will be asked for. */
export interface Means {
  /** How much of an asset an account has; `undefined` where the chain cannot be read. */
  balance(asset: Asset, account: Account, options?: ReadOptions): Promise<bigint | undefined>;
  /**
   * The most that a payment in the chain's own coin has to leave for the fee; 0 where the fee is paid in another coin.
   */
  reserve?(asset: Asset, account: Account, options?: ReadOptions): Promise<bigint>;
  /**
   * What the wallet will most likely be asked for to pay an amount, without a window of its own; `undefined` where the
   * wallet cannot be read. Never rejects. Absent where it is one payment and nothing else. `way`: the one that the person
   * chose, if they did.
   */
  foresee?(
    asset: Asset,
    amount: bigint,
    account: Account,
    options?: ReadOptions & {readonly way?: FundWay | undefined},
  ): Promise<Foresight | undefined>;
}

/** What a payer takes back: the money, or what the contract may take. */
export interface TakingBack {
  /** What a deal pays into its contract: all that a refund needs. `undefined` where its call is in no known form. */
  termsOf?(deal: Deal): PaidTerms | undefined;
  /**
   * The contract's own refund after the timelock; answers the transaction's hash. Absent where there is none (Bitcoin).
   * @throws SwapError as `fund` does; `funding-reverted` where the contract would refuse it, for example before the
   * timelock ends.
   */
  refund?(
    deal: Deal,
    account: Account,
    options: Omit<FundOptions, 'way' | 'onPlan' | 'onFallback' | 'beforeSign'>,
  ): Promise<string>;
  /**
   * Takes back what the swap contract may still take of a token, so that a signature that was handed over can no longer
   * be used; answers the transaction's hash, once the chain shows it. Where the chain shows that nothing is allowed, the
   * wallet is not asked and the answer is empty. Absent where nothing is ever allowed.
   * @throws SwapError as `fund` does.
   */
  revoke?(
    deal: Deal,
    account: Account,
    options: Omit<FundOptions, 'way' | 'onPlan' | 'onFallback' | 'beforeSign'>,
  ): Promise<string>;
}

/** Everything that differs between families of chains. */
export interface ChainAdapter {
  readonly family: ChainFamily;
  readonly addresses: Addresses;
  readonly wallets: Wallets;
  readonly means: Means;
  readonly back: TakingBack;
  /**
   * After this many milliseconds the chain no longer takes what the service prepared, signed or not; with a margin for
   * clocks. Absent where it stays valid.
   */
  readonly expiresAfter?: number;
  /**
   * Checks what the service wants signed or paid against what the person agreed to. What cannot be read from the chain is
   * `unchecked`.
   * @throws SwapError `unreadable` (`field`: `check`) where a check itself broke: that is no verdict, and nothing is paid.
   */
  check(deal: Deal, options: ReadOptions): Promise<CheckReport>;
  /**
   * Funds an order: checks again right before each wallet request, on the very object that the wallet gets.
   * @throws SwapError `rejected` (a clear no; `field`: `chain` where it was to changing the chain), `wallet-unclear` (no clear answer: it may have been paid; `field`: `paid`
   * where the chain shows this very payment already, and the wallet was not asked), `wallet-failed` (the wallet did not do it, and certainly sent nothing), `wallet-locked`,
   * `wallet-missing`, `wrong-account`, `wrong-network`, `insufficient-funds`, `approval-failed`, `funding-reverted`
   * (the chain would refuse it, so the wallet was not asked), `timeout` (the chain could not be read, so the wallet was
   * not asked), `expired` (what was prepared is out of date: it takes a fresh order), `deposit-mismatch` (`field`: the
   * checks that failed; `cause`: the report).
   */
  fund(deal: Deal, account: Account, options: FundOptions): Promise<Funding>;
  /**
   * Reads an order's deposit from its chain, and what became of it. `deal.order` may be absent: what the journal holds is
   * enough. Only what is tied to the order counts: what the contract keeps under the id, or in the account, that follows
   * from the terms, with this payer, redeemer, amount, timelock and secret hash; what was paid to its own address. `unknown`
   * where there is no way to read the chain from here. Rejects where a read failed: that proves nothing; with `Disagreement`
   * where several addresses are named for the chain and contradict each other, as `readPayout` does.
   */
  readDeposit(deal: Deal, options: ReadDepositOptions): Promise<DepositOnChain>;
  /**
   * The deposits that an order may have by its own terms, into each contract that is known for its asset: to look for one
   * where nobody says how it was paid. Absent where only the service's word leads to it.
   */
  depositsOf?(order: Order, from: Asset): readonly Deposit[];
  /**
   * Reads from a chain what transactions gave a recipient of an asset. `undefined` where there is no way to read it from
   * here. Rejects where a read failed: that proves nothing. `secretHash`: that of the swap, whose secret a payout reveals.
   * `since`: what is in a block from before that, in milliseconds since 1970, is no payout of it.
   */
  readPayout(
    asset: Asset,
    recipient: string,
    hashes: readonly string[],
    options: ReadOptions & {readonly secretHash?: string | undefined; readonly since?: number | undefined},
  ): Promise<PayoutOnChain | undefined>;
  /**
   * The fee rate of payments to a deposit's address while one waits for a block; `undefined` otherwise. Never rejects.
   */
  readFee?(deal: Deal, options: ReadOptions): Promise<FeeHint | undefined>;
}

/** What leads from a payment to its refund where nothing is left but the chain. Loaded for a rescue file alone. */
export interface ChainRescue {
  /** The deposit that makes these terms, for `readDeposit` and `refund`. Throws for terms that are none. */
  depositOf(terms: PaidTerms, chain: Chain): Deposit;
  /** What a transaction paid into swaps, by the contracts' own records. Rejects where a read failed. */
  paymentsIn(chain: Chain, hash: string, options: ReadOptions): Promise<readonly PaidTerms[]>;
  /** The token that a contract names as its own; `undefined` where it names none, or the chain cannot be read. */
  tokenOf(chain: Chain, contract: string, options: ReadOptions): Promise<string | undefined>;
  /** The number of the newest block or slot; `undefined` where the chain cannot be read. */
  height(chain: Chain, options: ReadOptions): Promise<bigint | undefined>;
  /**
   * Whether a contract gets the rights of whoever signs the refund, so that a hostile one could take from them. Then only an
   * account that the call does not name may sign for one that is not known.
   */
  readonly handsRightsOn: boolean;
}

/** How each family's adapter is loaded, when it is first needed. A family that is not here cannot be swapped. */
export type Adapters = Partial<Record<ChainFamily, () => Promise<ChainAdapter>>>;
