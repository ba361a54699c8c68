import type {PropertyValues} from 'lit';
import {state} from 'lit/decorators.js';
import type {Order} from '../../../domain/order.js';
import {proveSecret, type SecretProof} from '../../../domain/receipt.js';
import {valueOf} from '../../../domain/remote.js';
import type {Stage} from '../../../domain/stage.js';
import {register} from '../../base/swap-element.js';
import type {FrameContent} from '../../base/swap-view.js';
import {notice} from '../../style/notice.js';
import {orderStyles} from '../order-styles.js';
import {OrderView} from '../order-view.js';
import {renderComplete, renderExpired, renderRefunded} from './ends.js';
import {renderOnItsWay, renderReading} from './on-its-way.js';
import {swapOf, type Progress} from './progress.js';
import {receiptStyles, renderReceipt} from './receipt.js';
import {renderRefunding} from './refunding.js';

/** The stages at which nothing is waited for: their content decides how tall they are. */
const ENDS: readonly Stage[] = ['complete', 'refunded', 'expired'];

/**
 * What happens after the payment: on its way, received, coming back, refunded, expired. It also shows an order that
 * this browser did not place, without anything that pays.
 *
 * @tag swap-widget-progress-view
 */
export class ProgressView extends OrderView {
  static override styles = [...OrderView.styles, notice, orderStyles, receiptStyles];

  /** The order whose receipt is shown, in the place of its end. */
  @state() private receiptOf = '';
  /** Whether the secret of that order proved to be the one of both legs. */
  @state() private proof: SecretProof = 'unchecked';

  override render() {
    return this.frame(this.#content());
  }

  protected override willUpdate(changed: PropertyValues) {
    super.willUpdate(changed);
    this.toggleAttribute('ended', ENDS.includes(this.read(this.session.$stage)));
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    const order = valueOf(this.session.$status.get());
    if (order && this.receiptOf === order.id) void this.#prove(order);
  }

  /** A page that is not secure has no way to hash. */
  async #prove(order: Order) {
    const {subtle} = crypto as Partial<Crypto>;
    this.proof = await proveSecret(order, this.session.$chain.get(), subtle && (it => subtle.digest('SHA-256', it)));
  }

  /** Whether a receipt is on the screen. */
  protected get hasReceipt(): boolean {
    const stage = this.read(this.session.$stage);
    const placed = valueOf(this.read(this.session.$order));
    return (stage === 'complete' || stage === 'refunded') && this.receiptOf === placed?.id;
  }

  /** Shows the receipt of an order in the place of its end; without an id, the end again. */
  protected showReceipt(orderId = '') {
    this.copied = undefined;
    this.proof = 'unchecked';
    this.receiptOf = orderId;
  }

  #content(): FrameContent {
    const {session, context} = this;
    const placed = valueOf(this.read(session.$order));
    const order = valueOf(this.read(session.$status));
    const stage = this.read(session.$stage);
    const swap = placed && swapOf(placed, order, this.read(session.$config)?.catalogue);
    if (!placed || !swap) return renderReading(context, placed);
    const showReceipt = () => {
      this.showReceipt(placed.id);
    };
    const progress: Progress = {...context, placed, order, swap, showReceipt};
    if (order && this.hasReceipt) {
      return renderReceipt(progress, order, this.proof, () => {
        this.showReceipt();
      });
    }
    switch (stage) {
      case 'complete':
        return order ? renderComplete(progress, order) : renderReading(context, placed);
      case 'refunded':
        return order ? renderRefunded(progress, order) : renderReading(context, placed);
      case 'refunding':
        return renderRefunding(progress);
      case 'expired':
        return renderExpired(progress);
      case 'editing':
      case 'reviewing':
      case 'ordering':
      case 'awaiting-deposit':
      case 'funding':
      case 'deposit-seen':
      case 'confirming':
      case 'settling':
      case 'stopped':
        return renderOnItsWay(progress, stage);
    }
  }
}

register({'swap-widget-progress-view': ProgressView});

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-progress-view': ProgressView;
  }
}
