import {SwapError, toSwapError} from '../../domain/error.js';
import {hasSentRefund} from '../../domain/funding.js';
import {failed, idle, pending, ready, valueOf, type Remote} from '../../domain/remote.js';
import {change} from '../shared.js';
import type {JournalEntry} from './journal.js';
import {recordRequests, type OrderCore, type ShownOrder} from './shown.js';

/** Takes the money of the order on the screen back after the timelock. */
export function createRefund(core: OrderCore, order: ShownOrder): () => Promise<void> {
  const {$refund, tracking, evidence, journal, adapter, account} = core;
  const {shown, isShown, dealOf, alone, whenFree} = order;

  /** Asks the wallet to take the money back, unless it is back or has arrived. Returns the transaction's hash. */
  const askWallet = async (entry: JournalEntry, {write}: Pick<ReturnType<typeof recordRequests>, 'write'>) => {
    // The contract pays without the service, and pays once: a service that is gone, or says that all is over, stops nothing
    // that the chain allows.
    const read = await tracking.read(entry.orderId).catch(() => undefined);
    const isOver = read && (read.source.refunded ?? read.destination.redeemed);
    // Where the chain cannot be read, the service's word stops nobody from trying once.
    const {isRefundOpen = !hasSentRefund(entry)} = evidence.of(entry.orderId).deposit?.value ?? {};
    if (isOver && !isRefundOpen) return undefined;
    const {family} = entry.agreed.from.chain;
    const payer = account(family);
    const chain = await adapter(family);
    if (!payer || !chain.back.refund) throw new SwapError('wallet-missing');
    return chain.back.refund(dealOf(entry, read), payer, {
      account: payer,
      onWalletRequest: update => new Promise(resolve => resolve(write(update))),
    });
  };

  return async () => {
    const placed = shown();
    const book = journal();
    const entry = placed && book.get(placed.id);
    if (!entry || $refund.get().state === 'pending') return;
    const last = valueOf($refund.get());
    const showRefund = (refund: Remote<string>) => {
      if (isShown(entry.orderId)) $refund.set(refund);
    };
    const showHash = (hash: string | undefined) => showRefund(hash === undefined ? idle : ready(hash));
    showRefund(pending(last));
    // The order may be being checked, right after a reload, say.
    await whenFree(entry.orderId);
    const requests = recordRequests(core, order, book, entry.orderId, ({hash}) => showHash(hash));
    await alone(entry.orderId, {}, async () => {
      try {
        showHash(await askWallet(entry, requests));
      } catch (cause) {
        showRefund(failed(toSwapError(cause, 'wallet-unclear'), last));
        throw cause;
      } finally {
        requests.end();
      }
    });
  };
}

/** Takes back what an order's contract may take of its token. */
export function createRevoke(core: OrderCore, order: ShownOrder): (orderId: string) => Promise<void> {
  const {$journal, journal, adapter, account} = core;
  const show = (revoking: Remote<string>) => change($journal, {revoking});
  const {busy, dealOf, alone} = order;
  return async orderId => {
    const book = journal();
    const entry = book.get(orderId);
    if (!entry || busy.has(orderId) || $journal.get().revoking.state === 'pending') return;
    show(pending());
    const requests = recordRequests(core, order, book, orderId);
    await alone(orderId, {}, async () => {
      try {
        const {family} = entry.agreed.from.chain;
        const payer = account(family);
        const chain = await adapter(family);
        if (!payer || !chain.back.revoke) throw new SwapError('wallet-missing');
        const hash = await chain.back.revoke(dealOf(entry), payer, {
          account: payer,
          onWalletRequest: update => new Promise(resolve => resolve(requests.write(update))),
        });
        show(ready(hash));
      } catch (cause) {
        show(failed(toSwapError(cause, 'wallet-unclear')));
        throw cause;
      } finally {
        requests.end();
      }
    });
  };
}
