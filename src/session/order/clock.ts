import type {Order} from '../../domain/order.js';
import {JUMP_MS} from '../clock.js';
import type {SessionCore} from '../shared.js';
import type {Host} from '../types.js';
import type {Books, JournalEntry} from './journal.js';

/** What time it is by the service's clock, or by a chain's. Nothing else converts between that and the page's. */
export type Clock = ReturnType<typeof createClock>;

/**
 * How long a chain's block tells the time; the pause until it is read again while no new one is seen; how exact that
 * is, since a hidden page's timers are late; when it is given up.
 */
const CHAIN_MS = 10 * 60_000;
const AGAIN_MS = 5_000;
const CLOSE_MS = 15_000;
const GIVEN_UP_MS = 60_000;
type Dated = Pick<JournalEntry, 'orderId' | 'placedAt' | 'ahead'>;

/** `dated`: called when a response shows that a clock was set, or that the computer slept. */
export function createClock({host}: Pick<SessionCore, 'host'>, journal: Books['journal'], dated: () => void) {
  /** By how much the true time is ahead of this page's: by the service's `Date`, else by a chain; `undefined` if unread. */
  let skew: number | undefined;
  /** The orders that were placed on this page, and how often its clock had been set by then. */
  const placedHere = new Map<string, number>();
  let isDated = false;
  let asked = -Infinity;

  /**
   * The visitor's clock may have been set since, on an earlier page or in what looked like a sleep. Until the time is
   * read, the most that it may be.
   */
  const lostSince = ({orderId, placedAt, ahead}: Dated, createdAt: number): number => {
    if (skew !== undefined && ahead !== undefined) return skew - ahead;
    const jumps = placedHere.get(orderId);
    if (jumps !== undefined && (skew === undefined || jumps === host.jumps())) return 0;
    return Math.max((skew ?? 0) - (createdAt - placedAt), 0);
  };

  /**
   * By how many milliseconds the service's clock is ahead of this page's, for the times of an order. One of this browser
   * was created at one moment, which both recorded.
   */
  const skewOf = (order: Pick<Order, 'createdAt'> | undefined, record: Dated | undefined): number => {
    if (!order) return 0;
    if (!record) return skew ?? 0;
    return order.createdAt - record.placedAt + lostSince(record, order.createdAt);
  };

  /** Takes what was heard, and dates orders of this page by the least that it may be, unless its clock was set since. */
  const accept = (ahead: number, least: number) => {
    for (const [orderId, jumps] of placedHere) {
      if (jumps === host.jumps() && journal().get(orderId)?.ahead === undefined)
        journal().note(orderId, () => ({ahead: least}));
    }
    if (skew === ahead) return;
    skew = ahead;
    dated();
  };

  return {
    skewOf,

    placedAt: (record: Dated, order: Pick<Order, 'createdAt'> | undefined): number =>
      record.placedAt - (order ? lostSince(record, order.createdAt) : 0),

    /** Records that an order was placed on this page, which is dated by what is heard next. */
    begin(orderId: string) {
      placedHere.set(orderId, host.jumps());
      asked = -Infinity;
    },

    hear(time: number) {
      isDated = true;
      const [before, ahead] = [skew ?? Infinity, time - host.now()];
      // Dates are in seconds, and responses take time.
      const taken = Math.abs(ahead - before) > JUMP_MS ? ahead : before;
      accept(taken, taken);
    },

    /**
     * Takes the time from a chain while responses have no date: from a block that was made meanwhile, as a chain may
     * stand still. It is as late as it may be. Never rejects.
     */
    async hearChain(read: () => Promise<number | undefined>) {
      if (isDated || host.now() < asked + CHAIN_MS) return;
      const begun = (asked = host.now());
      const isWanted = () => !isDated && host.now() <= begun + GIVEN_UP_MS;
      const heard = await readNext(host, read, isWanted);
      if (heard) accept(heard.most, heard.least);
      // Otherwise the next look asks again.
      else asked = -Infinity;
    },
  };
}

/** By how much a chain is ahead of the page at most and at least, by a block that it makes meanwhile. */
async function readNext(host: Host, read: () => Promise<number | undefined>, isWanted: () => boolean) {
  let last = await read();
  while (last !== undefined && isWanted()) {
    const at = host.now();
    await new Promise<void>(resolve => void host.after(AGAIN_MS, resolve));
    const time = (await read()) ?? last;
    const now = host.now();
    if (time > last && now < at + CLOSE_MS && isWanted()) return {most: time - at, least: time - now};
    last = Math.max(last, time);
  }
  return undefined;
}
