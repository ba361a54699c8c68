/**
 * Moves orders from funded to redeemed or refunded.
 *
 * Three parties act here, each with keys of its own. The *solver* locks the destination amount once the deposit has
 * its confirmations, takes the source amount with the secret that it reads from the destination chain, and takes its
 * own amount back when nobody redeemed it in time. The *service* knows the secret and redeems the destination to the
 * recipient. And since anyone may send a deposit back once its timelock is over, the service does so in the end. Where
 * the service keeps the keys of deposits (Bitcoin), both send back at once what the solver will not serve.
 *
 * What to do next follows from the chains alone, each time anew.
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
  /** Whether an order waits for blocks of a chain: for confirmations, or for the end of a timelock. */
  awaits(chain: ChainLeg): boolean;
  /** Waits until everyone has looked at the chains as they are, and done what was next. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

const PAUSE_MS = 60;
/** So often orders that have ended are looked at: a reorganisation, or a late payment, opens one again. */
const LOOK_BACK_MS = 1_000;
const RETRY_MS = 1_000;

interface Deed {
  readonly name: string;
  run(): Promise<unknown>;
}

export function startSolver(chains: readonly ChainLeg[], orders: Orders, faults: Faults): RunningSolver {
  const busy = new Map<string, Promise<void>>();
  const restUntil = new Map<string, number>();
  /** Orders that have come to their end, with what their chains said then: until they say something else, it stays so. */
  const ended = new WeakMap<Order, readonly LegState[]>();
  let open: Order[] = [];
  let lookBackAt = 0;
  let failures = 0;
  let lastFailure: string | null = null;
  let stopped = false;
  let waiting: (() => void)[] = [];

  function isOpen(order: Order): boolean {
    const states = [order.source, order.destination].map(({chain, terms}) => chain.stateOf(terms));
    if (ended.get(order)?.every((state, place) => state === states[place])) return false;
    const isOpen = hasMore(order);
    if (isOpen) ended.delete(order);
    else ended.set(order, states);
    return isOpen;
  }

  function hasMore(order: Order): boolean {
    const {source, destination} = orders.stateOf(order);
    if (destination.initiated && !hasEnded(destination)) return true;
    if (!source.initiated) return orders.isInTime(order);
    return !hasEnded(source) || isStray(source);
  }

  function awaits(chain: ChainLeg): boolean {
    return open.some(({source, destination}) => {
      return (source.chain === chain && waits(source)) || (destination.chain === chain && waits(destination));
    });
  }

  function nextDeed(order: Order): Deed | undefined {
    const {source, destination} = orders.stateOf(order);
    const {source: from, destination: to, appId} = order;
    const solverGone = faults.holds('solverGone', appId);
    if (!source.initiated && !destination.initiated) return undefined;

    // The solver takes the source with what the destination chain made public, whatever else is going on.
    if (destination.redeemed && isLocked(source)) {
      const {secret} = destination.redeemed;
      return solverGone ? undefined : {name: 'redeem source', run: () => from.chain.redeem(from.terms, secret)};
    }

    // And with the secret out, the recipient gets their amount whatever became of a redeem that was sent before.
    if (source.redeemed && isLocked(destination)) {
      return {name: 'redeem destination', run: () => to.chain.redeem(to.terms, order.secret)};
    }

    const lost = faults.holds('reorg', appId);
    if (lost && source.initiated?.block && isLocked(source) && !destination.initiated) {
      if (Date.now() - source.initiated.at.getTime() < lost.seconds * 1_000) return undefined;
      return {
        name: 'reorganise source',
        async run() {
          faults.end('reorg', appId);
          await from.chain.reorg(from.terms);
        },
      };
    }

    const deposited = isLocked(source) && source.asAgreed && orders.isConfirmed(order);

    if (isLocked(destination)) {
      if (isOver(to, destination)) {
        return solverGone ? undefined : {name: 'refund destination', run: () => to.chain.refund(to.terms)};
      }
      // The secret is shown only while the deposit is there to be taken for it.
      if (!deposited || !destination.asAgreed || faults.holds('serviceGone', appId)) return undefined;
      return {name: 'redeem destination', run: () => to.chain.redeem(to.terms, order.secret)};
    }

    const {giveBack} = from.chain;
    // A late deposit is not served. One that came in time is, also after its order's window.
    const inTime = orders.isInTime(order, source.initiated?.at);
    const lacksTime = deposited && !outlives(from, source);
    // What pays less than agreed waits for the rest, as long as a deposit may be made.
    const waits = source.asAgreed ? inTime && !destination.initiated && !lacksTime : orders.isInTime(order);
    if (giveBack && source.returnable && !solverGone && !(waits && isLocked(source))) {
      return {name: 'give back source', run: () => giveBack(from.terms)};
    }

    if (!isLocked(source)) return undefined;
    if (giveBack ? isOver(from, source) && (source.asAgreed || !waits) : isOver(from, source, ownerFirst(from))) {
      return {name: 'refund source', run: () => from.chain.refund(from.terms)};
    }
    if (destination.initiated || solverGone || !deposited || !inTime || lacksTime) return undefined;
    return {name: 'initiate destination', run: () => to.chain.initiate(to.terms)};
  }

  async function act(order: Order): Promise<void> {
    let deed: Deed | undefined;
    try {
      deed = nextDeed(order);
      if (!deed) return;
      await deed.run();
      // What has just been done must be seen before the next thing is decided.
      await Promise.all([order.source.chain.sync(), order.destination.chain.sync()]);
    } catch (error) {
      failures++;
      lastFailure = `${deed?.name ?? 'the next step'} of ${order.id}: ${error instanceof Error ? error.message : String(error)}`;
      restUntil.set(order.id, Date.now() + RETRY_MS);
    }
  }

  async function round(): Promise<void> {
    const looksBack = waiting.length > 0 || Date.now() >= lookBackAt;
    if (looksBack) lookBackAt = Date.now() + LOOK_BACK_MS;
    open = [...orders.all()].filter(order => (looksBack || !ended.has(order)) && isOpen(order));
    if (open.length === 0) return;
    await Promise.all(chains.map(chain => chain.sync()));
    for (const order of open) {
      if (busy.has(order.id) || (restUntil.get(order.id) ?? 0) > Date.now()) continue;
      // One order may wait for its chain; the others go on.
      busy.set(
        order.id,
        act(order).finally(() => busy.delete(order.id)),
      );
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      await round().catch((error: unknown) => {
        failures++;
        lastFailure = String(error);
      });
      endRound();
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
    }
  }
  const running = run();

  function endRound(): void {
    const told = waiting;
    waiting = [];
    for (const tell of told) tell();
  }
  const nextRound = () => new Promise<void>(resolve => (stopped ? resolve() : waiting.push(resolve)));

  return {
    health: () => {
      const all = [...orders.all()];
      return {orders: all.length, open: all.filter(isOpen).length, failures, lastFailure};
    },
    awaits,
    async caughtUp() {
      // The round under way may have looked before.
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

/** For so many blocks after a source timelock only its owner refunds: that way the widget's own way can be seen. */
const ownerFirst = ({chain}: OrderLeg) => Math.ceil(chain.timelocks.source / 15);

const hasEnded = ({redeemed, refunded}: LegState) => redeemed !== undefined || refunded !== undefined;
/** Whether something came into a leg that had ended. */
const isStray = (state: LegState) => hasEnded(state) && (state.returnable ?? 0n) > 0n;
const isLocked = (state: LegState) => state.initiated !== undefined && !hasEnded(state);

/** Whether the timelock of a leg is over, and so many blocks more. */
function isOver({chain, terms}: OrderLeg, {initiated}: LegState, more = 0): boolean {
  // The next block is the one that a refund would be in.
  return initiated !== undefined && initiated.block > 0 && chain.height() + 1 > initiated.block + terms.timelock + more;
}

/** Whether a leg waits for blocks: until it has its confirmations, and until anyone may send it back. */
function waits(leg: OrderLeg): boolean {
  const state = leg.chain.stateOf(leg.terms);
  const {initiated} = state;
  if (!initiated || hasEnded(state)) return false;
  const confirmed = initiated.block > 0 && leg.chain.height() - initiated.block + 1 >= leg.requiredConfirmations;
  return !confirmed || !isOver(leg, state, ownerFirst(leg));
}

/** Whether enough of the source's timelock is left for the destination's to end before it. */
function outlives({chain, terms}: OrderLeg, {initiated}: LegState): boolean {
  if (!initiated) return false;
  const left = initiated.block + terms.timelock - chain.height();
  return left > chain.timelocks.destination;
}
