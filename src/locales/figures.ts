import {formatAmount} from '../domain/amount.js';
import {cents} from '../domain/quote.js';
import {readTyped, writeTyped, type Writing} from '../domain/typed.js';

interface Notation {
  readonly locale: string;
  readonly currency: string;
}

/** Making an `Intl` format costs more than all that it writes, so each is kept by language and options. */
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
  const sign = fraction === undefined ? '' : signOf(locale, {});
  return `${numberFormat(locale, {}).format(BigInt(whole))}${sign}${fraction ?? ''}`;
}

/** Each key that is pressed in a field needs it. */
const signOf = kept(
  (locale, options: Intl.NumberFormatOptions) => numberFormat(locale, options).formatToParts(0.1)[1]?.value ?? '.',
);

/** A time as a language says it, in the unit that it is given in: “1.5 hours”. */
export function unitText(amount: number, unit: 'minute' | 'hour' | 'day', locale: string): string {
  return numberFormat(locale, {style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1}).format(amount);
}

/** Coins that people write with a sign, too. */
const SIGNS: Readonly<Record<string, string>> = {BTC: '₿', ETH: 'Ξ'};

/** With the symbol of its asset or without. */
export function plain(typed: string, locale: string, {symbol}: {readonly symbol?: string} = {}): string {
  return plainOf(typed, locale, symbol ? [symbol, SIGNS[symbol] ?? ''] : []);
}

/** In hundredths. */
export function plainValue(typed: string, {locale, currency}: Notation): string {
  return plainOf(
    typed,
    locale,
    [currencySign({locale, currency}), currencySign({locale: 'en', currency}), currency],
    2,
  );
}

function plainOf(typed: string, locale: string, symbols: readonly string[], decimals?: number): string {
  return typed && readTyped(typed, {sign: pointOf(locale), symbols, ...(decimals && {decimals})});
}

/**
 * The typed text, as long as it still has the amount (`plain`), or else the amount, in plain decimal text, with the
 * language's decimal sign.
 */
export function inField(typed: string, amount: string, locale: string, asset?: {readonly symbol: string}): string {
  return plain(typed, locale, asset) === amount ? typed : writeTyped(amount, pointOf(locale));
}

function pointOf(locale: string): Writing['sign'] {
  return signOf(locale, {}) === ',' ? ',' : '.';
}

export function currencySign({locale, currency}: Notation): string {
  const parts = numberFormat(locale, {style: 'currency', currency}).formatToParts(0);
  return parts.find(({type}) => type === 'currency')?.value ?? currency;
}

/** Hundredths as a language writes a value: “$6,512.40”. */
export function money(hundredths: bigint, {locale, currency}: Notation): string {
  return signed(twoPlaces(hundredths) as `${number}`, locale, {style: 'currency', currency, minimumFractionDigits: 2});
}

/** Basis points as percent: 30 is “0.30%”. */
export function percent(bps: number, locale: string): string {
  return signed(bps / 10_000, locale, {style: 'percent', minimumFractionDigits: 2});
}

function signed(value: number | `${number}`, locale: string, options: Intl.NumberFormatOptions): string {
  return numberFormat(locale, options).format(value).replace('-', '−');
}

/** Empty if the service's text cannot be read as a value. */
export function valueText(value: string | undefined, look: Notation): string {
  const hundredths = value === undefined ? undefined : cents(value);
  return hundredths === undefined ? '' : money(hundredths, look);
}
