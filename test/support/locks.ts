/** Web Locks without a browser: one holder at a time under each name. */
export class Locks {
  readonly #last = new Map<string, Promise<unknown>>();

  request<T>(name: string, work: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(name) ?? Promise.resolve()).then(work, work);
    this.#last.set(
      name,
      done.catch(() => undefined),
    );
    return done;
  }
}
