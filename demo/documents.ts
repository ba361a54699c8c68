/**
 * The project's documents as a site: `/docs/` under `npm start`, plain files in the built playground. Pages are rendered
 * on request and have their repository paths, so links between them work here too. Only the search and the buttons that
 * copy need a script.
 */
import {readFileSync} from 'node:fs';
import type {RequestListener} from 'node:http';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {Marked, Parser, Renderer, type Token, type Tokens} from 'marked';
import {highlight} from './highlight.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** All documents, by what a reader wants, in reading order. */
export const DOCUMENTS = {
  'Get started': [
    'README.md',
    'demo/docs/playground.md',
    'demo/docs/installing.md',
    'demo/docs/frameworks.md',
    'demo/docs/styling.md',
    'demo/docs/testing.md',
    'demo/docs/reference.md',
    'demo/docs/releasing.md',
  ],
  Features: [
    'demo/docs/wallets.md',
    'demo/docs/bitcoin.md',
    'demo/docs/rescue.md',
    'demo/docs/languages.md',
    'demo/docs/affiliate-fees.md',
    'demo/docs/links.md',
    'demo/docs/events.md',
    'demo/docs/headless.md',
    'demo/docs/payments.md',
  ],
  'Safety and quality': [
    'demo/docs/safety.md',
    '.github/SECURITY.md',
    'demo/docs/accessibility.md',
    'demo/docs/browsers.md',
    'demo/docs/speed.md',
  ],
  'For operators': ['demo/docs/conformance.md', 'demo/docs/scale.md'],
  'For engineers': [
    'CONTRIBUTING.md',
    'src/README.md',
    'src/chains/README.md',
    'test/README.md',
    'demo/sandbox/README.md',
    'demo/minimal-service/README.md',
    'CHANGELOG.md',
  ],
} as const satisfies Record<string, readonly string[]>;

/** Other files that documents can show or link to. */
export const FILES: Readonly<Record<string, string>> = {
  LICENSE: 'text/plain; charset=utf-8',
  'demo/docs/widget-light.webp': 'image/webp',
  'demo/docs/widget-dark.webp': 'image/webp',
};

/** What all pages load in addition to the playground's style sheet, by name below `/docs/`. */
export const SHARED: Readonly<Record<string, string>> = {
  'search.js': 'text/javascript; charset=utf-8',
  'finding.js': 'text/javascript; charset=utf-8',
  'copying.js': 'text/javascript; charset=utf-8',
  'documents.css': 'text/css; charset=utf-8',
};
/** The name of the search index, below `/docs/`. */
export const SEARCH_INDEX = 'search.json';

