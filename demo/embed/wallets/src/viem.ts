import type {SwapWidget} from 'swap-widget';
import {createWalletClient, custom, type Address, type EIP1193Provider, type WalletClient} from 'viem';

interface Connected {
  client: WalletClient;
  address: Address;
  chainId: number;
}

/** Connects and follows the page's wallet. The widget speaks to the same provider as the page's client. */
export function shareWallet(widget: SwapWidget, changed: (connected?: Connected) => void) {
  let stop = () => {};
  const give = (evm?: EIP1193Provider) => {
    widget.wallets = {...widget.wallets, evm};
  };
  const disconnect = () => {
    stop();
    give();
    changed();
  };

  return {
    async connect(provider: EIP1193Provider) {
      const client = createWalletClient({transport: custom(provider)});
      const follow = async () => {
        const [address] = await client.getAddresses();
        if (address) changed({client, address, chainId: await client.getChainId()});
        else disconnect();
      };
      await client.requestAddresses();
      stop();
      for (const event of ['accountsChanged', 'chainChanged'] as const) provider.on(event, follow);
      stop = () => {
        for (const event of ['accountsChanged', 'chainChanged'] as const) provider.removeListener(event, follow);
      };
      give(provider);
      await follow();
    },
    disconnect,
  };
}
