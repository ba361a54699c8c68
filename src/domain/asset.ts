import type * as AssetFaults from './asset-faults.js';
import {SwapError} from './error.js';

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
  /** Whether its coins are play money. Test and main networks never mix in one widget. */
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
  /** The swap contracts that may be paid for this asset, several generations of them. Empty: nothing to hold one against. */
  readonly contracts: readonly string[];
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
  /** Where it may be read, as with the attribute `rpc`. */
  readonly rpc?: string;
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
}

/** The assets of one widget, in the order in which they are offered. */
export interface Catalogue {
  readonly assets: readonly Asset[];
  /** Whether these are assets of test networks. */
  readonly test: boolean;
  /** The asset of that id, if it is offered. */
  find(id: string): Asset | undefined;
  /** The chain of that name, if it is known. */
  findChain(name: string): Chain | undefined;
}

export interface CatalogueSettings {
  /** Ids (`chain:*` for a whole chain) or descriptions. Absent: all of the catalogue that is of one kind of network. */
  readonly assets?: readonly (string | AssetSettings)[];
  readonly chains?: Readonly<Record<string, ChainSettings>>;
  /** Swap contracts per asset id; they replace the catalogue's (`policy.contracts`). */
  readonly contracts?: Readonly<Record<string, readonly string[]>>;
  /** Ids that tell which kind of network is meant, where `assets` does not: `from` and `to`. */
  readonly hints?: readonly string[];
  /** The families that this build can swap on. */
  readonly families: readonly ChainFamily[];
  /** The chains and assets that need no description: the ones most often named, unless all are given. */
  readonly known?: KnownAssets;
  /** The sentences of what is wrong, which come late. Without them only the words are told that it is about. */
  readonly faults?: typeof AssetFaults;
}

/** What is known of chains and assets. */
export interface KnownAssets {
  readonly chains: readonly Chain[];
  /** In the order in which they are offered. Contracts repeat across chains, so they are never looked up by address alone. */
  readonly assets: readonly KnownAsset[];
}

/** An asset that needs no description. */
export type KnownAsset = AssetSettings & Required<Pick<AssetSettings, 'symbol' | 'title' | 'decimals'>>;

/** Splits an asset's id, or answers `undefined` where the text is none. */
export function splitAssetId(text: string): {chain: string; name: string} | undefined {
  const match = /^([a-z0-9_-]{1,64}):([a-z0-9_.-]{1,64})$/i.exec(text);
  return match ? {chain: match[1] ?? '', name: match[2] ?? ''} : undefined;
}

/**
 * Puts together the assets of one widget.
 * @throws SwapError `config` that names the attribute or property, for an unknown asset, unknown decimals or chains of
 * both kinds of network.
 */
export function createCatalogue({
  assets: wanted,
  chains = {},
  contracts = {},
  hints = [],
  families,
  known: {chains: knownChains, assets: entries} = OFTEN_NAMED,
  faults,
}: CatalogueSettings): Catalogue {
  const config: Fault = (field, name, ...about) => {
    const say = faults?.[name] as ((...values: readonly unknown[]) => string) | undefined;
    return new SwapError('config', {field, detail: say?.(...about) ?? about.join(' ')});
  };
  const known = new Map<string, Chain>();
  for (const chain of knownChains) known.set(chain.name, chain);
  for (const [name, settings] of Object.entries(chains))
    known.set(name, readChain(config, name, settings, known.get(name)));

  const describe = (settings: AssetSettings, field: string): Asset => {
    const parts = splitAssetId(settings.id);
    if (!parts) throw config(field, 'noAsset', settings.id);
    const chain = known.get(parts.chain);
    if (!chain) throw config('chains', 'unknownChain', settings.id);
    if (!families.includes(chain.family)) {
      throw config(field, 'otherFamily', settings.id, chain.family);
    }
    const entry = entries.find(({id}) => id === settings.id);
    const decimals = settings.decimals ?? entry?.decimals;
    if (decimals === undefined) {
      throw config(field, 'noDecimals', settings.id);
    }
    if (!isDecimals(decimals)) throw config(field, 'oddDecimals', settings.id, decimals);
    const token = settings.token ?? entry?.token;
    return Object.freeze({
      id: settings.id,
      chain,
      symbol: settings.symbol ?? entry?.symbol ?? parts.name.toUpperCase(),
      title: settings.title ?? entry?.title ?? settings.symbol ?? parts.name.toUpperCase(),
      decimals,
      ...(token === undefined ? {} : {token}),
      contracts: Object.freeze([
        ...(contracts[settings.id] ??
          settings.contracts ??
          chains[parts.chain]?.contracts?.[parts.name] ??
          entry?.contracts ??
          []),
      ]),
    });
  };

  const chainOf = (id: string) => known.get(splitAssetId(id)?.chain ?? '');
  const all = entries.filter(({id}) => families.some(family => family === chainOf(id)?.family));
  const found = new Map<string, Asset>();
  const add = (id: AssetId) => {
    if (!found.has(id)) found.set(id, describe({id}, 'assets'));
  };

  if (wanted === undefined) {
    const test = hints.map(id => chainOf(id)?.test).find(kind => kind !== undefined) ?? false;
    for (const {id} of all) if (chainOf(id)?.test === test) add(id);
  } else {
    for (const item of wanted) {
      if (typeof item !== 'string') {
        // A description counts, wherever the same asset is named beside it.
        found.set(item.id, describe(item, 'assets'));
      } else if (item.endsWith(':*')) {
        const ofChain = all.filter(({id}) => id.startsWith(item.slice(0, -1)));
        if (!ofChain.length) throw config('assets', 'emptyChain', item);
        for (const {id} of ofChain) add(id);
      } else {
        add(item as AssetId);
      }
    }
  }

  const assets = Object.freeze([...found.values()]);
  if (assets.length < 2) throw config('assets', 'tooFew');
  const test = assets[0]?.chain.test ?? false;
  const stranger = assets.find(({chain}) => chain.test !== test);
  if (stranger) {
    throw config('assets', 'mixed', stranger.id, test);
  }
  return {assets, test, find: id => found.get(id), findChain: name => known.get(name)};
}

