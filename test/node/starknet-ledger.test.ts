/** The Starknet chain of the sandbox. How it settles is in `sandbox/settlement`; what Cairo makes of it, `test:cairo`. */
import {deepEqual} from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {hex} from '../../demo/sandbox/chains/starknet/felts.js';
import {startStarknetLeg} from '../../demo/sandbox/chains/starknet.js';

const ASSET = 'starknet_sepolia:wbtc';
const {result: published} = JSON.parse(
  readFileSync(new URL('../support/samples/starknet-order.json', import.meta.url), 'utf8'),
) as {readonly result: {readonly transaction: object; readonly typed_data: object}};

it('The Starknet chain answers in the published format', async () => {
  const leg = await startStarknetLeg({
    name: 'starknet_sepolia',
    chainId: 'SN_SEPOLIA',
    tokens: [{name: 'wbtc', title: 'Wrapped Bitcoin', symbol: 'WBTC', decimals: 8}],
    solvers: ['solver 2', 'solver 1'],
    port: 0,
    blockSeconds: null,
  });
  const {transaction, typed_data} = leg.source({
    asset: ASSET,
    initiator: '0x00609190b1348bcc06da44d58c79709495c11a5a6f0b9e154e1209f2a17dd933',
    redeemer: '0x078f8ae98fe78b5df9d3755b5910864c028d5249b4af685eb45687b1b76a4205',
    timelock: 2880,
    amount: 50_000n,
    secretHash: 'e7b213af79add7fb7457238fc65df61cb4dea13b3ae374f1b5c69538e5fcb98a',
  }) as unknown as typeof published;
  deepEqual(typed_data, published.typed_data);
  deepEqual(transaction, {...published.transaction, to: hex(BigInt(leg.assets[ASSET]?.contracts[0] ?? 0))});
  await leg.close();
});
