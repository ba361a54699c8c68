/**
 * The orders, in memory. An order stores what was agreed; its state is read from the chains each time, so a
 * reorganization moves it back.
 *
 * Real: every field. Ours: that the service generates the secret, and the texts of errors; the API specifies neither.
 */
import {createHash, randomBytes} from 'node:crypto';
import * as v from 'valibot';
import {
  affiliateEntries,
  createPayouts,
  feesOf,
  readPayees,
  type AffiliateFee,
  type EarnedFee,
  type Payouts,
} from './affiliates.js';
import {
  RequestError,
  type ChainLeg,
  type LegState,
  type SeenTransaction,
  type SourceAnswer,
  type Terms,
} from './chains/leg.js';
import {check, type Faults} from './faults.js';
import {priceNumber, type IssuedQuote, type PricedAsset, type Pricing} from './pricing.js';

export interface OrderLeg {
  readonly chain: ChainLeg;
  readonly terms: Terms;
  readonly swapId: string;
  readonly price: number;
  readonly requiredConfirmations: number;
}

export interface Order {
  readonly id: string;
  /** The app that placed it, whose faults affect the order. Any app can read an order. */
  readonly appId: string | null;
  readonly createdAt: string;
  readonly nonce: string;
  readonly secret: string;
  readonly source: OrderLeg;
  readonly destination: OrderLeg;
  readonly affiliateFees: readonly AffiliateFee[];
  readonly integrator?: string;
  readonly version: 'v1' | 'v2';
  /** Whether its owner can initiate it by signature. */
  readonly gasless: boolean;
  /** The deposit window, in milliseconds since the order was created. */
  readonly windowMs: number;
  /** Whether the order includes the service's half of an instant refund, on chains that have one. */
  readonly showsInstantRefund: boolean;
}

export interface Orders {
  create(body: unknown, appId: string | null): Promise<SourceAnswer>;
  initiate(id: string, signature: unknown): Promise<string>;
  /** The order as JSON of the API, after syncing its chains. */
  read(id: string): Promise<Record<string, unknown>>;
  find(id: string): Order;
  all(): Iterable<Order>;
  stateOf(order: Order): {source: LegState; destination: LegState};
  isConfirmed(order: Order): boolean;
  /** Whether a deposit at this time (default: now) is within the order's deposit window. */
  isInTime(order: Order, at?: Date): boolean;
  /** Pays affiliates what complete orders owe them, at the end of each week. */
  readonly payouts: Payouts;
}

/** A deposit after this time is late: it is not served but returned, at the latest after its timelock. */
const DEPOSIT_WINDOW_MS = 60 * 60_000;

const text = v.pipe(v.string(), v.nonEmpty('must not be empty'));
const amountText = v.pipe(
  v.string('must be a string of decimal digits'),
  v.regex(/^[1-9]\d{0,77}$/, 'must be a positive integer in the smallest unit, as decimal digits'),
);
const side = v.object({asset: text, owner: text, amount: amountText});
const orderBody = v.object({
  source: side,
  destination: side,
  affiliate_fees: v.optional(affiliateEntries, []),
  solver_id: v.optional(v.string()),
});
type OrderBody = v.InferOutput<typeof orderBody>;

export interface OrdersOptions {
  readonly chains: readonly ChainLeg[];
  readonly pricing: Pricing;
  readonly faults: Faults;
  integratorOf(appId: string | null): string | undefined;
}

export function findAsset(chains: readonly ChainLeg[], asset: string): (PricedAsset & {chain: ChainLeg}) | undefined {
  const chain = chains.find(({assets}) => Object.hasOwn(assets, asset));
  const local = chain?.assets[asset];
  return chain && local && {asset, symbol: local.symbol, decimals: local.decimals, chain};
}

