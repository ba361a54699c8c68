import {css} from 'lit';
import {NARROW} from './layout.js';

export const facts = css`
  .lines {
    margin-inline-start: calc(var(--_rail) + var(--_gap));
    font-size: var(--_t-s);
  }
  /* A value is at the end of its line, or below its name if there is no room beside it. */
  .lines > div {
    display: flex;
    flex-wrap: wrap;
    column-gap: calc(var(--_u) * 4);
    padding-block: var(--_tight, var(--_u));
  }
  .lines dt {
    color: var(--_quiet);
  }
  .lines dd {
    flex: 1 1 40%;
    min-inline-size: min-content;
    text-align: end;
    overflow-wrap: anywhere;
  }
  .mono {
    font-family: var(--_mono);
    font-size: 0.9333em;
    font-variant-ligatures: none;
  }
  /* Whole columns, as wide in bold, so that the lines also align in a right-to-left page. A browser may round each up. */
  .groups {
    display: block;
    inline-size: calc(min(var(--_columns, 18em), round(down, 100% + 0.6em, 3em)) + 1px);
    margin-inline-end: -0.6em;
    white-space: normal;
    text-wrap: wrap;
    line-height: calc(var(--_u) * 5);
    text-align: start;
    user-select: all;
  }
  .groups span {
    display: inline-block;
    inline-size: 3em;
    white-space: nowrap;
  }
  .groups[data-columns='5'] {
    --_columns: 15em;
  }
  :is(.groups[data-columns='4'], .notice .groups, .pay-to > .groups) {
    --_columns: 12em;
  }
  .groups.apart span {
    color: var(--_quiet);
  }
  .groups.apart .differs {
    color: var(--_ink);
    font-weight: 600;
  }
  .ways {
    display: flex;
    flex-wrap: wrap;
    gap: 0 calc(var(--_u) * 4);
    margin-block-start: var(--_u);
  }
  .foot-note > .ways {
    justify-content: end;
  }
  /* What is rarely needed. */
  .more {
    flex: none;
  }
  .more[open] {
    flex: 1 0 100%;
  }
  .foot-note:has(> .more) {
    flex-wrap: wrap;
    row-gap: 0;
  }
  .foot-note:has(> .more) > :first-child {
    flex: 1 1 60%;
  }
  .whole {
    white-space: nowrap;
  }
  .ok {
    color: var(--_good);
  }
  /* For a thumb. The padding of a link within a text makes no line taller, and no link covers the text of another. */
  @media (pointer: coarse) {
    a[target] {
      padding-block: calc(var(--_u) * 3.5);
    }
    :has(> a[target] ~ a[target]) {
      line-height: calc(var(--_u) * 8);
    }
  }
  .secondary {
    border: 1px solid color-mix(in oklab, var(--_ink) 20%, var(--_surface));
  }
  .secondary:hover {
    background: var(--_sunk);
  }
  @container ${NARROW} {
    .groups.groups {
      --_columns: 12em;
    }
    .whole {
      white-space: normal;
    }
  }
`;
