/**
 * Builds the playground: for `npm start`, which keeps it until a source changes, and as files for any host, in
 * `.playground/` (`npm run build:playground`). Those have no sandbox; a visitor names a service. The built widget lies
 * beside them, so that the code the page shows leads somewhere, and so do the documents.
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
/** What other pages load from the sandbox, by names that stay. */
const SCRIPTS = ['wallets/page', 'embed/partner'];
/** What it is made of beside its modules: what makes it, and a folder in which a file may be added. */
const MAKERS = [
  'demo/build.ts',
  'demo/sandbox/kept.js',
  'demo/manifest.ts',
  ...MANIFEST_SOURCES,
  '.build',
  'src/locales',
];

/** Builds it for any host into a folder. The widget has to be built before. */
export async function buildPlayground(folder: string): Promise<void> {
  if (!existsSync(join(DIST, 'define.js'))) throw new Error('There is no dist/define.js: run npm run build first.');
  await buildPages({
    base: './',
    plugins: [playground({hasSandbox: false, dist: './swap-widget/', documents: './docs/index.html'})],
    build: {outDir: folder, rolldownOptions: {input: PAGES}},
  });
  for (const file of ['define.js', 'chunks', 'sri.json', ...ONE_FILE_PAGES.map(page => `${page}.html`)]) {
    cpSync(join(DIST, file), join(folder, 'swap-widget', file), {
      recursive: true,
      filter: path => !path.endsWith('.map'),
    });
  }
  writeDocuments(join(folder, 'docs'));
  writeNotFound(folder);
}

/** Builds it as `npm start` serves it, into a folder; returns the paths of all that it is made of. */
async function buildPage(folder: string): Promise<string[]> {
  const sources = new Set(MAKERS.map(path => join(ROOT, path)));
  await buildPages({
    plugins: [playground({hasSandbox: true, dist: '/dist/', documents: '/docs/'}), collectSources(sources)],
    build: {
      outDir: folder,
      minify: false,
      sourcemap: true,
      // Pages that load one script of it from another origin have policies of their own.
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
      // Wallets’ libraries are large, and come late.
      chunkSizeWarningLimit: 5_000,
      ...options,
    },
    ...config,
  });
}

/** Keeps files that only do something: what the package says of its files is meant of those in `dist`. */
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

/** A page of the documents whose links lead to files. `up` leads to the documents' folder. */
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
 * `404.html`, which static hosts serve at any address that leads nowhere. Its links are as from the first folder; at an
 * address further down, the first folder above it that has the documents is where they begin. Its styles are inside, so
 * that they are there at once.
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
    // Links within the page stay in it, whatever its base.
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
