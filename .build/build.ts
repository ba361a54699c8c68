/**
 * Builds the scripts of the package, each kind apart, and what is made of them: the pages of one file, the form as it is
 * before its script, the lines for partners to copy, the hashes of all scripts, and the licenses of what they contain.
 */
import {hash} from 'node:crypto';
import {readFileSync, rmSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {build, type Rolldown} from 'vite';
import {bundled} from './bundled.js';
import {embedPage} from './embed-page.js';
import {firstPaints} from './first-paint.js';
import {ONE_FILE_PAGES, pageOf} from './one-file.js';

/** The scripts of one build. With `write: false` they are in no file. */
async function scriptsOf(mode: string, write = true): Promise<readonly Rolldown.OutputChunk[]> {
  const built = [await build({mode, logLevel: 'warn', build: {write}})].flat();
  return built.flatMap(one => ('output' in one ? one.output.filter(file => file.type === 'chunk') : []));
}

async function write(name: string, text: string) {
  const path = join('dist', name);
  await mkdir(dirname(path), {recursive: true});
  await writeFile(path, text);
}

/** Licenses and bill of materials of these scripts. */
async function writeBundled(scripts: readonly Rolldown.OutputChunk[], prefix = '') {
  const {licenses, bill} = bundled(scripts.flatMap(({moduleIds}) => moduleIds));
  await write(`${prefix}licenses.txt`, licenses);
  await write(`${prefix}sbom.json`, JSON.stringify(bill, null, 2));
}

// The chunks of the previous build have other names.
for (const folder of ['chunks', 'npm']) rmSync(join('dist', folder), {recursive: true, force: true});
const scripts = await scriptsOf('production');
const library = await scriptsOf('alone:walletconnect');
const testing = await scriptsOf('alone:testing');
await scriptsOf('program');
await writeBundled([...scripts, ...testing, ...(await scriptsOf('npm'))]);
await writeBundled(library, 'walletconnect.');
for (const [page, file] of Object.entries(ONE_FILE_PAGES)) {
  const [script, ...others] = await scriptsOf(`alone:${page}`, false);
  if (!script || others.length) throw new Error(`${page} is not one script.`);
  await write(`${page}.html`, pageOf(file, script.code));
}

// For sites that allow no module script in the page. It finds the files beside it.
await write('load.js', `import('./define.js');\n`);

/** For sites that pin what they load. */
const files = ['load.js', ...[...scripts, ...library, ...testing].map(({fileName}) => fileName)];
const hashOf = (file: string) => `sha384-${hash('sha384', readFileSync(join('dist', file)), 'base64')}`;
const hashes = Object.fromEntries(files.map(file => [file, hashOf(file)]));
await write('sri.json', JSON.stringify(hashes, null, 2));

const paints = await firstPaints();
for (const [name, text] of Object.entries(paints)) await write(`first-paint/${name}`, text);
const [form = '', styles = ''] = [paints['en.html'], paints['style-src.txt']];
const takeOver = files.find(file => file.startsWith('chunks/take-over-')) ?? '';
await write('embed.html', embedPage({hash: hashes['define.js'] ?? '', form, styles, takeOver}));
