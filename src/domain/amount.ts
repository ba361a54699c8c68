/** Why a text is not an amount. */
export type AmountFault = 'empty' | 'not-a-number' | 'too-many-decimals';

/** Whole units in decimal text: digits, at most one decimal sign, no minus sign, no exponent, no grouping. */
const DECIMAL = /^(\d*)(?:[.,](\d*))?$/;

/** A thousand to some readers and one to others, so ambiguous. */
const AMBIGUOUS = /^[1-9]\d{0,2},\d{3}$/;

/** Longer than any amount of any asset; bounds the work that a pasted text can cause. */
const MAX_LENGTH = 80;

/**
 * Reads decimal text as an amount of the smallest unit: `parseAmount('0.1', 8)` is `10_000_000n`.
 * A comma counts as the decimal sign, as in half the world, unless the text is ambiguous.
 * If the text is not an amount, returns the fault; nothing is rounded.
 */
export function parseAmount(text: string, decimals: number): bigint | AmountFault {
  const trimmed = text.trim();
  if (trimmed === '') return 'empty';
  const parts = trimmed.length > MAX_LENGTH || AMBIGUOUS.test(trimmed) ? null : DECIMAL.exec(trimmed);
  const whole = parts?.[1] ?? '';
  const fraction = (parts?.[2] ?? '').replace(/0+$/, '');
  if (!parts || (whole === '' && (parts[2] ?? '') === '')) return 'not-a-number';
  if (fraction.length > decimals) return 'too-many-decimals';
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** Decimal text with a point as its decimal sign. Any other text, and ambiguous text, stays as it is. */
export function withPoint(text: string): string {
  return DECIMAL.test(text) && !AMBIGUOUS.test(text) ? text.replace(',', '.') : text;
}

/** Writes an amount of the smallest unit as plain decimals, without grouping or trailing zeros. */
export function formatAmount(amount: bigint, decimals: number): string {
  const [whole, fraction] = split(amount, decimals);
  const shown = fraction.replace(/0+$/, '');
  return shown ? `${whole}.${shown}` : whole;
}

function split(amount: bigint, decimals: number): [whole: string, fraction: string] {
  const negative = amount < 0n;
  const digits = (negative ? -amount : amount).toString().padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  return [(negative ? '-' : '') + digits.slice(0, at), digits.slice(at)];
}
