import {deepEqual, equal, match, ok} from 'node:assert/strict';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {createSearchIndex, DOCUMENTS, servePage} from '../../demo/documents.js';
import {serve} from '../../demo/sandbox/http.js';
import {serveFiles} from '../../demo/sandbox/page.js';

describe('the documents as pages', () => {
  let server: Server;
  let origin: string;

  before(async () => {
    server = createServer(servePage);
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  after(() => {
    server.close();
  });

  it('start with a page that shows the current widget and links to every document', async () => {
    const page = await (await fetch(`${origin}/docs/`)).text();
    match(page, /<iframe [^>]*src="\/stages\.html\?state=form-two-coins/);
    for (const path of Object.values(DOCUMENTS).flat()) ok(page.includes(`<li><a href="/docs/${path}">`), path);
    // Each with a sentence on what it is for.
    match(page, /Security<\/a><p>How to report a vulnerability in the widget/);
  });

  it('have a search index of all sections, with valid anchors', async () => {
    const index = (await (await fetch(`${origin}/docs/search.json`)).json()) as ReturnType<typeof createSearchIndex>;
    deepEqual(index, createSearchIndex());
    ok(index.length > 150);
    const pages = new Map<string, string>();
    for (const {path, text} of index) {
      const [file = '', anchor] = path.split('#');
      if (!pages.has(file)) pages.set(file, await (await fetch(`${origin}/docs/${file}`)).text());
      if (anchor !== undefined) ok(pages.get(file)?.includes(`id="${anchor}"`), path);
      ok(!/&(?:lt|quot|#39);/.test(text), path);
    }
  });

  describe('are found', () => {
    type Index = ReturnType<typeof createSearchIndex>;
    let find: (typed: string) => {found: readonly string[]; hasAll: boolean};

    before(async () => {
      // A script of the pages, which has no types.
      const finding = (await import(new URL('../../demo/finding.js', import.meta.url).href)) as {
        wordsOf(typed: string): readonly string[];
        find(index: Index, words: readonly string[]): {found: Index; hasAll: boolean};
      };
      const index = createSearchIndex();
      find = typed => {
        const {found, hasAll} = finding.find(index, finding.wordsOf(typed));
        return {found: found.map(({path}) => path), hasAll};
      };
    });

    it('by the words of those who look for them, among the first three', () => {
      const expected: Readonly<Record<string, string>> = {
        'Content-Security-Policy': 'strict-pages.md',
        'button colour': 'styling.md',
        'next.js': 'frameworks.md#nextjs',
        slippage: 'safety.md#the-price-is-a-floor',
        'getting started': 'installing.md',
        apikey: 'installing.md',
        webhook: 'events.md',
        refund: 'safety.md#refunds',
        gdpr: 'safety.md#privacy',
        fees: 'affiliate-fees.md',
      };
      for (const [typed, path] of Object.entries(expected)) {
        const {found, hasAll} = find(typed);
        ok(hasAll, typed);
        ok(found.slice(0, 3).includes(`demo/docs/${path}`), `${typed}: ${found.slice(0, 5).join(' ')}`);
      }
    });
  });

  it('are all there, run no script but the search, and link to each other', async () => {
    const pages = new Map<string, Response & {readonly page: string}>();
    const open = async (url: string) => {
      const known = pages.get(url);
      if (known) return known;
      const response = await fetch(url);
      const opened = Object.assign(response, {page: await response.text()});
      pages.set(url, opened);
      return opened;
    };
    for (const path of Object.values(DOCUMENTS).flat()) {
      const {status, headers, page, url} = await open(`${origin}/docs/${path}`);
      equal(status, 200, path);
      match(headers.get('content-security-policy') ?? '', /^default-src 'none'/);
      for (const [, link = ''] of page.matchAll(/\b(?:href|src|srcset)="([^"]+)"/g)) {
        const {origin: place, pathname, hash} = new URL(link, url);
        if (place !== origin || !pathname.startsWith('/docs/')) continue;
        const target = await open(origin + pathname);
        equal(target.status, 200, `${path} leads to ${pathname}`);
        const id = decodeURIComponent(hash.slice(1));
        if (id) ok(target.page.includes(`id="${id}"`), `${path} leads to ${pathname}${hash}`);
      }
    }
  });

  it('are at short names, too', async () => {
    const names = {installing: 'installing', 'installing/': 'installing', 'strict-pages.html': 'strict-pages'};
    for (const [name, document] of Object.entries(names)) {
      const response = await fetch(`${origin}/docs/${name}?x`, {redirect: 'manual'});
      equal(response.status, 308, name);
      equal(response.headers.get('location'), `/docs/demo/docs/${document}.md`);
    }
  });

  it('expose no other file of the project', async () => {
    for (const path of ['package.json', '../package.json', '%2e%2e/package.json', 'demo/main.ts', 'constructor'])
      equal((await fetch(`${origin}/docs/${path}`, {redirect: 'manual'})).status, 404, path);
  });

  it('include a page for wrong addresses, which shows the address, and can find and links to all of them', async () => {
    const response = await fetch(`${origin}/docs/a"<b>?c`);
    equal(response.status, 404);
    match(response.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
    const page = await response.text();
    match(page, /There is nothing at <code>\/docs\/a(?:%22|&quot;)(?:%3C|&lt;)b(?:%3E|>)<\/code>/);
    match(page, /<search id="search"/);
    for (const path of ['', ...Object.values(DOCUMENTS).flat()]) ok(page.includes(`href="/docs/${path}"`), path);
    equal((await fetch(`${origin}/docs`)).url, `${origin}/docs/`);
  });

  it('are linked from the playground server’s page for wrong addresses; programs get JSON', async () => {
    const files = await serve(serveFiles({page: () => Promise.resolve(), dist: Promise.resolve()}), 0);
    try {
      const page = await fetch(`${files.url}/nothing/here`, {headers: {accept: 'text/html,*/*;q=0.8'}});
      equal(page.status, 404);
      match(await page.text(), /nothing at <code>\/nothing\/here<\/code>[^]*href="\/docs\/"/);
      const answer = await fetch(`${files.url}/nothing/here`);
      equal(answer.status, 404);
      match(((await answer.json()) as {error: string}).error, /no such endpoint/);
    } finally {
      await files.close();
    }
  });
});
