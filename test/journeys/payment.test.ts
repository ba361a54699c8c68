/** Successful swaps, by every way to pay. */
import {expect} from '@open-wc/testing';
import {newAddress} from '../support/evm-key.js';
import {
  BASE_USDT,
  BASE_WBTC,
  beginJourney,
  endJourneys,
  ETHEREUM_USDC,
  ETHEREUM_WBTC,
  type JourneySettings,
} from '../support/journey.js';

describe('A swap', function () {
  this.timeout(60_000);
  afterEach(endJourneys);

  async function swap(settings: JourneySettings) {
    const journey = await beginJourney(settings);
    await journey.place();
    await journey.expectSwapped();
    return journey;
  }

  it('goes by signature, after an approval', async () => {
    const {asked} = await swap({});
    expect(asked).to.deep.equal(['connect', 'approve', 'sign']);
  });

  it('goes by signature alone if the allowance is sufficient, and costs no fee', async () => {
    const journey = await swap({allowed: 'enough'});
    expect(journey.asked).to.deep.equal(['connect', 'sign']);
    expect(await journey.fees()).to.equal(0n);
  });

  it('goes by transaction if the service offers no typed data, after an approval', async () => {
    const {asked} = await swap({faults: {noTypedData: true}});
    expect(asked).to.deep.equal(['connect', 'approve', 'send']);
  });

  it('goes by transaction on request instead of a signature', async () => {
    const journey = await beginJourney({answers: {sign: ['no']}});
    await journey.place();
    await journey.until(() => journey.page.button('Send the payment myself'), 'the other way was never offered');
    await journey.page.press('Send the payment myself');
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'sign', 'send']);
  });

  it('resets an earlier allowance first if the token requires it', async () => {
    const {asked} = await swap({from: BASE_USDT, to: ETHEREUM_USDC, allowed: 1n});
    expect(asked).to.deep.equal(['connect', 'revoke', 'approve', 'sign']);
  });

  it('approves exactly the amount, so that no allowance is left', async () => {
    const journey = await swap({allowed: 1n});
    expect(await journey.allowed()).to.equal(0n);
  });

  it('goes to another person’s typed address', async () => {
    const journey = await beginJourney();
    journey.recipient = newAddress();
    await journey.connect();
    await journey.page.typeRecipient(journey.recipient);
    await journey.page.typeAmount(journey.route.amount);
    // The address is not the wallet's, so the person has to confirm it.
    await journey.until(() => journey.page.primary === 'Yes, send it there', 'nobody asked');
    await journey.expectAccessible();
    await journey.next('Yes, send it there');
    await journey.next('Review swap');
    await journey.next('Place swap');
    await journey.expectSwapped();
    expect((await journey.read()).destination_swap['redeemer']).to.equal(journey.recipient);
  });

  it('goes in the other direction after the sides are switched', async () => {
    const journey = await beginJourney({from: ETHEREUM_WBTC, widget: {from: BASE_WBTC, to: ETHEREUM_WBTC}});
    await journey.page.press('Swap the two sides');
    await journey.place();
    await journey.expectSwapped();
  });

  it('works with the later generation of the API', async () => {
    const {asked} = await swap({faults: {laterAnswer: true}});
    expect(asked).to.deep.equal(['connect', 'approve', 'sign']);
  });
});
