import type {InitiateAnswer, SwapApi} from '../../api/client.js';
import type {Account, ChainAdapter, FundOptions} from '../../chains/adapter.js';
import {reportOf, writeSignature, type Funding, type FundWay, type WalletDeposit} from '../../domain/deposit.js';
import {SwapError, type SwapErrorCode} from '../../domain/error.js';
import {isTaken} from '../../domain/evidence.js';
import {fundingBy, isSent, isUnclear, mayBePaid, openPayment, wasGiven} from '../../domain/funding.js';
import {isPaid, type Order} from '../../domain/order.js';
import {ready} from '../../domain/remote.js';
import {canCancel} from '../../domain/story.js';
import {readForesight} from '../foresight.js';
import type {Checking} from './check.js';
import {NO_FUNDING} from './evidence.js';
import type {Journal, JournalEntry} from './journal.js';
import type {Questions} from './questions.js';
import {recordRequests, settlePayment, waitForPage, type OrderCore, type ShownOrder} from './shown.js';
import {finalState, UNPAID} from './watch.js';

/** Errors that concern the wallet at the last try: another network, another account, or not available. */
export const OF_WALLET: ReadonlySet<SwapErrorCode> = new Set(['wrong-network', 'wrong-account', 'wallet-missing']);

/** What the wallet will be asked for is no longer known: it is read again once nothing else is in progress. */
const UNPLANNED = {plan: [], isBundle: false, foreseen: undefined} as const;

/** The same after a try that failed: its requests do not count for the steps of the next plan. */
function unplannedAfter(book: Journal, orderId: string) {
  return {...UNPLANNED, earlier: book.get(orderId)?.walletRequests.length};
}

export type Paying = ReturnType<typeof createPaying>;

