import type {LockedField} from '../domain/draft.js';
import {parameterOf, readLink} from '../domain/link.js';
import {isOrderId} from '../domain/order.js';
import {valueOf} from '../domain/remote.js';
import type {SwapSession} from '../session/session.js';

type Link = Partial<Record<LockedField, string>>;

const createSynced = (): {id?: string | undefined; link?: Link} => ({});

/** The id of the widget whose form the page's URL fills in (`url-sync`), while it does. */
export const syncedOf = (session: SwapSession) => session.keep(createSynced);

/**
 * So that the browser's back button, a reload and a link lead to the order. The URL only contains an id: an order that
 * this browser did not place is view-only. The page's fragment stays its own. Widgets are distinguished by their ids.
 */
export function syncAddress(session: SwapSession, id: string, signal: AbortSignal): void {
  const synced = syncedOf(session);
  synced.id = id;
  signal.addEventListener('abort', () => (synced.id = undefined));
  const parameter = id ? parameterOf('order', id) : 'swap';
  let opening: string | undefined;
  const written = () => idIn(new URLSearchParams(location.search).get(parameter));
  const shown = () => (session.$view.get() === 'order' ? idIn(valueOf(session.$order.get())?.id) : undefined);

  const follow = () => {
    const named = written();
    if (named === shown()) return;
    opening = named;
    if (named !== undefined) session.openOrder(named);
    else session.back();
  };

  const write = () => {
    const order = shown();
    if (opening !== undefined && order !== opening) return;
    opening = undefined;
    if (order === written()) return;
    // The page's other parameters stay as they are written.
    const isOwn = (part: string) => new URLSearchParams(`?${part}`).has(parameter);
    const others = location.search
      ? location.search
          .slice(1)
          .split('&')
          .filter(part => !isOwn(part))
      : [];
    const own = order === undefined ? [] : [`${encodeURIComponent(parameter)}=${encodeURIComponent(order)}`];
    // As a whole URL: a path that begins with two slashes would be read as another site's.
    const address = new URL(location.href);
    address.search = [...others, ...own].join('&');
    try {
      history.pushState(history.state, '', address);
    } catch {
      // A page with an opaque origin may not write it, and browsers limit how often: the URL stays as it is.
    }
  };

  // A URL without an order gets the displayed one; only going back to it closes an order.
  if (written() === undefined) write();
  else follow();
  addEventListener('popstate', follow, {signal});
  for (const stop of [
    session.$view.listen(write),
    session.$order.listen(write),
    session.listen(event => {
      // An order that could not be opened is no longer waited for.
      if (event.type === 'error' && event.orderId === opening) opening = undefined;
    }),
  ]) {
    signal.addEventListener('abort', stop);
  }
}

function idIn(text: string | null | undefined): string | undefined {
  return text != null && isOrderId(text) ? text : undefined;
}

/** The fields in the page's URL for a widget when it started, except those that the page has set since. */
export function linkOf(
  widget: {readonly id: string; readonly urlSync?: boolean | undefined},
  session: SwapSession,
  changed: ReadonlySet<PropertyKey>,
): Link {
  const synced = syncedOf(session);
  const {link: before} = synced;
  return (synced.link = before
    ? Object.fromEntries(Object.entries(before).filter(([field]) => !changed.has(field)))
    : widget.urlSync
      ? readLink(location.search, widget.id)
      : {});
}
