/**
 * The shop, with Postgres at `DATABASE_URL`, by default in memory. The follower runs next to it; it may run in processes
 * of its own, and in any number of them.
 */
import {PGlite} from '@electric-sql/pglite';
import {serve} from '@hono/node-server';
import {Pool} from 'pg';
import {createFollower, verifyOrder} from 'swap-widget/server';
import {fromPGlite, fromPool, TABLES} from './database.js';
import {settings} from './settings.js';
import {createShop} from './shop.js';

const {DATABASE_URL: connectionString, PORT = '8795', WEBHOOK_SECRET} = process.env;
const db = connectionString ? fromPool(new Pool({connectionString})) : fromPGlite(new PGlite());
await db.query(TABLES);

// Whoever knows it can write paid carts. A shop in several processes sets one for all.
const secret = WEBHOOK_SECRET ?? `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
const {baseUrl, appId, assets, chains} = settings;
const follower = createFollower({
  query: db.query,
  url: `http://127.0.0.1:${PORT}/events`,
  secret,
  verify: (orderId, expected) =>
    verifyOrder(orderId, {
      service: {baseUrl, ...(appId !== undefined && {appId})},
      rpc: {},
      chains,
      assets: assets as never,
      expected,
    }),
});
await follower.prepare();

const shop = createShop(db, {coffee: {asset: 'base:usdc', atLeast: 4_000_000n}}, follower, secret);
serve({fetch: shop.fetch, port: Number(PORT), hostname: '127.0.0.1'}, ({port}) => {
  console.log(`http://127.0.0.1:${String(port)}/`);
});
await follower.run(new AbortController().signal);
