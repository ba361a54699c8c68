/*
 * Hash-time-locked contracts, one for each token, as they are on EVM chains and on Starknet. What they mean is said once, in
 * this folder. A family is a dialect: how what is said here is written, hashed, read, signed and sent there.
 */
import type {Chain, ChainFamily, Coin} from '../../domain/asset.js';
import type {Deal, Deposit, TypedData, WalletDeposit, WalletRequestKind} from '../../domain/deposit.js';
import type {Leg} from '../../domain/order.js';
import type {Account, ReadOptions} from '../adapter.js';
import type {Finding, TypedForm} from '../checks.js';
import type {FundingContext} from '../funding.js';
import type {Timeouts} from '../timeouts.js';

/** What is paid into a swap, read from a call or from typed data. */
export interface Terms {
  /** In the one form of its family (`Dialect.address`), as all addresses here. */
  readonly redeemer: string;
  /** In blocks. */
  readonly timelock: bigint;
  readonly amount: bigint;
  /** 64 hex digits in lower case without a prefix. */
  readonly secretHash: string;
}

/** An order as a contract keeps it. */
export interface KeptOrder {
  readonly initiator: string;
  readonly redeemer: string;
  readonly amount: bigint;
  /** In blocks. */
  readonly timelock: bigint;
  /** The block in which it was paid in. */
  readonly block: bigint;
  /** Whether the money still lies there: neither redeemed nor refunded. */
  readonly isHeld: boolean;
  /** The block in which it ended, where the contract says. */
  readonly endedIn?: bigint;
}

/** What an event says. Ids are in the form in which the dialect works them out. */
export type Said =
  | {readonly what: 'paid'; readonly id: string; readonly secretHash: string}
  /** `secret`: hex digits, where the event has any. */
  | {readonly what: 'redeemed'; readonly id: string; readonly secretHash: string; readonly secret: string | undefined}
  | {readonly what: 'refunded'; readonly id: string}
  | {readonly what: 'moved'; readonly from: string; readonly to: string; readonly value: bigint};

/** An event of a swap contract or a token. */
export interface Event {
  /** The contract that says so. */
  readonly by: string;
  readonly said: Said;
  /** Its transaction. */
  readonly hash: string;
  /** Absent while it is in none. */
  readonly block?: bigint | undefined;
}

export interface Receipt {
  readonly isReverted: boolean;
  /** Absent while it is in none. */
  readonly block?: bigint | undefined;
  readonly events: readonly Event[];
}

/** A chain that can be read. Each read rejects where it failed, or where the answer is none. */
export interface Node<Call> {
  hasCode(address: string): Promise<boolean>;
  /** The token of a swap contract; `undefined` where the contract names none. */
  token(contract: string): Promise<string | undefined>;
  /** Without a token, what there is of the chain's own coin, now or after a block. */
  balance(token: string | undefined, owner: string, block?: bigint): Promise<bigint>;
  allowance(token: string, owner: string, spender: string): Promise<bigint>;
  /** What a contract keeps under an id, now or after a block; `undefined` where there is nothing. */
  order(contract: string, id: string, block?: bigint): Promise<KeptOrder | undefined>;
  /** The contract's own events of an order's payment, or of its end, from a block on, or to another. */
  events(contract: string, id: string, of: 'payment' | 'end', from: bigint, to?: bigint): Promise<readonly Event[]>;
  /** `undefined` where the chain does not know the transaction, or has it in no block. */
  receipt(hash: string): Promise<Receipt | undefined>;
  /** `seen`: in no block yet; `none`: the chain does not know it. */
  status(hash: string): Promise<'none' | 'seen' | 'done' | 'reverted'>;
  /** The number of the newest block. */
  head(): Promise<bigint>;
  /** When a block was made, in milliseconds since 1970. */
  time(block: bigint): Promise<number>;
  /** Why the chain would refuse a call now; `undefined` where it would not. */
  refusalOf(call: Call, from: string): Promise<{readonly cause: unknown} | undefined>;
  /** What a transaction itself sent to an address of the chain's own coin, less what it sent from it. */
  sent?(hash: string, to: string): Promise<bigint>;
}