/** What readers type for a page or a section whose own words are others. */
const ALSO: Readonly<Record<string, string>> = {
  'README.md': 'getting started, quick start',
  'demo/docs/playground.md': 'tutorial, demo, sandbox, try it, localhost',
  'demo/docs/installing.md':
    'getting started, quick start, setup, how to embed, CDN, API key, download, npm install, CMS, site builder, GTM, hosting',
  'demo/docs/installing.md#a-static-host': 'CORS, cross-origin, cache headers, no build',
  'demo/docs/installing.md#strict-pages-csp': 'nonce, iframe, sandbox, security headers, allowlist, whitelist',
  'demo/docs/installing.md#subresource-integrity': 'SRI, hash',
  'demo/docs/releasing.md': 'upgrade, update, semver, CDN, changelog',
  'demo/docs/frameworks.md': 'SSR, hydration, TypeScript, JSX, integration',
  'demo/docs/styling.md': 'theme, theming, dark mode, night mode, brand, branding, CSS, design, button color, fonts',
  'demo/docs/styling.md#size-and-shape': 'iframe, modal, sidebar, responsive',
  'demo/docs/languages.md': 'i18n, l10n, internationalization, localization, translation, translate, locale, RTL',
  'demo/docs/testing.md': 'mock API, stub, unit test, end-to-end, e2e, Cypress, Jest, CI',
  'demo/docs/reference.md': 'API, options, props, configuration, settings',
  'demo/docs/wallets.md#your-own-wallets': 'existing wallet connection, connect button, provider',
  'demo/docs/wallets.md': 'connect wallet, hardware wallet, gas, gasless, approval, allowance',
  'demo/docs/bitcoin.md': 'BTC deposit, QR code',
  'demo/docs/rescue.md': 'refund, recover, recovery, lost funds, stuck swap, support',
  'demo/docs/affiliate-fees.md': 'fees, revenue, commission, monetization, earn, markup, referral, integrator fee',
  'demo/docs/links.md': 'deep link, prefill, URL parameters, query string',
  'demo/docs/payments.md': 'invoice, checkout, payment request, pay button, merchant, shop',
  'demo/docs/payments.md#verify-on-your-server': 'webhook, backend, server side, order notification, Node.js',
  'demo/docs/payments.md#a-page-for-one-swap': 'track an order, order page, order history',
  'demo/docs/events.md':
    'analytics, funnel, conversion, tracking, callback, webhook, Google Analytics, onSuccess, onComplete, onError',
  'demo/docs/headless.md': 'custom UI, own form, SDK',
  'demo/docs/safety.md': 'security, audit, phishing, trust',
  'demo/docs/safety.md#the-price-is-a-floor': 'slippage, tolerance, price impact, minimum received',
  'demo/docs/safety.md#refunds': 'refund, failed swap, money back, timeout',
  'demo/docs/safety.md#privacy': 'GDPR, cookies, tracking, local storage, data protection',
  'demo/docs/accessibility.md': 'a11y, screen reader, keyboard, ARIA, WCAG',
  'demo/docs/browsers.md': 'browser support, compatibility, iOS, Android, Windows, polyfill, mobile, phones, tablets',
  'demo/docs/speed.md': 'performance, bundle size, Lighthouse, Core Web Vitals, lazy loading',
  'demo/docs/scale.md': 'rate limit, polling, load test, capacity',
  'demo/docs/conformance.md': 'API compatibility, certification',
};

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
const HTML = {'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY};
const PATHS: readonly string[] = Object.values(DOCUMENTS).flat();
/** Names that lead to the documents for partners, below `/docs/`: `installing`. */
export const SHORT: Readonly<Record<string, string>> = Object.fromEntries(
  PATHS.flatMap(path => {
    const [, name] = /^demo\/docs\/([\w-]+)\.md$/.exec(path) ?? [];
    return name === undefined ? [] : [[name, path]];
  }),
);
/** The current widget: a state of the gallery, so that no screenshot gets outdated. It is to be looked at only. */
const LIVE_PICTURE =
  '<figure class="live"><iframe inert title="The widget’s form" ' +
  'src="/stages.html?state=form-two-coins&amp;theme=auto"></iframe>' +
  '<figcaption class="quiet">A picture of the form, with mock data. <a href="/">Try the form itself</a></figcaption></figure>';

const COPYING = '\n    <script type="module" src="/docs/copying.js"></script>';

/** An item of a list that says something about a name: its kind or its fields, and a sentence. */
const FACT = /^(?<name>\*\*`[^`]+`\*\*)(?: · (?<kind>[^]*?)\\\n| \((?<fields>[^]*?)\)(?:: |$)|: )(?<says>[^]*)$/;
/** A page with more headings than this has a list of them also where there is no room beside the text. */
const MOST_HEADINGS = 6;

const marked: Marked = new Marked({
  renderer: {
    // A line wider than the screen scrolls, also by keyboard.
    code: ({text, lang = ''}) =>
      `<pre role="group" tabindex="0" aria-label="${nameOfCode(lang)}"><code>${highlight(text, lang)
        .map(({kind, text}) => (kind === 'plain' ? escape(text) : `<span class="${kind}">${escape(text)}</span>`))
        .join('')}</code></pre>\n`,
    // The names of options and properties are not broken at hyphens.
    codespan: ({text}) => `<code${text.length > 24 ? '' : ' class="whole"'}>${escape(text)}</code>`,
    // What is said about one name after the other is read like a table.
    list(token): string {
      const facts = token.items.map(({text}) => FACT.exec(text)?.groups);
      if (!facts.every(fact => fact !== undefined)) return String(Renderer.prototype.list.call(this, token));
      const inline = (text = ''): string => marked.parseInline(text, {async: false});
      const items = facts.map(({name, kind, fields, says}) => {
        const more = kind ?? fields;
        return `<li>${inline(name)} ${more ? `<span class="kind">${inline(more)}</span> ` : ''}${says ? `<p>${inline(says)}</p>` : ''}</li>`;
      });
      return `<ul class="facts" role="list">${items.join('\n')}</ul>\n`;
    },
    // A table wider than the screen scrolls by itself, also by keyboard.
    table(token) {
      const [first] = token.header;
      // The tables of a page are distinguished: by their first row if the first column has no title.
      const label = escape((first?.text || token.rows[0]?.[0]?.text || 'Table').replaceAll('`', ''));
      return `<div class="wide" role="region" tabindex="0" aria-label="${label}">${String(Renderer.prototype.table.call(this, token)).replaceAll('<th></th>', '<td></td>')}</div>\n`;
    },
  },
});

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
  const address = (request.url ?? '').split('?')[0] ?? '';
  const path = address.replace(/^\/docs\//, '');
  const name = path.replace(/(?:\.md|\.html|\/)$/, '');
  if (path === '/docs') {
    response.writeHead(308, {location: '/docs/'}).end();
  } else if (Object.hasOwn(SHORT, name)) {
    response.writeHead(308, {location: `/docs/${SHORT[name] ?? ''}`}).end();
  } else if (!path) {
    response.writeHead(200, HTML).end(renderHome());
  } else if (PATHS.includes(path)) {
    response.writeHead(200, HTML).end(renderPage(path));
  } else if (path === SEARCH_INDEX) {
    response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(createSearchIndex()));
  } else if (Object.hasOwn(SHARED, path)) {
    response.writeHead(200, {'content-type': SHARED[path]}).end(readFileSync(join(ROOT, 'demo', path)));
  } else if (Object.hasOwn(FILES, path)) {
    response.writeHead(200, {'content-type': FILES[path]}).end(readFileSync(join(ROOT, path)));
  } else {
    response.writeHead(404, HTML).end(renderNotFound(address));
  }
};

