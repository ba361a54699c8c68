import {atom, computed, type ReadableAtom, type WritableAtom} from 'nanostores';
import type {Adapters, ChainAdapter} from '../chains/adapter.js';
import type {AddressContext, ContractsByAddress, ownerOf, RecipientName, recipientOf} from '../domain/address.js';
import type {Catalogue, ChainFamily} from '../domain/asset.js';
import type {Agreement} from '../domain/deposit.js';
import type {AddressName, Draft, Problem} from '../domain/draft.js';
import {attempt} from '../domain/error.js';
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

/** An empty draft. */
export const EMPTY: Draft = {from: '', to: '', amount: '', receive: '', recipient: '', refundAddress: ''};

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
      $draft: atom(EMPTY),
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
      /** Set once the address rules are loaded. */
      $rules: atom<AddressRules | undefined>(),
      /** The visitor's confirmations. */
      $confirmed: atom<Confirmed>({}),
      /** The problem of the price or the amount that prevents a review, once its code is loaded. */
      $priceProblem: atom<Problem | undefined>(),
      /** The lookups of addresses that may be contracts. */
      $contracts: atom<ContractsByAddress>({}),
      /** The name that was typed as the recipient. */
      $name: atom<RecipientName | undefined>(),
      /** The solver whose offer the visitor chose instead of the best. */
      $chosen: atom<string | undefined>(),
      /** The draft as the settings set it. Any other draft was typed. */
      $fitted: atom(EMPTY),
      /** What the review showed when it was opened, or what the visitor has agreed to since. */
      $floor: atom<Agreement | undefined>(),
    },
  };
}

/** The price, without its request. */
export type Priced = Omit<PriceState, 'request' | 'problem'>;

/** Changes parts of a store's value. */
export function change<T>($store: WritableAtom<T>, parts: Partial<T>): void {
  $store.set({...$store.get(), ...parts});
}

/** The rules for addresses, which can prevent a review. */
export interface AddressRules {
  /** The draft with its amount and addresses read as they were meant. */
  tidyDraft(draft: Draft, catalogue: Catalogue): Draft;
  /** The problem of a draft: of its amount, by the request or the price, or of an address. */
  problemOf(
    request: QuoteRequest | Problem,
    ofPrice: Problem | undefined,
    draft: Draft,
    context: AddressContext,
  ): Problem | undefined;
  readonly ownerOf: typeof ownerOf;
  readonly recipientOf: typeof recipientOf;
  /** The visitor confirms that the address in that field is right, or accepts the cost. */
  confirm(field: AddressName | 'cost'): void;
  /** Loads the code of the families whose addresses are to be checked. Rejects if it cannot be loaded. */
  loadFamilies(): Promise<unknown>;
}

/** What the visitor confirmed: addresses, and the cost of a swap in basis points. */
export type Confirmed = Partial<Record<AddressName, string>> & {readonly cost?: number};

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
  edit(change: Partial<Draft>): void;
  /** Fits the draft to new settings. `fills`: with the values of the page or the last visit. */
  fit(settings: FormSettings, fills: boolean): void;
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

/** If one of the page's listeners throws, only that listener fails: the code that changed the store continues. */
export function guard($store: ReadableAtom): void {
  const {listen} = $store;
  $store.listen = listener =>
    listen((...change) => {
      attempt(() => listener(...change));
    });
}
