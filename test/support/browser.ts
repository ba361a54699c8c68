/** Real browser pages for tests in Node: reloads, other origins, strict policies. */
import {launch, type Browser, type Page} from 'puppeteer-core';
import {findChromium} from './chromium.js';

/** A page with its errors. */
export interface OpenPage {
  /** Wait with `waitForSelector('swap-widget >>> …', {visible: true})`, or changes in shadow trees are missed. */
  readonly page: Page;
  /** Uncaught errors and logged errors, including violations of the page's policy. */
  readonly errors: readonly string[];
  /** Violations of the page's policy: the directive, and what was blocked. */
  violations(): Promise<string[]>;
}

export interface TestBrowser {
  /** Opens an address in a new profile with empty storage. */
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
  // The compiler adds calls of this helper to named functions, which tests pass to the page.
  await page.evaluateOnNewDocument('globalThis.__name = value => value');
  // Runs before the page's scripts, also after each reload.
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
