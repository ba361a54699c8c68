/* An order of this browser as it is stored: a table for most of it. */
import * as v from 'valibot';
import {Name, object, TypedDataWire, upTo} from '../../api/values.js';
import {withVouched, type Asset, type AssetId, type Catalogue} from '../../domain/asset.js';
import {deepFreeze, type Agreement, type Deposit} from '../../domain/deposit.js';
import {mayBePaid} from '../../domain/funding.js';
import {isSameData, writeJson} from '../../domain/json.js';
import {LATEST} from '../../domain/order.js';
import {ORDER_STAGES, type Stage} from '../../domain/stage.js';
import type {StoryRecord} from '../../domain/story.js';
import {MEMORY_VERSION} from '../keys.js';

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

/** Serializes an entry: JSON with amounts as decimal text followed by `n`. */
export function writeEntry(entry: JournalEntry): string {
  return writeJson({v: MEMORY_VERSION, ...entry}, {bigint: amount => `${String(amount)}n`});
}

/**
 * Parses an entry from the storage. It is untrusted input: an entry with an invalid field is rejected. So is one whose
 * decimals differ from the current catalogue's, unless it may have been paid.
 * @throws Error that names the first invalid field.
 */
export function readEntry(text: string, catalogue: Catalogue, orderId: string): JournalEntry | undefined {
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

const StoredAsset = object({
  id: Id,
  chain: object({
    name: Name,
    family: v.picklist(['bitcoin', 'evm', 'solana', 'starknet']),
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

const StoredTransaction = object({to: Name, value: Amount, data: Data, gasLimit: Amount, chainId: ChainId});
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
        typedData: v.exactOptional(TypedDataWire),
        approval: v.exactOptional(StoredTransaction),
      }),
      object({family: v.literal('solana'), transaction: Data}),
      object({
        family: v.literal('starknet'),
        call: object({to: Name, selector: Name, calldata: listOf(Name, 64)}),
        typedData: v.exactOptional(TypedDataWire),
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
  ends: v.exactOptional(listOf(v.picklist(ORDER_STAGES), 20)),
  isHeld: v.optional(v.literal(true)),
  // The last of them lists all affiliate fees.
  terms: v.exactOptional(listOf(upTo(200_000), 20)),
  changed: v.exactOptional(v.literal(true)),
  used: v.exactOptional(v.literal(true)),
  unverified: v.exactOptional(v.literal(true)),
  feesTold: v.exactOptional(v.literal(true)),
  seen: v.exactOptional(object({hashes: listOf(Name, 100), filled: Amount})),
  stage: v.picklist(ORDER_STAGES),
  canceled: v.exactOptional(v.literal(true)),
});
