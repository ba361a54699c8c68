import * as v from 'valibot';
import type {ChainFamily} from '../domain/asset.js';
import {bare, type Deposit, type EvmTransaction, type FundWay} from '../domain/deposit.js';
import {SwapError} from '../domain/error.js';
import {writeJson} from '../domain/json.js';
import type {ChainEvent, Leg, Order} from '../domain/order.js';
import type {AmountLimits, LimitsByAsset, Quote} from '../domain/quote.js';
import {rulesOf, type RoutePolicy} from '../domain/routes.js';
import {
  Amount,
  AssetText,
  Count,
  Digits,
  Hashes,
  Hex,
  Id,
  Moment,
  Name,
  object,
  OrderId,
  parse,
  present,
  Price,
  Short,
  Time,
  told,
  TypedDataWire,
  upTo,
} from './values.js';

/*
 * The service's wire format, one schema per resource, and the only place that uses its snake case. Unknown fields are
 * ignored. Fields that amounts, checks or the stage depend on must be present and well-typed, in any known spelling,
 * and not longer than they ever need to be; other fields are absent if they cannot be read.
 */

const QuoteSide = object({
  asset: AssetText,
  amount: Amount,
  display: Short,
  value: v.fallback(v.pipe(v.union([Short, v.number()]), v.transform(String)), ''),
});

/** The duration of a swap. More than a week does not count. */
const Seconds = v.pipe(Price, v.minValue(1), v.maxValue(604_800));

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
