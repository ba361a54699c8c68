import {splitAssetId} from '../../domain/asset.js';
import {SwapError} from '../../domain/error.js';
import {compareFees, feesText} from '../../domain/fees.js';
import type {Order} from '../../domain/order.js';
import type {OrderCore} from './shown.js';

/**
 * Checks the affiliate fees of this browser's orders against those that were sent with them, and reports to the page,
 * once, where one was dropped or goes elsewhere. Returns what is called with each order as read.
 */
export function createFeeWatch({config, journal, adapter, tell}: OrderCore): (order: Order) => void {
  const told = new Set<string>();
  /** What was read of an order's fees when they were last compared. */
  const compared = new Map<string, string>();

  const compare = async ({id, affiliateFees: charged}: Order) => {
    const book = journal();
    const entry = book.get(id);
    if (!charged || !entry || entry.feesTold || told.has(id)) return;
    const {affiliateFees: agreed} = entry.agreed;
    const text = feesText(charged);
    if (compared.get(id) === text) return;

    const {catalogue} = config();
    const chainOf = (asset: string) => catalogue.findChain(splitAssetId(asset)?.chain ?? '');
    const families = new Set(agreed.flatMap(({asset}) => chainOf(asset)?.family ?? []));
    const known = new Map(
      await Promise.all([...families].map(async family => [family, await adapter(family)] as const)),
    );
    const outcome = compareFees(agreed, charged, (asset, one, other) => {
      const chain = chainOf(asset);
      return chain && known.get(chain.family)?.addresses.isSameAddress(one, other);
    });
    compared.set(id, text);
    if (outcome !== 'other' || told.has(id)) return;

    told.add(id);
    tell({
      type: 'error',
      orderId: id,
      error: new SwapError('fees-changed', {
        field: 'affiliate_fees',
        detail: `sent: ${feesText(agreed)}; charged: ${text}`.slice(0, 500),
      }),
    });
    book.update(id, () => ({feesTold: true}));
  };

  return order => void compare(order).catch(() => undefined);
}
