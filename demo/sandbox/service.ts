/**
 * The documented service over HTTP: quotes, orders, gasless initiation, order status, with the faults of `faults.ts`.
 *
 * Real: every endpoint, field and type of the specification. Ours: the words of errors, which it leaves open.
 */
import {RESPONSE_ALREADY_SENT} from '@hono/node-server/utils/response';
import type {HttpBindings} from '@hono/node-server';
import {Hono, type Context} from 'hono';
import {bodyLimit} from 'hono/body-limit';
import {cors} from 'hono/cors';
import {createMiddleware} from 'hono/factory';
import {rangeText, quoteSide, type Pricing} from './pricing.js';
import {Refusal, type ChainLeg} from './chains/leg.js';
import {isAppId, type Endpoint, type Faults} from './faults.js';
import {findAsset, type Orders} from './orders.js';

export interface ServiceParts {
  readonly chains: readonly ChainLeg[];
  readonly pricing: Pricing;
  readonly orders: Orders;
  readonly faults: Faults;
}

export type Env = {Bindings: HttpBindings; Variables: {appId: string | null; endpoint: Endpoint}};
type Ctx = Context<Env>;

/** The lies that concern no chain: the order as read back is not the one that was placed. */
export const ORDER_LIES: Readonly<Record<string, (order: Record<string, Leg>) => void>> = {
  recipient: ({destination_swap}) => {
    if (destination_swap) destination_swap['redeemer'] = '0x000000000000000000000000000000000000dEaD';
  },
  'destination-amount': ({destination_swap}) => {
    if (destination_swap) destination_swap['amount'] = String(BigInt(String(destination_swap['amount'])) / 2n);
  },
  'secret-hash': ({source_swap}) => {
    if (source_swap) source_swap['secret_hash'] = '5a'.repeat(32);
  },
};
type Leg = Record<string, unknown>;

export function createService({chains, pricing, orders, faults}: ServiceParts): Hono<Env> {
  const app = new Hono<Env>();

  app.use(
    '/v2/*',
    cors({
      origin: '*',
      // Any header that is asked for: clients name the one of the app id as they like.
      allowHeaders: [],
      allowMethods: ['GET', 'POST', 'PATCH', 'OPTIONS'],
      exposeHeaders: ['Retry-After'],
      maxAge: 600,
    }),
  );
  app.use('/v2/*', limitedBody);
  app.onError(answerError);

  /** Who asks, and what goes wrong for them. */
  const around = (endpoint: Endpoint) =>
    createMiddleware<Env>(async (context, next) => {
      const appId = appIdOf(context.req.header());
      context.set('appId', appId);
      context.set('endpoint', endpoint);
      // A browser sends a request again by itself when a connection that it had used before breaks.
      context.header('connection', 'close');
      if (appId !== null && !isAppId(appId)) {
        throw new Refusal('service-app-id: must be 64 lowercase hex characters', 401);
      }
      const early = await before(context, faults);
      if (early) return early;
      await next();
      await after(context, faults);
      return undefined;
    });

  app.get('/v2/quote', around('quote'), context => {
    const {appId, endpoint} = context.var;
    const query = (name: string) => {
      const [value, ...others] = context.req.queries(name) ?? [];
      if (others.length) throw new Refusal(`${name}: is given more than once`);
      return value;
    };
    const assetOf = (field: 'from' | 'to') => {
      const asset = query(field);
      if (!asset) throw new Refusal(`${field}: is missing`);
      const found = findAsset(chains, asset);
      if (!found) throw new Refusal(`${field}: Asset '${asset}' not found`);
      return found;
    };
    const from = assetOf('from');
    const to = assetOf('to');
    if (from.asset === to.asset) throw new Refusal(`No order pair found : ${from.asset}::${to.asset}`);
    const amount = query('from_amount');
    if (amount === undefined) throw new Refusal('from_amount: is missing');
    if (!/^[1-9]\d{0,77}$/.test(amount)) {
      throw new Refusal('from_amount: must be a positive integer in the smallest unit, as decimal digits');
    }
    const bps = query('affiliate_fee') ?? '0';
    if (!/^\d{1,5}$/.test(bps) || Number(bps) > 10_000) {
      throw new Refusal('affiliate_fee: must be whole basis points, from 0 to 10000');
    }
    const range = faults.take('amountOutOfRange', appId, endpoint);
    if (range) throw new Refusal(rangeText(BigInt(range.min), BigInt(range.max)));
    if (faults.take('emptyQuotes', appId, endpoint)) return succeeded(context, []);
    const nothing = faults.take('zeroQuotes', appId, endpoint);
    const worse = faults.take('worsePrice', appId, endpoint)?.bps;
    const estimate = faults.take('estimatedTime', appId, endpoint);
    const quotes = pricing.quote(from, to, BigInt(amount), Number(bps), worse);
    return succeeded(
      context,
      quotes.map(({fromAmount, toAmount, solver, prices}) => ({
        source: quoteSide(from, fromAmount, prices),
        destination: quoteSide(to, nothing ? 0n : toAmount, prices),
        solver_id: pricing.solvers[solver]?.id,
        ...(estimate && {estimated_time: estimate.seconds}),
      })),
    );
  });

  // Not in the specification: served to those alone who ask for it.
  app.get('/v2/assets', context => {
    if (!faults.take('assetList', appIdOf(context.req.header()), 'quote')) return answerNotFound(context);
    const assets = chains.flatMap(({name: chain, assets}) =>
      Object.entries(assets).map(([id, {symbol, decimals}]) => {
        const {min, max} = pricing.limits(symbol);
        return {id, chain, decimals, min_amount: String(min), max_amount: String(max)};
      }),
    );
    return succeeded(context, assets);
  });

  app.post('/v2/orders', around('order'), async context => {
    return succeeded(context, await orders.create(await readJson(context), context.var.appId));
  });

  app.patch('/v2/orders/:id', around('initiate'), async context => {
    const {appId, endpoint} = context.var;
    if (context.req.query('action') !== 'initiate') throw new Refusal('action: must be initiate');
    const order = orders.find(context.req.param('id'));
    const body = await readJson(context);
    if (typeof body !== 'object' || body === null) throw new Refusal('body: must be an object');
    if (faults.take('gaslessRefused', appId, endpoint)) {
      throw new Refusal(`${order.source.chain.name} is not supported for initiations`);
    }
    return succeeded(context, await orders.initiate(order.id, (body as Record<string, unknown>)['signature']));
  });

  app.get('/v2/orders/:id', around('read'), async context => {
    const {appId, endpoint} = context.var;
    const order = await orders.read(context.req.param('id'));
    const lie = ORDER_LIES[faults.holds('hostile', appId)?.kind ?? ''];
    if (lie && faults.take('hostile', appId, endpoint)) lie(order as Record<string, Leg>);
    return succeeded(context, order);
  });

  return app;
}

