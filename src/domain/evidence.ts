import type {Agreement} from './deposit.js';
import type {ChainEvent, Leg, Order} from './order.js';
import {writtenOrder} from './order.js';

/*
 * What is known of one order, and from whom: dated facts, kept once. A fact is dated by when it was asked for, so it does
 * not matter in which order the answers come. What the facts say of the money is judged here, and nowhere else.
 */

/** Whether the payment into an order is on its chain. */
export type DepositState =
  /** The chain was read, and there is none. One that is still on its way may not show. */
  | 'none'
  /** It is there, or on its way. */
  | 'seen'
  /** Its transaction was refused by the chain; nothing was paid. */
  | 'reverted'
  /**
   * Its transaction is in a block, and the contract keeps no order of it: nothing was paid. So it is where the account is
   * a contract whose inner call failed.
   */
  | 'empty'
  /** There is none, and what was signed for it is out of date: it can no longer arrive. */
  | 'expired'
  /** The chain cannot be read from here. */
  | 'unknown';

/** What the source chain shows of the payment into an order. What it does not tell is absent. */
export interface DepositOnChain {
  readonly state: DepositState;
  /** What was ever paid in, in the smallest unit, by the contract's own record. Absent where only a transaction is known. */
  readonly amount?: bigint;
  /** Its transactions, where the chain names them. */
  readonly hashes?: readonly string[];
  /** The block that holds all of it; absent while a part is in none. */
  readonly block?: bigint;
  /** Whether it still lies there: neither redeemed by the other side nor refunded. */
  readonly isHeld?: boolean;
  /** Whether the contract would pay it back to the payer now. */
  readonly isRefundOpen?: boolean;
  /** What became of it, where it no longer lies there and the chain tells. */
  readonly end?: DepositEnd;
  /** Nothing of it is there yet, and the wallet says that it took the payment (EIP-5792): it was confirmed. */
  readonly isTaken?: boolean;
}

/** How a payment left the contract, by what ties it to this order: its id, its account, or its own outputs. */
export interface DepositEnd {
  /** It went back to its payer, or was taken with the secret. */
  readonly how: 'refunded' | 'redeemed';
  /** What came back to the payer, in the smallest unit; 0 where it was taken. */
  readonly amount: bigint;
  /** Its transactions. */
  readonly hashes: readonly string[];
  /** The block that holds all of them; absent while one is in none. */
  readonly block?: bigint;
}

/** The addresses that are named for a chain contradict each other about what ends something. */
export class Disagreement extends Error {}

/** What the destination chain shows of the payment to the recipient, by the transactions that were looked at. */
export interface PayoutOnChain {
  /** What the recipient got by those that reveal the order's own secret, in the smallest unit. */
  readonly amount: bigint;
  /** What they got by the others: real money, and nothing that ties it to the order. */
  readonly loose: bigint;
  /** What they got before the order was made, or by the secrets of other swaps alone: it is another's. */
  readonly earlier: bigint;
  /** The transactions that make up `amount`. */
  readonly hashes: readonly string[];
  /** The block that holds all of `hashes`; absent while one is in none. */
  readonly block?: bigint;
  /** The secret that they reveal: hex digits in lower case without a prefix. */
  readonly secret?: string;
}

/** A movement of money that a chain showed, as a browser writes it down. */
export interface Proof {
  /** In the smallest unit. */
  readonly amount: bigint;
  readonly hashes: readonly string[];
  /** Absent while it is in none. */
  readonly block?: bigint | undefined;
}

/** What this browser wrote down of an order that it placed, as far as it says what became of the money. */
export interface Written {
  /** By this browser's clock, in milliseconds since 1970. */
  readonly placedAt: number;
  readonly agreed: Pick<Agreement, 'amount' | 'atLeast'>;
  /** What the order said when it was last checked (`termsOf`): once it is paid, nothing of that may change. */
  readonly terms?: readonly string[];
  /** Its chain showed the payment. */
  readonly paidIn?: true | undefined;
  /** Its chain was last seen to hold the payment. */
  readonly isHeld?: true | undefined;
  /** What the recipient's chain showed. */
  readonly paidOut?: Proof | undefined;
  /** What came back, as its chain showed it. */
  readonly paidBack?: Proof | undefined;
}

/** An answer, and when it was asked for: by this browser's clock, in milliseconds since 1970. */
interface Answer<T> {
  readonly askedAt: number;
  readonly value: T;
}

