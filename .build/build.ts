/**
 * Builds the scripts of the package, each kind apart, and what is made of them: the pages of one file, the form as it is
 * before its script, the lines for partners to copy, the hashes of all scripts, the licenses of what they contain, and
 * what wallets show of a payment.
 */
import {hash} from 'node:crypto';
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {build, type Rolldown} from 'vite';
import type * as FirstPaint from '../src/first-paint.js';
import {bundled} from './bundled.js';
import {embedPage, PAIR} from './embed-page.js';
import {descriptors} from './erc7730.js';
import {ONE_FILE_PAGES, pageOf} from './one-file.js';

/** The scripts of one build. With `write: false` they are in no file. */
async function scriptsOf(mode: string, write = true): Promise<readonly Rolldown.OutputChunk[]> {
  const built = [await build({mode, logLevel: 'warn', build: {write}})].flat();
  return built.flatMap(one => ('output' in one ? one.output.filter(file => file.type === 'chunk') : []));
}

function write(name: string, text: string) {
  const path = join('dist', name);
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, text);
}

/** Licenses and bill of materials of these scripts. */
function writeBundled(scripts: readonly Rolldown.OutputChunk[], prefix = '') {
  const {licenses, bill} = bundled(scripts.flatMap(({moduleIds}) => moduleIds));
  write(`${prefix}licenses.txt`, licenses);
  write(`${prefix}sbom.json`, JSON.stringify(bill, null, 2));
}

// Whoever starts it, such as a test beside a server: else Vite would take Lit's half for development.
process.env['NODE_ENV'] = 'production';
// The chunks of the previous build have other names.
for (const folder of ['chunks', 'npm', 'erc7730']) rmSync(join('dist', folder), {recursive: true, force: true});
const scripts = await scriptsOf('production');
const library = await scriptsOf('alone:walletconnect');
const testing = await scriptsOf('alone:testing');
await scriptsOf('alone:bin/conformance');
writeBundled([...scripts, ...testing, ...(await scriptsOf('npm'))]);
writeBundled(library, 'walletconnect.');
for (const [page, file] of Object.entries(ONE_FILE_PAGES)) {
  const [script, ...others] = await scriptsOf(`alone:${page}`, false);
  if (!script || others.length) throw new Error(`${page} is not one script.`);
  write(`${page}.html`, pageOf(file, script.code));
}

for (const [name, descriptor] of Object.entries(descriptors()))
  write(`erc7730/${name}`, `${JSON.stringify(descriptor, null, 2)}\n`);

// For sites that allow no module script in the page. It finds the files beside it.
write('load.js', `import('./define.js');\n`);

/** For sites that pin what they load. */
const files = ['load.js', ...[...scripts, ...library, ...testing].map(({fileName}) => fileName)];
const hashOf = (file: string) => `sha384-${hash('sha384', readFileSync(join('dist', file)), 'base64')}`;
const hashes = Object.fromEntries(files.map(file => [file, hashOf(file)]));
write('sri.json', JSON.stringify(hashes, null, 2));

/** The form and the button in each language, as a server renders them, and the hashes of their styles for a policy. */
const built = (await import(import.meta.resolve('../dist/npm/first-paint.js'))) as typeof FirstPaint;
for (const file of readdirSync('src/locales').filter(name => name.endsWith('.json'))) {
  const lang = basename(file, '.json');
  write(`first-paint/${lang}.html`, built.firstPaint({...PAIR, lang}));
  write(`first-paint/${lang}.button.html`, built.firstPaint({lang, variant: 'button'}));
}
const [form, styles] = [built.firstPaint({...PAIR, lang: 'en'}), built.firstPaintStyles.join(' ')];
write('first-paint/style-src.txt', styles);
const takeOver = files.find(file => file.startsWith('chunks/take-over-')) ?? '';
write('embed.html', embedPage({hash: hashes['define.js'] ?? '', form, styles, takeOver}));
