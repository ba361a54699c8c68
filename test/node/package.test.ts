/** The package as npm packs it: its contents and dependencies. `npm run test:package` really installs it. */
import {deepEqual, equal, ok} from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {rolldown} from 'rolldown';
import ts from 'typescript';
import {descriptors} from '../../.build/erc7730.js';
import {allScripts, DIST, LIBRARY, sourcesOf} from '../support/dist.js';

const ROOT = join(DIST, '..');
const description = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;

interface Packed {
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly {readonly path: string}[];
}

function pack(): Packed {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  return (JSON.parse(output) as [Packed])[0];
}

function isEmpty(code: string): boolean {
  return !code
    .replace(/^\/\/.*$/gm, '')
    .replace(/\bimport\s*(?:[^"';()]*from\s*)?["'][^"']*["'];?/g, '')
    .replace(/\bexport\s*\{\s*\};?/g, '')
    .trim();
}

describe('the package', () => {
  it('has no runtime dependencies, and only optional peer dependencies, on a framework and on what pages bring', () => {
    for (const kind of ['dependencies', 'optionalDependencies', 'bundleDependencies']) {
      ok(!(kind in description), kind);
    }
    const {peerDependencies, peerDependenciesMeta} = description as unknown as Record<string, object>;
    deepEqual(Object.keys(peerDependencies ?? {}), ['@web3modal/ethers', 'react']);
    deepEqual(Object.values(peerDependenciesMeta ?? {}), [{optional: true}, {optional: true}]);
  });

  it('contains what its package.json lists, in less than 1 MB, and 4 MB unpacked, without source maps', () => {
    const {files, size, unpackedSize} = pack();
    const paths = new Set(files.map(({path}) => `./${path}`));
    const named = JSON.stringify(description).match(/\.\/dist\/[\w./-]+/g) ?? [];
    ok(named.length > 5);
    for (const path of named) ok(paths.has(path) || path.endsWith('/'), `${path} is not in the package`);
    deepEqual(
      [...paths].filter(path => path.endsWith('.map')),
      [],
    );
    ok(size < 1_000_000, String(size));
    ok(unpackedSize < 4_000_000, String(unpackedSize));
  });

  it('leaves the library for wallets on other devices to the release, and the descriptors that wallets need to show a payment in words, up to date with the catalogue', () => {
    const packed = pack().files.filter(({path}) => path.includes('erc7730') || path === `dist/${LIBRARY}`);
    deepEqual(packed, []);
    for (const [name, descriptor] of Object.entries(descriptors())) {
      deepEqual(JSON.parse(readFileSync(join(DIST, 'erc7730', name), 'utf8')), descriptor);
    }
  });

  it('leaves no chunk empty when a bundler relies on its sideEffects', async () => {
    const build = await rolldown({
      input: 'page',
      logLevel: 'silent',
      plugins: [
        {
          name: 'page',
          resolveId: id => (id === 'page' ? id : null),
          load: id => (id === 'page' ? `import ${JSON.stringify(join(DIST, 'npm/define.js'))};` : null),
        },
      ],
    });
    const {output} = await build.generate({dir: 'unwritten'});
    await build.close();
    const chunks = output.filter(file => file.type === 'chunk');
    ok(chunks.filter(({name}) => /-view-/.test(name)).length > 2, 'the late views were not found');
    deepEqual(
      chunks.filter(({code}) => isEmpty(code)).map(({name}) => name),
      [],
    );
  });

  it('has no empty chunk itself', () => {
    deepEqual(
      allScripts().filter(file => isEmpty(readFileSync(join(DIST, file), 'utf8'))),
      [],
    );
  });
});

describe('third-party code in the package', () => {
  const {components} = JSON.parse(readFileSync(join(DIST, 'sbom.json'), 'utf8')) as {
    components: {name: string; version: string; licenses?: unknown}[];
  };

  it('is in its bill of materials, in both builds, each with a license', () => {
    const listed = new Set(components.map(({name}) => name));
    const folders = allScripts()
      .flatMap(sourcesOf)
      .flatMap(source => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(source)?.[0] ?? []);
    // A package may be in a folder with another name.
    const bundled = new Set(
      [...new Set(folders)].map(folder => {
        const {name} = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as {name: string};
        return name;
      }),
    );
    ok(bundled.size > 20);
    for (const name of bundled) ok(listed.has(name), `${name} is not listed`);
    deepEqual(
      components.filter(({licenses}) => !licenses),
      [],
    );
  });

  it('has its license included', () => {
    const text = readFileSync(join(DIST, 'licenses.txt'), 'utf8');
    for (const {name, version} of components) ok(text.includes(`${name} ${version} (`), name);
  });
});

/** As read by Storybook (`setCustomElementsManifest`), editors and catalogs of elements. */
describe('the custom elements manifest', () => {
  interface Described {
    readonly name: string;
    readonly kind?: string;
    readonly description?: string;
    readonly type?: {readonly text: string};
  }
  interface Declaration extends Described {
    readonly tagName?: string;
    readonly members?: readonly (Described & {readonly attribute?: string})[];
    readonly attributes?: readonly (Described & {readonly fieldName: string})[];
    readonly events?: readonly Described[];
    readonly slots?: readonly Described[];
    readonly cssParts?: readonly Described[];
    readonly cssStates?: readonly Described[];
    readonly cssProperties?: readonly Described[];
  }
  const {schemaVersion, modules} = JSON.parse(readFileSync(join(DIST, 'custom-elements.json'), 'utf8')) as {
    readonly schemaVersion: string;
    readonly modules: readonly {
      readonly path: string;
      readonly declarations: readonly Declaration[];
      readonly exports: readonly {readonly declaration: {readonly name: string; readonly module: string}}[];
    }[];
  };
  const declarations = modules.flatMap(({declarations}) => declarations);

  it('has the version of the schema with custom states', () => {
    equal(schemaVersion, '2.1.0');
  });

  it('refers to files of the package, and to declarations that it has', () => {
    const paths = pack().files.map(({path}) => path);
    for (const {path, exports} of modules) {
      ok(paths.includes(path), path);
      for (const {declaration} of exports) {
        const module = modules.find(({path}) => path === declaration.module);
        ok(
          module?.declarations.some(({name}) => name === declaration.name),
          declaration.name,
        );
      }
    }
  });

  for (const tag of ['swap-widget', 'swap-status']) {
    it(`describes everything on <${tag}>, with its type`, () => {
      const found = declarations.filter(({tagName}) => tagName === tag);
      equal(found.length, 1);
      const {members = [], attributes = [], events = [], cssProperties = [], ...rest} = found[0]!;
      const fields = members.filter(({kind}) => kind === 'field');
      const typed = [fields, attributes, events, cssProperties];
      const untyped = [members, rest.slots, rest.cssParts, rest.cssStates];
      for (const list of [...typed, ...untyped]) ok(list?.length);
      const faults = [
        ...[...typed, ...untyped].flatMap(list => (list ?? []).filter(({name, description}) => !name || !description)),
        ...typed.flatMap(list => list.filter(({type}) => !type?.text)),
        ...attributes.filter(
          ({name, fieldName}) => !fields.some(field => field.name === fieldName && field.attribute === name),
        ),
        ...fields.filter(({attribute}) => attribute && !attributes.some(({name}) => name === attribute)),
      ];
      deepEqual(faults, []);
    });
  }
});

describe('a bundler or compiler that does not read `exports`', () => {
  const {exports, browser, main, types, typesVersions} = description as unknown as {
    exports: Record<string, string | {types: string; default: string}>;
    browser: Record<string, string>;
    main: string;
    types: string;
    typesVersions: {'*': Record<string, [string]>};
  };

  it('finds the same files', () => {
    deepEqual(exports['.'], {types, default: main});
    for (const [entry, files] of Object.entries(exports)) {
      if (entry === '.' || typeof files === 'string') continue;
      equal(browser[entry], files.default);
      equal(typesVersions['*'][entry.slice(2)]?.[0], files.types);
    }
  });
});

describe('the types of the package', () => {
  const files = readdirSync(join(DIST, 'types'), {recursive: true, encoding: 'utf8'}).filter(file =>
    file.endsWith('.d.ts'),
  );

  it('import only each other and, for a framework, that framework', () => {
    ok(files.length > 10);
    for (const file of files) {
      const {importedFiles, typeReferenceDirectives} = ts.preProcessFile(
        readFileSync(join(DIST, 'types', file), 'utf8'),
      );
      const others = importedFiles.map(({fileName}) => fileName).filter(name => !name.startsWith('.'));
      ok(
        others.every(name => name.startsWith(file.replace('.d.ts', ''))),
        `${file} imports ${others.join()}`,
      );
      deepEqual(typeReferenceDirectives, [], file);
    }
  });

  it('give each event its own fields, and each closed list its values', () => {
    const listen = (on: string, fact: string) =>
      `${on}.addEventListener('swap-complete', event => { event.${fact}.trim(); });`;
    const element = (attribute: string) =>
      `export const ${attribute.replace(/\W.*/, '')} = <swap-widget ${attribute} />;`;
    const start = `import 'swap-widget/react'; const widget = document.createElement('swap-widget');`;
    const right = [
      ...['widget', 'document', 'window'].map(on => listen(on, 'orderId')),
      ...['theme="dark"', 'base-url="https://a.b"', 'assets={["bitcoin:btc"]}', 'no-header'].map(element),
    ];
    deepEqual(compile([start, ...right].join('\n')), []);
    const wrong = [
      listen('widget', 'nothing'),
      `widget.theme = 'beige'; widget.variant = 'large'; widget.storage = 'cookie';`,
      ...['theme="beige"', 'tint="beige"', 'paused="maybe"'].map(element),
    ];
    equal(compile([start, ...wrong].join('\n')).length, 7);
  });
});

/** The strict compiler's errors for a sample on a partner's page, including everything that it imports. */
function compile(code: string): string[] {
  const file = join(ROOT, 'sample.tsx');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.ReactJSX,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const {getSourceFile, fileExists} = host;
  host.fileExists = name => name === file || fileExists(name);
  host.getSourceFile = (name, version, ...others) => {
    if (name === file) return ts.createSourceFile(name, code, version);
    return (libraries[name] ??= getSourceFile(name, version, ...others));
  };
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({messageText}) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
const libraries: Record<string, ts.SourceFile | undefined> = {};
