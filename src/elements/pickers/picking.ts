import {html, type TemplateResult} from 'lit';
import type {Side} from '../../domain/draft.js';
import type {SwapConnectRequestEvent} from '../../events.js';
import type {SwapSession} from '../../session/session.js';
import type {SwapElement} from '../base/swap-element.js';
import {deepActiveElement} from '../overlay.js';

export type Picker = (on: {close(): void; enterAddress(): void}) => TemplateResult;

interface Behind {
  readonly root: ParentNode;
  show(picker: TemplateResult | undefined): Promise<void>;
  /** Moves the focus if its former place is gone. */
  leave(): void;
  enterAddress(): void;
}

export function pickAsset(side: Side): Picker {
  return on =>
    html`<swap-widget-asset-picker exportparts="search" .side=${side} @close=${on.close}></swap-widget-asset-picker>`;
}

/** In milliseconds: a wallet that responds sooner is connected without opening the list. */
const AT_ONCE = 300;

/**
 * The wallet picker. If the page provides a wallet, in response to the event or in its settings, that one is connected
 * at once. The list then only opens if that takes a while or fails, and shows that wallet alone.
 */
export async function pickWallet(
  {family, side, answer}: SwapConnectRequestEvent,
  session: SwapSession,
): Promise<Picker | undefined> {
  const isOwn = answer !== undefined || session.$settings.get().config?.wallets?.[family] != null;
  const connecting = isOwn
    ? session.connect(family, {answer}).then(connected => {
        if (connected) useWallet(session, side);
        return connected;
      })
    : undefined;
  if (connecting) {
    // Until then the page's own dialog is open.
    await answer?.catch(() => undefined);
    const connected = await Promise.race([connecting, new Promise<undefined>(resolve => setTimeout(resolve, AT_ONCE))]);
    if (connected !== undefined && session.$wallets.get().connecting.state !== 'failed') return undefined;
  }
  return on => {
    void connecting?.then(connected => {
      if (connected) on.close();
    });
    return html`<swap-widget-wallet-picker
      exportparts="secondary"
      .side=${side}
      .family=${family}
      .isOwn=${isOwn}
      @close=${on.close}
      @enter-address=${on.enterAddress}
    ></swap-widget-wallet-picker>`;
  };
}

/** A wallet that is connected in the form replaces an address that was typed before. */
export function useWallet(session: SwapSession, side: Side): void {
  if (session.$stage.get() !== 'editing') return;
  session.edit(side === 'receive' ? {recipient: ''} : {refundAddress: ''});
}

/** Opens a picker in front of a view. When it closes, the focus returns to its previous place, unless it has moved on. */
export async function pick(picker: Picker | undefined, {root, show, leave, enterAddress}: Behind): Promise<void> {
  if (!picker) return;
  const opener = deepActiveElement(root as ShadowRoot);
  await show(
    picker({
      close: () => {
        void show(undefined).then(() => {
          if (hasFocusElsewhere(root)) return;
          if (opener?.isConnected) opener.focus();
          else leave();
        });
      },
      enterAddress: () => {
        void show(undefined).then(enterAddress);
      },
    }),
  );
  const list = root.querySelector<SwapElement>('swap-widget-asset-picker, swap-widget-wallet-picker');
  await list?.updateComplete;
  list?.focus();
}

function hasFocusElsewhere(root: ParentNode): boolean {
  let {host: at} = root as {readonly host?: Element};
  while (at) {
    const scope = at.getRootNode() as Document | ShadowRoot;
    const {activeElement: active} = scope;
    if (active && active !== at.ownerDocument.body && !active.contains(at)) return true;
    at = 'host' in scope ? scope.host : undefined;
  }
  return false;
}
