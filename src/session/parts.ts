import {lazy, type Lazy} from '../domain/lazy.js';
import type {Wallets} from './accounts.js';
import type {Orders} from './order/orders.js';
import type {Review} from './review.js';
import type {AddressRules, SessionCore} from './shared.js';

/** What of a session loads when it is first needed, each part as a whole. */
export interface Parts {
  readonly addresses: Lazy<AddressRules>;
  readonly accounts: Lazy<Wallets>;
  readonly review: Lazy<Review>;
  readonly orders: Lazy<Orders>;
}

export function createParts(core: SessionCore): Parts {
  const orders: Lazy<Orders> = lazy(
    () => import('./order/orders.js'),
    ({createOrders}) => createOrders(core),
  );
  return {
    addresses: lazy(
      () => import('./addresses.js'),
      ({createAddresses}) => createAddresses(core),
    ),
    accounts: lazy(
      () => import('./accounts.js'),
      ({createWallets}) => createWallets(core),
    ),
    review: lazy(
      () => import('./review.js'),
      ({createReview}) => createReview(core, orders),
    ),
    orders,
  };
}
