/** The colors of an element, as this browser computes them, and the page's settings that make text hard to read. */

/** Text and its background, and the properties of which one has to be set: derived colors are readable by themselves. */
const READ: readonly (readonly [text: string, ground: string, setBy: readonly string[]])[] = [
  ['--swap-ink', '--swap-surface', ['--swap-ink', '--swap-surface']],
  ['--swap-ink', '--swap-sunk', ['--swap-sunk']],
  ['--swap-ink-quiet', '--swap-surface', ['--swap-ink-quiet']],
  ['--swap-on-accent', '--swap-accent', ['--swap-on-accent']],
  ['--swap-good', '--swap-surface', ['--swap-good']],
  ['--swap-warn', '--swap-surface', ['--swap-warn']],
  ['--swap-bad', '--swap-surface', ['--swap-bad']],
];
/** WCAG 2.2, 1.4.3, for text that is not large. */
export const LEAST_CONTRAST = 4.5;

/** Red, green and blue, from 0 to 1. */
type Rgb = readonly [red: number, green: number, blue: number];
type Layer = readonly [...Rgb, alpha: number];

export interface Unreadable {
  /** The custom property of the text, and of its background. */
  readonly text: string;
  readonly ground: string;
  /** The first of them that the page sets. */
  readonly name: string;
  /** Rounded down to a tenth. */
  readonly contrast: number;
}

/**
 * The page's settings that are hard to read in the current theme: a color may only work in one of them. Nothing about a
 * translucent surface over an image.
 */
export function findUnreadable(element: Element): readonly Unreadable[] {
  const style = getComputedStyle(element);
  return READ.flatMap(([text, ground, setBy]) => {
    const name = setBy.find(each => style.getPropertyValue(each).trim());
    const behind = name && colorOf(element, ground);
    const before = name && colorOf(element, ground, text);
    if (!behind || !before) return [];
    const contrast = contrastOf(before, behind);
    return contrast < LEAST_CONTRAST ? [{text, ground, name, contrast: Math.floor(contrast * 10) / 10}] : [];
  });
}

/**
 * The color on the screen where these custom properties are painted on the surface, the last one on top; undefined if
 * one has no color, as before the element is defined, or if it is unknown what a translucent one lets through.
 */
export function colorOf(element: Element, ...names: readonly string[]): Rgb | undefined {
  // Derived colors depend on the theme of their place.
  const probe = document.createElement('i');
  probe.hidden = true;
  element.shadowRoot?.append(probe);
  const painted = [...new Set(['--swap-surface', ...names])].map(name => {
    const inUse = name.replace('--swap-', '--_').replace('ink-', '');
    return `var(${name}, var(${inUse}))`;
  });
  const layers = [...backgroundsAround(element), ...painted].map(color => layerOf(probe, color));
  probe.remove();
  let seen: Layer = [0, 0, 0, 0];
  for (const layer of layers) {
    if (!layer) return undefined;
    const [red, green, blue, share] = layer;
    const mix = (below: number, above: number) => below + (above - below) * share;
    seen = [mix(seen[0], red), mix(seen[1], green), mix(seen[2], blue), mix(seen[3], 1)];
  }
  const [red, green, blue, opacity] = seen;
  return opacity < 1 ? undefined : [red, green, blue];
}

/** The page's backgrounds around an element, the outermost first; none if one of them is an image. */
function backgroundsAround(element: Element): readonly string[] {
  const colors: string[] = [];
  for (let at: Node | null = element; at; at = at instanceof ShadowRoot ? at.host : at.parentNode) {
    if (!(at instanceof Element)) continue;
    const {backgroundColor, backgroundImage} = getComputedStyle(at);
    if (backgroundImage !== 'none') return [];
    colors.unshift(backgroundColor);
  }
  return colors;
}

/** A color with its opacity, as computed where the probe is. */
function layerOf(probe: HTMLElement, color: string): Layer | undefined {
  probe.style.color = `color(from ${color} srgb r g b / alpha)`;
  const [, r, g, b, opacity = 1] =
    /^color\(srgb (\S+) (\S+) (\S+?)(?: \/ (\S+))?\)$/.exec(getComputedStyle(probe).color) ?? [];
  // A channel may be “none”, or outside the gamut.
  const share = (text: unknown) => Math.min(Math.max(Number(text) || 0, 0), 1);
  return r === undefined ? undefined : [share(r), share(g), share(b), share(opacity)];
}

/** The contrast of two colors, from 1 to 21 (WCAG 2.2). */
function contrastOf(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [one, other].map(luminanceOf).sort((first, second) => first - second);
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map(part =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
