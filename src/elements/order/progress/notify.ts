import {atom, computed, type ReadableAtom, type WritableAtom} from 'nanostores';
import {valueOf} from '../../../domain/remote.js';
import type {Story} from '../../../domain/story.js';
import type {SwapSession} from '../../../session/session.js';

/** The news of a swap that notifications report while the page is hidden. */
export type News = 'received' | 'comingBack' | 'refunded' | 'needsYou';

/** The texts of the news; for an end, by its witness. */
export type Say = (news: News, witness: Story['witness']) => string;

/** The state of the notifications: `on`, or rejected by the browser. */
export type Wish = 'on' | 'denied' | undefined;

/** The notifications in each session, by order. */
const wishes = new WeakMap<SwapSession, Map<string, WritableAtom<Wish>>>();

/**
 * Whether this page can show notifications. It cannot if the browser has none or they were denied, in a cross-origin
 * frame, and on Android, which only accepts them from service workers.
 */
export function canNotify(): boolean {
  const {Notification: kind} = globalThis as Partial<typeof globalThis>;
  return kind !== undefined && isSecureContext && kind.permission !== 'denied' && !isForeign() && !isAndroid();
}

/** Whether the visitor wants notifications of an order. */
export function wishFor(session: SwapSession, orderId: string): ReadableAtom<Wish> {
  let ofSession = wishes.get(session);
  if (!ofSession) wishes.set(session, (ofSession = new Map<string, WritableAtom<Wish>>()));
  let $wish = ofSession.get(orderId);
  if (!$wish) ofSession.set(orderId, ($wish = atom<Wish>()));
  return $wish;
}

/**
 * Requests permission from the browser, and from then on reports the news of one order, each once, and only while the
 * page is hidden. To be called on a click. `say` returns the texts.
 */
export async function tellOf(session: SwapSession, orderId: string, say: Say): Promise<void> {
  const $wish = wishFor(session, orderId) as WritableAtom<Wish>;
  if ($wish.get() === 'on') return;
  const leave = await Notification.requestPermission().catch(() => 'denied' as const);
  if (leave === 'default') return;
  $wish.set(leave === 'granted' ? 'on' : 'denied');
  if (leave === 'granted') follow(session, orderId, say);
}

function follow(session: SwapSession, orderId: string, say: Say): void {
  const told = new Set<News>();
  const tell = (news: News, witness?: Story['witness']) => {
    if (told.has(news)) return;
    told.add(news);
    if (document.visibilityState === 'hidden') show(say(news, witness), orderId);
  };
  const $needsPayer = computed(session.$order, order => {
    const {id, story} = valueOf(order) ?? {};
    return id === orderId && (story?.isPayersTurn === true || story?.refund === 'open');
  });
  const stops = [
    session.listen(event => {
      if (!('orderId' in event) || event.orderId !== orderId) return;
      if (event.type === 'status' && event.stage === 'refunding') tell('comingBack');
      if (event.type !== 'complete' && event.type !== 'refund') return;
      tell(event.type === 'complete' ? 'received' : 'refunded', event.witness);
      // What only the service says may be revised.
      if (event.witness === 'chain') stops.forEach(stop => stop());
    }),
    $needsPayer.listen(needsPayer => {
      if (needsPayer) tell('needsYou');
    }),
  ];
}

/** Shows a notification that brings the page to the front on a click. */
function show(text: string, tag: string): void {
  try {
    const notification = new Notification(text, {tag});
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
  } catch {
    // A browser that shows no notifications of pages only reports it now.
  }
}

/** Whether the page is in a cross-origin frame: browsers do not ask for permission there. */
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
