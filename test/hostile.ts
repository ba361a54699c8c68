/**
 * Attacks the session with a man in the middle between it and the sandbox, and lets the chains judge:
 * `npm run test:hostile`. One line for each case, a summary, and an exit code.
 *
 * - `-- evm`: only the cases whose line contains that word; several words: all of them.
 * - `--seed 7`: another seed for the mutations; it is printed. `--runs 1000`: the number of mutations per family.
 * - `--at 4`: how many cases run at once.
 */
import {parseArgs} from 'node:util';
import {allLines, runLines} from './hostile/run.js';

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    seed: {type: 'string', default: '1'},
    runs: {type: 'string', default: '300'},
    at: {type: 'string', default: '6'},
  },
});
console.log(`seed ${values.seed}`);
const lines = allLines(Number(values.seed), Number(values.runs));
const chosen = lines.filter(({name}) => positionals.every(word => name.includes(word)));
process.exit((await runLines(chosen, Number(values.at), line => console.log(line))) ? 1 : 0);
