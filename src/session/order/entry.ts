import * as v from 'valibot';
import type {Asset, AssetId, Catalogue} from '../../domain/asset.js';
import {bare, deepFreeze, type Agreement, type Deposit} from '../../domain/deposit.js';
import {mayBePaid} from '../../domain/funding.js';
import {LATEST} from '../../domain/order.js';
import {STAGES, type Stage} from '../../domain/stage.js';
import type {StoryRecord} from '../../domain/story.js';
import {MEMORY_VERSION} from '../storage.js';

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

/** The written form of an entry: JSON with amounts as decimal text and an `n` behind them. */
export function writeEntry(entry: JournalEntry): string {
  return JSON.stringify({v: MEMORY_VERSION, ...entry}, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${String(value)}n` : value,
  );
}

/**
 * Reads what the storage holds. It is input like any other: what is not an entry in every field is none. One whose amounts
 * would read otherwise today is none either, unless it may have been paid.
 * @throws Error that names the first field that is wrong.
 */
export function readEntry(text: string, catalogue: Catalogue, orderId: string): JournalEntry | undefined {
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

/** More characters than an entry ever has, whatever its service and its wallets told. */
const LONGEST_TEXT = 1_000_000;

/** An object with these fields: valibot would want those too that a script of the page adds to all objects. */
const object = <T extends v.ObjectEntries>(entries: T) => v.object(bare(entries));

/** Text with an end: more than anything of its kind has. */
const upTo = (longest: number) => v.pipe(v.string(), v.maxLength(longest));
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
const Decimals = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36));
const Bps = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000));
const ChainId = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Id = v.pipe(
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
