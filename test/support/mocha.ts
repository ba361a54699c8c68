/**
 * Runs test files with mocha in this process, which `node-tests.ts` started for them, and reports each test to it.
 * Files are named by their sources; the compiled ones are in the folder `COMPILED_TESTS`. The file `ONLY` names the tests
 * that are to be run, if not all.
 */
import {readFileSync} from 'node:fs';
import {join, relative, resolve} from 'node:path';
import {inspect} from 'node:util';
import {pathToFileURL} from 'node:url';
import Mocha from 'mocha';
import {scaled, TEST_MS, tellSteps, type Step} from './limits.js';
import {createSandboxHost} from './sandbox-host.js';

export type Report = Step | TestResult | 'end';

export interface TestResult {
  readonly file: string;
  readonly name: string;
  readonly error?: string;
  readonly duration: number;
  /** The defects (`test/mutants`) whose place it reached, and those that were reached before it, as its file was loaded. */
  readonly hits: readonly number[];
  readonly shared: readonly number[];
}

const {COMPILED_TESTS: folder = '', BAIL, ONLY} = process.env;
const sandboxes = createSandboxHost();
const hits = new Set<number>();
const shared = new Set<number>();
const hitMutants = (...numbers: readonly number[]) => {
  for (const number of numbers) hits.add(number);
};
// The first is for `sandbox.ts`, which asks the test runner for them in a page.
Object.assign(globalThis, {sandboxes, hitMutants});

const mocha = new Mocha({timeout: TEST_MS, bail: BAIL !== undefined, reporter: class extends Mocha.reporters.Base {}});
for (const file of process.argv.slice(2)) {
  // Hooks outside a file's suites apply to that file only, as in a page.
  const suite = Mocha.Suite.create(mocha.suite, '');
  Mocha.interfaces.bdd(suite);
  // Tests of programs build, start browsers and wait for chains.
  if (file.startsWith('test/node/')) suite.timeout(scaled(300_000));
  suite.emit('pre-require', globalThis, resolve(file), mocha);
  process.send?.({file, name: 'loading', limit: TEST_MS} satisfies Step);
  await import(pathToFileURL(join(folder, file.replace(/\.ts$/, '.mjs'))).href);
}
if (ONLY !== undefined) keepOnly(mocha.suite, new Set(JSON.parse(readFileSync(ONLY, 'utf8')) as string[]));
const runner = mocha.run(() => void end());
tellSteps(runner, step => void process.send?.({...step, file: relative('.', step.file ?? '')}));
let isAfterTest = false;
const forgetAfterTest = () => {
  if (isAfterTest) hits.clear();
  isAfterTest = false;
};
runner
  .on('suite', forgetAfterTest)
  .on('test', () => {
    forgetAfterTest();
    for (const number of hits) shared.add(number);
    hits.clear();
  })
  .on('pass', test => report(test))
  // A skipped test proves nothing about the product.
  .on('pending', test => report(test, 'skipped'))
  .on('fail', (test, error: Error) => report(test, textOf(error)));

async function end() {
  await sandboxes.closeAll();
  // Anything that a file left running, such as after a failed `before`, does not keep the process alive.
  process.send?.('end', () => process.exit());
}

/** Removes all other tests, which are named as their results are. */
function keepOnly(suite: Mocha.Suite, names: ReadonlySet<string>) {
  suite.tests = suite.tests.filter(test => names.has(`${relative('.', test.file ?? '')} › ${test.fullTitle().trim()}`));
  for (const inner of suite.suites) keepOnly(inner, names);
}

function report(test: Mocha.Runnable, error?: string) {
  isAfterTest = true;
  const result: TestResult = {
    file: test.file ?? '',
    name: test.fullTitle().trim(),
    ...(error !== undefined && {error}),
    duration: test.duration ?? 0,
    hits: [...hits],
    shared: [...shared],
  };
  process.send?.(result);
}

/** An error with its diff, and its stack without the frames of Node and mocha. */
function textOf(error: Error & {showDiff?: boolean; actual?: unknown; expected?: unknown}): string {
  const stack = (error.stack ?? String(error)).replace(/\n\s+at .*(?:node:|node_modules\/mocha).*/g, '');
  if (!error.showDiff) return stack;
  return `${stack}\n${Mocha.reporters.Base.generateDiff(readable(error.actual), readable(error.expected))}`;
}

/** Amounts are bigint, which JSON does not support. */
function readable(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value, {depth: 12, sorted: true, breakLength: 100});
}
