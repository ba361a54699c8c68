import {surplusOf} from './deposit.js';
import {
  depositState,
  disputedIn,
  isAwaited,
  movementsOf,
  orderOf,
  wasNeverPayable,
  type Evidence,
  type Movement,
  type Movements,
  type Proof,
} from './evidence.js';
import {hasHandedOver, mayBePaid, mayHaveGoneOut} from './funding.js';
import {isSameData} from './json.js';
import {
  addSeen,
  earliestRefund,
  hasOtherTerms,
  isPart,
  lossOf,
  refundOpensAt,
  writtenOrder,
  type Order,
  type SeenPayment,
} from './order.js';
import {
  confirmedSince,
  isPayersTurn,
  isStepOn,
  isTerminal,
  isUnderWay,
  standingOf,
  type FundingNow,
  type Stage,
  type StageClock,
  type Standing,
  type SwapRecord,
} from './stage.js';

/*
 * What the evidence of an order means, for everything that displays or reports an order: the screen, the live region,
 * the list, the receipt, notifications, `<swap-status>`, and the page's events.
 */

/** What is stored about an order in addition to what decides its stage. */
export interface StoryRecord extends SwapRecord {
  readonly seen?: SeenPayment;
  /** The service described it differently after the payment, and this was reported to the page. */
  readonly changed?: true;
  /** It was paid after a yes to what is neither known nor vouched for. */
  readonly unverified?: true;
}

/** Whether the payer can get a refund from the contract. */
export type RefundRight =
  /** There is nothing to refund, or only the service can refund it. */
  | 'none'
  /** Its timelock has not ended, or its end cannot be determined yet. */
  | 'later'
  /** The chain shows that the contract would refund it now. */
  | 'open'
  /** The timelock has ended by the clock, but the chain cannot be read: the contract rejects it if there is nothing. */
  | 'likely';

/** What the visitor can do about an order. */
export type Action = 'pay' | 'answer' | 'cancel' | 'refund' | 'wait' | 'restart';

/** The most urgent irregularity. */
export type Note =
  /** The service describes it differently than before the payment. */
  | {readonly kind: 'changed'}
  /** Another unconfirmed transaction replaced the payment. */
  | {readonly kind: 'replaced'}
  /** A payment that was seen is gone. */
  | {readonly kind: 'gone'}
  /** Less than the agreed amount has been paid: `amount` so far, as certain as the payment in. */
  | {readonly kind: 'part'; readonly amount: bigint}
  /** More than the agreed amount has been paid, by `amount`. */
  | {readonly kind: 'surplus'; readonly amount: bigint}
  /** The recipient got less than was agreed: `amount`. */
  | {readonly kind: 'less'; readonly amount: bigint}
  /** The service reports a payout or refund, and the chain shows this amount, but not tied to the order. */
  | {readonly kind: 'untied'; readonly amount: bigint}
  /** The RPCs of the source or target chain contradict each other. */
  | {readonly kind: 'disputed'; readonly of: 'source' | 'target'};

/** The state of an order, as everything displays it. */
export interface Story extends Movements, Standing {
  /** The order with only the money that counts: events that a chain shows are marked `onChain`. Absent until known. */
  readonly order?: Order | undefined;
  /** Who confirms the payout or refund; absent before it. */
  readonly witness?: 'chain' | 'service' | undefined;
  readonly refund: RefundRight;
  /** When a refund becomes possible, or arrives, by the clock that it was told with; absent while unknown. */
  readonly refundOpensAt?: number | undefined;
  /** The chain shows that the contract still holds the payment. */
  readonly isHeld: boolean;
  /** Nobody vouches for a refund: it is not verified, and no contract is seen to hold it. */
  readonly mayBeLost: boolean;
  /** The chain was read last, and shows no payment. */
  readonly isUnpaid: boolean;
  /** It is stopped because the visitor canceled it. */
  readonly isCanceled: boolean;
  readonly note?: Note | undefined;
  readonly actions: readonly Action[];
  /** The service has a signature that can still be used. */
  readonly hasLiveSignature: boolean;
  /** Nothing can change any more: it need not be read. */
  readonly isOver: boolean;
}

export interface Circumstances {
  readonly clock: StageClock;
  readonly hasFailed?: boolean | undefined;
  readonly funding?: FundingNow | undefined;
}

