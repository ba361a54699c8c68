import {css, html} from 'lit';
import {state} from 'lit/decorators.js';
import {ifDefined} from 'lit/directives/if-defined.js';
import {formatAmount} from '../../domain/amount.js';
import type {Asset} from '../../domain/asset.js';
import {canTurn, type Problem, type Side} from '../../domain/draft.js';
import {isAvailable, isDecision, type Deed} from '../../domain/form/deed.js';
import {$drawings, assetMark, coinOf, icon} from '../icons/icons.js';
import {LOW, NARROW} from '../style/layout.js';
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
      .asset {
        grid-area: 1 / 3;
        place-self: center end;
        display: flex;
        align-items: center;
        gap: var(--_u);
        min-block-size: var(--_tool);
        font-size: calc(var(--_r) * 1.0625);
        font-weight: 600;
      }
      .asset:is(button) {
        padding-inline: calc(var(--_u) * 3);
        border-radius: calc(var(--_u) * 6);
        background: var(--_sunk);
      }
      .get .asset:is(button) {
        background: var(--_surface);
      }
      .asset .icon {
        color: var(--_quiet);
      }
      /* On a small phone all of the form is in view. */
      @media ${LOW} {
        .due {
          position: absolute;
          clip-path: inset(50%);
        }
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
      .chain-name {
        grid-row: 2;
      }
      @container ${NARROW} {
        .asset {
          grid-row: 3;
        }
        .chain-name {
          grid-area: 3 / 2;
          text-align: start;
        }
      }
      .rate-text {
        min-block-size: calc(var(--_u) * 7);
        align-content: center;
      }
    `,
  ];

  /** Whether what is rarely needed is shown: the rate, the offers, each fee, and addresses that a wallet gives. */
  @state() private isWhole = false;

  /** Lets the browser handle work that waited for the script first: in one task, both would block a slow phone. */
  protected override async scheduleUpdate() {
    if (!this.hasUpdated) await new Promise(resolve => setTimeout(resolve));
    await super.scheduleUpdate();
  }

  override render() {
    const {t} = this;
    const {$form} = this.parts;
    const offer = this.read($form, 'offer');
    this.read($drawings);
    // The note about a failed price says it.
    const isFailed = this.read($form, ({quote}) => quote.state === 'failed');
    return this.frame({
      title: t.swap,
      accounts: true,
      body: html`<div
        class="thread"
        data-from=${ifDefined(offer && coinOf(this.assetOf('pay')))}
        data-to=${ifDefined(offer && coinOf(this.assetOf('receive')))}
      >
        ${this.#renderPay()}
        <div class="between" part="between">${this.#renderPrice()}</div>
        ${this.#renderReceive()}
      </div>`,
      foot: html`${this.#renderPrimary()}
        <p class="foot-note due"><span></span><span>${isFailed ? '' : this.clock()}</span></p>`,
    });
  }

  protected override enterAddress() {
    this.isWhole = true;
    this.parts.edit({recipient: ''});
    const field = this.#field(FIELDS.recipient);
    void this.updateComplete.then(async () => {
      await field?.updateComplete;
      field?.focus();
    });
  }

  #renderPay() {
    const asset = this.assetOf('pay');
    return html`<div class="side pay" part="pay">
      ${this.#renderAsset('pay', asset)}
      <swap-widget-amount-field exportparts="amount" @enter=${this.#enter}></swap-widget-amount-field>
      <swap-widget-address-field
        side="pay"
        exportparts="field"
        .isWhole=${this.isWhole}
        @wallet=${() => this.chooseWalletFor('pay')}
      ></swap-widget-address-field>
    </div>`;
  }

  #renderReceive() {
    const {t} = this;
    return html`<div class="side get" part="receive">
      ${this.#renderAsset('receive', this.assetOf('receive'))}
      ${
        // Its code comes after the form.
        (this.sessionIfAny ?? this.look.rests)
          ? html`<swap-widget-receive-field exportparts="amount" @enter=${this.#enter}></swap-widget-receive-field>`
          : html`<label class="hidden" for="receive">${t.youReceive}</label>
              <output id="receive" class="amount" part="amount"><bdi class="quiet">0</bdi></output>
              <span class="value"></span>`
      }
      <swap-widget-address-field
        side="receive"
        exportparts="field"
        .isWhole=${this.isWhole}
        @wallet=${() => this.chooseWalletFor('receive')}
      ></swap-widget-address-field>
    </div>`;
  }

  #renderAsset(side: Side, asset: Asset | undefined) {
    const {t} = this;
    const label = side === 'pay' ? t.youPay : t.youReceive;
    const isLocked = this.look.locked.includes(side === 'pay' ? 'from' : 'to');
    const symbol = asset?.symbol ?? t.choose;
    const around = [
      assetMark(asset),
      html`<span class="chain-name" aria-hidden=${isLocked ? 'false' : 'true'}><bdi>${asset?.chain.title}</bdi></span>`,
    ];
    if (isLocked) return html`${around}<span class="asset">${symbol}</span>`;
    return html`${around}<button
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
        ${symbol}${icon('down', 's')}
      </button>`;
  }

  /** The place of the price. Its code comes with the session. */
  #renderPrice() {
    const {parts, t, look} = this;
    const {state} = this.read(parts.$form, 'quote');
    const isTurnable =
      !look.locked.some(field => field === 'from' || field === 'to') &&
      this.read(parts.$form, ({draft, page}) => canTurn(draft, page?.catalogue));
    return html`<swap-widget-price
      class="row rate"
      exportparts="lines, quotes, notice"
      .isWhole=${this.isWhole}
      @more=${() => (this.isWhole = !this.isWhole)}
    >
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
            : html`<span class="quiet">${t.priceAppears}</span>`
        }</span
      >
    </swap-widget-price>`;
  }

  #renderPrimary() {
    const {$form} = this.parts;
    const deed = this.read($form, 'deed');
    return html`<button
      class="primary"
      part="primary"
      type="button"
      aria-disabled=${isAvailable(deed) ? 'false' : 'true'}
      @click=${this.#press}
    >
      ${this.#labelOf(deed, this.read($form, 'problem'))}
    </button>`;
  }

  #labelOf(deed: Deed, problem: Problem | undefined): string {
    const {t} = this;
    const from = this.assetOf('pay');
    if (deed.does === 'use' && from) {
      const {figures, locale} = this.look;
      const amount = figures?.decimal(formatAmount(deed.amount, from.decimals), locale) ?? '';
      return t.useAmount({amount, symbol: from.symbol});
    }
    if (deed.does === 'take') return t.usePair({from: deed.pair.from.symbol, to: deed.pair.to.symbol});
    if (problem) return t.problems[problem.code];
    return deed.does === 'ask-again' ? t.tryNow : t.reviewSwap;
  }

  #field(selector: string) {
    return this.renderRoot.querySelector<SwapElement>(selector);
  }

  #press() {
    const {parts} = this;
    const {deed} = parts.$form.get();
    switch (deed.does) {
      case 'review':
        return this.session.review();
      case 'ask-again':
        return this.session.requote();
      case 'choose':
        return this.chooseAsset(deed.side);
      case 'connect':
        return this.chooseWalletFor('pay');
      case 'confirm':
        return this.session.confirm(deed.what);
      case 'take':
        return parts.edit({from: deed.pair.from.id, to: deed.pair.to.id});
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
    if (isDecision(this.parts.$form.get().deed)) this.renderRoot.querySelector<HTMLElement>('.primary')?.focus();
    else this.#press();
  }
}
