/** Services that are slow, broken, more expensive than quoted, or hostile. */
import {expect} from '@open-wc/testing';
import {formatAmount} from '../../src/domain/amount.js';
import {beginJourney, endJourneys} from '../support/journey.js';
import {sandbox} from '../support/sandbox.js';

describe('A service', function () {
  this.timeout(60_000);
  afterEach(endJourneys);

  it('that has no price at first is requested again at a press', async () => {
    const journey = await beginJourney({faults: {serverError: {on: 'quote'}}});
    await journey.connect();
    await journey.page.typeAmount(journey.route.amount);
    await journey.until(() => journey.page.primary === 'Try now', 'the missing price is not mentioned');
    await journey.expectAccessible();
    await journey.mend();
    await journey.next('Try now');
    await journey.next('Review swap');
    await journey.next('Place swap');
    await journey.expectSwapped();
  });

  it('that lowers its price below the floor needs one more agreement, with both amounts shown', async () => {
    const journey = await beginJourney();
    const {page} = journey;
    await journey.review();
    const price = () => `${formatAmount(page.widget.quote?.destination.amount ?? 0n, 8)} WBTC`;
    const before = price();
    await journey.worsen({worsePrice: {bps: 200}});
    await journey.next('Place swap');
    await journey.until(() => page.primary === 'Accept the new price', 'nobody asked');
    expect(page.text).to.include(`Before ${before}`).and.to.include(`Now ${price()}`);
    expect(price()).not.to.equal(before);
    expect(journey.orderIds).to.deep.equal([]);
    await journey.expectUntouched();
    await journey.next('Accept the new price');
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'sign']);
    expect(formatAmount(BigInt((await journey.read()).destination_swap.amount), 8)).to.equal(price().slice(0, -5));
  });

  it('that requires another header for the app id works too', async () => {
    const journey = await beginJourney({
      widget: {'app-id-header': 'x-app-id'},
      faults: {dropped: {on: 'order', when: 'after', times: 1}},
    });
    await journey.place();
    await journey.until(() => journey.errors.length === 1, 'no error was emitted');
    await journey.next('Place swap');
    await journey.expectSwapped();
  });

  it('that loses the answer to an order gets another one at a press, and one is paid', async () => {
    const journey = await beginJourney({faults: {dropped: {on: 'order', when: 'after', times: 1}}});
    await journey.place();
    await journey.until(() => journey.errors.length === 1, 'the lost answer was not noticed');
    expect(journey.orderIds).to.deep.equal([]);
    await journey.expectUntouched();
    await journey.next('Place swap');
    await journey.expectSwapped();
    expect(journey.orderIds).to.have.length(1);
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'sign']);
  });

  it('that rejects a signature says why, and is paid by transaction', async () => {
    const journey = await beginJourney({faults: {gaslessRefused: true}});
    const {page} = journey;
    await journey.place();
    await journey.until(
      () => page.notes.some(note => note.includes('didn’t accept your signature')),
      'the rejection is not mentioned',
    );
    expect(page.text).to.include('“base_sepolia is not supported for initiations”');
    expect(page.button('Send the payment myself')).to.equal(undefined);
    await journey.expectUntouched();
    await journey.next(/^Pay with Wallet/);
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'sign', 'send']);
  });

  it('that accepts a signature and loses the answer is followed to the end', async () => {
    const journey = await beginJourney({faults: {dropped: {on: 'initiate', when: 'after'}}});
    await journey.place();
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'sign']);
    // The order is read at once and shows that the signature was accepted, so there is no error.
    expect(journey.errors.map(({code}) => code)).to.deep.equal([]);
  });

  it('that never got the signature gets another one, once no payment has been seen', async () => {
    const journey = await beginJourney({faults: {dropped: {on: 'initiate', when: 'before'}}});
    await journey.place();
    await journey.until(() => journey.errors.length === 1, 'the lost answer was not noticed');
    await journey.expectUntouched();
    await journey.mend();
    await journey.until(() => journey.page.button('Pay another way'), 'nobody asked');
    expect(journey.page.text).to.include('It may have received your signature');
    await journey.page.press('Pay another way');
    await journey.next(/^Sign with Wallet/);
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'sign', 'sign']);
  });

  it('that tells of a block late is not waited for: the chain shows the block, and the service counts on', async () => {
    // Other tests mine on these chains too, but fewer blocks.
    const journey = await beginJourney({faults: {lateBlock: {seconds: 2}, confirmations: {required: 40}}});
    await journey.place();
    await journey.page.until('confirming');
    await journey.expectAccessible();
    await sandbox.mine('base_sepolia', 40);
    await journey.expectSwapped();
    const stages = journey.statuses.map(({stage}) => stage);
    expect(stages.filter(stage => stage === 'confirming' || stage === 'complete')).to.deep.equal([
      'confirming',
      'complete',
    ]);
  });
});

describe('While a swap is followed', function () {
  this.timeout(60_000);
  afterEach(endJourneys);

  it('the stage is not changed by an answer that cannot be read', async () => {
    const journey = await beginJourney({faults: {solverGone: true}});
    await journey.place();
    await journey.page.until('settling');
    const {page, statuses} = journey;
    const told = statuses.length;
    await journey.worsen({malformed: {on: 'read'}});
    await journey.until(() => page.button('Update now'), 'the failed read is not mentioned');
    expect(page.stage).to.equal('settling');
    expect(page.notes.join()).to.include('This is the last update we have. Your swap continues without this page.');
    await journey.expectAccessible();
    expect(statuses).to.have.length(told);
    await journey.mend();
    await page.press('Update now');
    await journey.expectSwapped();
  });
});

describe('A hostile service', function () {
  this.timeout(60_000);
  afterEach(endJourneys);

  it('is stopped before any wallet request, also after a reload', async () => {
    const journey = await beginJourney({faults: {hostile: {kind: 'redeemer-in-typed-data'}}});
    const {page} = journey;
    await journey.place();
    await page.until('stopped');
    await journey.until(
      () => page.text.includes('The signature and the payment don’t match'),
      'the mismatch is not explained',
    );
    expect(page.primary).to.equal('Start again');
    expect(journey.asked).to.deep.equal(['connect']);
    expect(journey.errors.map(({code}) => code)).to.deep.equal(['deposit-mismatch']);
    await journey.expectUntouched();

    await journey.reload();
    await journey.page.until('stopped');
    expect(journey.asked).to.deep.equal(['connect']);
  });

  it('gets no signature where only the typed data is wrong, but the correct transaction', async () => {
    const journey = await beginJourney({faults: {hostile: {kind: 'domain-name'}}});
    await journey.place();
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'send']);
    expect(journey.errors).to.deep.equal([]);
  });
});
