/**
 * Blocks by the clock, on the chains that do not keep the time themselves.
 *
 * Every block stays in memory for as long as the sandbox runs, so one is only made where an order waits for it: for a
 * confirmation, or for the end of a timelock. Else time passes without blocks. What is sent has a block in any case.
 */
import type {ChainLeg} from './chains/leg.js';

/** Starts the clock of these chains. Answers how to stop it, once no block is being made any more. */
export function startClock(chains: readonly ChainLeg[], awaits: (chain: ChainLeg) => boolean): () => Promise<void> {
  const stops = chains.flatMap(chain => {
    const {blockSeconds} = chain;
    if (blockSeconds === null) return [];
    let ticking: Promise<void> | undefined;
    const timer = setInterval(() => {
      // A node that is busy is not asked for more.
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
