import type {Plugin} from 'vite';

/** In Lit, what would not run everywhere: what stands there, and what takes its place. */
const IN_LIT: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'reactive-element': [
    // Without a document, as Lit's own builds for Node: a server that renders a partner's page may import the package.
    ['extends HTMLElement', 'extends(globalThis.HTMLElement??class{})'],
    // For other decorators than ours; a page may have frozen `Symbol`.
    ['Symbol.metadata??=Symbol("metadata"),', ''],
  ],
  'css-tag': [
    // Without style sheets that can be adopted it would ask for their class, which Node does not have.
    [
      't.ShadowRoot&&(void 0===t.ShadyCSS||t.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype',
      '!0',
    ],
    // Simulated browsers, as in partners' tests, may have style sheets without this method.
    ['.replaceSync(', '.replaceSync?.('],
  ],
  'lit-html': [['=document,', '=globalThis.document??{createTreeWalker(){}},']],
};

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
      filter: {id: /[\\/]node_modules[\\/](?:@lit[\\/]reactive-element|lit-html)[\\/][\w-]+\.js$/},
      handler(code, id) {
        const changed = (IN_LIT[/([\w-]+)\.js$/.exec(id)?.[1] ?? ''] ?? []).reduce((text, [find, put]) => {
          if (text.split(find).length !== 2) this.error(`${id} has changed: it is not known how to fit it in.`);
          return text.replace(find, () => put);
        }, code);
        return {code: changed, map: null};
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