/** All that is known of an order. Only `accept` changes it. */
export interface Evidence<R extends Written = Written> {
  /** Absent on an order that this browser did not place. */
  readonly record?: R | undefined;
  /** The service's last answer. */
  readonly told?: Answer<Order>;
  /** What the service ever claimed of money, by `claimsOf`: when an answer that says so was first asked for. */
  readonly claims: Readonly<Record<string, number>>;
  /** What the source chain last showed. */
  readonly deposit?: Answer<DepositOnChain>;
  /** What the destination chain last showed, by the transactions that were looked at; `unreadable` where it cannot be. */
  readonly payouts: Readonly<Record<string, Answer<PayoutOnChain | 'unreadable'>>>;
  /** When the source chain (`deposit`) and the destination chain (`payout`) were last asked in vain. */
  readonly failedAt?: Readonly<Partial<Record<'deposit' | 'payout', number>>>;
  /** When the addresses that are named for a chain last contradicted each other, by the question they were asked. */
  readonly disputes?: Readonly<Record<string, number>>;
}

/** Nothing is known. */
export const NO_EVIDENCE: Evidence<never> = {claims: {}, payouts: {}};

/**
 * One answer to one question. Without a value the question failed: that proves nothing, and it is asked again. `isDisputed`:
 * it failed because the addresses that are named for the chain contradict each other.
 */
export type Fact<R extends Written = Written> =
  | {readonly about: 'record'; readonly value: R | undefined}
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
      /** The transactions that were looked at, as `payoutHashes` gave them. */
      readonly hashes: readonly string[];
      readonly value: PayoutOnChain | 'unreadable' | undefined;
      readonly isDisputed?: boolean;
    };

/** A hostile service could claim something new with every answer. */
const MOST_CLAIMS = 24;
const MOST_PAYOUTS = 8;

/** Takes a fact in. Of two answers to the same question the one that was asked for later counts, whichever comes first. */
export function accept<R extends Written>(evidence: Evidence<R>, fact: Fact<R>): Evidence<R> {
  if (fact.about === 'record') {
    return fact.value === evidence.record ? evidence : {...evidence, record: fact.value};
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
      // Since when it says what it says is never forgotten.
      const kept = [...KINDS, ...Object.values(claimsOf(told.value))];
      const claims = newest(withClaims(evidence.claims, claimsOf(value), askedAt), MOST_CLAIMS, at => at, kept);
      return {...evidence, claims, told};
    }
    case 'deposit':
      return isLater(evidence.deposit) ? {...evidence, deposit: {askedAt, value: fact.value}} : evidence;
    case 'payout': {
      const key = payoutKey(fact.hashes);
      if (!isLater(evidence.payouts[key])) return evidence;
      const payouts = {...evidence.payouts, [key]: {askedAt, value: fact.value}};
      return {...evidence, payouts: newest(payouts, MOST_PAYOUTS, each => each.askedAt)};
    }
  }
}

/** Each claim, and that there is one of its kind at all, with the earliest moment at which it was asked for. */
function withClaims(
  claims: Evidence['claims'],
  told: ReturnType<typeof claimsOf>,
  askedAt: number,
): Evidence['claims'] {
  const all: Record<string, number> = {...claims};
  for (const claim of Object.entries(told).flat()) all[claim] = Math.min(all[claim] ?? Infinity, askedAt);
  return all;
}

/** The newest of a table's entries, and those that are kept however old they are. */
function newest<T>(
  table: Readonly<Record<string, T>>,
  most: number,
  at: (entry: T) => number,
  kept: readonly string[] = [],
): Readonly<Record<string, T>> {
  const entries = Object.entries(table);
  if (entries.length <= most) return table;
  const others = entries.filter(([key]) => !kept.includes(key)).sort(([, one], [, other]) => at(other) - at(one));
  return Object.fromEntries([...entries.filter(([key]) => kept.includes(key)), ...others.slice(0, most)]);
}

/** Since when there is any claim of a movement at all. */
const KINDS: readonly string[] = ['in', 'out', 'back'];

/** What an order as told claims of each movement of money; nothing where it claims none. */
function claimsOf({source, destination}: Order): {readonly in?: string; readonly out?: string; readonly back?: string} {
  const {initiated, filled, refunded} = source;
  const {redeemed} = destination;
  return {
    ...((initiated !== undefined || filled > 0n) && {in: `in ${String(filled)} ${keyOf(initiated?.hashes ?? [])}`}),
    ...(redeemed && {out: `out ${keyOf(redeemed.hashes)}`}),
    ...(refunded && {back: `back ${keyOf(refunded.hashes)}`}),
  };
}

function keyOf(hashes: readonly string[]): string {
  return [...new Set(hashes)].sort().join(' ');
}

/** A hash is any text of the service's: what objects have of themselves is none of theirs. */
function payoutKey(hashes: readonly string[]): string {
  return `of ${keyOf(hashes)}`;
}

