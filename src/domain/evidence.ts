import type {Agreement, Deposit} from './deposit.js';
import type {ChainEvent, Leg, Order} from './order.js';
import {writtenOrder} from './order.js';

/*
 * What is known of one order, and from whom: dated facts, stored once. A fact has the time of its request, so the order
 * of the responses does not matter. Only here it is decided what the facts mean for the money.
 */

/** Whether the payment into an order is on its chain. */
export type DepositState =
  /** The chain was read, and shows no payment. One on its way may not show yet. */
  | 'none'
  /** It is on the chain, or pending. */
  | 'seen'
  /** Its transaction reverted; nothing was paid. */
  | 'reverted'
  /**
   * Its transaction is in a block, but the contract has no order for it: nothing was paid. This happens if the account
   * is a contract whose inner call failed.
   */
  | 'empty'
  /** There is no payment, and what was signed for it has expired: it can no longer arrive. */
  | 'expired'
  /** There is no payment, and another transaction of the payer's took its nonce: it can no longer arrive. */
  | 'canceled'
  /** The chain cannot be read from here. */
  | 'unknown';

/** What the source chain shows of the payment into an order. Unknown fields are absent. */
export interface DepositOnChain {
  readonly state: DepositState;
  /** The total ever paid in, in the smallest unit, by the contract's own record. Absent if only a transaction is known. */
  readonly amount?: bigint;
  /** Its transactions, if the chain reports them. */
  readonly hashes?: readonly string[];
  /** The block that completed it; absent while a part is unconfirmed. */
  readonly block?: bigint;
  /** Whether it is still in the contract: neither redeemed nor refunded. */
  readonly isHeld?: boolean;
  /** Whether the contract would refund it to the payer now. */
  readonly isRefundOpen?: boolean;
  /** How it left the contract, if it has and the chain shows it. */
  readonly end?: DepositEnd;
  /** What ends the life of the payment's transaction (`lifetime` of a wallet request), while it is unconfirmed. */
  readonly lifetime?: string;
  /**
   * The chain shows no payment, but that it was made: the wallet says so (EIP-5792), or, of an unverified one, its
   * token or its transfer. `false`: an unverified one's token shows that nothing has left its payer so far.
   */
  readonly isTaken?: boolean;
  /** Whether an unverified contract may take some of the payer's tokens now. */
  readonly isAllowed?: boolean;
  /** Transactions that gave an unverified contract an allowance, of which nothing is left. */
  readonly spent?: readonly string[];
}

/** How a payment left the contract, as tied to this order by its id, its account, or its own outputs. */
export interface DepositEnd {
  /** It was refunded to its payer, or redeemed with the secret. */
  readonly how: 'refunded' | 'redeemed';
  /** The amount refunded to the payer, in the smallest unit; 0 if it was redeemed. */
  readonly amount: bigint;
  /** Its transactions. */
  readonly hashes: readonly string[];
  /** The block that completed them; absent while one is unconfirmed. */
  readonly block?: bigint;
}

/** A chain's RPCs contradict each other about something that would end an order. */
export class Disagreement extends Error {}

/** What the destination chain shows of the payout to the recipient, in the transactions that were read. */
export interface PayoutOnChain {
  /** The amount that the order's own swap, with its secret, paid to the recipient, in the smallest unit. */
  readonly amount: bigint;
  /** The amount that no swap accounts for: real money, but not tied to the order. */
  readonly loose: bigint;
  /** The amount from before the order, or of swaps with other secrets: it belongs to another order. */
  readonly earlier: bigint;
  /** The transactions that make up `amount`. */
  readonly hashes: readonly string[];
  /** The block that completed `hashes`; absent while one is unconfirmed. */
  readonly block?: bigint;
  /** The order's secret, which they reveal: hex digits in lower case without a prefix. */
  readonly secret?: string;
}

