import type {Deal} from '../../domain/deposit.js';
import type {ChainAdapter, ReadOptions} from '../adapter.js';
import {TIMEOUTS, type Timeouts} from '../common.js';
import {checkDeal, evmPayloadOf, isEvmAddress, isSameEvmAddress} from './check.js';
import {fundDeal, receiptStatus, refundDeal} from './fund.js';
import {decodeInitiate, encodeRefund, findOrderId, readBalance, readCoins, wouldRevert} from './htlc.js';
import {readerOf} from './rpc.js';
import {discoverWallets, findProvider, walletFromProvider} from './wallets.js';

/** More gas than a payment into a swap contract takes. Its price may double until the wallet is asked. */
const PAYMENT_GAS = 300_000n;

/**
 * Chains of the EVM family. A chain is read from the address that the partner named for it, or else through the wallet
 * while that is on the chain; nothing else is ever asked.
 */
export function createEvmAdapter(patience: Timeouts = TIMEOUTS): ChainAdapter {
  /** The order that a deal made in its contract, if there is one; `undefined` where nobody can tell. */
  const find = async (deal: Deal, {account, signal}: ReadOptions) => {
    const payload = evmPayloadOf(deal);
    const terms = payload && decodeInitiate(payload.transaction.data);
    const read = await readerOf(deal.agreed.from.chain, findProvider(account), patience, signal);
    if (!terms || !read) return undefined;
    return {read, payload, orderId: await findOrderId(read, deal, payload, terms)};
  };

  return {
    family: 'evm',
    isAddress: (_, text) => isEvmAddress(text),
    isSameAddress: isSameEvmAddress,
    discover: (found, options) => discoverWallets(found, patience, options),
    walletOf: given => walletFromProvider(given, patience),

    async isContract(chain, address, {account, signal}) {
      try {
        const read = await readerOf(chain, findProvider(account), patience, signal);
        const code = read && (await read('eth_getCode', address, 'latest'));
        // EIP-7702: an account of a key, which hands its calls on to a contract.
        return typeof code === 'string' && /^0x/.test(code) ? !/^0x(?:ef0100[0-9a-f]{40})?$/i.test(code) : undefined;
      } catch {
        return undefined;
      }
    },

    async balance({chain, token}, account, {signal} = {}) {
      try {
        const read = await readerOf(chain, findProvider(account), patience, signal);
        if (!read) return undefined;
        return await (token === undefined
          ? readCoins(read, account.address)
          : readBalance(read, token, account.address));
      } catch {
        return undefined;
      }
    },

    async reserve({chain, token}, account, {signal} = {}) {
      if (token !== undefined) return 0n;
      const read = await readerOf(chain, findProvider(account), patience, signal);
      return read ? BigInt((await read('eth_gasPrice')) as string) * PAYMENT_GAS * 2n : 0n;
    },

    async check(deal, {account, signal}) {
      const read = await readerOf(deal.agreed.from.chain, findProvider(account), patience, signal);
      return checkDeal(deal, read);
    },

    fund: (deal, account, options) => fundDeal(deal, account, options, patience),

    async findDeposit(deal, {hash, ...options}) {
      try {
        const found = await find(deal, options);
        if (!found) return 'unknown';
        const {read, orderId} = found;
        if (orderId !== undefined) return 'seen';
        if (hash === undefined) return 'none';
        const status = await receiptStatus(read, hash);
        if (status) return status === 'done' ? 'seen' : 'reverted';
        return (await read('eth_getTransactionByHash', hash)) ? 'seen' : 'none';
      } catch {
        return 'unknown';
      }
    },

    async canRefund(deal, options) {
      try {
        const found = await find(deal, options);
        if (found?.orderId === undefined) return undefined;
        const {read, orderId, payload} = found;
        return !(await wouldRevert(read, {
          from: deal.agreed.owner,
          to: payload.transaction.to,
          data: encodeRefund(orderId),
        }));
      } catch {
        return undefined;
      }
    },

    refund: (deal, account, options) => refundDeal(deal, account, options, patience),
  };
}
