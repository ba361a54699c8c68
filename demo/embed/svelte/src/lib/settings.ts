import type {Settings} from 'swap-widget';

/** Where the swap service is, what visitors can swap, and your share of it. */
export const settings = {
  baseUrl: 'https://the.service',
  appId: undefined,
  assets: ['base_sepolia:wbtc', 'ethereum_sepolia:wbtc'],
  chains: {base_sepolia: {rpc: 'https://your.node/base-sepolia'}},
  affiliateFees: [{asset: 'base_sepolia:usdc', address: '0x000000000000000000000000000000000000dEaD', bps: 10}],
} satisfies Settings;
