import {css, html} from 'lit';
import {isProblem} from '../../domain/draft.js';
import {lengthStep, valueText} from '../base/format.js';
import {base, thread} from '../style/styles.js';
import {SwapElement} from '../base/swap-element.js';

/**
 * The amount a person wants to swap: label, shares of all there is, the text, and what it is worth or what is wrong with it.
 * Its pieces are cells of the grid it stands in.
 *
 * @tag swap-widget-amount-field
 * @csspart amount - The line with the text field.
 */
export class AmountField extends SwapElement {
  static override styles = [
    base,
    thread,
    css`
      :host {
        display: contents;
      }
      input {
        inline-size: 100%;
        block-size: var(--_row);
        font-weight: inherit;
        text-overflow: ellipsis;
      }
      input:focus-visible {
        outline: 0;
      }
      .amount:has(input:focus-visible) {
        box-shadow: 0 2px 0 var(--_focus);
      }
      .label {
        grid-row: 1;
      }
      /* Shares stand beside the label, over the amount, and take no room from it. */
      .extra {
        grid-area: 1 / 2 / auto / -1;
        justify-self: end;
        font-size: var(--_t-s);
      }
      [wide] {
        grid-column: 2 / -1;
      }
    `,
  ];

  override focus() {
    this.renderRoot.querySelector('input')?.focus();
  }

  override render() {
    const {session, look} = this;
    const {amount} = this.read(session.$draft);
    return html`
      <label class="label" for="amount">${this.t.youPay}</label>
      <swap-widget-shares class="extra" @use=${this.focus}></swap-widget-shares>
      <span class="amount" part="amount" data-long=${lengthStep(amount, true)}>
        <input
          id="amount"
          class="ltr"
          inputmode="decimal"
          placeholder="0"
          autocomplete="off"
          enterkeyhint="next"
          .value=${amount}
          ?readonly=${look.locked.includes('amount')}
          aria-invalid=${this.#isWrong ? 'true' : 'false'}
          aria-describedby="note"
          @input=${this.#edit}
          @keydown=${this.#enter}
        />
      </span>
      <swap-widget-amount-note id="note" class="value">${this.#value()}</swap-widget-amount-note>
    `;
  }

  get #isWrong(): boolean {
    const request = this.read(this.session.$request);
    return isProblem(request) && request.remedy === 'correct';
  }

  #value() {
    const quote = this.read(this.session.$quote);
    const offer = this.read(this.session.$offer);
    if (offer) return html`<bdi>${valueText(offer.source.value, this.look)}</bdi>`;
    return quote.state === 'pending' ? html`<span class="skeleton"></span>` : '';
  }

  #edit({target}: InputEvent) {
    const input = target as HTMLInputElement;
    this.session.edit({amount: input.value});
    // Text that reads as the same amount changes no store, so nothing would render.
    input.value = this.session.$draft.get().amount;
  }

  #enter({key}: KeyboardEvent) {
    if (key === 'Enter') this.session.review();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-amount-field': AmountField;
  }
}
