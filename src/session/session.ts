import {atom, batch, computed} from 'nanostores';
import type {Account, ChainAdapter, Wallet} from '../chains/adapter.js';
import {totalBps} from '../domain/affiliate.js';
import {formatAmount, lessBps} from '../domain/amount.js';
import type {ChainFamily} from '../domain/asset.js';
import type {Agreement} from '../domain/deposit.js';
import {isProblem, readDraft, type Draft, type Problem} from '../domain/draft.js';
import {SwapError, toSwapError} from '../domain/error.js';
import {isTerminal, stageOf, type Order, type Stage} from '../domain/order.js';
import {rankQuotes, type QuoteRequest} from '../domain/quote.js';
import {failed, idle, pending, ready, valueOf, type Remote} from '../domain/remote.js';
import {mayBePaid, openJournal, type Journal, type JournalEntry} from './journal.js';
import {createOrdering} from './ordering.js';
import {createQuoting} from './quoting.js';
import {createTracking} from './tracking.js';
import type {Accounts, PriceMove, SessionConfig, SessionEvent, SessionOptions, SwapSession, View} from './types.js';

export type * from './types.js';

const EMPTY: Draft = {from: '', to: '', amount: '', recipient: '', refundAddress: ''};

/** How often orders that are not shown and not at their end are read. */
const OTHERS_PAUSE_MS = 30_000;