export function createPaying(core: OrderCore, order: ShownOrder, checking: Checking, questions: Questions) {
  const {$funding, $story, tracking, evidence, consent, journal, memory, account} = core;
  const {busy, waitedFor, shown, isShown, show, sourceOf, alone} = order;
  /** Of which order and account the plan is, announced or foreseen. */
  let planned = '';
  const prompting = new Set<string>();
  const planFor = (orderId: string, payer: Account | undefined) => `${orderId} ${payer?.address ?? ''}`;
  const fund = createFund(core, order, checking, questions);

  const choose = (orderId: string, way: FundWay | undefined) => {
    const {way: present, other, isBundle} = $funding.get();
    // That the wallet can do both in one request was not the visitor's choice, and may have changed.
    if (way === undefined && isBundle && other) return memory().note('way') === present ? present : other;
    if (way === undefined || way === present || way !== other || !isShown(orderId)) return present;
    memory().setNote('way', way);
    $funding.set({...$funding.get(), way, other: present, ...UNPLANNED});
    return way;
  };

  /**
   * Reads what the wallet of an unpaid order will be asked for, before it is: an allowance that a contract needs first
   * costs a fee, and must not come as a surprise. Never rejects.
   */
  const foresee = async () => {
    const placed = shown();
    const entry = placed?.deal && journal().get(placed.id);
    if (!entry || entry.deposit.how !== 'wallet' || entry.stage === 'stopped') return;
    if (prompting.has(entry.orderId) || isSent(entry)) return;
    const {orderId, agreed} = entry;
    const payer = account(agreed.from.chain.family);
    const asked = planFor(orderId, payer);
    if (asked === planned) return;
    planned = asked;
    show(orderId, {plan: [], isBundle: false, foreseen: payer && 'pending'});
    if (!payer) return;
    const {way: first, other} = $funding.get();
    const way = other ? (memory().note('way') as FundWay | undefined) : first;
    const foreseen = await readForesight(core, agreed, payer, way);
    if (asked === planned) show(orderId, {foreseen});
  };

  const pay = async (way?: FundWay) => {
    const placed = shown();
    if (!placed?.deal || busy.has(placed.id)) return;
    const chosen = choose(placed.id, way);
    planned = planFor(placed.id, account(placed.deal.agreed.from.chain.family));
    prompting.add(placed.id);
    await alone(placed.id, {seen: undefined}, () => fund(placed.id, chosen));
    prompting.delete(placed.id);
    const {plan, foreseen} = $funding.get();
    if (!plan.length && !foreseen) planned = '';
    // The account, or what the wallet will be asked for, may have changed meanwhile.
    void foresee();
  };

  return {
    /** Displays the state of an order's funding when it is opened. */
    showFunding(entry: JournalEntry) {
      planned = '';
      const ways = entry.deposit.how === 'wallet' ? entry.deposit.ways : (['transaction'] as const);
      // The way that the visitor last chose over the first one.
      const first = ways.find(way => way === memory().note('way')) ?? ways[0];
      const payment = openPayment(entry);
      const funding = payment && fundingBy(payment);
      const isBusy = busy.has(entry.orderId);
      $funding.set({
        ...NO_FUNDING,
        way: first,
        other: ways.find(one => one !== first),
        walletRequests: entry.walletRequests,
        unclear: !isBusy && isUnclear(entry),
        busy: isBusy,
        sent: isSent(entry),
        ...(funding && {funding}),
      });
    },

    /** Removes an error of the last try that concerned what has changed since: the wallet, or the connection. */
    forget(orderId: string, codes: ReadonlySet<SwapErrorCode>) {
      const {error, busy: isBusy} = $funding.get();
      if (!isBusy && error && codes.has(error.code)) show(orderId, {error: undefined, move: undefined});
    },

    foresee,

    pay,

    /** Takes the visitor's yes to the present question, and goes on: the address is shown, or the wallet prompted. */
    async accept(questionId: string) {
      const placed = shown();
      if (!placed?.deal || !placed.question || placed.question.id !== questionId) return;
      consent.give(placed.id, placed.question);
      if (placed.deal.deposit.how === 'wallet') await pay();
      else await checking.readAndCheck(placed.id, {isNew: false});
    },

    /** Cancels the displayed order, unless it was paid meanwhile, here or in another tab. Nobody else needs to know. */
    async cancel() {
      const orderId = shown()?.id;
      const book = journal();
      if (orderId === undefined || !$story.get()?.actions.includes('cancel') || busy.has(orderId)) return;
      await alone(orderId, {plan: []}, () => Promise.resolve(giveUp(book, orderId)));
    },

    async answer(confirmed: boolean) {
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
        const read = await tracking.read(entry.orderId);
        if (read.source.initiated) return;
        const [chain] = await sourceOf(entry);
        await tracking.look(entry.orderId);
        const known = evidence.of(entry.orderId);
        const since = evidence.paymentSince(entry.orderId);
        const seen = finalState(chain, known, since);
        const isOut = seen === 'seen' || isTaken(known, since);
        const refused = {state: 'refused', ...(!UNPAID[seen] && {abandoned: true as const})} as const;
        if (!isLate) settlePayment(book, entry, isOut ? {claimed: true} : refused);
        // What was signed may still reach the chain one day: it is just no longer waited for.
        else if (seen !== 'seen' && seen !== 'unknown') settlePayment(book, entry, {abandoned: true});
        // Nothing shows that an unverified payment did not go out: no order is paid so a second time.
        if (entry.unverified && seen === 'unknown') giveUp(book, entry.orderId);
        show(entry.orderId, {seen, funding: undefined});
      });
    },
  };

  /** Ends an order that nothing can pay any more, as far as that is known. */
  function giveUp(book: Journal, orderId: string): void {
    const {told} = evidence.of(orderId);
    book.update(orderId, entry => (canCancel(entry, told?.value) ? {canceled: true, stage: 'stopped'} : {}));
  }
}

/** Thrown instead of prompting for a widget that has been removed. It is not reported. */
const GONE = new SwapError('held');

