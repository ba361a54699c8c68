import type {AffiliateFee, AssetSettings, ChainSettings} from 'swap-widget/core';

/** Where the swap service is, and what visitors can swap, and your share of it. */
export const settings: {
  baseUrl: string;
  appId?: string;
  assets: (string | AssetSettings)[];
  chains: Record<string, ChainSettings>;
  affiliateFees: AffiliateFee[];
} = {
  baseUrl: 'https://the.service',
  assets: ['bitcoin_testnet:btc', 'ethereum_sepolia:wbtc'],
  chains: {bitcoin_testnet: {rpc: 'https://your.node/esplora'}},
  affiliateFees: [{asset: 'base_sepolia:usdc', address: '0x000000000000000000000000000000000000dEaD', bps: 10}],
};
