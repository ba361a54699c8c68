/** The beginning of text that a spreadsheet would treat as a formula, also in full-width characters. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@|＝＋－＠\t\r\n]/u;

/** RFC 4180. An apostrophe makes text of what a spreadsheet would take for a formula. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map(row => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
