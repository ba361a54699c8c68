import {css, html} from 'lit';
import {atom} from 'nanostores';
import {formatAmount} from '../../domain/amount.js';
import type {Asset} from '../../domain/asset.js';
import {canTurn, type Problem, type Side} from '../../domain/draft.js';
import {deedOf, isAvailable, isDecision, type Deed} from '../../domain/form/deed.js';
import {valueOf} from '../../domain/remote.js';
import {countdown} from '../base/format.js';
import {$drawings, assetMark, icon} from '../icons/icons.js';
import type {SwapElement} from '../base/swap-element.js';
import {SwapView} from '../base/swap-view.js';

const FIELDS = {
  amount: 'swap-widget-amount-field',
  receive: 'swap-widget-receive-field',
  recipient: 'swap-widget-address-field[side="receive"]',
  refundAddress: 'swap-widget-address-field[side="pay"]',
} as const;

/**
 * The form: what is paid, what arrives, at which price.
 *
 * @tag swap-widget-form-view
 */
export class FormView extends SwapView {
  static override styles = [
    ...SwapView.styles,
    css`
      /* Icon, symbol and network are one button, which starts on the thread. */
      .asset {
        grid-area: 1 / 1 / auto / 3;
        justify-self: start;
        display: grid;
        grid-template-columns: var(--_rail) minmax(0, auto);
        column-gap: var(--_gap);
        align-items: center;
        min-block-size: calc(var(--_u) * 12);
        padding-inline-end: calc(var(--_u) * 4);
        border-radius: calc(var(--_u) * 6);
        font-size: var(--_t-s);
        line-height: calc(var(--_u) * 4.5);
        color: var(--_quiet);
        text-align: start;
      }
      .asset > span > bdi {
        white-space: normal;
      }
      .asset strong {
        display: flex;
        align-items: center;
        gap: var(--_u);
        font-size: calc(var(--_r) * 1.0625);
        font-weight: 600;
        letter-spacing: -0.01em;
        color: var(--_ink);
      }
      .asset .icon {
        color: var(--_quiet);
      }
      .amount {
        box-shadow: 0 1px 0 var(--_line);
      }
      .flip {
        display: grid;
        place-items: center;
        inline-size: var(--_tool);
        block-size: var(--_tool);
        margin-inline-start: calc((var(--_rail) - var(--_tool)) / 2);
        border: 1px solid var(--_line);
        border-radius: 50%;
        background: var(--_surface);
        position: relative;
      }
      .rate {
        align-items: center;
      }
      .rate-text {
        min-block-size: calc(var(--_u) * 7);
        align-content: center;
      }
    `,
  ];

  /** The field for the minimum to receive. Its code is loaded before any price. */
  static readonly $receive = atom<((done: () => void) => unknown) | undefined>();

  /** Lets the browser handle work that waited for the script first: in one task, both would block a slow phone. */
  protected override async scheduleUpdate() {
    if (!this.hasUpdated) await new Promise(resolve => setTimeout(resolve));
    await super.scheduleUpdate();
  }

  override render() {
    const {t} = this;
    const {$price} = this.parts;
    const quotes = valueOf(this.read($price, 'quote'));
    const until = this.read($price, 'nextQuoteAt');
    this.read($drawings);
    return this.frame({
      title: t.swap,
      body: html`<div class="thread">
        ${this.#renderPay()}
        <div class="between" part="between">${this.#renderPrice()}</div>
        ${this.#renderReceive()}
      </div>`,
      clock: quotes && until ? {from: quotes.at, until} : undefined,
      foot: html`${this.#renderPrimary()}
        <p class="foot-note"><span class="calm">${t.nothingSigned}</span><span>${this.#renderNote()}</span></p>`,
    });
  }

  protected override enterAddress() {
    this.parts.edit({recipient: ''});
    this.#field(FIELDS.recipient)?.focus();
  }

