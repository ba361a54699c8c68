/**
 * The shop, with Postgres at `DATABASE_URL`, by default in memory. The watch runs next to it: one loop is enough to
 * start with, and more of them, in other processes, do no harm.
 */
import {PGlite} from '@electric-sql/pglite';
import {serve} from '@hono/node-server';
import {Pool} from 'pg';
import {verifyOrder} from 'swap-widget/server';
import {fromPGlite, fromPool, TABLES} from './database.js';
import {settings} from './settings.js';
import {createShop} from './shop.js';
import {watchOnce, type Verify} from './watch.js';

const {DATABASE_URL: connectionString, PORT = '8795'} = process.env;
const db = connectionString ? fromPool(new Pool({connectionString})) : fromPGlite(new PGlite());
for (const statement of TABLES.split(';').filter(text => text.trim())) await db.query(statement);

const {baseUrl, appId, assets, chains} = settings;
const verify: Verify = (orderId, expected) =>
  verifyOrder(orderId, {
    service: {baseUrl, ...(appId !== undefined && {appId})},
    rpc: {},
    chains,
    assets: assets as never,
    // One block is enough for a coffee. For more, ask for more: expected: {...expected, blocks: 6}.
    expected,
  });

const shop = createShop(db, {coffee: {asset: 'base:usdc', atLeast: 4_000_000n}});
serve({fetch: shop.fetch, port: Number(PORT), hostname: '127.0.0.1'}, ({port}) => {
  console.log(`http://127.0.0.1:${String(port)}/`);
});

for (;;) {
  const hadWork = await watchOnce(db, verify).catch((error: unknown) => {
    console.error(error); // the database does not respond
    return false;
  });
  if (!hadWork) await new Promise(resolve => setTimeout(resolve, 1_000));
}
