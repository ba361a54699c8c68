import type {InitiateAnswer, SwapApi} from '../../api/client.js';
import type {Account, ChainAdapter, FundOptions} from '../../chains/adapter.js';
import {
  reportOf,
  type CheckReport,
  type Funding,
  type FundWay,
  type SignStep,
  type WalletDeposit,
} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import {fundingBy, mayBePaid, wasGiven} from '../../domain/funding.js';
import {isPaid, type Order} from '../../domain/order.js';
import {ready} from '../../domain/remote.js';
import {change} from '../shared.js';
import type {Checking} from './check.js';
import type {Journal, JournalEntry} from './journal.js';
import {recordRequests, waitForPage, type DisplayedOrder, type OrderCore} from './shown.js';

/** What the wallet will be asked for is no longer known: it is read again once nothing else is in progress. */
export const UNPLANNED = {plan: [], isBundle: false, foreseen: undefined} as const;

/** Thrown instead of prompting for a widget or an order that the visitor has left. It is not reported. */
const GONE = new SwapError('held');

/** What is paid, by whom: the order as it was read and checked. */
interface Payment {
  readonly entry: JournalEntry;
  readonly order: Order;
  readonly chain: ChainAdapter;
  readonly payer: Account;
}

/** One attempt to pay an order: read, check, prompt the wallet, and hand a signature to the service. */
export class Attempt {
  readonly #core: OrderCore;
  readonly #shown: DisplayedOrder;
  readonly #checking: Checking;
  readonly #orderId: string;
  readonly #way: FundWay;
  // An order stays with its service and its journal, whatever the settings become meanwhile.
  readonly #book: Journal;
  readonly #api: SwapApi;

  constructor(core: OrderCore, shown: DisplayedOrder, checking: Checking, orderId: string, way: FundWay) {
    this.#core = core;
    this.#shown = shown;
    this.#checking = checking;
    this.#orderId = orderId;
    this.#way = way;
    this.#book = core.journal();
    this.#api = core.config().api;
  }

