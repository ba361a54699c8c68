import type {Plugin, Rolldown} from 'vite';

/** The package, in one file, and its dependencies. */
const PACKAGE = /[\\/]node_modules[\\/]starknet[\\/]dist[\\/]index\.mjs$/;
const PARTS = /[\\/]node_modules[\\/](?:starknet[\\/]node_modules|@starknet-io|lossless-json)[\\/]/;
const NAMES = 'starknet-names:';

/**
 * Makes starknet.js tree-shakable. It is published as one file that keeps all of itself: each of its namespaces
 * (`hash`, `typedData`) is an object that is filled when the file is loaded, and constants are created by calls. Here a
 * namespace becomes a module that exports its functions, and those calls are marked as free of side effects. Its
 * behavior does not change.
 */
export function starknetAsUsed(): Plugin {
  /** By namespace, the module with its exports. */
  const modules = new Map<string, string>();
  return {
    name: 'starknet-as-used',
    apply: 'build',
    resolveId: id => (id.startsWith(NAMES) ? `\0${id}` : null),
    load: id => (id.startsWith(`\0${NAMES}`) ? modules.get(id.slice(NAMES.length + 1)) : null),
    transform: {
      filter: {id: [PACKAGE, PARTS]},
      handler(code, id) {
        if (PARTS.test(id)) return {code: withPureCalls(code, this.parse(code)), map: null};
        const spaces = [...code.matchAll(/^__export\((\w+), \{\n([^]*?)\n\}\);\n/gm)].flatMap(
          ([, local = '', body = '']) => {
            const [line = '', name = ''] = new RegExp(`\\n  ${local} as (\\w+),`).exec(code) ?? [];
            const names = [...body.matchAll(/^ {2}(\w+): \(\) => (\w+)/gm)].map(([, own, of]) => [own, of] as const);
            return name ? [{line, name, names}] : [];
          },
        );
        if (!['hash', 'typedData', 'uint256'].every(wanted => spaces.some(({name}) => name === wanted)))
          this.error(`${id} has changed: it is not known how to leave out what is not used.`);
        // An object that is filled at once is a constant like others; what it has from another package is imported from
        // there.
        let result = code
          .replace(/^(var \w+ = )\{\};\n__export\(\w+, /gm, '$1__export({}, ')
          .replace('enumerable: true });\n};', 'enumerable: true });\n  return target;\n};')
          .replace(/^__reExport\(.*\n/gm, '')
          .replace(/\b(?:api|rpc)_exports\.(?=[A-Z])/g, 'starknet_types_0104_star.');
        for (const {line, name, names} of spaces) {
          const listed = (as: (own: string, of: string) => string) =>
            names.map(([own = '', of = '']) => as(own, of)).join();
          modules.set(name, `export {${listed(own => `$${name}$${own} as ${own}`)}} from ${JSON.stringify(id)};`);
          result = `${result.replace(line, '')}
export {${listed((own, of) => `${of} as $${name}$${own}`)}};
export * as ${name} from '${NAMES}${name}';`;
        }
        return {code: withPureCalls(result, this.parse(result)), map: null};
      },
    },
  };
}

/** Marks the calls that create a module's constants: without the constant there is no call. */
function withPureCalls(code: string, {body}: ReturnType<Rolldown.PluginContext['parse']>): string {
  const places: number[] = [];
  for (const statement of body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'VariableDeclaration') continue;
    for (const {init} of declared.declarations) if (init) visit(init);
  }
  return places
    .sort((one, other) => other - one)
    .reduce((text, at) => `${text.slice(0, at)}/* @__PURE__ */ ${text.slice(at)}`, code);

  function visit(value: unknown): void {
    if (Array.isArray(value)) value.forEach(visit);
    if (typeof value !== 'object' || value === null || !('type' in value)) return;
    const {type, start} = value as {readonly type: string; readonly start: number};
    if (/Function/.test(type)) return;
    if (type === 'CallExpression' || type === 'NewExpression') places.push(start);
    Object.values(value).forEach(visit);
  }
}