  #renderPay() {
    const asset = this.assetOf('pay');
    return html`<div class="side pay" part="pay">
      ${this.#renderAsset('pay', asset)}
      <swap-widget-amount-field exportparts="amount" @enter=${this.#enter}></swap-widget-amount-field>
      <swap-widget-address-field
        side="pay"
        exportparts="field"
        @wallet=${() => this.#chooseWalletFor('pay')}
      ></swap-widget-address-field>
    </div>`;
  }

  #renderReceive() {
    const {t} = this;
    return html`<div class="side get" part="receive">
      ${this.#renderAsset('receive', this.assetOf('receive'))}
      ${
        (this.sessionIfAny && this.read(FormView.$receive)?.(this.#enter)) ??
        html`<label class="label" for="receive">${t.youReceive}</label>
          <output id="receive" class="amount" part="amount"><bdi class="quiet">0</bdi></output>
          <span class="value"></span>`
      }
      <swap-widget-address-field
        side="receive"
        exportparts="field"
        @wallet=${() => this.#chooseWalletFor('receive')}
      ></swap-widget-address-field>
    </div>`;
  }

  #renderAsset(side: Side, asset: Asset | undefined) {
    const {t} = this;
    const label = side === 'pay' ? t.youPay : t.youReceive;
    const isLocked = this.look.locked.includes(side === 'pay' ? 'from' : 'to');
    const content = html`${assetMark(asset)}
      <span
        ><strong>${asset?.symbol ?? t.choose}${isLocked ? '' : icon('down', 's')}</strong>
        <bdi>${asset?.chain.title}</bdi></span
      >`;
    if (isLocked) return html`<span class="asset">${content}</span>`;
    return html`<button
      class="asset"
      part="asset"
      type="button"
      aria-haspopup="dialog"
      aria-label=${
        asset
          ? t.assetOf({label, symbol: asset.symbol, network: asset.chain.title})
          : side === 'pay'
            ? t.choosePay
            : t.chooseReceive
      }
      @click=${() => this.chooseAsset(side)}
    >
      ${content}
    </button>`;
  }

  /** The place of the price. Its code comes with the first one. */
  #renderPrice() {
    const {parts, t, look} = this;
    const catalogue = this.read(parts.$form)?.catalogue;
    const {state} = this.read(parts.$price, 'quote');
    const isTurnable =
      !look.locked.some(field => field === 'from' || field === 'to') &&
      this.read(parts.$draft, draft => canTurn(draft, catalogue));
    return html`<swap-widget-price class="row rate" exportparts="lines, quotes, notice">
      ${
        isTurnable
          ? html`<button class="flip" slot="turn" type="button" aria-label=${t.flip} @click=${() => parts.flip()}>
              ${icon('flip')}
            </button>`
          : html`<span slot="turn"></span>`
      }
      <span class="rate-text"
        >${
          state === 'pending'
            ? html`<span class="skeleton"></span>`
            : html`<span class="quiet">${state === 'failed' ? t.notLoaded : t.priceAppears}</span>`
        }</span
      >
    </swap-widget-price>`;
  }

  #renderPrimary() {
    const {$price} = this.parts;
    const problem = this.read($price, 'problem');
    const deed = deedOf({problem, quote: this.read($price, 'quote'), offer: this.read($price, 'offer')});
    return html`<button
      class="primary"
      part="primary"
      type="button"
      aria-disabled=${isAvailable(deed) ? 'false' : 'true'}
      @click=${this.#press}
    >
      ${this.#labelOf(deed, problem)}
    </button>`;
  }

  /** What the button does, or what is missing. */
  #labelOf(deed: Deed, problem: Problem | undefined): string {
    const {t} = this;
    const from = this.assetOf('pay');
    if (deed.does === 'use' && from) {
      const {figures, locale} = this.look;
      const amount = figures?.decimal(formatAmount(deed.amount, from.decimals), locale) ?? '';
      return t.useAmount({amount, symbol: from.symbol});
    }
    if (problem) return t.problems[problem.code];
    return deed.does === 'ask-again' ? t.tryNow : t.reviewSwap;
  }

  #renderNote() {
    const {t} = this;
    const {$price} = this.parts;
    const quote = this.read($price, 'quote');
    const next = this.read($price, 'nextQuoteAt');
    if (quote.state === 'pending') return t.gettingPrice;
    if (quote.state !== 'ready' || next === undefined) return '';
    return html`<swap-widget-countdown
      .text=${(now: number) => t.newPriceIn({time: countdown(next - now)})}
    ></swap-widget-countdown>`;
  }

  #field(selector: string) {
    return this.renderRoot.querySelector<SwapElement>(selector);
  }

  #press() {
    const {parts} = this;
    const deed = deedOf(parts.$price.get());
    switch (deed.does) {
      case 'review':
        return this.session.review();
      case 'ask-again':
        return this.session.requote();
      case 'choose':
        return this.chooseAsset(deed.side);
      case 'connect':
        return this.#chooseWalletFor('pay');
      case 'confirm':
        return this.session.confirm(deed.what);
      case 'use': {
        const from = this.assetOf('pay');
        return from && parts.edit({amount: formatAmount(deed.amount, from.decimals)});
      }
      case 'focus':
        return this.#field(FIELDS[deed.field])?.focus();
      case 'wait':
    }
  }

  /** Does what the button does, except for decisions that the visitor may not have read. */
  #enter() {
    if (isDecision(deedOf(this.parts.$price.get()))) this.renderRoot.querySelector<HTMLElement>('.primary')?.focus();
    else this.#press();
  }

  #chooseWalletFor(side: Side) {
    this.whenConfigured(() => {
      const family = this.assetOf(side)?.chain.family;
      if (family) this.chooseWallet(family, side);
    });
  }
}
