/** The shop of `demo/embed/server`, built, with Postgres in memory: it counts swaps on the sandbox's chains as paid. */
import {deepEqual, equal} from 'node:assert/strict';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {AssetId} from '../../src/domain/asset.js';
import type {createFollower, Follower, verifyOrder} from '../../src/server.js';
import {settingsOf} from '../../demo/wallets/sandbox.js';
import {Man, read} from '../hostile/man.js';
import {EACH_FAMILY, openNodeWorld, type NodeSwap, type NodeWorld} from './node-session.js';

const WORKERS = 4;
const SECRET = 'whsec_c2hvcCBvbiBhIHNlcnZlciwgc2hvcCBvbiBhIHNlcnZlcg==';

type Rows = {rows: Record<string, unknown>[]};

interface Database {
  query(text: string, values?: unknown[]): Promise<Rows>;
}

interface Example {
  readonly verifyOrder: typeof verifyOrder;
  readonly createFollower: typeof createFollower;
  readonly PGlite: new () => object;
  readonly fromPGlite: (db: object) => Database;
  readonly TABLES: string;
  readonly createShop: (
    db: Database,
    prices: Record<string, {asset: string; atLeast: bigint}>,
    follower: Follower,
    secret: string,
  ) => {request(path: string, init?: object): Promise<Response> | Response};
}

async function load(folder: string): Promise<Example> {
  const own = createRequire(join(folder, 'package.json'));
  const files = ['dist/database.js', 'dist/shop.js'].map(file => join(folder, file));
  const paths = [...files, own.resolve('@electric-sql/pglite')].map(path => pathToFileURL(path).href);
  // `require` cannot resolve the entry of an ESM-only package.
  const server = pathToFileURL(join(folder, '../node_modules/swap-widget/dist/npm/server.js')).href;
  const modules = await Promise.all([...paths, server].map(path => import(path) as Promise<object>));
  return Object.assign({}, ...modules) as Example;
}

/** They are created before there is a wallet: where `window` exists, PGlite assumes a browser. */
async function createDatabase({PGlite, fromPGlite, TABLES}: Example): Promise<Database> {
  const db = fromPGlite(new PGlite());
  await db.query(TABLES);
  return db;
}

class Shop {
  readonly #shop: ReturnType<Example['createShop']>;
  readonly #follower: Follower;
  /** Between it and its service. */
  readonly man = new Man();

  private constructor(
    readonly example: Example,
    readonly db: Database,
    readonly swap: NodeSwap,
    readonly asset: AssetId,
    atLeast: bigint,
  ) {
    this.#follower = this.#createFollower();
    this.#shop = example.createShop(db, {item: {asset, atLeast}}, this.#follower, SECRET);
  }

  /** Opens an empty database; `addresses`: the ones that it may assign to carts. */
  static async open(
    example: Example,
    db: Database,
    swap: NodeSwap,
    asset: AssetId,
    atLeast: bigint,
    addresses: readonly string[],
  ) {
    await db.query('truncate carts, addresses, claims, payments');
    for (const address of addresses)
      await db.query('insert into addresses (asset, address) values ($1, $2)', [asset, address]);
    const shop = new Shop(example, db, swap, asset, atLeast);
    await shop.#follower.prepare();
    await db.query('truncate swap_orders, swap_events');
    return shop;
  }

  async ask(path: string, body?: object): Promise<{status: number; answer: Record<string, unknown>}> {
    const init = body && {method: 'POST', body: JSON.stringify(body), headers: {'content-type': 'application/json'}};
    const response = await this.#shop.request(path, init);
    return {status: response.status, answer: (await response.json()) as Record<string, unknown>};
  }

  async cart(): Promise<string> {
    const {status, answer} = await this.ask('/carts', {item: 'item', atLeast: '1', recipient: 'mine'});
    deepEqual([status, answer['asset']], [201, this.asset]);
    return String(answer['id']);
  }

  async claim(cart: string, orderId: string): Promise<number> {
    return (await this.ask(`/carts/${cart}/orders`, {orderId})).status;
  }

  async isPaid(cart: string): Promise<unknown> {
    return (await this.ask(`/carts/${cart}`)).answer['isPaid'];
  }

