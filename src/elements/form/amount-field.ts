import {css, html} from 'lit';
import {isProblem} from '../../domain/draft.js';
import {valueOf} from '../../domain/remote.js';
import {lengthStep, valueText} from '../base/format.js';
import {icon} from '../icons/icons.js';
import {base, thread} from '../style/styles.js';
import {SwapField} from '../base/swap-element.js';

/**
 * The amount a person wants to swap: label, shares of all there is, the text, and what it is worth or what is wrong with it.
 * Its pieces are cells of the grid it stands in.
 *
 * @tag swap-widget-amount-field
 * @csspart amount - The line with the text field.
 */
export class AmountField extends SwapField {
  static override styles = [
    base,
    thread,
    css`
      :host {
        display: contents;
      }
      input {
        inline-size: 100%;
        block-size: calc(var(--_u) * 12);
        font-weight: inherit;
        text-overflow: ellipsis;
      }
      input:focus-visible {
        outline: 0;
      }
      .amount:has(input:focus-visible) {
        box-shadow: 0 2px 0 var(--_focus);
      }
      .problem {
        grid-column: 2;
      }
      @container (inline-size < 20rem) {
        .problem {
          grid-column: 2 / -1;
        }
      }
      @media (forced-colors: active) {
        .amount:has(input:focus-visible) {
          outline: 2px solid Highlight;
          outline-offset: 2px;
        }
      }
    `,
  ];

  override focus() {
    this.renderRoot.querySelector('input')?.focus();
  }

  override render() {
    const {session, look, help} = this;
    const {amount} = this.read(session.$draft);
    this.read(session.$balance);
    this.read(session.$reserve);
    const locked = look.locked.includes('amount');
    const note = help?.amountNote(look, session);
    return html`
      <label class="label" for="amount">${this.t.youPay}</label>
      <span class="extra">${locked ? '' : help?.renderShares(look, session, this.#share)}</span>
      <span class="amount" part="amount" data-long=${lengthStep(amount, true)}>
        <input
          id="amount"
          class="ltr"
          inputmode="decimal"
          placeholder="0"
          autocomplete="off"
          enterkeyhint="next"
          .value=${amount}
          ?readonly=${locked}
          aria-invalid=${this.#isWrong ? 'true' : 'false'}
          aria-describedby="note kept"
          @input=${this.#edit}
          @keydown=${this.#enter}
        />
      </span>
      ${
        note
          ? html`<p id="note" class="problem ${note.length > 24 ? 'wide' : ''}">
              ${icon('alert', 's')}<span>${note}</span>
            </p>`
          : html`<span id="note" class="value">${this.#value()}</span>${help?.renderHint(look, session)}`
      }
    `;
  }

  protected override get needsHelp() {
    const {$balance, $limits, $draft} = this.session;
    return (
      this.#isWrong ||
      valueOf(this.read($balance)) !== undefined ||
      this.read($draft).from.toLowerCase() in this.read($limits)
    );
  }

  get #isWrong(): boolean {
    const request = this.read(this.session.$request);
    return isProblem(request) && /^(not-a|too)/.test(request.code);
  }

  #value() {
    const quote = this.read(this.session.$quote);
    const offer = this.read(this.session.$offer);
    if (offer) return html`<bdi>${valueText(offer.source.value, this.t)}</bdi>`;
    return quote.state === 'pending' ? html`<span class="skeleton"></span>` : '';
  }

  #edit({target}: InputEvent) {
    const input = target as HTMLInputElement;
    this.session.edit({amount: input.value});
    // What reads as the same amount changes nothing, so nothing would be drawn anew.
    input.value = this.session.$draft.get().amount;
  }

  #enter({key}: KeyboardEvent) {
    if (key === 'Enter') this.session.review();
  }

  readonly #share = (percent: number) => {
    this.session.useShare(percent);
    this.focus();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-amount-field': AmountField;
  }
}
