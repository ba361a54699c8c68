/** The displayed order, and what is done with it: one thing at a time, each stored. */
import {expect} from '../../support/expect.js';
import {SwapError} from '../../../src/domain/error.js';
import {HASH, later, never, openSession, settle, type TestPage, ordered, byTransaction} from '../../support/session.js';
import {entriesIn, fundingIn, shownIn} from '../../support/shown.js';
import {NOON, ORDER_ID, MINUTE} from '../../support/swap.js';

const errorsOf = ({events}: TestPage) => events.flatMap(event => (event.type === 'error' ? [event.error.code] : []));

const prompted = (wallet = () => Promise.resolve()) => ordered({world: byTransaction({wallet})});

describe('an order whose wallet is being prompted', () => {
  it('shows the same when left and reopened, and prompts once', async () => {
    const page = await prompted(never);
    page.session.reset();
    page.session.openOrder(ORDER_ID);
    await page.host.pass(2_000);
    expect(fundingIn(page.session)).to.include({busy: true, unclear: false});
    expect(fundingIn(page.session).elsewhere).to.equal(undefined);
    expect(page.walletRequests()).to.deep.equal(['send asking']);
  });

  it('is not decided by the chain meanwhile: the response counts', async () => {
    const page = await prompted(never);
    page.world.depositState = () => Promise.resolve('expired');
    await page.host.pass(5 * MINUTE);
    expect(page.walletRequests()).to.deep.equal(['send asking']);
    expect(errorsOf(page)).to.deep.equal([]);
  });

  it('is not in another tab, however late its own lock is granted', async () => {
    const page = await openSession({world: byTransaction({wallet: never})});
    const {lock} = page.host;
    page.host.lock = async (name, work, onHeld) => {
      await new Promise<void>(resolve => page.host.after(2_000, resolve));
      return lock!(name, work, onHeld);
    };
    await page.order();
    await page.host.pass(1_000);
    const {busy, elsewhere} = fundingIn(page.session);
    expect([busy, elsewhere]).to.deep.equal([true, undefined]);
  });

  it('does not have its allowance revoked meanwhile, but can later', async () => {
    const page = await prompted(never);
    await page.session.revoke(ORDER_ID);
    expect(page.session.$journal.get().revoking.state).to.equal('idle');
  });
});

describe('an order opened after another one', () => {
  it('counts down to its own time, not to the previous order’s', async () => {
    const page = await prompted(() => Promise.reject(new SwapError('rejected')));
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
  it('is stored before the wallet is prompted, and prompts once, though it is clicked again meanwhile', async () => {
    const page = await prompted();
    page.world.depositState = () => Promise.resolve('seen');
    page.world.onChain = {amount: 50_000n, block: 100n, isHeld: true, isRefundOpen: true};
    await page.host.pass(MINUTE);
    const answer = later();
    page.world.wallet = () => answer.promise;
    const pressed = page.session.refund();
    await settle();
    expect(page.walletRequests()).to.deep.equal(['send sent', 'refund asking']);
    const again = page.session.refund();
    await settle();
    answer.keep();
    await Promise.all([pressed, again]);
    expect(page.walletRequests()).to.deep.equal(['send sent', 'refund sent']);
    expect(page.world.count('wallet refund')).to.equal(1);
  });
});

describe('a sent payment', () => {
  it('and reverted is reported when its order is shown, not while it is in the list', async () => {
    const page = await prompted();
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
});
