/**
 * Every ordered pair of the five documented assets and of a token on Solana, with every way to pay, from an empty form to the balances on both
 * chains. Each way that uses a wallet runs a second time with an initial rejection; there the amount to receive is
 * typed.
 */
import {createWallet, type WalletSettings} from '../../demo/wallets/index.js';
import {beginCrossing, endCrossings, type Crossing, type CrossingSettings} from '../support/crossing.js';
import {scaled} from '../support/limits.js';

interface Way extends Pick<CrossingSettings, 'faults' | 'withoutRpc' | 'payer'> {
  readonly name: string;
  /** Without a connected wallet: the address is paid from a wallet that the page does not know. */
  readonly unconnected?: boolean;
}

const ON_ACCOUNTS: readonly Way[] = [{name: 'signature'}, {name: 'transaction', faults: {noTypedData: true}}];
const ON_EVM: readonly Way[] = [
  ...ON_ACCOUNTS,
  // Approval and payment as one request, by an account that delegates its calls (EIP-5792, EIP-7702).
  {name: 'batch', payer: (settings: WalletSettings) => createWallet('evm', {...settings, batches: true})},
];

// With an RPC the widget sends the signed transaction; without one the wallet does.
const ON_SOLANA: readonly Way[] = [{name: 'sign'}, {name: 'sign and send', withoutRpc: true}];

/** The assets with amounts in whole units, and the ways to pay. */
const ASSETS: readonly {readonly id: string; readonly amount: string; readonly ways: readonly Way[]}[] = [
  {id: 'bitcoin_testnet:btc', amount: '0.01', ways: [{name: 'address', unconnected: true}, {name: 'wallet'}]},
  {id: 'ethereum_sepolia:wbtc', amount: '0.01', ways: ON_EVM},
  {id: 'base_sepolia:wbtc', amount: '0.01', ways: ON_EVM},
  {id: 'solana_testnet:sol', amount: '5', ways: ON_SOLANA},
  {id: 'solana_testnet:usdc', amount: '800', ways: ON_SOLANA},
  {id: 'starknet_sepolia:wbtc', amount: '0.01', ways: ON_ACCOUNTS},
];

describe('matrix', function () {
  this.timeout(scaled(90_000));
  afterEach(endCrossings);

  for (const {id: from, amount, ways} of ASSETS) {
    for (const {id: to} of ASSETS) {
      if (from === to) continue;
      for (const {name, unconnected = false, ...settings} of ways) {
        const swap = async (noes: number) => {
          const receive = {'solana_testnet:sol': '2', 'solana_testnet:usdc': '300'}[to] ?? '0.004';
          const typed = noes ? {receive} : {};
          const crossing = await beginCrossing({from, to, amount, rejections: noes, ...typed, ...settings});
          await crossing.place();
          await pay(crossing, unconnected, noes > 0);
          await crossing.expectSwapped();
          if (name === 'batch') crossing.expectPrompts(1 + noes);
        };
        it(`${from} -> ${to}  ${name}`, () => swap(0));
        if (!unconnected) it(`${from} -> ${to}  ${name}, after a rejection`, () => swap(1));
      }
    }
  }
});

/** Pays the order; after a rejection a click prompts again. */
async function pay(crossing: Crossing, unconnected: boolean, again: boolean): Promise<void> {
  const byAddress = crossing.options.from.startsWith('bitcoin');
  const inWallet = new RegExp(`^Pay with ${crossing.payer.name}$`);
  if (unconnected) {
    await crossing.send();
  } else if (byAddress) {
    await crossing.press(/^Connect a wallet to pay from$/);
    await crossing.chooseWallet();
    await crossing.press(inWallet);
  }
  if (again) {
    await crossing.untilSays('You declined in your wallet.');
    await (byAddress ? crossing.press(inWallet) : crossing.next(/^(?:Allow|Sign|Pay)/));
  }
  if (byAddress) {
    await crossing.untilSeen();
    await crossing.mine(2);
  }
}
