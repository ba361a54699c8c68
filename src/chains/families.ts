import type {Adapters} from './adapter.js';

/** The families in this build. */
export const adapters = {
  bitcoin: async () => (await import('./bitcoin/bitcoin.js')).createBitcoinAdapter(),
  evm: async () => (await import('./evm/evm.js')).createEvmAdapter(),
  solana: async () => (await import('./solana/solana.js')).createSolanaAdapter(),
  starknet: async () => (await import('./starknet/starknet.js')).createStarknetAdapter(),
} satisfies Adapters;
