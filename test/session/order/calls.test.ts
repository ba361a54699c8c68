/** Approval and payment as one wallet request (EIP-5792): the rules of money for them. */
import {expect} from '../../support/expect.js';
import type {Foresight} from '../../../src/chains/adapter.js';
import type {FundWay} from '../../../src/domain/deposit.js';
import {SwapError} from '../../../src/domain/error.js';
import {
  BY_TRANSACTION,
  createWorld,
  never,
  rejected,
  moneyRequests,
  openSession,
  orderKey,
  paidOrder,
  settle,
  type StoredWalletRequest,
  type TestPage,
  ordered,
  reviewed,
} from '../../support/session.js';
import {ORDER_ID, MINUTE} from '../../support/swap.js';
import {fundingIn, storyIn} from '../../support/shown.js';

const CALLS = `0x${'ca'.repeat(32)}`;

const bundling = (deposit?: Parameters<typeof createWorld>[0]) => createWorld(deposit, {calls: CALLS});

/** A page on which it said no to that. */
const declined = () => ordered({world: Object.assign(bundling(), {wallet: rejected})});
const fundingOf = ({session}: TestPage) => fundingIn(session);
const stored = ({host}: TestPage) =>
  (JSON.parse(host.storage?.getItem(orderKey()) ?? '{}') as {walletRequests: StoredWalletRequest[]}).walletRequests.map(
    ({kind, state, calls}) => ({kind, state, calls}),
  );

describe('a wallet that approves and pays at once', () => {
  it('is prompted once; what it accepted is reported to the page and followed until the chain shows it', async () => {
    const page = await ordered({world: bundling()});
    expect(moneyRequests(page)).to.deep.equal(['POST', 'wallet send']);
    expect(page.events.find(({type}) => type === 'deposit')).to.deep.include({funding: {how: 'calls', id: CALLS}});
    expect(stored(page)).to.deep.equal([{kind: 'send', state: 'sent', calls: CALLS}]);
    expect(fundingOf(page)).to.deep.include({sent: true, unclear: false, isBundle: true, plan: ['send']});
    expect(page.session.$stage.get()).to.equal('funding');
    expect(storyIn(page.session)?.paidIn.certainty).to.equal('none');
    page.world.orders.set(ORDER_ID, paidOrder());
    page.world.onChain = {amount: 50_000n, block: 7n, isHeld: true};
    page.session.refresh();
    await page.host.pass(1_000);
    expect(storyIn(page.session)?.paidIn.certainty).to.equal('proved');
  });

  it('has its request stored, with the id of the calls, before its window opens', async () => {
    const page = await openSession({world: bundling()});
    page.world.wallet = () => {
      expect(stored(page)).to.deep.equal([{kind: 'send', state: 'asking', calls: CALLS}]);
      return rejected();
    };
    await page.order();
    expect(page.walletRequests()).to.deep.equal(['send refused']);
  });
});

describe('a reload between the question and the answer of a wallet that does both at once', () => {
  const reloaded = async (change: (page: TestPage) => void = () => undefined) => {
    const page = await ordered({world: Object.assign(bundling(), {wallet: never})});
    change(page);
    page.world.log.length = 0;
    const next = await page.reload();
    await next.host.pass(1_000);
    return next;
  };

  it('opens as a question: the wallet is asked for the status of the calls, not to pay', async () => {
    const page = await reloaded();
    expect(fundingOf(page).unclear).to.equal(true);
    expect(page.world.log).to.include(`look for ${CALLS}`);
    await page.session.pay();
    expect(moneyRequests(page)).to.deep.equal([]);
  });

  it('needs no answer from the person if the wallet accepted the calls: they wait for the chain', async () => {
    const page = await reloaded(({world}) => (world.onChain = {isTaken: true}));
    expect(fundingOf(page)).to.deep.include({unclear: false, sent: true});
    expect(page.walletRequests()).to.deep.equal(['send claimed']);
    expect(storyIn(page.session)?.paidIn.certainty).to.equal('none');
    await page.session.pay();
    expect(moneyRequests(page)).to.deep.equal([]);
  });

  it('needs none either if the clock was set back before the reload', async () => {
    const page = await reloaded(({world, host}) => {
      world.onChain = {isTaken: true};
      host.setClock(-3 * 60 * MINUTE);
    });
    expect(page.walletRequests()).to.deep.equal(['send claimed']);
  });

  it('ends if wallet and chain report that the calls failed: a click pays', async () => {
    const page = await reloaded(({world}) => {
      world.depositState = hash => Promise.resolve(hash === undefined ? 'reverted' : 'none');
    });
    expect(fundingOf(page)).to.deep.include({unclear: false, sent: false, seen: 'reverted'});
    page.world.wallet = () => Promise.resolve();
    page.world.depositState = () => Promise.resolve('none');
    await page.session.pay();
    expect(page.walletRequests()).to.deep.equal(['send refused', 'send sent']);
  });

  it('counts as rejected only if neither wallet nor chain has seen anything', async () => {
    const page = await reloaded();
    page.world.onChain = {isTaken: true};
    await page.session.answer(false);
    expect(page.walletRequests()).to.deep.equal(['send claimed']);

    const other = await reloaded();
    await other.session.answer(false);
    expect(other.walletRequests()).to.deep.equal(['send refused']);
  });

  it('keeps waiting for accepted calls, and asks once their time is up', async () => {
    const page = await ordered({world: bundling()});
    const next = await page.reload();
    await settle();
    expect(fundingOf(next)).to.deep.include({sent: true, unclear: false, funding: {how: 'calls', id: CALLS}});
    await next.host.pass(61 * MINUTE);
    expect(fundingOf(next)).to.deep.include({unclear: true, seen: 'none'});
  });

  it('ignores what the wallet reported about an earlier payment', async () => {
    const page = await openSession({world: bundling()});
    page.world.onChain = {isTaken: true};
    page.world.wallet = () => Promise.reject(new SwapError('wallet-unclear'));
    await page.order();
    await page.host.pass(1_000);
    expect(page.walletRequests()).to.deep.equal(['send claimed']);
    page.world.onChain = {};
    page.world.depositState = () => Promise.resolve('reverted');
    await page.host.pass(MINUTE);
    expect(stored(page).map(({state}) => state)).to.deep.equal(['refused']);
    page.world.depositState = () => Promise.resolve('none');
    await page.session.pay();
    await page.host.pass(MINUTE);
    expect(page.walletRequests().at(-1)).to.equal('send asking');
    expect(fundingOf(page).unclear).to.equal(true);
  });
});

