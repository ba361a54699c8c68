import {SwapError} from './error.js';
import type {AffiliateFee} from './affiliate.js';
import {formatAmount} from './amount.js';
import type {Asset, ChainFamily} from './asset.js';
import type {Leg, Order} from './order.js';

/** What a person agreed to in the review. */
export interface Agreement {
  readonly from: Asset;
  readonly to: Asset;
  /** What leaves, in the smallest unit of `from`. */
  readonly amount: bigint;
  /** What arrives by the price that was ordered, in the smallest unit of `to`. */
  readonly receive: bigint;
  /** The least that may arrive: the price shown less the tolerance. */
  readonly atLeast: bigint;
  /** Who pays, and gets a refund: `source.owner` of the order. */
  readonly owner: string;
  /** Who receives: `destination.owner` of the order. */
  readonly recipient: string;
  readonly affiliateFees: readonly AffiliateFee[];
  readonly solverId: string;
}

/** How an order wants to be funded (API, Deposit methods): by sending an amount to an address, or through a wallet. */
export type Deposit = TransferDeposit | WalletDeposit;

/** Send exactly this amount to this address. */
export interface TransferDeposit {
  readonly how: 'transfer';
  readonly address: string;
  /** In the smallest unit. */
  readonly amount: bigint;
}

/** Under which scheme wallets take a payment from a link or a code, on chains that have one. */
const PAYMENT_SCHEMES: Partial<Record<ChainFamily, string>> = {
  /** BIP-21, “URI Scheme”: the amount is decimal text in whole coins. */
  bitcoin: 'bitcoin',
};

/** A payment as a link or a code that wallets read; `undefined` where a chain has no such form. */
export function paymentUri({chain, decimals}: Asset, address: string, amount: bigint): string | undefined {
  const scheme = PAYMENT_SCHEMES[chain.family];
  return scheme && `${scheme}:${encodeURIComponent(address)}?amount=${formatAmount(amount, decimals)}`;
}

/** What of a leg is still to be paid, and what was paid beyond it. */
export function dueOf({amount, filled}: Pick<Leg, 'amount' | 'filled'>): {
  readonly missing: bigint;
  readonly surplus: bigint;
} {
  return {missing: filled < amount ? amount - filled : 0n, surplus: filled > amount ? filled - amount : 0n};
}

/** A wallet signs or sends what the service prepared. */
export interface WalletDeposit {
  readonly how: 'wallet';
  /** The possible ways, in the order in which to try them. */
  readonly ways: readonly [FundWay, ...FundWay[]];
  readonly payload: EvmPayload | SolanaPayload | StarknetPayload;
}

/** By a transaction of the payer's own, or by a signature that the service takes to the chain at its own cost. */
export type FundWay = 'signature' | 'transaction';

/** What the service prepared for an EVM chain, unread and unchecked, as it came. */
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

/** EIP-712 typed data, exactly as the service sent it, so that what is checked is what the wallet gets. */
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

/** API, Starknet: a call whose entry point is a selector already, and SNIP-12 typed data. */
export interface StarknetPayload {
  readonly family: 'starknet';
  readonly call: {readonly to: string; readonly selector: string; readonly calldata: readonly string[]};
  readonly typedData?: TypedData;
}

/** Rules that a partner can make stricter or fill in. */
export interface Policy {
  /** Whether an asset without a known swap contract stops the swap instead of showing an unchecked line. */
  readonly requirePins: boolean;
  /**
   * Per asset id, who may take what is paid: addresses of solvers, on Bitcoin their keys. A payment to another stops the
   * swap. Absent: anyone.
   */
  readonly redeemers?: Readonly<Record<string, readonly string[]>>;
}

/** What was agreed, what the service answered, and the order as read back once it can be. Frozen: what is checked is what is handed to the wallet. */
export interface Deal {
  readonly orderId: string;
  readonly agreed: Agreement;
  readonly deposit: Deposit;
  readonly order?: Order;
  readonly policy: Policy;
}

/** A deal of what is known of an order by now. */
export function dealOf(
  {orderId, agreed, deposit}: Pick<Deal, 'orderId' | 'agreed' | 'deposit'>,
  order: Order | undefined,
  policy: Policy,
): Deal {
  return deepFreeze({orderId, agreed, deposit, ...(order && {order}), policy});
}

/** A deposit without what would be signed, and with what its refund needs. */
export function spentDeposit(deposit: Deposit): Deposit {
  if (deposit.how !== 'wallet' || deposit.payload.family === 'solana') return deposit;
  const {approval: _approval, typedData, ...payload} = {approval: undefined, ...deposit.payload};
  // The domain names the generation of the contract.
  const domain = typedData && {...typedData, types: {}, message: {}};
  return deepFreeze({...deposit, payload: {...payload, ...(domain && {typedData: domain})}});
}

