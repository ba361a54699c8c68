import type {Plugin} from 'vite';

/** In Lit, what would not run everywhere, and what takes its place. */
const IN_LIT = [
  // Without a document, as Lit's own builds for Node: a server that renders a partner's page may import the package.
  ['extends HTMLElement', 'extends(globalThis.HTMLElement??class{})'],
  ['=document,', '=globalThis.document??{createTreeWalker(){}},'],
  // For other decorators than ours; a page may have frozen `Symbol`.
  ['Symbol.metadata??=Symbol("metadata"),', ''],
  // Without style sheets that can be adopted it would ask for their class, which Node does not have.
  [
    't.ShadowRoot&&(void 0===t.ShadyCSS||t.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype',
    '!0',
  ],
  // Simulated browsers, as in partners' tests, may have style sheets without this method.
  ['.replaceSync(', '.replaceSync?.('],
] as const;

/**
 * What others wrote, where it would not run: Lit, and namespace objects on a page whose scripts add names to all
 * objects, which the bundler, and the builds of packages, would iterate over. The bundler's helper for them is in each
 * chunk that uses it: a chunk of its own would be another round trip before the settings are read.
 */
export function runsEverywhere(): Plugin {
  const HELPER = /^import \{ \w+ as (\w+) \} from "[^"]*rolldown-runtime[^"]*";$/m;
  return {
    name: 'runs-everywhere',
    apply: 'build',
    // No code moves to another line in either, so the source maps stay valid.
    transform: {
      filter: {
        id: /[\\/]node_modules[\\/](?:@lit|lit-html)[\\/](?:.*[\\/])?(?:reactive-element|css-tag|lit-html)\.js$/,
      },
      handler(code, id) {
        const found = IN_LIT.filter(([find]) => code.includes(find));
        if (!found.length) this.error(`${id} has changed: it is not known how to fit it in.`);
        return {code: found.reduce((text, [find, put]) => text.replace(find, () => put), code), map: null};
      },
    },
    renderChunk: code => ({
      code: code
        .replaceAll('for (var name in all)', 'for (var name of Object.keys(all))')
        .replace(
          HELPER,
          'const $1 = all => Object.defineProperties({}, Object.fromEntries(Object.keys(all).map(name => [name, {get: all[name], enumerable: true}])));',
        ),
      map: null,
    }),
    // Nothing imports that chunk any more.
    generateBundle(_options, bundle) {
      for (const file of Object.keys(bundle)) if (/rolldown-runtime-/.test(file)) Reflect.deleteProperty(bundle, file);
    },
  };
}
