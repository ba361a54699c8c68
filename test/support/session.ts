/**
 * A session in an environment that a test controls: the clock, the storage, the service, the chain, the wallet. Events
 * there are logged in one list, in order.
 */
import {atom, type WritableAtom} from 'nanostores';
import type {InitiateAnswer, SwapApi} from '../../src/api/client.js';
import type {Account, ChainAdapter, DepositState, ReadDepositOptions, Wallet} from '../../src/chains/adapter.js';
import type {DepositOnChain, PayoutOnChain} from '../../src/domain/evidence.js';
import {
  reportOf,
  type Agreement,
  type CheckResult,
  type Deal,
  type Deposit,
  type TransferDeposit,
  type WalletRequestKind,
} from '../../src/domain/deposit.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import {SwapError} from '../../src/domain/error.js';
import type {Order} from '../../src/domain/order.js';
import type {Quote, QuoteRequest} from '../../src/domain/quote.js';
import {createSwapSession} from '../../src/core.js';
import type {Host, SessionConfig, SessionEvent, SessionGates, SwapSession} from '../../src/session/session.js';
import {toldOf} from './shown.js';
import {TestStorage} from './storage.js';
import {aLeg, anOrder, aQuote, catalogue, NOON, ORDER_ID, OTHER_WBTC, PAYER, WBTC} from './swap.js';

// The session loads them on first use; loaded here before, so that nothing waits for them.
await Promise.all([
  import('../../src/api/client.js'),
  import('../../src/domain/affiliate.js'),
  import('../../src/session/order/orders.js'),
  import('../../src/session/review.js'),
  import('../../src/session/accounts.js'),
]);

/* -- the page ------------------------------------------------------------------------------------------------------- */

export interface TestHost extends Host {
  readonly storage: TestStorage | undefined;
  readonly visible$: WritableAtom<boolean>;
  readonly online$: WritableAtom<boolean>;
  readonly waits: number;
  /** Lets time pass: everything due runs, one after the other. */
  pass(milliseconds: number): Promise<void>;
  /** The computer sleeps: time is lost, and what fell due meanwhile runs when time next passes. */
  sleep(milliseconds: number): void;
  /** The visitor's clock is set ahead, or back. */
  setClock(milliseconds: number): void;
  /** Reports to this page what another tab wrote. */
  tellStorage(key: string | null): void;
}

/** One for all turns: each timer that runs takes some, and a channel for each would cost more than what they wait for. */
const {port1, port2}: Record<'port1' | 'port2', MessagePort & {ref?(): void; unref?(): void}> = new MessageChannel();
const turnsToCome: (() => void)[] = [];
port1.onmessage = () => turnsToCome.shift()?.();
// In Node, what listens keeps the program running.
port1.unref?.();

/** Lets everything run that only waits for its turn, after something was begun. */
export async function settle(_begun?: unknown, turns = 12): Promise<void> {
  port1.ref?.();
  for (let turn = 0; turn < turns; turn++) {
    await new Promise<void>(resolve => {
      turnsToCome.push(resolve);
      port2.postMessage(turn);
    });
  }
  if (!turnsToCome.length) port1.unref?.();
}

/** The state that the pages of one browser share: time, storage, locks. */
export interface TestBrowser {
  now: number;
  /** How much of it passed in sleep, or by setting the clock: a clock that is never set does not count it. */
  jumped: number;
  /** How much of it the clock was set ahead: timers do not count it. */
  set: number;
  readonly storage: TestStorage | undefined;
  readonly locks: Map<string, Promise<unknown>>;
}

export function createTestBrowser(storage: TestStorage | undefined = new TestStorage()): TestBrowser {
  return {now: NOON, jumped: 0, set: 0, storage, locks: new Map()};
}

