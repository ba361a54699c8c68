/**
 * Attacks the session with a man in the middle between it and the sandbox, and lets the chains judge:
 * `npm run test:hostile`. One line for each case, a summary, and an exit code.
 *
 * - `-- evm`: only the cases whose line contains that word; several words: all of them.
 * - `--seed 7`: another seed for the mutations; it is printed. `--runs 1000`: the number of mutations per family.
 * - `--at 4`: how many cases run at once.
 */
import {parseArgs} from 'node:util';
import {runHostile} from './hostile/run.js';

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {seed: {type: 'string'}, runs: {type: 'string'}, at: {type: 'string'}},
});
const {failed} = await runHostile({
  seed: Number(values.seed ?? 1),
  runs: Number(values.runs ?? 300),
  atOnce: Number(values.at ?? 6),
  words: positionals,
  tell: line => console.log(line),
});
process.exit(failed ? 1 : 0);
