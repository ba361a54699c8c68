import type {Deal} from '../../domain/deposit.js';
import {lazy} from '../../domain/lazy.js';
import type {ChainAdapter, ReadOptions} from '../adapter.js';
import {canonicalAddress, TIMEOUTS, type Timeouts} from '../common.js';
import {isBitcoinAddress, isSameBitcoinAddress} from './address.js';
import {checkDeal} from './check.js';
import {readBalance, readFee, readerOf, readSight, readSpendingFee, type Read} from './rpc.js';

/** Wallets, with the library that asks them, come when somebody looks for one or pays with one. */
const wallets = lazy(
  () => import('./fund.js'),
  module => module,
);

/**
 * Bitcoin and its test networks. Orders are paid by sending an amount to an address, with any wallet or none. A chain is
 * read from the address that the partner named for it; nothing else is ever asked.
 */
export function createBitcoinAdapter(patience: Timeouts = TIMEOUTS): ChainAdapter {
  const look = async <T>(
    {agreed, deposit}: Deal,
    {signal}: ReadOptions,
    work: (read: Read, address: string) => Promise<T>,
  ): Promise<T | undefined> => {
    const read = readerOf(agreed.from.chain, signal);
    if (!read || deposit.how !== 'transfer' || !isBitcoinAddress(agreed.from.chain, deposit.address)) return undefined;
    return work(read, canonicalAddress(agreed.from.chain, deposit.address)).catch(() => undefined);
  };

  return {
    family: 'bitcoin',
    isAddress: isBitcoinAddress,
    isSameAddress: isSameBitcoinAddress,

    discover(found, {signal}) {
      // Without them an address and an amount are still enough to pay.
      wallets().then(
        ({discoverWallets}) => discoverWallets(found, patience, signal),
        () => undefined,
      );
    },

    async walletOf(given) {
      return (await wallets()).walletFromProvider(given, patience);
    },

    async balance({chain}, {address}, {signal} = {}) {
      const read = readerOf(chain, signal);
      if (!read || !isBitcoinAddress(chain, address)) return undefined;
      return readBalance(read, canonicalAddress(chain, address)).catch(() => undefined);
    },

    async reserve({chain}, {address}, {signal} = {}) {
      const read = readerOf(chain, signal);
      return read && isBitcoinAddress(chain, address) ? readSpendingFee(read, canonicalAddress(chain, address)) : 0n;
    },

    check: deal => checkDeal(deal),
    fund: async (deal, account, options) => (await wallets()).fundDeal(deal, account, options, patience),
    findDeposit: async (deal, options) => (await look(deal, options, readSight)) ?? 'unknown',
    readFee: (deal, options) => look(deal, options, readFee),
  };
}
