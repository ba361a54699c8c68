import type {Deal} from '../../domain/deposit.js';
import type {ChainAdapter, ReadOptions} from '../adapter.js';
import {tryRead} from '../errors.js';
import {TIMEOUTS, type Timeouts} from '../timeouts.js';
import {checkDeal, paymentOf} from './check.js';
import {fundDeal, refundDeal} from './fund.js';
import {readDeposit, swapAccount} from './htlc.js';
import {currentSlot, isAlive, readCoins, readerOf, statusOf} from './rpc.js';
import {bytesOf, isSignedBy, isSolanaAddress} from './transaction.js';
import {discoverWallets, walletFrom} from './wallets.js';

/**
 * What a payer keeps back for the deposit of the swap's own account and for fees: a hundredth of a SOL covers both
 * several times over.
 */
const PAYMENT_LAMPORTS = 10_000_000n;

/** Solana. The chain is read from the node that the partner named, and from nowhere else: wallets cannot read it. */
export function createSolanaAdapter(timeouts: Timeouts = TIMEOUTS): ChainAdapter {
  /** What it takes to look for a deal's deposit; `undefined` where the chain cannot be read. */
  const find = async ({agreed, ...deal}: Deal, {signal}: ReadOptions) => {
    const payment = paymentOf({agreed, ...deal});
    const read = readerOf(agreed.from.chain, timeouts, signal);
    if (!payment?.instruction || !payment.terms || !read) return undefined;
    const {program} = payment.instruction;
    return {read, program, payment, account: await swapAccount(program, agreed.owner, payment.terms.secretHash)};
  };

  return {
    family: 'solana',
    // A blockhash lives for 150 slots, one to two minutes; the rest is a margin.
    expiresAfter: 5 * 60_000,
    isAddress: (_, text) => isSolanaAddress(text),
    // Case matters in base58.
    isSameAddress: (one, other) => one === other,
    discover: (found, {signal}) => discoverWallets(found, timeouts, signal),
    walletOf: given => walletFrom(given, timeouts),

    async balance({chain, token}, account, {signal} = {}) {
      const read = token === undefined ? readerOf(chain, timeouts, signal) : undefined;
      return read && readCoins(read, account.address).catch(() => undefined);
    },

    reserve: ({token}) => Promise.resolve(token === undefined ? PAYMENT_LAMPORTS : 0n),

    check: (deal, {signal}) => checkDeal(deal, readerOf(deal.agreed.from.chain, timeouts, signal)),
    fund: (deal, account, options) => fundDeal(deal, account, options, timeouts),

    async findDeposit(deal, {hash, lifetime, ...options}) {
      const state = await tryRead(async () => {
        const found = await find(deal, options);
        if (!found) return 'unknown';
        const {read, program, account, payment} = found;
        const {message, blockhash: prepared} = payment.transaction;
        const blockhash = lifetime ?? prepared;
        // Read first: once the blockhash is out of date no payment can come, so what is read after that is final. Final
        // blocks do not know a blockhash that is only seconds old, so the newest are asked too.
        const mayCome = (await isAlive(read, blockhash, 'processed')) || (await isAlive(read, blockhash, 'finalized'));
        if (await readDeposit(read, program, account, 'confirmed')) return 'seen';
        const status = hash === undefined ? undefined : await statusOf(read, hash);
        if (status) return status === 'done' ? 'seen' : 'reverted';
        if (mayCome) return 'none';
        // A wallet that sent another message may have given it another blockhash, which is not known here.
        const isOurs =
          hash === undefined ||
          lifetime !== undefined ||
          (await isSignedBy(deal.agreed.owner, bytesOf(hash), message)) === true;
        return isOurs ? 'expired' : 'none';
      });
      return state ?? 'unknown';
    },

    canRefund: (deal, options) =>
      tryRead(async () => {
        const found = await find(deal, options);
        const deposit = found && (await readDeposit(found.read, found.program, found.account, 'confirmed'));
        return deposit && (await currentSlot(found.read)) > deposit.expiry;
      }),

    refund: (deal, account, options) => refundDeal(deal, account, options, timeouts),
  };
}
