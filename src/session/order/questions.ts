import {depositBy, type Asset} from '../../domain/asset.js';
import {dealOf, type Deal, type Deposit} from '../../domain/deposit.js';
import {Disagreement, payoutHashes, type DepositOnChain, type Evidence, type Fact} from '../../domain/evidence.js';
import {openPayment, refundHashes, wasAsked} from '../../domain/funding.js';
import {writtenOrder, type Order} from '../../domain/order.js';
import type {SessionConfig} from '../types.js';
import type {OrderBase} from './evidence.js';
import type {JournalEntry} from './journal.js';

/** What the chains are asked about an order's money. */
export type Questions = ReturnType<typeof createQuestions>;

/** What asking needs: the settings, the families' code, and the accounts whose wallets may be asked to read their chain. */
interface Readers extends Pick<OrderBase, 'adapter' | 'account'> {
  config(): Pick<SessionConfig, 'catalogue' | 'policy'>;
  /**
   * Of an order that this browser did not place: it was paid into this contract, or, without a name, into one that is known.
   * What those do not keep is nowhere. Absent: it may lie in one that is not known.
   */
  readonly paidInto?: {readonly contract: string | undefined} | undefined;
}

/** What a chain answers. */
type ChainFact = Extract<Fact<JournalEntry>, {about: 'deposit' | 'payout'}>;

/** One question to a chain. */
interface Question {
  /** Asks it, at a time by this browser's clock. Never rejects: where reading failed, the fact has no value. */
  ask(askedAt: number): Promise<ChainFact>;

  /** What is known by asking for as long as no answer comes. */
  unanswered(askedAt: number): ChainFact;
}

/** How far the clocks of a chain and of this browser may be apart. */
const CLOCKS_APART_MS = 2 * 3_600_000;

export function createQuestions({config, adapter, account, paidInto}: Readers) {
  /** Reads the payment into an order of this browser. */
  const readDeposit = async (entry: JournalEntry, told: Order | undefined): Promise<DepositOnChain> => {
    const {chain} = entry.agreed.from;
    const source = await adapter(chain.family);
    const {hash, lifetime, calls} = openPayment(entry) ?? {};
    const deal = dealOf(entry, told ?? writtenOrder(entry), config().policy);
    const {refunded, redeemed} = told?.source ?? {};
    const ends = [...refundHashes(entry), ...(refunded?.hashes ?? []), ...(redeemed?.hashes ?? [])];
    const read = await source.readDeposit(deal, {
      account: account(chain.family),
      hash,
      lifetime,
      calls,
      ends,
      mustShow: isTold(told) || entry.paidIn === true || entry.seen !== undefined || entry.stage === 'expired',
    });
    return read.hashes || hash === undefined ? read : {...read, hashes: [hash]};
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
    const {contract} = paidInto ?? {};
    const isIt = (one: string) => contract === undefined || chain.addresses.isSameAddress(one, contract);
    const deposits = chain.depositsOf?.(told, {...from, contracts: from.contracts.filter(isIt)}) ?? [];
    const states = new Set<DepositOnChain['state']>();
    for (const deposit of deposits.filter(one => one.how === 'wallet' || isIt(one.address))) {
      const deal = dealToRead(told, destination.redeemer, from, deposit);
      const {isRefundOpen: _, ...read} = await chain.readDeposit(deal, {
        account: account(from.chain.family),
        ends,
        mustShow: isTold(told),
      });
      if (read.state === 'seen') return read;
      states.add(read.state);
    }
    // Of keys that are none no address is made, so nobody paid to one.
    const isKnown = deposits.length > 0 || (depositBy(from.chain) === 'transfer' && source.delegate !== undefined);
    const isNowhere = paidInto !== undefined && isKnown && !states.has('unknown');
    return {state: isNowhere ? 'none' : 'unknown'};
  };

  /** Reads the payment into an order. Rejects where the read failed. */
  const readPayment = async ({record, told}: Evidence<JournalEntry>): Promise<DepositOnChain> => {
    if (record) return readDeposit(record, told?.value);
    return told ? readNamedDeposit(told.value) : {state: 'unknown'};
  };

  /** Reads the payment to the recipient. Rejects where the read failed. */
  const readPayout = async ({record, told}: Evidence<JournalEntry>, hashes: readonly string[]) => {
    const asset = record?.agreed.to ?? config().catalogue.find(told?.value.destination.asset ?? '');
    if (!asset) return 'unreadable';
    const {family} = asset.chain;
    const recipient = record?.agreed.recipient ?? told?.value.destination.redeemer ?? '';
    const target = await adapter(family);
    const read = await target.readPayout(asset, recipient, hashes, {
      account: account(family),
      secretHash: secretHashOf(record, told?.value),
      since: (record?.placedAt ?? told?.value.createdAt ?? 0) - CLOCKS_APART_MS,
    });
    return read ?? 'unreadable';
  };

  return {
    readPayment,

    /** What there is to ask the chains by what is known of an order. */
    of(known: Evidence<JournalEntry>): readonly Question[] {
      const hashes = payoutHashes(known);
      return [
        ...(isPaymentExpected(known) ? [asking({about: 'deposit'} as const, () => readPayment(known))] : []),
        ...(hashes.length ? [asking({about: 'payout', hashes} as const, () => readPayout(known, hashes))] : []),
      ];
    },
  };
}

function asking<Q extends {readonly about: string}, T>(question: Q, read: () => Promise<T>) {
  const unanswered = (askedAt: number) => ({...question, askedAt, value: undefined});
  return {
    async ask(askedAt: number) {
      try {
        return {...question, askedAt, value: await read()};
      } catch (failure) {
        return {...unanswered(askedAt), isDisputed: failure instanceof Disagreement};
      }
    },
    unanswered,
  };
}

/** Whether there may be anything to be seen of the payment in: any wallet can pay to an address, and only this browser's into a contract. */
function isPaymentExpected({record, told}: Evidence<JournalEntry>): boolean {
  if (!record) return isTold(told?.value);
  return record.deposit.how === 'transfer' || wasAsked(record) || record.seen !== undefined || isTold(told?.value);
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

/** Whether the service says that money moved. */
function isTold(told: Order | undefined): boolean {
  if (!told) return false;
  const {source, destination} = told;
  return source.filled > 0n || (source.initiated ?? source.refunded ?? destination.redeemed) !== undefined;
}
