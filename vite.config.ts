import {createHash} from 'node:crypto';
import {rmSync} from 'node:fs';
import {resolve} from 'node:path';
import {RolldownMagicString} from 'rolldown';
import {defineConfig, Visitor, type Plugin, type Rolldown, type UserConfig} from 'vite';
import {bundledPackages} from './.build/bundled.js';
import {embedPage} from './.build/embed-page.js';
import {firstPaints} from './.build/first-paint.js';
import {words} from './.build/messages.js';
import {oneFile, scriptOf} from './.build/one-file.js';
import {definesOnly, starknetAsUsed} from './.build/starknet.js';

/**
 * Builds the package twice. For a script tag: `define.js`, which holds all of the first load in one file, and beside it
 * what comes late. For bundlers (`--mode npm`): the entries, which share their code in chunks, so that a page that
 * imports two of them has nothing twice, and that importing `index.js` or `core.js` registers nothing.
 * A third build makes the program for operators, which is for Node and shares nothing with the others. Each page of one file
 * (`--mode page:rescue`) is a build of its own, too.
 * Imports stay relative, so that the files work from any folder of any origin.
 */
export default defineConfig(({command, mode}) => {
  if (mode === 'conformance') return PROGRAM;
  const [, page] = /^page:([\w-]+)$/.exec(mode) ?? [];
  if (page !== undefined) return pageOf(page);
  const isForScripts = command === 'build' && mode !== 'npm';
  return {
    base: './',
    // nanostores asks for it, and a library build would leave it in for a browser that has no `process`.
    define: {
      'process.env.NODE_ENV': '"production"',
      ...(command === 'build' && {
        IS_FOR_SCRIPT_TAG: isForScripts ? 'true' : 'undefined',
        IS_FOR_BUNDLERS: isForScripts ? 'undefined' : 'true',
      }),
    },
    // What `npm run gallery` serves: other pages of the project have servers of their own.
    optimizeDeps: {entries: ['test/support/gallery.html']},
    plugins: [
      words(),
      litAsUsed(),
      oneDialog(),
      oneHashEach(),
      starknetAsUsed(),
      ownNames(),
      tightTemplates(),
      ...(isForScripts ? [withoutDetour(), withoutOldChunks(), integrityList(), bundledPackages()] : [runsInNode()]),
    ],
    build: {
      target: 'es2022',
      outDir: isForScripts ? 'dist' : 'dist/npm',
      // Types, the manifest and the files for bundlers lie in `dist` too, and stay when scripts alone are built anew.
      emptyOutDir: !isForScripts,
      // The npm package comes without them, so what a bundler reads must not point there.
      sourcemap: isForScripts ? true : 'hidden',
      // The chunk names and what they hold: read by the tests of the package.
      manifest: true,
      lib: {
        entry: isForScripts
          ? {define: 'src/define.ts', status: 'src/status.ts'}
          : {
              index: 'src/index.ts',
              define: 'src/define.ts',
              core: 'src/core.ts',
              status: 'src/status.ts',
              testing: 'src/testing.ts',
              'first-paint': 'src/first-paint.ts',
              react: 'src/react.ts',
              server: 'src/server.ts',
              walletconnect: 'src/walletconnect.ts',
            },
        formats: ['es'],
      },
      rolldownOptions: {
        // It is the page's own.
        external: ['react'],
        // Late chunks take what they share with the form from `define.js` itself.
        ...(isForScripts && {preserveEntrySignatures: 'allow-extension' as const}),
        treeshake: TREE_SHAKING,
        output: {
          // Vite leaves the whitespace of ES libraries in; a script tag wants it out.
          minify: true,
          // Annotations only tell a bundler what it may leave out; the licenses of all that is bundled lie beside the files.
          ...(isForScripts && {
            comments: false,
            postBanner: ({name}) => (COMPILED_WHOLE.has(name) ? `${COMPILED_AT_ONCE}\n${LICENSES}` : LICENSES),
          }),
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          // Few files compress better than many. All of the first load goes into the entry itself, what follows it and what
          // comes with the first price into a chunk each; for bundlers, what the entries share lies in chunks of its own.
          codeSplitting: {
            // A group takes what its modules load along with them, so the first of them comes first.
            groups: isForScripts
              ? [
                  {name: withAll('define', ['src/define.ts']), debugName: 'define', priority: 3},
                  {name: withAll('settings', AFTER_FORM), debugName: 'settings', priority: 2},
                  {name: withAll('price', FIRST_PRICE), debugName: 'price', priority: 1},
                ]
              : [
                  {
                    debugName: 'what the entries share',
                    name: (id, modules) => {
                      if (id === resolve('src/define.ts') || !isWith(id, modules, ['src/define.ts'])) return null;
                      if (isWith(id, modules, ['src/core.ts'])) return 'core';
                      // A page that shows one order does without the form.
                      return isWith(id, modules, ['src/status.ts']) ? 'parts' : 'widget';
                    },
                  },
                ],
          },
        },
      },
    },
  };
});

