/**
 * Swaps while everything goes wrong: `npm run test:chaos`. A thousand by the real session in Node and fifty through the
 * element in a browser, with broken answers, reloads, second tabs, silent wallets, reorganisations and a service that
 * lies. It prints how often each fault happened at each step. In the end the chains are asked: every swap is complete,
 * refunded or was never paid, nothing was paid twice, and no money came or went.
 *
 * `-- --seed=7` takes another seed, `-- --seed=7 --swap=42` runs one swap of it again, `-- --swaps=100` fewer of them;
 * with `--log`, each tells what happened.
 */
import {parseArgs} from 'node:util';
import {differenceOf, type Account} from './chaos/ledger.js';
import {CELLS, STEPS, describePlan, planOf, type Place, type Plan} from './chaos/plan.js';
import {openChaosWorld, type Result} from './chaos/world.js';

const {values} = parseArgs({
  options: {
    seed: {type: 'string', default: '1'},
    swap: {type: 'string'},
    swaps: {type: 'string', default: '1000'},
    log: {type: 'boolean', default: false},
  },
});
const seed = Number(values.seed);
const only = values.swap === undefined ? undefined : Number(values.swap);
const began = Date.now();

/** How many swaps are under way at once. A reorganisation takes what others did since, so those are one at a time. */
const AT_ONCE: Readonly<Record<Place, number>> = {served: 12, refunded: 6, reorganised: 1};
const LEAST = 10;

const failures: string[] = [];
process.on('unhandledRejection', error => {
  failures.push(`a promise was rejected, and nobody heard: ${error instanceof Error ? error.stack : String(error)}`);
});

const plans =
  only === undefined
    ? Array.from({length: Number(values.swaps)}, (_, number) => planOf(seed, number))
    : [planOf(seed, only)];
console.log(`seed ${String(seed)}, ${String(plans.length)} swaps`);
const places: readonly Place[] = ['served', 'refunded', 'reorganised'];
const results = (
  await Promise.all(
    places.map(place =>
      runPlace(
        place,
        plans.filter(plan => plan.place === place),
      ),
    ),
  )
).flat();

/** Runs the swaps of one kind on a sandbox of their own, and closes its books. */
async function runPlace(place: Place, own: readonly Plan[]): Promise<Result[]> {
  if (!own.length) return [];
  const world = await openChaosWorld(seed);
  try {
    const done: Result[] = [];
    const left = [...own];
    const work = async () => {
      for (let plan = left.shift(); plan; plan = left.shift()) {
        try {
          const result = await world.run(plan);
          done.push(result);
          tellProgress(place, done.length, own.length);
          if (values.log || only !== undefined) tellLog(result);
        } catch (error) {
          failures.push(`${describePlan(plan)}\n${error instanceof Error ? String(error.stack) : String(error)}`);
        }
      }
    };
    await Promise.all(Array.from({length: AT_ONCE[place]}, work));
    // What is locked comes back by a press, once its timelock is over.
    const ended: Result[] = [];
    for (const result of done) ended.push(result.outcome === 'locked' ? await world.release(result) : result);
    tellBooks(place, await world.settle());
    return ended;
  } finally {
    await world.close();
  }
}

function tellLog({person, outcome, milliseconds}: Result): void {
  console.log([`${describePlan(person.plan)}: ${outcome}, ${String(milliseconds)} ms`, ...person.log].join('\n'));
}

function tellProgress(place: Place, count: number, of: number): void {
  if (count % 50 === 0 || count === of) {
    console.log(
      `${place}: ${String(count)} of ${String(of)} after ${String(Math.round((Date.now() - began) / 1000))} s`,
    );
  }
}

/** The books of a sandbox: what was there, what came, what was burnt, what is there. */
function tellBooks(place: Place, books: readonly Account[]): void {
  console.log(`\nThe books of “${place}”, in smallest units`);
  for (const account of books) {
    const {asset, genesis, made, burnt, fees, total} = account;
    const difference = differenceOf(account);
    console.log(
      `  ${asset.padEnd(24)} ${String(genesis)} + ${String(made)} made - ${String(burnt)} burnt = ${String(total)}` +
        `${difference ? `  WRONG BY ${String(difference)}` : ''}${fees ? `, miner fees ${String(fees)}` : ''}`,
    );
    if (difference) failures.push(`${place}: ${asset} is wrong by ${String(difference)}`);
  }
}

function tellTable(all: readonly Result[]): void {
  const count = (fault: string, step: string) =>
    all.filter(({person}) => person.happened.some(one => one.fault === fault && one.step === step)).length;
  const faults = [...new Set(CELLS.map(({fault}) => fault))];
  console.log(`\n${''.padEnd(26)}${STEPS.map(step => step.padStart(9)).join('')}`);
  for (const fault of faults) {
    const cells = STEPS.map(step => {
      if (!CELLS.some(cell => cell.fault === fault && cell.step === step)) return '';
      const times = count(fault, step);
      if (only === undefined && plans.length >= LEAST * CELLS.length && times < LEAST) {
        failures.push(`“${fault}” at ${step} happened to ${String(times)} swaps only`);
      }
      return String(times);
    });
    console.log(`${fault.padEnd(26)}${cells.map(cell => cell.padStart(9)).join('')}`);
  }
}

tellTable(results);
const outcomes = new Map<string, number>();
for (const {outcome} of results) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
console.log(`\n${[...outcomes].map(([outcome, count]) => `${String(count)} ${outcome}`).join(', ')}`);
for (const {person, violations} of results) {
  if (violations.length)
    failures.push(
      [
        describePlan(person.plan),
        ...violations.map(text => `  ! ${text}`),
        ...person.log.map(line => `  ${line}`),
      ].join('\n'),
    );
}
for (const failure of failures) console.log(`\n${failure}`);
console.log(
  `\n${String(results.length)} swaps, ${String(failures.length)} failures, seed ${String(seed)}, ${String(Math.round((Date.now() - began) / 1000))} s`,
);
process.exit(failures.length ? 1 : 0);
