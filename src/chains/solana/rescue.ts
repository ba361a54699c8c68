import type {ChainRescue} from '../adapter.js';
import {TIMEOUTS} from '../timeouts.js';
import {decodeInitiate, initiateInstruction, swapAccount} from './htlc.js';
import {callsOf, readerOf, readLanded} from './rpc.js';
import {base64, isSolanaAddress, writeTransaction} from './transaction.js';

/** A placeholder blockhash: the transaction can never be sent. */
const NO_BLOCKHASH = '11111111111111111111111111111111';

/** The index of the payer in the accounts of the initiating call, after the swap's account. */
const PAYER_AT = 1;

/** Finds refunds by the swap program for SOL. */
export const rescue: ChainRescue = {
  // A called program has the signatures of all accounts it is called with.
  handsRightsOn: true,

  depositOf({contract: program, payer, ...terms}) {
    if (![program, payer, terms.redeemer].every(isSolanaAddress)) throw new TypeError('no address');
    // Only the call's data is used, and the account with its money is derived again.
    const call = initiateInstruction({program, account: payer, payer, terms});
    if (!call) throw new TypeError('no terms');
    const transaction = base64(writeTransaction(payer, NO_BLOCKHASH, call));
    return {how: 'wallet', ways: ['transaction'], payload: {family: 'solana', transaction}};
  },

  async paymentsIn(chain, hash, {signal}) {
    const read = readerOf(chain, TIMEOUTS, signal);
    const landed = read && (await readLanded(read, hash));
    const found = (landed ? callsOf(landed) : []).map(async ({program, accounts, data}) => {
      const terms = decodeInitiate({data});
      const payer = accounts[PAYER_AT];
      if (!terms || payer === undefined) return [];
      return (await swapAccount(program, payer, terms.secretHash)) === accounts[0]
        ? [{...terms, contract: program, payer}]
        : [];
    });
    return (await Promise.all(found)).flat();
  },

  // The program only supports SOL.
  tokenOf: () => Promise.resolve(undefined),
};