export function createTestHost(browser: TestBrowser): TestHost {
  const due = new Set<{readonly at: number; readonly work: () => void}>();
  const listeners = new Set<(key: string | null) => void>();
  return {
    now: () => browser.now,
    elapsed: () => browser.now - browser.jumped,
    random: () => 0.5,
    after(milliseconds, work) {
      const entry = {at: browser.now - browser.set + milliseconds, work};
      due.add(entry);
      return () => void due.delete(entry);
    },
    get waits() {
      return due.size;
    },
    storage: browser.storage,
    async lock(name, work, onHeld) {
      const before = browser.locks.get(name);
      if (before) onHeld();
      const done = (before ?? Promise.resolve()).then(work, work);
      browser.locks.set(name, done);
      void done.catch(() => undefined).finally(() => browser.locks.get(name) === done && browser.locks.delete(name));
      return done;
    },
    onStorage(changed) {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
    tellStorage: key => {
      for (const changed of listeners) changed(key);
    },
    visible$: atom(true),
    online$: atom(true),
    async pass(milliseconds) {
      const end = browser.now - browser.set + milliseconds;
      await settle();
      for (;;) {
        const [next] = [...due].filter(({at}) => at <= end).sort((one, other) => one.at - other.at);
        if (!next) break;
        due.delete(next);
        browser.now = Math.max(browser.now, next.at + browser.set);
        next.work();
        await settle(undefined, 2);
      }
      browser.now = end + browser.set;
    },
    sleep(milliseconds) {
      browser.now += milliseconds;
      browser.jumped += milliseconds;
    },
    setClock(milliseconds) {
      browser.now += milliseconds;
      browser.jumped += milliseconds;
      browser.set += milliseconds;
    },
  };
}

/* -- the world ------------------------------------------------------------------------------------------------------ */

export interface Later<T> {
  readonly promise: Promise<T>;
  readonly keep: (value: T) => void;
  readonly fail: (reason: Error) => void;
}

export function later<T = void>(): Later<T> {
  let keep!: (value: T) => void;
  let fail!: (reason: Error) => void;
  const promise = new Promise<T>((resolve, reject) => {
    keep = resolve;
    fail = reject;
  });
  return {promise, keep, fail};
}

/** The service, the chain and the wallet. A test overrides what should differ. */
export interface World {
  /** The events, in order: `GET quote`, `POST`, `check`, `wallet sign`, `PATCH`, `GET order` … */
  readonly log: string[];
  count(what: string): number;
  quote: (request: QuoteRequest, signal?: AbortSignal) => Promise<readonly Quote[]>;
  /** Each order gets its own id. */
  place: (agreed: Agreement) => Promise<{orderId: string; deposit: Deposit}>;
  initiate: () => Promise<InitiateAnswer>;
  /** The current orders. */
  readonly orders: Map<string, Order>;
  read: (orderId: string, signal?: AbortSignal) => Promise<Order>;
  check: (deal: Deal) => Promise<readonly CheckResult[]>;
  /** Switches the wallet's chain, if it has to be switched first. */
  move: (() => Promise<void>) | undefined;
  /** What the chain was last told of an unverified payment. */
  given: ReadDepositOptions['given'];
  mustShow: ReadDepositOptions['mustShow'];
  approvals: readonly WalletRequestKind[];
  unsigned: string | undefined;
  /** The id of the calls with which the wallet accepts approval and payment at once, if it does. */
  calls: string | undefined;
  readonly wanted: string[];
  wallet: (kind: WalletRequestKind, deal: Deal) => Promise<void>;
  depositState: (hash: string | undefined, orderId: string) => Promise<DepositState>;
  /** What else the source chain shows. */
  onChain: Omit<DepositOnChain, 'state'>;
  /** The `Date` of the service's responses, if it can be read. */
  date: (() => number) | undefined;
  /** A chain's height; `undefined` if it cannot be read. */
  height: () => Promise<bigint | undefined>;
  /** The time of a chain's newest block; `undefined` if it cannot be read. */
  chainTime: () => Promise<number | undefined>;
  /** What the destination chain shows of these transactions; `undefined` if it cannot be read. */
  payout: (hashes: readonly string[]) => Promise<Partial<PayoutOnChain> | undefined>;
  balance: () => Promise<bigint>;
  readonly service: SwapApi;
  readonly adapter: ChainAdapter;
  load: (family: ChainFamily) => Promise<ChainAdapter>;
  readonly knownWallet: Wallet;
}

/** What a service or a wallet may do in place of an answer. */
export const rejected = () => Promise.reject(new SwapError('rejected'));
export const never = () => new Promise<never>(() => undefined);

export const SIGNATURE = '0x5160';
export const HASH = `0x${'ab'.repeat(32)}`;
/** The deposit that the service wants signed; the world supplies its checks. */
export const DEPOSIT: Deposit = {
  how: 'wallet',
  ways: ['signature', 'transaction'],
  payload: {
    family: 'evm',
    transaction: {
      to: '0xd1E0Ba2b165726b3a6051b765d4564d030FDcf50',
      value: 0n,
      data: '0x97ffc7ae',
      gasLimit: 300_000n,
      chainId: 84532,
    },
    typedData: {domain: {name: 'HTLC'}, primaryType: 'Initiate', types: {Initiate: []}, message: {amount: '0xc350'}},
  },
};
export const BY_TRANSACTION: Deposit = {...DEPOSIT, ways: ['transaction']};
export const BY_TRANSFER: TransferDeposit = {how: 'transfer', address: 'tb1pexample', amount: 50_000n};

/** Has the service place an order that is paid to an address, where its source leg is. */
export function placeByTransfer(world: World): void {
  world.place = () => {
    world.orders.set(ORDER_ID, anOrder({source: aLeg({swapId: BY_TRANSFER.address})}));
    return Promise.resolve({orderId: ORDER_ID, deposit: BY_TRANSFER});
  };
}

/** An order that is paid, included in a block and confirmed. */
export const paidOrder = (id = ORDER_ID): Order =>
  anOrder({
    id,
    source: aLeg({
      filled: 50_000n,
      initiated: {hashes: [HASH], block: 100n, at: NOON},
      confirmations: {current: 1, required: 1},
    }),
  });

/** An order whose recipient has the money. */
export const completeOrder = (id = ORDER_ID): Order => {
  const {source, destination, ...order} = paidOrder(id);
  const event = {hashes: ['0xdd'], block: 7n, at: NOON} as const;
  return {...order, source, destination: {...destination, initiated: event, redeemed: event}};
};

/** The recipient’s chain confirms the payout that the service reports, tied to the order. */
export function bearOut(world: World): void {
  world.payout = hashes => Promise.resolve(hashes.length ? {amount: 49_850n, block: 7n} : undefined);
}

/** Has each question wait for its answer from now on; the answers that are waited for, oldest first. */
export function answersTo<Who extends 'quote' | 'read' | 'depositState'>(world: World, who: Who) {
  const answers: Later<Awaited<ReturnType<World[Who]>>>[] = [];
  Object.assign(world, {
    [who]: () => {
      const answer = later<Awaited<ReturnType<World[Who]>>>();
      answers.push(answer);
      return answer.promise;
    },
  });
  return answers;
}

/** A world whose orders are paid like this, with these differences. */
export function createWorld(deposit: Deposit = DEPOSIT, change: Partial<World> = {}): World {
  const log: string[] = [];
  let placed = 0;
  const account = (): Account => ({family: 'evm', address: PAYER, wallet: knownWallet, watch: () => undefined});
  const knownWallet: Wallet = {
    id: 'test-wallet',
    key: 'test-wallet',
    family: 'evm',
    name: 'Test wallet',
    connect: () => Promise.resolve(account()),
  };

  const world: World = {
    log,
    count: what => log.filter(entry => entry === what).length,
    quote: request => Promise.resolve([aQuote(49_850n, 'solver-1', request)]),
    place: () => {
      placed++;
      const orderId = placed === 1 ? ORDER_ID : String(placed).padStart(64, '0');
      const {source, destination} = anOrder();
      const secretHash = placed === 1 ? source.secretHash : orderId.replaceAll('0', 'a');
      const legs = {source: {...source, secretHash}, destination: {...destination, secretHash}};
      world.orders.set(orderId, anOrder({id: orderId, ...legs}));
      return Promise.resolve({orderId, deposit});
    },
    initiate: () => Promise.resolve({accepted: true}),
    orders: new Map(),
    read: orderId => {
      const order = world.orders.get(orderId);
      return order ? Promise.resolve(order) : Promise.reject(new SwapError('service', {detail: 'not found'}));
    },
    check: () => Promise.resolve([{name: 'amount', outcome: 'passed'}]),
    move: undefined,
    given: undefined,
    mustShow: undefined,
    approvals: [],
    unsigned: undefined,
    calls: undefined,
    wanted: [],
    wallet: () => Promise.resolve(),
    // The chain of a payment to an address has no RPC. A contract holds what its service reports.
    depositState: (_hash, orderId) => {
      const isThere = world.orders.get(orderId)?.source.initiated;
      return Promise.resolve(deposit.how === 'transfer' ? 'unknown' : isThere ? 'seen' : 'none');
    },
    onChain: {},
    date: undefined,
    height: () => Promise.resolve(undefined),
    chainTime: () => Promise.resolve(undefined),
    payout: () => Promise.resolve(undefined),
    balance: () => Promise.resolve(1_000_000n),
    knownWallet,
    load: family => Promise.resolve({...world.adapter, family}),
    service: {
      quote(request, {signal} = {}) {
        log.push('GET quote');
        return world.quote(request, signal);
      },
      createOrder(agreed) {
        log.push('POST');
        return world.place(agreed);
      },
      initiate() {
        log.push('PATCH');
        return world.initiate();
      },
      async readOrder(orderId, {signal, onAge} = {}) {
        log.push(orderId === ORDER_ID ? 'GET order' : `GET order ${orderId}`);
        const order = await world.read(orderId, signal);
        if (world.date) onAge?.(0, world.date());
        return order;
      },
    },
    adapter: {
      family: 'evm',
      addresses: {
        isAddress: ({family, test}, text) =>
          (family !== 'bitcoin' ? /^0x[0-9a-f]{40}$/i : test ? /^tb1[0-9a-z]+$/ : /^bc1[0-9a-z]+$/).test(text),
        isSameAddress: (one, other) => one.toLowerCase() === other.toLowerCase(),
      },
      wallets: {
        discover: found => {
          found(knownWallet);
        },
      },
      means: {balance: () => world.balance()},
      depositsOf: () => [],
      async check(deal) {
        log.push('check');
        return reportOf(await world.check(deal), deal.policy);
      },
      async fund(
        deal,
        _account,
        {way: wanted, isChosen, approved, confirm, onMove, onPlan, onFallback, onWalletRequest, ...page},
      ) {
        if (world.move) {
          onMove?.('asking');
          await world.move();
          onMove?.('moved');
        }
        const report = reportOf(await world.check(deal), deal.policy);
        if (report.outcome === 'failed') throw new SwapError('deposit-mismatch', {cause: report});
        if (report.outcome === 'unverified') {
          await confirm?.(report);
          if (approved)
            throw new SwapError('approval-failed', {field: approved.isTaken === false ? 'pending' : 'taken'});
        }
        world.wanted.push(isChosen ? `${wanted}, chosen` : wanted);
        const {calls} = world;
        if (calls !== undefined && (wanted === 'transaction' || !isChosen)) {
          onPlan?.(['send'], {by: 'transaction', isBundle: true});
          await page.beforeSign?.(report, deal.deposit);
          await onWalletRequest({kind: 'send', state: 'asking', calls});
          log.push('wallet send');
          await ask('send', deal, onWalletRequest);
          await onWalletRequest({kind: 'send', state: 'sent', calls});
          return {how: 'calls', id: calls};
        }
        const way = world.unsigned === undefined ? wanted : 'transaction';
        if (way !== wanted) onFallback?.(world.unsigned ?? '');
        const last = way === 'signature' ? 'sign' : 'send';
        onPlan?.([...world.approvals, last], {by: way, isBundle: false});
        for (const kind of [...world.approvals, last] as const) {
          if (kind === last) await page.beforeSign?.(report, deal.deposit);
          else await page.beforeApprove?.(report, deal.deposit);
          await onWalletRequest({kind, state: 'asking'});
          log.push(`wallet ${kind}`);
          await ask(kind, deal, onWalletRequest);
          await onWalletRequest(kind === 'sign' ? {kind, state: 'signed'} : {kind, state: 'sent', hash: HASH});
        }
        return way === 'signature' ? {how: 'signature', signature: SIGNATURE} : {how: 'transaction', hash: HASH};
      },
      async readDeposit({orderId}, {hash, calls, given, mustShow}) {
        log.push(calls === undefined ? 'look' : `look for ${calls}`);
        Object.assign(world, {given, mustShow});
        return {state: await world.depositState(hash, orderId), ...world.onChain};
      },
      async readPayout(_asset, _recipient, hashes) {
        const read = await world.payout(hashes);
        const {amount = 0n} = read ?? {};
        return read && {amount, loose: 0n, earlier: 0n, hashes: amount ? hashes : [], ...read};
      },
      readHeight: () => world.height(),
      readTime: () => world.chainTime(),
      back: {
        async refund(deal, _account, {onWalletRequest}) {
          await onWalletRequest({kind: 'refund', state: 'asking'});
          log.push('wallet refund');
          await ask('refund', deal, onWalletRequest);
          await onWalletRequest({kind: 'refund', state: 'sent', hash: HASH});
          return HASH;
        },
      },
    },
  };

  /** Requests from the wallet; only its clear refusal is stored as one. */
  const ask = async (
    kind: WalletRequestKind,
    deal: Deal,
    onWalletRequest: (answer: {kind: WalletRequestKind; state: 'refused'}) => Promise<void>,
  ) => {
    try {
      await world.wallet(kind, deal);
    } catch (error) {
      if (error instanceof SwapError && error.code === 'rejected') await onWalletRequest({kind, state: 'refused'});
      throw error;
    }
  };
  return Object.assign(world, change);
}

/** A world whose orders are paid by a transaction of the payer's own. */
export const byTransaction = (change?: Partial<World>) => createWorld(BY_TRANSACTION, change);

/** All requests to the wallet and the service that involve money. */
export const moneyRequests = ({world}: Pick<TestPage, 'world'>): string[] =>
  world.log.filter(entry => /^(POST|PATCH|wallet)/.test(entry));

/* -- the session ---------------------------------------------------------------------------------------------------- */

export interface StoredWalletRequest {
  readonly kind: WalletRequestKind;
  readonly state: string;
  readonly hash?: string;
  readonly calls?: string;
  readonly claimed?: true;
  readonly abandoned?: true;
}

/** Lets a world's service describe each new order another way. */
export function describeAs(world: World, change: (order: Order) => Order): void {
  const {place} = world;
  world.place = async agreed => {
    const placed = await place(agreed);
    world.orders.set(placed.orderId, change(world.orders.get(placed.orderId)!));
    return placed;
  };
}

/** Lets a world's service or wallet answer to a question once a test says so. */
export function answeredLater(world: World, question: 'quote' | 'place' | 'read' | 'wallet'): Later<void> {
  const answer = later();
  const truth = world[question] as (...of: readonly unknown[]) => Promise<never>;
  world[question] = (...of: readonly unknown[]) => answer.promise.then<never>(() => truth(...of));
  return answer;
}

/** A page with a widget, on which a test acts like a person. */
export interface TestPage {
  readonly session: SwapSession;
  readonly host: TestHost;
  readonly world: World;
  readonly events: SessionEvent[];
  /** The kinds of the events, with the stage if any. */
  readonly told: () => string[];
  readonly config: SessionConfig;
  /** Types an amount, and waits until its price is asked for. */
  type(amount?: string): Promise<void>;
  /** The same, and goes to the review. */
  review(amount?: string): Promise<void>;
  order(): Promise<void>;
  /** The stored wallet requests of an order. */
  walletRequests(orderId?: string): readonly string[];
  remove(): void;
  /** The same browser after a reload: a new page, the same storage, the same world. */
  reload(options?: Partial<TestPageOptions>): Promise<TestPage>;
}

export interface TestPageOptions {
  readonly browser: TestBrowser;
  readonly world: World;
  readonly config: Partial<SessionConfig>;
  readonly gates: SessionGates;
  /** Not connected, and nothing typed: as a page opens. */
  readonly bare: boolean;
}

export const SERVICE = 'https://service.test';
/** The storage key of an order. */
export const orderKey = (orderId = ORDER_ID) => `swap-widget/1/${SERVICE}/order/${orderId}`;

export async function openSession(options: Partial<TestPageOptions> = {}): Promise<TestPage> {
  const {browser = createTestBrowser(), world = createWorld(), gates = {}, bare = false} = options;
  const host = createTestHost(browser);
  const session = createSwapSession({
    adapters: {
      evm: () => world.load('evm'),
      bitcoin: () => world.load('bitcoin'),
    },
    host,
    gates,
  });
  const events: SessionEvent[] = [];
  session.listen(event => events.push(event));
  const config: SessionConfig = {
    api: world.service,
    service: SERVICE,
    catalogue,
    prefill: {},
    affiliateFees: [],
    policy: {unverified: 'ask'},
    priceTolerance: 50,
    depositWindow: 3_600_000,
    paused: false,
    journal: true,
    ...options.config,
  };
  session.configure(config);
  const stop = session.start();
  await settle();
  if (!bare) {
    if (!session.$wallets.get().accounts.evm) await session.connect(world.knownWallet);
    session.edit({from: WBTC.id, to: OTHER_WBTC.id});
    await settle();
  }

  const page: TestPage = {
    session,
    host,
    world,
    events,
    told: () => toldOf(events),
    config,
    async type(amount = '0.0005') {
      session.edit({amount});
      await host.pass(300);
    },
    async review(amount) {
      await page.type(amount);
      await settle();
      session.review();
      await settle();
    },
    async order() {
      await page.review();
      void session.placeOrder();
      await settle();
    },
    walletRequests(orderId) {
      const text = browser.storage?.getItem(orderKey(orderId));
      const {walletRequests = []} = (text ? JSON.parse(text) : {}) as {walletRequests?: readonly StoredWalletRequest[]};
      return walletRequests.map(
        ({kind, state, claimed, abandoned}) =>
          `${kind} ${abandoned && state !== 'refused' ? 'abandoned' : claimed ? 'claimed' : state}`,
      );
    },
    remove: stop,
    async reload(change = {}) {
      stop();
      await settle();
      // A page's locks end with it.
      browser.locks.clear();
      return openSession({browser, world, gates, bare: true, config: options.config ?? {}, ...change});
    },
  };
  return page;
}

export async function ordered(options?: Partial<TestPageOptions>): Promise<TestPage> {
  const page = await openSession(options);
  await page.order();
  return page;
}

export async function typed(options?: Partial<TestPageOptions>): Promise<TestPage> {
  const page = await openSession(options);
  await page.type();
  return page;
}

export async function reviewed(options?: Partial<TestPageOptions>): Promise<TestPage> {
  const page = await openSession(options);
  await page.review();
  return page;
}

/** An order paid by the wallet's own transaction, and held on its chain, of which the service says this. */
export async function openHeld(told: Order = paidOrder(), browser = createTestBrowser()): Promise<TestPage> {
  const page = await ordered({browser, world: createWorld(BY_TRANSACTION)});
  page.world.depositState = () => Promise.resolve('seen');
  page.world.onChain = {amount: 50_000n, block: 100n, isHeld: true, isRefundOpen: false};
  page.world.orders.set(ORDER_ID, told);
  await page.host.pass(15_000);
  return page;
}

/** An order that waits for a payment to its address; the chain can be read, and shows none. */
export async function openAwaiting(): Promise<TestPage> {
  const world = createWorld(BY_TRANSFER);
  world.depositState = () => Promise.resolve('none');
  const page = await ordered({world});
  await page.host.pass(1_000);
  return page;
}
