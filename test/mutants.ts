/**
 * `npm run test:mutants`: does a test fail for each of many small defects in the code that decides about money
 * (`mutants/list.ts`)? `-- solana` takes those in files with this word in their path.
 */
import {cpSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';
import type {Plugin} from 'vite';
import {MUTANTS, timesOf, type Mutant} from './mutants/list.js';
import {stepsTo} from './support/changed.js';
import {runBatch, withCompiled} from './support/node-tests.js';

/** The share of the defects that has to be found. */
const GOAL = 0.97;
/** How long one test may take: a defect may cause an endless loop. */
const TIMEOUT = 120_000;
const LANES = 2;
/** Tests that take half a minute, and may time out on a busy machine, whatever the defect. */
const SLOW = /money|faults|fuzz|pricing/;

interface Case {
  readonly file: string;
  readonly mutant: Mutant;
  /** The path of the file with the defect, as if it were a source next to the original. */
  readonly path: string;
}

const wanted = process.argv.slice(2);
const cases = Object.entries(MUTANTS)
  .filter(([file]) => wanted.every(word => file.includes(word)))
  .flatMap(([file, mutants]) =>
    mutants.map((mutant, at): Case => ({file, mutant, path: file.replace(/ts$/, `mutant-${String(at)}.ts`)})),
  );
const wrong = cases.filter(({file, mutant: [was]}) => timesOf(was, file) !== 1);
for (const {file, mutant} of wrong) console.log(`✗ ${file} does not have this once: ${mutant[0]}`);

const tests = readdirSync('test', {recursive: true, encoding: 'utf8'})
  .map(file => `test/${file}`)
  .filter(file => /^test\/(?:domain|api|session|chains)\/.*\.test\.ts$/.test(file));
const waiting = wrong.length ? [] : [...cases];
const testsFor = new Map([...new Set(waiting.map(({file}) => file))].map(file => [file, testsOf(file)]));
const found: Case[] = [];
const survived: Case[] = [];
/** How many defects of a source a test has found, by source and test. */
const finds = new Map<string, number>();
if (waiting.length) {
  const files = new Set([...testsFor.values()].flat(2));
  await withCompiled([...files, ...waiting.map(({path}) => path)], [mutated(waiting)], folder =>
    Promise.all(Array.from({length: LANES}, (_, at) => lane(folder, `${folder}-${String(at)}`))),
  );
}

for (const file of new Set(cases.map(one => one.file))) {
  const of = (all: readonly Case[]) => all.filter(one => one.file === file).length;
  console.log(
    `${file}: ${String(of(cases))} defects, ${String(of(found))} found, ${String(of(harmless(survived)))} harmless`,
  );
}
for (const {file, mutant} of harmless(found)) console.log(`✗ ${file}: is found, so it is not harmless: ${mutant[0]}`);
console.log(`\n${String(cases.length)} defects, ${String(found.length)} found`);
for (const {file, mutant} of survived)
  console.log(`  ${describe(file, mutant)}\n    ${mutant[2] ?? 'not found by any test'}`);
const isGood =
  !wrong.length &&
  !harmless(found).length &&
  survived.length === harmless(survived).length &&
  found.length >= GOAL * cases.length;
process.exit(isGood ? 0 : 1);

/** Tests one defect after the other in a copy of the compiled files: a module with the defect replaces the original. */
async function lane(compiled: string, folder: string): Promise<void> {
  const remove = () => rmSync(folder, {recursive: true, force: true});
  process.once('exit', remove);
  cpSync(compiled, folder, {recursive: true});
  const moduleOf = (path: string) => path.replace(/ts$/, 'mjs');
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const {file, mutant, path} = next;
    const place = join(folder, moduleOf(file));
    cpSync(join(compiled, moduleOf(path)), place);
    const failure = await firstFailure(file, folder);
    cpSync(join(compiled, moduleOf(file)), place);
    (failure === undefined ? survived : found).push(next);
    console.log(
      `${failure === undefined ? '✗' : '✓'} ${describe(file, mutant)}${failure === undefined ? '' : `\n    ${failure}`}`,
    );
  }
  remove();
}

