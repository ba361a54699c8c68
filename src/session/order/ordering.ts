import {batch} from 'nanostores';
import type {InitiateAnswer, SwapApi} from '../../api/client.js';
import type {Account, ChainAdapter, DepositState, WalletRequestUpdate} from '../../chains/adapter.js';
import type {ChainFamily} from '../../domain/asset.js';
import {
  deepFreeze,
  type Agreement,
  type WalletRequest,
  type WalletRequestKind,
  type CheckReport,
  type Deal,
  type Funding,
  type FundWay,
  type WalletDeposit,
  writeSignature,
} from '../../domain/deposit.js';
import {SwapError, toSwapError} from '../../domain/error.js';
import {isUnclear, mayBePaid, openPayment} from '../../domain/funding.js';
import {hasSameTerms, isPart, termsOf, type Order} from '../../domain/order.js';
import {failed, idle, pending, ready, valueOf, type Remote} from '../../domain/remote.js';
import {payableUntil, skewOf} from '../../domain/stage.js';
import {shownNote, type Memory} from '../storage.js';
import type {Journal, JournalEntry} from './journal.js';
import type {FundingProgress, Host, PlacedOrder, SessionConfig, SessionEvent, SessionGates} from '../types.js';
import {NO_FUNDING, type Stores} from '../shared.js';
import type {Tracking} from './track.js';

/** How often a chain is asked about fees: it changes its mind with the blocks. */
const FEE_PAUSE_MS = 30_000;

/** How far a node may be behind its chain. */
const NODE_LAG_MS = 60_000;

/** How long the page may hold a swap before it is told so and the person goes on. */
const LONGEST_HOLD_MS = 120_000;

/** The order that is shown: placing it, checking it, funding it, taking its money back. */
export interface Ordering {
  /** Places what was agreed (`onPlaced`), checks what the service answers and asks the wallet, as long as it is awaited. */
  place(agreed: Agreement, isAwaited: () => boolean, onPlaced: () => void): Promise<void>;
  pay(way?: FundWay): Promise<void>;
  answer(confirmed: boolean): Promise<void>;
  refund(): Promise<void>;
  /**
   * Checks the shown order where that could not be done when it was opened, so that its address can be shown, and anew
   * where the service tells it otherwise than before.
   */
  checkAgain(order: Order): Promise<void>;
  /** Asks the chain whether it would pay a refund of the shown order now. */
  lookForRefund(order: Order): Promise<void>;
  /** Asks the chain what the shown order's payment gives for a block, as long as it waits for one. */
  lookForFee(order: Order): Promise<void>;
  /** Asks the chain about a payment that may have gone out and that the service has not seen. */
  look(): Promise<void>;
  /** Shows an order: one of the journal's to go on with, any other to look at. */
  open(orderId: string): void;
  /** Looks at the shown order with other settings: what it was held against may be known better now. */
  reconfigure(): void;
  /** Shows none. */
  close(): void;
}

/** What ordering needs of the session. */
export interface OrderingOptions {
  readonly stores: Pick<Stores, '$order' | '$funding' | '$refund' | '$refundOpen' | '$fee'>;
  readonly host: Host;
  readonly gates: SessionGates;
  readonly tracking: Tracking;
  readonly config: () => SessionConfig;
  readonly journal: () => Journal;
  readonly memory: () => Memory;
  readonly adapter: (family: ChainFamily) => Promise<ChainAdapter>;
  readonly account: (family: ChainFamily) => Account | undefined;
  /** Whether the widget is on the page. A wallet is never asked for one that was removed. */
  readonly isHere: () => boolean;
  readonly tell: (event: SessionEvent) => void;
}

