/** The gallery of all states in a real browser, for tests in Node. */
import {rmSync} from 'node:fs';
import type {Page} from 'puppeteer-core';
import {createServer} from 'vite';
import {openBrowser, type TestBrowser} from './browser.js';
import {scaled} from './limits.js';

export interface Gallery {
  readonly browser: TestBrowser;
  goto(page: Page, query: string): Promise<void>;
  close(): Promise<void>;
}

export async function openGallery(): Promise<Gallery> {
  const cacheDir = `node_modules/.vite-gallery-${String(process.pid)}`;
  const vite = await createServer({logLevel: 'warn', cacheDir, server: {port: 0, host: '127.0.0.1', watch: null}});
  await vite.listen();
  const browser = await openBrowser();
  return {
    browser,
    async goto(page, query) {
      await page.goto(`${vite.resolvedUrls?.local[0] ?? ''}test/support/gallery.html?${query}`);
      await page.waitForSelector('[data-shown]', {timeout: scaled(120_000)});
      await page.waitForNetworkIdle({timeout: scaled(120_000)});
    },
    async close() {
      await browser.close();
      await vite.close();
      rmSync(cacheDir, {recursive: true, force: true});
    },
  };
}
