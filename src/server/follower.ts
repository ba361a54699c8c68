import {fault, SwapError} from '../domain/error.js';
import {isWebAddress} from '../domain/web-address.js';
import type {Expected, VerifiedOrder} from './verify-order.js';

/** What the follower tells: what its order's money did, and whose order it is. */
export interface SwapEvent {
  /**
   * `swap.paid`: `isPaid`. `swap.refunded`: the chain shows the refund. `swap.unproved`: neither, in the time that it
   * was followed. Each of these is the last one. `swap.changed`: the stage is another one, or what is proved.
   */
  readonly type: 'swap.changed' | 'swap.paid' | 'swap.refunded' | 'swap.unproved';
  /** When it was read, as ISO 8601 text. */
  readonly timestamp: string;
  /** The order as verified, its amounts as decimal text; only the two names if it never could be read. */
  readonly data: {readonly reference: string; readonly orderId: string} & Partial<Written<VerifiedOrder>>;
}

/** A value as JSON: a bigint as decimal text. */
type Written<T> = T extends bigint ? string : T extends object ? {readonly [Key in keyof T]: Written<T[Key]>} : T;

export interface FollowerOptions {
  /** One statement to Postgres, as `pg` and PGlite run it. */
  readonly query: (text: string, values?: unknown[]) => Promise<{readonly rows: readonly unknown[]}>;
  /** `verifyOrder` with your service and RPCs. If it rejects, the order is read again later. */
  readonly verify: (orderId: string, expected: Expected) => Promise<VerifiedOrder>;
  /** Where events are posted: `https:`, or `http:` on this machine. */
  readonly url: string;
  /** The secret that signs them: `whsec_` and 24 to 64 random bytes in base64 (Standard Webhooks). */
  readonly secret: string;
  /** How long an order is followed, in milliseconds. Default: three days, for payment, timelock and refund. */
  readonly patience?: number;
  /** Hears why an order could not be read or an event not be delivered; both are tried again. */
  readonly warn?: (what: string, error: unknown) => void;
  readonly fetch?: typeof fetch;
}

/** Follows orders, and posts what happens to their money. Any number of them may share a database. */
export interface Follower {
  /** Creates its two tables, unless they exist. */
  prepare(): Promise<void>;
  /** Follows an order from now on. `reference`: your own id, such as the cart's. Once for both, however often called. */
  follow(orderId: string, agreed: {readonly reference: string; readonly expected: Expected}): Promise<void>;
  /** Posts one event or reads one order, if any is due. */
  step(): Promise<boolean>;
  /** Does whatever is due until the signal aborts. It survives a database that does not respond. */
  run(signal: AbortSignal): Promise<void>;
}

/** In one statement, one process at a time: `if not exists` alone fails where two begin together. */
const TABLES = `do $$ begin
  perform pg_advisory_xact_lock(hashtext('swap_orders'));
  create table if not exists swap_orders (
    order_id text not null,
    reference text not null,
    expected text not null,
    told text not null default '',
    events integer not null default 0,
    has_ended boolean not null default false,
    read_at timestamptz not null default '-infinity',
    tries integer not null default 0,
    due timestamptz not null default now(),
    followed_at timestamptz not null default now(),
    primary key (order_id, reference)
  );
  create index if not exists swap_orders_due on swap_orders (due) where not has_ended;
  create table if not exists swap_events (
    order_id text not null,
    reference text not null,
    number integer not null,
    id text not null unique default 'evt_' || gen_random_uuid(),
    body text not null,
    is_delivered boolean not null default false,
    tries integer not null default 0,
    due timestamptz not null default now(),
    primary key (order_id, reference, number)
  );
  create index if not exists swap_events_due on swap_events (due) where not is_delivered;
end $$`;

/** Each read is later than the one before by half as much again, an hour at most: what ends meanwhile, is read then. */
const TAKE_ORDER = `
  update swap_orders set tries = tries + 1, due = now() + least(interval '5 seconds' * power(1.5, least(tries, 30)), interval '1 hour')
  where (order_id, reference) = (
    select order_id, reference from swap_orders where not has_ended and due <= now() order by due limit 1 for update skip locked
  )
  returning order_id, reference, expected, told, clock_timestamp()::text as asked_at,
    round(extract(epoch from now() - followed_at) * 1000)::text as age`;

/** What was read and what is told of it are written together, and an older answer never after a newer one. */
const WRITE = `
  with changed as (
    update swap_orders set told = $3, has_ended = $4, read_at = $5::timestamptz, events = events + 1, tries = 0, due = now() + interval '5 seconds'
    where order_id = $1 and reference = $2 and not has_ended and read_at < $5::timestamptz and told <> $3
    returning order_id, reference, events
  )
  insert into swap_events (order_id, reference, number, body) select order_id, reference, events, $6 from changed`;

/** One order's events are posted one after the other. Pauses double, to an hour; the first is longer than a request. */
const TAKE_EVENT = `
  update swap_events set tries = tries + 1, due = now() + least(interval '20 seconds' * power(2, least(tries, 20)), interval '1 hour')
  where id = (
    select id from swap_events as event where not is_delivered and due <= now() and not exists (
      select 1 from swap_events as earlier where not earlier.is_delivered and earlier.number < event.number
        and earlier.order_id = event.order_id and earlier.reference = event.reference
    ) order by due limit 1 for update skip locked
  )
  returning id, body`;

const REQUEST_MS = 15_000;
const IDLE_MS = 1_000;
const PATIENCE_MS = 3 * 24 * 3_600_000;

