import {createSignal} from 'solid-js';
import 'swap-widget/solid';
import {settings} from './settings';

export function App() {
  const [received, setReceived] = createSignal('');

  return (
    <main>
      <h1>Swap in Solid</h1>
      <swap-widget
        attr:base-url={settings.baseUrl}
        attr:app-id={settings.appId}
        from="base_sepolia:wbtc"
        to="ethereum_sepolia:wbtc"
        prop:assets={settings.assets}
        prop:chains={settings.chains}
        prop:affiliateFees={settings.affiliateFees}
        on:swap-complete={event => setReceived(event.orderId)}
      />
      <output>{received() && `Received: order ${received()}`}</output>
    </main>
  );
}
