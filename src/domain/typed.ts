/*
 * An amount as people type it, anywhere: in their digits, with their decimal sign, in groups, with its symbol. It becomes
 * plain decimal text, which `amount.ts` reads.
 */

/** How a person writes amounts. */
export interface Writing {
  /** The decimal sign of their language. */
  readonly sign: '.' | ',';
  /** What may stand beside an amount and says nothing more: the symbol of its asset, or of its currency. */
  readonly symbols?: readonly string[];
  /** More decimals than this are none: what looks like them parts thousands. */
  readonly decimals?: number;
}

/** Longer than any amount of any asset; bounds the work that a pasted text can cause. */
const MAX_LENGTH = 80;

/**
 * Plain decimal text for what was typed. Where the same signs may mean two things it is `1,500`, the form that
 * `parseAmount` refuses and `readingsOf` knows. What is no amount stays as it is.
 */
export function readTyped(text: string, {sign, symbols = [], decimals = Infinity}: Writing): string {
  if (text.length > MAX_LENGTH || isDecimal(text, sign)) return text;
  const written = without(symbols, unified(text));
  // These two are in use for this alone.
  const isSure = /[٫٬]/.test(written);
  const tidy = written.replace(/٫/g, '.').replace(/٬/g, ',');
  const withPoint = readWith(tidy, ',', '.');
  const withComma = isSure ? undefined : readWith(tidy, '.', ',');
  if (withPoint === undefined || withComma === undefined) return withPoint ?? withComma ?? text;
  // One sign and three digits: the language’s own decimal sign is that, the other one may be either.
  const [own, other] = sign === '.' ? [withPoint, withComma] : [withComma, withPoint];
  if (own === other || own.includes('.')) return own;
  return fractionOf(other) > decimals ? own : `${own.slice(0, -3)},${own.slice(-3)}`;
}

/** Whether a text is plain decimals already, as most that is typed: with each key an amount is read several times. */
function isDecimal(text: string, sign: Writing['sign']): boolean {
  return /^\d*$/.test(text) || (sign === '.' && /^\d*\.\d*$/.test(text));
}

/** What an amount may mean that is not clear, as `readTyped` leaves it: without groups, and with decimals. */
export function readingsOf(text: string): readonly [whole: string, part: string] | undefined {
  const [, thousands, rest] = /^([1-9]\d{0,2}),(\d{3})$/.exec(text) ?? [];
  return thousands && rest ? [thousands + rest, `${thousands}.${rest}`.replace(/\.?0+$/, '')] : undefined;
}

/** Plain decimal text, or what is not clear, with the decimal sign of a language; without groups, to go on typing. */
export function writeTyped(plain: string, sign: Writing['sign']): string {
  if (sign === '.' || !/^\d*[.,]\d*$/.test(plain)) return plain;
  return plain.replace(/[.,]/, found => (found === '.' ? ',' : '.'));
}

/** The same text in the digits 0 to 9 and the signs of this file, without what nobody sees. */
function unified(text: string): string {
  return (
    text
      // Full-width forms and every kind of space have a plain one (UAX 15).
      .normalize('NFKC')
      .replace(/\p{Cf}/gu, '')
      .replace(/\p{Nd}/gu, digitOf)
      .replace(/[。｡]/g, '.')
      .replace(/[、،]/g, ',')
      .replace(/[’‘ʼ]/g, "'")
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/** The value of a decimal digit. In Unicode ten of them stand in a row, and each row begins at …0 or …6. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const row = code & ~15;
  return String(/\p{Nd}/u.test(String.fromCodePoint(row)) ? code - row : code - row - 6);
}

/** A text without a symbol before or behind it, and without a plus. */
function without(symbols: readonly string[], text: string): string {
  const known = symbols.map(symbol => unified(symbol).toLowerCase()).filter(Boolean);
  const small = text.toLowerCase();
  const before = known.find(symbol => small.startsWith(symbol)) ?? '';
  const behind = before ? '' : (known.find(symbol => small.endsWith(symbol)) ?? '');
  return text
    .slice(before.length, text.length - behind.length)
    .trim()
    .replace(/^\+ ?/, '');
}

/** Reads digits that may stand in groups: of three, or as in India of two and at last three. */
function readWith(text: string, group: ',' | '.', point: ',' | '.'): string | undefined {
  const [, whole = '', fraction] = new RegExp(`^([^${point}]*)(?:[${point}](\\d*))?$`).exec(text) ?? [];
  if (!whole && !fraction) return undefined;
  const isPlain = /^\d*$/.test(whole);
  const between = whole.replace(/\d/g, '')[0] ?? '';
  if (!isPlain && ![group, ' ', "'", '_'].includes(between)) return undefined;
  const groups = whole.split(between);
  const [first = '', ...others] = groups;
  const isOf = (...sizes: readonly number[]) =>
    others.every(({length}, at) => length === (at < others.length - 1 ? sizes[0] : 3));
  const isGrouped =
    groups.every(digits => /^\d+$/.test(digits)) &&
    /^[1-9]/.test(first) &&
    ((isOf(3) && first.length <= 3) || (isOf(2) && first.length <= 2));
  if (!isPlain && !isGrouped) return undefined;
  return `${isPlain ? whole : groups.join('')}${fraction === undefined ? '' : `.${fraction}`}`;
}

function fractionOf(plain: string): number {
  return plain.split('.')[1]?.length ?? 0;
}