interface OrderRow {
  readonly order_id: string;
  readonly reference: string;
  readonly expected: string;
  readonly told: string;
  readonly asked_at: string;
  /** How long it has been followed, in milliseconds. */
  readonly age: string;
}

/**
 * Follows orders on a merchant's server: reads each from its service and both chains, less and less often, and posts
 * what changed as signed events (Standard Webhooks 1.0: `webhook-id`, `webhook-timestamp`, `webhook-signature`). Each
 * event is posted until its receiver answers with 2xx: at least once, with one id, and in order for one swap. A process
 * that ends at any moment loses nothing.
 * @throws SwapError `config` if the URL or the secret is invalid
 */
export function createFollower(options: FollowerOptions): Follower {
  if (!isWebAddress(options.url)) throw fault('url', 'Neither https nor on this machine.');
  return new OrderFollower(options, bytesOf(options.secret));
}

class OrderFollower implements Follower {
  readonly #options: FollowerOptions;
  readonly #key: Uint8Array<ArrayBuffer>;

  constructor(options: FollowerOptions, key: Uint8Array<ArrayBuffer>) {
    this.#options = options;
    this.#key = key;
  }

  async prepare(): Promise<void> {
    await this.#query(TABLES);
  }

  async follow(orderId: string, {reference, expected}: {reference: string; expected: Expected}): Promise<void> {
    const insert = 'insert into swap_orders (order_id, reference, expected) values ($1, $2, $3) on conflict do nothing';
    await this.#query(insert, [orderId, reference, written(expected)]);
  }

  async step(): Promise<boolean> {
    return (await this.#postNext()) || (await this.#readNext());
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isBusy = await this.step().catch((error: unknown) => {
        this.#warn('database', error);
        return false;
      });
      if (!isBusy) await pause(IDLE_MS, signal);
    }
  }

  async #query<Row>(text: string, values?: unknown[]): Promise<readonly Row[]> {
    return (await this.#options.query(text, values)).rows as readonly Row[];
  }

  #warn(what: string, error: unknown): void {
    (this.#options.warn ?? console.warn)(what, error);
  }

  async #readNext(): Promise<boolean> {
    const {verify, patience = PATIENCE_MS} = this.#options;
    const [row] = await this.#query<OrderRow>(TAKE_ORDER);
    if (!row) return false;
    const {order_id: orderId, reference} = row;
    const isLate = Number(row.age) > patience;
    const order = await verify(orderId, expectedIn(row.expected)).catch((error: unknown) => {
      this.#warn(orderId, error);
      return isUnknown(error) ? undefined : 'unread';
    });
    // Only an answer ends it, be it that there is no such order.
    if (order === 'unread' || (!order && !isLate)) return true;
    const type = typeOf(order, isLate);
    const event: SwapEvent = {
      type,
      timestamp: new Date().toISOString(),
      data: {reference, orderId, ...(order && (JSON.parse(written(order)) as Written<VerifiedOrder>))},
    };
    const values = [essence(type, order), type !== 'swap.changed', row.asked_at, written(event)];
    await this.#query(WRITE, [orderId, reference, ...values]);
    return true;
  }

  async #postNext(): Promise<boolean> {
    const {url, fetch = globalThis.fetch} = this.#options;
    const [row] = await this.#query<{readonly id: string; readonly body: string}>(TAKE_EVENT);
    if (!row) return false;
    const {id, body} = row;
    const at = String(Math.floor(Date.now() / 1000));
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': at,
      'webhook-signature': `v1,${await sign(this.#key, `${id}.${at}.${body}`)}`,
    };
    try {
      const signal = AbortSignal.timeout(REQUEST_MS);
      const response = await fetch(url, {method: 'POST', body, headers, redirect: 'error', signal});
      if (!response.ok) throw new Error(`HTTP ${String(response.status)}`);
    } catch (error) {
      this.#warn(id, error);
      return true;
    }
    await this.#query('update swap_events set is_delivered = true where id = $1', [id]);
    return true;
  }
}

function typeOf(order: VerifiedOrder | undefined, isLate: boolean): SwapEvent['type'] {
  if (order?.isPaid) return 'swap.paid';
  if (order?.paidBack.certainty === 'proved') return 'swap.refunded';
  const isUnread = [order?.paidOut, order?.paidBack].some(one => one?.certainty === 'waiting');
  return isLate && !isUnread ? 'swap.unproved' : 'swap.changed';
}

function isUnknown(error: unknown): boolean {
  return error instanceof SwapError && error.code === 'service' && error.field === 'order';
}

function essence(type: SwapEvent['type'], order: VerifiedOrder | undefined): string {
  const {stage, differs = [], paidIn, paidOut, paidBack} = order ?? {};
  return JSON.stringify([type, stage, differs, ...[paidIn, paidOut, paidBack].map(one => one?.certainty)]);
}

function written(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one));
}

function expectedIn(text: string): Expected {
  const {atLeast, ...others} = JSON.parse(text) as Written<Expected>;
  return {...others, atLeast: BigInt(atLeast)};
}

function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  try {
    if (!secret.startsWith('whsec_')) throw new Error('It has another beginning.');
    const bytes = Uint8Array.from(atob(secret.slice('whsec_'.length)), character => character.charCodeAt(0));
    if (bytes.length < 24 || bytes.length > 64) throw new Error(`It has ${String(bytes.length)} bytes.`);
    return bytes;
  } catch {
    throw fault('secret', 'Not whsec_ and 24 to 64 bytes in base64.');
  }
}

async function sign(bytes: Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const key = await crypto.subtle.importKey('raw', bytes, {name: 'HMAC', hash: 'SHA-256'}, false, ['sign']);
  const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(mac)));
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
