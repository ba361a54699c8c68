/**
 * `npm start`: the chains, the service, the playground and a partner's page, in one process tree. With `minimal` as its
 * argument (`npm run minimal`), that page swaps with the minimal service, on the same chains.
 *
 * One origin serves the playground (built anew when it is loaded after a change), the documents under `/docs`, the
 * service under `/v2`, the sandbox's controls under `/sandbox` and the built package under `/dist`. A second origin
 * serves a partner's page with the built widget, under a strict Content-Security-Policy.
 *
 * URLs are printed once the chains are up. Earlier requests for pages are answered; requests that need chains wait.
 */
import {randomBytes} from 'node:crypto';
import {readFileSync, readdirSync, statSync} from 'node:fs';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {join, resolve} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {HOST, closeServer, isTaken, listen} from './http.js';
import {serveFiles, type Site} from './page.js';
import {runNode} from './processes.js';
import type {SandboxParts} from './sandbox.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FIRST_PORT = 8800;
/** A 12-second block takes half a second. */
const SPEED = 24;

const closers: (() => unknown)[] = [];
let closing = false;

/** Closes everything in reverse order of creation, then ends the process. */
async function shutDown(code: number): Promise<never> {
  if (!closing) {
    closing = true;
    // If something hangs, the watchdog ends it.
    setTimeout(() => process.exit(code), 3_000).unref();
    for (const close of closers.reverse()) await Promise.resolve(close()).catch(() => {});
  }
  process.exit(code);
}

process
  .on('SIGINT', () => void shutDown(0))
  .on('SIGTERM', () => void shutDown(0))
  .on('SIGHUP', () => void shutDown(0));
// Ends when the parent process is gone.
const starter = process.ppid;
setInterval(() => {
  if (process.ppid !== starter) void shutDown(0);
}, 1_000).unref();
process.on('uncaughtException', error => {
  if (!closing) console.error(error);
  void shutDown(1);
});
// The terminal may close first.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

/** The address to listen on. Any but loopback lets others access what is open to them (`controls.ts`). */
const host = process.env['HOST'] ?? HOST;
const isShared = !/^(?:127\.\d+\.\d+\.\d+|localhost|::1)$/.test(host);
const token = isShared ? process.env['TOKEN'] || randomBytes(16).toString('hex') : undefined;
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 32);
if (!Number.isSafeInteger(seed)) throw new Error('SEED has to be a whole number.');
const given = process.env['PORT'];
const {page, partner, port} = await listenOnTwo(given === undefined ? FIRST_PORT : Number(given));
const origin = `http://${HOST}:${port}`;
const partnerOrigin = `http://${HOST}:${port + 1}`;
closers.push(
  () => closeServer(page),
  () => closeServer(partner),
);

const sandbox = startSandbox();
const files = serveFiles({build: buildSite, dist: buildIfOutdated()});
page.on('request', (request, response) => {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  // The service itself reports that it has no other version.
  if (/^\/(v\d+|sandbox|healthz|rpc)(\/|$)/.test(path)) {
    void sandbox.then(({listener}) => listener(request, response));
  } else {
    files(request, response);
  }
});
partner.on('request', (request, response) => {
  void sandbox.then(parts => {
    servePartner(parts, request, response);
  });
});

const {appId, chains} = await sandbox;
const minimal = process.argv.includes('minimal') ? await startMinimal() : undefined;
console.log(`${origin}/  the playground, also at http://localhost:${port}/
${partnerOrigin}/  a partner's page: another origin, strict Content-Security-Policy, built widget${minimal ? ', swapping with the minimal service' : ''}
${origin}/v2/  the service; app id for tests: ${appId}
${minimal ? `${minimal.url}/v2/  the minimal service; what a site names to vouch for it: contracts="${minimal.contracts}"\n` : ''}${origin}/sandbox  the sandbox's controls
${chains.map(({name, facts}) => `${String(facts['rpc'])}  ${name}`).join('\n')}
prices are those of SEED=${seed}
${token === undefined ? '' : sharedText(token)}Press Ctrl-C to stop.`);
for (const {name, stopped} of chains) void stopped?.then(how => void sayItStopped(name, how));

