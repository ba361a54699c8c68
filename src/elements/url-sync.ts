import {valueOf} from '../domain/remote.js';
import type {SwapSession} from '../session/session.js';

/** The parameter of the page's address that holds the order on the screen. The page's fragment is its own. */
const PARAMETER = 'swap';

/**
 * Keeps the order that is shown in the page's address, so that the browser's back button, a reload and a link lead to
 * it, until the signal aborts. The address holds only a name: an order that this browser did not place is for looking at.
 */
export function syncAddress(session: SwapSession, signal: AbortSignal): void {
  let opening: string | undefined;
  const shown = () => (session.$view.get() === 'order' ? valueOf(session.$order.get())?.id : undefined);

  /** Goes where the address says. */
  const follow = () => {
    const named = orderIn(location.search);
    if (named === shown()) return;
    opening = named;
    if (named !== undefined) session.openOrder(named);
    else session.back();
  };

  /** Writes where the person went. */
  const write = () => {
    const id = shown();
    if (opening !== undefined && id !== opening) return;
    opening = undefined;
    if (id === orderIn(location.search)) return;
    // The page's other parameters stay as they are written.
    const others = location.search
      .slice(1)
      .split('&')
      .filter(part => part !== '' && !part.startsWith(`${PARAMETER}=`));
    // As a whole address: a path that begins with two slashes would be read as another site's.
    const address = new URL(location.href);
    address.search = [...others, ...(id === undefined ? [] : [`${PARAMETER}=${id}`])].join('&');
    try {
      history.pushState(history.state, '', address);
    } catch {
      // A page of no origin may not write it, and browsers limit how often: the address stays as it is.
    }
  };

  // An address that names no order takes the one that is shown already; only going back in it closes one.
  if (orderIn(location.search) === undefined) write();
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
function orderIn(search: string): string | undefined {
  const id = new URLSearchParams(search).get(PARAMETER);
  return id !== null && /^[\w-]{1,128}$/.test(id) ? id : undefined;
}
