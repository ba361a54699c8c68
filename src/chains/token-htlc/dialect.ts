/*
 * Hash time-locked contracts, one for each token, as on EVM chains and on Starknet. Their logic is in this folder,
 * once. A family is a dialect: how it is encoded, hashed, read, signed and sent there.
 */
import type {Chain, ChainFamily, Coin} from '../../domain/asset.js';
import type {Deal, Deposit, TypedData, WalletDeposit, WalletRequestKind} from '../../domain/deposit.js';
import type {Leg} from '../../domain/order.js';
import type {Account, ReadOptions} from '../adapter.js';
import type {Finding, IsKeyOf} from '../checks.js';
import type {FundingContext} from '../funding.js';
import type {Timeouts} from '../timeouts.js';
import type {TypedForm} from '../typed-data.js';

/** The terms of a payment into a swap, decoded from a call or from typed data. */
export interface Terms {
  /** In its family's canonical form (`Dialect.address`), like all addresses here. */
  readonly redeemer: string;
  /** In blocks. */
  readonly timelock: bigint;
  readonly amount: bigint;
  /** 64 lowercase hex digits without a prefix. */
  readonly secretHash: string;
}

export interface KeptOrder {
  readonly initiator: string;
  readonly redeemer: string;
  readonly amount: bigint;
  /** In blocks. */
  readonly timelock: bigint;
  readonly block: bigint;
  /** Whether the contract still holds the money: neither redeemed nor refunded. */
  readonly isHeld: boolean;
  /** The block in which it ended, if the contract stores it. */
  readonly endedIn?: bigint;
}

/** A decoded event. Ids are in the form in which the dialect derives them. */
export type Said =
  | {readonly what: 'paid'; readonly id: string; readonly secretHash: string}
  /** `secret`: hex digits, if the event contains any. */
  | {readonly what: 'redeemed'; readonly id: string; readonly secretHash: string; readonly secret: string | undefined}
  | {readonly what: 'refunded'; readonly id: string}
  | {readonly what: 'moved'; readonly from: string; readonly to: string; readonly value: bigint};

export interface Event {
  readonly by: string;
  readonly said: Said;
  readonly hash: string;
  /** Absent while it is unconfirmed. */
  readonly block?: bigint | undefined;
}

export interface Receipt {
  readonly isReverted: boolean;
  /** Absent while it is unconfirmed. */
  readonly block?: bigint | undefined;
  readonly events: readonly Event[];
}

/** Access to a chain. Each read rejects if it failed, or if the result is invalid. */
export interface Node<Call> {
  hasCode(address: string): Promise<boolean>;
  /** The token of a swap contract; `undefined` if it has none. */
  token(contract: string): Promise<string | undefined>;
  /** The balance of a token, or of the native coin without one, now or after a block. */
  balance(token: string | undefined, owner: string, block?: bigint): Promise<bigint>;
  /** An allowance of a token, now or after a block. */
  allowance(token: string, owner: string, spender: string, block?: bigint): Promise<bigint>;
  /** A contract's record under an id, now or after a block; `undefined` if there is none. */
  order(contract: string, id: string, block?: bigint): Promise<KeptOrder | undefined>;
  /** The contract's own events for an order's payment or end, from a block on, up to another. */
  events(contract: string, id: string, of: 'payment' | 'end', from: bigint, to?: bigint): Promise<readonly Event[]>;
  /**
   * What a token itself says to have left an account, from a block on. Absent where its events cannot be found by their
   * sender: on Starknet not all tokens index it.
   */
  moves?(token: string, owner: string, since: bigint): Promise<readonly Event[]>;
  /** `undefined` if the chain does not know the transaction, or it is unconfirmed. */
  receipt(hash: string): Promise<Receipt | undefined>;
  /** `seen`: unconfirmed; `none`: unknown to the chain. */
  status(hash: string): Promise<'none' | 'seen' | 'done' | 'reverted'>;
  /** A transaction's sender and nonce; `undefined` if the chain does not know it. Absent where it proves nothing. */
  sender?(hash: string): Promise<{readonly address: string; readonly nonce: bigint} | undefined>;
  /** Whether a transaction of an account's own is in no block yet. Absent where no node tells. */
  hasUnconfirmed?(owner: string): Promise<boolean>;
  /** The next nonce of an account, after a block. */
  nonce?(owner: string, block: bigint): Promise<bigint>;
  head(): Promise<bigint>;
  /** A block's time, in milliseconds since 1970. */
  time(block: bigint): Promise<number>;
  /** Why a call would fail now; `undefined` if it would not. */
  refusalOf(call: Call, from: string): Promise<{readonly cause: unknown} | undefined>;
  /**
   * Whether one transaction of these calls costs at most as much as any payment into a swap: a million gas, on Starknet
   * ten transfers of the token. Rejects if the node has no estimate. `deployment`: of an account not deployed yet.
   */
  isCheap(
    calls: readonly Call[],
    from: string,
    token: string | undefined,
    deployment?: () => Promise<unknown>,
  ): Promise<boolean>;
  /** The amount of native coin that a transaction itself sent to an address, less what it sent from it. */
  sent(hash: string, to: string): Promise<bigint>;
}

