import {html, type TemplateResult} from 'lit';
import {atom} from 'nanostores';
import type {Asset} from '../../domain/asset.js';
import type * as Drawings from './drawings.js';

/** The icons of the first load, by name. All others are in `signs.ts`. */
const PATHS = {
  alert: 'M10 3.5 17.5 16h-15zM10 8.5v3.5M10 14v.01',
  back: 'M12 5l-5 5 5 5',
  check: 'm4.5 10.5 3.5 3.5 7.5-8',
  down: 'm6 8 4 4 4-4',
  flip: 'M7 4v12m0 0-3-3m3 3 3-3M13 16V4m0 0-3 3m3-3 3 3',
  list: 'M4 5.5h12M4 10h12M4 14.5h7',
};

/** A line icon, in the color of its text. It never conveys anything alone, so it is hidden from assistive technology. */
export function icon(name: keyof typeof PATHS, classes = ''): TemplateResult {
  return sign(PATHS[name], classes);
}

/** An icon from its path: one line in a square of 20. */
export function sign(path: string, classes = ''): TemplateResult {
  return html`<svg class="icon ${classes}" viewBox="0 0 20 20" aria-hidden="true"><path d=${path} /></svg>`;
}

/** The drawings on marks, once they are loaded. Until then marks are blank; if loading fails they have letters. */
export const $drawings = atom<typeof Drawings | 'none' | undefined>();

export async function loadDrawings(): Promise<void> {
  const loaded = await import('./drawings.js').catch(() => 'none' as const);
  if (!$drawings.get()) $drawings.set(loaded);
}

export function coinOf(asset: Asset | undefined): string {
  return asset?.symbol.toLowerCase() ?? '';
}

/**
 * An asset as a disc with its chain on it. Without a drawing it has the first letters of its symbol. Elements that may
 * be rendered before the drawings are loaded have to read `$drawings`.
 */
export function assetMark(asset: Asset | undefined, {done = false} = {}): TemplateResult {
  if (!asset) return html`<span class="mark none" aria-hidden="true"></span>`;
  const {symbol, token, chain} = asset;
  const drawings = $drawings.get();
  const drawn = drawings === 'none' ? undefined : drawings;
  const drawing = drawn?.drawAsset(asset);
  return html`<span class="mark ${drawing ? '' : 'mono-mark'} ${done ? 'done' : ''}" aria-hidden="true"
    >${drawing ?? (drawings && symbol.slice(0, 2).toUpperCase())}${token ? drawn?.drawChain(chain.name) : ''}${
      done ? icon('check', 'tick') : ''
    }</span
  >`;
}
