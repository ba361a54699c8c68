import * as v from 'valibot';
import type {AssetId, ChainFamily} from '../domain/asset.js';
import {bare, type Deposit, type EvmTransaction, type FundWay} from '../domain/deposit.js';
import {SwapError} from '../domain/error.js';
import {writeJson} from '../domain/json.js';
import {isOrderId, LATEST, type ChainEvent, type Leg, type Order} from '../domain/order.js';
import type {AmountLimits, LimitsByAsset, Quote} from '../domain/quote.js';
import {rulesOf, type RoutePolicy} from '../domain/routes.js';

/*
 * The service's wire format, one schema per resource, and the only place that uses its snake case. Unknown fields are
 * ignored. Fields that amounts, checks or the stage depend on must be present and well-typed, in any known spelling,
 * and not longer than they ever need to be; other fields are absent if they cannot be read.
 */

/** An object with these fields: valibot would also require fields that the page's scripts add to all objects. */
const object = <T extends v.ObjectEntries>(entries: T) => v.object(bare(entries));

const upTo = (longest: number) => v.pipe(v.string(), v.maxLength(longest));
const Short = upTo(128);
const LONGEST_NAME = 256;
const Name = upTo(LONGEST_NAME);

/** A field that nothing depends on: absent if it cannot be read. */
function told<T>(schema: v.GenericSchema<unknown, T>) {
  return v.fallback(v.optional(schema), undefined);
}

function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}

type Present<T> = {[Key in keyof T]?: Exclude<T[Key], undefined>};

/** An amount in the smallest unit (API, Amount): digits as text. Some services return a number. */
const Amount = v.pipe(
  v.union([v.pipe(v.string(), v.regex(/^\d{1,78}$/)), v.pipe(v.number(), v.safeInteger(), v.minValue(0))]),
  v.transform((digits): bigint => BigInt(digits)),
);

const AssetText = v.pipe(
  Name,
  v.regex(/^[^:\s]{1,64}:[^:\s]{1,64}$/),
  v.transform(text => text as AssetId),
);
const QuoteSide = object({
  asset: AssetText,
  amount: Amount,
  display: Short,
  value: v.fallback(v.pipe(v.union([Short, v.number()]), v.transform(String)), ''),
});

/** The duration of a swap. More than a week does not count. */
const Seconds = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,9}(?:\.\d{1,30})?$/), v.transform(Number))]),
  v.minValue(1),
  v.maxValue(604_800),
);

const QuoteWire = v.pipe(
  object({
    source: QuoteSide,
    destination: QuoteSide,
    solver_id: v.fallback(Name, ''),
    estimated_time: told(Seconds),
  }),
  v.transform(({source, destination, solver_id, estimated_time}): Quote => ({
    source,
    destination,
    solverId: solver_id,
    ...present({estimatedSeconds: estimated_time}),
  })),
);

const NamedWire = object({id: AssetText});
const AssetWire = object({id: AssetText, min_amount: Amount, max_amount: Amount});

/** The list of assets, which is not in the specification: what it names, and the limits that can be read and be true. */
export function readListed(result: unknown): {readonly listed: ReadonlySet<string>; readonly limits: LimitsByAsset} {
  const limits: Record<string, AmountLimits> = {};
  const listed = new Set<string>();
  for (const entry of parse(v.array(v.unknown()), result)) {
    const named = v.safeParse(NamedWire, entry);
    if (named.success) listed.add(named.output.id.toLowerCase());
    const {success, output} = v.safeParse(AssetWire, entry);
    if (!success || output.max_amount < output.min_amount || output.max_amount === 0n) continue;
    limits[output.id.toLowerCase()] = {min: output.min_amount, max: output.max_amount};
  }
  return {listed, limits};
}

const RulesWire = v.optional(v.array(v.string()), []);
const PolicyWire = object({
  default: v.picklist(['open', 'closed']),
  isolation_groups: RulesWire,
  whitelist_overrides: RulesWire,
  blacklist_pairs: RulesWire,
});

/** The rules of pairs, which are not in the specification either. One that cannot be read bars nothing, nor allows. */
export function readPolicy(result: unknown): RoutePolicy {
  const {default: rest, isolation_groups, whitelist_overrides, blacklist_pairs} = parse(PolicyWire, result);
  const rules = (texts: readonly string[]) => texts.flatMap(text => rulesOf(text) ?? []);
  return {
    isOpen: rest === 'open',
    groups: rules(isolation_groups),
    allowed: rules(whitelist_overrides),
    barred: rules(blacklist_pairs),
  };
}

