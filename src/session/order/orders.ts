import {batch, computed} from 'nanostores';
import type {Catalogue, ChainFamily} from '../../domain/asset.js';
import type {Agreement, FundWay} from '../../domain/deposit.js';
import {hasHandedOver} from '../../domain/funding.js';
import {valueOf} from '../../domain/remote.js';
import type {SessionCore} from '../shared.js';
import {shownNote, type Memory} from '../storage.js';
import {createChecking} from './check.js';
import {createEvidence, type EvidenceStore} from './evidence.js';
import {createFeeWatch} from './fees.js';
import {openJournal, type Journal} from './journal.js';
import {createPaying} from './pay.js';
import {createOpening, createPlacing} from './place.js';
import {createRefund, createRevoke} from './refund.js';
import {createQuestions} from './questions.js';
import {createShownOrder, type OrderCore} from './shown.js';
import {createOrderStores, offerOrders, type OrderStores} from './stores.js';
import {createTracking} from './track.js';
import {createWatching} from './watch.js';

/** Everything that happens once there is an order. Loaded with the first one; the form does without. */
export interface Orders {
  /** Takes the journal of new settings. */
  configure(): void;
  /** Goes on with the order that was on the screen when the page was left. */
  resume(): void;
  /**
   * Places what was agreed. `onPlaced` is called in the batch that shows the order. One that is no longer awaited is only
   * written down.
   */
  place(agreed: Agreement, isAwaited: () => boolean, onPlaced: () => void): Promise<void>;
  pay(way?: FundWay): Promise<void>;
  answer(confirmed: boolean): Promise<void>;
  refund(): Promise<void>;
  revoke(orderId: string): Promise<void>;
  /** Reads the shown order now. */
  refresh(): void;
  open(orderId: string): void;
  close(): void;
}

export function createOrders(session: SessionCore): Orders {
  const stores = createOrderStores();
  const core = {...session, ...stores};
  offerOrders(session, stores);
  const {$running, $view, $accounts, host} = core;
  const books = createBooks(core);
  const base = {
    ...core,
    journal: () => required(books.journal()),
    memory: () => required(books.memory()),
    account: (family: ChainFamily) => $accounts.get()[family],
  };
  const evidence = createEvidence(core, books.journal);
  const questions = createQuestions(base);
  const tracking = createTracking(core, books.journal, evidence, questions);
  const orderCore: OrderCore = {...base, evidence, tracking};
  const shown = createShownOrder(orderCore);
  const checking = createChecking(orderCore, shown, questions);
  const paying = createPaying(orderCore, shown, checking);
  const watching = createWatching(orderCore, shown);
  const parts = {checking, paying, watching};
  const opening = createOpening(orderCore, shown, parts);
  const watchFees = createFeeWatch(orderCore);

  const configure = () => {
    if (books.configure() === 'same journal') opening.reconfigure();
  };

  const open = (orderId: string) =>
    batch(() => {
      opening.open(orderId);
      $view.set('order');
    });

  const run = () => {
    const stops = [
      watchSignatures(core, evidence),
      host.onStorage(key => {
        books.journal()?.otherTab(key);
        opening.otherTab();
      }),
      $accounts.listen(() => {
        const shownId = valueOf(core.$placed.get())?.id;
        if (shownId === undefined) return;
        paying.forgetWallet(shownId);
        // A wallet that comes back may be able to read what could not be read without it.
        if (evidence.of(shownId).deposit?.value.state === 'unknown') quietly(tracking.look(shownId));
      }),
      evidence.run(),
      tracking.$answer.listen(order => {
        if (!order) return;
        watchFees(order);
        quietly(checking.checkAgain(order));
        quietly(watching.readFee(order));
      }),
      tracking.$looked.listen(looked => {
        if (looked) quietly(watching.settle(looked.orderId));
      }),
      tracking.run(),
    ];
    return () => stops.forEach(stop => stop());
  };

  configure();
  let stop = () => {};
  $running.subscribe(running => {
    stop();
    stop = running ? run() : () => {};
  });

  return {
    configure,
    resume() {
      const memory = books.memory();
      const last = memory?.note(shownNote(memory));
      if (last !== undefined && books.journal()?.get(last) && $view.get() === 'form') open(last);
    },
    place: createPlacing(orderCore, shown, parts),
    pay: paying.pay,
    answer: paying.answer,
    refund: createRefund(orderCore, shown),
    revoke: createRevoke(orderCore, shown),
    refresh: () => tracking.readNow(),
    open,
    close() {
      opening.close();
      tracking.readOthers();
    },
  };
}

/** The journal of the present settings. */
function createBooks({$config, $memory, $entries, $removed}: SessionCore & OrderStores) {
  let memory: Memory | undefined;
  let catalogue: Catalogue | undefined;
  let journal: Journal | undefined;
  let leave = () => {};
  return {
    memory: () => memory,
    journal: () => journal,

    /** Takes the journal of new settings. Returns what changed, if anything did. */
    configure(): 'same journal' | 'other journal' | undefined {
      const opened = $memory.get();
      const config = $config.get();
      if (!opened || !config || (opened === memory && config.catalogue === catalogue)) return undefined;
      catalogue = config.catalogue;
      if (opened === memory) {
        journal?.use(catalogue);
        return 'same journal';
      }
      leave();
      memory = opened;
      journal = openJournal({memory, catalogue, keep: config.journal});
      const stops = [
        journal.$entries.subscribe(entries => $entries.set(entries)),
        journal.$removed.subscribe(count => $removed.set(count)),
      ];
      leave = () => stops.forEach(stop => stop());
      return 'other journal';
    },
  };
}

/** Finds the signatures that may still take what is on the screen from who is on the screen. Returns how to stop. */
function watchSignatures(
  {$entries, $agreement, $placed, $story, $liveSignatures}: SessionCore & OrderStores,
  {storyOf}: EvidenceStore,
): () => void {
  return computed([$entries, $agreement, $placed, $story], (entries, {agreed}, order) => {
    const shown = valueOf(order)?.deal?.agreed ?? agreed;
    return entries.filter(entry => {
      const {from, owner} = entry.agreed;
      if (from.id !== shown?.from.id || owner !== shown.owner || !hasHandedOver(entry)) return false;
      return storyOf(entry.orderId)?.hasLiveSignature === true;
    });
  }).subscribe(live => {
    if (live.length || $liveSignatures.get().length) $liveSignatures.set(live);
  });
}

/** Does work whose failure is no news: it is done again with the next answer. */
function quietly(work: Promise<unknown>): void {
  work.catch(() => undefined);
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The session is not configured.');
  return value;
}
