import * as v from 'valibot';
import type {AssetId, ChainFamily} from '../domain/asset.js';
import type {Deposit, EvmTransaction} from '../domain/deposit.js';
import {SwapError} from '../domain/error.js';
import type {Deed, Leg, Order} from '../domain/order.js';
import type {Quote} from '../domain/quote.js';

/*
 * The wire format of the service, one schema per resource, and the only place that knows its snake case. Unknown fields
 * are let through unread. What money or stage depend on must be there and well-typed; the rest may be missing.
 */

/** An amount in the smallest unit (API, Amount): digits in text. Practice sends a number here and there. */
const Amount = v.pipe(
  v.union([v.pipe(v.string(), v.regex(/^\d{1,78}$/)), v.pipe(v.number(), v.safeInteger(), v.minValue(0))]),
  v.transform((digits): bigint => BigInt(digits)),
);

const AssetText = v.pipe(
  v.string(),
  v.regex(/^[^:\s]{1,64}:[^:\s]{1,64}$/),
  v.transform(text => text as AssetId),
);
const QuoteSide = v.object({
  asset: AssetText,
  amount: Amount,
  display: v.string(),
  value: v.fallback(v.pipe(v.union([v.string(), v.number()]), v.transform(String)), ''),
});

const QuoteWire = v.pipe(
  v.object({source: QuoteSide, destination: QuoteSide, solver_id: v.fallback(v.string(), '')}),
  v.transform(({source, destination, solver_id}): Quote => ({source, destination, solverId: solver_id})),
);

/** API, GET quote: one element per solver. One that cannot be read is left out, as long as there is another. */
export function readQuotes(result: unknown): readonly Quote[] {
  const offers = parse(v.array(v.unknown()), result);
  const readable = offers.filter(offer => v.is(QuoteWire, offer));
  return parse(v.array(QuoteWire), readable.length ? readable : offers);
}

/** A whole number as hex text or, in practice, as a number. */
const Hex = v.pipe(
  v.union([v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,64}$/i)), v.pipe(v.number(), v.safeInteger(), v.minValue(0))]),
  v.transform((digits): bigint => BigInt(digits)),
);

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Id = v.pipe(v.string(), v.minLength(1), v.maxLength(256));
/** Text that is empty until something happened; practice sends null as well. */
const Later = v.pipe(
  v.nullish(v.string(), ''),
  v.transform(text => text.trim()),
);
const Time = v.pipe(
  v.string(),
  v.transform(text => Date.parse(text)),
  v.number(),
  v.finite(),
);

/** Seconds since 1970 as no date of ours reaches them: what is above is meant in milliseconds. */
const SECONDS_END = 100_000_000_000;

/** A moment in seconds since 1970, as a number or digits in text, or a time as all others; milliseconds since 1970. */
const Moment = v.union([
  v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))]),
    v.finite(),
    v.transform(time => (time < SECONDS_END ? time * 1000 : time)),
  ),
  Time,
]);

const TypedDataWire = v.object({
  domain: v.record(v.string(), v.unknown()),
  primaryType: v.string(),
  types: v.record(v.string(), v.array(v.object({name: v.string(), type: v.string()}))),
  message: v.record(v.string(), v.unknown()),
});

const TransactionWire = v.pipe(
  v.object({
    to: v.string(),
    value: Hex,
    data: v.string(),
    gas_limit: v.optional(Hex, '0x0'),
    chain_id: Count,
  }),
  v.transform(({to, value, data, gas_limit, chain_id}): EvmTransaction => ({
    to,
    value,
    data,
    gasLimit: gas_limit,
    chainId: chain_id,
  })),
);

const CallWire = v.object({to: v.string(), selector: v.string(), calldata: v.array(v.string())});

/** API, POST orders: how to deposit depends on the kind of the source chain. */
const DEPOSITS = {
  bitcoin: v.pipe(
    v.object({to: Id, amount: Amount}),
    v.transform(({to, amount}): Deposit => ({how: 'transfer', address: to, amount})),
  ),
  evm: v.pipe(
    // Later generations of the service call the transaction `initiate_transaction` and may leave the typed data out.
    v.object({
      transaction: v.optional(TransactionWire),
      initiate_transaction: v.optional(TransactionWire),
      approval_transaction: v.nullish(TransactionWire),
      typed_data: v.nullish(TypedDataWire),
    }),
    v.check(({transaction, initiate_transaction}) => Boolean(transaction ?? initiate_transaction), 'transaction'),
    v.transform(({transaction, initiate_transaction, approval_transaction, typed_data}): Deposit => ({
      how: 'wallet',
      ways: typed_data ? ['signature', 'transaction'] : ['transaction'],
      payload: {
        family: 'evm',
        transaction: (transaction ?? initiate_transaction) as EvmTransaction,
        ...(typed_data ? {typedData: typed_data} : {}),
        ...(approval_transaction ? {approval: approval_transaction} : {}),
      },
    })),
  ),
  solana: v.pipe(
    v.object({versioned_tx: v.pipe(v.string(), v.minLength(1))}),
    v.transform(({versioned_tx}): Deposit => ({
      how: 'wallet',
      ways: ['transaction'],
      payload: {family: 'solana', transaction: versioned_tx},
    })),
  ),
  starknet: v.pipe(
    v.object({
      transaction: v.optional(CallWire),
      initiate_transaction: v.optional(CallWire),
      typed_data: v.nullish(TypedDataWire),
    }),
    v.check(({transaction, initiate_transaction}) => Boolean(transaction ?? initiate_transaction), 'transaction'),
    v.transform(({transaction, initiate_transaction, typed_data}): Deposit => ({
      how: 'wallet',
      ways: typed_data ? ['signature', 'transaction'] : ['transaction'],
      payload: {
        family: 'starknet',
        call: (transaction ?? initiate_transaction) as v.InferOutput<typeof CallWire>,
        ...(typed_data ? {typedData: typed_data} : {}),
      },
    })),
  ),
} satisfies Record<ChainFamily, v.GenericSchema<unknown, Deposit>>;

