/** Pages as a person has them, for tests in Node: real reloads, other origins, strict policies. */
import {launch, type Browser, type Page} from 'puppeteer-core';
import {findChromium} from './chromium.js';

/** A page, and what went wrong on it. */
export interface OpenPage {
  /** Wait with `waitForSelector('swap-widget >>> …', {visible: true})`: without it, changes in shadow trees go unseen. */
  readonly page: Page;
  /** Uncaught errors and what was logged as an error, violations of the page's policy among them. */
  readonly errors: readonly string[];
  /** What the page's policy forbade: the directive, and what was blocked. */
  violations(): Promise<string[]>;
}

export interface TestBrowser {
  /** Opens an address in a profile of its own: storage of other pages is not there. */
  openPage(url: string): Promise<OpenPage>;
  close(): Promise<void>;
}

export async function openBrowser(): Promise<TestBrowser> {
  const {executablePath, args, env, headless} = await findChromium();
  const browser: Browser = await launch({executablePath, args, env, headless});
  return {
    openPage: url => openPage(browser, url),
    close: () => browser.close(),
  };
}

async function openPage(browser: Browser, url: string): Promise<OpenPage> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const errors: string[] = [];
  page
    .on('pageerror', error => errors.push(String(error)))
    .on('console', message => {
      if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url ?? ''})`);
    });
  // Named functions that a test hands to the page carry a call of this helper, which the compiler left outside.
  await page.evaluateOnNewDocument('globalThis.__name = value => value');
  // Before any script of the page, and again after each reload.
  await page.evaluateOnNewDocument(() => {
    const seen: string[] = [];
    Object.assign(globalThis, {policyViolations: seen});
    addEventListener('securitypolicyviolation', ({effectiveDirective, blockedURI, sample}) => {
      seen.push([effectiveDirective, blockedURI, sample].filter(Boolean).join(' '));
    });
  });
  await page.goto(url);
  return {
    page,
    errors,
    violations: () =>
      page.evaluate(() => (globalThis as typeof globalThis & {policyViolations: string[]}).policyViolations),
  };
}
