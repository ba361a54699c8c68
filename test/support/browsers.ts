/** The browsers on this machine that tests can run in, and what is missing. */
import {spawn, type ChildProcess} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import type {TestRunnerConfig} from '@web/test-runner';
import {chromeLauncher} from '@web/test-runner-chrome';
import {findChromium} from './chromium.js';
import {end, startDriver, WebDriverPage, type Driver, type DriverProgram} from './webdriver.js';

type Launcher = NonNullable<TestRunnerConfig['browsers']>[number];

export type BrowserName = 'Chromium' | 'Firefox' | 'WebKit';
export const BROWSERS: readonly BrowserName[] = ['Chromium', 'Firefox', 'WebKit'];

export const HOW_TO_INSTALL: Readonly<Record<BrowserName, string>> = {
  Chromium: 'install Chrome or Chromium, or name one in CHROME_PATH.',
  Firefox: 'install Firefox (Debian: apt-get install firefox-esr), or name one in FIREFOX_PATH.',
  WebKit: 'Debian: apt-get install webkit2gtk-driver xvfb. On a Mac: safaridriver --enable.',
};

/** The browser that tests run in: Chromium, or the one that `TEST_BROWSER` names. */
export function chosenBrowser(): BrowserName {
  const {TEST_BROWSER: name = 'Chromium'} = process.env;
  const known = BROWSERS.find(each => each === name);
  if (!known) throw new Error(`TEST_BROWSER names ${name}, which is none of ${BROWSERS.join(', ')}.`);
  return known;
}

type Found =
  | {readonly name: 'Chromium' | 'Firefox'; readonly options: LaunchOptions}
  | {readonly name: 'WebKit'; readonly program: DriverProgram};

/** Finds a browser. Rejects if it is missing, and says how to get it. */
export async function findBrowser(name = chosenBrowser()): Promise<Found> {
  switch (name) {
    case 'Chromium':
      return {name, options: await findChromium()};
    case 'Firefox':
      return {name, options: findFirefox() ?? missing(name)};
    case 'WebKit':
      return {name, program: findWebKit() ?? missing(name)};
  }
}

function missing(name: BrowserName): never {
  throw new Error(`${name} was not found: ${HOW_TO_INSTALL[name]}`);
}

export async function launcher(): Promise<Launcher> {
  const found = await findBrowser();
  return found.name === 'WebKit'
    ? new WebDriverLauncher(found.name, found.program)
    : puppeteerLauncher(found.name, found.options);
}

/** Storage belongs to a browser context: with one for each page, tests side by side share no journal. */
function puppeteerLauncher(name: BrowserName, launchOptions: LaunchOptions): Launcher {
  const launcher = chromeLauncher({
    launchOptions,
    async createPage({context}) {
      const page = await (await context.browser().createBrowserContext()).newPage();
      // `runToEnd` watches how far each page has come; on a busy machine, one takes longer than puppeteer's half a minute.
      page.setDefaultNavigationTimeout(0);
      return page;
    },
  });
  launcher.name = name;
  const isActive = launcher.isActive.bind(launcher);
  // Nothing is read from a page that was closed because it did not end.
  launcher.isActive = id => isActive(id) && !launcher.getPage(id).isClosed();
  // There a background page does nothing.
  if (name === 'Firefox') launcher.concurrency = 1;
  return launcher;
}

type LaunchOptions = NonNullable<NonNullable<Parameters<typeof chromeLauncher>[0]>['launchOptions']>;

/*
 * -- Firefox --------------------------------------------------------------------------------------------------------
 */

const FIREFOXES = [
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:/Program Files/Mozilla Firefox/firefox.exe',
];

function findFirefox(): LaunchOptions | undefined {
  const executablePath = process.env['FIREFOX_PATH'] ?? FIREFOXES.find(place => existsSync(place));
  return executablePath ? {browser: 'firefox', executablePath, headless: true} : undefined;
}

/*
 * -- WebKit ---------------------------------------------------------------------------------------------------------
 */

const MINI_BROWSERS = ['x86_64', 'aarch64'].flatMap(machine =>
  ['6.0', '4.1', '4.0'].map(version => {
    const folder = version === '6.0' ? 'webkitgtk-6.0' : `webkit2gtk-${version}`;
    return `/usr/lib/${machine}-linux-gnu/${folder}/MiniBrowser`;
  }),
);

