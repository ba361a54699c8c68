import {formatAmount} from '../domain/amount.js';
import {cents} from '../domain/quote.js';

/** How numbers are written: in the way of a language, as `Intl` takes it, and values in a currency. */
interface Notation {
  readonly locale: string;
  readonly currency: string;
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
export function money(hundredths: bigint, {locale, currency}: Notation): string {
  return new Intl.NumberFormat(locale, {style: 'currency', currency, minimumFractionDigits: 2})
    .format(twoPlaces(hundredths) as `${number}`)
    .replace('-', '−');
}

/** What the service says something is worth, as a language writes it; empty where it says nothing that can be read. */
export function valueText(value: string | undefined, look: Notation): string {
  const hundredths = value === undefined ? undefined : cents(value);
  return hundredths === undefined ? '' : money(hundredths, look);
}
