import {Hono} from 'hono';
import {Webhook} from 'standardwebhooks';
import type {AssetId, Follower, SwapEvent} from 'swap-widget/server';
import type {Database} from './database.js';

/** The items for sale, with prices in an asset's smallest unit. Only the server sets them. */
export type Prices = Readonly<Record<string, {readonly asset: string; readonly atLeast: bigint}>>;

/** How many orders a cart may have: a failed swap is tried again, but a thousand would be too many to check. */
const MOST_CLAIMS = 5;
/** What was agreed, as `at_least` decimal text and `agreed` in milliseconds since 1970. */
interface Cart {
  readonly recipient: string;
  readonly asset: AssetId;
  readonly at_least: string;
  readonly agreed: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The shop's API. Only an event that the follower signed makes a cart paid. */
export function createShop(db: Database, prices: Prices, follower: Pick<Follower, 'follow'>, secret: string): Hono {
  const shop = new Hono();
  const webhook = new Webhook(secret);

  // A cart, and how to pay it: `to`, `amount` and `recipient` of the widget.
  shop.post('/carts', async context => {
    const {item} = await context.req.json<{item?: unknown}>().catch(() => ({item: undefined}));
    const price = typeof item === 'string' && Object.hasOwn(prices, item) ? prices[item] : undefined;
    if (!price) return context.json({error: 'There is no such item.'}, 404);
    const cart = await db.transaction(async queries => {
      const {rows: free} = await queries.query<{address: string}>(
        'select address from addresses where asset = $1 and cart_id is null limit 1 for update skip locked',
        [price.asset],
      );
      const [recipient] = free.map(({address}) => address);
      if (recipient === undefined) return undefined;
      const {rows} = await queries.query<{id: string}>(
        'insert into carts (recipient, asset, at_least) values ($1, $2, $3) returning id',
        [recipient, price.asset, String(price.atLeast)],
      );
      const id = rows[0]!.id;
      await queries.query('update addresses set cart_id = $1 where asset = $2 and address = $3', [
        id,
        price.asset,
        recipient,
      ]);
      return {id, recipient, asset: price.asset, atLeast: String(price.atLeast)};
    });
    return cart ? context.json(cart, 201) : context.json({error: 'No address is left.'}, 503);
  });

  // The page reports the order that it placed, in its listener of `swap-order`. Repeating that has no effect.
  shop.post('/carts/:id/orders', async context => {
    const id = context.req.param('id');
    const {orderId} = await context.req.json<{orderId?: unknown}>().catch(() => ({orderId: undefined}));
    if (typeof orderId !== 'string' || !/^[\w-]{1,128}$/.test(orderId))
      return context.json({error: 'It names no order.'}, 400);
    const cart =
      UUID.test(id) &&
      (await db.transaction(async queries => {
        const {rows: carts} = await queries.query<Cart>(
          `select recipient, asset, at_least::text, round(extract(epoch from created_at) * 1000)::text as agreed
         from carts where id = $1 for update`,
          [id],
        );
        if (!carts.length) return undefined;
        await queries.query(
          `insert into claims (cart_id, order_id)
         select $1, $2 where (select count(*) from claims where cart_id = $1) < ${String(MOST_CLAIMS)}
         on conflict do nothing`,
          [id, orderId],
        );
        const {rows} = await queries.query('select 1 from claims where cart_id = $1 and order_id = $2', [id, orderId]);
        return rows.length ? carts[0] : undefined;
      }));
    if (!cart) return context.json({error: 'There is no such cart, or it has too many orders.'}, 409);
    const {recipient, asset, at_least, agreed} = cart;
    // One block is enough for a coffee. For more, ask for more: `blocks: 6`.
    const expected = {recipient, asset, atLeast: BigInt(at_least), since: Number(agreed)};
    await follower.follow(orderId, {reference: id, expected});
    return context.json({}, 202);
  });

  // What happened to an order's money. It is posted until this answers, so it may come twice.
  shop.post('/events', async context => {
    let event: SwapEvent;
    try {
      event = webhook.verify(await context.req.text(), context.req.header()) as SwapEvent;
    } catch {
      return context.json({error: 'It is not signed.'}, 401);
    }
    const {reference, orderId, paymentKey, paidOut} = event.data;
    // Neither the same money nor the same cart counts a second time. Delivery would start here, in one transaction.
    if (event.type === 'swap.paid')
      await db.query(
        'insert into payments (payment_key, cart_id, order_id, amount) values ($1, $2, $3, $4) on conflict do nothing',
        [paymentKey, reference, orderId, paidOut?.amount],
      );
    return context.json({});
  });

  shop.get('/carts/:id', async context => {
    const id = context.req.param('id');
    const {rows} = await db.query<{paid_at: unknown}>(
      'select paid_at from carts left join payments on cart_id = id where id::text = $1',
      [id],
    );
    const [cart] = rows;
    return cart ? context.json({isPaid: cart.paid_at !== null}) : context.json({error: 'There is no such cart.'}, 404);
  });

  return shop;
}
