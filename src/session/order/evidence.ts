import {atom, batch, computed} from 'nanostores';
import type {Account, FeeHint} from '../../chains/adapter.js';
import type {ChainFamily} from '../../domain/asset.js';
import {SwapError, toSwapError} from '../../domain/error.js';
import {accept, NO_EVIDENCE, plainText, type Evidence, type Fact} from '../../domain/evidence.js';
import type {Order} from '../../domain/order.js';
import {idle, valueOf, type Remote} from '../../domain/remote.js';
import {isStepBack, isStepOn, type Stage} from '../../domain/stage.js';
import {isSameStory, tell, toWriteDown, type Circumstances, type Story} from '../../domain/story.js';
import {fill} from '../pricing.js';
import type {SessionCore} from '../shared.js';
import type {FundingProgress, ShownOrder} from '../types.js';
import type {Books, JournalEntry} from './journal.js';

/** No order is funded. */
export const NO_FUNDING: FundingProgress = {way: 'transaction', plan: [], walletRequests: [], unclear: false};

/** What only the code of orders writes. Others read it together, as `$order`. */
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
  fill(core, core.$order, $order);
  return stores;
}

/** What all that asks about an order shares. */
export interface OrderBase extends SessionCore, OrderStores, Books {
  account(family: ChainFamily): Account | undefined;
}

/** What is known of orders, what that means, and who is told. */
export type EvidenceStore = ReturnType<typeof createEvidence>;

/**
 * Keeps what is known of each order that was asked about. Whatever comes in (`accept`), the order's story is told anew:
 * drawn, written down, and reported to the page, the same for the order on the screen and for all others.
 */
export function createEvidence(core: OrderBase) {
  const {$placed, $funding, $story, $movedBackFrom, $journal, $now, $config, host, journal, readBalance} = core;
  const report = core.tell;
  const known = new Map<string, Evidence<JournalEntry>>();
  /** The order on the screen, with what was last reported of it. */
  let last: {readonly orderId: string; readonly stage: Stage; readonly witness: Story['witness']} | undefined;
  /** Ends of orders that no journal has. */
  const toldEnds = new Set<string>();
  let lastAsked = 0;

  const of = (orderId: string): Evidence<JournalEntry> =>
    accept<JournalEntry>(known.get(orderId) ?? NO_EVIDENCE, {about: 'record', value: journal().get(orderId)});

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
      clock: {now: host.now(), depositWindow, blockSeconds: source?.blockSeconds ?? Infinity},
      ...(isShown && {
        hasFailed: placed.report?.outcome === 'failed',
        funding: {isAsking: busy === true && plan.length > 0, isOut: funding !== undefined, isUnclear: unclear},
      }),
    };
  };

  const storyOf = (orderId: string): Story | undefined => {
    const evidence = of(orderId);
    const circumstances = circumstancesOf(orderId, evidence);
    return circumstances && tell(evidence, circumstances);
  };

  /** Writes down what stays of a story. */
  const remember = (orderId: string, evidence: Evidence<JournalEntry>, story: Story) => {
    const change = toWriteDown(evidence, story, host.now());
    if (Object.keys(change).length) journal().note(orderId, () => change);
    if (change.changed) report({type: 'error', error: new SwapError('order-changed'), orderId});
  };

  /** Tells the page that the money arrived, or is back; `again`, where this browser told so before. */
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

  /** Writes down and reports where an order stands, and who says so, wherever that is new. */
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
    // A check that stops an order writes so itself.
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

  /** Tells the story anew. Only news is written down: tabs that have read different things would write against each other. */
  const judge = (orderId: string, isNews = false) => {
    const evidence = of(orderId);
    const circumstances = circumstancesOf(orderId, evidence);
    const story = circumstances && keepOrder(tell(evidence, circumstances), $story.get());
    const {paidOut, paidBack} = evidence.record ?? {};
    batch(() => {
      // Time goes by, and the service is asked again and again: only what changed is shown anew.
      if (shown()?.id === orderId && !isSameStory(story, $story.get())) $story.set(story);
      if (!story) return;
      if (isNews) remember(orderId, evidence, story);
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

    /** The time, for a question that is asked now: later than for any before it. */
    askedNow: (): number => (lastAsked = Math.max(host.now(), lastAsked + 1 / 1024)),

    /** Forgets what was told of the order that was on the screen: another comes, or none. */
    reset() {
      last = undefined;
      batch(() => {
        $story.set(undefined);
        $movedBackFrom.set(undefined);
      });
    },

    /** Tells the story of the order on the screen anew whenever time, settings, or what is done about it change it. */
    run: () =>
      computed([$placed, $funding, $journal, $now, $config], placed => ({orderId: valueOf(placed)?.id})).subscribe(
        ({orderId}) => {
          if (orderId !== undefined) judge(orderId);
        },
      ),
  };
}

/** The same story with the very order of the last one, where that says the same: whoever draws it sees nothing new. */
function keepOrder(story: Story | undefined, last: Story | undefined): Story | undefined {
  const isSame = story?.order && plainText(story.order) === plainText(last?.order);
  return isSame ? {...story, order: last?.order} : story;
}
