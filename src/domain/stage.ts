import type {Deposit, WalletRequest} from './deposit.js';
import {hasSentRefund, isSent, mayBePaid, mayHaveGoneOut, openPayment} from './funding.js';
import {earliestRefund, isConfirmed, isPart, refundOpensAt, type Leg, type Order} from './order.js';
import type {DepositOnChain, Movement, Movements, Written} from './evidence.js';

/** Where a swap stands, as a person sees it. */
export type Stage =
  /** The form, or the list of swaps. */
  | 'editing'
  /** The visitor looks at what is about to be agreed. */
  | 'reviewing'
  /** The order is being placed and checked. */
  | 'ordering'
  /** Nothing has been paid yet, or only part of it to an address. */
  | 'awaiting-deposit'
  /** The wallet is being asked, or has answered and the payment has not been seen yet. */
  | 'funding'
  /** The payment is seen, and in no block yet. */
  | 'deposit-seen'
  /** The payment is in a block and waits for more. */
  | 'confirming'
  /** The payment counts. The other side pays, or has paid. */
  | 'settling'
  /** The recipient has the money: their chain shows it, or the service says so alone, which may be taken back. */
  | 'complete'
  /** The swap did not happen. The money is on its way back, or can be taken back after the timelock. */
  | 'refunding'
  /** The payer has the money back. */
  | 'refunded'
  /** Nothing was paid in time. */
  | 'expired'
  /** A check failed before anything was signed. */
  | 'stopped';

/** Whether an order has come to an end that stays: it need not be read any more. */
export function isTerminal(stage: Stage): boolean {
  return stage === 'complete' || stage === 'refunded' || stage === 'stopped';
}

const UNDER_WAY: readonly Stage[] = ['funding', 'deposit-seen', 'confirming', 'settling', 'refunding'];

/** Whether money is on its way, or may be: the payment, what arrives for it, or what comes back. */
export function isUnderWay(stage: Stage): boolean {
  return UNDER_WAY.includes(stage);
}

/** How far a swap has come at each stage; going down is going back. */
const PROGRESS: Readonly<Record<Stage, number>> = {
  editing: 0,
  reviewing: 0,
  ordering: 0,
  'awaiting-deposit': 1,
  expired: 1,
  stopped: 1,
  funding: 2,
  'deposit-seen': 3,
  confirming: 4,
  settling: 5,
  refunding: 6,
  refunded: 7,
  complete: 7,
};

/** All stages. */
export const STAGES = Object.keys(PROGRESS) as readonly Stage[];

/** Whether a payment, or part of it, is no longer seen. A swap that continues after all has not gone back. */
export function isStepBack(before: Stage, now: Stage): boolean {
  if (before === 'refunding' && now === 'settling') return false;
  return PROGRESS[before] > PROGRESS.funding && PROGRESS[now] < PROGRESS[before];
}

/** Whether a swap has come further. */
export function isStepOn(before: Stage, now: Stage): boolean {
  return PROGRESS[now] > PROGRESS[before];
}

/** What a browser wrote down of an order that it placed, as far as it decides where the swap stands. */
export interface SwapRecord extends Written {
  readonly walletRequests: readonly WalletRequest[];
  /** Where it last stood. */
  readonly stage: Stage;
  /** When all of the payment was first read as confirmed, by this browser's clock; absent while it is not. */
  readonly confirmedAt?: number | undefined;
  /** How it is paid. */
  readonly deposit: Pick<Deposit, 'how'>;
}

/** How the payment goes on this very page. */
export interface FundingNow {
  /** The wallet is being asked, or will be in a moment. */
  readonly isAsking: boolean;
  /** The wallet answered: the payment, or a signature for it, is on its way. */
  readonly isOut: boolean;
  /** Only the person can say whether it went out. */
  readonly isUnclear: boolean;
}

/** All that decides where a swap stands. */
export interface SwapFacts {
  /** The order with what counts of its money (`orderOf`); absent until it is known. */
  readonly order?: Order | undefined;
  /** What became of its money. */
  readonly money: Movements;
  /** What the source chain shows, where it was read. */
  readonly deposit?: DepositOnChain | undefined;
  /** Absent on an order that this browser did not place. */
  readonly record?: SwapRecord | undefined;
  /** A check of it failed. */
  readonly hasFailed?: boolean | undefined;
  readonly funding?: FundingNow | undefined;
  readonly clock: StageClock;
}

/** What is needed besides order and record to say where a swap stands. */
export interface StageClock {
  /** By this browser's clock, in milliseconds since 1970. */
  readonly now: number;
  /** How long a deposit may be made, in milliseconds from the order's creation, where the order says nothing else. */
  readonly depositWindow: number;
  /** Seconds between two blocks of the source chain. */
  readonly blockSeconds: number;
}

