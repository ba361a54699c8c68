import {html, type TemplateResult} from 'lit';
import type {ChainFamily} from '../domain/asset.js';
import type {SwapElement} from './swap-element.js';
import type {Side} from './swap-view.js';

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

/** The list of wallets. */
export function pickWallet(side: Side, family: ChainFamily): Picker {
  return {
    tag: 'swap-widget-wallet-picker',
    draw: on =>
      html`<swap-widget-wallet-picker
        .side=${side}
        .family=${family}
        @close=${on.close}
        @enter-address=${on.enterAddress}
      ></swap-widget-wallet-picker>`,
  };
}

/** Opens a list in front of a view. When it closes, the focus is where it was. */
export async function pick(picker: Picker, {root, show, leave, enterAddress}: Behind): Promise<void> {
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