describe('the payment method of a wallet that does both at once', () => {
  it('is offered as the alternative while the wallet supports it; the person may still choose the signature', async () => {
    const page = await declined();
    expect(fundingOf(page)).to.deep.include({way: 'transaction', other: 'signature', isBundle: true});
    page.world.wallet = () => Promise.resolve();
    await page.session.pay('signature');
    expect(page.world.wanted).to.deep.equal(['signature', 'signature, chosen']);
    expect(page.walletRequests()).to.deep.equal(['send refused', 'sign signed', 'initiate sent']);
    expect(fundingOf(page)).to.deep.include({way: 'signature', other: 'transaction', isBundle: false});
  });

  it('is the signature again if the wallet no longer supports it', async () => {
    const page = await declined();
    page.world.calls = undefined;
    await page.session.pay();
    expect(page.world.wanted).to.deep.equal(['signature', 'signature']);
    expect(fundingOf(page)).to.deep.include({way: 'signature', other: 'transaction', isBundle: false});
  });

  it('remains the person’s last choice', async () => {
    const page = await declined();
    await page.session.pay('signature');
    expect(page.walletRequests()).to.deep.equal(['send refused', 'sign refused']);
    await page.session.pay();
    page.session.reset();
    await page.order();
    expect(page.world.wanted.slice(1)).to.deep.equal(['signature, chosen', 'signature, chosen', 'signature, chosen']);

    await page.session.pay('transaction');
    await page.session.pay();
    expect(page.world.wanted.slice(-2)).to.deep.equal(['transaction, chosen', 'transaction, chosen']);
  });

  it('is the only one if nothing can be signed', async () => {
    const page = await ordered({world: bundling(BY_TRANSACTION)});
    expect(fundingOf(page)).to.deep.include({way: 'transaction', other: undefined, isBundle: true, sent: true});
  });

  it('is predicted from the person’s choice', async () => {
    const world = bundling();
    const asked: (FundWay | undefined)[] = [];
    world.adapter.means.foresee = (_asset, _amount, _account, {way} = {}) => {
      asked.push(way);
      return Promise.resolve({moves: false, plan: ['send'], isBundle: true});
    };
    const page = await reviewed({world});
    expect(page.session.$form.get().foresight).to.deep.equal({moves: false, plan: ['send'], isBundle: true});
    world.wallet = rejected;
    await settle(page.session.placeOrder());
    await page.session.pay('signature');
    page.session.reset();
    await page.review();
    expect(new Set(asked)).to.deep.equal(new Set([undefined, 'signature']));
    expect(asked.at(-1)).to.equal('signature');
  });

  it('is read again after a reload, before the wallet is asked', async () => {
    const world = createWorld();
    const foresights: ((seen: Foresight) => void)[] = [];
    world.adapter.means.foresee = () => new Promise(resolve => foresights.push(resolve));
    world.wallet = rejected;
    const page = await ordered({world});
    page.session.reset();
    await settle(page.session.openOrder(ORDER_ID));
    expect(fundingOf(page)).to.deep.include({plan: [], foreseen: 'pending'});
    foresights.at(-1)!({moves: false, plan: ['approve', 'sign']});
    await settle();
    expect(fundingOf(page).foreseen).to.deep.equal({moves: false, plan: ['approve', 'sign']});
    expect(world.count('wallet send') + world.count('wallet sign'), 'asked only once').to.equal(1);
  });
});