/** Where a swap stands, and whether it is the payer's turn. */
export interface Standing {
  readonly stage: Stage;
  /** The payer is asked for something: to pay, to say whether they did, or to see why nothing was asked for. */
  readonly isPayersTurn: boolean;
}

/**
 * Where a swap stands; `undefined` where nothing is known of it yet. This is the only place that decides it. The first
 * row that holds does. The service keeps no state field (API, States and transitions), so it is read off hashes and
 * blocks, off what the chains show, and off what this browser wrote down. A service's word alone ends no right that the
 * chain still gives (row 2), and nothing is complete, or paid back, by its word before a payment is known of (rows 3 to 6).
 *
 * | # | written down | source | destination | time | stage |
 * |---|---|---|---|---|---|
 * | 1a | – | any | its chain shows the payout, tied to this order, now or before | – | `complete` |
 * | 1b | – | its chain shows that it came back | – | – | `refunded`; `refunding` while it is in no block |
 * | 2 | – | the contract would pay it back now | not seen on its chain | – | `refunding`, whatever the service says |
 * | 3 | a payment is known of, and no refund was sent, or the chain shows that the other side was faster | any | redeemed, by the service's word | – | `complete` (API: exactly then; also beside a refund hash) |
 * | 4 | a payment is known of | refunded, in a block | – | – | `refunded` |
 * | 5 | a payment is known of | refunded, only seen, or the wallet sent a refund and the chain does not show it taken | – | – | `refunding` |
 * | 6 | a payment is known of | redeemed | – | – | `settling` (the secret is out, so the destination can be redeemed by anyone who holds it) |
 * | 7 | – | initiated | refunded | – | `refunding` (the other side took its money back) |
 * | 8 | – | initiated | initiated | – | `settling` |
 * | 9 | – | initiated, a part only | – | within the deposit window | as rows 18b and 19: the rest may still come |
 * | 10 | – | initiated, not in a block | – | – | `deposit-seen` |
 * | 11 | – | initiated, a part only | – | deposit window over | `refunding` |
 * | 12 | – | initiated after the deposit window | – | – | `refunding` (a late deposit is not served) |
 * | 13 | – | initiated, in a block | – | timelock over, by estimate where the chain cannot be asked | `refunding` |
 * | 14 | – | initiated, confirmations missing | – | – | `confirming`, however long blocks take |
 * | 15 | confirmed | initiated | – | a deposit window after that | `refunding` (the other side did not pay) |
 * | 16 | – | initiated, confirmed | – | – | `settling` |
 * | 17 | a check failed, and nothing may have been paid | – | – | – | `stopped` |
 * | 18a | the payment was sent, and no chain can be asked | – | – | timelock over, from the order's creation | `refunding` |
 * | 18b | the payment is asked for, or may have gone out | – | – | – | `funding` |
 * | 19 | – | – | – | within the deposit window | `awaiting-deposit` |
 * | 20 | – | – | – | deposit window over | `expired` |
 *
 * Until the order was read, rows 1, 2, 17 and 18b decide, and a refund that the wallet sent; otherwise it stays where it
 * last was: only a good answer moves it, and what the contract holds is not back. What the service alone said may be taken back, also by the service.
 * Times of the order are the service's, so they are compared with the service's time (`skewOf`).
 */
export function standingOf(facts: SwapFacts): Standing | undefined {
  const stage = stageOf(facts);
  return stage && {stage, isPayersTurn: isPayersTurn(stage, facts)};
}

function stageOf(facts: SwapFacts): Stage | undefined {
  const {order, money, deposit, record, hasFailed, funding, clock} = facts;
  if (money.paidOut.certainty === 'proved') return 'complete';
  if (money.paidBack.certainty === 'proved') return stageOfRefund(money.paidBack.event);
  if (record && deposit?.isRefundOpen) return 'refunding';
  const takesBack = record !== undefined && hasSentRefund(record) && deposit?.end?.how !== 'redeemed';
  const mayBe = record !== undefined && mayBePaid(record);
  const isStopped = !mayBe && (hasFailed === true || record?.stage === 'stopped');
  const isFunded = mayBe || funding?.isAsking === true || funding?.isOut === true;

  if (!order) {
    if (takesBack || (record?.stage === 'refunded' && deposit?.isHeld)) return 'refunding';
    if (isStopped) return 'stopped';
    return isFunded && !(record && PROGRESS[record.stage] > PROGRESS.funding) ? 'funding' : record?.stage;
  }

  const {source, destination} = order;
  if (isPaymentKnown(facts)) {
    if (destination.redeemed && !takesBack) return 'complete';
    if (source.refunded) return stageOfRefund(source.refunded);
    if (takesBack) return 'refunding';
    if (source.redeemed) return 'settling';
  }

  const now = clock.now + skewOf(order, record);
  const windowEnds = payableUntil(order, clock.depositWindow);
  const windowOver = now >= windowEnds;
  if (source.initiated) {
    const stage = stageOfDeposit(order, {now, windowEnds, facts});
    if (stage) return stage;
  } else if (isStopped) return 'stopped';

  if (record && mayBeLocked(order, now, facts)) return 'refunding';
  if (isFunded) return 'funding';
  return windowOver ? 'expired' : 'awaiting-deposit';
}

