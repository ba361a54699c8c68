import {atom, computed, type ReadableAtom, type WritableAtom} from 'nanostores';
import {valueOf} from '../../../domain/remote.js';
import type {Story} from '../../../domain/story.js';
import type {SwapSession} from '../../../session/session.js';

/** What a person may be told of a swap while they look elsewhere. */
export type News = 'received' | 'comingBack' | 'refunded' | 'needsYou';

/** The words for the news; of an end, by who says so. */
export type Say = (news: News, witness: Story['witness']) => string;

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
      // What the service alone says may be taken back.
      if (event.witness === 'chain') stops.forEach(stop => stop());
    }),
    $needsPayer.listen(needsPayer => {
      if (needsPayer) tell('needsYou');
    }),
  ];
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