/** A movement of money that a chain showed, as a browser stores it. */
export interface Proof {
  /** In the smallest unit. */
  readonly amount: bigint;
  readonly hashes: readonly string[];
  /** Absent while it is unconfirmed. */
  readonly block?: bigint | undefined;
}

/** What this browser stored about an order that it placed, as far as it concerns the money. */
export interface Written {
  /** By this browser's clock, in milliseconds since 1970. */
  readonly placedAt: number;
  /**
   * Since when it can be paid, by this browser's clock: stored before its address was shown, or its wallet asked. `null`
   * until then; absent in entries of earlier versions, which count since they were placed.
   */
  readonly payableSince?: number | null;
  readonly agreed: Pick<Agreement, 'amount' | 'atLeast'>;
  /** How it is paid. */
  readonly deposit: Pick<Deposit, 'how'>;
  /** The order's terms when it was last checked (`termsOf`): once it is paid, none of them may change. */
  readonly terms?: readonly string[];
  /** Its chain has shown the payment. */
  readonly paidIn?: true | undefined;
  /** Its chain showed the payment as held when it was last read. */
  readonly isHeld?: true | undefined;
  /** The payout, as the recipient's chain showed it. */
  readonly paidOut?: Proof | undefined;
  /** The refund, as its chain showed it. */
  readonly paidBack?: Proof | undefined;
}

/** A response, and the time of its request in milliseconds, by a clock that is never set: only differences count. */
interface Answer<T> {
  readonly askedAt: number;
  readonly value: T;
}

/** All that is known of an order. Only `accept` changes it. */
export interface Evidence<R extends Written = Written> {
  /** Absent on an order that this browser did not place. */
  readonly record?: R | undefined;
  /** When this page learned what its record has seen of the payment, if another tab did: by the clock of the answers. */
  readonly seenAt?: number | undefined;
  readonly told?: Answer<Order>;
  /** Each of the service's claims about money, by `claimsOf`, with the time of the first request whose response made it. */
  readonly claims: Readonly<Record<string, number>>;
  readonly deposit?: Answer<DepositOnChain>;
  /** What the destination chain last showed, by the transactions that were read, and when it could not be read. */
  readonly payouts: Readonly<Record<string, Answer<PayoutOnChain | 'unreadable'>>>;
  /** When the source chain (`deposit`) and the destination chain (`payout`) last failed to respond. */
  readonly failedAt?: Readonly<Partial<Record<'deposit' | 'payout', number>>>;
  /** When a chain's RPCs last contradicted each other, by the question. */
  readonly disputes?: Readonly<Record<string, number>>;
}

export const NO_EVIDENCE: Evidence<never> = {claims: {}, payouts: {}};

/**
 * One response to one question. Without a value the question failed: that proves nothing, and it is repeated.
 * `isDisputed`: it failed because the chain's RPCs contradict each other.
 */
export type Fact<R extends Written = Written> =
  | {readonly about: 'record'; readonly value: R | undefined; readonly seenAt?: number | undefined}
  | {readonly about: 'order'; readonly askedAt: number; readonly value: Order | undefined}
  | {
      readonly about: 'deposit';
      readonly askedAt: number;
      readonly value: DepositOnChain | undefined;
      readonly isDisputed?: boolean;
    }
  | {
      readonly about: 'payout';
      readonly askedAt: number;
      /** The transactions that were read, from `payoutHashes`. */
      readonly hashes: readonly string[];
      readonly value: PayoutOnChain | 'unreadable' | undefined;
      readonly isDisputed?: boolean;
    };

/** In case a hostile service makes new claims in every response. */
const MOST_CLAIMS = 24;
const MOST_PAYOUTS = 8;

