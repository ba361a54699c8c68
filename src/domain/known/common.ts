import type {AssetId, Chain, ChainFamily, KnownAsset, KnownAssets} from '../asset.js';

export const chain = (
  name: string,
  family: ChainFamily,
  title: string,
  blockSeconds: number,
  explorer: string,
  more: Partial<Chain> = {},
): Chain => ({name, family, title, test: false, blockSeconds, explorer, ...more});

/**
 * `token`: absent for the native coin. `pins`: its swap contracts, `0x…@3` for one whose typed data has domain version
 * 3, by the specification's sample or its own `version()` (2026-09). Without pins its contracts are not known.
 */
export const asset = (id: AssetId, kind: Omit<KnownAsset, 'id'>, token?: string, ...pins: string[]): KnownAsset => {
  const parts = pins.map(pin => pin.split('@') as [string, string?]);
  const known = parts.filter((part): part is [string, string] => part[1] !== undefined);
  return {
    id,
    ...kind,
    ...(token ? {token} : {}),
    contracts: parts.map(([contract]) => contract),
    ...(known.length && {versions: Object.freeze(Object.fromEntries(known))}),
  };
};

/** Contracts with the same address on several chains. A contract is looked up by asset, never by address alone. */
export const OF_USDC = '0x5fA58e4E89c85B8d678Ade970bD6afD4311aF17E';
export const OF_WBTC = '0xD781a2abB3FCB9fC0D1Dd85697c237d06b75fe95';
export const TEST_WBTC = '0xd1E0Ba2b165726b3a6051b765d4564d030FDcf50';
export const TEST_USDC = '0x730Be401ef981D199a0560C87DfdDaFd3EC1C493';
const CBBTC_TOKEN = '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf';
const OF_CBBTC = '0xe35d025d0f0d9492db4700FE8646f7F89150eC04';
const OF_SOL = '2bag6xpshpvPe7SJ9nSDLHpxqhEAoHPGpEkjNSv7gxoF';

const BTC = {symbol: 'BTC', title: 'Bitcoin', decimals: 8};
export const WBTC = {symbol: 'WBTC', title: 'Wrapped Bitcoin', decimals: 8};
export const CBBTC = {symbol: 'cbBTC', title: 'Coinbase Wrapped BTC', decimals: 8};
export const USDC = {symbol: 'USDC', title: 'USD Coin', decimals: 6};
const SOL = {symbol: 'SOL', title: 'Solana', decimals: 9};

export const COMMON: KnownAssets = {
  chains: [
    chain('bitcoin_testnet', 'bitcoin', 'Bitcoin Testnet', 600, 'https://mempool.space/testnet4', {test: true}),
    chain('base_sepolia', 'evm', 'Base Sepolia', 2, 'https://sepolia.basescan.org', {test: true, chainId: 84532}),
    chain('ethereum_sepolia', 'evm', 'Ethereum Sepolia', 12, 'https://sepolia.etherscan.io', {
      test: true,
      chainId: 11155111,
    }),
    // The service's name for the cluster that others call devnet.
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
    asset('base_sepolia:wbtc', WBTC, '0xD8a6E3FCA403d79b6AD6216b60527F51cc967D39', TEST_WBTC),
    asset('base_sepolia:usdc', USDC, '0x1ac7A0ebf13a996D5915e212900bE2d074f94988', TEST_USDC),
    asset(
      'ethereum_sepolia:wbtc',
      WBTC,
      '0xE918A5a47b8e0AFAC2382bC5D1e981613e63fB07',
      TEST_WBTC,
      '0x88e1032252c712681a3659986f452e910d2134d8@2',
    ),
    asset('ethereum_sepolia:usdc', USDC, '0xadDD620EA6D20f4f9c24fff3BC039E497ceBEDc2', TEST_USDC),
    asset('solana_testnet:sol', SOL, '', OF_SOL),
    asset(
      'starknet_sepolia:wbtc',
      WBTC,
      '0x496bef3ed20371382fbe0ca6a5a64252c5c848f9f1f0cccf8110fc4def912d5',
      '0x06579d255314109429a4477d89629bc2b94f529ae01979c2f8014f9246482603',
    ),
    asset('bitcoin:btc', BTC),
    asset('base:cbbtc', CBBTC, CBBTC_TOKEN, `${OF_CBBTC}@3`),
    asset(
      'base:usdc',
      // Left 2025-11; both in two third parties' records of 2026-09, one by RPC, one of the operator's list.
      {...USDC, former: [OF_USDC]},
      '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      '0x227A436e93AAEf856ed406713F2bc3D110A7b797',
    ),
    asset('ethereum:usdc', USDC, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', `${OF_USDC}@3`),
    asset('ethereum:wbtc', WBTC, '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', `${OF_WBTC}@3`),
    asset('ethereum:cbbtc', CBBTC, CBBTC_TOKEN, `${OF_CBBTC}@3`),
    asset('solana:sol', SOL, '', OF_SOL),
    asset(
      'starknet:wbtc',
      WBTC,
      '0x3fe2b97c1fd336e750087d68b9b867997fd64a2661ff3ca5a7c771641e8e7ac',
      '0x7defd8eb3b770005ab1ca5f89ad31f98fb5bc3c52deaeafd130be3b49f967b4',
    ),
  ],
};
