import {atom, type ReadableAtom} from 'nanostores';
import * as v from 'valibot';
import type {Asset, AssetId, Catalogue} from '../domain/asset.js';
import type {Agreement, Ask, Deposit} from '../domain/deposit.js';
import {SwapError} from '../domain/error.js';
import type {Seen, Stage} from '../domain/order.js';
import {MEMORY_VERSION, type Memory} from './memory.js';

/** An order of this browser, as it is remembered: what was agreed, what the service answered, what was asked and answered. */
export interface JournalEntry {
  readonly orderId: string;
  /** Milliseconds since 1970. */
  readonly placedAt: number;
  readonly agreed: Agreement;
  readonly deposit: Deposit;
  readonly asks: readonly Ask[];
  /** Where it last stood. */
  readonly stage: Stage;
  /** What was ever seen of its payment, so that one that left the chain or was replaced is known for it after a reload. */
  readonly seen?: Seen;
}

/** The orders of this browser with one service. Nothing paid for is ever lost, so each is written down before a wallet is asked. */
export interface Journal {
  /** Newest first. */
  readonly $entries: ReadableAtom<readonly JournalEntry[]>;
  get(orderId: string): JournalEntry | undefined;
  /**
   * Writes an entry down.
   * @throws SwapError `storage` where the browser does not keep it.
   */
  put(entry: JournalEntry): void;
  /** Changes what is written of an order, if it is there. @throws SwapError `storage` */
  update(orderId: string, change: (entry: JournalEntry) => Partial<JournalEntry>): void;
  /** Takes over what another tab changed. */
  otherTab(key: string | null): void;
  /** Reads its entries by another catalogue. */
  use(catalogue: Catalogue): void;
}

