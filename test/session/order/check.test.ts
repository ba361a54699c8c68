/** When an order is checked, and what a failed check does to it. */
import {expect} from '../../support/expect.js';
import type {CheckResult, Deal} from '../../../src/domain/deposit.js';
import {SwapError} from '../../../src/domain/error.js';
import type {Order} from '../../../src/domain/order.js';
import {
  bearOut,
  BY_TRANSFER,
  completeOrder,
  createTestBrowser,
  createWorld,
  later,
  openAwaiting,
  openSession,
  orderKey,
  paidOrder,
  settle,
  type TestPage,
  ordered,
  byTransaction,
} from '../../support/session.js';
import {entriesIn, fundingIn, shownIn, stageOf, tell} from '../../support/shown.js';
import {aLeg, anOrder, NOON, ORDER_ID} from '../../support/swap.js';

const errorsOf = ({events}: TestPage) =>
  events.flatMap(event => (event.type === 'error' ? [`${event.error.code} ${event.error.field ?? ''}`.trim()] : []));
const failing = (): Promise<readonly CheckResult[]> => Promise.resolve([{name: 'amount', outcome: 'failed'}]);
const seen = ({world}: TestPage) => {
  world.depositState = () => Promise.resolve('seen');
  world.onChain = {amount: 50_000n, hashes: ['aa'], block: 7n, isHeld: true};
};
const changed = (order: Order): Order => ({...order, destination: {...order.destination, amount: 1n}});

describe('an order to an address whose terms the service changes', () => {
  it('is stopped if nothing was paid', async () => {
    const page = await openAwaiting();
    page.world.check = failing;
    tell(page, changed(anOrder()));
    await page.host.pass(10_000);
    expect(stageOf(page)).to.equal('stopped');
    expect(entriesIn(page.session)[0]?.stage).to.equal('stopped');
  });

  it('is followed if a part was paid before, which only the service can refund', async () => {
    const page = await openAwaiting();
    page.world.depositState = () => Promise.resolve('seen');
    page.world.onChain = {amount: 20_000n, hashes: ['aa'], block: 7n};
    const part = aLeg({filled: 20_000n, initiated: {hashes: ['aa'], block: 7n, at: NOON}});
    tell(page, anOrder({source: part}));
    await page.host.pass(10_000);
    page.world.check = failing;
    tell(page, changed(anOrder({source: part})));
    await page.host.pass(10_000);
    expect(shownIn(page.session)?.report?.outcome).to.equal('failed');
    expect(entriesIn(page.session)[0]?.stage).to.equal('awaiting-deposit');
  });

  it('is no longer checked if it was paid from elsewhere: the change is reported, and it is followed', async () => {
    const page = await openAwaiting();
    seen(page);
    tell(page, paidOrder());
    await page.host.pass(10_000);
    page.world.check = failing;
    tell(page, changed(paidOrder()));
    await page.host.pass(10_000);
    expect(errorsOf(page)).to.deep.equal(['order-changed']);
    expect(entriesIn(page.session)[0]?.stage).to.equal('settling');
  });
});