/** What the source chain says of the payment now: `unknown` also where it was last asked in vain; `undefined` before it was asked. */
export function depositState({deposit, failedAt}: Evidence): DepositState | undefined {
  const inVain = failedAt?.deposit ?? -Infinity;
  if (deposit && deposit.askedAt > inVain) return deposit.value.state;
  return inVain > -Infinity ? 'unknown' : undefined;
}

/** Whether the wallet says that it took the payment for which it was asked at a time. */
export function isTaken({deposit}: Evidence, at = 0): boolean {
  return deposit?.value.isTaken === true && deposit.askedAt >= at;
}

const DEPOSIT = 'deposit';

/**
 * On which chains the addresses that are named for them contradicted each other when they were last asked: an answer since
 * then ends that.
 */
export function disputedIn(evidence: Evidence): {readonly source: boolean; readonly target: boolean} {
  const {deposit, payouts} = evidence;
  const key = payoutKey(payoutHashes(evidence));
  return {
    source: isDisputed(evidence, DEPOSIT, deposit),
    target: isDisputed(evidence, key, payouts[key]),
  };
}

function isDisputed({disputes}: Evidence, key: string, last: Answer<unknown> | undefined): boolean {
  return (disputes?.[key] ?? -Infinity) > (last?.askedAt ?? -Infinity);
}

/** The transactions to look at for the payment to the recipient: those that the service names, and those seen before. */
export function payoutHashes({told, record}: Pick<Evidence, 'told' | 'record'>): readonly string[] {
  const named = told?.value.destination.redeemed?.hashes ?? [];
  return [...new Set([...named, ...(record?.paidOut?.hashes ?? [])])];
}

/* -- what it says of the money ------------------------------------------------------------------------------------------- */

/** How certain a movement of money is. */
export type Certainty =
  /** The chain shows it, tied to this order. */
  | 'proved'
  /** The service says so; the chain cannot be read, or shows money without the tie. */
  | 'told'
  /** The service says so; the chain was read after that, and it is not so. */
  | 'denied'
  /** The service says so, and the chain is still being read. */
  | 'waiting'
  /** Nobody says so. */
  | 'none';

/** One of the three movements of an order's money: in, out to the recipient, or back to the payer. */
export interface Movement {
  readonly certainty: Certainty;
  /** In the smallest unit: what the chain shows where it is `proved`, else what the service says; 0 where it counts for nothing. */
  readonly amount: bigint;
  /** Where and when it happened; absent where it counts for nothing. */
  readonly event?: ChainEvent | undefined;
  /** What the chain shows of money that is not tied to the order, or too old for it, in the smallest unit. */
  readonly untied?: bigint | undefined;
  /** The secret that the chain shows with it: hex digits in lower case without a prefix. */
  readonly secret?: string | undefined;
}

const NONE: Movement = {certainty: 'none', amount: 0n};
const DENIED: Movement = {certainty: 'denied', amount: 0n};
const WAITING: Movement = {certainty: 'waiting', amount: 0n};

/**
 * How long a claim waits for a chain that cannot be read just now, in milliseconds: a question of this much later that is
 * asked in vain, too, makes it the service's word. Time alone does not, since computers sleep with questions under way.
 */
export const LONGEST_WAIT_MS = 60_000;

/** What became of an order's money. */
export interface Movements {
  readonly paidIn: Movement;
  readonly paidOut: Movement;
  readonly paidBack: Movement;
}

/** What became of an order's money, as far as it is known. */
export function movementsOf(evidence: Evidence): Movements {
  return {paidIn: paidIn(evidence), paidOut: paidOut(evidence), paidBack: paidBack(evidence)};
}

/** Whether a chain is still asked about any of it. */
export function isAwaited({paidIn, paidOut, paidBack}: Movements): boolean {
  return [paidIn, paidOut, paidBack].some(({certainty}) => certainty === 'waiting');
}

function paidIn(evidence: Evidence): Movement {
  const {told, deposit} = evidence;
  const leg = told?.value.source;
  const onChain = deposit?.value;
  const {state = 'unknown', amount} = onChain ?? {};
  if (onChain && state === 'seen' && amount !== undefined) {
    return {certainty: 'proved', amount, event: shownOn({hashes: [], ...onChain}, leg?.initiated)};
  }
  const claim = told && claimsOf(told.value).in;
  if (!leg || claim === undefined) return NONE;
  const word: Movement = {certainty: 'told', amount: leg.filled, event: leg.initiated};
  if (disputedIn(evidence).source) return WAITING;
  // A transaction that is still on its way says nothing of a contract.
  if (onChain && (state === 'unknown' || state === 'seen')) return word;
  return heldAgainst(evidence, claim, deposit?.askedAt, word);
}

