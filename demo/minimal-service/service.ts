/**
 * A service of the specification and nothing else: quotes, orders, initiation by signature, and reading an order.
 *
 * It is what somebody builds who has read only that document. It runs on the sandbox's chains, where its contracts, its
 * program and its script are under addresses that the widget does not know (`legs.ts`). It settles every swap: it pays
 * the recipient, and takes the payment with the secret.
 */
import {createHash, randomBytes} from 'node:crypto';
import {Hono} from 'hono';
import {cors} from 'hono/cors';
import {RequestError, type ChainLeg} from '../sandbox/chains/leg.js';
import {failed, serveApp, type RunningServer} from '../sandbox/http.js';
import {findAsset} from '../sandbox/orders.js';
import {createPricing, quoteSide} from '../sandbox/pricing.js';
import {contractsIn, fieldsAt, openDestination, openSource, type Kind, type Leg} from './legs.js';

export interface MinimalService extends RunningServer {
  /** What a site that vouches for this service sets: the widget's `contracts`. */
  readonly contracts: string;
}

interface Order {
  readonly id: string;
  readonly createdAt: string;
  readonly secret: string;
  readonly fees: unknown;
  readonly source: Leg;
  readonly destination: Leg;
  isBusy: boolean;
}

/** The solver, and its fee in basis points. */
const SOLVER = {id: `0x${'5e'.repeat(20)}`, fee: 30n};
const PAUSE_MS = 100;

export async function startMinimalService(chains: readonly ChainLeg[], kind: Kind): Promise<MinimalService> {
  const orders = new Map<string, Order>();
  const pricing = createPricing([SOLVER], 1);
  const app = new Hono();
  app.use(cors({origin: '*', allowMethods: ['GET', 'POST', 'PATCH'], exposeHeaders: ['Date']}));
  app.onError((error, context) => failed(context, error.message, error instanceof RequestError ? error.status : 400));

  const assetOf = (id = '') => {
    const asset = findAsset(chains, id);
    return asset?.chain.others[id] ? asset : refuse(`Asset '${id}' not found`);
  };
  const orderOf = (id: string) => orders.get(id) ?? refuse('order not found', 404);

  app.get('/v2/quote', context => {
    const {from, to, from_amount: amount = '', affiliate_fee: bps = '0'} = context.req.query();
    const [paid, received] = [assetOf(from), assetOf(to)];
    if (!/^[1-9]\d*$/.test(amount) || !/^\d{1,4}$/.test(bps) || paid.asset === received.asset)
      refuse('from, to, from_amount, affiliate_fee: not a pair and an amount');
    const result = pricing.quote(paid, received, BigInt(amount), Number(bps)).map(quote => ({
      source: quoteSide(paid, quote.fromAmount, quote.prices),
      destination: quoteSide(received, quote.toAmount, quote.prices),
      solver_id: SOLVER.id,
    }));
    return context.json({status: 'Ok', result});
  });

  app.post('/v2/orders', async context => {
    type Side = Record<'asset' | 'owner' | 'amount', string>;
    const body = await context.req.json<{source: Side; destination: Side; affiliate_fees?: unknown}>();
    const {source, destination, affiliate_fees: fees = []} = body;
    const [{chain: from}, {chain: to}] = [assetOf(source.asset), assetOf(destination.asset)];
    const [amount, receive] = [BigInt(source.amount), BigInt(destination.amount)];
    const quotes = pricing.recent(source.asset, destination.asset);
    if (!quotes.some(({fromAmount, toAmount}) => fromAmount === amount && toAmount === receive))
      refuse('source.amount, destination.amount: not those of a quote');
    const secret = randomBytes(32);
    const secretHash = createHash('sha256').update(secret).digest('hex');
    const [initiator, recipient] = [addressOn(from, source.owner), addressOn(to, destination.owner)];
    const paid = {asset: source.asset, initiator, redeemer: from.solvers[0] ?? '', amount, secretHash};
    const out = {asset: destination.asset, initiator: to.solvers[0] ?? '', amount: receive, secretHash};
    const order: Order = {
      id: randomBytes(16).toString('hex'),
      createdAt: new Date().toISOString(),
      secret: secret.toString('hex'),
      fees,
      source: await openSource(from, {...paid, timelock: from.timelocks.source}, kind),
      destination: openDestination(to, {...out, redeemer: recipient, timelock: to.timelocks.destination}),
      isBusy: false,
    };
    orders.set(order.id, order);
    return context.json({status: 'Ok', result: {order_id: order.id, ...order.source.answer}});
  });

  app.patch('/v2/orders/:id', async context => {
    const {signature} = await context.req.json<{signature: unknown}>();
    return context.json({status: 'Ok', result: await orderOf(context.req.param('id')).source.sign(signature)});
  });

  app.get('/v2/orders/:id', async context =>
    context.json({status: 'Ok', result: await orderJson(orderOf(context.req.param('id')))}),
  );

  const timer = setInterval(() => orders.forEach(order => void settle(order)), PAUSE_MS);
  const server = await serveApp(app, 0);
  const close = () => (clearInterval(timer), server.close());
  return {url: server.url, contracts: contractsIn(chains, kind), close};
}

function refuse(why: string, status: 400 | 404 = 400): never {
  throw new RequestError(why, status);
}

function addressOn(chain: ChainLeg, text: string): string {
  const read = chain.readAddress(text);
  return 'problem' in read ? refuse(`owner: ${read.problem}`) : read.address;
}

/** Pays the recipient once the payment is there, and takes the payment once the secret is out. */
async function settle(order: Order): Promise<void> {
  const {source, destination, secret} = order;
  if (order.isBusy) return;
  order.isBusy = true;
  try {
    const [paid, out] = [await source.state(), await destination.state()];
    const isPaid = paid.matchesTerms && source.confirmations(paid) >= source.required;
    if (isPaid && !out.initiated && !paid.refunded) await destination.initiate();
    else if (isPaid && out.initiated && !out.redeemed) await destination.redeem(secret);
    else if (out.redeemed && !paid.redeemed) await source.redeem(secret);
  } catch {
    // The chain is asked again.
  } finally {
    order.isBusy = false;
  }
}

async function orderJson({id, createdAt: created_at, source, destination, fees}: Order) {
  const [paid, out] = [await source.state(), await destination.state()];
  const common = {created_at, secret: out.redeemed?.secret ?? ''};
  return {
    created_at,
    source_swap: {...common, ...fieldsAt(source, paid)},
    destination_swap: {...common, ...fieldsAt(destination, out)},
    nonce: String(parseInt(id.slice(0, 12), 16)),
    order_id: id,
    affiliate_fees: fees,
    version: 'v1',
  };
}
