/**
 * Bundles `main.ts` and its imports into one file, which the next `npm start` runs as long as no source has changed:
 * finding, reading and compiling hundreds of modules takes longer than starting the chains.
 */
import {dirname, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {build, type Plugin} from 'rolldown';
import {collectSources, kept} from './kept.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Lets modules find adjacent files. */
function ownAddresses(): Plugin {
  return {
    name: 'own-addresses',
    transform: {
      filter: {code: 'import.meta.url'},
      handler: (code, id) => ({
        code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
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
        if (id === './internal') return {id: join(dirname(importer), 'internal.js'), external: 'absolute'};
        return kind === 'require-call'
          ? this.resolve(id, join(ROOT, 'demo/sandbox/main.ts'), {kind: 'import-statement'})
          : null;
      },
    },
  };
}

await kept.keep('program', async folder => {
  const sources = new Set([fileURLToPath(import.meta.url)]);
  await build({
    input: join(ROOT, 'demo/sandbox/main.ts'),
    cwd: ROOT,
    platform: 'node',
    plugins: [nativeParts(), ownAddresses(), collectSources(sources)],
    output: {dir: folder, entryFileNames: 'main.mjs', chunkFileNames: '[name].mjs', sourcemap: true},
    logLevel: 'warn',
  });
  return sources;
});
