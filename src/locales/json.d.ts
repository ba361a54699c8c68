/* What the build makes of a language’s file; and what it makes of a pattern of them. */

declare module '*.json?form' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports -- An import would make a module of this file.
  const messages: import('./words.js').FirstMessages;
  export default messages;
}

declare module '*.json?late' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports -- As above.
  const messages: () => import('./words.js').LateMessages;
  export default messages;
}

declare module '*.json?others' {
  /** Finds the tag of a language that has a file of its own beside English. */
  const others: RegExp;
  export default others;
}

interface ImportMeta {
  /** Vite's: a function for each file that a pattern fits. */
  glob<T>(
    patterns: string | readonly string[],
    options: {readonly query: string; readonly import: string},
  ): Readonly<Record<string, () => Promise<T>>>;
}
