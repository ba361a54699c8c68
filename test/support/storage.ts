/** A browser's storage in memory, for several pages at once. */
export class TestStorage implements Storage {
  readonly #items = new Map<string, string>();
  /** A full or forbidden storage: it throws on a write, or on any access. One that is deaf drops what it is given. */
  fault: 'full' | 'forbidden' | 'deaf' | undefined;
  /** Called for each write, before it takes effect. */
  onWrite: (key: string, text: string) => void = () => {};

  get length() {
    this.#touch();
    return this.#items.size;
  }

  key(at: number) {
    this.#touch();
    return [...this.#items.keys()][at] ?? null;
  }

  getItem(key: string) {
    this.#touch();
    return this.#items.get(key) ?? null;
  }

  setItem(key: string, text: string) {
    this.#touch();
    if (this.fault === 'full') throw new DOMException('It is full.', 'QuotaExceededError');
    this.onWrite(key, text);
    if (this.fault !== 'deaf') this.#items.set(key, text);
  }

  removeItem(key: string) {
    this.#touch();
    this.#items.delete(key);
  }

  clear() {
    this.#items.clear();
  }

  #touch() {
    if (this.fault === 'forbidden') throw new DOMException('It is forbidden.', 'SecurityError');
  }
}
