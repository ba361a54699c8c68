const warned = new Set<string>();

/** Tells the page's developer something in the console, once however many widgets say it. */
export function warnOnce(sentence: string): void {
  if (!warned.has(sentence)) console.warn(`<swap-widget> ${sentence}`);
  warned.add(sentence);
}
