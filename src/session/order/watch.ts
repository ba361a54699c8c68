import {batch} from 'nanostores';
import type {ChainAdapter, DepositState} from '../../chains/adapter.js';
import type {WalletRequest} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import {openPayment} from '../../domain/funding.js';
import type {Order} from '../../domain/order.js';
import {plainText, type SwapOnChain} from '../../domain/witness.js';
import type {Host} from '../types.js';
import type {JournalEntry} from './journal.js';
import {settlePayment} from './requests.js';
import {isOutOfDate, type OrderCore, type ShownOrder} from './shown.js';
import type {Witness} from './witness.js';

/** How often a chain is asked about fees: they change with its blocks. */
const FEE_PAUSE_MS = 30_000;

/** How far a node may be behind its chain. */
const NODE_LAG_MS = 60_000;

/** What the chain says of the order on the screen. */
export type Watching = ReturnType<typeof createWatching>;

export function createWatching(core: OrderCore, shownOrder: ShownOrder, witness: Witness) {
  const {$chain, $refundOpen, $standing, $fee, host, journal, tell} = core;
  const {busy, isShown, show, dealOf, sourceOf} = shownOrder;
  /** The payment whose fee was asked for last, and when. */
  let feeAsked = {of: '', at: 0};
  /** The order that is being looked at, and what comes of it. */
  let looking:
    {readonly orderId: string; readonly told: Order | undefined; readonly done: Promise<() => void>} | undefined;

  const forgetFee = () => {
    feeAsked = {of: '', at: 0};
    $fee.set(undefined);
  };

  const setChain = (chain: SwapOnChain) => {
    if (plainText(chain) === plainText($chain.get())) return;
    batch(() => {
      $refundOpen.set(chain.deposit?.isRefundOpen);
      $chain.set(chain);
    });
  };

  /** What the chain says of a payment that may have gone out and that the service has not seen. */
  const settle = async (asked: JournalEntry, state: DepositState) => {
    const [chain] = await sourceOf(asked);
    const book = journal();
    const payment = openPayment(asked);
    const entry = book.get(asked.orderId);
    // An earlier look that took longer may have found the same, and the person may have answered meanwhile.
    if (!payment || !entry || busy.has(entry.orderId) || !isSamePayment(openPayment(entry), payment)) return;
    const {hash, at} = payment;
    const seen = finalState(host, chain, state, at);
    if (seen === 'reverted' || seen === 'expired') {
      // The chain's own word that nothing was paid, or will be.
      settlePayment(book, entry, {state: 'refused'});
      const error = new SwapError(seen === 'expired' ? 'expired' : 'funding-reverted', {detail: hash});
      show(entry.orderId, {seen, funding: undefined, error});
      tell({type: 'error', error, orderId: entry.orderId});
      return;
    }
    if (seen === 'seen' && payment.state === 'asking' && !payment.claimed) settlePayment(book, entry, {claimed: true});
    show(entry.orderId, {seen});
  };

  const look = async (orderId: string, told: Order | undefined): Promise<() => void> => {
    const entry = journal().get(orderId);
    const chain = await (entry ? witness.read(entry, told) : told && witness.readStrangers(told));
    return () => {
      if (!chain || !isShown(orderId)) return;
      setChain(chain);
      if (!entry) return;
      witness.remember(entry, chain);
      if ($standing.get()?.stage === 'funding') settle(entry, chain.deposit?.state ?? 'unknown').catch(() => undefined);
    };
  };

  return {
    /** Forgets what the chain said: another order comes to the screen, or none. */
    reset() {
      setChain({});
      forgetFee();
    },

    /**
     * Looks at the chains for an order, once at a time. Resolves with what shows what was found, if the order is still the
     * one on the screen.
     */
    look(orderId: string, told: Order | undefined): Promise<() => void> {
      if (looking?.orderId === orderId && looking.told === told) return looking.done;
      const turn = {
        orderId,
        told,
        done: look(orderId, told).finally(() => {
          if (looking === turn) looking = undefined;
        }),
      };
      looking = turn;
      return turn.done;
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

/** What the chain says of a deposit that was asked for at a time, by now. */
export function finalState(host: Host, chain: ChainAdapter, state: DepositState, since = 0): DepositState {
  // Where the chain cannot be asked, time decides: what was signed so long ago cannot get there any more.
  if (state === 'unknown' && isOutOfDate(chain, since, host.now())) return 'expired';
  // A node that lags behind may not know yet what is still good.
  return state === 'expired' && host.now() < since + NODE_LAG_MS ? 'none' : state;
}

function isSamePayment(one: WalletRequest | undefined, other: WalletRequest): boolean {
  return one?.kind === other.kind && one.at === other.at && one.hash === other.hash && one.state === other.state;
}
