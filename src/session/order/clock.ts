import {atom} from 'nanostores';
import type {Order} from '../../domain/order.js';
import {JUMP_MS} from '../clock.js';
import type {SessionCore} from '../shared.js';
import type {JournalEntry} from './journal.js';

/** What time it is by the service's clock, or by a chain's. Nothing else converts between that and the page's. */
export type Clock = ReturnType<typeof createClock>;

/** For how long a chain's block tells the time; how soon it is read again until a new one is seen; when that is given up. */
const CHAIN_MS = 10 * 60_000;
const AGAIN_MS = 5_000;
const GIVEN_UP_MS = 60_000;

/** The parts of a record that date it. */
type Dated = Pick<JournalEntry, 'orderId' | 'placedAt' | 'ahead'>;

export function createClock({host}: Pick<SessionCore, 'host'>) {
  /** By how much the true time is ahead of this page's: by the service's `Date`, else by a chain; `undefined` if unread. */
  const $ahead = atom<number | undefined>();
  /** The orders that were placed on this page. */
  const placedHere = new Set<string>();
  let isDated = false;
  /** When a chain was last asked for the time. */
  let asked = -Infinity;

  /**
   * How much more time has passed since an order was placed than this page's clock says: the visitor's may have been set
   * since, on an earlier page or in what looked like a sleep. Until the time is read, the most that it may be.
   */
  const lostSince = ({orderId, placedAt, ahead}: Dated, createdAt: number): number => {
    const now = $ahead.get();
    if (now !== undefined && ahead !== undefined) return now - ahead;
    return placedHere.has(orderId) ? 0 : Math.max((now ?? 0) - (createdAt - placedAt), 0);
  };

  /**
   * By how many milliseconds the service's clock is ahead of this page's, for the times of an order. One of this browser
   * was created at one moment, which both recorded.
   */
  const skewOf = (order: Pick<Order, 'createdAt'> | undefined, record: Dated | undefined): number => {
    if (!order) return 0;
    if (!record) return $ahead.get() ?? 0;
    return order.createdAt - record.placedAt + lostSince(record, order.createdAt);
  };

  return {
    /** Set with each response that shows a clock to be set, or the computer to have slept. */
    $ahead,
    skewOf,

    /** When an order was placed, by this page's clock. */
    placedAt: (record: Dated, order: Pick<Order, 'createdAt'> | undefined): number =>
      record.placedAt - (order ? lostSince(record, order.createdAt) : 0),

    /** Records that an order was placed on this page. */
    begin: (orderId: string) => void placedHere.add(orderId),

    /** Takes the service's time from a response that has just arrived. */
    hear(time: number) {
      isDated = true;
      const ahead = time - host.now();
      // Dates are in seconds, and responses take time.
      if (Math.abs(ahead - ($ahead.get() ?? Infinity)) > JUMP_MS) $ahead.set(ahead);
    },

    /** By how much a chain's newest block is ahead of this page, at least, while no date is read. Never rejects. */
    async aheadOf(read: () => Promise<number | undefined>): Promise<number | undefined> {
      const time = isDated ? undefined : await read();
      return time === undefined ? undefined : time - host.now();
    },

    /**
     * Takes the time from a chain while responses have no date: from a block that was made meanwhile, as a chain may
     * stand still. It is as late as it may be. Never rejects.
     */
    async hearChain(read: () => Promise<number | undefined>) {
      if (isDated || host.now() < asked + CHAIN_MS) return;
      const begun = (asked = host.now());
      const isOver = () => isDated || host.now() > begun + GIVEN_UP_MS;
      const first = await read();
      if (first === undefined) asked = -Infinity;
      while (first !== undefined && !isOver()) {
        const at = host.now();
        await new Promise<void>(resolve => void host.after(AGAIN_MS, resolve));
        const time = await read();
        if (time === undefined || time <= first || isOver()) continue;
        $ahead.set(time - at);
        return;
      }
    },
  };
}
