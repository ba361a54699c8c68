/* What `manifest.ts` generates for the page. */

declare module 'virtual:playground' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports -- An import would make a module of this file.
  export const manifest: import('./manifest.js').WidgetManifest;
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports -- As above.
  export const place: import('./manifest.js').Place;
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports -- As above.
  export const guides: readonly import('./manifest.js').Guide[];
}
