import {atom, computed, type ReadableAtom, type WritableAtom} from 'nanostores';
import type {ChainAdapter} from '../chains/adapter.js';
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

/** A draft with nothing in it. */
export const EMPTY: Draft = {from: '', to: '', amount: '', receive: '', recipient: '', refundAddress: ''};

/** The stores of one session. The form reads them before the code that fills most of them is loaded. */
export type Stores = ReturnType<typeof createStores>['shown'] & InnerStores;

/** Those that only the parts of the session read. */
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
      /** What is known of the price once there is code that asks for it. */
      $priced: atom<Priced>({quote: idle, limits: {}}),
      /** Whether the session is started. */
      $running: atom(false),
      /** Whether what draws it has a place on the page: not under `display: none`. */
      $rendered: atom(true),
      $memory: atom<Memory | undefined>(),
      /** The families whose code is loaded. */
      $families: atom<Partial<Record<ChainFamily, ChainAdapter>>>({}),
      /** Set once the rules for addresses are loaded. */
      $rules: atom<AddressRules | undefined>(),
      /** What the person confirmed. */
      $confirmed: atom<Confirmed>({}),
      /** What about the price or the amount is in the way of a review, once there is code that tells. */
      $priceProblem: atom<Problem | undefined>(),
      /** What is known of addresses that may be contracts. */
      $contracts: atom<ContractsByAddress>({}),
      /** The name that was typed as the recipient. */
      $name: atom<RecipientName | undefined>(),
      /** The solver whose offer the person took instead of the best. */
      $chosen: atom<string | undefined>(),
      /** The draft as the settings made it. Any other draft was typed. */
      $fitted: atom(EMPTY),
      /** What the review showed when it was opened, or what the person agreed to since. */
      $floor: atom<Agreement | undefined>(),
    },
  };
}

/** The price, without what is asked for. */
export type Priced = Omit<PriceState, 'request' | 'problem'>;

/** Changes parts of a value. */
export function change<T>($store: WritableAtom<T>, parts: Partial<T>): void {
  $store.set({...$store.get(), ...parts});
}

/** What keeps a draft from a review because of its addresses. */
export interface AddressRules {
  /** The draft with its amount and addresses read as they were meant. */
  tidyDraft(draft: Draft, catalogue: Catalogue): Draft;
  problemOf(request: QuoteRequest, draft: Draft, context: AddressContext): Problem | undefined;
  readonly ownerOf: typeof ownerOf;
  readonly recipientOf: typeof recipientOf;
  /** The person says that the address in that field is right, or agrees to the cost. */
  confirm(field: AddressName | 'cost'): void;
  /** Loads the code of the families whose addresses are to be checked. Rejects where that cannot be loaded. */
  loadFamilies(): Promise<unknown>;
}

/** What the person said yes to: addresses, and the cost of a swap in basis points. */
export type Confirmed = Partial<Record<AddressName, string>> & {readonly cost?: number};

/** What is done about a draft once there are settings. */
export interface DraftKeeper {
  /** It changes: this runs in the batch that changes it. */
  draftChanged?(): void;
  /** Notes it for the next visit. */
  noteDraft?(): void;
  /** What a widget starts with: as the person left it, unless the page fills in something else by now. */
  restoredDraft?(prefill: Partial<Draft>): Partial<Draft>;
}

/** What of a session is there before its settings are read. */
export interface SessionBase extends Stores, Required<SessionOptions>, DraftKeeper {
  readonly $request: ReadableAtom<QuoteRequest | Problem>;
  readonly $problem: ReadableAtom<Problem | undefined>;
  readonly $price: ReadableAtom<PriceState>;
  /** Makes room for another view, once orders may be there. */
  closeOrder?(): void;
  /** Tells the page. */
  tell(event: SessionEvent): void;
  edit(change: Partial<Draft>): void;
  /** Fits the draft to new settings. `fills`: with what the page, or the last visit, fills in. */
  fit(settings: FormSettings, fills: boolean): void;
  /** Closes the order on the screen and shows another view. */
  show(view: View): void;
}

/** What the parts of one session share. */
export interface SessionCore extends SessionBase {
  /** Whether the session is started, has a place on the page, and the page can be seen and has a connection. */
  readonly $active: ReadableAtom<boolean>;
  /** The settings. Throws where there are none yet. */
  config(): SessionConfig;
  /** Loads the code of a family. */
  adapter(family: ChainFamily): Promise<ChainAdapter>;
  /** Reads the balance again: money moved. */
  readBalance(): void;
}

/** A listener of the page's that throws breaks nothing but itself: the code that changed the store goes on. */
export function guard($store: ReadableAtom): void {
  const {listen} = $store;
  $store.listen = listener =>
    listen((...change) => {
      attempt(() => listener(...change));
    });
}
