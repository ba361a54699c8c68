import {createHash} from 'node:crypto';
import {defineConfig, type Plugin} from 'vite';

/**
 * Builds the package: three entries as ES modules, and whatever they load late as chunks beside them.
 * Imports stay relative, so that the files work from any folder of any origin.
 */
export default defineConfig({
  base: './',
  // nanostores asks for it, and a library build would leave it in for a browser that has no `process`.
  define: {'process.env.NODE_ENV': '"production"'},
  plugins: [litWithoutDocument(), integrityList()],
  build: {
    target: 'es2022',
    sourcemap: true,
    // The chunk names and what they hold: read by the tests of the package.
    manifest: true,
    lib: {entry: {index: 'src/index.ts', define: 'src/define.ts', core: 'src/core.ts'}, formats: ['es']},
    rolldownOptions: {
      output: {
        // Vite leaves the whitespace of ES libraries in; a script tag wants it out.
        minify: true,
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
      },
    },
  },
});

/** Writes `sri.json`, the hash of every script, for sites that pin what they load. */
function integrityList(): Plugin {
  return {
    name: 'integrity-list',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const hashes: Record<string, string> = {};
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk') continue;
          hashes[file.fileName] = `sha384-${createHash('sha384').update(file.code).digest('base64')}`;
        }
        this.emitFile({type: 'asset', fileName: 'sri.json', source: JSON.stringify(hashes, null, 2)});
      },
    },
  };
}

/**
 * Lets Lit be imported where there is no document, as its own builds for Node do, at a tenth of their size: a server
 * that renders a partner's page may import the package, and nothing happens until a browser defines the element.
 */
function litWithoutDocument(): Plugin {
  const replacements = [
    {
      file: '/@lit/reactive-element/reactive-element.js',
      find: 'extends HTMLElement',
      put: 'extends(globalThis.HTMLElement??class{})',
    },
    {file: '/lit-html/lit-html.js', find: '=document,', put: '=globalThis.document??{createTreeWalker(){}},'},
  ];
  return {
    name: 'lit-without-document',
    apply: 'build',
    transform(code, id) {
      const replacement = replacements.find(({file}) => id.endsWith(file));
      if (!replacement) return null;
      if (code.split(replacement.find).length !== 2)
        this.error(`${id} has changed: it is not known how to load it without a document.`);
      // Nothing moves to another line, so the source map still holds.
      return {code: code.replace(replacement.find, replacement.put), map: null};
    },
  };
}
