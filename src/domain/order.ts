import type {AffiliateFee} from './affiliate.js';
import type {AssetId, Chain} from './asset.js';

/** The last moment that a date has a name for here, in milliseconds since 1970: the end of the year 9999. */
export const LATEST = Date.UTC(10_000, 0) - 1;

/** Something that happened on a chain: one or several transactions, and when they got into a block. */
export interface ChainEvent {
  /**
   * Transaction hashes. Several deposits to one leg give several (practice: a comma list of `<hash>:<block>`). None where
   * only a contract shows that it happened.
   */
  readonly hashes: readonly string[];
  /** The block it is in; absent while it is only seen. */
  readonly block?: bigint;
  /** When, in milliseconds since 1970, where the service says so. */
  readonly at?: number;
  /** The chain itself showed it. Otherwise the service says so. */
  readonly onChain?: true;
}

/** One leg of an order: the swap on the source or on the destination chain (API, Swap object). */
export interface Leg {
  /** Its id, as the service writes it; on a Bitcoin leg the deposit address. */
  readonly swapId: string;
  /** When it was made, in milliseconds since 1970. */
  readonly createdAt?: number;
  /** The chain's name, as in the asset's id. */
  readonly chain: string;
  readonly asset: AssetId;
  /** Address or key of the party that pays in. */
  readonly initiator: string;
  /** Address or key of the party that redeems it. */
  readonly redeemer: string;
  /** On Bitcoin legs: the key that the service holds for the person. */
  readonly delegate?: string;
  /** In blocks of its chain (practice; the specification names no unit). */
  readonly timelock: number;
  /** In the smallest unit. */
  readonly amount: bigint;
  /** What has been paid in, in the smallest unit; all of it where the service names a payment and not how much it is. */
  readonly filled: bigint;
  /** The price of one whole unit of the asset; its currency is not documented. */
  readonly assetPrice?: number;
  /** 64 hex digits in lower case without a prefix; empty where the service has none yet. */
  readonly secretHash: string;
  /** Hex digits in lower case without a prefix; empty until it is revealed. */
  readonly secret: string;
  /** A half-signed transaction in hex, on a Bitcoin source leg only. It cannot be sent as it is. */
  readonly instantRefundTx?: string;
  /** The payment into it: `initiate_tx_hash`, `initiate_block_number`, `initiate_timestamp`. */
  readonly initiated?: ChainEvent;
  /** The payment out of it, to whom it is owed: `redeem_…`. */
  readonly redeemed?: ChainEvent;
  /** The payment back to who paid in: `refund_…`. */
  readonly refunded?: ChainEvent;
  /** Of the payment into it: how many there are, and how many the service wants. */
  readonly confirmations: {readonly current: number; readonly required: number};
}

/**
 * An affiliate fee as an order keeps it (API, Order: the shape is not documented). What of an entry cannot be read is
 * absent, and of one in no known shape all is.
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
   * Until when it may be paid, in milliseconds since 1970. Not documented: tolerated where an answer has it, and never
   * before the order's creation.
   */
  readonly deadline?: number;
  readonly source: Leg;
  readonly destination: Leg;
  /** Decimal digits; it may be larger than a `number` can hold. */
  readonly nonce: string;
  /** Empty where none is attached; absent where the service says nothing that could be read of them. */
  readonly affiliateFees?: readonly ChargedFee[];
  /** Through whom it was placed, on some orders. */
  readonly integrator?: string;
  /** `v1` or `v2`; what that means is not documented. */
  readonly version: string;
}

/** Whether something was paid into a leg, and less than was agreed. */
export function isPart({filled, amount}: Pick<Leg, 'filled' | 'amount'>): boolean {
  return filled > 0n && filled < amount;
}

/** Whether an order has been paid in full, as far as its service knows: nothing is left to be paid or asked for. */
export function isPaid(order: Order | undefined): boolean {
  return order?.source.initiated !== undefined && !isPart(order.source);
}

/** Whether a payment has as many confirmations as the service wants. */
export function isConfirmed({confirmations: {current, required}}: Pick<Leg, 'confirmations'>): boolean {
  return current >= required;
}

/**
 * When the source leg's timelock is over and its money can be taken back, by estimate and the service's clock, in
 * milliseconds since 1970.
 * `undefined` while the deposit is not in a block, or where the service does not say when it got there.
 */
export function refundOpensAt(leg: Leg, blockSeconds: number): number | undefined {
  if (leg.initiated?.block === undefined || leg.initiated.at === undefined) return undefined;
  return after(leg.initiated.at, leg.timelock, blockSeconds);
}

/** When the source leg's timelock is over at the earliest, where nobody says when it was paid: by its order's creation. */
export function earliestRefund({createdAt, source}: Pick<Order, 'createdAt' | 'source'>, blockSeconds: number): number {
  return after(createdAt, source.timelock, blockSeconds);
}

