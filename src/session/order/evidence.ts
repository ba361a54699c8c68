import {atom, batch, computed} from 'nanostores';
import type {Account, FeeHint} from '../../chains/adapter.js';
import type {ChainFamily} from '../../domain/asset.js';
import {SwapError, toSwapError} from '../../domain/error.js';
import {accept, NO_EVIDENCE, type Evidence, type Fact} from '../../domain/evidence.js';
import {openPayment} from '../../domain/funding.js';
import {isSameData} from '../../domain/json.js';
import type {Order} from '../../domain/order.js';
import {idle, valueOf, type Remote} from '../../domain/remote.js';
import {isStepBack, isStepOn, type Stage} from '../../domain/stage.js';
import {isSameStory, tell, toWriteDown, type Circumstances, type Story} from '../../domain/story.js';
import {elapsedOf} from '../clock.js';
import type {SessionCore} from '../shared.js';
import type {FundingProgress, ShownOrder} from '../types.js';
import type {Clock} from './clock.js';
import {withoutSwapId, type Consent} from './consent.js';
import type {Books, JournalEntry} from './journal.js';

export const NO_FUNDING: FundingProgress = {way: 'transaction', plan: [], walletRequests: [], unclear: false};

/** Stores that only the code of orders writes. Others read them combined, as `$order`. */
export type OrderStores = ReturnType<typeof createOrderStores>;

export function createOrderStores(core: SessionCore) {
  const stores = {
    $reading: atom<Remote<true>>(idle),
    $readAt: atom<number | undefined>(),
    $movedBackFrom: atom<Stage | undefined>(),
    $funding: atom(NO_FUNDING),
    $refund: atom<Remote<string>>(idle),
    $fee: atom<FeeHint | undefined>(),
  };
  const {$reading, $readAt, $movedBackFrom, $funding, $refund, $fee} = stores;
  const $order = computed(
    [core.$placed, core.$story, $reading, $readAt, $movedBackFrom, $funding, $refund, $fee],
    (placed, story, reading, readAt, movedBackFrom, funding, refund, fee): Remote<ShownOrder> => {
      const order = valueOf(placed);
      if (!order || placed.state === 'idle') return placed as Remote<never>;
      return {...placed, value: {...order, story, reading, readAt, movedBackFrom, funding, refund, fee}};
    },
  );
  $order.subscribe(order => core.$order.set(order));
  return stores;
}

export interface OrderBase extends SessionCore, OrderStores, Books {
  readonly clock: Clock;
  readonly consent: Consent;
  account(family: ChainFamily): Account | undefined;
}

/** The evidence of orders, its meaning, and who is notified. */
export type EvidenceStore = ReturnType<typeof createEvidence>;

/**
 * Stores what is known of each order that was queried. With each new fact (`accept`), the order's story is derived
 * again: displayed, recorded, and reported to the page, in the same way for the displayed order and for all others.
 */
