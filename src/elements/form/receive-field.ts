/*
 * The amount to receive, as a field: it follows the amount to pay, and if it is typed itself, the amount to pay follows
 * it. Loaded once the form is on the screen, before there is any price.
 */
import {css, html} from 'lit';
import {state} from 'lit/decorators.js';
import {formatAmount} from '../../domain/amount.js';
import {inField, plain} from '../../locales/figures.js';
import {lengthStep, onEnter} from '../base/format.js';
import {register, SwapElement} from '../base/swap-element.js';
import {aboutAmount, amountText} from '../base/words.js';
import {AmountField} from './amount-field.js';

/**
 * The amount that arrives: the text, and its value or fault. Its pieces are cells of the surrounding grid.
 *
 * @tag swap-widget-receive-field
 * @fires enter - The visitor is done with it.
 * @csspart amount - The line with the text field.
 */
export class ReceiveField extends SwapElement {
  static override styles = [
    ...AmountField.styles,
    css`
      .amount {
        font-weight: 600;
      }
      input.quiet {
        color: var(--_quiet);
      }
    `,
  ];

  /** The text as it was typed, in the visitor's notation. */
  #typed = '';
  /** What is to be said of the amount, for who cannot see its note. */
  @state() private remark = '';
  /** Whether it is being edited: then it has no thousands separators, which would be in the way. */
  @state() private isOpen = false;

  override focus() {
    this.renderRoot.querySelector('input')?.focus();
  }

  override render() {
    const {parts, look, t} = this;
    const receive = this.read(parts.$form, ({draft}) => draft.receive);
    const offer = this.read(parts.$form, 'offer');
    const isReady = this.read(parts.$form, 'quote').state === 'ready';
    const {field, remedy} = this.read(parts.$form, 'problem') ?? {};
    const asset = this.assetOf('receive');
    const brings = offer && asset ? offer.destination.amount : undefined;
    const isWaiting = !offer && this.read(parts.$form, 'quote').state === 'pending';
    const isTyped = receive || this.isOpen || !asset || brings === undefined;
    const text = isTyped ? this.#text(brings) : aboutAmount(brings, asset, look.locale);
    return html`
      <label class="hidden" for="receive">${t.youReceive}</label>
      <span class="amount" part="amount" data-long=${lengthStep(text)}>
        ${isWaiting && !receive && !this.isOpen ? html`<span class="skeleton"></span>` : ''}
        <input
          id="receive"
          class="ltr ${receive || (offer && isReady) ? '' : 'quiet'}"
          inputmode="decimal"
          placeholder=${isWaiting && !receive ? '' : '0'}
          autocomplete="off"
          enterkeyhint="next"
          .value=${text}
          title=${isTyped ? '' : amountText(brings, asset, look.locale)}
          ?readonly=${look.locked.includes('amount')}
          aria-invalid=${field === 'receive' && remedy === 'correct' ? 'true' : 'false'}
          aria-describedby="value remark"
          @focus=${() => (this.isOpen = true)}
          @blur=${() => (this.isOpen = false)}
          @input=${this.#edit}
          @keydown=${onEnter(() => this.dispatchEvent(new Event('enter')))}
        />
      </span>
      <span id="remark" hidden>${this.remark}</span>
      <swap-widget-amount-note
        class="value"
        side="receive"
        @use=${this.focus}
        @remark=${({detail}: CustomEvent<string>) => (this.remark = detail)}
        ><span id="value"
          >${
            isWaiting
              ? html`<span class="skeleton"></span>`
              : offer
                ? html`<bdi>${this.valueText(offer.destination.value)}</bdi>`
                : ''
          }</span
        ></swap-widget-amount-note
      >
    `;
  }

  #text(brings: bigint | undefined): string {
    const {parts, look} = this;
    const asset = this.assetOf('receive');
    const {receive} = parts.$form.get().draft;
    const shown = receive || (brings === undefined || !asset ? '' : formatAmount(brings, asset.decimals));
    return inField(receive ? this.#typed : '', shown, look.locale, asset);
  }

  #edit({target}: InputEvent) {
    this.#typed = (target as HTMLInputElement).value;
    this.parts.edit({receive: plain(this.#typed, this.look.locale, this.assetOf('receive'))});
  }
}

register({'swap-widget-receive-field': ReceiveField});
