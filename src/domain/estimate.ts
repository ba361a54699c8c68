import {depositBy, type Chain} from './asset.js';

/** How long a swap usually takes, in whole minutes of at least one: an estimate, never a promise. */
export interface UsualMinutes {
  readonly least: number;
  readonly most: number;
}

/** What service and exchange partner need beside the blocks, in seconds. */
const BESIDE_BLOCKS = {least: 10, most: 60} as const;

/** How many confirmations a payment usually needs, where no order says so yet. */
function usualConfirmations(chain: Chain): number {
  return depositBy(chain) === 'transfer' ? 2 : 1;
}

/**
 * How long a swap usually takes: the payment's confirmations, in blocks of its network, and a block or two of the other
 * one. `confirmations`: how many the order wants, once that is known.
 */
export function usualMinutes(from: Chain, to: Chain, confirmations = usualConfirmations(from)): UsualMinutes {
  const {least, most} = BESIDE_BLOCKS;
  return {
    least: rounded(confirmations * from.blockSeconds + to.blockSeconds + least),
    most: rounded((confirmations + 1) * from.blockSeconds + 2 * to.blockSeconds + most),
  };
}

/** As many minutes as a person would say: from ten on in fives. */
function rounded(seconds: number): number {
  const minutes = seconds / 60;
  const step = minutes < 10 ? 1 : 5;
  return Math.max(1, Math.round(minutes / step) * step);
}
