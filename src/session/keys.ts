/** The keys of what a browser stores, as far as the form needs them before its session has come. */

/** Increased whenever the stored format changes; entries of other versions are left alone. */
export const MEMORY_VERSION = 1;

export function prefixOf(service: string): string {
  return `swap-widget/${String(MEMORY_VERSION)}/${service}/`;
}

/** The note with the order that a widget displays, to resume it after a reload. */
export function shownNote(scope: string): string {
  return `shown/${scope}`;
}
