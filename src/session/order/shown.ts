import type {DepositState, WalletRequestUpdate} from '../../chains/adapter.js';
import {dealOf, type CheckReport, type Deal, type WalletRequest, type WalletRequestKind} from '../../domain/deposit.js';
import {SwapError, toSwapError} from '../../domain/error.js';
import {isSent, isUnclear, mayBePaid, PAYING, withSettled} from '../../domain/funding.js';
import type {Order} from '../../domain/order.js';
import {ready, valueOf} from '../../domain/remote.js';
import {windowOf} from '../../domain/stage.js';
import {change} from '../shared.js';
import {lock} from '../storage.js';
import type {FundingProgress, Host, PlacedOrder, Question} from '../types.js';
import {withoutAddress, withoutSwapId} from './consent.js';
import type {EvidenceStore, OrderBase} from './evidence.js';
import type {Journal, JournalEntry} from './journal.js';
import type {Questions} from './questions.js';
import type {Reads} from './reads.js';
import type {Tracking} from './track.js';

/** If another tab holds the lock for longer than this, it is displayed as working on the order. */
const LOCK_PAUSE_MS = 300;

/** How long the page may block a swap. After that the swap stops with `held`. */
const LONGEST_HOLD_MS = 120_000;

export interface OrderCore extends OrderBase {
  readonly tracking: Tracking;
  readonly reads: Reads;
  readonly questions: Questions;
  readonly evidence: EvidenceStore;
}

/** The displayed order, and work on it, one task at a time. */
export class DisplayedOrder {
  readonly #core: OrderCore;
  /** Orders with work in progress, so that a second click requests nothing twice. */
  readonly #busy = new Set<string>();
  /** Orders whose payment is still awaited after its deadline, because the visitor said so. */
  readonly #waitedFor = new Set<string>();
  /** The order that was last checked, as the service described it. */
  #checked: Order | undefined;

  constructor(core: OrderCore) {
    this.#core = core;
  }

  get checkedOrder(): Order | undefined {
    return this.#checked;
  }

