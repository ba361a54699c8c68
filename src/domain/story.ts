import {dueOf} from './deposit.js';
import {
  depositState,
  disputedIn,
  isAwaited,
  movementsOf,
  orderOf,
  plainText,
  type Evidence,
  type Movement,
  type Movements,
  type Proof,
} from './evidence.js';
import {hasHandedOver, mayBePaid, mayHaveGoneOut} from './funding.js';
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
  skewOf,
  standingOf,
  type FundingNow,
  type Stage,
  type StageClock,
  type Standing,
  type SwapRecord,
} from './stage.js';

/*
 * What the evidence of an order means. Everything that says something of an order draws this: the screen, the live region,
 * the list, the receipt, notifications, `<swap-status>`, the events of the page.
 */

/** What is written down of an order beside what decides its stage. */
export interface StoryRecord extends SwapRecord {
  readonly seen?: SeenPayment;
  /** The service described it differently once it was paid, and the page knows. */
  readonly changed?: true;
}

/** Whether the payer can take the money back from its contract. */
export type RefundRight =
  /** There is nothing to take, or the service alone gives it back. */
  | 'none'
  /** Its timelock is not over, or when that is cannot be told yet. */
  | 'later'
  /** The chain shows that the contract would pay it now. */
  | 'open'
  /** The timelock is over by the clock, and the chain cannot be asked: the contract says no where there is nothing. */
  | 'likely';

/** What a person can do about an order. */
export type Action = 'pay' | 'answer' | 'refund' | 'wait' | 'restart';

/** The most urgent thing out of the ordinary. */
export type Note =
  /** The service describes it differently than before the payment. */
  | {readonly kind: 'changed'}
  /** Another transaction took the payment's place, and waits for a block. */
  | {readonly kind: 'replaced'}
  /** What was seen of the payment is no longer there. */
  | {readonly kind: 'gone'}
  /** Less than was agreed has been paid: `amount` so far. Who says so: the payment in. */
  | {readonly kind: 'part'; readonly amount: bigint}
  /** So much more than was agreed has been paid. */
  | {readonly kind: 'surplus'; readonly amount: bigint}
  /** The recipient got less than was agreed: `amount`. */
  | {readonly kind: 'less'; readonly amount: bigint}
  /** The service says that the money arrived, or is back, and the chain shows that much without a tie to the order. */
  | {readonly kind: 'untied'; readonly amount: bigint}
  /** The addresses that are named for a chain contradict each other; it is the source's or the target's. */
  | {readonly kind: 'disputed'; readonly of: 'source' | 'target'};

/** What is known of an order, as everything that draws it says it. */
export interface Story extends Movements, Standing {
  /** The order with what counts of its money: events that a chain shows are marked `onChain`. Absent until it is known. */
  readonly order?: Order | undefined;
  /** Who says that the money arrived, or is back; absent before that. */
  readonly witness?: 'chain' | 'service' | undefined;
  readonly refund: RefundRight;
  /** From when it can be taken back, or comes back, by this browser's clock; absent while that is not known. */
  readonly refundOpensAt?: number | undefined;
  /** The chain shows that the contract still holds the payment. */
  readonly isHeld: boolean;
  /** The chain was read last, and shows no payment. */
  readonly isUnpaid: boolean;
  readonly note?: Note | undefined;
  readonly actions: readonly Action[];
  /** The service has a signature that may still be used. */
  readonly hasLiveSignature: boolean;
  /** Nothing can change any more: it need not be read. */
  readonly isOver: boolean;
}

/** What is needed beside the evidence. */
export interface Circumstances {
  readonly clock: StageClock;
  /** A check of it failed. */
  readonly hasFailed?: boolean | undefined;
  /** How the payment goes on this very page. */
  readonly funding?: FundingNow | undefined;
}

/** Tells what the evidence means at a time; `undefined` while nothing is known. */
export function tell(evidence: Evidence<StoryRecord>, circumstances: Circumstances): Story | undefined {
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
  const opens = order && refundTime(order, record, clock);
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
    isUnpaid: !['seen', 'unknown', undefined].includes(depositState(evidence)),
    note: order && noteOf(order, evidence, money, stage),
    actions: actionsAt(standing, refund, circumstances),
    hasLiveSignature,
    isOver: isOver({stage, witness, refund, hasLiveSignature}, evidence, money),
  };
}

