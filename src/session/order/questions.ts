import type {Account} from '../../chains/adapter.js';
import type {Asset, ChainFamily} from '../../domain/asset.js';
import type {Deal, Deposit} from '../../domain/deposit.js';
import {
  Disagreement,
  payoutHashes,
  type DepositOnChain,
  type Evidence,
  type PayoutOnChain,
} from '../../domain/evidence.js';
import {openPayment, wasAsked} from '../../domain/funding.js';
import {orderOfTerms, type Order} from '../../domain/order.js';
import type {SessionCore} from '../shared.js';
import type {SessionConfig} from '../types.js';
import {makeDeal, type JournalEntry} from './journal.js';

/** What the chains are asked about an order's money. */
export type Questions = ReturnType<typeof createQuestions>;

/** What asking needs: the settings, the families' code, and the accounts whose wallets may be asked to read their chain. */
interface Readers extends Pick<SessionCore, 'adapter'> {
  config(): Pick<SessionConfig, 'catalogue' | 'policy'>;
  account(family: ChainFamily): Account | undefined;
}

/** How far the clocks of a chain and of this browser may be apart. */
const CLOCKS_APART_MS = 2 * 3_600_000;

export function createQuestions({config, adapter, account}: Readers) {
  /** Reads the payment into an order of this browser. */
  const readDeposit = async (entry: JournalEntry, told: Order | undefined): Promise<DepositOnChain> => {
    const {chain} = entry.agreed.from;
    const source = await adapter(chain.family);
    const {hash, lifetime, calls} = openPayment(entry) ?? {};
    const deal = makeDeal(entry, told ?? writtenOrder(entry), config().policy);
    const {refunded, redeemed} = told?.source ?? {};
    const ends = [...ownRefunds(entry), ...(refunded?.hashes ?? []), ...(redeemed?.hashes ?? [])];
    const read = await source.readDeposit(deal, {
      account: account(chain.family),
      hash,
      lifetime,
      calls,
      ends,
      mustShow: isTold(told) || entry.paidIn === true || entry.seen !== undefined || entry.stage === 'expired',
    });
    return read.state === 'seen' && !read.hashes && hash !== undefined ? {...read, hashes: [hash]} : read;
  };

  /**
   * Reads the payment into an order that this browser did not place, where the order's own terms lead to it. Only what is
   * there counts: it may lie in a contract that is not known. Nobody takes back what another paid.
   */
  const readNamedDeposit = async (told: Order): Promise<DepositOnChain> => {
    const {source, destination} = told;
    const from = config().catalogue.find(source.asset);
    if (!from) return {state: 'unknown'};
    const chain = await adapter(from.chain.family);
    const ends = [...(source.refunded?.hashes ?? []), ...(source.redeemed?.hashes ?? [])];
    for (const deposit of chain.depositsOf?.(told, from) ?? []) {
      const deal = dealToRead(told, destination.redeemer, from, deposit);
      const {isRefundOpen: _, ...read} = await chain.readDeposit(deal, {
        account: account(from.chain.family),
        ends,
        mustShow: isTold(told),
      });
      if (read.state === 'seen') return read;
    }
    return {state: 'unknown'};
  };

  return {
    /** Whether there may be anything to be seen of the payment in. */
    isDepositExpected: ({record, told}: Evidence<JournalEntry>): boolean =>
      record ? isExpected(record, told?.value) : told?.value.source.initiated !== undefined,

    /** Asks the source chain. Rejects where the read failed. */
    readDeposit: ({record, told}: Evidence<JournalEntry>): Promise<DepositOnChain> =>
      record
        ? readDeposit(record, told?.value)
        : told
          ? readNamedDeposit(told.value)
          : Promise.resolve({state: 'unknown'}),

    /** Asks the destination chain. Rejects where the read failed. */
    async readPayout(evidence: Evidence<JournalEntry>): Promise<PayoutOnChain | 'unreadable'> {
      const {record, told} = evidence;
      const asset = record?.agreed.to ?? config().catalogue.find(told?.value.destination.asset ?? '');
      if (!asset) return 'unreadable';
      const {family} = asset.chain;
      const recipient = record?.agreed.recipient ?? told?.value.destination.redeemer ?? '';
      const read = await (
        await adapter(family)
      ).readPayout(asset, recipient, payoutHashes(evidence), {
        account: account(family),
        secretHash: secretHashOf(record, told?.value),
        since: (record?.placedAt ?? told?.value.createdAt ?? 0) - CLOCKS_APART_MS,
      });
      return read ?? 'unreadable';
    },
  };
}

/** Asks a chain one question, at a time by this browser's clock. A read that failed gives an answer without a value: it proves nothing. */
export async function answerTo<T>(read: () => Promise<T>, askedAt: number) {
  let isDisputed = false;
  const value = await read().catch((failure: unknown) => {
    isDisputed = failure instanceof Disagreement;
    return undefined;
  });
  return {askedAt, value, isDisputed};
}

/** The hash that ties a payout to an order: as the order said when it was checked, else as it says now. */
function secretHashOf(record: JournalEntry | undefined, told: Order | undefined): string | undefined {
  return (record && writtenOrder(record)?.source.secretHash) || told?.destination.secretHash || undefined;
}

/** An order in the form in which a deposit is looked for. Nothing is ever paid by it. */
function dealToRead(order: Order, recipient: string, from: Asset, deposit: Deposit): Deal {
  const {id: orderId, source, destination} = order;
  const {amount, initiator: owner} = source;
  const {amount: receive} = destination;
  const agreed = {from, to: from, amount, receive, atLeast: receive, owner, recipient, affiliateFees: [], solverId: ''};
  return {orderId, agreed, deposit, order, policy: {requirePins: false}};
}

/** Whether there may be a deposit: any wallet can pay to an address, and only this browser's wallet into a contract. */
function isExpected(entry: JournalEntry, told: Order | undefined): boolean {
  return entry.deposit.how === 'transfer' || wasAsked(entry) || entry.seen !== undefined || isTold(told);
}

/** Whether the service says that money moved. */
function isTold(told: Order | undefined): boolean {
  const {source, destination} = told ?? {};
  return (source?.initiated ?? source?.refunded ?? destination?.redeemed) !== undefined;
}

/** The order as this browser knows it, without its service. */
function writtenOrder({terms, placedAt}: JournalEntry): Order | undefined {
  return terms && orderOfTerms(terms, placedAt);
}

/** The transactions by which this browser's wallet took the money back, as far as they are known. */
function ownRefunds({walletRequests}: JournalEntry): readonly string[] {
  return walletRequests.flatMap(({kind, hash}) => (kind === 'refund' && hash !== undefined ? [hash] : []));
}
