/** The chain is the witness: what a service reports about money is compared with what the chains show. */
import {expect} from '../../support/expect.js';
import type {Wallet} from '../../../src/chains/adapter.js';
import {SwapError} from '../../../src/domain/error.js';
import type {DepositState} from '../../../src/domain/evidence.js';
import {
  BY_TRANSACTION,
  BY_TRANSFER,
  completeOrder,
  createTestBrowser,
  createWorld,
  describeAs,
  HASH,
  later,
  moneyRequests,
  openAwaiting,
  openSession,
  settle,
  type TestPage,
  ordered,
  openHeld,
  byTransaction,
} from '../../support/session.js';
import {aLeg, anOrder, ORDER_ID, PAYER, SOLVER, USDC, WBTC} from '../../support/swap.js';
import {entriesIn, shownIn, storyIn, stageOf, tell} from '../../support/shown.js';
const statusOf = ({session}: TestPage) => storyIn(session)?.order;
const errorsOf = ({events}: TestPage) =>
  events.flatMap(event => (event.type === 'error' ? [`${event.error.code} ${event.error.field ?? ''}`.trim()] : []));
/** Requests a new response, and gives it time to arrive. */
const readAgain = ({session, host}: TestPage) => {
  session.refresh();
  return host.pass(100);
};
const gone = () => Promise.reject(new SwapError('timeout'));

describe('a payment that the chain shows', () => {
  it('counts, though the service never reports it', async () => {
    const page = await openHeld(anOrder());
    expect(stageOf(page)).to.equal('confirming');
    const {initiated, filled} = statusOf(page)!.source;
    expect([initiated, filled]).to.deep.equal([{hashes: [HASH], block: 100n, onChain: true}, 50_000n]);
  });

  it('is kept, whatever an overlapping older read returns', async () => {
    const page = await ordered({world: byTransaction()});
    const slow = later<DepositState>();
    page.world.depositState = () => slow.promise;
    await readAgain(page);
    page.world.depositState = () => Promise.resolve('seen');
    page.world.onChain = {amount: 50_000n, block: 100n, isHeld: true};
    // The service claims something new, so the chain is read again.
    tell(page, anOrder({source: aLeg({filled: 50_000n, initiated: {hashes: [HASH]}})}));
    await readAgain(page);
    expect(stageOf(page)).to.equal('confirming');
    page.world.onChain = {};
    await settle(slow.keep('none'));
    expect(stageOf(page)).to.equal('confirming');
    expect(shownIn(page.session)?.movedBackFrom).to.equal(undefined);
  });

  it('that the contract held before the prompt is followed, and not made again', async () => {
    const world = byTransaction();
    const {fund} = world.adapter;
    world.adapter.fund = () => Promise.reject(new SwapError('wallet-unclear', {field: 'paid'}));
    const page = await openSession({world});
    world.depositState = () => Promise.resolve('seen');
    world.onChain = {amount: 50_000n, isHeld: true};
    await page.order();
    await page.host.pass(5_000);
    expect(stageOf(page)).to.equal('deposit-seen');
    expect(statusOf(page)!.source.initiated?.hashes).to.deep.equal([]);
    expect(errorsOf(page)).to.deep.equal([]);
    world.adapter.fund = fund;
    await page.session.pay();
    expect(moneyRequests(page)).to.deep.equal(['POST']);
  });
});

