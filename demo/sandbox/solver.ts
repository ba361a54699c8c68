/**
 * Moves orders from funded to redeemed or refunded.
 *
 * Two parties act here, each with its own keys. The *solver* initiates the destination once the deposit has its
 * confirmations, redeems the source with the secret that it reads from the destination chain, and refunds the
 * destination if it was not redeemed in time. The *service* knows the secret and redeems the destination to the
 * recipient. Anyone can refund a deposit after its timelock, so the service does so if its owner does not. If the
 * service holds the keys of deposits (Bitcoin), both parties return at once what the solver does not serve.
 *
 * The next action is derived from the chains' state each time.
 */
import type {ChainLeg, LegState} from './chains/leg.js';
import type {Faults} from './faults.js';
import type {Order, OrderLeg, Orders} from './orders.js';

export interface SolverHealth {
  readonly orders: number;
  readonly open: number;
  readonly failures: number;
  readonly lastFailure: string | null;
}

export interface RunningSolver {
  health(): SolverHealth;
  /** Whether an order waits for a chain's blocks: for confirmations, or for the end of a timelock. */
  awaits(chain: ChainLeg): boolean;
  /** Whether an order with a leg on a chain is open: one that can be paid, or is not at its end. */
  isOpenOn(chain: ChainLeg): boolean;
  /** Waits until solver and service have seen the current state of the chains and acted on it. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

const PAUSE_MS = 60;
/** How often ended orders are checked again: a reorganization or a late payment can reopen one. */
const RECHECK_MS = 1_000;
const RETRY_MS = 1_000;
/** The longest pause before a chain that could not be read is read again. */
const UNREAD_MS = 5_000;

interface Action {
  readonly name: string;
  run(): Promise<unknown>;
}

export function startSolver(chains: readonly ChainLeg[], orders: Orders, faults: Faults): RunningSolver {
  const busy = new Map<string, Promise<void>>();
  const retryAt = new Map<string, number>();
  /** Chains that could not be read, how many times in a row, and when they are read again. */
  const unread = new Map<ChainLeg, {readonly times: number; readonly until: number}>();
  /** Ended orders with the state of their legs at that time; an order stays ended while that does not change. */
  const ended = new WeakMap<Order, readonly LegState[]>();
  let open: Order[] = [];
  let recheckAt = 0;
  let failures = 0;
  let lastFailure: string | null = null;
  let stopped = false;
  let waiting: (() => void)[] = [];

  function isOpen(order: Order): boolean {
    const states = [order.source, order.destination].map(({chain, terms}) => chain.stateOf(terms));
    if (ended.get(order)?.every((state, place) => state === states[place])) return false;
    const isOpen = needsAction(order);
    if (isOpen) ended.delete(order);
    else ended.set(order, states);
    return isOpen;
  }

  function needsAction(order: Order): boolean {
    const {source, destination} = orders.stateOf(order);
    if (destination.initiated && !hasEnded(destination)) return true;
    if (!source.initiated) return orders.isInTime(order);
    return !hasEnded(source) || hasStrayPayment(source);
  }

  function awaits(chain: ChainLeg): boolean {
    return open.some(({source, destination}) => {
      return (source.chain === chain && waits(source)) || (destination.chain === chain && waits(destination));
    });
  }

  function nextAction(order: Order): Action | undefined {
    const {source, destination} = orders.stateOf(order);
    const {source: from, destination: to, appId} = order;
    const solverGone = faults.holds('solverGone', appId);
    if (!source.initiated && !destination.initiated) return undefined;

    // Once the secret is public on the destination chain, the solver always redeems the source.
    if (destination.redeemed && isLocked(source)) {
      const {secret} = destination.redeemed;
      return solverGone ? undefined : {name: 'redeem source', run: () => from.chain.redeem(from.terms, secret)};
    }

    // Once the secret is public, the recipient always gets the amount, even if an earlier redeem was lost.
    if (source.redeemed && isLocked(destination)) {
      return {name: 'redeem destination', run: () => to.chain.redeem(to.terms, order.secret)};
    }

    const lost = faults.holds('reorg', appId);
    if (lost && source.initiated?.block && isLocked(source) && !destination.initiated) {
      if (Date.now() - source.initiated.at.getTime() < lost.seconds * 1_000) return undefined;
      return {
        name: 'reorganize source',
        async run() {
          faults.end('reorg', appId);
          await from.chain.reorg(from.terms);
        },
      };
    }

    const deposited = isLocked(source) && source.matchesTerms && orders.isConfirmed(order);

    if (isLocked(destination)) {
      if (isTimelockOver(to, destination)) {
        return solverGone ? undefined : {name: 'refund destination', run: () => to.chain.refund(to.terms)};
      }
      // The secret is only revealed while the deposit can still be redeemed.
      if (!deposited || !destination.matchesTerms || faults.holds('serviceGone', appId)) return undefined;
      return {name: 'redeem destination', run: () => to.chain.redeem(to.terms, order.secret)};
    }

    const {returnDeposit: giveBack} = from.chain;
    // A late deposit is not served. One that arrived in time is, even after the deposit window.
    const inTime = orders.isInTime(order, source.initiated?.at);
    const lacksTime = deposited && !outlives(from, source);
    // An underpayment waits for the rest until the deposit window ends.
    const waits = source.matchesTerms ? inTime && !destination.initiated && !lacksTime : orders.isInTime(order);
    if (giveBack && source.returnable && !solverGone && !(waits && isLocked(source))) {
      return {name: 'give back source', run: () => giveBack(from.terms)};
    }

    if (!isLocked(source)) return undefined;
    if (
      !faults.holds('ownerRefunds', appId) &&
      (giveBack
        ? isTimelockOver(from, source) && (source.matchesTerms || !waits)
        : isTimelockOver(from, source, ownersBlocks(from)))
    ) {
      return {name: 'refund source', run: () => from.chain.refund(from.terms)};
    }
    if (destination.initiated || solverGone || !deposited || !inTime || lacksTime) return undefined;
    return {name: 'initiate destination', run: () => to.chain.initiate(to.terms)};
  }

  async function act(order: Order): Promise<void> {
    let action: Action | undefined;
    try {
      action = nextAction(order);
      if (!action) return;
      await action.run();
      // The next action must be based on the state after this one.
      await Promise.all([order.source.chain.sync(), order.destination.chain.sync()]);
    } catch (error) {
      fail(
        `${action?.name ?? 'the next step'} of ${order.id}: ${error instanceof Error ? error.message : String(error)}`,
      );
      retryAt.set(order.id, Date.now() + RETRY_MS);
    }
  }

  function fail(why: string): void {
    failures++;
    lastFailure = why;
  }

  /** Reads a chain, or not yet if it failed just now. */
  async function read(chain: ChainLeg, isAwaited: boolean): Promise<void> {
    const {times, until} = unread.get(chain) ?? {times: 0, until: 0};
    if (Date.now() < until && !isAwaited) return;
    try {
      await chain.sync();
      unread.delete(chain);
    } catch (error) {
      fail(String(error));
      unread.set(chain, {times: times + 1, until: Date.now() + Math.min(UNREAD_MS, PAUSE_MS * 2 ** times)});
    }
  }

  async function round(): Promise<void> {
    const isAwaited = waiting.length > 0;
    const rechecksEnded = isAwaited || Date.now() >= recheckAt;
    if (rechecksEnded) recheckAt = Date.now() + RECHECK_MS;
    open = [...orders.all()].filter(order => (rechecksEnded || !ended.has(order)) && isOpen(order));
    if (open.length === 0) return;
    await Promise.all(chains.map(chain => read(chain, isAwaited)));
    for (const order of open) {
      // What a chain no longer shows is not acted on.
      if (unread.has(order.source.chain) || unread.has(order.destination.chain)) continue;
      if (busy.has(order.id) || (retryAt.get(order.id) ?? 0) > Date.now()) continue;
      // Orders do not wait for each other.
      busy.set(
        order.id,
        act(order).finally(() => busy.delete(order.id)),
      );
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      await round().catch((error: unknown) => {
        fail(String(error));
      });
      endRound();
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
    }
  }
  const running = run();

  function endRound(): void {
    const resolvers = waiting;
    waiting = [];
    for (const resolve of resolvers) resolve();
  }
  const nextRound = () => new Promise<void>(resolve => (stopped ? resolve() : waiting.push(resolve)));

  return {
    health: () => {
      const all = [...orders.all()];
      return {orders: all.length, open: all.filter(isOpen).length, failures, lastFailure};
    },
    awaits,
    isOpenOn: chain => open.some(({source, destination}) => source.chain === chain || destination.chain === chain),
    async caughtUp() {
      // The current round may have read the chains before.
      await nextRound();
      await nextRound();
      await Promise.all(busy.values());
    },
    async stop() {
      stopped = true;
      await running;
      endRound();
      await Promise.all(busy.values());
    },
  };
}

/** For this many blocks after a source's timelock only its owner refunds, so that there is time to try it. */
const ownersBlocks = ({chain}: OrderLeg) => chain.timelocks.source;

const hasEnded = ({redeemed, refunded}: LegState) => redeemed !== undefined || refunded !== undefined;
/** Whether a payment came into a leg that had ended. */
const hasStrayPayment = (state: LegState) => hasEnded(state) && (state.returnable ?? 0n) > 0n;
const isLocked = (state: LegState) => state.initiated !== undefined && !hasEnded(state);

/** Whether a leg's timelock, plus a number of blocks, is over. */
function isTimelockOver({chain, terms}: OrderLeg, {initiated}: LegState, more = 0): boolean {
  // A refund would be in the next block.
  return initiated !== undefined && initiated.block > 0 && chain.height() + 1 > initiated.block + terms.timelock + more;
}

/** Whether a leg waits for blocks: until it has its confirmations, and until anyone can refund it. */
function waits(leg: OrderLeg): boolean {
  const state = leg.chain.stateOf(leg.terms);
  const {initiated} = state;
  if (!initiated || hasEnded(state)) return false;
  const confirmed = initiated.block > 0 && leg.chain.height() - initiated.block + 1 >= leg.requiredConfirmations;
  return !confirmed || !isTimelockOver(leg, state, ownersBlocks(leg));
}

/** Whether the source's timelock would end after the destination's. */
function outlives({chain, terms}: OrderLeg, {initiated}: LegState): boolean {
  if (!initiated) return false;
  const left = initiated.block + terms.timelock - chain.height();
  return left > chain.timelocks.destination;
}
