import type {AffiliateFee} from './affiliate-fee.js';
import {formatAmount} from './amount.js';
import type {Asset} from './asset.js';
import type {Leg, Order} from './order.js';

/** What the visitor agreed to in the review. */
export interface Agreement {
  readonly from: Asset;
  readonly to: Asset;
  /** The amount to pay, in the smallest unit of `from`. */
  readonly amount: bigint;
  /** The amount to arrive at the ordered price, in the smallest unit of `to`. */
  readonly receive: bigint;
  /** The minimum that may arrive: the displayed price less the tolerance. */
  readonly atLeast: bigint;
  /** The payer, who also gets a refund: `source.owner` of the order. */
  readonly owner: string;
  /** The recipient: `destination.owner` of the order. */
  readonly recipient: string;
  readonly affiliateFees: readonly AffiliateFee[];
  readonly solverId: string;
}

/** How an order is funded (API, Deposit methods): by sending an amount to an address, or through a wallet. */
export type Deposit = TransferDeposit | WalletDeposit;

/** Send exactly this amount to this address. */
export interface TransferDeposit {
  readonly how: 'transfer';
  readonly address: string;
  /** In the smallest unit. */
  readonly amount: bigint;
}

/** BIP-21, “URI Scheme”: the amount is decimal text in whole coins. `undefined` if the chain has no such format. */
export function paymentUri({chain, decimals}: Asset, address: string, amount: bigint): string | undefined {
  if (chain.family !== 'bitcoin') return undefined;
  return `bitcoin:${encodeURIComponent(address)}?amount=${formatAmount(amount, decimals)}`;
}

/** The smallest payment to a Taproot address that Bitcoin's nodes pass on, in satoshis (Bitcoin Core, `GetDustThreshold`). */
const SMALLEST_TRANSFER = 330n;

/** What is to be sent to an address for the unpaid part of a leg: that part, but no less than can be sent. */
export function restOf({amount, filled}: Pick<Leg, 'amount' | 'filled'>): bigint {
  const missing = amount - filled;
  if (missing <= 0n) return 0n;
  return missing < SMALLEST_TRANSFER ? SMALLEST_TRANSFER : missing;
}

export function surplusOf({amount, filled}: Pick<Leg, 'amount' | 'filled'>): bigint {
  return filled > amount ? filled - amount : 0n;
}

/** A wallet signs or sends what the service prepared. */
export interface WalletDeposit {
  readonly how: 'wallet';
  /** The possible ways, in the order to try them. */
  readonly ways: readonly [FundWay, ...FundWay[]];
  readonly payload: EvmPayload | SolanaPayload | StarknetPayload;
}

/** By the payer's own transaction, or by a signature that the service submits at its own cost. */
export type FundWay = 'signature' | 'transaction';

/** The service's payload for an EVM chain, unparsed and unchecked. */
export interface EvmPayload {
  readonly family: 'evm';
  readonly transaction: EvmTransaction;
  readonly typedData?: TypedData;
  /** Practice: a prepared approval. Only a hint that one is needed; the widget builds its own. */
  readonly approval?: EvmTransaction;
}

/** API, EVM `transaction`. It is not an `eth_sendTransaction` object yet. */
export interface EvmTransaction {
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
  readonly gasLimit: bigint;
  readonly chainId: number;
}

/** EIP-712 typed data, exactly as the service sent it, so that the wallet gets exactly what was checked. */
export interface TypedData {
  readonly domain: Readonly<Record<string, unknown>>;
  readonly primaryType: string;
  readonly types: Readonly<Record<string, readonly {readonly name: string; readonly type: string}[]>>;
  readonly message: Readonly<Record<string, unknown>>;
}

/** API, Solana: a serialized transaction as text, hex or base64. */
export interface SolanaPayload {
  readonly family: 'solana';
  readonly transaction: string;
}

/** API, Starknet: a call with its entry point already as a selector, and SNIP-12 typed data. */
export interface StarknetPayload {
  readonly family: 'starknet';
  readonly call: {readonly to: string; readonly selector: string; readonly calldata: readonly string[]};
  readonly typedData?: TypedData;
}

/** Rules that a partner can make stricter or fill in. */
export interface Policy {
  /**
   * What becomes of a payment that is bounded and consistent, but to a contract, script or program, or in a form, that is
   * neither known nor vouched for: the visitor is asked about it, or it is stopped. Default: asked between testnets,
   * whose coins have no value, else stopped.
   */
  readonly unverified?: 'ask' | 'stop';
  /**
   * Per asset id, who may redeem the payment: addresses of solvers, on Bitcoin their keys. Any other redeemer stops the
   * swap. Default: anyone.
   */
  readonly redeemers?: Readonly<Record<string, readonly string[]>>;
}

