/** The page for partners to copy, assembled from `embed.html` and what documents show of it. */
import {readFileSync} from 'node:fs';

/** The pair of the page. */
export const PAIR = {from: 'bitcoin:btc', to: 'base:cbbtc'} as const;

/**
 * A page that shows the form at once, loads its script as early as possible, and checks it by its hash. `form` is as a
 * server renders it, and `takeOver` the chunk that replaces it by the live one; `styles` are the hashes for a policy.
 */
export function embedPage(parts: Readonly<Record<'hash' | 'form' | 'styles' | 'takeOver', string>>): string {
  const read = (file: string) => readFileSync(`.build/${file}`, 'utf8').trimEnd();
  const values: Readonly<Record<string, string>> = {...parts, ...PAIR};
  return `${read('embed.html').replaceAll(/\{\{([\w.]+)\}\}/g, (_, name: string) => values[name] ?? read(name))}\n`;
}

/** The same page, with the URLs of a release: `/v0.1.0/define.js`. */
export function atVersion(page: string, version: string): string {
  return page.replaceAll(/(?<= (?:href|src)=")(?=(?:define|chunks\/take-over[\w-]*)\.js")/g, `/v${version}/`);
}
