import {css, type CSSResult} from 'lit';
import {inks} from '../icons/drawings.js';
import {FLAT, HANDHELD, LOW, NARROW, SMALL, TINY, WIDE} from './layout.js';
import {base, frame, marks, thread, view} from './styles.js';
import {gray, tokens} from './tokens.js';

/*
 * The styles that are not needed at first: hover effects, later stages, animations, and systems with their own colors.
 * Loaded once the form is on the screen; they are appended to the style sheets of the first load, wherever those are
 * used.
 */

/** Not quite white on a dark surface, not quite black on a light one; on medium ones the full contrast. */
const SOFT = css`clamp(0, (0.1791 - y) * 99999, 1) * min(1, 0.86 + y * 1.4) + clamp(0, (y - 0.3) * 0.03, 0.009)`;

/** 1 if white is more readable on the surface than black, else 0. */
const IS_DARK = css`clamp(0, (1.1791 - 2 * alpha) * 99999, 1)`;

/**
 * A color that is invalid if the page sets none of the colors that all others derive from. Browsers recalculate a color
 * wherever it is used, and those of the default theme are known (`theme.test.ts` verifies them).
 */
function own(color: CSSResult): CSSResult {
  return css`color-mix(in xyz-d65, ${color} 100%, var(--_own) 0%)`;
}

/**
 * The nearest tone of a color that has at least this contrast with the surface: scaled down on a light one, lifted
 * towards white on a dark one. A relative color can only refer to one other color; to include the surface, the two are
 * mixed equally, with the surface's luminance as the opacity of a black.
 */
function readable(color: CSSResult, onLight: number, onDark: number): CSSResult {
  const below = css`((2 * alpha - 0.95) / ${onLight} - 0.05 + ${IS_DARK} * 9)`;
  const above = css`((2 * alpha - 0.95) * ${onDark} - 0.05 - (1 - ${IS_DARK}) * 99)`;
  const channel = (name: CSSResult, white: CSSResult) => {
    const scaled = css`2 * alpha * ${name} * min(1, max(0, ${below}) / max(2 * alpha * y, 0.0001))`;
    return css`calc(${scaled} + (${white} - ${scaled}) * clamp(0, (${above} - 2 * alpha * y) / max(1 - 2 * alpha * y, 0.0001), 1))`;
  };
  return css`color(
    from color-mix(in xyz-d65, ${own(color)}, color(from var(--_surface) xyz-d65 0 0 0 / y)) xyz-d65
      ${channel(css`x`, css`0.9505`)} ${channel(css`y`, css`1`)} ${channel(css`z`, css`1.089`)} / 1
  )`;
}

const TIGHT = css`
  --_tight: calc(var(--_u) / 2);
`;