describe('an address that was not shown', () => {
  const payableSince = ({session}: TestPage) => entriesIn(session)[0]?.payableSince;
  const ends = ({events}: TestPage) => events.filter(({type}) => type === 'complete' || type === 'refund');

  it('cannot be paid, so a stopped order stays so whatever the service says, also after a reload', async () => {
    const page = await ordered({world: createWorld(BY_TRANSFER, {check: failing})});
    expect([stageOf(page), payableSince(page)]).to.deep.equal(['stopped', null]);
    tell(page, completeOrder());
    await page.host.pass(120_000);
    const again = await page.reload();
    await again.host.pass(120_000);
    for (const each of [page, again]) {
      const state = [stageOf(each), entriesIn(each.session)[0]?.stage, payableSince(each)];
      expect(state).to.deep.equal(['stopped', 'stopped', null]);
      expect(ends(each)).to.deep.equal([]);
    }
  });

  it('is not shown where anything was paid to it before, then or after a reload, though its chain is silent by then', async () => {
    for (const isReadAtOnce of [true, false]) {
      const browser = createTestBrowser();
      const world = createWorld(BY_TRANSFER);
      const {read} = world;
      const isUsed = () => Promise.resolve('seen' as const);
      if (!isReadAtOnce) world.read = () => Promise.reject(new SwapError('service'));
      world.depositState = isUsed;
      world.onChain = {amount: 1n, isHeld: true, block: 5n};
      let page = await openSession({browser, world});
      await page.order();
      for (const state of [isUsed, () => Promise.resolve('unknown' as const)]) {
        page = await page.reload();
        Object.assign(page.world, {read, depositState: state});
        page.session.openOrder(ORDER_ID);
        await page.host.pass(10_000);
        const {deal, report} = shownIn(page.session)!;
        expect(deal?.deposit).to.deep.include({address: ''});
        expect(report?.results.find(({name}) => name === 'fresh')?.outcome).to.equal('failed');
        const is = [stageOf(page), entriesIn(page.session)[0]?.used, payableSince(page)];
        expect(is).to.deep.equal(['stopped', true, null]);
      }
    }
  });

  it('stays hidden once it was stopped, though its checks would pass now', async () => {
    const world = createWorld(BY_TRANSFER);
    const {check} = world;
    world.check = failing;
    const page = await ordered({world});
    world.check = check;
    const again = await page.reload();
    again.session.openOrder(ORDER_ID);
    await again.host.pass(10_000);
    expect(shownIn(again.session)?.deal?.deposit).to.deep.include({address: ''});
    expect([stageOf(again), payableSince(again)]).to.deep.equal(['stopped', null]);
  });

  it('is written down as payable before it is shown, and is not shown if that is impossible', async () => {
    const browser = createTestBrowser();
    const page = await openSession({browser, world: createWorld(BY_TRANSFER)});
    const written: unknown[] = [];
    browser.storage!.onWrite = (key, text) => {
      if (key !== orderKey()) return;
      written.push([
        (JSON.parse(text) as {payableSince: unknown}).payableSince,
        shownIn(page.session)?.report?.outcome,
      ]);
    };
    await page.order();
    const since = payableSince(page);
    expect(written.slice(0, 2)).to.deep.equal([
      [null, undefined],
      [since, undefined],
    ]);
    expect(since).to.be.a('number');
    expect(shownIn(page.session)?.report?.outcome).to.equal('passed');
    await page.host.pass(60_000);
    const again = await page.reload();
    expect(payableSince(again)).to.equal(since);

    for (const isDeaf of [false, true]) {
      const full = createTestBrowser();
      const other = await openSession({browser: full, world: createWorld(BY_TRANSFER)});
      full.storage!.onWrite = (key, text) => {
        if (key !== orderKey() || text.includes('"payableSince":null')) return;
        if (isDeaf) full.storage!.fault = 'deaf';
        else throw new DOMException('', 'QuotaExceededError');
      };
      await other.order();
      expect(shownIn(other.session)?.report).to.equal(undefined);
      expect(fundingIn(other.session).error?.code).to.equal('storage');
    }
  });

  it('can still be paid once it was shown: a canceled order goes on, also one of an earlier version', async () => {
    for (const isOld of [false, true]) {
      const browser = createTestBrowser();
      const page = await ordered({browser, world: createWorld(BY_TRANSFER)});
      await page.host.pass(1_000);
      await page.session.cancel();
      expect(stageOf(page)).to.equal('stopped');
      const kept = browser.storage!.getItem(orderKey())!;
      const {payableSince: since, ...old} = JSON.parse(kept) as Record<string, unknown>;
      expect(since).to.be.a('number');
      if (isOld) browser.storage!.setItem(orderKey(), JSON.stringify(old));
      const again = await page.reload();
      tell(again, completeOrder());
      await again.host.pass(180_000);
      expect(stageOf(again), String(isOld)).to.equal('complete');
    }
  });

  it('is none of an order that a wallet pays: that is payable as soon as the wallet is asked to pay', async () => {
    const world = byTransaction({approvals: ['approve']});
    const asked: unknown[] = [];
    const page = await openSession({world});
    world.wallet = kind => {
      asked.push([kind, typeof payableSince(page)]);
      return kind === 'send' ? Promise.reject(new SwapError('rejected')) : Promise.resolve();
    };
    await page.order();
    expect(asked).to.deep.equal([
      ['approve', 'object'],
      ['send', 'number'],
    ]);
    const since = payableSince(page);
    await page.host.pass(60_000);
    await page.session.pay();
    expect(payableSince(page)).to.equal(since);
  });
});

