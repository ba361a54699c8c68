/* The modules that the build makes of the JSON file of a language, and of a pattern of file names. */

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

interface ImportMeta {
  /** Vite's: a function for each file that matches the pattern. */
  glob<T>(
    patterns: string | readonly string[],
    options: {readonly query: string; readonly import?: string},
  ): Readonly<Record<string, () => Promise<T>>>;
  glob<T>(
    patterns: string,
    options: {readonly query: string; readonly import: string; readonly eager: true},
  ): Readonly<Record<string, T>>;
}