  placed(): PlacedOrder | undefined {
    return valueOf(this.#core.$orderState.get().placed);
  }

  entry(): JournalEntry | undefined {
    const placed = this.placed();
    return placed?.deal && this.#core.journal().get(placed.id);
  }

  is(orderId: string): boolean {
    return this.placed()?.id === orderId;
  }

  isBusy(orderId: string): boolean {
    return this.#busy.has(orderId);
  }

  dealOf(entry: JournalEntry, order?: Order): Deal {
    return dealOf(entry, order, this.#core.config().policy);
  }

  async sourceOf({agreed}: JournalEntry) {
    const {adapter, account, config} = this.#core;
    const {family, name} = agreed.from.chain;
    return [await adapter(family), {account: account(family), others: config().catalogue.others(name)}] as const;
  }

  /** Displays a change of its funding, with what the journal says of it. */
  show(orderId: string, parts: Partial<FundingProgress>): void {
    if (!this.is(orderId)) return;
    const {$orderState, journal} = this.#core;
    const entry = journal().get(orderId);
    const busy = this.isBusy(orderId);
    const before = $orderState.get().funding;
    const funding = {...before, ...parts};
    const now: FundingProgress = {
      ...funding,
      ...(entry && {
        walletRequests: entry.walletRequests,
        unclear: !busy && (isUnclear(entry) || this.#isOverdue(entry, funding.seen)),
        sent: isSent(entry),
      }),
      busy,
    };
    // A chain is polled: repeated values are not displayed again. Without a change, some work has ended: others may
    // wait for that.
    const isNews = (name: string) =>
      !(name in before) || now[name as keyof FundingProgress] !== before[name as keyof FundingProgress];
    if (!Object.keys(parts).length || Object.keys(now).some(isNews)) change($orderState, {funding: now});
  }

  /** An entry as displayed, without its address as long as that must not be paid. */
  present(entry: JournalEntry, order?: Order, report?: CheckReport, question?: Question): PlacedOrder {
    if (report) this.#checked = order;
    const isWithheld = question !== undefined || report?.outcome === 'failed' || this.#core.consent.isWithheld(entry);
    const open = isWithheld ? withoutAddress(entry) : entry;
    return {
      id: entry.orderId,
      ...this.#timesOf(entry, order),
      deal: this.dealOf(open, open === entry ? order : order && withoutSwapId(order)),
      ...(report && {report}),
      ...(question && {question}),
    };
  }

  dateAgain(): void {
    const placed = this.placed();
    const entry = this.entry();
    if (!placed || !entry) return;
    const times = this.#timesOf(entry);
    if (times.payUntil !== placed.payUntil) change(this.#core.$orderState, {placed: ready({...placed, ...times})});
  }

  /** @throws SwapError `expired` if the time to pay is over. */
  requireTime(entry: JournalEntry, order: Order): void {
    if (this.#core.host.now() >= this.#timesOf(entry, order).payUntil) throw new SwapError('expired');
  }

  waitFor(orderId: string): void {
    this.#waitedFor.add(orderId);
    this.show(orderId, {});
  }

  whenFree(orderId: string): Promise<void> {
    return new Promise(resolve => {
      if (!this.isBusy(orderId)) {
        resolve();
        return;
      }
      const stop = this.#core.$orderState.listen(() => {
        if (this.isBusy(orderId) && this.is(orderId)) return;
        stop();
        resolve();
      });
    });
  }

  /** Works on an order while no other work on it is in progress, in this tab or another, and displays the outcome. */
  async alone(orderId: string, parts: Partial<FundingProgress>, work: () => Promise<unknown>): Promise<void> {
    if (this.isBusy(orderId)) return;
    const {host, tracking, tell} = this.#core;
    this.#busy.add(orderId);
    this.show(orderId, {error: undefined, ...parts});
    let cancel = () => {};
    const onHeld = () => (cancel = host.after(LOCK_PAUSE_MS, () => this.show(orderId, {elsewhere: true})));
    try {
      const begin = () => {
        cancel();
        this.show(orderId, {elsewhere: undefined});
        return work();
      };
      const name = `swap-widget/${orderId}`;
      await (host.lock ? host.lock(name, begin, onHeld) : lock(name, begin, onHeld));
      this.#busy.delete(orderId);
      this.show(orderId, {asking: undefined});
    } catch (cause) {
      const error = toSwapError(cause, 'wallet-unclear');
      this.#busy.delete(orderId);
      this.show(orderId, {asking: undefined, error});
      tell({type: 'error', error, orderId});
    }
    tracking.readNow();
  }

  /** Checks an order on the side: other work on it waits, and nothing else is displayed of it. Rejects if it fails. */
  async aside(orderId: string, work: () => Promise<unknown>): Promise<void> {
    this.#busy.add(orderId);
    try {
      await work();
    } finally {
      this.#busy.delete(orderId);
      this.show(orderId, {});
    }
  }

  /**
   * By this page's clock. The visitor can be asked to pay no longer than the chain accepts the service's payload. That
   * is known with the family's code, without which nothing is checked, and no wallet prompted.
   */
  #timesOf(entry: JournalEntry, given?: Order): Pick<PlacedOrder, 'placedAt' | 'payUntil'> {
    const {$families, clock} = this.#core;
    const {expiresAfter = Infinity} = $families.get()[entry.agreed.from.chain.family] ?? {};
    const placedAt = clock.placedAt(entry, this.#orderOf(entry, given));
    return {placedAt, payUntil: Math.min(this.#dueBy(entry, given), placedAt + expiresAfter)};
  }

  /** Until when the service accepts a payment, by this page's clock: it may have set its own deadline. */
  #dueBy(entry: JournalEntry, given?: Order): number {
    const {clock, config} = this.#core;
    const order = this.#orderOf(entry, given);
    return clock.placedAt(entry, order) + windowOf(order, config().depositWindow);
  }

  #orderOf({orderId}: JournalEntry, given = this.placed()?.deal?.order): Order | undefined {
    return given?.id === orderId ? given : undefined;
  }

  /** Whether a payment that was sent did not reach the chain in time: only the visitor can decide to keep waiting. */
  #isOverdue(entry: JournalEntry, seen: DepositState | undefined): boolean {
    const isLate = seen === 'none' && mayBePaid(entry) && this.#core.host.now() >= this.#dueBy(entry);
    return isLate && !this.#waitedFor.has(entry.orderId);
  }
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
 * Of one call to an adapter. A response after the call timed out (`end`) belongs to its own request, whatever followed,
 * and is passed to `onLate`.
 */
export function recordRequests(
  {$orderState, host}: OrderCore,
  shown: DisplayedOrder,
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
        shown.show(orderId, {asking: state === 'asking' ? kind : undefined});
        return;
      }
      onLate(update);
      shown.show(orderId, {...($orderState.get().funding.error?.code === 'wallet-unclear' && {error: undefined})});
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

export function settlePayment(journal: Journal, {orderId}: JournalEntry, change: Partial<WalletRequest>): void {
  journal.update(orderId, entry => ({walletRequests: withSettled(entry, change)}));
}
