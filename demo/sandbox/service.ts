/**
 * The documented service over HTTP: quotes, orders, gasless initiation and order status, with faults (`faults.ts`).
 *
 * Real: every endpoint, field and type of the specification. Ours: the texts of errors, which it does not specify.
 */
import {RESPONSE_ALREADY_SENT} from '@hono/node-server/utils/response';
import type {HttpBindings} from '@hono/node-server';
import {Hono, type Context} from 'hono';
import {cors} from 'hono/cors';
import {createMiddleware} from 'hono/factory';
import {rangeText, quoteSide, type Pricing} from './pricing.js';
import {RequestError, type ChainLeg} from './chains/leg.js';
import {DIFFERENCES, PREFLIGHTS, type Answering} from './differences.js';
import {isAppId, type Endpoint, type Faults} from './faults.js';
import {answerNotFound, failed} from './http.js';
import {findAsset, type Orders} from './orders.js';

export interface ServiceParts {
  readonly chains: readonly ChainLeg[];
  readonly pricing: Pricing;
  readonly orders: Orders;
  readonly faults: Faults;
}

export type Env = {
  Bindings: HttpBindings;
  Variables: {
    appId: string | null;
    endpoint: Endpoint;
    /** The request's body as text, empty if it has none: `limitedBody`. */
    body: string;
    /** Aborted when the sandbox closes. */
    closing?: AbortSignal;
  };
};
type Ctx = Context<Env>;

