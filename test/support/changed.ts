import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import ts from 'typescript';
import {sizesOf} from './sizes.js';

/** The files that differ from a commit, new ones too. */
export function changedFiles(since: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, {encoding: 'utf8'}).split('\n');
  const files = [
    ...git('diff', '--name-only', '--diff-filter=d', '--merge-base', since),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  return [...new Set(files.filter(Boolean))].sort();
}

/** How many test files of a folder are run at most, by what one costs: all together are half a minute's work. */
const MOST: Readonly<Record<string, number>> = {
  ...{domain: 24, chains: 4, session: 4, api: 1},
  ...{elements: 2, wallets: 1},
};
/** As many times more of the folder that mirrors the changed one. */
const MOST_OF_OWN = 3;

/** Test files worth running first after a change, and how many there are of which they are the nearest. */
export interface Reaching {
  readonly files: readonly string[];
  readonly all: number;
}

/**
 * The tests that reach a changed file through imports: in each folder the nearest. Programs, journeys and tests on the
 * sandbox's chains only if they have changed themselves.
 */
export function testsReaching(changed: readonly string[]): Reaching {
  const names = changed.map(nameOf);
  const rooms = changed.map(roomOf);
  const distance = (file: string, steps: number) => (names.includes(nameOf(file)) ? 0 : steps);
  const tests = [...stepsTo(changed)]
    .filter(([file]) => file.endsWith('.test.ts') && (changed.includes(file) || isQuick(file)))
    .sort((one, other) => distance(...one) - distance(...other))
    .map(([file]) => file);
  const mostOf = (room: string) => (MOST[room] ?? 0) * (rooms.includes(room) ? MOST_OF_OWN : 1);
  const rank = (file: string) => tests.filter(one => roomOf(one) === roomOf(file)).indexOf(file);
  const files = tests.filter(file => changed.includes(file) || rank(file) < mostOf(roomOf(file)));
  return {files: files.sort(), all: tests.length};
}

const nameOf = (file: string) => basename(file).replace(/\..*$/, '');
const roomOf = (file: string) => file.split('/')[1] ?? '';
/** All states on one page take a minute by themselves. */
const isQuick = (file: string) =>
  roomOf(file) in MOST && sizesOf(file)[0] === 'test' && file !== 'test/elements/states.test.ts';

let importers: ReadonlyMap<string, readonly string[]> | undefined;

/** The minimum number of imports to one of these files, from each file that reaches one. */
export function stepsTo(targets: readonly string[]): Map<string, number> {
  importers ??= importersOf(readImports());
  const steps = new Map(targets.map(file => [file, 0]));
  for (const [file, step] of steps) {
    for (const importer of importers.get(file) ?? []) if (!steps.has(importer)) steps.set(importer, step + 1);
  }
  return steps;
}

/** For each imported file, the files that import it. */
function importersOf(imports: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [file, those] of imports) {
    for (const imported of those) found.set(imported, [...(found.get(imported) ?? []), file]);
  }
  return found;
}

/** The project's own files that each of its files imports, also for a type, or late. */
export function readImports(): Map<string, string[]> {
  const folders = ['.build', 'src', 'test', 'demo'].flatMap(folder =>
    readdirSync(folder, {recursive: true, encoding: 'utf8'}).map(file => `${folder}/${file.replaceAll('\\', '/')}`),
  );
  const sources = ['vite.config.ts', ...folders].filter(
    file => /\.(?:tsx?|jsx?|mjs)$/.test(file) && !file.includes('node_modules'),
  );
  return new Map(sources.map(file => [file, importsOf(file)]));
}

function importsOf(file: string): string[] {
  return ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles.flatMap(({fileName}) => {
    if (!fileName.startsWith('.')) return [];
    const path = join(dirname(file), fileName).replaceAll('\\', '/');
    const as = (end: string) => path.replace(/(?:\.js)?$/, end);
    return [as('.ts'), as('.tsx'), path, as('.d.ts')].filter(existsSync).slice(0, 1);
  });
}
