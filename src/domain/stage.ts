import type {WalletRequest} from './deposit.js';
import {hasSentRefund, isSent, mayBePaid, mayHaveGoneOut, openPayment} from './funding.js';
import {earliestRefund, isConfirmed, isPart, refundOpensAt, type Leg, type Order} from './order.js';
import {wasNeverPayable, type DepositOnChain, type Movement, type Movements, type Written} from './evidence.js';

/** The stage of a swap, as the visitor sees it. */
export type Stage =
  /** The form, or the list of swaps. */
  | 'editing'
  /** The visitor reviews what is about to be agreed. */
  | 'reviewing'
  /** The order is being placed and checked. */
  | 'ordering'
  /** Nothing has been paid yet, or only a part to an address. */
  | 'awaiting-deposit'
  /** The wallet is prompting, or has responded but the payment has not been seen yet. */
  | 'funding'
  /** The payment has been seen, but is in no block yet. */
  | 'deposit-seen'
  /** The payment is in a block and waits for confirmations. */
  | 'confirming'
  /** The payment counts. The other side pays, or has paid. */
  | 'settling'
  /** The recipient has the money: their chain shows it, or only the service says so, which may be revised. */
  | 'complete'
  /** The swap did not happen. The refund is on its way, or possible after the timelock. */
  | 'refunding'
  /** The payer has the money back. */
  | 'refunded'
  /** Nothing was paid in time. */
  | 'expired'
  /** A check failed before anything was signed, or the visitor canceled the swap before paying. */
  | 'stopped';

export function isTerminal(stage: Stage): boolean {
  return stage === 'complete' || stage === 'refunded' || stage === 'stopped';
}

const UNDER_WAY: readonly Stage[] = ['funding', 'deposit-seen', 'confirming', 'settling', 'refunding'];

export function isUnderWay(stage: Stage): boolean {
  return UNDER_WAY.includes(stage);
}

/** The progress of a swap at each stage; a lower number is a step back. */
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

/** The stages of an order that was placed. */
export const ORDER_STAGES = (Object.keys(PROGRESS) as readonly Stage[]).filter(stage => PROGRESS[stage] > 0);

/** Whether a payment, or part of it, is no longer seen. A swap that continues after all is not a step back. */
export function isStepBack(before: Stage, now: Stage): boolean {
  if (before === 'refunding' && now === 'settling') return false;
  return PROGRESS[before] > PROGRESS.funding && PROGRESS[now] < PROGRESS[before];
}

export function isStepOn(before: Stage, now: Stage): boolean {
  return PROGRESS[now] > PROGRESS[before];
}

/** What a browser stored about an order that it placed, as far as it decides the stage. */
export interface SwapRecord extends Written {
  readonly walletRequests: readonly WalletRequest[];
  /** Its last stage. */
  readonly stage: Stage;
  /** When the whole payment was first read as confirmed, by the service's clock; absent while it is not. */
  readonly confirmedAt?: number | undefined;
  /** The visitor canceled it before paying. */
  readonly canceled?: true | undefined;
}

export interface FundingNow {
  /** The wallet is prompting, or about to. */
  readonly isAsking: boolean;
  /** The wallet has responded: the payment, or a signature for it, is on its way. */
  readonly isOut: boolean;
  /** Only the visitor can tell whether it was sent. */
  readonly isUnclear: boolean;
}

export interface SwapFacts {
  /** The order with only the money that counts (`orderOf`); absent until it is known. */
  readonly order?: Order | undefined;
  readonly money: Movements;
  readonly deposit?: DepositOnChain | undefined;
  /** Absent on an order that this browser did not place. */
  readonly record?: SwapRecord | undefined;
  readonly hasFailed?: boolean | undefined;
  readonly funding?: FundingNow | undefined;
  readonly clock: StageClock;
}

export interface StageClock {
  /** By the service's clock, in milliseconds since 1970. */
  readonly now: number;
  /** How long a deposit may be made, in milliseconds from the order's creation, unless the order states a deadline. */
  readonly depositWindow: number;
  /** Seconds between two blocks of the source chain. */
  readonly blockSeconds: number;
}

/** The stage of a swap, and whether it is the payer's turn. */
export interface Standing {
  readonly stage: Stage;
  /** The payer has to act: pay, say whether they did, or see why the swap stopped. */
  readonly isPayersTurn: boolean;
}

