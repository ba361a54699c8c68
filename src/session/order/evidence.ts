import {batch, effect} from 'nanostores';
import type {Account} from '../../chains/adapter.js';
import type {ChainFamily} from '../../domain/asset.js';
import {accept, NO_EVIDENCE, type Evidence, type Fact} from '../../domain/evidence.js';
import {openPayment} from '../../domain/funding.js';
import {isSameData} from '../../domain/json.js';
import {valueOf} from '../../domain/remote.js';
import {tell, type Circumstances, type Story} from '../../domain/story.js';
import {elapsedOf} from '../clock.js';
import {change, type SessionCore} from '../shared.js';
import type {Clock} from './clock.js';
import {withoutSwapId, type Consent} from './consent.js';
import type {Books, JournalEntry} from './journal.js';
import {Reports} from './report.js';

export interface OrderBase extends SessionCore, Books {
  readonly clock: Clock;
  readonly consent: Consent;
  account(family: ChainFamily): Account | undefined;
}

/**
 * What is known of each order that was queried. With each new fact (`accept`), the order's story is derived again:
 * displayed, recorded, and reported to the page, in the same way for the displayed order and for all others.
 */
export class EvidenceStore {
  readonly #core: OrderBase;
  readonly #reports: Reports;
  readonly #known = new Map<string, Evidence<JournalEntry>>();
  /** Of each order's payment, when it may have been sent and what was seen of it, and since when that is known here. */
  readonly #sightings = new Map<string, {readonly value: unknown; readonly since: number}>();
  #lastAsked = 0;

  constructor(core: OrderBase) {
    this.#core = core;
    this.#reports = new Reports(core);
  }

  of(orderId: string): Evidence<JournalEntry> {
    const record = this.#core.journal().get(orderId);
    this.paymentSince(orderId, record);
    const seenAt = this.#sinceOf(`seen ${orderId}`, record?.seen, -Infinity);
    return accept<JournalEntry>(this.#known.get(orderId) ?? NO_EVIDENCE, {about: 'record', value: record, seenAt});
  }

  accept(orderId: string, fact: Fact<JournalEntry>): void {
    this.#known.set(orderId, accept(this.#known.get(orderId) ?? NO_EVIDENCE, fact));
    this.judge(orderId, true);
  }

  storyOf(orderId: string): Story | undefined {
    return this.#meaningOf(orderId, this.of(orderId));
  }

  /** The time for a request that is sent now, by the clock that is never set: later than for any before it. */
  askedNow(): number {
    return (this.#lastAsked = Math.max(elapsedOf(this.#core.host), this.#lastAsked + 1 / 1024));
  }

  /**
   * Since when an order's payment may be on its way: since this page first read of it, which is before any question about
   * it. So neither a clock that is set nor a reload gives it up too early.
   */
  paymentSince(orderId: string, record = this.#core.journal().get(orderId)): number {
    return this.#sinceOf(`payment ${orderId}`, record && openPayment(record)?.at);
  }

  /** Only changes are recorded: tabs with different readings would overwrite each other. */
  judge(orderId: string, isNews = false): void {
    const {$orderState, host} = this.#core;
    const evidence = this.of(orderId);
    const meaning = this.#meaningOf(orderId, evidence);
    const {placed, story: last} = $orderState.get();
    const story = keepOrder(meaning && this.#shareable(meaning, evidence.record), last);
    const {paidOut, paidBack} = evidence.record ?? {};
    batch(() => {
      // Time passes, and the service is polled: only changes are displayed.
      if (valueOf(placed)?.id === orderId && !isSameData(story, last)) change($orderState, {story});
      if (!meaning || !story) return;
      if (isNews) this.#reports.remember(orderId, evidence, meaning, host.now() + this.#skewOf(evidence));
      this.#reports.follow(orderId, story, (story.stage === 'refunded' ? paidBack : paidOut) !== undefined);
    });
  }

  reset(): void {
    this.#reports.forget();
    change(this.#core.$orderState, {story: undefined, movedBackFrom: undefined});
  }

  run(): () => void {
    const {$orderState, $journal, $now, $settings} = this.#core;
    return effect([$orderState, $journal, $now, $settings], ({placed}) => {
      const orderId = valueOf(placed)?.id;
      if (orderId !== undefined) this.judge(orderId);
    });
  }

  /** Since when this page knows what it does of an order, by the clock that is never set. `first`: what it knew at once. */
  #sinceOf(what: string, value: unknown, first = elapsedOf(this.#core.host)): number {
    const last = this.#sightings.get(what);
    if (last && isSameData(last.value, value)) return last.since;
    const since = last ? elapsedOf(this.#core.host) : first;
    this.#sightings.set(what, {value, since});
    return since;
  }

  #skewOf({told, record}: Evidence<JournalEntry>): number {
    return this.#core.clock.skewOf(told?.value, record);
  }

  #circumstancesOf(orderId: string, evidence: Evidence<JournalEntry>): Circumstances | undefined {
    const {$settings, $orderState, host} = this.#core;
    const {config} = $settings.get();
    if (!config) return undefined;
    const {catalogue, depositWindow} = config;
    const {record, told} = evidence;
    const source = catalogue.find(record?.agreed.from.id ?? told?.value.source.asset ?? '')?.chain;
    const state = $orderState.get();
    const placed = valueOf(state.placed);
    const isShown = placed?.id === orderId;
    const {busy, plan, funding, unclear} = state.funding;
    return {
      clock: {now: host.now() + this.#skewOf(evidence), depositWindow, blockSeconds: source?.blockSeconds ?? Infinity},
      ...(isShown && {
        hasFailed: placed.report?.outcome === 'failed',
        funding: {isAsking: busy === true && plan.length > 0, isOut: funding !== undefined, isUnclear: unclear},
      }),
    };
  }

  /** What the evidence means now, with the times by this page's clock. */
  #meaningOf(orderId: string, evidence: Evidence<JournalEntry>): Story | undefined {
    const circumstances = this.#circumstancesOf(orderId, evidence);
    const story = circumstances && tell(evidence, circumstances);
    if (story?.refundOpensAt === undefined) return story;
    return {...story, refundOpensAt: story.refundOpensAt - this.#skewOf(evidence)};
  }

  /** A story for others to read, without an address that must not be paid yet, nor one that took its place since. */
  #shareable(story: Story, record: JournalEntry | undefined): Story {
    if (!story.order || record?.deposit.how !== 'transfer') return story;
    const isAddress = story.order.source.swapId === record.deposit.address;
    const isWithheld = !isAddress || this.#core.consent.isWithheld(record);
    return isWithheld ? {...story, order: withoutSwapId(story.order)} : story;
  }
}

/** The same story with the previous order object if it is equal, so that nothing renders again. */
function keepOrder(story: Story | undefined, last: Story | undefined): Story | undefined {
  const isSame = story?.order && isSameData(story.order, last?.order);
  return isSame ? {...story, order: last?.order} : story;
}
