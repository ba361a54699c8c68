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
 * Builds the package twice. For a script tag: `define.js`, which contains the whole first load in one file, and beside
 * it the late chunks. For bundlers (`--mode npm`): the entries, which share their code in chunks, so that a page that
 * imports two of them has nothing twice, and that importing `index.js` or `core.js` registers nothing. A third build
 * creates the program for operators, which is for Node and shares nothing with the others. Each one-file page (`--mode
 * page:rescue`) is a separate build, too. Imports stay relative, so that the files work from any folder of any origin.
 */
export default defineConfig(({command, mode}) => {
  if (mode === 'conformance') return PROGRAM;
  const [, page] = /^page:([\w-]+)$/.exec(mode) ?? [];
  if (page !== undefined) return pageOf(page);
  const isForScripts = command === 'build' && mode !== 'npm';
  return {
    base: './',
    // nanostores reads it, and a library build would keep it although browsers have no `process`.
    define: {
      'process.env.NODE_ENV': '"production"',
      ...(command === 'build' && {
        IS_FOR_SCRIPT_TAG: isForScripts ? 'true' : 'undefined',
        IS_FOR_BUNDLERS: isForScripts ? 'undefined' : 'true',
      }),
    },
    // Served by `npm run gallery`: other pages of the project have their own servers.
    optimizeDeps: {entries: ['test/support/gallery.html']},
    plugins: [
      words(),
      litAsUsed(),
      starknetAsUsed(),
      ownNames(),
      tightTemplates(),
      ...(isForScripts
        ? [withoutDetour(), loadsAgain(), withoutOldChunks(), integrityList(), bundledPackages()]
        : [runsInNode()]),
    ],
    build: {
      target: 'es2022',
      outDir: isForScripts ? 'dist' : 'dist/npm',
      // Types, the manifest and the files for bundlers are in `dist` too, and stay when only the scripts are rebuilt.
      emptyOutDir: !isForScripts,
      // The npm package excludes source maps, so the files for bundlers must not refer to them.
      sourcemap: isForScripts ? true : 'hidden',
      // The chunks' names and contents: read by the tests of the package.
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
        // They are the page's own. A script tag's page has none: there, the library for wallets on other devices is ours.
        external: isForScripts ? ['react'] : ['react', '@web3modal/ethers'],
        // Late chunks import what they share with the form from `define.js` itself.
        ...(isForScripts && {preserveEntrySignatures: 'allow-extension' as const}),
        treeshake: TREE_SHAKING,
        output: {
          // Vite keeps the whitespace in ES libraries; a script tag should not have it.
          minify: true,
          // Annotations are only for bundlers; the licenses of all bundled code are in a file beside the chunks.
          ...(isForScripts && {
            comments: false,
            postBanner: ({name}) => (COMPILED_WHOLE.has(name) ? `${COMPILED_AT_ONCE}\n${LICENSES}` : LICENSES),
          }),
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          // Few files compress better than many. The whole first load is in the entry itself, and what follows the form
          // and what comes with the first price in a chunk each; for bundlers, the code that entries share is in
          // separate chunks.
          codeSplitting: {
            // A group includes what its modules load, so the first of them comes first.
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
                      // A page that shows one order does not need the form.
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
  // Reading a property of ours, or of the platform's, has no side effects.
  propertyReadSideEffects: false,
  unknownGlobalSideEffects: false,
  // Nor does loading these; their packages do not declare it.
  moduleSideEffects: id =>
    !definesOnly(id) &&
    !/[\\/]node_modules[\\/]@?(?:sats-connect|jsontokens|buffer|bitcoin-address-validation|eventemitter3)[\\/]/.test(
      id,
    ),
};

/** A one-file page, which needs no other file. */
const pageOf = (page: string): UserConfig => ({
  define: {
    'process.env.NODE_ENV': '"production"',
    IS_FOR_SCRIPT_TAG: 'undefined',
    // A page offers no wallets on other devices: their library is larger than everything else.
    IS_FOR_BUNDLERS: 'true',
  },
  plugins: [words(), starknetAsUsed(), ownNames(), oneFile(page)],
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
 * The comment at the very top of a script that makes V8 compile every function while it downloads, in another thread
 * than the page's. Most of the first load runs at once, and most of what comes with the first price once that has
 * arrived.
 */
const COMPILED_AT_ONCE = '//# allFunctionsCalledOnLoad';
const COMPILED_WHOLE: ReadonlySet<string> = new Set(['define', 'price']);

/** The sources that load once the form is on the screen. */
const AFTER_FORM = [
  'src/elements/behind.ts',
  'src/elements/settings/all.ts',
  'src/elements/base/error-note.ts',
  'src/elements/base/announcement.ts',
  'src/elements/style/finish.ts',
];

/** The sources that load with the first price. */
const FIRST_PRICE = [
  'src/api/client.ts',
  'src/session/review.ts',
  'src/elements/form/price.ts',
  'src/elements/form/notes.ts',
];

/** Whether a module is one of these sources, or is statically imported by one. */
function isWith(id: string, modules: Rolldown.ChunkingContext, sources: readonly string[]): boolean {
  return sources.some(source => loadedWith(resolve(source), modules).has(id));
}

/** Names a chunk for these sources and all their static imports. */
function withAll(name: string, sources: readonly string[]) {
  return (id: string, modules: Rolldown.ChunkingContext) => (isWith(id, modules, sources) ? name : null);
}

/** A module and all its static imports, direct and indirect. */
function loadedWith(id: string, modules: Pick<Rolldown.ChunkingContext, 'getModuleInfo'>, known = new Set<string>()) {
  if (known.has(id)) return known;
  known.add(id);
  for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) loadedWith(imported, modules, known);
  return known;
}

/** Removes the chunks of the previous build, which have other names. */
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
 * Writes `sri.json`, the hash of every script, for sites that pin what they load; `first-paint/`, the server-rendered
 * form; `embed.html`, a page that shows that form, loads the script as early as possible and checks it; and `load.js`,
 * a classic script that loads it.
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
        // For sites that allow no module script in the page. It finds the files beside it.
        const loader = `import('./define.js');\n`;
        this.emitFile({type: 'asset', fileName: 'load.js', source: loader});
        hashes['load.js'] = hashOf(loader);
        this.emitFile({type: 'asset', fileName: 'sri.json', source: JSON.stringify(hashes, null, 2)});
        // Minified like the scripts, so that the static form does not differ from the live one.
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
 * Allows Lit to be imported without a document, as its own builds for Node do, at a tenth of their size: a server that
 * renders a partner's page may import the package, and nothing happens until a browser defines the element.
 */
function litAsUsed(): Plugin {
  const replacements = [
    {
      file: '/@lit/reactive-element/reactive-element.js',
      find: 'extends HTMLElement',
      put: 'extends(globalThis.HTMLElement??class{})',
    },
    // Without style sheets that can be adopted it would ask for their class, which Node does not have.
    {
      file: '/@lit/reactive-element/css-tag.js',
      find: 't.ShadowRoot&&(void 0===t.ShadyCSS||t.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype',
      put: '!0',
    },
    // Simulated browsers, as in partners' tests, may have style sheets without this method.
    {file: '/@lit/reactive-element/css-tag.js', find: '.replaceSync(', put: '.replaceSync?.('},
    {file: '/lit-html/lit-html.js', find: '=document,', put: '=globalThis.document??{createTreeWalker(){}},'},
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
      // No code moves to another line, so the source map stays valid.
      return result === code ? null : {code: result, map: null};
    },
  };
}

/**
 * Uses the half of Solana’s library that is for Node: bundlers and Node get the same files. The other half also checks
 * for a secure context, which does not exist in Node. Without one there is no Web Crypto, and both halves check for
 * that.
 */
function runsInNode(): Plugin {
  return {
    name: 'runs-in-node',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: {id: /^@solana\/assertions$/},
      // Not by an alias: the package would redirect that to its half for browsers.
      handler: () => resolve('node_modules/@solana/assertions/dist/index.node.mjs'),
    },
  };
}

/**
 * Limits namespace objects to their own names: the bundler, and the builds of packages, would also iterate over names
 * that the page's scripts add to all objects, and the chunk would fail to load.
 */
function ownNames(): Plugin {
  return {
    name: 'own-names',
    apply: 'build',
    // No code moves to another line, so the source map stays valid.
    renderChunk: code => ({
      code: code.replaceAll('for (var name in all)', 'for (var name of Object.keys(all))'),
      map: null,
    }),
  };
}

/**
 * Inlines the bundler's runtime helper into the chunks that follow the form and come with the first price. The bundler
 * would put it in a separate chunk, which costs another round trip before all settings are read.
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

/**
 * Lets a chunk that did not arrive be loaded later. A browser may remember a failed import until the page is reloaded,
 * as the HTML standard required until 2026 (whatwg/html#10327), and then also fails every chunk that needs that file.
 * So where importing again fails too, the next address is used at which a server has the same file: letters of the
 * folder's name are percent-encoded, and what the chunk imports from its folder follows. Not on a page with an import
 * map that lists hashes: they are for the first addresses only.
 */
function loadsAgain(): Plugin {
  const IMPORT = /\bimport\("\.\/(?:chunks\/)?/;
  const helper = String.raw`const parts = {};
    let failures = 0;
    export const importPart = file => parts[file] ??= import("./chunks/" + file).catch(() => import("./chunks/" + file)).catch(error => {
      if (document.querySelector("[type=importmap]")?.text.includes("integrity")) throw error;
      failures++;
      return import("./" + "chunks".replace(/./g, (letter, at) =>
        failures >> at & 1 ? "%" + letter.charCodeAt().toString(16) : letter) + "/" + file);
    }).catch(error => {
      delete parts[file];
      throw error;
    });`.replace(/\n\s*/g, ' ');
  return {
    name: 'loads-again',
    apply: 'build',
    renderChunk: (code, {name, isEntry}) => {
      if (!IMPORT.test(code)) return null;
      const source = isEntry ? './define.js' : '../define.js';
      return {
        // On the first line, so no code moves to another one and the source map stays valid.
        code:
          (name === 'define' ? helper : `import {importPart} from "${source}";`) +
          code.replaceAll(new RegExp(IMPORT, 'g'), 'importPart("'),
        map: null,
      };
    },
  };
}

/** Removes line breaks and indentation from templates and style sheets, which script minifiers keep. */
function tightTemplates(): Plugin {
  return {
    name: 'tight-templates',
    apply: 'build',
    transform: {
      filter: {id: /\/src\/elements\//},
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

/** A space between two tags may be visible, a second one never is; in a style sheet most have no meaning. */
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
