import type {Account, ChainAdapter, Wallet} from '../../src/chains/adapter.js';
import {announce} from './evm-ledger.js';

export function findWallet(
  adapter: ChainAdapter,
  provider: unknown,
  info: Readonly<Record<string, unknown>> = {},
): Wallet {
  const search = new AbortController();
  let wallet: Wallet | undefined;
  adapter.wallets.discover(found => (wallet = found), {signal: search.signal});
  announce(provider, info)();
  search.abort();
  if (!wallet) throw new Error('no wallet was found');
  return wallet;
}

export function connectLedger(adapter: ChainAdapter, provider: unknown): Promise<Account> {
  return findWallet(adapter, provider).connect();
}
