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

/** Compares what left the payer with what arrived. `isCoin`: whether fees are paid in what is swapped. */
export function weigh(
  orders: readonly OrderRead[],
  {paid, received}: {readonly paid: bigint; readonly received: bigint},
  amount: bigint,
  isCoin: boolean,
): Pick<Verdict, 'outcome'> & {readonly violations: string[]} {
  const outcome = outcomeOf(orders);
  const deposits = orders.filter(isPaid);
  const due = deposits
    .filter(order => !isBack(order))
    .reduce((sum, {source_swap: source}) => sum + BigInt(source.amount), 0n);
  const most = due + (isCoin ? amount / 20n : 0n);
  const arrived = orders.filter(hasArrived).reduce((sum, order) => sum + BigInt(order.destination_swap.amount), 0n);
  const rules: readonly (readonly [isSo: boolean, otherwise: string])[] = [
    [deposits.length <= 1, `${String(deposits.length)} deposits were made for one swap`],
    [paid >= due && paid <= most, `${String(paid)} left the payer where ${String(due)} were deposited`],
    [paid < 2n * amount, `${String(paid)} left the payer for ${String(amount)} agreed`],
    [received === arrived, `${String(received)} arrived where ${String(arrived)} were agreed`],
    [outcome !== 'locked', 'the money is locked, and no press took it back'],
    [outcome !== 'lost', 'the deposit was taken, and nothing arrived'],
  ];
  return {outcome, violations: rules.flatMap(([isSo, otherwise]) => (isSo ? [] : otherwise))};
}

export async function judge(person: Person): Promise<Verdict> {
  const {swap, plan} = person;
  const orders = await readOrders(person);
  const isCoin = person.world.chainOf(plan.from).assets[plan.from]?.token === undefined;
  const {outcome, violations} = weigh(orders, await swap.moved(), swap.amount, isCoin);
  const expect = (isSo: boolean, otherwise: string) => {
    if (!isSo) violations.push(otherwise);
  };

  for (const {what, isTrue} of person.said) expect(await isTrue, what);
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