describe('a refund', () => {
  const open = {amount: 50_000n, block: 100n, isHeld: true, isRefundOpen: true};
  const back = {...open, isHeld: false, isRefundOpen: false};

  it('is offered with the service gone, also after a reload', async () => {
    const browser = createTestBrowser();
    const page = await ordered({browser, world: byTransaction()});
    page.world.depositState = () => Promise.resolve('seen');
    page.world.onChain = {...open, isRefundOpen: false};
    await page.host.pass(5_000);
    page.world.read = gone;
    page.world.onChain = open;
    const next = await page.reload();
    await next.session.connect(next.world.knownWallet);
    await next.host.pass(60_000);
    expect(stageOf(next)).to.equal('refunding');
    expect(statusOf(next)!.source).to.include({filled: 50_000n, initiator: PAYER});
    await next.session.refund();
    expect(moneyRequests(next).at(-1)).to.equal('wallet refund');
    next.world.onChain = {...back, end: {how: 'refunded', amount: 50_000n, hashes: [HASH], block: 109n}};
    await next.host.pass(60_000);
    expect(stageOf(next)).to.equal('refunded');
    expect(statusOf(next)!.source.refunded).to.include({onChain: true});
    expect(errorsOf(next).filter(error => error !== 'timeout')).to.deep.equal([]);
  });

  it('requested while the order is being checked is made after that, once', async () => {
    const page = await openHeld(anOrder());
    page.world.onChain = open;
    await page.host.pass(60_000);
    const checked = later();
    page.world.check = async () => {
      await checked.promise;
      return [];
    };
    const next = await page.reload();
    await next.session.connect(next.world.knownWallet);
    await next.host.pass(10_000);
    const pressed = Promise.all([next.session.refund(), next.session.refund()]);
    checked.keep();
    await pressed;
    expect(moneyRequests(next).filter(what => what === 'wallet refund')).to.have.length(1);
  });

  it('of an order that is not shown is found in the list, with the service gone', async () => {
    const page = await openHeld(anOrder());
    page.session.reset();
    page.world.read = gone;
    page.world.onChain = open;
    await page.host.pass(2 * 60_000);
    expect(entriesIn(page.session)[0]?.stage).to.equal('refunding');
  });

  it('is requested even if nothing can be stored', async () => {
    const browser = createTestBrowser();
    const page = await ordered({browser, world: byTransaction()});
    page.world.depositState = () => Promise.resolve('seen');
    page.world.onChain = open;
    await page.host.pass(60_000);
    browser.storage!.fault = 'full';
    await page.session.refund();
    expect(moneyRequests(page).at(-1)).to.equal('wallet refund');
    expect(shownIn(page.session)?.refund).to.deep.equal({state: 'ready', value: HASH});
  });
});

describe('an order that reuses another one’s data', () => {
  it('with the id of an earlier one is rejected, and the earlier one is unchanged', async () => {
    const page = await openHeld(anOrder());
    const before = entriesIn(page.session);
    page.session.reset();
    page.world.place = () => Promise.resolve({orderId: ORDER_ID, deposit: BY_TRANSACTION});
    await page.order();
    expect(errorsOf(page)).to.deep.equal(['deposit-mismatch order']);
    expect(entriesIn(page.session).map(({walletRequests}) => walletRequests)).to.deep.equal(
      before.map(({walletRequests}) => walletRequests),
    );
    expect(moneyRequests(page)).to.deep.equal(['POST', 'wallet send', 'POST']);
  });

  it('with the secret hash of an earlier one is stopped before the wallet is prompted', async () => {
    const page = await openHeld(anOrder());
    page.session.reset();
    describeAs(page.world, ({id}) => anOrder({id}));
    await page.order();
    expect(stageOf(page)).to.equal('stopped');
    expect(errorsOf(page)).to.deep.equal(['deposit-mismatch fresh']);
    expect(moneyRequests(page)).to.deep.equal(['POST', 'wallet send', 'POST']);
  });

  it('with the address of an earlier one is stopped', async () => {
    const page = await openAwaiting();
    page.session.reset();
    await page.order();
    expect(stageOf(page)).to.equal('stopped');
    expect(errorsOf(page)).to.deep.equal(['deposit-mismatch fresh']);
  });

  it('whose address was paid before is stopped, whatever the service reports', async () => {
    for (const order of [anOrder(), completeOrder()]) {
      const world = createWorld(BY_TRANSFER, {depositState: () => Promise.resolve('seen'), onChain: {amount: 50_000n}});
      const page = await openSession({world});
      describeAs(world, () => order);
      await page.order();
      tell(page, completeOrder());
      await page.host.pass(60_000);
      expect(errorsOf(page)).to.deep.equal(['deposit-mismatch fresh']);
      expect([stageOf(page), entriesIn(page.session)[0]?.stage]).to.deep.equal(['stopped', 'stopped']);
      expect(page.told()).not.to.include('complete');
    }
  });
});

