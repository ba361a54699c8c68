/** `npm start`: how soon there is a page that swaps, and what the processes take. */
import {readFileSync} from 'node:fs';
import {startDemo} from '../support/demo.js';
import {Visitor} from '../support/visitor.js';
import {inTab} from './ground.js';
import {familyOf} from './machine.js';
import {gather, type Measure} from './measure.js';

const PORT = 8_950;
/** How long it runs before its memory is looked at. */
const IDLE_MS = 20_000;

export function measureStart(_ground: unknown, runs: number): Promise<Measure[]> {
  return gather(async () => {
    const ready: number[] = [];
    const swaps: number[] = [];
    const memory: number[] = [];
    // The first one fills the caches of the compiler.
    for (let run = -1; run < Math.min(runs, 3); run++) {
      const began = performance.now();
      const demo = await startDemo(PORT);
      const isUp = performance.now() - began;
      const inPage = await inTab(
        async ({page}) => {
          const opened = performance.now();
          await page.goto(demo.page);
          const visitor = new Visitor(page, undefined as never);
          await visitor.type('0.1');
          const time = performance.now() - opened;
          await page.waitForSelector('swap-widget >>> output ::-p-text(0.0)');
          if (run === 0) await new Promise(resolve => setTimeout(resolve, IDLE_MS));
          return time;
        },
        {onlyCounts: true},
      );
      if (run >= 0) {
        ready.push(isUp / 1000);
        swaps.push((isUp + inPage) / 1000);
      }
      if (run === 0) memory.push(memoryOf(demo.pid));
      await demo.close();
    }
    return [
      {id: 'start.up', what: 'npm start: addresses printed', unit: 's', widget: ready},
      {id: 'start.ready', what: 'npm start: a page that takes an amount', unit: 's', widget: swaps},
      {id: 'start.memory', what: 'npm start: memory of all its processes', unit: 'MB', widget: memory},
    ];
  });
}

/** What a process and all that it started have in memory; what they share counts once. */
function memoryOf(pid: number): number {
  const family = familyOf(pid);
  if (!family?.size) throw new Error('The system does not tell what processes take.');
  return [...family.keys()].reduce((sum, id) => {
    const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${String(id)}/smaps_rollup`, 'utf8')) ?? [];
    return sum + (Number(kilobytes) * 1024) / 1e6;
  }, 0);
}
