/**
 * The sandbox's controls under `/sandbox`: faucet, mining, prices, faults, payout. They are not part of the service.
 *
 * They are only for this machine: the server listens on loopback; `Host` must be loopback, against DNS rebinding; so
 * must the origin of a page that calls them; and bodies must be JSON. If the sandbox is shared, anybody with the token
 * can call them from anywhere, and others can only read `GET /sandbox`.
 */
import {createHash, timingSafeEqual} from 'node:crypto';
import {Hono} from 'hono';
import {cors} from 'hono/cors';
import * as v from 'valibot';
import {RequestError, type ChainLeg} from './chains/leg.js';
import {check, type Faults} from './faults.js';
import type {Orders} from './orders.js';
import type {Pricing} from './pricing.js';
import {answerError, limitedBody, readJson, type Env} from './service.js';
import type {RunningSolver} from './solver.js';

export interface ControlParts {
  readonly appId: string;
  readonly speed: number;
  readonly chains: readonly ChainLeg[];
  readonly pricing: Pricing;
  readonly orders: Orders;
  readonly faults: Faults;
  readonly solver: RunningSolver;
  /** If the sandbox is shared: the token that controls require as `Authorization: Bearer …`. */
  readonly token?: string | undefined;
}

const amount = v.pipe(v.string(), v.regex(/^[1-9]\d{0,40}$/, 'must be a positive integer in the smallest unit'));
const faucetBody = v.strictObject({asset: v.string(), address: v.string(), amount});
/** More would block all other requests for too long. */
const blocks = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000));
const mineBody = v.strictObject({chain: v.string(), blocks});
const orderBody = v.strictObject({orderId: v.string()});
const replaceBody = v.strictObject({orderId: v.string(), withdrawn: v.optional(v.boolean(), false)});
const pricesBody = v.strictObject({moving: v.boolean()});
const faultsBody = v.record(v.string(), v.unknown());
const clearBody = v.strictObject({appId: v.nullable(v.string())});

export function createControls(parts: ControlParts): Hono<Env> {
  const app = new Hono<Env>();

  app.onError(answerError);
  const {token} = parts;
  app.use('/sandbox/*', async (context, next) => {
    const {method, path} = context.req;
    if (token !== undefined) {
      const isOpen = method === 'OPTIONS' || (method === 'GET' && path === '/sandbox');
      if (!isOpen && !isToken(context.req.header('authorization'), token))
        throw new RequestError('authorization: must be Bearer and the token that the sandbox printed', 401);
      return next();
    }
    if (!isLoopback(`http://${context.req.header('host') ?? ''}`))
      throw new RequestError('host: must be loopback', 403);
    const origin = context.req.header('origin');
    if (origin !== undefined && !isLoopback(origin)) throw new RequestError('origin: must be loopback', 403);
    context.header('connection', 'close');
    await next();
    return undefined;
  });
  app.use(
    '/sandbox/*',
    cors({
      origin: origin => (token !== undefined || isLoopback(origin) ? origin : null),
      allowHeaders: ['content-type', 'authorization'],
      allowMethods: ['GET', 'POST', 'DELETE', 'OPTIONS'],
      maxAge: 600,
    }),
  );

  app.use('/sandbox/*', limitedBody);

  routeState(app, parts);
  routeChains(app, parts);
  routeOrders(app, parts);
  routeFaults(app, parts);
  return app;
}

function routeState(app: Hono<Env>, {appId, speed, chains, pricing, orders, solver, token}: ControlParts): void {
  app.get('/sandbox', async context => {
    const synced = await Promise.allSettled(chains.map(chain => chain.sync()));
    const own = new URL(context.req.url).origin;
    return context.json({
      appId,
      faucets: [...new Set(chains.flatMap(({assets, coin}) => [...Object.keys(assets), coin]))],
      clock: {speed, weekEnds: orders.payouts.ends},
      health: solver.health(),
      chains: Object.fromEntries(
        chains.map(({name, family, facts, blockSeconds, height, assets}, place) => [
          name,
          {
            family,
            ...facts,
            // If it is shared, nodes are reached through the sandbox.
            ...(token !== undefined && {rpc: `${own}/rpc/${name}`}),
            blockSeconds,
            height: height(),
            assets,
            ...(synced[place]?.status === 'rejected' && {down: true}),
          },
        ]),
      ),
    } as object);
  });

  /** Stops the movement of prices, or resumes it. */
  app.post('/sandbox/prices', context => {
    const {moving} = check(pricesBody, readJson(context));
    pricing.setMoving(moving);
    return context.json({moving});
  });
}

