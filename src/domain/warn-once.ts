const warned = new Set<string>();

/** In the console, for the page's developer, however many widgets say it. */
export function warnOnce(sentence: string): void {
  if (!warned.has(sentence)) console.warn(`<swap-widget> ${sentence}`);
  warned.add(sentence);
}
