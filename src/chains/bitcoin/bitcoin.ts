import type {Deal} from '../../domain/deposit.js';
import {lazy} from '../../domain/lazy.js';
import type {ChainAdapter, ReadOptions} from '../adapter.js';
import {canonicalAddress} from '../checks.js';
import {tryRead} from '../errors.js';
import {TIMEOUTS, type Timeouts} from '../timeouts.js';
import {withWitnesses, type WithoutHead} from '../witness.js';
import {isBitcoinAddress, isSameBitcoinAddress} from './address.js';
import {checkDeal} from './check.js';
import {depositAddress} from './htlc.js';
import {readBalance, readFee, readerOf, readHeight, readSpendingFee, readTime, type Read} from './rpc.js';
import * as witness from './witness.js';

/** Wallets, and the library for them, are loaded when the visitor looks for one or pays with one. */
const payers = lazy(() => import('./fund.js'));

/** Orders are paid to an address, with any wallet or none. The chain is only read from the partner's RPC. */
export function createBitcoinAdapter(timeouts: Timeouts = TIMEOUTS): ChainAdapter {
  const placeOf = ({agreed, deposit}: Deal, {signal}: ReadOptions): readonly [Read, string] | undefined => {
    const {chain} = agreed.from;
    const read = readerOf(chain, timeouts, signal);
    if (!read || deposit.how !== 'transfer' || !isBitcoinAddress(chain, deposit.address)) return undefined;
    return [read, canonicalAddress(chain, deposit.address)];
  };

  const adapter: WithoutHead = {
    family: 'bitcoin',
    addresses: {isAddress: isBitcoinAddress, isSameAddress: isSameBitcoinAddress},

    wallets: {
      discover(found, {signal}) {
        // Without wallets, an address and an amount are still enough to pay.
        payers().then(
          ({discoverWallets}) => discoverWallets(found, timeouts, signal),
          () => undefined,
        );
      },

      async walletOf(given) {
        return (await payers()).walletFromProvider(given, timeouts);
      },
    },

    means: {
      async balance({chain}, {address}, {signal} = {}) {
        const read = readerOf(chain, timeouts, signal);
        if (!read || !isBitcoinAddress(chain, address)) return undefined;
        return tryRead(() => readBalance(read, canonicalAddress(chain, address)));
      },

      async reserve({chain}, {address}, {signal} = {}) {
        const read = readerOf(chain, timeouts, signal);
        return read && isBitcoinAddress(chain, address) ? readSpendingFee(read, canonicalAddress(chain, address)) : 0n;
      },
    },

    back: {},
    check: checkDeal,
    fund: async (deal, account, options) => (await payers()).fundDeal(deal, account, options, timeouts),

    async readDeposit(deal, {ends = [], ...options}) {
      const place = placeOf(deal, options);
      const {from, owner} = deal.agreed;
      return place ? witness.readDeposit(...place, canonicalAddress(from.chain, owner), ends) : {state: 'unknown'};
    },

    depositsOf({source: {secretHash, initiator, redeemer, delegate = '', timelock, amount}}, {chain}) {
      // If the other side pays in, the redeemer is the service's key for the person.
      const keys = [
        {redeemer, delegate},
        {redeemer: delegate, delegate: initiator},
      ];
      return keys.flatMap(pair => {
        const address = depositAddress(chain, {secretHash, timelock, ...pair});
        return address === undefined ? [] : [{how: 'transfer', address, amount}];
      });
    },

    async readPayout({chain}, recipient, hashes, {signal, ...options}) {
      const read = readerOf(chain, timeouts, signal);
      if (!read || !isBitcoinAddress(chain, recipient)) return undefined;
      return witness.readPayout(read, canonicalAddress(chain, recipient), hashes, options);
    },

    async readFee(deal, options) {
      const place = placeOf(deal, options);
      return place && tryRead(() => readFee(...place));
    },
  };

  const head = {readHeight, readTime};
  return withWitnesses(adapter, (chain, {signal}) => readerOf(chain, timeouts, signal), head, timeouts);
}
