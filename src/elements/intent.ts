import type {SwapSession} from '../session/session.js';
import {afterFrame} from './base/after-frame.js';

/**
 * Starts to load what a click is about to need, once the pointer or the focus is near it, so that it is ready: the list
 * of assets or wallets, and the code of the asset's family. Only the widget's own scripts are loaded: no request goes
 * to a wallet, a chain or the service. With data saving enabled, everything is loaded on the click.
 */
export function loadAhead(widget: EventTarget, session: SwapSession, signal: AbortSignal): void {
  const begun = new Set<string>();
  /** Starts each load once: if it fails, the click retries it, and reports that. */
  const begin = (name: string, load: () => unknown) => {
    const {connection} = navigator as {connection?: {readonly saveData?: boolean}};
    if (begun.has(name) || connection?.saveData) return;
    begun.add(name);
    void Promise.resolve(load()).catch(() => undefined);
  };
  const beginFamily = (asset: string | undefined) => {
    const family = session.$settings.get().config?.catalogue.find(asset ?? '')?.chain.family;
    if (family) begin(family, () => session.prepare(family));
  };

  const come = (event: Event) => {
    const near = event.composedPath().filter(one => one instanceof Element);
    const isNear = (selector: string) => near.some(element => element.matches(selector));
    const isLine = isNear('swap-widget-address-field');
    if (!isLine && !isNear('button[part~="asset"]')) return;
    const {from, to} = session.$form.get().draft;
    beginFamily(isNear('[part~="pay"]') ? from : to);
    begin('list', () => import('./pickers/picking.js'));
    if (isLine)
      begin('wallets', () => Promise.all([import('./pickers/wallet-picker.js'), import('../session/accounts.js')]));
    else begin('assets', () => import('./pickers/asset-picker.js'));
  };
  for (const type of ['pointerover', 'focusin']) widget.addEventListener(type, come, {signal, passive: true});

  // With a price on the screen, the review and both sides are next; in a review, the code for orders.
  const stops = [
    session.$form.subscribe(({offer}, before) => {
      if (!offer || offer === before?.offer) return;
      afterFrame(() => {
        if (signal.aborted) return;
        const {from, to} = session.$form.get().draft;
        begin('review', () => import('./order/review-view.js'));
        beginFamily(from);
        beginFamily(to);
      });
    }),
    session.$view.subscribe(view => {
      if (view === 'review') begin('deposit', () => import('./order/deposit/deposit-view.js'));
    }),
  ];
  for (const stop of stops) signal.addEventListener('abort', stop);
}
