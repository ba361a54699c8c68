/** The package as npm packs it: what is in it, and what installing it brings. `npm run test:package` installs it for real. */
import {deepEqual, equal, ok} from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, it} from 'node:test';
import {rolldown} from 'rolldown';
import {allScripts, DIST} from '../support/dist.js';

const ROOT = join(DIST, '..');
const description = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;

interface Packed {
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

/** Whether a script does nothing but import others. */
function isEmpty(code: string): boolean {
  return !code
    .replace(/^\/\/.*$/gm, '')
    .replace(/\bimport\s*(?:[^"';()]*from\s*)?["'][^"']*["'];?/g, '')
    .replace(/\bexport\s*\{\s*\};?/g, '')
    .trim();
}

describe('the package', () => {
  it('brings no other package along', () => {
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'bundleDependencies']) {
      ok(!(kind in description), kind);
    }
  });

  it('holds what its description names, in less than 9 MB, and no source map', () => {
    const {files, unpackedSize} = pack();
    const paths = new Set(files.map(({path}) => `./${path}`));
    const named = JSON.stringify(description).match(/\.\/dist\/[\w./-]+/g) ?? [];
    ok(named.length > 5);
    for (const path of named) ok(paths.has(path) || path.endsWith('/'), `${path} is not in the package`);
    deepEqual(
      [...paths].filter(path => path.endsWith('.map')),
      [],
    );
    ok(unpackedSize < 9_000_000, String(unpackedSize));
  });

  it('leaves no chunk empty when a bundler takes what it says about side effects at its word', async () => {
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

describe('what a bundler finds that does not read `exports`', () => {
  it('is the same files', () => {
    const {exports, browser, main, types, typesVersions} = description as {
      exports: Record<string, {types: string; default: string}>;
      browser: Record<string, string>;
      main: string;
      types: string;
      typesVersions: {'*': Record<string, [string]>};
    };
    equal(main, exports['.']?.default);
    equal(types, exports['.']?.types);
    for (const entry of ['./define.js', './core']) {
      equal(browser[entry], exports[entry]?.default);
      equal(typesVersions['*'][entry.slice(2)]?.[0], exports[entry]?.types);
      ok(existsSync(join(ROOT, browser[entry] ?? '')));
    }
  });
});
