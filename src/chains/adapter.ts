import type {Asset, Chain, ChainFamily} from '../domain/asset.js';
import type {WalletRequest, WalletRequestKind, CheckReport, Deal, Funding, FundWay} from '../domain/deposit.js';

/** Something that can be chosen to pay or to receive with, as it announced itself. */
export interface Wallet {
  /** The same on every visit, so that the last one used can be offered first. */
  readonly id: string;
  readonly family: ChainFamily;
  /** On one line. Empty where the page brought a wallet that tells no name. */
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
    readonly signal?: AbortSignal;
    /** Is told when a window opens for it within the page. Nothing of the widget's should stand in front of that. */
    readonly onWindow?: () => void;
  }): Promise<Account>;
}

/** An address in a connected wallet. */
export interface Account {
  readonly family: ChainFamily;
  readonly address: string;
  readonly wallet: Wallet;
  /** Tells when the wallet changes to another account, or to none, until the signal aborts. */
  watch(changed: (account: Account | undefined) => void, signal: AbortSignal): void;
}

export interface DiscoverOptions {
  readonly signal: AbortSignal;
  /** Where wallets on other devices are wanted: the page's project id with WalletConnect, and all chains to swap on. */
  readonly elsewhere?: {readonly projectId: string; readonly chains: readonly Chain[]} | undefined;
}

export interface ReadOptions {
  readonly signal?: AbortSignal;
  /** The account whose wallet may be asked to read its chain. Nothing else is asked, but the chain's own `rpc`. */
  readonly account?: Account | undefined;
}

/** What an adapter tells of a question. */
export type WalletRequestUpdate = Pick<WalletRequest, 'kind' | 'state' | 'hash' | 'lifetime'>;

export interface FundOptions extends ReadOptions {
  readonly way: FundWay;
  /** Says what will be asked for, in order, before the first question; anew where another way is gone. */
  onPlan?(plan: readonly WalletRequestKind[]): void;
  /**
   * Says why the order goes by transaction though a signature was wanted: what is strange in what would be signed, or in
   * what was signed. All is checked, planned and shown to the page anew after that.
   */
  onFallback?(reason: string): void;
  /**
   * Is told of each question before it is asked (`asking`) and after it is answered, and is waited for:
   * a question that cannot be written down is not asked. An answer that comes after nobody waited any more is told too,
   * when the funding has long ended.
   */
  onWalletRequest(ask: WalletRequestUpdate): Promise<void>;
  /** Is shown the report of the last check and the very object that the wallet will get; rejects to hold the payment. */
  beforeSign?(report: CheckReport, payload: unknown): Promise<void>;
}

/** What the chain says of a deposit. */
export type DepositState =
  /** The chain was read, and there is none. One that is still on its way may not show. */
  | 'none'
  /** It is on its way or there. */
  | 'seen'
  /** Its transaction was refused by the chain; nothing was paid. */
  | 'reverted'
  /** There is none, and what was signed for it is out of date: it can never get there. */
  | 'expired'
  /** The chain cannot be read from here. */
  | 'unknown';

/** What a payment that waits for a block gives for its size, beside what is asked for. */
export interface FeeHint {
  /** What it gives; the least, where there are several. */
  readonly paid: number;
  /** What gets into one of the next blocks. */
  readonly wanted: number;
  /** What both are told in, as people on this chain write it. */
  readonly unit: string;
}

/** All that differs between families of chains. */
export interface ChainAdapter {
  readonly family: ChainFamily;
  /** Whether a text is an address on this chain, with its checksum where it has one. */
  isAddress(chain: Chain, text: string): boolean;
  /** Whether two texts are the same address. */
  isSameAddress(one: string, other: string): boolean;
  /**
   * After so many milliseconds what the service prepared can no longer get to the chain, whoever signs or signed it; with
   * a margin for clocks. Absent where it stays good.
   */
  readonly expiresAfter?: number;
  /** Tells of wallets as they announce themselves, until the signal aborts. Nothing is connected. */
  discover(found: (wallet: Wallet) => void, options: DiscoverOptions): void;
  /**
   * A wallet that the page has in its hands, in the form in which its family's libraries give it. Nothing is asked.
   * @throws SwapError `config` (`field`: `wallets.` and the family) for what cannot pay.
   */
  walletOf?(given: unknown): Wallet | Promise<Wallet>;
  /**
   * Whether code stands at an address of a chain, so that it is a contract of that chain alone; `undefined` where nobody can tell.
   * What only hands an account's calls on (EIP-7702) is none. Absent where it makes no difference.
   */
  isContract?(chain: Chain, address: string, options: ReadOptions): Promise<boolean | undefined>;
  /** What an account has of an asset; `undefined` where nobody can tell. */
  balance?(asset: Asset, account: Account, options?: ReadOptions): Promise<bigint | undefined>;
  /** What paying in a chain's own coin leaves for the chain's fee, at the most; 0 where the fee is paid in another one. */
  reserve?(asset: Asset, account: Account, options?: ReadOptions): Promise<bigint>;
  /** Holds what the service wants signed or paid against what the person agreed to. Never rejects: what cannot be read is `unchecked`. */
  check(deal: Deal, options: ReadOptions): Promise<CheckReport>;
  /**
   * Funds an order: checks once more, right before each question, on the very object that the wallet gets.
   * @throws SwapError `rejected` (a clear no), `wallet-unclear` (no clear answer, or the chain shows it as paid: it may
   * have been), `wallet-failed` (it did not do it, and certainly sent nothing), `wallet-locked`, `wallet-missing`, `wrong-account`, `wrong-network`, `insufficient-funds`,
   * `approval-failed`, `funding-reverted` (the chain would refuse it, so nobody was asked), `timeout` (the chain could
   * not be read, so nobody was asked), `expired` (what was prepared is out of date: it takes a fresh order),
   * `deposit-mismatch` (`field`: the checks that failed; `cause`: the report).
   */
  fund(deal: Deal, account: Account, options: FundOptions): Promise<Funding>;
  /**
   * Whether this order's deposit is on its way, where the chain can tell. `hash`, `lifetime`: those of its transaction,
   * where they are known.
   */
  findDeposit(
    deal: Deal,
    options: ReadOptions & {readonly hash?: string | undefined; readonly lifetime?: string | undefined},
  ): Promise<DepositState>;
  /** What payments to a deposit's address give for a block, as long as one waits; `undefined` where nobody can tell. Never rejects. */
  readFee?(deal: Deal, options: ReadOptions): Promise<FeeHint | undefined>;
  /** Whether the contract would pay a refund now; `undefined` where the chain cannot tell. Never rejects. */
  canRefund?(deal: Deal, options: ReadOptions): Promise<boolean | undefined>;
  /**
   * The contract's own refund after the timelock; answers the transaction's hash. Absent where there is none (Bitcoin).
   * @throws SwapError as `fund` does; `funding-reverted` where the contract would refuse it, as before the timelock ends.
   */
  refund?(
    deal: Deal,
    account: Account,
    options: Omit<FundOptions, 'way' | 'onPlan' | 'onFallback' | 'beforeSign'>,
  ): Promise<string>;
}

/** How each family's adapter is loaded, when it is first needed. A family that is not here cannot be swapped. */
export type Adapters = Partial<Record<ChainFamily, () => Promise<ChainAdapter>>>;
