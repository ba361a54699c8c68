/* What the readers of files by others have in common: each field in one form only, and nothing that nobody reads. */
import {writeJson} from './json.js';

/** Reads one value of a file; `undefined` if it is invalid. */
export type Reader<T> = (value: unknown) => T | undefined;

/** Reads a text of one form. */
export const matching =
  (form: RegExp): Reader<string> =>
  value =>
    typeof value === 'string' && form.test(value) ? value : undefined;

/** Reads 32 bytes, as a hash or a secret has them. */
export const hex32 = matching(/^[0-9a-f]{64}$/);

/** The object in JSON text; `undefined` if it is longer, if it is no object, and if a field occurs twice in it. */
export function readObject(text: string, longest: number): Record<string, unknown> | undefined {
  const bare = (json: string) => json.replace(/\s/g, '').length;
  try {
    const value: unknown = text.length <= longest ? JSON.parse(text) : undefined;
    return isObject(value) && bare(text) === bare(writeJson(value)) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
