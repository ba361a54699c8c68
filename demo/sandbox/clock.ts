/**
 * Mines blocks at regular intervals, on the chains that do not do so themselves.
 *
 * Every block stays in memory as long as the sandbox runs, so a block is only mined if an order waits for it: for a
 * confirmation, or for the end of a timelock; and a few while one is open, since clients read the time from new blocks.
 * Otherwise time passes without blocks. Transactions always get a block.
 */
import type {ChainLeg} from './chains/leg.js';
import type {RunningSolver} from './solver.js';

/** How long a chain may make no block while an order is open, in real milliseconds. */
const LONGEST_PAUSE_MS = 6_000;

/** Starts the clock of these chains. The returned function stops it, and waits for blocks being mined. */
export function startClock(
  chains: readonly ChainLeg[],
  {awaits, isOpenOn}: Pick<RunningSolver, 'awaits' | 'isOpenOn'>,
): () => Promise<void> {
  const stops = chains.flatMap(chain => {
    const {blockSeconds} = chain;
    if (blockSeconds === null) return [];
    let ticking: Promise<void> | undefined;
    let minedAt = 0;
    const timer = setInterval(() => {
      // Skips ticks while the node is busy.
      if (ticking) return;
      const isDue = awaits(chain) || (isOpenOn(chain) && Date.now() >= minedAt + LONGEST_PAUSE_MS);
      if (isDue) minedAt = Date.now();
      ticking = chain
        .tick?.(isDue)
        .catch(() => {})
        .finally(() => (ticking = undefined));
    }, blockSeconds * 1_000).unref();
    return async () => {
      clearInterval(timer);
      await ticking;
    };
  });
  return async () => {
    await Promise.all(stops.map(stop => stop()));
  };
}
