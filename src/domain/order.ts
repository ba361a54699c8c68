import type {AffiliateFee} from './affiliate-fee.js';
import type {AssetId, Chain} from './asset.js';

/** The latest supported time, in milliseconds since 1970: the end of the year 9999. */
export const LATEST = Date.UTC(10_000, 0) - 1;

/** Something that happened on a chain: one or several transactions, and when they were included in a block. */
export interface ChainEvent {
  /**
   * Transaction hashes. Several deposits to one leg have several (practice: a comma-separated list of
   * `<hash>:<block>`). Empty if only a contract shows that it happened.
   */
  readonly hashes: readonly string[];
  /** The block it is in; absent while it is unconfirmed. */
  readonly block?: bigint;
  /** When it happened, in milliseconds since 1970, if the service reports it. */
  readonly at?: number;
  /** The chain itself showed it. Otherwise the service claims it. */
  readonly onChain?: true;
}

/** One leg of an order: the swap on the source or on the destination chain (API, Swap object). */
export interface Leg {
  /** The service's id for it; on a Bitcoin leg the deposit address. */
  readonly swapId: string;
  /** When it was created, in milliseconds since 1970. */
  readonly createdAt?: number;
  /** The chain's name, as in the asset's id. */
  readonly chain: string;
  readonly asset: AssetId;
  /** Address or key of the party that pays in. */
  readonly initiator: string;
  /** Address or key of the party that redeems it. */
  readonly redeemer: string;
  /** On Bitcoin legs: the key that the service holds for the person without one. */
  readonly delegate?: string;
  /** In blocks of its chain (practice; the specification names no unit). */
  readonly timelock: number;
  /** In the smallest unit. */
  readonly amount: bigint;
  /** The amount paid in, in the smallest unit; all of it if the service names a payment without an amount. */
  readonly filled: bigint;
  /** The price of one whole unit of the asset; its currency is not documented. */
  readonly assetPrice?: number;
  /** 64 lowercase hex digits without a prefix; empty if the service has none yet. */
  readonly secretHash: string;
  /** Lowercase hex digits without a prefix; empty until it is revealed. */
  readonly secret: string;
  /** A half-signed transaction in hex, on a Bitcoin source leg only. It cannot be sent as it is. */
  readonly instantRefundTx?: string;
  /** The payment into it: `initiate_tx_hash`, `initiate_block_number`, `initiate_timestamp`. */
  readonly initiated?: ChainEvent;
  /** The payout, to whom it is owed: `redeem_…`. */
  readonly redeemed?: ChainEvent;
  /** The refund, to whoever paid in: `refund_…`. */
  readonly refunded?: ChainEvent;
  /** Of the payment into it: the current number, and the one that the service requires. */
  readonly confirmations: {readonly current: number; readonly required: number};
}

/**
 * An affiliate fee as an order stores it (API, Order: the format is not documented). Unreadable parts of an entry are
 * absent; of one in an unknown format, all parts are.
 */
export interface ChargedFee extends Partial<AffiliateFee> {
  /** In the payout asset's smallest unit, calculated from prices at quote time. */
  readonly amount?: bigint;
}

/** An order as read from the service (API, Order). */
export interface Order {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /**
   * Until when it may be paid, in milliseconds since 1970. Not documented: accepted if a response has it, and never
   * before the order's creation.
   */
  readonly deadline?: number;
  readonly source: Leg;
  readonly destination: Leg;
  /** Decimal digits; it may be larger than a `number` can hold. */
  readonly nonce: string;
  /** Empty if none is attached; absent if the service returns nothing readable about them. */
  readonly affiliateFees?: readonly ChargedFee[];
  /** The integrator through which it was placed, on some orders. */
  readonly integrator?: string;
  /** `v1` or `v2`; what that means is not documented. */
  readonly version: string;
}

/**
 * Whether a text can be the id of an order, which goes into paths and queries: 1 to 128 characters of `!` to `~`, but
 * not `.` or `..`, which a URL reads as folders (RFC 3986, 5.2.4).
 */
export function isOrderId(text: string): boolean {
  return /^(?!\.{1,2}$)[!-~]{1,128}$/.test(text);
}

export function isPart({filled, amount}: Pick<Leg, 'filled' | 'amount'>): boolean {
  return filled > 0n && filled < amount;
}

export function isPaid(order: Order | undefined): boolean {
  return order?.source.initiated !== undefined && !isPart(order.source);
}

export function isConfirmed({confirmations: {current, required}}: Pick<Leg, 'confirmations'>): boolean {
  return current >= required;
}

/**
 * How long a swap took, in milliseconds: from the order to the payout. `undefined` if it arrived within the second, which
 * is what chains count in, or by its chain's clock before.
 */
export function travelTime({createdAt}: Pick<Order, 'createdAt'>, arrivedAt: number | undefined): number | undefined {
  const took = arrivedAt === undefined ? 0 : arrivedAt - createdAt;
  return took < 1000 ? undefined : took;
}

/**
 * When the source leg's timelock ends and its money can be refunded, estimated by the service's clock, in milliseconds
 * since 1970. `undefined` while the deposit is not in a block, or if the service does not report when it was included.
 */
