import * as v from 'valibot';
import type {AssetId, ChainFamily} from '../domain/asset.js';
import {bare, type Deposit, type EvmTransaction, type FundWay} from '../domain/deposit.js';
import {SwapError} from '../domain/error.js';
import {LATEST, type ChainEvent, type Leg, type Order} from '../domain/order.js';
import type {AmountLimits, LimitsByAsset, Quote} from '../domain/quote.js';

/*
 * The wire format of the service, one schema per resource, and the only place that knows its snake case. Unknown fields
 * are let through unread. What amounts, checks or stage depend on must be there and well-typed, however it is spelled, and
 * no longer than it ever has reason to be; of the rest, what cannot be read is absent.
 */

/** An object with these fields: valibot would want those too that a script of the page adds to all objects. */
const object = <T extends v.ObjectEntries>(entries: T) => v.object(bare(entries));

/** Text with an end: what is longer than anything of its kind is not read. */
const upTo = (longest: number) => v.pipe(v.string(), v.maxLength(longest));
/** The name of a chain, a version, a price in words. */
const Short = upTo(128);
/** An address, a key, an id, a hash. */
const LONGEST_NAME = 256;
const Name = upTo(LONGEST_NAME);

/** What nothing depends on: absent where it cannot be read. */
function told<T>(schema: v.GenericSchema<unknown, T>) {
  return v.fallback(v.optional(schema), undefined);
}

/** Fields without those that are absent. */
function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}

type Present<T> = {[Key in keyof T]?: Exclude<T[Key], undefined>};

/** An amount in the smallest unit (API, Amount): digits in text. Some services send a number. */
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

/** A span of time that a swap may take. More than a week does not count as one. */
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

const AssetWire = object({id: AssetText, min_amount: Amount, max_amount: Amount});

/** The list of assets, which the specification does not have: only what of it can be read and makes sense. */
export function readLimits(result: unknown): LimitsByAsset {
  const limits: Record<string, AmountLimits> = {};
  for (const entry of parse(v.array(v.unknown()), result)) {
    const {success, output} = v.safeParse(AssetWire, entry);
    if (!success || output.max_amount < output.min_amount || output.max_amount === 0n) continue;
    limits[output.id.toLowerCase()] = {min: output.min_amount, max: output.max_amount};
  }
  return limits;
}

/** API, GET quote: one element per solver. One that cannot be read is left out, as long as there is another. */
export function readQuotes(result: unknown): readonly Quote[] {
  const offers = parse(v.array(v.unknown()), result);
  const readable = offers.filter(offer => v.is(QuoteWire, offer));
  return parse(v.array(QuoteWire), readable.length ? readable : offers);
}

/**
 * A whole number as hex text or, in practice, as a number. `0x` and nothing but zeros are none, as chains’ own nodes
 * read them; other digits without a prefix could be meant either way, so they are not read.
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

/** A count: a number, or its digits in text. */
const Count = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))]),
  v.safeInteger(),
  v.minValue(0),
);
const Id = v.pipe(Name, v.minLength(1));
/** Hex digits, without the prefix that some put before them; empty until there are any, for which practice sends null as well. */
const Digits = v.pipe(
  v.nullish(Name, ''),
  v.transform(text => text.trim().toLowerCase().replace(/^0x/, '')),
);

/** Whoever sends dust to an address makes its list of hashes longer; the first of them say what a person has to know. */
const MOST_HASHES = 50;

/**
 * A hash field: empty, a hash, `<hash>:<block>` (API, Swap object), or in practice a comma list of those. In practice
 * null is empty as well.
 *
 * The specification takes any text that is not empty for something that happened. Here it has to name a transaction:
 * blanks, a block alone (`:5`), `0x` or a hash of zeros name none, so they never say that money has arrived.
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

/** Date, time, as much of a fraction as a clock in milliseconds holds, and a zone. */
const ISO_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(\.\d{1,3})?\d*\s*(?:Z|UTC|([+-]\d\d)(?::?(\d\d))?)?$/i;