/** Opens the journal of one service. Without a storage to keep it in, it lasts as long as the page: `keep: false`. */
export function openJournal({
  memory,
  catalogue,
  keep,
}: {
  readonly memory: Memory;
  readonly catalogue: Catalogue;
  readonly keep: boolean;
}): Journal {
  const {storage} = memory;
  const orderKey = (orderId: string) => memory.orders + orderId;
  const $entries = atom<readonly JournalEntry[]>([]);
  let known = catalogue;

  const show = (entries: readonly JournalEntry[]) => {
    $entries.set(Object.freeze([...entries].sort((a, b) => b.placedAt - a.placedAt)));
  };

  const load = () => {
    if (!storage) return;
    const entries: JournalEntry[] = [];
    try {
      for (let index = 0; index < storage.length; index++) {
        const key = storage.key(index);
        if (!key?.startsWith(memory.orders)) continue;
        const entry = readEntry(storage.getItem(key), known);
        if (entry && orderKey(entry.orderId) === key) entries.push(entry);
      }
    } catch {
      // A browser that forbids the storage says so with an exception at any touch.
    }
    show(entries);
  };

  const put = (entry: JournalEntry) => {
    if (keep) {
      try {
        if (!storage) throw new Error('no storage');
        storage.setItem(orderKey(entry.orderId), writeEntry(entry));
      } catch (cause) {
        throw new SwapError('storage', {cause});
      }
    }
    show([entry, ...$entries.get().filter(({orderId}) => orderId !== entry.orderId)]);
  };

  const stored = (orderId: string) => {
    try {
      const entry = readEntry(storage?.getItem(orderKey(orderId)) ?? null, known);
      return entry?.orderId === orderId ? entry : undefined;
    } catch {
      return undefined;
    }
  };

  /** Another tab may have written since, and tells so only later: the storage is asked first. */
  const get = (orderId: string) => stored(orderId) ?? $entries.get().find(entry => entry.orderId === orderId);

  load();
  return {
    $entries,
    get,
    put,
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

/** Whether anything may have left the payer's hands: then the order is followed to its end. */
export function mayBePaid({asks}: Pick<JournalEntry, 'asks'>): boolean {
  return asks.some(({kind, state}) => PAYING.has(kind) && (state === 'asking' || state === 'sent'));
}

/** Whether the last question that could move money was never clearly answered. */
export function isUnclear({asks}: Pick<JournalEntry, 'asks'>): boolean {
  const last = asks.findLast(({kind}) => PAYING.has(kind));
  return last?.state === 'asking' && !last.claimed;
}

const PAYING: ReadonlySet<Ask['kind']> = new Set(['sign', 'send', 'initiate']);

/* -- the written form: JSON with amounts as decimal text and an `n` behind them ------------------------------------- */

function writeEntry(entry: JournalEntry): string {
  return JSON.stringify({v: MEMORY_VERSION, ...entry}, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${String(value)}n` : value,
  );
}

/** Reads what the storage holds. It is input like any other: what is not an entry in every field is none. */
function readEntry(text: string | null, catalogue: Catalogue): JournalEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '', (_key, part: unknown) =>
      typeof part === 'string' && /^\d{1,78}n$/.test(part) ? BigInt(part.slice(0, -1)) : part,
    );
  } catch {
    return undefined;
  }
  const reading = v.safeParse(Entry, value);
  if (!reading.success) return undefined;
  const {v: _version, ...entry} = reading.output;
  // The catalogue of today decides what an asset is; its pinned contracts are never taken from the storage.
  const known = (asset: Asset): Asset => catalogue.find(asset.id) ?? stranger(asset);
  const {from, to} = entry.agreed;
  if (known(from).decimals !== from.decimals || known(to).decimals !== to.decimals) return undefined;
  return deepFreeze({...entry, agreed: {...entry.agreed, from: known(from), to: known(to)}});
}

/** An asset that today's catalogue does not know, from the storage: no contract of it counts, and no address is asked or shown. */
function stranger({chain: {explorer: _explorer, rpc: _rpc, ...chain}, ...asset}: Asset): Asset {
  return {...asset, chain, contracts: []};
}

/** Freezes a value and everything in it, so that what was checked cannot change under way. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

const Text = v.string();
const Id = v.pipe(
  v.string(),
  v.regex(/^[^:\s]{1,64}:[^:\s]{1,64}$/),
  v.transform(id => id as AssetId),
);
const Family = v.picklist(['bitcoin', 'evm', 'solana', 'starknet']);

const StoredAsset = v.object({
  id: Id,
  chain: v.object({
    name: Text,
    family: Family,
    title: Text,
    test: v.boolean(),
    chainId: v.exactOptional(v.number()),
    blockSeconds: v.number(),
    explorer: v.exactOptional(Text),
    rpc: v.exactOptional(Text),
  }),
  symbol: Text,
  title: Text,
  decimals: v.number(),
  token: v.exactOptional(Text),
  contracts: v.array(Text),
});

const StoredTypedData = v.object({
  domain: v.record(Text, v.unknown()),
  primaryType: Text,
  types: v.record(Text, v.array(v.object({name: Text, type: Text}))),
  message: v.record(Text, v.unknown()),
});

const StoredTransaction = v.object({
  to: Text,
  value: v.bigint(),
  data: Text,
  gasLimit: v.bigint(),
  chainId: v.number(),
});

const Way = v.picklist(['signature', 'transaction']);

const StoredDeposit = v.variant('how', [
  v.object({how: v.literal('transfer'), address: Text, amount: v.bigint()}),
  v.object({
    how: v.literal('wallet'),
    ways: v.tupleWithRest([Way], Way),
    payload: v.variant('family', [
      v.object({
        family: v.literal('evm'),
        transaction: StoredTransaction,
        typedData: v.exactOptional(StoredTypedData),
        approval: v.exactOptional(StoredTransaction),
      }),
      v.object({family: v.literal('solana'), transaction: Text}),
      v.object({
        family: v.literal('starknet'),
        call: v.object({to: Text, selector: Text, calldata: v.array(Text)}),
        typedData: v.exactOptional(StoredTypedData),
      }),
    ]),
  }),
]);

const Entry = v.object({
  v: v.literal(MEMORY_VERSION),
  orderId: v.pipe(Text, v.minLength(1), v.maxLength(256)),
  placedAt: v.number(),
  agreed: v.object({
    from: StoredAsset,
    to: StoredAsset,
    amount: v.bigint(),
    receive: v.bigint(),
    atLeast: v.bigint(),
    owner: Text,
    recipient: Text,
    affiliateFees: v.array(v.object({asset: Id, address: Text, bps: v.number()})),
    solverId: Text,
  }),
  deposit: StoredDeposit,
  asks: v.array(
    v.object({
      kind: v.picklist(['revoke', 'approve', 'sign', 'send', 'initiate', 'refund']),
      state: v.picklist(['asking', 'sent', 'signed', 'refused']),
      at: v.number(),
      hash: v.exactOptional(Text),
      claimed: v.exactOptional(v.literal(true)),
    }),
  ),
  seen: v.exactOptional(v.object({hashes: v.array(Text), filled: v.bigint()})),
  stage: v.picklist([
    'editing',
    'reviewing',
    'ordering',
    'awaiting-deposit',
    'funding',
    'deposit-seen',
    'confirming',
    'settling',
    'complete',
    'refunding',
    'refunded',
    'expired',
    'stopped',
  ] satisfies Stage[]),
});