/** One that is in no block may still be replaced. */
function stageOfRefund(event: Movement['event']): Stage {
  return event?.block === undefined ? 'refunding' : 'refunded';
}

/**
 * Whether a payment that a wallet sent could be taken back by now, where no chain can be asked and the service knows
 * nothing of it. The contract refuses where there is nothing to take back.
 */
function mayBeLocked(order: Order, now: number, {record, deposit, clock}: SwapFacts): boolean {
  if (order.source.initiated || record?.deposit.how !== 'wallet' || openPayment(record)?.state !== 'sent') return false;
  const isUnread = (deposit?.state ?? 'unknown') === 'unknown';
  return isUnread && now >= earliestRefund(order, clock.blockSeconds);
}

/**
 * Whether there is a payment that a payout or a refund can be for. A stranger's order is the service's own business. For
 * one that is paid to an address any wallet may have been used, so the service's word counts where the chain does not
 * deny it.
 */
function isPaymentKnown({record, money: {paidIn}, deposit, funding}: SwapFacts): boolean {
  if (!record || paidIn.certainty === 'proved' || record.paidIn || record.isHeld) return true;
  if (paidIn.certainty === 'denied' || paidIn.certainty === 'waiting') return false;
  const isTold = paidIn.certainty === 'told';
  const {state = 'unknown'} = deposit ?? {};
  if (!isTold && state !== 'unknown' && state !== 'seen') return false;
  const payment = openPayment(record);
  if (payment && (payment.state === 'sent' || payment.claimed)) return true;
  // As long as the wallet, or the service for a signature, is being asked it may say no.
  if (!isTold || funding?.isAsking) return false;
  return record.deposit.how === 'transfer' || mayHaveGoneOut(record);
}

/** Rows 7 to 16: the source was initiated. `undefined` while the rest of it may still come. */
function stageOfDeposit(
  {source, destination}: Order,
  {
    now,
    windowEnds,
    facts: {record, deposit, clock},
  }: {
    readonly now: number;
    readonly windowEnds: number;
    readonly facts: SwapFacts;
  },
): Stage | undefined {
  if (destination.refunded) return 'refunding';
  if (destination.initiated) return 'settling';
  if (isPart(source) && now < windowEnds) return undefined;
  if (source.initiated?.block === undefined) return 'deposit-seen';
  if (isPart(source)) return 'refunding';

  const {at} = source.initiated;
  if (at !== undefined && at >= windowEnds) return 'refunding';
  const opens = refundOpensAt(source, clock.blockSeconds);
  const mayOpen = opens !== undefined && now >= opens;
  if (deposit?.isRefundOpen === undefined && mayOpen) return 'refunding';
  if (!isConfirmed(source)) return 'confirming';
  const {confirmedAt} = record ?? {};
  return confirmedAt !== undefined && clock.now >= confirmedAt + clock.depositWindow ? 'refunding' : 'settling';
}

/** Whether the payer is asked for something at a stage. */
export function isPayersTurn(stage: Stage, {record, funding}: Pick<SwapFacts, 'record' | 'funding'>): boolean {
  if (stage === 'awaiting-deposit' || stage === 'stopped') return true;
  if (stage !== 'funding') return false;
  const isOut = funding?.isOut === true || (record !== undefined && isSent(record));
  return funding?.isUnclear === true || !isOut;
}

/**
 * By how many milliseconds the service's clock is ahead of this browser's. An order that this browser placed was made in
 * one moment, which both wrote down; of any other order nothing is known.
 */
export function skewOf({createdAt}: Pick<Order, 'createdAt'>, record: {readonly placedAt: number} | undefined): number {
  return record ? createdAt - record.placedAt : 0;
}

/** The longest time for which an order may be paid after it was made, in milliseconds, even where its service names a longer one. */
const LONGEST_WINDOW_MS = 24 * 3_600_000;

/** Until when an order may be paid, by the service's clock, in milliseconds since 1970: its own deadline, if it has one. */
export function payableUntil({createdAt, deadline}: Order, depositWindow: number): number {
  return deadline === undefined ? createdAt + depositWindow : Math.min(deadline, createdAt + LONGEST_WINDOW_MS);
}

/** When all of a payment was first read as confirmed; `undefined` while it is not. */
export function confirmedSince(before: number | undefined, source: Leg, now: number): number | undefined {
  if (source.initiated?.block === undefined || isPart(source) || !isConfirmed(source)) return undefined;
  return before ?? now;
}
