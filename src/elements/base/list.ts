import {css, html, type TemplateResult} from 'lit';
import {NARROW} from '../style/layout.js';

export const list = css`
  /* Lists scroll inside the frame; anything else fits or lets it grow. */
  .scroll {
    display: block;
    min-block-size: 0;
    overflow-y: auto;
    overscroll-behavior: contain;
    scrollbar-width: thin;
  }
  /* One scrolling row. It fades over its own padding, so that only clipped tabs fade. */
  .tabs {
    display: flex;
    gap: calc(var(--_u) * 4);
    margin-inline: calc(var(--_u) * -5);
    padding: calc(var(--_u) * 2) calc(var(--_u) * 5);
    overflow-x: auto;
    scroll-padding-inline: calc(var(--_u) * 5);
    scrollbar-width: none;
    overscroll-behavior-x: contain;
    mask-image: linear-gradient(
      to right,
      transparent,
      #000 calc(var(--_u) * 5),
      #000 calc(100% - var(--_u) * 5),
      transparent
    );
    font-size: var(--_t-s);
  }
  .tabs label {
    display: inline-flex;
    flex: none;
    min-inline-size: calc(var(--_r) * 1.5);
    position: relative;
    align-items: center;
    min-block-size: calc(var(--_u) * 8);
    color: var(--_quiet);
    border-block-end: 2px solid transparent;
    cursor: pointer;
  }
  .tabs label:has(:checked) {
    color: var(--_ink);
    font-weight: 600;
    border-color: var(--_ink);
  }
  @media (forced-colors: active) {
    .tabs label:not(:has(:checked)) {
      border-color: Canvas;
    }
  }
  @media (pointer: coarse) {
    .tabs {
      gap: 0;
    }
    .tabs label {
      padding-inline: calc(var(--_u) * 2);
      min-inline-size: calc(var(--_u) * 11);
      min-block-size: calc(var(--_u) * 11);
      justify-content: center;
    }
  }
  .tabs label:has(:focus-visible) {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
  }
  .list {
    margin-inline: calc(var(--_u) * -2);
  }
  .list-title {
    padding-block: calc(var(--_u) * 3) var(--_u);
    font-size: var(--_t-s);
    font-weight: 400;
    color: var(--_quiet);
  }
  .item {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    column-gap: var(--_gap);
    align-items: center;
    inline-size: 100%;
    min-block-size: calc(var(--_u) * 14);
    padding: calc(var(--_u) * 2);
    border-radius: var(--_radius-control);
    cursor: pointer;
  }
  .item:hover,
  .item.active {
    background: var(--_sunk);
  }
  .item strong {
    display: block;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .item bdi {
    white-space: normal;
  }
  .item small {
    display: block;
    font-size: var(--_t-s);
    color: var(--_quiet);
  }
  .item .end {
    text-align: end;
    font-size: var(--_t-s);
    color: var(--_quiet);
  }
  .arrow {
    display: inline-block;
  }
  .mark.app {
    border-radius: calc(var(--_r) * 0.625);
    overflow: hidden;
  }
  .mark.app .icon {
    inline-size: calc(var(--_r) * 1.25);
    block-size: calc(var(--_r) * 1.25);
  }
  .mark.app img {
    inline-size: 100%;
    block-size: 100%;
    object-fit: contain;
  }
  @container ${NARROW} {
    .item {
      grid-template-columns: auto minmax(0, 1fr);
    }
    .item .end {
      grid-column: 2;
      text-align: start;
    }
  }
`;

export function section(title: string, items: readonly TemplateResult[]): unknown {
  if (!items.length) return '';
  return html`<h3 class="list-title">${title}</h3>
    <ul class="list">
      ${items.map(item => html`<li>${item}</li>`)}
    </ul>`;
}

export function tabs<T extends string>(
  legend: string,
  all: readonly (readonly [value: T, title: string])[],
  chosen: T,
  choose: (value: T) => void,
): TemplateResult {
  return html`<fieldset class="tabs">
    <legend class="hidden">${legend}</legend>
    ${all.map(
      ([value, title]) =>
        html`<label
          ><input
            class="hidden"
            type="radio"
            name="tab"
            .checked=${value === chosen}
            @change=${() => choose(value)}
          />${title}</label
        >`,
    )}
  </fieldset>`;
}
