/** The environment: the widget and the baseline, built alike, served compressed, each run in its own browser. */
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {launch, type CDPSession, type Page} from 'puppeteer-core';
import {build, loadConfigFromFile, type Plugin} from 'vite';
import {closeServer, HOST, listen, serve} from '../../demo/sandbox/http.js';
import {createTestService, type TestService} from '../../src/testing.js';
import {findChromium} from '../support/chromium.js';
import {buildIfOutdated, DIST} from '../support/dist.js';

export const CONTESTANTS = ['widget', 'lit'] as const;
export type Contestant = (typeof CONTESTANTS)[number];

/** The plugins that change code; the others write the folder `dist`. */
const OF_CODE = new Set(['runs-everywhere', 'tight-templates']);

/** The pair that is swapped on all pages. */
export const PAIR = {from: 'bitcoin_testnet:btc', to: 'base_sepolia:wbtc'} as const;

/** A mid-range phone in a mobile network. */
const PHONE = {cpu: 4, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8} as const;

export interface Ground {
  /** The origin of the contestants' pages, such as `/widget/`; `/flow/` has no element, but the bench's page script. */
  readonly origin: string;
  /** The service, on another origin, as for partners. */
  readonly service: TestService & {
    readonly url: string;
    /** The requests since the last call, as method and path. */
    asked(): readonly string[];
    /** The connections since the last call. */
    connected(): number;
  };
  /** The size of files of the widget or the baseline by gzip, in bytes. */
  sizeOf(files: readonly string[]): number;
  close(): Promise<void>;
}

export async function openGround(): Promise<Ground> {
  buildIfOutdated('scripts');
  const own = new Map([
    ['/lit/main.js', await buildAlone('lit.js')],
    ['/in-page.js', await buildAlone('in-page.ts')],
  ]);
  const read = (path: string): Buffer => {
    const script = own.get(path);
    return script === undefined ? readFileSync(join(DIST, path.replace('/widget/', ''))) : Buffer.from(script);
  };
  const packed = new Map<string, Buffer>();
  const pack = (path: string) => {
    const made = packed.get(path) ?? gzipSync(read(path), {level: 9});
    packed.set(path, made);
    return made;
  };

  const service = await serveService();
  const files = await serve(({url = ''}, response) => {
    const {pathname, searchParams} = new URL(url, 'http://localhost');
    response.setHeader('content-encoding', 'gzip');
    if (!pathname.endsWith('.js')) {
      const page = gzipSync(pageOf(pathname, searchParams, service.url), {level: 9});
      response.setHeader('content-type', 'text/html').end(page);
      return;
    }
    response.setHeader('content-type', 'text/javascript').end(pack(pathname));
  }, 0);

  return {
    origin: files.url,
    service,
    sizeOf: paths => paths.reduce((all, path) => all + pack(path).length, 0),
    async close() {
      await files.close();
      await service.close();
    },
  };
}

/** Builds a script of this folder like the widget: with the same configuration, but another entry. */
async function buildAlone(file: string): Promise<string> {
  const loaded = await loadConfigFromFile({command: 'build', mode: 'production'}, 'vite.config.ts');
  if (!loaded) throw new Error('There is no vite.config.ts.');
  const {plugins = [], define = {}, build: options} = loaded.config;
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    define,
    plugins: (plugins as Plugin[]).filter(plugin => OF_CODE.has(plugin.name)),
    build: {
      ...options,
      write: false,
      manifest: false,
      sourcemap: false,
      lib: {entry: {main: join(import.meta.dirname, file)}, formats: ['es']},
      rolldownOptions: {
        ...options?.rolldownOptions,
        output: {minify: true, comments: {legal: true, annotation: false, jsdoc: false}, entryFileNames: '[name].js'},
      },
    },
  });
  const [chunk, ...more] = (Array.isArray(built) ? built : [built]).flatMap(one => ('output' in one ? one.output : []));
  if (chunk?.type !== 'chunk' || more.length) throw new Error(`${file} is not one file when it is built.`);
  return chunk.code;
}

const FLOOR_PAGE = readFileSync(join(import.meta.dirname, 'index.html'), 'utf8');

