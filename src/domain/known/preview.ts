import {splitAssetId, type Asset, type AssetId, type Catalogue, type ChainFamily} from '../asset.js';

/** The most common chains. Testnets have an underscore in their names. */
const TITLES: Readonly<Record<string, string>> = {
  bitcoin_testnet: 'Bitcoin Testnet',
  base_sepolia: 'Base Sepolia',
  ethereum_sepolia: 'Ethereum Sepolia',
  solana_testnet: 'Solana Devnet',
  starknet_sepolia: 'Starknet Sepolia',
  bitcoin: 'Bitcoin',
  base: 'Base',
  ethereum: 'Ethereum',
  solana: 'Solana',
  starknet: 'Starknet',
};

/** Their assets, with the decimals that each has on all of them, and whether it is a token. */
const ASSETS: Readonly<Record<string, readonly [symbol: string, decimals: number, isToken?: boolean]>> = {
  btc: ['BTC', 8],
  wbtc: ['WBTC', 8, true],
  cbbtc: ['cbBTC', 8, true],
  usdc: ['USDC', 6, true],
  sol: ['SOL', 9],
};

/**
 * What a form can show of assets before their data is loaded: no addresses, no contracts, and nothing to order with.
 * `undefined` if one of them is not among the most common ones.
 */
export function previewOf(ids: readonly unknown[]): Catalogue | undefined {
  const assets = ids.flatMap(id => (typeof id === 'string' ? (preview(id) ?? []) : []));
  if (assets.length < 2 || assets.length < ids.length) return undefined;
  return {
    assets,
    test: assets.some(({chain}) => chain.test),
    find: id => assets.find(asset => asset.id === id),
    findChain: () => undefined,
    others: () => [],
  };
}

function preview(id: string): Asset | undefined {
  const {chain = '', name = ''} = splitAssetId(id) ?? {};
  const title = TITLES[chain];
  const asset = ASSETS[name];
  if (title === undefined || !asset) return undefined;
  const [symbol, decimals, isToken] = asset;
  const family = (/^(?:bitcoin|solana|starknet)/.exec(chain)?.[0] ?? 'evm') as ChainFamily;
  return {
    id: id as AssetId,
    chain: {name: chain, family, title, test: chain.includes('_'), blockSeconds: 0},
    symbol,
    title: symbol,
    decimals,
    ...(isToken && {token: ''}),
    contracts: [],
  };
}
