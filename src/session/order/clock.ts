import {atom} from 'nanostores';
import type {Order} from '../../domain/order.js';
import {JUMP_MS} from '../clock.js';
import type {SessionCore} from '../shared.js';
import type {JournalEntry} from './journal.js';

/** What time it is by the service's clock. Nothing else converts between that and the page's. */
export type Clock = ReturnType<typeof createClock>;

/** The parts of a record that date it. */
type Dated = Pick<JournalEntry, 'orderId' | 'placedAt' | 'ahead'>;

export function createClock({host}: Pick<SessionCore, 'host'>) {
  /** By how much the service is ahead of this page, by the `Date` of its responses; `undefined` if none can be read. */
  const $ahead = atom<number | undefined>();
  /** The orders that were placed on this page. */
  const placedHere = new Set<string>();

  /**
   * How much more time has passed since an order was placed than this page's clock says: the visitor's may have been set
   * since, on an earlier page or in what looked like a sleep. Until a response has a date, the most that it may be.
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
      const ahead = time - host.now();
      // Dates are in seconds, and responses take time.
      if (Math.abs(ahead - ($ahead.get() ?? Infinity)) > JUMP_MS) $ahead.set(ahead);
    },
  };
}
