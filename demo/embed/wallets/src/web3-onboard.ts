import type {OnboardAPI, WalletState} from '@web3-onboard/core';
import type {SwapWidget} from 'swap-widget';

/** Follows the wallet that web3-onboard has connected. Its window opens where the widget would open its list. */
export function shareWallet(widget: SwapWidget, onboard: OnboardAPI, changed: (wallet?: WalletState) => void) {
  onboard.state.select('wallets').subscribe(([wallet]) => {
    const evm = wallet?.provider;
    if (evm !== widget.wallets?.evm) widget.wallets = {...widget.wallets, evm};
    changed(wallet);
  });
  widget.addEventListener('swap-connect-request', event => {
    if (event.family !== 'evm') return;
    event.preventDefault(); // No list of the widget's own.
    void onboard.connectWallet();
  });
  return {
    async disconnect() {
      const [wallet] = onboard.state.get().wallets;
      if (wallet) await onboard.disconnectWallet({label: wallet.label});
    },
  };
}
