/** An asset on a chain, as the service names it: `<chain>:<asset>` (API, Asset identifier). The asset's part may hold a dot. */
export type AssetId = `${string}:${string}`;

/** Chains of one family share addresses, wallets and ways to pay. */
export type ChainFamily = 'bitcoin' | 'evm' | 'solana' | 'starknet';

/** How an asset on a chain of each family is paid (API, Deposit methods): to an address, or through a wallet. */
const DEPOSITS = {
  bitcoin: 'transfer',
  evm: 'wallet',
  solana: 'wallet',
  starknet: 'wallet',
} as const satisfies Record<ChainFamily, 'transfer' | 'wallet'>;

/** How what is swapped from a chain is paid: by sending it to an address, or through a wallet. */
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
  /** Whether its coins are play money. Testnets and mainnets never mix in one widget. */
  readonly test: boolean;
  /** The chain id of EIP-155, on chains of the EVM family. */
  readonly chainId?: number;
  /** Seconds between two blocks, on average; timelocks count blocks. */
  readonly blockSeconds: number;
  /** What the chain's fees are paid in, where it has to be said. */
  readonly coin?: Coin;
  /** The block explorer's address, without a slash at its end; `{tx}` in it stands for a transaction's hash. */
  readonly explorer?: string;
  /** Where the chain may be read, if the partner named an address. Nothing else is ever asked. */
  readonly rpc?: string;
  /** Further addresses, where the partner named several: asked where an earlier one does not answer well, and as witnesses. */
  readonly otherRpcs?: readonly string[];
}

/** A chain's own coin. */
export interface Coin {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** Something that can be swapped. */
export interface Asset {
  readonly id: AssetId;
  readonly chain: Chain;
  /** The short name: “WBTC”. */
  readonly symbol: string;
  /** The long name: “Wrapped Bitcoin”. */
  readonly title: string;
  /** How many decimals one whole unit has. Never guessed from the symbol: USDC has 6 on one chain and 18 on another. */
  readonly decimals: number;
  /** The token's address; absent for a chain's own coin. */
  readonly token?: string;
  /** The swap contracts that may be paid for this asset, several generations of them. Empty: there is nothing to check one against. */
  readonly contracts: readonly string[];
  /**
   * The page's own mark of it, an address that `<img>` takes. It is not enumerable: an asset that is written down or copied
   * goes without it, so no file or memory of a browser can name a picture.
   */
  readonly icon?: string;
}

/** What a partner may say of a chain: the properties of a known one to replace, or all of a new one. */
export interface ChainSettings {
  /** Needed for a chain that is not in the catalogue. */
  readonly family?: ChainFamily;
  /** Its name on the screen. */
  readonly title?: string;
  /** Whether it is a test network. */
  readonly test?: boolean;
  /** Needed for a new chain of the EVM family. */
  readonly chainId?: number;
  /** The average time between two blocks. Needed for a chain that is not in the catalogue. */
  readonly blockSeconds?: number;
  /** The coin that fees are paid in, on an EVM chain that is not in the catalogue: `{name, symbol, decimals}`. Default: Ether. */
  readonly coin?: Coin;
  /** The address of a block explorer; `{tx}` in it stands for a transaction's hash. */
  readonly explorer?: string;
  /** Where it may be read, as with the attribute `rpc`: an address, or a list of several. */
  readonly rpc?: string | readonly string[];
  /** Swap contracts per asset name: `{wbtc: ['0x…']}`. */
  readonly contracts?: Readonly<Record<string, readonly string[]>>;
}

/** An asset that a partner describes, because the catalogue does not know it or knows it otherwise. */
export interface AssetSettings {
  /** `chain:name`, as the service writes it. */
  readonly id: AssetId;
  /** Its short name on the screen. */
  readonly symbol?: string;
  /** Its full name on the screen. */
  readonly title?: string;
  /** Needed for an asset that is not in the catalogue: decimals are never guessed. */
  readonly decimals?: number;
  /** The token's address. Without one it is the chain's own coin. */
  readonly token?: string;
  /** The swap contracts that may be paid into. */
  readonly contracts?: readonly string[];
  /**
   * Its mark, in place of the drawn one: SVG as text (`<svg …>`), a `data:image/…` address, a path on your site
   * (`/marks/harbor.svg`), or an https address. It is only ever shown as a picture, in which no script runs.
   */
  readonly icon?: string;
}

/** The assets of one widget, in the order in which they are offered. */
export interface Catalogue {
  readonly assets: readonly Asset[];
  /** Whether these are assets of test networks. */
  readonly test: boolean;
  /** The asset of that id, if it is offered; with a side, if it is offered there. */
  find(id: string, side?: 'from' | 'to'): Asset | undefined;
  /** The chain of that name, if it is known. */
  findChain(name: string): Chain | undefined;
}

/** What is known of chains and assets. */
export interface KnownAssets {
  readonly chains: readonly Chain[];
  /** In the order in which they are offered. Contracts repeat across chains, so they are never looked up by address alone. */
  readonly assets: readonly KnownAsset[];
}

/** An asset that needs no description. */
export type KnownAsset = AssetSettings & Required<Pick<AssetSettings, 'symbol' | 'title' | 'decimals'>>;

/** Splits an asset's id; `undefined` where the text is not one. */
export function splitAssetId(text: string): {chain: string; name: string} | undefined {
  const match = /^([a-z0-9_-]{1,64}):([a-z0-9_.-]{1,64})$/i.exec(text);
  return match ? {chain: match[1] ?? '', name: match[2] ?? ''} : undefined;
}