const LATE: readonly (readonly [CSSResult, CSSResult])[] = [
  [
    tokens,
    css`
      :host {
        --_on-surface: ${gray(css`var(--swap-surface)`, SOFT)};
        /* Invalid unless the page sets one of the three base colors. */
        --_own: var(--swap-accent, var(--swap-surface, var(--swap-ink)));
        --_own-quiet: ${readable(css`color-mix(in oklab, var(--_ink) 66%, var(--_surface))`, 5.2, 5.2)};
        --_quiet: var(--swap-ink-quiet, var(--_own-quiet, light-dark(#585b62, #9c9ea3)));
        --_sunk-on-surface: oklch(
          from var(--swap-surface) calc(l + clamp(-1, (0.46 - l) * (0.5637 - l) * (0.68 - l) * 99999, 1) * 0.03) c h
        );
        --_own-sunk: ${own(css`color-mix(in oklab, var(--_ink) 4%, var(--_surface))`)};
        --_t-l: calc(var(--_t-m) * 1.3333);
        --_sunk: var(--swap-sunk, var(--_sunk-on-surface, var(--_own-sunk, light-dark(#f4f4f5, #1c1e23))));
        --_own-press: color-mix(
          in oklab,
          ${own(css`var(--_accent)`)} 86%,
          ${gray(css`var(--_accent)`, css`clamp(0, (y - 0.1791) * 99999, 1)`)}
        );
        --_accent-press: var(--_own-press, #1736ab);
        --_own-accent-ink: ${readable(css`var(--_accent)`, 5, 5.4)};
        --_accent-ink: var(--_own-accent-ink, light-dark(#1f44d1, #7d86db));
        --_own-edge: ${readable(css`var(--_accent)`, 3.18, 3.4)};
        --_accent-edge: var(--_own-edge, light-dark(#1f44d1, #4f61d4));
        --_focus: var(--_accent-ink);
        --_own-good: ${readable(css`light-dark(oklch(0.5 0.12 155), oklch(0.8 0.14 158))`, 5.4, 5.4)};
        --_good: var(--swap-good, var(--_own-good, light-dark(#0b7743, #63d99b)));
        --_own-warn: ${readable(css`light-dark(oklch(0.52 0.11 68), oklch(0.83 0.12 82))`, 5.4, 5.4)};
        --_warn: var(--swap-warn, var(--_own-warn, light-dark(#925b0c, #eec066)));
        --_own-bad: ${readable(css`light-dark(oklch(0.52 0.19 27), oklch(0.75 0.13 25))`, 5.4, 5.4)};
        --_bad: var(--swap-bad, var(--_own-bad, light-dark(#be2323, #f58b84)));

        --_speed: var(--swap-speed, 1);
        --_quick: calc(120ms * var(--_speed));
        --_calm: calc(240ms * var(--_speed));
        /* The pulse of waiting elements. */
        --_breath: calc(1.6s * var(--_speed)) ease-in-out infinite alternate;
        --_ease: cubic-bezier(0.2, 0, 0, 1);
      }
      :host([variant='compact']) {
        ${TIGHT}
      }
      @media ${LOW} {
        :host {
          ${TIGHT}
        }
      }
      @media (prefers-reduced-motion: reduce) {
        :host {
          --_speed: 0;
        }
      }
      /* Paper is white. */
      @media print {
        :host {
          color-scheme: light !important;
        }
      }
      swap-widget-form-view {
        min-block-size: 0;
      }
    `,
  ],

  [
    base,
    css`
      :where(p, dd, h3, small, .sum) {
        text-wrap: pretty;
      }
      /* Clear of a sticky footer, where there is one. */
      :where(input, button, a, summary, h3, [tabindex]) {
        scroll-margin-block: var(--_clear);
      }
      :where(ol, ul, summary) {
        list-style: none;
      }
      summary {
        cursor: pointer;
      }
      summary::-webkit-details-marker {
        display: none;
      }
      /* At first, icons are only mirrored where :dir() works. */
      .turns {
        scale: var(--_mirror, 1) 1;
      }
      /* A ring does not touch the text of a button without edges, and nothing moves: the space is also taken back. */
      @media (forced-colors: none) {
        @media not (pointer: coarse) {
          :is(.chip:not(.turn, .uses *, .waiting *), .link, a:not(.primary)):focus-visible {
            padding-inline: var(--_u);
            margin-inline: calc(-1 * var(--_u));
          }
          /* Otherwise the underline of a link would touch the ring. */
          :is(.link, a:not(.primary)):focus-visible {
            outline-offset: 1px;
          }
        }
      }
      /* Whatever leads aside: “Details”, “More”, “Receipt”. */
      .link {
        padding-block: calc(var(--_r) * 0.3125);
        margin-block: calc(var(--_r) * -0.3125);
        color: var(--_ink);
        font-size: var(--_t-s);
        font-weight: 500;
        text-decoration: none;
      }
      a:hover {
        text-decoration-color: currentcolor;
      }
      :is(.link, button.chip):hover {
        text-decoration: underline;
        text-underline-offset: 3px;
      }
      .problem {
        display: flex;
        gap: calc(var(--_u) * 1.5);
        color: var(--_bad);
        font-size: var(--_t-s);
      }
      .problem .icon {
        margin-block-start: calc(var(--_r) * 0.125);
      }
      .line.bad {
        border-color: var(--_bad);
      }
      .write > .account.quiet {
        white-space: normal;
        overflow-wrap: anywhere;
      }
      /* Skeletons have the shape of what is coming. */
      .skeleton {
        display: inline-block;
        inline-size: calc(var(--_r) * 4.5);
        block-size: 0.68em;
        border-radius: 0.2em;
        background: var(--_press);
        animation: wait var(--_breath);
      }
      @keyframes wait {
        to {
          opacity: 0.45;
        }
      }
      /* Both ends of an address stay visible. */
      @container ${NARROW} {
        bdi,
        .chip {
          white-space: normal;
          overflow-wrap: break-word;
        }
        .line > .write {
          flex: 1 0 100%;
          flex-wrap: wrap;
          gap: 0 var(--_u);
        }
        .write > :is(input, .account) {
          flex-basis: calc(var(--_r) * 7.5);
        }
        .write > :is(input:not(:placeholder-shown), bdi.account) {
          min-inline-size: 0;
          font-size: calc(var(--_r) * 0.71875);
          letter-spacing: -0.05em;
        }
      }
      /* For thumbs. Phones zoom into fields with smaller text. */
      @media (pointer: coarse) {
        button.chip,
        summary {
          min-inline-size: calc(var(--_u) * 11);
          min-block-size: calc(var(--_u) * 11) !important;
        }
        button.chip {
          justify-content: center;
        }
        .link {
          display: inline-block;
          min-inline-size: calc(var(--_u) * 11);
          padding-block: calc(var(--_u) * 3);
          margin-block: calc(var(--_u) * -2);
        }
        .turn.turn {
          margin-block: calc(var(--_u) * -3);
        }
        input:not(#amount, #receive, [type='radio']) {
          font-size: max(var(--_r), 16px);
        }
      }
      @media (forced-colors: active) {
        :where(button:not(.link, .primary)) {
          border: 1px solid ButtonBorder;
        }
        .chip {
          padding-inline: calc(var(--_u) * 2);
          border-radius: var(--_radius-control);
        }
        .mono-mark {
          border: 1px solid CanvasText;
        }
        /* Browsers keep the color of an svg, which may be the background's. */
        .icon {
          color: CanvasText !important;
        }
        :is(button, .chip, .mono-mark) .icon {
          color: ButtonText !important;
        }
        :is(.amount, .line):has(input:focus-visible) {
          outline: 2px solid Highlight;
          outline-offset: 2px;
        }
      }
    `,
  ],

  [
    view,
    css`
      /* WebKit does not match :dir() in a shadow tree whose direction changed. */
      :host([dir='rtl']) {
        --_mirror: -1;
      }
      :host {
        -webkit-user-select: text;
        user-select: text;
      }
      /* Browsers also read the font's language from a property, which was reset with all others: it selects the Han
      glyphs of the language. Japanese has no spaces: lines break between phrases. Korean has: they break there only. */
      :host(:lang(ja)) {
        -webkit-locale: 'ja';
        word-break: auto-phrase;
      }
      :host(:lang(ko)) {
        -webkit-locale: 'ko';
        word-break: keep-all;
      }
      :host(:lang(zh)) {
        -webkit-locale: 'zh-Hans';
      }
    `,
  ],

  [
    frame,
    css`
      ::backdrop,
      :host::backdrop {
        background: rgb(0 0 0 / 0.5);
      }
      @keyframes rise {
        from {
          translate: 0 100%;
        }
      }
      @container ${SMALL} {
        :is(.head:has(> .ghost), .ghost ~ .tools) {
          gap: var(--_u);
        }
        .account .start {
          display: none;
        }
        .account.account {
          padding-inline: calc(var(--_u) * 2);
        }
      }
      /* A stage is at least as tall as the one before, so that the button does not move away under the pointer or thumb. */
      .frame {
        min-block-size: max(var(--_height), var(--_kept, 0px));
      }
      @container ${NARROW} {
        .ghost ~ .tools .account {
          display: none;
        }
        .frame {
          ${TIGHT}
        }
        /* Only once there is a price: nothing moves when these styles load. */
        .frame[priced] .body {
          padding-block-end: calc(var(--_u) * 2);
        }
        .frame[priced] .between {
          padding-block: calc(var(--_u) * 0.75);
        }
        .foot-note {
          flex-wrap: wrap;
          row-gap: 0;
        }
        .frame[priced] .primary + .foot-note {
          margin-block-start: calc(var(--_u) * 2);
        }
      }
      /* On a phone the next step stays in view, which needs no extra height, and does not cover the focused element. */
      @media ${HANDHELD} {
        /* Nobody can accept a possible loss, or answer a question, without scrolling past it. */
        .frame:not([loss], :has(.loss), :has(> .foot > .secondary)) > .foot {
          position: sticky;
          inset-block-end: env(safe-area-inset-bottom, 0px);
          z-index: 2;
          background: var(--_surface);
          box-shadow: 0 -1px 0 var(--_line);
          border-end-start-radius: var(--_radius);
          border-end-end-radius: var(--_radius);
        }
        /* Above the padding of a scrolling box, it covers what would be seen below it, down to the end of the frame. */
        .frame {
          --_kept: 0px;
          overflow: clip;
        }
        /* The footer only sticks once the first amount is in view: a margin keeps it in the lower part of the frame. */
        .frame:not(:modal > *):has(> .foot) > .body {
          margin-block-end: calc(var(--_r) * -10);
        }
        .frame:not(:modal > *) > .body + .foot {
          margin-block-start: calc(var(--_r) * 10);
        }
        .frame > .foot::after {
          content: '';
          position: absolute;
          inset: calc(100% - var(--_radius)) 0 auto;
          block-size: 100vh;
          background: inherit;
          z-index: -1;
        }
        .frame > .body {
          --_clear: calc(var(--_u) * 4) calc(var(--_u) * 32);
        }
        /* An end has no next step that is more important than what arrived, if both fit. */
        @media not ${FLAT} {
          :host([ended]) .frame > .foot {
            position: relative;
            inset-block-end: auto;
            box-shadow: none;
          }
        }
      }
      @media ${LOW} {
        .frame[priced] > .foot > .foot-note {
          margin-block-start: var(--_u);
        }
        .frame[priced] .between {
          padding-block: 0 calc(var(--_u) * 0.75);
        }
      }
      @media ${FLAT} {
        @media (pointer: coarse) {
          .frame:not(.list-frame) {
            min-block-size: var(--swap-height, 0px);
          }
        }
        .frame > .foot {
          display: flex;
          flex-wrap: wrap;
          align-items: center;
          gap: calc(var(--_u) * 2) calc(var(--_u) * 4);
          padding-block: calc(var(--_u) * 2);
        }
        .foot > :is(.primary, .secondary) {
          flex: 1 1 calc(var(--_r) * 12);
        }
        .foot > .foot-note {
          margin: 0 !important;
        }
        .foot > .foot-note > .link {
          max-inline-size: none;
        }
      }
      /* Links that do not fit beside the button are below the edge until the end is in view. */
      @container not ${WIDE} {
        @media (pointer: coarse) and ${FLAT} {
          .frame:not([loss], :has(.loss), :has(> .foot > .secondary)) > .foot:has(> .primary + .foot-note .link) {
            inset-block-end: calc(var(--_r) * -2.75);
          }
        }
      }
      /* Two short lines are as high as the button beside them. */
      @container not ${SMALL} {
        @media ${FLAT} {
          .foot > .primary + .foot-note:not(:has(.link)) {
            flex-direction: column;
            align-items: end;
            gap: 0;
          }
        }
      }
      /* A heading is focused so that reading continues there; it is not a control. */
      h2:focus-visible {
        outline: 0;
      }
      .ghost:first-child {
        margin-inline-start: calc(var(--_u) * -2);
      }
      .ghost:hover {
        background: var(--_press);
        color: var(--_ink);
      }
      .ghost b {
        position: absolute;
        inset-block-start: calc(var(--_r) * 0.125);
        inset-inline-end: calc(var(--_r) * 0.125);
        min-inline-size: calc(var(--_r) * 0.9375);
        border-radius: var(--_r);
        background: var(--_ink);
        color: var(--_surface);
        font-size: calc(var(--_r) * 0.625);
        line-height: calc(var(--_r) * 0.9375);
        font-weight: 600;
        text-align: center;
      }
      .foot-note swap-widget-countdown {
        white-space: nowrap;
      }
      /* The price's clock empties until the price is requested again. */
      .until {
        display: inline-flex;
        align-items: baseline;
        gap: calc(var(--_u) * 1.5);
        white-space: nowrap;
      }
      .ring {
        inline-size: var(--_r);
        block-size: var(--_r);
        align-self: center;
        rotate: -90deg;
        fill: none;
        stroke: var(--_line);
        stroke-width: 2.5;
      }
      .ring .clock {
        stroke: var(--_quiet);
        stroke-dasharray: 1;
      }
      swap-widget-accounts {
        display: contents;
      }
      .account {
        display: inline-flex;
        align-items: center;
        min-block-size: calc(var(--_u) * 8);
        padding-inline: calc(var(--_u) * 3);
        border-radius: calc(var(--_u) * 5);
        font-size: var(--_t-s);
        font-weight: 500;
        white-space: nowrap;
        position: relative;
        isolation: isolate;
      }
      /* It looks no higher, although its touch target is. */
      .account::before {
        content: '';
        position: absolute;
        inset: calc(50% - var(--_u) * 4) 0;
        border-radius: inherit;
        background: var(--_sunk);
        z-index: -1;
      }
      @media (pointer: coarse) {
        .account {
          min-block-size: calc(var(--_u) * 11);
        }
      }
      .account:hover::before {
        background: var(--_press);
      }
      /* The page's slotted content keeps its distance, whatever the page's own styles. */
      .frame > slot {
        display: block;
        padding-inline: var(--_pad);
      }
      .foot ::slotted(*) {
        padding: calc(var(--_u) * 2) 0 0;
        color: var(--_quiet);
        font-size: var(--_t-s);
      }
      :is(.primary, .secondary) {
        transition:
          background-color var(--_quick) var(--_ease),
          scale var(--_quick) var(--_ease);
      }
      :is(.primary, .secondary):focus-visible {
        border-radius: var(--_radius-control);
      }
      :is(.primary, .secondary):active {
        scale: 0.99;
      }
      .primary:hover {
        background: var(--_accent-press);
      }
      .primary[aria-disabled='true'] {
        background: color-mix(in oklab, var(--_accent) 14%, var(--_surface));
        color: color-mix(in oklab, var(--_ink) 78%, var(--_surface));
        scale: none;
      }
      /* The button that accepts a possible loss is the quieter one. */
      :host(:not([ended])) .frame:is([loss], :has(.loss)):not(:has(.question)) .primary:not([aria-disabled='true']) {
        background: var(--_surface);
        border-color: var(--_edge);
        color: var(--_ink);
      }
      :host(:not([ended]))
        .frame:is([loss], :has(.loss)):not(:has(.question))
        .primary:not([aria-disabled='true']):hover {
        background: var(--_sunk);
      }
      .asset:is(button):hover {
        background: var(--_press);
      }
      .flip:hover {
        border-color: var(--_edge);
      }
      .flip:focus-visible {
        border-radius: 50%;
      }
      .ghost {
        flex: none;
      }
      @media (forced-colors: active) {
        .primary {
          border: 2px solid ButtonText;
        }
        .primary[aria-disabled='true'] {
          border-color: GrayText;
          color: GrayText;
        }
        .ring .clock {
          stroke: CanvasText;
        }
      }
    `,
  ],

  [
    thread,
    css`
      @container ${TINY} {
        .asset.asset {
          grid-row: 4;
        }
        .chain-name.chain-name {
          grid-column-end: -1;
        }
      }
      ${inks}
      [data-from] .between::before {
        background: linear-gradient(var(--_from, var(--_edge)), var(--_to, var(--_edge)));
      }
      [data-from] .pay::before {
        background: var(--_from, var(--_edge));
      }
      [data-to] .get::before {
        background: var(--_to, var(--_edge));
      }
      [data-to] .get {
        background: color-mix(in oklab, var(--_to, var(--_ink)) 9%, var(--_surface));
      }
      .amount[data-long='2'] {
        font-size: min(var(--_hero), clamp(var(--_r) * 1.125, 6cqi, var(--_r) * 1.75));
      }
      .amount[data-long='3'] {
        font-size: min(var(--_hero), clamp(var(--_r), 4.6cqi, var(--_r) * 1.375));
      }
      .amount:has(input:read-only) {
        box-shadow: none;
      }
      /* What can be typed into has a clearer line, thinner than with the focus. */
      @media (hover: hover) {
        .amount:has(input:read-write):not(:focus-within):hover {
          box-shadow: 0 1px 0 var(--_edge);
        }
      }
      .amount .skeleton {
        align-self: center;
        inline-size: 4.2em;
        max-inline-size: 100%;
      }
      /* With large text or in a small widget, amounts wrap. */
      @container ${NARROW} {
        .amount {
          flex-wrap: wrap;
          line-height: 1.1429;
          white-space: normal;
          overflow-wrap: anywhere;
          align-content: center;
        }
        .amount[data-long='1'] {
          font-size: min(var(--_hero), 7.4cqi);
        }
      }
    `,
  ],

  [
    marks,
    css`
      .mark .chain {
        position: absolute;
        inset-block-end: calc(var(--_r) * -0.125);
        inset-inline-end: calc(var(--_r) * -0.1875);
        inline-size: calc(var(--_r) * 1.125);
        block-size: calc(var(--_r) * 1.125);
        border-radius: 50%;
        border: 2px solid var(--_surface);
        background: var(--_surface);
      }
      .mono-mark {
        background: var(--_press);
        display: grid;
        place-items: center;
        color: var(--_ink);
        font-size: calc(var(--_r) * 0.75);
        font-weight: 600;
        letter-spacing: -0.02em;
      }
      /* The page's own icon, or the drawn one if it does not load. */
      .own {
        display: block;
        inline-size: 100%;
        block-size: 100%;
        border-radius: 50%;
        object-fit: cover;
      }
      .own[hidden],
      .own:not([hidden]) ~ :not(.chain, .tick) {
        display: none;
      }
      .own ~ .mono-mark {
        block-size: 100%;
        border-radius: 50%;
      }
      @media (forced-colors: active) {
        .mark svg {
          forced-color-adjust: none;
        }
      }
    `,
  ],
];

/** The rules of a style sheet, including those of this file. */
export function wholeText(sheet: CSSResult): string {
  return sheet.cssText + (LATE.find(([first]) => first === sheet)?.[1].cssText ?? '');
}

export function finishLooks(): void {
  for (const [sheet] of LATE) {
    const {styleSheet}: {readonly styleSheet?: Partial<CSSStyleSheet> | undefined} = sheet;
    // Simulated browsers, as in partners' tests, may have style sheets without this method.
    styleSheet?.replaceSync?.(wholeText(sheet));
  }
}