/** What a sanctions list says of both addresses (`policy.screen`); `unscreened`: it was not read, which is no verdict. */
export type Screening = Readonly<Record<'payer' | 'recipient', 'clear' | 'listed' | 'unscreened'>>;

/** What a wallet is about to be asked for: the payment, with all that goes with it, or an approval alone. */
export type SignStep = 'pay' | 'approve';

/** What was agreed, the service's answer, and the order once it is read back. Frozen: the wallet gets what was checked. */
export interface Deal {
  readonly orderId: string;
  readonly agreed: Agreement;
  readonly deposit: Deposit;
  readonly order?: Order;
  readonly policy: Policy;
  /** Its payment was unverified when the visitor agreed to it: nothing that its contract says of itself is believed. */
  readonly unverified?: true;
}

/** A deal from what is known of an order so far. Its own networks decide what the partner's rules leave open. */
export function dealOf(
  {orderId, agreed, deposit, unverified}: Pick<Deal, 'orderId' | 'agreed' | 'deposit' | 'unverified'>,
  order: Order | undefined,
  policy: Policy,
): Deal {
  const {from, to} = agreed;
  const rules = {unverified: from.chain.test && to.chain.test ? ('ask' as const) : ('stop' as const), ...policy};
  return deepFreeze({orderId, agreed, deposit, ...(order && {order}), policy: rules, ...(unverified && {unverified})});
}

/** A deposit without what was to be signed, but with what its refund needs. */
export function spentDeposit(deposit: Deposit): Deposit {
  if (deposit.how !== 'wallet' || deposit.payload.family === 'solana') return deposit;
  const {approval: _approval, typedData, ...payload} = {approval: undefined, ...deposit.payload};
  // The domain identifies the contract's generation.
  const domain = typedData && {...typedData, types: {}, message: {}};
  return deepFreeze({...deposit, payload: {...payload, ...(domain && {typedData: domain})}});
}

/** The subject of a check. */
export type CheckName =
  /** Exactly the agreed amount leaves. */
  | 'amount'
  /** It is on the agreed chain. */
  | 'chain'
  /** The contract is the known one for this asset. */
  | 'contract'
  /** There is a contract at that address on this very chain: a chain id does not prove the chain. */
  | 'code'
  /** The contract accepts the agreed token. */
  | 'token'
  /** The call pays into a swap, and does nothing else. */
  | 'call'
  /** The redeemer is one that the partner named; absent if none is named (`policy.redeemers`). */
  | 'redeemer'
  /** The address derives from the order's own keys, timelock and secret hash. */
  | 'script'
  /** Transaction and signature have the same content. */
  | 'same'
  /** No native coin is sent in addition to the token. */
  | 'value'
  /** The typed data has the specified format. */
  | 'typed-data'
  /** The order as read back is the agreed one: assets, amounts, payer, recipient. */
  | 'order'
  /** One secret opens both legs: its hash is the order's, and it is unknown before the payment. */
  | 'secret'
  /** The payment's timelock ends after the other side's. */
  | 'timelock'
  /** A refund goes to the payer. */
  | 'refund'
  /** The order is not an earlier one: its address and its secret were never used before. */
  | 'fresh';

/** Where one of two compared values is from. */
export type CheckSide =
  /** The visitor's agreement. */
  | 'agreed'
  /** What is to be paid, sent or called. */
  | 'payment'
  /** What is to be signed. */
  | 'signature'
  /** The order, as the service describes it. */
  | 'order'
  /** What follows from the order's own terms. */
  | 'derived'
  /** What the widget knows, or the site named. */
  | 'known'
  /** The chain itself. */
  | 'chain';

/** The result of one check. */
export interface CheckResult {
  readonly name: CheckName;
  /**
   * `unverified`: what was found is neither known nor vouched for, so that the visitor must be asked, or it is stopped;
   * `unchecked`: it could not be looked up.
   */
  readonly outcome: 'passed' | 'failed' | 'unverified' | 'unchecked';
  /** The value to compare with, in words for the screen: an amount with its unit, an address, a chain's name. */
  readonly expected?: string;
  /** The value found instead, or the confirmed one. */
  readonly found?: string;
  /** Where `expected` and `found` are from, if it failed. */
  readonly sides?: readonly [CheckSide, CheckSide];
  /** Another asset of the payer that the contract has permission to take, by its token. */
  readonly allowed?: {readonly token: string; readonly symbol: string};
  /** It did not pass by what a node of the chain answered (`true`), or as none did (`false`): another may know better. */
  readonly isRead?: boolean;
}

