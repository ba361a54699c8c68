import {atom, type ReadableAtom} from 'nanostores';
import type {Catalogue} from '../../domain/asset.js';
import {deepFreeze, type Deposit} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import {mayBePaid} from '../../domain/funding.js';
import {isTerminal} from '../../domain/stage.js';
import {isFinal} from '../../domain/story.js';
import type {Memory} from '../storage.js';
import {readEntry, writeEntry, type JournalEntry} from './entry.js';

export type {JournalEntry} from './entry.js';

/** The orders of this browser with one service. Each is written down before a wallet is asked, so that nothing paid for is lost. */
export interface Journal {
  /** Newest first. */
  readonly $entries: ReadableAtom<readonly JournalEntry[]>;
  get(orderId: string): JournalEntry | undefined;
  /**
   * Writes an entry down.
   * @throws SwapError `storage` where the browser does not keep it; `deposit-mismatch` for an id that is there already,
   * whose entry stays as it is.
   */
  add(entry: JournalEntry): void;
  /**
   * Makes sure that there is room for one more order, at the cost of the oldest that are finished.
   * @throws SwapError `storage` where there is none, or where the browser keeps nothing.
   */
  reserve(): void;
  /** How many finished orders had to make room. */
  readonly $removed: ReadableAtom<number>;
  /** Changes what is written of an order, if it is there. @throws SwapError `storage` */
  update(orderId: string, change: (entry: JournalEntry) => Partial<JournalEntry>): void;
  /** Takes over what another tab changed. */
  otherTab(key: string | null): void;
  /** Reads its entries by another catalogue. */
  use(catalogue: Catalogue): void;
}

export interface JournalOptions {
  readonly memory: Memory;
  readonly catalogue: Catalogue;
  readonly keep: boolean;
}

/** More characters than an order with all its wallet requests has. */
const LARGEST_ENTRY = 16_000;

/** Opens the journal of one service. Without a storage to keep it in, it lasts as long as the page: `keep: false`. */
export function openJournal({memory, catalogue, keep}: JournalOptions): Journal {
  const stored = openStored(memory);
  const $entries = atom<readonly JournalEntry[]>([]);
  const $removed = atom(0);
  let known = catalogue;

  const show = (entries: readonly JournalEntry[]) => {
    $entries.set(Object.freeze([...entries].sort((a, b) => b.placedAt - a.placedAt)));
  };

  const load = () => {
    if (!memory.storage) return;
    const entries = stored.readAll(known);
    // Another tab may have cleared the storage. What is under way is not lost with it.
    const lost = $entries.get().filter(entry => {
      return isUnderWay(entry) && !entries.some(({orderId}) => orderId === entry.orderId);
    });
    show([...entries, ...lost]);
    for (const entry of lost) {
      try {
        write(stored.keyOf(entry.orderId), writeEntry(entry));
      } catch {
        // It is reported before anything is asked for.
      }
    }
  };

  /** Writes a text, and where the storage is full removes the oldest finished orders until it fits. */
  const write = (key: string, text: string) => {
    for (;;) {
      try {
        stored.set(key, text);
        return;
      } catch (cause) {
        const oldest = $entries.get().findLast(entry => isFinished(entry) && stored.keyOf(entry.orderId) !== key);
        if (!oldest || !stored.remove(stored.keyOf(oldest.orderId))) throw new SwapError('storage', {cause});
        show($entries.get().filter(entry => entry !== oldest));
        $removed.set($removed.get() + 1);
      }
    }
  };

  const put = (whole: JournalEntry) => {
    const entry = shrink(whole);
    if (keep) write(stored.keyOf(entry.orderId), writeEntry(entry));
    show([entry, ...$entries.get().filter(({orderId}) => orderId !== entry.orderId)]);
  };

  /** Another tab may have written since, and this one hears of it only later: the storage is asked first. */
  const get = (orderId: string) =>
    stored.read(orderId, known) ?? $entries.get().find(entry => entry.orderId === orderId);

  load();
  return {
    $entries,
    $removed,
    get,
    add(entry) {
      // Nor is one written over that cannot be read: it may have been paid.
      if (get(entry.orderId) || stored.has(entry.orderId)) {
        throw new SwapError('deposit-mismatch', {field: 'order', detail: 'The id is that of an earlier order.'});
      }
      put(entry);
    },
    reserve() {
      if (!keep) return;
      const room = `${memory.prefix}room`;
      write(room, '-'.repeat(LARGEST_ENTRY));
      stored.remove(room);
    },
    update(orderId, change) {
      const entry = get(orderId);
      if (entry) put(Object.freeze({...entry, ...change(entry)}));
    },
    otherTab(key) {
      if (key === null || key.startsWith(memory.orders)) load();
    },
    use(other) {
      known = other;
      load();
    },
  };
}