  #createFollower(): Follower {
    const {verifyOrder, createFollower} = this.example;
    const {world, client} = this.swap;
    const {assets, chains} = settingsOf(world.state);
    return createFollower({
      query: (text, values) => this.db.query(text, values),
      url: 'http://127.0.0.1:8795/events',
      secret: SECRET,
      warn: () => undefined,
      fetch: async (_, init) => this.#shop.request('/events', init),
      verify: (orderId, expected) =>
        verifyOrder(orderId, {
          service: {baseUrl: world.url, appId: client.appId, fetch: this.man.fetch},
          rpc: {},
          chains,
          assets: assets.flatMap(asset => (typeof asset === 'string' ? [] : [asset])),
          expected,
        }),
    });
  }

  async watch(): Promise<void> {
    await this.db.query('update swap_orders set due = now()');
    const work = async () => {
      while (await this.#follower.step());
    };
    await Promise.all(Array.from({length: WORKERS}, work));
  }

  async payments(): Promise<number> {
    return (await this.db.query('select 1 from payments')).rows.length;
  }
}

/** Drives the example built in a folder; returns what was seen. */
export async function visitMerchant(folder: string): Promise<string> {
  const example = await load(folder);
  // Two shops see the same order.
  const databases = [await createDatabase(example), await createDatabase(example)] as const;
  const world = await openNodeWorld();
  try {
    await answersPages(example, databases, world);
    for (const swap of EACH_FAMILY) {
      try {
        await sells(example, databases, world, ...swap);
      } catch (cause) {
        throw new Error(`from ${swap[0]} to ${swap[1]}: ${String(cause)}`, {cause});
      }
    }
  } finally {
    await world.close();
  }
  return 'paid once to each family; pages and services that lie are refused';
}

/** Claims and requests that a page cannot forge. */
async function answersPages(example: Example, [db]: readonly [Database, Database], world: NodeWorld): Promise<void> {
  const swap = await world.begin({from: 'base_sepolia:wbtc', to: 'ethereum_sepolia:wbtc', amount: '0.001'});
  swap.end();
  const shop = await Shop.open(example, db, swap, 'ethereum_sepolia:wbtc', 1n, [swap.recipient]);
  equal((await shop.ask('/carts', {item: 'constructor'})).status, 404);
  const cart = await shop.cart();
  // Each cart has its own address, and there was only one.
  equal((await shop.ask('/carts', {item: 'item'})).status, 503);
  equal(await shop.claim(cart, "1'; drop table claims"), 400);
  equal(await shop.claim('1', 'order'), 409);
  equal((await shop.ask('/carts/1')).status, 404);
  for (const id of ['1', '2', '3', '4', '5', '5']) equal(await shop.claim(cart, id), 202);
  equal(await shop.claim(cart, '6'), 409);
  // Made-up orders cost reads, and nothing else; and an event that the follower did not sign is none.
  await shop.watch();
  const type = 'swap.paid';
  const data = {reference: cart, orderId: '1', paymentKey: 'base:1', paidOut: {amount: '1'}};
  equal((await shop.ask('/events', {type, timestamp: new Date().toISOString(), data})).status, 401);
  equal(await shop.payments(), 0);
}

async function sells(
  example: Example,
  [one, other]: readonly [Database, Database],
  world: NodeWorld,
  from: AssetId,
  to: AssetId,
  amount: string,
  gift: bigint,
) {
  const swap = await world.begin({from, to, amount, gift});
  const idle = await world.begin({from, to, amount});
  idle.end();
  await swap.place();
  const atLeast = BigInt((await swap.read()).destination_swap.amount);
  const [shop, twice] = [
    await Shop.open(example, one, swap, to, atLeast, [swap.recipient]),
    await Shop.open(example, other, swap, to, atLeast, [swap.recipient, idle.recipient]),
  ];
  const cart = await shop.cart();
  equal(await shop.claim(cart, swap.orderId), 202);

  // Before a payment, a service that reports completion, with a transaction to the same address, is not believed.
  shop.man.lie = read(({destination_swap}) => {
    destination_swap['redeem_tx_hash'] = swap.given.recipient;
    destination_swap['filled_amount'] = String(atLeast);
  });
  await shop.watch();
  deepEqual([await shop.isPaid(cart), await shop.payments()], [false, 0]);
  shop.man.lie = {};

  if (from.startsWith('bitcoin')) await swap.pay();
  await swap.until('complete');
  await world.mine(to.split(':')[0] ?? '', 1);
  swap.end();

  // Paid: once, no matter how often or by how many it is checked again.
  await shop.watch();
  deepEqual([await shop.isPaid(cart), await shop.payments()], [true, 1]);
  equal(await shop.claim(cart, swap.orderId), 202);
  await shop.watch();
  equal(await shop.payments(), 1);

  // Two carts with one address, against the rule: the money counts for one of them.
  const carts = [await twice.cart(), await twice.cart()];
  await twice.db.query('update carts set recipient = $1', [swap.recipient]);
  for (const each of carts) equal(await twice.claim(each, swap.orderId), 202);
  await twice.watch();
  equal(await twice.payments(), 1);
}
