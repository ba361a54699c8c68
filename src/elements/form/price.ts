import {css, html, type PropertyValues} from 'lit';
import {property, state} from 'lit/decorators.js';
import type {Asset} from '../../domain/asset.js';
import {totalBps} from '../../domain/affiliate-fee.js';
import type {SwapError} from '../../domain/error.js';
import {feesIn} from '../../domain/form/story.js';
import {cents, costOf, inverseRateOf, rateOf, type Quote} from '../../domain/quote.js';
import {valueOf} from '../../domain/remote.js';
import '../base/countdown.js';
import {note} from '../base/error-note.js';
import {money, percent} from '../../locales/figures.js';
import {register} from '../base/swap-element.js';
import {shortTime} from '../base/time.js';
import {
  aboutAmount,
  againstSite,
  amountText,
  costText,
  DOT,
  LatePart,
  lossText,
  raisedText,
  rateText,
  routeWords,
  warnOfLoss,
} from '../base/words.js';
import {referenceOf} from '../../session/reference.js';
import {facts} from '../style/facts.js';
import {notice} from '../style/notice.js';
import {base} from '../style/styles.js';
import {NARROW, SMALL} from '../style/layout.js';

/**
 * The price between the two sides of the form: what it costs and how long it takes, and on demand the rate, each fee and
 * the offers; errors, and the confirmation of a high cost. Its first column is the form's own (the slot).
 *
 * @tag swap-widget-price
 * @fires more - The visitor wants to see all of it, or less again.
 * @slot - The content until this is loaded.
 * @slot turn - The button that swaps the two sides.
 * @csspart lines - The list of costs.
 * @csspart quotes - The offers, if there are several.
 * @csspart notice - An error or a question.
 */
