import type {Catalogue} from '../../domain/asset.js';
import {spentDeposit} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import {isEnded, isFinal, isOpen} from '../../domain/story.js';
import {unlessForbidden, type Memory} from '../storage.js';
import {readEntry, writeEntry, type JournalEntry} from './entry.js';

export type {JournalEntry} from './entry.js';

/** The journal of the current settings. Throws before there are settings. */
export interface Books {
  journal(): Journal;
}

/** Longer than any order with all its wallet requests, in characters. */
const LARGEST_ENTRY = 16_000;

/**
 * This browser's orders with one service. Each is recorded before a wallet prompts, so that no paid order is lost. With
 * `keep: false` they are not stored, and last as long as the page.
 */
export class Journal {
  #entries: readonly JournalEntry[] = [];
  readonly #memory: Memory;
  readonly #stored: ReturnType<typeof openStored>;
  readonly #keep: boolean;
  #catalogue: Catalogue;
  readonly #changed: (entries: readonly JournalEntry[], removed: number) => void;
  /** How many finished orders were removed to make room. */
  #removed = 0;

  constructor(
    memory: Memory,
    catalogue: Catalogue,
    keep: boolean,
    changed: (entries: readonly JournalEntry[], removed: number) => void,
  ) {
    this.#changed = changed;
    this.#memory = memory;
    this.#stored = openStored(memory);
    this.#keep = keep;
    this.#catalogue = catalogue;
    this.#load();
  }

  /** Newest first. */
  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /** Another tab may have written since, and the event arrives later: the storage is read first. */
  get(orderId: string): JournalEntry | undefined {
    const stored = this.#stored.read(orderId, this.#catalogue);
    return stored ?? this.#entries.find(entry => entry.orderId === orderId);
  }