export function refundOpensAt(leg: Leg, blockSeconds: number): number | undefined {
  if (leg.initiated?.block === undefined || leg.initiated.at === undefined) return undefined;
  return after(leg.initiated.at, leg.timelock, blockSeconds);
}

/** The earliest end of the source leg's timelock if the time of payment is unknown: counted from the order's creation. */
export function earliestRefund({createdAt, source}: Pick<Order, 'createdAt' | 'source'>, blockSeconds: number): number {
  return after(createdAt, source.timelock, blockSeconds);
}

/** The time after a number of blocks. A service may return more of them than dates can represent. */
function after(at: number, blocks: number, blockSeconds: number): number {
  // Zero blocks take no time, even if the block time is unknown.
  return Math.min(at + (blocks && blocks * blockSeconds * 1000), LATEST);
}

/** What was ever seen of the payment into a leg: every transaction, and the highest amount at once. */
export interface SeenPayment {
  readonly hashes: readonly string[];
  readonly filled: bigint;
}

/** In case a hostile service returns new ones endlessly: they are stored in the browser. */
const MOST_SEEN = 50;

/** What was seen so far, plus what there is now; the same object if nothing is new. */
export function addSeen(before: SeenPayment | undefined, {initiated, filled}: Leg): SeenPayment | undefined {
  const {hashes = [], filled: most = 0n} = before ?? {};
  const others = initiated?.hashes.filter(hash => !hashes.includes(hash)) ?? [];
  if (!others.length && filled <= most) return before;
  return {hashes: [...hashes, ...others].slice(-MOST_SEEN), filled: filled > most ? filled : most};
}

/**
 * What happened to a payment that was seen: part of it is `gone` from the chain, or another unconfirmed transaction
 * `replaced` it. Once that is in a block, the original no longer matters.
 */
export function lossOf(seen: SeenPayment | undefined, {initiated, filled}: Leg): 'gone' | 'replaced' | undefined {
  if (!seen) return undefined;
  if (filled < seen.filled) return 'gone';
  const isReplaced = seen.hashes.some(hash => !initiated?.hashes.includes(hash));
  return isReplaced && initiated && initiated.block === undefined ? 'replaced' : undefined;
}

/** Everything that was agreed when an order was placed and must not change later, as texts in a fixed order. */
export function termsOf({id, source, destination, affiliateFees}: Order): readonly string[] {
  return [id, ...[source, destination].flatMap(termsOfLeg), termsOfFees(affiliateFees)];
}

const LONGEST_FEES = 4_000;

/** The fees of an order as text; empty if the service returns nothing about them. */
function termsOfFees(fees: readonly ChargedFee[] | undefined): string {
  const texts = fees?.map(({asset = '', address = '', bps}) => [asset, address, String(bps)].join(' ')) ?? [];
  // A service could return fees endlessly, and what is compared is stored in the browser.
  return fees ? texts.sort().join(', ').slice(0, LONGEST_FEES) || 'none' : '';
}

function termsOfLeg({swapId, chain, asset, initiator, redeemer, delegate = '', timelock, amount, secretHash}: Leg) {
  return [swapId, chain, asset, initiator, redeemer, delegate, timelock, amount, secretHash].map(String);
}

const TERMS_OF_LEG = 9;

export function writtenOrder({
  terms = [],
  placedAt,
}: {
  readonly terms?: readonly string[];
  readonly placedAt: number;
}): Order | undefined {
  const [id, ...texts] = terms;
  const source = legOfTerms(texts.slice(0, TERMS_OF_LEG));
  const destination = legOfTerms(texts.slice(TERMS_OF_LEG, 2 * TERMS_OF_LEG));
  if (id === undefined || !source || !destination) return undefined;
  return {id, createdAt: placedAt, source, destination, nonce: '', version: ''};
}

function legOfTerms(texts: readonly string[]): Leg | undefined {
  const [swapId, chain, asset, initiator, redeemer, delegate, timelock = '', amount = '', secretHash = ''] = texts;
  const isWhole = /^\d{1,78}$/.test(amount) && /^\d{1,16}$/.test(timelock);
  if (texts.length !== TERMS_OF_LEG || !swapId || !chain || !initiator || !redeemer || !isWhole) return undefined;
  return {
    swapId,
    chain,
    asset: asset as AssetId,
    initiator,
    redeemer,
    ...(delegate && {delegate}),
    timelock: Number(timelock),
    amount: BigInt(amount),
    filled: 0n,
    secretHash,
    secret: '',
    confirmations: {current: 0, required: 1},
  };
}

/**
 * Whether an order differs from an earlier reading (`termsOf`). Fields that were empty may have been filled in, and
 * letter case does not matter.
 */
export function hasOtherTerms(before: readonly string[], order: Order): boolean {
  const now = termsOf(order);
  // A service that returns nothing about the fees, which come last, has not changed them.
  const compared = now.at(-1) === '' ? now.length - 1 : now.length;
  return before.slice(0, compared).some((text, at) => text !== '' && text.toLowerCase() !== now[at]?.toLowerCase());
}

export function transactionUrl(chain: Chain, hash: string): string | undefined {
  const {explorer} = chain;
  if (!explorer) return undefined;
  const text = encodeURIComponent(hash);
  return explorer.includes('{tx}') ? explorer.replace('{tx}', text) : `${explorer}/tx/${text}`;
}
