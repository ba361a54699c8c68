/** The first of what is set: the widget's looks, and the page around it. Brands are presets of the settings below. */
import {html, svg, type TemplateResult} from 'lit';
import {live} from 'lit/directives/live.js';
import type {Configuration} from './configuration.js';

export const FRAMES = {page: 'Page', phone: 'Phone', sidebar: 'Sidebar', dialog: 'Dialog'} as const;
export type Frame = keyof typeof FRAMES;

export function isFrame(text: string | undefined): text is Frame {
  return text !== undefined && Object.hasOwn(FRAMES, text);
}

interface Brand {
  readonly title: string;
  /** The background of the host page in both themes; without one, it is the playground's own. */
  readonly ground?: readonly [light: string, dark: string];
  /** The settings, by the names of controls. Its colors fit both themes. */
  readonly looks: Readonly<Record<string, string>>;
}

const ACCENT = '--swap-accent';
const STANDARD_ACCENT = '#1f44d1';

/** The playground's own background in both themes, for brands that have none. */
export const OWN_GROUND = ['#f4f5f9', '#101114'] as const;

/** Made-up brands, the widget's own first. */
const BRANDS = {
  plain: {title: 'Plain', looks: {}},
  tangerine: {
    title: 'Tangerine',
    ground: ['#fff1e6', '#1d110a'],
    looks: {theme: 'light', [ACCENT]: '#ff4f00', '--swap-radius': '1.5rem'},
  },
  lime: {
    title: 'Lime',
    ground: ['#eaf3cc', '#060b22'],
    looks: {
      theme: 'dark',
      [ACCENT]: '#c6f432',
      '--swap-surface': 'light-dark(#fbfdf3, #0d1738)',
      '--swap-ink': 'light-dark(#141c38, #eef2ff)',
      '--swap-radius': '0.75rem',
    },
  },
  gazette: {
    title: 'Gazette',
    ground: ['#efe8d8', '#120f0c'],
    looks: {
      theme: 'light',
      [ACCENT]: '#7a1f2b',
      '--swap-surface': 'light-dark(#fbf7ee, #201a16)',
      '--swap-ink': 'light-dark(#2a211c, #f0e8da)',
      '--swap-radius': '0px',
      '--swap-radius-control': '0px',
      '--swap-font': 'Georgia, serif',
    },
  },
  mint: {
    title: 'Mint',
    ground: ['#dff3ea', '#081512'],
    looks: {
      theme: 'light',
      [ACCENT]: '#0a7d5a',
      '--swap-surface': 'light-dark(#f8fefb, #10211c)',
      '--swap-ink': 'light-dark(#12302a, #e2f4ec)',
      '--swap-radius': '2rem',
      '--swap-font': 'ui-rounded, system-ui, sans-serif',
    },
  },
} as const satisfies Readonly<Record<string, Brand>>;
export type BrandName = keyof typeof BRANDS;
const BRAND_NAMES = Object.keys(BRANDS) as BrandName[];
/** All settings of any brand, so that another one removes them. */
const OF_BRANDS = new Set(Object.values(BRANDS).flatMap(({looks}) => Object.keys(looks)));

export function isBrand(text: string | undefined): text is BrandName {
  return text !== undefined && Object.hasOwn(BRANDS, text);
}

/** The settings, with a brand's looks in place of another's. */
export function withBrand(configuration: Configuration, name: BrandName): Configuration {
  return new Map([
    ...[...configuration].filter(([name]) => !OF_BRANDS.has(name)),
    ...Object.entries<string>(BRANDS[name].looks),
  ]);
}

/** The background of a brand's host page; undefined is the playground's own. */
export function groundOf(name: BrandName): Brand['ground'] {
  const {ground}: Brand = BRANDS[name];
  return ground;
}

/** Whether everything is set as the brand has it, apart from the theme: it has both. */
function isAsBranded(configuration: Configuration, name: BrandName): boolean {
  const {looks}: Brand = BRANDS[name];
  return [...OF_BRANDS].every(setting => setting === 'theme' || configuration.get(setting) === looks[setting]);
}

export interface Looks {
  readonly configuration: Configuration;
  /** The chosen brand. Some of its looks may have been changed since. */
  readonly brand: BrandName;
  /** The background that was chosen for the page; '' is the brand's own. */
  readonly host: string;
  readonly frame: Frame;
  /** The brand's background in the current theme, as the field's initial value. */
  readonly ground: string;
  useBrand(brand: BrandName): void;
  set(name: string, text: string | undefined): void;
  setPage(change: {readonly host?: string; readonly frame?: Frame}): void;
}

export function renderLooks({
  configuration,
  brand,
  host,
  frame,
  ground,
  useBrand,
  set,
  setPage,
}: Looks): TemplateResult {
  return html`<fieldset class="choice brands">
      <legend>Brand</legend>
      ${BRAND_NAMES.map(
        name =>
          html`<label title=${BRANDS[name].title}>
            <input
              type="radio"
              name="brand"
              value=${name}
              .checked=${live(name === brand && host === '' && isAsBranded(configuration, name))}
              @change=${() => {
                useBrand(name);
              }}
            />
            <span>${renderSwatch(BRANDS[name])}<span class="word">${BRANDS[name].title}</span></span>
          </label>`,
      )}
    </fieldset>
    ${renderChoice(
      'Theme',
      'bar-theme',
      {auto: 'Auto', light: 'Light', dark: 'Dark'},
      configuration.get('theme') ?? 'auto',
      theme => {
        set('theme', theme === 'auto' ? undefined : theme);
      },
    )}
    ${renderChoice('Frame', 'frame', FRAMES, frame, name => {
      setPage({frame: name as Frame});
    })}
    <div class="choice colors">
      ${renderColor('Accent color', configuration.get(ACCENT) ?? '', STANDARD_ACCENT, color => {
        set(ACCENT, color);
      })}
      ${renderColor('Background of the page', host, ground, color => {
        setPage({host: color});
      })}
    </div>`;
}

function renderSwatch({ground: [light, dark] = OWN_GROUND, looks}: Brand): TemplateResult {
  return html`<svg class="swatch" viewBox="0 0 20 20" aria-hidden="true">
    ${svg`<circle cx="10" cy="10" r="9.5" fill=${looks['theme'] === 'dark' ? dark : light} stroke="currentColor" stroke-opacity=".3" /><circle cx="10" cy="10" r="5.5" fill=${looks[ACCENT] ?? STANDARD_ACCENT} />`}
  </svg>`;
}

function renderColor(label: string, color: string, standard: string, set: (color: string) => void): TemplateResult {
  return html`<label class="color">
    <span>${label}</span>
    <input
      type="color"
      .value=${live(/^#[\da-f]{6}$/i.test(color) ? color : standard)}
      @input=${({target}: Event) => {
        set((target as HTMLInputElement).value);
      }}
    />
  </label>`;
}

function renderChoice(
  legend: string,
  name: string,
  options: Readonly<Record<string, string>>,
  chosen: string,
  choose: (option: string) => void,
): TemplateResult {
  return html`<fieldset class="choice" id=${name}>
    <legend>${legend}</legend>
    ${Object.entries(options).map(
      ([value, title]) =>
        html`<label>
          <input
            type="radio"
            name=${name}
            value=${value}
            .checked=${live(value === chosen)}
            @change=${() => {
              choose(value);
            }}
          />
          <span>${title}</span>
        </label>`,
    )}
  </fieldset>`;
}
