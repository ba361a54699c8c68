import type {Expected, VerifiedOrder} from 'swap-widget/server';
import type {Database} from './database.js';

/** Verifies an order on the chains. It rejects if the order cannot be read. */
export type Verify = (orderId: string, expected: Expected) => Promise<VerifiedOrder>;

interface Claim {
  readonly cart_id: string;
  readonly order_id: string;
  /** In milliseconds since 1970. */
  readonly claimed: string;
  readonly agreed: string;
  readonly recipient: string;
  readonly asset: `${string}:${string}`;
  readonly at_least: string;
}

/** How long an order is checked: an hour to pay it, a day for its timelock, and time for a refund to be seen. */
const PATIENCE_MS = 3 * 24 * 3_600_000;

/**
 * Checks one order that is due, if there is one. Any number of these may run at a time, in any number of processes.
 * Taking it reschedules it, each time for later: if this process ends now, it is checked then.
 */
export async function watchOnce(db: Database, verify: Verify): Promise<boolean> {
  const {rows} = await db.query<Claim>(`
    update claims set tries = tries + 1, due = now() + least(interval '5 seconds' * power(1.5, least(tries, 30)), interval '1 hour')
    from carts
    where carts.id = claims.cart_id and (cart_id, order_id) = (
      select cart_id, order_id from claims where state = 'waiting' and due <= now() order by due limit 1 for update skip locked
    )
    returning cart_id, order_id, recipient, asset, at_least::text,
      round(extract(epoch from claims.created_at) * 1000)::text as claimed,
      round(extract(epoch from carts.created_at) * 1000)::text as agreed`);
  const [claim] = rows;
  if (!claim) return false;
  const {cart_id, order_id, recipient, asset, at_least, agreed, claimed} = claim;
  const order = await verify(order_id, {recipient, asset, atLeast: BigInt(at_least), since: Number(agreed)}).catch(
    (error: unknown) => {
      // It is checked again later.
      console.warn(order_id, error);
    },
  );
  if (order?.isPaid && order.paymentKey !== undefined) await count(db, claim, order.paymentKey, order.paidOut.amount);
  else if (order?.paidBack.certainty === 'proved') await end(db, claim, 'returned');
  else if (Date.now() - Number(claimed) > PATIENCE_MS) await end(db, {cart_id, order_id}, 'given up');
  return true;
}

/** Counts a payment once: neither the same money nor the same cart a second time. Delivery would start here. */
async function count(db: Database, {cart_id, order_id}: Claim, paymentKey: string, amount: bigint): Promise<void> {
  await db.transaction(async queries => {
    const {rows} = await queries.query(
      'insert into payments (payment_key, cart_id, order_id, amount) values ($1, $2, $3, $4) on conflict do nothing returning 1',
      [paymentKey, cart_id, order_id, String(amount)],
    );
    await end(queries, {cart_id, order_id}, rows.length ? 'paid' : 'used');
  });
}

async function end(
  queries: Pick<Database, 'query'>,
  {cart_id, order_id}: Pick<Claim, 'cart_id' | 'order_id'>,
  state: 'paid' | 'used' | 'returned' | 'given up',
): Promise<void> {
  const text = "update claims set state = $3 where cart_id = $1 and order_id = $2 and state = 'waiting'";
  await queries.query(text, [cart_id, order_id, state]);
}
