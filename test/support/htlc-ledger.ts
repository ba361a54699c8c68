/**
 * A chain in memory with one token and its swap contract, as in the contract family: allowances, payments, refunds and
 * reverts by block, and the contracts' events. It has no family's format: `evm-ledger.ts` and `starknet-ledger.ts`
 * convert it to wire formats.
 */
import type {Event, KeptOrder, Node, Said, Terms} from '../../src/chains/token-htlc/dialect.js';

/** The failures of a chain or a wallet; each dialect has its own errors for them. */
type Failure =
  | 'no'
  | 'unclear'
  | 'busy'
  | 'reverts'
  | 'mute'
  /** A result of an unknown form. */
  | 'strange'
  | 'absent';

export class Fault extends Error {
  constructor(
    readonly failure: Failure,
    message: string = failure,
  ) {
    super(message);
  }
}

/** The calls that a wallet can be asked to send. */
export type Call =
  | {readonly to: string; readonly what: 'approve'; readonly spender: string; readonly amount: bigint}
  | {readonly to: string; readonly what: 'initiate'; readonly terms: Terms; readonly coins: bigint}
  | {readonly to: string; readonly what: 'refund'; readonly id: string};

type Question = keyof Node<Call> | 'try' | 'chain' | 'accounts' | 'wallet chain' | 'move' | 'send' | 'sign';

/** Answers a question: `truth` returns the real answer, `at` is the block in question. */
type Answer = (truth: () => unknown, at: bigint | undefined) => unknown;

interface Transaction {
  readonly hash: string;
  /** Absent while it is unconfirmed. */
  readonly block?: bigint | undefined;
  readonly isReverted: boolean;
  readonly said: readonly (readonly [by: string, said: Said])[];
  readonly nonce?: bigint;
  /** The native coin that it sent itself. */
  readonly coins?: {readonly from: string; readonly to: string | null; readonly value: bigint};
}

type OpenOrder = {-readonly [Key in keyof KeptOrder]: KeptOrder[Key]};

export interface HtlcLedgerOptions {
  readonly token: string;
  readonly contract: string;
  readonly owner: string;
  readonly balance: bigint;
  /** The token address in contracts for the native coin, if it can be swapped. */
  readonly coin?: string;
  /** Seconds between two blocks. */
  readonly blockSeconds?: number;
}

/** Addresses and hashes are compared as numbers. */
export const same = (one: string, other: string) => BigInt(one) === BigInt(other);

export abstract class HtlcLedger {
  readonly balances = new Map<bigint, bigint>();
  readonly allowances = new Map<bigint, bigint>();
  /** By id, in this dialect's form. */
  readonly orders = new Map<string, OpenOrder>();
  /** Oldest first. */
  readonly transactions: Transaction[] = [];
  /** The transactions that the wallet was asked to send, oldest first, with their calls. */
  readonly sent: {readonly from: string; readonly calls: readonly Call[]}[] = [];
  readonly typed: unknown[] = [];
  /** The questions to the chain, oldest first, with their blocks. */
  readonly reads: {readonly question: Question; readonly at: bigint | undefined}[] = [];
  accounts: string[];
  coins = 10n ** 18n;
  /** The swap contract's token according to itself. */
  namedToken: string;
  hasCode = true;
  /** Another token, with the same balances and allowances. */
  other: string | undefined;
  /** A contract whose calls use up a lot of gas. */
  dear: string | undefined;
  /** Whether the timelock is over. */
  isLate = false;
  /** Whether the token's allowance can only change from or to 0. */
  approvesFromZeroOnly = false;
  /** The newest block. Each transaction creates one. */
  block = 110n;
  nonce = 0n;
  /** The generation whose ids the contract uses; or the id of its next order. */
  generation: 1 | 2 | string = 1;

  readonly #options: HtlcLedgerOptions;
  readonly #instead = new Map<Question, Answer>();
  readonly #listeners = new Map<string, Set<(...values: unknown[]) => void>>();

  constructor(options: HtlcLedgerOptions) {
    this.#options = options;
    this.accounts = [options.owner];
    this.namedToken = options.token;
    this.balance = options.balance;
  }

  /** The requests to the wallet that open a window, by their own names. */
  abstract get windows(): readonly string[];
  /** An order's ids in contracts of both generations. */
  abstract idsOf(terms: Terms, payer: string): readonly [string, string];
  abstract leave(): void;
  abstract arrive(): void;
  abstract isOther(): void;
  abstract forget(): void;

  /** The same, by purpose. */
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

  on = (event: string, listener: (...values: unknown[]) => void): void => {
    this.#listeners.set(event, (this.#listeners.get(event) ?? new Set()).add(listener));
  };

  off = (event: string, listener: (...values: unknown[]) => void): void => {
    this.#listeners.get(event)?.delete(listener);
  };