/** What a check is about. */
export type CheckName =
  /** Exactly the amount agreed leaves. */
  | 'amount'
  /** It is on the chain agreed. */
  | 'chain'
  /** The contract is the one known for this asset. */
  | 'contract'
  /** There is a contract at that address on this very chain: a chain id is no proof of a chain. */
  | 'code'
  /** The contract takes the token agreed. */
  | 'token'
  /** The call is the one that pays into a swap, and nothing else. */
  | 'call'
  /** Who takes the payment is one whom the partner named; not there where none is named (`policy.redeemers`). */
  | 'redeemer'
  /** The address is the one that the order's own keys, timelock and secret hash make. */
  | 'script'
  /** Transaction and signature say the same. */
  | 'same'
  /** No coins leave beside the token. */
  | 'value'
  /** The typed data has the form of the specification. */
  | 'typed-data'
  /** The order as read back is the one agreed: assets, amounts, payer, recipient. */
  | 'order'
  /** One secret opens both legs: its hash is that of the order, and nobody knows it before the payment. */
  | 'secret'
  /** What is paid can be taken back later than what the other side pays. */
  | 'timelock'
  /** A refund goes to the payer. */
  | 'refund'
  /** The order is no earlier one: its address and its secret were never used before. */
  | 'fresh';

/** How one check ended: it passed, it failed, or there was nothing to check against. */
export interface CheckResult {
  readonly name: CheckName;
  readonly outcome: 'passed' | 'failed' | 'unchecked';
  /** What was agreed, in words for the screen: an amount with its unit, an address, a chain's name. */
  readonly expected?: string;
  /** What was found instead, or what was confirmed. */
  readonly found?: string;
}

/** All checks of a deal. One that failed stops the swap. */
export interface CheckReport {
  readonly results: readonly CheckResult[];
  readonly outcome: 'passed' | 'failed';
}

/** Puts check results together. */
export function reportOf(results: readonly CheckResult[]): CheckReport {
  const outcome = results.some(result => result.outcome === 'failed') ? 'failed' : 'passed';
  return Object.freeze({results: Object.freeze(results.map(result => Object.freeze(result))), outcome});
}

/** The same object with nothing but its own fields, whatever scripts of the page added to all objects. */
export function bare<T extends object>(fields: T): T {
  return Object.setPrototypeOf(fields, null) as T;
}

/** Freezes a value and everything in it, also what lies in something that is frozen only on its outside. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

/** Something that a wallet, or with a signature the service, is asked for. */
export type WalletRequestKind =
  /** Take back an earlier allowance, where a token wants that first. */
  | 'revoke'
  /** Release exactly the amount for payment. */
  | 'approve'
  /** Sign the typed data. */
  | 'sign'
  /** Send the payment. */
  | 'send'
  /** The signature is handed to the service, which sends the payment. */
  | 'initiate'
  /** Take the money back after the timelock. */
  | 'refund';

/**
 * One question and what came of it, as the journal keeps it. It is written down as `asking` before it is asked.
 * `refused` is only a clear no; whatever else goes wrong leaves it at `asking`.
 */
export interface WalletRequest {
  readonly kind: WalletRequestKind;
  readonly state: 'asking' | 'sent' | 'signed' | 'refused';
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The transaction's hash, once it is sent. */
  readonly hash?: string;
  /**
   * The blockhash on Solana: once it is out of date, the transaction can no longer get to the chain. Absent on other
   * chains, and where it is not known.
   */
  readonly lifetime?: string;
  /** The id of several calls that the wallet was asked for at once (EIP-5792): by it, it says what became of them. */
  readonly calls?: string;
  /** The person says that it was confirmed in the wallet, though the wallet never said so. */
  readonly claimed?: true;
  /** The person no longer waits for it: the time to pay is over, and the chain shows no payment. */
  readonly abandoned?: true;
}

/** What was done about a deposit: a transaction that was sent, calls that the wallet took, or a signature for the service. */
export type Funding =
  | {readonly how: 'transaction'; readonly hash: string}
  /** Approval and payment, which the wallet took at once (EIP-5792). `id`: what it calls them; no transaction is known yet. */
  | {readonly how: 'calls'; readonly id: string}
  /** As the wallet gave it: hex text on EVM chains, an array on Starknet. */
  | {readonly how: 'signature'; readonly signature: unknown};

/**
 * How a signature of several parts is written for the service, whose format is open (API, PATCH: “format per chain”):
 * the `array` as the wallet gave it, `comma`: decimal numbers with commas between them, `rs`: an object of `r` and `s`.
 */
export type SignatureFormat = 'array' | 'comma' | 'rs';

/**
 * Writes a signature for the service. One of a single part goes as it is.
 * @throws SwapError `config` where the format does not hold all parts: none is ever left out.
 */
export function writeSignature(signature: unknown, format: SignatureFormat): unknown {
  if (!Array.isArray(signature) || format === 'array') return signature;
  const parts = signature.map(part => BigInt(String(part)).toString());
  if (format === 'comma') return parts.join(',');
  if (parts.length !== 2) {
    throw new SwapError('config', {
      field: 'signatureFormat',
      detail: `a signature of ${String(parts.length)} parts does not fit “rs”`,
    });
  }
  return {r: parts[0], s: parts[1]};
}