export function createOrdering(options: OrderingOptions): Ordering {
  const {host, gates, tracking, config, journal, memory, adapter, account, isHere, tell} = options;
  const {$order, $funding, $refund, $refundOpen, $fee} = options.stores;
  /** Orders for which a question is under way, so that a second press asks nothing twice. */
  const busy = new Set<string>();
  /** The payment whose fee was asked for last, and when. */
  let feeAsked = {of: '', at: 0};
  /** Orders whose payment is waited for on past its time, because the person said so. */
  const waitedFor = new Set<string>();

  const shown = () => valueOf($order.get());
  const isShown = (orderId: string) => shown()?.id === orderId;

  /** Changes what is shown of the funding, if that order is still the one on the screen. */
  const show = (orderId: string, change: Partial<FundingProgress>) => {
    if (!isShown(orderId)) return;
    const entry = journal().get(orderId);
    const isBusy = busy.has(orderId);
    const funding = {...$funding.get(), ...change};
    $funding.set({
      ...funding,
      ...(entry && {
        walletRequests: entry.walletRequests,
        unclear: !isBusy && (isUnclear(entry) || isOverdue(entry, funding.seen)),
        sent: isSent(entry),
      }),
      busy: isBusy,
    });
  };

  /** Until when an order may be paid, by this browser's clock: the service may have named a time of its own. */
  const payUntil = (entry: JournalEntry, order = shown()?.deal?.order) => {
    const {depositWindow} = config();
    return order?.id === entry.orderId
      ? payableUntil(order, depositWindow) - skewOf(order, entry)
      : entry.placedAt + depositWindow;
  };

  const isTooLate = (entry: JournalEntry, order?: Order) => host.now() >= payUntil(entry, order);

  /** Whether a payment that went out did not get to the chain in its time: only the person can say whether to wait on. */
  const isOverdue = (entry: JournalEntry, seen: DepositState | undefined) =>
    seen === 'none' && mayBePaid(entry) && isTooLate(entry) && !waitedFor.has(entry.orderId);

  /**
   * Writes down one question, or what came of it; answers its place among the order's. A question that cannot be written
   * down is not asked. `place`: that of the question which is answered, where it is known.
   */
  const note = (
    book: Journal,
    orderId: string,
    {kind, state, ...found}: WalletRequestUpdate,
    place?: number,
  ): number => {
    if (state === 'asking' && !book.get(orderId)) throw new SwapError('storage');
    let at = -1;
    book.update(orderId, ({walletRequests: asks}) => {
      if (state !== 'asking') at = place ?? asks.findLastIndex(ask => ask.kind === kind && ask.state === 'asking');
      const ask: WalletRequest = {kind, state, at: host.now(), ...found};
      if (asks[at]?.kind === kind) return {walletRequests: asks.with(at, ask)};
      at = asks.length;
      return {walletRequests: [...asks, ask]};
    });
    return at;
  };

  /**
   * Writes down and shows the questions of one call to an adapter, and what came of each. What is answered after the call
   * gave up waiting (`end`) goes to its own question, whatever was said of that meanwhile, and `late` hears of it.
   */
  const record = (book: Journal, orderId: string, late: (ask: WalletRequestUpdate) => void) => {
    const places = new Map<WalletRequestKind, number>();
    let isOver = false;
    return {
      write(ask: WalletRequestUpdate) {
        const {kind, state} = ask;
        places.set(kind, note(book, orderId, ask, state === 'asking' ? undefined : places.get(kind)));
        if (!isOver) {
          show(orderId, {asking: state === 'asking' ? kind : undefined});
          return;
        }
        late(ask);
        show(orderId, {...($funding.get().error?.code === 'wallet-unclear' && {error: undefined})});
        tracking.readNow();
      },
      end() {
        isOver = true;
      },
    };
  };

  /** Waits for the page, but not for ever: what it holds too long is held. */
  const pass = (gate: Promise<void> | undefined) =>
    new Promise<void>((resolve, reject) => {
      const stop = host.after(LONGEST_HOLD_MS, () => {
        reject(new SwapError('held', {detail: `the page did not answer in ${String(LONGEST_HOLD_MS / 1000)} s`}));
      });
      Promise.resolve(gate).then(resolve, reject).finally(stop);
    });

  const dealOf = (entry: JournalEntry, order?: Order): Deal =>
    deepFreeze({
      orderId: entry.orderId,
      agreed: entry.agreed,
      deposit: entry.deposit,
      ...(order && {order}),
      policy: config().policy,
    });

  /** The chain that an order is paid on, and whose wallet may be asked to read it. */
  const sourceOf = async ({agreed}: JournalEntry) => {
    const {family} = agreed.from.chain;
    return [await adapter(family), {account: account(family)}] as const;
  };

  const present = (entry: JournalEntry, order?: Order, report?: CheckReport): PlacedOrder => ({
    id: entry.orderId,
    placedAt: entry.placedAt,
    payUntil: payUntil(entry, order),
    deal: dealOf(entry, order),
    ...(report && {report}),
  });

  /**
   * Runs the checks and shows them. One that failed stops the swap, for good where it `stops` it, but for one that may
   * be paid already: that is followed to its end. Answers whether it may go on.
   */
  const inspect = async (entry: JournalEntry, order: Order | undefined, stops = true): Promise<boolean> => {
    // Without its secret hash there is nothing yet to hold a payment against. That is no lie, so it may be tried again.
    if (order?.source.secretHash === '') throw new SwapError('unreadable', {field: 'secret_hash'});
    const book = journal();
    const [chain, reader] = await sourceOf(entry);
    const report = await chain.check(dealOf(entry, order), reader);
    if (isShown(entry.orderId)) $order.set(ready(present(entry, order, report)));
    if (report.outcome === 'passed') {
      if (order) rememberTerms(book, entry, order);
      return true;
    }
    if (stops && !mayBePaid(entry) && !isPaid(order)) book.update(entry.orderId, () => ({stage: 'stopped'}));
    const wrong = report.results.find(({outcome}) => outcome === 'failed');
    // Looking once more at why an order was stopped is no news.
    if (entry.stage === 'stopped') return false;
    tell({
      type: 'error',
      orderId: entry.orderId,
      report,
      error: new SwapError('deposit-mismatch', {field: wrong?.name}),
    });
    return false;
  };

  /** Writes down what an order says, to know it again once it is paid. */
  const rememberTerms = (book: Journal, {orderId, terms: before}: JournalEntry, order: Order) => {
    const terms = termsOf(order);
    if (before?.join() === terms.join()) return;
    try {
      book.update(orderId, () => ({terms}));
    } catch {
      // A storage that keeps nothing is told of before anything is asked for.
    }
  };

  /** Does work on an order as the only one, in this tab and in all others, and shows how it ends. */
  const alone = async (orderId: string, change: Partial<FundingProgress>, work: () => Promise<unknown>) => {
    if (busy.has(orderId)) return;
    busy.add(orderId);
    show(orderId, {error: undefined, ...change});
    try {
      await host.lock(`swap-widget/${orderId}`, work);
      busy.delete(orderId);
      show(orderId, {asking: undefined});
    } catch (cause) {
      const error = toSwapError(cause, 'wallet-unclear');
      busy.delete(orderId);
      show(orderId, {asking: undefined, error});
      tell({type: 'error', error, orderId});
    }
    tracking.readNow();
  };

  /** Whether what was prepared, or signed, at a time is out of date on its chain. */
  const isOutOfDate = ({expiresAfter}: ChainAdapter, since: number) =>
    expiresAfter !== undefined && host.now() > since + expiresAfter;

  /** Asks the chain about a deposit that was asked for at a time. */
  const findDeposit = async (
    chain: ChainAdapter,
    deal: Deal,
    options: Parameters<ChainAdapter['findDeposit']>[1],
    since = 0,
  ): Promise<DepositState> => {
    const seen = await chain.findDeposit(deal, options);
    // Where nobody can ask the chain, time tells: what was signed so long ago cannot get there any more.
    if (seen === 'unknown' && isOutOfDate(chain, since)) return 'expired';
    // A node that lags behind may not know yet what is still good.
    return seen === 'expired' && host.now() < since + NODE_LAG_MS ? 'none' : seen;
  };

  /**
   * Reads an order and checks it, as long as something is left to pay. A page may say its settings in several breaths, and
   * what fails with the first of them is held against the last ones before it is believed.
   */
  const recheck = (orderId: string, stops: boolean) =>
    alone(orderId, {}, async () => {
      const order = await tracking.read(orderId);
      if (isPaid(order)) return;
      let settings: SessionConfig;
      do {
        settings = config();
        const entry = journal().get(orderId);
        if (entry) await inspect(entry, order, stops);
      } while (config() !== settings && isShown(orderId));
    });

  /**
   * Shows an order of the journal's. That is input, not truth: it is checked again before anything is shown to pay or
   * sign, and to say why it was stopped.
   */
  const bring = (entry: JournalEntry) => {
    $order.set(ready(present(entry)));
    const {stage} = entry;
    if (stage === 'awaiting-deposit' || stage === 'funding' || stage === 'stopped') void recheck(entry.orderId, false);
  };

  const fund = async (orderId: string, way: FundWay) => {
    // An order stays with its service and its journal, whatever settings come in the meantime.
    const book = journal();
    const {api} = config();
    const isOurs = () => isHere() && journal() === book;
    const entry = book.get(orderId);
    // Another tab may have asked in the meantime, and what may be paid is not paid again.
    if (!entry || mayBePaid(entry) || entry.stage === 'stopped') return;
    const order = await tracking.read(orderId);
    if (isPaid(order)) return;
    const requireTime = () => {
      if (isTooLate(entry, order)) throw new SwapError('expired');
    };
    requireTime();
    const {family} = entry.agreed.from.chain;
    const payer = account(family);
    if (!payer) throw new SwapError('wallet-missing');
    const chain = await adapter(family);
    if (isOutOfDate(chain, entry.placedAt)) throw new SwapError('expired');
    if (!(await inspect(entry, order))) return;
    if (!isOurs()) return;

    const deal = dealOf(entry, order);
    const {agreed} = entry;
    const paid = (by: Funding) => {
      show(orderId, {funding: by, refusedBecause: undefined});
      tell({type: 'deposit', orderId, funding: by});
    };
    const questions = record(book, orderId, ({kind, hash}) => {
      if (kind === 'send' && hash !== undefined) paid({how: 'transaction', hash});
    });
    let funding: Funding;
    try {
      funding = await chain.fund(deal, payer, {
        way,
        account: payer,
        onPlan: plan => show(orderId, {plan}),
        onFallback: unsigned => show(orderId, {way: 'transaction', other: undefined, unsigned}),
        onWalletRequest: ask =>
          new Promise(resolve => {
            // A chain and a page are waited for, and the time to pay goes on meanwhile.
            if (ask.state === 'asking') requireTime();
            resolve(questions.write(ask));
          }),
        beforeSign: async (report, payload) => {
          // Made on the payer's own chain, so it knows more than the one before.
          if (isShown(orderId)) $order.set(ready(present(entry, order, report)));
          await pass(gates.beforeSign?.(agreed, report, payload));
          if (!isOurs()) throw new SwapError('held');
        },
      });
    } catch (error) {
      // The last check, on the very object that the wallet would have got: show what it found.
      if (error instanceof SwapError && error.code === 'deposit-mismatch' && !(await inspect(entry, order))) return;
      throw error;
    } finally {
      questions.end();
    }
    if (funding.how === 'signature') {
      // A signature that comes too late stays here, and nothing comes of it.
      requireTime();
      await initiate(book, api, entry, funding);
      return;
    }
    paid(funding);
  };

  /** Hands a signature to the service. From here on it is a payment that may happen, whatever the answer. */
  const initiate = async (
    book: Journal,
    api: SwapApi,
    {orderId, deposit}: JournalEntry,
    funding: Extract<Funding, {how: 'signature'}>,
  ) => {
    const signature = writeSignature(funding.signature, config().signatureFormat);
    const {write} = record(book, orderId, () => undefined);
    write({kind: 'initiate', state: 'asking'});
    // Not before: a signature that could not be written as the service wants it was handed to nobody.
    show(orderId, {funding, refusedBecause: undefined});
    tell({type: 'deposit', orderId, funding});
    let answer: InitiateAnswer;
    try {
      answer = await api.initiate(orderId, signature);
    } catch (error) {
      // The answer was lost. The order is read before anything is offered: the signature may have been taken.
      const order = await tracking.read(orderId).catch(() => undefined);
      if (!order?.source.initiated) throw error;
      answer = {accepted: true};
    }
    if (answer.accepted) {
      write({kind: 'initiate', state: 'sent'});
      return;
    }
    // A clear no. The order is read before the other way is offered: the payment may have been made all the same.
    const order = await tracking.read(orderId);
    write({kind: 'initiate', state: 'refused'});
    if (order.source.initiated) return;
    const {ways} = deposit as WalletDeposit;
    show(orderId, {
      funding: undefined,
      refusedBecause: answer.reason,
      way: ways.find(way => way === 'transaction') ?? 'signature',
      other: undefined,
      plan: [],
    });
  };

  /** Writes down what became of the payment that may have gone out. */
  const settlePayment = (book: Journal, {orderId}: JournalEntry, change: Partial<WalletRequest>) => {
    book.update(orderId, entry => {
      const open = openPayment(entry);
      return {walletRequests: entry.walletRequests.map(ask => (ask === open ? {...ask, ...change} : ask))};
    });
  };

  const forgetFee = () => {
    feeAsked = {of: '', at: 0};
    $fee.set(undefined);
  };

  const begin = (entry: JournalEntry) => {
    const ways = entry.deposit.how === 'wallet' ? entry.deposit.ways : (['transaction'] as const);
    const first = preferred(ways);
    const hash = sentHash(entry);
    $funding.set({
      ...NO_FUNDING,
      way: first,
      other: ways.find(one => one !== first),
      walletRequests: entry.walletRequests,
      unclear: isUnclear(entry),
      sent: isSent(entry),
      ...(hash === undefined ? {} : {funding: {how: 'transaction', hash}}),
    });
  };

  /** The way the person took last, once they chose it over the first. */
  const preferred = (ways: readonly [FundWay, ...FundWay[]]) =>
    ways.find(way => way === memory().note('way')) ?? ways[0];

  const choose = (orderId: string, way: FundWay | undefined) => {
    const {way: present, other} = $funding.get();
    if (way === undefined || way === present || way !== other || !isShown(orderId)) return present;
    memory().setNote('way', way);
    $funding.set({...$funding.get(), way, other: present, plan: []});
    return way;
  };

  return {
    async place(agreed, isAwaited, onPlaced) {
      await pass(gates.beforeOrder?.(agreed));
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
      book.put(entry);
      tell({type: 'order', orderId, agreed});
      // Whoever went elsewhere in the meantime finds it in the list.
      if (!isAwaited()) return;
      memory().setNote(shownNote(memory()), orderId);
      batch(() => {
        begin(entry);
        $refund.set(idle);
        $order.set(ready(present(entry)));
        onPlaced();
      });
      tracking.follow(orderId);
      if (deposit.how === 'wallet') await this.pay();
      else await recheck(orderId, true);
    },

    async pay(way) {
      const placed = shown();
      if (!placed?.deal || busy.has(placed.id)) return;
      const chosen = choose(placed.id, way);
      await alone(placed.id, {seen: undefined}, () => fund(placed.id, chosen));
    },

    async answer(confirmed) {
      const orderId = shown()?.id;
      const book = journal();
      const entry = orderId === undefined ? undefined : book.get(orderId);
      if (!entry || !$funding.get().unclear || busy.has(entry.orderId)) return;
      const isLate = !isUnclear(entry);
      if (confirmed && isLate) {
        waitedFor.add(entry.orderId);
        show(entry.orderId, {});
        return;
      }
      await alone(entry.orderId, {}, async () => {
        if (confirmed) {
          settlePayment(book, entry, {claimed: true});
          return;
        }
        const order = await tracking.read(entry.orderId);
        if (order.source.initiated) return;
        const [chain, reader] = await sourceOf(entry);
        const {at, hash, lifetime} = openPayment(entry) ?? {};
        const seen = await findDeposit(chain, dealOf(entry, order), {...reader, ...(isLate && {hash, lifetime})}, at);
        if (!isLate) settlePayment(book, entry, seen === 'seen' ? {claimed: true} : {state: 'refused'});
        // What was signed may still get to the chain one day: it is only waited for no longer.
        else if (seen !== 'seen' && seen !== 'unknown') settlePayment(book, entry, {abandoned: true});
        show(entry.orderId, {seen, funding: undefined});
      });
    },

    async refund() {
      const placed = shown();
      const book = journal();
      const entry = placed && book.get(placed.id);
      if (!entry || busy.has(entry.orderId)) return;
      const last = valueOf($refund.get());
      const showRefund = (refund: Remote<string>) => {
        if (isShown(entry.orderId)) $refund.set(refund);
      };
      showRefund(pending(last));
      const questions = record(book, entry.orderId, ({hash}) => showRefund(hash === undefined ? idle : ready(hash)));
      await alone(entry.orderId, {}, async () => {
        try {
          const order = await tracking.read(entry.orderId);
          if (order.source.refunded || order.destination.redeemed) {
            showRefund(idle);
            return;
          }
          const {family} = entry.agreed.from.chain;
          const payer = account(family);
          const chain = await adapter(family);
          if (!payer || !chain.refund) throw new SwapError('wallet-missing');
          const hash = await chain.refund(dealOf(entry, order), payer, {
            account: payer,
            onWalletRequest: ask => new Promise(resolve => resolve(questions.write(ask))),
          });
          showRefund(ready(hash));
        } catch (cause) {
          showRefund(failed(toSwapError(cause, 'wallet-unclear'), last));
          throw cause;
        } finally {
          questions.end();
        }
      });
    },

    async checkAgain(order) {
      const placed = shown();
      const {report, deal} = placed ?? {};
      const isChecked = report && deal?.order && hasSameTerms(deal.order, order);
      const entry = placed?.deal && !isChecked ? journal().get(placed.id) : undefined;
      // A deposit by wallet is checked when the wallet is asked; an address is shown only once it was.
      if (entry?.deposit.how !== 'transfer' || isPaid(order) || busy.has(order.id)) return;
      busy.add(order.id);
      try {
        await inspect(entry, order);
        // What kept it from being checked before is over.
        if (!report) show(order.id, {error: undefined});
      } finally {
        busy.delete(order.id);
        show(order.id, {});
      }
    },

    async lookForRefund(order) {
      const {id, source, destination} = order;
      const entry = journal().get(id);
      // As long as the other side's money stands, the swap can still be completed, and nobody waits for a refund.
      const otherStands = destination.initiated && !destination.refunded;
      const mayOpen = source.initiated && !source.redeemed && !source.refunded && !destination.redeemed && !otherStands;
      let open: boolean | undefined;
      if (entry && mayOpen) {
        const [chain, reader] = await sourceOf(entry);
        open = await chain.canRefund?.(dealOf(entry, order), reader);
      }
      if (isShown(id)) $refundOpen.set(open);
    },

    async lookForFee({id, source: {initiated}}) {
      if (!isShown(id)) return;
      const entry = journal().get(id);
      if (!entry || !initiated || initiated.block !== undefined) {
        forgetFee();
        return;
      }
      const of = initiated.hashes.join();
      if (feeAsked.of === of && host.now() < feeAsked.at + FEE_PAUSE_MS) return;
      feeAsked = {of, at: host.now()};
      const [chain, reader] = await sourceOf(entry);
      const fee = await chain.readFee?.(dealOf(entry), reader);
      if (isShown(id) && feeAsked.of === of) $fee.set(fee);
    },

    async look() {
      const placed = shown();
      const book = journal();
      const entry = placed && book.get(placed.id);
      const payment = entry && openPayment(entry);
      if (!entry || !payment || busy.has(entry.orderId)) return;
      const {hash, lifetime, at, state, claimed} = payment;
      const [chain, reader] = await sourceOf(entry);
      const seen = await findDeposit(chain, dealOf(entry), {...reader, hash, lifetime}, at);
      const present = book.get(entry.orderId);
      // An earlier look that took longer may have found the same, and the person may have answered meanwhile.
      if (!present || busy.has(entry.orderId) || !isSamePayment(openPayment(present), payment)) return;
      if (seen === 'reverted' || seen === 'expired') {
        // The chain's own word that nothing was paid, or will be.
        settlePayment(book, entry, {state: 'refused'});
        const error = new SwapError(seen === 'expired' ? 'expired' : 'funding-reverted', {detail: hash});
        show(entry.orderId, {seen, funding: undefined, error});
        tell({type: 'error', error, orderId: entry.orderId});
      } else {
        if (seen === 'seen' && state === 'asking' && !claimed) settlePayment(book, entry, {claimed: true});
        show(entry.orderId, {seen});
      }
    },

    open(orderId) {
      if (isShown(orderId)) return;
      const entry = journal().get(orderId);
      $refund.set(idle);
      $refundOpen.set(undefined);
      forgetFee();
      tracking.follow(orderId);
      if (!entry) {
        $funding.set(NO_FUNDING);
        $order.set(ready({id: orderId, placedAt: 0, payUntil: 0}));
        return;
      }
      memory().setNote(shownNote(memory()), orderId);
      begin(entry);
      bring(entry);
    },

    reconfigure() {
      const placed = shown();
      const entry = placed?.deal && journal().get(placed.id);
      // Pages that draw themselves anew say again and again what they said before. What is under way looks by itself.
      if (entry && !busy.has(placed.id) && !isSameDeal(entry.agreed, placed.deal.agreed)) bring(entry);
    },

    close() {
      memory().setNote(shownNote(memory()), undefined);
      $order.set(idle);
      $funding.set(NO_FUNDING);
      $refund.set(idle);
      $refundOpen.set(undefined);
      forgetFee();
      tracking.follow(undefined);
    },
  };
}

/** Whether an order has been paid in full, as far as its service knows: nothing is left to be paid or asked for. */
function isPaid(order: Order | undefined): boolean {
  return order?.source.initiated !== undefined && !isPart(order.source);
}

/** Whether two agreements name the same contracts, tokens and chains. */
function isSameDeal(one: Agreement, other: Agreement): boolean {
  const text = ({from, to}: Agreement) => JSON.stringify([from, to]);
  return text(one) === text(other);
}

function isSamePayment(one: WalletRequest | undefined, other: WalletRequest): boolean {
  return one?.kind === other.kind && one.at === other.at && one.hash === other.hash && one.state === other.state;
}

/** Whether a payment went out, by the wallet's or the service's answer or by the person's own word. */
function isSent(entry: JournalEntry): boolean {
  return mayBePaid(entry) && !isUnclear(entry);
}

/** The hash of the payment that was sent, if one was and it is still waited for. */
function sentHash(entry: JournalEntry): string | undefined {
  const payment = openPayment(entry);
  return payment?.state === 'sent' ? payment.hash : undefined;
}
