/** Pseudorandom numbers, the same on every run. */
export interface Random {
  /** 0 or more, less than 1. */
  part(): number;
  /** An integer from 0 up to, not including, `limit`. */
  below(limit: number): number;
  /** An integer with at most this many digits. */
  digits(most: number): bigint;
  pick<T>(list: readonly [T, ...T[]]): T;
}

/** Generates numbers from a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    part: next,
    below,
    digits: most => BigInt(Array.from({length: 1 + below(most)}, () => below(10)).join('')),
    pick: ([first, ...others]) => [first, ...others][below(others.length + 1)] ?? first,
  };
}
