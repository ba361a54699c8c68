import type {Host} from './storage.js';

/* How long to wait before something is read again: a price, the order on the screen, the others. */

/** About how soon things are asked for after the connection is back, by `spread`. */
export const BACK_ONLINE_MS = 1_000;

/** The longest wait after something that failed. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * About so many milliseconds, a fifth more or less, so that pages that wait for the same thing do not come in one moment.
 * Where the service wanted a wait, as long as that or a little longer.
 */
export function spread(host: Host, milliseconds: number, wanted = 0): number {
  const part = host.random?.() ?? Math.random();
  return Math.max(milliseconds * (0.8 + 0.4 * part), wanted * (1 + 0.4 * part));
}

/** How long to wait after so many failures on end: `first`, then twice as long each time. Who wanted a wait gets it. */
export function backOff(host: Host, first: number, faults: number, wanted?: number): number {
  return spread(host, Math.min(first * 2 ** (faults - 1), LONGEST_PAUSE_MS), wanted);
}
