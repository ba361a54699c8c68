import {sepolia} from '@starknet-react/chains';
import {
  publicProvider,
  StarknetConfig,
  useAccount,
  useConnect,
  useDisconnect,
  useInjectedConnectors,
} from '@starknet-react/core';
import {useRef} from 'react';
import {Page, render} from './Page';
import {useStarknetWallet} from './starknet-react';

function App() {
  const dialog = useRef<HTMLDialogElement>(null);
  const {connectors} = useInjectedConnectors({});
  const {address} = useAccount();
  const {connect} = useConnect();
  const {disconnect} = useDisconnect();
  const wallet = useStarknetWallet(() => dialog.current?.showModal());

  return (
    <Page
      from="starknet_sepolia:wbtc"
      to="base_sepolia:wbtc"
      account={address}
      onDisconnect={() => disconnect()}
      {...wallet}
    >
      <dialog ref={dialog} id="wallets">
        {connectors.map(connector => (
          <button
            key={connector.id}
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
    <StarknetConfig chains={[sepolia]} provider={publicProvider()}>
      <App />
    </StarknetConfig>,
  );
}
