/** The widget's colors, as computed by this browser, and their contrast. */

/**
 * The widget's own properties for each custom property: their values depend on theme, accent and surface, so only the
 * element has them.
 */
const IN_USE: Readonly<Record<string, string>> = {
  '--swap-accent': '--_accent',
  '--swap-on-accent': '--_on-accent',
  '--swap-surface': '--_surface',
  '--swap-sunk': '--_sunk',
  '--swap-ink': '--_ink',
  '--swap-ink-quiet': '--_quiet',
  '--swap-line': '--_line',
  '--swap-good': '--_good',
  '--swap-warn': '--_warn',
  '--swap-bad': '--_bad',
};

/** The text and its background. Derived colors are always readable. */
const READ: readonly (readonly [text: string, ground: string, words: string])[] = [
  ['--swap-ink', '--swap-surface', 'text on the surface'],
  ['--swap-ink-quiet', '--swap-surface', 'secondary text on the surface'],
  ['--swap-on-accent', '--swap-accent', 'the label of the button'],
];
/** WCAG 2.2, 1.4.3, for text that is not large. */
const LEAST_CONTRAST = 4.5;

type Rgb = readonly [red: number, green: number, blue: number];

/** Text that is hard to read. */
export interface Unreadable {
  /** The custom property that sets it. */
  readonly name: string;
  /** The text that is hard to read, as part of a sentence. */
  readonly words: string;
  /** Rounded down to a tenth. */
  readonly contrast: number;
}

/** The current color of a custom property, as `#rrggbb`; undefined if it has none, or the widget is not defined yet. */
export function colorInUse(widget: HTMLElement, name: string): string | undefined {
  const rgb = measure(widget, [name]);
  return rgb && `#${rgb.map(part => part.toString(16).padStart(2, '0')).join('')}`;
}

/** The page's settings that are hard to read in the current theme: a color may only work in one of them. */
export function findUnreadable(widget: HTMLElement, isSet: (name: string) => boolean): readonly Unreadable[] {
  return READ.filter(([name]) => isSet(name)).flatMap(([name, ground, words]) => {
    const behind = measure(widget, ['--swap-surface', ground]);
    const before = measure(widget, ['--swap-surface', ground, name]);
    if (!behind || !before) return [];
    const contrast = contrastOf(before, behind);
    return contrast < LEAST_CONTRAST ? [{name, words, contrast: Math.floor(contrast * 10) / 10}] : [];
  });
}

/** The contrast of two colors, from 1 to 21 (WCAG 2.2). */
function contrastOf(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [one, other].map(luminanceOf).sort((first, second) => first - second);
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color
    .map(part => part / 255)
    .map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The visible color of these layers over the page, the last one on top. */
function measure(widget: HTMLElement, names: readonly string[]): Rgb | undefined {
  const style = getComputedStyle(widget);
  const paint = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const colors = names.map(name => style.getPropertyValue(IN_USE[name] ?? '').trim());
  if (!paint || colors.includes('')) return undefined;
  const probe = document.createElement('i');
  probe.hidden = true;
  probe.style.colorScheme = style.colorScheme;
  document.body.append(probe);
  for (const color of [getComputedStyle(document.body).backgroundColor, ...colors]) {
    probe.style.color = color;
    paint.fillStyle = getComputedStyle(probe).color;
    paint.fillRect(0, 0, 1, 1);
  }
  probe.remove();
  const [red = 0, green = 0, blue = 0] = paint.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}
