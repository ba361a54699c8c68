import type {Account} from '../../chains/adapter.js';
import type {FundWay} from '../../domain/deposit.js';
import type {SwapErrorCode} from '../../domain/error.js';
import {isTaken} from '../../domain/evidence.js';
import {fundingBy, isSent, isUnclear, openPayment} from '../../domain/funding.js';
import {canCancel} from '../../domain/story.js';
import {readForesight} from '../foresight.js';
import {change, NO_FUNDING} from '../shared.js';
import type {Checking} from './check.js';
import {Attempt, UNPLANNED} from './fund.js';
import type {Journal, JournalEntry} from './journal.js';
import {settlePayment, type DisplayedOrder, type OrderCore} from './shown.js';
import {finalState, UNPAID} from './watch.js';

export const OF_WALLET: ReadonlySet<SwapErrorCode> = new Set(['wrong-network', 'wrong-account', 'wallet-missing']);

/** What the visitor does about paying the displayed order, and what the wallet will be asked for. */
export class Paying {
  readonly #core: OrderCore;
  readonly #shown: DisplayedOrder;
  readonly #checking: Checking;
  #planned = '';
  readonly #prompting = new Set<string>();

  constructor(core: OrderCore, shown: DisplayedOrder, checking: Checking) {
    this.#core = core;
    this.#shown = shown;
    this.#checking = checking;
  }

  showFunding(entry: JournalEntry): void {
    this.#planned = '';
    const {$orderState, $settings} = this.#core;
    const ways = entry.deposit.how === 'wallet' ? entry.deposit.ways : (['transaction'] as const);
    // The way that the visitor chose last, if it is one of them.
    const first = ways.find(way => way === $settings.get().memory?.note('way')) ?? ways[0];
    const payment = openPayment(entry);
    const funding = payment && fundingBy(payment);
    const busy = this.#shown.isBusy(entry.orderId);
    change($orderState, {
      funding: {
        ...NO_FUNDING,
        way: first,
        other: ways.find(one => one !== first),
        walletRequests: entry.walletRequests,
        unclear: !busy && isUnclear(entry),
        busy,
        sent: isSent(entry),
        ...(funding && {funding}),
      },
    });
  }

  /** What the error concerned has changed since: the wallet, or the connection. */
  forget(orderId: string, codes: ReadonlySet<SwapErrorCode>): void {
    const {error, busy} = this.#core.$orderState.get().funding;
    if (!busy && error && codes.has(error.code)) this.#shown.show(orderId, {error: undefined, move: undefined});
  }