export function createOrders({chains, pricing, faults, integratorOf}: OrdersOptions): Orders {
  const orders = new Map<string, Order>();

  function assetOf(asset: string, field: string) {
    const found = findAsset(chains, asset);
    if (!found) throw new RequestError(`${field}: Asset '${asset}' not found`);
    return found;
  }

  function addressOn(chain: ChainLeg, given: string, field: string): string {
    const read = chain.readAddress(given);
    if ('problem' in read) throw new RequestError(`${field}: Invalid address format, ${read.problem}`);
    return read.address;
  }

  /**
   * The quote that this order repeats; the newest of several, since quotes have no ids in the API.
   * @throws RequestError that names the first field that matches no quote of the last minute.
   */
  function quoteFor({source, destination, affiliate_fees, solver_id}: OrderBody): IssuedQuote {
    const bps = affiliate_fees.reduce((sum, {fee}) => sum + fee, 0);
    const narrow = (quotes: IssuedQuote[], holds: (quote: IssuedQuote) => boolean, refusal: string) => {
      const left = quotes.filter(holds);
      if (left.length === 0) throw new RequestError(refusal);
      return left;
    };
    let quotes = pricing.recent(source.asset, destination.asset);
    if (quotes.length === 0) {
      throw new RequestError(
        `source.asset: no quote of the last 60 seconds from ${source.asset} to ${destination.asset}`,
      );
    }
    quotes = narrow(
      quotes,
      ({fromAmount}) => fromAmount === BigInt(source.amount),
      'source.amount: not that of a quote of the last 60 seconds',
    );
    quotes = narrow(
      quotes,
      ({affiliateBps}) => affiliateBps === bps,
      `affiliate_fees: these come to ${bps} basis points, which no quote of the last 60 seconds was asked with`,
    );
    quotes = narrow(
      quotes,
      ({toAmount}) => toAmount === BigInt(destination.amount),
      'destination.amount: not that of a quote of the last 60 seconds',
    );
    const offered = (quote: IssuedQuote) => pricing.solvers[quote.solver]?.id === solver_id;
    if (solver_id !== undefined) quotes = narrow(quotes, offered, 'solver_id: Invalid strategy id');
    const [quote] = quotes;
    if (!quote) throw new Error('the quote is gone');
    return quote;
  }

  function placeOrder(given: unknown, appId: string | null): Order {
    const body = check(orderBody, given);
    const from = assetOf(body.source.asset, 'source.asset');
    const to = assetOf(body.destination.asset, 'destination.asset');
    if (from.asset === to.asset) throw new RequestError(`No order pair found : ${from.asset}::${to.asset}`);
    const owner = addressOn(from.chain, body.source.owner, 'source.owner');
    const recipient = addressOn(to.chain, body.destination.owner, 'destination.owner');
    const payees = readPayees(chains, body.affiliate_fees);
    const quote = quoteFor(body);
    const solver = {source: from.chain.solvers[quote.solver], destination: to.chain.solvers[quote.solver]};
    if (!solver.source || !solver.destination) throw new Error(`solver ${quote.solver} is not on both chains`);
    if (owner === solver.source) throw new RequestError("source.owner: is the solver's own address");
    if (recipient === solver.destination) throw new RequestError("destination.owner: is the solver's own address");

    const secret = randomBytes(32);
    const secretHash = createHash('sha256').update(secret).digest('hex');
    const leg = (
      asset: PricedAsset & {chain: ChainLeg},
      requiredConfirmations: number,
      agreed: Omit<Terms, 'secretHash' | 'delegate'>,
    ): OrderLeg => {
      const delegate = asset.chain.delegateOf?.(secretHash);
      const terms = {...agreed, secretHash, ...(delegate !== undefined && {delegate})};
      return {
        chain: asset.chain,
        terms,
        swapId: asset.chain.swapId(terms),
        price: priceNumber(quote, asset),
        requiredConfirmations,
      };
    };
    const wanted = faults.take('confirmations', appId, 'order')?.required ?? from.chain.confirmations ?? 1;
    const seconds = faults.take('depositWindow', appId, 'order')?.seconds;
    const integrator = integratorOf(appId);
    const order: Order = {
      id: randomBytes(32).toString('hex'),
      appId,
      createdAt: timestamp(),
      // Above 2^53, like real nonces: clients that read it as a number lose digits.
      nonce: (randomBytes(8).readBigUInt64BE() | (1n << 63n)).toString(),
      secret: secret.toString('hex'),
      source: leg(from, wanted, {
        asset: from.asset,
        initiator: owner,
        redeemer: solver.source,
        timelock: from.chain.timelocks.source,
        amount: quote.fromAmount,
      }),
      destination: leg(to, 0, {
        asset: to.asset,
        initiator: solver.destination,
        redeemer: recipient,
        timelock: to.chain.timelocks.destination,
        amount: quote.toAmount,
      }),
      affiliateFees: feesOf(payees, quote),
      ...(integrator && {integrator}),
      version: faults.take('laterAnswer', appId, 'order') ? 'v2' : 'v1',
      gasless: from.chain.initiateSigned !== undefined && !faults.take('noTypedData', appId, 'order'),
      windowMs: seconds === undefined ? DEPOSIT_WINDOW_MS : seconds * 1_000,
      showsInstantRefund: !faults.take('noInstantRefund', appId, 'order'),
    };
    orders.set(order.id, order);
    return order;
  }

  function find(id: string): Order {
    const order = orders.get(id);
    if (!order) throw new RequestError('order_id: order not found', 404);
    return order;
  }

  function stateOf({source, destination, appId}: Order) {
    const state = source.chain.stateOf(source.terms);
    const {initiated} = state;
    const late = faults.holds('lateBlock', appId);
    const waits = late && initiated && Date.now() - initiated.at.getTime() < late.seconds * 1_000;
    return {
      source: waits ? {...state, initiated: withoutBlock(initiated)} : state,
      destination: destination.chain.stateOf(destination.terms),
    };
  }

  const isInTime = (order: Order, at = new Date()) => at.getTime() - Date.parse(order.createdAt) < order.windowMs;

  function* earnedFees(): Iterable<EarnedFee> {
    for (const order of orders.values()) {
      const {affiliateFees, appId} = order;
      const at = affiliateFees.length ? stateOf(order).destination.redeemed?.at : undefined;
      if (at) for (const fee of affiliateFees) yield {fee, appId, at};
    }
  }

  return {
    find,
    stateOf,
    isInTime: isInTime,
    all: () => orders.values(),
    isConfirmed: order => confirmations(order.source, stateOf(order).source) >= order.source.requiredConfirmations,

    async create(body, appId) {
      const {source, id, version, gasless} = placeOrder(body, appId);
      let answer = version === 'v2' ? await source.chain.laterSource(source.terms) : source.chain.source(source.terms);
      if (!gasless && 'typed_data' in answer) answer = {...answer, typed_data: null};
      const {kind = ''} = faults.holds('hostile', appId) ?? {};
      const corrupt = source.chain.corruptions[kind];
      if (corrupt) {
        answer = corrupt(answer, source.terms);
        faults.end('hostile', appId);
      }
      return {order_id: id, ...answer};
    },

    async initiate(id, signature) {
      const order = find(id);
      const {chain, terms} = order.source;
      if (!order.gasless || !chain.initiateSigned)
        throw new RequestError(`${chain.name} is not supported for initiations`);
      if (signature === undefined || signature === null || signature === '') {
        throw new RequestError('signature: Missing signature');
      }
      if (!isInTime(order)) throw new RequestError('Invalid swap request : the deposit window is over');
      return chain.initiateSigned(terms, signature);
    },

    async read(id) {
      const order = find(id);
      await Promise.all([order.source.chain.sync(), order.destination.chain.sync()]);
      return orderJson(order, stateOf(order));
    },

    payouts: createPayouts(chains, earnedFees, faults),
  };
}

