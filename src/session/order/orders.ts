import {batch, effect} from 'nanostores';
import {splitAssetId, type Catalogue} from '../../domain/asset.js';
import {deepFreeze, type Agreement} from '../../domain/deposit.js';
import {hasHandedOver} from '../../domain/funding.js';
import {isSameData} from '../../domain/json.js';
import {worthOfSides} from '../../domain/quote.js';
import {idle, ready, valueOf} from '../../domain/remote.js';
import {watchUsedAddresses} from '../used-addresses.js';
import {change, NO_FUNDING, whileStarted, type SessionCore} from '../shared.js';
import {shownNote} from '../keys.js';
import type {Memory} from '../storage.js';
import {Checking} from './check.js';
import {createClock} from './clock.js';
import {createConsent, withoutAddress, type Consent} from './consent.js';
import {EvidenceStore, type OrderBase} from './evidence.js';
import {Journal, type Books, type JournalEntry} from './journal.js';
import {OF_WALLET, Paying} from './pay.js';
import {Questions} from './questions.js';
import {createRefund, createRevoke} from './refund.js';
import {createScreening} from './screening.js';
import {DisplayedOrder, waitForPage, type OrderCore} from './shown.js';
import {createTracking} from './track.js';
import {createFeeWatch, createWatching, type Watching} from './watch.js';

/** Everything that happens once there is an order. Loaded with the first one; the form does not need it. */
export type Orders = ReturnType<typeof createOrders>;

interface Parts {
  readonly checking: Checking;
  readonly paying: Paying;
  readonly watching: Watching;
}

export function createOrders(session: SessionCore) {
  const {$page, $view, $wallets} = session;
  const consent = createConsent();
  const books = createBooks(session, consent);
  const {journal} = books;
  const base: OrderBase = {
    ...session,
    journal,
    clock: createClock(session, journal, () => {
      if ($page.get().isStarted) shown.dateAgain();
    }),
    consent,
    account: family => $wallets.get().accounts[family],
  };
  const evidence = new EvidenceStore(base);
  const questions = new Questions(base);
  const tracking = createTracking(base, evidence, questions, {
    answered(order) {
      if (!$page.get().isStarted) return;
      watchFees(order);
      quietly(checking.checkAgain(order));
      quietly(watching.readFee(order));
    },
    looked(orderId) {
      if ($page.get().isStarted) quietly(watching.settle(orderId));
    },
  });
  const core: OrderCore = {...base, evidence, questions, tracking, reads: tracking.reads};
  const shown = new DisplayedOrder(core);
  const checking = new Checking(core, shown);
  const paying = new Paying(core, shown, checking);
  const watching = createWatching(core, shown);
  const parts = {checking, paying, watching};
  const opening = createOpening(core, shown, parts);
  const watchFees = createFeeWatch(core);

  const configure = () => {
    if (books.configure() === 'same journal') opening.reconfigure();
  };

  const open = (orderId: string) =>
    batch(() => {
      opening.open(orderId);
      $view.set('order');
    });

  configure();
  whileStarted(session, () => follow(core, shown, paying, opening));

  return {
    configure,

    resume() {
      const {memory} = session.$settings.get();
      const last = memory?.note(shownNote(memory.scope));
      if (last !== undefined && journal().get(last) && $view.get() === 'form') open(last);
    },

    place: createPlacing(core, shown, parts),
    paying,
    refund: createRefund(core, shown),
    revoke: createRevoke(core, shown),

    rescueFile: async (orderId: string) => (await import('./rescue.js')).rescueText(core, orderId),

    refresh: () => tracking.readNow(),

    open,
    close() {
      opening.close();
      tracking.readOthers();
    },
  };
}

