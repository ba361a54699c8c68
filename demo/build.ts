/**
 * `npm run build:playground`: the playground as files for any host, in `.playground/`. It has no sandbox; a visitor
 * names a service. The built widget lies beside it, so that the code it shows leads somewhere, and so do the documents.
 */
import {cpSync, existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {build, type Plugin} from 'vite';
import {words} from '../test/support/messages.js';
import {DOCUMENTS, FILES, renderPage} from './documents.js';
import {playground} from './manifest.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DIST = join(ROOT, 'dist');

/** Builds it into a folder. The widget has to be built before. */
export async function buildPlayground(folder: string): Promise<void> {
  if (!existsSync(join(DIST, 'define.js'))) throw new Error('There is no dist/define.js: run npm run build first.');
  await build({
    configFile: false,
    root: join(ROOT, 'demo'),
    base: './',
    logLevel: 'warn',
    plugins: [
      words(),
      keepWhole(),
      playground({hasSandbox: false, dist: './swap-widget/', documents: './docs/README.html'}),
    ],
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      rolldownOptions: {
        input: {index: join(ROOT, 'demo/index.html'), stages: join(ROOT, 'demo/stages.html')},
      },
      // Wallets’ libraries are large, and come late.
      chunkSizeWarningLimit: 5_000,
    },
  });
  for (const file of ['define.js', 'chunks', 'sri.json']) {
    cpSync(join(DIST, file), join(folder, 'swap-widget', file), {
      recursive: true,
      filter: path => !path.endsWith('.map'),
    });
  }
  writeDocuments(join(folder, 'docs'));
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

/** The documents as pages, with links that work from any folder of a host. */
function writeDocuments(folder: string): void {
  const paths: readonly string[] = Object.values(DOCUMENTS).flat();
  for (const style of ['page.css', 'documents.css']) cpSync(join(ROOT, 'demo', style), join(folder, style));
  for (const path of paths) {
    const up = relative(dirname(path), '') || '.';
    const page = renderPage(path)
      .replaceAll('href="/page.css"', `href="${up}/page.css"`)
      .replaceAll('href="/documents.css"', `href="${up}/documents.css"`)
      .replaceAll('href="/docs/', `href="${up}/`)
      .replaceAll('href="/"', `href="${up}/../index.html"`)
      .replace(/(href="(?![a-z]+:)[^"#]*)\.md(?=["#])/g, '$1.html');
    const file = join(folder, path.replace(/\.md$/, '.html'));
    mkdirSync(dirname(file), {recursive: true});
    writeFileSync(file, page);
  }
  for (const path of Object.keys(FILES)) cpSync(join(ROOT, path), join(folder, path));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = join(ROOT, '.playground');
  await buildPlayground(folder);
  console.log(`The playground is in ${relative(process.cwd(), folder)}: put it on any host.`);
}
