import {useState} from 'react';
import {Swap} from 'swap-widget/react';
import {settings} from './settings';

export function App() {
  const [received, setReceived] = useState('');

  return (
    <main>
      <h1>Swap in React 18</h1>
      <Swap
        {...settings}
        from="base_sepolia:wbtc"
        to="ethereum_sepolia:wbtc"
        onSwapComplete={event => setReceived(event.orderId)}
      />
      <output>{received && `Received: order ${received}`}</output>
    </main>
  );
}
