import type {ChainFamily} from '../domain/asset.js';
import type {ChainRescue} from './adapter.js';

/** What leads to a refund, in the families whose contracts pay one. On Bitcoin only the service can. */
export const rescues: Partial<Record<ChainFamily, () => Promise<ChainRescue>>> = {
  evm: async () => (await import('./evm/rescue.js')).rescue,
  solana: async () => (await import('./solana/rescue.js')).rescue,
  starknet: async () => (await import('./starknet/rescue.js')).rescue,
};