describe('an order that was paid while the page was away', () => {
  it('is not taken for an earlier one if its address has the money before the service reports it', async () => {
    const page = await openAwaiting();
    page.world.depositState = () => Promise.resolve('seen');
    page.world.onChain = {amount: 50_000n, hashes: ['aa'], isHeld: true};
    const next = await page.reload();
    await next.host.pass(1_000);
    expect(shownIn(next.session)?.report?.outcome).to.equal('passed');
    expect(errorsOf(next)).to.deep.equal([]);
  });

  it('is no longer checked once the service reports it: its secret may be out', async () => {
    const page = await openAwaiting();
    seen(page);
    tell(page, paidOrder());
    page.world.check = failing;
    const next = await page.reload();
    await next.host.pass(10_000);
    expect([stageOf(next), errorsOf(next)]).to.deep.equal(['settling', []]);
  });
});

describe('an order to an address whose money is on its way or has arrived, while its chain is still being read', () => {
  /** As long as nothing counts as paid, nobody may know the secret. */
  const unlessPaid = ({order}: Deal): Promise<readonly CheckResult[]> =>
    Promise.resolve([{name: 'secret', outcome: order?.source.initiated ? 'passed' : 'failed'}]);

  /** The page is loaded again, and neither chain answers yet. */
  const reloadEarly = async (page: TestPage) => {
    const {world} = page;
    const {depositState, payout} = world;
    const answer = later();
    world.check = unlessPaid;
    world.depositState = async (...of) => {
      await answer.promise;
      return depositState(...of);
    };
    world.payout = async hashes => {
      await answer.promise;
      return payout(hashes);
    };
    const next = await page.reload();
    await next.host.pass(20_000);
    return {next, answer: answer.keep};
  };

  for (const [what, isKnown, before] of [
    ['stays as it was', true, 'complete'],
    ['is followed, if it was all paid while the page was away', false, 'awaiting-deposit'],
  ] as const) {
    it(what, async () => {
      const page = await openAwaiting();
      bearOut(page.world);
      seen(page);
      tell(page, completeOrder());
      if (isKnown) await page.host.pass(10_000);
      const {next, answer} = await reloadEarly(page);
      expect(shownIn(next.session)?.report?.outcome).to.not.equal('failed');
      expect(entriesIn(next.session)[0]?.stage).to.equal(before);
      answer();
      await next.host.pass(60_000);
      expect(stageOf(next)).to.equal('complete');
      expect(entriesIn(next.session)[0]?.stage).to.equal('complete');
      expect(errorsOf(next)).to.deep.equal([]);
    });
  }

  it('is not checked either if its chain has lost the payment, and shows an unconfirmed payout', async () => {
    const page = await openAwaiting();
    page.world.payout = () => Promise.resolve({amount: 49_850n});
    seen(page);
    tell(page, completeOrder());
    await page.host.pass(10_000);
    page.world.check = unlessPaid;
    page.world.depositState = () => Promise.resolve('none');
    const next = await page.reload();
    await next.host.pass(150_000);
    expect(entriesIn(next.session)[0]?.stage).to.equal('complete');
    expect(errorsOf(next)).to.deep.equal([]);
  });
});

describe('an order that was stopped', () => {
  it('shows the reason when it is reopened, and the page gets the error once', async () => {
    const page = await ordered({world: byTransaction({check: failing})});
    page.session.reset();
    await settle(page.session.openOrder(ORDER_ID));
    expect(shownIn(page.session)?.report?.outcome).to.equal('failed');
    expect(errorsOf(page)).to.deep.equal(['deposit-mismatch amount']);
  });
});
