import {css, html, type TemplateResult} from 'lit';
import type {Asset} from '../../../domain/asset.js';
import {assetMark, coinOf} from '../../icons/icons.js';
import {renderAmount, type SideContent} from '../order-parts.js';

export const arrivalStyles = css`
  /* An end is as high as what it says, but not lower than what it came from. */
  :host([ended]) .frame {
    min-block-size: max(var(--swap-height, 0px), var(--_kept, 0px));
  }
  /* What arrived: the way it took, and the number. */
  .arrival.arrival .get {
    padding-block: calc(var(--_u) * 2) calc(var(--_u) * 3);
    padding-inline: 0;
    margin-inline: 0;
    background: none;
  }
  .arrival .amount {
    min-block-size: calc(var(--_u) * 12);
    font-size: clamp(var(--_r) * 2, 12cqi, var(--_r) * 3);
  }
  .arrival .amount:is([data-long='2'], [data-long='3']) {
    font-size: clamp(var(--_r) * 1.25, 8cqi, var(--_r) * 2);
  }
  .arrival .value {
    overflow-wrap: anywhere;
  }
  .trail {
    display: flex;
    align-items: center;
    margin-block: var(--_u);
  }
  .trail > .mark:first-child {
    --_rail: calc(var(--_u) * 8);
  }
  .trail > .mark:last-child {
    --_rail: calc(var(--_u) * 12);
  }
  .trail > span:not(.mark) {
    flex: 1;
    block-size: 3px;
    opacity: 0.3;
    background: linear-gradient(90deg, var(--_from, var(--_edge)), var(--_to, var(--_edge)));
    scale: var(--_mirror, 1) 1;
  }
  .travelled .trail > span {
    opacity: 1;
  }
  .arrival ~ :is(.notice, .latest, swap-widget-error-note) {
    margin-block-end: calc(var(--_u) * 3);
  }
  .arrival ~ .lines {
    margin-inline-start: 0;
  }
  .arrival ~ .tall > div:first-of-type {
    border-block-start: 1px solid var(--_line);
  }
  .mark.done::after {
    content: '';
    position: absolute;
    inset-block-end: calc(var(--_r) * -0.1875);
    inset-inline-end: calc(var(--_r) * -0.1875);
    inline-size: calc(var(--_r) * 1.25);
    block-size: calc(var(--_r) * 1.25);
    border-radius: 50%;
    border: 2px solid var(--_surface);
    background: var(--_good);
  }
  .mark.done .tick {
    position: absolute;
    inset-block-end: calc(var(--_r) * 0.0625);
    inset-inline-end: calc(var(--_r) * 0.0625);
    inline-size: calc(var(--_r) * 0.75);
    block-size: calc(var(--_r) * 0.75);
    stroke-width: 2.75;
    color: var(--_surface);
    z-index: 1;
  }

  /* If the money arrives in view, once: the thread reaches its icon, which becomes a tick that settles. */
  :host([arrived]) .travelled .trail > span {
    animation: reach calc(var(--_calm) * 2) ease-in-out backwards;
  }
  :host([arrived]) .mark.done::after,
  :host([arrived]) .mark.done .tick {
    --_in: calc(var(--_r) * 0.4375 - var(--_rail) / 2);
    animation: settle calc(var(--_calm) * 5) calc(var(--_calm) * 2) backwards;
  }
  /* The tick covers its network, then and afterwards. */
  :host([arrived]) .mark.done .chain {
    opacity: 0;
    animation: leave var(--_calm) calc(var(--_calm) * 2) backwards;
  }
  @keyframes leave {
    from {
      opacity: 1;
    }
  }
  @keyframes reach {
    from {
      clip-path: inset(0 60% 0 0);
    }
  }
  @keyframes settle {
    from {
      translate: calc(var(--_mirror, 1) * var(--_in)) var(--_in);
      scale: 0;
      animation-timing-function: var(--_ease);
    }
    30%,
    60% {
      translate: calc(var(--_mirror, 1) * var(--_in)) var(--_in);
      scale: 2.2;
      animation-timing-function: cubic-bezier(0.6, 0, 0.1, 1);
    }
  }
  @media (forced-colors: active) {
    .mark.done .tick {
      color: Canvas !important;
    }
    .mark.done::after {
      background: CanvasText;
      forced-color-adjust: none;
    }
  }
`;

interface Arrival extends Pick<SideContent, 'asset' | 'label' | 'amount' | 'detail'> {
  readonly travelled: boolean;
  /** A chain shows that the money has arrived. */
  readonly done: boolean;
}

/** The number that arrived, below the way that it took: from a coin, and whole if it is shown to have travelled. */
export function arrival(locale: string, from: Asset | undefined, get: Arrival): TemplateResult {
  const {asset, label, detail, travelled, done} = get;
  return html`<div class="arrival ${travelled ? 'travelled' : ''}" data-from=${coinOf(from)} data-to=${coinOf(asset)}>
    <div class="trail pay" part="pay">${assetMark(from)}<span></span>${assetMark(asset, {done})}</div>
    <div class="get" part="receive">
      <span class="hidden">${label}</span>
      ${renderAmount({...get, about: true}, locale)}
      <p class="value">${detail}</p>
    </div>
  </div>`;
}