/** API, GET quote: one element per solver. Unreadable ones are omitted as long as another is readable. */
export function readQuotes(result: unknown): readonly Quote[] {
  const offers = parse(v.array(v.unknown()), result);
  const readable = offers.filter(offer => v.is(QuoteWire, offer));
  return parse(v.array(QuoteWire), readable.length ? readable : offers);
}

/**
 * A whole number as hex text or, in practice, as a number. `0x` and zeros alone are invalid, as for nodes; other digits
 * without a prefix would be ambiguous, so they are rejected.
 */
const Hex = v.pipe(
  v.union([
    v.pipe(
      v.string(),
      v.regex(/^(?:0x[0-9a-f]{0,64}|0*)$/i),
      v.transform(text => (text.length > 2 ? text : '0')),
    ),
    v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  ]),
  v.transform((digits): bigint => BigInt(digits)),
);

const Count = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))]),
  v.safeInteger(),
  v.minValue(0),
);
const Id = v.pipe(Name, v.minLength(1));
const OrderId = v.pipe(v.string(), v.check(isOrderId));
/** Hex digits, without an optional prefix; empty while there are none, for which practice also returns null. */
const Digits = v.pipe(
  v.nullish(Name, ''),
  v.transform(text => text.trim().toLowerCase().replace(/^0x/, '')),
);

/** Anybody who sends dust to an address makes its list of hashes longer; the first ones are enough. */
const MOST_HASHES = 50;

/**
 * Empty, a hash, `<hash>:<block>` (API, Swap object), or in practice a comma-separated list of those, or null for
 * empty. By the specification any non-empty text means that it happened. Here it has to name a transaction: blanks, a
 * block alone (`:5`), `0x` or a hash of zeros name none, so they never mean that money has arrived.
 */
const Hashes = v.pipe(
  v.nullish(v.string(), ''),
  v.transform(text => text.split(',').map(entry => entry.trim())),
  v.everyItem(entry => entry.length <= LONGEST_NAME),
  v.transform(entries => {
    const named = entries
      .map(entry => entry.split(':'))
      .filter(([hash = '']) => /[1-9a-z]/i.test(hash.replace(/^0x/i, '')));
    const [first, ...others] = named.slice(0, MOST_HASHES).map(([hash = '']) => hash.trim());
    const block = named.at(-1)?.[1] ?? '';
    return {
      hashes: first === undefined ? undefined : ([first, ...others] as const),
      block: /^\d{1,20}$/.test(block) ? BigInt(block) : 0n,
    };
  }),
);

/** Date, time, a fraction of up to milliseconds, and a time zone. */
const ISO_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(\.\d{1,3})?\d*\s*(?:Z|UTC|([+-]\d\d)(?::?(\d\d))?)?$/i;

