import {css} from 'lit';

/** The level of a note: information, a warning, or a risk of losing money. */
export type Level = 'info' | 'caution' | 'loss';

export const notice = css`
  .notice {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 0 calc(var(--_u) * 2.5);
    padding: calc(var(--_u) * 3) calc(var(--_u) * 3.5);
    border-radius: var(--_radius-control);
    background: var(--_sunk);
    font-size: var(--_t-s);
  }
  .notice > .icon {
    color: var(--_quiet);
  }
  .notice strong {
    font-weight: 600;
  }
  .notice p {
    grid-column: 2;
    overflow-wrap: anywhere;
  }
  .caution > .icon {
    color: var(--_warn);
  }
  /* The loudest thing on its screen. */
  .loss {
    border: 2px solid var(--_bad);
    background: none;
    font-size: var(--_t-m);
  }
  .loss > .icon,
  .loss > p > strong {
    color: var(--_bad);
  }
  .loss > p > strong {
    display: block;
    font-size: calc(var(--_r) * 1.0625);
    line-height: calc(var(--_u) * 6);
  }
  /* The way out of a risk stands out instead of the button that takes it. */
  .use {
    inline-size: 100%;
    min-block-size: var(--_tool);
    margin-block: calc(var(--_u) * 2);
    padding: calc(var(--_u) * 1.5) calc(var(--_u) * 3);
    border: 1px solid var(--_accent-edge);
    border-radius: var(--_radius-control);
    background: var(--_accent);
    color: var(--_on-accent);
    font-size: var(--_t-s);
    font-weight: 600;
    text-align: center;
    text-wrap: balance;
  }
  .loss > .icon {
    inline-size: calc(var(--_u) * 6);
    block-size: calc(var(--_u) * 6);
    stroke-width: 2;
  }
`;
