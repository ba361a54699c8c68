/** Pages that are reloaded, move the widget, or have two of it; double presses. */
import {expect} from '@open-wc/testing';
import {beginJourney, BASE_WBTC, endJourneys, ETHEREUM_WBTC, type Answer} from '../support/journey.js';

describe('A page', function () {
  this.timeout(60_000);
  afterEach(endJourneys);

  /** An answer of the wallet that waits until it is released. */
  function hold() {
    let letGo: (answer: Answer) => void = () => undefined;
    const held = new Promise<Answer>(resolve => (letGo = resolve));
    return {answer: () => held, letGo: (answer: Answer) => letGo(answer)};
  }

  it('can be reloaded at every step', async () => {
    const journey = await beginJourney({answers: {approve: ['no'], sign: ['no']}, faults: {solverGone: true}});
    await journey.connect();
    await journey.page.typeAmount(journey.route.amount);
    await journey.reload();
    expect(journey.page.amount).to.equal(journey.route.amount);
    // The wallet is connected again without a prompt.
    await journey.next('Review swap');
    await journey.page.until('reviewing');
    await journey.reload();
    await journey.next('Review swap');
    await journey.next('Place swap');
    await journey.until(() => journey.errors.length === 1, 'nothing was rejected');
    await journey.reload();
    await journey.next(/^Sign with Wallet|^Allow/);
    await journey.until(() => journey.errors.length === 2, 'nothing was rejected');
    await journey.reload();
    await journey.next(/^Sign with Wallet/);
    await journey.page.until('settling');
    await journey.reload();
    await journey.page.until('settling');
    expect(journey.page.heading).to.equal('On its way');
    await journey.mend();
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'approve', 'sign', 'sign']);
    expect(journey.orderIds).to.have.length(1);

    await journey.reload();
    await journey.openFromList();
    await journey.expectSwapped();
  });

  it('can be reloaded during a prompt, and still gets the answer', async () => {
    const {answer, letGo} = hold();
    const journey = await beginJourney({answers: {sign: [answer]}});
    await journey.place();
    await journey.until(() => journey.asked.at(-1) === 'sign', 'the wallet never prompted');
    journey.page.widget.remove();
    expect(journey.walletRequests()).to.deep.equal(['approve sent', 'sign asking']);
    letGo('yes');
    await journey.until(() => journey.walletRequests().at(-1) === 'initiate sent', 'the answer was lost');
    await journey.open();
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'sign']);
  });

  it('can move the widget during a swap', async () => {
    const {answer, letGo} = hold();
    const journey = await beginJourney({answers: {sign: [answer]}});
    const {widget} = journey.page;
    const place = widget.parentElement!;
    const move = () => {
      const other = document.createElement('section');
      place.append(other);
      other.append(widget);
    };
    await journey.connect();
    move();
    await journey.page.typeAmount(journey.route.amount);
    move();
    expect(journey.page.amount).to.equal(journey.route.amount);
    await journey.next('Review swap');
    await journey.page.until('reviewing');
    move();
    await journey.next('Place swap');
    await journey.until(() => journey.asked.at(-1) === 'sign', 'the wallet never prompted');
    move();
    await journey.until(() => /^Waiting for Wallet/.test(journey.page.primary), 'it no longer waits for the wallet');
    letGo('yes');
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'sign']);
    expect(journey.orderIds).to.have.length(1);
  });

  it('with two widgets can have two swaps, each with its own wallet', async () => {
    const one = await beginJourney({amount: '0.01'});
    const other = await beginJourney({from: ETHEREUM_WBTC, to: BASE_WBTC, amount: '0.02'});
    await Promise.all([one.connect(), other.connect()]);
    expect(one.page.widget.isConnected && other.page.widget.isConnected).to.equal(true);
    await Promise.all([one.page.typeAmount('0.01'), other.page.typeAmount('0.02')]);
    await Promise.all([one.next('Review swap'), other.next('Review swap')]);
    await Promise.all([one.next('Place swap'), other.next('Place swap')]);
    await Promise.all([one.complete(), other.complete()]);
    await one.expectSwapped();
    await other.expectSwapped();
    for (const {asked, orderIds} of [one, other]) {
      expect(asked).to.deep.equal(['connect', 'approve', 'sign']);
      expect(orderIds).to.have.length(1);
    }
  });

  it('with two widgets of one person prompts once for one swap', async () => {
    const {answer, letGo} = hold();
    const journey = await beginJourney({answers: {sign: [answer]}});
    await journey.place();
    await journey.until(() => journey.asked.at(-1) === 'sign', 'the wallet never prompted');
    const first = journey.page;
    await journey.open();
    await journey.openFromList();
    // A requested signature has paid nothing; the second widget waits for the first one's wallet request.
    await journey.until(() => journey.page.stage === 'awaiting-deposit', 'the order is not shown');
    expect(journey.page.canGoOn).to.equal(false);
    letGo('yes');
    await first.until('complete');
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'sign']);
    expect(journey.walletRequests()).to.deep.equal(['approve sent', 'sign signed', 'initiate sent']);
  });

  it('orders and pays once after a double press', async () => {
    const journey = await beginJourney({answers: {approve: ['no'], sign: ['no']}});
    const {page} = journey;
    const twice = async (name: string | RegExp) => {
      await journey.until(() => page.button(name), `no button matches “${String(name)}”`);
      const button = page.button(name);
      button?.click();
      button?.click();
      await page.settled();
    };
    await twice('Connect a wallet to pay from');
    await twice(/^Wallet \d+ /);
    await journey.until(() => page.button('Change the wallet you pay from'), 'the wallet was never connected');
    await page.typeAmount(journey.route.amount);
    await journey.next('Review swap', 2);
    await journey.next('Place swap', 2);
    await journey.until(() => journey.errors.length === 1, 'nothing was rejected');
    await journey.next(/^Allow/, 2);
    await journey.until(() => journey.errors.length === 2, 'nothing was rejected');
    await journey.next(/^Sign with Wallet/, 2);
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'approve', 'approve', 'sign', 'sign']);
    expect(journey.orderIds).to.have.length(1);
    await journey.next('New swap', 2);
    expect(page.stage).to.equal('editing');
  });

  it('pays once if two ways to pay are pressed at the same time', async () => {
    const journey = await beginJourney({allowed: 'enough', answers: {sign: ['no']}});
    const {page} = journey;
    await journey.place();
    await journey.until(() => page.button('Send the payment myself'), 'the other way was never offered');
    const other = page.button('Send the payment myself');
    page.primaryButton?.click();
    other?.click();
    await journey.expectSwapped();
    expect(journey.asked).to.deep.equal(['connect', 'sign', 'sign']);
  });
});
