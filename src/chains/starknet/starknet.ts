import type {Chain} from '../../domain/asset.js';
import type {ChainAdapter} from '../adapter.js';
import {tryRead} from '../errors.js';
import {foreseeToken} from '../funding.js';
import {TIMEOUTS, type Timeouts} from '../timeouts.js';
import {checkDeal} from './check.js';
import {fundDeal, refundDeal, revokeDeal} from './fund.js';
import {encodeInitiate, isSameStarknetAddress, isStarknetAddress, readAllowance, readBalance} from './htlc.js';
import {readerOf} from './rpc.js';
import {connectors, discoverWallets, isOnChain, walletFrom} from './wallets.js';
import * as witness from './witness.js';

/**
 * Starknet and its test network. A chain is read from the address that the partner named for it, and from nowhere else.
 */
export function createStarknetAdapter(timeouts: Timeouts = TIMEOUTS): ChainAdapter {
  /** For what goes on without it. */
  const anyReader = (chain: Chain, signal?: AbortSignal) => tryRead(() => readerOf(chain, timeouts, signal));

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

    foresee: ({chain, token, contracts}, amount, account, {signal} = {}) =>
      tryRead(async () => {
        const moves = !(await isOnChain(connectors.get(account), chain, timeouts, signal));
        const read = await anyReader(chain, signal);
        const allowanceOf =
          read && token !== undefined
            ? (contract: string) => readAllowance(read, token, account.address, contract)
            : undefined;
        return {moves, plan: await foreseeToken(contracts, amount, allowanceOf)};
      }),

    async check(deal, {signal}) {
      return checkDeal(deal, await anyReader(deal.agreed.from.chain, signal));
    },

    fund: (deal, account, options) => fundDeal(deal, account, options, timeouts),

    async readDeposit(deal, {signal, ...options}) {
      const read = await readerOf(deal.agreed.from.chain, timeouts, signal);
      return read ? witness.readDeposit(read, deal, options) : {state: 'unknown'};
    },
    depositsOf: ({source}, {contracts}) =>
      contracts.map(contract => {
        const call = encodeInitiate(source, contract);
        return {how: 'wallet', ways: ['transaction'], payload: {family: 'starknet', call}};
      }),
    async readPayout(asset, recipient, hashes, {signal, ...options}) {
      const read = await readerOf(asset.chain, timeouts, signal);
      return read && witness.readPayout(read, asset, recipient, hashes, options);
    },
    refund: (deal, account, options) => refundDeal(deal, account, options, timeouts),
    revoke: (deal, account, options) => revokeDeal(deal, account, options, timeouts),
  };
}
