import type {Host} from './storage.js';

/* How long to wait before something is read again: a price, the displayed order, the others. */

/** About how soon reads resume once the connection is back, by `spread`. */
export const BACK_ONLINE_MS = 1_000;

const LONGEST_PAUSE_MS = 60_000;

/**
 * About this many milliseconds, plus or minus a fifth, so that pages do not all send requests at the same moment. If
 * the service requires a pause, at least that.
 */
export function spread(host: Host, milliseconds: number, wanted = 0): number {
  const part = host.random?.() ?? Math.random();
  return Math.max(milliseconds * (0.8 + 0.4 * part), wanted * (1 + 0.4 * part));
}

/** The pause after consecutive failures: `first`, doubled each time. A pause that the service requires is respected. */
export function backOff(host: Host, first: number, faults: number, wanted?: number): number {
  return spread(host, Math.min(first * 2 ** (faults - 1), LONGEST_PAUSE_MS), wanted);
}