/** The entries in the browser's storage. A browser that forbids the storage throws at any touch. */
function openStored({storage, orders}: Memory) {
  const keyOf = (orderId: string) => orders + orderId;
  /** What was read of each text: it is read again with every change of any of them. */
  const readings = new Map<string, {text: string; catalogue: Catalogue; entry: JournalEntry | undefined}>();
  /** The keys of what cannot be read, as far as the console has been told. */
  const named = new Set<string>();

  /** Sets aside what is no entry: it stays where it is, and the others are read. */
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

    /** Whether anything is kept of an order, be it readable or not. */
    has(orderId: string): boolean {
      try {
        return storage?.getItem(keyOf(orderId)) != null;
      } catch {
        return false;
      }
    },

    readAll(catalogue: Catalogue): readonly JournalEntry[] {
      const entries: JournalEntry[] = [];
      try {
        for (let index = 0; index < (storage?.length ?? 0); index++) {
          const key = storage?.key(index);
          const entry = key?.startsWith(orders) ? read(key, catalogue) : undefined;
          if (entry) entries.push(entry);
        }
      } catch {
        // What was read so far counts.
      }
      return entries;
    },

    read(orderId: string, catalogue: Catalogue): JournalEntry | undefined {
      try {
        return read(keyOf(orderId), catalogue);
      } catch {
        return undefined;
      }
    },

    set(key: string, text: string) {
      if (!storage) throw new Error('no storage');
      storage.setItem(key, text);
    },

    /** Returns whether it is removed. */
    remove(key: string): boolean {
      try {
        storage?.removeItem(key);
        readings.delete(key);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Whether an order may still want something of the payer, or the payer of it. */
function isUnderWay(entry: JournalEntry): boolean {
  return !isTerminal(entry.stage) && (entry.stage !== 'expired' || mayBePaid(entry));
}

/** Whether nothing can come of an order any more, so that its record may make room for another. */
function isFinished(entry: JournalEntry): boolean {
  // What a contract may still hold can be taken back by what is written here, whatever the service said of it. Of what was
  // paid to an address the service alone gives back.
  return isFinal(entry) || (isEnded(entry) && entry.deposit.how === 'transfer');
}

/** Whether an order came to its end, by anybody's word. */
function isEnded({stage, isHeld}: JournalEntry): boolean {
  return (stage === 'complete' || stage === 'refunded') && !isHeld;
}

/**
 * What is kept of an order that came to its end: what its receipt and the list need, and what the contract's own refund
 * would, for a service may say that an order is complete and lie. Its terms stay too: no later order may have its secret.
 * What would be signed is not kept.
 */
function shrink(entry: JournalEntry): JournalEntry {
  if (!isEnded(entry)) return entry;
  return Object.freeze({...entry, deposit: shrinkDeposit(entry.deposit)});
}

function shrinkDeposit(deposit: Deposit): Deposit {
  if (deposit.how !== 'wallet' || deposit.payload.family === 'solana') return deposit;
  const {approval: _approval, typedData, ...payload} = {approval: undefined, ...deposit.payload};
  // The domain names the generation of the contract.
  const domain = typedData && {...typedData, types: {}, message: {}};
  return deepFreeze({...deposit, payload: {...payload, ...(domain && {typedData: domain})}});
}
