import {atom, computed} from 'nanostores';
import type {FeeHint} from '../../chains/adapter.js';
import {idle, valueOf, type Remote} from '../../domain/remote.js';
import type {Stage} from '../../domain/stage.js';
import {fill} from '../pricing.js';
import type {SessionCore} from '../shared.js';
import type {FundingProgress, JournalState, ShownOrder} from '../types.js';
import type {JournalEntry} from './journal.js';

/** No order is funded. */
export const NO_FUNDING: FundingProgress = {way: 'transaction', plan: [], walletRequests: [], unclear: false};

/** What only the code of orders writes. Others read it together, as `$order` and `$journal`. */
export type OrderStores = ReturnType<typeof createOrderStores>;

export function createOrderStores() {
  return {
    $reading: atom<Remote<true>>(idle),
    $readAt: atom<number | undefined>(),
    $movedBackFrom: atom<Stage | undefined>(),
    $funding: atom(NO_FUNDING),
    $refund: atom<Remote<string>>(idle),
    $fee: atom<FeeHint | undefined>(),
    $entries: atom<readonly JournalEntry[]>([]),
    $removed: atom(0),
    $liveSignatures: atom<readonly JournalEntry[]>([]),
    $revoking: atom<Remote<string>>(idle),
  };
}

/** Puts together what elements and pages read of orders. */
export function offerOrders(core: SessionCore, stores: OrderStores): void {
  const {$reading, $readAt, $movedBackFrom, $funding, $refund, $fee} = stores;
  fill(
    core,
    core.$order,
    computed(
      [core.$placed, core.$story, $reading, $readAt, $movedBackFrom, $funding, $refund, $fee],
      (placed, story, reading, readAt, movedBackFrom, funding, refund, fee): Remote<ShownOrder> => {
        const order = valueOf(placed);
        if (!order || placed.state === 'idle') return placed as Remote<never>;
        return {...placed, value: {...order, story, reading, readAt, movedBackFrom, funding, refund, fee}};
      },
    ),
  );
  const {$entries, $removed, $liveSignatures, $revoking} = stores;
  fill(
    core,
    core.$journal,
    computed([$entries, $removed, $liveSignatures, $revoking], (entries, removed, live, revoking): JournalState => ({
      entries,
      removed,
      live,
      revoking,
    })),
  );
}