/** A time in ISO 8601, in milliseconds since 1970. One without a zone is in UTC, as the specification says that all are. */
const Time = v.pipe(
  Short,
  v.transform(text => {
    const [, date = '', time = '', fraction = '', hours, minutes = '00'] = ISO_TIME.exec(text.trim()) ?? [];
    return Date.parse(`${date}T${time}${fraction}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  }),
  v.number(),
  v.finite(),
);

/** Seconds since 1970 as no date of ours reaches them: what is above is meant in milliseconds. */
const SECONDS_END = 100_000_000_000;

/** A moment in seconds since 1970, as a number or digits in text, or a time as all others; milliseconds since 1970. */
const Moment = v.union([
  v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))]),
    v.minValue(0),
    v.transform(time => (time < SECONDS_END ? time * 1000 : time)),
    v.maxValue(LATEST),
  ),
  Time,
]);

/** A decimal price, as a number or as text. */
const Price = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,30}(?:\.\d{1,30})?$/), v.transform(Number))]),
  v.finite(),
  v.minValue(0),
);

/** More than any typed data of a swap, written out: it is kept with its order. */
const LONGEST_TYPED_DATA = 5_000;

const TypedDataWire = v.pipe(
  object({
    domain: v.record(v.string(), v.unknown()),
    primaryType: v.string(),
    types: v.record(v.string(), v.array(object({name: v.string(), type: v.string()}))),
    message: v.record(v.string(), v.unknown()),
  }),
  v.check(data => JSON.stringify(data).length <= LONGEST_TYPED_DATA && !hasLostDigits(data)),
  // Ordinary objects for wallets, whatever they were read as.
  v.transform(data => structuredClone(data)),
);

/** Whether a number in it is larger than JSON’s numbers can be told apart: what it was meant to be is not known. */
function hasLostDigits(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLostDigits);
}

/** More than the call of any swap. */
const CallData = upTo(4_000);

const TransactionWire = v.pipe(
  object({
    to: Name,
    value: v.nullish(Hex, '0x'),
    data: CallData,
    // Wallets estimate it themselves.
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
 * What is to be sent, under its name in the specification or under that of later generations of the service,
 * `initiate_transaction`: the first of them that can be read.
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

/** Typed data that is left out, or in no form that anybody could check and sign, leaves the transaction. */
function waysOf(typedData: unknown): readonly [FundWay, ...FundWay[]] {
  return typedData === undefined ? ['transaction'] : ['signature', 'transaction'];
}

/** API, POST orders: how to deposit depends on the kind of the source chain. */
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

/** API, POST orders: the new order's id, and how to fund it. */
export function readPlaced(result: unknown, family: ChainFamily): {orderId: string; deposit: Deposit} {
  const {order_id} = parse(object({order_id: Id}), result);
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
  // Without a word on it one is wanted and none is seen: nothing counts too early.
  required_confirmations: v.fallback(Count, 1),
  current_confirmations: v.fallback(Count, 0),
  initiate_timestamp: told(Time),
  redeem_timestamp: told(Time),
  refund_timestamp: told(Time),
});

/** More payees than anybody splits a fee between. */
const MOST_FEES = 300;

/** The shape of its elements is not documented. Each part of one is read by itself, and of one in no known shape nothing. */
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
  order_id: Id,
  affiliate_fees: told(v.pipe(v.array(FeeWire), v.maxLength(MOST_FEES))),
  integrator: told(Name),
  version: v.fallback(Short, ''),
});

/** API, GET order. */
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
      // One that was over before the order was made is a length of time, or nothing that anybody could follow.
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
    // Nothing is paid without a transaction. A payment that does not say how much it is counts as all of it: contracts take all or nothing, and nothing says that some is missing.
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

/** Something that happened, if its hash field names a transaction. */
function readDeed(
  {hashes, block: ownBlock}: v.InferOutput<typeof Hashes>,
  block = 0n,
  at?: number,
): ChainEvent | undefined {
  const inBlock = block > 0n ? block : ownBlock;
  return hashes && {hashes, ...present({block: inBlock > 0n ? inBlock : undefined, at})};
}

/**
 * The envelope of every answer (API, Endpoints). The shape of an error is not documented. One that HTTP calls an error
 * says no without a `status` too, in words under any of the names that practice has for them.
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
  return (typeof error === 'string' ? error : JSON.stringify(error)).slice(0, 500);
}

function parse<T>(schema: v.GenericSchema<unknown, T>, value: unknown): T {
  const reading = v.safeParse(schema, value);
  if (reading.success) return reading.output;
  const [issue] = reading.issues;
  const field = v.getDotPath(issue) ?? (issue.type === 'check' ? issue.message : 'result');
  // The message repeats what it read, however long that is.
  throw new SwapError('unreadable', {field, detail: issue.message.slice(0, 300)});
}
