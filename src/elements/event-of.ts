/** A page's view of a session: its events, what it can block, and the displayed order. Loaded after the form. */
import {computed, type ReadableAtom} from 'nanostores';
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
import {SwapError, toSwapError} from '../domain/error.js';
import type {Order} from '../domain/order.js';
import {valueOf} from '../domain/remote.js';
import type {Story} from '../domain/story.js';
import {followRendering} from './page.js';
import type {SessionConfig, SessionEvent, SessionGates, SwapSession} from '../session/session.js';

/** An order for pages. */
export interface SwapOrder extends Order {
  /** Once it is complete or refunded: whether a chain shows that, or only the service says so, which may be revised. */
  readonly witness?: Story['witness'];
}

/** The same object while nothing has changed. */
export function orderIn(session: SwapSession): SwapOrder | undefined {
  const told = session.keep(createTold);
  const story = valueOf(session.$order.get())?.story;
  if (told.story !== story) told.order = story?.order && {...story.order, witness: story.witness};
  told.story = story;
  return told.order;
}

export type ViewName = 'form' | 'review' | 'deposit' | 'progress' | 'journal' | 'closed';

export function viewIn(session: SwapSession): ReadableAtom<ViewName> {
  return session.keep(createViewName);
}

function createViewName({$view, $order, $settings, $form}: SwapSession): ReadableAtom<ViewName> {
  return computed([$view, $order, $settings, $form], (view, order, {fault}, {page}) => {
    const {deal, story} = valueOf(order) ?? {};
    // The visitor has to act on the displayed order, which is this browser's.
    if (view === 'order') return deal && story?.isPayersTurn ? 'deposit' : 'progress';
    return view !== 'journal' && (fault ?? page?.paused) ? 'closed' : view;
  });
}

export function gatesOf(page: EventTarget): SessionGates {
  const pass = async (event: SwapGateEvent) => {
    if (!(await event.passThrough(page))) throw new SwapError('held', {detail: event.type});
  };
  return {
    beforeOrder: (...asked) => pass(new SwapBeforeOrderEvent(...asked)),
    beforeSign: (...asked) => pass(new SwapBeforeSignEvent(...asked)),
  };
}

/** What the page was told last, and the story that its order was made of. */
interface Told {
  error?: SwapError | undefined;
  logged?: string;
  story?: Story | undefined;
  order?: SwapOrder | undefined;
}

const createTold = (): Told => ({});

export function errorIn(session: SwapSession): SwapError | undefined {
  return session.keep(createTold).error;
}

/** Tells the page what its session reports. A wrong setting is logged, too: once, though each change of one finds it again. */
function report(page: Element, session: SwapSession, event: SessionEvent): void {
  if (event.type === 'error') {
    const told = session.keep(createTold);
    const {code, message, field = '', detail = ''} = (told.error = event.error);
    if (code === 'config' && message !== told.logged) console.error(`<${page.localName}> ${field}: ${detail}`);
    if (code === 'config') told.logged = message;
  }
  page.dispatchEvent(eventOf(event));
}

/** Runs a session while its element is on the page, which hears of it, until the signal aborts. */
export function run(page: Element, session: SwapSession, signal: AbortSignal): void {
  followRendering(page, session, signal);
  for (const stop of [session.listen(event => report(page, session, event)), session.start()]) {
    signal.addEventListener('abort', stop);
  }
}

export function configure(page: Element, session: SwapSession, read: () => SessionConfig | undefined): void {
  try {
    const config = read();
    if (!config) return;
    session.configure(config);
    const told = session.keep(createTold);
    if (told.error?.code === 'config') told.error = undefined;
  } catch (cause) {
    const error = toSwapError(cause, 'config');
    session.configure(error);
    report(page, session, {type: 'error', error});
  }
}

function eventOf(event: SessionEvent): Event {
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
