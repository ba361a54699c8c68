import {atom, batch, computed, type ReadableAtom} from 'nanostores';
import type {ChainAdapter, Wallet} from '../chains/adapter.js';
import {lessBps} from '../domain/amount.js';
import {depositBy, type Chain, type ChainFamily} from '../domain/asset.js';
import type {Agreement} from '../domain/deposit.js';
import {isProblem, readDraft, totalBps, type AddressName, type Draft, type Problem} from '../domain/draft.js';
import {attempt, SwapError, toSwapError} from '../domain/error.js';
import {lazy, notLoaded} from '../domain/lazy.js';
import type {Stage} from '../domain/stage.js';
import type {LimitsByAsset, QuoteRequest, Quotes} from '../domain/quote.js';
import {failed, idle, pending, valueOf, type Remote} from '../domain/remote.js';
import type * as Typed from '../domain/address.js';
import type {ContractsByAddress} from '../domain/address.js';
import {openMemory, walletNote, type Memory} from './storage.js';
import type {Orders} from './order/orders.js';
import type {Quoting} from './pricing.js';
import {createOrderStores, shelter} from './order/stores.js';
import type {
  Accounts,
  Balances,
  PlacedOrder,
  PriceMove,
  SessionConfig,
  SessionEvent,
  SessionOptions,
  SwapSession,
  View,
} from './types.js';
import type {Wallets} from './accounts.js';

export type * from './types.js';

const EMPTY: Draft = {from: '', to: '', amount: '', recipient: '', refundAddress: ''};
/** How soon what could not be loaded is tried again. */
const RETRY_MS = 5_000;
const DRAFT_FIELDS = Object.keys(EMPTY) as readonly (keyof Draft)[];

