/* What the build makes of a language’s file; and what it makes of a pattern of them. */

declare module '*.json?form' {
  const messages: import('./words.js').FirstMessages;
  export default messages;
}

declare module '*.json?late' {
  const messages: import('./words.js').LateMessages;
  export default messages;
}

interface ImportMeta {
  /** Vite's: a function for each file that a pattern fits. */
  glob<T>(
    patterns: string | readonly string[],
    options: {readonly query: string; readonly import: string},
  ): Readonly<Record<string, () => Promise<T>>>;
}
