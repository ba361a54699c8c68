/** The page for partners to copy, assembled from `embed.html` and the documents. */
import {readFileSync} from 'node:fs';

/** The documents that the page quotes. */
export const QUOTED = ['demo/docs/styling.md', 'demo/docs/installing.md'] as const;

/** The pair of the page. */
export const PAIR = {from: 'bitcoin:btc', to: 'base:cbbtc'} as const;

/**
 * A page that shows the form at once, loads its script as early as possible, and checks it by its hash. `form` is as a
 * server renders it, and `takeOver` the chunk that replaces it by the live one; `styles` are the hashes for a policy.
 */
export function embedPage(parts: Readonly<Record<'hash' | 'form' | 'styles' | 'takeOver', string>>): string {
  const [styling, installing] = QUOTED;
  const values: Readonly<Record<string, string>> = {
    ...parts,
    ...PAIR,
    rules: quote(styling, /## Reserving its space[^]*?```css\n([^]*?)```/),
    fallback: quote(styling, /`<swap-widget …>(<p>.*?<\/p>)<\/swap-widget>`/).trim(),
    policy: quote(installing, /```\n(Content-Security-Policy:[^]*?)```/),
  };
  return readFileSync('.build/embed.html', 'utf8').replaceAll(
    /\{\{(\w+)\}\}/g,
    (_, name: string) => values[name] ?? '',
  );
}

/** The same page, with the URLs of a release: `/v0.1.0/define.js`. */
export function atVersion(page: string, version: string): string {
  return page.replaceAll(/(?<= (?:href|src)=")(?=(?:define|chunks\/take-over[\w-]*)\.js")/g, `/v${version}/`);
}

/** A passage of a document, indented. Throws if it is no longer there. */
function quote(document: string, place: RegExp): string {
  const text = place.exec(readFileSync(document, 'utf8'))?.[1];
  if (!text) throw new Error(`${document} has changed: what the page for partners quotes is not there.`);
  return text.trimEnd().replaceAll(/^(?=.)/gm, '  ');
}