/** A page that leads to another, for hosts that cannot redirect. */
export function renderRedirect(to: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="refresh" content="0; url=${to}" />
    <title>This page is somewhere else</title>
  </head>
  <body>
    <p><a href="${to}">This page is here.</a></p>
  </body>
</html>
`;
}

/** The header fields of a page. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = HTML;

/** The first page: what the widget is, what it looks like, and where to read what. */
export function renderHome(): string {
  const readme = read(readDocument('README.md'));
  const lead = readme.find(({type}) => type === 'paragraph');
  const sample = readme.find(({type}) => type === 'code');
  return renderFrame({
    title: 'Swap widget: documents',
    navigation: renderNavigation(''),
    main: `<div class="hero">
      <div>
        <h1>Swaps across chains, in one element</h1>
        ${marked.parser([lead, sample].filter(token => token !== undefined))}
        <p class="start">
          <a class="primary" href="/docs/demo/docs/installing.md">Install it</a>
          <a href="/">Try it in the playground</a>
        </p>
        <p class="quiet">
          It needs a swap service: its URL, and an app id from whoever runs it.
          <a href="/docs/demo/docs/installing.md#what-you-need">What you need</a>
        </p>
      </div>
      ${LIVE_PICTURE}
      <dl class="reasons">
        <div>
          <dt><a href="/docs/demo/docs/affiliate-fees.md">You earn a share</a></dt>
          <dd>Of each swap, at your own address, if you want one. Visitors see it before they agree.</dd>
        </div>
        <div>
          <dt><a href="/docs/demo/docs/safety.md">What is signed is what was agreed</a></dt>
          <dd>Everything is compared before a wallet is asked, and the chain is the witness of what arrived.</dd>
        </div>
        <div>
          <dt><a href="/docs/demo/docs/styling.md">It looks like your site</a></dt>
          <dd>Three custom properties for colors, eleven languages, light and dark.</dd>
        </div>
        <div>
          <dt><a href="/docs/demo/docs/speed.md">Little to load at first</a></dt>
          <dd>${sizeOf(readme)} No framework, no dependencies.</dd>
        </div>
      </dl>
    </div>
    ${renderCards()}`,
    kind: 'home',
  });
}

/** What the form weighs, and when the rest loads, as the README says. */
function sizeOf(readme: readonly Token[]): string {
  return escape(readme.find(({raw}) => raw.startsWith('The form is '))?.raw.trim() ?? '');
}

/**
 * The page for a wrong URL.
 * @param address - Without origin and query. Without it the page shows none, as a file for any URL.
 */
export function renderNotFound(address?: string): string {
  return renderFrame({
    title: 'Page not found: swap widget',
    navigation: renderNavigation(''),
    main: `<h1>Page not found</h1>
    <p>There is nothing at ${address === undefined ? 'this address' : `<code>${escape(address)}</code>`}. The page may have been moved: search for it, or look below.</p>
    <p class="start">
      <a class="primary" href="/docs/">All documents</a>
      <a href="/">Playground</a>
    </p>
    ${renderCards()}`,
    kind: 'home',
  });
}

/** All documents, each with its first sentence. */
function renderCards(): string {
  const groups = Object.entries(DOCUMENTS).map(([title, paths]) => {
    const items = paths.map(
      path => `<li><a href="/docs/${path}">${titleOf(path)}</a><p>${escape(summaryOf(path))}</p></li>`,
    );
    return `<section><h2>${title}</h2><ul class="cards">${items.join('')}</ul></section>`;
  });
  return groups.join('\n');
}

/** A document as a page. */
export function renderPage(path: string): string {
  const tokens = read(readDocument(path));
  const headings = headingsOf(tokens);
  const sections = [...headings].filter((entry): entry is [Tokens.Heading, string] => {
    const [token] = entry;
    return isHeading(token) && (token.depth === 2 || token.depth === 3);
  });
  const list = `<ul>${sections
    .map(
      ([token, id]) =>
        `<li${token.depth === 3 ? ' class="inner"' : ''}><a href="#${id}">${escape(plain(token))}</a></li>`,
    )
    .join('')}</ul>`;
  const isLong = sections.length > MOST_HEADINGS;
  const lead = tokens.find(({type}) => type === 'paragraph');
  const body = tokens.map(token => {
    const id = headings.get(token);
    // On GitHub, such a page has a list of its own.
    if (isLong && isContents(token)) return '';
    if (isLong && token === lead) return marked.parser([token]) + renderFolded(list);
    if (token.type === 'html' && token.raw.startsWith('<picture>')) return LIVE_PICTURE;
    return isHeading(token) ? renderHeading(token, id) : marked.parser([token]);
  });
  const at = PATHS.indexOf(path);
  return renderFrame({
    title: `${titleOf(path)}: swap widget`,
    navigation: renderNavigation(path),
    main: `${body.join('\n')}
      <nav class="beside" aria-label="Previous and next">
        ${renderNeighbor('Previous', PATHS[at - 1])}
        ${renderNeighbor('Next', PATHS[at + 1])}
      </nav>`,
    aside:
      sections.length > 1 ? `<nav class="sections" aria-label="On this page"><h2>On this page</h2>${list}</nav>` : '',
  });
}

function renderHeading(token: Tokens.Heading, id = ''): string {
  const level = String(token.depth);
  const words = Parser.parseInline(token.tokens);
  // A section is a link to itself, unless it has another in its heading.
  const isLink = token.depth > 1 && !words.includes('<a ');
  return `<h${level} id="${id}">${isLink ? `<a href="#${id}">${words}</a>` : words}</h${level}>`;
}

/** The list of a page's sections, where there is no room beside the text. */
function renderFolded(list: string): string {
  return `<details class="on-page"><summary>On this page</summary><nav aria-label="On this page">${list}</nav></details>\n`;
}

/** Whether a list only leads to sections of its page. */
function isContents(token: Token): boolean {
  return (
    token.type === 'list' &&
    (token as Tokens.List).items.every(({text}) => /^(?:(?:^| · )\[[^\]]*\]\(#[^)]*\))+$/.test(text))
  );
}

function nameOfCode(language: string): string {
  return language === 'sh' ? 'Commands' : language ? `Code, ${language}` : 'Code';
}

interface Frame {
  /** As HTML. */
  readonly title: string;
  readonly navigation: string;
  readonly main: string;
  readonly aside?: string;
  readonly kind?: string;
}

/** The frame of all pages. If there is room, the list of documents is always visible instead of in a popover. */
function renderFrame({title, navigation, main, aside = '', kind = 'page'}: Frame): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/page.css" />
    <link rel="stylesheet" href="/docs/documents.css" />
    <script type="module" src="/docs/search.js"></script>${main.includes('<pre ') ? COPYING : ''}
  </head>
  <body class="document ${kind}">
    <a class="skip" href="#main">Skip to the text</a>
    <header class="site">
      <button class="button" type="button" popovertarget="contents">Contents</button>
      <a class="home-link" href="/docs/"><span class="brand" aria-hidden="true"></span>Swap widget</a>
      <search id="search" hidden>
        <input type="search" id="search-words" aria-label="Search the documents" placeholder="Search" autocomplete="off" />
        <p class="hidden" role="status"></p>
        <ul hidden></ul>
      </search>
      <a href="/">Playground</a>
    </header>
    <nav id="contents" class="contents" aria-label="Documents" popover>${navigation}</nav>
    <main id="main">${main}</main>
    ${aside}
  </body>
</html>
`;
}