/** API, POST orders: the new order's id, and how to fund it. */
export function readPlaced(result: unknown, family: ChainFamily): {orderId: string; deposit: Deposit} {
  const {order_id} = parse(v.object({order_id: Id}), result);
  return {orderId: order_id, deposit: parse<Deposit>(DEPOSITS[family], result)};
}

const LegWire = v.object({
  swap_id: v.string(),
  chain: v.string(),
  asset: AssetText,
  initiator: v.string(),
  redeemer: v.string(),
  delegate: v.nullish(v.string()),
  timelock: Count,
  filled_amount: Amount,
  amount: Amount,
  secret_hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/i)),
  secret: Later,
  initiate_tx_hash: Later,
  redeem_tx_hash: Later,
  refund_tx_hash: Later,
  initiate_block_number: v.nullish(Amount, '0'),
  redeem_block_number: v.nullish(Amount, '0'),
  refund_block_number: v.nullish(Amount, '0'),
  required_confirmations: Count,
  current_confirmations: Count,
  initiate_timestamp: v.nullish(Time),
  redeem_timestamp: v.nullish(Time),
  refund_timestamp: v.nullish(Time),
});

const OrderWire = v.object({
  created_at: Time,
  deadline: v.fallback(v.optional(Moment), undefined),
  source_swap: LegWire,
  destination_swap: LegWire,
  nonce: v.fallback(v.pipe(v.union([v.string(), v.number()]), v.transform(String)), ''),
  order_id: Id,
  affiliate_fees: v.nullish(
    v.array(
      v.object({asset: AssetText, address: v.string(), fee: Count, amount: v.fallback(v.nullish(Amount), undefined)}),
    ),
    [],
  ),
  integrator: v.fallback(v.nullish(v.string()), undefined),
  version: v.fallback(v.string(), ''),
});

/** API, GET order. */
export function readOrder(result: unknown): Order {
  const wire = parse(OrderWire, result);
  return {
    id: wire.order_id,
    createdAt: wire.created_at,
    // One that was over before the order was made is a length of time, or nothing that anybody could follow.
    ...(wire.deadline !== undefined && wire.deadline > wire.created_at ? {deadline: wire.deadline} : {}),
    source: readLeg(wire.source_swap),
    destination: readLeg(wire.destination_swap),
    nonce: wire.nonce,
    affiliateFees: wire.affiliate_fees.map(({asset, address, fee, amount}) => ({
      asset,
      address,
      bps: fee,
      ...(amount == null ? {} : {amount}),
    })),
    ...(wire.integrator == null ? {} : {integrator: wire.integrator}),
    version: wire.version,
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
    ...(leg.delegate == null ? {} : {delegate: leg.delegate}),
    timelock: leg.timelock,
    amount: leg.amount,
    filled: leg.filled_amount,
    secretHash: leg.secret_hash.toLowerCase(),
    secret: leg.secret,
    ...(initiated && {initiated}),
    ...(redeemed && {redeemed}),
    ...(refunded && {refunded}),
    confirmations: {current: leg.current_confirmations, required: leg.required_confirmations},
  };
}

/** A hash field: empty, a hash, `<hash>:<block>` (API, Swap object), or in practice a comma list of those. */
function readDeed(text: string, blockNumber: bigint, at: number | null | undefined): Deed | undefined {
  const entries = text
    .split(',')
    .map(entry => entry.trim().split(':'))
    .filter(([hash]) => hash);
  const [first, ...others] = entries.map(([hash = '']) => hash);
  if (first === undefined) return undefined;
  const ownBlock = entries.at(-1)?.[1] ?? '';
  const block = blockNumber > 0n ? blockNumber : /^\d{1,20}$/.test(ownBlock) ? BigInt(ownBlock) : 0n;
  return {hashes: [first, ...others], ...(block > 0n ? {block} : {}), ...(at == null ? {} : {at})};
}

/** The envelope of every answer (API, Endpoints); the shape of an error is not documented, this is what practice sends. */
export function readEnvelope(body: unknown): {ok: true; result: unknown} | {ok: false; error: string} {
  const envelope = v.safeParse(
    v.object({status: v.string(), result: v.optional(v.unknown()), error: v.optional(v.unknown())}),
    body,
  );
  if (!envelope.success) {
    const loose = v.safeParse(v.object({status: v.optional(v.unknown()), error: v.unknown()}), body);
    if (loose.success && loose.output.error) return {ok: false, error: errorText(loose.output.error)};
    throw new SwapError('unreadable', {field: 'status'});
  }
  const {status, result, error} = envelope.output;
  return status === 'Ok' ? {ok: true, result} : {ok: false, error: errorText(error)};
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
  throw new SwapError('unreadable', {field, detail: issue.message});
}
