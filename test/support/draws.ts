/**
 * How often what is drawn is tried. `npm test` draws a few, the same each time; `npm run test:draws` many times as many,
 * by a seed that it prints.
 */
const {DRAWS = '1', SEED} = process.env;

/** Whether more is drawn than `npm test` does. */
export const IS_MANY = DRAWS !== '1';

export function runs(few: number): number {
  return few * Number(DRAWS);
}

/** The seed of a file's draws: its own, unless another is given. */
export function seed(own: number): number {
  return SEED === undefined ? own : Number(SEED);
}
