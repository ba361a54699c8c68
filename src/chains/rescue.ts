import type {ChainFamily} from '../domain/asset.js';
import type {ChainRescue} from './adapter.js';

/** The code that finds refunds, in the families whose contracts have them. On Bitcoin only the service can refund. */
export const rescues: Partial<Record<ChainFamily, () => Promise<ChainRescue>>> = {
  evm: async () => (await import('./evm/rescue.js')).rescue,
  solana: async () => (await import('./solana/rescue.js')).rescue,
  starknet: async () => (await import('./starknet/rescue.js')).rescue,
};
