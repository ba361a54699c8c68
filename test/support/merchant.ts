/** The shop of `demo/embed/server`, built, with Postgres in memory: it counts swaps on the sandbox's chains as paid. */
import {deepEqual, equal, ok} from 'node:assert/strict';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {AssetId} from '../../src/domain/asset.js';
import type {Expected, verifyOrder} from '../../src/server.js';
import {settingsOf} from '../../demo/wallets/sandbox.js';
import {EACH_FAMILY, openNodeWorld, type NodeSwap, type NodeWorld} from './node-session.js';

const WORKERS = 4;
const SHOPS = 5;

type Told = Record<string, unknown> & Record<'source_swap' | 'destination_swap', Record<string, unknown>>;
type Rows = {rows: Record<string, unknown>[]};

interface Database {
  query(text: string, values?: unknown[]): Promise<Rows>;
}

/** What the example's files export. */
interface Example {
  readonly verifyOrder: typeof verifyOrder;
  readonly PGlite: new () => object;
  readonly fromPGlite: (db: object) => Database;
  readonly TABLES: string;
  readonly createShop: (
    db: Database,
    prices: Record<string, {asset: string; atLeast: bigint}>,
  ) => {request(path: string, init?: object): Promise<Response> | Response};
  readonly watchOnce: (db: Database, verify: (id: string, expected: Expected) => Promise<unknown>) => Promise<boolean>;
}

async function load(folder: string): Promise<Example> {
  const own = createRequire(join(folder, 'package.json'));
  const files = ['dist/database.js', 'dist/shop.js', 'dist/watch.js'].map(file => join(folder, file));
  const paths = [...files, own.resolve('@electric-sql/pglite')].map(path => pathToFileURL(path).href);
  // `require` cannot resolve the entry of an ESM-only package.
  const server = pathToFileURL(join(folder, 'node_modules/swap-widget/dist/npm/server.js')).href;
  const modules = await Promise.all([...paths, server].map(path => import(path) as Promise<object>));
  return Object.assign({}, ...modules) as Example;
}

/** They are created before there is a wallet: where `window` exists, PGlite assumes a browser. */
async function createDatabase({PGlite, fromPGlite, TABLES}: Example): Promise<Database> {
  const db = fromPGlite(new PGlite());
  for (const statement of TABLES.split(';').filter(text => text.trim())) await db.query(statement);
  return db;
}

/** A shop with one item. */
class Shop {
  readonly #shop: ReturnType<Example['createShop']>;
  lie: ((order: Told) => void) | undefined;