/** One wallet that is prompted for one deal. */
export interface Purse<Call> {
  readonly node: Node<Call> | undefined;
  /** Whether the wallet itself reads the chain. Then a failed read stops the payment: it would fail there too. */
  readonly reads: boolean;
  /**
   * Whether several calls are one transaction, so that an approval goes with its payment; a payment that needs it
   * cannot be tried before. Otherwise each call is a transaction, and tried.
   */
  readonly batches: boolean;
  /** What it deploys its account with, if that is yet to be done. Rejects otherwise; no window opens. */
  deployment?(): Promise<unknown>;
  /** The current address; `undefined` while it reveals none to this page. */
  address(): Promise<string | undefined>;
  /** Brings the wallet to the chain; resolves with whether it had to switch. */
  moveToChain(): Promise<boolean>;
  /** The object for the wallet: frozen, and the same that the page is shown. */
  transaction(from: string, calls: readonly Call[]): unknown;
  send(kind: WalletRequestKind, transaction: unknown): Promise<string>;
  /** Several calls in one request, atomically, if the wallet reports support (EIP-5792). */
  readonly bundle?: {
    /** Whether it reports support. Never rejects, and no window opens. */
    isPossible(): Promise<boolean>;
    /** The object for the wallet: frozen, and the same that the page is shown. */
    of(from: string, calls: readonly Call[]): unknown;
    /**
     * Requests them (`requestWallet`); resolves with the wallet's id for them.
     * @throws SwapError `wallet-failed` if it does not support them after all, and certainly sent nothing.
     */
    send(bundle: unknown): Promise<string>;
  };
  /** Requests a signature; resolves with the reason if the account cannot give one. */
  sign(typedData: TypedData): Promise<{readonly signature: unknown} | {readonly fallback: string}>;
}

export type Sender<Call> = Pick<Purse<Call>, 'node' | 'address' | 'moveToChain' | 'transaction' | 'send'>;

/** A wallet's report on calls in one request. It says where to look, and proves nothing. */
export interface CallsState {
  /** `taken`: they are pending or done; `failed`: they have no effect and never will. */
  readonly state: 'taken' | 'failed';
  /** Their transaction, once there is one. */
  readonly hash?: string | undefined;
}

type WalletPayload = WalletDeposit['payload'];

type AnyPayload = WalletPayload & {readonly typedData?: TypedData};

/** The part of a dialect with which a payment is found and taken back: all that the rescue page loads. */
export type ContractDialect<Payload extends AnyPayload, Call> = Pick<
  Dialect<Payload, Call>,
  | ('family' | 'isContract' | 'address' | 'hash' | 'id' | 'ids' | 'payload' | 'contract' | 'terms' | 'deposit')
  | ('refundCall' | 'sender' | 'node' | 'isAnswer' | 'isMute')
