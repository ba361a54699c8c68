import {sepolia} from '@starknet-react/chains';
import {injected, publicProvider, StarknetConfig, useAccount, useConnect, useDisconnect} from '@starknet-react/core';
import {useRef} from 'react';
import {Page, render} from './Page';
import {useStarknetWallet} from './starknet-react';

/** The wallets in this browser. `useInjectedConnectors` does not see those that follow get-starknet's fourth version alone. */
const connectors = Object.getOwnPropertyNames(window)
  .filter(name => name.startsWith('starknet_'))
  .map(name => injected({id: name.slice('starknet_'.length)}));

function App() {
  const dialog = useRef<HTMLDialogElement>(null);
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
    <StarknetConfig chains={[sepolia]} provider={publicProvider()} connectors={connectors} autoConnect>
      <App />
    </StarknetConfig>,
  );
}
