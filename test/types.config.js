/**
 * Rolls the types that the compiler wrote into one file for each entry, and what they share into another. A project that
 * has nothing but this package gets every type from them; one with a framework gets that of the framework.
 */
import {existsSync, readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {dts} from 'rollup-plugin-dts';

const {exports} = JSON.parse(readFileSync('package.json', 'utf8'));
/** The entries by the names of their files of types. Those of the frameworks are written by hand. */
const names = Object.values(exports).flatMap(({types}) => types?.match(/([^/]+)\.d\.ts$/)[1] ?? []);
const input = Object.fromEntries(
  names.map(name => {
    const framework = `src/frameworks/${name}.d.ts`;
    return [name, existsSync(framework) ? framework : `dist/.types/${name}.d.ts`];
  }),
);

export default {
  input,
  output: {dir: 'dist/types', entryFileNames: '[name].d.ts', chunkFileNames: 'shared/[name].ts'},
  plugins: [compiled(), plainElement(), dts({includeExternal: ['nanostores']})],
};

/** What the types of the frameworks import of the sources is what the compiler made of it. */
function compiled() {
  const [sources, output] = [resolve('src'), resolve('dist/.types')];
  return {
    name: 'compiled',
    resolveId(source, importer) {
      if (!importer?.startsWith(`${sources}/frameworks/`) || !source.startsWith('../')) return null;
      return resolve(output, source.slice(3).replace(/\.js$/, '.d.ts'));
    },
  };
}

/** To a page the element is an HTML element; what it is made with is its own business. */
function plainElement() {
  return {
    name: 'plain-element',
    transform(code, id) {
      if (!id.endsWith('/swap-widget.d.ts')) return null;
      if (!code.includes(' extends LitElement {')) this.error('The element is made with something else.');
      return {
        code: code.replace(/^import .* from 'lit';$/m, '').replace(' extends LitElement {', ' extends HTMLElement {'),
        map: null,
      };
    },
  };
}
