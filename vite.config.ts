import {resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {defineConfig, type Rolldown, type UserConfig} from 'vite';
import {loadsAgain} from './.build/loads-again.js';
import {words} from './.build/messages.js';
import {starknetAsUsed} from './.build/starknet.js';
import {tightTemplates} from './.build/templates.js';
import {runsEverywhere} from './.build/third-party.js';

/**
 * The scripts of the package; `.build/build.ts` builds every mode. Those for script tags: `define.js`, which is the
 * whole first load, since a page has nothing before it. Those for bundlers and Node (`npm`): entries that share their
 * code in chunks, so that importing `index.js` or `core.js` registers nothing and `core.js` brings no element. Late
 * chunks are in one folder for both, and in one file for both unless they take something from the first load.
 * Imports are relative, so that the files work from any folder of any origin.
 */
export default defineConfig(({command, mode}) => {
  const [kind, name = ''] = mode.split(':');
  if (kind === 'program') return PROGRAM;
  if (kind === 'alone') return oneFile(name);
  if (kind === 'npm') return library('npm/', 'index define core status testing first-paint react server walletconnect');
  const scripts = library('', 'define status', {
    // The library for wallets on other devices is the page's own; beside `define.js` a release has it in one file.
    paths: {'@web3modal/ethers': '../walletconnect.js'},
    // Few files compress better than many. A group includes what its modules load, so what loads first is first.
    codeSplitting: {
      groups: [
        {name: 'define', test: /[\\/]src[\\/]define\.ts$/, priority: 2},
        {name: 'settings', test: AFTER_FORM, priority: 1},
      ],
    },
  });
  return {
    ...scripts,
    define: command === 'build' ? {...scripts.define, IS_FOR_SCRIPT_TAG: 'true'} : {},
    plugins: [...PLUGINS, loadsAgain()],
    // Served by `npm run gallery`: other pages of the project have their own servers.
    optimizeDeps: {entries: ['test/support/gallery.html']},
  };
});

/** The sources that load once the form is on the screen. */
const AFTER_FORM =
  /[\\/]src[\\/]elements[\\/](?:behind|settings[\\/]all|base[\\/](?:error-note|announcement)|style[\\/]finish)\.ts$/;

const LICENSES = '/* Licenses: licenses.txt */';

/**
 * At the very top of a script: V8 compiles every function while it downloads, in another thread than the page's. Most of
 * the first load runs at once.
 */
const COMPILED_AT_ONCE = '//# allFunctionsCalledOnLoad';

const PLUGINS = [words(), runsEverywhere(), starknetAsUsed(), tightTemplates()];

const COMMON: UserConfig = {
  base: './',
  define: {
    // nanostores reads it, and a library build would keep it although browsers have no `process`.
    'process.env.NODE_ENV': '"production"',
    // Solana's library asks for it in its half for browsers, and Node has none. Without a secure context there is no Web
    // Crypto, for which both of its halves ask.
    'globalThis.isSecureContext': 'true',
    IS_FOR_SCRIPT_TAG: 'undefined',
  },
  plugins: PLUGINS,
};

/** Packages whose modules have no side effects when they are loaded, which most do not declare. */
const DEFINES_ONLY =
  /[\\/]node_modules[\\/]@?(?:sats-connect|jsontokens|buffer|bitcoin-address-validation|eventemitter3|starknet|starknet-io|lossless-json)[\\/]|starknet-names:/;

const TREE_SHAKING: Rolldown.TreeshakingOptions = {
  // Reading a property of ours, or of the platform's, has no side effects.
  propertyReadSideEffects: false,
  unknownGlobalSideEffects: false,
  moduleSideEffects: [{test: DEFINES_ONLY, sideEffects: false}],
};

/** The entries in a folder of `dist`, with their chunks. */
function library(folder: string, names: string, output: Rolldown.OutputOptions = {}): UserConfig {
  return {
    ...COMMON,
    build: {
      target: 'es2022',
      emptyOutDir: false,
      // The package excludes source maps, so its files must not refer to them.
      sourcemap: 'hidden',
      // The chunks' names and contents: read by the tests of the package.
      manifest: !folder,
      lib: {entry: Object.fromEntries(names.split(' ').map(name => [name, `src/${name}.ts`])), formats: ['es']},
      rolldownOptions: {
        external: ['react', '@web3modal/ethers'],
        // Late chunks import what they share with the form from the entry that holds it.
        ...(!folder && {preserveEntrySignatures: 'allow-extension' as const}),
        treeshake: TREE_SHAKING,
        output: {
          // Vite keeps the whitespace in ES libraries; a script tag should not have it.
          minify: true,
          comments: false,
          postBanner: ({name}) => (name === 'define' ? `${COMPILED_AT_ONCE}\n${LICENSES}` : LICENSES),
          entryFileNames: `${folder}[name].js`,
          // Filter lists keep browsers from loading files of such names (`test/node/bundle.test.ts`).
          chunkFileNames: ({name}) => `chunks/${/affiliat|announce/.test(name) ? 'part' : '[name]'}-[hash].js`,
          hashCharacters: 'base36',
          ...output,
        },
      },
    },
  };
}

/** Scripts that need no other file. */
const ALONE: Readonly<Record<string, string>> = {
  rescue: 'src/pages/rescue.ts',
  demo: 'demo/embed/stackblitz/main.js',
  testing: 'src/testing.ts',
  walletconnect: fileURLToPath(import.meta.resolve('@web3modal/ethers')),
};

function oneFile(name: string): UserConfig {
  return {
    ...COMMON,
    // The example is built with the package.
    resolve: {alias: [{find: /^swap-widget\/(\w+)(?:\.js)?$/, replacement: resolve('dist/npm/$1.js')}]},
    build: {
      target: 'es2022',
      emptyOutDir: false,
      lib: {entry: {[name]: ALONE[name] ?? name}, formats: ['es']},
      rolldownOptions: {
        // Late chunks that no page of one file reaches: in its file they would keep parts of the libraries they import.
        external: [/\/keys\.js$/, /\/versioned\.js$/],
        treeshake: TREE_SHAKING,
        output: {minify: true, comments: false, postBanner: LICENSES, codeSplitting: false},
      },
    },
  };
}

/** `swap-widget-conformance`, for Node, in one file that needs no package. */
const PROGRAM: UserConfig = {
  ssr: {noExternal: true},
  build: {
    ssr: 'demo/conformance/main.ts',
    outDir: 'dist/bin',
    rolldownOptions: {output: {entryFileNames: 'conformance.js', banner: '#!/usr/bin/env node', minify: true}},
  },
};