function renderNavigation(current: string): string {
  const groups = Object.entries(DOCUMENTS).map(([title, paths]) => {
    const items = paths.map(path => {
      const mark = path === current ? ' aria-current="page"' : '';
      return `<li><a href="/docs/${path}"${mark}>${titleOf(path)}</a></li>`;
    });
    return `<h2>${title}</h2><ul>${items.join('')}</ul>`;
  });
  return groups.join('');
}

function renderNeighbor(label: string, path: string | undefined): string {
  return path === undefined
    ? ''
    : `<a class="${label.toLowerCase()}" href="/docs/${path}"><span>${label}</span>${titleOf(path)}</a>`;
}

// -- the search

/** One section of a document. */
export interface SearchEntry {
  /** Below `/docs/`, with the anchor of its heading. */
  readonly path: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
  /** What readers call it. */
  readonly also?: string;
  /** Whether its document is for those who work on the widget, not for those who use it. */
  readonly isInternal: boolean;
}

/** All sections of all documents. */
export function createSearchIndex(): readonly SearchEntry[] {
  return PATHS.flatMap(path => {
    const page = unescape(titleOf(path));
    const tokens = read(readDocument(path));
    const headings = headingsOf(tokens);
    const isInternal = (DOCUMENTS['For engineers'] as readonly string[]).includes(path);
    const entries: (Omit<SearchEntry, 'text'> & {text: string})[] = [];
    for (const token of tokens) {
      const id = headings.get(token);
      if (id !== undefined && isHeading(token)) {
        const isTitle = token.depth === 1;
        const heading = isTitle ? page : plain(token);
        const place = isTitle ? path : `${path}#${id}`;
        const also = ALSO[place];
        entries.push({path: place, page, heading, text: '', isInternal, ...(also !== undefined && {also})});
        continue;
      }
      const entry = entries.at(-1);
      if (entry) entry.text = `${entry.text} ${wordsOf(token)}`.trim();
    }
    return entries;
  });
}

