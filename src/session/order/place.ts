import {batch} from 'nanostores';
import {deepFreeze, type Agreement} from '../../domain/deposit.js';
import {idle, ready} from '../../domain/remote.js';
import {NO_FUNDING} from './stores.js';
import {shownNote, type Memory} from '../storage.js';
import type {Checking} from './check.js';
import type {JournalEntry} from './journal.js';
import type {Paying} from './pay.js';
import {waitForPage, type OrderCore, type ShownOrder} from './shown.js';
import type {Watching} from './watch.js';

/** What an order that comes to the screen needs. */
interface Parts {
  readonly checking: Checking;
  readonly paying: Paying;
  readonly watching: Watching;
}

/** Places what was agreed, checks what the service answers and asks the wallet, as long as it is awaited. */
export function createPlacing(core: OrderCore, {present}: ShownOrder, {checking, paying}: Parts) {
  const {$placed, $refund, host, gates, tracking, config, journal, memory, tell} = core;
  return async (agreed: Agreement, isAwaited: () => boolean, onPlaced: () => void) => {
    await waitForPage(host, gates.beforeOrder?.(agreed));
    if (!isAwaited()) return;
    const {api, nameSolver} = config();
    const book = journal();
    // An order that could not be written down could not be paid.
    book.reserve();
    const placedAt = host.now();
    const {orderId, deposit} = await api.createOrder(agreed, {nameSolver});
    const entry: JournalEntry = deepFreeze({
      orderId,
      placedAt,
      agreed,
      deposit,
      walletRequests: [],
      stage: 'awaiting-deposit',
    });
    book.add(entry);
    tell({type: 'order', orderId, agreed});
    // A person who went elsewhere in the meantime finds it in the list.
    if (!isAwaited()) return;
    noteShown(memory(), orderId);
    batch(() => {
      paying.showFunding(entry);
      $refund.set(idle);
      $placed.set(ready(present(entry)));
      onPlaced();
    });
    tracking.follow(orderId);
    if (deposit.how === 'wallet') await paying.pay();
    else await checking.readAndCheck(orderId, {isNew: true});
  };
}

/** Brings orders to the screen that were placed before, and takes them off it. */
export function createOpening(
  core: OrderCore,
  {busy, shown, isShown, present}: ShownOrder,
  {checking, paying, watching}: Parts,
) {
  const {$placed, $funding, $refund, tracking, journal, memory} = core;

  /**
   * Shows an order of the journal's. That is input, not truth: it is checked again before anything is shown to pay or
   * sign, and to say why it was stopped.
   */
  const showEntry = (entry: JournalEntry) => {
    $placed.set(ready(present(entry)));
    const {stage, orderId} = entry;
    if (stage === 'awaiting-deposit' || stage === 'funding' || stage === 'stopped')
      void checking.readAndCheck(orderId, {isNew: false});
  };

  return {
    /** Shows an order: one of the journal's to go on with, any other to look at. */
    open(orderId: string) {
      if (isShown(orderId)) return;
      const entry = journal().get(orderId);
      $refund.set(idle);
      watching.reset();
      tracking.follow(orderId);
      if (!entry) {
        $funding.set(NO_FUNDING);
        $placed.set(ready({id: orderId, placedAt: 0, payUntil: 0}));
        return;
      }
      noteShown(memory(), orderId);
      paying.showFunding(entry);
      showEntry(entry);
    },

    /** Looks at the order on the screen with other settings: more may be known now of what it is checked against. */
    reconfigure() {
      const placed = shown();
      const entry = placed?.deal && journal().get(placed.id);
      // A page that renders again sets what it set before. Work that is under way reads the settings itself.
      if (entry && !busy.has(placed.id) && !isSameDeal(entry.agreed, placed.deal.agreed)) showEntry(entry);
    },

    /** Follows what another tab did about the order on the screen: it may be asking its wallet. */
    otherTab() {
      const placed = shown();
      const entry = placed?.deal && journal().get(placed.id);
      if (!entry || busy.has(placed.id)) return;
      if (JSON.stringify(entry.walletRequests) === JSON.stringify($funding.get().walletRequests)) return;
      paying.showFunding(entry);
      showEntry(entry);
    },

    /** Shows none. */
    close() {
      noteShown(memory(), undefined);
      $placed.set(idle);
      $funding.set(NO_FUNDING);
      $refund.set(idle);
      watching.reset();
      tracking.follow(undefined);
    },
  };
}

/** Notes which order is shown, to go on with after a reload. */
function noteShown(memory: Memory, orderId: string | undefined): void {
  memory.setNote(shownNote(memory), orderId);
}

/** Whether two agreements name the same contracts, tokens and chains. */
function isSameDeal(one: Agreement, other: Agreement): boolean {
  const text = ({from, to}: Agreement) => JSON.stringify([from, to]);
  return text(one) === text(other);
}
