import {css, html} from 'lit';
import {state} from 'lit/decorators.js';
import {withPoint} from '../../domain/amount.js';
import {lengthStep, onEnter} from '../base/format.js';
import {base, thread} from '../style/styles.js';
import {SwapElement} from '../base/swap-element.js';

/**
 * The amount to swap: the text, and its value or fault. Its pieces are cells of the surrounding grid.
 *
 * @tag swap-widget-amount-field
 * @fires enter - The visitor is done with it.
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
    `,
  ];

  /** The text as it was typed, in the visitor's notation. The draft has it as plain decimal text. */
  #typed = '';
  #amount = '';
  /** Whether the text was read before the language's notation was loaded. */
  #isEarly = false;

  /** What is to be said of the amount, for who cannot see its note. */
  @state() private remark = '';
  /** Whether it is typed as a value: that part of the field loads late. */
  @state() private inValue = false;

  override focus() {
    this.renderRoot.querySelector<HTMLElement>('.amount > *')?.focus();
  }

  protected override willUpdate() {
    if (this.#isEarly && this.look.figures && withPoint(this.#typed) === this.parts.$form.get().draft.amount)
      this.#read();
  }

  override render() {
    const {parts, look} = this;
    const draft = this.read(parts.$form, 'draft');
    // While the amount to pay is searched for, the previous one stays.
    const amount = (this.#amount = draft.amount || (draft.receive && this.#amount));
    const {figures, locale} = look;
    const {field, remedy} = this.read(parts.$form, 'problem') ?? {};
    const isReplaced = this.read(parts.$form, ({deed}) => deed.does === 'use');
    const isWrong = isReplaced || (field === 'amount' && remedy === 'correct');
    return html`
      <label class="hidden" for="amount">${this.t.youPay}</label>
      <span class="amount" part="amount" data-long=${lengthStep(amount)}>
        ${
          this.inValue
            ? html`<swap-widget-value-amount @enter=${this.#finish} @leave=${this.#turn}></swap-widget-value-amount>`
            : html`<input
                id="amount"
                class="ltr"
                inputmode="decimal"
                placeholder="0"
                autocomplete="off"
                enterkeyhint="next"
                .value=${
                  figures?.inField(this.#typed, amount, locale, this.assetOf('pay')) ??
                  (withPoint(this.#typed) === amount ? this.#typed : amount)
                }
                ?readonly=${look.locked.includes('amount')}
                aria-invalid=${isWrong ? 'true' : 'false'}
                aria-describedby="value remark"
                @input=${this.#edit}
                @keydown=${onEnter(() => this.#finish())}
              />`
        }
      </span>
      <span id="remark" hidden>${this.remark}</span>
      <swap-widget-amount-note
        class="value"
        .inValue=${this.inValue}
        @turn=${this.#turn}
        @use=${this.focus}
        @remark=${({detail}: CustomEvent<string>) => (this.remark = detail)}
        ><span id="value">${this.#value()}</span></swap-widget-amount-note
      >
    `;
  }

  #value() {
    const quote = this.read(this.parts.$form, 'quote');
    const offer = this.read(this.parts.$form, 'offer');
    if (offer) return html`<bdi>${this.valueText(offer.source.value)}</bdi>`;
    return quote.state === 'pending' ? html`<span class="skeleton"></span>` : '';
  }

  #edit({target}: InputEvent) {
    this.#typed = (target as HTMLInputElement).value;
    this.#read();
  }

  #read() {
    const {figures, locale} = this.look;
    this.#isEarly = !figures;
    this.parts.edit({amount: figures?.plain(this.#typed, locale, this.assetOf('pay')) ?? this.#typed});
  }

  #finish() {
    this.dispatchEvent(new Event('enter'));
  }

  async #turn({type}: Event) {
    this.inValue = type === 'turn' && !this.inValue;
    await this.updateComplete;
    if (type === 'turn') this.focus();
  }
}
