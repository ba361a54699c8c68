import type {ChainAdapter, ReadOptions, ReadPayoutOptions} from '../../chains/adapter.js';
import type {Asset, Chain} from '../../domain/asset.js';
import {dealOf, type Deal, type Deposit} from '../../domain/deposit.js';
import {Disagreement, payoutHashes, type DepositOnChain, type Evidence, type Fact} from '../../domain/evidence.js';
import {allowanceOf, openPayment, refundHashes, sentHashes, wasAsked} from '../../domain/funding.js';
import {writtenOrder, type Order} from '../../domain/order.js';
import type {Host, SessionConfig} from '../types.js';
import type {OrderBase} from './evidence.js';
import type {JournalEntry} from './journal.js';

interface Readers extends Pick<OrderBase, 'adapter' | 'account'>, Partial<Pick<OrderBase, 'journal'>> {
  readonly host: Pick<Host, 'now'>;
  config(): Pick<SessionConfig, 'catalogue' | 'policy'>;
}

type ChainFact = Extract<Fact<JournalEntry>, {about: 'deposit' | 'payout'}>;

interface Question {
  /** Asks it, at a time by the clock of the evidence. Never rejects: if reading fails, the fact has no value. */
  ask(askedAt: number): Promise<ChainFact>;

  /** The fact that holds while there is no response. */
  unanswered(askedAt: number): ChainFact;
}

type ReadChain<T> = (chain: Chain, options: ReadOptions) => Promise<T | undefined>;

/** How far the clocks of a chain and of this browser may differ. */
const CLOCKS_APART_MS = 2 * 3_600_000;

/** A request that was never answered would show on its chain after this long. */
const UNANSWERED_MS = 60_000;

/** The questions to chains about an order's money. */
export class Questions {
  readonly #readers: Readers;

  constructor(readers: Readers) {
    this.#readers = readers;
  }

  of(known: Evidence<JournalEntry>): readonly Question[] {
    const hashes = payoutHashes(known);
    return [
      ...(isPaymentExpected(known) ? [asking({about: 'deposit'} as const, () => this.readPayment(known))] : []),
      ...(hashes.length ? [asking({about: 'payout', hashes} as const, () => this.#readPayout(known, hashes))] : []),
    ];
  }

  /** Reads the payment into an order. Rejects if reading failed. */
  async readPayment({record, told}: Evidence<JournalEntry>): Promise<DepositOnChain> {
    if (record) return this.#readOwnDeposit(record, told?.value);
    return told ? this.#readNamedDeposit(told.value) : {state: 'unknown'};
  }

  /** The number of the newest block of an asset's chain; `undefined` if it is unread. Never rejects. */
  readHeight(asset: Asset): Promise<bigint | undefined> {
    return this.#tryChain(asset, one => one.readHeight);
  }

  /** The time by the faster of some assets' chains: Bitcoin's blocks are too far apart. `undefined` if it is unread. */
  async readTime(assets: readonly Asset[]): Promise<number | undefined> {
    const [fastest] = assets
      .filter(({chain}) => chain.blockSeconds <= 60)
      .sort((one, other) => one.chain.blockSeconds - other.chain.blockSeconds);
    return fastest && this.#timeOf(fastest);
  }

  #timeOf(asset: Asset): Promise<number | undefined> {
    return this.#tryChain(asset, one => one.readTime);
  }

  /** Reads an asset's chain; `undefined` if that fails. Never rejects. */
  async #tryChain<T>({chain}: Asset, of: (adapter: ChainAdapter) => ReadChain<T>): Promise<T | undefined> {
    const {adapter, account} = this.#readers;
    try {
      return await of(await adapter(chain.family))(chain, {account: account(chain.family)});
    } catch {
      return undefined;
    }
  }

  async #readOwnDeposit(entry: JournalEntry, told: Order | undefined): Promise<DepositOnChain> {
    const {adapter, account, config, host} = this.#readers;
    const {chain} = entry.agreed.from;
    const source = await adapter(chain.family);
    const {hash, lifetime, calls} = openPayment(entry) ?? {};
    const deal = dealOf(entry, told ?? writtenOrder(entry), config().policy);
    const {refunded, redeemed} = told?.source ?? {};
    const {unverified = false, paidAfter: after} = entry;
    const sent = sentHashes(entry, host.now() - UNANSWERED_MS);
    const ends = [...refundHashes(entry), ...(refunded?.hashes ?? []), ...(redeemed?.hashes ?? [])];
    const read = await source.readDeposit(deal, {
      account: account(chain.family),
      hash,
      lifetime,
      calls,
      given: sent && after !== undefined ? {after, hashes: sent, others: this.#paidSince(entry)} : undefined,
      ends,
      mustShow:
        unverified || isTold(told) || entry.paidIn === true || entry.seen !== undefined || entry.stage === 'expired',
    });
    return read.hashes || hash === undefined ? read : {...read, hashes: [hash]};
  }

  /** By other orders of the same account and asset, since this order's wallet was first asked. */
  #paidSince({orderId, agreed: {owner, from}, walletRequests: [first]}: JournalEntry): bigint {
    const entries = this.#readers.journal?.().entries ?? [];
    return entries
      .filter(({orderId: id, agreed}) => id !== orderId && agreed.owner === owner && agreed.from.id === from.id)
      .filter(one => (openPayment(one)?.at ?? 0) >= (first?.at ?? 0))
      .reduce((sum, {agreed}) => sum + agreed.amount, 0n);
  }

