/**
 * Runs the tests: those in Node, then those in a browser. `npm test -- test/domain test/node/bundle.test.ts` runs only
 * what lies there; `npm test -- --watch test/elements` runs browser tests again whenever a file they use changes.
 * `TEST_BROWSER=Firefox` runs them in another browser than Chromium.
 */
import {readdirSync} from 'node:fs';
import {relative, resolve} from 'node:path';
import {run} from 'node:test';
import type {TestEvent} from 'node:test/reporters';
import {startTestRunner, type TestSession} from '@web/test-runner';
import {buildIfOutdated} from './support/dist.js';
import {createSandboxHost} from './support/sandbox-host.js';
import {browserTests, FILE_TIMEOUT} from './wtr.js';

/** How many tests ended well, and the names of those that did not. */
interface Totals {
  passed: number;
  failed: string[];
}

const args = process.argv.slice(2);
const watch = args.includes('--watch');
const paths = args.filter(arg => !arg.startsWith('--'));
const chosen = choose(paths);
const inNode = watch ? [] : chosen.filter(file => file.startsWith('test/node/'));
const inBrowser = chosen.filter(file => !file.startsWith('test/node/'));

const totals: Totals = {passed: 0, failed: []};
if (!inNode.length && !inBrowser.length) {
  console.log(`There is no test in ${args.join(', ')}.`);
  totals.failed.push(args.join(', '));
}
if (inNode.length) add(await runInNode(inNode));
if (inBrowser.length) add(await runInBrowser(inBrowser));
for (const name of totals.failed) console.log(`\n✗ ${name}`);
console.log(`\n${String(totals.passed)} passed, ${String(totals.failed.length)} failed`);
process.exit(totals.failed.length ? 1 : 0);

function add({passed, failed}: Totals) {
  totals.passed += passed;
  totals.failed.push(...failed);
}

/** The test files that lie in one of these folders or are one of these files; all of them, where none is named. */
function choose(paths: string[]): string[] {
  const wanted = paths.map(path => relative('.', resolve(path)).replaceAll('\\', '/'));
  return readdirSync('test', {recursive: true, encoding: 'utf8'})
    .map(file => `test/${file.replaceAll('\\', '/')}`)
    .filter(file => {
      if (!file.endsWith('.ts')) return false;
      // A file that is named need not be one of those that run each time.
      if (!file.endsWith('.test.ts')) return wanted.includes(file);
      return !wanted.length || wanted.some(path => file === path || file.startsWith(`${path}/`));
    })
    .sort();
}

/** Tests of the built package, and journeys through pages that reload. */
async function runInNode(files: string[]): Promise<Totals> {
  const result: Totals = {passed: 0, failed: []};
  try {
    buildIfOutdated();
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    return {passed: 0, failed: ['npm run build']};
  }
  const events: AsyncIterable<TestEvent> = run({
    files: files.map(file => resolve(file)),
    concurrency: 2,
    // Where a `before` fails, what it had started by then would keep its file running for ever.
    forceExit: true,
    timeout: FILE_TIMEOUT,
  });
  for await (const event of events) {
    switch (event.type) {
      case 'test:pass':
        if (event.data.details.type === 'suite') break;
        if (event.data.skip === undefined) result.passed++;
        else result.failed.push(`${relative('.', event.data.file ?? '')} › ${event.data.name} (skipped)`);
        break;
      case 'test:fail': {
        const {name, file, details} = event.data;
        const error = details.error as Error & {failureType?: string};
        // A suite fails with its tests, which are counted themselves.
        if (error.failureType === 'subtestsFailed') break;
        console.log(`\n${relative('.', file ?? '')}\n  ✗ ${name}`);
        console.log(error.cause instanceof Error ? stackOf(error.cause) : (error.cause ?? error.message));
        result.failed.push(`${relative('.', file ?? '')} › ${name}`);
        break;
      }
      case 'test:stdout':
      case 'test:stderr':
        process.stdout.write(event.data.message);
        break;
      default:
    }
  }
  return result;
}

async function runInBrowser(files: string[]): Promise<Totals> {
  const sandboxes = createSandboxHost();
  const runner = await startTestRunner({
    // A part of the tests says little about how much of the sources they reach.
    config: await browserTests(files, sandboxes, {watch, coverage: !watch && !paths.length}),
    readCliArgs: false,
    readFileConfig: false,
    autoExitProcess: false,
  });
  // It has said why.
  if (!runner) return {passed: 0, failed: ['the test runner']};
  const stop = () => void runner.stop();
  process.on('SIGINT', stop).on('SIGTERM', stop);
  let reachesEnough = true;
  runner.on('test-run-finished', ({testCoverage}) => {
    reachesEnough = testCoverage?.passed ?? true;
  });
  await new Promise(done => {
    runner.on('stopped', done);
  });
  await sandboxes.closeAll();

  const result: Totals = {passed: 0, failed: reachesEnough ? [] : ['coverage']};
  for (const session of runner.sessions.all()) {
    const {passed, failed} = count(session);
    result.passed += passed;
    // A file that cannot be loaded, crashes or never ends fails without a test of its own that does.
    const why = session.errors.map(({message}) => message).join('; ') || 'not run';
    const itself = session.passed || failed.length ? [] : [why];
    result.failed.push(...[...failed, ...itself].map(name => `${relative('.', session.testFile)} › ${name}`));
  }
  return result;
}

function count({testResults}: TestSession): Totals {
  const result: Totals = {passed: 0, failed: []};
  const suites = testResults ? [testResults] : [];
  for (const suite of suites) {
    suites.push(...suite.suites);
    for (const test of suite.tests) {
      // A skipped test counts as failed: it says nothing about the product.
      if (test.passed && !test.skipped) result.passed++;
      else result.failed.push(`${test.name}${test.error ? `: ${test.error.message}` : ''}`);
    }
  }
  return result;
}

/** The stack of an error without the runner's own frames. */
function stackOf({stack = ''}: Error): string {
  return stack.replace(/\n\s+at .*\(?node:.*/g, '');
}
