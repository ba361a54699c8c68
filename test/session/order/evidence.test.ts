/** What the page is told about an order, and what is stored: once, and not by a tab that knows less. */
import {expect} from '../../support/expect.js';
import {SwapError} from '../../../src/domain/error.js';
import {
  bearOut,
  BY_TRANSACTION,
  BY_TRANSFER,
  completeOrder,
  createTestBrowser,
  createWorld,
  DEPOSIT,
  later,
  openSession,
  orderKey,
  paidOrder,
  settle,
  type TestPage,
  ordered,
  openHeld,
  byTransaction,
} from '../../support/session.js';
import {entriesIn, storyIn, stageOf, tell} from '../../support/shown.js';
import {anOrder, ORDER_ID, MINUTE} from '../../support/swap.js';

const STRANGER = 'c'.repeat(64);
/** The ends reported to the page: by which witness, and whether repeated. */
const ends = ({events}: TestPage) =>
  events.flatMap(event =>
    event.type === 'complete' || event.type === 'refund'
      ? [`${event.type} by the ${event.witness}${event.again ? ', again' : ''}`]
      : [],
  );

describe('an end that only the service reported', () => {
  it('of an order from elsewhere is reported once more when the chain confirms it, and never again', async () => {
    const page = await openSession();
    tell(page, completeOrder(STRANGER));
    page.session.openOrder(STRANGER);
    await page.host.pass(10_000);
    expect(page.told()).to.include('status complete');
    bearOut(page.world);
    await page.host.pass(10 * MINUTE);
    expect(ends(page)).to.deep.equal(['complete by the service', 'complete by the chain, again']);
  });

  it('is reported once more after a reload, marked as repeated', async () => {
    const page = await openHeld();
    tell(page, completeOrder());
    await page.host.pass(10_000);
    expect(ends(page)).to.deep.equal(['complete by the service']);
    const next = await page.reload();
    bearOut(next.world);
    await next.host.pass(10 * MINUTE);
    expect(ends(next)).to.deep.equal(['complete by the chain, again']);
  });

  it('of an order in the list is reported once more, too', async () => {
    const page = await openHeld();
    tell(page, completeOrder());
    await page.host.pass(10_000);
    page.session.reset();
    bearOut(page.world);
    await page.host.pass(30 * MINUTE);
    expect(ends(page)).to.deep.equal(['complete by the service', 'complete by the chain, again']);
  });
});

describe('a refund that the chain shows', () => {
  it('is reported once', async () => {
    const page = await openHeld();
    page.world.onChain = {
      amount: 50_000n,
      block: 100n,
      isHeld: false,
      isRefundOpen: false,
      end: {how: 'refunded', amount: 50_000n, hashes: ['0xee'], block: 109n},
    };
    await page.host.pass(10 * MINUTE);
    expect(ends(page)).to.deep.equal(['refund by the chain']);
  });
});

describe('an order in the list', () => {
  it('keeps its stage while the wallet is prompted about another one', async () => {
    const page = await openSession({world: byTransaction()});
    page.world.wallet = () => Promise.reject(new SwapError('rejected'));
    await page.order();
    page.session.reset();
    page.world.wallet = () => later().promise;
    await page.order();
    await page.host.pass(2 * MINUTE);
    expect(stageOf(page)).to.equal('funding');
    const first = entriesIn(page.session).find(({orderId}) => orderId === ORDER_ID);
    expect(first?.stage).to.equal('awaiting-deposit');
  });
});

describe('what one tab stored', () => {
  it('is not overwritten by another tab with older data', async () => {
    const browser = createTestBrowser();
    const page = await ordered({browser, world: byTransaction()});
    const other = await openSession({browser, world: page.world, bare: true});
    await other.host.pass(10_000);
    expect(storyIn(other.session)?.isUnpaid).to.equal(true);
    other.host.online$.set(false);
    page.world.depositState = () => Promise.resolve('seen');
    page.world.onChain = {amount: 50_000n, block: 100n, isHeld: true};
    await page.host.pass(20_000);
    const kept = () => JSON.parse(browser.storage!.getItem(orderKey())!) as {paidIn?: true; stage: string};
    expect(kept()).to.include({paidIn: true, stage: 'confirming'});
    await settle(other.host.tellStorage(orderKey()));
    expect(kept()).to.include({paidIn: true, stage: 'confirming'});
  });
});

describe('a payment that another tab has seen', () => {
  for (const [how, deposit] of Object.entries({BY_TRANSACTION, DEPOSIT, BY_TRANSFER}))
    it(`is not gone for a tab that is cut off, and is not asked for there again: ${how}`, async () => {
      const browser = createTestBrowser();
      const page = await ordered({browser, world: createWorld(deposit)});
      const other = await openSession({browser, world: createWorld(deposit), bare: true});
      tell(other, anOrder());
      other.session.openOrder(ORDER_ID);
      await other.host.pass(10_000);
      other.world.read = () => Promise.reject(new SwapError('offline'));
      other.world.depositState = () => Promise.reject(new SwapError('offline'));
      tell(page, paidOrder());
      await page.host.pass(20_000);
      await settle(other.host.tellStorage(orderKey()));
      expect(storyIn(other.session)).to.deep.include({stage: 'settling', isPayersTurn: false, note: undefined});
      // The next answer counts, whatever it is.
      other.world.read = () => Promise.resolve(anOrder());
      await other.host.pass(2 * MINUTE);
      expect(storyIn(other.session)?.note).to.deep.equal({kind: 'gone'});
    });
});

describe('a full storage', () => {
  it('is reported if a stage could not be stored, and the order is followed', async () => {
    const browser = createTestBrowser();
    const page = await ordered({browser, world: byTransaction()});
    browser.storage!.fault = 'full';
    tell(page, anOrder(paidOrder()));
    await page.host.pass(MINUTE);
    expect(stageOf(page)).to.equal('settling');
    expect(page.told()).to.include('error storage');
  });
});