  /**
   * Reads the payment into an order that this browser did not place, if it can be found by the order's own terms. Only
   * its presence counts: it may be in an unknown contract. Nobody can refund another's payment.
   */
  async #readNamedDeposit(told: Order): Promise<DepositOnChain> {
    const {adapter, account, config} = this.#readers;
    const {source, destination} = told;
    const from = config().catalogue.find(source.asset);
    if (!from) return {state: 'unknown'};
    const chain = await adapter(from.chain.family);
    const ends = [...(source.refunded?.hashes ?? []), ...(source.redeemed?.hashes ?? [])];
    for (const deposit of chain.depositsOf(told, from)) {
      const deal = dealToRead(told, destination.redeemer, from, deposit);
      const {isRefundOpen: _, ...read} = await chain.readDeposit(deal, {
        account: account(from.chain.family),
        ends,
        mustShow: isTold(told),
      });
      if (read.state === 'seen') return read;
    }
    return {state: 'unknown'};
  }

  /** Reads the payout to the recipient. Rejects if reading failed. */
  async #readPayout({record, told}: Evidence<JournalEntry>, hashes: readonly string[]) {
    const {adapter, account, config} = this.#readers;
    const asset = record?.agreed.to ?? config().catalogue.find(told?.value.destination.asset ?? '');
    if (!asset) return 'unreadable';
    const {family} = asset.chain;
    const recipient = record?.agreed.recipient ?? told?.value.destination.redeemer ?? '';
    const target = await adapter(family);
    const read = await target.readPayout(asset, recipient, hashes, {
      account: account(family),
      ...tieOf(record, told?.value),
      ...(await this.#ageOf(asset, record, told?.value)),
    });
    return read ?? 'unreadable';
  }

  /**
   * From when on a payout may be an order's: a service may name the transaction of an earlier one. Age is compared by
   * the height of the payout's chain. If that was not read, block times are compared with the later of the times that
   * the service and this browser report, less what clocks may differ. A service's time far ahead of this browser's is
   * not believed: it would hide a real payout. One far behind may be true, or let an older payout pass. Then the chain
   * decides: its time, less what has passed since the order was placed, and two hours more.
   */
  async #ageOf(
    asset: Asset,
    record: JournalEntry | undefined,
    told: Order | undefined,
  ): Promise<Pick<ReadPayoutOptions, 'after' | 'since'>> {
    if (record?.payoutAfter !== undefined) return {after: record.payoutAfter};
    const created = told?.createdAt ?? 0;
    const placed = record ? record.placedAt + (record.ahead ?? 0) : created;
    if (record && created < placed - CLOCKS_APART_MS) {
      const now = await this.#timeOf(asset);
      const passed = Math.max(this.#readers.host.now() - record.placedAt, 0);
      if (now !== undefined) return {since: now - passed - CLOCKS_APART_MS};
    }
    return {since: (created > placed + CLOCKS_APART_MS ? placed : Math.max(created, placed)) - CLOCKS_APART_MS};
  }
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

/** Whether a payment may be visible: anybody can pay to an address, but only this browser into a contract. */
function isPaymentExpected({record, told}: Evidence<JournalEntry>): boolean {
  if (!record) return isTold(told?.value);
  if (record.unverified && allowanceOf(record)) return true;
  return record.deposit.how === 'transfer' || wasAsked(record) || record.seen !== undefined || isTold(told?.value);
}

/** What ties a payout to an order: the order's own when it was checked, otherwise what is said of it now. */
function tieOf(
  record: JournalEntry | undefined,
  told: Order | undefined,
): Pick<ReadPayoutOptions, 'secretHash' | 'leg'> {
  const written = record && writtenOrder(record);
  return {
    secretHash: written?.source.secretHash || told?.destination.secretHash || undefined,
    leg: (written ?? told)?.destination,
  };
}

/** Only to find its deposit: it is never paid. */
function dealToRead(order: Order, recipient: string, from: Asset, deposit: Deposit): Deal {
  const {id: orderId, source, destination} = order;
  const {amount, initiator: owner} = source;
  const {amount: receive} = destination;
  const agreed = {from, to: from, amount, receive, atLeast: receive, owner, recipient, affiliateFees: [], solverId: ''};
  return {orderId, agreed, deposit, order, policy: {unverified: 'stop'}};
}

function isTold(told: Order | undefined): boolean {
  if (!told) return false;
  const {source, destination} = told;
  return source.filled > 0n || (source.initiated ?? source.refunded ?? destination.redeemed) !== undefined;
}
