import {adoptStyles, css, html, type PropertyValues} from 'lit';
import {state} from 'lit/decorators.js';
import {formatAmount} from '../../domain/amount.js';
import type {Asset} from '../../domain/asset.js';
import type {Problem, Side} from '../../domain/draft.js';
import type {Quote} from '../../domain/quote.js';
import {valueOf} from '../../domain/remote.js';
import {countdown, lengthStep, valueText} from '../base/format.js';
import {assetMark, icon} from '../icons/icons.js';
import type * as PriceLinesModule from './price-lines.js';
import type {PriceLook} from './price-lines.js';
import type {SwapElement} from '../base/swap-element.js';
import {SwapView} from '../base/swap-view.js';

type PriceLines = typeof PriceLinesModule;

/**
 * The form: what a person pays, what arrives, at which price.
 *
 * @tag swap-widget-form-view
 */
export class FormView extends SwapView {
  static override styles = [
    ...SwapView.styles,
    css`
      .asset {
        grid-column: 3;
        grid-row: 2;
        align-self: center;
        display: grid;
        grid-template-columns: auto auto;
        column-gap: var(--_u);
        align-items: center;
        justify-content: end;
        min-block-size: calc(var(--_u) * 11);
        margin-inline-end: calc(var(--_u) * -2);
        padding-inline: calc(var(--_u) * 2);
        border-radius: var(--_radius-control);
        text-align: end;
      }
      button.asset:hover {
        background: var(--_press);
      }
      .asset strong {
        font-size: 1.0625rem;
        font-weight: 600;
        letter-spacing: -0.01em;
      }
      .asset .icon {
        color: var(--_quiet);
        margin-inline-end: -0.125rem;
      }
      .flip {
        display: grid;
        place-items: center;
        inline-size: calc(var(--_u) * 9);
        block-size: calc(var(--_u) * 9);
        margin-inline-start: calc((var(--_rail) - var(--_u) * 9) / 2);
        border: 1px solid var(--_line);
        border-radius: 50%;
        background: var(--_surface);
        position: relative;
      }
      .flip:hover {
        border-color: var(--_edge);
      }
      .flip:focus-visible {
        border-radius: 50%;
      }
      .rate {
        align-items: center;
      }
      .rate-text {
        min-block-size: calc(var(--_u) * 7);
        align-content: center;
      }
      .rate-text .skeleton {
        inline-size: 9.5rem;
        max-inline-size: 100%;
      }
      .skeleton {
        transition: none;
      }
      .figures {
        transition: color var(--_calm) var(--_ease);
      }
      swap-widget-error-note {
        margin-block-start: calc(var(--_u) * 3);
        margin-inline-start: calc(var(--_rail) + var(--_gap));
      }
    `,
  ];

  /** Whether the rate is shown the other way round. */
  @state() private inverse = false;
  /** Whether all offers are shown, where there are several. */
  @state() private comparing = false;
  /** What draws the lines of the price, once it is loaded. */
  @state() private price?: PriceLines;

  override render() {
    const {session, t} = this;
    const quotes = valueOf(this.read(session.$quote));
    const until = this.read(session.$nextQuoteAt);
    return this.frame({
      title: t.swap,
      body: html`<div class="thread">
        ${this.#renderPay()}
        <div class="between" part="between">${this.#renderBetween()}</div>
        ${this.#renderReceive()}
      </div>`,
      clock: quotes && until ? {from: quotes.at, until} : undefined,
      foot: html`${this.#renderPrimary()}
        <p class="foot-note"><span>${t.nothingSigned}</span><span>${this.#renderNote()}</span></p>`,
    });
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    if (this.session.$quote.get().state !== 'idle' && !this.price) void this.#loadPrice();
    // The review is next; by the time somebody presses, it is there.
    if (this.session.$offer.get()) void import('../order/review-view.js').catch(() => undefined);
  }

