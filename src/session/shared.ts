import {atom, computed, type ReadableAtom, type WritableAtom} from 'nanostores';
import type {ChainAdapter} from '../chains/adapter.js';
import type {ChainFamily} from '../domain/asset.js';
import {attempt} from '../domain/error.js';
import type {Form, FormContext, FormFact} from '../domain/form/form.js';
import {read, type FormStory} from '../domain/form/story.js';
import {idle, valueOf, type Remote} from '../domain/remote.js';
import type {Stage} from '../domain/stage.js';
import type {SteadyHost} from './clock.js';
import type {Connection} from './connection.js';
import {earlyForm, type FormDraft} from './draft.js';
import type {Memory} from './storage.js';
import type {
  FundingProgress,
  Host,
  JournalState,
  PlacedOrder,
  FormState,
  SessionConfig,
  SessionEvent,
  SessionOptions,
  SettingsState,
  ShownOrder,
  SwapSession,
  View,
  WalletsState,
} from './types.js';

export type Stores = ReturnType<typeof createStores>;

export function createStores(host: Host, {$facts}: Pick<FormDraft, '$facts'>) {
  const $view = atom<View>('form');
  /** With what the browser stores for the settings' service. */
  const $settings = atom<SettingsState & {readonly memory?: Memory | undefined}>({});
  const $orderState = atom(NO_ORDER);
  const $wallets = atom(NO_WALLETS);
  const $journal = atom<JournalState>({entries: [], removed: 0, live: [], revoking: idle});
  const $families = atom<Partial<Record<ChainFamily, ChainAdapter>>>({});
  const $asking = atom<Asking>({quote: idle, limits: {}});
  /** Whether the widget is started, rendered on the page, not under `display: none`, and the page visible and online. */
  const $page = atom({isStarted: false, isRendered: true, isVisible: host.visible$.get(), isOnline: true});
  return {
    shown: {
      $settings: guarded($settings),
      $view: guarded($view),
      $stage: guarded(computed([$view, $orderState], stageOf)),
      $now: guarded(atom(host.now())),
      $form: guarded(computed([$facts, $settings, $view, $page, $families, $asking, $wallets, $journal], readsFacts())),
      $wallets: guarded($wallets),
      $order: guarded(computed($orderState, orderOf)),
      $journal: guarded($journal),
    },
    inner: {
      $page,
      /** Prices, as they are requested, and what else is asked for a review. */
      $asking,
      $watch: computed($page, ({isStarted, isRendered, isVisible, isOnline}): Watch => {
        if (!isStarted || !isOnline) return 'off';
        return isRendered && isVisible ? 'seen' : 'hidden';
      }),
      $orderState,
      $families,
      $facts,
    },
  };
}

/** Whether a visitor sees the widget, or could come back to it; `off` while it is stopped or offline. */
export type Watch = 'seen' | 'hidden' | 'off';

type Asking = Omit<FormState, keyof FormStory | 'draft' | 'page'>;
/** The displayed order, and how following, paying and refunding it goes. */
type OrderState = Omit<ShownOrder, keyof PlacedOrder> & {readonly placed: Remote<PlacedOrder>};

export const NO_FUNDING: FundingProgress = {way: 'transaction', plan: [], walletRequests: [], unclear: false};

const NO_ORDER: OrderState = {placed: idle, funding: NO_FUNDING, reading: idle, refund: idle};

const NO_WALLETS: WalletsState = {
  found: [],
  accounts: {},
  restoring: {},
  connecting: idle,
  balance: idle,
  reserve: 0n,
  balances: {},
};

function stageOf(view: View, {placed, story}: OrderState): Stage {
  if (view === 'order') return story?.stage ?? 'ordering';
  if (view === 'review') return placed.state === 'pending' ? 'ordering' : 'reviewing';
  return 'editing';
}

function orderOf({placed, ...known}: OrderState): Remote<ShownOrder> {
  const order = valueOf(placed);
  if (!order || placed.state === 'idle') return placed as Remote<never>;
  return {...placed, value: {...order, ...known}};
}

/** What the form's facts are and mean, with what others know. A part that says the same stays the same object. */
function readsFacts() {
  let last: FormState | undefined;
  return (
    form: Form,
    {config: page}: SettingsState,
    view: View,
    {isOnline}: {readonly isOnline: boolean},
    loaded: FormContext['loaded'],
    asking: Asking,
    {accounts, balance, reserve}: WalletsState,
    {lookalikes}: JournalState,
  ): FormState => {
    if (!page) return (last = kept(last, {...earlyForm(form), ...asking}));
    const {quote, limits, routes} = asking;
    const around = {isShown: view === 'form', isOnline, accounts, loaded, quote, limits, routes, reserve, lookalikes};
    const {notes, warnings, ...story} = read(form, {page, ...around, balance: valueOf(balance)});
    const parts = {notes: kept(last?.notes, notes), warnings: kept(last?.warnings, warnings)};
    return (last = kept(last, {draft: form.draft, page: form.page, ...story, ...parts, ...asking}));
  };
}

/** Parts that say the same stay the same objects; the whole does, if all do. */
function kept<T extends object>(before: T | undefined, now: T): T {
  if (!before) return now;
  const parts = (Object.keys(now) as (keyof T)[]).map(name => {
    return [name, isSameValue(before[name], now[name]) ? before[name] : now[name]] as const;
  });
  return parts.every(([name, part]) => part === before[name]) ? before : (Object.fromEntries(parts) as T);
}

function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  const [mine, theirs] = [Object.entries(one) as [string, unknown][], other as Readonly<Record<string, unknown>>];
  return mine.length === Object.keys(theirs).length && mine.every(([key, value]) => theirs[key] === value);
}

/** A store for the page: if one of its listeners throws, only that listener fails, and the code that changed it goes on. */
function guarded<Store extends ReadableAtom>($store: Store): Store {
  const {listen} = $store;
  $store.listen = listener =>
    listen((...news) => {
      attempt(() => listener(...news));
    });
  return $store;
}

/** Begins whenever the session is started, and ends when it is stopped. */
export function whileStarted({$page}: Pick<SessionCore, '$page'>, begin: () => () => void): void {
  let end: (() => void) | undefined;
  $page.subscribe(({isStarted}) => {
    if (isStarted === (end !== undefined)) return;
    end?.();
    end = isStarted ? begin() : undefined;
  });
}

export function change<T>($store: WritableAtom<T>, parts: Partial<T>): void {
  const before = $store.get();
  if ((Object.keys(parts) as (keyof T)[]).some(name => parts[name] !== before[name])) $store.set({...before, ...parts});
}

type Shown = Stores['shown'];
type Inner = Stores['inner'];

export interface SessionCore extends Shown, Inner, Required<SessionOptions> {
  readonly host: SteadyHost;
  readonly connectivity: Connection;
  /** Throws if there are no settings yet. */
  config(): SessionConfig;
  adapter(family: ChainFamily): Promise<ChainAdapter>;
  tell(event: SessionEvent): void;
  accept(fact: FormFact): void;
  edit: SwapSession['edit'];
  show(view: View): void;
  readBalance(): void;
}
