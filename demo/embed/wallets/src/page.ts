import 'swap-widget/define.js';
import {settings} from './settings';

/** The page around the widget, without a framework. */
export function drawPage(root: HTMLElement, {from, to}: {from: string; to: string}) {
  root.innerHTML = `
    <p id="account">No wallet</p>
    <button id="disconnect" hidden>Disconnect</button>
    <swap-widget></swap-widget>
    <output></output>
    <dialog id="wallets"></dialog>`;
  const widget = Object.assign(root.querySelector('swap-widget')!, settings, {from, to});
  const button = root.querySelector<HTMLButtonElement>('#disconnect')!;
  const dialog = root.querySelector('dialog')!;
  widget.addEventListener('swap-complete', event => {
    root.querySelector('output')!.textContent = `Received: order ${event.orderId}`;
  });
  return {
    widget,
    /** Shows the page's own wallet account. */
    tell(account: string | undefined, disconnect: () => unknown) {
      root.querySelector('#account')!.textContent = account ?? 'No wallet';
      button.hidden = !account;
      button.onclick = disconnect;
    },
    /** The page's own dialog. Resolves with the chosen wallet. */
    choose<Wallet>(wallets: readonly {name: string; wallet: Wallet}[]): Promise<Wallet | undefined> {
      dialog.replaceChildren(
        ...wallets.map(({name}, at) =>
          Object.assign(document.createElement('button'), {textContent: name, onclick: () => dialog.close(String(at))}),
        ),
      );
      dialog.returnValue = '';
      dialog.showModal();
      return new Promise(resolve => {
        dialog.onclose = () =>
          resolve(dialog.returnValue === '' ? undefined : wallets[Number(dialog.returnValue)]!.wallet);
      });
    },
  };
}
