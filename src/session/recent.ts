import type {Asset, Catalogue} from '../domain/asset.js';

/** What was swapped before. */
export interface Pair {
  readonly from: Asset;
  readonly to: Asset;
}

/** Under what name the pairs that were swapped last are noted. */
export const PAIRS = 'pairs';

/** How many are kept. */
const MOST = 3;

/** The pairs of a note, the last one first. Those that are no longer offered are left out. */
export function readPairs(note: string | undefined, catalogue: Catalogue): readonly Pair[] {
  const pairs = (note ?? '').split(' ').flatMap(text => {
    const [from, to] = text.split('>').map((id, index) => catalogue.find(id, index ? 'to' : 'from'));
    return from && to && from !== to ? {from, to} : [];
  });
  return pairs.slice(0, MOST);
}

/** The note with a pair that was just swapped. */
export function notePair(note: string | undefined, from: Asset, to: Asset): string {
  const pair = `${from.id}>${to.id}`;
  const others = (note ?? '').split(' ').filter(text => text !== '' && text !== pair);
  return [pair, ...others].slice(0, MOST).join(' ');
}
