import {atom, type ReadableAtom} from 'nanostores';
import * as v from 'valibot';
import type {Asset, AssetId, Catalogue} from '../../domain/asset.js';
import {bare, deepFreeze, spentDeposit, type Agreement, type Deposit} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import {mayBePaid} from '../../domain/funding.js';
import {LATEST} from '../../domain/order.js';
import {STAGES, type Stage} from '../../domain/stage.js';
import {isEnded, isFinal, isOpen, type StoryRecord} from '../../domain/story.js';
import {MEMORY_VERSION, unlessForbidden, type Memory} from '../storage.js';

/** An order of this browser, as it is remembered: what was agreed, what the service answered, what was asked and answered. */
export interface JournalEntry extends StoryRecord {
  readonly orderId: string;
  readonly agreed: Agreement;
  readonly deposit: Deposit;
  /** The page knows that its affiliate fees are not those agreed. */
  readonly feesTold?: true;
  /** What both amounts were worth by the price that was agreed to, in hundredths; absent where the service named none. */
  readonly worth?: {readonly paid: bigint; readonly received: bigint};
  /** The ends that the page was told of. */
  readonly ends?: readonly Stage[];
}

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
  /** Changes it where losing that costs nothing: a storage that keeps nothing is reported where money depends on it. */
  note(orderId: string, change: (entry: JournalEntry) => Partial<JournalEntry>): void;
  /** Takes over what another tab changed. */
  otherTab(key: string | null): void;
  /** Reads its entries by another catalogue. */
  use(catalogue: Catalogue): void;
}

/** The journal of the present settings, and the memory that it is kept in. They throw before there are settings. */
export interface Books {
  journal(): Journal;
  memory(): Memory;
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
    const isLost = (entry: JournalEntry) => isOpen(entry) && !entries.some(({orderId}) => orderId === entry.orderId);
    const lost = $entries.get().filter(isLost);
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

  const update: Journal['update'] = (orderId, change) => {
    const entry = get(orderId);
    if (entry) put(Object.freeze({...entry, ...change(entry)}));
  };

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
    update,
    note(orderId, change) {
      try {
        update(orderId, change);
      } catch {
        // It is found out anew after a reload.
      }
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
    has: (orderId: string) => unlessForbidden(() => storage?.getItem(keyOf(orderId))) != null,

    read: (orderId: string, catalogue: Catalogue) => unlessForbidden(() => read(keyOf(orderId), catalogue)),

    /** All that can be read. */
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

    /** Returns whether it is removed. */
    remove: (key: string): boolean =>
      unlessForbidden(() => {
        storage?.removeItem(key);
        readings.delete(key);
        return true;
      }) ?? false,
  };
}

/** Whether nothing can come of an order any more, so that its record may make room for another. */
function isFinished(entry: JournalEntry): boolean {
  // What a contract may still hold can be taken back by what is written here, whatever the service said of it. Of what was
  // paid to an address the service alone gives back.
  return isFinal(entry) || (isEnded(entry) && entry.deposit.how === 'transfer');
}

/**
 * What is kept of an order that came to its end: what its receipt and the list need, and what the contract's own refund
 * would, for a service may say that an order is complete and lie. Its terms stay too: no later order may have its secret.
 * What would be signed is not kept.
 */
function shrink(entry: JournalEntry): JournalEntry {
  return isEnded(entry) ? Object.freeze({...entry, deposit: spentDeposit(entry.deposit)}) : entry;
}

/* -- the written form of an entry: a table for most of it ----------------------------------------------------------------- */

