/**
 * The sandbox's own controls under `/sandbox`: coins, blocks, faults, payout. No part of the service.
 *
 * They are for this machine only: the server listens on loopback, the `Host` must be loopback (a name that an attacker
 * points here is not), a page that calls them must come from loopback, and bodies must be JSON.
 */
import {Hono} from 'hono';
import {cors} from 'hono/cors';
import * as v from 'valibot';
import {Refusal, type ChainLeg} from './chains/leg.js';
import {FAULTS, check, type Faults} from './faults.js';
import type {Orders} from './orders.js';
import {answerError, limitedBody, readJson, type Env} from './service.js';
import type {RunningSolver} from './solver.js';

export interface ControlParts {
  readonly appId: string;
  readonly speed: number;
  readonly chains: readonly ChainLeg[];
  readonly orders: Orders;
  readonly faults: Faults;
  readonly solver: RunningSolver;
}

const amount = v.pipe(v.string(), v.regex(/^[1-9]\d{0,40}$/, 'must be a positive integer in the smallest unit'));
const faucetBody = v.strictObject({asset: v.string(), address: v.string(), amount});
/** More than this would hold everybody up. */
const blocks = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000));
const mineBody = v.strictObject({chain: v.string(), blocks});
const orderBody = v.strictObject({orderId: v.string()});
const replaceBody = v.strictObject({orderId: v.string(), withdrawn: v.optional(v.boolean(), false)});
const faultsBody = v.record(v.string(), v.unknown());
const clearBody = v.strictObject({appId: v.nullable(v.string())});

export function createControls({appId, speed, chains, orders, faults, solver}: ControlParts): Hono<Env> {
  const app = new Hono<Env>();

  app.onError(answerError);
  app.use('/sandbox/*', async (context, next) => {
    if (!isLoopback(`http://${context.req.header('host') ?? ''}`)) throw new Refusal('host: must be loopback', 403);
    const origin = context.req.header('origin');
    if (origin !== undefined && !isLoopback(origin)) throw new Refusal('origin: must be loopback', 403);
    context.header('connection', 'close');
    await next();
  });
  app.use(
    '/sandbox/*',
    cors({
      origin: origin => (isLoopback(origin) ? origin : null),
      allowHeaders: ['content-type'],
      allowMethods: ['GET', 'POST', 'DELETE', 'OPTIONS'],
      maxAge: 600,
    }),
  );

  app.use('/sandbox/*', limitedBody);

  const chainOf = (name: string) => {
    const chain = chains.find(one => one.name === name);
    if (!chain) throw new Refusal(`chain: there is no ${name}; there are ${chains.map(one => one.name).join(', ')}`);
    return chain;
  };

  app.get('/sandbox', async context => {
    await Promise.all(chains.map(chain => chain.sync()));
    return context.json({
      appId,
      faucets: [...new Set(chains.flatMap(({assets, coin}) => [...Object.keys(assets), coin]))],
      clock: {speed},
      health: solver.health(),
      chains: Object.fromEntries(
        chains.map(({name, family, facts, blockSeconds, height, assets}) => [
          name,
          {family, ...facts, blockSeconds, height: height(), assets},
        ]),
      ),
    } as object);
  });

  app.post('/sandbox/faucet', async context => {
    const {asset, address, amount} = check(faucetBody, await readJson(context));
    const chain = chains.find(({assets, coin}) => asset === coin || Object.hasOwn(assets, asset));
    if (!chain) throw new Refusal(`asset: Asset '${asset}' not found`);
    const read = chain.readAddress(address);
    if ('problem' in read) throw new Refusal(`address: Invalid address format, ${read.problem}`);
    return context.json({tx_hash: await chain.faucet(asset, read.address, BigInt(amount))});
  });

  let mining = Promise.resolve();
  app.post('/sandbox/mine', async context => {
    const {chain: name, blocks} = check(mineBody, await readJson(context));
    const chain = chainOf(name);
    // In the world there is time between blocks. Here some may be asked for just after others, and a deposit would run
    // out of time before anyone could look at it.
    const turn = mining.then(async () => {
      await solver.caughtUp();
      await chain.mine(blocks);
      await chain.sync();
    });
    mining = turn.catch(() => {});
    await turn;
    return context.json({chain: name, height: chain.height()});
  });

  /** Mines just as far as an order's source needs to be refundable by its owner. */
  app.post('/sandbox/expire', async context => {
    const {source} = orders.find(check(orderBody, await readJson(context)).orderId);
    const {chain, terms} = source;
    const deposit = async () => {
      await chain.sync();
      const {initiated} = chain.stateOf(terms);
      if (!initiated) throw new Refusal('orderId: this order has no deposit', 409);
      return initiated;
    };
    // The timelock begins with the deposit's block.
    if ((await deposit()).block === 0) await chain.mine(1);
    const missing = (await deposit()).block + terms.timelock - chain.height();
    if (missing > 0) await chain.mine(missing);
    await chain.sync();
    return context.json({chain: chain.name, height: chain.height()});
  });

  /** Takes an order's deposit off its chain, as a reorganisation would. */
  app.post('/sandbox/reorg', async context => {
    const {source} = orders.find(check(orderBody, await readJson(context)).orderId);
    await source.chain.reorg(source.terms);
    return context.json({chain: source.chain.name, height: source.chain.height()});
  });

  /** Replaces by a higher fee what the sandbox sent for an order and no block holds yet: its redeem, else its deposit. */
  app.post('/sandbox/replace', async context => {
    const {orderId, withdrawn} = check(replaceBody, await readJson(context));
    const {source, destination} = orders.find(orderId);
    const {chain, terms} = destination.chain.replace ? destination : source;
    if (!chain.replace) throw new Refusal('orderId: no leg of this order is on a chain that replaces', 409);
    return context.json({tx_hash: await chain.replace(terms, withdrawn)});
  });

  app.post('/sandbox/payout', async context => {
    // A chain that does not answer keeps nobody from being paid on the others.
    await Promise.allSettled(chains.map(chain => chain.sync()));
    return context.json(await orders.payout());
  });

  app.get('/sandbox/faults', context =>
    context.json(Object.fromEntries(Object.entries(FAULTS).map(([name, {says, on}]) => [name, {says, on}]))),
  );
  app.post('/sandbox/faults', async context => {
    faults.set(check(faultsBody, await readJson(context)));
    return context.json({status: 'Ok'});
  });
  app.delete('/sandbox/faults', async context => {
    const isEmpty = (context.req.header('content-length') ?? '0') === '0';
    faults.clear(isEmpty ? undefined : check(clearBody, await readJson(context)).appId);
    return context.json({status: 'Ok'});
  });

  return app;
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
