/** The page for partners to copy, assembled from the documents. */
import {readFileSync} from 'node:fs';

/** The documents that the page quotes. */
export const QUOTED = ['demo/docs/styling.md', 'demo/docs/installing.md'] as const;

/** The pair of the page. */
export const PAIR = {from: 'bitcoin:btc', to: 'base:cbbtc'} as const;

/** The build's data for the page. */
export interface EmbedParts {
  /** The hash of `define.js`. */
  readonly hash: string;
  /** The server-rendered form, and the hashes of its styles for a policy. */
  readonly form: string;
  readonly styles: string;
  /** The chunk that replaces it by the live form. */
  readonly takeOver: string;
}

/** A page that shows the form at once, loads its script as early as possible, and checks it by its hash. */
export function embedPage({hash, form, styles, takeOver}: EmbedParts): string {
  const [rules, policy] = [
    quote(QUOTED[0], /## Reserving its space[^]*?```css\n([^]*?)```/),
    quote(QUOTED[1], /```\n(Content-Security-Policy:[^]*?)```/),
  ];
  const fallback = quote(QUOTED[0], /`<swap-widget …>(<p>.*?<\/p>)<\/swap-widget>`/);
  const attributes = `crossorigin="anonymous" integrity="${hash}"`;
  return `<!-- In the head, as early as possible. -->
<link rel="modulepreload" href="define.js" ${attributes} />
<link rel="modulepreload" href="${takeOver}" crossorigin="anonymous" />
<script type="module" src="define.js" ${attributes}></script>
<!--
  Keeps the widget's place until the script is there. Under a strict style-src (or the policy below) no <style> counts
  that it does not name: put these rules into the page's own stylesheet.
-->
<style>
${indent(rules)}
</style>

<!--
  Where the swap is to be. The template is the form as it is seen until the script is there, for this pair in this
  language; first-paint/ has it in the others. For other settings:
  node -e "import('swap-widget/first-paint').then(m => console.log(m.firstPaint({from: 'bitcoin:btc', to: 'base:cbbtc'})))"
-->
<swap-widget base-url="https://the.service" from="${PAIR.from}" to="${PAIR.to}">
  ${form}
  ${fallback}
</swap-widget>

<!--
  The strictest policy that does, with the origin of define.js in the place of https://widget.example, and that of your
  service and of every RPC you name in connect-src. The form before the script needs besides, in this version:
  style-src ${styles}

${indent(policy)}
-->
`;
}

/** The same page, with the URLs of a release: `/v0.1.0/define.js`. */
export function atVersion(page: string, version: string): string {
  return page.replaceAll(/(?<= (?:href|src)=")(?=(?:define|chunks\/take-over[\w-]*)\.js")/g, `/v${version}/`);
}

/** A passage of a document. Throws if it is no longer there. */
function quote(document: string, place: RegExp): string {
  const text = place.exec(readFileSync(document, 'utf8'))?.[1];
  if (!text) throw new Error(`${document} has changed: what the page for partners quotes is not there.`);
  return text.trimEnd();
}

const indent = (text: string) => text.replaceAll(/^(?=.)/gm, '  ');
