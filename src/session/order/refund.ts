import type {WalletRequestUpdate} from '../../chains/adapter.js';
import {SwapError, toSwapError} from '../../domain/error.js';
import {hasSentRefund, withoutAllowance} from '../../domain/funding.js';
import type {Order} from '../../domain/order.js';
import {failed, idle, pending, ready, valueOf, type Remote} from '../../domain/remote.js';
import {change} from '../shared.js';
import type {Journal, JournalEntry} from './journal.js';
import {recordRequests, type DisplayedOrder, type OrderCore} from './shown.js';

interface Request {
  readonly what: 'refund' | 'revoke';
  readonly entry: JournalEntry;
  readonly book: Journal;
  /** The token, if it is not the order's own: then its payment is as it was, and nothing is written down. */
  readonly token?: string | undefined;
  readonly last?: string | undefined;
  show(state: Remote<string>): void;
  /** Reads the order before the prompt; `over` if there is nothing to request. */
  read?(): Promise<Order | 'over' | undefined>;
  onLate?(update: WalletRequestUpdate): void;
}

function askContract(core: OrderCore, shown: DisplayedOrder, request: Request) {
  const {what, entry, book, token, last, show, read, onLate} = request;
  const {adapter, account} = core;
  const requests = recordRequests(core, shown, book, entry.orderId, onLate);
  const ask = async () => {
    const known = await read?.();
    if (known === 'over') return undefined;
    const {family} = entry.agreed.from.chain;
    const payer = account(family);
    const {back} = await adapter(family);
    if (!payer || !back[what]) throw new SwapError('wallet-missing');
    return back[what](shown.dealOf(entry, known), payer, {
      account: payer,
      ...(token !== undefined && {token}),
      onWalletRequest: update =>
        new Promise(resolve => resolve(token === undefined ? requests.write(update) : undefined)),
    });
  };
  /** Writes down that nothing is allowed any more, with each order that relied on the same allowance. */
  const noteRevoked = async () => {
    const {from, owner} = entry.agreed;
    const {back} = await adapter(from.chain.family);
    const spenderOf = (one: JournalEntry) => back.spenderOf?.(shown.dealOf(one));
    const isSame = (one: JournalEntry) =>
      one.agreed.from.id === from.id && one.agreed.owner === owner && spenderOf(one) === spenderOf(entry);
    for (const {orderId} of book.entries.filter(isSame))
      book.note(orderId, now => ({walletRequests: withoutAllowance(now, from.chain)}));
  };
  return shown.alone(entry.orderId, {}, async () => {
    try {
      const hash = await ask();
      // An allowance of 0 without a transaction of ours may be one that is still to come.
      if (what === 'revoke' && token === undefined && hash) await noteRevoked();
      show(hash === undefined ? idle : ready(hash));
    } catch (cause) {
      show(failed(toSwapError(cause, 'wallet-unclear'), last));
      throw cause;
    } finally {
      requests.end();
    }
  });
}

export function createRefund(core: OrderCore, shown: DisplayedOrder): () => Promise<void> {
  const {$orderState, reads, evidence} = core;

  const read = async (entry: JournalEntry) => {
    // The contract pays without the service, and only once: a service that is down, or claims that all is over,
    // prevents nothing that the chain allows.
    const told = await reads.untilKnown(entry.orderId).catch(() => undefined);
    const isOver = told && (told.source.refunded ?? told.destination.redeemed);
    // If the chain cannot be read, the service's word does not prevent one attempt.
    const {isRefundOpen = !hasSentRefund(entry)} = evidence.of(entry.orderId).deposit?.value ?? {};
    return isOver && !isRefundOpen ? 'over' : told;
  };

  return async () => {
    const placed = shown.placed();
    const book = core.journal();
    const entry = placed && book.get(placed.id);
    const {refund: before} = $orderState.get();
    if (!entry || before.state === 'pending') return;
    const last = valueOf(before);
    const show = (refund: Remote<string>) => {
      if (shown.is(entry.orderId)) change($orderState, {refund});
    };
    show(pending(last));
    // The order may be being checked, for example right after a reload.
    await shown.whenFree(entry.orderId);
    await askContract(core, shown, {
      what: 'refund',
      entry,
      book,
      last,
      show,
      read: () => read(entry),
      onLate: ({hash}) => show(hash === undefined ? idle : ready(hash)),
    });
  };
}

export function createRevoke(
  core: OrderCore,
  shown: DisplayedOrder,
): (orderId: string, token?: string) => Promise<void> {
  const {$journal, journal} = core;
  return async (orderId, token) => {
    const book = journal();
    const entry = book.get(orderId);
    if (!entry || shown.isBusy(orderId) || $journal.get().revoking.state === 'pending') return;
    const show = (revoking: Remote<string>) => change($journal, {revoking: {...revoking, orderId, token}});
    show(pending());
    await askContract(core, shown, {what: 'revoke', entry, book, token, show});
  };
}
