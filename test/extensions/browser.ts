/** A full Chromium with unpacked extensions, which can only reach this machine. */
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {launch, TargetType, type Browser, type CDPSession, type Page, type Target} from 'puppeteer-core';
import {installedChromium} from '../support/chromium.js';
import {scaled} from '../support/limits.js';

export interface Extension {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
}

export function readExtension(folder: string): Extension {
  const path = join(folder, 'manifest.json');
  if (!existsSync(path)) throw new Error(`${folder} is not an unpacked extension: it has no manifest.json.`);
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as {name: string; version: string; default_locale?: string};
  const [, key] = /^__MSG_(\w+)__$/.exec(manifest.name) ?? [];
  if (key === undefined) return {folder, name: manifest.name, version: manifest.version};
  const words = readFileSync(join(folder, '_locales', manifest.default_locale ?? 'en', 'messages.json'), 'utf8');
  const messages = JSON.parse(words) as Record<string, {message: string}>;
  return {folder, name: messages[key]?.message ?? key, version: manifest.version};
}

/** The Chromium for extensions, which the other tests' headless shell does not support. */
export function findFullChromium(): string {
  const named = process.env['CHROMIUM'];
  const path = named ?? installedChromium();
  if (path === undefined || !existsSync(path)) {
    throw new Error(
      `${named === undefined ? 'No Chromium is installed' : `CHROMIUM names ${named}, which does not exist`}. ` +
        'Extensions need a full Chromium, not the headless shell of the other tests: install one ' +
        '(on Debian the package “chromium”), and set its path: CHROMIUM=/usr/bin/chromium npm run test:extensions -- …. ' +
        'Chrome itself does not let a program load unpacked extensions.',
    );
  }
  return path;
}

/** Responds to a request to one of a wallet's servers: the rest of its URL, and what was sent. */
export type Answer = (path: string, request: {method: string; body: string | undefined}) => Promise<Response>;

export interface ExtensionBrowser {
  readonly browser: Browser;
  readonly ids: readonly string[];
  /** A new page that belongs to no extension. */
  openPage(url: string): Promise<Page>;
  windowsOf(id: string): Promise<Page[]>;
  close(): Promise<void>;
}

/** The compiler adds calls to this helper to named functions, which are passed to pages. */
export const NAMED = 'globalThis.__name ??= value => value';

/** Starts it with a new profile. `nodes` respond in place of servers, by the start of their URLs. */
export async function openExtensions(
  extensions: readonly Extension[],
  nodes: Readonly<Record<string, Answer>> = {},
): Promise<ExtensionBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'swap-widget-extensions-'));
  const browser = await launch({
    executablePath: findFullChromium(),
    userDataDir: profile,
    pipe: true,
    headless: true,
    enableExtensions: true,
    defaultViewport: null,
    protocolTimeout: scaled(30_000),
    args: [
      '--no-first-run',
      '--disable-sync',
      '--disable-component-update',
      '--disable-background-networking',
      '--disable-gpu',
      '--lang=en-US',
      '--disable-backgrounding-occluded-windows',
      '--disable-renderer-backgrounding',
      '--disable-background-timer-throttling',
      // Wallets place their windows at the right edge, and a window outside the screen is not opened.
      '--screen-info={1920x1400}',
      '--window-size=1000,1300',
      // Wallets use their own servers; here they can only reach those in `nodes`.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      ...(process.getuid?.() === 0 || process.env['CI'] ? ['--no-sandbox'] : []),
    ],
    env: {...process.env, LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8', LANGUAGE: 'en_US'},
  });
  if (Object.keys(nodes).length) {
    browser.on('targetcreated', target => void answerFor(target, nodes));
  }
  const ids: string[] = [];
  for (const {folder} of extensions) ids.push(await browser.installExtension(folder));
  return {
    browser,
    ids,
    async openPage(url) {
      const page = await browser.newPage();
      page.setDefaultNavigationTimeout(scaled(120_000));
      await page.evaluateOnNewDocument(NAMED);
      await page.goto(url);
      return page;
    },
    async windowsOf(id) {
      const own = browser
        .targets()
        .filter(target => target.type() === TargetType.PAGE && target.url().startsWith(`chrome-extension://${id}/`));
      const pages = await Promise.all(own.map(target => target.page().catch(() => null)));
      return pages.filter(page => page !== null);
    },
    async close() {
      await browser.close();
      rmSync(profile, {recursive: true, force: true, maxRetries: 5});
    },
  };
}

/** Responds to the requests of an extension's window or worker to these servers. */
async function answerFor(target: Target, nodes: Readonly<Record<string, Answer>>): Promise<void> {
  if (!target.url().startsWith('chrome-extension://')) return;
  let session: CDPSession;
  try {
    session = await target.createCDPSession();
    session.on('Fetch.requestPaused', paused => void answer(session, paused, nodes).catch(() => undefined));
    await session.send('Fetch.enable', {patterns: Object.keys(nodes).map(start => ({urlPattern: `${start}*`}))});
  } catch {
    // It was closed meanwhile.
  }
}

interface Paused {
  readonly requestId: string;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly postData?: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}

async function answer(
  session: CDPSession,
  {requestId, request: {url, method, postData, headers}}: Paused,
  nodes: Readonly<Record<string, Answer>>,
): Promise<void> {
  const start = Object.keys(nodes).find(each => url.startsWith(each)) ?? '';
  const origin = headers['Origin'] ?? headers['origin'] ?? '*';
  const open = {
    'access-control-allow-origin': origin,
    'access-control-allow-headers': '*, content-type, authorization',
    'access-control-allow-methods': '*',
  };
  const reply =
    method === 'OPTIONS'
      ? new Response('', {status: 200})
      : await nodes[start]!(url.slice(start.length), {method, body: postData}).catch(
          (error: unknown) => new Response(String(error), {status: 502}),
        );
  const type = reply.headers.get('content-type') ?? 'application/json';
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: reply.status,
    responseHeaders: Object.entries({...open, 'content-type': type}).map(([name, value]) => ({name, value})),
    body: Buffer.from(await reply.arrayBuffer()).toString('base64'),
  });
}