/** Puts together the stores and the actions of one widget. Nothing happens until it is configured and started. */
export function createSwapSession({adapters, host, gates = {}, scope = ''}: SessionOptions): SwapSession {
  const $config = atom<SessionConfig | undefined>();
  const $fault = atom<SwapError | undefined>();
  const $running = atom(0);
  const $view = atom<View>('form');
  const $now = atom(host.now());
  const $draft = atom<Draft>(EMPTY);
  const $accounts = atom<Accounts>({});
  const $wallets = atom<readonly Wallet[]>([]);
  const $connecting = atom<Remote<Wallet>>(idle);
  const $balance = atom<Remote<bigint>>(idle);
  const $reserve = atom(0n);
  const $balances = atom<Balances>({});
  const $quote = atom<Remote<Quotes>>(idle);
  const $nextQuoteAt = atom<number | undefined>();
  const $chosen = atom<string | undefined>();
  const $limits = atom<LimitsByAsset>({});
  /** The addresses that the person said yes to. */
  const $confirmed = atom<Partial<Record<AddressName, string>>>({});
  const $typed = atom<typeof Typed | undefined>();
  /** What is known of addresses that may be contracts. */
  const $contracts = atom<ContractsByAddress>({});
  /** What the review showed when it was opened, or what the person said yes to since. */
  const $floor = atom<Agreement | undefined>();
  const $loaded = atom<Partial<Record<ChainFamily, ChainAdapter>>>({});
  const listeners = new Set<(event: SessionEvent) => void>();
  const stores = createOrderStores();
  let memory: Memory | undefined;
  let orders: Orders | undefined;
  let restOrders = () => {};
  let quoting: Quoting | undefined;
  let restQuoting = () => {};
  let wallets: Wallets | undefined;
  /** Whether the order that the person agreed to is on its way to the service. */
  let isPlacing = false;
  let callOffChecking = () => {};

  const tell = (event: SessionEvent) => listeners.forEach(listener => attempt(() => listener(event)));
  const config = () => {
    const value = $config.get();
    if (!value) throw new Error('The session is not configured.');
    return value;
  };
  const adapter = async (family: ChainFamily): Promise<ChainAdapter> => {
    const known = $loaded.get()[family];
    if (known) return known;
    let loaded: ChainAdapter | undefined;
    try {
      loaded = await adapters[family]?.();
    } catch (cause) {
      throw notLoaded(cause);
    }
    // The catalogue only lets families through that this build has.
    if (!loaded) throw notLoaded(family);
    const present = $loaded.get()[family];
    if (present) return present;
    $loaded.set({...$loaded.get(), [family]: loaded});
    return loaded;
  };

  /* -- the draft ---------------------------------------------------------------------------------------------------- */

  const $request = computed([$draft, $config], (draft, settings): QuoteRequest | Problem =>
    settings
      ? readDraft(draft, settings.catalogue, totalBps(settings.affiliateFees))
      : {code: 'choose-from', field: 'from'},
  );

  const $recipient = computed([$draft, $accounts, $config], ({to, recipient}, accounts, settings) => {
    const family = settings?.catalogue.find(to)?.chain.family;
    return recipient.trim() || (family && accounts[family]?.address) || '';
  });

  /** Who pays, and gets a refund: the connected account, or where no wallet is needed the address that was typed. */
  const $owner = computed([$draft, $accounts, $config], ({from, refundAddress}, accounts, settings) => {
    const chain = settings?.catalogue.find(from)?.chain;
    if (!chain) return '';
    return (depositBy(chain) === 'transfer' && refundAddress.trim()) || (accounts[chain.family]?.address ?? '');
  });

  const $problem = computed(
    [$request, $draft, $owner, $recipient, $accounts, $loaded, $confirmed, $contracts, $typed],
    (request, draft, owner, recipient, accounts, loaded, confirmed, contracts, typed): Problem | undefined => {
      if (isProblem(request)) return request;
      const byTransfer = depositBy(request.from.chain) === 'transfer';
      const field = byTransfer && draft.refundAddress.trim() ? 'refundAddress' : 'recipient';
      const wrong = typed
        ? typed.addressProblem(request, draft, {...config(), accounts, loaded, confirmed, contracts})
        : (draft[field].trim() || owner) && ({code: 'checking-address', field} as const);
      if (wrong) return wrong;
      if (!owner)
        return byTransfer ? {code: 'enter-refund', field: 'refundAddress'} : {code: 'connect', field: 'account'};
      if (!recipient) return {code: 'enter-recipient', field: 'recipient'};
      // A wallet may be on another network than the page, with an address that means nothing here.
      const isForeign = (chain: Chain, address: string) => loaded[chain.family]?.isAddress(chain, address) === false;
      if (isForeign(request.from.chain, owner)) {
        return {code: 'not-an-address', field: byTransfer ? 'refundAddress' : 'account'};
      }
      return isForeign(request.to.chain, recipient) ? {code: 'not-an-address', field: 'recipient'} : undefined;
    },
  );

  /** The one place where the draft is set: what the page locked is as it filled it in, and all of it is read as it was meant. */
  const setDraft = (draft: Draft) => {
    const before = $draft.get();
    const {prefill, locked = [], catalogue} = $config.get() ?? {};
    let next: {-readonly [Key in keyof Draft]: Draft[Key]} = {...draft};
    for (const field of locked) next = {...next, [field]: prefill?.[field] ?? ''};
    // A pair of one asset is no pair: the side that may change stays as it was.
    if (next.from && next.from === next.to) {
      const side = locked.includes('from') ? 'to' : 'from';
      next[side] = before[side] === next[side] ? '' : before[side];
    }
    const typed = $typed.get();
    if (typed && catalogue) next = typed.tidyDraft(next, catalogue);
    // The field shows how a text is read: the decimal point is a point.
    next.amount = next.amount.replace(/^(?![1-9]\d{0,2},\d{3}$)(\d*),(\d*)$/, '$1.$2');
    if (DRAFT_FIELDS.some(field => next[field] !== before[field])) $draft.set(next);
  };

  const edit = (change: Partial<Draft>) => {
    const before = $draft.get();
    const draft: {-readonly [Key in keyof Draft]: Draft[Key]} = {...before, ...change};
    // Choosing the other side's asset swaps the two.
    if (draft.from === draft.to && draft.from) {
      if (change.from !== undefined) draft.to = before.from;
      else draft.from = before.to;
    }
    batch(() => {
      setDraft(draft);
      // What a review showed is no longer what is asked for. An order that is being placed is as it was agreed.
      if ($draft.get() !== before && $view.get() === 'review' && !isPlacing) showForm();
    });
    if ($draft.get() === before) return;
    const {from, to} = $draft.get();
    if (from !== before.from || to !== before.to) {
      $chosen.set(undefined);
      $confirmed.set({});
    }
    memory?.setDraft(JSON.stringify({draft: $draft.get(), prefill: $config.get()?.prefill}));
    checkAddresses();
  };

  /** What reads texts that are no plain amounts, and looks at addresses. */
  const loadTyped = lazy(
    () => import('./addresses.js'),
    ({typed, lookForContracts}) => {
      $typed.set(typed);
      edit({});
      lookForContracts({$request, $draft, $accounts, $loaded, $contracts});
    },
  );

  /** An address is checked by its family's own code, which loads now, and again where it could not be loaded. */
  const checkAddresses = () => {
    callOffChecking();
    const {from, to, recipient, refundAddress} = $draft.get();
    for (const [id, text] of [
      [from, refundAddress],
      [to, recipient],
    ] as const) {
      const family = $config.get()?.catalogue.find(id)?.chain.family;
      if (!family || !(text.trim() || $accounts.get()[family])) continue;
      Promise.all([adapter(family), loadTyped()]).catch(() => {
        callOffChecking();
        callOffChecking = host.after(RETRY_MS, checkAddresses);
      });
    }
  };
  $accounts.listen(checkAddresses);

  /* -- orders --------------------------------------------------------------------------------------- */

  const $active = computed(
    [$running, host.visible$, host.online$],
    (running, visible, online) => running > 0 && visible && online,
  );
  /** What happens once there is an order is loaded with the first one. */
  const loadOrders = lazy(
    () => import('./order/orders.js'),
    ({createOrders}) => {
      const {catalogue, journal} = config();
      orders = createOrders({
        stores,
        host,
        gates,
        $config,
        $active,
        $now,
        config,
        adapter,
        account: family => $accounts.get()[family],
        isHere: () => $running.get() > 0,
        tell,
        settled: () => wallets?.readBalance(),
      });
      if (memory) orders.configure(memory, catalogue, journal);
      if ($running.get() > 0) restOrders = orders.run();
      return orders;
    },
  );

  /** Shows no order any more. One that is under way goes on, and stays in the list. */
  const closeOrder = () => {
    orders?.close();
    stores.$order.set(idle);
  };

  const openOrder = (orderId: string) => {
    loadOrders().then(
      ({open}) =>
        batch(() => {
          open(orderId);
          $view.set('order');
        }),
      (error: unknown) => tell({type: 'error', error: toSwapError(error, 'timeout'), orderId}),
    );
  };

  const $stage = computed([$view, stores.$order, stores.$standing], (view, placed, standing): Stage => {
    switch (view) {
      case 'form':
      case 'journal':
        return 'editing';
      case 'review':
        return placed.state === 'pending' ? 'ordering' : 'reviewing';
      case 'order':
        return standing?.stage ?? 'ordering';
    }
  });

  /* -- the price ---------------------------------------------------------------------------------------------------- */

  const $wanted = computed(
    [$active, $stage, $config, $fault],
    (active, stage, settings, fault) =>
      active && !fault && !settings?.paused && (stage === 'editing' || stage === 'reviewing'),
  );
  /** What asks for prices is loaded with the first request. */
  const loadQuoting = lazy(
    () => import('./pricing.js'),
    ({createQuoting}) => {
      quoting = createQuoting({$quote, $nextAt: $nextQuoteAt, $chosen, $limits, $request, $config, $wanted, host});
      if ($running.get() > 0) restQuoting = quoting.run();
      return quoting;
    },
  );

  const $offer = computed([$quote, $chosen], (quote, chosen) => {
    const offers = valueOf(quote)?.offers;
    return offers?.find(({solverId}) => solverId === chosen) ?? offers?.[0];
  });

  const $agreement = computed(
    [$request, $offer, $owner, $recipient, $problem, $config, $floor],
    (request, offer, owner, recipient, problem, settings, floor): Agreement | undefined => {
      if (isProblem(request) || !offer || problem || !settings) return undefined;
      return Object.freeze({
        from: request.from,
        to: request.to,
        amount: request.amount,
        receive: offer.destination.amount,
        atLeast: floor?.atLeast ?? lessBps(offer.destination.amount, settings.priceTolerance),
        owner,
        recipient,
        affiliateFees: settings.affiliateFees,
        solverId: offer.solverId,
      });
    },
  );

  const $moved = computed([$offer, $floor], (offer, floor): PriceMove | undefined =>
    offer && floor && offer.destination.amount < floor.atLeast
      ? {before: floor.receive, now: offer.destination.amount}
      : undefined,
  );

  let lastQuoteAt = 0;
  let lastFault = '';
  $quote.listen(quote => {
    if (quote.state === 'ready' && quote.value.at !== lastQuoteAt) {
      lastQuoteAt = quote.value.at;
      lastFault = '';
      tell({type: 'quote', request: quote.value.request, quotes: quote.value});
    } else if (quote.state === 'failed' && quote.error.message !== lastFault) {
      lastFault = quote.error.message;
      tell({type: 'error', error: quote.error});
    }
  });

  /* -- wallets --------------------------------------------------------------------------------------------------------- */

  /** What speaks to wallets is loaded when somebody looks for one, or had one on the last visit. */
  const loadWallets = lazy(
    () => import('./accounts.js'),
    ({createWallets}) =>
      (wallets = createWallets({
        $accounts,
        $wallets,
        $connecting,
        $balance,
        $reserve,
        $balances,
        edit,
        $source: computed([$draft, $config], ({from}, settings) => settings?.catalogue.find(from)),
        $config,
        $running,
        adapters,
        adapter,
        host,
        memory: () => memory,
        tell,
      })),
  );

  const loadAffiliate = lazy(
    () => import('../domain/affiliate.js'),
    affiliate => affiliate,
  );
  /** Payees may be on chains that nobody swaps on here: those chains' own code looks at them before anything is ordered. */
  const checkFees = async ({affiliateFees, catalogue}: SessionConfig) => {
    if (affiliateFees.length) await (await loadAffiliate()).checkPayees(affiliateFees, catalogue, adapter);
  };

  let rest = () => {};
  const begin = () => {
    checkAddresses();
    let callOff = () => {};
    const tick = () => {
      $now.set(host.now());
      callOff = host.after(1_000, tick);
    };
    tick();
    const stopWaiting = $request.subscribe(request => {
      if (isProblem(request)) {
        if (request.code === 'not-a-number') loadTyped().catch(() => undefined);
      } else if (!quoting) {
        loadQuoting().catch((error: unknown) => $quote.set(failed(toSwapError(error, 'timeout'))));
      }
    });
    restQuoting = quoting?.run() ?? (() => {});
    restOrders = orders?.run() ?? (() => {});
    rest = () => {
      callOff();
      callOffChecking();
      stopWaiting();
      restQuoting();
      restOrders();
    };
  };

  /** Goes on with the order that was on the screen when the page was left. */
  const resume = async () => {
    try {
      const {has} = await loadOrders();
      const last = memory?.shown;
      if (last !== undefined && has(last) && $view.get() === 'form') openOrder(last);
    } catch (error) {
      tell({type: 'error', error: toSwapError(error, 'timeout')});
    }
  };

  /** Nothing new is begun while the settings are wrong or the partner paused swaps. */
  const closedBecause = () => $fault.get() ?? ($config.get()?.paused ? new SwapError('paused') : undefined);
  const stayOpen = () => {
    const closed = closedBecause();
    if (closed) throw closed;
  };

  const showForm = () => {
    batch(() => {
      closeOrder();
      $floor.set(undefined);
      $view.set('form');
    });
  };

  const session: SwapSession = {
    $config,
    $fault,
    $view,
    $stage,
    $now,
    $draft,
    $accounts,
    $wallets,
    $connecting,
    $balance,
    $reserve,
    $balances,
    $request,
    $problem,
    $quote,
    $offer,
    $nextQuoteAt,
    $agreement,
    $limits,
    $moved,
    $order: stores.$order,
    $funding: stores.$funding,
    $status: stores.$status,
    $readAt: stores.$readAt,
    $movedBackFrom: stores.$movedBackFrom,
    $refundOpen: stores.$refundOpen,
    $fee: stores.$fee,
    $refund: stores.$refund,
    $journal: stores.$journal,
    $removed: stores.$removed,
    $standing: stores.$standing,

    configure(settings) {
      if (settings instanceof SwapError) {
        // Whoever made the fault knows it. The last good settings stay, for orders that are under way.
        $fault.set(settings);
        return;
      }
      const before = $config.get();
      const isOther =
        before?.service !== settings.service ||
        before.journal !== settings.journal ||
        before.forThisTab !== settings.forThisTab;
      batch(() => {
        $fault.set(undefined);
        $config.set(settings);
        if (isOther) memory = openMemory(host, settings.service, settings.journal, scope);
        if (memory && (isOther || before.catalogue !== settings.catalogue))
          orders?.configure(memory, settings.catalogue, settings.journal);
        const draft = {...$draft.get(), ...(isOther ? restored(memory?.draft, settings.prefill) : {})};
        const {assets, find} = settings.catalogue;
        for (const side of ['from', 'to'] as const) if (!find(draft[side])) draft[side] = '';
        if (!draft.from && !draft.to) {
          draft.from = assets[0]?.id ?? '';
          draft.to = (assets.find(({chain}) => chain !== assets[0]?.chain) ?? assets[1])?.id ?? '';
        }
        setDraft(draft);
      });
      checkAddresses();
      void Promise.all([
        checkFees(settings),
        // Those that the page brings now, and those that it does not bring any more.
        (settings.wallets ?? wallets) && loadWallets().then(({configure}) => configure(settings)),
      ]).catch((fault: unknown) => {
        // What could not be loaded is loaded with the order.
        if (!(fault instanceof SwapError) || fault.code !== 'config' || $config.get() !== settings) return;
        $fault.set(fault);
        tell({type: 'error', error: fault});
      });
      if (!isOther) return;
      if (before) showForm();
      for (const family of new Set(settings.catalogue.assets.map(({chain}) => chain.family))) {
        if (memory?.note(walletNote(family)) !== undefined) {
          void loadWallets().then(
            ({reconnect}) => reconnect(family),
            () => undefined,
          );
        }
      }
      if (memory?.hasOrders()) void resume();
    },

    start() {
      $running.set($running.get() + 1);
      if ($running.get() === 1) begin();
      let isStopped = false;
      return () => {
        if (isStopped) return;
        isStopped = true;
        $running.set($running.get() - 1);
        if ($running.get() === 0) rest();
      };
    },

    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    edit,

    confirm(field) {
      const address = field === 'recipient' ? $recipient : $owner;
      $confirmed.set({...$confirmed.get(), [field]: address.get()});
    },

    flip() {
      const {from, to} = $draft.get();
      if ($draft.get().recipient) edit({from: to, to: from, recipient: ''});
      else edit({from: to, to: from});
    },

    useShare(percent) {
      wallets?.useShare(percent);
    },

    readBalances() {
      wallets?.readBalances();
    },

    choose(solverId) {
      $chosen.set(solverId);
    },

    requote() {
      loadQuoting().then(
        ({ask}) => ask(),
        (error: unknown) => $quote.set(failed(toSwapError(error, 'timeout'))),
      );
    },

    discover(family, signal) {
      loadWallets()
        .then(({discover}) => discover(family, signal))
        .catch((error: unknown) => $connecting.set(failed(toSwapError(error, 'timeout'))));
    },

    async connect(wallet, options) {
      try {
        return await (await loadWallets()).connect(wallet, options);
      } catch (error) {
        $connecting.set(failed(toSwapError(error, 'timeout')));
        return false;
      }
    },

    cancelConnect() {
      wallets?.cancel();
    },

    disconnect(family) {
      wallets?.disconnect(family);
    },

    review() {
      const agreed = $agreement.get();
      const closed = closedBecause();
      // What is wrong with the settings was told when it was found.
      if (closed?.code === 'paused') tell({type: 'error', error: closed});
      if ($view.get() !== 'form' || !agreed || closed) return;
      batch(() => {
        closeOrder();
        $floor.set(agreed);
        $view.set('review');
      });
      // Whoever reviews is about to order.
      void loadOrders().catch(() => undefined);
    },

    back() {
      // What is being ordered is ordered: the answer decides where it goes on.
      if ($stage.get() === 'ordering' && $view.get() === 'review') return;
      showForm();
    },

    async placeOrder() {
      const shown = $agreement.get();
      const settings = $config.get();
      if ($view.get() !== 'review' || !shown || !settings || stores.$order.get().state === 'pending') return;
      // Who says yes to a price that is shown as moved says yes to its own floor.
      const floor = $moved.get() ? lessBps(shown.receive, settings.priceTolerance) : shown.atLeast;
      const accepted = Object.freeze({...shown, atLeast: floor});
      const waiting = pending<PlacedOrder>();
      const isAwaited = () => stores.$order.get() === waiting;
      stores.$order.set(waiting);
      try {
        stayOpen();
        $floor.set(accepted);
        const [{place}, agreed] = await Promise.all([
          loadOrders(),
          loadQuoting().then(({agree}) => agree(accepted, isAwaited)),
          checkFees(settings),
        ]);
        if (!isAwaited()) return;
        stayOpen();
        isPlacing = agreed !== undefined;
        if (agreed) await place(agreed, isAwaited, () => $view.set('order'));
        else stores.$order.set(idle);
      } catch (cause) {
        // Whoever left the review does not wait for this order any more.
        if ($view.get() === 'order') throw cause;
        if (!isAwaited()) return;
        const error = toSwapError(cause, 'service');
        stores.$order.set(failed(error));
        tell({type: 'error', error});
      } finally {
        isPlacing = false;
      }
    },

    pay: async way => (await loadOrders()).pay(way),
    answer: async confirmed => (await loadOrders()).answer(confirmed),
    refund: async () => (await loadOrders()).refund(),

    refresh() {
      orders?.refresh();
    },

    openOrder,

    openJournal() {
      if ($stage.get() === 'ordering') return;
      batch(() => {
        closeOrder();
        $view.set('journal');
      });
      void loadOrders().catch((error: unknown) => tell({type: 'error', error: toSwapError(error, 'timeout')}));
    },

    reset({keep: keepDraft = false} = {}) {
      if (!keepDraft) edit({amount: '', recipient: '', refundAddress: ''});
      $chosen.set(undefined);
      showForm();
    },
  };
  const parts: readonly SwapSession[keyof SwapSession][] = Object.values(session);
  for (const part of parts) if (typeof part === 'object') shelter(part as ReadableAtom);
  return session;
}

/** The draft that a widget starts with: as the person left it, unless the page fills in something else by now. */
function restored(text: string | undefined, prefill: Partial<Draft>): Partial<Draft> {
  try {
    const kept = JSON.parse(text ?? '') as {draft: Record<string, unknown>; prefill: unknown};
    const isSame = JSON.stringify(kept.prefill) === JSON.stringify(prefill);
    // Of another draft the pair is left, unless the page names one.
    const keys = isSame ? DRAFT_FIELDS : prefill.from || prefill.to ? [] : ['from', 'to'];
    const own = keys.flatMap(key => (typeof kept.draft[key] === 'string' ? [[key, kept.draft[key]] as const] : []));
    return {...(isSame ? {} : prefill), ...Object.fromEntries(own)};
  } catch {
    return prefill;
  }
}
