/**
 * A chain in memory with one token and its swap contract, as the contract family has them: what is allowed, paid in, paid
 * back and refused, in which block, and what the contracts say of it. It speaks no family's language: `evm-ledger.ts` and
 * `starknet-ledger.ts` put it into wire formats, `memory-dialect.ts` hands it to the engine as it is.
 */
import type {Event, KeptOrder, Node, Said, Terms} from '../../src/chains/token-htlc/dialect.js';

/** What a chain or a wallet may fail with; each dialect has its own words for it. */
type Failure =
  /** The person's no. */
  | 'no'
  /** An error that says nothing certain. */
  | 'unclear'
  /** The node could not answer now. */
  | 'busy'
  /** A contract refuses. */
  | 'reverts'
  /** A contract has no such entry point. */
  | 'mute'
  /** An answer in no known form. */
  | 'strange'
  /** There is no contract. */
  | 'absent';

export class Fault extends Error {
  constructor(
    readonly failure: Failure,
    message: string = failure,
  ) {
    super(message);
  }
}

/** What a wallet can be asked to send. */
export type Call =
  | {readonly to: string; readonly what: 'approve'; readonly spender: string; readonly amount: bigint}
  | {readonly to: string; readonly what: 'initiate'; readonly terms: Terms; readonly coins: bigint}
  | {readonly to: string; readonly what: 'refund'; readonly id: string};

/** What can be asked of the chain and of the wallet. */
type Question = keyof Node<Call> | 'try' | 'chain' | 'accounts' | 'wallet chain' | 'move' | 'send' | 'sign';

/** Answers a question: `truth` gives what would be answered, `at` is the block that it is about. */
type Answer = (truth: () => unknown, at: bigint | undefined) => unknown;

interface Transaction {
  readonly hash: string;
  /** Absent while it is in none. */
  readonly block?: bigint | undefined;
  readonly isReverted: boolean;
  readonly said: readonly (readonly [by: string, said: Said])[];
  /** The chain's own coin that it sent itself. */
  readonly coins?: {readonly from: string; readonly to: string | null; readonly value: bigint};
}

type OpenOrder = {-readonly [Key in keyof KeptOrder]: KeptOrder[Key]};

export interface HtlcLedgerOptions {
  readonly token: string;
  readonly contract: string;
  /** The account of the wallet. */
  readonly owner: string;
  /** What it has of the token. */
  readonly balance: bigint;
  /** What a contract for the chain's own coin names as its token, where it has one to swap. */
  readonly coin?: string;
  /** Seconds between two blocks. */
  readonly blockSeconds?: number;
}

/** Addresses and hashes are numbers, however they are written. */
export const same = (one: string, other: string) => BigInt(one) === BigInt(other);

export abstract class HtlcLedger {
  /** Who has how much of the token, by the number of the address. */
  readonly balances = new Map<bigint, bigint>();
  /** What the swap contract may take of it. */
  readonly allowances = new Map<bigint, bigint>();
  /** By id, as this dialect writes ids. */
  readonly orders = new Map<string, OpenOrder>();
  /** Oldest first. */
  readonly transactions: Transaction[] = [];
  /** What the wallet was asked to send, oldest first: each transaction with its calls. */
  readonly sent: {readonly from: string; readonly calls: readonly Call[]}[] = [];
  /** The typed data that the wallet was asked to sign. */
  readonly typed: unknown[] = [];
  /** What the chain was asked, oldest first, and about which block. */
  readonly reads: {readonly question: Question; readonly at: bigint | undefined}[] = [];
  /** What the wallet shows to the page. */
  accounts: string[];
  coins = 10n ** 18n;
  /** What the swap contract says its token is. */
  namedToken: string;
  hasCode = true;
  /** Whether the timelock is over. */
  isLate = false;
  /** Whether the token's allowance changes from and to 0 only. */
  approvesFromZeroOnly = false;
  /** The newest block. Each transaction makes one. */
  block = 110n;
  /** Which generation's ids the contract gives its orders; or the id that it gives the next one. */
  generation: 1 | 2 | string = 1;

  readonly #options: HtlcLedgerOptions;
  readonly #instead = new Map<Question, Answer>();

  constructor(options: HtlcLedgerOptions) {
    this.#options = options;
    this.accounts = [options.owner];
    this.namedToken = options.token;
    this.balance = options.balance;
  }

  /** The requests to the wallet that open a window, by their own names. */
  abstract get windows(): readonly string[];
  /** The ids that contracts of both generations give an order. */
  abstract idsOf(terms: Terms, payer: string): readonly [string, string];
  /** The wallet is on another chain of its kind. */
  abstract leave(): void;
  /** The wallet is on this chain. */
  abstract arrive(): void;
  /** What is asked answers for another chain. */
  abstract isOther(): void;
  /** Forgets what was asked of the wallet. */
  abstract forget(): void;

