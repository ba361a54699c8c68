import {useState} from 'react';
import 'swap-widget/react';
import {settings} from './settings';

export function App() {
  const [received, setReceived] = useState('');

  return (
    <main>
      <h1>Swap in React</h1>
      <swap-widget
        base-url={settings.baseUrl}
        app-id={settings.appId}
        from="base_sepolia:wbtc"
        to="ethereum_sepolia:wbtc"
        assets={settings.assets}
        chains={settings.chains}
        affiliateFees={settings.affiliateFees}
        onswap-complete={event => setReceived(event.orderId)}
      />
      <output>{received && `Received: order ${received}`}</output>
    </main>
  );
}