/** One wallet that is asked about one deal. */
export interface Purse<Call> {
  /** The chain that is paid on; `undefined` where there is no way to read it. */
  readonly node: Node<Call> | undefined;
  /** Whether the wallet itself reads the chain. Then a read that fails stops the payment: it would fail there too. */
  readonly reads: boolean;
  /**
   * Whether it takes several calls as one transaction, so that an approval goes with its payment; what needs it cannot be
   * tried before. Otherwise each call is a transaction, and tried.
   */
  readonly batches: boolean;
  /** The current address; `undefined` while it shows none to this page. */
  address(): Promise<string | undefined>;
  /** Brings the wallet to the chain; answers whether it had to move. */
  moveToChain(): Promise<boolean>;
  /** What the wallet will get: frozen, and the same that the page is shown. */
  transaction(from: string, calls: readonly Call[]): unknown;
  /** Asks for a transaction (`requestWallet`); answers its hash. */
  send(kind: WalletRequestKind, transaction: unknown): Promise<string>;
  /** How it takes several calls as one request, all of them or none, where it says that it can (EIP-5792). */
  readonly bundle?: {
    /** Whether it says so. Never rejects, and no window opens. */
    isPossible(): Promise<boolean>;
    /** What the wallet will get: frozen, and the same that the page is shown. */
    of(from: string, calls: readonly Call[]): unknown;
    /**
     * Asks for them (`requestWallet`); answers the id by which the wallet knows them.
     * @throws SwapError `wallet-failed` where it cannot after all, and certainly sent nothing.
     */
    send(bundle: unknown): Promise<string>;
  };
  /** Asks for a signature; answers why there is none where the account can give none. */
  sign(typedData: TypedData): Promise<{readonly signature: unknown} | {readonly fallback: string}>;
}

/** What a wallet says of calls that it took as one request. Where to look, and no proof. */
export interface CallsState {
  /** `taken`: they are under way, or done; `failed`: nothing came of them, and nothing will. */
  readonly state: 'taken' | 'failed';
  /** Their transaction, once there is one. */
  readonly hash?: string | undefined;
}

type WalletPayload = WalletDeposit['payload'];

/** How a family writes, hashes, reads and asks. */
export interface Dialect<Payload extends WalletPayload & {readonly typedData?: TypedData}, Call> {
  readonly family: ChainFamily;

  /* addresses, hashes and ids */

  /** Whether a contract may have this address. */
  isContract(text: string): boolean;
  /** An address in the one form in which they are compared and shown; anything else as it is. */
  address(text: string): string;
  /** The hash of a transaction in one form; `undefined` for what is none. */
  hash(text: string): string | undefined;
  /** The id of an order in one form; `undefined` for what is none. */
  id(text: string): string | undefined;
  /** The ids that contracts of the known generations give an order. */
  ids(chain: Chain, payer: string, contract: string, terms: Terms): Promise<readonly string[]> | readonly string[];

  /* what the service prepared */

  /** What of a deal is for this family, and has its form. */
  payload(deal: Deal): Payload | undefined;
  contract(payload: Payload): string;
  /** What its call pays into a swap; `undefined` for any other call, and for one not exactly in its form. */
  terms(payload: Payload): Terms | undefined;
  /** What its call is, where it is another. */
  callName(payload: Payload): string | undefined;
  /** The payment into a leg, by the contract's own terms. Throws for terms that are none. */
  deposit(leg: Leg, contract: string, chain: Chain): Deposit;
  /** Whether a contract may have ids of its own, beside those that can be worked out. */
  hasOtherIds?(payload: Payload): boolean;
  checkChain(deal: Deal, payload: Payload, signed: TypedData | undefined): Finding;

  /* typed data */

  readonly form: TypedForm;
  /** What typed data would pay into a swap; `undefined` where a part is missing or out of range. */
  signedTerms(typedData: TypedData): Terms | undefined;
  /** The contract that typed data is for, where it names one. */
  signedContract?(typedData: TypedData): unknown;
  /** Names a value that is not exactly in its form. May throw for one. */
  strangeValue(typedData: TypedData): string | false | undefined;

  /* calls, wallets and nodes */

  approveCall(token: string, spender: string, amount: bigint): Call;
  refundCall(contract: string, id: string): Call;
  paymentCall(payload: Payload): Call;
  purse(deal: Deal, account: Account, context: FundingContext): Promise<Purse<Call>> | Purse<Call>;
  /** Whether the wallet is on a chain. */
  isOnChain(account: Account, chain: Chain, timeouts: Timeouts, signal?: AbortSignal): Promise<boolean>;
  /** Whether the wallet says that it takes several calls on a chain as one request. Never rejects. */
  canBundle?(account: Account, chain: Chain, timeouts: Timeouts): Promise<boolean>;
  /** What the wallet says became of such calls. Rejects where it does not know. */
  readCalls?(id: string, account: Account, timeouts: Timeouts, signal?: AbortSignal): Promise<CallsState>;
  /** `undefined` where there is no way to read the chain from here. Rejects where that did not answer. */
  node(chain: Chain, options: ReadOptions, timeouts: Timeouts): Promise<Node<Call> | undefined>;
  /** Whether a read failed by a contract's own answer: it refuses, or gives something else. */
  isAnswer(error: unknown): boolean;
  /** Whether a call is refused because the coins do not cover it. */
  isUncovered?(error: unknown): boolean;
  /** Whether a contract cannot be asked what it keeps. */
  isMute?(error: unknown): boolean;

  /** The chain's own coin, where it can be swapped. */
  readonly coin?: {
    /** What a contract for it names as its token. */
    readonly address: string;
    of(chain: Chain): Coin;
    /** How much of it a payment sends along. */
    value(payload: Payload): bigint;
  };
}

/** Any dialect, where what is its own is only passed on. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyDialect = Dialect<any, any>;
