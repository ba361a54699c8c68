import {html, svg, unsafeCSS, type CSSResult, type TemplateResult} from 'lit';
import type {Asset} from '../../domain/asset.js';

const BITCOIN =
  'M15.6 12.8v14.4M15.6 12.8h5.4a3.5 3.5 0 0 1 0 7H15.6M21.4 19.8a3.7 3.7 0 0 1 0 7.4H15.6M18 9.8v3M21.4 9.8v3M18 27.2v3M21.4 27.2v3';

/** A drawing on a colored disc: lines, and filled shapes. A ring marks a wrapped coin. */
interface Drawing {
  readonly disc: string;
  readonly lines?: string;
  readonly width?: string;
  readonly shape?: string;
  readonly shade?: string;
  readonly ring?: boolean;
}

const ASSETS: Readonly<Record<string, Drawing | undefined>> = {
  btc: {disc: '#c2690a', lines: BITCOIN, width: '2.5'},
  wbtc: {disc: '#4f3f6b', lines: BITCOIN, width: '2.9', ring: true},
  cbbtc: {disc: '#2453c9', lines: BITCOIN, width: '2.9', ring: true},
  eth: {disc: '#55648a', shape: 'M20 7.5 28 20l-8 4.6L12 20z', shade: 'M20 32.5 28 22.6l-8 4.6-8-4.6z'},
  usdc: {
    disc: '#2a6abc',
    width: '2.2',
    lines:
      'M14 10.6a11.2 11.2 0 0 0 0 18.8M26 10.6a11.2 11.2 0 0 1 0 18.8M23.3 17.2c-.4-1.5-1.6-2.3-3.3-2.3-1.9 0-3.3.9-3.3 2.5 0 3.6 6.8 1.7 6.8 5.2 0 1.6-1.5 2.5-3.5 2.5-1.8 0-3-.8-3.5-2.2M20 12.6v2.3M20 25.1v2.3',
  },
  sol: {disc: '#0f7a66', lines: 'M15.5 13.5h12M12.5 20h15M12.5 26.5h12', width: '3'},
  strk: {
    disc: '#3f4596',
    shape:
      'M20 8.5c1.2 7 4.5 10.3 11.5 11.5-7 1.2-10.3 4.5-11.5 11.5-1.2-7-4.5-10.3-11.5-11.5 7-1.2 10.3-4.5 11.5-11.5z',
  },
  usdt: {
    disc: '#1b7a63',
    width: '3',
    lines:
      'M12.5 12.5h15M20 12.5v16M30.5 19.2c0 1.7-4.7 3-10.5 3s-10.5-1.3-10.5-3c0-1.4 3.2-2.6 7.5-2.9M30.5 19.2c0-1.4-3.2-2.6-7.5-2.9',
  },
};

const CHAINS: Readonly<Record<string, Drawing | undefined>> = {
  base: {disc: '#2b5be0', shape: 'M8.5 21.5h23a11.5 11.5 0 0 1-23 0z'},
  ethereum: ASSETS['eth'],
  solana: ASSETS['sol'],
  starknet: ASSETS['strk'],
};

/** The inks of the thread: the colors of the coin paid and of the coin received. */
export const inks: CSSResult = unsafeCSS(
  Object.entries(ASSETS)
    .map(([symbol, {disc} = {disc: ''}]) => {
      const ink = `light-dark(${disc},color-mix(in oklab,${disc} 60%,#fff))`;
      return `[data-from=${symbol}]{--_from:${ink}}[data-to=${symbol}]{--_to:${ink}}`;
    })
    .join(''),
);

export function drawAsset({symbol, icon}: Asset): TemplateResult | undefined {
  const drawing = draw(ASSETS[symbol.toLowerCase()]);
  if (!icon) return drawing;
  // If it cannot be loaded, for example under a strict policy, the drawing remains. Its host does not learn the page's
  // URL.
  return html`<img
      class="own"
      src=${icon}
      alt=""
      referrerpolicy="no-referrer"
      decoding="async"
      @load=${tellLoaded}
      @error=${tellLoaded}
    />
    ${drawing ?? html`<span class="mono-mark">${symbol.slice(0, 2).toUpperCase()}</span>`}`;
}

function tellLoaded({type, target}: Event) {
  (target as HTMLImageElement).hidden = type === 'error';
}

const DISCS: Readonly<Record<string, string | undefined>> = {
  arbitrum: '#1d5f9e',
  bera: '#8a4b1d',
  bnbchain: '#8a6100',
  botanix: '#4a5560',
  citrea: '#b34a12',
  core: '#b3470f',
  corn: '#7d6a00',
  hyperevm: '#0f6e5c',
  megaeth: '#4a4a4a',
  monad: '#6549c4',
  unichain: '#b3177f',
};

/** The drawing of a chain, by its name: a testnet has its mainnet's. A chain without a drawing has its first letter. */
export function drawChain(name: string): TemplateResult {
  const [main = ''] = name.split('_');
  return (
    draw(CHAINS[main], 'chain') ??
    html`<svg class="chain" viewBox="0 0 40 40">
      <circle cx="20" cy="20" r="20" fill=${DISCS[main] ?? '#5b606b'} />
      <text x="20" y="29" text-anchor="middle" font-size="26" font-weight="700" fill="#fff">
        ${main.slice(0, 1).toUpperCase()}
      </text>
    </svg>`
  );
}

function draw(drawing: Drawing | undefined, classes = ''): TemplateResult | undefined {
  if (!drawing) return undefined;
  const {disc, lines, width, shape, shade, ring} = drawing;
  return html`<svg class=${classes} viewBox="0 0 40 40">
    <circle cx="20" cy="20" r="20" fill=${disc} />
    ${ring ? svg`<circle cx="20" cy="20" r="16.7" fill="none" stroke="#fff" stroke-width="1.6"/>` : ''}
    ${
      lines
        ? svg`<path d=${lines} fill="none" stroke="#fff" stroke-width=${width ?? '2.5'} stroke-linecap="round"
            stroke-linejoin="round" transform=${ring ? 'translate(20 20) scale(.76) translate(-20 -20)' : ''}/>`
        : ''
    }
    ${shape ? svg`<path d=${shape} fill="#fff"/>` : ''}${shade ? svg`<path d=${shade} fill="#fff" opacity=".72"/>` : ''}
  </svg>`;
}