function paidOut(evidence: Evidence): Movement {
  const {told, record, payouts} = evidence;
  const claim = told && claimsOf(told.value).out;
  const redeemed = told?.value.destination.redeemed;
  const reading = payouts[payoutKey(payoutHashes(evidence))];
  const word: Movement = {certainty: 'told', amount: told?.value.destination.amount ?? 0n, event: redeemed};
  if (reading && reading.value !== 'unreadable') {
    const {amount, loose, earlier} = reading.value;
    if (amount > 0n) {
      return {certainty: 'proved', amount, event: shownOn(reading.value, redeemed), secret: reading.value.secret};
    }
    if (claim === undefined) return NONE;
    const untied = loose || earlier;
    return loose > 0n && loose >= leastOf(evidence) ? {...word, untied} : {...DENIED, ...(untied > 0n && {untied})};
  }
  const written = record?.paidOut;
  if (written) return {certainty: 'proved', amount: written.amount, event: shownOn(written, redeemed)};
  if (claim === undefined) return NONE;
  if (disputedIn(evidence).target) return WAITING;
  if (reading) return word;
  const reads = Object.values(payouts).filter(({value}) => value !== 'unreadable');
  return waitedFor(evidence, 'payout', claim, reads.length > 0, word);
}

function paidBack(evidence: Evidence): Movement {
  const {told, record, deposit} = evidence;
  const leg = told?.value.source;
  const onChain = deposit?.value;
  const end = onChain?.end;
  if (end?.how === 'refunded') return {certainty: 'proved', amount: end.amount, event: shownOn(end, leg?.refunded)};
  const written = record?.paidBack;
  if (written && onChain?.isHeld !== true && !end)
    return {certainty: 'proved', amount: written.amount, event: shownOn(written, leg?.refunded)};
  const claim = told && claimsOf(told.value).back;
  if (!leg?.refunded || claim === undefined) return NONE;
  if (disputedIn(evidence).source) return WAITING;
  if (end) return DENIED;
  const word: Movement = {certainty: 'told', amount: leg.filled || leg.amount, event: leg.refunded};
  const {state, isHeld} = onChain ?? {};
  // It is gone from the contract, and where to cannot be seen; or nothing of it can be.
  if (state === 'unknown' || (state === 'seen' && !isHeld)) return word;
  const judged = heldAgainst(evidence, claim, deposit?.askedAt, word);
  // What was held when it was last seen is not back because a chain is silent.
  return isHeld && judged.certainty === 'told' ? DENIED : judged;
}

/** A claim of which the chain, last read at a time, showed nothing. What was read before the claim says nothing about it. */
function heldAgainst(evidence: Evidence, claim: string, readAt: number | undefined, word: Movement): Movement {
  if (readAt !== undefined && readAt >= sinceOf(evidence, claim)) return DENIED;
  return waitedFor(evidence, 'deposit', claim, readAt !== undefined, word);
}

/**
 * A claim for which the chain was not read yet. Where it was read before, each new claim waits for it; else the first of
 * its kind does, since no node may answer at all.
 */
function waitedFor(
  evidence: Evidence,
  question: 'deposit' | 'payout',
  claim: string,
  wasRead: boolean,
  word: Movement,
): Movement {
  const [kind = ''] = claim.split(' ', 1);
  const since = sinceOf(evidence, wasRead ? claim : kind);
  return (evidence.failedAt?.[question] ?? -Infinity) < since + LONGEST_WAIT_MS ? WAITING : word;
}

/** Since when the service has claimed something. */
function sinceOf({claims}: Evidence, claim: string): number {
  return claims[claim] ?? -Infinity;
}

/** What has to arrive at least, in the smallest unit. */
function leastOf({record, told}: Evidence): bigint {
  return record?.agreed.atLeast ?? told?.value.destination.amount ?? 0n;
}

/**
 * An event that its chain shows. What the chain does not tell of it, the service may. Where the chain names transactions
 * and no block, one of them is in none.
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
 * An order as it is shown: as its service tells it, with what counts of its money. What a chain shows is marked `onChain`;
 * what it denies, or is still asked about, is left out. Without a word of the service, an order whose money a chain shows
 * is as this browser wrote it down, if it did.
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
      // What the contract still holds was not taken, whatever the service says.
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

/** A leg without what happened to its money. */
function bareLeg({
  initiated: _in,
  redeemed: _out,
  refunded: _back,
  ...leg
}: Leg): Omit<Leg, 'initiated' | 'redeemed' | 'refunded'> {
  return leg;
}

/** What was read, as text to compare. */
export function plainText(read: unknown): string {
  return JSON.stringify(read, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
