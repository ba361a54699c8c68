import {atom, type ReadableAtom} from 'nanostores';
import {idle, valueOf, type Remote} from '../../../domain/remote.js';
import type {Story} from '../../../domain/story.js';
import type {ShownOrder, SwapSession} from '../../../session/session.js';

export type Occasion = 'received' | 'comingBack' | 'refunded' | 'needsYou';

/** The texts of the news; for an end, by its witness. */
export type Say = (news: Occasion, witness: Story['witness']) => string;

export type Wish = 'on' | 'denied' | undefined;

const createWishes = () => atom<Readonly<Record<string, Wish>>>({});

/**
 * Whether this page can show notifications. It cannot if the browser has none or they were denied, in a cross-origin
 * frame, and on Android, which only accepts them from service workers.
 */
export function canNotify(): boolean {
  const {Notification: kind} = globalThis as Partial<typeof globalThis>;
  const isAndroid = navigator.userAgent.includes('Android');
  return kind !== undefined && isSecureContext && kind.permission !== 'denied' && !isForeign() && !isAndroid;
}

export function wishesIn(session: SwapSession): ReadableAtom<Readonly<Record<string, Wish>>> {
  return session.keep(createWishes);
}

/**
 * Each news once, and only while the page is hidden. To be called on a click, since the browser asks for permission.
 */
export async function tellOf(session: SwapSession, orderId: string, say: Say): Promise<void> {
  const $wishes = session.keep(createWishes);
  if ($wishes.get()[orderId] === 'on') return;
  const leave = await Notification.requestPermission().catch(() => 'denied' as const);
  if (leave === 'default') return;
  $wishes.set({...$wishes.get(), [orderId]: leave === 'granted' ? 'on' : 'denied'});
  if (leave === 'granted') follow(session, orderId, say);
}

function follow(session: SwapSession, orderId: string, say: Say): void {
  const told = new Set<Occasion>();
  const tell = (news: Occasion, witness?: Story['witness']) => {
    if (told.has(news)) return;
    told.add(news);
    if (document.visibilityState === 'hidden') show(say(news, witness), orderId);
  };
  const needsPayer = (order: Remote<ShownOrder> = idle) => {
    const {id, story} = valueOf(order) ?? {};
    return id === orderId && (story?.isPayersTurn === true || story?.refund === 'open');
  };
  const stops = [
    session.listen(event => {
      if (!('orderId' in event) || event.orderId !== orderId) return;
      if (event.type === 'status' && event.stage === 'refunding') tell('comingBack');
      if (event.type !== 'complete' && event.type !== 'refund') return;
      tell(event.type === 'complete' ? 'received' : 'refunded', event.witness);
      // What only the service says may be revised.
      if (event.witness === 'chain') stops.forEach(stop => stop());
    }),
    session.$order.listen((order, before) => {
      if (needsPayer(order) && !needsPayer(before)) tell('needsYou');
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