/** Interprets the evidence at a given time; `undefined` while nothing is known. */
export function tell(known: Evidence<StoryRecord>, circumstances: Circumstances): Story | undefined {
  const evidence = withoutOutdated(known);
  const {record} = evidence;
  const {clock} = circumstances;
  const money = movementsOf(evidence);
  const order = orderOf(evidence, money);
  const deposit = evidence.deposit?.value;
  const standing = holdBack(
    standingOf({order, money, deposit, record, ...circumstances}),
    evidence,
    money,
    circumstances,
  );
  if (!standing) return undefined;
  const {stage} = standing;
  const opens = order && refundTime(order, clock);
  const refund = refundRight(evidence, money, opens, clock);
  const witness = witnessOf(stage, money);
  const hasLiveSignature = record !== undefined && isSignatureLive(evidence, record, money);
  return {
    ...standing,
    ...money,
    order,
    witness,
    refund,
    refundOpensAt: opens,
    isHeld: deposit?.isHeld === true,
    // Nothing shows who can spend from an address.
    mayBeLost: record?.unverified === true && !(deposit?.isHeld && record.deposit.how === 'wallet'),
    isUnpaid: !['seen', 'unknown', undefined].includes(depositState(evidence)),
    isCanceled: stage === 'stopped' && record?.canceled === true,
    note: order && noteOf(order, evidence, money, stage),
    actions: actionsAt(standing, evidence, refund, circumstances),
    hasLiveSignature,
    isOver: isOver({stage, witness, refund, hasLiveSignature}, evidence, money),
  };
}

/** What is known, less a response from before another tab saw the payment: it does not show that the payment is gone. */
function withoutOutdated({told, seenAt = -Infinity, ...rest}: Evidence<StoryRecord>): Evidence<StoryRecord> {
  const isOutdated = told && told.askedAt < seenAt && lossOf(rest.record?.seen, told.value.source) === 'gone';
  return told && !isOutdated ? {...rest, told} : rest;
}

/** Only a response changes the stage: the last one stays while one that could revert it is pending. */
function holdBack(
  standing: Standing | undefined,
  evidence: Evidence<StoryRecord>,
  money: Movements,
  circumstances: Circumstances,
): Standing | undefined {
  const {record} = evidence;
  if (!standing || !record || !isAwaited(money) || !isStepOn(standing.stage, record.stage)) return standing;
  if (!mayStand(record.stage, money, evidence)) return standing;
  return {stage: record.stage, isPayersTurn: isPayersTurn(record.stage, {record, ...circumstances})};
}

/**
 * Whether an order may keep its last stage: its end only if that is still supported, never against the contract, nor
 * while a chain's RPCs contradict each other about it.
 */
function mayStand(stage: Stage, {paidOut, paidBack}: Movements, evidence: Evidence<StoryRecord>): boolean {
  if (stage !== 'complete' && stage !== 'refunded') return true;
  const {isRefundOpen, isHeld} = evidence.deposit?.value ?? {};
  const disputed = disputedIn(evidence);
  const [{certainty}, isDenied] =
    stage === 'complete' ? [paidOut, isRefundOpen || disputed.target] : [paidBack, isHeld || disputed.source];
  return (certainty === 'told' || certainty === 'waiting') && !isDenied;
}

function witnessOf(stage: Stage, {paidOut, paidBack}: Movements): Story['witness'] {
  const by = ({certainty}: Movement) => (certainty === 'proved' ? 'chain' : 'service');
  if (stage === 'complete') return by(paidOut);
  return stage === 'refunded' ? by(paidBack) : undefined;
}

/**
 * When a refund becomes possible, or arrives; `undefined` while unknown. For a payment that only the payer knows of, the
 * earliest time: the contract rejects a refund that is too early.
 */
function refundTime(order: Order, {blockSeconds}: StageClock): number | undefined {
  const {source} = order;
  return source.initiated ? refundOpensAt(source, blockSeconds) : earliestRefund(order, blockSeconds);
}

function refundRight(
  evidence: Evidence<StoryRecord>,
  {paidBack}: Movements,
  opens: number | undefined,
  clock: StageClock,
): RefundRight {
  const {record, deposit} = evidence;
  if (record?.deposit.how !== 'wallet') return 'none';
  const {state = 'unknown', isHeld, isRefundOpen} = deposit?.value ?? {};
  if (isRefundOpen) return 'open';
  if (isHeld === false || paidBack.certainty === 'proved') return 'none';
  // Of a contract that is not known, nothing is known of a refund either.
  if (record.unverified && !isHeld) return 'none';
  // What a chain showed before its last failure may have changed.
  const isUnread = (depositState(evidence) ?? 'unknown') === 'unknown';
  const mayHaveCome = isUnread ? state === 'unknown' || state === 'seen' || state === 'none' : state === 'seen';
  if (!isHeld && !(mayHaveCome && (record.isHeld || mayHaveGoneOut(record)))) return 'none';
  if (isRefundOpen === false && !isUnread) return 'later';
  return clock.now >= worthATryFrom(evidence, record, opens, clock) ? 'likely' : 'later';
}

