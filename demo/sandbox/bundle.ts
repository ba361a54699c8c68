/**
 * Bundles the sandbox's programs, each with its imports. The bundle of `main.ts` is what the next `npm start` runs as long
 * as no source has changed: finding, reading and compiling hundreds of modules takes longer than starting the chains.
 * With `package` as its argument, that of `serve.ts` and what it reads, in `dist/`: the package `swap-widget-sandbox`.
 */
import {cpSync, rmSync, writeFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {build, type Plugin} from 'rolldown';
import {bundled} from '../../.build/bundled.js';
import {collectSources, kept} from './kept.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OWN = join(ROOT, 'demo/sandbox');
const DIST = join(OWN, 'dist');
/** What the package's program reads and starts. */
const FILES = [
  'chains/watchdog.sh',
  ...['artifacts.json', 'solana/htlc.so', 'solana/tokens.so'].map(f => `contracts/${f}`),
];

/** Lets modules find adjacent files, by an expression for each module's URL, and includes libraries that load late. */
function ownAddresses(addressOf: (id: string) => string): Plugin {
  return {
    name: 'own-addresses',
    transform: {
      filter: {id: /\/demo\//, code: 'import.meta.url'},
      handler: (code, id) => ({
        code: code
          .replaceAll('createRequire(import.meta.url)(', 'require(')
          .replaceAll('import.meta.url', addressOf(id)),
        map: null,
      }),
    },
  };
}

/** Excludes native code and its loaders. The rest of its package shares its imports with ours. */
function nativeParts(): Plugin {
  return {
    name: 'native-parts',
    resolveId: {
      filter: {id: /^(?:\.\/internal|@solana\/kit)$/},
      async handler(id, importer, {kind}) {
        if (!importer?.includes('/node_modules/litesvm/')) return null;
        if (id === './internal') return {id: 'litesvm/dist/internal.js', external: true};
        return kind === 'require-call' ? this.resolve(id, join(OWN, 'main.ts'), {kind: 'import-statement'}) : null;
      },
    },
  };
}

async function bundle(name: string, dir: string, plugins: readonly Plugin[], platform: 'node' | 'browser' = 'node') {
  const ending = platform === 'node' ? 'mjs' : 'js';
  const {output} = await build({
    input: join(OWN, name),
    cwd: ROOT,
    platform,
    plugins: [...plugins],
    output: {
      dir,
      entryFileNames: `[name].${ending}`,
      chunkFileNames: `[name].${ending}`,
      sourcemap: !dir.startsWith(DIST),
    },
    logLevel: 'warn',
    checks: {bundlerTimings: false},
  });
  return output;
}

if (process.argv.includes('package')) {
  rmSync(DIST, {recursive: true, force: true});
  const addresses = ownAddresses(id => `new URL(${JSON.stringify(`./${relative(OWN, id)}`)}, import.meta.url).href`);
  const scripts = [
    ...(await bundle('serve.ts', DIST, [nativeParts(), addresses])),
    ...(await bundle('../wallets/page.ts', join(DIST, 'pages/wallets'), [], 'browser')),
  ];
  for (const file of FILES) cpSync(join(OWN, file), join(DIST, file));
  const {licenses} = bundled(scripts.flatMap(file => (file.type === 'chunk' ? file.moduleIds : [])));
  writeFileSync(join(DIST, 'licenses.txt'), licenses);
} else {
  await kept.keep('program', async folder => {
    const sources = new Set([fileURLToPath(import.meta.url)]);
    const addresses = ownAddresses(id => JSON.stringify(pathToFileURL(id).href));
    await bundle('main.ts', folder, [nativeParts(), addresses, collectSources(sources)]);
    return sources;
  });
}
