import {css, html, type PropertyValues} from 'lit';
import {state} from 'lit/decorators.js';
import {formatAmount} from '../domain/amount.js';
import type {Asset} from '../domain/asset.js';
import type {Problem} from '../domain/draft.js';
import {cents, costOf, inverseRateOf, rateOf, type Quote} from '../domain/quote.js';
import {valueOf} from '../domain/remote.js';
import {countdown, longness, money, percent, valueText} from './format.js';
import {assetMark, icon} from './icons.js';
import type {SwapElement} from './swap-element.js';
import {SwapView, type Side} from './swap-view.js';

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
      .rate-text .bone {
        inline-size: 9.5rem;
        max-inline-size: 100%;
      }
      .rate-text .chip[aria-expanded='true'] .icon {
        rotate: 180deg;
      }
      .bone {
        transition: none;
      }
      .figures {
        transition: color var(--_calm) var(--_ease);
      }
      .quotes {
        margin-inline-start: calc(var(--_rail) + var(--_gap));
      }
      .quotes label {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr) auto;
        gap: calc(var(--_u) * 3);
        align-items: center;
        min-block-size: calc(var(--_u) * 8.5);
        cursor: pointer;
        overflow-wrap: anywhere;
      }
      .quotes label + label {
        border-block-start: 1px solid var(--_line);
      }
      .quotes b {
        font-weight: 600;
      }
      [type='radio'] {
        appearance: none;
        inline-size: 1.125rem;
        block-size: 1.125rem;
        border: 1.5px solid var(--_edge);
        border-radius: 50%;
      }
      [type='radio']:checked {
        border: 0.34rem solid var(--_ink);
      }
      [type='radio']:focus-visible {
        border-radius: 50%;
      }
      swap-widget-error-note {
        margin-block-start: calc(var(--_u) * 3);
        margin-inline-start: calc(var(--_rail) + var(--_gap));
      }
      @media (forced-colors: active) {
        [type='radio']:checked {
          border-color: Highlight;
        }
      }
    `,
  ];

  /** Whether the rate is shown the other way round. */
  @state() private inverse = false;
  /** Whether all offers are shown, where there are several. */
  @state() private comparing = false;

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

  protected override firstUpdated() {
    // How to say what goes wrong is here before anything does: without a connection it would not come any more.
    void import('./error-note.js').catch(() => undefined);
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    // The review is next; by the time somebody presses, it is there.
    if (this.session.$offer.get()) void import('./review-view.js').catch(() => undefined);
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
        data-long=${longness(text, true)}
        aria-busy=${waiting ? 'true' : 'false'}
        >${
          waiting
            ? html`<span class="bone"></span>`
            : html`<bdi class="figures ${offer && state !== 'pending' ? '' : 'quiet'}">${text || '0'}</bdi>`
        }</output
      >
      ${this.#renderAsset('receive', asset)}
      <span class="value"
        >${
          waiting
            ? html`<span class="bone"></span>`
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
          : this.comparing && this.#several()
            ? this.#renderOffers()
            : this.#renderLines(offer)
      }`;
  }

  #renderRate(offer: Quote | undefined) {
    const {session, t} = this;
    const quote = this.read(session.$quote);
    const from = this.#asset('pay');
    const to = this.#asset('receive');
    if (!offer || !from || !to) {
      if (quote.state === 'pending') return html`<span class="bone"></span>`;
      return html`<span class="quiet">${quote.state === 'failed' ? t.noPrice : t.priceAppears}</span>`;
    }
    const several = this.#several();
    if (several) {
      return html`<button
        class="chip"
        type="button"
        aria-expanded=${this.comparing ? 'true' : 'false'}
        @click=${this.#compare}
      >
        ${t.quotes(several)}${icon('down', 's')}
      </button>`;
    }
    const text = this.inverse
      ? t.rate(to.symbol, short(formatAmount(inverseRateOf(offer, to), from.decimals)), from.symbol)
      : t.rate(from.symbol, short(formatAmount(rateOf(offer, from), to.decimals)), to.symbol);
    return html`<button class="chip" type="button" title=${t.otherWayRound} @click=${this.#turnRate}>
      <bdi>${text}</bdi>
    </button>`;
  }

  #renderLines(offer: Quote | undefined) {
    const {session, t} = this;
    const pending = this.read(session.$quote).state === 'pending';
    if (!offer && !pending) return '';
    const fees = this.read(session.$config)?.affiliateFees ?? [];
    const cost = offer && costOf(offer, fees);
    if (offer && !cost) return '';
    const bps = fees.reduce((sum, fee) => sum + fee.bps, 0);
    const share = cost?.shares.reduce((sum, amount) => sum + amount, 0n);
    const figure = (hundredths: bigint | undefined) =>
      hundredths === undefined ? html`<span class="bone"></span>` : html`<bdi>${money(-hundredths, t)}</bdi>`;
    return html`<dl class="lines" part="lines">
      <div>
        <dt>${t.networkAndExchange}</dt>
        <dd>${figure(cost?.network)}</dd>
      </div>
      ${
        bps
          ? html`<div>
              <dt>${t.partnerFee(percent(bps, t))}</dt>
              <dd>${figure(share)}</dd>
            </div>`
          : ''
      }
    </dl>`;
  }

  #renderOffers() {
    const {session, t} = this;
    const quotes = valueOf(this.read(session.$quote));
    const chosen = this.read(session.$offer);
    const to = this.#asset('receive');
    if (!quotes || !to) return '';
    const best = cents(quotes.offers[0].destination.value);
    return html`<fieldset class="quotes" part="quotes">
      <legend class="hidden">${t.quotesBestFirst}</legend>
      ${quotes.offers.map((offer, index) => {
        const value = cents(offer.destination.value);
        return html`<label title=${offer.solverId}>
          <input
            type="radio"
            name="offer"
            .value=${offer.solverId}
            .checked=${offer.solverId === chosen?.solverId}
            @change=${this.#chooseOffer}
          />
          <span><b>${formatAmount(offer.destination.amount, to.decimals)}</b> ${to.symbol}</span>
          ${
            index === 0
              ? html`<span class="ok">${t.best}</span>`
              : best !== undefined && value !== undefined
                ? html`<span class="quiet"><bdi>${money(value - best, t)}</bdi></span>`
                : html`<span></span>`
          }
        </label>`;
      })}
    </fieldset>`;
  }

  #renderPrimary() {
    const {session, t} = this;
    const problem = this.read(session.$problem);
    const quote = this.read(session.$quote);
    const offer = this.read(session.$offer);
    // What can be put right in a list of its own is offered; what has to be typed is only named.
    const opens = problem && ['choose-from', 'choose-to', 'same-asset', 'connect'].includes(problem.code);
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

  /** How many offers there are, if it is more than one. */
  #several(): number | undefined {
    const offers = valueOf(this.read(this.session.$quote))?.offers.length ?? 0;
    return offers > 1 ? offers : undefined;
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
        if (code !== 'checking-address') this.#field('swap-widget-address-field[side="receive"]')?.focus();
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

  #turnRate() {
    this.inverse = !this.inverse;
  }

  #compare() {
    this.comparing = !this.comparing;
  }

  #chooseOffer(event: Event) {
    this.session.choose((event.target as HTMLInputElement).value);
  }
}

/** A rate to read, not to reckon with: eight figures are enough. */
function short(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const room = Math.max(2, 8 - (whole === '0' ? 0 : whole.length));
  const leading = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const shown = fraction.slice(0, room + leading).replace(/0+$/, '');
  return shown ? `${whole}.${shown}` : whole;
}

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-form-view': FormView;
  }
}
