/** Swaps from and to Bitcoin through the widget, from an empty form to the balances on both chains. */
import {expect} from '@open-wc/testing';
import {TEST_NETWORK, p2tr, utils} from '@scure/btc-signer';
import {formatAmount} from '../../src/domain/amount.js';
import {BASE_WBTC, BITCOIN, BTC, ETHEREUM_WBTC, bitcoinJourneys, expectOneOrder} from '../support/bitcoin-journey.js';

const {begin, pay} = bitcoinJourneys();

describe('A swap from Bitcoin', function () {
  this.timeout(60_000);

  it('goes by a payment to the address', async () => {
    const {crossing} = await pay({to: BASE_WBTC});
    await crossing.mine(2);
    await crossing.expectSwapped();
    await crossing.expectAccessible();
    expectOneOrder(crossing);
  });
});

describe('A swap to Bitcoin', function () {
  this.timeout(60_000);

  it('arrives at a taproot address', async () => {
    const {address} = p2tr(utils.pubSchnorr(utils.randomPrivateKeyBytes()), undefined, TEST_NETWORK);
    const crossing = await begin({from: ETHEREUM_WBTC, to: BTC, recipient: address ?? ''});
    await crossing.place();
    await crossing.expectSwapped();
    const {destination_swap: got} = await crossing.read();
    expect(crossing.page.text).to.include(`You received ${formatAmount(BigInt(got.amount), 8)} BTC`);
    expectOneOrder(crossing);
  });

  it('is complete before the redeem is confirmed, says so, and follows its replacement', async () => {
    const crossing = await begin({from: BASE_WBTC, to: BTC});
    await crossing.place();
    await crossing.expectSwapped();
    await crossing.untilSays('not in a block yet');
    const {tx_hash: other} = await crossing.client.control('replace', {orderId: crossing.orderId});
    const hash = String(other);
    await crossing.reload();
    await crossing.untilSays(`${hash.slice(0, 6)}…${hash.slice(-4)}`);
    await crossing.expectAccessible();
    await crossing.mine(1, BITCOIN);
    await crossing.until(() => !crossing.page.text.includes('not in a block yet'), 'the block was never seen');
    await crossing.expectSwapped();
    expect(crossing.page.widget.order?.destination.redeemed?.hashes).to.deep.equal([hash]);
  });
});
