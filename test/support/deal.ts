/** Deals from the published samples of all families. */
import {readOrder, readPlaced} from '../../src/api/schema.js';
import type {Asset} from '../../src/domain/asset.js';
import type {Agreement, Deal} from '../../src/domain/deposit.js';
import type {Order} from '../../src/domain/order.js';
import {samples} from './samples.js';

export type Writable<T> = T extends bigint | string | number | boolean | undefined
  ? T
  : {-readonly [Key in keyof T]: Writable<T[Key]>};

/** A deal that a test can change. */
export interface OpenDeal<Deposit> {
  orderId: string;
  agreed: Writable<Agreement>;
  deposit: Deposit;
  order: Writable<Order>;
  policy: {unverified: 'ask' | 'stop'};
}

export const BTC: Asset = {
  id: 'bitcoin_testnet:btc',
  chain: {name: 'bitcoin_testnet', family: 'bitcoin', title: 'Bitcoin Testnet', test: true, blockSeconds: 600},
  symbol: 'BTC',
  title: 'Bitcoin',
  decimals: 8,
  contracts: [],
};

export function dealOf(
  family: keyof typeof samples,
  swap: Pick<Agreement, 'from' | 'to' | 'amount' | 'receive' | 'atLeast'>,
): Deal & {order: Order} {
  const {orderId, deposit} = readPlaced(samples[family].order.result, family);
  const order = readOrder(samples[family].status.result);
  return structuredClone({
    orderId,
    agreed: {
      ...swap,
      owner: order.source.initiator,
      recipient: order.destination.redeemer,
      affiliateFees: [],
      solverId: '',
    },
    deposit,
    order,
    policy: {unverified: 'ask'},
  });
}
