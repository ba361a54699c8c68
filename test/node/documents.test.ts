import {deepEqual, equal, match, ok} from 'node:assert/strict';
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import type {IncomingHttpHeaders} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Page} from 'puppeteer-core';
import ts from 'typescript';
import {buildDocuments} from '../../demo/build.js';
import {readDocument, sitePages} from '../../demo/documents.js';
import {serve, type RunningServer} from '../../demo/sandbox/http.js';
import {axeViolations, browserForTests} from '../support/browser.js';
import {serveFolder} from '../support/examples.js';
import {scaled} from '../support/limits.js';

const BASE = '/some/where/docs/';
const SITE = `${(JSON.parse(readFileSync('package.json', 'utf8')) as {homepage: string}).homepage}docs/`;
/** All pages but the first, and one for wrong URLs. */
const NAMES = Object.values(sitePages()).flatMap(pages => pages.map(({name}) => name));

describe('the documents’ site', () => {
  let root: string;
  let folder: string;
  let server: RunningServer;
  const browser = browserForTests();

  before(async function () {
    this.timeout(scaled(300_000));
    root = mkdtempSync(join(tmpdir(), 'documents-'));
    folder = join(root, BASE);
    await buildDocuments(folder, BASE);
    server = await serveFolder(root);
  });
  after(async () => {
    await server.close();
    rmSync(root, {recursive: true});
  });

  const read = (file: string) => readFileSync(join(folder, file), 'utf8');

  /** Waits until a page is the first that is found by what a reader types, and opens it. */
  async function findBy(page: Page, words: string, name: string): Promise<void> {
    // Each without a place on the screen, which moves while a page arrives and the list grows.
    await (await page.waitForSelector('.VPNavBarSearch button'))!.evaluate(button => button.click());
    await (await page.waitForSelector('.VPLocalSearchBox input'))!.evaluate((box, words) => {
      box.value = words;
      box.dispatchEvent(new Event('input'));
    }, words);
    await (await page.waitForSelector(`li:first-child a.result[href*="/${name}.html"]`))!.evaluate(a => a.click());
    await page.waitForFunction(name => location.pathname.endsWith(`/${name}.html`), {}, name);
  }

  it('has every document, and each link on each page leads to a page, a heading or a file', () => {
    const pages = readdirSync(folder).filter(file => file.endsWith('.html'));
    deepEqual(pages.sort(), [...NAMES, 'index', '404'].map(name => `${name}.html`).sort());
    const wrong: string[] = [];
    for (const from of pages) {
      // The playground is the folder above.
      for (const [, link = ''] of read(from).matchAll(/\b(?:href|src)="((?!\.\.\/|data:)[^"]*)"/g)) {
        const {origin, pathname, hash} = new URL(link.replaceAll('&amp;', '&'), `http://localhost${BASE}${from}`);
        if (origin !== 'http://localhost') continue;
        const file = pathname.slice(BASE.length) || 'index.html';
        const isThere = pathname.startsWith(BASE) && existsSync(join(folder, file));
        const id = decodeURIComponent(hash.slice(1));
        if (!isThere || (id && !read(file).includes(`id="${id}"`))) wrong.push(`${from}: ${link}`);
      }
    }
    deepEqual(wrong, []);
  });

  it('names each page’s canonical URL, its Markdown and a picture, and lists all in a sitemap', () => {
    const sitemap = read('sitemap.xml');
    for (const name of NAMES) {
      const page = read(`${name}.html`);
      ok(page.includes(`<link rel="canonical" href="${SITE}${name}.html">`), name);
      ok(page.includes(`<link rel="alternate" type="text/markdown" href="${SITE}${name}.md">`), name);
      ok(sitemap.includes(`<loc>${SITE}${name}.html</loc>`), name);
      match(page, /<meta name="description" content="[^"]{20,}">/);
    }
    ok(read('installing.html').includes(`<meta property="og:image" content="${SITE}shared.png">`));
    // Its width and height, at the beginning of a PNG.
    const bytes = readFileSync(join(folder, 'shared.png'));
    deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1200, 630]);
    ok(read('index.html').includes(`<link rel="canonical" href="${SITE}">`));
  });

  it('has each page as Markdown for programs, a list of all, and all for partners in one file', () => {
    const [list, whole] = [read('llms.txt'), read('llms-full.txt')];
    match(list, /^# .+\n\n> .+\n\n## /);
    for (const [group, pages] of Object.entries(sitePages()))
      for (const {name, title} of pages) {
        const text = read(`${name}.md`);
        ok(list.includes(`- [${title}](${SITE}${name}.md): `), name);
        equal(whole.includes(text), group !== 'For engineers', name);
        for (const [, link = ''] of text.matchAll(/\]\(\.\/([^)#]+)/g)) ok(statSync(join(folder, link)).size, link);
      }
  });

  it('finds a page by its words and by what readers call it, those for partners first', async () => {
    const {page} = await browser.openPage(`${server.url}${BASE}overview.html`);
    // Until its scripts run, nobody hears a click.
    await page.waitForFunction(() => '__vue_app__' in document.querySelector('#app')!);
    await findBy(page, 'slippage', 'safety');
    await findBy(page, 'dark mode', 'styling');
    await findBy(page, 'webhook', 'payments');
    await findBy(page, 'conversion', 'events');
  });

  it('has a proxy that adds the app id for one site alone', async () => {
    const asked: IncomingHttpHeaders[] = [];
    const service = await serve(({headers}, response) => {
      asked.push(headers);
      response.writeHead(201).end();
    }, 0);
    const [, sample = ''] = /^```ts\n([^]*?)^```/m.exec(readDocument('demo/docs/site-builders.md')) ?? [];
    const program = ts.transpile(sample.replace('https://the.service', service.url), {target: ts.ScriptTarget.ES2022});
    const {default: proxy} = (await import(`data:text/javascript,${encodeURIComponent(program)}`)) as {
      default: {fetch(request: Request, env: object): Promise<Response>};
    };
    const ask = async (origin: string, path: string) => {
      const request = new Request(`https://proxy.example${path}`, {method: 'POST', headers: {origin}, body: '{}'});
      return (await proxy.fetch(request, {APP_ID: 'ab'.repeat(32)})).status;
    };
    equal(await ask('https://thief.example', '/v2/orders'), 403);
    equal(await ask('https://your.site', '/admin'), 403);
    equal(await ask('https://your.site', '/v2/orders'), 201);
    deepEqual([asked[0]?.['service-app-id'], asked[0]?.origin, asked.length], ['ab'.repeat(32), undefined, 1]);
    await service.close();
  });

  for (const theme of ['light', 'dark'] as const)
    it(`is accessible in ${theme}`, async () => {
      for (const name of ['', 'installing.html', 'reference.html', '404.html']) {
        const {page} = await browser.openPage('about:blank');
        await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: theme}]);
        await page.goto(`${server.url}${BASE}${name}`);
        await page.waitForSelector('main');
        equal(await page.$eval('html', html => html.classList.contains('dark')), theme === 'dark');
        deepEqual(await axeViolations(page), [], name);
      }
    });
});
