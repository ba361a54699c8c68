import type {Asset} from '../../domain/asset.js';
import type {Deal, Deposit} from '../../domain/deposit.js';
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

  /**
   * Reads the payment into an order that this browser did not place, where the order's own terms lead to it. Only what is
   * there counts: it may lie in a contract that is not known. Nobody takes back what another paid.
   */
  const readNamedDeposit = async (told: Order, from: Asset): Promise<DepositOnChain | undefined> => {
    const {chain} = from;
    const source = await adapter(chain.family);
    for (const deposit of source.depositsOf?.(told, from) ?? []) {
      const deal = dealToRead(told, from, deposit);
      const {isRefundOpen: _, ...read} = await source.readDeposit(deal, {account: account(chain.family)});
      if (read.state === 'seen') return read;
    }
    return undefined;
  };

  const readLegs = async (
    {from, to, owner, recipient}: Ends,
    told: Order | undefined,
    ownRefunds: readonly string[],
    deposit: Promise<DepositOnChain | undefined> | undefined,
  ): Promise<SwapOnChain> => {
    const {source, destination} = told ?? {};
    const [paidIn, payout, refund] = await Promise.all(
      [
        deposit,
        to && readPayout(to, recipient, destination?.redeemed?.hashes ?? [], destination?.secretHash || undefined),
        from && readPayout(from, owner, [...ownRefunds, ...(source?.refunded?.hashes ?? [])]),
      ].map(reading => Promise.resolve(reading).catch(() => undefined)) as Readings,
    );
    return {...(paidIn && {deposit: paidIn}), ...(payout && {payout}), ...(refund && {refund})};
  };

  return {
    /** Reads both chains, as far as there is anything to be seen on them. Never rejects. */
    read: (entry: JournalEntry, told: Order | undefined): Promise<SwapOnChain> =>
      readLegs(entry.agreed, told, ownRefunds(entry), isExpected(entry, told) ? readDeposit(entry, told) : undefined),

    /** The same for an order that this browser did not place, of which the service alone says whose it is. */
    readStrangers(told: Order): Promise<SwapOnChain> {
      const {source, destination} = told;
      const {find} = config().catalogue;
      const from = find(source.asset);
      const ends = {from, to: find(destination.asset), owner: source.initiator, recipient: destination.redeemer};
      return readLegs(ends, told, [], from && source.initiated && readNamedDeposit(told, from));
    },

    /** Writes down what stays of what was read. */
    remember: (entry: JournalEntry, chain: SwapOnChain) => remember(journal(), entry, chain),
  };
}

/** Where the money of an order comes from, and where it goes. */
interface Ends {
  readonly from: Asset | undefined;
  readonly to: Asset | undefined;
  readonly owner: string;
  readonly recipient: string;
}

/** An order in the form in which a deposit is looked for. Nothing is ever paid by it. */
function dealToRead(order: Order, from: Asset, deposit: Deposit): Deal {
  const {id: orderId, source, destination} = order;
  const {amount, initiator: owner} = source;
  const {amount: receive, redeemer: recipient} = destination;
  const agreed = {from, to: from, amount, receive, atLeast: receive, owner, recipient, affiliateFees: [], solverId: ''};
  return {orderId, agreed, deposit, order, policy: {requirePins: false}};
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
 * is as this browser wrote it down, if it did.
 */
export function overlaid(
  told: Order | undefined,
  chain: SwapOnChain,
  entry: JournalEntry | undefined,
): Order | undefined {
  const order = told ?? (entry && chain.deposit?.state === 'seen' ? orderOf(entry) : undefined);
  return order && witnessed(order, chain, entry && ownRefunds(entry));
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