  /**
   * Records an entry, and reads it back.
   * @throws SwapError `storage` if the browser does not store it; `deposit-mismatch` for an id that already exists,
   * whose entry stays as it is.
   */
  add(entry: JournalEntry): void {
    // An unreadable entry is not overwritten either: it may have been paid.
    if (this.get(entry.orderId) || this.#stored.has(entry.orderId))
      throw new SwapError('deposit-mismatch', {field: 'order', detail: 'The id is that of an earlier order.'});
    this.#put(entry);
  }

  /**
   * Makes sure that there is room for another order, by removing the oldest finished ones if necessary.
   * @throws SwapError `storage` if there is no room, or if the browser stores nothing.
   */
  reserve(): void {
    if (!this.#keep) return;
    const room = `${this.#memory.prefix}room`;
    this.#write(room, '-'.repeat(LARGEST_ENTRY));
    this.#stored.remove(room);
  }

  /** Changes an order's entry, if it exists. @throws SwapError `storage` */
  update(orderId: string, change: (entry: JournalEntry) => Partial<JournalEntry>): void {
    const entry = this.get(orderId);
    if (entry) this.#put(Object.freeze({...entry, ...change(entry)}));
  }

  /** For a change whose failure does no harm. A failing storage is reported where money depends on it. */
  note(orderId: string, change: (entry: JournalEntry) => Partial<JournalEntry>): void {
    try {
      this.update(orderId, change);
    } catch {
      // It is determined again after a reload.
    }
  }

  /** Reads what another tab changed. `key`: where; `null` for everything. */
  otherTab(key: string | null): void {
    if (key === null || key.startsWith(this.#memory.orders)) this.#load();
  }

  use(catalogue: Catalogue): void {
    this.#catalogue = catalogue;
    this.#load();
  }

  #load(): void {
    if (!this.#memory.storage) return;
    const entries = this.#stored.readAll(this.#catalogue);
    // Another tab may have cleared the storage. Open orders must not be lost with it.
    const isLost = (entry: JournalEntry) => isOpen(entry) && !entries.some(({orderId}) => orderId === entry.orderId);
    const lost = this.#entries.filter(isLost);
    this.#show([...entries, ...lost]);
    for (const entry of lost) {
      try {
        this.#write(this.#stored.keyOf(entry.orderId), this.#textOf(entry));
      } catch {
        // It is reported before the next wallet request.
      }
    }
  }

  #show(entries: readonly JournalEntry[]): void {
    this.#entries = Object.freeze([...entries].sort((a, b) => b.placedAt - a.placedAt));
    this.#changed(this.#entries, this.#removed);
  }

  #put(whole: JournalEntry): void {
    const entry = shrink(whole);
    if (this.#keep) this.#write(this.#stored.keyOf(entry.orderId), this.#textOf(entry));
    this.#show([entry, ...this.#entries.filter(({orderId}) => orderId !== entry.orderId)]);
  }

  /** The text of an entry, in which its reader finds it again. @throws SwapError `storage` */
  #textOf(entry: JournalEntry): string {
    const text = writeEntry(entry);
    try {
      readEntry(text, this.#catalogue, entry.orderId);
    } catch (cause) {
      throw new SwapError('storage', {cause});
    }
    return text;
  }

  /**
   * Writes a text, and removes the oldest finished orders while the storage is full. Nothing is removed for one that
   * drops what it is given, without an error.
   */
  #write(key: string, text: string): void {
    const stored = this.#stored;
    for (;;) {
      try {
        stored.set(key, text);
        break;
      } catch (cause) {
        const entries = this.#entries;
        const oldest = entries.findLast(entry => isFinished(entry) && stored.keyOf(entry.orderId) !== key);
        if (!oldest || !stored.remove(stored.keyOf(oldest.orderId))) throw new SwapError('storage', {cause});
        this.#removed += 1;
        this.#show(entries.filter(entry => entry !== oldest));
      }
    }
    if (stored.text(key) !== text) throw new SwapError('storage', {detail: 'What was written is not there.'});
  }
}

/** The entries in the browser's storage. If the browser forbids storage, every access throws. */
function openStored({storage, orders}: Memory) {
  const keyOf = (orderId: string) => orders + orderId;
  const text = (key: string) => unlessForbidden(() => storage?.getItem(key));
  /** The parsed entries by text: all of them are read again whenever one changes. */
  const readings = new Map<string, {text: string; catalogue: Catalogue; entry: JournalEntry | undefined}>();
  /** Those that the console has listed already. */
  const named = new Set<string>();

  /** Skips an invalid entry: it stays in the storage, and the others are read. */
  const readOrName = (key: string, text: string, catalogue: Catalogue): JournalEntry | undefined => {
    try {
      return readEntry(text, catalogue, key.slice(orders.length));
    } catch (fault) {
      if (!named.has(key)) console.warn(`<swap-widget> storage: “${key}” is left as it is. ${String(fault)}`);
      named.add(key);
      return undefined;
    }
  };

  const read = (key: string, catalogue: Catalogue): JournalEntry | undefined => {
    const text = storage?.getItem(key) ?? undefined;
    if (text === undefined) return undefined;
    const last = readings.get(key);
    if (last?.text === text && last.catalogue === catalogue) return last.entry;
    const entry = readOrName(key, text, catalogue);
    readings.set(key, {text, catalogue, entry});
    return entry;
  };

  return {
    keyOf,
    has: (orderId: string) => text(keyOf(orderId)) != null,

    text,

    read: (orderId: string, catalogue: Catalogue) => unlessForbidden(() => read(keyOf(orderId), catalogue)),

    readAll(catalogue: Catalogue): readonly JournalEntry[] {
      const entries: JournalEntry[] = [];
      unlessForbidden(() => {
        for (let index = 0; index < (storage?.length ?? 0); index++) {
          const key = storage?.key(index);
          const entry = key?.startsWith(orders) ? read(key, catalogue) : undefined;
          if (entry) entries.push(entry);
        }
      });
      return entries;
    },

    set(key: string, text: string) {
      if (!storage) throw new Error('no storage');
      storage.setItem(key, text);
    },

    remove: (key: string): boolean =>
      unlessForbidden(() => {
        storage?.removeItem(key);
        readings.delete(key);
        return true;
      }) ?? false,
  };
}

/** Whether an order can no longer change, so that its entry may be removed to make room. */
function isFinished(entry: JournalEntry): boolean {
  // What a contract may still hold can be refunded with this entry, whatever the service claims. A payment to an
  // address can only be refunded by the service.
  return isFinal(entry) || (isEnded(entry) && entry.deposit.how === 'transfer');
}

/**
 * The part of an ended order that is kept: what its receipt and the list need, and what a refund by the contract would,
 * since a service may falsely claim that an order is complete. Its terms stay too: no later order may have its secret.
 * The payload to be signed is removed.
 */
function shrink(entry: JournalEntry): JournalEntry {
  return isEnded(entry) ? Object.freeze({...entry, deposit: spentDeposit(entry.deposit)}) : entry;
}
