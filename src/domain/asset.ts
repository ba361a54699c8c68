/** An asset on a chain, as the service names it: `<chain>:<asset>` (API, Asset identifier). The name may contain a dot. */
export type AssetId = `${string}:${string}`;

/** Chains of one family share addresses, wallets and payment methods. */
export type ChainFamily = 'bitcoin' | 'evm' | 'solana' | 'starknet';

/** How assets of each family are paid (API, Deposit methods): to an address, or through a wallet. */
const DEPOSITS = {
  bitcoin: 'transfer',
  evm: 'wallet',
  solana: 'wallet',
  starknet: 'wallet',
} as const satisfies Record<ChainFamily, 'transfer' | 'wallet'>;

export const FAMILIES = Object.keys(DEPOSITS) as readonly ChainFamily[];

export function depositBy({family}: Pick<Chain, 'family'>): 'transfer' | 'wallet' {
  return DEPOSITS[family];
}

/** A chain, under the service's name for it. */
export interface Chain {
  /** The service's name, the first half of its assets' ids: `base_sepolia`. */
  readonly name: string;
  readonly family: ChainFamily;
  /** The name people know: “Base Sepolia”. */
  readonly title: string;
  /** Whether its coins have no value. Testnets and mainnets never mix in one widget. */
  readonly test: boolean;
  /** The chain id of EIP-155, on chains of the EVM family. */
  readonly chainId?: number;
  /** The average number of seconds between two blocks; timelocks count blocks. */
  readonly blockSeconds: number;
  /** The coin that fees are paid in, if it is not the family's default. */
  readonly coin?: Coin;
  /** The block explorer's URL, without a trailing slash; `{tx}` in it stands for a transaction's hash. */
  readonly explorer?: string;
  /** The RPC URL, if the partner named one. No other is ever queried. */
  readonly rpc?: string;
  /** Further RPC URLs, if the partner named several: fallbacks, and witnesses. */
  readonly otherRpcs?: readonly string[];
}

/** Whether two chains are the same network, whatever a page calls them. */
export function isSameChain(one: Chain | undefined, other: Chain | undefined): boolean {
  if (!one || !other || one.family !== other.family) return false;
  return (one.chainId ?? one.test) === (other.chainId ?? other.test);
}

