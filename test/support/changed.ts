import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import ts from 'typescript';

/** The files that differ from a commit, new ones too. */
export function changedFiles(since: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, {encoding: 'utf8'}).split('\n');
  const files = [
    ...git('diff', '--name-only', '--diff-filter=d', since),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  return [...new Set(files.filter(Boolean))].sort();
}

/** All pure tests take seconds; of those that render, only this many files are run. */
const PURE = /^test\/(?:api|chains|domain|locales|session)\//;
const DRAWN = /^test\/(?:demo|elements|wallets)\//;
const MOST_DRAWN = 8;

/**
 * The tests worth running first after a change: every pure one that reaches a changed file through imports, and the
 * nearest of those that render. Programs, journeys and tests on the sandbox's chains only if they have changed
 * themselves.
 */
export function testsReaching(changed: readonly string[]): string[] {
  const steps = stepsTo(changed);
  const tests = [...steps].filter(([file]) => file.endsWith('.test.ts'));
  const own = tests.filter(([, step]) => step === 0).map(([file]) => file);
  const pure = tests.filter(([file]) => PURE.test(file)).map(([file]) => file);
  const names = changed.map(nameOf);
  const isNamesake = (file: string) => (names.includes(nameOf(file)) ? 0 : 1);
  const drawn = tests
    .filter(([file]) => DRAWN.test(file))
    .sort(([a, x], [b, y]) => isNamesake(a) - isNamesake(b) || x - y)
    .map(([file]) => file);
  return [...new Set([...own, ...pure, ...drawn.slice(0, MOST_DRAWN)])].sort();
}

const nameOf = (file: string) => basename(file).replace(/\..*$/, '');

let importers: ReadonlyMap<string, readonly string[]> | undefined;

/** The minimum number of imports to one of these files, from each file that reaches one. */
export function stepsTo(targets: readonly string[]): Map<string, number> {
  importers ??= importersOf(sources());
  const steps = new Map(targets.map(file => [file, 0]));
  for (const [file, step] of steps) {
    for (const importer of importers.get(file) ?? []) if (!steps.has(importer)) steps.set(importer, step + 1);
  }
  return steps;
}

/** For each imported file, the files that import it. */
function importersOf(files: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of files) {
    for (const imported of importsOf(file)) found.set(imported, [...(found.get(imported) ?? []), file]);
  }
  return found;
}

function sources(): string[] {
  return ['.build', 'src', 'test', 'demo'].flatMap(folder =>
    readdirSync(folder, {recursive: true, encoding: 'utf8'})
      .map(file => `${folder}/${file.replaceAll('\\', '/')}`)
      .filter(file => file.endsWith('.ts') && !file.includes('node_modules') && !file.startsWith('demo/embed/')),
  );
}

function importsOf(file: string): string[] {
  return ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles.flatMap(({fileName}) => {
    if (!fileName.startsWith('.')) return [];
    const path = join(dirname(file), fileName).replaceAll('\\', '/');
    return [path.replace(/\.js$/, '.ts'), path].filter(existsSync).slice(0, 1);
  });
}
