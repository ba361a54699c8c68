import {parameterOf, readLink, type LinkedField} from '../domain/link.js';
import {valueOf} from '../domain/remote.js';
import type {SwapSession} from '../session/session.js';

/**
 * Keeps the order that is shown in the page's address, so that the browser's back button, a reload and a link lead to
 * it, until the signal aborts. The address holds only a name: an order that this browser did not place is for looking at.
 * The page's fragment is its own. Widgets are told apart by their ids.
 */
export function syncAddress(session: SwapSession, id: string, signal: AbortSignal): void {
  const parameter = id ? parameterOf('order', id) : 'swap';
  let opening: string | undefined;
  const shown = () => (session.$view.get() === 'order' ? valueOf(session.$order.get())?.id : undefined);

  /** Goes where the address says. */
  const follow = () => {
    const named = orderIn(location.search, parameter);
    if (named === shown()) return;
    opening = named;
    if (named !== undefined) session.openOrder(named);
    else session.back();
  };

  /** Writes where the person went. */
  const write = () => {
    const order = shown();
    if (opening !== undefined && order !== opening) return;
    opening = undefined;
    if (order === orderIn(location.search, parameter)) return;
    // The page's other parameters stay as they are written.
    const others = location.search
      .slice(1)
      .split('&')
      .filter(part => part !== '' && !part.startsWith(`${encodeURIComponent(parameter)}=`));
    // As a whole address: a path that begins with two slashes would be read as another site's.
    const address = new URL(location.href);
    address.search = [...others, ...(order === undefined ? [] : [`${encodeURIComponent(parameter)}=${order}`])].join(
      '&',
    );
    try {
      history.pushState(history.state, '', address);
    } catch {
      // A page of no origin may not write it, and browsers limit how often: the address stays as it is.
    }
  };

  // An address that names no order takes the one that is shown already; only going back in it closes one.
  if (orderIn(location.search, parameter) === undefined) write();
  else follow();
  addEventListener('popstate', follow, {signal});
  for (const stop of [
    session.$view.listen(write),
    session.$order.listen(write),
    session.listen(event => {
      // What could not be opened is waited for no longer.
      if (event.type === 'error' && event.orderId === opening) opening = undefined;
    }),
  ]) {
    signal.addEventListener('abort', stop);
  }
}

/** The order that an address names; nothing that could not be the name of one. */
function orderIn(search: string, parameter: string): string | undefined {
  const id = new URLSearchParams(search).get(parameter);
  return id !== null && /^[\w-]{1,128}$/.test(id) ? id : undefined;
}

/** What a page's address filled in for a widget when it began. */
const links = new WeakMap<object, Partial<Record<LinkedField, string>>>();

/** What the page's address fills in for a widget, less what the page has set itself since. */
export function linkOf(
  widget: {readonly id: string; readonly urlSync?: boolean | undefined},
  changed: ReadonlySet<PropertyKey>,
): Partial<Record<LinkedField, string>> {
  const before = links.get(widget);
  const link = before
    ? Object.fromEntries(Object.entries(before).filter(([field]) => !changed.has(field)))
    : widget.urlSync
      ? readLink(location.search, widget.id)
      : {};
  links.set(widget, link);
  return link;
}
