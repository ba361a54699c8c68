/** A page's view of a session: its events, what it can block, and the displayed order. Loaded after the form. */
import {
  SwapBeforeOrderEvent,
  SwapBeforeSignEvent,
  SwapCompleteEvent,
  SwapDepositEvent,
  SwapErrorEvent,
  SwapOrderEvent,
  SwapQuoteEvent,
  SwapRefundEvent,
  SwapStatusEvent,
  type SwapGateEvent,
} from '../events.js';
import {SwapError} from '../domain/error.js';
import type {Order} from '../domain/order.js';
import {valueOf} from '../domain/remote.js';
import type {Story} from '../domain/story.js';
import type {SessionEvent, SessionGates, SwapSession} from '../session/session.js';

/** An order for pages. */
export interface SwapOrder extends Order {
  /** Once it is complete or refunded: whether a chain shows that, or only the service says so, which may be revised. */
  readonly witness?: Story['witness'];
}

/** A cache by story, so that a page sees the same object while nothing has changed. */
const orders = new WeakMap<Story, SwapOrder>();

/** The displayed order, for pages. */
export function orderIn({$order}: SwapSession): SwapOrder | undefined {
  const story = valueOf($order.get())?.story;
  if (story?.order && !orders.has(story)) orders.set(story, {...story.order, witness: story.witness});
  return story && orders.get(story);
}

/** Where a page can block a swap. */
export function gatesOf(page: EventTarget): SessionGates {
  const pass = async (event: SwapGateEvent) => {
    if (!(await event.passThrough(page))) throw new SwapError('held', {detail: event.type});
  };
  return {
    beforeOrder: (...asked) => pass(new SwapBeforeOrderEvent(...asked)),
    beforeSign: (...asked) => pass(new SwapBeforeSignEvent(...asked)),
  };
}

export function eventOf(event: SessionEvent): Event {
  switch (event.type) {
    case 'quote':
      return new SwapQuoteEvent(event.request, event.quotes);
    case 'order':
      return new SwapOrderEvent(event.orderId, event.agreed);
    case 'deposit':
      return new SwapDepositEvent(event.orderId, event.funding);
    case 'status':
      return new SwapStatusEvent(event.orderId, event.stage, event.previous, event.order);
    case 'complete':
      return new SwapCompleteEvent(event.orderId, event.order, event.witness, event.again);
    case 'error':
      return new SwapErrorEvent(event.error, event.report, event.orderId);
    case 'refund':
      return new SwapRefundEvent(event.orderId, event.order, event.witness, event.again);
  }
}
