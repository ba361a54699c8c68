import type {Asset} from '../../domain/asset.js';
import {openPayment, wasAsked} from '../../domain/funding.js';
import {orderOfTerms, type Order} from '../../domain/order.js';
import {witnessed, type DepositOnChain, type PayoutOnChain, type SwapOnChain} from '../../domain/witness.js';
import type {Journal, JournalEntry} from './journal.js';
import {makeDeal, type OrderCore} from './shown.js';

/** Reads from the chains what became of an order's money. */
export type Witness = ReturnType<typeof createWitness>;

export function createWitness({config, journal, adapter, account}: Omit<OrderCore, 'tracking'>) {
  const readDeposit = async (entry: JournalEntry, told: Order | undefined): Promise<DepositOnChain> => {
    const {chain} = entry.agreed.from;
    const source = await adapter(chain.family);
    const {hash, lifetime} = openPayment(entry) ?? {};
    const deal = makeDeal(entry, told ?? orderOf(entry), config().policy);
    const read = await source.readDeposit(deal, {account: account(chain.family), hash, lifetime});
    return read.state === 'seen' && !read.hashes && hash !== undefined ? {...read, hashes: [hash]} : read;
  };

  const readPayout = async (asset: Asset, receiver: string, hashes: readonly string[], secretHash?: string) => {
    if (!hashes.length) return undefined;
    const {family} = asset.chain;
    const chain = await adapter(family);
    return chain.readPayout(asset, receiver, hashes, {account: account(family), secretHash});
  };

  return {
    /** Reads both chains, as far as there is anything to be seen on them. Never rejects. */
    async read(entry: JournalEntry, told: Order | undefined): Promise<SwapOnChain> {
      const {from, to, owner, recipient} = entry.agreed;
      const {source, destination} = told ?? {};
      const paidBack = [...ownRefunds(entry), ...(source?.refunded?.hashes ?? [])];
      const [deposit, payout, refund] = await Promise.all(
        [
          isExpected(entry, told) ? readDeposit(entry, told) : undefined,
          readPayout(to, recipient, destination?.redeemed?.hashes ?? [], destination?.secretHash || undefined),
          readPayout(from, owner, paidBack),
        ].map(reading => Promise.resolve(reading).catch(() => undefined)) as Readings,
      );
      return {...(deposit && {deposit}), ...(payout && {payout}), ...(refund && {refund})};
    },

    /** Writes down what stays of what was read. */
    remember: (entry: JournalEntry, chain: SwapOnChain) => remember(journal(), entry, chain),
  };
}

/** Deposit, payout and refund. */
type Readings = [
  Promise<DepositOnChain | undefined>,
  Promise<PayoutOnChain | undefined>,
  Promise<PayoutOnChain | undefined>,
];

/** Whether there may be a deposit: any wallet can pay to an address, and only this browser's wallet into a contract. */
function isExpected(entry: JournalEntry, told: Order | undefined): boolean {
  const {source, destination} = told ?? {};
  return (
    entry.deposit.how === 'transfer' ||
    wasAsked(entry) ||
    entry.seen !== undefined ||
    (source?.initiated ?? source?.refunded ?? destination?.redeemed) !== undefined
  );
}

/** The order as this browser knows it, without its service. */
function orderOf({terms, placedAt}: JournalEntry): Order | undefined {
  return terms && orderOfTerms(terms, placedAt);
}

/**
 * The order with what the chains show laid over it. Without a word of the service, an order whose payment its chain shows
 * is as this browser wrote it down.
 */
export function overlaid(told: Order | undefined, chain: SwapOnChain, entry: JournalEntry): Order | undefined {
  const order = told ?? (chain.deposit?.state === 'seen' ? orderOf(entry) : undefined);
  return order && witnessed(order, chain, ownRefunds(entry));
}

/** The transactions by which this browser's wallet took the money back, as far as they are known. */
function ownRefunds({walletRequests}: JournalEntry): readonly string[] {
  return walletRequests.flatMap(({kind, hash}) => (kind === 'refund' && hash !== undefined ? [hash] : []));
}

/** Writes down that the recipient was paid, and whether the payer's money still lies in its contract. */
function remember(journal: Journal, {orderId, paidOut, isHeld, deposit: {how}}: JournalEntry, chain: SwapOnChain) {
  const {deposit, payout} = chain;
  const change = {
    ...(payout && payout.amount > 0n && paidOut !== payout.amount && {paidOut: payout.amount}),
    // The service alone gives back what was paid to an address.
    ...(how === 'wallet' &&
      deposit?.isHeld !== undefined &&
      deposit.isHeld !== (isHeld ?? false) && {isHeld: deposit.isHeld || undefined}),
  };
  if (!Object.keys(change).length) return;
  try {
    journal.update(orderId, () => change);
  } catch {
    // A full storage is reported where money depends on it.
  }
}
