import {css, html} from 'lit';
import {cents, formatAmount} from '../../domain/amount.js';
import type {Asset} from '../../domain/asset.js';
import {costOf, inverseRateOf, rateOf, type Quote} from '../../domain/quote.js';
import {valueOf} from '../../domain/remote.js';
import type {SwapSession} from '../../session/session.js';
import {money} from '../base/format.js';
import {icon} from '../icons/icons.js';
import {about} from '../base/time.js';
import {allWords, percent, short} from '../base/words.js';
import {facts} from '../style/facts.js';
import type {Look} from '../base/swap-element.js';

/** What the lines of a price are drawn from. */
export interface PriceLook {
  readonly look: Look;
  /** Whose stores the form itself reads, so that it is drawn again with them. */
  readonly session: SwapSession;
  readonly from: Asset;
  readonly to: Asset;
  /** Whether the rate is told the other way round. */
  readonly inverse: boolean;
  /** Whether all offers are shown. */
  readonly comparing: boolean;
  readonly turn: () => void;
  readonly compare: () => void;
}

export const priceStyles = css`
  ${facts}
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
  @media (forced-colors: active) {
    [type='radio']:checked {
      border-color: Highlight;
    }
  }
`;

/** What one buys, or how many offers there are to choose from. */
export function renderRate({look, session, from, to, inverse, comparing, turn, compare}: PriceLook) {
  const offer = session.$offer.get();
  if (!offer) return html`<span class="skeleton"></span>`;
  const t = allWords(look);
  const offers = offersOf(session);
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
  return look.comparing && offersOf(look.session).length > 1 ? renderOffers(look) : renderCost(look);
}

function offersOf({$quote}: SwapSession): readonly Quote[] {
  return valueOf($quote.get())?.offers ?? [];
}

function renderCost({look, session}: PriceLook) {
  const t = allWords(look);
  const offer = session.$offer.get();
  const fees = session.$config.get()?.affiliateFees ?? [];
  const cost = offer && costOf(offer, fees);
  const seconds = offer?.estimatedSeconds;
  const hasCost = !offer || cost;
  if (!hasCost && !seconds) return '';
  const bps = fees.reduce((sum, fee) => sum + fee.bps, 0);
  const share = cost?.shares.reduce((sum, amount) => sum + amount, 0n);
  const figure = (hundredths: bigint | undefined) =>
    hundredths === undefined ? html`<span class="skeleton"></span>` : html`<bdi>${money(-hundredths, t)}</bdi>`;
  return html`<dl class="lines" part="lines">
    ${
      hasCost
        ? html`<div>
            <dt>${t.networkAndExchange}</dt>
            <dd>${figure(cost?.network)}</dd>
          </div>`
        : ''
    }
    ${
      hasCost && bps
        ? html`<div>
            <dt>${t.partnerFee(percent(bps, t))}</dt>
            <dd>${figure(share)}</dd>
          </div>`
        : ''
    }
    ${
      seconds
        ? html`<div>
            <dt>${t.estimatedTime}</dt>
            <dd>${about(seconds, t)}</dd>
          </div>`
        : ''
    }
  </dl>`;
}

function renderOffers({look, session, to}: PriceLook) {
  const t = allWords(look);
  const chosen = session.$offer.get();
  const offers = offersOf(session);
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
