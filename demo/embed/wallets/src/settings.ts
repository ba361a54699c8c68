import type {Settings} from 'swap-widget';

/** Where the swap service is, and your share of what is swapped. */
export const settings: Settings = {
  baseUrl: 'https://the.service',
  appId: undefined,
  chains: {base_sepolia: {rpc: 'https://your.node/base-sepolia'}},
  affiliateFees: [{asset: 'base_sepolia:usdc', address: '0x000000000000000000000000000000000000dEaD', bps: 10}],
};
