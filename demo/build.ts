/**
 * Builds the playground: for `npm start`, which keeps it until a source changes, and as files for any host, in
 * `.playground/` (`npm run build:playground`). Those have no sandbox; a visitor enters a service. They include the
 * built widget, so that the page's code works, and the documents.
 */
import {cpSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {build, type InlineConfig, type Plugin} from 'vite';
import {words} from '../.build/messages.js';
import {ONE_FILE_PAGES} from '../.build/one-file.js';
import {
  createSearchIndex,
  DOCUMENTS,
  FILES,
  renderHome,
  renderNotFound,
  renderPage,
  renderRedirect,
  SEARCH_INDEX,
  SHARED,
  SHORT,
} from './documents.js';
import {MANIFEST_SOURCES, playground} from './manifest.js';
import {collectSources, kept} from './sandbox/kept.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DIST = join(ROOT, 'dist');
const PAGES = {index: join(ROOT, 'demo/index.html'), stages: join(ROOT, 'demo/stages.html')};
/** What other pages load from the sandbox, under fixed names. */
const SCRIPTS = ['wallets/page', 'embed/partner'];
/** Its sources besides its modules: the build script, and a folder in which a file may be added. */
const MAKERS = [
  'demo/build.ts',
  'demo/sandbox/kept.js',
  'demo/manifest.ts',
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
  for (const file of [...scripts, 'sri.json', ...ONE_FILE_PAGES.map(page => `${page}.html`)])
    cpSync(join(DIST, file), join(folder, 'swap-widget', file));
  writeDocuments(join(folder, 'docs'));
  writeNotFound(folder);
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
        output: {entryFileNames: ({name}) => (SCRIPTS.includes(name) ? `${name}.ts` : 'assets/[name]-[hash].js')},
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

/** A document's page whose links lead to files. `up` is the path to the documents' folder. */
function asFiles(page: string, up: string): string {
  return page
    .replaceAll('href="/page.css"', `href="${up}/page.css"`)
    .replaceAll('href="/docs/"', `href="${up}/index.html"`)
    .replaceAll('href="/"', `href="${up}/../index.html"`)
    .replaceAll('src="/stages.html', `src="${up}/../stages.html`)
    .replace(/(href|src)="\/docs\//g, `$1="${up}/`)
    .replace(/(href="(?![a-z]+:)[^"#]*)\.md(?=["#])/g, '$1.html');
}

/**
 * `404.html`, which static hosts serve at any wrong URL. Its links are relative to the root folder; at a deeper URL,
 * they are relative to the first folder above it that has the documents. Its styles are inline, so that they apply at
 * once.
 */
function writeNotFound(folder: string): void {
  const styles = ['page.css', 'documents.css'].map(file => readFileSync(join(ROOT, 'demo', file), 'utf8'));
  const findFolder = `
      const hasDocuments = async folder =>
        (await fetch(new URL('docs/${SEARCH_INDEX}', folder), {method: 'HEAD'})).ok;
      let folder = new URL('.', location.href);
      while (folder.pathname !== '/' && !(await hasDocuments(folder))) folder = new URL('..', folder);
      document.head.prepend(Object.assign(document.createElement('base'), {href: folder.href}));
      await import(new URL('docs/search.js', folder));
    `;
  const page = asFiles(renderNotFound(), './docs')
    .replace(/ *<link rel="stylesheet"[^>]*>\n/g, '')
    .replace(
      /<script [^>]*><\/script>/,
      () => `<style>${styles.join('')}</style>\n    <script type="module">${findFolder}</script>`,
    )
    // Links within the page stay on it, whatever its base.
    .replace(/ *<a class="skip".*\n/, '');
  writeFileSync(join(folder, '404.html'), page);
}

/** The documents as files, with links that work from any folder of a host. */
function writeDocuments(folder: string): void {
  const paths: readonly string[] = Object.values(DOCUMENTS).flat();
  const asFile = (path: string) => path.replace(/\.md(?=$|#)/, '.html');
  const write = (path: string, page: string) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), {recursive: true});
    writeFileSync(file, asFiles(page, relative(dirname(path), '') || '.'));
  };
  write('index.html', renderHome());
  for (const path of paths) write(asFile(path), renderPage(path));
  // A folder's page, which hosts serve at `/docs/installing` as at `/docs/installing/`.
  for (const [name, path] of Object.entries(SHORT)) write(`${name}/index.html`, renderRedirect(`../${asFile(path)}`));
  const index = createSearchIndex().map(entry => ({...entry, path: asFile(entry.path)}));
  writeFileSync(join(folder, SEARCH_INDEX), JSON.stringify(index));
  for (const file of ['page.css', ...Object.keys(SHARED)]) cpSync(join(ROOT, 'demo', file), join(folder, file));
  for (const path of Object.keys(FILES)) cpSync(join(ROOT, path), join(folder, path));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv[2] === 'page') {
    await kept.keep('page', buildPage);
  } else {
    const folder = join(ROOT, '.playground');
    await buildPlayground(folder);
    console.log(`The playground is in ${relative(process.cwd(), folder)}: put it on any host.`);
  }
}