/** Where it stood, as long as a chain is still asked about what would move it back: only an answer does. */
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
 * Whether an order may still stand where it stood: at its end only by what is said of that now, never by what its contract
 * denies, nor by what the addresses of a chain contradict each other about.
 */
function mayStand(stage: Stage, {paidOut, paidBack}: Movements, evidence: Evidence<StoryRecord>): boolean {
  if (stage !== 'complete' && stage !== 'refunded') return true;
  const {isRefundOpen, isHeld} = evidence.deposit?.value ?? {};
  const disputed = disputedIn(evidence);
  const [{certainty}, isDenied] =
    stage === 'complete' ? [paidOut, isRefundOpen || disputed.target] : [paidBack, isHeld || disputed.source];
  return (certainty === 'told' || certainty === 'waiting') && !isDenied;
}

/** Whether two stories are told alike. */
export function isSameStory(one: Story | undefined, other: Story | undefined): boolean {
  return one === other || plainText(one) === plainText(other);
}

/** Who bears out the end. */
function witnessOf(stage: Stage, {paidOut, paidBack}: Movements): Story['witness'] {
  const by = ({certainty}: Movement) => (certainty === 'proved' ? 'chain' : 'service');
  if (stage === 'complete') return by(paidOut);
  return stage === 'refunded' ? by(paidBack) : undefined;
}

/**
 * When the money can be taken back, or comes back, by this browser's clock; `undefined` while that is not known. Of a
 * payment that nobody but the payer knows of, at the earliest: the contract says no to what comes too early.
 */
function refundTime(order: Order, record: SwapRecord | undefined, {blockSeconds}: StageClock): number | undefined {
  const {source} = order;
  const opens = source.initiated ? refundOpensAt(source, blockSeconds) : earliestRefund(order, blockSeconds);
  // The service's clock and this browser's may be hours apart.
  return opens === undefined ? undefined : opens - skewOf(order, record);
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
  // What a chain showed before it was last asked in vain may be otherwise by now.
  const isUnread = (depositState(evidence) ?? 'unknown') === 'unknown';
  const mayHaveCome = isUnread ? state === 'unknown' || state === 'seen' || state === 'none' : state === 'seen';
  if (!isHeld && !(mayHaveCome && (record.isHeld || mayHaveGoneOut(record)))) return 'none';
  if (isRefundOpen === false && !isUnread) return 'later';
  return clock.now >= worthATryFrom(evidence, record, opens, clock) ? 'likely' : 'later';
}

/**
 * From when a refund is worth a try where the chain says nothing of it: by what the service tells of the payment, but, for
 * its word ends no right, no later than after the time to pay and the timelock that were agreed.
 */
function worthATryFrom(
  {told}: Evidence,
  record: StoryRecord,
  opens: number | undefined,
  {blockSeconds, depositWindow}: StageClock,
): number {
  const byService = opens ?? (told && earliestRefund(told.value, blockSeconds) - skewOf(told.value, record));
  const agreed = writtenOrder(record);
  return Math.min(byService ?? Infinity, agreed ? earliestRefund(agreed, blockSeconds) + depositWindow : Infinity);
}

/** Whether the service has a signature that may still be used. Typed data has no nonce and no deadline: only the payment ends it. */
function isSignatureLive({told, deposit}: Evidence, record: StoryRecord, {paidIn}: Movements): boolean {
  if (!hasHandedOver(record) || record.paidIn || paidIn.certainty === 'proved') return false;
  if (deposit && deposit.value.state !== 'unknown') return true;
  // Where no chain can be read, the service's present word is all that there is. Before its first answer, its last one.
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
    const least = record?.agreed.atLeast ?? 0n;
    if (paidOut.certainty === 'proved' && paidOut.amount < least) return {kind: 'less', amount: paidOut.amount};
    return paidOut.untied ? {kind: 'untied', amount: paidOut.untied} : undefined;
  }
  if (record?.changed) return {kind: 'changed'};
  const disputed = disputedIn(evidence);
  if (disputed.source || disputed.target) return {kind: 'disputed', of: disputed.target ? 'target' : 'source'};
  const loss = lossOf(record?.seen, source);
  if (loss) return {kind: loss};
  if (stage === 'refunding' || !paidIn.event) return undefined;
  if (isPart(source)) return {kind: 'part', amount: source.filled};
  const {surplus} = dueOf(source);
  return surplus ? {kind: 'surplus', amount: surplus} : undefined;
}

