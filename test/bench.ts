/**
 * Measures speed and size: `npm run bench`. The built widget and a baseline, a form with as many elements but no product
 * behind it, are measured in turn, each run in a separate browser process; medians count, and ratios more than times.
 * `-- form` measures one group (form, feel, flow, memory; visitor, what one costs the service), `-- --runs 3` less often,
 * `-- --save` writes what the documents quote.
 *
 * The table goes to the terminal, the figures to `.bench/results.json`. A missed goal fails nothing.
 */
import {parseArgs} from 'node:util';
import {measureFeel} from './bench/feel.js';
import {measureFlow} from './bench/flow.js';
import {measureForm} from './bench/form.js';
import {browserVersion, openGround, type Ground} from './bench/ground.js';
import {measureMemory} from './bench/memory.js';
import {measureVisitor} from './bench/visitor.js';
import {GROUPS, reportOf, RESULTS, save, tableOf, type Group, type Measure} from './bench/measure.js';

const {values, positionals} = parseArgs({
  options: {runs: {type: 'string', default: '5'}, save: {type: 'boolean', default: false}},
  allowPositionals: true,
});
const wanted = positionals.length ? GROUPS.filter(group => positionals.includes(group)) : GROUPS;
if (wanted.length < positionals.length)
  throw new Error(`There are ${GROUPS.join(', ')}, not ${positionals.join(', ')}.`);

const measureGroup: Record<Group, (ground: Ground, runs: number) => Promise<Measure[]>> = {
  form: measureForm,
  feel: measureFeel,
  flow: measureFlow,
  memory: measureMemory,
  visitor: measureVisitor,
};

const ground = await openGround();
const browser = await browserVersion();
try {
  for (const group of wanted) {
    const began = performance.now();
    const measures = await measureGroup[group](ground, Number(values.runs));
    const report = reportOf(measures, browser);
    console.log(`${group} (${((performance.now() - began) / 1000).toFixed(0)} s)\n${tableOf(report.results)}\n`);
    save({[group]: report}, '.bench/results.json');
    if (values.save) save({[group]: report}, RESULTS);
  }
} finally {
  await ground.close();
}
