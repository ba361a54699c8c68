import type {LockedField} from '../../domain/draft.js';
import {previewOf} from '../../domain/known/preview.js';
import type {FormSettings} from '../../session/session.js';
import type {Settings} from './settings.js';

/** Reads what the form shows. Everything is read, and checked, once `all.ts` is loaded. */
export function readFormSettings(settings: Settings): FormSettings | undefined {
  const {assets, from, to, lock} = settings;
  // Of lists for one side the form shows, at first, no more than the pair that the page names.
  const isForSides = settings.fromAssets ?? settings.toAssets ?? settings.excludeAssets;
  const catalogue = previewOf(assets === undefined || isForSides ? [from, to] : readList(assets));
  return catalogue && {...filledIn(settings), catalogue, locked: readList(lock) as LockedField[]};
}

const FILLED = ['from', 'to', 'amount', 'receive', 'recipient', 'refundAddress'] as const;

/** What the page fills in, and whether it takes new swaps. */
export function filledIn(
  settings: Pick<Settings, (typeof FILLED)[number] | 'paused'>,
): Pick<FormSettings, 'prefill' | 'paused'> {
  return {
    prefill: Object.fromEntries(FILLED.flatMap(name => (settings[name] ? [[name, settings[name]]] : []))),
    paused: settings.paused ?? false,
  };
}

/** Reads a list: words with spaces or commas between them, or a list already. */
export function readList<T>(list: string | readonly T[] = ''): readonly (string | T)[] {
  return typeof list === 'string' ? list.split(/[\s,]+/).filter(Boolean) : list;
}
