import {html} from 'lit';
import {isTerminal} from '../../../domain/stage.js';
import {register} from '../../base/swap-element.js';
import type {FrameContent} from '../../base/swap-view.js';
import {dateTime} from '../../base/time.js';
import {linkButton} from '../order-parts.js';
import {ProgressView} from './progress-view.js';
import {renderWaitingNote} from './progress.js';

/**
 * The progress of one order alone: without a way back to a form, another swap, or a list.
 *
 * @tag swap-status-view
 */
export class StatusView extends ProgressView {
  protected override get context() {
    return {...super.context, isForLooking: true};
  }

  protected override frame(content: FrameContent) {
    return super.frame({
      ...content,
      back: this.hasReceipt,
      list: false,
      foot: this.hasReceipt ? content.foot : this.#foot(),
    });
  }

  #foot() {
    const {placed, locale, t} = this;
    const {story} = placed ?? {};
    if (!placed || !story?.order || !isTerminal(story.stage)) return renderWaitingNote(this.context, placed);
    const {stage, paidOut, paidBack, order} = story;
    const at = (stage === 'complete' ? paidOut : paidBack).event?.at ?? order.createdAt;
    return html`<slot name="success"></slot>
      <p class="foot-note">
        <span>${dateTime(at, locale)}</span>
        ${stage === 'complete' || stage === 'refunded' ? linkButton(t.receipt, () => this.showReceipt(placed.id)) : ''}
      </p>`;
  }
}

register({'swap-status-view': StatusView});