function follow(core: OrderCore, shown: DisplayedOrder, paying: Paying, {otherTab}: Opening): () => void {
  const {$wallets, $settings, $orderState, $page, host, journal, evidence, tracking} = core;
  const stops = [
    watchSignatures(core, evidence),
    watchUsedAddresses(core),
    host.onStorage(key => {
      if ($settings.get().config) journal().otherTab(key);
      otherTab();
    }),
    $wallets.listen(({accounts}, before) => {
      const orderId = shown.placed()?.id;
      if (orderId === undefined || accounts === before?.accounts) return;
      paying.forget(orderId, OF_WALLET);
      void paying.foresee();
      // A reconnected wallet may be able to read what could not be read without it.
      if (evidence.of(orderId).deposit?.value.state === 'unknown') quietly(tracking.look(orderId));
    }),
    $page.listen(({isOnline}) => {
      const {placed} = $orderState.get();
      if (isOnline && placed.state === 'ready') paying.forget(placed.value.id, new Set(['offline']));
      if (isOnline && placed.state === 'failed' && placed.error.code === 'offline') change($orderState, {placed: idle});
    }),
    evidence.run(),
    tracking.run(),
  ];
  return () => stops.forEach(stop => stop());
}

/**
 * Checks the service's answer and prompts the wallet, unless the visitor has left meanwhile: then the order is only
 * recorded. `onPlaced` is called in the batch that displays it.
 */
function createPlacing(core: OrderCore, shown: DisplayedOrder, {checking, paying}: Parts) {
  const {$orderState, $form, host, gates, tracking, reads, questions, config, journal, $settings, adapter, tell} = core;

  const screen = createScreening(core);

  /** An address as services want it: some take none without its checksum. */
  const written = async (asset: string, address: string) => {
    const chain = config().catalogue.findChain(splitAssetId(asset)?.chain ?? '');
    return (chain && (await adapter(chain.family)).addresses.withChecksum?.(address)) ?? address;
  };

  const withChecksums = async (agreed: Agreement): Promise<Agreement> => {
    const {from, to, owner, recipient, affiliateFees} = agreed;
    const [payer, receiver, fees] = await Promise.all([
      written(from.id, owner),
      written(to.id, recipient),
      Promise.all(affiliateFees.map(async fee => ({...fee, address: await written(fee.asset, fee.address)}))),
    ]);
    return {...agreed, owner: payer, recipient: receiver, affiliateFees: fees};
  };

  return async (agreed: Agreement, isAwaited: () => boolean, onPlaced: () => void) => {
    const screening = await screen(agreed);
    if (!isAwaited()) return;
    await waitForPage(host, gates.beforeOrder?.(agreed, screening));
    const posted = await withChecksums(agreed);
    if (!isAwaited()) return;
    const {api} = config();
    const book = journal();
    // An order that cannot be recorded must not be paid.
    book.reserve();
    const placedAt = host.now();
    const height = questions.readHeight(agreed.to);
    const worth = worthOfSides(agreed, $form.get().offer);
    const {orderId, deposit} = await api.createOrder(posted);
    const entry: JournalEntry = deepFreeze({
      orderId,
      placedAt,
      payableSince: null,
      agreed,
      deposit,
      walletRequests: [],
      stage: 'awaiting-deposit',
      ...(worth && {worth}),
    });
    book.add(entry);
    reads.begin(orderId);
    // Nothing waits for it. Later it may be that of a block with the payout.
    void height.then(payoutAfter => {
      if (payoutAfter !== undefined && book.get(orderId)?.payableSince === null)
        book.note(orderId, () => ({payoutAfter}));
    });
    tell({type: 'order', orderId, agreed});
    // A visitor who has left meanwhile finds it in the list.
    if (!isAwaited()) return;
    noteShown($settings.get().memory, orderId);
    batch(() => {
      paying.showFunding(entry);
      change($orderState, {refund: idle, placed: ready(shown.present(entry))});
      onPlaced();
    });
    tracking.follow(orderId);
    if (deposit.how === 'wallet') await paying.pay();
    else await checking.readAndCheck(orderId, {isNew: true});
  };
}

type Opening = ReturnType<typeof createOpening>;

