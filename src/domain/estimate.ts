import {depositBy, type Chain} from './asset.js';

/** The usual duration of a swap, in whole minutes of at least one: an estimate, never a promise. */
export interface UsualMinutes {
  readonly least: number;
  readonly most: number;
}

/** The time that service and solver need in addition to the blocks, in seconds. */
const BESIDE_BLOCKS = {least: 10, most: 60} as const;

/**
 * The usual duration of a swap: the payment's confirmations, in blocks of its chain, and a block or two of the other
 * chain. `confirmations`: the number that the order requires, once it is known; the usual one before.
 */
export function usualMinutes(
  from: Chain,
  to: Chain,
  confirmations = depositBy(from) === 'transfer' ? 2 : 1,
): UsualMinutes {
  const {least, most} = BESIDE_BLOCKS;
  return {
    least: rounded(confirmations * from.blockSeconds + to.blockSeconds + least),
    most: rounded((confirmations + 1) * from.blockSeconds + 2 * to.blockSeconds + most),
  };
}

/** A rounded number of minutes: from ten on, a multiple of five. */
function rounded(seconds: number): number {
  const minutes = seconds / 60;
  const step = minutes < 10 ? 1 : 5;
  return Math.max(1, Math.round(minutes / step) * step);
}
