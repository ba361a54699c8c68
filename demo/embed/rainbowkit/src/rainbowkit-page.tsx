import {RainbowKitProvider, useConnectModal} from '@rainbow-me/rainbowkit';
import '@rainbow-me/rainbowkit/styles.css';
import {QueryClient, QueryClientProvider} from '@tanstack/react-query';
import {createConfig, http, useAccount, useDisconnect, WagmiProvider} from 'wagmi';
import {baseSepolia, sepolia} from 'wagmi/chains';
import {Page, render} from './Page';
import {useWagmiWallet} from './wagmi';

/** Wallets of this browser. `getDefaultConfig` adds those on other devices, with your project id. */
const config = createConfig({
  chains: [baseSepolia, sepolia],
  transports: {[baseSepolia.id]: http(), [sepolia.id]: http()},
});

function App() {
  const {openConnectModal} = useConnectModal();
  const {address, chainId} = useAccount();
  const {disconnect} = useDisconnect();
  const wallet = useWagmiWallet(() => openConnectModal?.());

  return (
    <Page
      from="base_sepolia:wbtc"
      to="ethereum_sepolia:wbtc"
      account={address && `${address} on ${chainId}`}
      onDisconnect={() => disconnect()}
      {...wallet}
    />
  );
}

export function show(root: HTMLElement) {
  render(
    root,
    <WagmiProvider config={config}>
      <QueryClientProvider client={new QueryClient()}>
        <RainbowKitProvider>
          <App />
        </RainbowKitProvider>
      </QueryClientProvider>
    </WagmiProvider>,
  );
}
