/**
 * The project's documents as pages: `/docs/` under `npm start`. They are rendered on request, need no script, and have
 * their repository paths, so that links between them work here too.
 */
import {readFileSync} from 'node:fs';
import type {RequestListener} from 'node:http';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {Marked, Parser, type Token, type Tokens} from 'marked';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** All documents, by audience. */
export const DOCUMENTS = {
  'For your site': [
    'README.md',
    'demo/docs/frameworks.md',
    'demo/docs/reference.md',
    'demo/docs/styling.md',
    'demo/docs/wallets.md',
    'demo/docs/bitcoin.md',
    'demo/docs/affiliate-fees.md',
    'demo/docs/strict-pages.md',
    'demo/docs/languages.md',
    'demo/docs/accessibility.md',
    'demo/docs/status.md',
    'demo/docs/requests.md',
    'demo/docs/links.md',
    'demo/docs/events.md',
    'demo/docs/headless.md',
    'demo/docs/installing.md',
    'demo/docs/releasing.md',
    'demo/docs/testing.md',
    'demo/docs/browsers.md',
    'demo/docs/speed.md',
  ],
  'For operators': ['demo/docs/conformance.md', 'demo/docs/scale.md'],
  'About money': ['demo/docs/safety.md', '.github/SECURITY.md'],
  'For engineers': [
    'CONTRIBUTING.md',
    'src/README.md',
    'src/chains/README.md',
    'test/README.md',
    'demo/sandbox/README.md',
    'CHANGELOG.md',
  ],
} as const satisfies Record<string, readonly string[]>;

/** Other files that documents can show or link to. */
export const FILES: Readonly<Record<string, string>> = {
  LICENSE: 'text/plain; charset=utf-8',
  'demo/docs/widget-light.webp': 'image/webp',
  'demo/docs/widget-dark.webp': 'image/webp',
};

/** The pages need no scripts. */
const POLICY = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";
const PATHS: readonly string[] = Object.values(DOCUMENTS).flat();
const marked = new Marked();

/** A document's text. */
export function readDocument(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Whether a path is a document, or a file that documents can show. */
export function isPublished(path: string): boolean {
  return PATHS.includes(path) || Object.hasOwn(FILES, path);
}

/** A document's blocks. */
export function read(markdown: string): Token[] {
  return marked.lexer(markdown);
}

/** The headings of a document, with their anchors as on GitHub. */
export function headingsOf(tokens: readonly Token[]): ReadonlyMap<Token, string> {
  const used = new Map<string, number>();
  const headings = new Map<Token, string>();
  for (const token of tokens) {
    if (!isHeading(token)) continue;
    const slug = plain(token)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const times = used.get(slug) ?? 0;
    used.set(slug, times + 1);
    headings.set(token, times ? `${slug}-${String(times)}` : slug);
  }
  return headings;
}

/** Serves `/docs/`. */
export const servePage: RequestListener = (request, response) => {
  const path = ((request.url ?? '').split('?')[0] ?? '').replace(/^\/docs\//, '');
  if (!path) {
    response.writeHead(302, {location: '/docs/README.md'}).end();
  } else if (PATHS.includes(path)) {
    response.writeHead(200, {'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY});
    response.end(renderPage(path));
  } else if (Object.hasOwn(FILES, path)) {
    response.writeHead(200, {'content-type': FILES[path]}).end(readFileSync(join(ROOT, path)));
  } else {
    response.writeHead(404).end();
  }
};

/** A document as a page. */
export function renderPage(path: string): string {
  const text = readDocument(path);
  const tokens = read(text);
  const headings = headingsOf(tokens);
  const body = tokens.map(token => {
    const id = headings.get(token);
    if (id === undefined || !isHeading(token)) return marked.parser([token]);
    const level = String(token.depth);
    return `<h${level} id="${id}">${Parser.parseInline(token.tokens)}</h${level}>`;
  });
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${titleOf(text)}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/page.css" />
    <link rel="stylesheet" href="/documents.css" />
  </head>
  <body class="document">
    <nav aria-label="Documents">${renderNavigation(path)}</nav>
    <main>${body.join('\n')}</main>
  </body>
</html>
`;
}

function renderNavigation(current: string): string {
  const groups = Object.entries(DOCUMENTS).map(([audience, paths]) => {
    const items = paths.map(path => {
      const mark = path === current ? ' aria-current="page"' : '';
      return `<li><a href="/docs/${path}"${mark}>${titleOf(readDocument(path))}</a></li>`;
    });
    return `<h2>${audience}</h2><ul>${items.join('')}</ul>`;
  });
  return `<a href="/">Playground</a>${groups.join('')}`;
}

/** The first heading of a document, as HTML text. */
function titleOf(markdown: string): string {
  const [, title = ''] = /^# (.*)$/m.exec(markdown) ?? [];
  return title.replaceAll('`', '').replaceAll('<', '&lt;');
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

/** The text of a heading, without formatting. */
function plain({tokens}: Tokens.Heading): string {
  return tokens.map(token => ('text' in token ? String(token.text) : token.raw)).join('');
}
