/** A page's view of a session: its events, and the displayed order. Loaded after the form. */
import {
  SwapCompleteEvent,
  SwapDepositEvent,
  SwapOrderEvent,
  SwapQuoteEvent,
  SwapRefundEvent,
  SwapStatusEvent,
} from '../events.js';
import type {Order} from '../domain/order.js';
import {valueOf} from '../domain/remote.js';
import type {Story} from '../domain/story.js';
import type {SessionEvent, SwapSession} from '../session/session.js';

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

export function eventOf(event: Exclude<SessionEvent, {readonly type: 'error'}>): Event {
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
    case 'refund':
      return new SwapRefundEvent(event.orderId, event.order, event.witness, event.again);
  }
}