/** The text of a block, without formatting. */
function wordsOf(token: Token): string {
  const text =
    token.type === 'code'
      ? (token as Tokens.Code).text
      : unescape(marked.parser([token]).replace(/<!--[^]*?-->|<[^>]*>/g, ' '));
  return text
    .replace(/\s+/g, ' ')
    .replace(/ ([.,;:])(?=\s|$)/g, '$1')
    .replace(/(?<=\() | (?=\))/g, '')
    .trim();
}

/** The first sentence of a document. */
function summaryOf(path: string): string {
  const first = read(readDocument(path)).find(({type}) => type === 'paragraph');
  const words = first ? wordsOf(first) : '';
  return /^.*?[.:](?=\s|$)/.exec(words)?.[0].replace(/:$/, '.') ?? words;
}

/** A document's title, as HTML: its first heading. */
function titleOf(path: string): string {
  if (path === 'README.md') return 'Overview';
  const [, title = ''] = /^# (.*)$/m.exec(readDocument(path)) ?? [];
  return escape(title.replaceAll('`', ''));
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Plain text from the output of `escape` and Marked. */
function unescape(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

/** The text of a heading, without formatting. */
function plain({tokens}: Tokens.Heading): string {
  return tokens.map(token => ('text' in token ? String(token.text) : token.raw)).join('');
}