  /** An allowance that a contract needs first costs a fee, and must not come as a surprise. Never rejects. */
  async foresee(): Promise<void> {
    const {$orderState, $settings, account} = this.#core;
    const entry = this.#shown.entry();
    if (!entry || entry.deposit.how !== 'wallet' || entry.stage === 'stopped') return;
    if (this.#prompting.has(entry.orderId) || isSent(entry)) return;
    const {orderId, agreed} = entry;
    const payer = account(agreed.from.chain.family);
    const asked = planFor(orderId, payer);
    if (asked === this.#planned) return;
    this.#planned = asked;
    this.#shown.show(orderId, {plan: [], isBundle: false, foreseen: payer && 'pending'});
    if (!payer) return;
    const {way: first, other} = $orderState.get().funding;
    const way = other ? ($settings.get().memory?.note('way') as FundWay | undefined) : first;
    const foreseen = await readForesight(this.#core, agreed, payer, way);
    if (asked === this.#planned) this.#shown.show(orderId, {foreseen});
  }

  async pay(way?: FundWay): Promise<void> {
    const shown = this.#shown;
    const placed = shown.placed();
    if (!placed?.deal || shown.isBusy(placed.id)) return;
    const {id, deal} = placed;
    const chosen = this.#choose(id, way);
    this.#planned = planFor(id, this.#core.account(deal.agreed.from.chain.family));
    this.#prompting.add(id);
    await shown.alone(id, {seen: undefined}, () => new Attempt(this.#core, shown, this.#checking, id, chosen).run());
    this.#prompting.delete(id);
    const {plan, foreseen} = this.#core.$orderState.get().funding;
    if (!plan.length && !foreseen) this.#planned = '';
    // The account, or what the wallet will be asked for, may have changed meanwhile.
    void this.foresee();
  }

  /** Takes the visitor's yes to the present question, and goes on: the address is shown, or the wallet prompted. */
  async accept(questionId: string): Promise<void> {
    const placed = this.#shown.placed();
    if (!placed?.deal || !placed.question || placed.question.id !== questionId) return;
    this.#core.consent.give(placed.id, placed.question);
    if (placed.deal.deposit.how === 'wallet') await this.pay();
    else await this.#checking.readAndCheck(placed.id, {isNew: false});
  }

  /** Unless the order was paid meanwhile, here or in another tab. Nobody else needs to know. */
  async cancel(): Promise<void> {
    const {$orderState, journal} = this.#core;
    const orderId = this.#shown.placed()?.id;
    const book = journal();
    if (orderId === undefined || !$orderState.get().story?.actions.includes('cancel') || this.#shown.isBusy(orderId))
      return;
    await this.#shown.alone(orderId, {plan: []}, () => Promise.resolve(this.#giveUp(book, orderId)));
  }

  async answer(confirmed: boolean): Promise<void> {
    const {$orderState, journal} = this.#core;
    const shown = this.#shown;
    const orderId = shown.placed()?.id;
    const book = journal();
    const entry = orderId === undefined ? undefined : book.get(orderId);
    if (!entry || !$orderState.get().funding.unclear || shown.isBusy(entry.orderId)) return;
    const isLate = !isUnclear(entry);
    if (confirmed && isLate) {
      shown.waitFor(entry.orderId);
      return;
    }
    await shown.alone(entry.orderId, {}, async () => {
      if (confirmed) settlePayment(book, entry, {claimed: true});
      else await this.#settleDenied(book, entry, isLate);
    });
  }

  /** Settles a payment that the visitor says they did not confirm, or no longer wait for: only the chain can contradict. */
  async #settleDenied(book: Journal, entry: JournalEntry, isLate: boolean): Promise<void> {
    const {evidence, reads, tracking} = this.#core;
    const {orderId} = entry;
    const read = await reads.untilKnown(orderId);
    if (read.source.initiated) return;
    const [chain] = await this.#shown.sourceOf(entry);
    await tracking.look(orderId);
    const known = evidence.of(orderId);
    const since = evidence.paymentSince(orderId);
    const seen = finalState(chain, known, since);
    const isOut = seen === 'seen' || isTaken(known, since);
    const refused = {state: 'refused', ...(!UNPAID[seen] && {abandoned: true as const})} as const;
    if (!isLate) settlePayment(book, entry, isOut ? {claimed: true} : refused);
    // What was signed may still reach the chain one day: it is just no longer waited for.
    else if (seen !== 'seen' && seen !== 'unknown') settlePayment(book, entry, {abandoned: true});
    // An unverified payment may have gone out all the same, so the order must not be paid a second time.
    if (entry.unverified && seen === 'unknown') this.#giveUp(book, orderId);
    this.#shown.show(orderId, {seen, funding: undefined});
  }

  /** If nothing can pay the order any more, as far as that is known. */
  #giveUp(book: Journal, orderId: string): void {
    const {told} = this.#core.evidence.of(orderId);
    book.update(orderId, entry => (canCancel(entry, told?.value) ? {canceled: true, stage: 'stopped'} : {}));
  }

  #choose(orderId: string, way: FundWay | undefined): FundWay {
    const {$orderState, $settings} = this.#core;
    const {funding} = $orderState.get();
    const {way: present, other, isBundle} = funding;
    // That the wallet can do both in one request was not the visitor's choice, and may have changed.
    if (way === undefined && isBundle && other)
      return $settings.get().memory?.note('way') === present ? present : other;
    if (way === undefined || way === present || way !== other || !this.#shown.is(orderId)) return present;
    $settings.get().memory?.setNote('way', way);
    change($orderState, {funding: {...funding, way, other: present, ...UNPLANNED}});
    return way;
  }
}

const planFor = (orderId: string, payer: Account | undefined) => `${orderId} ${payer?.address ?? ''}`;
