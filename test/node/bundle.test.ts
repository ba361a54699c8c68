import {deepEqual, doesNotMatch, equal, ok} from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {gzipSync} from 'node:zlib';
import {allScripts, chunksOf, DIST, firstLoad, LIBRARY, scripts, sourcesOf} from '../support/dist.js';

const read = (file: string) => readFileSync(join(DIST, file), 'utf8');
const library = /^node_modules\/(@web3modal|@walletconnect|@coinbase|valtio)\//;

describe('the package', () => {
  for (const entry of ['npm/index.js', 'npm/define.js', 'npm/core.js']) {
    it(`does nothing when Node imports ${entry}`, () => {
      const url = pathToFileURL(join(DIST, entry)).href;
      const program = `
        const before = new Set(Reflect.ownKeys(globalThis));
        const exported = Object.keys(await import(${JSON.stringify(url)}));
        const added = Reflect.ownKeys(globalThis).filter(key => !before.has(key)).map(String);
        // Wait for asynchronous file reads.
        await new Promise(resolve => setTimeout(resolve, 50));
        const active = process.getActiveResourcesInfo().filter(name => name !== 'PipeWrap' && name !== 'TTYWrap');
        console.log(JSON.stringify({exported, added, active}));
      `;
      const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {encoding: 'utf8'});
      const {exported, added, active} = JSON.parse(output) as Record<'exported' | 'added' | 'active', string[]>;
      ok(exported.length > 0, `${entry} exports nothing`);
      // Lit and nanostores register their versions there.
      deepEqual(
        added.filter(key => !/^(lit|reactive)\w+(Versions|Metadata)$|^nanostoresGlobal$/.test(key)),
        [],
      );
      deepEqual(active, []);
    });
  }

  it('imports only its own files, and what a page has of its own where that is what it is for', () => {
    const files = new Set(allScripts());
    const late = latePart();
    for (const file of files) {
      for (const specifier of importsOf(file)) {
        // Whoever imports this entry uses React.
        if (file === 'npm/react.js' && specifier === 'react') continue;
        // Whoever imports `npm/walletconnect.js` has the library.
        if (file === late && specifier === '@web3modal/ethers') continue;
        // Beside `define.js` a release has it.
        if (join(file, '..', specifier) === LIBRARY) continue;
        ok(specifier.startsWith('.'), `${file} imports ${specifier}`);
        ok(
          files.has(join(file, '..', specifier).replaceAll('\\', '/')),
          `${file} imports ${specifier}, which is not there`,
        );
      }
    }
  });

  it('has no file whose name is of the sort that filter lists block', () => {
    const blocked =
      /\b(?:(?:ads?|stats?)\b|advert|affiliat|analytic|announce|banner|beacon|consent|cookie|metric|notif|pixel|popup|promo|referr|shar(?:e|ing)|social|sponsor|telemetry|track)/;
    deepEqual(
      [...allScripts(), LIBRARY].filter(file => blocked.test(file)),
      [],
    );
  });

  it('has the test service only in its own entry', () => {
    const holders = allScripts().filter(file => sourcesOf(file).some(source => source.startsWith('src/testing')));
    deepEqual(holders, ['npm/testing.js']);
    for (const file of allScripts())
      ok(/^(?:npm\/)?testing\.js$/.test(file) || !/testing\.js|made up, nothing/.test(read(file)), file);
  });

  it('shows one order without the form, for bundlers, and registers nothing else with it', () => {
    const sources = [...reachable('npm/status.js', importedAtOnce)].flatMap(sourcesOf);
    ok(sources.includes('src/elements/swap-status.ts'));
    deepEqual(
      sources.filter(source =>
        /^src\/(?:elements\/(?:form|swap-widget|pickers)|define|api|chains\/\w+\/)/.test(source),
      ),
      [],
    );
  });

  it('needs no bundler and nothing from Node', () => {
    for (const file of allScripts()) doesNotMatch(read(file), /\bprocess\.env\b|\brequire\(["'`]/, file);
  });

  it('has the lines for a page that preloads the form and checks its hash', () => {
    const page = read('embed.html');
    const {'define.js': hash} = JSON.parse(read('sri.json')) as Record<string, string>;
    deepEqual(
      [...page.matchAll(/<(\S+) [^>]*"define\.js" crossorigin="anonymous" integrity="([^"]+)"/g)].map(
        ([, ...found]) => found,
      ),
      [
        ['link', hash],
        ['script', hash],
      ],
    );
  });

  it('lists the hash of every script', () => {
    const hashes = JSON.parse(read('sri.json')) as Record<string, string>;
    for (const [file, hash] of Object.entries(hashes))
      deepEqual(hash, `sha384-${createHash('sha384').update(read(file)).digest('base64')}`, file);
    const reached = ['define.js', 'status.js'].flatMap(entry => [...reachable(entry)]);
    deepEqual(Object.keys(hashes).sort(), [...new Set([...reached, 'load.js', 'testing.js'])].sort());
  });
});

/** Lit's modules. A nested copy, as wallet libraries have, has another path. */
const LIT = ['@lit/reactive-element', 'lit-element', 'lit-html'].map(name => `node_modules/${name}`);

describe('the first load', () => {
  const files = firstLoad('define.js');

  it('imports the form’s messages of another language itself, after no other file', () => {
    const manifest = JSON.parse(read('.vite/manifest.json')) as Record<string, {dynamicImports?: string[]}>;
    const brought = (manifest['src/define.ts']?.dynamicImports ?? []).flatMap(
      name => /locales\/(\w+)\.json\?form$/.exec(name)?.[1] ?? [],
    );
    const all = readdirSync('src/locales').flatMap(name => /^(\w+)\.json$/.exec(name)?.[1] ?? []);
    deepEqual(
      brought.sort(),
      all.filter(language => language !== 'en'),
    );
  });
  const isOfFamily = (source: string) => /^src\/chains\/(?!(?:adapter|families)\.ts$)/.test(source);
  const packageOf = (source: string) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(source)?.[0];

  for (const entry of ['define.js', 'status.js', 'npm/define.js', 'npm/index.js', 'npm/status.js', 'npm/core.js']) {
    const libraries = [...(entry === 'npm/core.js' ? [] : LIT), 'node_modules/nanostores'];
    it(`has no code of a chain family, no wallet library and no second Lit: ${entry}`, () => {
      const sources = [...reachable(entry, importedAtOnce)].flatMap(sourcesOf);
      deepEqual(sources.filter(isOfFamily), []);
      deepEqual([...new Set(sources.flatMap(source => packageOf(source) ?? []))].sort(), libraries);
    });
  }

  it('is one file', () => {
    deepEqual(files, ['define.js']);
  });

  it('asks the browser to compile it while it downloads', () => {
    ok(read('define.js').startsWith('//# allFunctionsCalledOnLoad\n'));
  });

  it('contains the widget itself, so the source maps are really read', () => {
    ok(files.flatMap(sourcesOf).includes('src/elements/swap-widget.ts'));
    ok(chunksOf(isOfFamily).length > 0);
  });

  console.log(`First load: ${(gzipSync(read('define.js'), {level: 9}).length / 1000).toFixed(1)} kB gzip.`);
});

describe('what loads automatically after the form', () => {
  it('is one chunk with the settings, the price, the error messages and the session; the service comes with an amount', () => {
    const chunkOf = (source: string) => chunksOf(path => path === `src/${source}.ts`).join();
    const whole = chunkOf('elements/behind');
    for (const other of ['settings/all', 'base/announcement', 'base/error-note', 'form/price', 'style/finish'])
      equal(chunkOf(`elements/${other}`), whole, other);
    for (const other of ['session', 'pricing', 'review']) equal(chunkOf(`session/${other}`), whole, other);
    ok(!firstLoad(whole).flatMap(sourcesOf).includes('src/api/client.ts'));
    // No additional round trip for another file: what finds the language is asked for at the same time, and does not wait.
    const languages = chunkOf('locales/languages');
    const filesOf = (file: string) => importedAtOnce(file).map(specifier => join(file, '..', specifier));
    deepEqual([filesOf(whole), filesOf(languages)], [['define.js', languages], ['define.js']]);
  });
});

describe('the library for wallets on other devices', () => {
  it('is one file beside `define.js`, which is only loaded late, by the code that opens its window', () => {
    const late = scripts().filter(file => read(file).includes(LIBRARY));
    deepEqual(
      late,
      chunksOf(source => source === 'src/chains/evm/walletconnect.ts'),
    );
    deepEqual(importsOf(late[0] ?? '').slice(importedAtOnce(late[0] ?? '').length), [`../${LIBRARY}`]);
    deepEqual(importsOf(LIBRARY), []);
    console.log(`Wallets on other devices: ${(gzipSync(read(LIBRARY), {level: 9}).length / 1000).toFixed(0)} kB gzip.`);
  });
});

describe('the library for wallets on other devices, for bundlers', () => {
  const sources = (entry: string) => [...reachable(join('npm', entry))].flatMap(sourcesOf);

  it('is not in the bundle of a page that does not import it', () => {
    for (const entry of ['define.js', 'index.js', 'core.js']) {
      ok(sources(entry).includes('src/chains/evm/elsewhere.ts'), `the sources of ${entry} were not read`);
      deepEqual(
        sources(entry).filter(source => library.test(source) || source === 'src/chains/evm/walletconnect.ts'),
        [],
        entry,
      );
    }
  });

  it('is in no file of the package: it is the page’s own', () => {
    const holders = allScripts().filter(file => sourcesOf(file).some(one => library.test(one)));
    deepEqual(holders, []);
    deepEqual(
      importsOf(latePart()).filter(specifier => !specifier.startsWith('.')),
      ['@web3modal/ethers'],
    );
  });

  it('has its own entry, which loads it when it is needed', () => {
    ok(sources('walletconnect.js').includes('src/chains/evm/walletconnect.ts'));
    const atOnce = [...reachable('npm/walletconnect.js', importedAtOnce)].flatMap(sourcesOf);
    ok(atOnce.includes('src/chains/evm/elsewhere.ts'), 'it does not share what the widget looks at');
    ok(!atOnce.includes('src/chains/evm/walletconnect.ts'));
  });
});

function latePart(): string {
  const [file = '', ...others] = allScripts().filter(
    one => sourcesOf(one).includes('src/chains/evm/walletconnect.ts') && !scripts().includes(one),
  );
  ok(file && !others.length, others.join());
  return file;
}

describe('a page with a bundler and a WalletConnect project id', () => {
  it('offers wallets on other devices once it imports the library; until then the console says so, once', () => {
    const program = `
      globalThis.customElements = {get() {}};
      const told = [], found = [];
      console.error = sentence => told.push(sentence);
      const {adapters} = await import(${JSON.stringify(pathToFileURL(join(DIST, 'npm/core.js')).href)});
      const {wallets: {discover}} = await adapters.evm();
      const search = signal => discover(({name}) => found.push(name), {signal, elsewhere: {projectId: '0', chains: []}});
      search(AbortSignal.abort());
      const over = new AbortController();
      search(over.signal);
      over.abort();
      search(new AbortController().signal);
      const before = [...found];
      await import(${JSON.stringify(pathToFileURL(join(DIST, 'npm/walletconnect.js')).href)});
      const after = [...found];
      search(new AbortController().signal);
      console.log(JSON.stringify({told, before, after, then: found}));
    `;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {encoding: 'utf8'});
    deepEqual(JSON.parse(output), {
      told: [
        "<swap-widget> walletconnect-project-id: no wallet on another device can be offered without `import 'swap-widget/walletconnect'`.",
      ],
      before: [],
      after: ['WalletConnect'],
      then: ['WalletConnect', 'WalletConnect'],
    });
  });
});

/** A script with all its imports from the package, direct and indirect. */
function reachable(file: string, imports = importsOf, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  const own = imports(file).filter(specifier => specifier.startsWith('.'));
  for (const specifier of own) reachable(join(file, '..', specifier), imports, known);
  return known;
}

function importsOf(file: string): string[] {
  const late = read(file).matchAll(/\bimport\(\s*["'`]([^"'`]+[^/])["'`]/g);
  const folder = file.startsWith('chunks/') ? '.' : './chunks';
  const parts = read(file).matchAll(/\(["'`]([\w-]+-[\w-]{8}\.js)["'`]\)/g);
  return [
    ...importedAtOnce(file),
    ...[...late].map(([, specifier]) => specifier ?? ''),
    ...[...parts].map(([, name]) => `${folder}/${name ?? ''}`),
  ];
}

function importedAtOnce(file: string): string[] {
  const found = read(file).matchAll(/(?:^|[;}\s])(?:import|export)(?:[\w*{}\s,$]*?from)?\s*["'`]([^"'`]+)["'`]/g);
  return [...found].map(([, specifier]) => specifier ?? '');
}
