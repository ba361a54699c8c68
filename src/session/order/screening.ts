import type {Chain} from '../../domain/asset.js';
import type {Agreement, Screening} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import type {SessionCore} from '../shared.js';

/**
 * Looks both addresses of an order up in the sanctions lists of their chains, if the page wants that (`policy.screen`).
 * @throws SwapError `listed` where one is, which stops the order, or only the first time.
 */
export function createScreening({config, adapter}: SessionCore) {
  /** The addresses that the visitor was told about: another press is a yes. */
  const told = new Set<string>();

  const read = async (chain: Chain, address: string) => {
    const isListed = await (await adapter(chain.family)).addresses.isListed?.(chain, address, {});
    return isListed === undefined ? 'unscreened' : isListed ? 'listed' : 'clear';
  };

  return async ({from, to, owner, recipient}: Agreement): Promise<Screening | undefined> => {
    const {screen} = config();
    if (!screen) return undefined;
    const [ofPayer, ofRecipient] = await Promise.all([read(from.chain, owner), read(to.chain, recipient)]);
    const key = `${owner} ${recipient}`;
    if ((ofPayer === 'listed' || ofRecipient === 'listed') && (screen === 'stop' || !told.has(key))) {
      told.add(key);
      throw new SwapError('listed', {field: ofPayer === 'listed' ? 'owner' : 'recipient'});
    }
    return {payer: ofPayer, recipient: ofRecipient};
  };
}
