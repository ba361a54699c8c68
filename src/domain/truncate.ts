/** An address or a hash with its middle cut out, so that both ends can be compared. */
export function truncate(text: string, first = 6, last = 4): string {
  return text.length > first + last + 1 ? `${text.slice(0, first)}…${text.slice(-last)}` : text;
}
