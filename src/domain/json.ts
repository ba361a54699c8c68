import {bare} from './deposit.js';

/**
 * JSON of plain data, the same on every page: old libraries add a `toJSON` to the prototypes of arrays and objects, and
 * many pages one to that of bigints, which `JSON.stringify` would follow.
 * @param bigint The text for a bigint, its digits by default.
 * @param space As for `JSON.stringify`.
 */
export function writeJson(
  value: unknown,
  {bigint = String, space}: {readonly bigint?: (value: bigint) => string; readonly space?: number} = {},
): string {
  const copy = (part: unknown): unknown => {
    if (typeof part === 'bigint') return bigint(part);
    if (typeof part !== 'object' || part === null) return part;
    // Nothing is inherited by what has no prototype; an array stays one.
    return bare(Array.isArray(part) ? part.map(copy) : Object.fromEntries(Object.entries(part).map(copyField)));
  };
  const copyField = ([name, part]: readonly [string, unknown]) => [name, copy(part)] as const;
  return JSON.stringify(copy(value), null, space);
}
