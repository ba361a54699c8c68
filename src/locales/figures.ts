import {formatAmount} from '../domain/amount.js';
import {cents} from '../domain/quote.js';

/** How numbers are written: in the way of a language, as `Intl` takes it, and values in a currency. */
interface Notation {
  readonly locale: string;
  readonly currency: string;
}

/** Keeps what `Intl` makes, by language and options: making it costs more than all that it writes. */
export function kept<Options, Format>(make: (locale: string, options: Options) => Format) {
  const formats = new Map<string, Format>();
  return (locale: string, options: Options): Format => {
    const key = `${locale} ${JSON.stringify(options)}`;
    const format = formats.get(key) ?? make(locale, options);
    formats.set(key, format);
    return format;
  };
}

const numberFormat = kept((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options));

/** Hundredths as plain decimals with both places: 651240 is “6512.40”. */
function twoPlaces(hundredths: bigint): string {
  const [whole = '', fraction = ''] = formatAmount(hundredths, 2).split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

/** Plain decimal text as a language writes it, to the last figure: “2346.494468” is “2,346.494468”. */
export function decimal(text: string, locale: string): string {
  const [whole = '', fraction] = text.split('.');
  const numbers = numberFormat(locale, {});
  const sign = fraction === undefined ? '' : numbers.formatToParts(0.1)[1]?.value;
  return `${numbers.format(BigInt(whole))}${sign}${fraction ?? ''}`;
}

/** Hundredths as a language writes a value: “$6,512.40”. */
export function money(hundredths: bigint, {locale, currency}: Notation): string {
  return numberFormat(locale, {style: 'currency', currency, minimumFractionDigits: 2})
    .format(twoPlaces(hundredths) as `${number}`)
    .replace('-', '−');
}

/** What the service says something is worth, as a language writes it; empty where it says nothing that can be read. */
export function valueText(value: string | undefined, look: Notation): string {
  const hundredths = value === undefined ? undefined : cents(value);
  return hundredths === undefined ? '' : money(hundredths, look);
}
