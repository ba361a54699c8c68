import {css, html} from 'lit';
import type {AffiliateFee} from '../domain/affiliate.js';
import {cents, formatAmount} from '../domain/amount.js';
import type {Asset} from '../domain/asset.js';
import {costOf, inverseRateOf, rateOf, type Quote} from '../domain/quote.js';
import {money} from './format.js';
import {icon} from './icons.js';
import {allWords, late, percent} from './late-view.js';
import type {Look} from './swap-element.js';

/** What the lines of a price are drawn from. */
export interface PriceLook {
  readonly look: Look;
  readonly from: Asset;
  readonly to: Asset;
  /** The offer that is chosen; absent while the first is waited for. */
  readonly offer: Quote | undefined;
  readonly offers: readonly Quote[];
  readonly fees: readonly AffiliateFee[];
  /** Whether the rate is told the other way round. */
  readonly inverse: boolean;
  /** Whether all offers are shown. */
  readonly comparing: boolean;
  readonly turn: () => void;
  readonly compare: () => void;
  readonly choose: (event: Event) => void;
}

export const priceStyles = css`
  ${late}
  .rate-text .chip[aria-expanded='true'] .icon {
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
`;

/** What one buys, or how many offers there are to choose from. */
export function renderRate({look, from, to, offer, offers, inverse, comparing, turn, compare}: PriceLook) {
  if (!offer) return html`<span class="bone"></span>`;
  const t = allWords(look);
  if (offers.length > 1) {
    return html`<button class="chip" type="button" aria-expanded=${comparing ? 'true' : 'false'} @click=${compare}>
      ${t.quotes(offers.length)}${icon('down', 's')}
    </button>`;
  }
  const text = inverse
    ? t.rate(to.symbol, short(formatAmount(inverseRateOf(offer, to), from.decimals)), from.symbol)
    : t.rate(from.symbol, short(formatAmount(rateOf(offer, from), to.decimals)), to.symbol);
  return html`<button class="chip" type="button" title=${t.otherWayRound} @click=${turn}>
    <bdi>${text}</bdi>
  </button>`;
}

/** What is taken off on the way, or the offers to choose from. */
export function renderLines(look: PriceLook) {
  return look.comparing && look.offers.length > 1 ? renderOffers(look) : renderCost(look);
}

function renderCost({look, offer, fees}: PriceLook) {
  const t = allWords(look);
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

function renderOffers({look, to, offer: chosen, offers, choose}: PriceLook) {
  const t = allWords(look);
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
          @change=${choose}
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

/** A rate to read, not to reckon with: eight figures are enough. */
function short(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const room = Math.max(2, 8 - (whole === '0' ? 0 : whole.length));
  const leading = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const shown = fraction.slice(0, room + leading).replace(/0+$/, '');
  return shown ? `${whole}.${shown}` : whole;
}
