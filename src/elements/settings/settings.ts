import type {AffiliateFee} from '../../domain/affiliate.js';
import type {AssetSettings, ChainSettings} from '../../domain/asset.js';
import type {Policy, SignatureFormat} from '../../domain/deposit.js';
import type {LockedField} from '../../domain/draft.js';
import {previewOf} from '../../domain/known/preview.js';
import type {ReferencePrice} from '../../domain/reference.js';
import type {PageMessages} from '../../locales/messages.js';
import type {FormSettings, SessionConfig} from '../../session/session.js';

/** Rules that a partner makes stricter or fills in. */
export interface PolicySettings extends Partial<Policy> {
  /** Swap contracts per asset id; they replace the known ones. */
  readonly contracts?: Readonly<Record<string, readonly string[]>>;
  /** The most that all payees together may be paid, in basis points. Default: 300. */
  readonly maxAffiliateBps?: number;
  /**
   * The most that a swap may cost without a question, all fees together, in basis points of what is paid. Above it the
   * visitor is asked to agree. Default: 500.
   */
  readonly maxCostBps?: number;
  /** The ids of the assets that payees may be paid in. Default: USDC and cbBTC, where they are known. */
  readonly payoutAssets?: readonly string[];
  /** How long a swap may be paid after it was placed, in minutes. Default: 60. */
  readonly depositMinutes?: number;
}

/** What a partner sets, as attributes or as properties. The properties and attributes of the element, and the reference, come from this. */
export interface Settings {
  /** Required. The service's address, without `/v2`: https, or http on this very machine. */
  baseUrl?: string | undefined;

  /** Your app id, as the operator gave it to you: 64 hex digits in lower case. Without one no header is sent, and on main networks the console says so. */
  appId?: string | undefined;

  /** The header that carries the app id. Default: `service-app-id`. */
  appIdHeader?: string | undefined;

  /**
   * The assets on offer, separated by spaces or commas: ids such as `base:usdc`, or `base:*` for everything known on
   * a chain. As a property, a list of ids and descriptions. Default: the whole catalogue, of test or main networks
   * as `from` or `to` says, else of main networks.
   */
  assets?: string | readonly (string | AssetSettings)[] | undefined;

  /** Those of them that can be paid with, as ids or `base:*`. Default: all. */
  fromAssets?: string | readonly string[] | undefined;

  /** Those of them that can be received, as ids or `base:*`. Default: all. */
  toAssets?: string | readonly string[] | undefined;

  /** Those that are not offered, as ids or `base:*`, whichever list they are in. Default: none. */
  excludeAssets?: string | readonly string[] | undefined;

  /**
   * Your share: `asset address basis-points`, separated by commas. As a property, a list of `{asset, address, bps}`.
   * Default: none.
   */
  affiliateFees?: string | readonly AffiliateFee[] | undefined;

  /** The id of the asset to pay with. Default: the first one on offer. */
  from?: string | undefined;

  /** The id of the asset to receive. Default: the first one on another chain. */
  to?: string | undefined;

  /** The amount to start with, in whole units, as decimal text: `0.1`. */
  amount?: string | undefined;

  /**
   * The address to receive at. Unless it is the connected account, the visitor is asked once whether it is right.
   * Default: the connected account.
   */
  recipient?: string | undefined;

  /**
   * Where bitcoins are sent back to. The visitor is asked whether it is theirs. Default: the connected account, else
   * what the visitor types.
   */
  refundAddress?: string | undefined;

  /** An order to show. One that this browser did not place can be looked at, never paid. */
  orderId?: string | undefined;

  /**
   * By how many basis points the price may fall between review and order without asking the visitor again: 0 to
   * 1000. Default: 50.
   */
  priceTolerance?: string | number | undefined;

  /**
   * Where chains may be read: `base https://…, bitcoin https://…`. A JSON-RPC address; for Bitcoin, that of an
   * Esplora API. Several addresses of one chain, with spaces between them, stand in for each other, and two have to agree
   * on what ends a swap: `solana https://… https://…`. Default: EVM chains are read through the visitor's wallet, the
   * others not at all.
   */
  rpc?: string | undefined;

  /** What an order says beyond the documented fields: `solver_id`. Default: nothing. */
  orderFields?: 'solver_id' | undefined;

  /** `light`, `dark` or `auto`. Default: `auto`, as the page's color scheme or the system says. */
  theme?: 'light' | 'dark' | 'auto' | undefined;

  /**
   * `card`; `compact`, lower and narrower, for a column beside something else; `button`, a button that opens the card in
   * a dialog. Default: `card`.
   */
  variant?: 'card' | 'compact' | 'button' | undefined;

  /** The currency in which the service states what amounts are worth: three letters (ISO 4217). Default: `USD`. */
  valueCurrency?: string | undefined;

  /**
   * Keeps the order that is shown in the page's address, as `?swap=…`; with an `id`, as `?swap.<id>.order=…`. In
   * another browser that link shows the order and cannot pay it. An address may also fill in the form: `swap.from`,
   * `swap.to`, `swap.amount`, `swap.recipient`.
   */
  urlSync?: boolean | undefined;

