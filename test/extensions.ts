/**
 * Tests real wallet extensions, given as unpacked folders: `npm run test:extensions -- folder…`. Each is loaded alone
 * into a Chromium, with a page on another origin than the sandbox's, without development wallets; then all of them at
 * once. It prints a line for each wallet and step. A wallet whose screens are known (`extensions/drivers.ts`) is tested
 * up to whole swaps; for any other one, only its entry in the widget's list is checked.
 *
 * - `--family=evm`: only this family; `--pictures=folder`: screenshots of all windows after each failed step.
 * - `--together`: only all of them at once.
 */
import {resolve} from 'node:path';
import {parseArgs} from 'node:util';
import {serve} from '../demo/sandbox/http.js';
import {createSandbox, settingsOf} from '../demo/wallets/sandbox.js';
import {readExtension, findFullChromium} from './extensions/browser.js';
import {DRIVERS} from './extensions/drivers.js';
import type {Place} from './extensions/finding.js';
import {tryFinding, tryWallet, type Outcome} from './extensions/trial.js';
import {startDemo} from './support/demo.js';

const MARKS = {yes: '✓', no: '✗', 'not tried': '–'};

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {family: {type: 'string'}, pictures: {type: 'string'}, together: {type: 'boolean', default: false}},
});
if (!positionals.length) end('Name the folder of an unpacked extension: npm run test:extensions -- /path/to/it');
const extensions = positionals.map(folder => attempt(() => readExtension(resolve(folder))));
attempt(findFullChromium);

const demo = await startDemo(9600);
const {origin} = new URL(demo.page);
const state = await createSandbox(origin).read();
const page = await servePage();
const place: Place = {page: `${page.url}/`, origin, state, pictures: values.pictures};
const total = {yes: 0, no: 0, 'not tried': 0};
try {
  for (const extension of values.together ? [] : extensions) {
    const driver = DRIVERS.find(({manifest}) => manifest.test(extension.name));
    console.log(`\n${extension.name} ${extension.version}${driver ? '' : ' (no driver)'}`);
    const families = driver?.families.filter(family => values.family === undefined || family === values.family) ?? [];
    await (driver ? tryWallet(extension, driver, place, families, tell) : tryFinding([extension], place, tell));
  }
  if (extensions.length > 1) {
    console.log(`\nAll ${String(extensions.length)} at once`);
    await tryFinding(extensions, place, tell);
  }
} finally {
  await Promise.all([demo.close(), page.close()]);
}
console.log(`\n${String(total.yes)} passed, ${String(total.no)} failed, ${String(total['not tried'])} not tried`);
process.exit(total.no || !total.yes ? 1 : 0);

function tell({family, step, result, said}: Outcome): void {
  total[result]++;
  console.log(`${MARKS[result]} ${(family ?? '').padEnd(9)} ${step.padEnd(16)} ${said}`);
}

/** A page on \`localhost\`, where all wallets run, with the built widget and no wallet of its own. */
function servePage() {
  const settings = settingsOf(state);
  // Wallets do not add a chain without an explorer.
  const chains = Object.fromEntries(
    Object.entries(settings.chains).map(([name, chain]) => [
      name,
      {...chain, explorer: `https://${name.replace('_', '-')}.example/tx/{tx}`},
    ]),
  );
  const code = `
    const query = new URLSearchParams(location.search);
    Object.assign(document.querySelector('swap-widget'), ${JSON.stringify({...settings, chains, baseUrl: origin})}, {
      appId: query.get('app') ?? ${JSON.stringify(state.appId)}, from: query.get('from'), to: query.get('to'),
    });`;
  const html = `<!doctype html><html lang="en"><meta charset="utf-8" /><title>A partner's page</title><link rel="icon" href="data:," />
    <swap-widget></swap-widget><script type="module" src="${origin}/dist/define.js"></script><script type="module">${code}</script></html>`;
  return serve((_request, response) => {
    response.writeHead(200, {'content-type': 'text/html; charset=utf-8'});
    response.end(html);
  }, 0).then(server => ({...server, url: server.url.replace('127.0.0.1', 'localhost')}));
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    end((error as Error).message);
  }
}

function end(why: string): never {
  console.error(why);
  process.exit(1);
}
