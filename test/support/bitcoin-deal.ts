import type {Chain} from '../../src/domain/asset.js';
import type {TransferDeposit} from '../../src/domain/deposit.js';
import {BTC, dealOf, type OpenDeal as DealOf, type Writable} from './deal.js';
import {WBTC} from './swap.js';

export type OpenDeal = DealOf<Writable<TransferDeposit>>;

export const MAIN: Chain = {name: 'bitcoin', family: 'bitcoin', title: 'Bitcoin', test: false, blockSeconds: 600};
export const TEST: Chain = BTC.chain;
export const STRANGER = 'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy';

/**
 * The deal of the published Bitcoin sample: 0.0005 BTC for 0.0004985 WBTC. Read back,
 * the sample holds ten times that; here it holds what was ordered.
 */
export function sampleDeal(): OpenDeal {
  const deal = dealOf('bitcoin', {from: BTC, to: WBTC}) as OpenDeal;
  Object.assign(deal.order.source, {amount: 50_000n, filled: 0n});
  deal.order.destination.amount = 49_850n;
  return deal;
}