function readChain(config: Fault, name: string, settings: ChainSettings, base?: Chain): Chain {
  const field = `chains.${name}`;
  const family = settings.family ?? base?.family;
  if (!family) throw config(field, 'noFamily');
  const chainId = settings.chainId ?? base?.chainId;
  if (family === 'evm' && !(Number.isSafeInteger(chainId) && Number(chainId) > 0)) {
    throw config(`${field}.chainId`, 'noChainId');
  }
  const blockSeconds = settings.blockSeconds ?? base?.blockSeconds;
  if (blockSeconds === undefined || !(blockSeconds > 0)) {
    throw config(`${field}.blockSeconds`, 'noBlockSeconds');
  }
  const coin = settings.coin ?? base?.coin;
  const wrong = coin && (!coin.name ? 'name' : !coin.symbol ? 'symbol' : !isDecimals(coin.decimals) && 'decimals');
  if (wrong) throw config(`${field}.coin.${wrong}`, 'noCoin');
  const rpc = settings.rpc ?? base?.rpc;
  if (rpc !== undefined && !isWebAddress(rpc)) throw config(`${field}.rpc`, 'noWebAddress', rpc);
  const explorer = settings.explorer ?? base?.explorer;
  if (explorer && !isWebAddress(explorer)) throw config(`${field}.explorer`, 'noWebAddress', explorer);
  return Object.freeze({
    name,
    family,
    title: settings.title ?? base?.title ?? name,
    test: settings.test ?? base?.test ?? false,
    ...(chainId === undefined ? {} : {chainId}),
    blockSeconds,
    ...(coin && {coin: {...coin}}),
    ...(explorer ? {explorer: explorer.replace(/\/+$/, '')} : {}),
    ...(rpc === undefined ? {} : {rpc}),
  });
}

function isDecimals(decimals: number): boolean {
  return Number.isInteger(decimals) && decimals >= 0 && decimals <= 36;
}

/**
 * Whether a text is an address that may be asked: https anywhere, http on this very machine only. What a parser reads
 * otherwise than an eye does is none: names before an @, backslashes, white space.
 */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^/?#@\\\s]+(?:[/?#][^\\\s]*)?$/i.test(text) || !URL.canParse(text)) return false;
  const {protocol, hostname} = new URL(text);
  return protocol === 'https:' || isLoopback(hostname);
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}

/** What is said of chains and assets that are wrong, by its name in `asset-faults.ts`. */
type Fault = <Name extends keyof typeof AssetFaults>(
  field: string,
  name: Name,
  ...about: Parameters<(typeof AssetFaults)[Name]>
) => SwapError;

/** A chain that needs no description. */
export const chain = (
  name: string,
  family: ChainFamily,
  title: string,
  blockSeconds: number,
  explorer: string,
  more: Partial<Chain> = {},
): Chain => ({name, family, title, test: false, blockSeconds, explorer, ...more});

/** An asset that needs no description, its token (none: the chain's own coin) and its swap contracts. */
export const asset = (
  id: AssetId,
  kind: Omit<KnownAsset, 'id'>,
  token?: string,
  ...contracts: string[]
): KnownAsset => ({
  id,
  ...kind,
  ...(token ? {token} : {}),
  contracts,
});

