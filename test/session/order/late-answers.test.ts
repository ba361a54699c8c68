/** A wallet that responds after its request timed out: the person may have been away for a quarter of an hour. */
import {expect} from '../../support/expect.js';
import type {FundOptions, WalletRequestUpdate} from '../../../src/chains/adapter.js';
import {SwapError} from '../../../src/domain/error.js';
import {BY_TRANSACTION, createWorld, DEPOSIT, HASH, openSession, paidOrder, settle} from '../../support/session.js';
import {anOrder, ORDER_ID} from '../../support/swap.js';
import {fundingIn, shownIn} from '../../support/shown.js';

const HASHES = [HASH, `0x${'cd'.repeat(32)}`] as const;

/** A page whose wallet lets each request time out; `answers` are its later responses. */
async function open(deposit = BY_TRANSACTION) {
  const world = createWorld(deposit);
  const answers: FundOptions['onWalletRequest'][] = [];
  const {adapter} = world;
  const {fund, back} = adapter;
  const {refund} = back;
  adapter.fund = (deal, account, options) => {
    answers.push(options.onWalletRequest);
    return fund(deal, account, options);
  };
  back.refund = (deal, account, options) => {
    answers.push(options.onWalletRequest);
    return refund!(deal, account, options);
  };
  world.wallet = () => Promise.reject(new SwapError('wallet-unclear'));
  const page = await openSession({world});
  const answer = async (turn: number, told: WalletRequestUpdate) => {
    await answers[turn]?.(told);
    await settle();
  };
  return {page, world, answer};
}

const fundingOf = ({page}: Awaited<ReturnType<typeof open>>) => fundingIn(page.session);

describe('a response after its request timed out', () => {
  it('counts as a payment if it reports one', async () => {
    const scene = await open();
    const {page, answer} = scene;
    await page.order();
    expect(fundingOf(scene)).to.include({unclear: true, sent: false});
    await answer(0, {kind: 'send', state: 'sent', hash: HASH});
    expect(page.walletRequests()).to.deep.equal(['send sent']);
    expect(fundingOf(scene)).to.deep.include({unclear: false, sent: true, funding: {how: 'transaction', hash: HASH}});
    expect(fundingOf(scene).error).to.equal(undefined);
    expect(page.events.filter(({type}) => type === 'deposit')).to.deep.equal([
      {type: 'deposit', orderId: ORDER_ID, funding: {how: 'transaction', hash: HASH}},
    ]);
    expect(page.session.$stage.get()).to.equal('funding');
  });

  it('allows another payment if it is an explicit rejection', async () => {
    const scene = await open();
    const {page, world, answer} = scene;
    await page.order();
    await answer(0, {kind: 'send', state: 'refused'});
    expect(page.walletRequests()).to.deep.equal(['send refused']);
    expect(fundingOf(scene)).to.include({unclear: false, sent: false});
    expect(page.session.$stage.get()).to.equal('awaiting-deposit');
    world.wallet = () => Promise.resolve();
    await page.session.pay();
    expect(page.walletRequests()).to.deep.equal(['send refused', 'send sent']);
  });

  it('is recorded if it is a signature, which stays in the page', async () => {
    const scene = await open(DEPOSIT);
    const {page, world, answer} = scene;
    await page.order();
    await answer(0, {kind: 'sign', state: 'signed'});
    expect(page.walletRequests()).to.deep.equal(['sign signed']);
    expect(world.count('PATCH')).to.equal(0);
    expect(fundingOf(scene)).to.include({unclear: false, sent: false});
    world.wallet = () => Promise.resolve();
    await page.session.pay();
    expect(page.walletRequests()).to.deep.equal(['sign signed', 'sign signed', 'initiate sent']);
  });

  it('counts even if the person has since answered that nothing was sent', async () => {
    const {page, answer} = await open();
    await page.order();
    await page.session.answer(false);
    expect(page.walletRequests()).to.deep.equal(['send refused']);
    await answer(0, {kind: 'send', state: 'sent', hash: HASH});
    expect(page.walletRequests()).to.deep.equal(['send sent']);
    expect(page.session.$stage.get()).to.equal('funding');
  });

  it('is recorded for its own request, not for a later one', async () => {
    const {page, world, answer} = await open();
    await page.order();
    await page.session.answer(false);
    world.wallet = () => new Promise(() => undefined);
    await settle(page.session.pay());
    expect(page.walletRequests()).to.deep.equal(['send refused', 'send asking']);
    await answer(0, {kind: 'send', state: 'refused'});
    expect(page.walletRequests()).to.deep.equal(['send refused', 'send asking']);
    expect(fundingIn(page.session).asking, 'the wallet is being asked still').to.equal('send');
    await answer(0, {kind: 'send', state: 'sent', hash: HASHES[0]});
    await answer(1, {kind: 'send', state: 'sent', hash: HASHES[1]});
    expect(page.walletRequests()).to.deep.equal(['send sent', 'send sent']);
    expect(fundingIn(page.session).walletRequests.map(({hash}) => hash)).to.deep.equal([...HASHES]);
  });

  it('is stored in the journal if the person has moved on by then', async () => {
    const {page, answer} = await open();
    await page.order();
    page.session.reset();
    await answer(0, {kind: 'send', state: 'sent', hash: HASH});
    expect(page.walletRequests()).to.deep.equal(['send sent']);
    expect(page.session.$stage.get()).to.equal('editing');
    expect(page.told().filter(kind => kind === 'deposit')).to.have.length(1);
  });

  it('is shown with its own order, not with another that was opened meanwhile', async () => {
    const scene = await open();
    const {page, world, answer} = scene;
    await page.order();
    const other = 'c'.repeat(64);
    world.orders.set(other, anOrder({id: other}));
    await settle(page.session.openOrder(other));
    const shown = fundingOf(scene);
    await answer(0, {kind: 'send', state: 'sent', hash: HASH});
    expect(fundingOf(scene)).to.deep.equal(shown);
    expect(shown.walletRequests).to.deep.equal([]);
    await settle(page.session.openOrder(ORDER_ID));
    expect(fundingOf(scene)).to.include({unclear: false, sent: true});
  });

  it('is a refund if that was requested', async () => {
    const {page, world, answer} = await open();
    world.wallet = () => Promise.resolve();
    await page.order();
    world.orders.set(ORDER_ID, paidOrder());
    world.wallet = () => Promise.reject(new SwapError('wallet-unclear'));
    await page.session.refund();
    expect(shownIn(page.session)?.refund.state).to.equal('failed');
    await answer(1, {kind: 'refund', state: 'sent', hash: HASHES[1]});
    expect(page.walletRequests()).to.deep.equal(['send sent', 'refund sent']);
    expect(shownIn(page.session)?.refund).to.deep.equal({state: 'ready', value: HASHES[1]});
  });

  it('has what the chain needs to tell that it has expired', async () => {
    const {page, world, answer} = await open();
    const asked: (string | undefined)[] = [];
    const {readDeposit} = world.adapter;
    world.adapter.readDeposit = (deal, options) => {
      asked.push(options.lifetime);
      return readDeposit(deal, options);
    };
    await page.order();
    await answer(0, {kind: 'send', state: 'sent', hash: HASH, lifetime: 'blockhash'});
    asked.length = 0;
    const next = await page.reload();
    await next.host.pass(60_000);
    expect(asked).to.include('blockhash');
  });
});
