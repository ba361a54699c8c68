import {atom, type ReadableAtom, type WritableAtom} from 'nanostores';
import {attempt} from '../../domain/error.js';
import type {FeeHint} from '../../chains/adapter.js';
import type {Order} from '../../domain/order.js';
import type {Stage, Standing} from '../../domain/stage.js';
import {idle, type Remote} from '../../domain/remote.js';
import type {JournalEntry} from './journal.js';
import type {FundingProgress, PlacedOrder} from '../types.js';

/** What is known of orders. The form stands before anybody needs it; the code that fills it in is loaded with the first order. */
export interface OrderStores {
  readonly $order: WritableAtom<Remote<PlacedOrder>>;
  readonly $funding: WritableAtom<FundingProgress>;
  readonly $refund: WritableAtom<Remote<string>>;
  readonly $refundOpen: WritableAtom<boolean | undefined>;
  readonly $fee: WritableAtom<FeeHint | undefined>;
  readonly $status: WritableAtom<Remote<Order>>;
  readonly $readAt: WritableAtom<number | undefined>;
  readonly $movedBackFrom: WritableAtom<Stage | undefined>;
  readonly $journal: WritableAtom<readonly JournalEntry[]>;
  /** How many finished orders had to make room for a new one, in a storage that is full. */
  readonly $removed: WritableAtom<number>;
  /** Where the shown order stands; `undefined` where none is shown or nothing is known of it yet. */
  readonly $standing: WritableAtom<Standing | undefined>;
}

/** No order is funded. */
export const NO_FUNDING: FundingProgress = {way: 'transaction', plan: [], walletRequests: [], unclear: false};

/** Makes the stores of one widget. */
export function createOrderStores(): OrderStores {
  return {
    $order: atom<Remote<PlacedOrder>>(idle),
    $funding: atom(NO_FUNDING),
    $refund: atom<Remote<string>>(idle),
    $refundOpen: atom<boolean | undefined>(),
    $fee: atom<FeeHint | undefined>(),
    $status: atom<Remote<Order>>(idle),
    $readAt: atom<number | undefined>(),
    $movedBackFrom: atom<Stage | undefined>(),
    $journal: atom<readonly JournalEntry[]>([]),
    $removed: atom(0),
    $standing: atom<Standing | undefined>(),
  };
}

/** A listener of the page's that throws breaks nothing but itself: whatever changed the store goes on. */
export function shelter($store: ReadableAtom): void {
  const {listen} = $store;
  $store.listen = listener =>
    listen((...change) => {
      attempt(() => listener(...change));
    });
}
