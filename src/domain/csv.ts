/** The beginning of text that a spreadsheet would treat as a formula, also in full-width characters. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@|＝＋－＠\t\r\n]/u;

/**
 * Rows as CSV (RFC 4180). A text that a spreadsheet would take for a formula begins with an apostrophe, which makes it
 * text.
 */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map(row => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
