import type {ReadableAtom} from 'nanostores';
import type {Asset, Catalogue} from '../domain/asset.js';
import type {QuoteRequest} from '../domain/quote.js';
import {prefixOf} from './keys.js';

/** The session's access to its page. A plain object in tests and outside browsers. */
export interface Host {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since any moment, by a clock that is never set: `performance.now` by default. It may stop in a sleep. */
  elapsed?(): number;
  /** Calls back once, later. Returns a function to cancel it. */
  after(milliseconds: number, work: () => void): () => void;
  /** From 0 to less than 1, different with each call; `Math.random` by default. */
  random?(): number;
  /** The storage of the journal; `undefined` if the browser stores nothing. */
  readonly storage: Storage | undefined;
  /**
   * Does the work while no other tab does work under the same name. Rejects only if the work does. `onHeld`: another one
   * is working right now. By default the browser's Web Locks are used.
   */
  lock?<T>(name: string, work: () => Promise<T>, onHeld: () => void): Promise<T>;
  /** Reports changes that another tab made to the storage. Returns a function to stop. */
  onStorage(changed: (key: string | null) => void): () => void;
  /** Whether the page is visible. */
  readonly visible$: ReadableAtom<boolean>;
  /** Whether the browser is online. */
  readonly online$: ReadableAtom<boolean>;
}

/**
 * Runs work one at a time across tabs if the browser has Web Locks, which require a secure context and an origin.
 * Without them one widget still requests nothing twice, and other tabs' requests are in the journal.
 */
export async function lock<T>(name: string, work: () => Promise<T>, onHeld: () => void): Promise<T> {
  // Node may have none.
  const {locks} = (globalThis.navigator as Navigator | undefined) ?? {};
  let begun: Promise<T> | undefined;
  const begin = () => (begun ??= work());
  try {
    const isHeld = await locks?.request(name, {ifAvailable: true}, async held => {
      if (held) await begin();
      return !held;
    });
    if (isHeld) {
      onHeld();
      await locks?.request(name, begin);
    }
  } catch {
    // Errors of the work are thrown below. A lock that failed before the work began is ignored.
  }
  return begin();
}

/** What a browser stores for one service: its orders, and small texts that only save the visitor some work. */
export interface Memory {
  /** The storage of orders; `undefined` if nothing may or can be stored. */
  readonly storage: Storage | undefined;
  readonly orders: string;
  readonly prefix: string;
  hasOrders(): boolean;
  /** A small text that outlives the page: the last used wallet, for example. */
  note(name: string): string | undefined;
  /** Stores such a text, or removes it. Losing one does no harm, so a full storage is not an error. */
  setNote(name: string, text: string | undefined): void;
  /** Separates the notes of several widgets on one page. */
  readonly scope: string;
}

/** If the browser forbids storage, every access throws. */
export function unlessForbidden<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

export function walletNote(family: string): string {
  return `wallet/${family}`;
}

/**
 * Opens the memory for one service. With `keep: false` it stores small texts for as long as the page lives, and no
 * orders. `scope` separates what several widgets of one page display; orders belong to the browser.
 */
export function openMemory(host: Host, service: string, keep: boolean, scope: string): Memory {
  const storage = keep ? host.storage : undefined;
  const prefix = prefixOf(service);
  const orders = `${prefix}order/`;
  const notes = new Map<string, string>();

  return {
    storage,
    orders,
    prefix,
    scope,
    hasOrders: () =>
      unlessForbidden(() =>
        Array.from({length: storage?.length ?? 0}, (_, at) => storage?.key(at)).some(key => key?.startsWith(orders)),
      ) ?? false,
    note: name => notes.get(name) ?? unlessForbidden(() => storage?.getItem(prefix + name)) ?? undefined,
    setNote(name, text) {
      if (text === undefined) notes.delete(name);
      else notes.set(name, text);
      unlessForbidden(() =>
        text === undefined ? storage?.removeItem(prefix + name) : storage?.setItem(prefix + name, text),
      );
    },
  };
}

export type Pair = Pick<QuoteRequest, 'from' | 'to'>;
export const PAIRS = 'pairs';

const MOST = 3;

/** The pairs in a note, the last one first. Those that are no longer offered are omitted. */
export function readPairs(note: string | undefined, catalogue: Catalogue): readonly Pair[] {
  const pairs = (note ?? '').split(' ').flatMap(text => {
    const [from, to] = text.split('>').map((id, index) => catalogue.find(id, index ? 'to' : 'from'));
    return from && to && from !== to ? {from, to} : [];
  });
  return pairs.slice(0, MOST);
}

export function notePair(note: string | undefined, from: Asset, to: Asset): string {
  const pair = `${from.id}>${to.id}`;
  const others = (note ?? '').split(' ').filter(text => text !== '' && text !== pair);
  return [pair, ...others].slice(0, MOST).join(' ');
}