describe('a chain that is read through the wallet', () => {
  it('is read again at once when a wallet comes back', async () => {
    const page = await openHeld(anOrder());
    page.session.disconnect('evm');
    page.world.depositState = () => Promise.resolve('unknown');
    page.world.onChain = {};
    const other = await page.reload();
    await other.host.pass(1_000);
    expect(statusOf(other)?.source.initiated?.onChain).to.equal(undefined);
    page.world.depositState = () => Promise.resolve('seen');
    page.world.onChain = {amount: 50_000n, block: 100n, isHeld: true, isRefundOpen: false};
    const looks = page.world.count('look');
    await other.session.connect(page.world.knownWallet);
    await settle();
    expect(page.world.count('look')).to.equal(looks + 1);
    expect(statusOf(other)?.source.initiated?.onChain).to.equal(true);
  });
});

describe('a submitted signature', () => {
  const refused = async () => {
    const page = await openSession();
    page.world.initiate = () => Promise.resolve({accepted: false, reason: 'no'});
    await page.order();
    return page;
  };

  it('is remembered though the service rejected it, until the chain has its order', async () => {
    const page = await refused();
    expect(page.session.$journal.get().live.map(({orderId}) => orderId)).to.deep.equal([ORDER_ID]);
    page.world.depositState = () => Promise.resolve('seen');
    page.world.onChain = {amount: 50_000n, isHeld: true};
    await page.host.pass(15_000);
    expect(page.session.$journal.get().live).to.deep.equal([]);
    expect(stageOf(page)).to.equal('deposit-seen');
  });

  it('is shown in the review of a new swap of the same asset from the same account', async () => {
    const page = await refused();
    page.session.reset();
    await page.review();
    expect(page.session.$journal.get().live.map(({orderId}) => orderId)).to.deep.equal([ORDER_ID]);
  });

  it('is not shown in the review of a swap of another asset, or from another account', async () => {
    const live = ({session}: TestPage) => session.$journal.get().live.map(({orderId}) => orderId);
    const page = await refused();
    page.session.reset();
    page.session.edit({from: USDC.id});
    await page.review();
    expect(page.session.$form.get().agreement?.from.id).to.equal(USDC.id);
    expect(live(page)).to.deep.equal([]);
    page.session.reset();
    page.session.edit({from: WBTC.id});
    const connect = () =>
      Promise.resolve({family: 'evm', address: SOLVER, wallet: other, watch: () => undefined} as const);
    const other: Wallet = {...page.world.knownWallet, id: 'other', key: 'other', connect};
    await page.session.connect(other);
    await page.review();
    expect(page.session.$form.get().agreement?.owner).to.equal(SOLVER);
    expect(live(page)).to.deep.equal([]);
  });

  /** Its page with a wallet that revokes allowances, and the tokens of those that it revoked. */
  const revocable = async () => {
    const page = await refused();
    const tokens: (string | undefined)[] = [];
    page.world.adapter.back.revoke = async (_deal, _account, {onWalletRequest, token}) => {
      await onWalletRequest({kind: 'revoke', state: 'asking'});
      tokens.push(token);
      await onWalletRequest({kind: 'revoke', state: 'sent', hash: HASH});
      return HASH;
    };
    return {page, tokens};
  };

  it('can be invalidated by revoking the allowance', async () => {
    const {page, tokens} = await revocable();
    await page.session.revoke(ORDER_ID);
    expect(page.session.$journal.get().revoking).to.include({state: 'ready', value: HASH, orderId: ORDER_ID});
    expect([tokens, page.walletRequests().at(-1)]).to.deep.equal([[undefined], 'revoke sent']);
  });

  it('keeps its own allowance where that of another token is revoked', async () => {
    const {page, tokens} = await revocable();
    const before = page.walletRequests();
    await page.session.revoke(ORDER_ID, SOLVER);
    expect([tokens, page.walletRequests()]).to.deep.equal([[SOLVER], before]);
    expect(page.session.$journal.get().revoking).to.include({state: 'ready', value: HASH, token: SOLVER});
  });
});
