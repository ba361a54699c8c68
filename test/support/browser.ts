/** Real browser pages for tests in Node: reloads, other origins, strict policies. */
import {readFileSync} from 'node:fs';
import type {RequestListener} from 'node:http';
import {setTimeout as sleep} from 'node:timers/promises';
import {launch, type Browser, type LaunchOptions, type Page} from 'puppeteer-core';
import {serve, type RunningServer} from '../../demo/sandbox/http.js';
import {findBrowser, WebKit} from './browsers.js';
import {findChromium} from './chromium.js';
import {scaled} from './limits.js';
import type {WebDriverPage} from './webdriver.js';

declare global {
  /** In a test's page: all elements in something, through all shadow roots, in the order of the page. */
  var everything: (root?: ParentNode) => HTMLElement[];
}

export interface OpenPage {
  /** Its `waitForSelector` and `waitForFunction` look every 50 ms, into shadow trees (`swap-widget >>> …`) too. */
  readonly page: Page;
  /** Uncaught errors and logged errors, including violations of the page's policy. */
  readonly errors: readonly string[];
  /** Violations of the page's policy: the directive, and what was blocked. */
  violations(): Promise<string[]>;
}

export interface TestBrowser {
  /** Opens a URL in a new profile with empty storage. */
  openPage(url: string): Promise<OpenPage>;
  /** Closes all pages: one that stays open goes on asking for prices. */
  closePages(): Promise<void>;
  close(): Promise<void>;
}

export async function openBrowser(): Promise<TestBrowser> {
  const {executablePath, args, env, headless} = await findChromium();
  const browser = await start({executablePath, args, env, headless});
  return {
    openPage: url => openPage(browser, url),
    async closePages() {
      const opened = browser.browserContexts().filter(context => context !== browser.defaultBrowserContext());
      await Promise.all(opened.map(context => context.close()));
    },
    close: () => browser.close(),
  };
}

/** A browser for the tests of a suite, opened before the first one. The pages of each are closed after it. */
export function browserForTests(): Pick<TestBrowser, 'openPage'> {
  let browser: TestBrowser;
  before(async () => {
    browser = await openBrowser();
  });
  afterEach(() => browser.closePages());
  after(() => browser.close());
  return {openPage: url => browser.openPage(url)};
}

/** A server for the tests of a suite, on a free port. */
export function serverForTests(listener: RequestListener): Pick<RunningServer, 'url'> {
  let server: RunningServer;
  before(async () => {
    server = await serve(listener, 0);
  });
  after(() => server.close());
  return {
    get url() {
      return server.url;
    },
  };
}

/** On a machine with much to do it may end as it begins, without a word. */
function start(options: LaunchOptions): Promise<Browser> {
  const again = () => launch(options);
  return again().catch(again).catch(again);
}

async function openPage(browser: Browser, url: string): Promise<OpenPage> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(scaled(30_000));
  page.setDefaultNavigationTimeout(scaled(120_000));
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
    globalThis.everything = (root = document) =>
      [...root.querySelectorAll<HTMLElement>('*')].flatMap(element => [
        element,
        ...(element.shadowRoot ? everything(element.shadowRoot) : []),
      ]);
    Object.assign(globalThis, {policyViolations: seen});
    addEventListener('securitypolicyviolation', ({effectiveDirective, blockedURI, sample}) => {
      seen.push([effectiveDirective, blockedURI, sample].filter(Boolean).join(' '));
    });
  });
  lookLessOften(page);
  await page.goto(url);
  return {
    page,
    errors,
    violations: () =>
      page.evaluate(() => (globalThis as typeof globalThis & {policyViolations: string[]}).policyViolations),
  };
}

/** Milliseconds between two looks for what a test waits for. */
const LOOK_MS = 50;

/** Puppeteer looks for an element with each frame, which can take more work than the page itself. */
function lookLessOften(page: Page): void {
  const waitForFunction = page.waitForFunction.bind(page);
  page.waitForFunction = (work, options, ...args) => waitForFunction(work, {polling: LOOK_MS, ...options}, ...args);

  async function waitForSelector(selector: string, {visible = false, timeout = page.getDefaultTimeout()} = {}) {
    const end = performance.now() + timeout;
    for (;;) {
      let cause: unknown;
      try {
        const found = await page.$(selector);
        if (found && (!visible || (await found.isVisible()))) return found;
        await found?.dispose();
      } catch (error) {
        // The page may be on its way to another one.
        cause = error;
      }
      if (performance.now() > end || page.isClosed()) throw new Error(`There is no ${selector}.`, {cause});
      await sleep(LOOK_MS);
    }
  }
  page.waitForSelector = waitForSelector as typeof page.waitForSelector;
}

/** A page in any browser, with what all of their drivers support. */
export interface AnyPage {
  readonly page: Pick<WebDriverPage, 'evaluate'>;
  /** As in `OpenPage`. `undefined` if a driver does not report them. */
  readonly errors: readonly string[] | undefined;
  violations(): Promise<string[]>;
}

/** Opens pages in the browser that `TEST_BROWSER` names. */
export async function openAnyBrowser(): Promise<{openPage(url: string): Promise<AnyPage>; close(): Promise<void>}> {
  const found = await findBrowser();
  if (found.name === 'WebKit') {
    const browser = new WebKit(found.program);
    return {openPage: async url => openInWebKit(await browser.openPage(), url), close: () => browser.close()};
  }
  const browser = await start(found.options);
  const open = async (url: string): Promise<AnyPage> => {
    const {page, ...rest} = await openPage(browser, url);
    // Its type also supports handles, which are not used here.
    return {
      ...rest,
      page: {evaluate: (work, ...args) => page.evaluate(work as () => never, ...(args as unknown as []))},
    };
  };
  return {openPage: open, close: () => browser.close()};
}

async function openInWebKit(page: WebDriverPage, url: string): Promise<AnyPage> {
  await page.goto(url);
  return {
    page,
    errors: undefined,
    // The driver runs nothing before the page's scripts, but the browser keeps a record.
    violations: () =>
      page.evaluate(() => {
        const observer = new ReportingObserver(() => undefined, {types: ['csp-violation'], buffered: true});
        observer.observe();
        return observer.takeRecords().map(({body}) => JSON.stringify(body));
      }),
  };
}

/** The violations that axe finds in a page, whatever its policy, with their elements. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'));
  return page.evaluate(async () => {
    const {axe} = globalThis as unknown as {
      axe: {run(): Promise<{violations: {id: string; nodes: {html: string}[]}[]}>};
    };
    const {violations} = await axe.run();
    return violations.map(({id, nodes}) => `${id}: ${nodes.map(({html}) => html).join(' ')}`);
  });
}
