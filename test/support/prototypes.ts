/** Runs some code on a page whose scripts added these properties to a prototype. */
export async function onPage<T>(
  prototype: object,
  added: PropertyDescriptorMap,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    for (const [name, property] of Object.entries(added))
      Object.defineProperty(prototype, name, {...property, configurable: true});
    return await work();
  } finally {
    for (const name of Object.keys(added)) Reflect.deleteProperty(prototype, name);
  }
}
