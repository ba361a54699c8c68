import {QueryClient, QueryClientProvider} from '@tanstack/react-query';
import {useRef} from 'react';
import {createConfig, http, useConnect, useConnection, useConnectors, useDisconnect, WagmiProvider} from 'wagmi';
import {baseSepolia, sepolia} from 'wagmi/chains';
import {Page, render} from './Page';
import {useWagmiWallet} from './wagmi';

const config = createConfig({
  chains: [baseSepolia, sepolia],
  transports: {[baseSepolia.id]: http(), [sepolia.id]: http()},
});

function App() {
  const dialog = useRef<HTMLDialogElement>(null);
  const connectors = useConnectors();
  const {address, chainId} = useConnection();
  const {mutate: connect} = useConnect();
  const {mutate: disconnect} = useDisconnect();
  const wallet = useWagmiWallet(() => dialog.current?.showModal());

  return (
    <Page
      from="base_sepolia:wbtc"
      to="ethereum_sepolia:wbtc"
      account={address && `${address} on ${chainId}`}
      onDisconnect={() => disconnect({})}
      {...wallet}
    >
      <dialog ref={dialog} id="wallets">
        {connectors.map(connector => (
          <button
            key={connector.uid}
            onClick={() => {
              dialog.current?.close();
              connect({connector});
            }}
          >
            {connector.name}
          </button>
        ))}
      </dialog>
    </Page>
  );
}

export function show(root: HTMLElement) {
  render(
    root,
    <WagmiProvider config={config}>
      <QueryClientProvider client={new QueryClient()}>
        <App />
      </QueryClientProvider>
    </WagmiProvider>,
  );
}
