import type {AffiliateFee} from '../../domain/affiliate.js';
import type {AssetSettings, ChainSettings} from '../../domain/asset.js';
import type {Policy} from '../../domain/deposit.js';
import type {ReferencePrice} from '../../domain/reference.js';
import type {PageMessages} from '../../locales/messages.js';
import type {SessionConfig} from '../../session/session.js';
import {attributeOf} from '../base/public.js';

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

/** How Lit is told of a setting; and what it takes, which the compiler alone reads. */
interface Setting<T = string> {
  readonly reflect?: true;
  readonly takes?: T;
}
interface Flag extends Setting<boolean> {
  readonly type: BooleanConstructor;
}
interface Property<T> extends Setting<T> {
  readonly attribute: false;
}

/** As text in an attribute, or as a property. */
const text: Setting = {};
/** The same; a stylesheet sees it, however it is set. */
const look: Setting = {reflect: true};
/** As an attribute that is there or not, or as a property. */
export const flag: Flag = {type: Boolean};
/** As a property alone. */
const property: Property<unknown> = {attribute: false};

/**
 * What a partner sets. Each is said here, and nowhere else: its name, how it is set, what it takes, what it is for. The
 * elements' properties and attributes, the types for all frameworks, the manifest, the reference and the playground's
 * controls come from this. One that nothing reads does not compile (`swap-widget.ts`).
 */