  /** What the visitor cannot change: any of `from to amount recipient`. Each needs a value. */
  lock?: string | undefined;

  /** Leaves out the title, the network and the list of swaps. Test networks are still named. */
  noHeader?: boolean | undefined;

  /**
   * Your WalletConnect project id. With it, wallets on other devices can pay on EVM chains. Default: none are
   * offered.
   */
  walletconnectProjectId?: string | undefined;

  /** Remembers nothing in the browser. A reload then forgets a swap that is under way. */
  noJournal?: boolean | undefined;

  /** Where swaps are remembered: `local`, or `session` for as long as the tab is open. Default: `local`. */
  storage?: 'local' | 'session' | undefined;

  /** Offers no new swaps. Those under way go on. */
  paused?: boolean | undefined;

  /**
   * The address of the list of versions that the makers of the widget recalled. A recalled version takes no new swaps, as if
   * you had paused it; those under way go on. A list that cannot be read, or is not signed by the release key, recalls
   * nothing. Default: none is read.
   */
  recall?: string | undefined;

  /** Settings by chain name. They replace what is known of a chain, or add one. */
  chains?: Readonly<Record<string, ChainSettings>> | undefined;

  /** Rules that you make stricter, and what the catalogue does not know. */
  policy?: PolicySettings | undefined;

  /**
   * Wallets that your page already has, by family: an EIP-1193 provider (`evm`), a wallet of wallet-adapter or of
   * the Wallet Standard (`solana`), a Starknet wallet object (`starknet`), a provider of sats-connect or with
   * Unisat's methods (`bitcoin`). They are used without a list to choose from.
   */
  wallets?: SessionConfig['wallets'] | undefined;

  /**
   * How a signature of several parts, as Starknet's wallets give it, is handed to the service: `array`, as it came;
   * `comma`, decimal numbers; `rs`, an object of `r` and `s`. Default: `array`.
   */
  signatureFormat?: SignatureFormat | undefined;

  /**
   * Your own price of a pair, to stand beside the quote: `(from, to) => '65123.5'`, how many whole units of `to` one whole
   * unit of `from` is worth, as plain decimal text, or a promise of it; `undefined` for none. Called with every new
   * quote. Default: none.
   */
  referencePrice?: ReferencePrice | undefined;

  /**
   * Words in place of the widget's own, by the keys of the type `Messages`: `{reviewSwap: 'Check it'}`. Under the tag of
   * a language they are for that one alone, or make one that the widget does not have: `{it: {reviewSwap: 'Controlla'}}`.
   */
  messages?: PageMessages | undefined;

  /** What sends requests to the service, in place of the browser's `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** How each is set. The attribute of `appIdHeader` is `app-id-header`. */
export const SETTINGS = {
  /** As text in an attribute, or as a property. */
  texts: [
    'baseUrl',
    'appId',
    'appIdHeader',
    'assets',
    'fromAssets',
    'toAssets',
    'excludeAssets',
    'affiliateFees',
    'from',
    'to',
    'amount',
    'recipient',
    'refundAddress',
    'orderId',
    'priceTolerance',
    'rpc',
    'orderFields',
    'theme',
    'variant',
    'valueCurrency',
    'lock',
    'walletconnectProjectId',
    'storage',
    'recall',
  ],
  /** As an attribute that is there or not, or as a property. */
  flags: ['urlSync', 'noHeader', 'noJournal', 'paused'],
  /** As a property alone. */
  objects: ['chains', 'policy', 'wallets', 'signatureFormat', 'referencePrice', 'messages', 'fetch'],
} as const satisfies Readonly<Record<string, readonly (keyof Settings)[]>>;

/** Reads what the form shows. Everything is read, and checked, once `all.ts` is loaded. */
export function readFormSettings(settings: Settings): FormSettings | undefined {
  const {assets, from, to, lock} = settings;
  // Of lists for one side the form shows, at first, no more than the pair that the page names.
  const isForSides = settings.fromAssets ?? settings.toAssets ?? settings.excludeAssets;
  const catalogue = previewOf(assets === undefined || isForSides ? [from, to] : readList(assets));
  return catalogue && {...filledIn(settings), catalogue, locked: readList(lock) as LockedField[]};
}

/** What the page fills in, and whether it takes new swaps. */
export function filledIn(settings: Settings): Pick<FormSettings, 'prefill' | 'paused'> {
  const names = ['from', 'to', 'amount', 'recipient', 'refundAddress'] as const;
  return {
    prefill: Object.fromEntries(names.flatMap(name => (settings[name] ? [[name, settings[name]]] : []))),
    paused: settings.paused ?? false,
  };
}

/** Reads a list: words with spaces or commas between them, or a list already. */
export function readList<T>(list: string | readonly T[] = ''): readonly (string | T)[] {
  return typeof list === 'string' ? list.split(/[\s,]+/).filter(Boolean) : list;
}
