import type {ReadableAtom} from 'nanostores';
import type {Asset, Catalogue} from '../domain/asset.js';

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
  /**
   * Does the work while no other tab does work under the same name. Rejects only as the work does. Where it is left out,
   * the browser's Web Locks are taken.
   */
  lock?<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Reports changes that another tab made to the storage. Returns how to stop. */
  onStorage(changed: (key: string | null) => void): () => void;
  /** Whether the page can be seen. */
  readonly visible$: ReadableAtom<boolean>;
  /** Whether the browser has a connection. */
  readonly online$: ReadableAtom<boolean>;
}

/**
 * One after the other in all tabs, where the browser has Web Locks, which want a secure context and an origin. Without them
 * a widget still asks nothing twice by itself, and what another tab has asked is in the journal.
 */
export async function lock<T>(name: string, work: () => Promise<T>): Promise<T> {
  // Node has none.
  const {locks} = (globalThis.navigator as Navigator | undefined) ?? {};
  let begun: Promise<T> | undefined;
  const begin = () => (begun ??= work());
  try {
    await locks?.request(name, begin);
  } catch {
    // What the work itself throws is thrown below. A lock that failed before it began is none.
  }
  return begin();
}

/** What a browser remembers for one service: its orders, and small texts that only spare the person some work. */
export interface Memory {
  /** Where orders are kept; `undefined` where nothing may be, or can be. */
  readonly storage: Storage | undefined;
  /** What the keys of orders begin with. */
  readonly orders: string;
  /** What all keys begin with. */
  readonly prefix: string;
  /** Whether any order is there. */
  hasOrders(): boolean;
  /** A small text that outlives the page: the wallet last used, say. */
  note(name: string): string | undefined;
  /** Keeps such a text, or drops it. Losing one costs nothing, so a full storage is no error. */
  setNote(name: string, text: string | undefined): void;
  /** Keeps the notes of several widgets on one page apart. */
  readonly scope: string;
}

/** A browser that forbids the storage says so with an exception at any touch. */
export function unlessForbidden<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Under what name the wallet of a family that was last used is noted. */
export function walletNote(family: string): string {
  return `wallet/${family}`;
}

/** Under what name a widget notes the order that it shows, to go on with after a reload. */
export function shownNote({scope}: Memory): string {
  return `shown/${scope}`;
}

/** Goes up whenever the form of what is remembered changes; what another version wrote is left alone. */
export const MEMORY_VERSION = 1;

/**
 * Opens the memory for one service. `keep: false` remembers small texts for as long as the page lives, and no orders.
 * `scope` keeps what several widgets of one page show apart; orders are the browser's.
 */
export function openMemory(host: Host, service: string, keep: boolean, scope: string): Memory {
  const storage = keep ? host.storage : undefined;
  const prefix = `swap-widget/${String(MEMORY_VERSION)}/${service}/`;
  const orders = `${prefix}order/`;
  const notes = new Map<string, string>();

  const note = (name: string) => notes.get(name) ?? unlessForbidden(() => storage?.getItem(prefix + name)) ?? undefined;
  const setNote = (name: string, text: string | undefined) => {
    if (text === undefined) notes.delete(name);
    else notes.set(name, text);
    unlessForbidden(() =>
      text === undefined ? storage?.removeItem(prefix + name) : storage?.setItem(prefix + name, text),
    );
  };

  return {
    storage,
    orders,
    prefix,
    scope,
    hasOrders: () =>
      unlessForbidden(() =>
        Array.from({length: storage?.length ?? 0}, (_, at) => storage?.key(at)).some(key => key?.startsWith(orders)),
      ) ?? false,
    note,
    setNote,
  };
}

/** What was swapped before. */
export interface Pair {
  readonly from: Asset;
  readonly to: Asset;
}

/** Under what name the pairs that were swapped last are noted. */
export const PAIRS = 'pairs';

/** How many are kept. */
const MOST = 3;

/** The pairs of a note, the last one first. Those that are no longer offered are left out. */
export function readPairs(note: string | undefined, catalogue: Catalogue): readonly Pair[] {
  const pairs = (note ?? '').split(' ').flatMap(text => {
    const [from, to] = text.split('>').map((id, index) => catalogue.find(id, index ? 'to' : 'from'));
    return from && to && from !== to ? {from, to} : [];
  });
  return pairs.slice(0, MOST);
}

/** The note with a pair that was just swapped. */
export function notePair(note: string | undefined, from: Asset, to: Asset): string {
  const pair = `${from.id}>${to.id}`;
  const others = (note ?? '').split(' ').filter(text => text !== '' && text !== pair);
  return [pair, ...others].slice(0, MOST).join(' ');
}
