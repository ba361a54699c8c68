import type {SwapSession} from '../session/session.js';
import {afterFrame} from './base/after-frame.js';
import {SHARED, type Shared} from './base/swap-element.js';

/**
 * Once the pointer or the focus comes to a widget, its session begins, and what a click is about to need is loaded: the
 * list of assets or wallets, and the code of the asset's family. Only the widget's own scripts are loaded: no request goes
 * to a wallet, a chain or the service. With data saving enabled, everything is loaded on the click.
 */
export function loadAhead(widget: EventTarget & {readonly [SHARED]: Shared}, signal: AbortSignal): void {
  const {$session, draft} = widget[SHARED];
  const begun = new Set<string>();
  /** Starts each load once: if it fails, the click retries it, and reports that. */
  const begin = (name: string, load: () => unknown) => {
    const {connection} = navigator as {connection?: {readonly saveData?: boolean}};
    if (begun.has(name) || connection?.saveData) return;
    begun.add(name);
    void Promise.resolve(load()).catch(() => undefined);
  };
  const beginFamily = (asset: string | undefined) => {
    const session = $session.get();
    const family = session?.$form.get().page?.catalogue.find(asset ?? '')?.chain.family;
    if (session && family) begin(family, () => session.prepare(family));
  };

  const come = (event: Event) => {
    widget[SHARED].begin?.();
    const near = event.composedPath().filter(one => one instanceof Element);
    const isNear = (selector: string) => near.some(element => element.matches(selector));
    const isLine = isNear('swap-widget-address-field');
    if (!isLine && !isNear('button[part~="asset"]')) return;
    const {from, to} = ($session.get() ?? draft).$form.get().draft;
    beginFamily(isNear('[part~="pay"]') ? from : to);
    begin('list', () => import('./pickers/picking.js'));
    if (isLine)
      begin('wallets', () => Promise.all([import('./pickers/wallet-picker.js'), import('../session/accounts.js')]));
    else begin('assets', () => import('./pickers/asset-picker.js'));
  };
  for (const type of ['pointerover', 'focusin']) widget.addEventListener(type, come, {signal, passive: true});

  // With a price on the screen, the review and both sides are next; in a review, the code for orders.
  const follow = ({$form, $view}: SwapSession) => [
    $form.subscribe(({offer}, before) => {
      if (!offer || offer === before?.offer) return;
      afterFrame(() => {
        if (signal.aborted) return;
        const {from, to} = $form.get().draft;
        begin('review', () => import('./order/review-view.js'));
        beginFamily(from);
        beginFamily(to);
      });
    }),
    $view.subscribe(view => {
      if (view === 'review') begin('deposit', () => import('./order/deposit/deposit-view.js'));
    }),
  ];
  const stop = $session.subscribe(session => {
    for (const one of session ? follow(session) : []) signal.addEventListener('abort', one);
  });
  signal.addEventListener('abort', stop);
}
