/**
 * The examples in `demo/embed/`, one after the other: `npm run test:embed`. Each is copied into an empty folder and run
 * with the commands in the document on frameworks. Then it is built with its own tools and type check, served, and
 * driven in the browser to a price, a placed order and, if the page has a wallet, to the money. A prerendered page is
 * opened once more with other settings. It prints a line for each example, with the time from the first command to the
 * form on the screen, including all of npm's downloads.
 *
 * `npm run test:embed -- react vue` runs only these; `--package=file.tgz` tests that package instead of a new one.
 */
import {deepEqual, equal, match, ok} from 'node:assert/strict';
import {exec, execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join, resolve} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {parseArgs, promisify, stripVTControlCharacters} from 'node:util';
import type {Tokens} from 'marked';
import type {HTTPRequest} from 'puppeteer-core';
import {read, readDocument} from '../demo/documents.js';
import {serve, type RunningServer} from '../demo/sandbox/http.js';
import {createSandbox} from '../demo/wallets/sandbox.js';
import {SandboxClient} from './sandbox/client.js';
import {openBrowser, type OpenPage, type TestBrowser} from './support/browser.js';
import {startDemo} from './support/demo.js';
import {buildIfOutdated} from './support/dist.js';
import {EXAMPLES, serveFolder} from './support/examples.js';
import {scaled} from './support/limits.js';
import {visitMerchant} from './support/merchant.js';
import {LIBRARIES, RAINBOWKIT, visitStack, type Stack} from './support/stacks.js';
import {pack} from './support/tarball.js';
import {swapWithMock, Visitor} from './support/visitor.js';
import {visitWordPress} from './support/wordpress.js';

const ROOT = resolve(import.meta.dirname, '..');
interface Example {
  /** The build's folder, or the script that serves it. */
  readonly serve: {readonly folder: string} | {readonly script: string};
  /** Whether the server's HTML has the element, with its attributes. */
  readonly isRendered?: boolean;
  /** The steps on the page; by default, a swap through the widget. */
  readonly drive?: (opened: OpenPage, visitor: Visitor) => Promise<string>;
  /** Pages with their own wallets, by the query in their URL. */
  readonly stacks?: Readonly<Record<string, Stack>>;
}

interface World {
  readonly browser: TestBrowser;
  /** The origin of the service, and of the development wallets. */
  readonly origin: string;
  readonly appId: string;
  readonly tarball: string;
  readonly folder: string;
}

const run = promisify(execFile);
const shell = promisify(exec);

async function npm(folder: string, ...args: string[]): Promise<string> {
  try {
    const env = {
      ...process.env,
      CI: 'true',
      NG_CLI_ANALYTICS: 'false',
      NEXT_TELEMETRY_DISABLED: '1',
      ASTRO_TELEMETRY_DISABLED: '1',
    };
    const isShell = process.platform === 'win32';
    return (await run('npm', args, {cwd: folder, env, shell: isShell, maxBuffer: 2 ** 26})).stdout;
  } catch (error) {
    const {stdout, stderr} = error as {stdout: string; stderr: string};
    throw new Error(`npm ${args.join(' ')}\n${stdout}${stderr}`, {cause: error});
  }
}

type Trial = (name: string, world: World) => Promise<string>;

const trials: Readonly<Record<string, Trial>> = {
  react: inBrowser({serve: {folder: 'dist'}}),
  'react-18': inBrowser({serve: {folder: 'dist'}}),
  next: inBrowser({
    serve: {script: '../node_modules/next/dist/bin/next start -H 127.0.0.1'},
    isRendered: true,
  }),
  vue: inBrowser({serve: {folder: 'dist'}}),
  html: inBrowser({serve: {folder: 'public'}}),
  svelte: inBrowser({serve: {folder: 'build'}, isRendered: true}),
  angular: inBrowser({serve: {folder: 'dist/browser'}}),
  solid: inBrowser({serve: {folder: 'dist'}}),
  astro: inBrowser({serve: {folder: 'dist'}, isRendered: true}),
  wallets: inBrowser({serve: {folder: 'dist'}, stacks: LIBRARIES}),
  rainbowkit: inBrowser({serve: {folder: 'dist'}, stacks: RAINBOWKIT}),
  headless: inBrowser({serve: {folder: 'dist'}, drive: placeByHand}),
  stackblitz: withMock,
  wordpress: inWordPress,
  server: onServer,
};

function inBrowser(example: Example): Trial {
  return async (name, world) => {
    const folder = copy(name, world);
    const took = await follow(name, world);
    await npm(folder, 'run', 'build');
    return `${took}; ${await visit(example, folder, world)}`;
  };
}