/** Adds a fact. Of two responses to the same question, the later request wins, whichever response arrives first. */
export function accept<R extends Written>(evidence: Evidence<R>, fact: Fact<R>): Evidence<R> {
  if (fact.about === 'record') {
    const {value: record, seenAt} = fact;
    return record === evidence.record ? evidence : {...evidence, record, ...(seenAt !== undefined && {seenAt})};
  }
  const {askedAt} = fact;
  if (fact.value === undefined) {
    const {about} = fact;
    if (about === 'order') return evidence;
    const key = about === 'deposit' ? DEPOSIT : payoutKey(fact.hashes);
    const latest = (before: number | undefined) => Math.max(askedAt, before ?? askedAt);
    const disputes = {...evidence.disputes, [key]: latest(evidence.disputes?.[key])};
    return {
      ...evidence,
      failedAt: {...evidence.failedAt, [about]: latest(evidence.failedAt?.[about])},
      ...(fact.isDisputed && {disputes: newest(disputes, MOST_PAYOUTS, at => at)}),
    };
  }
  const isLater = (last: Answer<unknown> | undefined) => !last || askedAt >= last.askedAt;
  switch (fact.about) {
    case 'order': {
      const {value} = fact;
      const told = evidence.told && !isLater(evidence.told) ? evidence.told : {askedAt, value};
      // The time of its current claims is never forgotten.
      const kept = [...KINDS, ...Object.values(claimsOf(told.value))];
      const claims = newest(withClaims(evidence.claims, claimsOf(value), askedAt), MOST_CLAIMS, at => at, kept);
      return {...evidence, claims, told};
    }
    case 'deposit':
      return isLater(evidence.deposit) ? {...evidence, deposit: {askedAt, value: fact.value}} : evidence;
    case 'payout': {
      const {hashes, value} = fact;
      // What was read before it could not be any more stays known.
      const key = value === 'unreadable' ? unreadKey(hashes) : payoutKey(hashes);
      if (!isLater(evidence.payouts[key])) return evidence;
      const payouts = {...evidence.payouts, [key]: {askedAt, value}};
      const age = (each: Answer<unknown>) => (each.value === 'unreadable' ? -Infinity : each.askedAt);
      return {...evidence, payouts: newest(payouts, MOST_PAYOUTS, age, [key])};
    }
  }
}

/** `told` also counts as a claim of its kind. The earliest request of each claim stays. */
function withClaims(
  claims: Evidence['claims'],
  told: ReturnType<typeof claimsOf>,
  askedAt: number,
): Evidence['claims'] {
  const all: Record<string, number> = {...claims};
  for (const claim of Object.entries(told).flat()) all[claim] = Math.min(all[claim] ?? Infinity, askedAt);
  return all;
}

function newest<T>(
  table: Readonly<Record<string, T>>,
  most: number,
  at: (entry: T) => number,
  kept: readonly string[] = [],
): Readonly<Record<string, T>> {
  const entries = Object.entries(table).sort(([, one], [, other]) => at(other) - at(one));
  return Object.fromEntries(entries.filter(([key], rank) => rank < most || kept.includes(key)));
}

const KINDS: readonly string[] = ['in', 'out', 'back'];

/** The service's claims about each movement of money in an order; empty if it makes none. */
function claimsOf({source, destination}: Order): {readonly in?: string; readonly out?: string; readonly back?: string} {
  const {initiated, filled, refunded} = source;
  const {redeemed} = destination;
  return {
    ...((initiated !== undefined || filled > 0n) && {in: `in ${String(filled)} ${keyOf(initiated?.hashes)}`}),
    ...(redeemed && {out: `out ${keyOf(redeemed.hashes)}`}),
    ...(refunded && {back: `back ${keyOf(refunded.hashes)}`}),
  };
}

function keyOf(hashes?: readonly string[]): string {
  return [...new Set(hashes)].sort().join(' ');
}

/** A hash is arbitrary text from the service, so it must not match properties of Object.prototype. */
function payoutKey(hashes: readonly string[]): string {
  return `of ${keyOf(hashes)}`;
}

function unreadKey(hashes: readonly string[]): string {
  return `un${payoutKey(hashes)}`;
}

