import type {ChainAdapter, Addresses, ReadOptions, TakingBack, Wallets} from '../chains/adapter.js';
import {mismatch, tryRead} from '../chains/errors.js';
import {evmContracts} from '../chains/evm/dialect.js';
import * as evm from '../chains/evm/wallets.js';
import {contextOf} from '../chains/funding.js';
import {refundDeal} from '../chains/solana/fund.js';
import {paymentIn, soughtPayment, swapAccount} from '../chains/solana/htlc.js';
import {callsOf, readerOf, readHeight, readLanded} from '../chains/solana/rpc.js';
import {base64, isSolanaAddress, writeTransaction} from '../chains/solana/transaction.js';
import {discoverWallets} from '../chains/solana/wallets.js';
import {readDeposit} from '../chains/solana/witness.js';
import {starknetContracts} from '../chains/starknet/dialect.js';
import * as starknet from '../chains/starknet/wallets.js';
import {TIMEOUTS} from '../chains/timeouts.js';
import type {AnyContractDialect} from '../chains/token-htlc/dialect.js';
import {refundFrom} from '../chains/token-htlc/fund.js';
import {readPaid} from '../chains/token-htlc/witness.js';
import type {Chain, ChainFamily} from '../domain/asset.js';
import type {Deal, Deposit} from '../domain/deposit.js';
import type {Leg} from '../domain/order.js';
import type {PaidTerms} from '../domain/rescue.js';

/**
 * All that the rescue page needs of a family: finding a payment into a contract, and taking it back, if nothing is left
 * but the chain and a wallet. It is less than an adapter, so that the page stays small.
 */
export interface ChainRescue extends Pick<ChainAdapter, 'readDeposit' | 'readHeight'> {
  readonly isSameAddress: Addresses['isSameAddress'];
  readonly discover: Wallets['discover'];
  readonly refund: NonNullable<TakingBack['refund']>;
  /** The deposit with these terms, for `readDeposit` and `refund`. Throws for invalid terms. */
  depositOf(terms: PaidTerms, chain: Chain): Deposit;
  /** A transaction's payments into swaps, by the contracts' own records. Rejects if reading failed. */
  paymentsIn(chain: Chain, hash: string, options: ReadOptions): Promise<readonly PaidTerms[]>;
  /** The token that was paid into a contract; `undefined` if it was none, or the chain cannot be read. */
  tokenOf(chain: Chain, terms: PaidTerms, options: ReadOptions): Promise<string | undefined>;
  /**
   * Whether a refund call gives the contract the signer's rights. An unknown contract could abuse them, so only an
   * account that the call does not name may sign.
   */
  readonly handsRightsOn: boolean;
}

function rescueBy(dialect: AnyContractDialect, discover: ChainRescue['discover']): ChainRescue {
  const nodeOf = (chain: Chain, options: ReadOptions) => dialect.node(chain, options, TIMEOUTS);
  const paidBy = (deal: Deal) => {
    const payload: unknown = dialect.payload(deal);
    if (!payload) throw mismatch('call');
    return {contract: dialect.contract(payload), terms: dialect.terms(payload)};
  };
  return {
    discover,
    isSameAddress: (one, other) => dialect.address(one) === dialect.address(other),
    // A called contract gets none of its caller's rights.
    handsRightsOn: false,

    depositOf({contract, payer, redeemer, amount, timelock, secretHash}, chain) {
      if (![contract, payer, redeemer].every(one => dialect.isContract(one))) throw new TypeError('no address');
      if (timelock > BigInt(Number.MAX_SAFE_INTEGER)) throw new TypeError('timelock');
      const leg: Partial<Leg> = {redeemer, amount, timelock: Number(timelock), secretHash};
      return dialect.deposit(leg as Leg, contract, chain);
    },

    async paymentsIn(chain, hash, options) {
      const node = dialect.hash(hash) === undefined ? undefined : await nodeOf(chain, options);
      const receipt = await node?.receipt(hash);
      if (!node || !receipt || receipt.isReverted) return [];
      const found = receipt.events.map(async ({by, said}) => {
        if (said.what !== 'paid') return [];
        const kept = await node.order(by, said.id);
        if (!kept) return [];
        const {initiator: payer, redeemer, amount, timelock} = kept;
        return [{contract: by, payer, redeemer, amount, timelock, secretHash: said.secretHash}];
      });
      return (await Promise.all(found)).flat();
    },

    async readDeposit(deal, options) {
      const node = await nodeOf(deal.agreed.from.chain, options);
      return node ? readPaid(dialect, node, deal, paidBy(deal), options) : {state: 'unknown'};
    },

    readHeight: (chain, options) => tryRead(async () => (await nodeOf(chain, options))?.head()),

    async refund(deal, account, options) {
      const context = contextOf(deal, options, TIMEOUTS);
      const sender = await dialect.sender(context.deal, account, context);
      options.signal?.throwIfAborted();
      return refundFrom(dialect, paidBy(context.deal), sender, context);
    },

    tokenOf: (chain, {contract}, options) => tryRead(async () => (await nodeOf(chain, options))?.token(contract)),
  };
}

/** A placeholder blockhash: the transaction can never be sent. */
const NO_BLOCKHASH = '11111111111111111111111111111111';

const solana: ChainRescue = {
  discover: (found, {signal}) => discoverWallets(found, TIMEOUTS, signal),
  // Base58 is case-sensitive.
  isSameAddress: (one, other) => one === other,
  // A called program has the signatures of all accounts it is called with.
  handsRightsOn: true,

  depositOf({contract: program, payer, ...terms}) {
    if (![program, payer, terms.redeemer].every(isSolanaAddress)) throw new TypeError('no address');
    const call = soughtPayment(program, payer, terms);
    if (!call) throw new TypeError('no terms');
    const transaction = base64(writeTransaction(payer, NO_BLOCKHASH, call));
    return {how: 'wallet', ways: ['transaction'], payload: {family: 'solana', transaction}};
  },

  async paymentsIn(chain, hash, {signal}) {
    const read = readerOf(chain, TIMEOUTS, signal);
    const landed = read && (await readLanded(read, hash));
    const found = (landed ? callsOf(landed) : []).map(async call => {
      const paid = paymentIn(call);
      if (!paid) return [];
      const {program, payer, terms, account} = paid;
      const isTheirs = (await swapAccount(program, payer, terms)) === account;
      return isTheirs ? [{...terms, contract: program, payer}] : [];
    });
    return (await Promise.all(found)).flat();
  },

  async readDeposit(deal, {signal, ...known}) {
    const read = readerOf(deal.agreed.from.chain, TIMEOUTS, signal);
    return read ? readDeposit(read, deal, known) : {state: 'unknown'};
  },

  readHeight: (chain, {signal}) =>
    tryRead(async () => {
      const read = readerOf(chain, TIMEOUTS, signal);
      return read && readHeight(read);
    }),

  refund: (deal, account, options) => refundDeal(deal, account, options, TIMEOUTS),

  // The program for tokens takes any, so its call has to say which.
  tokenOf: (_, {token}) => Promise.resolve(token),
};

/** What finds and takes back payments, in the families whose contracts refund them. On Bitcoin only the service can. */
export const rescues: Partial<Record<ChainFamily, ChainRescue>> = {
  evm: rescueBy(evmContracts, (found, {signal}) => evm.discoverWallets(found, TIMEOUTS, signal)),
  solana,
  starknet: rescueBy(starknetContracts, (found, {signal}) => starknet.discoverWallets(found, TIMEOUTS, signal)),
};