  async run(): Promise<void> {
    const payment = await this.#prepare();
    if (!payment || !(await this.#checking.check(payment.entry, payment.order)) || !this.#isWanted()) return;
    let funding: Funding;
    try {
      funding = await this.#askWallet(payment);
    } catch (error) {
      if (await this.#isExplained(error, payment)) return;
      throw error;
    }
    if (funding.how !== 'signature') return;
    // A signature that comes too late, or while the browser is offline, is not sent, and has no effect.
    this.#shown.requireTime(payment.entry, payment.order);
    if (!this.#core.$page.get().isOnline) throw new SwapError('offline');
    await this.#initiate(payment, funding);
  }

  async #prepare(): Promise<Payment | undefined> {
    const {reads, adapter, account} = this.#core;
    const entry = this.#book.get(this.#orderId);
    // Another tab may have prompted meanwhile, and what may be paid is not paid again.
    if (!entry || mayBePaid(entry) || entry.stage === 'stopped') return undefined;
    const order = await reads.untilKnown(this.#orderId);
    // A visitor who has left meanwhile finds it in the list.
    if (isPaid(order) || !this.#shown.is(this.#orderId)) return undefined;
    const {chain: source} = entry.agreed.from;
    const chain = await adapter(source.family);
    this.#shown.requireTime(entry, order);
    const payer = account(source.family);
    if (!payer) throw new SwapError('wallet-missing');
    // If only the wallet can read the chain, it has to be there before anything is checked.
    if (source.rpc === undefined && this.#isWanted()) {
      if (!chain.addresses.isSameAddress(payer.address, entry.agreed.owner))
        throw new SwapError('wrong-account', {detail: payer.address});
      await this.#whileMoving(onMove => chain.wallets.moveTo?.(source, payer, {onMove}));
    }
    return {entry, order, chain, payer};
  }

  /** Whether an error needs no other words: nothing was asked for, it was paid before, or a check says what is wrong. */
  async #isExplained(error: unknown, {entry, order}: Payment): Promise<boolean> {
    // Nothing was requested. A visitor who returns to the widget clicks again.
    if (error === GONE) return true;
    if (!(error instanceof SwapError)) return false;
    // The contract accepts an order once: it was paid, for example with a signature submitted before.
    if (error.field === 'paid') {
      this.#book.update(this.#orderId, () => ({seen: {hashes: [], ...entry.seen, filled: entry.agreed.amount}}));
      await this.#core.tracking.look(this.#orderId);
      return true;
    }
    // The last check, on the very object that the wallet would have received: display its result.
    if (error.code === 'deposit-mismatch' && !(await this.#checking.check(entry, order))) return true;
    // The allowance is not what it was when the requests were planned.
    if (error.code === 'approval-failed') this.#shown.show(this.#orderId, this.#unplanned());
    return false;
  }

  /** The next plan does not count the requests of a failed try as its steps. */
  #unplanned() {
    return {...UNPLANNED, earlier: this.#book.get(this.#orderId)?.walletRequests.length};
  }

  /** A wallet is never prompted for a removed widget, or for the order of another service. */
  #isWanted(): boolean {
    const {$page, journal} = this.#core;
    return $page.get().isStarted && journal() === this.#book;
  }

  async #whileMoving<T>(work: (onMove: NonNullable<FundOptions['onMove']>) => Promise<T> | T): Promise<T> {
    try {
      return await work(move => this.#shown.show(this.#orderId, {move}));
    } catch (error) {
      if (this.#core.$orderState.get().funding.move === 'asking') this.#shown.show(this.#orderId, {move: 'wanted'});
      throw error;
    }
  }

  #notePaid(funding: Funding): void {
    this.#shown.show(this.#orderId, {funding, refusedBecause: undefined});
    this.#core.tell({type: 'deposit', orderId: this.#orderId, funding});
  }

  async #askWallet(payment: Payment): Promise<Funding> {
    const {entry, order, chain, payer} = payment;
    const {$settings, config} = this.#core;
    const {chain: source} = entry.agreed.from;
    const requests = recordRequests(this.#core, this.#shown, this.#book, this.#orderId, update => {
      const by = update.kind === 'send' && fundingBy(update);
      if (by) this.#notePaid(by);
    });
    const approved = await this.#givenBefore(entry);
    const funding = await this.#whileMoving(onMove =>
      chain.fund(this.#shown.dealOf(entry, order), payer, {
        way: this.#way,
        // The visitor chose it over the other, now or earlier.
        isChosen: this.#way === $settings.get().memory?.note('way'),
        account: payer,
        others: config().catalogue.others(source.name),
        approved,
        confirm: report => this.#confirm(report, payment),
        onMove,
        // If the wallet gets as far as a plan, it is on the chain, whoever switched it.
        onPlan: (plan, {by, isBundle, isOnly}) => {
          const {way: present, other, move} = this.#core.$orderState.get().funding;
          this.#shown.show(this.#orderId, {
            plan,
            isBundle,
            earlier: entry.walletRequests.length,
            ...(by === other && {way: by, other: present}),
            ...(isOnly && {other: undefined}),
            ...(move && {move: 'moved'}),
          });
        },
        onFallback: unsigned => this.#shown.show(this.#orderId, {way: 'transaction', other: undefined, unsigned}),
        onWalletRequest: update =>
          new Promise(resolve => {
            // Chain and page may take their time while the time to pay runs out.
            if (update.state === 'asking') this.#shown.requireTime(entry, order);
            resolve(requests.write(update));
          }),
        beforeSign: this.#beforeSign('pay', payment),
        beforeApprove: config().holdApprovals ? this.#beforeSign('approve', payment) : undefined,
      }),
    ).finally(() => requests.end());
    if (funding.how !== 'signature') this.#notePaid(funding);
    return funding;
  }

  async #confirm(report: CheckReport, {entry, order, chain, payer}: Payment): Promise<void> {
    const {$orderState, consent} = this.#core;
    const shown = this.#shown;
    // The chain of the wallet may show more than the one before: then another yes is needed.
    const question = consent.ask(shown.dealOf(entry, order), report);
    if (question) {
      if (shown.is(this.#orderId)) change($orderState, {placed: ready(shown.present(entry, order, report, question))});
      throw GONE;
    }
    if (this.#book.get(this.#orderId)?.unverified) return;
    const paidAfter = await chain.readHeight(entry.agreed.from.chain, {account: payer});
    this.#book.update(this.#orderId, () => ({unverified: true, ...(paidAfter !== undefined && {paidAfter})}));
  }

  #beforeSign(step: SignStep, {entry, order}: Payment): NonNullable<FundOptions['beforeSign']> {
    const {$orderState, host, gates} = this.#core;
    const shown = this.#shown;
    return async (report, payload) => {
      // This check by the payer's own chain knows more than the one before, except whether the order is new.
      const fresh = shown.placed()?.report?.results.filter(({name}) => name === 'fresh') ?? [];
      const all = reportOf([...report.results, ...fresh], shown.dealOf(entry, order).policy);
      const present = this.#book.get(this.#orderId) ?? entry;
      if (shown.is(this.#orderId)) change($orderState, {placed: ready(shown.present(present, order, all))});
      await waitForPage(host, gates.beforeSign?.(entry.agreed, report, payload, step));
      if (!this.#isWanted() || !shown.is(this.#orderId)) throw GONE;
    };
  }

  /**
   * What was sent for an order, if its contract may have used what it got by that; not where the chain of an unverified
   * one shows that it took nothing and cannot any more.
   */
  async #givenBefore(entry: JournalEntry): Promise<FundOptions['approved']> {
    const record = this.#book.get(this.#orderId) ?? entry;
    const isGiven = wasGiven(record);
    const hashes = record.walletRequests.flatMap(({kind, hash, revoked}) =>
      kind === 'revoke' || revoked ? [] : (hash ?? []),
    );
    if (!record.unverified || !record.walletRequests.length) return isGiven ? {hashes} : undefined;
    const known = {...this.#core.evidence.of(this.#orderId), record};
    const read = await this.#core.questions.readPayment(known).catch(() => undefined);
    // Where the wallet said no each time, it is believed unless something left the payer all the same.
    if (isGiven ? read?.state === 'none' : !read?.isTaken) return undefined;
    // Without an answer from the chain, nothing is known of the contract.
    return {hashes, isTaken: read ? read.isTaken : false};
  }

  /** Hands a signature to the service. From here on the payment may happen, whatever the response. */
  async #initiate({entry: {deposit}}: Payment, funding: Extract<Funding, {how: 'signature'}>): Promise<void> {
    const {reads} = this.#core;
    const orderId = this.#orderId;
    const {write} = recordRequests(this.#core, this.#shown, this.#book, orderId);
    write({kind: 'initiate', state: 'asking'});
    this.#notePaid(funding);
    let answer: InitiateAnswer;
    try {
      answer = await reads.request(this.#api.initiate(orderId, funding.signature));
    } catch (error) {
      // The response was lost. The order is read before anything is offered: the signature may have been accepted.
      const order = await reads.untilKnown(orderId).catch(() => undefined);
      if (!order?.source.initiated) throw error;
      answer = {accepted: true};
    }
    if (answer.accepted) {
      write({kind: 'initiate', state: 'sent'});
      return;
    }
    // An explicit refusal. The order is read before the other way is offered: it may have been paid all the same.
    const order = await reads.untilKnown(orderId);
    write({kind: 'initiate', state: 'refused'});
    if (order.source.initiated) return;
    const {ways} = deposit as WalletDeposit;
    this.#shown.show(orderId, {
      funding: undefined,
      refusedBecause: answer.reason,
      way: ways.find(way => way === 'transaction') ?? 'signature',
      other: undefined,
      ...this.#unplanned(),
    });
  }
}
