import type {ServiceDialect} from '../../api/dialect.js';
import type {AffiliateFee, FeeRule} from '../../domain/affiliate-fee.js';
import type {AssetSettings, ChainSettings} from '../../domain/asset.js';
import type {Policy} from '../../domain/deposit.js';
import type {ReferencePrice} from '../../domain/reference.js';
import type {PageMessages} from '../../locales/messages.js';
import type {SessionConfig} from '../../session/session.js';
import {attributeOf} from '../base/public.js';

/** Rules that a partner can make stricter, or add. */
export interface PolicySettings extends Partial<Pick<Policy, 'redeemers'>> {
  /** The maximum fee of all payees together, in basis points. Default: `300`. */
  readonly maxAffiliateBps?: number;
  /**
   * The maximum cost of a swap without a confirmation, all fees together, in basis points of the amount paid. Above it
   * the visitor has to agree, as to any gain above 5%. Default: `500`.
   */
  readonly maxCostBps?: number;
  /**
   * Looks payer and recipient up in the public sanctions oracle of their chain, by its `rpc`, before an order: a listed one
   * is asked about once (`warn`), or nothing is ordered (`stop`). EVM addresses alone. Default: none are looked up.
   */
  readonly screen?: 'warn' | 'stop';
  /** Whether `swap-before-sign` is dispatched before each approval, too, with `step` `approve`. */
  readonly holdApprovals?: boolean;
  /** How long a swap may be paid after it was placed, in minutes. Default: `60`. */
  readonly depositMinutes?: number;
}

/** How a setting is declared for Lit; its type is only for the compiler. */
interface Setting<T = string> {
  readonly reflect?: true;
  readonly takes?: T;
}
interface Property<T> extends Setting<T> {
  readonly attribute: false;
}

const text: Setting = {};
const look: Setting = {reflect: true};
export const flag: Setting<boolean> & {readonly type: BooleanConstructor} = {type: Boolean};
const property: Property<unknown> = {attribute: false};

/**
 * The partner's settings. Each is defined here, and nowhere else: its name, its kind, its type, its purpose. The
 * elements' properties and attributes, the types for all frameworks, the manifest, the reference and the playground's
 * controls are derived from this. A setting that nothing reads does not compile (`swap-widget.ts`).
 */
