// What the build makes of a language’s file (`vite.words.ts`).

declare module '*.json?form' {
  const messages: import('./words.js').FirstMessages;
  export default messages;
}

declare module '*.json?late' {
  const messages: import('./words.js').LateMessages;
  export default messages;
}
