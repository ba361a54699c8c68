/**
 * Bundles the sandbox's programs, each with its imports. The bundle of `main.ts` is what the next `npm start` runs as long
 * as no source has changed: finding, reading and compiling hundreds of modules takes longer than starting the chains.
 * With `package` as its argument, that of `serve.ts` and what it reads, in `dist/`: the package `swap-widget-sandbox`.
 */
import {cpSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {build, type Plugin} from 'rolldown';
import {bundled} from '../../.build/bundled.js';
import {buildWallets} from '../build.js';
import {collectSources, kept} from './kept.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OWN = join(ROOT, 'demo/sandbox');
const DIST = join(OWN, 'dist');
/** What the package's program reads, and what it starts. */
const FILES = [
  'contracts/artifacts.json',
  'contracts/solana/htlc.so',
  'contracts/solana/tokens.so',
  'chains/watchdog.sh',
];

/** Lets modules find adjacent files: an expression for each module's URL. */
function ownAddresses(addressOf: (id: string) => string): Plugin {
  return {
    name: 'own-addresses',
    transform: {
      filter: {id: /\/demo\//, code: 'import.meta.url'},
      handler: (code, id) => ({code: code.replaceAll('import.meta.url', addressOf(id)), map: null}),
    },
  };
}

/** Excludes native code and its loaders. The rest of its package shares its imports with ours. */
function nativeParts(external: 'absolute' | false): Plugin {
  return {
    name: 'native-parts',
    resolveId: {
      filter: {id: /^(?:\.\/internal|@solana\/kit)$/},
      async handler(id, importer, {kind}) {
        if (!importer?.includes('/node_modules/litesvm/')) return null;
        if (id === './internal')
          return external
            ? {id: join(dirname(importer), 'internal.js'), external}
            : {id: 'litesvm/dist/internal.js', external: true};
        return kind === 'require-call'
          ? this.resolve(id, join(ROOT, 'demo/sandbox/main.ts'), {kind: 'import-statement'})
          : null;
      },
    },
  };
}

/** Includes a library that is only loaded when it is needed. */
function lateParts(): Plugin {
  return {
    name: 'late-parts',
    transform: {
      filter: {id: /\/demo\//, code: 'createRequire(import.meta.url)('},
      handler: code => ({code: code.replaceAll('createRequire(import.meta.url)(', 'require('), map: null}),
    },
  };
}

const common = {cwd: ROOT, platform: 'node', logLevel: 'warn'} as const;
const names = {entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs'};

async function buildPackage(): Promise<void> {
  rmSync(DIST, {recursive: true, force: true});
  const {output} = await build({
    ...common,
    input: join(OWN, 'serve.ts'),
    plugins: [
      nativeParts(false),
      lateParts(),
      ownAddresses(id => `new URL(${JSON.stringify(`./${relative(OWN, id)}`)}, import.meta.url).href`),
    ],
    output: {...names, dir: DIST, banner: chunk => (chunk.isEntry ? '#!/usr/bin/env node' : '')},
  });
  for (const file of FILES) cpSync(join(OWN, file), join(DIST, file));
  const scripts = [...output, ...(await buildWallets(join(DIST, 'pages')))];
  const {licenses} = bundled(scripts.flatMap(file => (file.type === 'chunk' ? file.moduleIds : [])));
  writeFileSync(join(DIST, 'licenses.txt'), licenses);
}

if (process.argv.includes('package')) {
  await buildPackage();
} else {
  await kept.keep('program', async folder => {
    const sources = new Set([fileURLToPath(import.meta.url)]);
    await build({
      ...common,
      input: join(OWN, 'main.ts'),
      plugins: [
        nativeParts('absolute'),
        ownAddresses(id => JSON.stringify(pathToFileURL(id).href)),
        collectSources(sources),
      ],
      output: {...names, dir: folder, sourcemap: true},
    });
    return sources;
  });
}