/**
 * The check that tells why a deal was stopped: the first that compared two values and found them to differ. What could
 * not be read makes other checks fail, which accuse nobody. Without a failed one it is the first `unverified` one.
 */
export function causeOf({results}: Pick<CheckReport, 'results'>): CheckResult | undefined {
  const failed = results.filter(({outcome}) => outcome === 'failed');
  const differing = failed.find(({expected, found}) => expected !== undefined && found !== undefined);
  return differing ?? failed.find(({name}) => name === 'call') ?? failed[0] ?? unverifiedIn({results})[0];
}

/** What a report found to be neither known nor vouched for. */
export function unverifiedIn({results}: Pick<CheckReport, 'results'>): readonly CheckResult[] {
  return results.filter(({outcome}) => outcome === 'unverified');
}

/**
 * All checks of a deal. `failed`: it is not paid; `unverified`: only after the visitor's yes to exactly these findings;
 * `passed`: all that could be looked up is right.
 */
export interface CheckReport {
  readonly results: readonly CheckResult[];
  readonly outcome: 'passed' | 'unverified' | 'failed';
}

/** Combines check results. Where the partner lets nobody be asked, an unverified payment is stopped. */
export function reportOf(
  results: readonly CheckResult[],
  {unverified}: Pick<Policy, 'unverified'> = {unverified: 'stop'},
): CheckReport {
  const has = (outcome: CheckResult['outcome']) => results.some(result => result.outcome === outcome);
  const isOpen = has('unverified');
  const isStopped = has('failed') || (isOpen && unverified !== 'ask');
  const outcome = isStopped ? 'failed' : isOpen ? 'unverified' : 'passed';
  return Object.freeze({results: Object.freeze(results.map(result => Object.freeze(result))), outcome});
}

/** The same object without a prototype, so that the page's scripts cannot add fields to it. */
export function bare<T extends object>(fields: T): T {
  return Object.setPrototypeOf(fields, null) as T;
}

/** Freezes a value and everything in it, even inside objects that are already frozen shallowly. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

/** A request to a wallet, or to the service with a signature. */
export type WalletRequestKind =
  /** Revoke an earlier allowance, if the token requires that first. */
  | 'revoke'
  /** Approve exactly the amount for payment. */
  | 'approve'
  /** Sign the typed data. */
  | 'sign'
  /** Send the payment. */
  | 'send'
  /** Hand the signature to the service, which sends the payment. */
  | 'initiate'
  /** Refund the money after the timelock. */
  | 'refund';

/**
 * One request and its result, as the journal stores it. It is recorded as `asking` before it is made.
 * `refused` is only an explicit rejection; after any other failure it stays `asking`.
 */
export interface WalletRequest {
  readonly kind: WalletRequestKind;
  readonly state: 'asking' | 'sent' | 'signed' | 'refused';
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The transaction's hash, once it is sent. */
  readonly hash?: string;
  /**
   * What ends the transaction's life: on Solana its blockhash, which expires; on EVM chains its nonce (decimal digits),
   * which another transaction may take. Absent on other chains, and if it is unknown.
   */
  readonly lifetime?: string;
  /** The wallet's id for several calls in one request (EIP-5792), by which it reports their status. */
  readonly calls?: string;
  /** The visitor says that it was confirmed in the wallet, although the wallet never reported so. */
  readonly claimed?: true;
  /** The visitor no longer waits for it: no payment is seen in time. Where it is `refused`: only by their own word. */
  readonly abandoned?: true;
  /** The chain showed since that nothing is left of the allowance that it gave, as far as a chain can be read. */
  readonly revoked?: true;
}

/** How a deposit was funded: by a transaction, by calls that the wallet accepted, or by a signature for the service. */
export type Funding =
  | {readonly how: 'transaction'; readonly hash: string}
  /** Approval and payment, accepted by the wallet in one request (EIP-5792) with this `id`; no transaction is known yet. */
  | {readonly how: 'calls'; readonly id: string}
  /** As the wallet returned it: hex text on EVM chains, an array on Starknet. */
  | {readonly how: 'signature'; readonly signature: unknown};