/** The baseline's page, with a contestant's script and, for the widget, a partner's settings. */
function pageOf(pathname: string, query: URLSearchParams, service: string): string {
  const [, contestant = ''] = pathname.split('/');
  const script = contestant === 'widget' ? '/widget/define.js' : `/${contestant}/main.js`;
  const attributes = ` base-url="${service}" from="${PAIR.from}" to="${PAIR.to}"`;
  const page = FLOOR_PAGE.replace('<swap-widget>', `<swap-widget${contestant === 'widget' ? attributes : ''}>`);
  // The form is in the page itself, as in the page for partners to copy.
  if (query.has('paint')) {
    const built = readFileSync(join(DIST, 'embed.html'), 'utf8');
    const preload = /href="(chunks\/take-over[^"]*)"/.exec(built)?.[1] ?? '';
    const form = readFileSync(join(DIST, 'first-paint/en.html'), 'utf8');
    return FLOOR_PAGE.replace(
      /<script.*<\/script>/,
      `<link rel="modulepreload" href="/widget/${preload}"><script type="module" src="${script}"></script>`,
    ).replace('<swap-widget>', `<swap-widget base-url="${service}" from="bitcoin:btc" to="base:cbbtc">${form}`);
  }
  if (contestant === 'flow') {
    const scripts = ['/widget/define.js', '/in-page.js'].map(src => `<script type="module" src="${src}"></script>`);
    return page.replace(/<swap-widget.*<\/swap-widget>/, '').replace(/<script.*<\/script>/, scripts.join(''));
  }
  if (query.has('none')) return page.replace(/<swap-widget.*<\/swap-widget>/, '').replace('/src/main.js', script);
  const away = query.has('away') ? '<div style="block-size: 5000px"></div>' : '';
  return page.replace('/src/main.js', script).replace('<body>', `<body>${away}`);
}

/** The test service, called through real requests. */
async function serveService(): Promise<Ground['service'] & {close(): Promise<void>}> {
  const service = createTestService();
  const warn = console.warn;
  console.warn = () => undefined;
  await service.fetch(`${service.baseUrl}/v2/assets`);
  console.warn = warn;
  const asked: string[] = [];
  const connections: unknown[] = [];
  const server = createServer((request, response) => {
    const {method = '', url = ''} = request;
    for (const name of ['origin', 'headers', 'methods']) response.setHeader(`access-control-allow-${name}`, '*');
    response.setHeader('access-control-max-age', '600');
    // Otherwise the page does not get the transferred size.
    response.setHeader('timing-allow-origin', '*');
    if (method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    asked.push(`${method} ${url}`);
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const body = Buffer.concat(chunks).toString();
        void service.fetch(`${service.baseUrl}${url}`, {method, ...(body && {body})}).then(async answer => {
          response.writeHead(answer.status, {'content-type': 'application/json'}).end(await answer.text());
        });
      });
  });
  server.on('connection', connection => connections.push(connection));
  const url = `http://${HOST}:${await listen(server, 0)}`;
  return Object.defineProperties({} as Ground['service'] & {close(): Promise<void>}, {
    ...Object.getOwnPropertyDescriptors(service),
    url: {value: url},
    close: {value: () => closeServer(server)},
    asked: {value: () => asked.splice(0)},
    connected: {value: () => connections.splice(0).length},
  });
}

export interface Tab {
  readonly page: Page;
  readonly cdp: CDPSession;
  /** Emulates a slow phone in a mobile network from now on. */
  slowDown(): Promise<void>;
  /** The page's memory after garbage collection. It runs at full speed from then on. */
  weigh(): Promise<{readonly heap: number; readonly nodes: number; readonly listeners: number}>;
}

/** Runs something in a new browser. `before` runs in the page before its scripts. */
export async function inTab<T>(work: (tab: Tab) => Promise<T>, before?: () => void): Promise<T> {
  const {executablePath, args, env, headless} = await findChromium();
  const browser = await launch({executablePath, args: [...args, '--js-flags=--expose-gc'], env, headless});
  try {
    const [page = await browser.newPage()] = await browser.pages();
    const cdp = await page.createCDPSession();
    await cdp.send('Performance.enable');
    // The compiler adds calls to this helper to named functions, which are passed to the page.
    await page.evaluateOnNewDocument('globalThis.__name = value => value');
    if (before) await page.evaluateOnNewDocument(before);
    return await work({page, cdp, slowDown: () => slowDown(cdp), weigh: () => weigh(cdp)});
  } finally {
    await browser.close();
  }
}

export async function browserVersion(): Promise<string> {
  const {executablePath, args, env, headless} = await findChromium();
  const browser = await launch({executablePath, args, env, headless});
  const version = await browser.version();
  await browser.close();
  return version;
}

async function slowDown(cdp: CDPSession): Promise<void> {
  const {cpu, ...network} = PHONE;
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', {offline: false, ...network});
  await cdp.send('Emulation.setCPUThrottlingRate', {rate: cpu});
}

async function weigh(cdp: CDPSession) {
  await cdp.send('Emulation.setCPUThrottlingRate', {rate: 1});
  // What the first one releases may have held more.
  for (let i = 0; i < 3; i++) await cdp.send('HeapProfiler.collectGarbage');
  const {usedSize} = await cdp.send('Runtime.getHeapUsage');
  const {metrics} = await cdp.send('Performance.getMetrics');
  const of = (name: string) => metrics.find(metric => metric.name === name)?.value ?? NaN;
  return {heap: usedSize / 1e6, nodes: of('Nodes'), listeners: of('JSEventListeners')};
}
