/** A session's displayed order, and the orders of its journal. */
import type {Order} from '../../src/domain/order.js';
import {valueOf, type Remote} from '../../src/domain/remote.js';
import type {Story} from '../../src/domain/story.js';
import type {FundingProgress, SessionEvent, ShownOrder, SwapSession} from '../../src/session/session.js';
import {NO_FUNDING} from '../../src/session/shared.js';

type Session = Pick<SwapSession, '$order' | '$journal'>;

export const shownIn = ({$order}: Session): ShownOrder | undefined => valueOf($order.get());
export const storyIn = (session: Session): Story | undefined => shownIn(session)?.story;
export const fundingIn = (session: Session): FundingProgress => shownIn(session)?.funding ?? NO_FUNDING;
export const entriesIn = ({$journal}: Session) => $journal.get().entries;

export const stageOf = ({session}: {readonly session: Pick<SwapSession, '$stage'>}) => session.$stage.get();

/** What a session reported, in words. */
export const toldOf = (events: readonly SessionEvent[]) =>
  events.map(event => {
    if (event.type === 'status') return `status ${event.stage}`;
    return event.type === 'error' ? `error ${event.error.code}` : event.type;
  });

/** From now on, the service says this of an order. */
export const tell = ({world}: {readonly world: {readonly orders: Map<string, Order>}}, order: Order) =>
  world.orders.set(order.id, order);

/** The displayed order, and the result of the last request to the service. */
export function statusIn(session: Session): Remote<Order> {
  const {reading = {state: 'idle'}, story} = shownIn(session) ?? {};
  if (reading.state === 'idle') return reading;
  return {...reading, ...(story?.order && {value: story.order})} as Remote<Order>;
}
