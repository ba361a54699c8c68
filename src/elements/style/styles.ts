import {css} from 'lit';
import {NARROW, SMALL, WIDE} from './layout.js';
import {anew} from './tokens.js';

export const base = css`
  :host([hidden]) {
    display: none;
  }
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  :where(h2, h3, p, dl, dd, ol, ul, fieldset, legend) {
    margin: 0;
    padding: 0;
    border: 0;
    min-inline-size: 0;
  }
  :where(button, input, summary) {
    font: inherit;
    color: inherit;
    letter-spacing: inherit;
  }
  :where(button, input) {
    margin: 0;
    padding: 0;
    border: 0;
    background: none;
  }
  :where(button) {
    text-align: inherit;
    cursor: pointer;
  }
  :where(a) {
    padding-block: calc(var(--_r) * 0.3125);
    text-decoration: underline;
    text-decoration-color: var(--_edge);
    text-decoration-thickness: 1px;
    text-underline-offset: 3px;
    color: inherit;
  }
  :focus-visible {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
    border-radius: calc(var(--_radius-control) * 0.5);
  }
  ::placeholder {
    color: var(--_quiet);
    opacity: 1;
  }
  svg {
    display: block;
    flex: none;
  }
  .icon {
    inline-size: calc(var(--_r) * 1.25);
    block-size: calc(var(--_r) * 1.25);
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.5;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .icon.s {
    inline-size: var(--_r);
    block-size: var(--_r);
    stroke-width: 1.75;
  }
  .turns:dir(rtl) {
    scale: -1 1;
  }
  .hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .chip {
    display: inline-flex;
    align-items: center;
    gap: var(--_u);
    min-block-size: calc(var(--_u) * 7);
    font-size: var(--_t-s);
    font-weight: 500;
    white-space: nowrap;
  }
  .quiet {
    color: var(--_quiet);
  }
  bdi,
  .ltr {
    direction: ltr;
    unicode-bidi: isolate;
  }
  bdi {
    white-space: nowrap;
  }
  /* Amounts and addresses are left-to-right; in a right-to-left page they are still aligned to its start. */
  .ltr {
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
`;

/** The styles of the widget's own shadow root: a container, and the limit of the page's styles. */
export const view = css`
  :host {
    ${anew}
    container-type: inline-size;
    /* The width in a box that fits its content: the widget's preferred width, less the edges of a dialog and a scroll
    bar. */
    contain-intrinsic-inline-size: min(var(--_width), 100vw - var(--_r) * 3.5);
    display: block;
  }
`;

/** The frame, with the same height in every stage until the swap is over: header, body, footer, and the buttons. */
export const frame = css`
  .frame {
    display: flex;
    flex-direction: column;
    min-block-size: var(--_height);
    background: var(--_surface);
    border: var(--_border);
    border-radius: var(--_radius);
    box-shadow: var(--_shadow);
    position: relative;
  }
  :host([aria-busy='true']) .frame * {
    visibility: hidden;
  }
  .head {
    display: flex;
    align-items: center;
    gap: calc(var(--_u) * 2);
    min-block-size: var(--_head, calc(var(--_u) * 12));
    padding-inline: var(--_pad);
  }
  /* The network goes below the title where they do not fit beside each other. */
  .title {
    min-inline-size: min-content;
    padding-block: calc(var(--_u) * 2);
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    column-gap: calc(var(--_u) * 2);
  }
  .head > h2 {
    flex: 1;
  }
  h2 {
    font-size: calc(var(--_r) * 1.0625);
    font-weight: 600;
    letter-spacing: -0.005em;
  }
  .bare {
    min-block-size: calc(var(--_u) * 4);
  }
  .tag {
    padding-inline: calc(var(--_u) * 2);
    border-radius: calc(var(--_u) * 3);
    background: var(--_sunk);
    white-space: nowrap;
    color: var(--_quiet);
    font-size: var(--_t-s);
  }
  /* Title and network at the start, accounts and the list at the end. */
  .tools {
    flex: 1 0 max-content;
    display: flex;
    align-items: center;
    justify-content: end;
    gap: calc(var(--_u) * 2);
  }
  .ghost {
    display: inline-grid;
    place-items: center;
    inline-size: var(--_tool);
    block-size: var(--_tool);
    border-radius: var(--_radius-control);
    color: var(--_quiet);
    position: relative;
  }
  .tools .ghost {
    margin-inline-end: calc(var(--_u) * -2);
  }
  .body {
    flex: 1;
    display: flex;
    flex-direction: column;
    padding: 0 var(--_pad) calc(var(--_u) * 3);
  }
  .foot {
    padding: var(--_foot, calc(var(--_u) * 4)) var(--_pad);
    padding-block-start: var(--_u);
    position: relative;
  }
  .foot-note {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    gap: calc(var(--_u) * 4);
    min-block-size: calc(var(--_u) * 5);
    color: var(--_quiet);
    font-size: var(--_t-s);
  }
  :is(.primary, .secondary) + .foot-note {
    margin-block-start: calc(var(--_u) * 3);
  }
  .foot-note > * + :last-child {
    text-align: end;
  }
  :is(.primary, .secondary) {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: calc(var(--_u) * 2);
    inline-size: 100%;
    min-block-size: var(--_target);
    padding: calc(var(--_u) * 2) calc(var(--_u) * 4);
    border-radius: var(--_radius-control);
    font-weight: 600;
    text-align: center;
  }
  .primary {
    background: var(--_accent);
    color: var(--_on-accent);
    border: 1px solid var(--_accent-edge);
  }
  .primary[aria-disabled='true'] {
    background: var(--_press);
    border-color: transparent;
    color: var(--_quiet);
    cursor: default;
  }
  @container ${SMALL} {
    .frame {
      --_pad: calc(var(--_u) * 4);
      --_rail: calc(var(--_u) * 9);
      --_gap: calc(var(--_u) * 2.5);
    }
    .foot-note {
      gap: calc(var(--_u) * 2);
    }
  }
  /* Narrow, or with large text: lower. */
  @container ${NARROW} {
    .frame {
      --_pad: calc(var(--_u) * 3);
      --_rail: calc(var(--_u) * 8);
      --_gap: calc(var(--_u) * 2);
      --_hero: calc(var(--_r) * 1.75);
      --_row: calc(var(--_u) * 8);
      --_air: var(--_u);
      --_head: calc(var(--_u) * 11);
      --_foot: calc(var(--_u) * 3);
    }
  }
  @container ${WIDE} {
    .frame {
      --_pad: calc(var(--_u) * 8);
      --_rail: calc(var(--_u) * 11);
      --_gap: calc(var(--_u) * 4);
    }
  }
`;

