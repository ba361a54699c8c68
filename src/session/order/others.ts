import {mayBePaid} from '../../domain/funding.js';
import type {Order} from '../../domain/order.js';
import {valueOf} from '../../domain/remote.js';
import {isTerminal, isUnderWay, standingOf, type Stage} from '../../domain/stage.js';
import type {SessionCore} from '../shared.js';
import type {Journal, JournalEntry} from './journal.js';
import {clockOf, type StandingOfOrders} from './standing.js';
import {overlaid, type Witness} from './witness.js';

/** How often orders that are not shown and not at their end are read. */
const OTHERS_PAUSE_MS = 30_000;

/**
 * How often those are read that were not paid in time: a payment may come late, and has to go back. Each waits a
 * twentieth of its age, within these bounds.
 */
const EXPIRED_PAUSE_MS = {least: 5 * 60_000, most: 6 * 3_600_000} as const;

/** Reads the orders that are not shown, one after the other, so that the list and the page know where they stand. */
export function createOthers(
  {$order, $config, $active, $running, host}: SessionCore,
  journalNow: () => Journal | undefined,
  {announce, see}: StandingOfOrders,
  watchFees: (order: Order) => void,
  witness: Witness,
) {
  /** When each order was last asked for. */
  const lastAsked = new Map<string, number>();

  /** Whether it is time to read an order. */
  const isDue = ({orderId, stage, placedAt, ...entry}: JournalEntry): boolean => {
    // What a contract still holds can be taken back one day, whatever the service said in the end.
    if (isTerminal(stage) && !entry.isHeld) return false;
    if (!isTerminal(stage) && (stage !== 'expired' || mayBePaid(entry))) return true;
    const {least, most} = EXPIRED_PAUSE_MS;
    const pause = Math.min(Math.max((host.now() - placedAt) / 20, least), most);
    return host.now() >= (lastAsked.get(orderId) ?? 0) + pause;
  };

  /** Whether an order is read now: while the page is hidden, only where money is under way. */
  const isWanted = (stage: Stage) => $active.get() || ($running.get() && host.online$.get() && isUnderWay(stage));

  const read = async () => {
    const config = $config.get();
    const journal = journalNow();
    if (!config || !journal) return;
    for (const entry of journal.$entries.get()) {
      const isShown = () => entry.orderId === valueOf($order.get())?.id;
      if (isShown() || !isWanted(entry.stage) || !isDue(entry)) continue;
      lastAsked.set(entry.orderId, host.now());
      try {
        const told = await config.api.readOrder(entry.orderId).catch(() => undefined);
        if (told) watchFees(told);
        const chain = await witness.read(entry, told);
        witness.remember(entry, chain);
        const order = overlaid(told, chain, entry);
        if (!order) continue;
        see(order);
        // Other settings may have come meanwhile, with another journal.
        const record = journalNow()?.get(entry.orderId);
        if (!record || isShown() || (isTerminal(record.stage) && !record.isHeld)) continue;
        const clock = clockOf(order.source.asset, host.now(), config);
        const {stage} = standingOf({order, record, chain, clock}) ?? record;
        if (record.stage === stage) continue;
        journalNow()?.update(entry.orderId, () => ({stage}));
        announce(stage, record.stage, order);
      } catch {
        // It is read again on the next round.
      }
    }
  };

  return {
    read: () => void read(),

    /** Reads them now and again. Returns how to stop. */
    run() {
      let cancel = () => {};
      const next = () => {
        cancel = host.after(OTHERS_PAUSE_MS, () => {
          void read();
          next();
        });
      };
      next();
      const unsubscribe = $active.subscribe(active => {
        if (active) void read();
      });
      return () => {
        cancel();
        unsubscribe();
      };
    },
  };
}
