import {firstPaint} from 'swap-widget/first-paint';
import {Swap} from './swap';

export default function Page() {
  return (
    <main>
      <h1>Swap in Next.js</h1>
      <Swap form={firstPaint({from: 'base_sepolia:wbtc', to: 'ethereum_sepolia:wbtc', lang: 'en'})} />
    </main>
  );
}
