import type {ChainAdapter, DepositState} from '../../chains/adapter.js';
import type {Deal, WalletRequest} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import {openPayment} from '../../domain/funding.js';
import type {Order} from '../../domain/order.js';
import type {Host} from '../types.js';
import {settlePayment} from './requests.js';
import {isOutOfDate, type OrderCore, type ShownOrder} from './shown.js';

/** How often a chain is asked about fees: they change with its blocks. */
const FEE_PAUSE_MS = 30_000;

/** How far a node may be behind its chain. */
const NODE_LAG_MS = 60_000;

/** What the chain says of the order on the screen. */
export type Watching = ReturnType<typeof createWatching>;

export function createWatching(core: OrderCore, shownOrder: ShownOrder) {
  const {$refundOpen, $fee, host, journal, tell} = core;
  const {busy, shown, isShown, show, dealOf, sourceOf} = shownOrder;
  /** The payment whose fee was asked for last, and when. */
  let feeAsked = {of: '', at: 0};

  const forgetFee = () => {
    feeAsked = {of: '', at: 0};
    $fee.set(undefined);
  };

  return {
    /** Forgets what the chain said: another order comes to the screen, or none. */
    reset() {
      $refundOpen.set(undefined);
      forgetFee();
    },

    /** Asks the chain about a payment that may have gone out and that the service has not seen. */
    async findPayment() {
      const placed = shown();
      const book = journal();
      const entry = placed && book.get(placed.id);
      const payment = entry && openPayment(entry);
      if (!entry || !payment || busy.has(entry.orderId)) return;
      const {hash, lifetime, at, state, claimed} = payment;
      const [chain, reader] = await sourceOf(entry);
      const seen = await findDeposit(host, chain, dealOf(entry), {...reader, hash, lifetime}, at);
      const present = book.get(entry.orderId);
      // An earlier look that took longer may have found the same, and the person may have answered meanwhile.
      if (!present || busy.has(entry.orderId) || !isSamePayment(openPayment(present), payment)) return;
      if (seen === 'reverted' || seen === 'expired') {
        // The chain's own word that nothing was paid, or will be.
        settlePayment(book, entry, {state: 'refused'});
        const error = new SwapError(seen === 'expired' ? 'expired' : 'funding-reverted', {detail: hash});
        show(entry.orderId, {seen, funding: undefined, error});
        tell({type: 'error', error, orderId: entry.orderId});
      } else {
        if (seen === 'seen' && state === 'asking' && !claimed) settlePayment(book, entry, {claimed: true});
        show(entry.orderId, {seen});
      }
    },

    /** Asks the chain whether it would pay a refund now. */
    async readRefundOpen(order: Order) {
      const {id, source, destination} = order;
      const entry = journal().get(id);
      // As long as the other side's money stays, the swap can still be completed, and no refund is due.
      const otherStays = destination.initiated && !destination.refunded;
      const mayOpen = source.initiated && !source.redeemed && !source.refunded && !destination.redeemed && !otherStays;
      let open: boolean | undefined;
      if (entry && mayOpen) {
        const [chain, reader] = await sourceOf(entry);
        open = await chain.canRefund?.(dealOf(entry, order), reader);
      }
      if (isShown(id)) $refundOpen.set(open);
    },

    /** Asks the chain what the payment gives for a block, as long as it waits for one. */
    async readFee({id, source: {initiated}}: Order) {
      if (!isShown(id)) return;
      const entry = journal().get(id);
      if (!entry || !initiated || initiated.block !== undefined) {
        forgetFee();
        return;
      }
      const of = initiated.hashes.join();
      if (feeAsked.of === of && host.now() < feeAsked.at + FEE_PAUSE_MS) return;
      feeAsked = {of, at: host.now()};
      const [chain, reader] = await sourceOf(entry);
      const fee = await chain.readFee?.(dealOf(entry), reader);
      if (isShown(id) && feeAsked.of === of) $fee.set(fee);
    },
  };
}

/** Asks the chain about a deposit that was asked for at a time. */
export async function findDeposit(
  host: Host,
  chain: ChainAdapter,
  deal: Deal,
  options: Parameters<ChainAdapter['findDeposit']>[1],
  since = 0,
): Promise<DepositState> {
  const seen = await chain.findDeposit(deal, options);
  // Where the chain cannot be asked, time decides: what was signed so long ago cannot get there any more.
  if (seen === 'unknown' && isOutOfDate(chain, since, host.now())) return 'expired';
  // A node that lags behind may not know yet what is still good.
  return seen === 'expired' && host.now() < since + NODE_LAG_MS ? 'none' : seen;
}

function isSamePayment(one: WalletRequest | undefined, other: WalletRequest): boolean {
  return one?.kind === other.kind && one.at === other.at && one.hash === other.hash && one.state === other.state;
}