function lastPayout(evidence: Evidence): Answer<PayoutOnChain | 'unreadable'> | undefined {
  const hashes = payoutHashes(evidence);
  const [read, unread] = [evidence.payouts[payoutKey(hashes)], evidence.payouts[unreadKey(hashes)]];
  return !read || (unread && unread.askedAt > read.askedAt) ? unread : read;
}

/** What the source chain shows of the payment: `unknown` also after a failed request; `undefined` before the first one. */
export function depositState({deposit, failedAt}: Evidence): DepositState | undefined {
  const inVain = failedAt?.deposit ?? -Infinity;
  if (deposit && deposit.askedAt > inVain) return deposit.value.state;
  return inVain > -Infinity ? 'unknown' : undefined;
}

/** Whether the wallet reports that the payment was confirmed, in a response requested at this time or later. */
export function isTaken({deposit}: Evidence, at = -Infinity): boolean {
  return deposit?.value.isTaken === true && deposit.askedAt >= at;
}

const DEPOSIT = 'deposit';

/** When they were last queried: a later good response ends a dispute. */
export function disputedIn(evidence: Evidence): {readonly source: boolean; readonly target: boolean} {
  return {
    source: isDisputed(evidence, DEPOSIT, evidence.deposit),
    target: isDisputed(evidence, payoutKey(payoutHashes(evidence)), lastPayout(evidence)),
  };
}

function isDisputed({disputes}: Evidence, key: string, last: Answer<unknown> | undefined): boolean {
  const at = disputes?.[key];
  return at !== undefined && at > (last?.askedAt ?? -Infinity);
}

/** The transactions to read for the payout: those that the service names, and those seen before. */
export function payoutHashes({told, record}: Pick<Evidence, 'told' | 'record'>): readonly string[] {
  const named = told?.value.destination.redeemed?.hashes ?? [];
  return [...new Set([...named, ...(record?.paidOut?.hashes ?? [])])];
}

/* -- the outcome ----------------------------------------------------------------------------------------------------- */

/** The certainty of a movement of money. */
export type Certainty =
  /** The chain shows it, tied to this order. */
  | 'proved'
  /** The service claims it; the chain cannot be read, or shows money that is not tied to the order. */
  | 'told'
  /** The service claims it, but the chain was read afterwards and does not show it. */
  | 'denied'
  /** The service claims it, and the chain is still being read. */
  | 'waiting'
  /** Nothing claims it. */
  | 'none';

/** One of the three movements of an order's money: payment in, payout to the recipient, or refund to the payer. */
export interface Movement {
  readonly certainty: Certainty;
  /** In the smallest unit: the chain's amount if `proved`, otherwise the service's; 0 if it does not count. */
  readonly amount: bigint;
  /** Where and when it happened; absent if it does not count. */
  readonly event?: ChainEvent | undefined;
  /** Money that the chain shows but that is not tied to the order, or is older than it, in the smallest unit. */
  readonly untied?: bigint | undefined;
  /** The secret that the chain shows with it: lowercase hex digits without a prefix. */
  readonly secret?: string | undefined;
}

const NONE: Movement = {certainty: 'none', amount: 0n};
const DENIED: Movement = {certainty: 'denied', amount: 0n};
const WAITING: Movement = {certainty: 'waiting', amount: 0n};

/**
 * How long a claim waits for a chain that currently cannot be read, in milliseconds: a request that fails this much
 * later makes it the service's word. Time alone does not, since computers sleep with requests in progress.
 */
export const LONGEST_WAIT_MS = 60_000;

/** The movements of an order's money. */
export interface Movements {
  readonly paidIn: Movement;
  readonly paidOut: Movement;
  readonly paidBack: Movement;
}

export function movementsOf(evidence: Evidence): Movements {
  return {paidIn: paidIn(evidence), paidOut: paidOut(evidence), paidBack: paidBack(evidence)};
}

