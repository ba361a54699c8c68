import type {Chain} from '../../domain/asset.js';
import {usualMinutes, type UsualMinutes} from '../../domain/estimate.js';
import type {Quote} from '../../domain/quote.js';
import {kept} from '../../locales/figures.js';
import type {Messages} from '../../locales/messages.js';

const dateFormat = kept((locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options));

/**
 * Among numbers and addresses, which are left-to-right, “26/11/2026” would lose its day in a right-to-left language.
 */
export function directed(text: string): string {
  return /[\u0590-\u08ff\u200f]/.test(text) ? `\u2067${text}\u2069` : text;
}

export function duration(milliseconds: number, t: Messages): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours) return directed(t.durationHours({hours, minutes}));
  return directed(minutes ? t.durationMinutes({minutes, seconds: seconds % 60}) : t.durationSeconds({seconds}));
}

export function about(seconds: number, t: Pick<Messages, 'aboutMinutes' | 'aboutHours' | 'aboutDays'>): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return t.aboutMinutes({minutes});
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? t.aboutHours({hours}) : t.aboutDays({days: Math.ceil(hours / 24)});
}

export function usualTime({least, most}: UsualMinutes, t: Pick<Messages, 'usualTime' | 'usualTimeAbout'>): string {
  return least < most ? t.usualTime({least, most}) : t.usualTimeAbout({minutes: most});
}

/** How long a swap will take, in a line with others: the offer's estimate, or the usual time; “about 1 min”, “20–30 min”. */
export function shortTime(offer: Quote | undefined, from: Chain, to: Chain, t: Messages): string {
  if (offer?.estimatedSeconds) return about(offer.estimatedSeconds, t);
  const {least, most} = usualMinutes(from, to);
  return least < most ? t.betweenMinutes({least, most}) : t.aboutMinutes({minutes: most});
}

export function time(at: number, locale: string): string {
  return directed(dateFormat(locale, {timeStyle: 'short'}).format(at));
}

export function dateTime(at: number, locale: string): string {
  return directed(dateFormat(locale, {dateStyle: 'medium', timeStyle: 'short'}).format(at));
}

export function dayOf(at: number): string {
  return new Date(at).toDateString();
}

export function when(at: number, today: string, locale: string): string {
  return dayOf(at) === today
    ? time(at, locale)
    : directed(dateFormat(locale, {day: 'numeric', month: 'short'}).format(at));
}