  emit(event: string, ...values: unknown[]): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(...values);
  }

  get listening(): number {
    return [...this.#listeners.values()].reduce((sum, {size}) => sum + size, 0);
  }

  get newest(): string | undefined {
    return this.transactions.at(-1)?.hash;
  }

  when(question: Question, answer: Answer): void {
    this.#instead.set(question, answer);
  }

  /** Makes questions fail from now on; without a failure they get no answer. */
  fail(failure: Failure | undefined, ...questions: readonly Question[]): void {
    for (const question of questions) {
      this.when(question, () => (failure ? Promise.reject(new Fault(failure)) : new Promise(() => undefined)));
    }
  }

  heal(): void {
    this.#instead.clear();
  }

  /** Answers a question, or returns the test's override. */
  async ask<T>(question: Question, truth: () => T | Promise<T>, at?: bigint): Promise<T> {
    this.reads.push({question, at});
    const instead = this.#instead.get(question);
    return (await (instead ? instead(truth, at) : truth())) as T;
  }

  mine(hash: string, more: Partial<Omit<Transaction, 'hash'>> = {}): void {
    const at = this.transactions.findIndex(one => same(one.hash, hash));
    const mined = {hash, block: 100n, isReverted: false, said: [], ...more};
    this.transactions.splice(at < 0 ? this.transactions.length : at, 1, mined);
  }

  /** Requests this from the wallet's account, in one transaction. */
  async send(from: string, calls: readonly Call[]): Promise<string> {
    this.sent.push({from, calls});
    return this.ask('send', () => this.execute(from, calls));
  }

  /**
   * Executes it; if a contract reverts, it is undone, but stays in its block. `isCareless`: an account that continues
   * after a failed call, so that its transaction succeeds in any case.
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

  attempt(from: string, call: Call): Promise<void> {
    return this.ask('try', () => void this.#run(from, [call], true));
  }

  /** Executes calls one after the other, or none of them; a trial changes nothing. */
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
        const moved: Transaction['said'] = ofCoin ? [] : [[token, {what: 'moved', from, to: contract, value: amount}]];
        return [...moved, [contract, {what: 'paid', id, secretHash}]];
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

  #find(hash: string): Transaction | undefined {
    return this.transactions.find(one => same(one.hash, hash));
  }

  #eventsOf({hash, block, said}: Transaction): readonly Event[] {
    return said.map(([by, what]) => ({by, said: what, hash, block}));
  }

  get #events(): readonly Event[] {
    return this.transactions.flatMap(transaction => this.#eventsOf(transaction));
  }

  #isKnown(block: bigint): bigint {
    if (block > this.block) throw new Fault('busy', 'no such block');
    return block;
  }

  /** A block's time, in milliseconds since 1970. */
  timeOf(block: bigint): number {
    return 1_760_000_000_000 + Number(block) * (this.#options.blockSeconds ?? 12) * 1_000;
  }

  /** The chain, as the engine reads it. */
  readonly node: Required<Node<Call>> = {
    hasCode: address => this.ask('hasCode', () => this.hasCode && same(address, this.#options.contract)),
    token: contract =>
      this.ask('token', () => {
        this.#require(contract);
        if (!this.hasCode) throw new Fault('absent');
        return this.namedToken;
      }),
    isCheap: calls => this.ask('isCheap', () => calls.every(({to}) => !same(to, this.dear ?? '0x0'))),
    balance: (token, owner, at) =>
      this.ask('balance', () => (token === undefined ? this.coins : (this.balances.get(BigInt(owner)) ?? 0n)), at),
    allowance: (_, owner, __, at) => this.ask('allowance', () => this.allowances.get(BigInt(owner)) ?? 0n, at),
    order: (contract, id, at) =>
      this.ask(
        'order',
        () => {
          this.#require(contract);
          const order = this.orders.get(id);
          const newest = at === undefined ? this.block : this.#isKnown(at);
          return order && order.block <= newest ? {...order} : undefined;
        },
        at,
      ),
    events: (contract, id, of, from, to = this.block) =>
      this.ask(
        'events',
        () =>
          this.#events.filter(
            ({by, said, block}) =>
              same(by, contract) &&
              said.what !== 'moved' &&
              (said.what === 'paid') === (of === 'payment') &&
              said.id === id &&
              block !== undefined &&
              from <= block &&
              block <= to,
          ),
        from === to ? from : undefined,
      ),
    moves: (token, owner, since) =>
      this.ask('moves', () =>
        this.#events.filter(
          ({by, said, block}) =>
            same(by, token) && said.what === 'moved' && same(said.from, owner) && block !== undefined && block >= since,
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
    sender: hash =>
      this.ask('status', () => {
        const {nonce, coins} = this.#find(hash) ?? {};
        return nonce === undefined ? undefined : {address: coins?.from ?? this.#options.owner, nonce};
      }),
    hasUnconfirmed: () => this.ask('nonce', () => this.transactions.some(({block}) => block === undefined)),
    nonce: (_, at) => this.ask('nonce', () => this.nonce, at),
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
