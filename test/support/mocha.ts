/**
 * Runs test files with mocha in this process, which `node-tests.ts` started for them, and reports each test to it.
 * Files are named by their sources; the compiled ones are in the folder `COMPILED_TESTS`.
 */
import {join, resolve} from 'node:path';
import {inspect} from 'node:util';
import {pathToFileURL} from 'node:url';
import Mocha from 'mocha';
import {createSandboxHost} from './sandbox-host.js';

/** The result of one test. `error`: only if it failed. */
export interface TestResult {
  readonly file: string;
  readonly name: string;
  readonly error?: string;
}

const {COMPILED_TESTS: folder = '', BAIL} = process.env;
const sandboxes = createSandboxHost();
// For `sandbox.ts`, which asks the test runner for them in a page.
Object.assign(globalThis, {sandboxes});

const mocha = new Mocha({timeout: 20_000, bail: BAIL !== undefined, reporter: class extends Mocha.reporters.Base {}});
for (const file of process.argv.slice(2)) {
  // Hooks outside a file's suites apply to that file only, as in a page.
  const suite = Mocha.Suite.create(mocha.suite, '');
  Mocha.interfaces.bdd(suite);
  // Tests of programs build, start browsers and wait for chains.
  if (file.startsWith('test/node/')) suite.timeout(300_000);
  suite.emit('pre-require', globalThis, resolve(file), mocha);
  await import(pathToFileURL(join(folder, file.replace(/\.ts$/, '.mjs'))).href);
}
const runner = mocha.run(() => void end());
runner
  .on('pass', test => report(test))
  // A skipped test proves nothing about the product.
  .on('pending', test => report(test, 'skipped'))
  .on('fail', (test, error: Error) => report(test, textOf(error)));

async function end() {
  await sandboxes.closeAll();
  // Anything that a file left running, such as after a failed `before`, does not keep the process alive.
  process.send?.('end', () => process.exit());
}

function report(test: Mocha.Runnable, error?: string) {
  const result: TestResult = {
    file: test.file ?? '',
    name: test.fullTitle().trim(),
    ...(error !== undefined && {error}),
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
