import type {Plugin} from 'vite';

/**
 * What others wrote, where it would not run: Lit without a document, as its own builds for Node run, so that a server
 * that renders a partner's page may import the package; and namespace objects on a page whose scripts add names to all
 * objects, which the bundler, and the builds of packages, would iterate over. The bundler's helper for them is in each
 * chunk that uses it: a chunk of its own would be another round trip before the settings are read.
 */
export function runsEverywhere(): Plugin {
  const replacements = [
    {
      file: '/@lit/reactive-element/reactive-element.js',
      find: 'extends HTMLElement',
      put: 'extends(globalThis.HTMLElement??class{})',
    },
    // For other decorators than ours; a page may have frozen `Symbol`.
    {file: '/@lit/reactive-element/reactive-element.js', find: 'Symbol.metadata??=Symbol("metadata"),', put: ''},
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
  const HELPER = /^import \{ (\w+) as (\w+) \} from "[^"]*rolldown-runtime[^"]*";$/m;
  return {
    name: 'runs-everywhere',
    apply: 'build',
    // No code moves to another line in either, so the source maps stay valid.
    transform(code, id) {
      let result = code;
      for (const {find, put} of replacements.filter(({file}) => id.endsWith(file))) {
        if (result.split(find).length !== 2) this.error(`${id} has changed: it is not known how to fit it in.`);
        result = result.replace(find, () => put);
      }
      return result === code ? null : {code: result, map: null};
    },
    renderChunk: code => ({
      code: code
        .replaceAll('for (var name in all)', 'for (var name of Object.keys(all))')
        .replace(
          HELPER,
          (_, _name, local: string) =>
            `const ${local} = all => Object.defineProperties({}, Object.fromEntries(Object.keys(all).map(name => [name, {get: all[name], enumerable: true}])));`,
        ),
      map: null,
    }),
    // Nothing imports that chunk any more.
    generateBundle(_options, bundle) {
      for (const file of Object.keys(bundle)) if (/rolldown-runtime-/.test(file)) Reflect.deleteProperty(bundle, file);
    },
  };
}