const BTC = {symbol: 'BTC', title: 'Bitcoin', decimals: 8};
export const WBTC = {symbol: 'WBTC', title: 'Wrapped Bitcoin', decimals: 8};
export const CBBTC = {symbol: 'cbBTC', title: 'Coinbase Wrapped BTC', decimals: 8};
export const USDC = {symbol: 'USDC', title: 'USD Coin', decimals: 6};
const SOL = {symbol: 'SOL', title: 'Solana', decimals: 9};

/** What most pages name: known from the start. All the others are in `catalogue.ts`, which is loaded for pages that name more. */
export const OFTEN_NAMED: KnownAssets = {
  chains: [
    chain('bitcoin_testnet', 'bitcoin', 'Bitcoin Testnet', 600, 'https://mempool.space/testnet4', {test: true}),
    chain('base_sepolia', 'evm', 'Base Sepolia', 2, 'https://sepolia.basescan.org', {test: true, chainId: 84532}),
    chain('ethereum_sepolia', 'evm', 'Ethereum Sepolia', 12, 'https://sepolia.etherscan.io', {
      test: true,
      chainId: 11155111,
    }),
    // The service's name for the cluster that is called devnet elsewhere.
    chain('solana_testnet', 'solana', 'Solana Devnet', 0.4, 'https://explorer.solana.com/tx/{tx}?cluster=devnet', {
      test: true,
    }),
    chain('starknet_sepolia', 'starknet', 'Starknet Sepolia', 30, 'https://sepolia.voyager.online', {test: true}),
    chain('bitcoin', 'bitcoin', 'Bitcoin', 600, 'https://mempool.space'),
    chain('base', 'evm', 'Base', 2, 'https://basescan.org', {chainId: 8453}),
    chain('ethereum', 'evm', 'Ethereum', 12, 'https://etherscan.io', {chainId: 1}),
    chain('solana', 'solana', 'Solana', 0.4, 'https://explorer.solana.com'),
    chain('starknet', 'starknet', 'Starknet', 30, 'https://voyager.online'),
  ],
  assets: [
    asset('bitcoin_testnet:btc', BTC),
    asset(
      'base_sepolia:wbtc',
      WBTC,
      '0xD8a6E3FCA403d79b6AD6216b60527F51cc967D39',
      '0xd1E0Ba2b165726b3a6051b765d4564d030FDcf50',
    ),
    asset(
      'base_sepolia:usdc',
      USDC,
      '0x1ac7A0ebf13a996D5915e212900bE2d074f94988',
      '0x730Be401ef981D199a0560C87DfdDaFd3EC1C493',
    ),
    asset(
      'ethereum_sepolia:wbtc',
      WBTC,
      '0xE918A5a47b8e0AFAC2382bC5D1e981613e63fB07',
      '0xd1E0Ba2b165726b3a6051b765d4564d030FDcf50',
      '0x88e1032252c712681a3659986f452e910d2134d8',
    ),
    asset(
      'ethereum_sepolia:usdc',
      USDC,
      '0xadDD620EA6D20f4f9c24fff3BC039E497ceBEDc2',
      '0x730Be401ef981D199a0560C87DfdDaFd3EC1C493',
    ),
    asset('solana_testnet:sol', SOL, '', '2bag6xpshpvPe7SJ9nSDLHpxqhEAoHPGpEkjNSv7gxoF'),
    asset(
      'starknet_sepolia:wbtc',
      WBTC,
      '0x496bef3ed20371382fbe0ca6a5a64252c5c848f9f1f0cccf8110fc4def912d5',
      '0x06579d255314109429a4477d89629bc2b94f529ae01979c2f8014f9246482603',
    ),
    asset('bitcoin:btc', BTC),
    asset(
      'base:usdc',
      USDC,
      '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      '0x5fA58e4E89c85B8d678Ade970bD6afD4311aF17E',
    ),
    asset(
      'base:cbbtc',
      CBBTC,
      '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf',
      '0xe35d025d0f0d9492db4700FE8646f7F89150eC04',
    ),
    asset(
      'ethereum:usdc',
      USDC,
      '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      '0x5fA58e4E89c85B8d678Ade970bD6afD4311aF17E',
    ),
    asset(
      'ethereum:wbtc',
      WBTC,
      '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599',
      '0xD781a2abB3FCB9fC0D1Dd85697c237d06b75fe95',
    ),
    asset(
      'ethereum:cbbtc',
      CBBTC,
      '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf',
      '0xe35d025d0f0d9492db4700FE8646f7F89150eC04',
    ),
    asset('solana:sol', SOL, '', '2bag6xpshpvPe7SJ9nSDLHpxqhEAoHPGpEkjNSv7gxoF'),
    asset(
      'starknet:wbtc',
      WBTC,
      '0x3fe2b97c1fd336e750087d68b9b867997fd64a2661ff3ca5a7c771641e8e7ac',
      '0x7defd8eb3b770005ab1ca5f89ad31f98fb5bc3c52deaeafd130be3b49f967b4',
    ),
  ],
};
