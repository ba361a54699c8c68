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
import {readFileSync, readdirSync, statSync} from 'node:fs';
import type {IncomingMessage, Server, ServerResponse} from 'node:http';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {HOST} from './http.js';
import {serveFiles, type Site} from './page.js';
import {runNode} from './processes.js';
import {startProgram} from './program.js';
import type {SandboxParts} from './sandbox.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const program = await startProgram(2);
const {origin, port, sandbox} = program;
const [, partner] = program.servers as [Server, Server];
const partnerOrigin = `http://${HOST}:${port + 1}`;
program.serve(serveFiles({build: buildSite, dist: buildIfOutdated()}));
partner.on('request', (request, response) => {
  void sandbox.then(parts => {
    servePartner(parts, request, response);
  });
});

const {appId, chains} = await sandbox;
const minimal = process.argv.includes('minimal') ? await startMinimal() : undefined;
await program.announce(`${origin}/  the playground, also at http://localhost:${port}/
${partnerOrigin}/  a partner's page: another origin, strict Content-Security-Policy, built widget${minimal ? ', swapping with the minimal service' : ''}
${origin}/v2/  the service; app id for tests: ${appId}
${minimal ? `${minimal.url}/v2/  the minimal service; what a site names to vouch for it: contracts="${minimal.contracts}"\n` : ''}${origin}/sandbox  the sandbox's controls
${chains.map(({name, facts}) => `${String(facts['rpc'])}  ${name}`).join('\n')}`);

async function startMinimal() {
  const {startMinimalService} = await import('../minimal-service/service.js');
  const service = await startMinimalService((await sandbox).chains, 'plain');
  program.onClose(() => service.close());
  return service;
}

/** Builds the package if its sources are newer, in a child process, so that pages are served meanwhile. */
async function buildIfOutdated(): Promise<void> {
  const built = statSync(join(ROOT, 'dist/define.js'), {throwIfNoEntry: false})?.mtimeMs ?? 0;
  const sources = readdirSync(join(ROOT, 'src'), {recursive: true, encoding: 'utf8'});
  if (sources.every(file => statSync(join(ROOT, 'src', file)).mtimeMs < built)) return;
  const code = await run([join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error']);
  if (code !== 0 && !program.isClosing())
    console.error(`The build ended with ${code}: the partner's page has no widget.`);
}

async function buildSite(what: Site): Promise<void> {
  const code = await run(['--import', 'tsx', join(ROOT, 'demo/build.ts'), what]);
  if (code !== 0) throw new Error(`The build of ${what} ended with ${code}: its output says why.`);
}

/** Runs a Node program in a child process that ends with this one; returns its exit code. */
function run(command: readonly string[]): Promise<number | null> {
  const {exit, stop} = runNode(command);
  program.onClose(stop);
  return exit;
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