/** A chain's native coin. */
export interface Coin {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** An asset that can be swapped. */
export interface Asset {
  readonly id: AssetId;
  readonly chain: Chain;
  /** The short name: “WBTC”. */
  readonly symbol: string;
  /** The long name: “Wrapped Bitcoin”. */
  readonly title: string;
  /** The number of decimals. Never guessed from the symbol: USDC has 6 on one chain and 18 on another. */
  readonly decimals: number;
  /** The token's address; absent for the native coin. */
  readonly token?: string;
  /** The swap contracts of this asset, in several generations. Empty if there is none to check against. */
  readonly contracts: readonly string[];
  /** Those that the operator left: good for what was paid into them, but nothing new is. */
  readonly former?: readonly string[];
  /** The version in the domain of their typed data (EIP-712), by contract. Absent where it is not known. */
  readonly versions?: Readonly<Record<string, string>>;
  /**
   * The contracts or programs that the partner vouches for, besides the known ones (`contracts`). Of a stored order:
   * those that it had vouched for when the order was placed.
   */
  readonly vouched?: readonly VouchedContract[];
  /**
   * The page's own icon, a URL for `<img>`. It is not enumerable, so that an asset that is stored or copied loses it:
   * no file or browser storage can set an image.
   */
  readonly icon?: string;
}

/** A contract or program that the partner vouches for. */
export interface VouchedContract {
  readonly address: string;
  /** On Starknet: the name of its entry point, if it is not `initiate`. */
  readonly entry?: string;
}

type WithContracts = Partial<Pick<Asset, 'contracts' | 'vouched' | 'former'>>;

/** The contracts of an asset that a new swap may be paid into: those known or vouched for, but for those that were left. */
export function presentContractsOf({contracts = [], vouched = []}: WithContracts): readonly string[] {
  return [...contracts, ...vouched.map(({address}) => address)];
}

export function contractsOf(asset: WithContracts): readonly string[] {
  return [...presentContractsOf(asset), ...(asset.former ?? [])];
}

/** The same asset with these contracts vouched for, and no others. */
export function withVouched<T extends Partial<Pick<Asset, 'vouched'>>>(
  asset: T,
  vouched: readonly VouchedContract[] | undefined,
): T {
  if (asset.vouched === vouched) return asset;
  // Descriptors, because an icon is not enumerable.
  const {vouched: _, ...others} = Object.getOwnPropertyDescriptors(asset) as PropertyDescriptorMap;
  const value = {...others, ...(vouched && {vouched: {value: vouched, enumerable: true}})};
  return Object.freeze(Object.create(Object.prototype, value) as T);
}

/** A partner's settings for a chain: properties of a known one to replace, or all of a new one. */
export interface ChainSettings {
  /** Required for a chain that is not in the catalogue. */
  readonly family?: ChainFamily;
  /** Its name on the screen. */
  readonly title?: string;
  /** Whether it is a testnet. */
  readonly test?: boolean;
  /** Required for a new chain of the EVM family. */
  readonly chainId?: number;
  /** The average time between two blocks. Required for a chain that is not in the catalogue. */
  readonly blockSeconds?: number;
  /** The coin that fees are paid in, on an EVM chain that is not in the catalogue: `{name, symbol, decimals}`. Default: Ether. */
  readonly coin?: Coin;
  /** The URL of a block explorer; `{tx}` in it stands for a transaction's hash. */
  readonly explorer?: string;
  /** Its RPC URL, as in the attribute `rpc`, or a list of several. */
  readonly rpc?: string | readonly string[];
  /** Swap contracts per asset name: `{wbtc: ['0x…']}`. */
  readonly contracts?: Readonly<Record<string, readonly string[]>>;
}

/** An asset that a partner describes, because the catalogue lacks it or differs. */
export interface AssetSettings {
  /** `chain:name`, as the service writes it. */
  readonly id: AssetId;
  /** Its short name on the screen. */
  readonly symbol?: string;
  /** Its full name on the screen. */
  readonly title?: string;
  /** Required for an asset that is not in the catalogue: decimals are never guessed. */
  readonly decimals?: number;
  /** The token's address. Absent for the chain's native coin. */
  readonly token?: string;
  /** The swap contracts that may hold its payments. */
  readonly contracts?: readonly string[];
  /**
   * Its icon, in place of the built-in one: SVG as text (`<svg …>`), a `data:image/…` URL, a path on your site
   * (`/marks/harbor.svg`), or an https URL. It is only ever shown as an image, in which no script runs.
   */
  readonly icon?: string;
}

/** A direction between two assets, as ids in lower case in which `*` stands for any chain, any name, or both. */
export interface PairRule {
  readonly from: string;
  readonly to: string;
}

/** The pairs that a page names. */
export interface PagePairs {
  readonly rules: readonly PairRule[];
  has(from: string, to: string): boolean;
}

/** The assets of one widget, in the order in which they are offered. */
export interface Catalogue {
  readonly assets: readonly Asset[];
  /** Whether these are testnet assets. */
  readonly test: boolean;
  /** The page's pairs; absent if it names none, so that any two can be swapped (`routes.ts`). */
  readonly pairs?: PagePairs | undefined;
  /** The asset with this id, if it is offered; with a side, if it is offered on that side. */
  find(id: string, side?: 'from' | 'to'): Asset | undefined;
  /** The chain with this name, if it is known. */
  findChain(name: string): Chain | undefined;
  /** All known assets of a chain, whether or not they are offered. */
  others(chain: string): readonly OtherAsset[];
}

/** The built-in chains and assets. */
export interface KnownAssets {
  readonly chains: readonly Chain[];
  /** In the order of the offer. Contracts repeat across chains, so they are never looked up by address alone. */
  readonly assets: readonly KnownAsset[];
}

/** An asset that needs no description. */
export type KnownAsset = AssetSettings &
  Required<Pick<AssetSettings, 'symbol' | 'title' | 'decimals'>> &
  Pick<Asset, 'versions' | 'vouched' | 'former'> & {
    /** It is known for what was swapped before, and only offered by a page that names it. */
    readonly isGone?: true;
  };

/** What is known of another asset of the same chain: an unknown contract may not be its token, nor its contract. */
export type OtherAsset = Pick<KnownAsset, 'id' | 'symbol' | 'token' | 'contracts' | 'vouched' | 'former'>;

export function splitAssetId(text: string): {chain: string; name: string} | undefined {
  const match = /^([a-z0-9_-]{1,64}):([a-z0-9_.-]{1,64})$/i.exec(text);
  return match ? {chain: match[1] ?? '', name: match[2] ?? ''} : undefined;
}
