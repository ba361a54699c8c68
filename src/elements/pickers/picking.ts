import {html, type TemplateResult} from 'lit';
import type {Side} from '../../domain/draft.js';
import type {SwapConnectRequestEvent} from '../../events.js';
import type {SwapSession} from '../../session/session.js';
import type {SwapElement} from '../base/swap-element.js';

/** A list that is about to open. */
export interface Picker {
  readonly tag: 'swap-widget-asset-picker' | 'swap-widget-wallet-picker';
  draw(on: {close(): void; enterAddress(): void}): TemplateResult;
}

/** The view in front of which something is chosen. */
interface Behind {
  readonly root: ParentNode;
  /** Puts a picker in front, or takes it away. */
  show(picker: TemplateResult | undefined): Promise<void>;
  /** Takes the focus back where nothing better is known. */
  leave(): void;
  /** Is told when the person would rather type an address. */
  enterAddress(): void;
}

/** The list of assets. */
export function pickAsset(side: Side): Picker {
  return {
    tag: 'swap-widget-asset-picker',
    draw: on =>
      html`<swap-widget-asset-picker exportparts="search" .side=${side} @close=${on.close}></swap-widget-asset-picker>`,
  };
}

/** A wallet that answers within so many milliseconds is connected without a window of ours. */
const AT_ONCE = 300;

/**
 * The list of wallets. Where the page knows which wallet is meant, by its answer or because it brought one, that one is
 * asked, and what opens shows it alone: only where it takes its time or does not come.
 */
export async function pickWallet(
  {family, side, answer}: SwapConnectRequestEvent,
  session: SwapSession,
): Promise<Picker | undefined> {
  const isOwn = answer !== undefined || session.$config.get()?.wallets?.[family] != null;
  const connecting = isOwn
    ? session.connect(family, {answer}).then(connected => {
        if (connected) useWallet(session, side);
        return connected;
      })
    : undefined;
  if (connecting) {
    // The page's own dialog is open until then.
    await answer?.catch(() => undefined);
    const connected = await Promise.race([connecting, new Promise<undefined>(resolve => setTimeout(resolve, AT_ONCE))]);
    if (connected !== undefined && session.$connecting.get().state !== 'failed') return undefined;
  }
  return {
    tag: 'swap-widget-wallet-picker',
    draw: on => {
      void connecting?.then(connected => {
        if (connected) on.close();
      });
      return html`<swap-widget-wallet-picker
        .side=${side}
        .family=${family}
        .isOwn=${isOwn}
        @close=${on.close}
        @enter-address=${on.enterAddress}
      ></swap-widget-wallet-picker>`;
    },
  };
}

/** Whoever connects a wallet in the form wants the money there, and not at an address typed before. */
export function useWallet(session: SwapSession, side: Side): void {
  if (session.$stage.get() !== 'editing') return;
  session.edit(side === 'receive' ? {recipient: ''} : {refundAddress: ''});
}

/** Opens a list in front of a view. When it closes, the focus is where it was. */
export async function pick(picker: Picker | undefined, {root, show, leave, enterAddress}: Behind): Promise<void> {
  if (!picker) return;
  const opener = deepActiveElement(root);
  await show(
    picker.draw({
      close: () => {
        void show(undefined).then(() => {
          if (opener?.isConnected) opener.focus();
          else leave();
        });
      },
      enterAddress: () => {
        void show(undefined).then(enterAddress);
      },
    }),
  );
  const list = root.querySelector<SwapElement>(picker.tag);
  await list?.updateComplete;
  list?.focus();
}

/** The focused element of a part, in whatever shadow root below it sits. */
function deepActiveElement(root: ParentNode): HTMLElement | undefined {
  let active = (root as ShadowRoot).activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement ? active : undefined;
}
