import {bare} from './deposit.js';

/**
 * The same on every page: old libraries add a `toJSON` to the prototypes of arrays and objects, and many pages one to
 * that of bigints, which `JSON.stringify` would follow. @param bigint The text for a bigint, its digits by default.
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

/** Whether plain data is the same, field by field; a field without a value is as good as none. */
export function isSameData(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [first, second] = [one, other] as [Record<string, unknown>, Record<string, unknown>];
  const names = Object.keys(first);
  return (
    names.every(name => isSameData(first[name], Object.hasOwn(second, name) ? second[name] : undefined)) &&
    Object.keys(second).every(name => second[name] === undefined || Object.hasOwn(first, name))
  );
}