/** One attempt to pay an order: read, check, prompt the wallet, and hand a signature to the service. */
function createFund(core: OrderCore, shown: ShownOrder, {check}: Checking, questions: Questions) {
  const {tracking, config, host, journal, adapter, account} = core;

  return async (orderId: string, way: FundWay) => {
    // An order stays with its service and its journal, whatever the settings become meanwhile.
    const book = journal();
    const {api} = config();
    const entry = book.get(orderId);
    // Another tab may have prompted meanwhile, and what may be paid is not paid again.
    if (!entry || mayBePaid(entry) || entry.stage === 'stopped') return;
    const order = await tracking.read(orderId);
    // A visitor who has left meanwhile finds it in the list.
    if (isPaid(order) || !shown.isShown(orderId)) return;
    const {family} = entry.agreed.from.chain;
    const chain = await adapter(family);
    shown.requireTime(entry, order);
    const payer = account(family);
    if (!payer) throw new SwapError('wallet-missing');
    const {chain: source} = entry.agreed.from;
    // Where its wallet alone can read the chain, it is there before anything is checked.
    if (source.rpc === undefined && isWanted(core, book)) {
      if (!chain.addresses.isSameAddress(payer.address, entry.agreed.owner))
        throw new SwapError('wrong-account', {detail: payer.address});
      await whileMoving(core, shown, orderId, onMove => chain.wallets.moveTo?.(source, payer, {onMove}));
    }
    if (!(await check(entry, order))) return;
    if (!isWanted(core, book)) return;
    const attempt: Attempt = {book, entry, order, chain, payer, way};
    let funding: Funding;
    try {
      funding = await askWallet(core, shown, questions, attempt);
    } catch (error) {
      // Nothing was requested. A visitor who returns to the widget clicks again.
      if (error === GONE) return;
      // The contract accepts an order once: it was paid, for example with a signature submitted before.
      if (error instanceof SwapError && error.field === 'paid') {
        book.update(orderId, () => ({seen: {hashes: [], ...entry.seen, filled: entry.agreed.amount}}));
        await tracking.look(orderId);
        return;
      }
      // The last check, on the very object that the wallet would have received: display its result.
      if (error instanceof SwapError && error.code === 'deposit-mismatch' && !(await check(entry, order))) return;
      // The allowance is not what it was when the requests were planned.
      if (error instanceof SwapError && error.code === 'approval-failed')
        shown.show(orderId, unplannedAfter(book, orderId));
      throw error;
    }
    if (funding.how !== 'signature') return;
    // A signature that comes too late, or while the browser is offline, stays here, without effect.
    shown.requireTime(entry, order);
    if (!host.online$.get()) throw new SwapError('offline');
    await initiate(core, shown, attempt, api, funding);
  };
}

/**
 * What was sent for an order, if its contract may have used what it got by that; not where the chain of an unverified one
 * shows that it took nothing and cannot any more.
 */
async function givenBefore(
  {evidence}: OrderCore,
  {book, entry}: Attempt,
  questions: Questions,
): Promise<FundOptions['approved']> {
  const record = book.get(entry.orderId) ?? entry;
  const isGiven = wasGiven(record);
  const hashes = record.walletRequests.flatMap(({kind, hash, revoked}) =>
    kind === 'revoke' || revoked ? [] : (hash ?? []),
  );
  if (!record.unverified || !record.walletRequests.length) return isGiven ? {hashes} : undefined;
  const read = await questions.readPayment({...evidence.of(record.orderId), record}).catch(() => undefined);
  // Where the wallet said no each time, it is believed unless something left the payer all the same.
  if (isGiven ? read?.state === 'none' : !read?.isTaken) return undefined;
  // That a chain did not answer says nothing of a contract.
  return {hashes, isTaken: read ? read.isTaken : false};
}

/** Displays that the wallet is asked to switch to a chain, and whether it did. */
async function whileMoving<T>(
  {$funding}: OrderCore,
  {show}: ShownOrder,
  orderId: string,
  work: (onMove: NonNullable<FundOptions['onMove']>) => Promise<T> | T,
): Promise<T> {
  try {
    return await work(move => show(orderId, {move}));
  } catch (error) {
    if ($funding.get().move === 'asking') show(orderId, {move: 'wanted'});
    throw error;
  }
}

/** A wallet is never prompted for a removed widget, or for the order of another service. */
function isWanted({$running, journal}: OrderCore, book: Journal): boolean {
  return $running.get() && journal() === book;
}

interface Attempt {
  readonly book: Journal;
  readonly entry: JournalEntry;
  readonly order: Order;
  readonly chain: ChainAdapter;
  readonly payer: Account;
  readonly way: FundWay;
}

