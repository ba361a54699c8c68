/** Whether the machine is ours while something is measured. */
import {readdirSync, readFileSync} from 'node:fs';
import {cpus} from 'node:os';

/** Milliseconds in a tick of the kernel's clock, as `/proc` counts them. */
const TICK_MS = 10;

/**
 * Begins to watch. The answer says, when asked, which share of all processors others had since; `undefined` where the
 * system does not tell.
 */
export function watchOthers(): () => number | undefined {
  const before = {busy: busy(), own: own(), at: performance.now()};
  return () => {
    if (before.own === undefined) return undefined;
    const all = (performance.now() - before.at) * cpus().length;
    return Math.max(0, (busy() - before.busy - ((own() ?? 0) - before.own)) / all);
  };
}

/** What all processors worked since the machine started. */
function busy(): number {
  return cpus().reduce((sum, {times}) => sum + times.user + times.nice + times.sys + times.irq, 0);
}

/** What this process and all that it started worked. */
function own(): number | undefined {
  const family = familyOf(process.pid);
  return family && [...family.values()].reduce((sum, ticks) => sum + ticks * TICK_MS, 0);
}

/** A process and all that it started, with the ticks that each worked, and those it started and outlived. */
export function familyOf(pid: number): ReadonlyMap<number, number> | undefined {
  const stats = new Map<number, {parent: number; ticks: number}>();
  try {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8');
        // The program's name stands in brackets and may hold anything.
        const [, parent, ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
        const ticks = fields.slice(9, 13).reduce((sum, field) => sum + Number(field), 0);
        stats.set(Number(name), {parent: Number(parent), ticks});
      } catch {
        // It ended while it was looked at.
      }
    }
  } catch {
    return undefined;
  }
  const isOurs = (id: number): boolean => id === pid || (stats.has(id) && isOurs(stats.get(id)!.parent));
  return new Map([...stats].filter(([id]) => isOurs(id)).map(([id, {ticks}]) => [id, ticks]));
}
