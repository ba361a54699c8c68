import {atom, computed, type ReadableAtom, type WritableAtom} from 'nanostores';
import type {Adapters, ChainAdapter} from '../chains/adapter.js';
import type {ChainFamily} from '../domain/asset.js';
import type {Draft, Problem} from '../domain/draft.js';
import {NOTHING_KNOWN, type Form, type FormFact} from '../domain/form/form.js';
import type {FormStory} from '../domain/form/story.js';
import type {QuoteRequest} from '../domain/quote.js';
import {idle, type Remote} from '../domain/remote.js';
import type {Stage} from '../domain/stage.js';
import type {Story} from '../domain/story.js';
import type {Memory} from './storage.js';
import type {
  FormSettings,
  Host,
  JournalState,
  AgreementState,
  PlacedOrder,
  PriceState,
  SessionConfig,
  SessionEvent,
  SessionOptions,
  SettingsState,
  ShownOrder,
  View,
  WalletsState,
} from './types.js';

/** The stores of one session. The form reads them before the code that fills most of them is loaded. */
export type Stores = ReturnType<typeof createStores>['shown'] & InnerStores;

/** Stores that only the parts of the session read. */
type InnerStores = ReturnType<typeof createStores>['inner'];

export function createStores(host: Host) {
  const $view = atom<View>('form');
  const $settings = atom<SettingsState>({});
  const $config = computed($settings, ({config}) => config);
  const $placed = atom<Remote<PlacedOrder>>(idle);
  const $story = atom<Story | undefined>();
  const $facts = atom<Form>(NOTHING_KNOWN);
  const $wallets = atom<WalletsState>({
    found: [],
    accounts: {},
    restoring: {},
    connecting: idle,
    balance: idle,
    reserve: 0n,
    balances: {},
  });
  return {
    shown: {
      $settings,
      $form: computed($settings, ({config, preview}): FormSettings | undefined => config ?? preview),
      $view,
      $stage: computed([$view, $placed, $story], (view, {state}, story): Stage => {
        if (view === 'order') return story?.stage ?? 'ordering';
        if (view === 'review') return state === 'pending' ? 'ordering' : 'reviewing';
        return 'editing';
      }),
      $now: atom(host.now()),
      $draft: computed($facts, ({draft}) => draft),
      $wallets,
      $agreement: atom<AgreementState>({}),
      $order: atom<Remote<ShownOrder>>(idle),
      $journal: atom<JournalState>({entries: [], removed: 0, live: [], revoking: idle}),
    },
    inner: {
      $config,
      $placed,
      $story,
      $accounts: computed($wallets, ({accounts}) => accounts),
      /** The price data, once the code that requests prices is loaded. */
      $priced: atom<Priced>({quote: idle, limits: {}}),
      /** Whether the session is started. */
      $running: atom(false),
      /** Whether the widget is rendered on the page: not under `display: none`. */
      $rendered: atom(true),
      $memory: atom<Memory | undefined>(),
      /** The families whose code is loaded. */
      $families: atom<Partial<Record<ChainFamily, ChainAdapter>>>({}),
      /** What the form knows. Only `accept` changes it. */
      $facts,
      /** What the form's facts mean, once that code is loaded and there are settings. */
      $read: atom<FormStory | undefined>(),
    },
  };
}

/** The price, without its request. */
export type Priced = Omit<PriceState, 'request' | 'problem' | 'offer'>;

/** Changes parts of a store's value. */
export function change<T>($store: WritableAtom<T>, parts: Partial<T>): void {
  $store.set({...$store.get(), ...parts});
}

/** Handles changes of the draft once there are settings. */
export interface DraftKeeper {
  /** Called within the batch that changes it. */
  draftChanged?(): void;
  /** Stores it for the next visit. */
  noteDraft?(): void;
  /** The initial draft: as the visitor left it, unless the page now presets something else. */
  restoredDraft?(prefill: Partial<Draft>): Partial<Draft>;
}

/** The part of a session that exists before its settings are read. */
export interface SessionBase extends Stores, Required<Omit<SessionOptions, 'adapters'>>, DraftKeeper {
  readonly $request: ReadableAtom<QuoteRequest | Problem>;
  readonly $problem: ReadableAtom<Problem | undefined>;
  readonly $price: ReadableAtom<PriceState>;
  /** Closes the order for another view, once there may be one. */
  closeOrder?(): void;
  /** Sends an event to the page. */
  tell(event: SessionEvent): void;
  /** Takes something that somebody said about the form. */
  accept(fact: FormFact): void;
  edit(change: Partial<Draft>): void;
  /** Closes the displayed order and shows another view. */
  show(view: View): void;
}

/** What the parts of one session share. */
export interface SessionCore extends SessionBase {
  readonly adapters: Adapters;
  /** Whether the session is started and rendered, and the page is visible and online. */
  readonly $active: ReadableAtom<boolean>;
  /** The settings. Throws if there are none yet. */
  config(): SessionConfig;
  /** Loads the code of a family. */
  adapter(family: ChainFamily): Promise<ChainAdapter>;
  /** Reads the balance again after money has moved. */
  readBalance(): void;
}