function createOpening(core: OrderCore, shown: DisplayedOrder, {checking, paying, watching}: Parts) {
  const {$orderState, $settings, tracking, journal} = core;

  /**
   * The journal is untrusted input: an order is checked again before anything is shown to pay or sign, and to explain
   * why it was stopped.
   */
  const showEntry = (entry: JournalEntry) => {
    change($orderState, {placed: ready(shown.present(entry))});
    const {stage, orderId, canceled} = entry;
    if (stage === 'awaiting-deposit' || stage === 'funding' || (stage === 'stopped' && !canceled))
      void checking.readAndCheck(orderId, {isNew: false});
    void paying.foresee();
  };

  return {
    open(orderId: string) {
      if (shown.is(orderId)) return;
      const entry = journal().get(orderId);
      change($orderState, {refund: idle});
      watching.reset();
      tracking.follow(orderId);
      if (!entry) {
        change($orderState, {funding: NO_FUNDING, placed: ready({id: orderId, placedAt: 0, payUntil: 0})});
        return;
      }
      noteShown($settings.get().memory, orderId);
      paying.showFunding(entry);
      showEntry(entry);
    },

    /** Checks the displayed order with new settings: more may be known now to check it against. */
    reconfigure() {
      const deal = shown.placed()?.deal;
      const entry = shown.entry();
      // A page that renders again applies the same settings again. Work in progress reads the settings itself.
      if (entry && deal && !shown.isBusy(entry.orderId) && !isSameDeal(entry.agreed, deal.agreed)) showEntry(entry);
    },

    /** Applies another tab's changes to the displayed order: its wallet may be prompting. */
    otherTab() {
      const entry = shown.entry();
      if (!entry || shown.isBusy(entry.orderId)) return;
      if (isSameData(entry.walletRequests, $orderState.get().funding.walletRequests)) return;
      paying.showFunding(entry);
      showEntry(entry);
    },

    close() {
      noteShown($settings.get().memory, undefined);
      change($orderState, {placed: idle, funding: NO_FUNDING, refund: idle});
      watching.reset();
      tracking.follow(undefined);
    },
  };
}

function noteShown(memory: Memory | undefined, orderId: string | undefined): void {
  memory?.setNote(shownNote(memory.scope), orderId);
}

function isSameDeal(one: Agreement, other: Agreement): boolean {
  return isSameData(one.from, other.from) && isSameData(one.to, other.to);
}

function createBooks(
  {$settings, $journal}: SessionCore,
  {isWithheld}: Consent,
): Books & {configure(): 'same journal' | 'other journal' | undefined} {
  let memory: Memory | undefined;
  let catalogue: Catalogue | undefined;
  let journal: Journal | undefined;
  return {
    journal() {
      if (!journal) throw new Error('The session is not configured.');
      return journal;
    },

    configure() {
      const {config, memory: opened} = $settings.get();
      if (!opened || !config || (opened === memory && config.catalogue === catalogue)) return undefined;
      catalogue = config.catalogue;
      if (opened === memory) {
        journal?.use(catalogue);
        return 'same journal';
      }
      memory = opened;
      journal = new Journal(memory, catalogue, config.journal, (entries, removed) => {
        if (opened !== memory) return;
        // An address that must not be paid yet is in no store that others read.
        const open = entries.map(entry => (isWithheld(entry) ? withoutAddress(entry) : entry));
        change($journal, {entries: open, removed});
      });
      return 'other journal';
    },
  };
}

/** Finds earlier signatures that may still move the displayed amount from the same payer. Returns a function to stop. */
function watchSignatures({$journal, $form, $orderState}: SessionCore, evidence: EvidenceStore): () => void {
  return effect([$journal, $form, $orderState], ({entries, live: before}, {agreement}, {placed}) => {
    const shown = valueOf(placed)?.deal?.agreed ?? agreement;
    const live = entries.filter(entry => {
      const {from, owner} = entry.agreed;
      if (from.id !== shown?.from.id || owner !== shown.owner || !hasHandedOver(entry)) return false;
      return evidence.storyOf(entry.orderId)?.hasLiveSignature === true;
    });
    if (!isSameData(live, before)) change($journal, {live});
  });
}

/** A failure does not matter: the work is repeated after the next response. */
function quietly(work: Promise<unknown>): void {
  work.catch(() => undefined);
}