/** Starts the chains and the service. Files are served before their code is loaded. */
async function startSandbox(): Promise<SandboxParts> {
  const {startSandboxParts} = await import('./sandbox.js');
  const parts = await startSandboxParts({speed: SPEED, seed, chainPort: port + 10, token});
  closers.push(() => parts.close());
  return parts;
}

/** Starts the service of the specification alone on the same chains. */
async function startMinimal() {
  const {startMinimalService} = await import('../minimal-service/service.js');
  const service = await startMinimalService((await sandbox).chains, 'plain');
  closers.push(() => service.close());
  return service;
}

/** A node that ends by itself takes its chain with it: it has all of it in memory. */
async function sayItStopped(name: string, how: string): Promise<void> {
  // Ctrl-C ends the nodes, too, perhaps a little earlier.
  await pause(200);
  if (closing) return;
  console.error(
    `The node of ${name} has stopped (${how}), and with it every swap on that chain. ` +
      'Press Ctrl-C and run npm start again: nothing of this run is kept.',
  );
}

/** What it means that other machines can reach it. */
function sharedText(token: string): string {
  return `
It listens on ${host}. Whoever reaches it can see the playground and the documents, place orders, and use the
chains' nodes under /rpc/<chain>: all of it play money, under keys that are public. The controls under
/sandbox, which mine, pay and break, want this header: Authorization: Bearer ${token}
`;
}

/** Starts two servers on the first pair of adjacent free ports. */
async function listenOnTwo(first: number): Promise<{page: Server; partner: Server; port: number}> {
  for (let port = first; port < first + 100; port++) {
    const page = createServer();
    const partner = createServer();
    try {
      await listen(page, port, host);
      await listen(partner, port + 1, host);
      return {page, partner, port};
    } catch (error) {
      await closeServer(page);
      if (!isTaken(error)) throw error;
    }
  }
  throw new Error(`no two free ports from ${first} on`);
}

/** Builds the package if its sources are newer, in a child process, so that pages are served meanwhile. */
async function buildIfOutdated(): Promise<void> {
  const built = statSync(join(ROOT, 'dist/define.js'), {throwIfNoEntry: false})?.mtimeMs ?? 0;
  if (newest(join(ROOT, 'src')) < built) return;
  const code = await run([join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error']);
  if (code !== 0 && !closing) console.error(`The build ended with ${code}: the partner's page has no widget.`);
}

async function buildSite(what: Site): Promise<void> {
  const code = await run(['--import', 'tsx', join(ROOT, 'demo/build.ts'), what]);
  if (code !== 0) throw new Error(`The build of ${what} ended with ${code}: its output says why.`);
}

/** Runs a Node program in a child process that ends with this one; returns its exit code. */
function run(program: readonly string[]): Promise<number | null> {
  const {exit, stop} = runNode(program);
  closers.push(stop);
  return exit;
}

function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map(name => newest(resolve(path, name))));
}

/** Sends a partner's page, or its style. The page's policy only allows the widget. */
function servePartner(sandbox: SandboxParts, {url = '/'}: IncomingMessage, response: ServerResponse): void {
  const service = minimal?.url ?? origin;
  const policy = [
    "default-src 'none'",
    `script-src ${origin}`,
    // The chains' nodes are for the development wallets on this page.
    `connect-src ${[origin, service, ...sandbox.chains.map(({facts}) => String(facts['rpc']))].join(' ')}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
  const read = (file: string) => readFileSync(join(ROOT, 'demo/embed', file), 'utf8');
  const path = url.split('?')[0];
  if (path === '/') {
    response.writeHead(200, {'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy});
    response.end(
      read('partner.html')
        .replaceAll('{{widget}}', origin)
        .replaceAll('{{service}}', service)
        .replaceAll('{{app-id}}', sandbox.appId),
    );
  } else if (path === '/partner.css') {
    response.writeHead(200, {'content-type': 'text/css; charset=utf-8'});
    response.end(read('partner.css'));
  } else {
    response.writeHead(404).end();
  }
}
