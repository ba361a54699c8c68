import {resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {defineConfig, mergeConfig, type Rolldown, type UserConfig} from 'vite';
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
  if (kind === 'alone') return oneFile(name);
  if (kind === 'npm') return library('npm/', 'index define core status testing first-paint react server walletconnect');
  const scripts = library('', 'define status', {
    // V8 compiles each function while it downloads, in another thread. Most of it runs at once.
    postBanner: chunk => (chunk.name === 'define' ? `//# allFunctionsCalledOnLoad\n${LICENSES}` : LICENSES),
    // The library for wallets on other devices is the page's own; beside `define.js` a release has it in one file.
    paths: {'@web3modal/ethers': '../walletconnect.js'},
    // Few files compress better than many. A group includes what its modules load, so first what is to be there first.
    codeSplitting: {
      groups: [
        {name: 'define', test: /[\\/]src[\\/]define\.ts$/, priority: 3},
        {name: 'languages', test: /[\\/]src[\\/]locales[\\/]languages\.ts$/, priority: 2},
        {name: 'settings', test: AFTER_FORM, priority: 1},
      ],
    },
  });
  return mergeConfig(scripts, {
    define: command === 'build' ? {IS_FOR_SCRIPT_TAG: 'true'} : {},
    plugins: [loadsAgain()],
    build: {
      manifest: true, // for the tests of the package
      // Late chunks import what they share with the form from the entry that holds it.
      rolldownOptions: {preserveEntrySignatures: 'allow-extension'},
    },
    // Served by `npm run gallery`: other pages of the project have their own servers.
    optimizeDeps: {entries: ['test/support/gallery.html']},
  });
});

/** The sources that load once the form is on the screen. */
const AFTER_FORM =
  /[\\/]src[\\/]elements[\\/](?:behind|settings[\\/]all|base[\\/](?:error-note|announcement)|style[\\/]finish)\.ts$/;

/** Packages whose modules have no side effects when they are loaded, which they do not declare. */
const DEFINES_ONLY =
  /[\\/]node_modules[\\/]@?(?:sats-connect|jsontokens|buffer|bitcoin-address-validation|eventemitter3|starknet|starknet-io|lossless-json)[\\/]|starknet-names:/;

const LICENSES = '/* Licenses: licenses.txt */';

/** What all scripts for pages have in common. */
function scriptsOf(entry: Record<string, string>, external: RegExp[], output: Rolldown.OutputOptions): UserConfig {
  return {
    base: './',
    define: {
      // nanostores reads it, and a library build would keep it although browsers have no `process`.
      'process.env.NODE_ENV': '"production"',
      // Solana's library asks for it in its half for browsers, and Node has none. Without a secure context there is no Web
      // Crypto, for which both of its halves ask.
      'globalThis.isSecureContext': 'true',
      IS_FOR_SCRIPT_TAG: 'undefined',
    },
    plugins: [words(), runsEverywhere(), starknetAsUsed(), tightTemplates()],
    build: {
      target: 'es2022',
      emptyOutDir: false,
      lib: {entry, formats: ['es']},
      rolldownOptions: {
        external,
        treeshake: {
          // Reading a property of ours, or of the platform's, has no side effects.
          propertyReadSideEffects: false,
          unknownGlobalSideEffects: false,
          moduleSideEffects: [{test: DEFINES_ONLY, sideEffects: false}],
        },
        // Vite keeps the whitespace in ES libraries; a script tag should not have it.
        output: {minify: true, comments: false, postBanner: LICENSES, ...output},
      },
    },
  };
}

/** The entries in a folder of `dist`, with their chunks. */
function library(folder: string, names: string, output: Rolldown.OutputOptions = {}): UserConfig {
  const entries = Object.fromEntries(names.split(' ').map(name => [name, `src/${name}.ts`]));
  const scripts = scriptsOf(entries, [/^react$/, /^@web3modal\/ethers$/], {
    entryFileNames: `${folder}[name].js`,
    // Filter lists keep browsers from loading files of such names (`test/node/bundle.test.ts`).
    chunkFileNames: ({name}) => `chunks/${/affiliat|announce/.test(name) ? 'part' : '[name]'}-[hash].js`,
    hashCharacters: 'base36',
    ...output,
  });
  // The package excludes source maps, so its files must not refer to them.
  return mergeConfig(scripts, {build: {sourcemap: 'hidden'}});
}

/** A script that needs no other file. */
function oneFile(name: string): UserConfig {
  const entries: Readonly<Record<string, string>> = {
    rescue: 'src/pages/rescue.ts',
    demo: 'demo/embed/stackblitz/main.js',
    testing: 'src/testing.ts',
    'bin/conformance': 'demo/conformance/main.ts',
    walletconnect: fileURLToPath(import.meta.resolve('@web3modal/ethers')),
  };
  // Late chunks that no page of one file reaches: in its file they would keep parts of the libraries that they import.
  const unreached = /^\.\/(?:bitcoin\/)?(?:keys|versioned|walletconnect|witnesses)\.js$/;
  const start = name.startsWith('bin/') ? '#!/usr/bin/env node' : LICENSES;
  const alias = [
    // The example is built with the package.
    {find: /^swap-widget\/(\w+)(?:\.js)?$/, replacement: resolve('dist/npm/$1.js')},
    // Ethers and starknet bring the same hashes.
    {
      find: /^@noble\/hashes\/(\w+)$/,
      replacement: resolve('node_modules/starknet/node_modules/@noble/hashes/esm/$1.js'),
    },
  ];
  return {
    ...scriptsOf({[name]: entries[name] ?? name}, [unreached, /^node:/], {codeSplitting: false, postBanner: start}),
    resolve: {alias: name === 'walletconnect' ? [] : alias},
  };
}
