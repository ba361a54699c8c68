/**
 * Builds the playground: for `npm start`, which keeps it until a source changes, and as files for any host, in
 * `.playground/` (`npm run build:playground`). Those have no sandbox: a mock service answers until a visitor enters one.
 * They include the built widget, so that the page's code works, and the documents, which have to know their host's path:
 * `npm run build:playground -- /path/`.
 */
import {execFile} from 'node:child_process';
import {cpSync, existsSync, readdirSync, readFileSync, renameSync} from 'node:fs';
import {join, relative} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {promisify} from 'node:util';
import {build, type InlineConfig, type Plugin} from 'vite';
import {words} from '../.build/messages.js';
import {ONE_FILE_PAGES} from '../.build/one-file.js';
import {DOCUMENTS} from './documents.js';
import {GUIDES, MANIFEST_SOURCES, playground} from './manifest.js';
import {collectSources, kept} from './sandbox/kept.js';
import {environmentWith} from '../test/tools/with.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DIST = join(ROOT, 'dist');
const SITE = 'demo/docs/.vitepress';
const PAGES = {index: join(ROOT, 'demo/index.html'), stages: join(ROOT, 'demo/stages.html')};
/** What other pages load from the sandbox, under fixed names. */
const SCRIPTS = ['wallets/page', 'embed/partner'];
/** Its sources besides its modules: the build script, and a folder in which a file may be added. */
const MAKERS = [
  'demo/build.ts',
  'demo/sandbox/kept.js',
  'demo/manifest.ts',
  GUIDES,
  ...MANIFEST_SOURCES,
  '.build',
  'src/locales',
];

/** Builds it for any host into a folder. The widget has to be built first. */
export async function buildPlayground(folder: string): Promise<void> {
  if (!existsSync(join(DIST, 'define.js'))) throw new Error('There is no dist/define.js: run npm run build first.');
  await buildPages({
    base: './',
    plugins: [playground({hasSandbox: false, dist: './swap-widget/', documents: './docs/index.html'})],
    build: {outDir: folder, rolldownOptions: {input: PAGES}},
  });
  const scripts = Object.keys(JSON.parse(readFileSync(join(DIST, 'sri.json'), 'utf8')) as object);
  for (const file of [...scripts, 'sri.json', ...Object.keys(ONE_FILE_PAGES).map(page => `${page}.html`)])
    cpSync(join(DIST, file), join(folder, 'swap-widget', file));
}

/** Builds it as `npm start` serves it, into a folder; returns the paths of all its sources. */
async function buildPage(folder: string): Promise<string[]> {
  const sources = new Set(MAKERS.map(path => join(ROOT, path)));
  await buildPages({
    plugins: [playground({hasSandbox: true, dist: '/dist/', documents: '/docs/'}), collectSources(sources)],
    build: {
      outDir: folder,
      minify: false,
      sourcemap: true,
      // Pages that load one of its scripts from another origin have their own policies.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_, files, {hostType}) => (hostType === 'html' ? files : []),
      },
      rolldownOptions: {
        preserveEntrySignatures: 'exports-only',
        input: {
          ...PAGES,
          ...Object.fromEntries(SCRIPTS.map(name => [name, join(ROOT, `demo/${name}.ts`)])),
        },
        output: {entryFileNames: ({name}) => (SCRIPTS.includes(name) ? `${name}.js` : 'assets/[name]-[hash].js')},
      },
    },
  });
  return [...sources];
}

function buildPages({plugins = [], build: options = {}, ...config}: InlineConfig) {
  return build({
    configFile: false,
    root: join(ROOT, 'demo'),
    logLevel: 'warn',
    plugins: [words(), keepWhole(), ...plugins],
    build: {
      emptyOutDir: true,
      target: 'es2022',
      // Wallets’ libraries are large, and load late.
      chunkSizeWarningLimit: 5_000,
      ...options,
      rolldownOptions: {checks: {bundlerTimings: false}, ...options.rolldownOptions},
    },
    ...config,
  });
}

/** Keeps files with side effects: the package's `sideEffects` only describes those in `dist`. */
function keepWhole(): Plugin {
  return {
    name: 'keep-whole',
    enforce: 'pre',
    async resolveId(id, importer) {
      const found = await this.resolve(id, importer, {skipSelf: true});
      return found && !found.id.includes('/node_modules/') ? {...found, moduleSideEffects: true} : null;
    },
  };
}

/**
 * Builds the documents' site into a folder; returns the paths of its sources.
 * @param base - The path below which its host serves it.
 */
export async function buildDocuments(folder: string, base: string): Promise<string[]> {
  const args = ['build', 'demo/docs', '--outDir', folder, '--base', base];
  const env = await environmentWith('site');
  await promisify(execFile)('vitepress', args, {cwd: ROOT, env, shell: process.platform === 'win32'});
  const settings = readdirSync(join(ROOT, SITE), {recursive: true, encoding: 'utf8'}).map(file => join(SITE, file));
  return [...Object.values(DOCUMENTS).flat(), 'demo/documents.ts', ...settings].map(path => join(ROOT, path));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const {homepage} = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {homepage: string};
  const [, , what = new URL(homepage).pathname] = process.argv;
  if (what === 'page') {
    await kept.keep('page', buildPage);
  } else if (what === 'documents') {
    await kept.keep('documents', folder => buildDocuments(folder, '/docs/'));
  } else {
    const folder = join(ROOT, '.playground');
    await buildPlayground(folder);
    await buildDocuments(join(folder, 'docs'), `${what}docs/`);
    // What the example for StackBlitz installs.
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    const {stdout} = await promisify(execFile)('npm', args, {cwd: ROOT, shell: process.platform === 'win32'});
    renameSync(join(folder, stdout.trim()), join(folder, 'swap-widget.tgz'));
    // Static hosts serve it at any wrong URL.
    cpSync(join(folder, 'docs/404.html'), join(folder, '404.html'));
    console.log(`The playground is in ${relative(process.cwd(), folder)}: put it at ${what} on any host.`);
  }
}
