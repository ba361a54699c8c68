import type {ChainAdapter} from '../../chains/adapter.js';
import {splitAssetId, type ChainFamily} from '../../domain/asset.js';
import {SwapError} from '../../domain/error.js';
import {compareFees, feesText} from '../../domain/fees.js';
import type {Order} from '../../domain/order.js';
import type {Journal} from './journal.js';
import type {SessionConfig, SessionEvent} from '../types.js';

/**
 * Holds the affiliate fees of orders of this browser against those that were sent with them, and tells the page once where
 * one was dropped or goes elsewhere. Answers what is called with each order as read.
 */
export function createFeeWatch({
  config,
  journal,
  adapter,
  tell,
}: {
  readonly config: () => SessionConfig;
  readonly journal: () => Journal;
  readonly adapter: (family: ChainFamily) => Promise<ChainAdapter>;
  readonly tell: (event: SessionEvent) => void;
}): (order: Order) => Promise<void> {
  const told = new Set<string>();
  /** What was read of an order's fees when they were found to be right, or not to be told. */
  const looked = new Map<string, string>();

  return async ({id, affiliateFees: charged}) => {
    const book = journal();
    const entry = book.get(id);
    if (!charged || !entry || entry.feesTold || told.has(id)) return;
    const {affiliateFees: agreed} = entry.agreed;
    const text = feesText(charged);
    if (looked.get(id) === text) return;

    const {catalogue} = config();
    const chainOf = (asset: string) => catalogue.findChain(splitAssetId(asset)?.chain ?? '');
    const families = new Set(agreed.flatMap(({asset}) => chainOf(asset)?.family ?? []));
    const known = new Map(
      await Promise.all([...families].map(async family => [family, await adapter(family)] as const)),
    );
    const outcome = compareFees(agreed, charged, (asset, one, other) => {
      const chain = chainOf(asset);
      return chain && known.get(chain.family)?.isSameAddress(one, other);
    });
    looked.set(id, text);
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
}
