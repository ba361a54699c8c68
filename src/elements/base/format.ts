import {cents, formatAmount} from '../../domain/amount.js';
import type {Look} from './swap-element.js';

/** An address or a hash with its middle cut out, so that both ends can be compared. */
export function truncate(text: string, first = 6, last = 4): string {
  return text.length > first + last + 1 ? `${text.slice(0, first)}…${text.slice(-last)}` : text;
}

/** How many steps smaller an amount is set so that it fits its line; in the form it shares that with its asset. */
export function lengthStep(text: string, shared = false): 0 | 1 | 2 {
  return text.length < 9 ? 0 : text.length < (shared ? 11 : 14) ? 1 : 2;
}

/** Hundredths as plain decimals with both places: 651240 is “6512.40”. */
function twoPlaces(hundredths: bigint): string {
  const [whole = '', fraction = ''] = formatAmount(hundredths, 2).split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

/** Plain decimal text as a language writes it, to the last figure: “2346.494468” is “2,346.494468”. */
export function decimal(text: string, locale: string): string {
  const [whole = '', fraction] = text.split('.');
  const numbers = new Intl.NumberFormat(locale);
  const sign = fraction === undefined ? '' : numbers.formatToParts(0.1)[1]?.value;
  return `${numbers.format(BigInt(whole))}${sign}${fraction ?? ''}`;
}

/** Hundredths as a language writes a value: “$6,512.40”. */
export function money(hundredths: bigint, {locale, currency}: Pick<Look, 'locale' | 'currency'>): string {
  return new Intl.NumberFormat(locale, {style: 'currency', currency, minimumFractionDigits: 2})
    .format(twoPlaces(hundredths) as `${number}`)
    .replace('-', '−');
}

/** What the service says something is worth, as a language writes it; empty where it says nothing that can be read. */
export function valueText(value: string | undefined, look: Look): string {
  const hundredths = value === undefined ? undefined : cents(value);
  return hundredths === undefined ? '' : money(hundredths, look);
}

/** A span of time as a clock shows it, “0:24” or “1:05:00”, never below zero. */
export function countdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (n: number) => String(n % 60).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60);
  return hours ? `${String(hours)}:${two(minutes)}:${two(seconds)}` : `${String(minutes)}:${two(seconds)}`;
}
