/**
 * Mines blocks at regular intervals, on the chains that do not do so themselves.
 *
 * Every block stays in memory as long as the sandbox runs, so a block is only mined if an order waits for it: for a
 * confirmation, or for the end of a timelock. Otherwise time passes without blocks. Transactions always get a block.
 */
import type {ChainLeg} from './chains/leg.js';

/** Starts the clock of these chains. The returned function stops it, and waits for blocks being mined. */
export function startClock(chains: readonly ChainLeg[], awaits: (chain: ChainLeg) => boolean): () => Promise<void> {
  const stops = chains.flatMap(chain => {
    const {blockSeconds} = chain;
    if (blockSeconds === null) return [];
    let ticking: Promise<void> | undefined;
    const timer = setInterval(() => {
      // Skips ticks while the node is busy.
      ticking ??= chain
        .tick?.(awaits(chain))
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
