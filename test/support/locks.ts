/** Work under a lock, or without it where it is held. */
type Work<T> = (held: object | null) => Promise<T>;

/** Web Locks without a browser: one holder at a time under each name. */
export class Locks {
  readonly #last = new Map<string, Promise<unknown>>();

  request<T>(
    name: string,
    ...given: readonly [Work<T>] | readonly [{readonly ifAvailable: true}, Work<T>]
  ): Promise<T> {
    const work = given.length === 1 ? given[0] : given[1];
    const before = this.#last.get(name);
    if (before && given.length === 2) return work(null);
    const done = (before ?? Promise.resolve()).then(() => work({}));
    const over = done.catch(() => undefined).finally(() => this.#last.get(name) === over && this.#last.delete(name));
    this.#last.set(name, over);
    return done;
  }
}