function actionsAt(standing: Standing, refund: RefundRight, circumstances: Circumstances): readonly Action[] {
  const action = actionOf(standing, circumstances);
  const takes = refund === 'open' || refund === 'likely';
  return [...(action ? [action] : []), ...(takes ? (['refund'] as const) : [])];
}

/** What the stage itself leaves to the person. */
function actionOf({stage, isPayersTurn}: Standing, {funding}: Circumstances): Action | undefined {
  switch (stage) {
    case 'awaiting-deposit':
      return 'pay';
    case 'funding':
      if (!isPayersTurn) return 'wait';
      return funding?.isUnclear ? 'answer' : 'pay';
    case 'deposit-seen':
    case 'confirming':
    case 'settling':
    case 'refunding':
      return 'wait';
    case 'complete':
    case 'refunded':
    case 'expired':
    case 'stopped':
      return 'restart';
    case 'editing':
    case 'reviewing':
    case 'ordering':
      return undefined;
  }
}

/**
 * Whether nothing can change any more: what the service alone said may be taken back, what is held may be refunded, and
 * what was signed, or may have gone out, can still arrive.
 */
function isOver(
  {stage, witness, refund, hasLiveSignature}: Pick<Story, 'stage' | 'witness' | 'refund' | 'hasLiveSignature'>,
  {record, deposit}: Evidence<StoryRecord>,
  {paidOut}: Movements,
): boolean {
  // An address that was shown may be paid to, whatever was found out since.
  if (stage === 'stopped') return record?.deposit.how !== 'transfer' && refund === 'none' && !hasLiveSignature;
  const isHeld = record?.isHeld === true || deposit?.value.isHeld === true;
  if (witness !== 'chain' || (isHeld && refund !== 'none')) return false;
  // What is in no block may still be replaced.
  return stage !== 'complete' || paidOut.event?.block !== undefined;
}

/** What is written down of what a story says. */
type Learned = Partial<
  Pick<StoryRecord, 'paidIn' | 'paidOut' | 'paidBack' | 'isHeld' | 'seen' | 'confirmedAt' | 'changed'>
>;

/** What there is to write down of an order by its story. Empty where all is written. */
export function toWriteDown(evidence: Evidence<StoryRecord>, story: Story, now: number): Learned {
  const {record} = evidence;
  const {order, paidIn} = story;
  if (!record) return {};
  // What the chain shows for the first time takes the place of what was only told.
  const before = paidIn.certainty === 'proved' && !record.paidIn ? undefined : record.seen;
  const seen = order ? addSeen(before, order.source) : record.seen;
  // While its chain is still asked, nothing is known to be otherwise: another page does not begin to count anew.
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

/** What there is to write down of an order's money: what a chain showed, and no longer what it denies. Empty where all is written. */
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
    // The service alone gives back what was paid to an address.
    isHeld: record.deposit.how === 'wallet' && isHeld !== undefined ? isHeld || undefined : record.isHeld,
  } as const;
  const isNews = ([name, value]: [string, unknown]) =>
    plainText(value) !== plainText(record[name as keyof typeof change]);
  return Object.fromEntries(Object.entries(change).filter(isNews));
}

function proofOf({certainty, amount, event}: Movement): Proof | undefined {
  if (certainty !== 'proved' || !event) return undefined;
  return {amount, hashes: event.hashes, ...(event.block !== undefined && {block: event.block})};
}

/** Whether an order of this browser reads otherwise than before it was paid. */
export function isChanged({told}: Evidence, {terms, changed}: StoryRecord, isPaid: boolean): boolean {
  return isPaid && !changed && terms !== undefined && told !== undefined && hasOtherTerms(terms, told.value);
}

/** Whether nothing can come of an order any more, by what is written down: its end is in a block, or nothing can be paid. */
export function isFinal({stage, paidOut, paidBack, isHeld, ...record}: SwapRecord): boolean {
  if (isHeld) return false;
  if (stage === 'stopped') return !mayHaveGoneOut(record);
  return (
    (stage === 'complete' && paidOut?.block !== undefined) || (stage === 'refunded' && paidBack?.block !== undefined)
  );
}

/** Whether an order came to its end, by anybody's word. */
export function isEnded({stage, isHeld}: Pick<SwapRecord, 'stage' | 'isHeld'>): boolean {
  return (stage === 'complete' || stage === 'refunded') && !isHeld;
}

/** Whether an order may still want something of the payer, or the payer of it. */
export function isOpen(record: SwapRecord): boolean {
  return !isTerminal(record.stage) && (record.stage !== 'expired' || mayBePaid(record));
}
