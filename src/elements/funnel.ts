import {effect} from 'nanostores';
import {isProblem} from '../domain/draft.js';
import type {Wallet} from '../chains/adapter.js';
import type {ChainFamily} from '../domain/asset.js';
import {valueOf} from '../domain/remote.js';
import type {Stage} from '../domain/stage.js';
import {SwapConnectRequestEvent, SwapTrackEvent, type ScreenName, type Tracked} from '../events.js';
import type {SwapSession} from '../session/session.js';
import type {FormState} from '../session/types.js';
import {SHARED, type Shared} from './base/swap-element.js';
import {viewIn} from './event-of.js';

interface Page extends EventTarget {
  readonly [SHARED]: Shared;
  readonly stage: Stage;
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
export function tellFunnel(page: Page, signal: AbortSignal): void {
  const {$session, draft} = page[SHARED];
  const tellView = viewTeller(page);
  const tellChange = changeTeller(page);
  let stops: readonly (() => void)[] = [];
  const stop = () => stops.forEach(each => each());
  const leave = $session.subscribe(session => {
    stop();
    tellView();
    stops = [
      (session ?? draft).$form.subscribe(tellChange),
      ...(session ? [effect([viewIn(session), session.$stage], tellView), tellWallets(page, session, signal)] : []),
    ];
  });
  page.renderRoot.addEventListener('launch', tellView, {signal});
  signal.addEventListener('abort', () => {
    leave();
    stop();
  });
}

function track(page: Page, fields: Tracked): void {
  page.dispatchEvent(new SwapTrackEvent(fields));
}

function viewTeller(page: Page): () => void {
  let last: ScreenName | undefined;
  return () => {
    const session = page[SHARED].$session.get();
    const isClosed =
      page.variant === 'button' && !page.renderRoot.querySelector('swap-widget-launch')?.hasAttribute('open');
    const view = session ? viewIn(session).get() : 'form';
    const shown = (view === 'progress' && SCREENS[page.stage]) || view;
    const screen = isClosed ? 'button' : shown;
    if (screen === last) return;
    last = screen;
    track(page, {what: 'view', view: screen});
  };
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

function changeTeller(page: Page): (form: FormState) => void {
  let last = '';
  return ({draft: {from, to}, request}) => {
    const amount = isProblem(request) ? undefined : request.amount;
    const now = `${from} ${to} ${String(amount)}`;
    if (now === last) return;
    last = now;
    track(page, {what: 'change', from, to, ...(amount !== undefined && {amount})});
  };
}
