import type {Deal} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import type {ChainAdapter, ReadOptions} from '../adapter.js';
import {canonicalAddress} from '../common.js';
import {isBitcoinAddress, isSameBitcoinAddress} from './address.js';
import {checkDeal} from './check.js';
import {readerOf, readPayments, readSight, type Read} from './rpc.js';

/**
 * Bitcoin and its test networks. Orders are paid by sending an amount to an address, with any wallet or none. A chain is
 * read from the address that the partner named for it; nothing else is ever asked.
 */
export function createBitcoinAdapter(): ChainAdapter {
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
    // No wallet is known yet; an address and an amount are enough to pay.
    discover: () => undefined,
    fund: (_, {wallet}) => Promise.reject(new SwapError('wallet-missing', {detail: wallet.name})),
    check: deal => Promise.resolve(checkDeal(deal)),
    findDeposit: async (deal, options) => (await look(deal, options, readSight)) ?? 'unknown',
    readPayments: (deal, options) => look(deal, options, readPayments),
  };
}
