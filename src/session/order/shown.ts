import type {DepositState, WalletRequestUpdate} from '../../chains/adapter.js';
import {dealOf, type CheckReport, type WalletRequest, type WalletRequestKind} from '../../domain/deposit.js';
import {SwapError, toSwapError} from '../../domain/error.js';
import {isSent, isUnclear, mayBePaid, PAYING, withSettled} from '../../domain/funding.js';
import type {Order} from '../../domain/order.js';
import {ready, valueOf} from '../../domain/remote.js';
import {windowOf} from '../../domain/stage.js';
import {lock} from '../storage.js';
import type {FundingProgress, Host, PlacedOrder, Question} from '../types.js';
import {withoutAddress, withoutSwapId} from './consent.js';
import type {EvidenceStore, OrderBase} from './evidence.js';
import type {Journal, JournalEntry} from './journal.js';
import type {Tracking} from './track.js';

/** If the lock is not granted within this time, another tab is displayed as working on the order. */
const LOCK_PAUSE_MS = 300;

/** How long the page may block a swap. After that the swap stops with `held`. */
const LONGEST_HOLD_MS = 120_000;

/** What all work on an order shares. */
export interface OrderCore extends OrderBase {
  readonly tracking: Tracking;
  readonly evidence: EvidenceStore;
}

/** The displayed order, and work on it, one task at a time. */
export type ShownOrder = ReturnType<typeof createShownOrder>;

export function createShownOrder(core: OrderCore) {
  const {$placed, $funding, $families, host, clock, consent, tracking, config, journal, account, adapter, tell} = core;
  /** Orders with work in progress, so that a second click requests nothing twice. */
  const busy = new Set<string>();
  /** Orders whose payment is still awaited after its deadline, because the visitor said so. */
  const waitedFor = new Set<string>();

  const shown = () => valueOf($placed.get());
  const isShown = (orderId: string) => shown()?.id === orderId;
  const show = (orderId: string, change: Partial<FundingProgress>) => {
    if (!isShown(orderId)) return;
    const entry = journal().get(orderId);
    const isBusy = busy.has(orderId);
    const before = $funding.get();
    const funding = {...before, ...change};
    const now: FundingProgress = {
      ...funding,
      ...(entry && {
        walletRequests: entry.walletRequests,
        unclear: !isBusy && (isUnclear(entry) || isOverdue(entry, funding.seen)),
        sent: isSent(entry),
      }),
      busy: isBusy,
    };
    // A chain is polled: repeated values are not displayed again. Without a change, some work has ended: others may
    // wait for that.
    const isNews = (name: string) =>
      !(name in before) || now[name as keyof FundingProgress] !== before[name as keyof FundingProgress];
    if (!Object.keys(change).length || Object.keys(now).some(isNews)) $funding.set(now);
  };

  const orderOf = ({orderId}: JournalEntry, order = shown()?.deal?.order) =>
    order?.id === orderId ? order : undefined;

  /** Until when the service accepts a payment, by this page's clock: it may have set its own deadline. */
  const dueBy = (entry: JournalEntry, given?: Order) => {
    const order = orderOf(entry, given);
    return clock.placedAt(entry, order) + windowOf(order, config().depositWindow);
  };

  /**
   * Until when the visitor can be asked to pay: no longer than the chain accepts the service's payload. That is known
   * with the family's code, without which nothing is checked, and no wallet prompted.
   */
  const payUntil = (entry: JournalEntry, order?: Order) => {
    const {expiresAfter = Infinity} = $families.get()[entry.agreed.from.chain.family] ?? {};
    return Math.min(dueBy(entry, order), clock.placedAt(entry, orderOf(entry, order)) + expiresAfter);
  };

  /** Whether a payment that was sent did not reach the chain in time: only the visitor can decide to keep waiting. */
  const isOverdue = (entry: JournalEntry, seen: DepositState | undefined) =>
    seen === 'none' && mayBePaid(entry) && host.now() >= dueBy(entry) && !waitedFor.has(entry.orderId);

  /** Dates the displayed order again, after the service's time was heard. */
  const dateAgain = () => {
    const placed = shown();
    const entry = placed?.deal && journal().get(placed.id);
    if (!entry) return;
    const order = placed.deal.order;
    const times = {placedAt: clock.placedAt(entry, order), payUntil: payUntil(entry, order)};
    if (times.payUntil !== placed.payUntil) $placed.set(ready({...placed, ...times}));
  };

  const dealNow = (entry: JournalEntry, order?: Order) => dealOf(entry, order, config().policy);
  /** The order that was last checked, as the service described it. */
  let checked: Order | undefined;

  return {
    busy,
    waitedFor,
    checkedOrder: () => checked,
    shown,
    isShown,
    show,
    dateAgain,
    dealOf: dealNow,

    /** @throws SwapError `expired` if the time to pay is over. */
    requireTime(entry: JournalEntry, order?: Order) {
      if (host.now() >= payUntil(entry, order)) throw new SwapError('expired');
    },

    /** An entry as displayed, without its address as long as that must not be paid. */
    present(entry: JournalEntry, order?: Order, report?: CheckReport, question?: Question): PlacedOrder {
      if (report) checked = order;
      const isWithheld = question !== undefined || report?.outcome === 'failed' || consent.isWithheld(entry);
      const open = isWithheld ? withoutAddress(entry) : entry;
      const deal = dealNow(open, open === entry ? order : order && withoutSwapId(order));
      return {
        id: entry.orderId,
        placedAt: clock.placedAt(entry, orderOf(entry, order)),
        payUntil: payUntil(entry, order),
        deal,
        ...(report && {report}),
        ...(question && {question}),
      };
    },

    /** The chain that an order is paid on, the account whose wallet can read it, and the other assets there. */
    async sourceOf({agreed}: JournalEntry) {
      const {family, name} = agreed.from.chain;
      return [await adapter(family), {account: account(family), others: config().catalogue.others(name)}] as const;
    },

    whenFree: (orderId: string) =>
      new Promise<void>(resolve => {
        if (!busy.has(orderId)) {
          resolve();
          return;
        }
        const stop = $funding.listen(() => {
          if (busy.has(orderId) && isShown(orderId)) return;
          stop();
          resolve();
        });
      }),

    /** Works on an order while no other work on it is in progress, in this tab or another, and displays the outcome. */
    async alone(orderId: string, change: Partial<FundingProgress>, work: () => Promise<unknown>) {
      if (busy.has(orderId)) return;
      busy.add(orderId);
      show(orderId, {error: undefined, ...change});
      const cancel = host.after(LOCK_PAUSE_MS, () => show(orderId, {elsewhere: true}));
      try {
        const begin = () => {
          cancel();
          show(orderId, {elsewhere: undefined});
          return work();
        };
        const name = `swap-widget/${orderId}`;
        await (host.lock ? host.lock(name, begin) : lock(name, begin));
        busy.delete(orderId);
        show(orderId, {asking: undefined});
      } catch (cause) {
        const error = toSwapError(cause, 'wallet-unclear');
        busy.delete(orderId);
        show(orderId, {asking: undefined, error});
        tell({type: 'error', error, orderId});
      }
      tracking.readNow();
    },
  };
}

