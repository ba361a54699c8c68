/**
 * Bundles the compiler's types into one file for each entry, and the shared ones into another. A project with only this
 * package gets all its types from them; one with a framework gets the framework's.
 */
import {existsSync, readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {dts} from 'rollup-plugin-dts';
import ts from 'typescript';

const {exports} = JSON.parse(readFileSync('package.json', 'utf8'));
/** The entries by the names of their type files. Those for frameworks are handwritten. */
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
  plugins: [compiled(), plainElements(), dts({includeExternal: ['nanostores']})],
};

/** The frameworks' types import the compiler's output instead of the sources. */
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

/** For a page, an element is an HTML element with its own members. Its base classes are an implementation detail. */
function plainElements() {
  const ofLit = /^(?:properties|styles|render|connectedCallback|disconnectedCallback)$/;
  return {
    name: 'plain-elements',
    transform(code, id) {
      if (!/ extends (?:Lit|Public)Element \{/.test(code)) return null;
      let result = code;
      const visit = node => {
        if (ts.isImportDeclaration(node) && node.moduleSpecifier.text === 'lit') cut(node);
        const isOwn = ts.getCombinedModifierFlags(node) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected);
        if (ts.isClassElement(node) && (isOwn || ofLit.test(node.name?.getText()))) cut(node);
        // From last to first, so that earlier positions remain valid.
        else [...node.getChildren()].reverse().forEach(visit);
      };
      const cut = node => (result = result.slice(0, node.getFullStart()) + result.slice(node.getEnd()));
      visit(ts.createSourceFile(id, code, ts.ScriptTarget.Latest, true));
      return {code: result.replace(' extends LitElement {', ' extends HTMLElement {'), map: null};
    },
  };
}