/** An ISO 8601 time, in milliseconds since 1970. Without a time zone it is in UTC, as the specification requires. */
const Time = v.pipe(
  Short,
  v.transform(text => {
    const [, date = '', time = '', fraction = '', hours, minutes = '00'] = ISO_TIME.exec(text.trim()) ?? [];
    return Date.parse(`${date}T${time}${fraction}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  }),
  v.number(),
  v.finite(),
);

/** Above this, a number cannot be seconds since 1970: it is in milliseconds. */
const SECONDS_END = 100_000_000_000;

/** A time in seconds or milliseconds since 1970, as a number or digits, or in ISO 8601; as milliseconds since 1970. */
const Moment = v.union([
  v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))]),
    v.minValue(0),
    v.transform(time => (time < SECONDS_END ? time * 1000 : time)),
    v.maxValue(LATEST),
  ),
  Time,
]);

const Price = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,30}(?:\.\d{1,30})?$/), v.transform(Number))]),
  v.finite(),
  v.minValue(0),
);

/** Longer than the typed data of any swap as JSON: it is stored with its order. */
const LONGEST_TYPED_DATA = 5_000;

const TypedDataWire = v.pipe(
  object({
    domain: v.record(v.string(), v.unknown()),
    primaryType: v.string(),
    types: v.record(v.string(), v.array(object({name: v.string(), type: v.string()}))),
    message: v.record(v.string(), v.unknown()),
  }),
  v.check(data => writeJson(data).length <= LONGEST_TYPED_DATA && !hasLostDigits(data)),
  // Ordinary objects for wallets, whatever the parser created.
  v.transform(data => structuredClone(data)),
);

/** Whether it contains a number that is too large to be exact in JSON: its original value is unknown. */
function hasLostDigits(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLostDigits);
}

/** Longer than the call of any swap. */
const CallData = upTo(4_000);

const TransactionWire = v.pipe(
  object({
    to: Name,
    value: v.nullish(Hex, '0x'),
    data: CallData,
    // Wallets estimate it on their own.
    gas_limit: told(v.union([Hex, Amount])),
    chain_id: v.union([Count, v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,13}$/i), v.transform(Number))]),
  }),
  v.transform(({to, value, data, gas_limit = 0n, chain_id}): EvmTransaction => ({
    to,
    value,
    data,
    gasLimit: gas_limit,
    chainId: chain_id,
  })),
);

const CallWire = object({to: Name, selector: Name, calldata: v.pipe(v.array(upTo(80)), v.maxLength(64))});

/**
 * The transaction to send, under its specified name or that of later generations of the service,
 * `initiate_transaction`: the first one that can be read.
 */
function prepared(wire: v.GenericSchema) {
  return v.pipe(
    v.looseObject(bare({})),
    v.transform(fields => {
      const result = bare(fields);
      const {transaction, initiate_transaction} = result;
      result['transaction'] =
        [transaction, initiate_transaction].find(one => v.is(wire, one)) ?? transaction ?? initiate_transaction;
      return result;
    }),
  );
}

/** Without typed data, or if it has no form that could be checked and signed, only the transaction remains. */
function waysOf(typedData: unknown): readonly [FundWay, ...FundWay[]] {
  return typedData === undefined ? ['transaction'] : ['signature', 'transaction'];
}

/** API, POST orders: the deposit depends on the family of the source chain. */
const DEPOSITS = {
  bitcoin: v.pipe(
    object({to: Id, amount: Amount}),
    v.transform(({to, amount}): Deposit => ({how: 'transfer', address: to, amount})),
  ),
  evm: v.pipe(
    prepared(TransactionWire),
    object({
      transaction: TransactionWire,
      typed_data: told(TypedDataWire),
      approval_transaction: told(TransactionWire),
    }),
    v.transform(({transaction, typed_data, approval_transaction}): Deposit => ({
      how: 'wallet',
      ways: waysOf(typed_data),
      payload: {family: 'evm', transaction, ...present({typedData: typed_data, approval: approval_transaction})},
    })),
  ),
  solana: v.pipe(
    // 1,232 bytes at most, in hex or base64.
    object({versioned_tx: v.pipe(CallData, v.minLength(1))}),
    v.transform(({versioned_tx}): Deposit => ({
      how: 'wallet',
      ways: ['transaction'],
      payload: {family: 'solana', transaction: versioned_tx},
    })),
  ),
  starknet: v.pipe(
    prepared(CallWire),
    object({transaction: CallWire, typed_data: told(TypedDataWire)}),
    v.transform(({transaction, typed_data}): Deposit => ({
      how: 'wallet',
      ways: waysOf(typed_data),
      payload: {family: 'starknet', call: transaction, ...present({typedData: typed_data})},
    })),
  ),
} satisfies Record<ChainFamily, v.GenericSchema<unknown, Deposit>>;

export function readPlaced(result: unknown, family: ChainFamily): {orderId: string; deposit: Deposit} {
  const {order_id} = parse(object({order_id: OrderId}), result);
  return {orderId: order_id, deposit: parse<Deposit>(DEPOSITS[family], result)};
}

const LegWire = object({
  created_at: told(Time),
  swap_id: Name,
  chain: Short,
  asset: AssetText,
  initiator: Name,
  redeemer: Name,
  delegate: v.nullish(Name),
  timelock: Count,
  filled_amount: v.nullish(v.union([Amount, v.literal('')])),
  amount: Amount,
  asset_price: told(Price),
  secret_hash: v.pipe(Digits, v.regex(/^(?:[0-9a-f]{64})?$/)),
  secret: v.fallback(Digits, ''),
  instant_refund_tx: told(v.pipe(upTo(100_000), v.minLength(1))),
  initiate_tx_hash: Hashes,
  redeem_tx_hash: Hashes,
  refund_tx_hash: Hashes,
  initiate_block_number: told(Amount),
  redeem_block_number: told(Amount),
  refund_block_number: told(Amount),
  // By default one is required and none is seen: nothing counts too early.
  required_confirmations: v.fallback(Count, 1),
  current_confirmations: v.fallback(Count, 0),
  initiate_timestamp: told(Time),
  redeem_timestamp: told(Time),
  refund_timestamp: told(Time),
});

/** More payees than anybody splits a fee between. */
const MOST_FEES = 300;

/** The format of its elements is not documented. Each part is read separately; an unknown format has none. */
const FeeWire = v.fallback(
  object({asset: told(AssetText), address: told(Id), fee: told(Count), amount: told(Amount)}),
  {},
);

const OrderWire = object({
  created_at: Time,
  deadline: told(Moment),
  source_swap: LegWire,
  destination_swap: LegWire,
  // JSON’s numbers lose the last digits of a large one.
  nonce: v.fallback(v.union([Name, v.pipe(v.number(), v.safeInteger(), v.transform(String))]), ''),
  order_id: OrderId,
  affiliate_fees: told(v.pipe(v.array(FeeWire), v.maxLength(MOST_FEES))),
  integrator: told(Name),
  version: v.fallback(Short, ''),
});

export function readOrder(result: unknown): Order {
  const wire = parse(OrderWire, result);
  const {created_at, deadline, affiliate_fees, integrator} = wire;
  return {
    id: wire.order_id,
    createdAt: created_at,
    source: readLeg(wire.source_swap),
    destination: readLeg(wire.destination_swap),
    nonce: wire.nonce,
    version: wire.version,
    ...present({
      // A deadline from before the order's creation is a duration, or meaningless.
      deadline: deadline !== undefined && deadline > created_at ? deadline : undefined,
      affiliateFees: affiliate_fees?.map(({fee, ...entry}) => present({...entry, bps: fee})),
      integrator,
    }),
  };
}

function readLeg(leg: v.InferOutput<typeof LegWire>): Leg {
  const initiated = readDeed(leg.initiate_tx_hash, leg.initiate_block_number, leg.initiate_timestamp);
  const redeemed = readDeed(leg.redeem_tx_hash, leg.redeem_block_number, leg.redeem_timestamp);
  const refunded = readDeed(leg.refund_tx_hash, leg.refund_block_number, leg.refund_timestamp);
  return {
    swapId: leg.swap_id,
    chain: leg.chain,
    asset: leg.asset,
    initiator: leg.initiator,
    redeemer: leg.redeemer,
    timelock: leg.timelock,
    amount: leg.amount,
    // Without a transaction nothing is paid. A payment without an amount counts as complete: contracts accept all or
    // nothing, and nothing indicates a part.
    filled: !initiated ? 0n : typeof leg.filled_amount === 'bigint' ? leg.filled_amount : leg.amount,
    secretHash: leg.secret_hash,
    secret: leg.secret,
    confirmations: {current: leg.current_confirmations, required: leg.required_confirmations},
    ...present({
      delegate: leg.delegate ?? undefined,
      createdAt: leg.created_at,
      assetPrice: leg.asset_price,
      instantRefundTx: leg.instant_refund_tx,
      initiated,
      redeemed,
      refunded,
    }),
  };
}

function readDeed(
  {hashes, block: ownBlock}: v.InferOutput<typeof Hashes>,
  block = 0n,
  at?: number,
): ChainEvent | undefined {
  const inBlock = block > 0n ? block : ownBlock;
  return hashes && {hashes, ...present({block: inBlock > 0n ? inBlock : undefined, at})};
}

/**
 * The envelope of every response (API, Endpoints). The format of errors is not documented. An HTTP error is one even
 * without a `status`, with its text under any of the names used in practice.
 */
export function readEnvelope(
  {status, result, error, message, detail, ...rest}: Readonly<Record<string, unknown>>,
  ok: boolean,
): {ok: true; result: unknown} | {ok: false; error: string} {
  if (status === 'Ok') return {ok: true, result};
  if (ok && !error && typeof status !== 'string') throw new SwapError('unreadable', {field: 'status'});
  return {ok: false, error: errorText(error ?? message ?? detail ?? (typeof status === 'string' ? undefined : rest))};
}

function errorText(error: unknown): string {
  if (error === undefined || error === null) return '';
  return (typeof error === 'string' ? error : writeJson(error)).slice(0, 500);
}

function parse<T>(schema: v.GenericSchema<unknown, T>, value: unknown): T {
  const reading = v.safeParse(schema, value);
  if (reading.success) return reading.output;
  const [issue] = reading.issues;
  const field = v.getDotPath(issue) ?? (issue.type === 'check' ? issue.message : 'result');
  // The message repeats the value, however long it is.
  throw new SwapError('unreadable', {field, detail: issue.message.slice(0, 300)});
}