/** Waits for the page's decision. A page that takes too long blocks the swap. */
export function waitForPage(host: Host, gate: Promise<void> | undefined): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const cancel = host.after(LONGEST_HOLD_MS, () => {
      reject(new SwapError('held', {detail: `the page did not answer in ${String(LONGEST_HOLD_MS / 1000)} s`}));
    });
    Promise.resolve(gate).then(resolve, reject).finally(cancel);
  });
}

/**
 * Records and displays the wallet requests of one call to an adapter, and their outcomes. A response after the call
 * timed out (`end`) belongs to its own request, whatever followed, and is passed to `onLate`.
 */
export function recordRequests(
  {$funding, host}: OrderCore,
  {show}: ShownOrder,
  journal: Journal,
  orderId: string,
  onLate: (update: WalletRequestUpdate) => void = () => undefined,
) {
  const places = new Map<WalletRequestKind, number>();
  let isOver = false;
  return {
    write(update: WalletRequestUpdate) {
      const {kind, state} = update;
      const place = state === 'asking' ? undefined : places.get(kind);
      places.set(kind, writeRequest(journal, orderId, {at: host.now(), ...update}, place));
      if (!isOver) {
        show(orderId, {asking: state === 'asking' ? kind : undefined});
        return;
      }
      onLate(update);
      show(orderId, {...($funding.get().error?.code === 'wallet-unclear' && {error: undefined})});
    },
    end() {
      isOver = true;
    },
  };
}

/** Repeating these does no harm: a contract refunds once, and an allowance is reset to zero. */
const HARMLESS: ReadonlySet<WalletRequestKind> = new Set<WalletRequestKind>(['refund', 'revoke']);

/**
 * Records a wallet request or its outcome; returns its index among the order's. A request that moves money is not made
 * if it cannot be recorded. `place`: the index of the request that is answered, if known.
 */
function writeRequest(journal: Journal, orderId: string, request: WalletRequest, place?: number): number {
  const {kind, state} = request;
  let at = place ?? -1;
  try {
    if (state === 'asking' && !journal.get(orderId)) throw new SwapError('storage');
    journal.update(orderId, entry => {
      const {walletRequests: requests} = entry;
      // Without Web Locks two tabs can get this far: the one that recorded first prompts.
      if (state === 'asking' && PAYING.has(kind) && mayBePaid(entry))
        throw new SwapError('wallet-unclear', {field: 'asked'});
      if (requests[at]?.kind === kind) return {walletRequests: requests.with(at, request)};
      at = requests.length;
      const isFirst = PAYING.has(kind) && entry.payableSince === null;
      return {walletRequests: [...requests, request], ...(isFirst && {payableSince: request.at})};
    });
  } catch (error) {
    if (!HARMLESS.has(kind)) throw error;
  }
  return at;
}

/** Records the outcome of the payment that may have been sent. */
export function settlePayment(journal: Journal, {orderId}: JournalEntry, change: Partial<WalletRequest>): void {
  journal.update(orderId, entry => ({walletRequests: withSettled(entry, change)}));
}