>;

export interface Dialect<Payload extends AnyPayload, Call> {
  readonly family: ChainFamily;

  isContract(text: string): boolean;
  /** An address in canonical form, for comparison and display; anything else as it is. */
  address(text: string): string;
  hash(text: string): string | undefined;
  id(text: string): string | undefined;
  ids(chain: Chain, payer: string, contract: string, terms: Terms): Promise<readonly string[]> | readonly string[];

  /** A deal's payload, if it is for this family and has the right form. */
  payload(deal: Deal): Payload | undefined;
  contract(payload: Payload): string;
  /**
   * The terms that its call pays into a swap; `undefined` for any other call, and for one not exactly in its form.
   * `entry`: the name of the entry point that the partner vouches for, in place of the known one.
   */
  terms(payload: Payload, entry?: string): Terms | undefined;
  /** Whether its call is of that entry point, or of the known one. Absent where the partner vouches for all calls. */
  isEntry?(payload: Payload, entry: string | undefined): boolean;
  /** Loads what derives addresses from public keys; absent where none follows from a key. */
  keys?(): Promise<IsKeyOf>;
  /** The name of its call, if it is another one. */
  callName(payload: Payload): string | undefined;
  /** The payment into a leg, with the contract's own terms. Throws for invalid terms. */
  deposit(leg: Leg, contract: string, chain: Chain): Deposit;
  /** Whether a contract may have its own ids, besides those that can be derived. */
  hasOtherIds?(payload: Payload): boolean;
  checkChain(deal: Deal, payload: Payload, signed: TypedData | undefined): Finding;

  readonly form: TypedForm;
  signedTerms(typedData: TypedData): Terms | undefined;
  /** The contract that typed data is for, as it names it. Absent in a family whose typed data names none. */
  signedContract?(typedData: TypedData): string;
  /** Names a value that does not exactly have its form. May throw for one. */
  strangeValue(typedData: TypedData): string | false | undefined;

  approveCall(token: string, spender: string, amount: bigint): Call;
  refundCall(contract: string, id: string): Call;
  paymentCall(payload: Payload, entry?: string): Call;
  /** What is left of a purse for a refund. */
  sender(deal: Deal, account: Account, context: FundingContext): Promise<Sender<Call>> | Sender<Call>;
  purse(deal: Deal, account: Account, context: FundingContext): Promise<Purse<Call>> | Purse<Call>;
  isOnChain(account: Account, chain: Chain, timeouts: Timeouts, signal?: AbortSignal): Promise<boolean>;
  /** Whether the wallet reports that it accepts several calls on a chain in one request. Never rejects. */
  canBundle?(account: Account, chain: Chain, timeouts: Timeouts): Promise<boolean>;
  /** The wallet's report on such calls. Rejects if it does not know them. */
  readCalls?(id: string, account: Account, timeouts: Timeouts, signal?: AbortSignal): Promise<CallsState>;
  /** `undefined` if there is no way to read the chain. Rejects if that does not respond. */
  node(chain: Chain, options: ReadOptions, timeouts: Timeouts): Promise<Node<Call> | undefined>;
  /** Whether a read failed with the contract's own response: a revert, or an unexpected result. */
  isAnswer(error: unknown): boolean;
  isUncovered?(error: unknown): boolean;
  /** Whether a contract has no view of its orders. */
  isMute?(error: unknown): boolean;

  /** The native coin, if it can be swapped. */
  readonly coin?: {
    /** The token address in its contracts. */
    readonly address: string;
    of(chain: Chain): Coin;
    value(payload: Payload): bigint;
  };
}

/** Any dialect, where its own types are only passed on. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyDialect = Dialect<any, any>;
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyContractDialect = ContractDialect<any, any>;
