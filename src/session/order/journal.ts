import * as v from 'valibot';
import {withVouched, type Asset, type AssetId, type Catalogue} from '../../domain/asset.js';
import {bare, deepFreeze, spentDeposit, type Agreement, type Deposit} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import {mayBePaid} from '../../domain/funding.js';
import {isSameData, writeJson} from '../../domain/json.js';
import {LATEST} from '../../domain/order.js';
import {STAGES, type Stage} from '../../domain/stage.js';
import {isEnded, isFinal, isOpen, type StoryRecord} from '../../domain/story.js';
import {MEMORY_VERSION} from '../keys.js';
import {unlessForbidden, type Memory} from '../storage.js';

/** A stored order of this browser: what was agreed, the service's answer, and the wallet requests with their outcomes. */
export interface JournalEntry extends StoryRecord {
  readonly orderId: string;
  readonly agreed: Agreement;
  readonly deposit: Deposit;
  /**
   * The destination chain's height when it was placed: a payout in that block or an earlier one is not its own. Absent if
   * it could not be read before the order could be paid.
   */
  readonly payoutAfter?: bigint;
  /**
   * By how many milliseconds the true time was ahead of this browser's when it was placed, by the `Date` of a response,
   * or at least by a chain's next block; absent if neither was read before the clock was set.
   */
  readonly ahead?: number | undefined;
  /** Its address or its secret had been used before it could be paid: it never is. */
  readonly used?: true;
  /** The visitor agreed to pay it although it was unverified. */
  readonly unverified?: true;
  /** The source chain's height before an unverified payment's first request; absent if it could not be read. */
  readonly paidAfter?: bigint;
  /** The page has been told that its affiliate fees differ from the agreed ones. */
  readonly feesTold?: true;
  /** The values of both amounts at the agreed price, in hundredths; absent if the service returned none. */
  readonly worth?: {readonly paid: bigint; readonly received: bigint};
  readonly ends?: readonly Stage[];
}

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

/* -- the written form of an entry: a table for most of it ----------------------------------------------------------------- */

/** Serializes an entry: JSON with amounts as decimal text followed by `n`. */
function writeEntry(entry: JournalEntry): string {
  return writeJson({v: MEMORY_VERSION, ...entry}, {bigint: amount => `${String(amount)}n`});
}

/**
 * Parses an entry from the storage. It is untrusted input: an entry with an invalid field is rejected. So is one whose
 * decimals differ from the current catalogue's, unless it may have been paid.
 * @throws Error that names the first invalid field.
 */
function readEntry(text: string, catalogue: Catalogue, orderId: string): JournalEntry | undefined {
  if (text.length > LONGEST_TEXT) throw new RangeError(`${String(text.length)} characters`);
  const reading = v.safeParse(Entry, JSON.parse(text), {abortEarly: true});
  if (!reading.success) throw new TypeError(v.getDotPath(reading.issues[0]) ?? 'it is no entry');
  if (reading.output.orderId !== orderId) throw new TypeError('orderId');
  const {v: _version, ...entry} = reading.output;
  // The current catalogue defines known assets, with the contracts that are known of them. What the partner vouched for
  // is what was written when the order was placed: settings changed since neither add to it nor take from it.
  const isOther = (asset: Asset) => (catalogue.find(asset.id) ?? asset).decimals !== asset.decimals;
  const {from, to} = entry.agreed;
  // The amounts would be interpreted differently than agreed: if it may be paid, it is only tracked.
  if ((isOther(from) || isOther(to)) && !mayBePaid(entry)) return undefined;
  const known = (asset: Asset): Asset => {
    const today = isOther(asset) ? undefined : catalogue.find(asset.id);
    if (!today) return stranger(asset, catalogue);
    const isSame = isSameData(today.vouched, asset.vouched);
    return isSame ? today : withVouched(today, asset.vouched);
  };
  return deepFreeze({...entry, agreed: {...entry.agreed, from: known(from), to: known(to)}});
}

/**
 * An asset that the current catalogue does not know, from the storage: of its contracts only those count that the
 * partner vouched for, and the only URLs used are those that the page currently sets for its chain.
 */
function stranger({chain: stored, ...asset}: Asset, catalogue: Catalogue): Asset {
  const {explorer: _explorer, rpc: _rpc, ...chain} = stored;
  const today = catalogue.findChain(chain.name);
  return {...asset, chain: today?.family === chain.family ? today : chain, contracts: []};
}

/** Longer than any entry, whatever its service and wallets returned, in characters. */
const LONGEST_TEXT = 1_000_000;

/** An object with these fields: valibot would also require fields that the page's scripts add to all objects. */
const object = <T extends v.ObjectEntries>(entries: T) => v.object(bare(entries));

const upTo = (longest: number) => v.pipe(v.string(), v.maxLength(longest));
const Name = upTo(256);
const Label = upTo(4_000);
const Data = upTo(4_000);
const listOf = <T extends v.GenericSchema>(item: T, most: number) => v.pipe(v.array(item), v.maxLength(most));

const Amount = v.pipe(
  v.string(),
  v.regex(/^\d{1,78}n$/),
  v.transform(text => BigInt(text.slice(0, -1))),
);
/** Milliseconds since 1970, by this browser's clock. */
const Time = v.pipe(v.number(), v.minValue(0), v.maxValue(LATEST));
const Decimals = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36));
const Bps = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000));
const ChainId = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Id = v.pipe(
  v.string(),
  v.regex(/^[^:\s]{1,64}:[^:\s]{1,64}$/),
  v.transform(id => id as AssetId),
);
/** Longer than any chain's block time, in seconds. */
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
  vouched: v.exactOptional(listOf(object({address: Name, entry: v.exactOptional(Name)}), 1_000)),
});

const StoredTypedData = v.pipe(
  object({
    domain: v.record(v.string(), v.unknown()),
    primaryType: v.string(),
    types: v.record(v.string(), v.array(object({name: v.string(), type: v.string()}))),
    message: v.record(v.string(), v.unknown()),
  }),
  v.check(data => writeJson(data).length <= 5_000),
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
  payableSince: v.exactOptional(v.nullable(Time)),
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
  payoutAfter: v.exactOptional(Amount),
  paidAfter: v.exactOptional(Amount),
  ahead: v.optional(v.pipe(v.number(), v.minValue(-LATEST), v.maxValue(LATEST))),
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
      revoked: v.exactOptional(v.literal(true)),
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
  // The last of them lists all affiliate fees.
  terms: v.exactOptional(listOf(upTo(200_000), 20)),
  changed: v.exactOptional(v.literal(true)),
  used: v.exactOptional(v.literal(true)),
  unverified: v.exactOptional(v.literal(true)),
  feesTold: v.exactOptional(v.literal(true)),
  seen: v.exactOptional(object({hashes: listOf(Name, 100), filled: Amount})),
  stage: v.picklist(STAGES),
  canceled: v.exactOptional(v.literal(true)),
});