/** Lets the adapter prompt the wallet, and records and displays each request. */
async function askWallet(core: OrderCore, shown: ShownOrder, questions: Questions, attempt: Attempt): Promise<Funding> {
  const {book, entry, order, chain, payer, way} = attempt;
  const {$placed, $funding, consent, host, gates, memory, config, tell} = core;
  const {isShown, show, dealOf, present, requireTime} = shown;
  const {orderId, agreed} = entry;
  const paid = (by: Funding) => {
    show(orderId, {funding: by, refusedBecause: undefined});
    tell({type: 'deposit', orderId, funding: by});
  };
  const requests = recordRequests(core, shown, book, orderId, update => {
    const by = update.kind === 'send' && fundingBy(update);
    if (by) paid(by);
  });
  const approved = await givenBefore(core, attempt, questions);
  const funding = await whileMoving(core, shown, orderId, onMove =>
    chain.fund(dealOf(entry, order), payer, {
      way,
      // The visitor chose it over the other, now or earlier.
      isChosen: way === memory().note('way'),
      account: payer,
      others: config().catalogue.others(agreed.from.chain.name),
      approved,
      // The chain of the wallet may show more than the one before: then another yes is needed.
      async confirm(report) {
        const question = consent.ask(dealOf(entry, order), report);
        if (question) {
          if (isShown(orderId)) $placed.set(ready(present(entry, order, report, question)));
          throw GONE;
        }
        if (book.get(orderId)?.unverified) return;
        const paidAfter = await chain.readHeight(agreed.from.chain, {account: payer});
        book.update(orderId, () => ({unverified: true, ...(paidAfter !== undefined && {paidAfter})}));
      },
      onMove,
      // If the wallet gets as far as a plan, it is on the chain, whoever switched it.
      onPlan: (plan, {by, isBundle, isOnly}) => {
        const {way: present, other, move} = $funding.get();
        show(orderId, {
          plan,
          isBundle,
          earlier: entry.walletRequests.length,
          ...(by === other && {way: by, other: present}),
          ...(isOnly && {other: undefined}),
          ...(move && {move: 'moved'}),
        });
      },
      onFallback: unsigned => show(orderId, {way: 'transaction', other: undefined, unsigned}),
      onWalletRequest: update =>
        new Promise(resolve => {
          // Chain and page may take their time while the time to pay runs out.
          if (update.state === 'asking') requireTime(entry, order);
          resolve(requests.write(update));
        }),
      beforeSign: async (report, payload) => {
        // This check by the payer's own chain knows more than the one before, except whether the order is new.
        const fresh = shown.shown()?.report?.results.filter(({name}) => name === 'fresh') ?? [];
        const all = reportOf([...report.results, ...fresh], dealOf(entry, order).policy);
        if (isShown(orderId)) $placed.set(ready(present(book.get(orderId) ?? entry, order, all)));
        await waitForPage(host, gates.beforeSign?.(agreed, report, payload));
        if (!isWanted(core, book)) throw GONE;
      },
    }),
  ).finally(() => requests.end());
  if (funding.how !== 'signature') paid(funding);
  return funding;
}

/** Hands a signature to the service. From here on the payment may happen, whatever the response. */
async function initiate(
  core: OrderCore,
  shown: ShownOrder,
  {book, entry: {orderId, deposit}}: Attempt,
  api: SwapApi,
  funding: Extract<Funding, {how: 'signature'}>,
): Promise<void> {
  const {tracking, config, tell} = core;
  const {show} = shown;
  const signature = writeSignature(funding.signature, config().signatureFormat);
  const {write} = recordRequests(core, shown, book, orderId);
  write({kind: 'initiate', state: 'asking'});
  // Not before: a signature that could not be written in the service's format has not left the page.
  show(orderId, {funding, refusedBecause: undefined});
  tell({type: 'deposit', orderId, funding});
  let answer: InitiateAnswer;
  try {
    answer = await tracking.request(api.initiate(orderId, signature));
  } catch (error) {
    // The response was lost. The order is read before anything is offered: the signature may have been accepted.
    const order = await tracking.read(orderId).catch(() => undefined);
    if (!order?.source.initiated) throw error;
    answer = {accepted: true};
  }
  if (answer.accepted) {
    write({kind: 'initiate', state: 'sent'});
    return;
  }
  // An explicit refusal. The order is read before the other way is offered: it may have been paid all the same.
  const order = await tracking.read(orderId);
  write({kind: 'initiate', state: 'refused'});
  if (order.source.initiated) return;
  const {ways} = deposit as WalletDeposit;
  show(orderId, {
    funding: undefined,
    refusedBecause: answer.reason,
    way: ways.find(way => way === 'transaction') ?? 'signature',
    other: undefined,
    ...unplannedAfter(book, orderId),
  });
}