/** `swap-widget-conformance`, in one file that needs no package. */
const PROGRAM: UserConfig = {
  build: {
    ssr: 'demo/conformance/main.ts',
    target: 'node20',
    outDir: 'dist/bin',
    rolldownOptions: {output: {entryFileNames: 'conformance.js', banner: '#!/usr/bin/env node', minify: true}},
  },
};

const LICENSES = '/* Licenses: licenses.txt */';

const TREE_SHAKING: Rolldown.TreeshakingOptions = {
  // Reading a property of ours, or of the platform's, does nothing by itself.
  propertyReadSideEffects: false,
  unknownGlobalSideEffects: false,
  // Nor does loading these do anything but define what they export; their packages do not say so.
  moduleSideEffects: id =>
    !definesOnly(id) &&
    !/[\\/]node_modules[\\/]@?(?:sats-connect|jsontokens|buffer|bitcoin-address-validation|eventemitter3)[\\/]/.test(
      id,
    ),
};

/** A page of one file, which needs nothing beside it. */
const pageOf = (page: string): UserConfig => ({
  define: {
    'process.env.NODE_ENV': '"production"',
    IS_FOR_SCRIPT_TAG: 'undefined',
    // Wallets on other devices are not among those that a page offers: their library is larger than all the rest.
    IS_FOR_BUNDLERS: 'true',
  },
  plugins: [words(), litAsUsed(), starknetAsUsed(), withoutNames(), ownNames(), tightTemplates(), oneFile(page)],
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: false,
    lib: {entry: {[page]: scriptOf(page)}, formats: ['es']},
    rolldownOptions: {
      treeshake: TREE_SHAKING,
      output: {minify: true, comments: false, postBanner: LICENSES, codeSplitting: false},
    },
  },
});

/**
 * The sign at the very top of a script by which V8 compiles every function as it comes, in another thread than the page's.
 * Most of the first load runs at once, and most of what comes with the first price once that is there.
 */
const COMPILED_AT_ONCE = '//# allFunctionsCalledOnLoad';
const COMPILED_WHOLE: ReadonlySet<string> = new Set(['define', 'price']);

/** What is loaded once the form is on the screen. */
const AFTER_FORM = [
  'src/elements/behind.ts',
  'src/elements/settings/all.ts',
  'src/elements/base/error-note.ts',
  'src/elements/base/announcement.ts',
  'src/elements/style/finish.ts',
];

/** What is loaded with the first price. */
const FIRST_PRICE = [
  'src/api/client.ts',
  'src/session/review.ts',
  'src/elements/form/price.ts',
  'src/elements/form/notes.ts',
];

/** Whether a module is one of these sources, or is loaded at once with one. */
function isWith(id: string, modules: Rolldown.ChunkingContext, sources: readonly string[]): boolean {
  return sources.some(source => loadedWith(resolve(source), modules).has(id));
}

/** Names a chunk for these sources and all that is loaded at once with them. */
function withAll(name: string, sources: readonly string[]) {
  return (id: string, modules: Rolldown.ChunkingContext) => (isWith(id, modules, sources) ? name : null);
}

/** The modules that a module loads at once, however far away, and itself. */
function loadedWith(id: string, modules: Pick<Rolldown.ChunkingContext, 'getModuleInfo'>, known = new Set<string>()) {
  if (known.has(id)) return known;
  known.add(id);
  for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) loadedWith(imported, modules, known);
  return known;
}

/** Removes the chunks of the build before, whose names are others. */
function withoutOldChunks(): Plugin {
  return {
    name: 'without-old-chunks',
    apply: 'build',
    buildStart() {
      rmSync(resolve('dist/chunks'), {recursive: true, force: true});
    },
  };
}

/**
 * Writes `sri.json`, the hash of every script, for sites that pin what they load, `first-paint/`, the form before its script,
 * `embed.html`, the lines of a page that shows that, loads the form as early as it can and checks it, and `load.js`, a
 * classic script that loads it.
 */
