import {valueOf} from '../../../domain/remote.js';
import {register} from '../../base/swap-element.js';
import type {FrameContent} from '../../base/swap-view.js';
import {notice} from '../../style/notice.js';
import {orderStyles} from '../order-styles.js';
import {OrderView} from '../order-view.js';
import {renderComplete, renderExpired, renderRefunded} from './ends.js';
import {renderOnItsWay, renderReading} from './on-its-way.js';
import {swapOf, type Progress} from './progress.js';
import {renderRefunding} from './refunding.js';

/**
 * What happens after the payment: on its way, received, coming back, refunded, expired. It also shows an order that
 * this browser did not place, without anything that pays.
 *
 * @tag swap-widget-progress-view
 */
export class ProgressView extends OrderView {
  static override styles = [...OrderView.styles, notice, orderStyles];

  override render() {
    return this.frame(this.#content());
  }

  #content(): FrameContent {
    const {session, context} = this;
    const placed = valueOf(this.read(session.$order));
    const order = valueOf(this.read(session.$status));
    const stage = this.read(session.$stage);
    const swap = placed && swapOf(placed, order, this.read(session.$config)?.catalogue);
    if (!placed || !swap) return renderReading(context, placed);
    const progress: Progress = {...context, placed, order, swap};
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
