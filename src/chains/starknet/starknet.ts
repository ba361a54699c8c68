import type {ChainAdapter} from '../adapter.js';
import {TIMEOUTS, type Timeouts} from '../timeouts.js';
import {tokenHtlc} from '../token-htlc/adapter.js';
import {starknetDialect} from './dialect.js';
import {withWitnesses, type WithoutHead} from '../witness.js';
import {isStarknetAddress} from './htlc.js';
import {readerOf, readHeight, readTime} from './rpc.js';
import {discoverWallets, walletFrom} from './wallets.js';

/** Starknet and its testnet. A chain is only read from the RPC that the partner named for it. */
export function createStarknetAdapter(timeouts: Timeouts = TIMEOUTS): ChainAdapter {
  const shared = tokenHtlc(starknetDialect, timeouts);
  const adapter: WithoutHead = {
    ...shared,
    addresses: {...shared.addresses, isAddress: (_, text) => isStarknetAddress(text)},
    wallets: {
      discover: (found, {signal}) => discoverWallets(found, timeouts, signal),
      walletOf: given => walletFrom(given, timeouts),
    },
  };

  const head = {readHeight, readTime};
  return withWitnesses(adapter, (chain, {signal}) => readerOf(chain, timeouts, signal), head, timeouts);
}
