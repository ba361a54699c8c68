/**
 * How fast and how heavy it is: `npm run bench`. The built widget and two floors, forms of as many elements without a
 * product behind them, are measured in turn, each run in a browser process of its own; medians count, and ratios more
 * than times. `-- form` measures one group (form, flow, page, memory, start), `-- --runs 3` less often, `-- --save` writes
 * what the page about speed says.
 *
 * The table goes to the terminal, the figures to `.bench/results.json`. Nothing fails where a goal is missed.
 */
import {parseArgs} from 'node:util';
import {measureFlow} from './bench/flow.js';
import {measureForm} from './bench/form.js';
import {browserVersion, openGround, runs, type Ground} from './bench/ground.js';
import {measureMemory} from './bench/memory.js';
import {measurePage} from './bench/page.js';
import {measureStart} from './bench/start.js';
import {GROUPS, reportOf, RESULTS, resultOf, save, tableOf, type Group, type Measure} from './bench/measure.js';

const {values, positionals} = parseArgs({
  options: {runs: {type: 'string', default: '5'}, save: {type: 'boolean', default: false}},
  allowPositionals: true,
});
const wanted = positionals.length ? GROUPS.filter(group => positionals.includes(group)) : GROUPS;
if (wanted.length < positionals.length)
  throw new Error(`There are ${GROUPS.join(', ')}, not ${positionals.join(', ')}.`);

const measureGroup: Record<Group, (ground: Ground, runs: number) => Promise<Measure[]>> = {
  form: measureForm,
  flow: measureFlow,
  page: measurePage,
  memory: measureMemory,
  start: measureStart,
};

const ground = await openGround();
const measures: Measure[] = [];
try {
  for (const group of wanted) {
    const began = performance.now();
    const measured = await measureGroup[group](ground, Number(values.runs));
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(`${group} (${seconds} s)\n${tableOf(measured.map(resultOf))}\n`);
    measures.push(...measured);
  }
} finally {
  await ground.close();
}

const report = reportOf(measures, runs, await browserVersion());
save(report, '.bench/results.json');
if (values.save) save(report, RESULTS);
if (runs.disturbed) {
  console.log(
    `Others used the machine in ${String(runs.disturbed)} of ${String(runs.all)} runs that count: look at bytes, counts and ratios only.`,
  );
}
