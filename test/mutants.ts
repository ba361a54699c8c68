/**
 * `npm run test:mutants`: does a test fail for each of many small defects in the code that decides about money
 * (`mutants/generate.ts`)? `-- chains/rpc domain/rescue` takes all of those in files whose path has one of these words.
 * Otherwise some of each file, drawn by a seed: `--seed=1`, `--each=100`, `--all`. With `--tests=rescue` only test files
 * whose path this pattern matches are run.
 */
import {cpSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import ts from 'typescript';
import {isEquivalent} from './mutants/equivalent.js';
import {moneyFiles, testsFor} from './mutants/files.js';
import {mutantsOf, withHits, withMutant, type Mutant} from './mutants/generate.js';
import {scaled} from './support/limits.js';
import type {TestResult} from './support/mocha.js';
import {runBatch, withCompiled} from './support/node-tests.js';
import {createRandom} from './support/random.js';

/** The share of the defects that has to be found, in each file and of all. */
const GOAL = 0.97;
const LANES = 2;
/** How long a test may take with a defect, which may cause an endless loop: this, and some times as long as without. */
const PATIENCE = {least: scaled(30_000), times: 5};
/** How many defects of each file are tried, if no file is named. */
const EACH = 25;

/** What a run of a test without defects told. */
interface Reach {
  readonly file: string;
  /** As the runner names it: `file › title`. */
  readonly name: string;
  readonly duration: number;
}

const args = process.argv.slice(2);
const words = args.filter(arg => !arg.startsWith('--'));
const option = (name: string) => args.find(arg => arg.startsWith(`--${name}=`))?.split('=')[1];
const isAll = words.length > 0 || args.includes('--all');
const seed = Number(option('seed') ?? Math.floor(Math.random() * 1e6));
const each = Number(option('each') ?? (isAll ? Infinity : EACH));
const files = moneyFiles().filter(file => !words.length || words.some(word => file.includes(word)));
const all = files.flatMap(file => mutantsOf(file));
const chosen = files.flatMap(file => draw(file));
if (each < Infinity) console.log(`--seed=${String(seed)}`);

const test = new RegExp(option('tests') ?? '');
const rings = [0, 1].map(
  at => new Map(files.map(file => [file, (testsFor(file)[at] ?? []).filter(one => test.test(one))])),
);
const tests = [...new Set(rings.flatMap(ring => [...ring.values()].flat()))];
const reached = new Map<Mutant, Reach[]>();
const loaded = new Map<Mutant, Reach[]>();
/** How many defects of a source a test file has found, by source and test file. */
const finds = new Map<string, number>();
const found = new Set<Mutant>();
const broken: string[] = [];

if (chosen.length) {
  await withCompiled([...tests, ...files], [], async compiled => {
    const copies = Array.from({length: LANES}, (_, at) => `${compiled}-${String(at)}`);
    const remove = () => copies.forEach(copy => rmSync(copy, {recursive: true, force: true}));
    process.once('exit', remove);
    for (const copy of copies) cpSync(compiled, copy, {recursive: true});
    for (const ring of rings) {
      const left = chosen.filter(one => !found.has(one) && ring.get(one.file)?.length);
      const sources = [...new Set(left.map(({file}) => file))];
      for (const copy of copies) for (const file of sources) writeModule(copy, file, hitsOf(file));
      await inLanes(copies, [...new Set(sources.flatMap(file => ring.get(file)!))], explore);
      for (const copy of copies) for (const file of sources) restore(copy, compiled, file);
      if (broken.length) break;
      await inLanes(copies, left, (mutant, copy) => tryOut(mutant, copy, compiled));
      reached.clear();
      loaded.clear();
    }
    remove();
  });
}
if (!files.length) broken.push(`no file that decides about money has ${words.join(' or ')} in its path`);
for (const test of broken) console.log(`✗ without a defect: ${test}`);
process.exit(report() && !broken.length ? 0 : 1);

/** Some defects of a file, or all. What is known to be equivalent is only tried with all of a file. */
function draw(file: string): readonly Mutant[] {
  const mutants = all.filter(one => one.file === file && (isAll || !isEquivalent(one)));
  const random = createRandom(seed + file.length);
  while (mutants.length > each) mutants.splice(random.below(mutants.length), 1);
  return mutants;
}

async function inLanes<T>(
  copies: readonly string[],
  work: readonly T[],
  does: (one: T, copy: string) => Promise<void>,
) {
  const waiting = [...work];
  const lane = async (copy: string) => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await does(next, copy);
  };
  await Promise.all(copies.map(lane));
}

/** Runs a test file without defects, and notes which places each of its tests reaches. */
async function explore(file: string, copy: string): Promise<void> {
  const onResult = ({name, duration, hits, shared}: TestResult) => {
    const reach = {file, name: `${file} › ${name}`, duration};
    const add = (to: Map<Mutant, Reach[]>, numbers: readonly number[]) => {
      for (const number of numbers) {
        const known = to.get(all[number]!);
        if (known) known.push(reach);
        else to.set(all[number]!, [reach]);
      }
    };
    add(reached, hits);
    add(loaded, shared);
  };
  broken.push(...(await runBatch([file], copy, () => undefined, {onResult})).failed);
}

