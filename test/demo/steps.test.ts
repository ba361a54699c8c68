import {expect} from '@open-wc/testing';
import {showSteps} from '../../demo/steps.js';
import type {Stage, SwapWidget} from '../../src/index.js';

describe('the playground’s three steps', () => {
  let place: HTMLElement;
  let widget: SwapWidget;

  beforeEach(() => {
    place = document.createElement('div');
    place.id = 'steps';
    document.body.append(place);
    widget = Object.assign(document.createElement('div'), {stage: 'editing'}) as unknown as SwapWidget;
    showSteps(widget, '/docs/');
  });
  afterEach(() => {
    place.remove();
  });

  const happens = (type: string, facts: object = {}) => widget.dispatchEvent(Object.assign(new Event(type), facts));
  const moves = (stage: Stage) => {
    Object.assign(widget, {stage});
    happens('swap-view');
  };
  const done = () => place.querySelectorAll('.done').length;
  const texts = () => [...place.querySelectorAll('li')].map(({innerText}) => innerText.trim());

  it('take any wallet to pay with, also one that was connected before, but no wallet that failed or only receives', () => {
    happens('swap-wallet', {outcome: 'failed', family: 'evm', side: 'pay', wallet: 'Mine'});
    happens('swap-wallet', {outcome: 'connected', family: 'solana', side: 'receive', wallet: 'Mine'});
    expect(done()).to.equal(0);
    happens('swap-wallet', {outcome: 'restored', family: 'evm', side: 'pay', wallet: 'Mine'});
    expect(done()).to.equal(1);
  });

  it('take a wallet that was connected to receive as soon as its network is paid on', () => {
    happens('swap-change', {from: 'bitcoin_testnet:btc', to: 'base_sepolia:usdc'});
    happens('swap-wallet', {outcome: 'restored', family: 'evm', side: 'receive', wallet: 'Mine'});
    expect(done()).to.equal(0);
    happens('swap-change', {from: 'base_sepolia:usdc', to: 'ethereum_sepolia:usdc'});
    expect(done()).to.equal(1);
    happens('swap-change', {from: 'solana_testnet:sol', to: 'ethereum_sepolia:usdc'});
    expect(done()).to.equal(0);
  });

  it('are all done while a swap that arrived is shown, also after a reload', () => {
    moves('complete');
    expect(done()).to.equal(3);
  });

  it('are those of a payment by hand if bitcoin is paid, and then need no wallet', async () => {
    happens('swap-change', {from: 'bitcoin_testnet:btc', to: 'base_sepolia:usdc'});
    expect(texts()).to.deep.equal(['Enter both addresses', 'Review swap, Place swap', 'Send it, and it arrives']);
    happens('swap-wallet', {outcome: 'connected', family: 'evm', side: 'pay'});
    expect(done()).to.equal(0);
    moves('reviewing');
    expect(done()).to.equal(1);
    moves('awaiting-deposit');
    expect(done()).to.equal(2);
    happens('swap-complete');
    expect(done()).to.equal(3);
    await expect(place).to.be.accessible();
  });

  it('say what to try next after a refund, which is a swap too', async () => {
    happens('swap-wallet', {outcome: 'connected', family: 'evm', side: 'pay'});
    moves('refunding');
    expect(done()).to.equal(2);
    moves('refunded');
    expect(place.querySelector('p')?.innerText.trim()).to.equal('Your money came back. Next, pay with bitcoin');
    expect(done()).to.equal(2);
    moves('editing');
    expect(place.querySelector('p')).to.equal(null);
    await expect(place).to.be.accessible();
  });

  it('go back to the order if the swap ends without a payment, and stay done once one has arrived', () => {
    happens('swap-wallet', {outcome: 'connected', family: 'evm', side: 'pay'});
    moves('awaiting-deposit');
    expect(done()).to.equal(2);
    moves('stopped');
    expect(done()).to.equal(1);
    expect(place.querySelector('[aria-current]')?.textContent).to.include('Place swap');
    moves('settling');
    happens('swap-complete');
    moves('editing');
    expect(done()).to.equal(3);
    expect(place.querySelector('[aria-current]')).to.be.null;
  });
});