/** A page with the mock service alone: no sandbox answers it. */
async function withMock(name: string, world: World): Promise<string> {
  const folder = copy(name, world);
  await npm(folder, 'install', '--no-save', world.tarball);
  await npm(folder, 'run', 'build');
  const served = await serveFolder(join(folder, 'dist'));
  const {page, errors} = await world.browser.openPage(served.url);
  await swapWithMock(page);
  deepEqual(errors, []);
  await Promise.all([page.browserContext().close(), served.close()]);
  return 'swapped with the mock service';
}

/** A merchant's shop on a server. */
async function onServer(name: string, world: World): Promise<string> {
  const folder = copy(name, world);
  await npm(folder, 'ci');
  await npm(folder, 'install', '--no-save', world.tarball);
  await npm(folder, 'run', 'build');
  const server = await serveScript(folder, 'dist/main.js');
  try {
    equal((await fetch(`${server.url}/carts/1`)).status, 404);
  } finally {
    await server.close();
  }
  return visitMerchant(folder);
}

async function inWordPress(name: string, world: World): Promise<string> {
  const folder = copy(name, world);
  const took = await follow(name, world);
  const plugin = join(folder, 'swap-widget');
  const files = readdirSync(plugin, {recursive: true, encoding: 'utf8'}).filter(file => file.endsWith('.php'));
  let lint = `${String(files.length)} PHP files without a fault`;
  try {
    for (const file of files) await run('php', ['-l', join(plugin, file)]);
  } catch (error) {
    if ((error as {code?: unknown}).code !== 'ENOENT') throw error;
    lint = 'no PHP here to check the files with';
  }
  const site = await serveScript(folder, 'serve.js --bare');
  try {
    const seen = await visitWordPress(site.url, folder, new SandboxClient(world.origin, world.appId), world.browser);
    return `${took}; ${seen}; ${lint}`;
  } finally {
    await site.close();
  }
}

/** Copies the examples into an empty folder, without build output: they share a lock file. Returns one's folder. */
function copy(name: string, world: World): string {
  const folder = join(world.folder, 'demo/embed');
  const made = ['node_modules', 'dist', '.next', '.svelte-kit', '.angular', '.astro', '.wordpress', 'widget'];
  const filter = (path: string) => !made.includes(basename(path));
  cpSync(EXAMPLES, folder, {recursive: true, filter});
  return join(folder, name);
}

