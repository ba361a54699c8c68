import type {PropertyValues} from 'lit';
import {state} from 'lit/decorators.js';
import type {Movements} from '../../../domain/evidence.js';
import type {Order} from '../../../domain/order.js';
import {proveSecret, type SecretProof} from '../../../domain/receipt.js';
import type {Stage} from '../../../domain/stage.js';
import {register} from '../../base/swap-element.js';
import type {FrameContent} from '../../base/swap-view.js';
import {notice} from '../../style/notice.js';
import {withHelp} from '../help.js';
import {orderStyles} from '../order-styles.js';
import {OrderView} from '../order-view.js';
import {swapOf} from '../telling.js';
import {arrivalStyles} from './arrival.js';
import {renderCanceled, renderComplete, renderExpired, renderRefunded} from './ends.js';
import {renderOnItsWay, renderReading, type Progress} from './progress.js';
import {receiptStyles, renderReceipt} from './receipt.js';
import {renderRefunding} from './refunding.js';

/** The stages in which nothing is waited for: their content determines their height. */
const ENDS: readonly Stage[] = ['complete', 'refunded', 'expired'];

/**
 * What happens after the payment: on its way, received, refunding, refunded, expired. It also shows view-only orders
 * that this browser did not place.
 *
 * @tag swap-widget-progress-view
 */
export class ProgressView extends OrderView {
  static override styles = [...OrderView.styles, notice, orderStyles, arrivalStyles, receiptStyles];

  @state() private receiptOf = '';
  @state() private proof: SecretProof = 'unchecked';

  #before: Stage | undefined;
  #beforeOf: string | undefined;

  override render() {
    return this.frame(this.#content());
  }

  protected override frame(content: FrameContent) {
    return super.frame(withHelp(content, this.context, this.placed));
  }

  protected override willUpdate(changed: PropertyValues) {
    super.willUpdate(changed);
    const stage = this.read(this.session.$stage);
    this.toggleAttribute('ended', ENDS.includes(stage));
    // The animation is only for payouts that arrive while the view is open.
    const {id, story} = this.placed ?? {};
    if (stage !== 'complete' || id !== this.#beforeOf) this.removeAttribute('arrived');
    else if (stage !== this.#before) this.toggleAttribute('arrived', true);
    this.#before = stage;
    this.#beforeOf = story && id;
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    const {story} = this.placed ?? {};
    if (story?.order && this.receiptOf === story.order.id) void this.#prove(story.order, story);
  }

  /** An insecure context has no Web Crypto. */
  async #prove(order: Order, money: Movements) {
    const {subtle} = crypto as Partial<Crypto>;
    this.proof = await proveSecret(order, money, subtle && (it => subtle.digest('SHA-256', it)));
  }

  protected get hasReceipt(): boolean {
    const {id, story} = this.placed ?? {};
    return (story?.stage === 'complete' || story?.stage === 'refunded') && this.receiptOf === id;
  }

  /** Shows the receipt of an order in place of its end; without an id, the end again. */
  protected showReceipt(orderId = '') {
    this.copied = undefined;
    this.proof = 'unchecked';
    this.receiptOf = orderId;
  }

  protected override back() {
    if (this.hasReceipt) this.showReceipt();
    else super.back();
  }

  #content(): FrameContent {
    const {session, context, placed} = this;
    const {story} = placed ?? {};
    const swap = placed && swapOf(placed, this.read(session.$settings, 'config')?.catalogue);
    if (!placed || !story || !swap) return renderReading(context, placed);
    const {stage, order} = story;
    const showReceipt = () => this.showReceipt(placed.id);
    const progress: Progress = {...context, placed, story, order, swap, showReceipt};
    if (order && this.hasReceipt) return renderReceipt(progress, order, this.proof);
    switch (stage) {
      case 'complete':
        return order ? renderComplete(progress, order) : renderReading(context, placed);
      case 'refunded':
        return order ? renderRefunded(progress, order) : renderReading(context, placed);
      case 'refunding':
        return renderRefunding(progress);
      case 'expired':
        return renderExpired(progress);
      case 'stopped':
        return story.isCanceled ? renderCanceled(progress) : renderOnItsWay(progress);
      case 'editing':
      case 'reviewing':
      case 'ordering':
      case 'awaiting-deposit':
      case 'funding':
      case 'deposit-seen':
      case 'confirming':
      case 'settling':
        return renderOnItsWay(progress);
    }
  }
}

register({'swap-widget-progress-view': ProgressView});