export function createEvidence(core: OrderBase) {
  const {$placed, $funding, $story, $movedBackFrom, $journal, $now, $config, host, clock, journal, readBalance} = core;
  const report = core.tell;
  const known = new Map<string, Evidence<JournalEntry>>();
  /** The displayed order, with what was last reported about it. */
  let last: {readonly orderId: string; readonly stage: Stage; readonly witness: Story['witness']} | undefined;
  /** Ends of orders that are in no journal. */
  const toldEnds = new Set<string>();
  let lastAsked = 0;
  /** Of each order's payment, when it may have been sent and what was seen of it, and since when that is known here. */
  const sightings = new Map<string, {readonly value: unknown; readonly since: number}>();

  const of = (orderId: string): Evidence<JournalEntry> => {
    const record = journal().get(orderId);
    paymentSince(orderId, record);
    const seenAt = sinceOf(`seen ${orderId}`, record?.seen, -Infinity);
    return accept<JournalEntry>(known.get(orderId) ?? NO_EVIDENCE, {about: 'record', value: record, seenAt});
  };

  /** Since when this page knows what it does of an order, by the clock that is never set. `first`: what it knew at once. */
  const sinceOf = (what: string, value: unknown, first = elapsedOf(host)): number => {
    const last = sightings.get(what);
    if (last && isSameData(last.value, value)) return last.since;
    const since = last ? elapsedOf(host) : first;
    sightings.set(what, {value, since});
    return since;
  };

  /**
   * Since when an order's payment may be on its way: since this page first read of it, which is before any question about
   * it. So neither a clock that is set nor a reload gives it up too early.
   */
  const paymentSince = (orderId: string, record = journal().get(orderId)): number =>
    sinceOf(`payment ${orderId}`, record && openPayment(record)?.at);

  const shown = () => valueOf($placed.get());

  const circumstancesOf = (orderId: string, {told, record}: Evidence<JournalEntry>): Circumstances | undefined => {
    const config = $config.get();
    if (!config) return undefined;
    const {catalogue, depositWindow} = config;
    const order = told?.value;
    const source = catalogue.find(record?.agreed.from.id ?? order?.source.asset ?? '')?.chain;
    const placed = shown();
    const isShown = placed?.id === orderId;
    const {busy, plan, funding, unclear} = $funding.get();
    return {
      clock: {
        now: host.now() + clock.skewOf(order, record),
        depositWindow,
        blockSeconds: source?.blockSeconds ?? Infinity,
      },
      ...(isShown && {
        hasFailed: placed.report?.outcome === 'failed',
        funding: {isAsking: busy === true && plan.length > 0, isOut: funding !== undefined, isUnclear: unclear},
      }),
    };
  };

  /** What the evidence means now, with the times by this page's clock. */
  const meaningOf = (orderId: string, evidence: Evidence<JournalEntry>): Story | undefined => {
    const circumstances = circumstancesOf(orderId, evidence);
    const story = circumstances && tell(evidence, circumstances);
    if (story?.refundOpensAt === undefined) return story;
    return {...story, refundOpensAt: story.refundOpensAt - clock.skewOf(evidence.told?.value, evidence.record)};
  };

  const storyOf = (orderId: string) => meaningOf(orderId, of(orderId));

  /** A story for others to read, without an address that must not be paid yet, nor one that took its place since. */
  const shareable = (story: Story, record: JournalEntry | undefined): Story => {
    if (!story.order || record?.deposit.how !== 'transfer') return story;
    const isAddress = story.order.source.swapId === record.deposit.address;
    return isAddress && !core.consent.isWithheld(record) ? story : {...story, order: withoutSwapId(story.order)};
  };

  const remember = (orderId: string, evidence: Evidence<JournalEntry>, story: Story) => {
    const now = host.now() + clock.skewOf(evidence.told?.value, evidence.record);
    const change = toWriteDown(evidence, story, now);
    if (Object.keys(change).length) journal().note(orderId, () => change);
    if (change.changed) report({type: 'error', error: new SwapError('order-changed'), orderId});
  };

  /** Reports a payout or refund to the page; `again` if this browser has reported it before. */
  const announceEnd = (orderId: string, order: Order, stage: Stage, witness: Story['witness']) => {
    if ((stage !== 'complete' && stage !== 'refunded') || witness === undefined) return;
    const entry = journal().get(orderId);
    const key = `${orderId} ${stage}`;
    const again = entry ? entry.ends?.includes(stage) === true : toldEnds.has(key);
    toldEnds.add(key);
    if (!again) journal().note(orderId, ({ends = []}) => ({ends: [...ends, stage]}));
    report({type: stage === 'complete' ? 'complete' : 'refund', orderId, order, witness, ...(again && {again})});
    readBalance();
  };

  /** Records and reports an order's stage and its witness, if they are new. */
  const follow = (orderId: string, story: Story, wasProved: boolean) => {
    const {stage, order, witness} = story;
    const entry = journal().get(orderId);
    const isShown = shown()?.id === orderId;
    if (isShown && last?.orderId !== orderId) {
      last = {orderId, stage: entry?.stage ?? 'awaiting-deposit', witness: undefined};
      $movedBackFrom.set(undefined);
    }
    const previous = isShown ? last?.stage : entry?.stage;
    const isBorneOut = witness === 'chain' && (entry ? !wasProved : last?.witness === 'service');
    if (isShown) last = {orderId, stage, witness};
    if (previous === undefined) return;
    if (stage === previous) {
      if (isBorneOut && order) announceEnd(orderId, order, stage, witness);
      return;
    }
    if (isShown) {
      if (isStepBack(previous, stage)) $movedBackFrom.set(previous);
      else if (isStepOn(previous, stage)) $movedBackFrom.set(undefined);
    }
    // A check that stops an order records that itself.
    if (entry && entry.stage !== stage && stage !== 'stopped') {
      try {
        journal().update(orderId, () => ({stage}));
      } catch (error) {
        report({type: 'error', error: toSwapError(error, 'storage'), orderId});
      }
    }
    if (!order) return;
    report({type: 'status', orderId, stage, previous, order});
    announceEnd(orderId, order, stage, witness);
  };

  /** Derives the story again. Only changes are recorded: tabs with different readings would overwrite each other. */
  const judge = (orderId: string, isNews = false) => {
    const evidence = of(orderId);
    const meaning = meaningOf(orderId, evidence);
    const story = keepOrder(meaning && shareable(meaning, evidence.record), $story.get());
    const {paidOut, paidBack} = evidence.record ?? {};
    batch(() => {
      // Time passes, and the service is polled: only changes are displayed.
      if (shown()?.id === orderId && !isSameStory(story, $story.get())) $story.set(story);
      if (!meaning || !story) return;
      if (isNews) remember(orderId, evidence, meaning);
      follow(orderId, story, (story.stage === 'refunded' ? paidBack : paidOut) !== undefined);
    });
  };

  return {
    of,
    storyOf,
    judge,

    accept(orderId: string, fact: Fact<JournalEntry>) {
      known.set(orderId, accept(known.get(orderId) ?? NO_EVIDENCE, fact));
      judge(orderId, true);
    },

    /** The time for a request that is sent now, by the clock that is never set: later than for any before it. */
    askedNow: (): number => (lastAsked = Math.max(elapsedOf(host), lastAsked + 1 / 1024)),

    paymentSince: (orderId: string) => paymentSince(orderId),

    /** Forgets what was reported of the displayed order: another one follows, or none. */
    reset() {
      last = undefined;
      batch(() => {
        $story.set(undefined);
        $movedBackFrom.set(undefined);
      });
    },

    /** Derives the story of the displayed order again whenever time, settings, or its payment change it. */
    run: () =>
      computed([$placed, $funding, $journal, $now, $config], placed => ({orderId: valueOf(placed)?.id})).subscribe(
        ({orderId}) => {
          if (orderId !== undefined) judge(orderId);
        },
      ),
  };
}

/** The same story with the previous order object if it is equal, so that nothing renders again. */
function keepOrder(story: Story | undefined, last: Story | undefined): Story | undefined {
  const isSame = story?.order && isSameData(story.order, last?.order);
  return isSame ? {...story, order: last?.order} : story;
}
