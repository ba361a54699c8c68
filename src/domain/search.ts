/** The search in the list of assets. */
import type {Asset} from './asset.js';
import {assetIdIn, isAddressOf} from './caip.js';

/**
 * The assets that a text finds, in their order but the best first: those of exactly this symbol or name; those whose
 * symbol, name or network begins with it; those with a later word that does; the rest. An id of ours or of the standard
 * (CAIP-19) and a token's address find their asset, too.
 */
export function findAssets(text: string, assets: readonly Asset[]): readonly Asset[] {
  const pasted = text.trim();
  const words = pasted.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return assets;
  const id = assetIdIn(pasted, assets);
  const ranks: Asset[][] = [[], [], [], []];
  for (const asset of assets) {
    const {token, chain} = asset;
    const isIt = asset.id === id || (token !== undefined && isAddressOf(pasted, token, chain.family));
    const texts = textsOf(asset);
    if (!isIt && !words.every(word => texts.all.includes(word))) continue;
    const ofWords = words.reduce((sum, word) => sum + rankOf(word, texts), 0);
    ranks[isIt ? 0 : Math.min(rankOf(words.join(' '), texts), ofWords)]?.push(asset);
  }
  return ranks.flat();
}

function rankOf(text: string, {names}: Texts): 0 | 1 | 2 | 3 {
  const [symbol, title] = names;
  if (text === symbol || text === title) return 0;
  if (names.some(name => name.startsWith(text))) return 1;
  return names.some(name => name.includes(` ${text}`)) ? 2 : 3;
}

interface Texts {
  readonly names: readonly [symbol: string, title: string, network: string];
  readonly all: string;
}

function textsOf({symbol, title, chain, id}: Asset): Texts {
  const names = [symbol.toLowerCase(), title.toLowerCase(), chain.title.toLowerCase()] as const;
  return {names, all: `${names.join(' ')} ${id.toLowerCase()}`};
}