/** Falsifications that depend on no chain: the order read back differs from the one placed. */
export const ORDER_CORRUPTIONS: Readonly<Record<string, (order: Record<string, Leg>) => void>> = {
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

export function createService(parts: ServiceParts): Hono<Env> {
  const {chains, pricing, orders, faults} = parts;
  const app = new Hono<Env>();

  app.use(async (context, next) => {
    await next();
    const kind = context.req.method === 'OPTIONS' && faults.anywhere('differs')?.kind;
    const edit = kind ? PREFLIGHTS[kind] : undefined;
    if (edit) replaceAnswer(context, edit, null);
  });
  // Pages of any origin can also read the error for an unknown endpoint.
  app.use(
    cors({
      origin: '*',
      // Any requested header: clients choose the name of the app id's header.
      allowHeaders: [],
      allowMethods: ['GET', 'POST', 'PATCH', 'OPTIONS'],
      exposeHeaders: ['Retry-After', 'Date'],
      maxAge: 600,
    }),
  );
  app.use('/v2/*', limitedBody);
  app.onError(answerError);

  const withFaults = (endpoint: Endpoint) =>
    createMiddleware<Env>(async (context, next) => {
      const appId = appIdOf(context.req.header());
      context.set('appId', appId);
      context.set('endpoint', endpoint);
      // Browsers retry a request on their own when a reused connection breaks.
      context.header('connection', 'close');
      if (appId !== null && !isAppId(appId)) {
        throw new RequestError('service-app-id: must be 64 lowercase hex characters', 401);
      }
      const early = await applyFaultsBefore(context, faults);
      if (early) return early;
      await next();
      await applyFaultsAfter(context, faults);
      return undefined;
    });

  app.get('/v2/quote', withFaults('quote'), context => answerQuote(context, parts));

  // Not in the specification: only served with the fault `assetList`.
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
  app.get('/v2/policy', context =>
    faults.take('assetList', appIdOf(context.req.header()), 'quote')
      ? succeeded(context, {default: 'open'})
      : answerNotFound(context),
  );

  app.post('/v2/orders', withFaults('order'), async context => {
    return succeeded(context, await orders.create(readJson(context), context.var.appId));
  });

  app.patch('/v2/orders/:id', withFaults('initiate'), async context => {
    const {appId, endpoint} = context.var;
    if (context.req.query('action') !== 'initiate') throw new RequestError('action: must be initiate');
    const order = orders.find(context.req.param('id'));
    const body = readJson(context);
    if (typeof body !== 'object' || body === null) throw new RequestError('body: must be an object');
    if (faults.take('gaslessRefused', appId, endpoint)) {
      throw new RequestError(`${order.source.chain.name} is not supported for initiations`);
    }
    return succeeded(context, await orders.initiate(order.id, (body as Record<string, unknown>)['signature']));
  });

  app.get('/v2/orders/:id', withFaults('read'), async context => {
    const {appId, endpoint} = context.var;
    const order = await orders.read(context.req.param('id'));
    const corrupt = ORDER_CORRUPTIONS[faults.holds('hostile', appId)?.kind ?? ''];
    if (corrupt && faults.take('hostile', appId, endpoint)) corrupt(order as Record<string, Leg>);
    return succeeded(context, order);
  });

  return app;
}

function answerQuote(context: Context<Env>, {chains, pricing, faults}: ServiceParts) {
  const {appId, endpoint} = context.var;
  const query = (name: string) => {
    const [value, ...others] = context.req.queries(name) ?? [];
    if (others.length) throw new RequestError(`${name}: is given more than once`);
    return value;
  };
  const assetOf = (field: 'from' | 'to') => {
    const asset = query(field);
    if (!asset) throw new RequestError(`${field}: is missing`);
    const found = findAsset(chains, asset);
    if (!found) throw new RequestError(`${field}: Asset '${asset}' not found`);
    return found;
  };
  const from = assetOf('from');
  const to = assetOf('to');
  if (from.asset === to.asset) throw new RequestError(`No order pair found : ${from.asset}::${to.asset}`);
  const amount = query('from_amount');
  if (amount === undefined) throw new RequestError('from_amount: is missing');
  if (!/^[1-9]\d{0,77}$/.test(amount)) {
    throw new RequestError('from_amount: must be a positive integer in the smallest unit, as decimal digits');
  }
  const bps = query('affiliate_fee') ?? '0';
  if (!/^\d{1,5}$/.test(bps) || Number(bps) > 10_000) {
    throw new RequestError('affiliate_fee: must be whole basis points, from 0 to 10000');
  }
  const range = faults.take('amountOutOfRange', appId, endpoint);
  if (range) throw new RequestError(rangeText(BigInt(range.min), BigInt(range.max)));
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
}

/** The app id, from its usual header or from any other. */
function appIdOf(headers: Readonly<Record<string, string>>): string | null {
  return headers['service-app-id'] ?? Object.values(headers).find(isAppId) ?? null;
}

async function applyFaultsBefore(context: Ctx, faults: Faults): Promise<Response | undefined> {
  const {appId, endpoint} = context.var;
  const slow = faults.take('slow', appId, endpoint);
  if (slow) await new Promise(resolve => setTimeout(resolve, slow.ms));

  if (faults.holds('dropped', appId)?.when === 'before' && faults.take('dropped', appId, endpoint)) {
    context.env.incoming.socket.destroy();
    return RESPONSE_ALREADY_SENT;
  }
  if (faults.take('unauthorized', appId, endpoint)) {
    const text = appId === null ? 'service-app-id: is missing' : 'service-app-id: unknown app id';
    throw new RequestError(text, 401);
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
  if (refused) throw new RequestError(refused.text, refused.status);
  const error = faults.take('errorWithOk', appId, endpoint);
  return error && context.json({status: 'Error', error: error.text}, 200);
}

/** Alters the response to a processed request. */
async function applyFaultsAfter(context: Ctx, faults: Faults): Promise<void> {
  const {appId, endpoint} = context.var;
  await applyDifference(context, faults);
  if (context.res.status !== 200) return;

  if (faults.take('dropped', appId, endpoint)) {
    // Once the response has begun, browsers do not retry the request.
    const {outgoing} = context.env;
    outgoing.writeHead(200, {...Object.fromEntries(context.res.headers), 'content-length': '4096'});
    outgoing.write('{"status":', () => outgoing.destroy());
    context.res = RESPONSE_ALREADY_SENT;
    return;
  }
  const alterBody = async (change: (text: string) => string) => {
    context.res = new Response(change(await context.res.text()), context.res);
  };
  if (faults.take('malformed', appId, endpoint)) return alterBody(text => text.replaceAll('"', "'"));
  if (faults.take('cut', appId, endpoint)) return alterBody(text => text.slice(0, text.length / 2));
  const missing = faults.take('missingFields', appId, endpoint);
  if (missing) {
    const without = (key: string, value: unknown) => (missing.fields.includes(key) ? undefined : value);
    await alterBody(text => JSON.stringify(JSON.parse(text, without)));
  }
}

/** Changes an answer in one way, if the difference applies to it. */
async function applyDifference(context: Ctx, faults: Faults): Promise<void> {
  const {appId, endpoint} = context.var;
  const way = DIFFERENCES[faults.holds('differs', appId)?.kind ?? ''];
  const kind = context.res.ok ? 'successes' : 'errors';
  if (!way?.on.includes(endpoint) || (way.of !== 'all' && way.of !== kind)) return;
  if (!faults.take('differs', appId, endpoint)) return;
  replaceAnswer(context, way.change, JSON.parse(await context.res.text()));
}

/** Replaces the answer by another one, with other headers and another status. */
function replaceAnswer(context: Ctx, edit: (answer: Answering) => void, body: unknown): void {
  const {status, headers} = context.res;
  const answer: Answering = {status, headers: new Headers(headers), body};
  edit(answer);
  const written =
    answer.body === null ? null : typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
  // Otherwise the previous headers would be merged back in.
  context.res = undefined;
  context.res = new Response(written, answer);
}

function succeeded(context: Ctx, result: unknown): Response {
  return context.json({status: 'Ok', result} as object);
}

/** A thrown error as a response of the API. */
export function answerError(error: Error, context: Context<Env>): Response {
  if (error instanceof RequestError) return failed(context, error.text, error.status);
  // Requests fail while the chains are closing.
  if (!context.var.closing?.aborted) console.error(error);
  return failed(context, 'internal error', 500);
}

/** Enough for any request of the API, even with the signature of a contract account. */
const MAX_BODY_BYTES = 65_536;

/** Reads a request's body up to the size limit, whether or not it declares its length. */
export const limitedBody = createMiddleware<Env>(async (context, next) => {
  const decoder = new TextDecoder();
  let bytes = 0;
  let body = '';
  // Cancelling would close the connection before the client has read the answer.
  const chunks = context.req.raw.body?.values({preventCancel: true}) ?? [];
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) {
        context.header('connection', 'close');
        return failed(context, `body: must be at most ${MAX_BODY_BYTES} bytes`, 413);
      }
      body += decoder.decode(chunk, {stream: true});
    }
  } catch {
    throw new RequestError('body: ends too early');
  }
  context.set('body', body + decoder.decode());
  return next();
});

export function readJson(context: Context<Env>): unknown {
  if (!/^application\/json\b/i.test(context.req.header('content-type') ?? '')) {
    throw new RequestError('content-type: must be application/json', 415);
  }
  try {
    return JSON.parse(context.var.body) as unknown;
  } catch {
    throw new RequestError('body: must be JSON');
  }
}
