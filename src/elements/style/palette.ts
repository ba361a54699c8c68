import {css, unsafeCSS, type CSSResult} from 'lit';

/** The palettes of the default accent, for browsers that cannot derive a colour from another. They are loaded by those alone. */
const light = css`
  :host {
    --_surface: var(--swap-surface, #fff);
    --_ink: var(--swap-ink, #14161d);
    --_quiet: var(--swap-ink-quiet, #5b5d63);
    --_edge: #85878b;
    --_line: var(--swap-line, #e0e0e2);
    --_sunk: var(--swap-sunk, #f5f5f6);
    --_press: #ebebec;
    --_on-accent: var(--swap-on-accent, #fff);
    --_accent-press: #1a39b0;
    --_accent-ink: var(--swap-accent, #1f44d1);
    --_accent-edge: var(--swap-accent, #1f44d1);
    --_good: var(--swap-good, #1b7a43);
    --_warn: var(--swap-warn, #8c5b0c);
    --_bad: var(--swap-bad, #bf2a25);
    --_shadow: var(--swap-shadow, 0 1px 2px rgb(0 0 0 / 0.05));
  }
`;

const dark = css`
  --_surface: var(--swap-surface, #16171b);
  --_ink: var(--swap-ink, #eeeff3);
  --_quiet: var(--swap-ink-quiet, #a0a1a5);
  --_edge: #75767a;
  --_line: var(--swap-line, #2e2f33);
  --_sunk: var(--swap-sunk, #1e1f23);
  --_press: #26272b;
  --_accent-ink: #8ea3f0;
  --_accent-edge: #5069db;
  --_good: var(--swap-good, #6fd49a);
  --_warn: var(--swap-warn, #eab95f);
  --_bad: var(--swap-bad, #f1877f);
`;

/** The palettes for a widget: by its theme, unless the page sets a surface. */
export function palettesOf(widget: Element): readonly CSSResult[] {
  const surface = luminanceOf(getComputedStyle(widget).getPropertyValue('--swap-surface'));
  if (surface !== undefined && surface >= 0.1791) return [light];
  const when = surface === undefined ? `([theme='dark'])` : '';
  return [light, unsafeCSS(`:host${when} {${dark.cssText}}`)];
}

/** The luminance of a colour, as WCAG counts it, if it is one. */
function luminanceOf(color: string): number | undefined {
  const canvas = document.createElement('canvas').getContext('2d');
  if (!canvas || !color.trim() || !CSS.supports('color', color)) return undefined;
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map(part => (part / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