/** Tries one defect in a copy of the compiled files: a module with the defect replaces the original. */
async function tryOut(mutant: Mutant, copy: string, compiled: string): Promise<void> {
  const {file} = mutant;
  writeModule(copy, file, withMutant(readFileSync(file, 'utf8'), mutant));
  const failure = await firstFailure(mutant, copy);
  restore(copy, compiled, file);
  if (failure !== undefined) found.add(mutant);
  console.log(failure === undefined ? `· ${describe(mutant)}` : `✓ ${describe(mutant)}\n    ${failure}`);
}

/**
 * The first failing test of those that reach the place: the file that found most runs alone, so that little is loaded
 * for it, then the others, then what only loads it.
 */
async function firstFailure(mutant: Mutant, copy: string): Promise<string | undefined> {
  // What a file sets as it is loaded is used by whoever reaches any of its functions.
  const places = mutant.isAtLoad ? all.filter(({file, isAtLoad}) => file === mutant.file && !isAtLoad) : [mutant];
  const near = [...new Map(places.flatMap(one => reached.get(one) ?? []).map(one => [one.name, one])).values()];
  const names = new Set(near.map(({name}) => name));
  const far = [...(loaded.get(mutant) ?? []), ...(reached.get(mutant) ?? [])].filter(({name}) => !names.has(name));
  const findsOf = (test: string) => finds.get(`${mutant.file} ${test}`) ?? 0;
  for (const tier of [near, far]) {
    const costs = new Map<string, number>();
    for (const {file, duration} of tier) costs.set(file, (costs.get(file) ?? 0) + duration);
    const [first, ...others] = [...costs.keys()].sort(
      (one, other) => findsOf(other) - findsOf(one) || costs.get(one)! - costs.get(other)!,
    );
    for (const batch of [first ? [first] : [], others]) {
      if (!batch.length) continue;
      const only = tier.filter(({file}) => batch.includes(file));
      const list = join(copy, 'only.json');
      writeFileSync(list, JSON.stringify(only.map(({name}) => name)));
      const longest = only.reduce((most, {duration}) => Math.max(most, duration), 0);
      const limit = PATIENCE.least + PATIENCE.times * longest;
      const options = {bail: true, limit, only: list};
      const [failure] = (await runBatch(batch, copy, () => undefined, options)).failed;
      if (failure === undefined) continue;
      const test = batch.find(one => failure.startsWith(one)) ?? '';
      finds.set(`${mutant.file} ${test}`, findsOf(test) + 1);
      return failure;
    }
  }
  return undefined;
}

/** Prints what came of each file, and of all. Returns whether it is good enough. */
function report(): boolean {
  const lines = files.map(file => {
    const of = chosen.filter(one => one.file === file);
    const equivalent = of.filter(one => !found.has(one) && isEquivalent(one)).length;
    const missed = of.filter(one => !found.has(one) && !isEquivalent(one));
    const counted = of.filter(one => found.has(one)).length;
    const isGood = counted >= GOAL * (counted + missed.length);
    console.log(
      `${isGood ? '✓' : '✗'} ${file}: ${String(of.length)} mutants, ${String(counted)} found, ` +
        `${String(equivalent)} equivalent, ${String(missed.length)} survived`,
    );
    for (const one of missed) console.log(`    ${describe(one)}`);
    // Of a few one may be missed.
    return {isGood: isGood || each < Infinity, counted, missed: missed.length};
  });
  for (const one of found)
    if (isEquivalent(one)) console.log(`  is found, though said to be equivalent: ${describe(one)}`);
  const [counted, missed] = [
    lines.reduce((sum, one) => sum + one.counted, 0),
    lines.reduce((sum, one) => sum + one.missed, 0),
  ];
  console.log(`\n${String(counted + missed)} mutants, ${String(counted)} found`);
  return lines.every(({isGood}) => isGood) && counted >= GOAL * (counted + missed);
}

function describe({file, line, within, was, operator, is}: Mutant): string {
  return `${file}:${String(line)} ${within}: ${was} · ${operator} → ${is.replace(/\s+/g, ' ')}`;
}

function hitsOf(file: string): string {
  const numbered = all.flatMap((mutant, number) => (mutant.file === file ? [[number, mutant] as const] : []));
  return withHits(readFileSync(file, 'utf8'), numbered, 'globalThis.hitMutants');
}

function moduleOf(file: string): string {
  return file.replace(/ts$/, 'mjs');
}

function writeModule(folder: string, file: string, text: string): void {
  const {outputText} = ts.transpileModule(text, {
    compilerOptions: {target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: false},
  });
  const path = join(folder, moduleOf(file));
  // The compiler adds an export for those who use the module as an object.
  const [whole] = /\b\w+_exports\b/.exec(readFileSync(path, 'utf8')) ?? [];
  const more = whole ? `export * as ${whole} from './${basename(path)}';` : '';
  writeFileSync(path, outputText.replace(/((?:from|import) ?\(?)'(\.[^']*)\.js'/g, "$1'$2.mjs'") + more);
}

function restore(folder: string, compiled: string, file: string): void {
  cpSync(join(compiled, moduleOf(file)), join(folder, moduleOf(file)));
}
