import type {Deal} from '../../domain/deposit.js';
import type {ChainAdapter, ReadOptions} from '../adapter.js';
import {tryRead} from '../errors.js';
import {TIMEOUTS, type Timeouts} from '../timeouts.js';
import {checkDeal, starknetPayloadOf} from './check.js';
import {fundDeal, refundDeal} from './fund.js';
import {
  holdsOrder,
  isSameStarknetAddress,
  isStarknetAddress,
  orderIdOf,
  readBalance,
  transactionStatus,
  wouldRefund,
} from './htlc.js';
import {readerOf} from './rpc.js';
import {discoverWallets, walletFrom} from './wallets.js';

/**
 * Starknet and its test network. A chain is read from the address that the partner named for it, and from nowhere else.
 */
export function createStarknetAdapter(timeouts: Timeouts = TIMEOUTS): ChainAdapter {
  /** Where a deal can be looked for: the chain, the contract, and the order in it as far as it is known. */
  const find = async (deal: Deal, {signal}: ReadOptions) => {
    const payload = starknetPayloadOf(deal);
    const read = await readerOf(deal.agreed.from.chain, timeouts, signal);
    return payload && read && {read, contract: payload.call.to, orderId: orderIdOf(deal.order)};
  };

  return {
    family: 'starknet',
    isAddress: (_, text) => isStarknetAddress(text),
    isSameAddress: isSameStarknetAddress,
    discover: (found, {signal}) => discoverWallets(found, timeouts, signal),
    walletOf: given => walletFrom(given, timeouts),

    balance: ({chain, token}, account, {signal} = {}) =>
      tryRead(async () => {
        const read = await readerOf(chain, timeouts, signal);
        return read && token !== undefined ? readBalance(read, token, account.address) : undefined;
      }),

    async check(deal, {signal}) {
      return checkDeal(deal, await readerOf(deal.agreed.from.chain, timeouts, signal));
    },

    fund: (deal, account, options) => fundDeal(deal, account, options, timeouts),

    async findDeposit(deal, {hash, ...options}) {
      const state = await tryRead(async () => {
        const found = await find(deal, options);
        if (!found) return 'unknown';
        const {read, contract, orderId} = found;
        // The first generation of contracts cannot be asked; then the transaction decides.
        const held =
          orderId === undefined ? undefined : await holdsOrder(read, contract, orderId).catch(() => undefined);
        if (held) return 'seen';
        if (hash === undefined) return held === false ? 'none' : 'unknown';
        const status = await transactionStatus(read, hash);
        return status === 'done' ? 'seen' : status;
      });
      return state ?? 'unknown';
    },

    canRefund: (deal, options) =>
      tryRead(async () => {
        const found = await find(deal, options);
        if (found?.orderId === undefined) return undefined;
        return wouldRefund(found.read, found.contract, found.orderId);
      }),

    refund: (deal, account, options) => refundDeal(deal, account, options, timeouts),
  };
}
