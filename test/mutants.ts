/**
 * `npm run test:mutants`: does a test fail for each of many small defects in what decides about money (`mutants/list.ts`)?
 * `-- solana` takes those in files that have this word in their path.
 */
import {readFileSync, readdirSync} from 'node:fs';
import {basename} from 'node:path';
import type {Plugin} from 'vite';
import {MUTANTS, type Mutant} from './mutants/list.js';
import {runBatch, withCompiled} from './support/node-tests.js';

/** The least part of the defects that has to be found. */
const GOAL = 0.97;
/** A defect may also lead in circles. */
const TIMEOUT = 180_000;
const LANES = 2;

interface Case {
  readonly file: string;
  readonly mutant: Mutant;
}

const wanted = process.argv.slice(2);
const cases = Object.entries(MUTANTS)
  .filter(([file]) => wanted.every(word => file.includes(word)))
  .flatMap(([file, mutants]) => mutants.map((mutant): Case => ({file, mutant})));
const wrong = cases.filter(({file, mutant: [was]}) => readFileSync(file, 'utf8').split(was).length !== 2);
for (const {file, mutant} of wrong) console.log(`✗ ${file} does not have this once: ${mutant[0]}`);

const tests = readdirSync('test', {recursive: true, encoding: 'utf8'})
  .map(file => `test/${file}`)
  .filter(file => /^test\/(?:domain|api|session|chains)\/.*\.test\.ts$/.test(file));
const waiting = wrong.length ? [] : [...cases];
const found: Case[] = [];
const survived: Case[] = [];
await Promise.all(Array.from({length: LANES}, lane));

const harmless = (all: readonly Case[]) => all.filter(({mutant}) => mutant[2] !== undefined);
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

async function lane(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const {file, mutant} = next;
    const files = testsOf(file);
    const {failed} = await withCompiled(files, [mutated(file, mutant)], folder =>
      runBatch(files, folder, () => undefined, {bail: true, timeout: TIMEOUT}),
    );
    (failed.length ? found : survived).push(next);
    console.log(`${failed.length ? '✓' : '✗'} ${describe(file, mutant)}${failed.length ? `\n    ${failed[0]!}` : ''}`);
  }
}

function describe(file: string, [was, is]: Mutant): string {
  const line = (text: string) => text.trim().replace(/\s+/g, ' ');
  return `${file}: ${line(was)} → ${line(is) || 'nothing'}`;
}

/** Puts a defect into a module as it is compiled. */
function mutated(file: string, [was, is]: Mutant): Plugin {
  return {
    name: 'mutated',
    enforce: 'pre',
    transform: {
      filter: {id: new RegExp(`/${file.replaceAll('.', '\\.')}$`)},
      handler: code => ({code: code.replace(was, () => is), map: null}),
    },
  };
}

/** The tests that may find a defect in a file, the nearest first. */
function testsOf(file: string): string[] {
  const [, room = '', ...path] = file.split('/');
  const name = basename(file, '.ts');
  const family = room === 'chains' && path.length > 1 ? path[0]! : '';
  const distance = (test: string) => {
    if (basename(test) === `${family ? `${family}-` : ''}${name}.test.ts`) return 0;
    // A chain of the sandbox takes time to start.
    if (/-chain\.test\.ts$/.test(test)) return test.includes(`/${family}-`) && family ? 4 : 9;
    if (room === 'chains')
      return !test.startsWith('test/chains/')
        ? 9
        : !family || test.includes(`/${family}-`)
          ? 1
          : /checks|opinion/.test(test)
            ? 2
            : 9;
    if (test.startsWith(`test/${room}/`)) return test.includes('money') ? 2 : 1;
    return room === 'domain' ? 3 : 9;
  };
  return tests.filter(test => distance(test) < 9).sort((one, other) => distance(one) - distance(other));
}