export function isAwaited({paidIn, paidOut, paidBack}: Movements): boolean {
  return [paidIn, paidOut, paidBack].some(({certainty}) => certainty === 'waiting');
}

function paidIn(evidence: Evidence): Movement {
  const {told, deposit, record} = evidence;
  const leg = told?.value.source;
  const onChain = deposit?.value;
  const {state = 'unknown', amount} = onChain ?? {};
  const isNever = record !== undefined && wasNeverPayable(record);
  // What lies at an address that nobody was shown is somebody else's.
  if (isNever && record.deposit.how === 'transfer') return NONE;
  if (onChain && state === 'seen' && amount !== undefined) {
    return {certainty: 'proved', amount, event: shownOn({hashes: [], ...onChain}, leg?.initiated)};
  }
  const claim = told && claimsOf(told.value).in;
  // Nobody can have paid what was neither shown nor asked for, whatever the service says.
  if (!leg || claim === undefined || isNever) return NONE;
  const word: Movement = {certainty: 'told', amount: leg.filled, event: leg.initiated};
  if (disputedIn(evidence).source) return WAITING;
  // A pending transaction shows nothing of a contract.
  if (onChain && (state === 'unknown' || state === 'seen')) return word;
  return heldAgainst(evidence, claim, deposit?.askedAt, word);
}

/** Whether an order of this browser was never shown, or never asked for and its contract never showed a payment. */
export function wasNeverPayable({payableSince, paidIn, deposit}: Written): boolean {
  return payableSince === null && (deposit.how === 'transfer' || !paidIn);
}

function paidOut(evidence: Evidence): Movement {
  const {told, record, payouts, deposit} = evidence;
  const claim = told && claimsOf(told.value).out;
  const redeemed = told?.value.destination.redeemed;
  const reading = lastPayout(evidence);
  const read = reading?.value === 'unreadable' ? undefined : reading?.value;
  if (read && read.amount > 0n) {
    return {certainty: 'proved', amount: read.amount, event: shownOn(read, redeemed), secret: read.secret};
  }
  const written = record?.paidOut;
  if (!read && written) return {certainty: 'proved', amount: written.amount, event: shownOn(written, redeemed)};
  if (!told || claim === undefined) return NONE;
  const {amount} = told.value.destination;
  const word: Movement = {certainty: 'told', amount, event: redeemed};
  const least = record?.agreed.atLeast ?? amount;
  if (read) {
    const untied = read.loose || read.earlier;
    return mayBeOwn(read, least) ? {...word, untied} : {...DENIED, ...(untied > 0n && {untied})};
  }
  if (disputedIn(evidence).target) return WAITING;
  const reads = Object.values(payouts).flatMap(({value}) => (value === 'unreadable' ? [] : [value]));
  // A payment that is still held belies what its recipient's chain did not show, whatever is named since.
  const isBelied = deposit?.value.isHeld && reads.length > 0 && !reads.some(each => mayBeOwn(each, least));
  const judged = isBelied ? DENIED : word;
  return reading ? judged : waitedFor(evidence, 'payout', claim, reads.length > 0, judged);
}

/** Whether what was read may be the order's payout: it is tied to it, or at least what has to arrive. */
function mayBeOwn({amount, loose}: PayoutOnChain, least: bigint): boolean {
  return amount > 0n || (loose > 0n && loose >= least);
}