export class Price extends LatePart {
  static override styles = [
    base,
    facts,
    notice,
    css`
      .rate {
        grid-column: 2 / -1;
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        column-gap: calc(var(--_u) * 2);
        min-block-size: calc(var(--_u) * 7);
      }
      :is(.rate, .quotes) bdi {
        white-space: normal;
      }
      .rate.quiet ~ :is(.lines:not(.asked), .quotes) {
        color: var(--_quiet);
      }
      /* It takes two lines, rather than a row of its own. */
      .sum {
        flex: 1 0 calc(var(--_r) * 9);
        inline-size: 0;
        color: var(--_quiet);
        font-size: var(--_t-s);
      }
      .rate:not(.quiet) .sum b {
        color: var(--_ink);
        font-weight: 500;
      }
      .rate .skeleton {
        inline-size: calc(var(--_r) * 9.5);
        max-inline-size: 100%;
      }
      .slow {
        grid-column: 2 / -1;
        font-size: var(--_t-s);
      }
      /* Values are short here: they stay beside their names while there is room. */
      .lines dd {
        flex-basis: auto;
      }
      .lines,
      .quotes,
      .notice,
      swap-widget-error-note {
        grid-column: 1 / -1;
        margin-inline-start: calc(var(--_rail) + var(--_gap));
      }
      .notice,
      swap-widget-error-note {
        margin-block-start: calc(var(--_u) * 3);
      }
      .quotes label {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr) fit-content(50%);
        gap: 0 calc(var(--_u) * 3);
        align-items: center;
        padding-block: var(--_u);
        cursor: pointer;
        overflow-wrap: anywhere;
      }
      .quotes [type='radio'] {
        grid-row: 1 / span 2;
      }
      .quotes .cost,
      .quotes .at {
        font-size: var(--_t-s);
      }
      .quotes .cost {
        text-align: end;
      }
      /* Flex items are words of their own in a radio button's name. */
      .quotes :is(.what, .at) {
        display: flex;
        flex-wrap: wrap;
        column-gap: calc(var(--_u) * 1.5);
      }
      .quotes .at {
        grid-column: 2 / -1;
        justify-content: space-between;
        column-gap: calc(var(--_u) * 3);
      }
      .quotes label + label {
        border-block-start: 1px solid var(--_line);
      }
      .quotes b {
        font-weight: 600;
      }
      [type='radio'] {
        appearance: none;
        inline-size: calc(var(--_r) * 1.125);
        block-size: calc(var(--_r) * 1.125);
        border: 1.5px solid var(--_edge);
        border-radius: 50%;
      }
      [type='radio']:checked {
        border: calc(var(--_r) * 0.34) solid var(--_ink);
      }
      [type='radio']:focus-visible {
        border-radius: 50%;
      }
      @container ${SMALL} {
        .quotes label {
          grid-template-columns: auto minmax(0, 1fr);
        }
        .quotes .cost {
          grid-column: 2;
          text-align: start;
        }
        .quotes [type='radio'] {
          grid-row: 1 / span 3;
        }
      }
      @container ${NARROW} {
        .notice {
          margin-inline-start: 0;
        }
      }
      @media (forced-colors: active) {
        [type='radio']:checked {
          border-color: Highlight;
        }
      }
    `,
  ];

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    if (this.isReady) warnOfLoss(this, this.session.$form.get().problem?.code === 'confirm-cost');
  }

  protected override readonly keepsPlace = true;

  @property({attribute: false}) isWhole = false;

  @state() private inverse = false;

  override render() {
    if (!this.isReady) return html`<slot name="turn"></slot><slot></slot>`;
    const {session} = this;
    const quote = this.read(session.$form, 'quote');
    const assets = [this.assetOf('pay'), this.assetOf('receive')] as const;
    // The last offer stays, like its amount, until there is a new price.
    const isOld = quote.state !== 'ready';
    return html`<slot name="turn"></slot>
      <span class="rate ${isOld ? 'quiet' : ''}">${this.#renderRate(...assets)}</span>
      ${this.#renderSlow()} ${this.#renderAsked(assets[1])}
      ${this.isWhole && assets[0] && assets[1] && quote.state !== 'idle' ? this.#renderLines(assets[0], assets[1]) : ''}
      ${this.#renderRoute() ?? (quote.state === 'failed' ? this.#renderFailure(quote.error) : this.#renderQuestion())}`;
  }

  #renderSlow() {
    const {t, session} = this;
    const slow = this.read(session.$form, 'slow');
    return slow
      ? html`<p class="slow quiet">
          ${t.longerThanUsual} <button class="link" type="button" @click=${slow.cancel}>${t.cancel}</button>
        </p>`
      : '';
  }

  #renderAsked(to: Asset | undefined) {
    const {t, look, session} = this;
    const asked = this.read(session.$settings, 'config')?.asked;
    if (!asked || !to) return '';
    const amount = amountText(asked.atLeast, to, look.locale);
    return html`<dl class="lines asked" part="lines">
      <div>
        <dt>${t.askedFor}</dt>
        <dd>
          <bdi><strong>${t.leastAmount({amount, symbol: to.symbol})}</strong></bdi>
          <button
            class="chip"
            type="button"
            @click=${() => this.dispatchEvent(new Event('decline', {bubbles: true, composed: true}))}
          >
            ${t.cancel}
          </button>
        </dd>
      </div>
    </dl>`;
  }

  get #offers(): readonly Quote[] {
    return valueOf(this.read(this.session.$form, 'quote'))?.offers ?? [];
  }

  /** What it costs, and how long it takes; without values, the rate. */
  #renderRate(from: Asset | undefined, to: Asset | undefined) {
    const {t, session, look} = this;
    const quote = this.read(session.$form, 'quote');
    const offer = this.read(session.$form, 'offer');
    if (!offer || !from || !to) {
      if (quote.state === 'pending') return html`<span class="skeleton"></span>`;
      // An amount outside the limits or a pair without a route has no price, which is said elsewhere.
      const isMissing = quote.state === 'failed' && !/^(?:amount-range|no-route)$/.test(quote.error.code);
      return html`<span class="quiet">${isMissing ? t.noPrice : t.priceAppears}</span>`;
    }
    const cost = costOf(offer, feesIn(quote));
    const sum = cost
      ? html`${t.cost} <b><bdi>${lossText(cost.total, look)}</bdi></b> ${t.plusNetworkFee}`
      : html`<bdi>${this.#rate(offer, from, to)}</bdi>`;
    return html`<span class="sum"
        >${sum}${DOT}<span class="whole">${shortTime(offer, from.chain, to.chain, t)}</span></span
      >
      <button
        class="link"
        type="button"
        aria-expanded=${this.isWhole ? 'true' : 'false'}
        @click=${() => this.dispatchEvent(new Event('more'))}
      >
        ${t.details}
      </button>`;
  }

  #rate(offer: Quote, from: Asset, to: Asset): string {
    const {t, look} = this;
    return this.inverse
      ? rateText(inverseRateOf(offer, to), to, from, look.locale, t)
      : rateText(rateOf(offer, from), from, to, look.locale, t);
  }

  #renderLines(from: Asset, to: Asset) {
    const {t, session, look} = this;
    const offer = this.read(session.$form, 'offer');
    if (!offer) return '';
    const fees = feesIn(this.read(session.$form, 'quote'));
    const cost = costOf(offer, fees);
    const bps = totalBps(fees);
    const share = cost?.shares.reduce((sum, amount) => sum + amount, 0n);
    const above = this.read(referenceOf(session));
    const lines = [
      [
        t.rateName,
        html`<button class="chip" type="button" title=${t.otherWayRound} @click=${() => (this.inverse = !this.inverse)}>
          <bdi>${this.#rate(offer, from, to)}</bdi>
        </button>`,
      ],
      // An offer may have no values to derive a cost from.
      ...(cost ? [[t.cost, html`<bdi>${costText(cost, look, t)}</bdi> ${t.plusNetworkFee}`]] : []),
      ...(cost && bps
        ? [
            [
              t.partnerFeeIncluded({percent: percent(bps, look.locale)}),
              html`<bdi>${lossText(share ?? 0n, look)}</bdi>`,
            ],
          ]
        : []),
      ...(above === undefined ? [] : [[t.againstSite, againstSite(above, look.locale, t)]]),
    ];
    return html`<dl class="lines" part="lines">
        ${lines.map(
          ([title, value]) =>
            html`<div>
              <dt>${title}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
      ${this.#offers.length > 1 ? this.#renderOffers(from, to) : ''}`;
  }

  /** An offer's difference from the chosen one; empty for that one itself, and if one of them has no value. */
  #beside(offer: Quote, chosen: Quote | undefined): string {
    const {t, look} = this;
    const [one, other] = [offer, chosen].map(each => each && cents(each.destination.value));
    if (one === undefined || other === undefined || one === other) return '';
    return one > other
      ? t.moreValue({value: money(one - other, look)})
      : t.lessValue({value: money(other - one, look)});
  }

  #renderOffers(from: Asset, to: Asset) {
    const {t, session, look} = this;
    const chosen = this.read(session.$form, 'offer');
    const fees = feesIn(this.read(session.$form, 'quote'));
    // Offers are named by a number, which stays the same as long as their solvers do.
    const solvers = this.#offers.map(({solverId}) => solverId).sort();
    return html`<fieldset class="quotes" part="quotes">
      <legend class="hidden">${t.quotesBestFirst}</legend>
      ${this.#offers.map((offer, index) => {
        const isChosen = offer.solverId === chosen?.solverId;
        const cost = costOf(offer, fees);
        const beside = this.#beside(offer, chosen) || (isChosen && cost ? '' : this.#rate(offer, from, to));
        const amount = aboutAmount(offer.destination.amount, to, look.locale);
        return html`<label>
          <input
            type="radio"
            name="offer"
            .value=${offer.solverId}
            .checked=${isChosen}
            @change=${() => session.choose(offer.solverId)}
          />
          <span class="what">
            <span><b>${amount}</b>${` ${to.symbol}`}</span>
            ${index === 0 ? html`<span class="ok">${t.best}</span>` : ''}
          </span>
          <span class="cost">${cost && html`<bdi>${costText(cost, look, t)}</bdi>`}</span>
          <span class="at quiet"
            ><span>${t.exchangePartner({n: solvers.indexOf(offer.solverId) + 1})}</span> <bdi>${beside}</bdi></span
          >
        </label>`;
      })}
    </fieldset>`;
  }

  #renderRoute() {
    const pair = {from: this.assetOf('pay'), to: this.assetOf('receive')};
    const words = routeWords(this.read(this.session.$form, 'problem'), pair, this.t);
    return words && note(...words, 'caution');
  }

  #renderFailure(error: SwapError) {
    const {t, session} = this;
    if (error.code === 'amount-range') return '';
    if (error.code === 'offline') return note(t.offline, t.offlineWhy);
    // Otherwise the form's button asks again.
    const asksAgain = this.read(session.$form, ({deed}) => deed.does === 'ask-again');
    return html`<swap-widget-error-note
      .error=${error}
      .retryAt=${this.read(session.$form, 'nextQuoteAt')}
      .retry=${asksAgain ? undefined : this.#askAgain}
      exportparts="notice"
    ></swap-widget-error-note>`;
  }

  /** Asks for a price now. The note goes with its button, so the form's button gets the focus. */
  readonly #askAgain = () => {
    (this.getRootNode() as ShadowRoot).querySelector<HTMLElement>('.primary')?.focus();
    this.session.requote();
  };

  /** The confirmation of a high cost, or the new amount to pay for the requested minimum, if it rose. */
  #renderQuestion() {
    const {t, look, session} = this;
    const problem = this.read(session.$form, 'problem');
    if (problem?.code === 'confirm-cost') {
      const {total, bps} = problem.loss;
      const isGain = total < 0n;
      const value = money(isGain ? -total : total, look);
      return note(isGain ? t.tooGood({value}) : t.costHigh({value, percent: percent(bps, look.locale)}), '', 'loss');
    }
    const text = this.read(session.$form, form => raisedText(form, look.locale, t));
    return text && note(t.priceMoved, text, 'caution');
  }
}

register({'swap-widget-price': Price});