export const SETTINGS = {
  /** Required. The service's URL, with or without `/v2` at its end: https, or http on this machine. */
  baseUrl: text,

  /**
   * Your app id from the operator: 64 lowercase hex digits. Without it no header is sent, and on mainnet the console warns.
   * Default: none.
   */
  appId: text,

  /**
   * What the service has beside the specification, as JSON: `{"header": "…", "fields": ["solver_id"], "signature":
   * "comma", "payout": ["base:cbbtc"]}`. As a property also the object. Default: nothing.
   */
  service: text as Setting<string | ServiceDialect>,

  /**
   * The offered assets, separated by spaces or commas: ids such as `base:usdc`; `base:*` for all of a chain, `*:usdc`
   * on any; `-base:usdc` or `-base:*` for all but these. As a property, a list of ids and descriptions. Default: those of `pairs`, else all that the operator has,
   * on testnets or mainnet according to `from` or `to`, otherwise on mainnet.
   */
  assets: text as Setting<string | readonly (string | AssetSettings)[]>,

  /** The ones that can be paid with, as ids or `base:*`. Default: all. */
  fromAssets: text as Setting<string | readonly string[]>,

  /** The ones that can be received, as ids or `base:*`. Default: all. */
  toAssets: text as Setting<string | readonly string[]>,

  /**
   * The pairs that can be swapped, separated by commas: `bitcoin:btc > base:cbbtc, base:* <-> bitcoin:btc`; `<->` is
   * both ways, `*` any. Without `assets`, these are the offered ones. Default: all pairs.
   */
  pairs: text,

  /**
   * Your fees: `asset address basis-points`, separated by commas. As a property, also a list of `{asset, address, bps}`,
   * or a function of `{from, to, amount}` that returns either. Default: none.
   */
  affiliateFees: text as Setting<FeeRule<string | readonly AffiliateFee[]>>,

  /** The id of the asset to pay with. Default: the first one on offer; with `to` alone, the only one that there is, if any. */
  from: text,

  /** The id of the asset to receive. Default: the first one for the other; with `from` alone, the only one that there is, if any. */
  to: text,

  /** The initial amount, in whole units, as decimal text: `0.1`. Default: empty. */
  amount: text,

  /** The minimum to receive, in whole units, instead of `amount`: the widget finds the amount to pay. Default: empty. */
  receive: text,

  /**
   * The address to receive at. Unless it is the connected account, the visitor has to confirm it once.
   * Default: the connected account.
   */
  recipient: text,

  /**
   * The refund address for bitcoin. The visitor has to confirm that it is theirs. Default: the connected account,
   * otherwise the address that the visitor types.
   */
  refundAddress: text,

  /** An order to show. An order that this browser did not place is view-only. Default: none. */
  orderId: text,

  /**
   * By how many basis points the price may fall between review and order without asking the visitor again: 0 to
   * 1000. Default: `50`.
   */
  priceTolerance: text as Setting<string | number>,

  /**
   * RPC URLs of chains: `base https://…, bitcoin https://…`. JSON-RPC; for Bitcoin, an Esplora API. Several URLs for
   * one chain, separated by spaces, are fallbacks for each other, and two have to agree on what ends a swap:
   * `solana https://… https://…`. Default: EVM chains are read through the visitor's wallet, the others not at all.
   */
  rpc: text,

  /**
   * What becomes of a payment that is bounded and consistent, but to a contract, script or program, or in a form, that
   * the widget does not know and you did not name in `contracts`: `ask` asks the visitor about it, once, before the
   * payment; `stop` stops the swap. Default: `ask` on testnets, `stop` on mainnets.
   */
  unverified: text as Setting<'ask' | 'stop'>,

  /**
   * The swap contracts and programs that you vouch for, besides the known ones: `base:usdc 0x…, solana:sol Prog…`. On
   * Starknet the name of an entry point other than `initiate` follows the address: `starknet:wbtc 0x….deposit`. As a
   * property also an object: `{'base:usdc': ['0x…']}`. They apply to new orders. Default: none.
   */
  contracts: text as Setting<string | Readonly<Record<string, string | readonly string[]>>>,

  /** `light`, `dark` or `auto`. Default: `auto`, following the page's color scheme or the system. */
  theme: look as Setting<'light' | 'dark' | 'auto'>,

  /**
   * `card`; `compact`, lower and narrower, for a column beside other content; `button`, a button that opens the card in
   * a dialog. Default: `card`.
   */
  variant: look as Setting<'card' | 'compact' | 'button'>,

  /** The currency of the values that the service returns: three letters (ISO 4217). Default: `USD`. */
  valueCurrency: text,

  /**
   * Keeps the displayed order in the page's URL, as `?swap=…`; with an `id`, as `?swap.<id>.order=…`. In another
   * browser that link shows the order view-only. A URL can also fill in the form: `swap.from`, `swap.to`, `swap.amount`
   * or `swap.receive`, `swap.recipient`.
   */
  urlSync: flag,

  /**
   * Fields that the visitor cannot change: any of `from`, `to`, `amount`, `receive` and `recipient`, separated by spaces.
   * Each needs a value. Default: none.
   */
  lock: text,

  /** Hides the title, the network and the list of swaps. Testnets are still named. */
  noHeader: flag,

  /**
   * Your WalletConnect project id. With it, wallets on other devices can pay on EVM chains. Default: none.
   */
  walletconnectProjectId: text,

  /**
   * Where swaps are stored: `local`; `session` for as long as the tab is open; or `none`, so that a reload loses an open
   * swap. Default: `local`.
   */
  storage: text as Setting<'local' | 'session' | 'none'>,

  /** Offers no new swaps. Open ones continue. */
  paused: flag,

  /**
   * The URL of the list of versions that the widget's makers recalled. A recalled version accepts no new swaps, as if
   * you had paused it; open ones continue. A list that cannot be read, or is not signed by the release key, recalls
   * nothing. Default: none.
   */
  recall: text,

  /** Where visitors whose swap is in trouble reach you: `mailto:help@your.site` or an https URL. Default: none. */
  support: text,

  /** Settings by chain name. They override a known chain, or add one. Default: the catalogue's. */
  chains: property as Property<Readonly<Record<string, ChainSettings>>>,

  /** Rules that you make stricter, and values that the catalogue lacks. Default: each rule's own. */
  policy: property as Property<PolicySettings>,

  /**
   * Wallets that your page already has, by family: an EIP-1193 provider (`evm`), a wallet of wallet-adapter or of
   * the Wallet Standard (`solana`), a Starknet wallet object (`starknet`), a provider of sats-connect or with
   * Unisat's methods (`bitcoin`). They are used without a wallet list. Default: the visitor
   * chooses one that the widget finds.
   */
  wallets: property as Property<SessionConfig['wallets']>,

  /**
   * Your own price of a pair, displayed beside the quote: `(from, to) => '65123.5'`, how many whole units of `to` one
   * whole unit of `from` is worth, as plain decimal text, or a promise of it; `undefined` for none. Called with every
   * new quote. Default: none.
   */
  referencePrice: property as Property<ReferencePrice>,

  /**
   * Texts that replace the widget's own, by the keys of the type `Messages`: `{reviewSwap: 'Check it'}`. Under a
   * language tag they only apply to that language, or add one that the widget lacks: `{it: {reviewSwap: 'Controlla'}}`.
   * Default: none.
   */
  messages: property as Property<PageMessages>,

  /** Sends the requests to the service. Default: the browser's `fetch`. */
  fetch: property as Property<typeof globalThis.fetch>,

  // Old names of parts of others, read until 1.0 (`joined.ts`).

  /** @deprecated A part of `service`. */
  appIdHeader: text,
  /** @deprecated A part of `service`. */
  orderFields: text as Setting<'solver_id'>,
  /** @deprecated A part of `service`. */
  signatureFormat: property as Property<'array' | 'comma'>,
  /** @deprecated A part of `assets`. */
  excludeAssets: text as Setting<string | readonly string[]>,
  /** @deprecated A part of `storage`. */
  noJournal: flag,
};

/** A partner's settings, as attributes or properties. */
export type Settings = {
  [Name in keyof typeof SETTINGS]?: (typeof SETTINGS)[Name] extends Setting<infer T> ? T | undefined : never;
};

/** An element's properties for these settings. The attribute of `baseUrl` is `base-url`. */
export function propertiesOf(names: readonly (keyof Settings)[]) {
  return Object.fromEntries(names.map(name => [name, {attribute: attributeOf(name), ...SETTINGS[name]}]));
}