/**
 * The stage of a swap; `undefined` while nothing is known of it. This is the only place that decides it. The first row
 * that applies does. The service has no state field (API, States and transitions), so the stage is derived from hashes
 * and blocks, from what the chains show, and from what this browser stored. The service's word alone ends no right that
 * the chain still gives (row 2), completes or refunds nothing before a payment is known (rows 3 to 6), and pays nothing
 * that this browser neither showed nor asked for (`wasNeverPayable`): such an order is not initiated. Nor is one redeemed
 * whose recipient's chain was read and showed nothing, while the payment is seen to be held.
 *
 * | # | stored | source | destination | time | stage |
 * |---|---|---|---|---|---|
 * | 1a | – | any | its chain shows the payout, tied to this order, now or before | – | `complete` |
 * | 1b | – | its chain shows the refund | – | – | `refunded`; `refunding` while it is unconfirmed |
 * | 2 | – | the contract would refund it now | not seen on its chain | – | `refunding`, whatever the service says |
 * | 3 | a payment is known, and no refund was sent, or the chain shows that the other side was faster | any | redeemed, according to the service | – | `complete` (API: exactly then; also beside a refund hash) |
 * | 4 | a payment is known | refunded, in a block | – | – | `refunded` |
 * | 5 | a payment is known | refunded, unconfirmed, or the wallet sent a refund and the chain does not show it redeemed | – | – | `refunding` |
 * | 6 | a payment is known | redeemed | – | – | `settling` (the secret is revealed, so the destination can be redeemed) |
 * | 7 | – | initiated | refunded | – | `refunding` (the other side refunded its money) |
 * | 8 | – | initiated | initiated | – | `settling` |
 * | 9 | – | partly initiated | – | within the deposit window | as rows 18b and 19: the rest may still come |
 * | 10 | – | initiated, not in a block | – | – | `deposit-seen` |
 * | 11 | – | partly initiated | – | deposit window over | `refunding` |
 * | 12 | – | initiated after the deposit window | – | – | `refunding` (a late deposit is not served) |
 * | 13 | – | initiated, in a block | – | timelock expired, estimated if the chain cannot be read | `refunding` |
 * | 14 | – | initiated, confirmations missing | – | – | `confirming`, however long blocks take |
 * | 15 | confirmed | initiated | – | a deposit window after that | `refunding` (the other side did not pay) |
 * | 16 | – | initiated, confirmed | – | – | `settling` |
 * | 17 | a check failed or the visitor canceled it, and nothing may have been paid | – | – | – | `stopped` |
 * | 18a | the payment was sent, and no chain can be read | – | – | timelock expired, from the order's creation | `refunding` |
 * | 18b | the payment is requested, or may have been sent | – | – | – | `funding` |
 * | 19 | – | – | – | within the deposit window | `awaiting-deposit` |
 * | 20 | – | – | – | deposit window over | `expired` |
 *
 * Until the order is read, rows 1, 2, 17 and 18b decide, and a refund that the wallet sent; otherwise the last stage
 * stays: only a good response changes it, and what the contract holds is not refunded. What only the service said may
 * be revised. All times are the service's.
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
  const isStopped = !mayBe && (hasFailed === true || record?.stage === 'stopped' || record?.canceled === true);
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

  const {now} = clock;
  const windowEnds = order.createdAt + windowOf(order, clock.depositWindow);
  const windowOver = now >= windowEnds;
  if (source.initiated) {
    const stage = stageOfDeposit(order, {now, windowEnds, facts});
    if (stage) return stage;
  } else if (isStopped) return 'stopped';

  if (record && mayBeLocked(order, now, facts)) return 'refunding';
  if (isFunded) return 'funding';
  return windowOver ? 'expired' : 'awaiting-deposit';
}

/** An unconfirmed refund may still be replaced. */
function stageOfRefund(event: Movement['event']): Stage {
  return event?.block === undefined ? 'refunding' : 'refunded';
}

/**
 * Whether a payment that a wallet sent could be refunded by now, if no chain can be read and the service does not know
 * it. The contract rejects a refund if there is nothing to refund.
 */
function mayBeLocked(order: Order, now: number, {record, deposit, clock}: SwapFacts): boolean {
  if (order.source.initiated || record?.deposit.how !== 'wallet' || openPayment(record)?.state !== 'sent') return false;
  const isUnread = (deposit?.state ?? 'unknown') === 'unknown';
  return isUnread && now >= earliestRefund(order, clock.blockSeconds);
}

/**
 * A payout or a refund can only belong to a known payment. A stranger's order is the service's own business. An order
 * paid to an address may have been paid from any wallet, so the service's word counts unless the chain denies it.
 */
function isPaymentKnown({record, money: {paidIn}, deposit, funding}: SwapFacts): boolean {
  if (!record || paidIn.certainty === 'proved') return true;
  if (wasNeverPayable(record)) return false;
  if (record.paidIn || record.isHeld) return true;
  if (paidIn.certainty === 'denied' || paidIn.certainty === 'waiting') return false;
  const isTold = paidIn.certainty === 'told';
  const {state = 'unknown'} = deposit ?? {};
  if (!isTold && state !== 'unknown' && state !== 'seen') return false;
  const payment = openPayment(record);
  if (payment && (payment.state === 'sent' || payment.claimed)) return true;
  // While the wallet is prompting, or the service has not responded to a signature, it may still be rejected.
  if (!isTold || funding?.isAsking) return false;
  return record.deposit.how === 'transfer' || mayHaveGoneOut(record);
}

/** Rows 7 to 16: the source was initiated. `undefined` while the rest of it may still arrive. */
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

export function isPayersTurn(stage: Stage, {record, funding}: Pick<SwapFacts, 'record' | 'funding'>): boolean {
  if (stage === 'awaiting-deposit') return true;
  if (stage === 'stopped') return !record?.canceled;
  if (stage !== 'funding') return false;
  const isOut = funding?.isOut === true || (record !== undefined && isSent(record));
  return funding?.isUnclear === true || !isOut;
}

/** The longest time for which an order may be paid after its creation, in milliseconds, whatever its deadline. */
const LONGEST_WINDOW_MS = 24 * 3_600_000;

/** How long an order may be paid after its creation, in milliseconds: until its own deadline, if it has one. */
export function windowOf(order: Pick<Order, 'createdAt' | 'deadline'> | undefined, depositWindow: number): number {
  return order?.deadline === undefined ? depositWindow : Math.min(order.deadline - order.createdAt, LONGEST_WINDOW_MS);
}

/** When the whole payment was first read as confirmed; `undefined` while it is not. */
export function confirmedSince(before: number | undefined, source: Leg, now: number): number | undefined {
  if (source.initiated?.block === undefined || isPart(source) || !isConfirmed(source)) return undefined;
  return before ?? now;
}
