/** The bar above the widget: its looks, and the page around it. Brands are presets of settings under “Configure”. */
import {html, svg, type TemplateResult} from 'lit';
import {live} from 'lit/directives/live.js';
import type {Configuration} from './configuration.js';

/** The places of a widget on a page. */
export const FRAMES = {page: 'Page', phone: 'Phone', sidebar: 'Sidebar', dialog: 'Dialog'} as const;
export type Frame = keyof typeof FRAMES;

export function isFrame(text: string | undefined): text is Frame {
  return text !== undefined && Object.hasOwn(FRAMES, text);
}

interface Brand {
  readonly title: string;
  /** The background of the host page; '' is the playground's own. */
  readonly host: string;
  /** The settings, by the names of controls. */
  readonly looks: Readonly<Record<string, string>>;
}

const ACCENT = '--swap-accent';
const STANDARD_ACCENT = '#1f44d1';

/** Made-up brands, the widget's own first. */
const BRANDS: Readonly<Record<string, Brand>> = {
  plain: {title: 'Plain', host: '', looks: {}},
  tangerine: {
    title: 'Tangerine',
    host: '#fff1e6',
    looks: {theme: 'light', [ACCENT]: '#ff4f00', '--swap-radius': '1.5rem'},
  },
  lime: {
    title: 'Lime',
    host: '#060b22',
    looks: {
      theme: 'dark',
      [ACCENT]: '#c6f432',
      '--swap-surface': '#0d1738',
      '--swap-ink': '#eef2ff',
      '--swap-radius': '0.75rem',
    },
  },
  gazette: {
    title: 'Gazette',
    host: '#efe8d8',
    looks: {
      theme: 'light',
      [ACCENT]: '#7a1f2b',
      '--swap-surface': '#fbf7ee',
      '--swap-ink': '#2a211c',
      '--swap-radius': '0px',
      '--swap-font': 'Georgia, serif',
    },
  },
  mint: {
    title: 'Mint',
    host: '#dff3ea',
    looks: {
      theme: 'light',
      [ACCENT]: '#0a7d5a',
      '--swap-surface': '#f8fefb',
      '--swap-ink': '#12302a',
      '--swap-radius': '2rem',
      '--swap-font': 'ui-rounded, system-ui, sans-serif',
    },
  },
};
/** Settings that only suit one theme. */
const OF_THEME = ['--swap-surface', '--swap-ink'];
/** All settings of any brand, so that another one removes them. */
const OF_BRANDS = new Set(Object.values(BRANDS).flatMap(({looks}) => Object.keys(looks)));

/** The settings, with a brand's looks in place of another's. */
export function withBrand(configuration: Configuration, {looks}: Brand): Configuration {
  return new Map([...[...configuration].filter(([name]) => !OF_BRANDS.has(name)), ...Object.entries(looks)]);
}

/** The settings, with another theme. A brand's surface and ink for its own theme are removed. */
export function withTheme(configuration: Configuration, theme: string | undefined): Configuration {
  const isOfOther = Object.values(BRANDS).some(
    ({looks}) =>
      looks['theme'] !== theme &&
      OF_THEME.every(name => looks[name] !== undefined && looks[name] === configuration.get(name)),
  );
  const next = new Map([...configuration].filter(([name]) => !isOfOther || !OF_THEME.includes(name)));
  if (theme === undefined) next.delete('theme');
  else next.set('theme', theme);
  return next;
}

export interface Looks {
  readonly configuration: Configuration;
  readonly host: string;
  readonly frame: Frame;
  /** The page's own background, as the field's initial value. */
  readonly ground: string;
  useBrand(brand: Brand): void;
  /** Sets a control; `undefined` removes it. */
  set(name: string, text: string | undefined): void;
  setPage(change: {readonly host?: string; readonly frame?: Frame}): void;
  /** Leads to the settings if they are below the widget. */
  openSettings(): void;
}

export function renderLooks({
  configuration,
  host,
  frame,
  ground,
  useBrand,
  set,
  setPage,
  openSettings,
}: Looks): TemplateResult {
  const isBrand = ({looks, host: its}: Brand) =>
    its === host && [...OF_BRANDS].every(name => configuration.get(name) === looks[name]);
  return html`<fieldset class="choice brands">
      <legend>Brand</legend>
      ${Object.entries(BRANDS).map(
        ([name, brand]) =>
          html`<label title=${brand.title}>
            <input
              type="radio"
              name="brand"
              value=${name}
              .checked=${live(isBrand(brand))}
              @change=${() => {
                useBrand(brand);
              }}
            />
            <span>${renderSwatch(brand)}<span class="word">${brand.title}</span></span>
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
    <div class="choice colors">
      ${renderColor('Accent', configuration.get(ACCENT) ?? '', STANDARD_ACCENT, color => {
        set(ACCENT, color);
      })}
      ${renderColor('Background', host, ground, color => {
        setPage({host: color});
      })}
    </div>
    ${renderChoice('Frame', 'frame', FRAMES, frame, name => {
      setPage({frame: name as Frame});
    })}
    <button class="link to-settings" type="button" id="to-settings" @click=${openSettings}>Settings</button>`;
}

function renderSwatch({host, looks}: Brand): TemplateResult {
  return html`<svg class="swatch" viewBox="0 0 20 20" aria-hidden="true">
    ${svg`<circle cx="10" cy="10" r="9.5" fill=${host || '#f4f5f9'} stroke="currentColor" stroke-opacity=".3" /><circle cx="10" cy="10" r="5.5" fill=${looks[ACCENT] ?? STANDARD_ACCENT} />`}
  </svg>`;
}

function renderColor(label: string, color: string, standard: string, set: (color: string) => void): TemplateResult {
  return html`<label class="color">
    <span>${label}</span>
    <input
      type="color"
      aria-label=${label === 'Background' ? 'Background of the page' : 'Accent color'}
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
