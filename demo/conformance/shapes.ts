/** What a value has to be, in words and as a test, and where a JSON response differs from it. */

export interface Kind {
  readonly says: string;
  is(value: unknown): boolean;
}

/** An object with these fields, or a list of elements with the same shape. */
export type Shape = Kind | {readonly fields: Table} | {readonly each: Shape};
/** By field. A field whose name ends with `?` is optional. */
export type Table = Readonly<Record<string, Shape>>;

export interface Difference {
  /** The field, as `result[0].source.amount`. */
  readonly at: string;
  readonly expected: string;
  readonly found: string;
}

export const kind = (says: string, is: (value: unknown) => boolean): Kind => ({says, is});
export const text = (says: string, pattern: RegExp): Kind =>
  kind(says, value => typeof value === 'string' && pattern.test(value));
export const exactly = (wanted: unknown): Kind =>
  kind(JSON.stringify(wanted), value => JSON.stringify(value) === JSON.stringify(wanted));
export const object = (fields: Table): Shape => ({fields});
export const list = (each: Shape): Shape => ({each});

export function compare(shape: Shape, value: unknown, at: string): Difference[] {
  if ('each' in shape) {
    if (!Array.isArray(value)) return [{at, expected: 'a list', found: inWords(value)}];
    return value.flatMap((one: unknown, place) => compare(shape.each, one, `${at}[${String(place)}]`));
  }
  if ('is' in shape) return shape.is(value) ? [] : [{at, expected: shape.says, found: inWords(value)}];
  if (!isFields(value)) return [{at, expected: 'an object', found: inWords(value)}];
  return Object.entries(shape.fields).flatMap(([written, inner]) => {
    const name = written.replace('?', '');
    if (Object.hasOwn(value, name)) return compare(inner, value[name], `${at}.${name}`);
    return written.endsWith('?') ? [] : [{at: `${at}.${name}`, expected: wanted(inner), found: 'no such field'}];
  });
}

export function unknownFields(shape: Shape, value: unknown, at: string): string[] {
  if ('each' in shape)
    return Array.isArray(value) ? value.flatMap((one: unknown) => unknownFields(shape.each, one, `${at}[]`)) : [];
  if ('is' in shape || !isFields(value)) return [];
  const {fields} = shape;
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = fields[name] ?? fields[`${name}?`];
    return known ? unknownFields(known, inner, `${at}.${name}`) : [`${at}.${name}`];
  });
}

export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function dig(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined,
    value,
  );
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = dig(value, ...path);
  return typeof found === 'string' ? found : '';
}

export function inWords(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${String(value.length)}`;
  if (typeof value === 'object') return `an object with ${Object.keys(value).slice(0, 4).join(', ') || 'no fields'}`;
  const written = JSON.stringify(value);
  return `the ${typeof value === 'string' ? 'text' : typeof value} ${written.length > 80 ? `${written.slice(0, 80)}…` : written}`;
}

function wanted(shape: Shape): string {
  return 'each' in shape ? 'a list' : 'is' in shape ? shape.says : 'an object';
}
