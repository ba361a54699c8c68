import {ConnectionProvider, useWallet, WalletProvider} from '@solana/wallet-adapter-react';
import {useWalletModal, WalletModalProvider} from '@solana/wallet-adapter-react-ui';
import '@solana/wallet-adapter-react-ui/styles.css';
import {Page, render} from './Page';
import {useSolanaWallet} from './solana';

function App() {
  const {publicKey, disconnect} = useWallet();
  const {setVisible} = useWalletModal();
  const wallet = useSolanaWallet(() => setVisible(true));

  return (
    <Page
      from="solana_testnet:sol"
      to="base_sepolia:wbtc"
      account={publicKey?.toBase58()}
      onDisconnect={() => void disconnect()}
      {...wallet}
    />
  );
}

export function show(root: HTMLElement) {
  render(
    root,
    <ConnectionProvider endpoint="https://api.devnet.solana.com">
      <WalletProvider wallets={[]} autoConnect>
        <WalletModalProvider>
          <App />
        </WalletModalProvider>
      </WalletProvider>
    </ConnectionProvider>,
  );
}
