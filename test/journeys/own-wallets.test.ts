/** Swaps on a page that passes its own wallets to the widget, so that there is no list to choose from. */
import {expect} from '@open-wc/testing';
import type {ChainFamily} from '../../src/domain/asset.js';
import type {SwapConnectRequestEvent} from '../../src/index.js';
import {beginCrossing, endCrossings, type Crossing} from '../support/crossing.js';

const ASSETS = {
  bitcoin: 'bitcoin_testnet:btc',
  evm: 'base_sepolia:wbtc',
  solana: 'solana_testnet:sol',
  starknet: 'starknet_sepolia:wbtc',
} as const satisfies Record<ChainFamily, string>;
const AMOUNTS = {bitcoin: '0.01', evm: '0.01', solana: '5', starknet: '0.01'} as const satisfies Record<
  ChainFamily,
  string
>;

/** A wallet as a page has it from its family's libraries. */
function formOf(wallet: Crossing['payer']): object {
  if ('standard' in wallet) return wallet.standard;
  return 'object' in wallet ? wallet.object : wallet.provider;
}

const list = ({page}: Crossing) => page.find('swap-widget-wallet-picker');

/** Both wallets are connected by a click each, and the swap completes. */
async function expectSwapWithoutList(crossing: Crossing) {
  const {page} = crossing;
  await crossing.press(/^Connect a wallet to pay from$/);
  await crossing.until(() => page.button(/^Change the wallet you pay from/), 'the payer was never connected');
  await crossing.press(/^Connect a receiving wallet$/);
  await crossing.until(() => page.button(/^Change where you receive/), 'the recipient was never connected');
  expect(list(crossing)).to.equal(undefined);
  await page.typeAmount(crossing.settings.amount);
  await crossing.next(/^Review swap$/);
  await crossing.next(/^Place swap$/);
  await crossing.expectSwapped();
}

describe('A wallet that the page passes', () => {
  afterEach(endCrossings);

  /** A person on a page that passes wallets for both sides. */
  async function begin(from: ChainFamily, to: ChainFamily) {
    const crossing = await beginCrossing({from: ASSETS[from], to: ASSETS[to], amount: AMOUNTS[from]});
    const {payer, receiver, page} = crossing;
    // Only the page has them: they are not announced any more.
    payer.withdraw();
    receiver.withdraw();
    page.widget.wallets = {[from]: formOf(payer), [to]: formOf(receiver)};
    return crossing;
  }

  for (const [from, to] of [
    ['evm', 'solana'],
    ['solana', 'starknet'],
    ['starknet', 'evm'],
  ] as const) {
    it(`pays on ${from} and receives on ${to}, connected by a click without a list`, async () => {
      const crossing = await begin(from, to);
      await expectSwapWithoutList(crossing);
      expect(crossing.asked.filter(kind => kind === 'connect')).to.have.length(2);
    });
  }

  it('pays bitcoin to the address that is shown', async () => {
    const crossing = await begin('bitcoin', 'evm');
    await crossing.place();
    await crossing.untilAddress();
    await crossing.press(/^Connect a wallet to pay from$/);
    await crossing.press(/^Pay with your wallet$/);
    expect(list(crossing)).to.equal(undefined);
    await crossing.untilSeen();
    await crossing.mine(2);
    await crossing.expectSwapped();
  });
});

describe('A page with its own wallet dialog', () => {
  afterEach(endCrossings);

  it('passes the chosen wallet, on either side', async () => {
    const crossing = await beginCrossing({from: ASSETS.evm, to: ASSETS.starknet, amount: '0.01'});
    const {page, payer, receiver} = crossing;
    const asked: string[] = [];
    page.widget.addEventListener('swap-connect-request', (event: SwapConnectRequestEvent) => {
      asked.push(`${event.family} ${event.side}`);
      event.provide(Promise.resolve(formOf(event.side === 'pay' ? payer : receiver)));
    });
    await expectSwapWithoutList(crossing);
    expect(asked).to.deep.equal(['evm pay', 'starknet receive']);
  });
});
