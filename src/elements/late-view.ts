import {enLater} from '../locales/en-later.js';
import {withOverrides, type Messages} from '../locales/en.js';
import type {Look} from './swap-element.js';
import {SwapView} from './swap-view.js';

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
