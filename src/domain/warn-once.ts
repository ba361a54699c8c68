const warned = new Set<string>();

/** Warns the page's developer in the console, once for all widgets. */
export function warnOnce(sentence: string): void {
  if (!warned.has(sentence)) console.warn(`<swap-widget> ${sentence}`);
  warned.add(sentence);
}
