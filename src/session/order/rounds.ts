import type {Order} from '../../domain/order.js';
import {valueOf} from '../../domain/remote.js';
import {isUnderWay, type Stage} from '../../domain/stage.js';
import {isFinal, isOpen} from '../../domain/story.js';
import {spread} from '../pace.js';
import type {Watch} from '../shared.js';
import type {OrderBase} from './evidence.js';
import type {JournalEntry} from './journal.js';

const OTHERS_PAUSE_MS = 30_000;

/**
 * The pause for orders in which little is expected: they were not paid in time, or only the service says that they
 * ended. Each waits a twentieth of its age, within these bounds.
 */
const SELDOM_MS = {least: 5 * 60_000, most: 6 * 3_600_000} as const;

/** Whether an order is read now: while the page is hidden, only if money is on its way. */
export function isWatched(watch: Watch, stage: Stage): boolean {
  return watch === 'seen' || (watch === 'hidden' && isUnderWay(stage));
}

/** Reads the orders that are not displayed, one after the other, so that the list and the page have their stages. */
export function createRounds(
  {$orderState, $settings, $watch, host, journal}: OrderBase,
  read: (orderId: string) => Promise<Order>,
  look: (orderId: string) => Promise<void>,
) {
  const lastAsked = new Map<string, number>();
  let isGoing = false;

  const isDue = (entry: JournalEntry): boolean => {
    const {orderId, placedAt} = entry;
    if (isFinal(entry)) return false;
    if (isOpen(entry)) return true;
    const {least, most} = SELDOM_MS;
    const pause = Math.min(Math.max((host.now() - placedAt) / 20, least), most);
    return host.now() >= (lastAsked.get(orderId) ?? 0) + pause;
  };

  const round = async () => {
    if (!$settings.get().config) return;
    const book = journal();
    for (const {orderId} of book.entries) {
      const entry = book.get(orderId);
      const isShown = orderId === valueOf($orderState.get().placed)?.id;
      // The settings may have changed meanwhile, and with them the journal.
      if (!entry || isShown || book !== journal() || !isWatched($watch.get(), entry.stage) || !isDue(entry)) continue;
      lastAsked.set(orderId, host.now());
      // Whatever the service responds, if at all, the chains are read too.
      await read(orderId).catch(() => undefined);
      await look(orderId).catch(() => undefined);
    }
  };

  const start = () => {
    if (isGoing) return;
    isGoing = true;
    void round().finally(() => (isGoing = false));
  };

  return {
    read: start,
    run() {
      let cancel = () => {};
      const next = () => {
        cancel = host.after(spread(host, OTHERS_PAUSE_MS), () => {
          start();
          next();
        });
      };
      next();
      const unsubscribe = $watch.subscribe(watch => {
        if (watch === 'seen') start();
      });
      return () => {
        cancel();
        unsubscribe();
      };
    },
  };
}
