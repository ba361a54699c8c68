import {
  SwapCompleteEvent,
  SwapDepositEvent,
  SwapOrderEvent,
  SwapQuoteEvent,
  SwapRefundEvent,
  SwapStatusEvent,
} from '../events.js';
import type {SessionEvent} from '../session/session.js';

/** What the page is told of a session's event. */
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