/** The commands under “Try them”, one per line, for the example in them. */
function commands(): {readonly of: string; readonly lines: readonly string[]} {
  const tokens = read(readDocument('demo/docs/frameworks.md'));
  const from = tokens.findIndex(token => token.type === 'heading' && (token as Tokens.Heading).text === 'Try them');
  const code = tokens.slice(from).find(token => token.type === 'code') as Tokens.Code | undefined;
  const lines = (code?.text ?? '').split('\n').flatMap(line => line.replace(/ +#.*$/, '').split(' && '));
  const of = lines
    .find(line => line.startsWith('cd '))
    ?.split('/')
    .at(-1);
  ok(of, 'the document on frameworks has no commands');
  return {of, lines};
}

/** Runs an example with the document's commands, until its page shows the form. Returns how long that took. */
async function follow(name: string, world: World): Promise<string> {
  const {of, lines} = commands();
  let folder = world.folder;
  const started = performance.now();
  let seen = NaN;
  for (const line of lines) {
    const command = line.replaceAll(new RegExp(`\\b${of}\\b`, 'g'), name);
    if (['npm start', 'npm run build', 'npm pack'].includes(command)) continue; // already done for all of them
    if (command === `npm run embed -- ${name}`) {
      await npm(ROOT, ...command.split(' ').slice(1), `--origin=${world.origin}`, `--in=${join(folder, 'demo/embed')}`);
    } else if (command.startsWith('cd ')) folder = join(folder, command.slice(3));
    else if (command === 'npm run dev') seen = await seeForm(folder, world);
    else await shell(command, {cwd: folder, maxBuffer: 2 ** 26});
  }
  ok(seen > started, 'no command shows the form');
  return `form in ${((seen - started) / 1000).toFixed(0)} s`;
}

/** Starts an example's development server, and opens the page that it prints. Returns when the form was visible. */
async function seeForm(folder: string, {browser}: World): Promise<number> {
  const env = {...process.env, CI: 'true', NG_CLI_ANALYTICS: 'false', NEXT_TELEMETRY_DISABLED: '1', NO_COLOR: '1'};
  const server = spawn('npm', ['run', 'dev'], {cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe']});
  let said = '';
  const ended = once(server, 'exit');
  try {
    const url = await new Promise<string>((resolve, reject) => {
      const listen = (text: Buffer) => {
        said += stripVTControlCharacters(text.toString());
        const [found] = /http:\/\/(?:localhost|127\.0\.0\.1):\d+/.exec(said) ?? [];
        if (found) resolve(found);
      };
      server.stdout.on('data', listen);
      server.stderr.on('data', listen);
      server.on('exit', () => {
        reject(new Error(`npm run dev ended.\n${said}`));
      });
    });
    const {page} = await browser.openPage(url);
    await page.waitForSelector('swap-widget >>> #amount, form [name=amount]', {timeout: 60_000, visible: true});
    const seen = performance.now();
    await page.browserContext().close();
    return seen;
  } finally {
    // npm does not end its child process.
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid);
    await ended;
  }
}

/** Runs a server program until it is ended; it reads its port from `PORT`. */
async function serveScript(folder: string, script: string): Promise<RunningServer> {
  const free = await serve((_request, response) => response.end(), 0);
  const {port} = new URL(free.url);
  await free.close();
  const env = {...process.env, PORT: port, HOST: '127.0.0.1', NEXT_TELEMETRY_DISABLED: '1'};
  const server = spawn(process.execPath, script.split(' '), {cwd: folder, env, stdio: 'ignore'});
  const ended = once(server, 'exit');
  for (let tries = 0; tries < 1200 && server.exitCode === null; tries++) {
    const answer = await fetch(free.url).catch(() => undefined);
    // WordPress responds before it is installed.
    if (answer && answer.status < 500) break;
    await pause(100);
  }
  return {
    url: free.url,
    async close() {
      server.kill();
      await ended;
    },
  };
}

/** Opens an example and drives it; returns the result. */
async function visit(
  {serve, isRendered, drive = swap, stacks}: Example,
  folder: string,
  world: World,
): Promise<string> {
  const served = await ('folder' in serve
    ? serveFolder(join(folder, serve.folder))
    : serveScript(folder, serve.script));
  try {
    if (isRendered) match(await (await fetch(served.url)).text(), /<swap-widget\s[^>]*base-url="http/);
    const client = new SandboxClient(world.origin, world.appId);
    if (stacks) return await visitStacks(stacks, served.url, client, world);
    const opened = await world.browser.openPage(served.url);
    const result = await drive(opened, new Visitor(opened.page, client));
    deepEqual(opened.errors, []);
    await opened.page.browserContext().close();
    return isRendered ? `${result}, ${await giveAtRunTime(served.url, world)}` : result;
  } finally {
    await served.close();
  }
}

/**
 * Opens a page with other settings than it was built with: its markup has another service, and a script sets objects
 * before its own scripts run. These must apply, also after the framework has hydrated the page.
 */
async function giveAtRunTime(url: string, {browser, origin, appId}: World): Promise<string> {
  const service = 'https://service.of.run.time';
  const objects = {assets: ['base_sepolia:wbtc', 'ethereum_sepolia:wbtc'], chains: {}, affiliateFees: []};
  const {page} = await browser.openPage('about:blank');
  const asked: string[] = [];
  const answer = async (request: HTTPRequest) => {
    asked.push(request.url());
    if (request.url().startsWith(service)) return request.abort();
    if (!request.isNavigationRequest()) return request.continue();
    const html = await (await fetch(url)).text();
    const body = html.replace(/(?<=<swap-widget\s[^>]*base-url=")[^"]*/, service);
    return request.respond({contentType: 'text/html; charset=utf-8', body});
  };
  await page.setRequestInterception(true);
  page.on('request', request => void answer(request));
  await page.evaluateOnNewDocument(objects => {
    const give = () => Object.assign(document.querySelector('swap-widget')!, objects);
    document.addEventListener('readystatechange', give, {once: true});
  }, objects);
  await page.goto(url);
  // It is hydrated once its listener is called.
  await page.waitForFunction(
    () => {
      const event = Object.assign(new Event('swap-complete', {bubbles: true}), {orderId: 'none'});
      document.querySelector('swap-widget')!.dispatchEvent(event);
      return document.querySelector('output')!.textContent.includes(event.orderId);
    },
    {timeout: scaled(30_000)},
  );
  await new Visitor(page, new SandboxClient(origin, appId)).type('0.01');
  const isOf = (address: string) => asked.some(url => url.startsWith(`${address}/v2/`));
  for (let tries = 0; tries < 300 && !isOf(service) && !isOf(origin); tries++) await pause(100);
  const given = {baseUrl: service, ...objects};
  const lost = await page.$eval(
    'swap-widget',
    (widget, given) =>
      Object.entries(given).flatMap(([name, value]) =>
        JSON.stringify(widget[name as keyof typeof given]) === JSON.stringify(value) ? [] : name,
      ),
    given,
  );
  deepEqual(lost, [], 'the page lost what it was given at run time');
  ok(isOf(service) && !isOf(origin), 'the service of run time was not asked, or not alone');
  await page.browserContext().close();
  return 'settings of run time kept';
}

/** Opens each page that has its own wallet, in a separate profile. */
async function visitStacks(stacks: Record<string, Stack>, url: string, client: SandboxClient, {browser}: World) {
  const results: string[] = [];
  for (const [name, stack] of Object.entries(stacks)) {
    const opened = await browser.openPage('about:blank');
    const {href} = Object.assign(new URL(url), {search: name});
    const result = await visitStack(stack, opened, href, client).catch((cause: unknown) => {
      throw new Error(`${[...results, name].join('\n')}: ${String(cause)}`, {cause});
    });
    results.push(`${name}: ${result}`);
    await opened.page.browserContext().close();
  }
  return results.join(`\n${' '.repeat(21)}`);
}

/** Swaps through the widget on the page, with a development wallet. */
async function swap({page}: OpenPage, visitor: Visitor): Promise<string> {
  await visitor.amount();
  const given = await page.$eval('swap-widget', element => {
    const {assets, affiliateFees} = element as unknown as Record<string, unknown[]>;
    return [Array.isArray(assets), Array.isArray(affiliateFees)];
  });
  deepEqual(given, [true, true], 'the lists did not arrive as properties');
  const order = await visitor.swap();
  const said = await page.$eval('output', output => output.textContent);
  equal(said.trim(), `Received: order ${String(order['order_id'])}`, 'the listener was not called');
  equal((order['affiliate_fees'] as unknown[]).length, 1);
  return 'order placed, event heard';
}

/** Places a swap on a page with its own form: bitcoin, which is paid by address. */
async function placeByHand({page}: OpenPage, {client}: Visitor): Promise<string> {
  const fields = {
    amount: '0.001',
    recipient: '0x000000000000000000000000000000000000dEaD',
    refundAddress: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  };
  for (const [name, text] of Object.entries(fields)) await (await page.waitForSelector(`[name=${name}]`))!.type(text);
  await page.waitForFunction(() => Number(document.querySelector('output')?.textContent) > 0);
  await (await page.waitForSelector('form button'))!.click();
  const said = await page.waitForFunction(() =>
    /Order (\S+)\.$/.exec(document.querySelector('[role=status]')!.textContent),
  );
  const [, orderId = ''] = (await said.jsonValue()) ?? [];
  equal((await client.read(orderId))['order_id'], orderId);
  return 'price shown, order placed, address to pay shown';
}

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {package: {type: 'string'}},
});
const unknown = positionals.filter(name => !(name in trials));
if (unknown.length)
  throw new Error(`There is no example ${unknown.join(', ')}; there are ${Object.keys(trials).join(', ')}.`);
const missing = readdirSync(EXAMPLES, {withFileTypes: true}).filter(
  each => each.isDirectory() && existsSync(join(EXAMPLES, each.name, 'package.json')) && !(each.name in trials),
);
if (missing.length) throw new Error(`${missing.map(({name}) => name).join(', ')} is not tested.`);

// Examples share no files: readers copy one alone.
for (const file of ['wagmi.ts', 'Page.tsx', 'settings.ts', 'style.css'])
  equal(
    readFileSync(join(EXAMPLES, 'rainbowkit/src', file), 'utf8'),
    readFileSync(join(EXAMPLES, 'wallets/src', file), 'utf8'),
    file,
  );

const folder = mkdtempSync(join(tmpdir(), 'swap-widget-examples-'));
buildIfOutdated();
const packed = values.package ?? pack(ROOT);
// The commands install the package from there.
const tarball = join(folder, basename(packed));
cpSync(packed, tarball);
// A newcomer has an empty npm cache.
process.env['npm_config_cache'] = join(folder, 'npm');
const [demo, browser] = await Promise.all([startDemo(9400), openBrowser()]);
let passed = 0;
let failed = 0;
try {
  const {origin} = new URL(demo.page);
  const {appId} = await createSandbox(origin).read();
  for (const [name, attempt] of Object.entries(trials)) {
    if (positionals.length && !positionals.includes(name)) continue;
    const started = performance.now();
    const seconds = () => `${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s`;
    try {
      const world = {browser, origin, appId, tarball, folder};
      const result = await attempt(name, world);
      passed++;
      console.log(`✓ ${name.padEnd(10)} ${seconds()}  ${result}`);
    } catch (error) {
      failed++;
      console.log(`✗ ${name.padEnd(10)} ${seconds()}\n${error instanceof Error ? (error.stack ?? '') : String(error)}`);
    }
    for (const made of ['demo', 'npm']) rmSync(join(folder, made), {recursive: true, force: true});
  }
} finally {
  await Promise.all([demo.close(), browser.close()]);
  rmSync(folder, {recursive: true, force: true});
}
console.log(`\n${String(passed)} passed, ${String(failed)} failed`);
process.exit(failed || !passed ? 1 : 0);
