import {equal, match, ok} from 'node:assert/strict';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {DOCUMENTS, servePage} from '../../demo/documents.js';

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

  it('expose no other file of the project', async () => {
    for (const path of ['package.json', '../package.json', '%2e%2e/package.json', 'demo/main.ts', 'constructor'])
      equal((await fetch(`${origin}/docs/${path}`, {redirect: 'manual'})).status, 404, path);
  });
});
