/** The result of a swap, from its chains. */
import type {OrderRead} from '../sandbox/client.js';
import type {Person} from './person.js';

export type Outcome = 'complete' | 'refunded' | 'never paid' | 'locked' | 'lost';

export interface Verdict {
  readonly outcome: Outcome;
  /** What should never happen, one sentence each. */
  readonly violations: readonly string[];
  readonly orders: readonly OrderRead[];
}

const isPaid = ({source_swap: source}: OrderRead) => source.initiate_tx_hash !== '';
const isTaken = ({source_swap: source}: OrderRead) => source.redeem_tx_hash !== '';
const isBack = ({source_swap: source}: OrderRead) => source.refund_tx_hash !== '';
const hasArrived = ({destination_swap: destination}: OrderRead) => destination.redeem_tx_hash !== '';

/** All orders of a person, as the chains have them, read without the unreliable service. */
export function readOrders({swap}: Person): Promise<OrderRead[]> {
  return Promise.all([...new Set(swap.orderIds)].map(id => swap.client.read(id)));
}

export function outcomeOf(orders: readonly OrderRead[]): Outcome {
  const paid = orders.filter(isPaid);
  if (paid.some(hasArrived)) return 'complete';
  if (paid.length === 0) return 'never paid';
  if (paid.every(isBack)) return 'refunded';
  return paid.some(isTaken) ? 'lost' : 'locked';
}

/** Compares the reports with the facts, and what left the payer with what arrived. */
export async function judge(person: Person): Promise<Verdict> {
  const {swap, plan} = person;
  const orders = await readOrders(person);
  const outcome = outcomeOf(orders);
  const {paid, received} = await swap.moved();
  const violations: string[] = [];
  const expect = (isSo: boolean, otherwise: string) => {
    if (!isSo) violations.push(otherwise);
  };

  const chain = person.world.chainOf(plan.from);
  const agreed = orders.filter(isPaid).filter(order => !isBack(order));
  const due = agreed.reduce((sum, {source_swap: source}) => sum + BigInt(source.amount), 0n);
  const isCoin = chain.assets[plan.from]?.token === undefined;
  const most = due + (isCoin ? person.amount / 20n : 0n);
  expect(orders.filter(isPaid).length <= 1, `${String(orders.filter(isPaid).length)} deposits were made for one swap`);
  expect(paid >= due && paid <= most, `${String(paid)} left the payer where ${String(due)} were deposited`);
  expect(paid < 2n * person.amount, `${String(paid)} left the payer for ${String(person.amount)} agreed`);
  const arrived = orders.filter(hasArrived).reduce((sum, order) => sum + BigInt(order.destination_swap.amount), 0n);
  expect(received === arrived, `${String(received)} arrived where ${String(arrived)} were agreed`);
  expect(outcome !== 'locked', 'the money is locked, and no press took it back');
  expect(outcome !== 'lost', 'the deposit was taken, and nothing arrived');

  for (const {stage, orderId, isTrue, because} of person.claims) {
    expect(
      await isTrue,
      `the page was told “${stage}” of ${orderId.slice(0, 8)}, and the chain knew nothing of it (${because})`,
    );
  }
  for (const {orderId, deed, isTrue, because} of person.seen) {
    expect(await isTrue, `${orderId.slice(0, 8)} was said to be seen as ${deed}, and no chain shows it (${because})`);
  }
  const stage = swap.stage;
  // The page refunded the money itself, whatever the service reports.
  if (outcome === 'refunded' && person.hasTakenBack) {
    expect(stage !== 'complete', 'the widget took the money back, and says “complete”');
  }
  if (person.service.isHonest && person.isSettled) {
    if (outcome === 'complete') expect(stage === 'complete', `the swap is complete, and the widget says “${stage}”`);
    if (outcome === 'refunded') expect(stage === 'refunded', `the money is back, and the widget says “${stage}”`);
    if (outcome === 'never paid')
      expect(!['complete', 'refunded'].includes(stage), `nothing was paid, and the widget says “${stage}”`);
  }
  return {outcome, violations, orders};
}
