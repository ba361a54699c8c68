/** A swap that the visitor cancels before paying. */
import {expect} from '../../support/expect.js';
import {SwapError} from '../../../src/domain/error.js';
import {
  createTestBrowser,
  createWorld,
  moneyRequests,
  openAwaiting,
  openSession,
  orderKey,
  paidOrder,
  settle,
  type TestPage,
  type TestPageOptions,
  ordered,
  byTransaction,
  DEPOSIT,
} from '../../support/session.js';
import {entriesIn, fundingIn, storyIn, stageOf} from '../../support/shown.js';
import {ORDER_ID} from '../../support/swap.js';

const canCancel = ({session}: TestPage) => storyIn(session)?.actions.includes('cancel') === true;
const statuses = ({events}: TestPage) =>
  events.flatMap(event => (event.type === 'status' ? [`${event.previous} → ${event.stage}`] : []));

async function declined(options: Partial<TestPageOptions> = {}): Promise<TestPage> {
  const world = createWorld(DEPOSIT, {wallet: () => Promise.reject(new SwapError('rejected'))});
  const page = await ordered({world, ...options});
  expect(fundingIn(page.session).error?.code).to.equal('rejected');
  return page;
}

describe('a swap that was declined in the wallet', () => {
  it('can be canceled: it is stopped for good, and the page is told', async () => {
    const page = await declined();
    await page.session.cancel();
    expect(stageOf(page)).to.equal('stopped');
    expect(storyIn(page.session)).to.deep.include({isCanceled: true, isPayersTurn: false, isOver: true});
    expect(fundingIn(page.session).error).to.equal(undefined);
    expect(statuses(page).at(-1)).to.equal('awaiting-deposit → stopped');
    expect(page.told().filter(told => told.startsWith('error'))).to.deep.equal(['error rejected']);
  });

  it('asks the wallet and the service for nothing more once it is canceled, also after a reload', async () => {
    const page = await declined();
    await page.session.cancel();
    const before = moneyRequests(page);
    await page.session.pay();
    const next = await page.reload();
    await next.session.pay();
    await settle();
    const reads = page.world.count('GET order');
    await next.host.pass(600_000);
    expect(stageOf(next)).to.equal('stopped');
    expect(storyIn(next.session)?.isCanceled).to.equal(true);
    expect(moneyRequests(next)).to.deep.equal(before);
    expect(next.world.count('GET order')).to.equal(reads);
  });

  it('keeps the form as it was for the next one', async () => {
    const page = await declined();
    const {amount} = page.session.$form.get().draft;
    await page.session.cancel();
    page.session.reset({keep: true});
    expect(page.session.$view.get()).to.equal('form');
    expect(page.session.$form.get().draft.amount).to.equal(amount);
  });

  it('is canceled in the other tabs, too', async () => {
    const browser = createTestBrowser();
    const page = await declined({browser});
    const other = await openSession({browser, world: page.world});
    await settle();
    expect(stageOf(other)).to.equal('awaiting-deposit');
    await page.session.cancel();
    await settle(other.host.tellStorage(orderKey()));
    expect(stageOf(other)).to.equal('stopped');
    await other.session.pay();
    expect(moneyRequests(other).filter(request => request.startsWith('wallet'))).to.have.length(1);
  });
});

describe('a swap that may have been paid', () => {
  it('cannot be canceled if the wallet gave no clear answer', async () => {
    const world = byTransaction({wallet: () => Promise.reject(new SwapError('wallet-unclear'))});
    const page = await ordered({world});
    expect(canCancel(page)).to.equal(false);
    await page.session.cancel();
    expect(stageOf(page)).to.equal('funding');
  });
});

describe('a canceled swap whose address is paid after all', () => {
  const pay = ({world}: TestPage) => {
    world.orders.set(ORDER_ID, paidOrder());
    world.depositState = () => Promise.resolve('seen');
    world.onChain = {amount: 50_000n, hashes: ['aa'], block: 7n, isHeld: true};
  };

  it('goes on', async () => {
    const page = await openAwaiting();
    expect(canCancel(page)).to.equal(true);
    await page.session.cancel();
    expect(stageOf(page)).to.equal('stopped');
    pay(page);
    await page.host.pass(120_000);
    expect(stageOf(page)).to.equal('settling');
    expect(storyIn(page.session)?.isCanceled).to.equal(false);
  });

  it('goes on in the list as well, where it is read now and then', async () => {
    const page = await openAwaiting();
    await page.session.cancel();
    page.session.reset();
    pay(page);
    await page.host.pass(600_000);
    expect(entriesIn(page.session)[0]?.stage).to.equal('settling');
  });
});
