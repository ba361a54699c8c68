import {atom, type ReadableAtom, type WritableAtom} from 'nanostores';
import type {SwapSession} from '../../../session/session.js';

/** What a person may be told of a swap while they look elsewhere. */
export type News = 'received' | 'comingBack' | 'refunded' | 'needsYou';

/** What came of the wish to be told: `on`, or what the browser said no to. */
export type Wish = 'on' | 'denied' | undefined;

/** What each session's person wants to be told of: an order, and what was said of it already. */
const wishes = new WeakMap<SwapSession, Map<string, WritableAtom<Wish>>>();

/**
 * Whether this page can show notifications. It cannot where the browser has none or where they were refused, in a frame
 * of another origin, and on Android, which takes them from service workers alone.
 */
export function canNotify(): boolean {
  const {Notification: kind} = globalThis as Partial<typeof globalThis>;
  return kind !== undefined && isSecureContext && kind.permission !== 'denied' && !isForeign() && !isAndroid();
}

/** Whether the person wants to be told of an order. */
export function wishFor(session: SwapSession, orderId: string): ReadableAtom<Wish> {
  let ofSession = wishes.get(session);
  if (!ofSession) wishes.set(session, (ofSession = new Map<string, WritableAtom<Wish>>()));
  let $wish = ofSession.get(orderId);
  if (!$wish) ofSession.set(orderId, ($wish = atom<Wish>()));
  return $wish;
}

/**
 * Asks the browser for leave, and from then on tells the news of one order, each once, and only while the page is hidden.
 * To be called at a person's press. `say` has the words for it.
 */
export async function tellOf(session: SwapSession, orderId: string, say: (news: News) => string): Promise<void> {
  const $wish = wishFor(session, orderId) as WritableAtom<Wish>;
  if ($wish.get() === 'on') return;
  const leave = await Notification.requestPermission().catch(() => 'denied' as const);
  if (leave === 'default') return;
  $wish.set(leave === 'granted' ? 'on' : 'denied');
  if (leave === 'granted') follow(session, orderId, say);
}

function follow(session: SwapSession, orderId: string, say: (news: News) => string): void {
  const told = new Set<News>();
  const tell = (news: News) => {
    if (told.has(news)) return;
    told.add(news);
    if (document.visibilityState === 'hidden') show(say(news), orderId);
  };
  const stops = [
    session.listen(event => {
      if (!('orderId' in event) || event.orderId !== orderId) return;
      if (event.type === 'complete') tell('received');
      else if (event.type === 'refund') tell('refunded');
      else if (event.type === 'status' && event.stage === 'refunding') tell('comingBack');
      else return;
      if (event.type !== 'status') stops.forEach(stop => stop());
    }),
    session.$refundOpen.listen(isOpen => {
      if (isOpen && isShown()) tell('needsYou');
    }),
    session.$standing.listen(standing => {
      if (standing?.isPayersTurn && isShown()) tell('needsYou');
    }),
  ];
  const isShown = () => {
    const order = session.$order.get();
    return order.state === 'ready' && order.value.id === orderId;
  };
}

/** Shows a notification that brings the page back when it is pressed. */
function show(text: string, tag: string): void {
  try {
    const notification = new Notification(text, {tag});
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
  } catch {
    // A browser that shows none to pages says so only now.
  }
}

/** Whether the page lies in a frame of another origin: browsers ask nobody for leave there. */
function isForeign(): boolean {
  try {
    return window.top !== window && window.top?.location.href === undefined;
  } catch {
    return true;
  }
}

function isAndroid(): boolean {
  return navigator.userAgent.includes('Android');
}