/** Finds WebKit's driver: WebKitGTK's on Linux, which needs a display, Safari's on a Mac. */
function findWebKit(): DriverProgram | undefined {
  if (process.platform === 'darwin') {
    const command = '/usr/bin/safaridriver';
    if (!existsSync(command)) return undefined;
    return {command, args: port => ['-p', String(port)], capabilities: {browserName: 'safari'}};
  }
  const command = onPath('WebKitWebDriver');
  const binary = MINI_BROWSERS.find(place => existsSync(place));
  if (!command || !binary || !(process.env['DISPLAY'] || onPath('Xvfb'))) return undefined;
  return {
    command,
    args: port => [`--port=${String(port)}`],
    env: {WEBKIT_DISABLE_DMABUF_RENDERER: '1'},
    capabilities: {browserName: 'MiniBrowser', 'webkitgtk:browserOptions': {binary, args: ['--automation']}},
  };
}

/** Settings of GTK without which the browser's toolbar keeps its window wider than a phone. */
function narrowWindows(): string {
  const home = mkdtempSync(join(tmpdir(), 'swap-widget-gtk-'));
  mkdirSync(join(home, 'gtk-3.0'));
  writeFileSync(
    join(home, 'gtk-3.0/gtk.css'),
    '* { min-width: 0; min-height: 0; padding: 0; margin: 0; border-width: 0; font-size: 1px }',
  );
  process.once('exit', () => rmSync(home, {recursive: true, force: true}));
  return home;
}

function onPath(program: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map(folder => join(folder, program))
    .find(place => existsSync(place));
}

/** WebKit, with a virtual display if there is none. Each page is a separate browser, one at a time. */
export class WebKit {
  readonly #program: DriverProgram;
  #started: Promise<{readonly driver: Driver; readonly screen: ChildProcess | undefined}> | undefined;

  constructor(program: DriverProgram) {
    this.#program = program;
  }

  async openPage(): Promise<WebDriverPage> {
    const {driver} = await (this.#started ??= this.#start());
    return WebDriverPage.open(driver, this.#program);
  }

  async close(): Promise<void> {
    const started = await this.#started;
    await started?.driver.close();
    if (started?.screen) await end(started.screen);
  }

  async #start() {
    if (process.platform === 'darwin') return {driver: await startDriver(this.#program), screen: undefined};
    const env = {...this.#program.env, XDG_CONFIG_HOME: narrowWindows()};
    if (process.env['DISPLAY']) return {driver: await startDriver({...this.#program, env}), screen: undefined};
    const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1400x1200x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const display = await new Promise<string>((resolve, reject) => {
      screen.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()));
      screen.once('exit', () => reject(new Error('Xvfb did not start.')));
    });
    return {driver: await startDriver({...this.#program, env: {...env, DISPLAY: `:${display}`}}), screen};
  }
}

class WebDriverLauncher implements Launcher {
  readonly name: string;
  /** The type by which test commands recognize pages with a `keyboard` and a `mouse`. */
  readonly type = 'puppeteer';
  readonly concurrency = 1;
  readonly #browser: WebKit;
  readonly #pages = new Map<string, WebDriverPage>();

  constructor(name: BrowserName, program: DriverProgram) {
    this.name = name;
    this.#browser = new WebKit(program);
  }

  async startSession(id: string, url: string): Promise<void> {
    const page = await this.#browser.openPage();
    this.#pages.set(id, page);
    await page.setViewport({width: 800, height: 600});
    await page.goto(url);
  }

  isActive(id: string): boolean {
    return this.#pages.has(id);
  }

  getBrowserUrl(id: string): string {
    return this.getPage(id).url();
  }

  async stopSession(id: string) {
    const page = this.getPage(id);
    this.#pages.delete(id);
    await page.close();
    return {};
  }

  async startDebugSession(): Promise<void> {
    await Promise.reject(new Error('Pages are looked at in another browser.'));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#pages.values()].map(page => page.close()));
    await this.#browser.close();
  }

  /** The page of a test file, for test commands. */
  getPage(id: string): WebDriverPage {
    const page = this.#pages.get(id);
    if (!page) throw new Error(`There is no page for ${id}.`);
    return page;
  }
}