/**
 * From when a refund can be tried if the chain shows nothing of it: by the payment that the service reports, but no
 * later than the agreed deposit window plus timelock, since the service's word ends no right.
 */
function worthATryFrom(
  {told}: Evidence,
  record: StoryRecord,
  opens: number | undefined,
  {blockSeconds, depositWindow}: StageClock,
): number {
  const byService = opens ?? (told && earliestRefund(told.value, blockSeconds));
  // It was placed when the service created it, whatever both clocks say.
  const agreed = writtenOrder({...record, ...(told && {placedAt: told.value.createdAt})});
  return Math.min(byService ?? Infinity, agreed ? earliestRefund(agreed, blockSeconds) + depositWindow : Infinity);
}

/** Whether the service has a signature that can still be used. Typed data has no nonce or deadline: only a payment ends it. */
function isSignatureLive({told, deposit}: Evidence, record: StoryRecord, {paidIn}: Movements): boolean {
  if (!hasHandedOver(record) || record.paidIn || paidIn.certainty === 'proved') return false;
  if (deposit && deposit.value.state !== 'unknown') return true;
  // If no chain can be read, only the service's current response counts; before the first one, its last one.
  return told ? paidIn.certainty !== 'told' : !record.seen?.filled;
}

function noteOf(
  order: Order,
  evidence: Evidence<StoryRecord>,
  {paidIn, paidOut}: Movements,
  stage: Stage,
): Note | undefined {
  const {record} = evidence;
  const {source} = order;
  if (stage === 'complete') {
    const isLess = paidOut.certainty === 'proved' && record && paidOut.amount < record.agreed.atLeast;
    if (isLess) return {kind: 'less', amount: paidOut.amount};
    return paidOut.untied ? {kind: 'untied', amount: paidOut.untied} : undefined;
  }
  if (record?.changed) return {kind: 'changed'};
  const disputed = disputedIn(evidence);
  if (disputed.source || disputed.target) return {kind: 'disputed', of: disputed.target ? 'target' : 'source'};
  const loss = paidIn.certainty === 'waiting' ? undefined : lossOf(record?.seen, source);
  if (loss) return {kind: loss};
  if (stage === 'refunding' || !paidIn.event) return undefined;
  if (isPart(source)) return {kind: 'part', amount: source.filled};
  const surplus = surplusOf(source);
  return surplus ? {kind: 'surplus', amount: surplus} : undefined;
}

function actionsAt(
  standing: Standing,
  {record, told}: Evidence<StoryRecord>,
  refund: RefundRight,
  circumstances: Circumstances,
): readonly Action[] {
  const cancels = standing.stage === 'awaiting-deposit' && record !== undefined && canCancel(record, told?.value);
  const takes = refund === 'open' || refund === 'likely';
  return [
    actionOf(standing, circumstances),
    ...(cancels ? (['cancel'] as const) : []),
    ...(takes ? (['refund'] as const) : []),
  ];
}

/** Whether the visitor can still cancel an order: nothing was paid, and nothing that was signed or sent can pay it. */
export function canCancel(record: Pick<SwapRecord, 'walletRequests' | 'paidIn'>, order: Order | undefined): boolean {
  const isPaidInPart = order !== undefined && (order.source.initiated !== undefined || order.source.filled > 0n);
  return !mayHaveGoneOut(record) && !record.paidIn && !isPaidInPart;
}

function actionOf({stage, isPayersTurn}: Standing, {funding}: Circumstances): Action {
  if (stage === 'awaiting-deposit') return 'pay';
  if (!isUnderWay(stage)) return 'restart';
  if (stage !== 'funding' || !isPayersTurn) return 'wait';
  return funding?.isUnclear ? 'answer' : 'pay';
}

/**
 * Whether nothing can change any more: the service or a chain may still answer, what only the service said may be
 * revised, a held payment may be refunded, and what was signed or may have been sent can still arrive.
 */
