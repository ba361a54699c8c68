import type {SwapWidget} from 'swap-widget';
import {createWalletClient, custom, type Address, type EIP1193Provider, type WalletClient} from 'viem';

/** The page's wallet, and what it is told of. The widget speaks to the same provider as the page's client. */
export function shareWallet(widget: SwapWidget, changed: (client?: WalletClient, address?: Address) => void) {
  const give = (evm?: EIP1193Provider) => {
    widget.wallets = {...widget.wallets, evm};
  };
  let stop = () => {};
  const disconnect = () => {
    stop();
    give();
    changed();
  };

  return {
    async connect(provider: EIP1193Provider) {
      const client = createWalletClient({transport: custom(provider)});
      const follow = ([address]: Address[]) => (address ? changed(client, address) : disconnect());
      const accounts = await client.requestAddresses();
      stop();
      provider.on('accountsChanged', follow);
      stop = () => provider.removeListener('accountsChanged', follow);
      give(provider);
      follow(accounts);
    },
    disconnect,
  };
}