/** The thread: pay above, receive below, everything that happens in between. */
export const thread = css`
  .thread {
    flex: 1;
    display: flex;
    flex-direction: column;
  }
  .side,
  .row {
    display: grid;
    grid-template-columns: var(--_rail) minmax(0, 1fr) auto;
    column-gap: var(--_gap);
    position: relative;
  }
  .between {
    flex: 1;
    display: flex;
    flex-direction: column;
    justify-content: center;
    position: relative;
    padding-block: calc(var(--_u) * 2);
  }
  /* The thread: faint until the money moves. */
  .between::before,
  .side::before {
    content: '';
    position: absolute;
    inset-inline-start: calc(var(--_rail) / 2 - 1px);
    inset-block: 0;
    inline-size: 2px;
    background: var(--_edge);
    opacity: 0.3;
  }
  .pay::before {
    inset-block-start: calc(var(--_row) / 2);
  }
  /* What arrives leads. */
  .get {
    margin-inline: calc(var(--_tint) * -1);
    padding: var(--_air) var(--_tint);
    border-radius: var(--_radius);
    background: var(--_sunk);
  }
  .get::before {
    inset-inline-start: calc(var(--_tint) + var(--_rail) / 2 - 1px);
    inset-block-end: auto;
    block-size: calc(var(--_row) / 2 + var(--_air));
  }
  .amount {
    grid-column: 2;
    align-self: center;
    display: flex;
    align-items: baseline;
    gap: 0.3em;
    min-block-size: var(--_row);
    font-size: var(--_hero);
    line-height: var(--_row);
    font-weight: 500;
    letter-spacing: -0.03em;
    white-space: nowrap;
  }
  .amount[data-long='1'] {
    font-size: min(var(--_hero), clamp(var(--_r) * 1.25, 7cqi, var(--_r) * 2.25));
  }
  /* Narrow, or with large text, an amount has a line of its own. */
  @container ${NARROW} {
    .amount {
      grid-column: 2 / -1;
    }
  }
  .get .amount {
    font-weight: 600;
  }
  .value {
    grid-column: 2;
    min-block-size: calc(var(--_u) * 5);
    color: var(--_quiet);
    font-size: var(--_t-s);
  }
  .chain-name {
    grid-column: 3;
    color: var(--_quiet);
    font-size: var(--_t-s);
    text-align: end;
  }
`;

export const marks = css`
  .mark {
    align-self: center;
    position: relative;
    inline-size: var(--_rail);
    block-size: var(--_rail);
    border-radius: 50%;
    background: var(--_surface);
    z-index: 1;
  }
  .mark svg {
    inline-size: 100%;
    block-size: 100%;
  }
  .mark.none {
    border: 1.5px dashed var(--_edge);
  }
`;
