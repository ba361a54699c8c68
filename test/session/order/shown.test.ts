/** The order on the screen, and work on it: one piece at a time, each written down. */
import {expect} from '../../support/expect.js';
import {SwapError} from '../../../src/domain/error.js';
import {BY_TRANSACTION, createWorld, HASH, later, openSession, settle, type TestPage} from '../../support/session.js';
import {entriesIn, fundingIn, shownIn} from '../../support/shown.js';
import {NOON, ORDER_ID} from '../../support/swap.js';

const MINUTE = 60_000;
const never = () => new Promise<never>(() => undefined);
const errorsOf = ({events}: TestPage) => events.flatMap(event => (event.type === 'error' ? [event.error.code] : []));

/** A page whose order is paid by a transaction; its wallet does so at once unless told otherwise. */
async function ordered(wallet = () => Promise.resolve()) {
  const world = createWorld(BY_TRANSACTION);
  world.wallet = wallet;
  const page = await openSession({world});
  await page.order();
  return page;
}

describe('an order whose wallet is being asked', () => {
  it('says nothing else when it is left and opened again, and is asked once', async () => {
    const page = await ordered(never);
    page.session.reset();
    page.session.openOrder(ORDER_ID);
    await page.host.pass(2_000);
    expect(fundingIn(page.session)).to.include({busy: true, unclear: false});
    expect(fundingIn(page.session).elsewhere).to.equal(undefined);
    expect(page.walletRequests()).to.deep.equal(['send asking']);
  });

  it('is not settled by what its chain says meanwhile: the answer counts', async () => {
    const page = await ordered(never);
    page.world.depositState = () => Promise.resolve('expired');
    await page.host.pass(5 * MINUTE);
    expect(page.walletRequests()).to.deep.equal(['send asking']);
    expect(errorsOf(page)).to.deep.equal([]);
  });

  it('has no allowance taken back meanwhile, and can be asked for that later', async () => {
    const page = await ordered(never);
    await page.session.revoke(ORDER_ID);
    expect(page.session.$journal.get().revoking.state).to.equal('idle');
  });
});

describe('an order that is opened over another one', () => {
  it('is counted down to its own time, not to that of the one before', async () => {
    const page = await ordered(() => Promise.reject(new SwapError('rejected')));
    page.session.reset();
    await page.order();
    const second = entriesIn(page.session).find(({orderId}) => orderId !== ORDER_ID)!;
    const {world, session, host} = page;
    const timeToPay = () => shownIn(session)!.payUntil - shownIn(session)!.placedAt;
    world.orders.set(second.orderId, {...world.orders.get(second.orderId)!, deadline: NOON + 20 * MINUTE});
    await session.pay();
    expect(timeToPay()).to.equal(20 * MINUTE);
    world.read = never;
    session.openOrder(ORDER_ID);
    await host.pass(100);
    expect(timeToPay()).to.equal(60 * MINUTE);
  });
});

describe('a refund', () => {
  it('is written down before the wallet is asked', async () => {
    const page = await ordered();
    page.world.depositState = () => Promise.resolve('seen');
    page.world.onChain = {amount: 50_000n, block: 100n, isHeld: true, isRefundOpen: true};
    await page.host.pass(MINUTE);
    const answer = later();
    page.world.wallet = () => answer.promise;
    const pressed = page.session.refund();
    await settle();
    expect(page.walletRequests()).to.deep.equal(['send sent', 'refund asking']);
    answer.keep();
    await pressed;
    expect(page.walletRequests()).to.deep.equal(['send sent', 'refund sent']);
  });
});

describe('a payment that went out', () => {
  it('and that its chain refused is told when its order is on the screen, not while it is in the list', async () => {
    const page = await ordered();
    page.session.reset();
    await page.order();
    page.world.depositState = (_hash, orderId) => Promise.resolve(orderId === ORDER_ID ? 'reverted' : 'none');
    await page.host.pass(MINUTE);
    expect(page.walletRequests()).to.deep.equal(['send sent']);
    page.session.openOrder(ORDER_ID);
    await page.host.pass(10_000);
    expect(page.walletRequests()).to.deep.equal(['send refused']);
    expect(fundingIn(page.session).error).to.include({code: 'funding-reverted', detail: HASH});
  });

  it('is given up on a chain that answers no more only once a question of a minute after its time was in vain', async () => {
    const world = createWorld(BY_TRANSACTION);
    const {load} = world;
    world.load = async family => ({...(await load(family)), expiresAfter: 5 * MINUTE});
    world.depositState = () => Promise.reject(new Error('429'));
    const page = await openSession({world});
    await page.order();
    await page.host.pass(5.8 * MINUTE);
    expect(page.walletRequests()).to.deep.equal(['send sent']);
    await page.host.pass(MINUTE);
    expect(page.walletRequests()).to.deep.equal(['send refused']);
    expect(fundingIn(page.session).error?.code).to.equal('expired');
  });
});
