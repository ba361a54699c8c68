/** See `manifest.ts`. */
declare module 'virtual:playground' {
  export const manifest: import('./manifest.js').WidgetManifest;
  export const place: import('./manifest.js').Place;
}