/** The app id: in its own header, or in whichever other one a client was told to put it. */
function appIdOf(headers: Readonly<Record<string, string>>): string | null {
  return headers['service-app-id'] ?? Object.values(headers).find(isAppId) ?? null;
}

async function before(context: Ctx, faults: Faults): Promise<Response | undefined> {
  const {appId, endpoint} = context.var;
  const slow = faults.take('slow', appId, endpoint);
  if (slow) await new Promise(resolve => setTimeout(resolve, slow.ms));

  if (faults.holds('dropped', appId)?.when === 'before' && faults.take('dropped', appId, endpoint)) {
    context.env.incoming.socket.destroy();
    return RESPONSE_ALREADY_SENT;
  }
  if (faults.take('unauthorized', appId, endpoint)) {
    const text = appId === null ? 'service-app-id: is missing' : 'service-app-id: unknown app id';
    throw new Refusal(text, 401);
  }
  const limit = faults.take('rateLimited', appId, endpoint);
  if (limit) {
    context.header('Retry-After', String(limit.retryAfter));
    return failed(context, 'too many requests', 429);
  }
  const crash = faults.take('serverError', appId, endpoint);
  if (crash) {
    const page = `<!doctype html><title>${crash.status}</title><h1>${crash.status}</h1><p>The origin did not answer.</p>`;
    return context.html(page, crash.status as 500);
  }
  const refused = faults.take('refused', appId, endpoint);
  if (refused) throw new Refusal(refused.text, refused.status);
  const error = faults.take('errorWithOk', appId, endpoint);
  return error && context.json({status: 'Error', error: error.text}, 200);
}

/** Spoils an answer to a request that was processed. */
async function after(context: Ctx, faults: Faults): Promise<void> {
  const {appId, endpoint} = context.var;
  if (context.res.status !== 200) return;

  if (faults.take('dropped', appId, endpoint)) {
    // With the head of an answer sent, no browser takes the request for one that may be sent again.
    const {outgoing} = context.env;
    outgoing.writeHead(200, {...Object.fromEntries(context.res.headers), 'content-length': '4096'});
    outgoing.write('{"status":', () => outgoing.destroy());
    context.res = RESPONSE_ALREADY_SENT;
    return;
  }
  const spoil = async (change: (text: string) => string) => {
    context.res = new Response(change(await context.res.text()), context.res);
  };
  if (faults.take('malformed', appId, endpoint)) return spoil(text => text.replaceAll('"', "'"));
  if (faults.take('cut', appId, endpoint)) return spoil(text => text.slice(0, text.length / 2));
  const missing = faults.take('missingFields', appId, endpoint);
  if (missing) {
    const without = (key: string, value: unknown) => (missing.fields.includes(key) ? undefined : value);
    await spoil(text => JSON.stringify(JSON.parse(text, without)));
  }
}

function succeeded(context: Ctx, result: unknown): Response {
  return context.json({status: 'Ok', result} as object);
}

function failed(context: Context, error: string, status: number): Response {
  return context.json({status: 'Error', error}, status as 400);
}

export function answerNotFound(context: Context): Response {
  return failed(context, `${context.req.method} ${context.req.path}: no such endpoint`, 404);
}

/** Whatever was thrown, as the interface's error. */
export function answerError(error: Error, context: Context): Response {
  if (error instanceof Refusal) return failed(context, error.text, error.status);
  console.error(error);
  return failed(context, 'internal error', 500);
}

/** More than any request of the interface needs, with the longest signature of an account that is a contract. */
const MOST_BYTES = 65_536;

/** Refuses a body that is too large before it is in memory. */
export const limitedBody = bodyLimit({
  maxSize: MOST_BYTES,
  onError(context) {
    context.header('connection', 'close');
    return failed(context, `body: must be at most ${MOST_BYTES} bytes`, 413);
  },
});

/** The JSON of a request's body. */
export async function readJson(context: Context): Promise<unknown> {
  if (!/^application\/json\b/i.test(context.req.header('content-type') ?? '')) {
    throw new Refusal('content-type: must be application/json', 415);
  }
  try {
    return (await context.req.json()) as unknown;
  } catch {
    throw new Refusal('body: must be JSON');
  }
}
