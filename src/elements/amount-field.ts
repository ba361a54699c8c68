import {css, html} from 'lit';
import {formatAmount} from '../domain/amount.js';
import {isProblem} from '../domain/draft.js';
import {valueOf} from '../domain/remote.js';
import {longness, valueText} from './format.js';
import {icon} from './icons.js';
import {base, thread} from './styles.js';
import {SwapElement} from './swap-element.js';

/**
 * The amount a person wants to swap: label, all there is, the text, and what it is worth or what is wrong with it.
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
    const {session, t} = this;
    const {amount, from} = this.read(session.$draft);
    const asset = this.read(session.$config)?.catalogue.find(from);
    const balance = valueOf(this.read(session.$balance));
    const locked = this.look.locked.includes('amount');
    const {fault, note} = this.#problem();
    const all = asset && balance ? formatAmount(balance, asset.decimals) : '';
    return html`
      <label class="label" for="amount">${t.youPay}</label>
      <span class="extra"
        >${
          all && !locked
            ? html`<button class="chip" type="button" aria-label=${t.useAll(all)} @click=${this.#useMax}>
                ${t.max} <bdi>${all}</bdi>
              </button>`
            : ''
        }</span
      >
      <span class="amount" part="amount" data-long=${longness(amount, true)}>
        <input
          id="amount"
          class="ltr"
          inputmode="decimal"
          placeholder="0"
          autocomplete="off"
          enterkeyhint="next"
          .value=${amount}
          ?readonly=${locked}
          aria-invalid=${fault ? 'true' : 'false'}
          aria-describedby="note"
          @input=${this.#edit}
          @keydown=${this.#enter}
        />
      </span>
      ${
        note
          ? html`<p id="note" class="problem">${icon('alert', 's')}<span>${note}</span></p>`
          : html`<span id="note" class="value">${this.#value()}</span>`
      }
    `;
  }

  /** What is wrong with the text; that there is not enough in the wallet is said, and keeps nobody from going on. */
  #problem(): {fault: boolean; note: string} {
    const {session, t} = this;
    const request = this.read(session.$request);
    const asset = this.read(session.$config)?.catalogue.find(this.read(session.$draft).from);
    if (isProblem(request)) {
      if (request.code === 'not-a-number') return {fault: true, note: t.notANumber};
      if (request.code === 'too-many-decimals' && asset) {
        return {fault: true, note: t.tooManyDecimals(asset.symbol, asset.decimals)};
      }
      return {fault: false, note: ''};
    }
    const balance = valueOf(this.read(session.$balance));
    if (balance === undefined || balance >= request.amount) return {fault: false, note: ''};
    return {fault: false, note: t.youHave(formatAmount(balance, request.from.decimals), request.from.symbol)};
  }

  #value() {
    const quote = this.read(this.session.$quote);
    const offer = this.read(this.session.$offer);
    if (offer) return html`<bdi>${valueText(offer.source.value, this.t)}</bdi>`;
    return quote.state === 'pending' ? html`<span class="bone"></span>` : '';
  }

  #edit(event: InputEvent) {
    this.session.edit({amount: (event.target as HTMLInputElement).value});
  }

  #enter({key}: KeyboardEvent) {
    if (key === 'Enter') this.session.review();
  }

  #useMax() {
    this.session.useMax();
    this.focus();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-amount-field': AmountField;
  }
}
