import type {WalletRequestUpdate} from '../../chains/adapter.js';
import type {WalletRequest, WalletRequestKind} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import {isPaying, mayBePaid, openPayment} from '../../domain/funding.js';
import type {Journal, JournalEntry} from './journal.js';
import type {OrderCore, ShownOrder} from './shown.js';

/**
 * Writes down and shows the wallet requests of one call to an adapter, and what came of each. An answer that comes after
 * the call gave up waiting (`end`) goes to its own request, whatever came after that, and is handed to `onLate`.
 */
export function recordRequests(
  {$funding, host, tracking}: OrderCore,
  {show}: ShownOrder,
  journal: Journal,
  orderId: string,
  onLate: (update: WalletRequestUpdate) => void = () => undefined,
) {
  const places = new Map<WalletRequestKind, number>();
  let isOver = false;
  return {
    write(update: WalletRequestUpdate) {
      const {kind, state} = update;
      const place = state === 'asking' ? undefined : places.get(kind);
      places.set(kind, writeRequest(journal, orderId, {at: host.now(), ...update}, place));
      if (!isOver) {
        show(orderId, {asking: state === 'asking' ? kind : undefined});
        return;
      }
      onLate(update);
      show(orderId, {...($funding.get().error?.code === 'wallet-unclear' && {error: undefined})});
      tracking.readNow();
    },
    end() {
      isOver = true;
    },
  };
}

/** These lose nothing if they are made twice: a contract pays back once, and an allowance is taken back to nothing. */
const HARMLESS: ReadonlySet<WalletRequestKind> = new Set<WalletRequestKind>(['refund', 'revoke']);

/**
 * Writes down a wallet request, or what came of it; returns its place among the order's. What moves money is not asked if
 * it cannot be written down. `place`: that of the request which is answered, where it is known.
 */
function writeRequest(journal: Journal, orderId: string, request: WalletRequest, place?: number): number {
  const {kind, state} = request;
  let at = -1;
  try {
    if (state === 'asking' && !journal.get(orderId)) throw new SwapError('storage');
    journal.update(orderId, entry => {
      const {walletRequests: requests} = entry;
      // Browsers without Web Locks let two tabs come this far: the one that wrote first asks.
      if (state === 'asking' && isPaying(kind) && mayBePaid(entry))
        throw new SwapError('wallet-unclear', {field: 'asked'});
      if (state !== 'asking') at = place ?? requests.findLastIndex(one => one.kind === kind && one.state === 'asking');
      if (requests[at]?.kind === kind) return {walletRequests: requests.with(at, request)};
      at = requests.length;
      return {walletRequests: [...requests, request]};
    });
  } catch (error) {
    if (!HARMLESS.has(kind)) throw error;
  }
  return at;
}

/** Writes down what became of the payment that may have gone out. */
export function settlePayment(journal: Journal, {orderId}: JournalEntry, change: Partial<WalletRequest>): void {
  journal.update(orderId, entry => {
    const open = openPayment(entry);
    return {
      walletRequests: entry.walletRequests.map(request => (request === open ? {...request, ...change} : request)),
    };
  });
}
