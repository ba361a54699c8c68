import type {Asset, Chain} from '../../src/domain/asset.js';
import type {TransferDeposit} from '../../src/domain/deposit.js';
import {BTC, dealOf, type OpenDeal as DealOf, type Writable} from './deal.js';

export type OpenDeal = DealOf<Writable<TransferDeposit>>;

export const MAIN: Chain = {name: 'bitcoin', family: 'bitcoin', title: 'Bitcoin', test: false, blockSeconds: 600};
export const TEST: Chain = BTC.chain;
export const STRANGER = 'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy';

const WBTC: Asset = {
  id: 'base_sepolia:wbtc',
  chain: {name: 'base_sepolia', family: 'evm', title: 'Base Sepolia', test: true, chainId: 84532, blockSeconds: 2},
  symbol: 'WBTC',
  title: 'Wrapped Bitcoin',
  decimals: 8,
  token: '0xD8a6E3FCA403d79b6AD6216b60527F51cc967D39',
  contracts: ['0xd1E0Ba2b165726b3a6051b765d4564d030FDcf50'],
};

/**
 * The deal of the published Bitcoin sample: 0.0005 BTC for 0.0004985 WBTC. Read back,
 * the sample holds ten times that; here it holds what was ordered.
 */
export function sampleDeal(): OpenDeal {
  const deal = dealOf('bitcoin', {
    from: BTC,
    to: WBTC,
    amount: 50_000n,
    receive: 49_850n,
    atLeast: 49_600n,
  }) as OpenDeal;
  Object.assign(deal.order.source, {amount: 50_000n, filled: 0n});
  deal.order.destination.amount = 49_850n;
  return deal;
}
