import type {ReadableAtom} from 'nanostores';

/** What a session may know of the page it runs in. A plain object in tests and outside browsers. */
export interface Host {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once, later. Returns how to cancel it. */
  after(milliseconds: number, work: () => void): () => void;
  /** At least 0, less than 1, anew with each call; `Math.random` where there is none. */
  random?(): number;
  /** Where the journal is kept; `undefined` where the browser keeps nothing. */
  readonly storage: Storage | undefined;
  /** Does the work while no other tab does work under the same name. Rejects only as the work does. */
  lock<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Reports changes that another tab made to the storage. Returns how to stop. */
  onStorage(changed: (key: string | null) => void): () => void;
  /** Whether the page can be seen. */
  readonly visible$: ReadableAtom<boolean>;
  /** Whether the browser has a connection. */
  readonly online$: ReadableAtom<boolean>;
}

/**
 * About so many milliseconds, a fifth more or less, so that pages that wait for the same thing do not come in one moment.
 * Where the service wanted a wait, as long as that or a little longer.
 */
export function spread(host: Host, milliseconds: number, wanted = 0): number {
  const part = host.random?.() ?? Math.random();
  return Math.max(milliseconds * (0.8 + 0.4 * part), wanted * (1 + 0.4 * part));
}