export const SETTINGS = {
  /** Required. The service's address, without `/v2`: https, or http on this very machine. */
  baseUrl: text,

  /** Your app id, as the operator gave it to you: 64 hex digits in lower case. Without one no header is sent, and on mainnets the console says so. */
  appId: text,

  /** The header that carries the app id. Default: `service-app-id`. */
  appIdHeader: text,

  /**
   * The assets on offer, separated by spaces or commas: ids such as `base:usdc`, or `base:*` for everything known on
   * a chain. As a property, a list of ids and descriptions. Default: the whole catalogue, of testnets or mainnets
   * as `from` or `to` says, else of mainnets.
   */
  assets: text as Setting<string | readonly (string | AssetSettings)[]>,

  /** Those of them that can be paid with, as ids or `base:*`. Default: all. */
  fromAssets: text as Setting<string | readonly string[]>,

  /** Those of them that can be received, as ids or `base:*`. Default: all. */
  toAssets: text as Setting<string | readonly string[]>,

  /** Those that are not offered, as ids or `base:*`, whichever list they are in. Default: none. */
  excludeAssets: text as Setting<string | readonly string[]>,

  /**
   * Your share: `asset address basis-points`, separated by commas. As a property, a list of `{asset, address, bps}`.
   * Default: none.
   */
  affiliateFees: text as Setting<string | readonly AffiliateFee[]>,

  /** The id of the asset to pay with. Default: the first one on offer. */
  from: text,

  /** The id of the asset to receive. Default: the first one on another chain. */
  to: text,

  /** The amount to start with, in whole units, as decimal text: `0.1`. */
  amount: text,

  /** What is to arrive at least, in whole units, in the place of `amount`: what has to be paid for it is found. */
  receive: text,

  /**
   * The address to receive at. Unless it is the connected account, the visitor is asked once whether it is right.
   * Default: the connected account.
   */
  recipient: text,

  /**
   * Where bitcoins are sent back to. The visitor is asked whether it is theirs. Default: the connected account, else
   * what the visitor types.
   */
  refundAddress: text,

  /** An order to show. One that this browser did not place can be looked at, never paid. */
  orderId: text,

  /**
   * By how many basis points the price may fall between review and order without asking the visitor again: 0 to
   * 1000. Default: 50.
   */
  priceTolerance: text as Setting<string | number>,

  /**
   * Where chains may be read: `base https://…, bitcoin https://…`. A JSON-RPC address; for Bitcoin, that of an
   * Esplora API. Several addresses of one chain, with spaces between them, stand in for each other, and two have to agree
   * on what ends a swap: `solana https://… https://…`. Default: EVM chains are read through the visitor's wallet, the
   * others not at all.
   */
  rpc: text,

  /** What an order says beyond the documented fields: `solver_id`. Default: nothing. */
  orderFields: text as Setting<'solver_id'>,

  /** `light`, `dark` or `auto`. Default: `auto`, as the page's color scheme or the system says. */
  theme: look as Setting<'light' | 'dark' | 'auto'>,

  /**
   * `card`; `compact`, lower and narrower, for a column beside something else; `button`, a button that opens the card in
   * a dialog. Default: `card`.
   */
  variant: look as Setting<'card' | 'compact' | 'button'>,

  /** The currency in which the service states what amounts are worth: three letters (ISO 4217). Default: `USD`. */
  valueCurrency: text,

  /**
   * Keeps the order that is shown in the page's address, as `?swap=…`; with an `id`, as `?swap.<id>.order=…`. In
   * another browser that link shows the order and cannot pay it. An address may also fill in the form: `swap.from`,
   * `swap.to`, `swap.amount` or `swap.receive`, `swap.recipient`.
   */
  urlSync: flag,

  /** What the visitor cannot change: any of `from to amount recipient`. Each needs a value. */
  lock: text,

  /** Leaves out the title, the network and the list of swaps. Test networks are still named. */
  noHeader: flag,

  /**
   * Your WalletConnect project id. With it, wallets on other devices can pay on EVM chains. Default: none are
   * offered.
   */
  walletconnectProjectId: text,

  /** Remembers nothing in the browser. A reload then forgets a swap that is under way. */
  noJournal: flag,

  /** Where swaps are remembered: `local`, or `session` for as long as the tab is open. Default: `local`. */
  storage: text as Setting<'local' | 'session'>,

  /** Offers no new swaps. Those under way go on. */
  paused: flag,

  /**
   * The address of the list of versions that the makers of the widget recalled. A recalled version takes no new swaps, as if
   * you had paused it; those under way go on. A list that cannot be read, or is not signed by the release key, recalls
   * nothing. Default: none is read.
   */
  recall: text,

  /** Settings by chain name. They replace what is known of a chain, or add one. */
  chains: property as Property<Readonly<Record<string, ChainSettings>>>,

  /** Rules that you make stricter, and what the catalogue does not know. */
  policy: property as Property<PolicySettings>,

  /**
   * Wallets that your page already has, by family: an EIP-1193 provider (`evm`), a wallet of wallet-adapter or of
   * the Wallet Standard (`solana`), a Starknet wallet object (`starknet`), a provider of sats-connect or with
   * Unisat's methods (`bitcoin`). They are used without a list to choose from.
   */
  wallets: property as Property<SessionConfig['wallets']>,

  /**
   * How a signature of several parts, as Starknet's wallets give it, is handed to the service: `array`, as it came;
   * `comma`, decimal numbers; `rs`, an object of `r` and `s`. Default: `array`.
   */
  signatureFormat: property as Property<'array' | 'comma' | 'rs'>,

  /**
   * Your own price of a pair, to stand beside the quote: `(from, to) => '65123.5'`, how many whole units of `to` one whole
   * unit of `from` is worth, as plain decimal text, or a promise of it; `undefined` for none. Called with every new
   * quote. Default: none.
   */
  referencePrice: property as Property<ReferencePrice>,

  /**
   * Words in place of the widget's own, by the keys of the type `Messages`: `{reviewSwap: 'Check it'}`. Under the tag of
   * a language they are for that one alone, or make one that the widget does not have: `{it: {reviewSwap: 'Controlla'}}`.
   */
  messages: property as Property<PageMessages>,

  /** What sends requests to the service, in place of the browser's `fetch`. */
  fetch: property as Property<typeof globalThis.fetch>,
};

/** What a partner sets, as attributes or as properties. */
export type Settings = {
  [Name in keyof typeof SETTINGS]?: (typeof SETTINGS)[Name] extends Setting<infer T> ? T | undefined : never;
};

/** An element's properties for these settings. The attribute of `appIdHeader` is `app-id-header`. */
export function propertiesOf(names: readonly (keyof Settings)[]) {
  return Object.fromEntries(names.map(name => [name, {attribute: attributeOf(name), ...SETTINGS[name]}]));
}
