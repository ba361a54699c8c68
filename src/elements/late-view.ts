import {enLater} from '../locales/en-later.js';
import {withOverrides, type Messages} from '../locales/en.js';
import {twoPlaces} from './format.js';
import type {Look} from './swap-element.js';
import {SwapView} from './swap-view.js';

/** The signs of the late views. */
export const LATE = {
  close: 'M5 5l10 10M15 5 5 15',
  gear: 'M4 6h7M15 6h1M4 14h1M9 14h7M13 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  info: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 9.5v4M10 6.7v.01',
  pause: 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM8.3 7.5v5M11.7 7.5v5',
  pen: 'M4 16l.7-3L13 4.7l2.3 2.3L7 15.3z',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13 13l3.5 3.5',
};

const words = new WeakMap<Look, Messages>();

/** All words of the widget: those it has had since the first load, and those of what is loaded later. */
export function allWords(look: Look): Messages {
  const known = words.get(look);
  if (known) return known;
  // What a page says in its own words is in the first ones already, as far as it is about those.
  const all = {...withOverrides(enLater, look.overrides), ...look.messages};
  words.set(look, all);
  return all;
}

/** Basis points as percent: 30 is “0.30%”. */
export function percent(bps: number, t: Messages): string {
  return t.percent(twoPlaces(BigInt(bps)));
}

/** The base of the views that are loaded when they are first needed. */
export abstract class LateView extends SwapView {
  protected override get t(): Messages {
    return allWords(this.look);
  }
}

/** A span of time in words. */
export function duration(milliseconds: number, t: Messages): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  return t.duration(Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60);
}

/** The time of day. */
export function time(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, {timeStyle: 'short'}).format(at);
}

/** Date and time. */
export function dateTime(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, {dateStyle: 'medium', timeStyle: 'short'}).format(at);
}

/** The time of day if it is of this day, the date otherwise. */
export function when(at: number, now: number, locale: string): string {
  return new Date(at).toDateString() === new Date(now).toDateString()
    ? time(at, locale)
    : new Intl.DateTimeFormat(locale, {day: 'numeric', month: 'short'}).format(at);
}
