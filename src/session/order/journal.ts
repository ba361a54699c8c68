import {atom, type ReadableAtom} from 'nanostores';
import * as v from 'valibot';
import type {Asset, AssetId, Catalogue} from '../../domain/asset.js';
import {bare, deepFreeze, type Agreement, type Deposit} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import {mayBePaid} from '../../domain/funding.js';
import type {SeenPayment} from '../../domain/order.js';
import {isTerminal, STAGES, type SwapRecord} from '../../domain/stage.js';
import {MEMORY_VERSION, type Memory} from '../storage.js';

/** An order of this browser, as it is remembered: what was agreed, what the service answered, what was asked and answered. */
export interface JournalEntry extends SwapRecord {
  readonly orderId: string;
  readonly agreed: Agreement;
  readonly deposit: Deposit;
  /** What was ever seen of its payment, so that one that left the chain or was replaced is known for it after a reload. */
  readonly seen?: SeenPayment;
  /** What the order said when it was last checked (`termsOf`): once it is paid, nothing of that may change. */
  readonly terms?: readonly string[];
  /** The service described it differently once it was paid, and the page knows. */
  readonly changed?: true;
  /** The page knows that its affiliate fees are not those agreed. */
  readonly feesTold?: true;
  /** When the chain was last read, the payment lay in its contract, where it can be taken back one day. */
  readonly isHeld?: true | undefined;
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
      if (get(entry.orderId)) {
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

  const read = (key: string, catalogue: Catalogue): JournalEntry | undefined => {
    const text = storage?.getItem(key) ?? '';
    const last = readings.get(key);
    if (last?.text === text && last.catalogue === catalogue) return last.entry;
    const entry = readEntry(text, catalogue);
    const own = entry && keyOf(entry.orderId) === key ? entry : undefined;
    readings.set(key, {text, catalogue, entry: own});
    return own;
  };

  return {
    keyOf,

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
  // What the contract still holds can be taken back by what is written here.
  if (entry.isHeld) return false;
  return entry.stage === 'complete' || entry.stage === 'refunded' || (entry.stage === 'stopped' && !mayBePaid(entry));
}

/**
 * What is kept of an order that came to its end: what its receipt and the list need, and what the contract's own refund
 * would, for a service may say that an order is complete and lie. Its terms stay too: no later order may have its secret.
 * What would be signed is not kept.
 */
function shrink(entry: JournalEntry): JournalEntry {
  if ((entry.stage !== 'complete' && entry.stage !== 'refunded') || !isFinished(entry)) return entry;
  return Object.freeze({...entry, deposit: shrinkDeposit(entry.deposit)});
}

function shrinkDeposit(deposit: Deposit): Deposit {
  if (deposit.how !== 'wallet' || deposit.payload.family === 'solana') return deposit;
  const {approval: _approval, typedData, ...payload} = {approval: undefined, ...deposit.payload};
  // The domain names the generation of the contract.
  const domain = typedData && {...typedData, types: {}, message: {}};
  return deepFreeze({...deposit, payload: {...payload, ...(domain && {typedData: domain})}});
}

/* -- the written form: JSON with amounts as decimal text and an `n` behind them ------------------------------------- */

function writeEntry(entry: JournalEntry): string {
  return JSON.stringify({v: MEMORY_VERSION, ...entry}, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${String(value)}n` : value,
  );
}

/** Reads what the storage holds. It is input like any other: what is not an entry in every field is none. */
function readEntry(text: string, catalogue: Catalogue): JournalEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
    // Entries written before that name had `asks`.
    if (typeof value === 'object' && value !== null && 'asks' in value) value = {walletRequests: value.asks, ...value};
  } catch {
    return undefined;
  }
  const reading = v.safeParse(Entry, value);
  if (!reading.success) return undefined;
  const {v: _version, ...entry} = reading.output;
  // The catalogue of today decides what an asset is; its pinned contracts are never taken from the storage.
  const isOther = (asset: Asset) => (catalogue.find(asset.id) ?? asset).decimals !== asset.decimals;
  const {from, to} = entry.agreed;
  // Amounts would read otherwise than they were agreed on: what a contract holds can be taken back, and no more.
  if ((isOther(from) || isOther(to)) && !(entry.deposit.how === 'wallet' && mayBePaid(entry))) return undefined;
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

/** An object with these fields: valibot would want those too that a script of the page adds to all objects. */
const object = <T extends v.ObjectEntries>(entries: T) => v.object(bare(entries));

const Text = v.string();
const Amount = v.pipe(
  v.string(),
  v.regex(/^\d{1,78}n$/),
  v.transform(text => BigInt(text.slice(0, -1))),
);
const Id = v.pipe(
  v.string(),
  v.regex(/^[^:\s]{1,64}:[^:\s]{1,64}$/),
  v.transform(id => id as AssetId),
);
const Family = v.picklist(['bitcoin', 'evm', 'solana', 'starknet']);

const StoredAsset = object({
  id: Id,
  chain: object({
    name: Text,
    family: Family,
    title: Text,
    test: v.boolean(),
    chainId: v.exactOptional(v.number()),
    blockSeconds: v.number(),
    coin: v.exactOptional(object({name: Text, symbol: Text, decimals: v.number()})),
    explorer: v.exactOptional(Text),
    rpc: v.exactOptional(Text),
  }),
  symbol: Text,
  title: Text,
  decimals: v.number(),
  token: v.exactOptional(Text),
  contracts: v.array(Text),
});

const StoredTypedData = object({
  domain: v.record(Text, v.unknown()),
  primaryType: Text,
  types: v.record(Text, v.array(object({name: Text, type: Text}))),
  message: v.record(Text, v.unknown()),
});

const StoredTransaction = object({
  to: Text,
  value: Amount,
  data: Text,
  gasLimit: Amount,
  chainId: v.number(),
});

const Way = v.picklist(['signature', 'transaction']);

const StoredDeposit = v.variant('how', [
  object({how: v.literal('transfer'), address: Text, amount: Amount}),
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
      object({family: v.literal('solana'), transaction: Text}),
      object({
        family: v.literal('starknet'),
        call: object({to: Text, selector: Text, calldata: v.array(Text)}),
        typedData: v.exactOptional(StoredTypedData),
      }),
    ]),
  }),
]);

const Entry = object({
  v: v.literal(MEMORY_VERSION),
  orderId: v.pipe(Text, v.minLength(1), v.maxLength(256)),
  placedAt: v.number(),
  agreed: object({
    from: StoredAsset,
    to: StoredAsset,
    amount: Amount,
    receive: Amount,
    atLeast: Amount,
    owner: Text,
    recipient: Text,
    affiliateFees: v.array(object({asset: Id, address: Text, bps: v.number()})),
    solverId: Text,
  }),
  deposit: StoredDeposit,
  walletRequests: v.array(
    object({
      kind: v.picklist(['revoke', 'approve', 'sign', 'send', 'initiate', 'refund']),
      state: v.picklist(['asking', 'sent', 'signed', 'refused']),
      at: v.number(),
      hash: v.exactOptional(Text),
      lifetime: v.exactOptional(Text),
      claimed: v.exactOptional(v.literal(true)),
      abandoned: v.exactOptional(v.literal(true)),
    }),
  ),
  confirmedAt: v.optional(v.number()),
  paidOut: v.optional(Amount),
  isHeld: v.optional(v.literal(true)),
  terms: v.exactOptional(v.array(Text)),
  changed: v.exactOptional(v.literal(true)),
  feesTold: v.exactOptional(v.literal(true)),
  seen: v.exactOptional(object({hashes: v.array(Text), filled: Amount})),
  stage: v.picklist(STAGES),
});
