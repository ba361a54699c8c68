/** Pages on which bitcoin is paid: repeated presses, offline, closed, two widgets. */
import {aTimeout, expect} from '@open-wc/testing';
import {ETHEREUM_WBTC, bitcoinJourneys, expectOneOrder, walletOf} from '../support/bitcoin-journey.js';

const {begin, place} = bitcoinJourneys();

describe('A swap from Bitcoin', function () {
  this.timeout(60_000);

  it('is one order, no matter how often the button is pressed', async () => {
    const crossing = await begin();
    await crossing.review();
    const {page} = crossing;
    await crossing.until(() => page.primary === 'Place swap' && page.canGoOn, 'it can never be placed');
    for (let press = 0; press < 5; press++) page.primaryButton?.click();
    await crossing.untilAddress();
    expectOneOrder(crossing);
  });

  it('prompts the wallet once, no matter how often the button is pressed', async () => {
    const {crossing} = await place();
    await crossing.press(/^Pay from a wallet$/);
    await crossing.chooseWallet();
    const name = new RegExp(`^Pay with ${crossing.payer.name}$`);
    await crossing.until(() => crossing.page.button(name), 'it can never be paid from the wallet');
    for (let press = 0; press < 5; press++) crossing.page.button(name)?.click();
    await crossing.untilStage('deposit-seen');
    await crossing.mine(2);
    await crossing.expectSwapped();
    expect(crossing.asked.filter(kind => kind === 'send')).to.have.length(1);
  });

  it('catches up as soon as the browser is online again', async () => {
    const {crossing, address} = await place();
    setOnline(false);
    try {
      await walletOf(crossing).send(address, crossing.amount);
      await crossing.mine(2);
      await aTimeout(2_000);
      expect(crossing.page.stage).to.equal('awaiting-deposit');
    } finally {
      setOnline(true);
    }
    await crossing.until(() => crossing.page.stage !== 'awaiting-deposit', 'it never looked again');
    await crossing.expectSwapped();
  });

  it('works beside another one on the same page', async () => {
    const [one, two] = [await begin(), await begin({to: ETHEREUM_WBTC, amount: '0.02'})];
    await one.place();
    await two.place();
    const [first, second] = [await one.untilAddress(), await two.untilAddress()];
    expect(first.address).not.to.equal(second.address);
    expect(one.page.text).not.to.include(second.address);
    expect(two.page.text).not.to.include(first.address);
    await one.send();
    await one.untilStage('deposit-seen');
    expect(two.page.stage).to.equal('awaiting-deposit');
    await two.send();
    await two.untilStage('deposit-seen');
    for (const crossing of [one, two]) crossing.page.widget.remove();
    await one.open();
    await two.open();
    await one.untilStage('deposit-seen');
    await two.untilStage('deposit-seen');
    await one.mine(2);
    await one.expectSwapped();
    await two.expectSwapped();
  });
});

describe('The page of a swap from Bitcoin', function () {
  this.timeout(60_000);

  it('can be closed once the address is shown, and says so', async () => {
    const {crossing, address} = await place();
    expect(crossing.page.text).to.include('You can close this page: your swap is saved in this browser.');
    crossing.page.widget.remove();
    await walletOf(crossing).send(address, crossing.amount);
    await crossing.mine(2);
    await crossing.client.until(crossing.orderId, ({destination_swap}) => destination_swap.redeem_tx_hash !== '');
    await crossing.open();
    await crossing.expectSwapped();
  });

  it('can only be closed after the payment if nothing can be stored, and says so', async () => {
    const {crossing} = await place({widget: {noJournal: true}});
    expect(crossing.page.text).to.include('Keep this page open until you have paid');
    expect(crossing.page.text).not.to.include('You can close this page');
    await crossing.send();
    await crossing.untilStage('deposit-seen');
    await crossing.untilSays('You can close this page');
    crossing.page.widget.remove();
    await crossing.mine(2);
    const order = await crossing.client.until(
      crossing.orderId,
      ({destination_swap}) => destination_swap.redeem_tx_hash !== '',
    );
    expect((await crossing.moved()).received).to.equal(BigInt(order.destination_swap.amount));
  });
});

function setOnline(online: boolean) {
  if (online) Reflect.deleteProperty(navigator, 'onLine');
  else Object.defineProperty(navigator, 'onLine', {configurable: true, get: () => false});
  dispatchEvent(new Event(online ? 'online' : 'offline'));
}