/** The written form of an entry: JSON with amounts as decimal text and an `n` behind them. */
function writeEntry(entry: JournalEntry): string {
  return JSON.stringify({v: MEMORY_VERSION, ...entry}, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${String(value)}n` : value,
  );
}

/**
 * Reads what the storage holds. It is input like any other: what is not an entry in every field is none. One whose amounts
 * would read otherwise today is none either, unless it may have been paid.
 * @throws Error that names the first field that is wrong.
 */
function readEntry(text: string, catalogue: Catalogue, orderId: string): JournalEntry | undefined {
  if (text.length > LONGEST_TEXT) throw new RangeError(`${String(text.length)} characters`);
  let value: unknown = JSON.parse(text);
  // Entries written before that name had `asks`.
  if (typeof value === 'object' && value !== null && 'asks' in value) value = {walletRequests: value.asks, ...value};
  // What older ones say of a payout was not tied to the order, so it is read again.
  if (typeof value === 'object' && value !== null && 'paidOut' in value && typeof value.paidOut === 'string') {
    value = {...value, paidOut: undefined};
  }
  const reading = v.safeParse(Entry, value, {abortEarly: true});
  if (!reading.success) throw new TypeError(v.getDotPath(reading.issues[0]) ?? 'it is no entry');
  if (reading.output.orderId !== orderId) throw new TypeError('orderId');
  const {v: _version, ...entry} = reading.output;
  // The catalogue of today decides what an asset is; its pinned contracts are never taken from the storage.
  const isOther = (asset: Asset) => (catalogue.find(asset.id) ?? asset).decimals !== asset.decimals;
  const {from, to} = entry.agreed;
  // Amounts would read otherwise than they were agreed on: what may be paid is followed, and no more.
  if ((isOther(from) || isOther(to)) && !mayBePaid(entry)) return undefined;
  const known = (asset: Asset): Asset =>
    isOther(asset) ? stranger(asset, catalogue) : (catalogue.find(asset.id) ?? stranger(asset, catalogue));
  return deepFreeze({...entry, agreed: {...entry.agreed, from: known(from), to: known(to)}});
}

/**
 * An asset that today's catalogue does not know, from the storage: no contract of it counts, and no address is asked or
 * shown but those that the page names for its chain today.
 */
function stranger({chain: stored, ...asset}: Asset, catalogue: Catalogue): Asset {
  const {explorer: _explorer, rpc: _rpc, ...chain} = stored;
  const today = catalogue.findChain(chain.name);
  return {...asset, chain: today?.family === chain.family ? today : chain, contracts: []};
}

/** More characters than an entry ever has, whatever its service and its wallets told. */
const LONGEST_TEXT = 1_000_000;

/** An object with these fields: valibot would want those too that a script of the page adds to all objects. */
export const object = <T extends v.ObjectEntries>(entries: T) => v.object(bare(entries));

/** Text with an end: more than anything of its kind has. */
export const upTo = (longest: number) => v.pipe(v.string(), v.maxLength(longest));
/** An address, a key, an id, a hash. */
const Name = upTo(256);
/** What a page calls something, or a web address. */
const Label = upTo(4_000);
/** A call, or a transaction. */
const Data = upTo(4_000);
const listOf = <T extends v.GenericSchema>(item: T, most: number) => v.pipe(v.array(item), v.maxLength(most));

const Amount = v.pipe(
  v.string(),
  v.regex(/^\d{1,78}n$/),
  v.transform(text => BigInt(text.slice(0, -1))),
);
/** Milliseconds since 1970, by this browser's clock. */
const Time = v.pipe(v.number(), v.minValue(0), v.maxValue(LATEST));
export const Decimals = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36));
const Bps = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000));
const ChainId = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** The id of an asset. */
export const Id = v.pipe(
  v.string(),
  v.regex(/^[^:\s]{1,64}:[^:\s]{1,64}$/),
  v.transform(id => id as AssetId),
);
/** More seconds than there are between two blocks of any chain. */
const LONGEST_BLOCK = 31_536_000;
const Family = v.picklist(['bitcoin', 'evm', 'solana', 'starknet']);

const StoredAsset = object({
  id: Id,
  chain: object({
    name: Name,
    family: Family,
    title: Label,
    test: v.boolean(),
    chainId: v.exactOptional(ChainId),
    blockSeconds: v.pipe(v.number(), v.gtValue(0), v.maxValue(LONGEST_BLOCK)),
    coin: v.exactOptional(object({name: Label, symbol: Label, decimals: Decimals})),
    explorer: v.exactOptional(Label),
    rpc: v.exactOptional(Label),
  }),
  symbol: Label,
  title: Label,
  decimals: Decimals,
  token: v.exactOptional(Name),
  contracts: listOf(Name, 1_000),
});

const StoredTypedData = v.pipe(
  object({
    domain: v.record(v.string(), v.unknown()),
    primaryType: v.string(),
    types: v.record(v.string(), v.array(object({name: v.string(), type: v.string()}))),
    message: v.record(v.string(), v.unknown()),
  }),
  v.check(data => JSON.stringify(data).length <= 5_000),
);

const StoredTransaction = object({
  to: Name,
  value: Amount,
  data: Data,
  gasLimit: Amount,
  chainId: ChainId,
});

const Way = v.picklist(['signature', 'transaction']);

const StoredDeposit = v.variant('how', [
  object({how: v.literal('transfer'), address: Name, amount: Amount}),
  object({
    how: v.literal('wallet'),
    ways: v.tupleWithRest([Way], Way),
    payload: v.variant('family', [
      object({
        family: v.literal('evm'),
        transaction: StoredTransaction,
        typedData: v.exactOptional(StoredTypedData),
        approval: v.exactOptional(StoredTransaction),
      }),
      object({family: v.literal('solana'), transaction: Data}),
      object({
        family: v.literal('starknet'),
        call: object({to: Name, selector: Name, calldata: listOf(Name, 64)}),
        typedData: v.exactOptional(StoredTypedData),
      }),
    ]),
  }),
]);

const StoredProof = object({amount: Amount, hashes: listOf(Name, 100), block: v.optional(Amount)});

const Entry = object({
  v: v.literal(MEMORY_VERSION),
  orderId: v.pipe(Name, v.minLength(1)),
  placedAt: Time,
  agreed: object({
    from: StoredAsset,
    to: StoredAsset,
    amount: Amount,
    receive: Amount,
    atLeast: Amount,
    owner: Name,
    recipient: Name,
    affiliateFees: listOf(object({asset: Id, address: Name, bps: Bps}), 10_000),
    solverId: Name,
  }),
  deposit: StoredDeposit,
  walletRequests: listOf(
    object({
      kind: v.picklist(['revoke', 'approve', 'sign', 'send', 'initiate', 'refund']),
      state: v.picklist(['asking', 'sent', 'signed', 'refused']),
      at: Time,
      hash: v.exactOptional(Name),
      lifetime: v.exactOptional(Name),
      calls: v.exactOptional(Name),
      claimed: v.exactOptional(v.literal(true)),
      abandoned: v.exactOptional(v.literal(true)),
    }),
    10_000,
  ),
  confirmedAt: v.optional(Time),
  paidIn: v.optional(v.literal(true)),
  paidOut: v.optional(StoredProof),
  paidBack: v.optional(StoredProof),
  worth: v.exactOptional(object({paid: Amount, received: Amount})),
  ends: v.exactOptional(listOf(v.picklist(STAGES), 20)),
  isHeld: v.optional(v.literal(true)),
  // The last of them has all affiliate fees.
  terms: v.exactOptional(listOf(upTo(200_000), 20)),
  changed: v.exactOptional(v.literal(true)),
  feesTold: v.exactOptional(v.literal(true)),
  seen: v.exactOptional(object({hashes: listOf(Name, 100), filled: Amount})),
  stage: v.picklist(STAGES),
});
