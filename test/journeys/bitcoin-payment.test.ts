/** What can happen to a payment by address, and what the widget says about it, also after a reload. */
import {expect} from '@open-wc/testing';
import {
  BTC,
  bitcoinJourneys,
  expectNoAddress,
  expectOneOrder,
  keptAddress,
  walletOf,
} from '../support/bitcoin-journey.js';

const {sandbox, begin, place, pay} = bitcoinJourneys();

describe('A payment by address', function () {
  this.timeout(60_000);

  it('is the same after a reload at every stage', async () => {
    const crossing = await begin({faults: {refused: {on: 'read', status: 404, text: 'order not found'}}});
    await crossing.place();
    // The order has not been read yet.
    await crossing.untilSays('Send your BTC');
    const address = keptAddress(crossing);
    expectNoAddress(crossing, address);
    await crossing.reload();
    await crossing.untilSays('Send your BTC');
    expectNoAddress(crossing, address);
    await crossing.client.faults({refused: false});

    const shown = await crossing.untilAddress();
    expect(shown.address).to.equal(address);
    await crossing.reload();
    expect(await crossing.untilAddress()).to.deep.equal(shown);
    await crossing.expectAccessible();

    await crossing.send();
    await crossing.untilStage('deposit-seen');
    await crossing.reload();
    await crossing.untilSays('Payment seen');
    await crossing.untilSays('Waiting for a block');
    expectNoAddress(crossing, shown.address);

    await crossing.client.faults({solverGone: true});
    await crossing.mine(1);
    await crossing.untilStage('confirming');
    await crossing.reload();
    await crossing.untilSays('1 of 2 confirmations');
    expectNoAddress(crossing, shown.address);

    await crossing.mine(1);
    await crossing.untilStage('settling');
    await crossing.reload();
    await crossing.untilSays('The exchange partner is sending your WBTC');
    expectNoAddress(crossing, shown.address);

    await crossing.client.faults({solverGone: false});
    await crossing.expectSwapped();
    await crossing.reload();
    await crossing.untilSays('You received');
    expectOneOrder(crossing);
  });

  it('says that it was replaced, and follows the replacement', async () => {
    const {crossing, hash} = await pay();
    const other = await walletOf(crossing).bumpFee(hash);
    await crossing.untilSays('Your payment was replaced.');
    await crossing.untilSays(`${other.slice(0, 6)}…${other.slice(-4)}`);
    await crossing.reload();
    await crossing.untilSays('Your payment was replaced.');
    await crossing.expectAccessible();
    await crossing.mine(2);
    await crossing.expectSwapped();
    expect((await crossing.read()).source_swap.initiate_tx_hash).to.include(other);
    expect(crossing.page.text).not.to.include('replaced');
    expectOneOrder(crossing);
  });

  it('says that it left the chain and has no confirmation, and completes', async () => {
    const {crossing, address} = await pay();
    await crossing.mine(1);
    await crossing.untilStage('confirming');
    await sandbox().reorg(crossing.orderId);
    await crossing.untilStage('deposit-seen');
    await crossing.untilSays('Your payment is no longer in a block. The network dropped the block it was in.');
    expectNoAddress(crossing, address);
    await crossing.expectAccessible();
    await crossing.reload();
    await crossing.untilSays('Waiting for a block');
    await crossing.mine(2);
    await crossing.expectSwapped();
    expectOneOrder(crossing);
  });

  it('says that it was dropped, also after a reload, and shows the address again on request', async () => {
    const {crossing, address, amount} = await place();
    const {client, orderId} = crossing;
    await client.control('faucet', {asset: BTC, address, amount: String(amount)});
    await crossing.untilStage('deposit-seen');
    await client.control('replace', {orderId, withdrawn: true});
    await crossing.untilStage('awaiting-deposit');
    await crossing.untilSays('The payment was replaced or dropped before it was confirmed');
    expectNoAddress(crossing, address);
    await crossing.reload();
    await crossing.untilSays('The payment was replaced or dropped before it was confirmed');
    expectNoAddress(crossing, address);
    await crossing.expectAccessible();
    await crossing.next(/^Show the address again$/);
    expect(await crossing.untilAddress()).to.deep.equal({address, amount});
    await crossing.send();
    await crossing.untilStage('deposit-seen');
    await crossing.mine(2);
    await crossing.expectSwapped();
    expectOneOrder(crossing);
  });

  it('asks for the rest of an underpayment, in text, link and QR code, also after a reload', async () => {
    const {crossing, address, amount} = await place();
    const part = amount / 4n;
    await crossing.send(part);
    await crossing.untilSays('Send the rest');
    for (const again of [false, true]) {
      if (again) await crossing.reload();
      await crossing.untilSays('0.0025 of 0.01 BTC arrived.');
      expect(await crossing.untilAddress()).to.deep.equal({address, amount: amount - part});
      const link = crossing.page.find('a[href^="bitcoin:"]')?.getAttribute('href');
      expect(crossing.page.find('swap-widget-qr-code')?.getAttribute('text')).to.equal(link);
      expect(crossing.page.text).to.include('0.0075');
    }
    await crossing.expectAccessible();
    await crossing.send();
    await crossing.untilStage('deposit-seen');
    await crossing.mine(2);
    await crossing.expectSwapped();
    expect((await crossing.read()).source_swap.initiate_tx_hash.split(',')).to.have.length(2);
    expectOneOrder(crossing);
  });

  it('names a surplus, which is returned on chain', async () => {
    const {crossing, amount} = await place();
    const surplus = 50_000n;
    await crossing.send(amount + surplus);
    await crossing.untilSays('You sent 0.0005 BTC too much. It comes back to your refund address');
    const paid = (await crossing.moved()).paid;
    await crossing.mine(2);
    await crossing.untilSays('Sent too much 0.0005 BTC comes back to');
    // It is returned with the redeem of the source, after the recipient was paid.
    await crossing.until(
      async () => (await crossing.moved()).paid === paid - surplus,
      'the surplus was never returned',
    );
    await crossing.expectSwapped();
  });
});
