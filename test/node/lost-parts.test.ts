import {deepEqual, equal, ok} from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Page} from 'puppeteer-core';
import {axeViolations, browserForTests, serverForTests} from '../support/browser.js';
import {DIST} from '../support/dist.js';
import {scaled} from '../support/limits.js';

const WIDGET = `<swap-widget assets="base_sepolia:wbtc ethereum_sepolia:wbtc"></swap-widget><script>
  document.querySelector('swap-widget').baseUrl = location.origin;
</script>`;

/** A connection that fails for a moment, while a part of the widget is loading. */
describe('a part that did not arrive', () => {
  let lost: RegExp | undefined;
  let requested: string[];

  const browser = browserForTests();
  const server = serverForTests(({url = '', socket}, response) => {
    const {pathname, searchParams} = new URL(url, 'http://localhost');
    const file = decodeURIComponent(pathname);
    if (lost?.test(file)) return void socket.destroy();
    requested.push(pathname);
    if (file.endsWith('.js')) {
      response.setHeader('content-type', 'text/javascript').end(readFileSync(join(DIST, file)));
    } else if (pathname === '/') {
      response
        .setHeader('content-type', 'text/html')
        .end(
          `<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,">${searchParams.get('head') ?? ''}<script type="module" src="/define.js"></script><main><h1>A page</h1>${WIDGET}</main>`,
        );
    } else response.writeHead(503).end();
  });
  beforeEach(() => {
    lost = undefined;
    requested = [];
  });

  async function openPage(query: Readonly<Record<string, string>> = {}): Promise<Page> {
    const {page} = await browser.openPage(`${server.url}/?${new URLSearchParams(query).toString()}`);
    await page.waitForSelector('swap-widget >>> #amount', {visible: true});
    return page;
  }

  const press = async (page: Page, selector: string) =>
    (await page.waitForSelector(`swap-widget >>> ${selector}`, {visible: true}))!.click();
  const says = (page: Page, words: string) =>
    page.waitForSelector(`swap-widget >>> ::-p-text(${words})`, {visible: true, timeout: scaled(10_000)});

  for (const [name, files] of [
    ['the list itself', /asset-picker/],
    ['what it needs', /swap-picker/],
    ['the settings that it needs', /settings/],
    ['anything but the form', /chunks/],
  ] as const) {
    it(`opens the list of assets after ${name} failed to load`, async () => {
      lost = files;
      const page = await openPage();
      await press(page, 'button[aria-haspopup]');
      await says(page, 'couldn’t be loaded');
      lost = undefined;
      const again = await page.$('swap-widget >>> .foot-note button');
      if (again) await again.click();
      await press(page, 'button[aria-haspopup]');
      await page.waitForSelector('swap-widget >>> [role=option]', {visible: true});
      deepEqual(await axeViolations(page), []);
    });
  }

  it('arrives by itself once the connection is back', async () => {
    lost = /settings/;
    const page = await openPage();
    await says(page, 'couldn’t be loaded');
    lost = undefined;
    await page.setOfflineMode(true);
    await page.setOfflineMode(false);
    await press(page, 'button[aria-haspopup]');
    await page.waitForSelector('swap-widget >>> [role=option]', {visible: true});
    await page.waitForSelector('swap-widget >>> .foot-note', {hidden: true});
  });

  it('is no longer waited for once the widget is removed', async () => {
    lost = /settings/;
    const page = await openPage();
    await says(page, 'couldn’t be loaded');
    lost = undefined;
    await page.$eval('swap-widget', widget => {
      widget.remove();
    });
    requested.length = 0;
    await page.setOfflineMode(true);
    await page.setOfflineMode(false);
    await page.evaluate(() => new Promise(done => setTimeout(done, 300)));
    deepEqual(requested, []);
  });

  it('is requested at one address only where the page lists hashes', async () => {
    const hashes = JSON.parse(readFileSync(join(DIST, 'sri.json'), 'utf8')) as Readonly<Record<string, string>>;
    const [file, hash] = Object.entries(hashes).find(([name]) => name.includes('asset-picker'))!;
    lost = /asset-picker/;
    const page = await openPage({
      head: `<script type="importmap">${JSON.stringify({integrity: {[`/${file}`]: hash}})}</script>`,
    });
    await press(page, 'button[aria-haspopup]');
    await says(page, 'couldn’t be loaded');
    lost = undefined;
    await press(page, 'button[aria-haspopup]');
    await says(page, 'couldn’t be loaded');
    equal(requested.filter(path => path.includes('asset-picker')).length, 0);
    ok(
      requested.every(path => !path.includes('%')),
      requested.join(' '),
    );
  });
});
