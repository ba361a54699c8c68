import {FIELDS, type Draft, type LockedField} from '../../domain/draft.js';
import {previewOf} from '../../domain/known/preview.js';
import {prefixOf, shownNote} from '../../session/keys.js';
import type {FormPage} from '../../session/session.js';
import type {Settings} from './settings.js';

/** Reads the settings that the form shows. All settings are read and checked once `all.ts` is loaded. */
export function readFormSettings(settings: Settings): FormPage | undefined {
  const {assets, from, to, lock} = settings;
  // With lists for one side, or of what is not offered, the form at first only shows the page's own pair.
  const isPartial =
    settings.fromAssets ??
    settings.toAssets ??
    settings.pairs ??
    readList(assets).some(item => typeof item === 'string' && item.startsWith('-'));
  const catalogue = previewOf(assets === undefined || isPartial ? [from, to] : readList(assets));
  return catalogue && {...filledIn(settings), catalogue, locked: readList(lock) as LockedField[]};
}

export function keepsSwaps({storage, noJournal}: Pick<Settings, 'storage' | 'noJournal'>): boolean {
  return storage !== 'none' && !noJournal;
}

/** Whether an order was on the screen last, and is shown again as soon as its code is loaded. */
export function showsLast(settings: Pick<Settings, 'storage' | 'noJournal' | 'baseUrl'>, scope: string): boolean {
  const {storage, baseUrl = ''} = settings;
  try {
    const kept = storage === 'session' ? sessionStorage : localStorage;
    return keepsSwaps(settings) && prefixOf(serviceOf(baseUrl)) + shownNote(scope) in kept;
  } catch {
    return false;
  }
}

export function serviceOf(baseUrl: string): string {
  return baseUrl.trim().replace(/\/+$/, '');
}

export function filledIn(settings: Pick<Settings, keyof Draft | 'paused'>): Pick<FormPage, 'prefill' | 'paused'> {
  return {
    prefill: Object.fromEntries(FIELDS.flatMap(name => (settings[name] ? [[name, settings[name]]] : []))),
    paused: settings.paused ?? false,
  };
}

/** Parses a list: words separated by spaces or commas, or an array. */
export function readList<T>(list: string | readonly T[] = ''): readonly (string | T)[] {
  return typeof list === 'string' ? list.split(/[\s,]+/).filter(Boolean) : list;
}
