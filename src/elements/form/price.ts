import {css, html} from 'lit';
import {state} from 'lit/decorators.js';
import {cents, formatAmount} from '../../domain/amount.js';
import type {Asset} from '../../domain/asset.js';
import {totalBps} from '../../domain/draft.js';
import {costOf, inverseRateOf, rateOf, type Quote} from '../../domain/quote.js';
import {valueOf} from '../../domain/remote.js';
import '../base/error-note.js';
import {decimal, money} from '../base/format.js';
import {register} from '../base/swap-element.js';
import {about} from '../base/time.js';
import {LatePart, percent, short} from '../base/words.js';
import {icon} from '../icons/icons.js';
import {facts} from '../style/facts.js';
import {base} from '../style/styles.js';

/**
 * The price between the two sides of the form: what one unit buys, what is taken off on the way, the offers where there
 * are several, and what went wrong. Its first column is the form's own (the slot).
 *
 * @tag swap-widget-price
 * @slot - What stands there until this is loaded.
 * @slot turn - The button that swaps the two sides.
 * @csspart lines - The list of costs.
 * @csspart quotes - The offers, where there are several.
 */
export class Price extends LatePart {
  static override styles = [
    base,
    facts,
    css`
      .rate {
        min-block-size: calc(var(--_u) * 7);
        align-content: center;
      }
      .rate .skeleton {
        inline-size: 9.5rem;
        max-inline-size: 100%;
      }
      .skeleton {
        transition: none;
      }
      .lines,
      .quotes,
      swap-widget-error-note {
        grid-column: 1 / -1;
      }
      swap-widget-error-note {
        margin-block-start: calc(var(--_u) * 3);
        margin-inline-start: calc(var(--_rail) + var(--_gap));
      }
      .rate .chip[aria-expanded='true'] .icon {
        rotate: 180deg;
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
    const {session} = this;
    const quote = this.read(session.$quote);
    const assets = [this.assetOf('pay'), this.assetOf('receive')] as const;
    return html`<slot name="turn"></slot>
      <span class="rate">${this.#renderRate(...assets)}</span>
      ${
        quote.state === 'failed'
          ? html`<swap-widget-error-note
              .error=${quote.error}
              .retryAt=${this.read(session.$nextQuoteAt)}
              exportparts="notice"
            ></swap-widget-error-note>`
          : assets[0] && assets[1] && quote.state !== 'idle'
            ? this.#renderLines(assets[1])
            : ''
      }`;
  }

  get #offers(): readonly Quote[] {
    return valueOf(this.read(this.session.$quote))?.offers ?? [];
  }

  /** What one buys, or how many offers there are to choose from. */
  #renderRate(from: Asset | undefined, to: Asset | undefined) {
    const {t, look, session} = this;
    const {state} = this.read(session.$quote);
    const offer = this.read(session.$offer);
    if (!offer || !from || !to) {
      if (state === 'pending') return html`<span class="skeleton"></span>`;
      return html`<span class="quiet">${state === 'failed' ? t.noPrice : t.priceAppears}</span>`;
    }
    const {length} = this.#offers;
    if (length > 1) {
      return html`<button
        class="chip"
        type="button"
        aria-expanded=${this.comparing ? 'true' : 'false'}
        @click=${this.#compare}
      >
        ${t.quotes({n: length})}${icon('down', 's')}
      </button>`;
    }
    const text = this.inverse
      ? t.rate({
          from: to.symbol,
          amount: decimal(short(formatAmount(inverseRateOf(offer, to), from.decimals)), look.locale),
          to: from.symbol,
        })
      : t.rate({
          from: from.symbol,
          amount: decimal(short(formatAmount(rateOf(offer, from), to.decimals)), look.locale),
          to: to.symbol,
        });
    return html`<button class="chip" type="button" title=${t.otherWayRound} @click=${this.#turn}>
      <bdi>${text}</bdi>
    </button>`;
  }

  /** What is taken off on the way, or the offers to choose from. */
  #renderLines(to: Asset) {
    return this.comparing && this.#offers.length > 1 ? this.#renderOffers(to) : this.#renderCost();
  }

  #renderCost() {
    const {t, look, session} = this;
    const offer = this.read(session.$offer);
    const fees = this.read(session.$config)?.affiliateFees ?? [];
    const cost = offer && costOf(offer, fees);
    const seconds = offer?.estimatedSeconds;
    const bps = totalBps(fees);
    const share = cost?.shares.reduce((sum, amount) => sum + amount, 0n);
    const figure = (hundredths: bigint | undefined) =>
      hundredths === undefined ? html`<span class="skeleton"></span>` : html`<bdi>${money(-hundredths, look)}</bdi>`;
    // An offer may name no values to tell a cost by.
    const lines =
      !offer || cost
        ? [
            [t.networkAndExchange, figure(cost?.network)],
            ...(bps ? [[t.partnerFee({percent: percent(bps, look.locale)}), figure(share)]] : []),
          ]
        : [];
    if (seconds) lines.push([t.estimatedTime, about(seconds, t)]);
    if (!lines.length) return '';
    return html`<dl class="lines" part="lines">
      ${lines.map(
        ([title, value]) =>
          html`<div>
            <dt>${title}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>`;
  }

  #renderOffers(to: Asset) {
    const {t, look, session} = this;
    const chosen = this.read(session.$offer);
    const offers = this.#offers;
    const best = offers[0] && cents(offers[0].destination.value);
    return html`<fieldset class="quotes" part="quotes">
      <legend class="hidden">${t.quotesBestFirst}</legend>
      ${offers.map((offer, index) => {
        const value = cents(offer.destination.value);
        return html`<label title=${offer.solverId}>
          <input
            type="radio"
            name="offer"
            .value=${offer.solverId}
            .checked=${offer.solverId === chosen?.solverId}
            @change=${() => {
              session.choose(offer.solverId);
            }}
          />
          <span><b>${decimal(formatAmount(offer.destination.amount, to.decimals), look.locale)}</b> ${to.symbol}</span>
          ${
            index === 0
              ? html`<span class="ok">${t.best}</span>`
              : best !== undefined && value !== undefined
                ? html`<span class="quiet"><bdi>${money(value - best, look)}</bdi></span>`
                : html`<span></span>`
          }
        </label>`;
      })}
    </fieldset>`;
  }

  #turn() {
    this.inverse = !this.inverse;
  }

  #compare() {
    this.comparing = !this.comparing;
  }
}

register({'swap-widget-price': Price});

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-price': Price;
  }
}
