/** Refunds and reorganisations. These tests move a chain's clock, so they have their own sandbox. */
import {expect} from '@open-wc/testing';
import {beginJourney, endJourneys, type Journey, type JourneySettings} from '../support/journey.js';
import {startSandbox} from '../support/sandbox.js';

describe('A swap without a solver', function () {
  this.timeout(60_000);
  let sandbox: Awaited<ReturnType<typeof startSandbox>>;
  before(async () => {
    sandbox = await startSandbox();
  });
  after(() => sandbox.close());
  afterEach(endJourneys);

  const begin = (settings: JourneySettings) => beginJourney({on: sandbox, ...settings});

  /** All balances are as before, and the page says so. */
  async function expectRefunded(journey: Journey) {
    const {page} = journey;
    await page.until('refunded');
    await journey.until(() => page.primary === 'Try again', 'the end was never shown');
    expect(page.text).to.include(`You got back ${journey.route.amount} WBTC`);
    expect((await journey.read()).destination_swap['redeem_tx_hash']).to.equal('');
    await journey.expectUntouched();
  }

  for (const [way, faults] of [
    ['signature', {}],
    ['transaction', {noTypedData: true}],
  ] as const) {
    it(`paid by ${way} is refunded`, async () => {
      const journey = await begin({faults: {solverGone: true, ...faults}});
      await journey.place();
      await journey.page.until('settling');
      await sandbox.expire(journey.orderId);
      await journey.page.until('refunding');
      await journey.expectAccessible();
      await journey.next('Take your money back');
      await expectRefunded(journey);
      expect(journey.asked.at(-1)).to.equal('refund');
    });
  }

  it('is refunded after a rejection and a reload', async () => {
    const journey = await begin({faults: {solverGone: true}, answers: {refund: ['no']}});
    await journey.place();
    await journey.page.until('settling');
    await sandbox.expire(journey.orderId);
    await journey.next('Take your money back', 2);
    await journey.until(
      () => journey.page.notes.some(note => note.includes('You declined in your wallet.')),
      'the rejection is not mentioned',
    );
    await journey.reload();
    await journey.next('Take your money back');
    await expectRefunded(journey);
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'sign', 'refund', 'refund']);
  });

  it('is refunded from another chain, to which the wallet is switched', async () => {
    const journey = await begin({faults: {solverGone: true}});
    await journey.place();
    await journey.page.until('settling');
    journey.wallet.useChain(11155111);
    await sandbox.expire(journey.orderId);
    await journey.next('Take your money back');
    await expectRefunded(journey);
    expect(journey.asked.slice(-2)).to.deep.equal(['switch', 'refund']);
  });

  it('is refunded after the solver has refunded its own leg', async () => {
    const journey = await begin({faults: {serviceGone: true}});
    await journey.place();
    await journey.until(() => journey.page.widget.order?.destination.initiated !== undefined, 'the solver never paid');
    await sandbox.mine('ethereum_sepolia', 150);
    await journey.page.until('refunding');
    expect(journey.page.text).to.include('The exchange partner took its money back');
    await sandbox.expire(journey.orderId);
    await journey.next('Take your money back');
    await expectRefunded(journey);
  });

  it('can be tried again with the same amounts', async () => {
    const journey = await begin({allowed: 'enough', faults: {solverGone: true}});
    await journey.place();
    await journey.page.until('settling');
    await sandbox.expire(journey.orderId);
    await journey.next('Take your money back');
    await expectRefunded(journey);
    await journey.mend();
    await journey.next('Try again');
    await journey.next('Review swap');
    await journey.next('Place swap');
    await journey.expectSwapped();
    expect(journey.orderIds).to.have.length(2);
  });
});

describe('A payment that is reorganised away', function () {
  this.timeout(60_000);
  let sandbox: Awaited<ReturnType<typeof startSandbox>>;
  before(async () => {
    sandbox = await startSandbox();
  });
  after(() => sandbox.close());
  afterEach(endJourneys);

  const SAYS = 'Your payment is no longer in a block.';

  it('moves the stage back, is not requested again, and counts once it is back', async () => {
    const journey = await beginJourney({on: sandbox, faults: {confirmations: {required: 4}, noTypedData: true}});
    await journey.place();
    await journey.page.until('confirming');
    const {source_swap: source} = await journey.read();
    const payment = await journey.person.rpc<string>('eth_getRawTransactionByHash', source.initiate_tx_hash);

    await sandbox.reorg(journey.orderId);
    await journey.until(() => journey.page.notes.some(note => note.includes(SAYS)), 'nobody said why');
    const {stage, previous} = journey.statuses.at(-1)!;
    expect([previous, stage]).to.deep.equal(['confirming', 'funding']);
    expect(journey.page.button(/^(Sign|Pay) with/), 'offered to pay again').to.equal(undefined);
    await journey.expectUntouched();

    await journey.reload();
    await journey.page.until('funding');
    expect(journey.page.button(/^(Sign|Pay) with|instead|^Try again/), 'offered to pay again').to.equal(undefined);

    // Nodes broadcast the transactions of a disconnected block again.
    await journey.person.rpc('eth_sendRawTransaction', payment);
    await journey.page.until('confirming');
    expect(journey.page.notes.join()).not.to.include(SAYS);
    await sandbox.mine('base_sepolia', 4);
    await journey.expectSwapped();
    expect(journey.asked).to.have.length(3);
    expect(journey.orderIds).to.have.length(1);
  });
});
