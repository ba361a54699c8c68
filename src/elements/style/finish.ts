import {adoptStyles, css, type CSSResult, type LitElement} from 'lit';
import {base, frame, marks, thread, tokens, view} from './styles.js';

/*
 * What of the looks nobody needs at first: what answers a pointer, what only later stages show, what moves, and what a
 * system with colours of its own asks for. Loaded once the form is on the screen; it goes to the end of the sheets of the
 * first load, wherever they are in use.
 */

const added = new Map<CSSResult, string>();

/** The rules of a sheet, with those that were added. */
export function wholeText(sheet: CSSResult): string {
  return sheet.cssText + (added.get(sheet) ?? '');
}

/** Adds rules at the end of a sheet, for all parts that have it. */
function add(sheet: CSSResult, rules: CSSResult) {
  added.set(sheet, rules.cssText);
  const {styleSheet}: {readonly styleSheet?: Partial<CSSStyleSheet> | undefined} = sheet;
  // What only pretends to be a browser may have sheets that take no text.
  styleSheet?.replaceSync?.(wholeText(sheet));
}

/** Not quite white on a dark surface, not quite black on a light one; in between all that there is. */
const SOFT = css`clamp(0, (0.1791 - y) * 99999, 1) * min(1, 0.86 + y * 1.4) + clamp(0, (y - 0.3) * 0.03, 0.009)`;

/** 1 if white is more readable on the surface than black, else 0. */
const IS_DARK = css`clamp(0, (1.1791 - 2 * alpha) * 99999, 1)`;

/**
 * A colour, or the nearest tone of it that has at least this contrast with the surface: scaled down on a light one,
 * lifted towards white on a dark one. A relative colour knows one other colour; so that it knows the surface too, the
 * two are mixed in halves, and the surface's luminance comes along as the opacity of a black.
 */
function readable(color: CSSResult, onLight: number, onDark: number): CSSResult {
  const below = css`((2 * alpha - 0.95) / ${onLight} - 0.05 + ${IS_DARK} * 9)`;
  const above = css`((2 * alpha - 0.95) * ${onDark} - 0.05 - (1 - ${IS_DARK}) * 99)`;
  const channel = (name: CSSResult, white: CSSResult) => {
    const scaled = css`2 * alpha * ${name} * min(1, max(0, ${below}) / max(2 * alpha * y, 0.0001))`;
    return css`calc(${scaled} + (${white} - ${scaled}) * clamp(0, (${above} - 2 * alpha * y) / max(1 - 2 * alpha * y, 0.0001), 1))`;
  };
  return css`color(
    from color-mix(in xyz-d65, ${color}, color(from var(--_surface) xyz-d65 0 0 0 / y)) xyz-d65
      ${channel(css`x`, css`0.9505`)} ${channel(css`y`, css`1`)} ${channel(css`z`, css`1.089`)} / 1
  )`;
}

