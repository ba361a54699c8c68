/** One swap from each family to another, down to the balances: what `npm run test:browsers` runs in every browser. */
import {beginCrossing, endCrossings} from '../support/crossing.js';
import {scaled} from '../support/limits.js';

const SWAPS = [
  {from: 'base_sepolia:wbtc', to: 'bitcoin_testnet:btc', amount: '0.01'},
  {from: 'bitcoin_testnet:btc', to: 'solana_testnet:sol', amount: '0.01'},
  {from: 'solana_testnet:sol', to: 'starknet_sepolia:wbtc', amount: '5'},
  {from: 'starknet_sepolia:wbtc', to: 'ethereum_sepolia:wbtc', amount: '0.01'},
];

describe('A swap', function () {
  this.timeout(scaled(120_000));
  afterEach(endCrossings);

  for (const swap of SWAPS) {
    it(`of ${swap.from} for ${swap.to}`, async () => {
      const crossing = await beginCrossing(swap);
      await crossing.place();
      if (swap.from.startsWith('bitcoin')) {
        await crossing.send();
        await crossing.untilSeen();
        await crossing.mine(2);
      }
      await crossing.expectSwapped();
    });
  }
});
