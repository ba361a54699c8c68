import {contractsOf} from '../../domain/asset.js';
import type {ChainAdapter} from '../adapter.js';
import {hexText} from '../checks.js';
import {tryRead} from '../errors.js';
import {TIMEOUTS, type Timeouts} from '../timeouts.js';
import {withWitnesses, type WithoutHead} from '../witness.js';
import {checkDeal, paymentOf} from './check.js';
import {fundDeal, refundDeal} from './fund.js';
import {tokenAccount} from './accounts.js';
import {soughtPayment} from './htlc.js';
import {readCoins, readerOf, readHeight, readTime, readTokens} from './rpc.js';
import {isSolanaAddress, SYSTEM_PROGRAM, writeTransaction} from './transaction.js';
import {discoverWallets, walletFrom} from './wallets.js';
import * as witness from './witness.js';

/** For the swap account's rent deposit and for fees: a hundredth of a SOL covers both several times over. */
const PAYMENT_LAMPORTS = 10_000_000n;

/** Solana. The chain is only read from the partner's RPC: wallets cannot read it. */
export function createSolanaAdapter(timeouts: Timeouts = TIMEOUTS): ChainAdapter {
  const adapter: WithoutHead = {
    family: 'solana',
    // A blockhash is valid for 150 slots, one to two minutes; the rest is a margin.
    expiresAfter: 5 * 60_000,
    // Base58 is case-sensitive.
    addresses: {isAddress: (_, text) => isSolanaAddress(text), isSameAddress: (one, other) => one === other},
    wallets: {
      discover: (found, {signal}) => discoverWallets(found, timeouts, signal),
      walletOf: given => walletFrom(given, timeouts),
    },

    means: {
      async balance({chain, token}, account, {signal} = {}) {
        const read = readerOf(chain, timeouts, signal);
        return tryRead(async () => {
          if (!read || token === undefined) return read && readCoins(read, account.address);
          return (await readTokens(read, await tokenAccount(account.address, token))) ?? 0n;
        });
      },

      reserve: ({token}) => Promise.resolve(token === undefined ? PAYMENT_LAMPORTS : 0n),
    },

    check: (deal, options) =>
      checkDeal(deal, readerOf(deal.agreed.from.chain, timeouts, options.signal), options, timeouts),
    fund: (deal, account, options) => fundDeal(deal, account, options, timeouts),

    async readDeposit(deal, {signal, ...known}) {
      const read = readerOf(deal.agreed.from.chain, timeouts, signal);
      return read ? witness.readDeposit(read, deal, known) : {state: 'unknown'};
    },

    depositsOf: ({source}, asset) => {
      const {initiator, timelock} = source;
      if (!Number.isSafeInteger(timelock) || !isSolanaAddress(initiator)) return [];
      const {token} = asset;
      const terms = {...source, timelock: BigInt(timelock), ...(token !== undefined && {token})};
      return contractsOf(asset)
        .filter(isSolanaAddress)
        .flatMap(program => {
          const call = soughtPayment(program, initiator, terms);
          // It is never sent, so its blockhash does not matter.
          const bytes = call && writeTransaction(initiator, SYSTEM_PROGRAM, call);
          const form = {how: 'wallet', ways: ['transaction']} as const;
          return bytes ? [{...form, payload: {family: 'solana', transaction: hexText(bytes)}}] : [];
        });
    },

    async readPayout(asset, recipient, hashes, {signal, ...options}) {
      const read = readerOf(asset.chain, timeouts, signal);
      return read && isSolanaAddress(recipient)
        ? witness.readPayout(read, asset, recipient, hashes, options)
        : undefined;
    },

    back: {
      termsOf(deal) {
        const {instruction, terms} = paymentOf(deal) ?? {};
        return instruction && terms && {...terms, contract: instruction.program, payer: deal.agreed.owner};
      },
      refund: (deal, account, options) => refundDeal(deal, account, options, timeouts),
    },
  };

  const head = {readHeight, readTime};
  return withWitnesses(adapter, (chain, {signal}) => readerOf(chain, timeouts, signal), head, timeouts);
}