/** A transaction as if it were still unconfirmed. */
function withoutBlock({hash, at}: SeenTransaction): SeenTransaction {
  return {hash: hash.replaceAll(/:\d+/g, ''), block: 0, at};
}

function confirmations({chain}: OrderLeg, {initiated}: LegState): number {
  return initiated && initiated.block > 0 ? chain.height() - initiated.block + 1 : 0;
}

function orderJson(order: Order, state: {source: LegState; destination: LegState}): Record<string, unknown> {
  const secret = state.destination.redeemed?.secret ?? state.source.redeemed?.secret ?? '';
  return {
    created_at: order.createdAt,
    source_swap: {
      ...legJson(order, order.source, state.source, secret),
      ...instantRefundJson(order),
    },
    destination_swap: legJson(order, order.destination, state.destination, secret),
    nonce: order.nonce,
    order_id: order.id,
    affiliate_fees: order.affiliateFees.map(({amount, ...fee}) => ({...fee, amount: amount.toString()})),
    ...(order.integrator && {integrator: order.integrator}),
    version: order.version,
  };
}

function legJson({createdAt}: Order, leg: OrderLeg, state: LegState, secret: string): Record<string, unknown> {
  const hash = (seen?: SeenTransaction) => seen?.hash ?? '';
  const block = (seen?: SeenTransaction) => String(seen?.block ?? 0);
  const time = (seen?: SeenTransaction) => seen?.at.toISOString() ?? null;
  const {initiated, redeemed, refunded} = state;
  return {
    created_at: createdAt,
    swap_id: leg.swapId,
    chain: leg.chain.name,
    asset: leg.terms.asset,
    initiator: leg.terms.initiator,
    redeemer: leg.terms.redeemer,
    ...(leg.terms.delegate !== undefined && {delegate: leg.terms.delegate}),
    timelock: leg.terms.timelock,
    filled_amount: state.filled.toString(),
    asset_price: leg.price,
    amount: leg.terms.amount.toString(),
    secret_hash: leg.terms.secretHash,
    secret,
    initiate_tx_hash: hash(initiated),
    redeem_tx_hash: hash(redeemed),
    refund_tx_hash: hash(refunded),
    initiate_block_number: block(initiated),
    redeem_block_number: block(redeemed),
    refund_block_number: block(refunded),
    required_confirmations: leg.requiredConfirmations,
    // Published orders never count beyond the required confirmations.
    current_confirmations: Math.min(confirmations(leg, state), leg.requiredConfirmations),
    initiate_timestamp: time(initiated),
    redeem_timestamp: time(redeemed),
    refund_timestamp: time(refunded),
  };
}

/** Only on a source leg of the Bitcoin family (API, Swap object). */
function instantRefundJson({source: {chain, terms}, showsInstantRefund}: Order): Record<string, string> {
  const half = chain.instantRefund?.(terms);
  return half === undefined ? {} : {instant_refund_tx: showsInstantRefund ? half : ''};
}

/** The current time with microseconds, as in timestamps of the API. */
function timestamp(): string {
  const micros = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1_000));
  const whole = new Date(Number(micros / 1_000n)).toISOString().slice(0, -1);
  return `${whole}${(micros % 1_000n).toString().padStart(3, '0')}Z`;
}