/** The first failing test: the most likely file runs alone, so that little is loaded for it. */
async function firstFailure(file: string, folder: string): Promise<string | undefined> {
  const findsOf = (test: string) => finds.get(`${file} ${test}`) ?? 0;
  const [near = [], ...far] = testsFor.get(file) ?? [];
  const [first, ...others] = near.toSorted((one, other) => findsOf(other) - findsOf(one));
  for (const batch of [[first!], others, ...far]) {
    if (!batch.length) continue;
    const {failed} = await runBatch(batch, folder, () => undefined, {
      bail: true,
      timeout: TIMEOUT,
      isForEach: true,
    });
    const [failure] = failed;
    if (failure === undefined) continue;
    const test = batch.find(one => failure.startsWith(`${one} ›`)) ?? '';
    finds.set(`${file} ${test}`, findsOf(test) + 1);
    return failure;
  }
  return undefined;
}

function harmless(all: readonly Case[]): readonly Case[] {
  return all.filter(({mutant}) => mutant[2] !== undefined);
}

function describe(file: string, [was, is]: Mutant): string {
  const line = (text: string) => text.trim().replace(/\s+/g, ' ');
  return `${file}: ${line(was)} → ${line(is) || 'nothing'}`;
}

/** Compiles a module with each defect, next to the original. */
function mutated(all: readonly Case[]): Plugin {
  const byPath = new Map(all.map(one => [resolve(one.path), one]));
  return {
    name: 'mutated',
    enforce: 'pre',
    resolveId: id => (byPath.has(resolve(id)) ? resolve(id) : undefined),
    load(id) {
      const one = byPath.get(id);
      if (!one) return undefined;
      const [was, is] = one.mutant;
      return readFileSync(one.file, 'utf8').replace(was, () => is);
    },
  };
}

/**
 * The tests that may find a defect in a file, of those that import it, directly or not: the near ones, nearest first,
 * then the slow ones.
 */
function testsOf(file: string): string[][] {
  const reaching = stepsTo([file]);
  const [, room = '', ...path] = file.split('/');
  const name = basename(file, '.ts');
  const folder = room === 'chains' && path.length > 1 ? path[0]! : '';
  // The tests of all dialects of the contract family, and those of one of them.
  const ofContracts = ['token-htlc', 'evm', 'starknet'];
  const families =
    folder === 'token-htlc'
      ? ofContracts
      : ofContracts.includes(folder)
        ? [folder, 'token-htlc']
        : folder
          ? [folder]
          : [];
  const isOfFamily = (test: string) => families.some(family => test.includes(`/${family}-`));
  const distance = (test: string) => {
    const isOfRoom = test.startsWith(`test/${room}/`);
    const names = families.length ? families.map(family => `${family}-${name}`) : [name];
    if (isOfRoom && names.includes(basename(test, '.test.ts'))) return 0;
    // A sandbox's chain takes a while to start.
    if (/-chain\.test\.ts$/.test(test)) return isOfFamily(test) ? 4 : 9;
    if (room === 'chains') {
      if (!test.startsWith('test/chains/')) return 9;
      if (!families.length || isOfFamily(test)) return 1;
      return /checks|opinion/.test(test) ? 2 : 9;
    }
    const isBeside = dirname(test) === join('test', room, dirname(path.join('/')));
    if (isOfRoom) return SLOW.test(test) || !isBeside ? 2 : 1;
    return room === 'domain' ? 3 : 9;
  };
  const able = tests.filter(test => reaching.has(test));
  const near = able.filter(test => distance(test) < 4).sort((one, other) => distance(one) - distance(other));
  return [near, able.filter(test => distance(test) === 4)];
}
