import {atom, batch, computed, effect} from 'nanostores';
import {EMPTY, type Draft, type Problem} from '../../src/domain/draft.js';
import {LONGEST_WAIT_MS, payoutHashes, type DepositOnChain, type PayoutOnChain} from '../../src/domain/evidence.js';
import {deedOf} from '../../src/domain/form/deed.js';
import {notesOf, warningsOf} from '../../src/domain/form/notes.js';
import {mostOf} from '../../src/domain/form/story.js';
import type {Order} from '../../src/domain/order.js';
import {idle, ready, valueOf} from '../../src/domain/remote.js';
import {createClock} from '../../src/session/order/clock.js';
import {createConsent} from '../../src/session/order/consent.js';
import {EvidenceStore} from '../../src/session/order/evidence.js';
import type {Journal, JournalEntry} from '../../src/session/order/journal.js';
import {createDraft} from '../../src/session/draft.js';
import {keepsFor} from '../../src/session/session.js';
import {change, createStores, NO_FUNDING, type SessionCore} from '../../src/session/shared.js';
import type {
  FormState,
  FundingProgress,
  Host,
  PlacedOrder,
  SessionEvent,
  SessionGates,
  SwapSession,
} from '../../src/session/session.js';
import {gatesOf} from '../../src/elements/event-of.js';
import {SwapWidget} from '../../src/elements/swap-widget.js';
import {SHARED} from '../../src/elements/base/swap-element.js';
import '../../src/define.js';
import {NOON} from './swap.js';

/** The stores of a session, for a test to set. Derived stores behave as in a session. */
type Settable = Omit<ReturnType<typeof createFakeStores>, '$said'>;

/** What a test says of a form: the rest of its state follows. */
type Said = Omit<FormState, 'page' | 'deed' | 'notes' | 'warnings' | 'most'>;

export interface Answers {
  readonly order?: Order;
  readonly deposit?: DepositOnChain;
  readonly payout?: Partial<PayoutOnChain> | 'disputed';
  readonly isNew?: boolean;
}

/**
 * A session that does nothing: a test sets its stores, and its actions are only recorded. Orders are displayed as in a
 * real session: a test cannot show what no answer supports.
 */
export interface FakeSession extends Omit<SwapSession, keyof Settable>, Settable {
  /** The calls, in order: the action's name and its arguments. */
  readonly calls: [name: string, ...args: unknown[]][];
  setForm(said: Partial<Said>): void;
  /** Shows an order of which nothing is known, with its stored entry. */
  place(placed: PlacedOrder, entry?: JournalEntry): void;
  know(answers: Answers): void;
  /** Changes the funding of the displayed order; wallet requests are recorded. */
  fund(change: Partial<FundingProgress>): void;
  /** Changes how following or refunding the displayed order goes. */
  progress(change: Partial<ReturnType<Settable['$orderState']['get']>>): void;
  /** The displayed order, with changes to display, if there are any. */
  placed(changes?: Partial<PlacedOrder>): PlacedOrder;
  tell(event: SessionEvent): void;
  gates?: SessionGates;
}

function createFakeStores() {
  const host = {now: () => NOON, visible$: atom(true), online$: atom(true)} as unknown as Host;
  const {shown, inner} = createStores(host, createDraft());
  const {$settings, $wallets, $journal} = shown;
  const problem: Problem = {code: 'enter-amount', field: 'amount', remedy: 'type'};
  const $said = atom<Said>({draft: EMPTY, request: problem, problem, quote: idle, limits: {}});
  const $form = computed(
    [$said, $settings, $wallets, $journal],
    (said, {config: page}, wallets, {lookalikes}): FormState => {
      const wrong = (said.problem && said.wrong) ?? {};
      const known = page && {...said, page, wrong, ...wallets, balance: valueOf(wallets.balance), lookalikes};
      const noted = known && {notes: notesOf(known), warnings: warningsOf(known), most: mostOf(known)};
      return {...said, page, deed: deedOf(said), ...noted};
    },
  );
  return {...shown, $orderState: inner.$orderState, $form, $said};
}

function createKnowledge(stores: Settable) {
  const {$orderState, $journal, $now} = stores;
  const get: Journal['get'] = id => $journal.get().entries.find(({orderId}) => orderId === id);
  const update: Journal['update'] = (id, ofEntry) => {
    const entries = $journal.get().entries.map(entry => (entry.orderId === id ? {...entry, ...ofEntry(entry)} : entry));
    change($journal, {entries});
  };
  const host = {now: () => $now.get(), elapsed: () => 0, jumps: () => 0} as SessionCore['host'];
  const clock = createClock(
    {host},
    () => ({get, update, note: update}) as Journal,
    () => undefined,
  );
  const core = {
    ...stores,
    host,
    clock,
    consent: createConsent(),
    tell: () => undefined,
    readBalance: () => undefined,
    journal: () => ({get, update, note: update}),
  } as unknown as ConstructorParameters<typeof EvidenceStore>[0];
  const evidence = new EvidenceStore(core);
  let asked = 0;
  let longAgo = 0;
  return {
    update,
    begin: clock.begin,
    run: () => evidence.run(),
    know({order, deposit, payout, isNew = false}: Answers) {
      const id = valueOf($orderState.get().placed)?.id ?? '';
      // Long ago, unless it is new: such a claim waits for its chain.
      const askedAt = () => (isNew ? $now.get() : longAgo) + ++asked / 1024;
      if (order) evidence.accept(id, {about: 'order', askedAt: askedAt(), value: order});
      if (deposit) evidence.accept(id, {about: 'deposit', askedAt: askedAt(), value: deposit});
      if (order && !isNew) {
        // Questions without an answer failed, also a minute later.
        longAgo += LONGEST_WAIT_MS;
        const [at, hashes] = [askedAt(), payoutHashes(evidence.of(id))];
        if (!deposit) evidence.accept(id, {about: 'deposit', askedAt: at, value: undefined});
        if (!payout) evidence.accept(id, {about: 'payout', askedAt: at, hashes, value: undefined});
      }
      if (!payout) return;
      const isDisputed = payout === 'disputed';
      const value = isDisputed ? undefined : {amount: 0n, loose: 0n, earlier: 0n, hashes: [], ...payout};
      const hashes = payoutHashes(evidence.of(id));
      evidence.accept(id, {about: 'payout', askedAt: askedAt(), hashes, value, isDisputed});
    },
  };
}