  /** The same, by what they are for. */
  get opened(): readonly string[] {
    return this.windows.map(
      name => /switch|sign|send|invoke/i.exec(name)?.[0].toLowerCase().replace('invoke', 'send') ?? name,
    );
  }

  get balance(): bigint {
    return this.balances.get(BigInt(this.#options.owner)) ?? 0n;
  }

  set balance(value: bigint) {
    this.balances.set(BigInt(this.#options.owner), value);
  }

  get allowance(): bigint {
    return this.allowances.get(BigInt(this.#options.owner)) ?? 0n;
  }

  set allowance(value: bigint) {
    this.allowances.set(BigInt(this.#options.owner), value);
  }

  /** The hash of the newest transaction. */
  get newest(): string | undefined {
    return this.transactions.at(-1)?.hash;
  }

  /** Lets a question be answered otherwise from now on. */
  when(question: Question, answer: Answer): void {
    this.#instead.set(question, answer);
  }

  /** Lets questions fail from now on; without a failure they are never answered. */
  fail(failure: Failure | undefined, ...questions: readonly Question[]): void {
    for (const question of questions) {
      this.when(question, () => (failure ? Promise.reject(new Fault(failure)) : new Promise(() => undefined)));
    }
  }

  /** All is answered as it is. */
  heal(): void {
    this.#instead.clear();
  }

  /** Answers a question, or what a test wants instead. */
  async ask<T>(question: Question, truth: () => T | Promise<T>, at?: bigint): Promise<T> {
    this.reads.push({question, at});
    const instead = this.#instead.get(question);
    return (await (instead ? instead(truth, at) : truth())) as T;
  }

  /** Lets the chain have a transaction that says this. */
  mine(hash: string, more: Partial<Omit<Transaction, 'hash'>> = {}): void {
    const at = this.transactions.findIndex(one => same(one.hash, hash));
    const mined = {hash, block: 100n, isReverted: false, said: [], ...more};
    this.transactions.splice(at < 0 ? this.transactions.length : at, 1, mined);
  }

  /** Asks the wallet's account to do this, in one transaction. */
  async send(from: string, calls: readonly Call[]): Promise<string> {
    this.sent.push({from, calls});
    return this.ask('send', () => this.execute(from, calls));
  }

  /**
   * Does it; what a contract refuses is undone, and stays in its block. `isCareless`: an account that goes on where a call
   * fails, so that its transaction is well whatever came of them.
   */
  execute(from: string, calls: readonly Call[], isCareless = false): string {
    const digits = String(this.transactions.length + 7);
    const hash = `0x00${digits.repeat(62).slice(0, 62)}`;
    this.block += 1n;
    const said: Transaction['said'][number][] = [];
    let isReverted = false;
    for (const some of isCareless ? calls.map(call => [call]) : [calls]) {
      try {
        said.push(...this.#run(from, some));
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        isReverted = !isCareless;
      }
    }
    this.transactions.push({hash, block: this.block, isReverted, said});
    return hash;
  }

  /** Tries a call. @throws Fault where it would be refused */
  attempt(from: string, call: Call): Promise<void> {
    return this.ask('try', () => void this.#run(from, [call], true));
  }

  /** Does calls, one after the other, or none of them; where they are only tried, all is as it was. */
  #run(from: string, calls: readonly Call[], isTried = false): Transaction['said'] {
    const tables = [this.balances, this.allowances].map(table => [table, [...table]] as const);
    const orders = [...this.orders].map(([id, order]) => [id, order, {endedIn: undefined, ...order}] as const);
    const undo = () => {
      for (const [table, entries] of tables) {
        table.clear();
        for (const [owner, value] of entries) table.set(owner, value);
      }
      this.orders.clear();
      for (const [id, order, was] of orders) this.orders.set(id, Object.assign(order, was));
    };
    try {
      const said = calls.flatMap(call => this.#do(from, call));
      if (isTried) undo();
      return said;
    } catch (error) {
      undo();
      throw error;
    }
  }

  #do(from: string, call: Call): Transaction['said'] {
    const {token, contract, coin} = this.#options;
    const payer = BigInt(from);
    const refuse = (why: string) => new Fault('reverts', why);
    if (!same(call.to, call.what === 'approve' ? token : contract)) throw refuse('no such entry point');
    const give = (owner: bigint, amount: bigint) => this.balances.set(owner, (this.balances.get(owner) ?? 0n) + amount);
    const allowed = this.allowances.get(payer) ?? 0n;
    switch (call.what) {
      case 'approve':
        if (this.approvesFromZeroOnly && call.amount > 0n && allowed > 0n) throw refuse('approve from non-zero');
        if (same(call.spender, contract)) this.allowances.set(payer, call.amount);
        return [];
      case 'initiate': {
        const {terms, coins} = call;
        const {redeemer, amount, timelock, secretHash} = terms;
        const ofCoin = coin !== undefined && same(this.namedToken, coin);
        const {generation} = this;
        const id = typeof generation === 'string' ? generation : this.idsOf(terms, from)[generation - 1]!;
        if (this.orders.has(id)) throw refuse('duplicate order');
        const isThere = !coins && allowed >= amount && (this.balances.get(payer) ?? 0n) >= amount;
        if (ofCoin ? coins !== amount : !isThere) throw refuse('the money is not there');
        if (!ofCoin) {
          give(payer, -amount);
          this.allowances.set(payer, allowed - amount);
        }
        this.orders.set(id, {initiator: from, redeemer, amount, timelock, block: this.block, isHeld: true});
        return [[contract, {what: 'paid', id, secretHash}]];
      }
      case 'refund': {
        const order = this.orders.get(call.id);
        if (!order?.isHeld || !this.isLate) throw refuse('order not expired');
        Object.assign(order, {isHeld: false, endedIn: this.block});
        give(BigInt(order.initiator), order.amount);
        return [[contract, {what: 'refunded', id: call.id}]];
      }
    }
  }

  #require(contract: string): void {
    if (!same(contract, this.#options.contract)) throw new Fault('absent');
  }

  /** The transaction with a hash, if that can be one. */
  #find(hash: string): Transaction | undefined {
    return this.transactions.find(one => same(one.hash, hash));
  }

  #eventsOf({hash, block, said}: Transaction): readonly Event[] {
    return said.map(([by, what]) => ({by, said: what, hash, block}));
  }

  #isKnown(block: bigint): bigint {
    if (block > this.block) throw new Fault('busy', 'no such block');
    return block;
  }

  /** When a block was made, in milliseconds since 1970. */
  timeOf(block: bigint): number {
    return 1_760_000_000_000 + Number(block) * (this.#options.blockSeconds ?? 12) * 1_000;
  }

  /** The chain, as the engine reads it. */
  readonly node: Required<Node<Call>> = {
    hasCode: address => this.ask('hasCode', () => this.hasCode && same(address, this.#options.contract)),
    token: contract =>
      this.ask('token', () => {
        this.#require(contract);
        return this.namedToken;
      }),
    balance: (token, owner, at) =>
      this.ask('balance', () => (token === undefined ? this.coins : (this.balances.get(BigInt(owner)) ?? 0n)), at),
    allowance: (_, owner) => this.ask('allowance', () => this.allowances.get(BigInt(owner)) ?? 0n),
    order: (contract, id, at) =>
      this.ask(
        'order',
        () => {
          this.#require(contract);
          const order = this.orders.get(id);
          return order && order.block <= (at === undefined ? this.block : this.#isKnown(at)) ? {...order} : undefined;
        },
        at,
      ),
    events: (contract, id, of, from, to = this.block) =>
      this.ask('events', () =>
        this.transactions
          .flatMap(transaction => this.#eventsOf(transaction))
          .filter(
            ({by, said, block}) =>
              same(by, contract) &&
              said.what !== 'moved' &&
              (said.what === 'paid') === (of === 'payment') &&
              said.id === id &&
              block !== undefined &&
              from <= block &&
              block <= to,
          ),
      ),
    receipt: hash =>
      this.ask('receipt', () => {
        const found = this.#find(hash);
        return found && {isReverted: found.isReverted, block: found.block, events: this.#eventsOf(found)};
      }),
    status: hash =>
      this.ask('status', () => {
        const found = this.#find(hash);
        if (!found) return 'none';
        return found.isReverted ? 'reverted' : found.block === undefined ? 'seen' : 'done';
      }),
    head: () => this.ask('head', () => this.block),
    time: block => this.ask('time', () => this.timeOf(this.#isKnown(block)), block),
    refusalOf: async (call, from) => {
      try {
        await this.attempt(from, call);
        return undefined;
      } catch (cause) {
        if (cause instanceof Fault && cause.failure === 'reverts') return {cause};
        throw cause;
      }
    },
    sent: (hash, owner) =>
      this.ask('sent', () => {
        const {from, to, value} = this.#find(hash)?.coins ?? {from: '0x0', to: null, value: 0n};
        return (to !== null && same(to, owner) ? value : 0n) - (same(from, owner) ? value : 0n);
      }),
  };
}
