import {effect} from 'nanostores';
import {isProblem} from '../domain/draft.js';
import type {Wallet} from '../chains/adapter.js';
import type {ChainFamily} from '../domain/asset.js';
import {valueOf} from '../domain/remote.js';
import type {Stage} from '../domain/stage.js';
import {SwapConnectRequestEvent, SwapTrackEvent, type ScreenName, type Tracked} from '../events.js';
import type {SwapSession} from '../session/session.js';
import {viewIn} from './event-of.js';

interface Page extends EventTarget {
  readonly variant?: string | undefined;
  readonly renderRoot: ParentNode & EventTarget;
}

const SCREENS: Partial<Record<Stage, ScreenName>> = {
  complete: 'complete',
  refunding: 'refund',
  refunded: 'refund',
  expired: 'expired',
  stopped: 'stopped',
};

/** Reports to the page how far a visitor gets, and nothing about who that is, until the signal aborts. */
export function tellFunnel(page: Page, session: SwapSession, signal: AbortSignal): void {
  for (const stop of [
    tellViews(page, session, signal),
    tellWallets(page, session, signal),
    tellChanges(page, session),
  ]) {
    signal.addEventListener('abort', stop);
  }
}

function track(page: Page, fields: Tracked): void {
  page.dispatchEvent(new SwapTrackEvent(fields));
}

function tellViews(page: Page, session: SwapSession, signal: AbortSignal): () => void {
  const $view = viewIn(session);
  let last: ScreenName | undefined;
  const tell = () => {
    const isClosed =
      page.variant === 'button' && !page.renderRoot.querySelector('swap-widget-launch')?.hasAttribute('open');
    const view = $view.get();
    const shown = view === 'progress' ? (SCREENS[session.$stage.get()] ?? view) : view;
    const screen = isClosed ? 'button' : shown;
    if (screen === last) return;
    last = screen;
    track(page, {what: 'view', view: screen});
  };
  page.renderRoot.addEventListener('launch', tell, {signal});
  return effect([$view, session.$stage], tell);
}

function tellWallets(page: Page, session: SwapSession, signal: AbortSignal): () => void {
  const {$wallets, $form} = session;
  const wanted = new Map<ChainFamily, 'pay' | 'receive'>();
  const connected = new Map(Object.entries($wallets.get().accounts).map(([family, {wallet}]) => [family, wallet.id]));
  let chosen: unknown;
  let failure: unknown;
  const tell = (outcome: NonNullable<Tracked['outcome']>, {family, name: wallet}: Wallet, code?: Tracked['code']) => {
    const {draft, page: settings} = $form.get();
    const pays = settings?.catalogue.find(draft.from)?.chain.family === family;
    const side = wanted.get(family) ?? (pays ? 'pay' : 'receive');
    track(page, {what: 'wallet', outcome, family, side, wallet, ...(code && {code})});
  };
  page.addEventListener(
    'swap-connect-request',
    event => {
      if (event instanceof SwapConnectRequestEvent) wanted.set(event.family, event.side);
    },
    {signal},
  );
  return $wallets.listen(({connecting, accounts}, before) => {
    const wallet = connecting === before?.connecting ? undefined : valueOf(connecting);
    if (wallet && connecting.state === 'pending' && wallet !== chosen) {
      chosen = wallet;
      tell('chosen', wallet);
    } else if (wallet && connecting.state === 'failed' && connecting.error !== failure) {
      chosen = undefined;
      failure = connecting.error;
      tell('failed', wallet, connecting.error.code);
    }
    for (const family of connected.keys()) if (!accounts[family as ChainFamily]) connected.delete(family);
    for (const {family, wallet} of Object.values(accounts)) {
      // Another account of the same wallet is not reported.
      if (connected.get(family) === wallet.id) continue;
      connected.set(family, wallet.id);
      tell(wallet === chosen ? 'connected' : 'restored', wallet);
      chosen = undefined;
    }
  });
}

function tellChanges(page: Page, {$form}: SwapSession): () => void {
  let last = '';
  return $form.subscribe(({draft: {from, to}, request}) => {
    const amount = isProblem(request) ? undefined : request.amount;
    const now = `${from} ${to} ${String(amount)}`;
    if (now === last) return;
    last = now;
    track(page, {what: 'change', from, to, ...(amount !== undefined && {amount})});
  });
}