function routeChains(app: Hono<Env>, {chains, solver}: ControlParts): void {
  const chainOf = (name: string) => {
    const chain = chains.find(one => one.name === name);
    if (!chain)
      throw new RequestError(`chain: there is no ${name}; there are ${chains.map(one => one.name).join(', ')}`);
    return chain;
  };

  app.post('/sandbox/faucet', async context => {
    const {asset, address, amount} = check(faucetBody, readJson(context));
    const chain = chains.find(({assets, coin}) => asset === coin || Object.hasOwn(assets, asset));
    if (!chain) throw new RequestError(`asset: Asset '${asset}' not found`);
    const read = chain.readAddress(address);
    if ('problem' in read) throw new RequestError(`address: Invalid address format, ${read.problem}`);
    return context.json({tx_hash: await chain.faucet(asset, read.address, BigInt(amount))});
  });

  let mining = Promise.resolve();
  app.post('/sandbox/mine', async context => {
    const {chain: name, blocks} = check(mineBody, readJson(context));
    const chain = chainOf(name);
    // On real chains time passes between blocks. Here requests can follow each other at once, and a deposit's
    // timelock would end before the solver has seen it.
    const turn = mining.then(async () => {
      await solver.caughtUp();
      await chain.mine(blocks);
      await chain.sync();
    });
    mining = turn.catch(() => {});
    await turn;
    return context.json({chain: name, height: chain.height()});
  });
}

function routeOrders(app: Hono<Env>, {orders}: ControlParts): void {
  /** Mines until the owner of an order's source can refund it. */
  app.post('/sandbox/expire', async context => {
    const {source} = orders.find(check(orderBody, readJson(context)).orderId);
    const {chain, terms} = source;
    const deposit = async () => {
      await chain.sync();
      const {initiated} = chain.stateOf(terms);
      if (!initiated) throw new RequestError('orderId: this order has no deposit', 409);
      return initiated;
    };
    // The timelock begins with the deposit's block.
    if ((await deposit()).block === 0) await chain.mine(1);
    const missing = (await deposit()).block + terms.timelock - chain.height();
    if (missing > 0) await chain.mine(missing);
    await chain.sync();
    return context.json({chain: chain.name, height: chain.height()});
  });

  app.post('/sandbox/reorg', async context => {
    const {source} = orders.find(check(orderBody, readJson(context)).orderId);
    await source.chain.reorg(source.terms);
    return context.json({chain: source.chain.name, height: source.chain.height()});
  });

  /** Replaces the sandbox's unconfirmed transaction for an order, its redeem or its deposit, with a higher fee. */
  app.post('/sandbox/replace', async context => {
    const {orderId, withdrawn} = check(replaceBody, readJson(context));
    const {source, destination} = orders.find(orderId);
    const {chain, terms} = destination.chain.replace ? destination : source;
    if (!chain.replace) throw new RequestError('orderId: no leg of this order is on a chain that replaces', 409);
    return context.json({tx_hash: await chain.replace(terms, withdrawn)});
  });

  app.post('/sandbox/payout', async context => context.json(await orders.payouts.endWeek()));
}

function routeFaults(app: Hono<Env>, {faults}: ControlParts): void {
  app.get('/sandbox/faults', context => context.json(faults.describe() as object));
  app.get('/sandbox/faults/:appId', context => context.json(faults.of(context.req.param('appId'))));
  app.post('/sandbox/faults', context => {
    faults.set(check(faultsBody, readJson(context)));
    return context.json({status: 'Ok'});
  });
  app.delete('/sandbox/faults', context => {
    faults.clear(context.var.body === '' ? undefined : check(clearBody, readJson(context)).appId);
    return context.json({status: 'Ok'});
  });
}

function isToken(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`));
}

function isLoopback(origin: string): boolean {
  try {
    const {hostname} = new URL(origin);
    return (
      hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost' || hostname.endsWith('.localhost')
    );
  } catch {
    return false;
  }
}
