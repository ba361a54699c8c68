import type {Order} from '../../domain/order.js';
import {causeOf, reportOf, type CheckReport, type CheckResult} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import {isAwaited} from '../../domain/evidence.js';
import {mayBePaid} from '../../domain/funding.js';
import {isPaid, termsOf, writtenOrder} from '../../domain/order.js';
import {ready} from '../../domain/remote.js';
import {isStepOn} from '../../domain/stage.js';
import {change} from '../shared.js';
import type {SessionConfig} from '../types.js';
import type {Journal, JournalEntry} from './journal.js';
import type {DisplayedOrder, OrderCore} from './shown.js';

/** Checks the displayed order against what was agreed. */
export class Checking {
  readonly #core: OrderCore;
  readonly #shown: DisplayedOrder;

  constructor(core: OrderCore, shown: DisplayedOrder) {
    this.#core = core;
    this.#shown = shown;
  }

  /**
   * Also displays what is to be asked. A failed check stops the swap; permanently with `stops`, or if it is not new,
   * except for an order that may already be paid: that is tracked to its end. Returns whether the swap may continue:
   * one that was stopped never does.
   */
  async check(entry: JournalEntry, order: Order | undefined, stops = true): Promise<boolean> {
    const {$orderState, reads, evidence, consent, journal, host, tell} = this.#core;
    const shown = this.#shown;
    const {orderId, deposit} = entry;
    if (order) reads.requireMatched(order);
    const book = journal();
    const [chain, reader] = await shown.sourceOf(entry);
    const deal = shown.dealOf(entry, order);
    const [found, fresh] = await Promise.all([chain.check(deal, reader), this.#checkFresh(entry, order)]);
    const report = reportOf([...found.results, fresh], deal.policy);
    // Only its wallet can read the chain, and may be on another network: a press brings it here, and checks again.
    if (!stops && chain.wallets.moveTo && entry.agreed.from.chain.rpc === undefined && isOnlyUnread(report)) {
      shown.show(orderId, {move: 'wanted'});
      return false;
    }
    const hasBothWays = deposit.how === 'wallet' && deposit.ways.length > 1;
    // A call that cannot be read is not sent: what is left is the signature.
    if (hasBothWays && report.results.some(({name, outcome}) => name === 'call' && outcome === 'unverified'))
      shown.show(orderId, {way: 'signature', other: undefined});
    const question = consent.ask(deal, report);
    const isPayable = report.outcome !== 'failed' && !question && entry.stage !== 'stopped';
    const isUsed = fresh.outcome === 'failed' && entry.payableSince === null;
    if (shown.is(orderId)) {
      if (isPayable && deposit.how === 'transfer') writePayable(book, orderId, report, host.now());
      change($orderState, {placed: ready(shown.present(book.get(orderId) ?? entry, order, report, question))});
      evidence.judge(orderId);
    }
    if (question) return false;
    if (isPayable) {
      const terms = order && termsOf(order);
      // For comparison once it is paid.
      if (terms && terms.join() !== entry.terms?.join()) book.note(orderId, () => ({terms}));
      return true;
    }
    if ((stops || isUsed) && !mayBePaid(entry) && !entry.paidIn)
      book.update(orderId, () => ({stage: 'stopped', ...(isUsed && {used: true})}));
    // The reason for stopping an order is not reported again when the order is reopened.
    if (entry.stage === 'stopped') return false;
    tell({type: 'error', orderId, report, error: new SwapError('deposit-mismatch', {field: causeOf(report)?.name})});
    return false;
  }

  /**
   * Reads an order and checks it, as long as something is left to pay. A page may apply its settings one by one, so a
   * failure with the first of them is checked again with the last ones before it counts. An order that was never
   * shown is always checked: it cannot be paid yet.
   */
  readAndCheck(orderId: string, {isNew}: {readonly isNew: boolean}): Promise<void> {
    const {reads, journal, config} = this.#core;
    return this.#shown.alone(orderId, {}, async () => {
      const order = await reads.untilKnown(orderId);
      if (isPaid(order) && journal().get(orderId)?.payableSince !== null) return;
      let settings: SessionConfig;
      do {
        settings = config();
        const entry = journal().get(orderId);
        if (entry) await this.check(entry, order, isNew);
      } while (config() !== settings && this.#shown.is(orderId));
    });
  }

  /**
   * Checks the displayed order if that was not possible when it was opened, so that its address can be shown, and
   * again if the service describes it differently than before.
   */
  async checkAgain(order: Order): Promise<void> {
    const shown = this.#shown;
    const placed = shown.placed();
    if (placed?.id !== order.id) return;
    const {report} = placed;
    const story = this.#core.evidence.storyOf(order.id);
    // Until its chain has answered, a payment does not count, and an order whose secret is out would fail the check.
    if (!story || isAwaited(story) || isStepOn('funding', story.stage)) return;
    const before = shown.checkedOrder;
    const isChecked = report && before?.id === order.id && termsOf(before).join() === termsOf(order).join();
    const entry = isChecked ? undefined : shown.entry();
    // A deposit by wallet is checked before the prompt; an address is shown only after the check.
    if (entry?.deposit.how !== 'transfer' || shown.isBusy(order.id)) return;
    await shown.aside(order.id, async () => {
      await this.check(entry, order);
      // What prevented the earlier check is over.
      if (!report) shown.show(order.id, {error: undefined});
    });
  }

  /** Whether a new order is really new: the other side holds the secret of an earlier one. */
  async #checkFresh(entry: JournalEntry, order: Order | undefined): Promise<CheckResult> {
    const {journal, evidence, questions} = this.#core;
    const {orderId, used, deposit, payableSince} = entry;
    const others = journal().entries;
    const isKnown = others.some(other => other.orderId !== orderId && isSameSwap(entry, order, other));
    if (used || isKnown) return {name: 'fresh', outcome: 'failed'};
    if (deposit.how === 'wallet' || payableSince !== null) return {name: 'fresh', outcome: 'passed'};
    // The address was shown to nobody so far, so nobody can have paid.
    const {state} = (await questions.readPayment(evidence.of(orderId)).catch(() => undefined)) ?? {};
    return {name: 'fresh', outcome: state === 'seen' ? 'failed' : 'passed'};
  }
}

function isOnlyUnread({results}: CheckReport): boolean {
  const failed = results.filter(({outcome}) => outcome === 'failed');
  return failed.length > 0 && failed.every(({isRead}) => isRead === false);
}

/** Records that an order can be paid from now on, and how, before its address is shown. @throws SwapError `storage` */
function writePayable(book: Journal, orderId: string, {outcome}: CheckReport, now: number): void {
  const entry = book.get(orderId);
  const isUnverified = outcome === 'unverified' && !entry?.unverified;
  if (entry?.payableSince !== null && !isUnverified) return;
  book.update(orderId, ({payableSince}) => ({
    ...(payableSince === null && {payableSince: now}),
    ...(isUnverified && {unverified: true}),
  }));
}

function isSameSwap({deposit}: JournalEntry, order: Order | undefined, other: JournalEntry): boolean {
  if (deposit.how === 'transfer' && other.deposit.how === 'transfer') {
    if (deposit.address.toLowerCase() === other.deposit.address.toLowerCase()) return true;
  }
  const hash = order?.source.secretHash;
  return hash !== undefined && hash !== '' && writtenOrder(other)?.source.secretHash === hash;
}