/** When so many blocks are over. A service may name more of them than dates reach. */
function after(at: number, blocks: number, blockSeconds: number): number {
  // None are over at once, also where nobody knows how long one takes.
  return Math.min(at + (blocks && blocks * blockSeconds * 1000), LATEST);
}

/** What was ever seen of the payment into a leg: every transaction, and the most that was there at once. */
export interface SeenPayment {
  readonly hashes: readonly string[];
  readonly filled: bigint;
}

/** A hostile service could name new ones without end, and what was seen is kept in the browser. */
const MOST_SEEN = 50;

/** What was seen so far, with what there is now; the very same where that is nothing new. */
export function addSeen(before: SeenPayment | undefined, {initiated, filled}: Leg): SeenPayment | undefined {
  const {hashes = [], filled: most = 0n} = before ?? {};
  const others = initiated?.hashes.filter(hash => !hashes.includes(hash)) ?? [];
  if (!others.length && filled <= most) return before;
  return {hashes: [...hashes, ...others].slice(-MOST_SEEN), filled: filled > most ? filled : most};
}

/**
 * What became of a payment that was seen: some of it is `gone` from the chain, or another transaction that waits for a
 * block took its place. Once that is in a block, it no longer matters which one it was at first.
 */
export function lossOf(seen: SeenPayment | undefined, {initiated, filled}: Leg): 'gone' | 'replaced' | undefined {
  if (!seen) return undefined;
  if (filled < seen.filled) return 'gone';
  const isReplaced = seen.hashes.some(hash => !initiated?.hashes.includes(hash));
  return isReplaced && initiated && initiated.block === undefined ? 'replaced' : undefined;
}

/** All that was agreed when an order was placed and that nothing changes later, as texts in a fixed order. */
export function termsOf({id, source, destination, affiliateFees}: Order): readonly string[] {
  return [id, ...[source, destination].flatMap(termsOfLeg), termsOfFees(affiliateFees)];
}

/** More characters than the fees of any order have that a page asks for. */
const LONGEST_FEES = 4_000;

/** Who gets which part of the amount; empty where the service says nothing of it. */
function termsOfFees(fees: readonly ChargedFee[] | undefined): string {
  const texts = fees?.map(({asset = '', address = '', bps}) => [asset, address, String(bps)].join(' ')) ?? [];
  // A service could name some without end, and what is compared is kept in the browser.
  return fees ? texts.sort().join(', ').slice(0, LONGEST_FEES) || 'none' : '';
}

function termsOfLeg({swapId, chain, asset, initiator, redeemer, delegate = '', timelock, amount, secretHash}: Leg) {
  return [swapId, chain, asset, initiator, redeemer, delegate, timelock, amount, secretHash].map(String);
}

/** How many texts `termsOf` has for a leg. */
const TERMS_OF_LEG = 9;

/** An order of which nothing but its terms (`termsOf`) is known: nobody has told what happened since. */
export function orderOfTerms(terms: readonly string[], createdAt: number): Order | undefined {
  const [id, ...texts] = terms;
  const source = legOfTerms(texts.slice(0, TERMS_OF_LEG));
  const destination = legOfTerms(texts.slice(TERMS_OF_LEG, 2 * TERMS_OF_LEG));
  if (id === undefined || !source || !destination) return undefined;
  return {id, createdAt, source, destination, nonce: '', version: ''};
}

/** An order as a browser wrote it down when it was last checked, without its service. */
export function writtenOrder({
  terms,
  placedAt,
}: {
  readonly terms?: readonly string[];
  readonly placedAt: number;
}): Order | undefined {
  return terms && orderOfTerms(terms, placedAt);
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

/** Whether two readings of an order say the same of all that was agreed when it was placed. */
export function hasSameTerms(one: Order, other: Order): boolean {
  return termsOf(one).join() === termsOf(other).join();
}

/**
 * Whether an order says something else than at an earlier reading (`termsOf`). What was empty then may be filled in, and
 * letters of another size say the same.
 */
export function hasOtherTerms(before: readonly string[], order: Order): boolean {
  const now = termsOf(order);
  // A service that says nothing of the fees, which come last, has not changed them.
  const compared = now.at(-1) === '' ? now.length - 1 : now.length;
  return before.slice(0, compared).some((text, at) => text !== '' && text.toLowerCase() !== now[at]?.toLowerCase());
}

/** Where a transaction is shown, if the chain has an explorer. */
export function transactionUrl(chain: Chain, hash: string): string | undefined {
  const {explorer} = chain;
  if (!explorer) return undefined;
  const text = encodeURIComponent(hash);
  return explorer.includes('{tx}') ? explorer.replace('{tx}', text) : `${explorer}/tx/${text}`;
}