  protected override enterAddress() {
    this.session.edit({recipient: ''});
    this.#field('swap-widget-address-field[side="receive"]')?.focus();
  }

  #renderPay() {
    const asset = this.#asset('pay');
    return html`<div class="side pay" part="pay">
      ${assetMark(asset)}
      <swap-widget-amount-field exportparts="amount"></swap-widget-amount-field>
      ${this.#renderAsset('pay', asset)}
      <span class="chain-name"><bdi>${asset?.chain.title}</bdi></span>
      <swap-widget-address-field
        side="pay"
        exportparts="field"
        @wallet=${this.#choosePayer}
      ></swap-widget-address-field>
    </div>`;
  }

  #renderReceive() {
    const {session, t} = this;
    const asset = this.#asset('receive');
    const offer = this.read(session.$offer);
    const {state} = this.read(session.$quote);
    const waiting = state === 'pending' && !offer;
    const text = offer && asset ? formatAmount(offer.destination.amount, asset.decimals) : '';
    return html`<div class="side get" part="receive">
      ${assetMark(asset)}
      <label class="label" for="receive">${t.youReceive}</label>
      <output
        id="receive"
        class="amount"
        part="amount"
        data-long=${lengthStep(text, true)}
        aria-busy=${waiting ? 'true' : 'false'}
        >${
          waiting
            ? html`<span class="skeleton"></span>`
            : html`<bdi class="figures ${offer && state !== 'pending' ? '' : 'quiet'}">${text || '0'}</bdi>`
        }</output
      >
      ${this.#renderAsset('receive', asset)}
      <span class="value"
        >${
          waiting
            ? html`<span class="skeleton"></span>`
            : offer
              ? html`<bdi>${valueText(offer.destination.value, t)}</bdi>`
              : ''
        }</span
      >
      <span class="chain-name"><bdi>${asset?.chain.title}</bdi></span>
      <swap-widget-address-field
        side="receive"
        exportparts="field"
        @wallet=${this.#chooseRecipient}
      ></swap-widget-address-field>
    </div>`;
  }

  #renderAsset(side: Side, asset: Asset | undefined) {
    const {t} = this;
    const label = side === 'pay' ? t.youPay : t.youReceive;
    const name = html`<strong>${asset?.symbol ?? t.choose}</strong>`;
    if (this.look.locked.includes(side === 'pay' ? 'from' : 'to')) return html`<span class="asset">${name}</span>`;
    return html`<button
      class="asset"
      part="asset"
      type="button"
      aria-haspopup="dialog"
      aria-label=${
        asset ? t.assetOf(label, asset.symbol, asset.chain.title) : side === 'pay' ? t.choosePay : t.chooseReceive
      }
      @click=${side === 'pay' ? this.#choosePay : this.#chooseReceive}
    >
      ${name}${icon('down', 's')}
    </button>`;
  }

  #renderBetween() {
    const {session, t} = this;
    const quote = this.read(session.$quote);
    const offer = this.read(session.$offer);
    const from = this.#asset('pay');
    const to = this.#asset('receive');
    const flippable = !this.look.locked.some(field => field === 'from' || field === 'to');
    return html`<div class="row rate">
        ${
          flippable
            ? html`<button class="flip" type="button" aria-label=${t.flip} @click=${this.#flip}>
                ${icon('flip')}
              </button>`
            : html`<span></span>`
        }
        <span class="rate-text">${this.#renderRate(offer)}</span>
      </div>
      ${
        quote.state === 'failed'
          ? html`<swap-widget-error-note
              .error=${quote.error}
              .retryAt=${this.read(session.$nextQuoteAt)}
              exportparts="notice"
            ></swap-widget-error-note>`
          : from && to && quote.state !== 'idle'
            ? this.price?.renderLines(this.#priceLook(from, to))
            : ''
      }`;
  }

  #renderRate(offer: Quote | undefined) {
    const {session, t} = this;
    const quote = this.read(session.$quote);
    const from = this.#asset('pay');
    const to = this.#asset('receive');
    if (!offer || !from || !to) {
      if (quote.state === 'pending') return html`<span class="skeleton"></span>`;
      return html`<span class="quiet">${quote.state === 'failed' ? t.noPrice : t.priceAppears}</span>`;
    }
    return this.price?.renderRate(this.#priceLook(from, to)) ?? html`<span class="skeleton"></span>`;
  }

  /** What the lines of the price are drawn from. */
  #priceLook(from: Asset, to: Asset): PriceLook {
    const {session, look, inverse, comparing} = this;
    return {look, session, from, to, inverse, comparing, turn: this.#turnRate, compare: this.#compare};
  }

  #renderPrimary() {
    const {session, t} = this;
    const problem = this.read(session.$problem);
    const quote = this.read(session.$quote);
    const offer = this.read(session.$offer);
    // What can be put right with a press is offered; what has to be typed is only named.
    const opens = problem && /^(choose|same|connect|confirm)/.test(problem.code);
    const ready = quote.state === 'failed' || (problem ? opens : offer !== undefined);
    return html`<button
      class="primary"
      part="primary"
      type="button"
      aria-disabled=${!ready ? 'true' : 'false'}
      @click=${this.#press}
    >
      ${problem ? t.problems[problem.code] : quote.state === 'failed' ? t.tryNow : t.reviewSwap}
    </button>`;
  }

  #renderNote() {
    const {session, t} = this;
    const quote = this.read(session.$quote);
    const next = this.read(session.$nextQuoteAt);
    if (quote.state === 'pending') return t.gettingPrice;
    if (quote.state !== 'ready' || next === undefined) return '';
    return t.newPriceIn(html`<bdi>${countdown(next - this.read(session.$now))}</bdi>`);
  }

  #asset(side: Side): Asset | undefined {
    const {from, to} = this.read(this.session.$draft);
    return this.read(this.session.$config)?.catalogue.find(side === 'pay' ? from : to);
  }

  #field(selector: string) {
    return this.renderRoot.querySelector<SwapElement>(selector);
  }

  #press() {
    const {session} = this;
    const problem = session.$problem.get();
    if (problem) this.#putRight(problem);
    else if (session.$quote.get().state === 'failed') session.requote();
    else session.review();
  }

  /** Goes to where a problem is put right. */
  #putRight({code, field}: Problem) {
    switch (field) {
      case 'from':
        return void this.chooseAsset('pay');
      case 'to':
        return void this.chooseAsset('receive');
      case 'amount':
        return this.#field('swap-widget-amount-field')?.focus();
      case 'account':
        this.#choosePayer();
        return;
      case 'recipient':
      case 'refundAddress':
        if (code === 'checking-address') return;
        this.#field(`swap-widget-address-field[side="${field === 'recipient' ? 'receive' : 'pay'}"]`)?.focus();
    }
  }

  #choosePay() {
    void this.chooseAsset('pay');
  }

  #chooseReceive() {
    void this.chooseAsset('receive');
  }

  #choosePayer() {
    const family = this.#asset('pay')?.chain.family;
    if (family) void this.chooseWallet(family, 'pay');
  }

  #chooseRecipient() {
    const family = this.#asset('receive')?.chain.family;
    if (family) void this.chooseWallet(family, 'receive');
  }

  #flip() {
    this.session.flip();
  }

  readonly #turnRate = () => {
    this.inverse = !this.inverse;
  };

  readonly #compare = () => {
    this.comparing = !this.comparing;
  };

  /** The lines of the price are loaded with the first one. */
  async #loadPrice() {
    try {
      const price = await import('./price-lines.js');
      if (this.price) return;
      const root = this.renderRoot as ShadowRoot;
      adoptStyles(root, [...FormView.elementStyles, price.priceStyles]);
      this.price = price;
    } catch {
      // Without them the amounts still say what is paid and what arrives.
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-form-view': FormView;
  }
}
