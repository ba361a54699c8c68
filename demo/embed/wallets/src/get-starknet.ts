import {connect, disconnect, type StarknetWindowObject} from '@starknet-io/get-starknet';
import type {SwapWidget} from 'swap-widget';

/** The wallet chosen in get-starknet's window, which opens where the widget would open its list. */
export function shareWallet(widget: SwapWidget, changed: (address?: string) => void) {
  let wallet: StarknetWindowObject | undefined;
  const follow = (accounts?: string[]) => {
    if (accounts?.[0]) changed(accounts[0]);
    else void leave();
  };
  const give = (next?: StarknetWindowObject) => {
    wallet?.off('accountsChanged', follow);
    wallet = next;
    wallet?.on('accountsChanged', follow);
    widget.wallets = {...widget.wallets, starknet: wallet};
  };
  const leave = async () => {
    give();
    changed();
    await disconnect({clearLastWallet: true});
  };

  widget.addEventListener('swap-connect-request', async event => {
    if (event.family !== 'starknet') return;
    event.preventDefault(); // No list of the widget's own.
    const chosen = await connect({modalMode: 'alwaysAsk'});
    if (!chosen) return;
    give(chosen);
    follow(await chosen.request({type: 'wallet_requestAccounts'}));
  });
  return {disconnect: leave};
}
