import {computed} from 'nanostores';
import {isProblem} from '../domain/draft.js';
import type {Wallet} from '../chains/adapter.js';
import type {ChainFamily} from '../domain/asset.js';
import {valueOf} from '../domain/remote.js';
import type {Stage} from '../domain/stage.js';
import {SwapConnectRequestEvent, SwapTrackEvent, type ScreenName, type Tracked} from '../events.js';
import type {SwapSession} from '../session/session.js';
import {viewIn} from './event-of.js';

/** The element that reports, and its part that can be closed. */
interface Page extends EventTarget {
  readonly variant?: string | undefined;
  readonly renderRoot: ParentNode & EventTarget;
}

/** The screen of an order while it is nobody's turn, by its stage. */
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
  const $screen = computed([viewIn(session), session.$stage], (view, stage): ScreenName =>
    view === 'progress' ? (SCREENS[stage] ?? view) : view,
  );
  let last: ScreenName | undefined;
  const tell = () => {
    const isClosed =
      page.variant === 'button' && !page.renderRoot.querySelector('swap-widget-launch')?.hasAttribute('open');
    const screen = isClosed ? 'button' : $screen.get();
    if (screen === last) return;
    last = screen;
    track(page, {what: 'view', view: screen});
  };
  page.renderRoot.addEventListener('launch', tell, {signal});
  return $screen.subscribe(tell);
}

function tellWallets(page: Page, session: SwapSession, signal: AbortSignal): () => void {
  const {$wallets, $draft, $form} = session;
  /** What a wallet of each family was last requested for. */
  const wanted = new Map<ChainFamily, 'pay' | 'receive'>();
  /** The connected wallets that have been reported, by family. */
  const connected = new Map(Object.entries($wallets.get().accounts).map(([family, {wallet}]) => [family, wallet.id]));
  let chosen: unknown;
  let failure: unknown;
  const tell = (outcome: NonNullable<Tracked['outcome']>, {family, name: wallet}: Wallet, code?: Tracked['code']) => {
    const pays = $form.get()?.catalogue.find($draft.get().from)?.chain.family === family;
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
  const stops = [
    computed($wallets, ({connecting}) => connecting).listen(now => {
      const wallet = valueOf(now);
      if (!wallet) return;
      if (now.state === 'pending' && wallet !== chosen) {
        chosen = wallet;
        tell('chosen', wallet);
      } else if (now.state === 'failed' && now.error !== failure) {
        chosen = undefined;
        failure = now.error;
        tell('failed', wallet, now.error.code);
      }
    }),
    computed($wallets, ({accounts}) => accounts).listen(accounts => {
      for (const family of connected.keys()) if (!accounts[family as ChainFamily]) connected.delete(family);
      for (const {family, wallet} of Object.values(accounts)) {
        // Another account of the same wallet is not reported.
        if (connected.get(family) === wallet.id) continue;
        connected.set(family, wallet.id);
        tell(wallet === chosen ? 'connected' : 'restored', wallet);
        chosen = undefined;
      }
    }),
  ];
  return () => stops.forEach(stop => stop());
}

function tellChanges(page: Page, {$draft, $price}: SwapSession): () => void {
  let last = '';
  return computed([$draft, $price], ({from, to}, {request}) => ({
    from,
    to,
    amount: isProblem(request) ? undefined : request.amount,
  })).subscribe(({from, to, amount}) => {
    const now = `${from} ${to} ${String(amount)}`;
    if (now === last) return;
    last = now;
    track(page, {what: 'change', from, to, ...(amount !== undefined && {amount})});
  });
}