function isOver(
  {stage, witness, refund, hasLiveSignature}: Pick<Story, 'stage' | 'witness' | 'refund' | 'hasLiveSignature'>,
  {record, told, deposit}: Evidence<StoryRecord>,
  money: Movements,
): boolean {
  if (!told || isAwaited(money)) return false;
  if (stage === 'stopped') return !(record && isAddressOut(record)) && refund === 'none' && !hasLiveSignature;
  const isHeld = record?.isHeld === true || deposit?.value.isHeld === true;
  if (witness !== 'chain' || (isHeld && refund !== 'none')) return false;
  // An unconfirmed transaction may still be replaced.
  return stage !== 'complete' || money.paidOut.event?.block !== undefined;
}

type Learned = Partial<
  Pick<StoryRecord, 'paidIn' | 'paidOut' | 'paidBack' | 'isHeld' | 'seen' | 'confirmedAt' | 'changed'>
>;

/** What is to be stored about an order according to its story. Empty if everything already is. `now`: the service's. */
export function toWriteDown(evidence: Evidence<StoryRecord>, story: Story, now: number): Learned {
  const {record} = evidence;
  const {order, paidIn} = story;
  if (!record) return {};
  // What the chain shows for the first time replaces what was only reported.
  const before = paidIn.certainty === 'proved' && !record.paidIn ? undefined : record.seen;
  const seen = order ? addSeen(before, order.source) : record.seen;
  // While its chain is being read, the known time stays: another page does not restart the count.
  const isKnown = order && paidIn.certainty !== 'waiting';
  const confirmedAt = isKnown ? confirmedSince(record.confirmedAt, order.source, now) : record.confirmedAt;
  const isPaid = order?.source.initiated !== undefined || mayBePaid(record);
  return {
    ...newlyProved(evidence, story),
    ...(seen && seen !== record.seen && {seen}),
    ...(confirmedAt !== record.confirmedAt && {confirmedAt}),
    ...(isChanged(evidence, record, isPaid) && {changed: true}),
  };
}

/** What is to be stored about an order's money: what a chain showed, less what it now denies. Empty if all of it already is. */
export function newlyProved(
  {record, deposit}: Evidence<StoryRecord>,
  {paidIn, paidOut, paidBack}: Movements,
): Partial<Pick<StoryRecord, 'paidIn' | 'paidOut' | 'paidBack' | 'isHeld'>> {
  if (!record) return {};
  const {state = 'unknown', isHeld} = deposit?.value ?? {};
  const isRead = state !== 'unknown' && state !== 'seen';
  const change = {
    paidIn: paidIn.certainty === 'proved' || isRead ? !isRead || undefined : record.paidIn,
    paidOut: proofOf(paidOut),
    paidBack: proofOf(paidBack),
    // Only the service can refund a payment to an address.
    isHeld: record.deposit.how === 'wallet' && isHeld !== undefined ? isHeld || undefined : record.isHeld,
  } as const;
  const isNews = ([name, value]: [string, unknown]) => !isSameData(value, record[name as keyof typeof change]);
  return Object.fromEntries(Object.entries(change).filter(isNews));
}

function proofOf({certainty, amount, event}: Movement): Proof | undefined {
  if (certainty !== 'proved' || !event) return undefined;
  return {amount, hashes: event.hashes, ...(event.block !== undefined && {block: event.block})};
}

export function isChanged({told}: Evidence, {terms, changed}: StoryRecord, isPaid: boolean): boolean {
  return isPaid && !changed && terms !== undefined && told !== undefined && hasOtherTerms(terms, told.value);
}

/** Whether an order can no longer change, by what is stored: its end is in a block, or nothing can be paid. */
export function isFinal(record: SwapRecord): boolean {
  const {stage, paidOut, paidBack, isHeld} = record;
  if (isHeld) return false;
  if (stage === 'stopped') return !mayHaveGoneOut(record) && !isAddressOut(record);
  return (
    (stage === 'complete' && paidOut?.block !== undefined) || (stage === 'refunded' && paidBack?.block !== undefined)
  );
}

/** Whether an address was shown, and may be paid to, whatever was found out since. */
function isAddressOut(record: SwapRecord): boolean {
  return record.deposit.how === 'transfer' && !wasNeverPayable(record);
}

export function isEnded({stage, isHeld}: Pick<SwapRecord, 'stage' | 'isHeld'>): boolean {
  return (stage === 'complete' || stage === 'refunded') && !isHeld;
}

/** Whether an order may still need the payer, or the payer it. */
export function isOpen(record: SwapRecord): boolean {
  return !isTerminal(record.stage) && (record.stage !== 'expired' || mayBePaid(record));
}
