/** Deals from the published samples of all families. */
import {readOrder, readPlaced} from '../../src/api/schema.js';
import {createCatalogue} from '../../src/domain/catalogue.js';
import type {Agreement, Deal} from '../../src/domain/deposit.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';
import type {Order} from '../../src/domain/order.js';
import {samples} from './samples.js';
import {assetOf} from './swap.js';

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

/** What is known on the test networks of all families. */
export const KNOWN = createCatalogue({known: ALL_KNOWN, hints: ['bitcoin_testnet:btc']});
export const BTC = assetOf('bitcoin_testnet:btc', KNOWN);

/** A published deal: 0.0005 for 0.0004985 BTC, unless something else is named. */
export function dealOf(
  family: keyof typeof samples,
  swap: Pick<Agreement, 'from'> & Partial<Agreement>,
): Deal & {order: Order} {
  const {orderId, deposit} = readPlaced(samples[family].order.result, family);
  const order = readOrder(samples[family].status.result);
  return structuredClone({
    orderId,
    agreed: {
      to: BTC,
      amount: 50_000n,
      receive: 49_850n,
      atLeast: 49_600n,
      owner: order.source.initiator,
      recipient: order.destination.redeemer,
      affiliateFees: [],
      solverId: '',
      ...swap,
    },
    deposit,
    order,
    policy: {unverified: 'ask'},
  });
}