function integrityList(): Plugin {
  return {
    name: 'integrity-list',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const hashes: Record<string, string> = {};
        const hashOf = (code: string) => `sha384-${createHash('sha384').update(code).digest('base64')}`;
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk') continue;
          hashes[file.fileName] = hashOf(file.code);
        }
        // For sites that let no module stand in the page. It finds what lies beside it.
        const loader = `import('./define.js');\n`;
        this.emitFile({type: 'asset', fileName: 'load.js', source: loader});
        hashes['load.js'] = hashOf(loader);
        this.emitFile({type: 'asset', fileName: 'sri.json', source: JSON.stringify(hashes, null, 2)});
        // Made tight as the scripts are, so that the drawing differs from the living form in nothing.
        const {apply: _, ...tight} = tightTemplates();
        const paints = await firstPaints(tight);
        for (const [name, source] of Object.entries(paints))
          this.emitFile({type: 'asset', fileName: `first-paint/${name}`, source});
        const embed = embedPage({
          hash: hashes['define.js'] ?? '',
          form: paints['en.html'] ?? '',
          styles: paints['style-src.txt'] ?? '',
          takeOver: Object.keys(hashes).find(file => file.startsWith('chunks/take-over-')) ?? '',
        });
        this.emitFile({type: 'asset', fileName: 'embed.html', source: embed});
      },
    },
  };
}

/**
 * Lets Lit be imported where there is no document, as its own builds for Node do, at a tenth of their size: a server
 * that renders a partner's page may import the package, and nothing happens until a browser defines the element.
 * And leaves out what is not used here: the half of its decorators that is for the standard kind, attributes that hold numbers
 * or objects, style sheets for browsers that adopt none (all that can run the rest adopt them), and sentences for developers
 * who misuse `css`.
 */
function litAsUsed(): Plugin {
  const replacements = [
    {
      file: '/@lit/reactive-element/reactive-element.js',
      find: 'extends HTMLElement',
      put: 'extends(globalThis.HTMLElement??class{})',
    },
    {
      file: '/@lit/reactive-element/css-tag.js',
      find: 't.ShadowRoot&&(void 0===t.ShadyCSS||t.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype',
      put: '!0',
    },
    {
      file: '/@lit/reactive-element/css-tag.js',
      find: '"CSSResult is not constructable. Use `unsafeCSS` or `css` instead."',
      put: '',
    },
    {
      file: '/@lit/reactive-element/css-tag.js',
      find: `"Value passed to 'css' function must be a 'css' function result: "+t+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security."`,
      put: '"css: "+t',
    },
    // What only pretends to be a browser, as tests of partners do, may have sheets that take no text.
    {file: '/@lit/reactive-element/css-tag.js', find: '.replaceSync(', put: '.replaceSync?.('},
    {file: '/lit-html/lit-html.js', find: '=document,', put: '=globalThis.document??{createTreeWalker(){}},'},
    // Attributes here are text, or there or not; properties are declared by the decorators that TypeScript compiles.
    ...[
      'case Number:i=null===t?null:Number(t);break;case Object:case Array:try{i=JSON.parse(t)}catch(t){i=null}',
      'case Object:case Array:t=null==t?t:JSON.stringify(t)',
      'Symbol.metadata??=Symbol("metadata"),a.litPropertyMetadata??=new WeakMap;',
      'const t=this[Symbol.metadata];if(null!==t){const s=litPropertyMetadata.get(t);if(void 0!==s)for(const[t,i]of s)this.elementProperties.set(t,i)}',
    ].map(find => ({file: resolve('node_modules/@lit/reactive-element/reactive-element.js'), find, put: ''})),
    // A wallet library brings another version, which is left alone.
    {
      file: resolve('node_modules/@lit/reactive-element/decorators/property.js'),
      find: '"object"==typeof o?r(t,e,o):',
      put: '',
    },
  ];
  return {
    name: 'lit-as-used',
    apply: 'build',
    transform(code, id) {
      let result = code;
      for (const {find, put} of replacements.filter(({file}) => id.endsWith(file))) {
        if (result.split(find).length !== 2) this.error(`${id} has changed: it is not known how to fit it in.`);
        result = result.replace(find, () => put);
      }
      // Nothing moves to another line, so the source map still holds.
      return result === code ? null : {code: result, map: null};
    },
  };
}

/**
 * Takes the half of Solana’s library that is for Node: bundlers and Node get the same files. The other half asks besides
 * whether the page came securely, which Node cannot answer. Where it did not there is nothing to hash with, and both halves
 * ask for that.
 */
function runsInNode(): Plugin {
  return {
    name: 'runs-in-node',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: {id: /^@solana\/assertions$/},
      // Not by an alias: the package would lead that back to its half for browsers.
      handler: () => resolve('node_modules/@solana/assertions/dist/index.node.mjs'),
    },
  };
}

/**
 * Gives the curve of Solana's adapters a copy of the module of hashes: it takes another one of them than Bitcoin, which would
 * load both, since a module is never divided among chunks. And WalletConnect's library a copy of ethers, of which it wants what
 * no other wallet needs.
 */