  private constructor(
    readonly example: Example,
    readonly db: Database,
    readonly swap: NodeSwap,
    readonly asset: AssetId,
    atLeast: bigint,
  ) {
    this.#shop = example.createShop(db, {item: {asset, atLeast}});
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
    return new Shop(example, db, swap, asset, atLeast);
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

  /** Checks everything pending now, with several workers at once. */
  async watch(): Promise<void> {
    await this.db.query("update claims set due = now() where state = 'waiting'");
    const {verifyOrder, watchOnce} = this.example;
    const {world, client} = this.swap;
    const {assets, chains} = settingsOf(world.state);
    const fetch: typeof globalThis.fetch = async (...given) => {
      const answer = await globalThis.fetch(...given);
      if (!this.lie) return answer;
      const body = (await answer.json()) as {result: Told};
      this.lie(body.result);
      return new Response(JSON.stringify(body), {headers: {'content-type': 'application/json'}});
    };
    const verify = (orderId: string, expected: Expected) =>
      verifyOrder(orderId, {
        service: {baseUrl: world.url, appId: client.appId, fetch},
        rpc: {},
        chains,
        assets: assets.flatMap(asset => (typeof asset === 'string' ? [] : [asset])),
        expected,
      });
    const work = async () => {
      while (await watchOnce(this.db, verify));
    };
    await Promise.all(Array.from({length: WORKERS}, work));
  }

  async states(): Promise<unknown[]> {
    return (await this.db.query('select state from claims order by created_at, order_id')).rows.map(({state}) => state);
  }

  async payments(): Promise<number> {
    return (await this.db.query('select 1 from payments')).rows.length;
  }
}

/** Drives the example built in a folder; returns what was seen. */
export async function visitMerchant(folder: string): Promise<string> {
  const example = await load(folder);
  const databases: Database[] = [];
  for (let count = 0; count < SHOPS; count++) databases.push(await createDatabase(example));
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
async function answersPages(example: Example, [db]: readonly Database[], world: NodeWorld): Promise<void> {
  const swap = await world.begin({from: 'base_sepolia:wbtc', to: 'ethereum_sepolia:wbtc', amount: '0.001'});
  swap.end();
  const shop = await Shop.open(example, db!, swap, 'ethereum_sepolia:wbtc', 1n, [swap.recipient]);
  equal((await shop.ask('/carts', {item: 'constructor'})).status, 404);
  const cart = await shop.cart();
  // Each cart has its own address, and there was only one.
  equal((await shop.ask('/carts', {item: 'item'})).status, 503);
  equal(await shop.claim(cart, "1'; drop table claims"), 400);
  equal(await shop.claim('1', 'order'), 409);
  equal((await shop.ask('/carts/1')).status, 404);
  for (const id of ['1', '2', '3', '4', '5', '5']) equal(await shop.claim(cart, id), 202);
  equal(await shop.claim(cart, '6'), 409);
  // Missing orders are polled less and less often, and finally no more.
  const warn = console.warn;
  console.warn = () => undefined;
  try {
    await shop.watch();
    const dueIn = async () =>
      Number((await shop.db.query('select min(extract(epoch from due - now())) as due from claims')).rows[0]?.['due']);
    const first = await dueIn();
    for (let turn = 0; turn < 5; turn++) await shop.watch();
    ok((await dueIn()) > 5 * first, 'there is no back-off');
    await shop.db.query("update claims set created_at = now() - interval '4 days'");
    await shop.watch();
  } finally {
    console.warn = warn;
  }
  deepEqual(await shop.states(), Array(5).fill('given up'));
  equal(await shop.payments(), 0);
}

async function sells(
  example: Example,
  databases: readonly Database[],
  world: NodeWorld,
  from: AssetId,
  to: AssetId,
  amount: string,
  gift: bigint,
) {
  const swap = await world.begin({from, to, amount, gift});
  const other = await world.begin({from, to, amount});
  other.end();
  await swap.place();
  const atLeast = BigInt((await swap.read()).destination_swap.amount);
  const free = [...databases];
  const open = (price: bigint, ...addresses: string[]) => Shop.open(example, free.pop()!, swap, to, price, addresses);
  // Several shops, each with its own database, see the same order.
  const [shop, dear, elsewhere, late, twice] = [
    await open(atLeast, swap.recipient),
    await open(atLeast * 2n, swap.recipient),
    await open(atLeast, other.recipient),
    await open(atLeast, swap.recipient),
    await open(atLeast, swap.recipient, other.recipient),
  ];
  const shops = [shop, dear, elsewhere, late, twice];
  const carts = new Map<Shop, string>();
  for (const each of shops) {
    const cart = await each.cart();
    carts.set(each, cart);
    equal(await each.claim(cart, swap.orderId), 202);
  }
  const cartOf = (of: Shop) => carts.get(of) ?? '';

  // Before a payment, a service that reports completion, with a transaction to the same address, is not believed.
  shop.lie = ({destination_swap}) => {
    destination_swap['redeem_tx_hash'] = swap.given.recipient;
    destination_swap['filled_amount'] = String(atLeast);
  };
  await shop.watch();
  deepEqual([await shop.states(), await shop.isPaid(cartOf(shop))], [['waiting'], false]);
  shop.lie = undefined;

  if (from.startsWith('bitcoin')) await swap.pay();
  await swap.until('complete');
  await world.mine(to.split(':')[0] ?? '', 1);
  swap.end();

  // Paid: once, no matter how often or by how many it is checked again.
  await shop.watch();
  deepEqual([await shop.states(), await shop.isPaid(cartOf(shop)), await shop.payments()], [['paid'], true, 1]);
  equal(await shop.claim(cartOf(shop), swap.orderId), 202);
  await shop.watch();
  deepEqual([await shop.states(), await shop.payments()], [['paid'], 1]);

  // Less than the cart's amount, whatever the service reports.
  dear.lie = ({destination_swap}) => {
    destination_swap['amount'] = destination_swap['filled_amount'] = String(atLeast * 2n);
  };
  await dear.watch();
  deepEqual([await dear.states(), await dear.payments()], [['waiting'], 0]);

  // Another customer's order: its money went to another cart's address.
  await elsewhere.watch();
  deepEqual([await elsewhere.states(), await elsewhere.payments()], [['waiting'], 0]);

  // A swap from before the cart.
  await late.db.query("update carts set created_at = now() + interval '1 day'");
  await late.watch();
  deepEqual([await late.states(), await late.payments()], [['waiting'], 0]);

  // Two carts with one address, against the rule, and two ids for one order: the money counts for one of them.
  const second = await twice.cart();
  await twice.db.query('update carts set recipient = $1', [swap.recipient]);
  equal(await twice.claim(second, swap.orderId), 202);
  await twice.watch();
  deepEqual([(await twice.states()).sort(), await twice.payments()], [['paid', 'used'], 1]);
}
