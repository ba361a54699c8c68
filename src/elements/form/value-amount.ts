import {css, html} from 'lit';
import {state} from 'lit/decorators.js';
import {formatAmount, parseAmount} from '../../domain/amount.js';
import type {AssetId} from '../../domain/asset.js';
import {amountWorth, type Quote} from '../../domain/quote.js';
import {currencySign, inField, plainValue} from '../../locales/figures.js';
import {onEnter} from '../base/format.js';
import {register} from '../base/swap-element.js';
import {LatePart} from '../base/words.js';
import {base} from '../style/styles.js';

/**
 * The amount typed as a value: what is paid is the exact amount of the asset that had this value in the last quote.
 *
 * @tag swap-widget-value-amount
 * @fires leave - The amount was changed elsewhere, or belongs to another asset.
 * @fires enter - The visitor is done with it.
 */
export class ValueAmount extends LatePart {
  static override styles = [
    base,
    css`
      :host {
        display: flex;
        align-items: baseline;
        gap: 0.1em;
        inline-size: 100%;
      }
      input {
        flex: 1;
        min-inline-size: 0;
        block-size: var(--_row);
        font-weight: inherit;
        text-overflow: ellipsis;
      }
      input:focus-visible {
        outline: 0;
      }
    `,
  ];

  @state() private text = '';

  #basis?: Quote;
  #asset: AssetId | '' = '';
  #amount = '';

  override connectedCallback() {
    super.connectedCallback();
    const {
      draft: {amount, from},
      offer,
    } = this.session.$form.get();
    this.#asset = from;
    this.#amount = amount;
    this.#follow(offer);
    const value = this.#basis?.source.value.replace(/(\.\d\d)\d+$/, '$1') ?? '';
    this.text = inField('', value, this.look.locale);
  }

  override focus() {
    this.renderRoot.querySelector('input')?.focus();
  }

  override render() {
    const {session, t, look} = this;
    const {amount, from} = this.read(session.$form, 'draft');
    this.#follow(this.read(session.$form, 'offer'));
    if (amount !== this.#amount || from !== this.#asset) queueMicrotask(() => this.dispatchEvent(new Event('leave')));
    return html`<span aria-hidden="true">${currencySign(look)}</span>
      <input
        class="ltr"
        inputmode="decimal"
        placeholder="0"
        autocomplete="off"
        aria-label=${t.amountIn({unit: look.currency})}
        aria-invalid=${this.text && typeof this.#hundredths() === 'string' ? 'true' : 'false'}
        .value=${this.text}
        @input=${this.#edit}
        @keydown=${onEnter(() => this.dispatchEvent(new Event('enter')))}
      />`;
  }

  #follow(offer: Quote | undefined) {
    if (offer?.source.asset === this.#asset && amountWorth(100n, offer) !== undefined) this.#basis = offer;
  }

  #hundredths() {
    return parseAmount(plainValue(this.text, this.look), 2);
  }

  #edit({target}: InputEvent) {
    this.text = (target as HTMLInputElement).value;
    const hundredths = this.#hundredths();
    const decimals = this.assetOf('pay')?.decimals ?? 0;
    const amount = typeof hundredths === 'bigint' && this.#basis ? amountWorth(hundredths, this.#basis) : undefined;
    this.#amount = amount ? formatAmount(amount, decimals) : '';
    this.session.edit({amount: this.#amount});
  }
}

register({'swap-widget-value-amount': ValueAmount});
