import {css, type CSSResult} from 'lit';
import {LOW} from './layout.js';

/**
 * Registers `--_swap-unit` as a length in a window: `em` in it then refers to the font size of `<swap-widget>` itself,
 * wherever it is used. That is the visitor's default font size, regardless of the page's root font size.
 */
export function defineUnit({CSS}: {readonly CSS: typeof globalThis.CSS}): void {
  try {
    CSS.registerProperty({name: '--_swap-unit', syntax: '<length>', inherits: true, initialValue: '16px'});
  } catch {
    // Another copy has already registered it, or this is a simulated browser.
  }
}

/**
 * Shuts out the page's styles: inherited properties are reset, except language, direction, visibility and pointer
 * events.
 */
export const anew = css`
  all: initial;
  color-scheme: inherit;
  pointer-events: inherit;
  visibility: inherit;
  color: var(--_ink);
  font: 400 var(--_t-m) / calc(var(--_u) * 5) var(--_font);
  font-variant-numeric: tabular-nums;
  font-synthesis: none;
  -webkit-text-size-adjust: 100%;
`;

/** A gray with this luminance (`y` of the color that it is made from), in `xyz-d65`. */
export function gray(from: CSSResult, y: CSSResult): CSSResult {
  return css`color(from ${from} xyz-d65 calc(0.9505 * (${y})) calc(${y}) calc(1.089 * (${y})))`;
}

const IS_DARK = css`clamp(0, (0.1791 - y) * 99999, 1)`;

const lower = css`
  --_height: var(--swap-height, calc(var(--_r) * 22));
  --_row: calc(var(--_u) * 8);
  --_air: var(--_u);
  --_head: calc(var(--_u) * 10.5);
`;

/**
 * The tokens. A partner's settings are `--swap-*` properties; the widget's own are `--_*` properties. Three inputs
 * determine the palette: accent, surface and ink; the rest is derived from them. Custom properties inherit into every
 * part, so this style sheet is only for `<swap-widget>`.
 *
 * In `xyz-d65` y is WCAG's relative luminance. Black and white both have a contrast of 4.58:1 at y = 0.179, so the
 * better of the two is readable on any brand color, and on any surface that is set without an ink: `--_on-surface` is
 * invalid if the page sets no surface. `finish.ts` has the rest of the palette.
 */
export const tokens = css`
  :host {
    color-scheme: light dark;
    --_accent: var(--swap-accent, #1f44d1);
    --_surface: var(--swap-surface, light-dark(#fff, oklch(from var(--_accent) 0.205 calc(min(c, 0.2) * 0.05) h)));
    --_on-surface: ${gray(css`var(--swap-surface)`, IS_DARK)};
    --_ink: var(
      --swap-ink,
      var(
        --_on-surface,
        light-dark(
          oklch(from var(--_accent) 0.2 calc(min(c, 0.2) * 0.08) h),
          oklch(from var(--_accent) 0.955 calc(min(c, 0.2) * 0.03) h)
        )
      )
    );
    --_quiet: var(--swap-ink-quiet, color-mix(in oklab, var(--_ink) 66%, var(--_surface)));
    --_edge: color-mix(in oklab, var(--_ink) 48%, var(--_surface));
    --_line: var(--swap-line, color-mix(in oklab, var(--_ink) 12%, var(--_surface)));
    --_press: color-mix(in oklab, var(--_ink) 8%, var(--_surface));
    --_sunk: var(--swap-sunk, color-mix(in oklab, var(--_ink) 4%, var(--_surface)));
    --_on-accent: var(--swap-on-accent, ${gray(css`var(--_accent)`, IS_DARK)});
    --_accent-edge: var(--swap-accent, light-dark(#1f44d1, #4f61d4));
    --_focus: var(--_ink);

    --_font: var(--swap-font, system-ui, sans-serif);
    --_mono: var(--swap-font-mono, ui-monospace, 'Cascadia Mono', 'Roboto Mono', Menlo, Consolas, monospace);
    /* The unit of every length, 16 pixels unless the page or the visitor sets larger text: see defineUnit. */
    --_swap-unit: calc(var(--swap-font-size, 0.9375em) / 0.9375);
    --_r: var(--_swap-unit);
    --_t-m: calc(var(--_r) * 0.9375);
    --_t-s: calc(var(--_t-m) * 0.8667);

    --_u: var(--swap-space, calc(var(--_r) * 0.25));
    --_row: calc(var(--_u) * 12);
    --_hero: clamp(var(--_r) * 1.625, 14cqi - var(--_r), var(--_r) * 2.75);
    --_pad: calc(var(--_u) * 5);
    --_rail: calc(var(--_u) * 10);
    --_gap: calc(var(--_u) * 3);
    --_tint: calc(var(--_u) * 2.5);
    --_air: calc(var(--_u) * 3);
    --_target: var(--swap-target, calc(var(--_r) * 3));
    --_tool: calc(var(--_u) * 9);

    --_radius: var(--swap-radius, var(--_r));
    --_radius-control: var(--swap-radius-control, calc(var(--_r) * 0.625));
    --_border: var(--swap-border, 1px solid var(--_line));
    --_shadow: var(--swap-shadow, 0 1px 2px light-dark(rgb(0 0 0 / 0.05), rgb(0 0 0 / 0.4)));
    --_height: var(--swap-height, calc(var(--_r) * 26));
    --_width: var(--swap-width, calc(var(--_r) * 35));

    display: block;
    inline-size: 100%;
    min-inline-size: min(100%, var(--_r) * 17.5);
    max-inline-size: var(--_width);
    font: medium sans-serif !important;
  }
  :host([variant='compact']) {
    ${lower}
    --_foot: calc(var(--_u) * 3);
    --_hero: calc(var(--_r) * 1.5);
    --_width: var(--swap-width, calc(var(--_r) * 22));
  }
  /* For thumbs. */
  @media (pointer: coarse) {
    :host {
      --_tool: calc(var(--_u) * 11);
    }
  }
  /* On a small phone, all of the form is in view. */
  @media ${LOW} {
    :host {
      ${lower}
      --_foot: calc(var(--_u) * 2);
      --_hero: calc(var(--_r) * 1.625);
    }
  }
  /* The form is rendered a moment later, in the same place. */
  swap-widget-form-view {
    min-block-size: var(--_height);
  }
  :host([variant='button']) {
    display: inline-block;
    vertical-align: middle;
    inline-size: auto;
    min-inline-size: calc(var(--_u) * 40);
    min-block-size: var(--_target);
  }
  p {
    ${anew}
  }
  swap-widget-launch:not(:defined),
  :host([hidden]) {
    display: none;
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
`;
