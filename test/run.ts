/**
 * Runs the tests: those that render in a browser, all others in Node. `npm test` takes minutes; `--rest`, which
 * `npm run test:all` sets, runs all others that need nothing more. `npm test -- test/domain test/node/bundle.test.ts`
 * runs only these, of either size; with `--watch`, again whenever a source changes. `--draws=10` draws ten times as
 * often, by a seed that it prints, or by `--seed=1`. `TEST_BROWSER=Firefox` uses another browser than Chromium.
 */
import {readdirSync, watch as watchFiles} from 'node:fs';
import {relative, resolve} from 'node:path';
import {findChromium} from './support/chromium.js';
import {runInNode, type Totals} from './support/node-tests.js';
import {OF_PROGRAMS, SIZES, sizesOf} from './support/sizes.js';

/** Tests that render, or need a page for another reason: wallets announce themselves to one. */
const IN_BROWSER = /^test\/(?:browsers|demo|elements|journeys|matrix|wallets)\//;
const args = process.argv.slice(2);
const watch = args.includes('--watch');
const paths = args.filter(arg => !arg.startsWith('--'));
draw();
const chosen = choose(paths);
const inBrowser = chosen.filter(file => IN_BROWSER.test(file));
const inNode = chosen.filter(file => !IN_BROWSER.test(file) && !(watch && file.startsWith(OF_PROGRAMS)));

if (!inNode.length && !inBrowser.length) {
  finish([{passed: 0, failed: [`There is no test in ${args.join(', ')}.`]}]);
} else if (watch) {
  await Promise.all([watchInNode(), runInBrowser()]);
} else {
  // In parallel: much of each is waiting, for a block, a response or one of the widget's own pauses.
  const ofBrowser = runInBrowser();
  finish([unsized(), ...(await Promise.all([runAllInNode(ofBrowser), ofBrowser]))]);
}

function draw(): void {
  const option = (name: string) => args.find(arg => arg.startsWith(`--${name}=`))?.split('=')[1];
  const draws = option('draws');
  if (draws === undefined) return;
  const seed = option('seed') ?? String(Math.floor(Math.random() * 1e6));
  console.log(`--seed=${seed}`);
  Object.assign(process.env, {DRAWS: draws, SEED: seed});
}

function finish(totals: readonly Totals[]): never {
  const failed = totals.flatMap(({failed}) => failed);
  for (const name of failed) console.log(`\n✗ ${name}`);
  const passed = totals.reduce((sum, {passed}) => sum + passed, 0);
  console.log(`\n${String(passed)} passed, ${String(failed.length)} failed`);
  process.exit(failed.length ? 1 : 0);
}

/** The test files in these folders or among these files, of either size; by default all of one size. */
function choose(paths: readonly string[]): string[] {
  const wanted = paths.map(path => relative('.', resolve(path)).replaceAll('\\', '/'));
  const size = args.includes('--rest') ? 'rest' : 'test';
  return (
    allFiles()
      .filter(file => {
        // A given file need not be one of those that always run.
        if (!file.endsWith('.test.ts')) return wanted.includes(file);
        if (!wanted.length) return sizesOf(file)[0] === size;
        return wanted.some(path => file === path || file.startsWith(`${path}/`));
      })
      // The longest begin first: they are at the end of the alphabet.
      .sort()
      .reverse()
  );
}

function allFiles(): string[] {
  return readdirSync('test', {recursive: true, encoding: 'utf8'})
    .map(file => `test/${file.replaceAll('\\', '/')}`)
    .filter(file => file.endsWith('.ts'));
}

/** A fact of each run: every test file has exactly one size, and every path of a size names a file. */
function unsized(): Totals {
  const files = allFiles().filter(file => file.endsWith('.test.ts'));
  const faults = [
    ...files
      .filter(file => sizesOf(file).length !== 1)
      .map(file => `${file} is not in exactly one size (test/support/sizes.ts)`),
    ...Object.values(SIZES)
      .flat()
      .filter(path => !files.some(file => file.startsWith(path)))
      .map(path => `${path} names no test (test/support/sizes.ts)`),
  ];
  return {passed: faults.length ? 0 : 1, failed: faults};
}

/** A process for each file in `node`, and one for each other folder, whose pure tests share it. */
function batchesOf(files: readonly string[]): string[][] {
  const batches = new Map<string, string[]>();
  for (const file of files) {
    const [, folder = ''] = file.split('/');
    const name = file.startsWith(OF_PROGRAMS) ? file : folder;
    batches.set(name, [...(batches.get(name) ?? []), file]);
  }
  // The long ones first, which are those with many files.
  return [...batches.values()].sort((one, other) => other.length - one.length);
}

/** Runs two files at a time, and four once the browser's tests have ended. */
async function runAllInNode(ofBrowser: Promise<unknown>): Promise<Totals> {
  if (!inNode.length) return {passed: 0, failed: []};
  if (inNode.some(file => file.startsWith(OF_PROGRAMS))) {
    try {
      (await import('./support/dist.js')).buildIfOutdated();
    } catch (error) {
      console.log(error instanceof Error ? error.message : error);
      return {passed: 0, failed: ['npm run build']};
    }
    // Installed on the first run, and several of them need it at once.
    await findChromium();
  }
  const free = ofBrowser.catch(() => undefined);
  return runInNode(batchesOf(inNode), [undefined, undefined, free, free]);
}

/** Runs them, and again after each change. */
async function watchInNode(): Promise<never> {
  let changed = () => {};
  for (const folder of ['src', 'test', 'demo']) watchFiles(folder, {recursive: true}, () => changed());
  for (;;) {
    const change = new Promise<void>(done => (changed = done));
    if (inNode.length) {
      const {passed, failed} = await runInNode(batchesOf(inNode), [undefined, undefined]);
      console.log(`\n${String(passed)} passed, ${String(failed.length)} failed in Node`);
    }
    await change;
    // An editor may write more than once.
    await new Promise(done => setTimeout(done, 100));
  }
}

async function runInBrowser(): Promise<Totals> {
  if (!inBrowser.length) return {passed: 0, failed: []};
  return (await import('./wtr.js')).runInBrowser(inBrowser, watch);
}
