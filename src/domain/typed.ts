/*
 * An amount as people type it: with their digits, their decimal sign, groups and its symbol. It becomes plain decimal
 * text, which `amount.ts` parses.
 */

import {parseAmount} from './amount.js';

export interface Writing {
  readonly sign: '.' | ',';
  /** Symbols that may surround an amount without meaning: of its asset, or of its currency. */
  readonly symbols?: readonly string[];
  /** The maximum number of decimals; more digits after a separator mean that it groups thousands. */
  readonly decimals?: number;
}

/** Longer than any amount of any asset; bounds the work that a pasted text can cause. */
const MAX_LENGTH = 80;

/**
 * The typed text as plain decimal text. If it is ambiguous, the result has the form `1,500`, which `parseAmount`
 * rejects and `readingsOf` splits. Text that is not an amount stays as it is.
 */
export function readTyped(text: string, {sign, symbols = [], decimals = Infinity}: Writing): string {
  if (text.length > MAX_LENGTH || isDecimal(text, sign)) return text;
  const written = without(symbols, unified(text));
  // These two Arabic signs are unambiguous.
  const isSure = /[٫٬]/.test(written);
  const tidy = written.replace(/٫/g, '.').replace(/٬/g, ',');
  const withPoint = readWith(tidy, ',', '.');
  const withComma = isSure ? undefined : readWith(tidy, '.', ',');
  if (withPoint === undefined || withComma === undefined) return withPoint ?? withComma ?? text;
  // One sign and three digits: the language’s own decimal sign is meant as such, the other one may be either.
  const [own, other] = sign === '.' ? [withPoint, withComma] : [withComma, withPoint];
  if (own === other || own.includes('.')) return own;
  return fractionOf(other) > decimals ? own : `${own.slice(0, -3)},${own.slice(-3)}`;
}

/** Whether a text is already plain decimal text, as most typed text is: each keystroke reads an amount several times. */
function isDecimal(text: string, sign: Writing['sign']): boolean {
  return /^\d*$/.test(text) || (sign === '.' && /^\d*\.\d*$/.test(text));
}

/** The two readings of an ambiguous amount from `readTyped`: without groups, and with decimals. */
export function readingsOf(text: string): readonly [whole: string, part: string] | undefined {
  const [, thousands, rest] = /^([1-9]\d{0,2}),(\d{3})$/.exec(text) ?? [];
  return thousands && rest ? [thousands + rest, `${thousands}.${rest}`.replace(/\.?0+$/, '')] : undefined;
}

/** Plain or ambiguous decimal text with a language's decimal sign; without groups, so that typing can continue. */
export function writeTyped(plain: string, sign: Writing['sign']): string {
  if (sign === '.' || !/^\d*[.,]\d*$/.test(plain)) return plain;
  return plain.replace(/[.,]/, found => (found === '.' ? ',' : '.'));
}

function unified(text: string): string {
  return (
    text
      // Full-width forms and all kinds of spaces have plain equivalents (UAX 15).
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

/** The value of a decimal digit. In Unicode the ten digits are consecutive, and start at …0 or …6. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const row = code & ~15;
  return String(/\p{Nd}/u.test(String.fromCodePoint(row)) ? code - row : code - row - 6);
}

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

/** Reads digits that may be grouped: by three, or as in India by two with three at the end. */
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

/** Reads decimal text as an amount, without the decimals that an asset does not have; 0 if it is none. */
export function withoutExcess(text: string, decimals: number): bigint {
  const read = parseAmount(text.slice(0, text.indexOf('.') + 1 + decimals), decimals);
  return typeof read === 'bigint' ? read : 0n;
}
