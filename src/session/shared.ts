import {atom, computed, type ReadableAtom, type WritableAtom} from 'nanostores';
import type {ChainAdapter} from '../chains/adapter.js';
import type {ChainFamily} from '../domain/asset.js';
import {attempt} from '../domain/error.js';
import type {Form, FormFact} from '../domain/form/form.js';
import {read, type FormStory} from '../domain/form/story.js';
import {idle, valueOf, type Remote} from '../domain/remote.js';
import type {LimitsByAsset, Quotes} from '../domain/quote.js';
import type {Stage} from '../domain/stage.js';
import type {Story} from '../domain/story.js';
import type {SteadyHost} from './clock.js';
import {requestOf, type FormDraft} from './draft.js';
import type {Memory} from './storage.js';
import type {
  Accounts,
  AgreementState,
  FormSettings,
  Host,
  JournalState,
  PlacedOrder,
  PriceState,
  SessionConfig,
  SessionEvent,
  SessionOptions,
  SettingsState,
  ShownOrder,
  SwapSession,
  View,
  WalletsState,
} from './types.js';

/** The stores of one session: those that others read, and those that only its own parts read. */
export type Stores = ReturnType<typeof createStores>;

export function createStores(host: Host, draft: FormDraft) {
  const {$facts, $draft} = draft;
  const $view = atom<View>('form');
  const $settings = atom<SettingsState>({});
  const $config = computed($settings, ({config}) => config);
  const $form = computed([$config, draft.$form], (config, preview): FormSettings | undefined => config ?? preview);
  const $placed = atom<Remote<PlacedOrder>>(idle);
  const $story = atom<Story | undefined>();
  const $wallets = atom<WalletsState>({
    found: [],
    accounts: {},
    restoring: {},
    connecting: idle,
    balance: idle,
    reserve: 0n,
    balances: {},
  });
  const $accounts = computed($wallets, ({accounts}) => accounts);
  const $families = atom<Partial<Record<ChainFamily, ChainAdapter>>>({});
  const page = {
    /** Whether the session is started. */
    $running: atom(false),
    /** Whether the widget is rendered on the page: not under `display: none`. */
    $rendered: atom(true),
    /** Whether the page is visible, and online, while the session is started. */
    $visible: atom(host.visible$.get()),
    $online: atom(host.online$.get()),
  };
  const $request = computed([$draft, $form, $config], requestOf);
  const price = {
    $quote: atom<Remote<Quotes>>(idle),
    $nextQuoteAt: atom<number | undefined>(),
    $limits: atom<LimitsByAsset>({}),
    $slow: atom<PriceState['slow']>(),
    $raised: atom<PriceState['raised']>(),
  };
  const $read = readFacts({...page, ...price, $facts, $config, $view, $accounts, $families, $wallets});
  const $problem = computed([$read, draft.$price], (story, early) => (story ? story.problem : early.problem));
  const agreement = {
    $foresight: atom<AgreementState['foresight']>(),
    $isSlow: atom(false),
  };
  const {$quote, $nextQuoteAt, $limits, $slow, $raised} = price;
  const {$foresight, $isSlow} = agreement;
  return {
    shown: {
      $settings: guarded($settings),
      $form: guarded($form),
      $view: guarded($view),
      $stage: guarded(
        computed([$view, $placed, $story], (view, {state}, story): Stage => {
          if (view === 'order') return story?.stage ?? 'ordering';
          if (view === 'review') return state === 'pending' ? 'ordering' : 'reviewing';
          return 'editing';
        }),
      ),
      $now: guarded(atom(host.now())),
      $draft: guarded($draft),
      $price: guarded(
        computed(
          [$request, $read, $problem, $quote, $nextQuoteAt, $limits, $slow, $raised],
          (request, story, problem, quote, nextQuoteAt, limits, slow, raised): PriceState => ({
            request,
            problem,
            offer: story?.offer,
            quote,
            nextQuoteAt,
            limits,
            slow,
            raised,
          }),
        ),
      ),
      $wallets: guarded($wallets),
      $agreement: guarded(
        computed([$read, $foresight, $isSlow], (story, foresight, isSlow): AgreementState => ({
          agreed: story?.agreement,
          moved: story?.moved,
          foresight,
          isSlow,
        })),
      ),
      $order: guarded(atom<Remote<ShownOrder>>(idle)),
      $journal: guarded(atom<JournalState>({entries: [], removed: 0, live: [], revoking: idle})),
    },
    inner: {
      ...page,
      ...price,
      ...agreement,
      $active: computed(Object.values(page), (...all: readonly boolean[]) => all.every(Boolean)),
      $config,
      $placed,
      $story,
      $accounts,
      $memory: atom<Memory | undefined>(),
      /** The families whose code is loaded. */
      $families,
      $facts,
      $request,
      /** What the form's facts mean, once there are settings. */
      $read,
      $problem,
    },
  };
}

/** The stores that the reading of the form depends on. */
interface Known {
  readonly $facts: ReadableAtom<Form>;
  readonly $config: ReadableAtom<SessionConfig | undefined>;
  readonly $view: ReadableAtom<View>;
  readonly $online: ReadableAtom<boolean>;
  readonly $accounts: ReadableAtom<Accounts>;
  readonly $families: ReadableAtom<Partial<Record<ChainFamily, ChainAdapter>>>;
  readonly $quote: ReadableAtom<Remote<Quotes>>;
  readonly $limits: ReadableAtom<LimitsByAsset>;
  readonly $wallets: ReadableAtom<WalletsState>;
}

/** What the form's facts mean, with what others know. A part that says the same stays the same object. */
function readFacts({
  $facts,
  $config,
  $view,
  $online,
  $accounts,
  $families,
  $quote,
  $limits,
  $wallets,
}: Known): ReadableAtom<FormStory | undefined> {
  const $balance = computed($wallets, ({balance}) => valueOf(balance));
  const $reserve = computed($wallets, ({reserve}) => reserve);
  let last: FormStory | undefined;
  return computed(
    [$facts, $config, $view, $online, $accounts, $families, $quote, $limits, $balance, $reserve],
    (form, page, view, isOnline, accounts, loaded, quote, limits, balance, reserve) => {
      if (!page) return undefined;
      const isShown = view === 'form';
      const story = read(form, {page, isShown, isOnline, accounts, loaded, quote, limits, balance, reserve});
      const kept = (Object.entries(story) as [keyof FormStory, unknown][]).map(([part, value]) => {
        const before = last?.[part];
        return [part, isSameValue(before, value) ? before : value] as const;
      });
      last = Object.fromEntries(kept) as unknown as FormStory;
      return last;
    },
  );
}

/** Whether two values are the same, or objects of the same values. */
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

/** Changes parts of a store's value. */
export function change<T>($store: WritableAtom<T>, parts: Partial<T>): void {
  $store.set({...$store.get(), ...parts});
}

type Shown = Stores['shown'];
type Inner = Stores['inner'];

/** What the parts of one session share. */
export interface SessionCore extends Shown, Inner, Required<SessionOptions> {
  readonly host: SteadyHost;
  /** The settings. Throws if there are none yet. */
  config(): SessionConfig;
  /** Loads the code of a family. */
  adapter(family: ChainFamily): Promise<ChainAdapter>;
  /** Sends an event to the page. */
  tell(event: SessionEvent): void;
  /** Takes something that somebody said about the form. */
  accept(fact: FormFact): void;
  edit: SwapSession['edit'];
  /** Closes the displayed order and shows another view. */
  show(view: View): void;
  /** Reads the balance again after money has moved. */
  readBalance(): void;
}
