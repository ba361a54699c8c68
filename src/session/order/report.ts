import {SwapError, toSwapError} from '../../domain/error.js';
import type {Evidence} from '../../domain/evidence.js';
import type {Order} from '../../domain/order.js';
import {valueOf} from '../../domain/remote.js';
import {isStepBack, isStepOn, type Stage} from '../../domain/stage.js';
import {toWriteDown, type Story} from '../../domain/story.js';
import {change, type SessionCore} from '../shared.js';
import type {Books, JournalEntry} from './journal.js';

/** Writes down what an order's story says, and reports it to the page: each thing once, whichever order is displayed. */
export class Reports {
  readonly #core: SessionCore & Books;
  #last: {readonly orderId: string; readonly stage: Stage; readonly witness: Story['witness']} | undefined;
  readonly #toldEnds = new Set<string>();

  constructor(core: SessionCore & Books) {
    this.#core = core;
  }

  forget(): void {
    this.#last = undefined;
  }

  /** Records what is new in a story. `now`: by the service's clock. */
  remember(orderId: string, evidence: Evidence<JournalEntry>, story: Story, now: number): void {
    const {journal, tell} = this.#core;
    const news = toWriteDown(evidence, story, now);
    if (Object.keys(news).length) journal().note(orderId, () => news);
    if (news.changed) tell({type: 'error', error: new SwapError('order-changed'), orderId});
  }

  /** `wasProved`: its end, before this story. */
  follow(orderId: string, {stage, order, witness}: Story, wasProved: boolean): void {
    const {$orderState, journal, tell} = this.#core;
    const entry = journal().get(orderId);
    const isShown = valueOf($orderState.get().placed)?.id === orderId;
    if (isShown && this.#last?.orderId !== orderId) {
      this.#last = {orderId, stage: entry?.stage ?? 'awaiting-deposit', witness: undefined};
      change($orderState, {movedBackFrom: undefined});
    }
    const previous = isShown ? this.#last?.stage : entry?.stage;
    const isBorneOut = witness === 'chain' && (entry ? !wasProved : this.#last?.witness === 'service');
    if (isShown) this.#last = {orderId, stage, witness};
    if (previous === undefined) return;
    if (stage === previous) {
      if (isBorneOut && order) this.#announceEnd(orderId, order, stage, witness);
      return;
    }
    if (isShown) {
      if (isStepBack(previous, stage)) change($orderState, {movedBackFrom: previous});
      else if (isStepOn(previous, stage)) change($orderState, {movedBackFrom: undefined});
    }
    // A check that stops an order records that itself.
    if (entry && entry.stage !== stage && stage !== 'stopped') {
      try {
        journal().update(orderId, () => ({stage}));
      } catch (error) {
        tell({type: 'error', error: toSwapError(error, 'storage'), orderId});
      }
    }
    if (!order) return;
    tell({type: 'status', orderId, stage, previous, order});
    this.#announceEnd(orderId, order, stage, witness);
  }

  #announceEnd(orderId: string, order: Order, stage: Stage, witness: Story['witness']): void {
    if ((stage !== 'complete' && stage !== 'refunded') || witness === undefined) return;
    const {journal, tell, readBalance} = this.#core;
    const entry = journal().get(orderId);
    const key = `${orderId} ${stage}`;
    const again = entry ? entry.ends?.includes(stage) === true : this.#toldEnds.has(key);
    this.#toldEnds.add(key);
    if (!again) journal().note(orderId, ({ends = []}) => ({ends: [...ends, stage]}));
    tell({type: stage === 'complete' ? 'complete' : 'refund', orderId, order, witness, ...(again && {again})});
    readBalance();
  }
}
