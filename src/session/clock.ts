import type {Host} from './storage.js';

/* A page's one clock: what waits, counts or expires on a page goes by it, whatever the visitor's clock is set to. */

/** By how much two clocks may differ until one of them was set, or the computer slept, in milliseconds. */
export const JUMP_MS = 5_000;

/** The time by a clock that is never set, in milliseconds: only differences mean anything. */
export function elapsedOf(host: Host): number {
  return host.elapsed?.() ?? performance.now();
}

/** A host with one clock, which counts when it had to choose. */
export interface SteadyHost extends Host {
  /** How often the visitor's clock was set, or the computer slept. */
  jumps(): number;
}

/**
 * A host whose `now` starts with the visitor's clock and only moves on, by the clock that is never set. That one may stop
 * in a sleep, which looks like a clock that is set ahead: both count as time that passed, so that nothing is taken for
 * newer, or for payable longer, than it is.
 */
export function withSteadyTime(host: Host): SteadyHost {
  let [wall, elapsed] = [host.now(), elapsedOf(host)];
  let [time, jumps] = [wall, 0];
  const now = () => {
    const [went, ran] = [host.now() - wall, elapsedOf(host) - elapsed];
    wall += went;
    elapsed += ran;
    time += went > ran + JUMP_MS ? went : ran;
    if (Math.abs(went - ran) > JUMP_MS) jumps += 1;
    return Math.round(time);
  };
  return Object.create(host, {now: {value: now}, jumps: {value: () => now() && jumps}}) as SteadyHost;
}
