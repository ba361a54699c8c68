/*
 * What a widget does behind its form: it reads all settings, tells the page what happens, and keeps the page's
 * address. It brings the rest of the looks, and what is announced. Loaded once the form is on the screen.
 */
import {
  SwapCompleteEvent,
  SwapDepositEvent,
  SwapOrderEvent,
  SwapQuoteEvent,
  SwapRefundEvent,
  SwapStatusEvent,
} from '../events.js';
import type {SessionEvent, SwapSession} from '../session/session.js';
import './base/announcement.js';
import './base/error-note.js';
import {finishLooks} from './style/finish.js';
import {syncAddress} from './url-sync.js';

export {configure} from '../session/settings.js';
export {readAllSettings} from './settings/all.js';

finishLooks();

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
      return new SwapCompleteEvent(event.orderId, event.order);
    case 'refund':
      return new SwapRefundEvent(event.orderId, event.order);
  }
}

/** The widgets whose order the page's address holds, by the signal that ends it. */
const synced = new WeakSet<AbortSignal>();

/** Does what goes on for as long as a widget is on its page, until the signal aborts. Called again, it begins what has come to be wanted. */
export function accompany(
  widget: {readonly urlSync?: boolean | undefined},
  session: SwapSession,
  signal: AbortSignal,
): void {
  if (widget.urlSync && !signal.aborted && !synced.has(signal)) {
    synced.add(signal);
    syncAddress(session, signal);
  }
}
