/** The page that partners copy, made of what the documents tell them. */
import {readFileSync} from 'node:fs';

/** The documents that the page quotes. */
export const QUOTED = ['demo/docs/styling.md', 'demo/docs/strict-pages.md'] as const;

/** The lines of a page that loads the form as early as it can, checks it by its hash, and keeps its place until then. */
export function embedPage(hash: string): string {
  const [rules, policy] = [
    quote(QUOTED[0], /## Reserving its space[^]*?```css\n([^]*?)```/),
    quote(QUOTED[1], /```\n(Content-Security-Policy:[^]*?)```/),
  ];
  const fallback = quote(QUOTED[0], /`<swap-widget …>(<p>.*?<\/p>)<\/swap-widget>`/);
  const attributes = `crossorigin="anonymous" integrity="${hash}"`;
  return `<!-- In the head, as early as possible. -->
<link rel="modulepreload" href="define.js" ${attributes} />
<script type="module" src="define.js" ${attributes}></script>
<!--
  Keeps the widget's place until the script is there. Under a strict style-src (or the policy below, which has none)
  no <style> counts: put these rules into the page's own stylesheet.
-->
<style>
${indent(rules)}
</style>

<!-- Where the swap is to be. What stands between the tags is seen until the script is there, or if it never comes. -->
<swap-widget base-url="https://the.service" from="bitcoin:btc" to="base:usdc">
  ${fallback}
</swap-widget>

<!--
  The strictest policy that does, with the origin of define.js in the place of https://widget.example, and that of your
  service and of every RPC you name in connect-src:

${indent(policy)}
-->
`;
}

/** The same page, with the addresses of a release: `/v0.1.0/define.js`. */
export function atVersion(page: string, version: string): string {
  return page.replaceAll(/(?<= (?:href|src)=")(?=define\.js")/g, `/v${version}/`);
}

/** What a document says at one place. Throws where it no longer does. */
function quote(document: string, place: RegExp): string {
  const text = place.exec(readFileSync(document, 'utf8'))?.[1];
  if (!text) throw new Error(`${document} has changed: what the page for partners quotes is not there.`);
  return text.trimEnd();
}

const indent = (text: string) => text.replaceAll(/^(?=.)/gm, '  ');
