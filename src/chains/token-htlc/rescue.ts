import type {Leg} from '../../domain/order.js';
import type {ChainRescue, ReadOptions} from '../adapter.js';
import {tryRead} from '../errors.js';
import type {Chain} from '../../domain/asset.js';
import type {Timeouts} from '../timeouts.js';
import type {AnyDialect} from './dialect.js';

/** Finds refunds in the families with these contracts. */
export function rescueBy(dialect: AnyDialect, timeouts: Timeouts): ChainRescue {
  const nodeOf = (chain: Chain, options: ReadOptions) => dialect.node(chain, options, timeouts);
  return {
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

    tokenOf: (chain, contract, options) => tryRead(async () => (await nodeOf(chain, options))?.token(contract)),
  };
}
