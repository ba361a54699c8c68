/** Whether other processes use the machine during a measurement. */
import {readdirSync, readFileSync} from 'node:fs';
import {cpus} from 'node:os';

/** Milliseconds per kernel clock tick in `/proc`. */
const TICK_MS = 10;

/**
 * Starts watching. The returned function gives the share of all processors that other processes have used since;
 * `undefined` if the system does not report it.
 */
export function watchOthers(): () => number | undefined {
  const before = {busy: busy(), own: own(), at: performance.now()};
  return () => {
    if (before.own === undefined) return undefined;
    const all = (performance.now() - before.at) * cpus().length;
    return Math.max(0, (busy() - before.busy - ((own() ?? 0) - before.own)) / all);
  };
}

/** The busy time of all processors since the machine started. */
function busy(): number {
  return cpus().reduce((sum, {times}) => sum + times.user + times.nice + times.sys + times.irq, 0);
}

/** The busy time of this process and its descendants. */
function own(): number | undefined {
  const family = familyOf(process.pid);
  return family && [...family.values()].reduce((sum, ticks) => sum + ticks * TICK_MS, 0);
}

/** A process and its descendants, with the ticks that each used, including those of its ended children. */
function familyOf(pid: number): ReadonlyMap<number, number> | undefined {
  const stats = new Map<number, {parent: number; ticks: number}>();
  try {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8');
        // The program's name is in parentheses and may contain anything.
        const [, parent, ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
        const ticks = fields.slice(9, 13).reduce((sum, field) => sum + Number(field), 0);
        stats.set(Number(name), {parent: Number(parent), ticks});
      } catch {
        // It ended meanwhile.
      }
    }
  } catch {
    return undefined;
  }
  const isOurs = (id: number): boolean => id === pid || (stats.has(id) && isOurs(stats.get(id)!.parent));
  return new Map([...stats].filter(([id]) => isOurs(id)).map(([id, {ticks}]) => [id, ticks]));
}
