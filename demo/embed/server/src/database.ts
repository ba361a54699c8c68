import type {PGlite} from '@electric-sql/pglite';
import type {Pool} from 'pg';

/** The shop's queries to Postgres. Numbers of the type `numeric` are returned as text. */
export interface Queries {
  query<Row>(text: string, values?: unknown[]): Promise<{rows: Row[]}>;
}

export interface Database extends Queries {
  /** All of it is written, or nothing. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
}

/** Postgres, over the network. */
export function fromPool(pool: Pool): Database {
  return {
    query: async (text, values) => pool.query(text, values) as never,
    async transaction(work) {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const result = await work({query: async (text, values) => client.query(text, values) as never});
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
  };
}

/** Postgres in this process, for tests and for a quick start. */
export function fromPGlite(db: PGlite): Database {
  return {
    query: (text, values) => db.query(text, values),
    transaction: work => db.transaction(tx => work({query: (text, values) => tx.query(text, values)})),
  };
}

/** Made by one process at a time. What makes a payment count once is here: the two unique columns of `payments`. */
export const TABLES = `do $$ begin
  perform pg_advisory_xact_lock(hashtext('carts'));
  create table if not exists carts (
    id uuid primary key default gen_random_uuid(),
    recipient text not null,
    asset text not null,
    at_least numeric not null check (at_least > 0),
    created_at timestamptz not null default now()
  );
  -- Your own addresses, each for one cart: then no order of another customer's can pay for this one.
  create table if not exists addresses (
    asset text not null,
    address text not null,
    cart_id uuid unique references carts,
    primary key (asset, address)
  );
  -- What pages say: this order pays for that cart. What becomes of it, the follower writes into tables of its own.
  create table if not exists claims (
    cart_id uuid not null references carts,
    order_id text not null,
    primary key (cart_id, order_id)
  );
  create table if not exists payments (
    payment_key text primary key,
    cart_id uuid not null unique references carts,
    order_id text not null,
    amount numeric not null,
    paid_at timestamptz not null default now()
  );
end $$`;