/** How far a swap has come at each stage; going down is going back. */
const PROGRESS: Readonly<Record<Stage, number>> = {
  editing: 0,
  reviewing: 0,
  ordering: 0,
  'awaiting-deposit': 1,
  expired: 1,
  stopped: 1,
  funding: 2,
  'deposit-seen': 3,
  confirming: 4,
  settling: 5,
  refunding: 6,
  refunded: 7,
  complete: 7,
};

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
  const $chosen = atom<string | undefined>();
  const $moved = atom<PriceMove | undefined>();
  const $movedBackFrom = atom<Stage | undefined>();
  const $journal = atom<readonly JournalEntry[]>([]);
  const $loaded = atom<Partial<Record<ChainFamily, ChainAdapter>>>({});
  const listeners = new Set<(event: SessionEvent) => void>();
  let journal: Journal | undefined;
  let closeJournal = () => {};

  const tell = (event: SessionEvent) => listeners.forEach(listener => listener(event));
  const config = () => {
    const value = $config.get();
    if (!value) throw new Error('The session is not configured.');
    return value;
  };
  const theJournal = () => {
    if (!journal) throw new Error('The session is not configured.');
    return journal;
  };

  const adapter = async (family: ChainFamily): Promise<ChainAdapter> => {
    const known = $loaded.get()[family];
    if (known) return known;
    const load = adapters[family];
    if (!load)
      throw new SwapError('config', {field: 'assets', detail: `This version does not swap on ${family} chains.`});
    let loaded: ChainAdapter;
    try {
      loaded = await load();
    } catch (cause) {
      throw new SwapError('timeout', {detail: `the ${family} part could not be loaded`, cause});
    }
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

  const $payer = computed([$draft, $accounts, $config], ({from}, accounts, settings) => {
    const family = settings?.catalogue.find(from)?.chain.family;
    return family && accounts[family];
  });

  const $problem = computed(
    [$request, $draft, $payer, $recipient, $loaded],
    (request, draft, payer, recipient, loaded): Problem | undefined => {
      if (isProblem(request)) return request;
      if (draft.recipient.trim()) {
        const family = loaded[request.to.chain.family];
        if (!family) return {code: 'checking-address', field: 'recipient'};
        if (!family.isAddress(request.to.chain, recipient)) return {code: 'not-an-address', field: 'recipient'};
      }
      if (!payer) return {code: 'connect', field: 'account'};
      if (!recipient) return {code: 'enter-recipient', field: 'recipient'};
      return undefined;
    },
  );

  const edit = (change: Partial<Draft>) => {
    const before = $draft.get();
    // The field shows how a text is read: the decimal point is a point.
    const amount = (change.amount ?? before.amount).replace(/^(\d*),(\d*)$/, '$1.$2');
    const draft: {-readonly [Key in keyof Draft]: Draft[Key]} = {...before, ...change, amount};
    // Choosing the other side's asset swaps the two: a pair of one asset is no pair.
    if (draft.from === draft.to && draft.from) {
      if (change.from !== undefined) draft.to = before.from;
      else draft.from = before.to;
    }
    if ((Object.keys(draft) as (keyof Draft)[]).every(key => draft[key] === before[key])) return;
    $draft.set(draft);
    $moved.set(undefined);
    if (draft.from !== before.from || draft.to !== before.to) $chosen.set(undefined);
    journal?.setNote(`draft/${scope}`, JSON.stringify(draft));
    checkRecipient();
  };

  /** A typed address is checked by its family's own code, which loads now. */
  const checkRecipient = () => {
    const family = $config.get()?.catalogue.find($draft.get().to)?.chain.family;
    if (family && $draft.get().recipient.trim()) void adapter(family).catch(() => undefined);
  };

  /* -- where everything stands --------------------------------------------------------------------------------------- */

  const $active = computed(
    [$running, host.visible$, host.online$],
    (running, visible, online) => running > 0 && visible && online,
  );
  const tracking = createTracking({$config, $active, stage: () => $orderStage.get() ?? 'editing', host});
  const ordering = createOrdering({
    host,
    gates,
    tracking,
    config,
    journal: theJournal,
    adapter,
    account: family => $accounts.get()[family],
    isHere: () => $running.get() > 0,
    tell,
  });

  /** Where the shown order stands; `undefined` where none is shown or nothing is known of it yet. */
  const $orderStage = computed(
    [ordering.$order, ordering.$funding, tracking.$status, $journal, $now, $config],
    (placed, funding, status, entries, now, settings): Stage | undefined => {
      const shown = valueOf(placed);
      if (!shown || !settings) return undefined;
      const entry = entries.find(({orderId}) => orderId === shown.id);
      if (entry?.stage === 'complete') return 'complete';
      if (entry?.stage === 'stopped' || (shown.report?.outcome === 'failed' && !(entry && mayBePaid(entry))))
        return 'stopped';
      const order = valueOf(status);
      const stage = order && stageNow(order, now, settings);
      if (stage && stage !== 'awaiting-deposit' && stage !== 'expired') return stage;
      if (funding.busy || funding.funding || (entry && mayBePaid(entry))) return 'funding';
      return stage ?? (entry ? entry.stage : undefined);
    },
  );

  const stageNow = (order: Order, now: number, settings: SessionConfig) => {
    const chain = settings.catalogue.find(order.source.asset)?.chain;
    return stageOf(order, {now, depositWindow: settings.depositWindow, blockSeconds: chain?.blockSeconds ?? Infinity});
  };

  const $stage = computed([$view, ordering.$order, $orderStage], (view, placed, orderStage): Stage => {
    switch (view) {
      case 'form':
      case 'journal':
        return 'editing';
      case 'review':
        return placed.state === 'pending' ? 'ordering' : 'reviewing';
      case 'order':
        return orderStage ?? 'ordering';
    }
  });

  /* -- the price ---------------------------------------------------------------------------------------------------- */

  const $wanted = computed(
    [$active, $stage, $config],
    (active, stage, settings) => active && !settings?.paused && (stage === 'editing' || stage === 'reviewing'),
  );
  const quoting = createQuoting({$request, $config, $wanted, host});

  const $offer = computed([quoting.$quote, $chosen], (quote, chosen) => {
    const offers = valueOf(quote)?.offers;
    return offers?.find(({solverId}) => solverId === chosen) ?? offers?.[0];
  });

  const $agreement = computed(
    [$request, $offer, $payer, $recipient, $problem, $config],
    (request, offer, payer, recipient, problem, settings): Agreement | undefined => {
      if (isProblem(request) || !offer || !payer || problem || !settings) return undefined;
      return Object.freeze({
        from: request.from,
        to: request.to,
        amount: request.amount,
        receive: offer.destination.amount,
        atLeast: lessBps(offer.destination.amount, settings.priceTolerance),
        owner: payer.address,
        recipient,
        affiliateFees: settings.affiliateFees,
        solverId: offer.solverId,
      });
    },
  );

  /**
   * The price of this very moment, held against what the review shows: what may be ordered, or `undefined` where it fell
   * below the floor and the person has to be asked.
   */
  const agreeAnew = async (shown: Agreement): Promise<Agreement | undefined> => {
    const {api, affiliateFees} = config();
    const request = {from: shown.from, to: shown.to, amount: shown.amount, affiliateBps: totalBps(affiliateFees)};
    const quotes = rankQuotes(request, await api.quote(request), host.now());
    quoting.accept(quotes);
    const offer = quotes.offers.find(({solverId}) => solverId === $chosen.get()) ?? quotes.offers[0];
    const receive = offer.destination.amount;
    if (receive < shown.atLeast) {
      $moved.set({before: shown.receive, now: receive});
      return undefined;
    }
    return Object.freeze({...shown, receive, solverId: offer.solverId});
  };

  /* -- what follows from what ----------------------------------------------------------------------------------------- */

  let told: {readonly orderId: string; readonly stage: Stage} | undefined;

  /** Writes down and tells where the shown order stands, whenever a good answer moved it. */
  const followStage = () => {
    const shown = valueOf(ordering.$order.get());
    const order = valueOf(tracking.$status.get());
    const stage = $orderStage.get();
    if (!shown || !stage || !journal) return;
    const entry = journal.get(shown.id);
    if (told?.orderId !== shown.id) {
      told = {orderId: shown.id, stage: entry?.stage ?? 'awaiting-deposit'};
      $movedBackFrom.set(undefined);
    }
    if (stage === told.stage) return;
    const previous = told.stage;
    told = {orderId: shown.id, stage};
    if (PROGRESS[stage] > PROGRESS[previous]) $movedBackFrom.set(undefined);
    else if (PROGRESS[previous] > PROGRESS.funding && PROGRESS[stage] < PROGRESS[previous])
      $movedBackFrom.set(previous);
    if (entry && entry.stage !== stage) keep(() => journal?.update(shown.id, () => ({stage})));
    if (!order || order.id !== shown.id) return;
    tell({type: 'status', orderId: shown.id, stage, previous, order});
    if (stage === 'complete') tell({type: 'complete', orderId: shown.id, order});
    if (stage === 'refunded') tell({type: 'refund', orderId: shown.id, order});
    if (stage === 'complete' || stage === 'refunded') void readBalance();
  };

  /** Does what only a full storage can spoil, and tells so. */
  const keep = (work: () => void) => {
    try {
      work();
    } catch (error) {
      tell({type: 'error', error: toSwapError(error, 'storage')});
    }
  };

  let balanceTurn = 0;
  const readBalance = async () => {
    const turn = ++balanceTurn;
    const asset = config().catalogue.find($draft.get().from);
    const payer = $payer.get();
    const read = asset && payer && $loaded.get()[asset.chain.family]?.balance;
    if (!read) {
      $balance.set(idle);
      return;
    }
    try {
      $balance.set(pending(valueOf($balance.get())));
      const balance = await read(asset, payer);
      if (turn === balanceTurn) $balance.set(balance === undefined ? idle : ready(balance));
    } catch (error) {
      // A balance is a comfort: it advises and never blocks.
      if (turn === balanceTurn) $balance.set(failed(toSwapError(error, 'timeout')));
    }
  };

  const readOthers = async () => {
    const settings = $config.get();
    if (!settings || !journal || !$active.get()) return;
    for (const entry of journal.$entries.get()) {
      if (entry.orderId === valueOf(ordering.$order.get())?.id || isTerminal(entry.stage)) continue;
      if (entry.stage === 'expired' && !mayBePaid(entry)) continue;
      try {
        const order = await settings.api.readOrder(entry.orderId);
        const read = stageNow(order, host.now(), settings);
        const stage = (read === 'awaiting-deposit' || read === 'expired') && mayBePaid(entry) ? 'funding' : read;
        const seen = journal.get(entry.orderId);
        if (seen && seen.stage !== stage && !isTerminal(seen.stage)) journal.update(entry.orderId, () => ({stage}));
      } catch {
        // It is read again on the next round.
      }
    }
  };

  const work = () => {
    const undo: (() => void)[] = [];
    const every = (milliseconds: number, task: () => void) => {
      let callOff = () => {};
      const next = () => {
        callOff = host.after(milliseconds, () => {
          task();
          next();
        });
      };
      next();
      undo.push(() => callOff());
    };
    every(1_000, () => $now.set(host.now()));
    every(OTHERS_PAUSE_MS, () => void readOthers());
    undo.push(
      $orderStage.listen(followStage),
      tracking.$status.listen(({state}) => {
        $now.set(host.now());
        if (state === 'ready' && $orderStage.get() === 'funding') void ordering.look().catch(() => undefined);
      }),
      $active.listen(active => void (active && readOthers())),
    );
    $now.set(host.now());
    followStage();
    void readOthers();
    return () => undo.forEach(stop => stop());
  };

  let lastQuoteAt = 0;
  let lastFault = '';
  quoting.$quote.listen(quote => {
    if (quote.state === 'ready' && quote.value.at !== lastQuoteAt) {
      lastQuoteAt = quote.value.at;
      lastFault = '';
      tell({type: 'quote', request: quote.value.request, quotes: quote.value});
    } else if (quote.state === 'failed' && quote.error.message !== lastFault) {
      lastFault = quote.error.message;
      tell({type: 'error', error: quote.error});
    }
  });
  computed([$draft, $payer], ({from}, payer) => `${from} ${payer?.address ?? ''}`).listen(() => void readBalance());

  /* -- wallets --------------------------------------------------------------------------------------------------------- */

  let connecting = new AbortController();
  const watching = new Map<ChainFamily, AbortController>();

  const setAccount = (family: ChainFamily, account: Account | undefined) => {
    watching.get(family)?.abort();
    watching.delete(family);
    const {[family]: _previous, ...others} = $accounts.get();
    $accounts.set(account ? {...others, [family]: account} : others);
    if (!account) return;
    const watch = new AbortController();
    watching.set(family, watch);
    account.watch(changed => setAccount(family, changed), watch.signal);
    journal?.setNote(`wallet/${family}`, account.wallet.id);
  };

  const discover = (family: ChainFamily, signal: AbortSignal, found?: (wallet: Wallet) => void) => {
    adapter(family).then(
      ({discover: look}) => {
        if (signal.aborted) return;
        look(
          wallet => {
            found?.(wallet);
            const others = $wallets.get().filter(({id, family: other}) => id !== wallet.id || other !== family);
            $wallets.set([...others, wallet]);
          },
          {signal},
        );
      },
      (error: unknown) => $connecting.set(failed(toSwapError(error, 'timeout'))),
    );
  };

  /** A wallet that was connected on the last visit is connected again, if it still allows it without a window. */
  const reconnect = (family: ChainFamily) => {
    const last = journal?.note(`wallet/${family}`);
    if (last === undefined || $accounts.get()[family]) return;
    const looking = new AbortController();
    host.after(3_000, () => looking.abort());
    discover(family, looking.signal, wallet => {
      if (wallet.id !== last || $accounts.get()[family]) return;
      looking.abort();
      wallet.connect({silent: true}).then(
        account => {
          if (!$accounts.get()[family]) setAccount(family, account);
        },
        () => undefined,
      );
    });
  };

  const showForm = () => {
    batch(() => {
      ordering.close();
      $moved.set(undefined);
      $view.set('form');
    });
  };

  return {
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
    $request,
    $problem,
    $quote: quoting.$quote,
    $offer,
    $nextQuoteAt: quoting.$nextAt,
    $agreement,
    $moved,
    $order: ordering.$order,
    $funding: ordering.$funding,
    $status: tracking.$status,
    $readAt: tracking.$readAt,
    $movedBackFrom,
    $refund: ordering.$refund,
    $journal,

    configure(settings) {
      if (settings instanceof SwapError) {
        batch(() => {
          $config.set(undefined);
          $fault.set(settings);
        });
        tell({type: 'error', error: settings});
        return;
      }
      const before = $config.get();
      const isOther = before?.service !== settings.service || before.journal !== settings.journal;
      batch(() => {
        $fault.set(undefined);
        $config.set(settings);
        if (isOther || before.catalogue !== settings.catalogue) {
          closeJournal();
          journal = openJournal({
            host,
            service: settings.service,
            catalogue: settings.catalogue,
            keep: settings.journal,
          });
          const stop = journal.$entries.subscribe(entries => $journal.set(entries));
          const {close} = journal;
          closeJournal = () => {
            stop();
            close();
          };
        }
        const draft = {...$draft.get(), ...(isOther ? restored(journal?.note(`draft/${scope}`)) : {})};
        const {assets, find} = settings.catalogue;
        for (const side of ['from', 'to'] as const) if (!find(draft[side])) draft[side] = '';
        if (!draft.from && !draft.to) {
          draft.from = assets[0]?.id ?? '';
          draft.to = (assets.find(({chain}) => chain !== assets[0]?.chain) ?? assets[1])?.id ?? '';
        }
        $draft.set(draft);
      });
      checkRecipient();
      if (!isOther) return;
      if (before) showForm();
      for (const family of new Set(settings.catalogue.assets.map(({chain}) => chain.family))) reconnect(family);
      const open = journal?.note('order');
      if (open !== undefined && journal?.get(open)) this.openOrder(open);
    },

    start() {
      $running.set($running.get() + 1);
      const stop = work();
      let isStopped = false;
      return () => {
        if (isStopped) return;
        isStopped = true;
        stop();
        $running.set($running.get() - 1);
      };
    },

    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    edit,

    flip() {
      const {from, to} = $draft.get();
      if ($draft.get().recipient) edit({from: to, to: from, recipient: ''});
      else edit({from: to, to: from});
    },

    useMax() {
      const balance = valueOf($balance.get());
      const asset = $config.get()?.catalogue.find($draft.get().from);
      if (balance !== undefined && asset) edit({amount: formatAmount(balance, asset.decimals)});
    },

    choose(solverId) {
      $chosen.set(solverId);
    },

    requote() {
      quoting.ask();
    },

    discover(family, signal) {
      discover(family, signal);
    },

    async connect(wallet) {
      connecting.abort();
      const {signal} = (connecting = new AbortController());
      $connecting.set(pending(wallet));
      try {
        const account = await wallet.connect({signal});
        if (signal.aborted) return false;
        batch(() => {
          setAccount(wallet.family, account);
          $connecting.set(idle);
        });
        return true;
      } catch (error) {
        if (!signal.aborted) $connecting.set(failed(toSwapError(error, 'wallet-unclear'), wallet));
        return false;
      }
    },

    cancelConnect() {
      connecting.abort();
      $connecting.set(idle);
    },

    disconnect(family) {
      setAccount(family, undefined);
      journal?.setNote(`wallet/${family}`, undefined);
    },

    review() {
      const settings = $config.get();
      if ($view.get() !== 'form' || !$agreement.get() || !settings || settings.paused) return;
      batch(() => {
        ordering.close();
        $moved.set(undefined);
        $view.set('review');
      });
    },

    back() {
      // What is being ordered is ordered: the answer decides where it goes on.
      if ($stage.get() === 'ordering' && $view.get() === 'review') return;
      showForm();
    },

    async placeOrder() {
      const shown = $agreement.get();
      if ($view.get() !== 'review' || !shown || ordering.$order.get().state === 'pending') return;
      $moved.set(undefined);
      ordering.prepare();
      try {
        const agreed = await agreeAnew(shown);
        if (!agreed) {
          ordering.close();
          return;
        }
        await ordering.place(agreed, () => $view.set('order'));
      } catch (error) {
        if ($view.get() === 'review') ordering.fail(toSwapError(error, 'service'));
      }
    },

    pay: way => ordering.pay(way),
    answer: confirmed => ordering.answer(confirmed),
    refund: () => ordering.refund(),

    refresh() {
      tracking.hurry();
    },

    openOrder(orderId) {
      batch(() => {
        ordering.open(orderId);
        $view.set('order');
      });
      followStage();
    },

    openJournal() {
      if ($stage.get() === 'ordering') return;
      batch(() => {
        ordering.close();
        $view.set('journal');
      });
      void readOthers();
    },

    reset({keep: keepDraft = false} = {}) {
      if (!keepDraft) edit({amount: '', recipient: '', refundAddress: ''});
      $chosen.set(undefined);
      showForm();
    },
  };
}

/** A draft as it was kept; anything else is none. */
function restored(text: string | undefined): Partial<Draft> {
  try {
    const value = JSON.parse(text ?? '') as Record<string, unknown>;
    return Object.fromEntries(
      Object.keys(EMPTY).flatMap(key => (typeof value[key] === 'string' ? [[key, value[key]]] : [])),
    );
  } catch {
    return {};
  }
}