/** Puts the rest of the looks into all widgets of the page, those to come too. */
export function finishLooks(): void {
  add(
    tokens,
    css`
      :host {
        --_on-surface: color(
          from var(--swap-surface) xyz-d65 calc(0.9505 * (${SOFT})) calc(${SOFT}) calc(1.089 * (${SOFT}))
        );
        --_quiet: var(
          --swap-ink-quiet,
          ${readable(css`color-mix(in oklab, var(--_ink) 66%, var(--_surface))`, 5.2, 5.2)}
        );
        --_sunk-on-surface: oklch(
          from var(--swap-surface) calc(l + clamp(-1, (0.46 - l) * (0.5637 - l) * (0.68 - l) * 99999, 1) * 0.03) c h
        );
        --_sunk: var(--swap-sunk, var(--_sunk-on-surface, color-mix(in oklab, var(--_ink) 4%, var(--_surface))));
        --_accent-press: color-mix(
          in oklab,
          var(--_accent) 86%,
          color(
            from var(--_accent) xyz-d65 calc(0.9505 * clamp(0, (y - 0.1791) * 99999, 1))
              clamp(0, (y - 0.1791) * 99999, 1) calc(1.089 * clamp(0, (y - 0.1791) * 99999, 1))
          )
        );
        --_accent-ink: ${readable(css`var(--_accent)`, 5, 5.4)};
        --_accent-edge: ${readable(css`var(--_accent)`, 3.18, 3.4)};
        --_focus: var(--_accent-ink);
        --_good: var(--swap-good, ${readable(css`light-dark(oklch(0.5 0.12 155), oklch(0.8 0.14 158))`, 5.4, 5.4)});
        --_warn: var(--swap-warn, ${readable(css`light-dark(oklch(0.52 0.11 68), oklch(0.83 0.12 82))`, 5.4, 5.4)});
        --_bad: var(--swap-bad, ${readable(css`light-dark(oklch(0.52 0.19 27), oklch(0.75 0.13 25))`, 5.4, 5.4)});

        --_speed: var(--swap-speed, 1);
        --_quick: calc(120ms * var(--_speed));
        --_calm: calc(240ms * var(--_speed));
        /* What waits breathes. */
        --_breath: calc(1.6s * var(--_speed)) ease-in-out infinite alternate;
        --_ease: cubic-bezier(0.2, 0, 0, 1);
      }
      @media (prefers-reduced-motion: reduce) {
        :host {
          --_speed: 0;
        }
      }
    `,
  );

  add(
    base,
    css`
      :where(p, dd, h3) {
        text-wrap: pretty;
      }
      :where(ol, ul) {
        list-style: none;
      }
      :is(a, .link):hover {
        text-decoration-color: currentcolor;
      }
      .turns:dir(rtl) {
        scale: -1 1;
      }
      button.chip:hover {
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
      .write.bad {
        border-color: var(--_bad);
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
      /* Both ends of an address stay in sight. */
      @container (inline-size < 21.3333em) {
        .write > :is(input:not(:placeholder-shown), bdi.account) {
          font-size: min(var(--_r) * 0.75, 5cqi);
        }
      }
      @container (inline-size < 19.2em) {
        bdi,
        .chip,
        .write > .account.quiet {
          white-space: normal;
          overflow-wrap: anywhere;
        }
        .write {
          flex-wrap: wrap;
        }
        .write > :is(input, .account) {
          flex-basis: 100%;
        }
      }
      /* Phones zoom into a field whose letters are smaller. */
      @media (pointer: coarse) {
        input:not(#amount, [type='radio']) {
          font-size: max(var(--_r), 16px);
        }
        .write input:not(:placeholder-shown) {
          letter-spacing: -0.05em;
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
        :is(.amount, .write):has(input:focus-visible) {
          outline: 2px solid Highlight;
          outline-offset: 2px;
        }
      }
    `,
  );

  add(
    view,
    css`
      :host {
        -webkit-user-select: text;
        user-select: text;
      }
      /* Japanese has no spaces: lines break between phrases. It is what the parts inherit. */
      :host(:lang(ja)) {
        word-break: auto-phrase;
      }
    `,
  );

  add(
    frame,
    css`
      /* Large letters, in whatever type the visitor has: the network goes under the title. */
      @container (inline-size < 16em) {
        .head {
          flex-wrap: wrap;
          padding-block: calc(var(--_u) * 2);
        }
        .head > h2 {
          flex-basis: 0;
        }
        .head > .tag {
          order: 1;
          flex-basis: 100%;
          text-align: start;
        }
      }
      /* A heading is focused so that reading continues there; it is not a control. */
      h2:focus-visible {
        outline: 0;
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
      .foot-note button {
        margin-block: calc(var(--_r) * -0.3125);
        color: var(--_ink);
      }
      /* The quote's clock is the hairline over the button: it shortens until the price is asked for again. */
      .clock {
        position: absolute;
        inset-block-start: -1px;
        inset-inline: 0;
        block-size: 1px;
        background: var(--_ink);
        transform: scaleX(0);
        transform-origin: left;
      }
      .clock:dir(rtl) {
        transform-origin: right;
      }
      ::slotted(:not(.ghost)) {
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
        background: var(--_press);
        scale: none;
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
      @media (forced-colors: active) {
        .primary {
          border: 2px solid ButtonText;
        }
        .primary[aria-disabled='true'] {
          border-color: GrayText;
          color: GrayText;
        }
        .clock {
          background: CanvasText;
          forced-color-adjust: none;
        }
      }
    `,
  );

  add(
    thread,
    css`
      @container (inline-size < 21.3333em) {
        .side:has(> .asset) {
          grid-template-columns: var(--_rail) minmax(0, 1fr) fit-content(50%);
        }
        .chain-name bdi {
          white-space: normal;
        }
      }
      /* A narrow place, or large letters: the asset goes under its amount. */
      @container (inline-size < 18.1333em) {
        .side:has(> .asset) {
          grid-template-columns: var(--_rail) minmax(0, 1fr);
        }
        .side > .asset,
        .side > .asset ~ .chain-name,
        swap-widget-shares.extra {
          grid-area: auto / 2;
          justify-self: start;
          text-align: start;
        }
        .side > .asset {
          margin-inline: calc(var(--_u) * -2) auto;
        }
        .amount:is(output),
        .figures {
          min-block-size: 0;
          line-height: 1.4;
          overflow-wrap: anywhere;
          white-space: normal;
        }
      }
      .amount .skeleton {
        align-self: center;
        inline-size: 4.2em;
        max-inline-size: 100%;
      }
      .figures {
        transition: color var(--_calm) var(--_ease);
      }
      /* Where letters are large, or the widget is small: one below the other. */
      @container (inline-size < 19.2em) {
        .side:has(.asset) {
          grid-template-columns: var(--_rail) minmax(0, 1fr);
        }
        .amount {
          flex-wrap: wrap;
          line-height: 1.2;
          white-space: normal;
          overflow-wrap: anywhere;
        }
        .side .asset {
          grid-area: auto / 2;
          justify-self: start;
          margin: 0 calc(var(--_u) * -2);
        }
        .side .chain-name {
          grid-column: 2;
          text-align: start;
        }
        .label + .extra {
          grid-area: auto / 2 / auto / -1;
          justify-self: start;
        }
      }
    `,
  );

  add(
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
      @media (forced-colors: active) {
        .mark svg {
          forced-color-adjust: none;
        }
      }
    `,
  );
}

/** Gives a widget one palette for all accents where its browser cannot derive a color from another. */
export async function settle(widget: LitElement): Promise<void> {
  const {CSS} = globalThis as Partial<typeof globalThis>;
  if (CSS?.supports('color', 'light-dark(red, oklch(from red l c h))') !== false) return;
  const {palettesOf} = await import('./palette.js');
  const {elementStyles} = widget.constructor as typeof LitElement;
  adoptStyles(widget.renderRoot as ShadowRoot, [...elementStyles, ...palettesOf(widget)]);
}
