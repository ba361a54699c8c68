/** Freezes a value and everything in it, also what lies in something that is frozen only on its outside. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