function paidBack(evidence: Evidence): Movement {
  const {told, record, deposit} = evidence;
  const leg = told?.value.source;
  const onChain = deposit?.value;
  const end = onChain?.end;
  if (record?.deposit.how === 'transfer' && wasNeverPayable(record)) return NONE;
  if (end?.how === 'refunded') return {certainty: 'proved', amount: end.amount, event: shownOn(end, leg?.refunded)};
  const written = record?.paidBack;
  if (written && onChain?.isHeld !== true && !end)
    return {certainty: 'proved', amount: written.amount, event: shownOn(written, leg?.refunded)};
  const claim = told && claimsOf(told.value).back;
  if (!leg || claim === undefined) return NONE;
  if (disputedIn(evidence).source) return WAITING;
  if (end) return DENIED;
  const word: Movement = {certainty: 'told', amount: leg.filled || leg.amount, event: leg.refunded};
  const {state, isHeld} = onChain ?? {};
  // It has left the contract to an unknown address, or nothing can be read.
  if (state === 'unknown' || (state === 'seen' && !isHeld)) return word;
  const judged = heldAgainst(evidence, claim, deposit?.askedAt, word);
  // A payment that was held when last seen is not refunded just because its chain does not respond.
  return isHeld && judged.certainty === 'told' ? DENIED : judged;
}

/** A claim that the chain did not show when last read. A reading from before the claim does not deny it. */
function heldAgainst(evidence: Evidence, claim: string, readAt: number | undefined, word: Movement): Movement {
  if (readAt !== undefined && readAt >= sinceOf(evidence, claim)) return DENIED;
  return waitedFor(evidence, 'deposit', claim, readAt !== undefined, word);
}

/**
 * The chain has not been read since the claim. If it was read before, each new claim waits for it; otherwise only the
 * first of its kind does, since no node may respond at all.
 */
function waitedFor(
  evidence: Evidence,
  question: 'deposit' | 'payout',
  claim: string,
  wasRead: boolean,
  word: Movement,
): Movement {
  const [kind = ''] = claim.split(' ');
  const since = sinceOf(evidence, wasRead ? claim : kind);
  return (evidence.failedAt?.[question] ?? -Infinity) < since + LONGEST_WAIT_MS ? WAITING : word;
}

function sinceOf({claims}: Evidence, claim: string): number {
  return Number(claims[claim]);
}

/**
 * An event that its chain shows. Details that the chain lacks come from the service. If the chain reports transactions
 * but no block, one of them is unconfirmed.
 */
function shownOn({hashes, block}: Omit<Proof, 'amount'>, told: ChainEvent | undefined): ChainEvent {
  const at = hashes.length ? block : (block ?? told?.block);
  return {
    hashes: hashes.length ? hashes : (told?.hashes ?? []),
    ...(at !== undefined && {block: at}),
    ...(told?.at !== undefined && {at: told.at}),
    onChain: true,
  };
}

/**
 * An order as displayed: the service's version, with only the money that counts. Events that a chain shows are marked
 * `onChain`; those that it denies, or is still being asked about, are left out. Without a response from the service, an
 * order whose money a chain shows is as this browser stored it, if it did.
 */
export function orderOf({told, record, deposit}: Evidence, {paidIn, paidOut, paidBack}: Movements): Order | undefined {
  const isSeen = [paidIn, paidOut, paidBack].some(({certainty}) => certainty === 'proved');
  const order = told?.value ?? (isSeen && record ? writtenOrder(record) : undefined);
  if (!order) return undefined;
  const {source, destination} = order;
  const {redeemed} = source;
  return {
    ...order,
    source: {
      ...bareLeg(source),
      filled: paidIn.amount,
      ...(paidIn.event && {initiated: paidIn.event}),
      // What the contract still holds was not redeemed, whatever the service claims.
      ...(redeemed && deposit?.value.isHeld !== true && {redeemed}),
      ...(paidBack.event && {refunded: paidBack.event}),
    },
    destination: {
      ...bareLeg(destination),
      ...(destination.initiated && {initiated: destination.initiated}),
      ...(destination.refunded && {refunded: destination.refunded}),
      ...(paidOut.secret !== undefined && {secret: paidOut.secret}),
      ...(paidOut.event && {redeemed: paidOut.event}),
    },
  };
}

function bareLeg({
  initiated: _in,
  redeemed: _out,
  refunded: _back,
  ...leg
}: Leg): Omit<Leg, 'initiated' | 'redeemed' | 'refunded'> {
  return leg;
}
