import {contractsOf, presentContractsOf, type Chain} from '../../domain/asset.js';
import type {Deal} from '../../domain/deposit.js';
import type {Addresses, ChainAdapter, ReadOptions} from '../adapter.js';
import {tryRead} from '../errors.js';
import {foreseeToken} from '../funding.js';
import type {Timeouts} from '../timeouts.js';
import {checkDeal, paidTerms, readPayload} from './check.js';
import type {AnyDialect} from './dialect.js';
import {fundDeal, refundDeal, revokeDeal} from './fund.js';
import {readDeposit, readPayout} from './witness.js';

/** The part of an adapter that is the same in all families with these contracts. */
export type TokenHtlc = Required<
  Pick<ChainAdapter, 'family' | 'means' | 'check' | 'fund' | 'readDeposit' | 'depositsOf' | 'readPayout' | 'back'>
> & {readonly addresses: Pick<Addresses, 'isSameAddress'>};

export function tokenHtlc(dialect: AnyDialect, timeouts: Timeouts): TokenHtlc {
  const nodeOf = (chain: Chain, options: ReadOptions) => dialect.node(chain, options, timeouts);
  const anyNode = (...of: Parameters<typeof nodeOf>) => tryRead(() => nodeOf(...of));

  return {
    family: dialect.family,
    addresses: {isSameAddress: (one, other) => dialect.address(one) === dialect.address(other)},
    means: {
      balance: ({chain, token}, account, options = {}) =>
        tryRead(async () => {
          const node = await nodeOf(chain, {...options, account});
          return node && (token ?? dialect.coin) !== undefined ? node.balance(token, account.address) : undefined;
        }),

      foresee: ({chain, token, ...asset}, amount, account, options = {}) =>
        tryRead(async () => {
          const moves = !(await dialect.isOnChain(account, chain, timeouts, options.signal));
          if (token === undefined) return {moves, plan: ['send']};
          const [node, canBundle] = await Promise.all([
            anyNode(chain, {...options, account}),
            options.way !== 'signature' && dialect.canBundle?.(account, chain, timeouts),
          ]);
          const allowanceOf = node && ((contract: string) => node.allowance(token, account.address, contract));
          const plan = await foreseeToken(presentContractsOf(asset), amount, allowanceOf);
          if (canBundle && plan.length > 1) return {moves, plan: ['send'], isBundle: true};
          return {moves, plan: plan.map(kind => (kind === 'sign' && options.way === 'transaction' ? 'send' : kind))};
        }),
    },

    async check(deal, options) {
      return checkDeal(dialect, deal, await anyNode(deal.agreed.from.chain, options), options.others);
    },

    fund: (deal, account, options) => fundDeal(dialect, deal, account, options, timeouts),
    back: {
      termsOf(deal) {
        const payload: unknown = dialect.payload(deal);
        if (!payload || deal.unverified) return undefined;
        const reading = readPayload(dialect, deal, payload);
        const terms = paidTerms(dialect, deal, reading);
        return terms && {...terms, contract: dialect.address(reading.contract), payer: deal.agreed.owner};
      },
      refund: (deal, account, options) => refundDeal(dialect, deal, account, options, timeouts),
      revoke: (deal, account, options) => revokeDeal(dialect, deal, account, options, timeouts),
      spenderOf: deal => spenderOf(dialect, deal),
    },

    async readDeposit(deal, options) {
      const node = await nodeOf(deal.agreed.from.chain, options);
      if (!node) return {state: 'unknown'};
      const shown = await readDeposit(dialect, node, deal, options);
      const {account, calls} = options;
      // Only if the chain shows nothing, the wallet is asked where to look.
      if (!account || calls === undefined || (shown.state !== 'none' && shown.state !== 'unknown')) return shown;
      const told = await tryRead(async () => dialect.readCalls?.(calls, account, timeouts, options.signal));
      if (!told) return shown;
      const found =
        told.hash === undefined ? shown : await readDeposit(dialect, node, deal, {...options, hash: told.hash});
      // A wallet may have carried out the approval of a bundle alone.
      if (deal.unverified && found.state === 'reverted') return {state: 'unknown'};
      if (found.state !== 'none' && found.state !== 'unknown') return found;
      if (told.state === 'taken') return {...found, isTaken: true};
      return found.state === 'none' ? {state: 'reverted'} : found;
    },
    depositsOf({source}, {chain, ...asset}) {
      try {
        return contractsOf(asset).map(contract => dialect.deposit(source, contract, chain));
      } catch {
        // No contract holds a swap with terms that its call cannot carry.
        return [];
      }
    },
    async readPayout(asset, recipient, hashes, options) {
      const node = await nodeOf(asset.chain, options);
      return node && readPayout(dialect, node, asset, recipient, hashes, options);
    },
  };
}

function spenderOf(dialect: AnyDialect, deal: Deal): string | undefined {
  const payload: unknown = dialect.payload(deal);
  const contract = payload ? readPayload(dialect, deal, payload).contract : '';
  return dialect.isContract(contract) ? dialect.address(contract) : undefined;
}