function oneHashEach(): Plugin {
  return {
    name: 'one-hash-each',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      async handler(source, importer = '', options) {
        const isCurve = source === '@noble/hashes/sha2.js' && importer.endsWith('/@noble/curves/ed25519.js');
        const isTheirs = (source === 'ethers' && importer.includes('/@web3modal/')) || importer.endsWith('?theirs');
        if (!isCurve && !isTheirs) return null;
        const found = await this.resolve(source, importer.replace(/\?theirs$/, ''), {...options, skipSelf: true});
        return found && `${found.id}?${isCurve ? 'sha512' : 'theirs'}`;
      },
    },
  };
}

/**
 * Lets a module that is handed on as a whole have no names but its own: the bundler, and the builds of packages, would walk
 * through those too that a script of the page adds to all objects, and the chunk would not load.
 */
function ownNames(): Plugin {
  return {
    name: 'own-names',
    apply: 'build',
    // Nothing moves to another line, so the source map still holds.
    renderChunk: code => ({
      code: code.replaceAll('for (var name in all)', 'for (var name of Object.keys(all))'),
      map: null,
    }),
  };
}

/** Leaves out what reads names: pages of one file take addresses alone, and its tables would be a fifth more. */
function withoutNames(): Plugin {
  const READER = resolve('src/chains/evm/ens.ts');
  return {
    name: 'without-names',
    apply: 'build',
    load: id => (id === READER ? "export const readName = () => Promise.reject(new Error('no names'));" : null),
  };
}

/**
 * Gives what follows the form, and what comes with the first price, a line that the bundler keeps in a chunk of its own for
 * modules that share one: that would be a round trip more until all settings are read.
 */
function withoutDetour(): Plugin {
  const NEEDED = /^import \{ (\w+) as (\w+) \} from "\.\/[^"]*rolldown-runtime[^"]*";$/m;
  return {
    name: 'without-detour',
    apply: 'build',
    renderChunk(code, {name}) {
      if (name !== 'settings' && name !== 'price') return null;
      if (!NEEDED.test(code)) this.error(`What the chunk takes from the bundler has changed: ${code.slice(0, 200)}`);
      return {
        code: code.replace(
          NEEDED,
          (_, _name, local: string) =>
            `const ${local} = all => Object.defineProperties({}, Object.fromEntries(Object.keys(all).map(name => [name, {get: all[name], enumerable: true}])));`,
        ),
        map: null,
      };
    },
  };
}

/** Leaves out the QR dialog of WalletConnect's provider, which Web3Modal turns off: it is one itself. */
function oneDialog(): Plugin {
  const NONE = '\0no-dialog';
  return {
    name: 'one-dialog',
    enforce: 'pre',
    apply: 'build',
    resolveId: id => (id === '@walletconnect/modal' ? NONE : null),
    load: id => (id === NONE ? 'export const WalletConnectModal = undefined;' : null),
  };
}

/** Takes the line breaks and indents out of templates and stylesheets, which a minifier of scripts leaves as they are. */
function tightTemplates(): Plugin {
  return {
    name: 'tight-templates',
    apply: 'build',
    transform: {
      filter: {id: /\/src\/(?:elements|pages)\//},
      handler(code) {
        const result = new RolldownMagicString(code);
        const visitor = new Visitor({
          TaggedTemplateExpression({tag, quasi}) {
            const tighten = tag.type === 'Identifier' ? TIGHTEN[tag.name] : undefined;
            if (!tighten) return;
            for (const {start, end, value} of quasi.quasis) {
              const tight = tighten(value.raw);
              if (tight === value.raw) continue;
              if (tight) result.overwrite(start, end, tight);
              else result.remove(start, end);
            }
          },
        });
        visitor.visit(this.parse(code));
        return {code: result.toString(), map: result.generateMap({hires: 'boundary'}).toString()};
      },
    },
  };
}

/** A space between two tags may show, a second one never does; in a stylesheet most of them mean nothing. */
const tightHtml = (text: string) => text.replace(/\s+/g, ' ').replaceAll(' >', '>');
const TIGHTEN: Readonly<Record<string, (text: string) => string>> = {
  html: tightHtml,
  svg: tightHtml,
  css: text =>
    text
      .replace(/\/\*[^]*?\*\//g, '')
      .replace(/\s+/g, ' ')
      .replace(/ ?([{};,]) ?/g, '$1')
      .replace(/: |(\() | (?=\))/g, match => match.trim())
      .replace(/ ([*/]) /g, '$1')
      .replace(/(?<=[\s(,:])0(?=\.\d)/g, '')
      .replace(/;}/g, '}'),
};
