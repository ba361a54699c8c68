import type {ChainAdapter, ReadOptions} from '../adapter.js';
import {tryRead} from '../errors.js';
import {foreseeToken} from '../funding.js';
import {TIMEOUTS, type Timeouts} from '../timeouts.js';
import {checkDeal, isEvmAddress, isSameEvmAddress} from './check.js';
import {fundDeal, refundDeal, revokeDeal} from './fund.js';
import {encodeInitiate, readAllowance, readBalance, readCoins} from './htlc.js';
import {readChainId, readerOf, readThrough} from './rpc.js';
import {discoverWallets, providers, walletFromProvider} from './wallets.js';
import * as witness from './witness.js';

/** More gas than a payment into a swap contract takes. The price of gas may double before the wallet is asked. */
const PAYMENT_GAS = 300_000n;

/**
 * Chains of the EVM family. A chain is read from the address that the partner named for it, or else through the wallet
 * while that is on the chain, and from nowhere else.
 */
export function createEvmAdapter(timeouts: Timeouts = TIMEOUTS): ChainAdapter {
  const reader = (chain: Parameters<typeof readerOf>[0], {account, signal}: ReadOptions) =>
    readerOf(chain, providers.find(account), timeouts, signal);
  /** For what goes on without it. */
  const anyReader = (...of: Parameters<typeof reader>) => tryRead(() => reader(...of));

  return {
    family: 'evm',
    isAddress: (_, text) => isEvmAddress(text),
    isSameAddress: isSameEvmAddress,
    isName: text => /\.eth$/i.test(text),
    namesOn: ({test}) => (test ? 'ethereum_sepolia' : 'ethereum'),
    async readName(text, chain, home, {signal}) {
      try {
        const ens = await import('./ens.js');
        return await ens.readName(text, chain, home, timeouts, signal);
      } catch {
        return {name: text, fault: 'unread'};
      }
    },
    discover: (found, options) => discoverWallets(found, timeouts, options),
    walletOf: given => walletFromProvider(given, timeouts),

    isContract: (chain, address, options) =>
      tryRead(async () => {
        const read = await reader(chain, options);
        const code = read && (await read('eth_getCode', address, 'latest'));
        // EIP-7702: an account with a key, which hands its calls on to a contract.
        return typeof code === 'string' && /^0x/.test(code) ? !/^0x(?:ef0100[0-9a-f]{40})?$/i.test(code) : undefined;
      }),

    balance: ({chain, token}, account, options = {}) =>
      tryRead(async () => {
        const read = await reader(chain, {...options, account});
        if (!read) return undefined;
        return token === undefined ? readCoins(read, account.address) : readBalance(read, token, account.address);
      }),

    async reserve({chain, token}, account, options = {}) {
      if (token !== undefined) return 0n;
      const read = await anyReader(chain, {...options, account});
      return read ? BigInt((await read('eth_gasPrice')) as string) * PAYMENT_GAS * 2n : 0n;
    },

    foresee: ({chain, token, contracts}, amount, account, options = {}) =>
      tryRead(async () => {
        const wallet = readThrough(providers.get(account), timeouts, options.signal);
        const moves = (await readChainId(wallet)) !== chain.chainId;
        if (token === undefined) return {moves, plan: ['send']};
        const read = await anyReader(chain, {...options, account});
        const allowanceOf = read && ((contract: string) => readAllowance(read, token, account.address, contract));
        return {moves, plan: await foreseeToken(contracts, amount, allowanceOf)};
      }),

    async check(deal, options) {
      return checkDeal(deal, await anyReader(deal.agreed.from.chain, options));
    },

    fund: (deal, account, options) => fundDeal(deal, account, options, timeouts),

    async readDeposit(deal, options) {
      const read = await reader(deal.agreed.from.chain, options);
      return read ? witness.readDeposit(read, deal, options) : {state: 'unknown'};
    },
    depositsOf: ({source}, {contracts, chain: {chainId = 0}}) =>
      contracts.map(to => {
        const transaction = {to, value: 0n, data: encodeInitiate(source), gasLimit: 0n, chainId};
        return {how: 'wallet', ways: ['transaction'], payload: {family: 'evm', transaction}};
      }),
    async readPayout(asset, recipient, hashes, options) {
      const read = await reader(asset.chain, options);
      return read && witness.readPayout(read, asset, recipient, hashes, options);
    },
    refund: (deal, account, options) => refundDeal(deal, account, options, timeouts),
    revoke: (deal, account, options) => revokeDeal(deal, account, options, timeouts),
  };
}