export function createFakeSession(): FakeSession {
  const calls: FakeSession['calls'] = [];
  const listeners = new Set<(event: SessionEvent) => void>();
  const {$said, ...stores} = createFakeStores();
  const {$settings, $orderState, $journal} = stores;
  const setForm: FakeSession['setForm'] = said => change($said, said);
  const setDraft = (typed: Partial<Draft>) => setForm({draft: {...$said.get().draft, ...typed}});
  let knowledge = createKnowledge(stores);
  let stop: (() => void) | undefined;
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      void calls.push([name, ...args]);
  const noteAsync =
    (name: string) =>
    (...args: unknown[]) =>
      Promise.resolve(void calls.push([name, ...args]));
  const session: FakeSession = {
    calls,
    keep: keepsFor(() => session),
    tell: event => {
      for (const listener of listeners) listener(event);
    },
    ...stores,
    setForm,
    place(placed, entry) {
      stop?.();
      knowledge = createKnowledge(stores);
      knowledge.begin(placed.id);
      batch(() => {
        change($journal, {entries: entry ? [entry] : []});
        change($orderState, {
          placed: ready(placed),
          story: undefined,
          movedBackFrom: undefined,
          funding: NO_FUNDING,
          reading: ready(true),
        });
      });
      stop = knowledge.run();
    },
    know: answers => knowledge.know(answers),
    fund(parts) {
      const {walletRequests} = parts;
      const {placed, funding} = $orderState.get();
      const id = valueOf(placed)?.id;
      if (walletRequests && id !== undefined) knowledge.update(id, () => ({walletRequests}));
      change($orderState, {funding: {...funding, ...parts}});
    },
    progress: parts => change($orderState, parts),
    placed(changes) {
      const placed = {...valueOf($orderState.get().placed)!, ...changes};
      if (changes) change($orderState, {placed: ready(placed)});
      return placed;
    },
    configure(settings) {
      if ('catalogue' in settings) {
        if (!$settings.get().config) setDraft(settings.prefill);
        $settings.set({config: settings});
      } else {
        change($settings, {fault: settings});
      }
    },
    setRendered: () => undefined,
    start: () => {
      calls.push(['start']);
      return () => void calls.push(['stop']);
    },
    listen: listener => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    edit(change) {
      calls.push(['edit', change]);
      setDraft(change);
    },
    confirm: note('confirm'),
    flip: note('flip'),
    readBalances: note('readBalances'),
    recall: () => undefined,
    choose: note('choose'),
    requote: note('requote'),
    discover: noteAsync('discover'),
    connect: wallet => {
      calls.push(['connect', wallet]);
      return Promise.resolve(true);
    },
    // It is loaded ahead automatically, without a click.
    prepare: () => Promise.resolve(),
    cancelConnect: note('cancelConnect'),
    disconnect: note('disconnect'),
    review: note('review'),
    back: note('back'),
    placeOrder: noteAsync('placeOrder'),
    pay: noteAsync('pay'),
    cancel: noteAsync('cancel'),
    accept: noteAsync('accept'),
    answer: noteAsync('answer'),
    revoke: noteAsync('revoke'),
    refund: noteAsync('refund'),
    rescueFile: orderId => {
      calls.push(['rescueFile', orderId]);
      return Promise.resolve(`{"rescue":1,"order":"${orderId}"}`);
    },
    refresh: note('refresh'),
    openOrder: note('openOrder'),
    openJournal: note('openJournal'),
    reset: note('reset'),
  };
  return session;
}

/** The real widget, on a session that a test controls. */
export class FakeSessionWidget extends SwapWidget {
  fake = createFakeSession();

  constructor() {
    super();
    this[SHARED].begin?.();
  }

  protected override createSession() {
    this.fake.gates = gatesOf(this);
    return this.fake;
  }

  /** Waits until the settings and the messages are loaded, which is after the form is on the screen. */
  async configured(): Promise<void> {
    let stop = () => {};
    await new Promise<void>(resolve => {
      stop = effect([this.fake.$settings, this[SHARED].$look], ({config}, {late}) => {
        if (config && late) resolve();
      });
    });
    stop();
  }
}

customElements.define('fake-session-widget', FakeSessionWidget);
