import {deepEqual, equal, match, ok} from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {extname, join} from 'node:path';
import type {Page} from 'puppeteer-core';
import {buildPlayground} from '../../demo/build.js';
import {controlsOf} from '../../demo/controls.js';
import {readManifest, type WidgetManifest} from '../../demo/manifest.js';
import {axeViolations, browserForTests, serverForTests} from '../support/browser.js';
import {scaled} from '../support/limits.js';
import {swapWithMock, Visitor} from '../support/visitor.js';

const TIMEOUT = {timeout: scaled(20_000)};
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

describe('the playground’s settings', () => {
  let manifest: WidgetManifest;
  before(async () => {
    manifest = await readManifest();
  });

  it('cover every attribute, property and custom property of the manifest', () => {
    const names = controlsOf(manifest, []).map(({name}) => name);
    const settable = manifest.members.filter(
      ({kind, attribute, readonly}) => kind === 'field' && attribute === undefined && !readonly,
    );
    const expected = [...manifest.attributes, ...settable, ...manifest.cssProperties].map(({name}) => name);
    ok(expected.length > 40);
    for (const name of new Set(expected)) ok(names.includes(name), name);
    equal(new Set(names).size, names.length, 'something is there twice');
  });
});

describe('the playground, built for any host', () => {
  let folder: string;
  const requests: string[] = [];

  const browser = browserForTests();
  const server = serverForTests(({url = ''}, response) => {
    const {pathname} = new URL(url, 'http://localhost');
    requests.push(pathname);
    try {
      // In a subfolder of its host, which is allowed.
      const file = readFileSync(
        join(folder, pathname.replace(/^\/some\/where\//, '').replace(/(^|\/)$/, '$1index.html')),
      );
      response.setHeader('content-type', TYPES[extname(pathname) || '.html'] ?? 'image/webp').end(file);
    } catch {
      response.writeHead(404).end();
    }
  });

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'playground-'));
    await buildPlayground(folder);
  });
  after(() => rmSync(folder, {recursive: true}));

  async function visit(query = '') {
    const opened = await browser.openPage(`${server.url}/some/where/${query}`);
    await opened.page.waitForSelector('[data-control="from"]', TIMEOUT);
    await opened.page.setViewport({width: 1440, height: 900});
    return opened;
  }

  const text = (page: Page, selector: string) => page.$eval(selector, element => element.textContent ?? '');

  async function choose(page: Page, name: string, value: string) {
    await page.$eval(
      `[data-control="${name}"] :is(select, input[type=text], textarea)`,
      (field, value) => {
        (field as HTMLInputElement).value = value;
        field.dispatchEvent(new Event('change', {bubbles: true}));
      },
      value,
    );
  }

  /** Waits until the page's widget shows an amount to receive, and that everything is a mock. */
  async function playsMadeUp(page: Page) {
    await page.waitForSelector('#widget ::-p-text(Mock service)', {...TIMEOUT, visible: true});
    const field = await page.waitForSelector('#widget >>> input#receive', TIMEOUT);
    await page.waitForFunction(field => Number(field?.value.replace(/[^\d.]/g, '')) > 0, TIMEOUT, field);
  }

  it('runs on a mock service at first, says so, and names no service in its URL or code', async () => {
    const {page, errors} = await visit();
    await playsMadeUp(page);
    match(await text(page, '#about'), /A mock service in this page answers/);
    equal(await page.$('#stage iframe'), null);
    equal(await page.$eval('#wallets-tab', tab => (tab as HTMLElement).hidden), true);
    await page.click('#simulate-tab');
    await page.waitForFunction(() => document.querySelectorAll('#stages option').length > 50, TIMEOUT);
    equal(await text(page, '#faults'), '');
    ok(!new URL(page.url()).searchParams.has('base-url'));
    match(await text(page, '#code'), /base-url="https:\/\/the\.service"/);
    deepEqual(errors, []);
    ok(!requests.some(path => /\/sandbox(?:\/|$)/.test(path)), 'asked for a sandbox');
    // With real money, there is no mock unless a person clicks for it.
    await choose(page, 'to', 'bitcoin:btc');
    await page.waitForSelector('#stage iframe', TIMEOUT);
    match(await text(page, '#notes'), /No service is set yet/);
    equal(await page.$('#widget ::-p-text(Mock service)'), null);
  });

  it('swaps to “Received” where no sandbox answers', async () => {
    const {page} = await visit('?from=bitcoin_testnet:btc&to=base_sepolia:wbtc&amount=0.01');
    const visitor = new Visitor(page, undefined as never);
    await visitor.typeAddress('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'pay');
    await visitor.typeAddress('0x000000000000000000000000000000000000dEaD');
    await swapWithMock(page, []);
  });

  it('applies a change to the widget, the code and the URL, which restores it', async () => {
    const {page, errors} = await visit();
    await choose(page, 'base-url', server.url);
    await choose(page, 'from', 'base_sepolia:wbtc');
    await choose(page, 'policy', '{"maxCostBps": 300}');
    await choose(page, '--swap-accent', '#b4542c');
    await choose(page, 'app-id', 'a'.repeat(64));
    const state = () =>
      page.$eval('#widget', widget => [
        widget.getAttribute('from'),
        (widget as Element & {policy?: unknown}).policy,
        (widget as HTMLElement).style.getPropertyValue('--swap-accent'),
        widget.getAttribute('app-id')?.length,
      ]);
    const expected = ['base_sepolia:wbtc', {maxCostBps: 300}, '#b4542c', 64];
    deepEqual(await state(), expected);
    // The page gets the script's hash before it shows its code.
    await page.waitForFunction(() => document.querySelector('#code')?.textContent);
    const code = await text(page, '#code');
    for (const part of [
      'from="base_sepolia:wbtc"',
      'widget.policy = {maxCostBps: 300};',
      '--swap-accent: #b4542c;',
      'integrity="sha384-',
    ])
      ok(code.includes(part), part);
    ok(!page.url().includes('aaaa'), 'a key is in the address');
    await page.reload();
    await page.waitForSelector('[data-control="from"]', TIMEOUT);
    deepEqual(await state(), expected);
    await page.waitForFunction(() => document.querySelector('#code')?.textContent);
    equal(await text(page, '#code'), code);
    deepEqual(
      errors.filter(error => !error.includes('404')),
      [],
    );
  });

  it('reports and ignores what is invalid in a URL, and contacts no service that it only names', async () => {
    const broken = new URLSearchParams({
      theme: 'purple',
      policy: '{',
      '--swap-surface': 'url(https://thief.example)',
      // These would end a declaration in a style sheet, but not a single value.
      '--swap-font': '"serif',
      '--swap-ink': 'var(--page-ink',
      '--swap-radius': '1px/*',
      '--swap-accent': 'red\\',
      'price-tolerance': 'some',
      nothing: '1',
      rpc: 'base https://thief.example',
      tab: 'nowhere',
      'base-url': 'https://thief.example',
      to: 'base_sepolia:wbtc',
    });
    const {page} = await visit(`?${String(broken)}`);
    const asked: string[] = [];
    page.on('request', request => asked.push(request.url()));
    const notes = await text(page, '#notes');
    for (const name of [...broken.keys()].filter(name => !['base-url', 'to'].includes(name)))
      match(notes, new RegExp(`${name}: `), name);
    match(notes, /names a service: https:\/\/thief\.example/);
    equal(await page.$eval('#widget', widget => widget.getAttribute('base-url')), null);
    equal(await page.$eval('#widget', widget => widget.getAttribute('to')), 'base_sepolia:wbtc');
    await choose(page, 'policy', '[');
    match(await text(page, '[data-control="policy"] .problem'), /^policy: This is not JSON/);
    deepEqual(
      asked.filter(url => url.includes('thief')),
      [],
    );
  });

  for (const theme of ['light', 'dark'])
    it(`is accessible at each tab, and with all that can be set on a phone, in ${theme}`, async () => {
      const {page} = await visit(`?theme=${theme}`);
      for (const tab of ['configure', 'events', 'code', 'simulate']) {
        await page.click(`#${tab}-tab`);
        deepEqual(await axeViolations(page), [], tab);
      }
      await page.setViewport({width: 400, height: 900});
      await page.click('#configure-tab');
      await choose(page, 'lang', 'de');
      await page.$$eval('details.group', groups => {
        for (const group of groups) group.open = true;
      });
      deepEqual(await axeViolations(page), [], 'all that can be set');
      equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    });
});
