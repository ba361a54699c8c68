import type {Deal} from '../../domain/deposit.js';
import {lazy} from '../../domain/lazy.js';
import type {ChainAdapter, ReadOptions} from '../adapter.js';
import {canonicalAddress} from '../checks.js';
import {tryRead} from '../errors.js';
import {TIMEOUTS, type Timeouts} from '../timeouts.js';
import {isBitcoinAddress, isSameBitcoinAddress} from './address.js';
import {checkDeal} from './check.js';
import {depositAddress} from './htlc.js';
import {readBalance, readFee, readerOf, readSpendingFee, type Read} from './rpc.js';
import * as witness from './witness.js';

/** Wallets, with the library that asks them, are loaded when the person looks for one or pays with one. */
const wallets = lazy(
  () => import('./fund.js'),
  module => module,
);

/**
 * Bitcoin and its test networks. Orders are paid by sending an amount to an address, with any wallet or none. A chain
 * is read from the address that the partner named for it, and from nowhere else.
 */
export function createBitcoinAdapter(timeouts: Timeouts = TIMEOUTS): ChainAdapter {
  /** Reads what the chain knows of a deal's address; `undefined` where it cannot be read. */
  const look = async <T>(
    {agreed, deposit}: Deal,
    {signal}: ReadOptions,
    work: (read: Read, address: string) => Promise<T>,
  ): Promise<T | undefined> => {
    const read = readerOf(agreed.from.chain, timeouts, signal);
    if (!read || deposit.how !== 'transfer' || !isBitcoinAddress(agreed.from.chain, deposit.address)) return undefined;
    const {address} = deposit;
    return tryRead(() => work(read, canonicalAddress(agreed.from.chain, address)));
  };

  const readDeposit: ChainAdapter['readDeposit'] = async (deal, options) =>
    (await look(deal, options, witness.readDeposit)) ?? {state: 'unknown'};

  return {
    family: 'bitcoin',
    isAddress: isBitcoinAddress,
    isSameAddress: isSameBitcoinAddress,

    discover(found, {signal}) {
      // Without wallets, an address and an amount are still enough to pay.
      wallets().then(
        ({discoverWallets}) => discoverWallets(found, timeouts, signal),
        () => undefined,
      );
    },

    async walletOf(given) {
      return (await wallets()).walletFromProvider(given, timeouts);
    },

    async balance({chain}, {address}, {signal} = {}) {
      const read = readerOf(chain, timeouts, signal);
      if (!read || !isBitcoinAddress(chain, address)) return undefined;
      return tryRead(() => readBalance(read, canonicalAddress(chain, address)));
    },

    async reserve({chain}, {address}, {signal} = {}) {
      const read = readerOf(chain, timeouts, signal);
      return read && isBitcoinAddress(chain, address) ? readSpendingFee(read, canonicalAddress(chain, address)) : 0n;
    },

    check: deal => checkDeal(deal),
    fund: async (deal, account, options) => (await wallets()).fundDeal(deal, account, options, timeouts),
    readDeposit,
    depositsOf({source: {secretHash, redeemer, delegate = '', timelock, amount}}, {chain}) {
      const address = depositAddress(chain, {secretHash, redeemer, delegate, timelock});
      return address === undefined ? [] : [{how: 'transfer', address, amount}];
    },
    async readPayout({chain}, recipient, hashes, {signal, ...options}) {
      const read = readerOf(chain, timeouts, signal);
      if (!read || !isBitcoinAddress(chain, recipient)) return undefined;
      return tryRead(() => witness.readPayout(read, canonicalAddress(chain, recipient), hashes, options));
    },
    readFee: (deal, options) => look(deal, options, readFee),
  };
}
