import {expect} from '../../support/expect.js';
import type {Foresight} from '../../../src/chains/adapter.js';
import {totalBps} from '../../../src/domain/affiliate-fee.js';
import {createCatalogue} from '../../../src/domain/catalogue.js';
import type {CheckResult, FundWay} from '../../../src/domain/deposit.js';
import {SwapError} from '../../../src/domain/error.js';
import type {DepositState} from '../../../src/domain/evidence.js';
import type {Quote} from '../../../src/domain/quote.js';
import {
  answersTo,
  bearOut,
  BY_TRANSACTION,
  BY_TRANSFER,
  completeOrder,
  createTestBrowser,
  createWorld,
  moneyRequests,
  DEPOSIT,
  HASH,
  later,
  openSession,
  orderKey,
  paidOrder,
  settle,
  type TestPage,
  type World,
  never,
  rejected,
  ordered,
  reviewed,
  answeredLater,
  byTransaction,
} from '../../support/session.js';
import {TestStorage} from '../../support/storage.js';
import {aLeg, anOrder, aQuote, catalogue, MINUTE, NOON, ORDER_ID, SOLVER, USDC, WBTC} from '../../support/swap.js';
import {entriesIn, fundingIn, shownIn, stageOf, statusIn, storyIn} from '../../support/shown.js';

const lost = () => Promise.reject(new SwapError('timeout'));

/** A world on whose chain what was signed five minutes ago can no longer arrive. */
function shortLived(change?: Partial<World>): World {
  const world = byTransaction(change);
  Object.assign(world.adapter, {expiresAfter: 5 * MINUTE});
  return world;
}

const HELD = {beforeSign: () => Promise.reject(new SwapError('held'))};
const unpaid = () => ordered({world: byTransaction(), gates: HELD});

/** Wallets that will be asked for these requests, as far as can be read ahead; returns the ways for which that was read. */
const foretelling = (world: World, plan: Foresight['plan']) => {
  const ways: (FundWay | undefined)[] = [];
  world.load = () => Promise.resolve(world.adapter);
  world.adapter.means.foresee = (_asset, _amount, _account, {way} = {}) => {
    ways.push(way);
    return Promise.resolve({moves: false, plan});
  };
  return ways;
};

const fundingOf = ({session}: TestPage) => fundingIn(session);
const timeToPay = ({session}: TestPage) => shownIn(session)!.payUntil - shownIn(session)!.placedAt;

describe('ask, write down, act:', () => {
  it('a request is stored before the wallet is prompted', async () => {
    const browser = createTestBrowser();
    const world = byTransaction();
    const written: (readonly string[])[] = [];
    const page = await openSession({browser, world});
    world.approvals = ['revoke', 'approve'];
    world.wallet = () => {
      written.push(page.walletRequests());
      return Promise.resolve();
    };
    await page.order();
    expect(written).to.deep.equal([
      ['revoke asking'],
      ['revoke sent', 'approve asking'],
      ['revoke sent', 'approve sent', 'send asking'],
    ]);
    expect(page.walletRequests()).to.deep.equal(['revoke sent', 'approve sent', 'send sent']);
    expect(fundingOf(page).walletRequests.at(-1)).to.include({
      kind: 'send',
      hash: `0x${'ab'.repeat(32)}`,
      at: NOON + 300,
    });
  });

  it('a signature is stored as “asking” before the service gets it', async () => {
    const world = createWorld();
    const page = await openSession({world});
    const written: (readonly string[])[] = [];
    world.wallet = () => {
      written.push(page.walletRequests());
      return Promise.resolve();
    };
    world.initiate = () => {
      written.push(page.walletRequests());
      return Promise.resolve({accepted: true});
    };
    await page.order();
    expect(written).to.deep.equal([['sign asking'], ['sign signed', 'initiate asking']]);
    expect(page.walletRequests()).to.deep.equal(['sign signed', 'initiate sent']);
    expect(moneyRequests(page)).to.deep.equal(['POST', 'wallet sign', 'PATCH']);
  });

  it('an explicit rejection makes it “refused”, and the next click prompts again', async () => {
    const page = await ordered({world: byTransaction({wallet: rejected})});
    expect(page.walletRequests()).to.deep.equal(['send refused']);
    expect(fundingOf(page).error?.code).to.equal('rejected');
    expect(fundingOf(page).unclear).to.equal(false);
    expect(stageOf(page)).to.equal('awaiting-deposit');

    page.world.wallet = () => Promise.resolve();
    await page.session.pay();
    expect(page.walletRequests()).to.deep.equal(['send refused', 'send sent']);
    expect(page.world.count('wallet send')).to.equal(2);
    expect(page.world.count('POST')).to.equal(1);
  });

  for (const [what, error] of [
    ['an unclear response', new SwapError('wallet-unclear')],
    ['a broken wallet', new TypeError('x is undefined')],
    ['a timeout', new SwapError('timeout')],
  ] as const) {
    it(`${what} leaves it at “asking”, and a click does not prompt again`, async () => {
      const page = await ordered({world: byTransaction({wallet: () => Promise.reject(error)})});
      expect(page.walletRequests()).to.deep.equal(['send asking']);
      expect(fundingOf(page).unclear).to.equal(true);
      expect(stageOf(page)).to.equal('funding');
      await page.session.pay();
      await page.session.pay('transaction');
      expect(page.world.count('wallet send')).to.equal(1);
    });
  }

  describe('“Did you confirm the payment in your wallet?”', () => {
    const unclear = async (): Promise<TestPage> => {
      const page = await ordered({
        world: byTransaction({wallet: () => Promise.reject(new SwapError('wallet-unclear'))}),
      });
      page.world.wallet = () => Promise.resolve();
      return page;
    };

    it('is not asked if the chain shows the payment', async () => {
      const page = await openSession({world: byTransaction()});
      page.world.wallet = () => Promise.reject(new SwapError('wallet-unclear'));
      page.world.depositState = () => Promise.resolve('seen');
      await page.order();
      expect(fundingOf(page)).to.include({unclear: false, sent: true, seen: 'seen'});
      expect(page.walletRequests()).to.deep.equal(['send claimed']);
    });

    it('yes: it is followed as paid, never asked again, and looked up on the chain', async () => {
      const page = await unclear();
      await page.session.answer(true);
      expect(page.walletRequests()).to.deep.equal(['send claimed']);
      expect(fundingOf(page).unclear).to.equal(false);
      expect(stageOf(page)).to.equal('funding');
      const looks = page.world.count('look');
      await page.host.pass(MINUTE);
      expect(page.world.count('look')).to.be.above(looks);
      expect(page.world.count('wallet send')).to.equal(1);
    });

    it('yes, but the request died with the page: the chain shows so, and a fresh order is offered', async () => {
      const world = shortLived({wallet: never});
      const page = await ordered({world});
      const next = await page.reload();
      await next.session.answer(true);
      await next.host.pass(2 * MINUTE);
      expect(stageOf(next)).to.equal('funding');
      world.depositState = () => Promise.resolve('expired');
      await next.host.pass(MINUTE);
      expect(next.walletRequests()).to.deep.equal(['send claimed']);
      expect(stageOf(next)).to.equal('awaiting-deposit');
      expect(fundingOf(next).error?.code).to.equal('expired');
    });

    it('no, and nothing is seen: paying is offered again', async () => {
      const page = await unclear();
      const [reads, looks] = [page.world.count('GET order'), page.world.count('look')];
      await page.session.answer(false);
      expect(page.world.count('GET order')).to.be.above(reads);
      expect(page.world.count('look')).to.be.above(looks);
      expect(page.walletRequests()).to.deep.equal(['send refused']);
      expect(fundingOf(page).seen).to.equal('none');
      expect(stageOf(page)).to.equal('awaiting-deposit');
      await page.session.pay();
      expect(page.walletRequests()).to.deep.equal(['send refused', 'send sent']);
    });

    it('no, but the chain has seen it: it is not asked again', async () => {
      const page = await unclear();
      page.world.depositState = () => Promise.resolve('seen');
      await page.session.answer(false);
      expect(page.walletRequests()).to.deep.equal(['send claimed']);
      expect(fundingOf(page).seen).to.equal('seen');
      await page.session.pay();
      expect(page.world.count('wallet send')).to.equal(1);
    });

    it('no, but the service has seen it: the order continues', async () => {
      const page = await unclear();
      page.world.depositState = () => Promise.resolve('unknown');
      page.world.orders.set(ORDER_ID, paidOrder());
      await page.session.answer(false);
      expect(page.walletRequests()).to.deep.equal(['send asking']);
      await page.host.pass(1_000);
      expect(stageOf(page)).to.equal('settling');
    });

    it('no, but the order cannot be read: the question stays', async () => {
      const page = await unclear();
      page.world.read = lost;
      await page.session.answer(false);
      expect(page.walletRequests()).to.deep.equal(['send asking']);
      expect(fundingOf(page).unclear).to.equal(true);
      expect(fundingOf(page).error?.code).to.equal('timeout');
    });

    it('is answered once, and only if it was asked', async () => {
      const page = await unclear();
      const looks = page.world.count('look');
      await Promise.all([page.session.answer(false), page.session.answer(false), page.session.answer(true)]);
      // One read for the answer, and one with the read of the order that follows.
      expect(page.world.count('look')).to.equal(looks + 2);
      expect(page.walletRequests()).to.deep.equal(['send refused']);
      await page.session.answer(true);
      expect(page.walletRequests()).to.deep.equal(['send refused']);
    });
  });

  describe('a payment that never came, once its time is over:', () => {
    const overdue = async (deposit = BY_TRANSACTION): Promise<TestPage> => {
      const page = await ordered({world: createWorld(deposit)});
      await page.host.pass(59 * MINUTE);
      expect(fundingOf(page)).to.include({unclear: false, sent: true});
      await page.host.pass(2 * MINUTE);
      return page;
    };

    for (const [what, deposit, asked] of [
      ['that was canceled in the wallet', BY_TRANSACTION, ['send abandoned']],
      ['whose signature the service never used', DEPOSIT, ['sign signed', 'initiate abandoned']],
    ] as const) {
      it(`the question is asked again for one ${what}`, async () => {
        const page = await overdue(deposit);
        expect(fundingOf(page)).to.include({unclear: true, seen: 'none'});
        expect(stageOf(page)).to.equal('funding');
        expect(storyIn(page.session)?.isPayersTurn).to.equal(true);

        await page.session.answer(false);
        expect(page.walletRequests()).to.deep.equal(asked);
        expect(stageOf(page)).to.equal('expired');
        expect(fundingOf(page).unclear).to.equal(false);
        expect((await page.reload()).session.$stage.get()).to.equal('expired');
      });
    }

    it('a no does not count as the chain’s answer if the chain can no longer be read', async () => {
      const page = await overdue();
      page.world.depositState = () => Promise.resolve('unknown');
      await page.session.answer(false);
      expect(page.walletRequests()).to.deep.equal(['send sent']);
      expect(stageOf(page)).to.equal('funding');
    });

    it('a person who keeps waiting is not asked again, and the order is followed', async () => {
      const page = await overdue();
      await page.session.answer(true);
      await page.host.pass(5 * MINUTE);
      expect(fundingOf(page)).to.include({unclear: false, sent: true});
      expect(stageOf(page)).to.equal('funding');
    });

    it('it is not asked while the chain cannot be read', async () => {
      const world = byTransaction({depositState: () => Promise.resolve('unknown')});
      const page = await ordered({world});
      await page.host.pass(3 * 60 * MINUTE);
      expect(fundingOf(page)).to.include({unclear: false, seen: 'unknown'});
      expect(stageOf(page)).to.equal('funding');
    });
  });

  for (const fault of ['full', 'forbidden', 'deaf'] as const) {
    it(`storage that is ${fault} stops the swap before the wallet`, async () => {
      const storage = new TestStorage();
      const page = await openSession({browser: createTestBrowser(storage)});
      storage.fault = fault;
      await page.order();
      expect(moneyRequests(page), 'an order that could not be paid').to.deep.equal([]);
      expect(page.told()).to.include('error storage');
      expect(stageOf(page)).to.equal('reviewing');
    });

    it(`storage that becomes ${fault} right before the prompt stops it too`, async () => {
      const storage = new TestStorage();
      const world = byTransaction();
      const page = await openSession({browser: createTestBrowser(storage), world});
      world.check = () => {
        storage.fault = fault;
        return Promise.resolve([]);
      };
      await page.order();
      expect(moneyRequests(page)).to.deep.equal(['POST']);
      expect(fundingOf(page).error?.code).to.equal('storage');
    });
  }

  describe('a full storage', () => {
    /** A storage that holds this many texts and no more. */
    class SmallStorage extends TestStorage {
      capacity = Infinity;

      override setItem(key: string, text: string) {
        if (this.getItem(key) === null && this.length >= this.capacity) {
          throw new DOMException('It is full.', 'QuotaExceededError');
        }
        super.setItem(key, text);
      }
    }

    /** A page whose storage holds these orders, and no more. `told`: complete, only by the service’s word. */
    const filled = async (stages: readonly ('complete' | 'told' | 'open')[], world = byTransaction()) => {
      const storage = new SmallStorage();
      const page = await openSession({browser: createTestBrowser(storage), world});
      for (const stage of stages) {
        await page.order();
        const {orderId} = entriesIn(page.session)[0] ?? {orderId: ''};
        if (stage === 'complete') bearOut(page.world);
        else page.world.payout = () => Promise.resolve(undefined);
        page.world.orders.set(orderId, stage === 'open' ? anOrder({id: orderId}) : completeOrder(orderId));
        await page.host.pass(5_000);
        page.session.reset({keep: true});
      }
      storage.capacity = storage.length;
      return page;
    };
    const known = ({session}: TestPage) => entriesIn(session).map(({orderId}) => Number(orderId.slice(-2)));

    it('removes the oldest finished order to make room for a new one, and says so', async () => {
      const page = await filled(['complete', 'complete', 'open']);
      await page.order();
      expect(page.walletRequests('4'.padStart(64, '0'))).to.deep.equal(['send sent']);
      expect(known(page)).to.deep.equal([4, 3, 2]);
      expect(page.session.$journal.get().removed).to.equal(1);
    });

    it('keeps an order that only the service calls complete: its contract may still hold the money', async () => {
      const page = await filled(['told', 'complete', 'open']);
      await page.order();
      expect(known(page).slice(0, 2)).to.deep.equal([4, 3]);
      expect(entriesIn(page.session).map(({orderId}) => orderId)).to.include(ORDER_ID);
    });

    it('may remove an order paid by address whose end the service reported: only the service can refund it', async () => {
      const world = createWorld(BY_TRANSFER);
      const {place} = world;
      world.place = async agreed => {
        const placed = await place(agreed);
        return {...placed, deposit: {...BY_TRANSFER, address: `tb1p${placed.orderId}`}};
      };
      const page = await filled(['told', 'open'], world);
      await page.order();
      expect(known(page)).to.deep.equal([3, 2]);
    });

    it('is not one that drops writes without an error: no finished order is removed for it', async () => {
      const page = await filled(['complete', 'open']);
      Object.assign(page.host.storage as SmallStorage, {capacity: Infinity, fault: 'deaf'});
      const before = moneyRequests(page);
      await page.order();
      expect(moneyRequests(page)).to.deep.equal(before);
      expect(page.told()).to.include('error storage');
      expect(known(page)).to.have.length(2);
      expect(page.session.$journal.get().removed).to.equal(0);
    });

    it('keeps every running order, and places none that could not be stored', async () => {
      const page = await filled(['open', 'open']);
      const before = moneyRequests(page);
      await page.order();
      expect(moneyRequests(page)).to.deep.equal(before);
      expect(page.told()).to.include('error storage');
      expect(entriesIn(page.session)).to.have.length(2);
    });
  });

  it('a payment is only requested with a stored record, even if another tab cleared the storage in between', async () => {
    const world = byTransaction({approvals: ['approve']});
    const approving = later();
    world.wallet = kind => (kind === 'approve' ? approving.promise : Promise.resolve());
    const written: (readonly string[])[] = [];
    const page = await ordered({world});
    expect(page.walletRequests()).to.deep.equal(['approve asking']);
    page.host.storage?.clear();
    page.host.tellStorage(null);
    world.wallet = () => {
      written.push(page.walletRequests());
      return Promise.resolve();
    };
    await settle(approving.keep());
    expect(written).to.deep.equal([['approve sent', 'send asking']]);
    expect(entriesIn((await page.reload()).session)).to.have.length(1);
  });

  it('if the browser stores nothing, nothing is paid', async () => {
    const page = await ordered({browser: {...createTestBrowser(), storage: undefined}});
    expect(moneyRequests(page)).to.deep.equal([]);
    expect(page.told()).to.include('error storage');
  });

  it('two clicks that pay prompt once', async () => {
    const page = await ordered({world: byTransaction({wallet: rejected})});
    const answer = answeredLater(page.world, 'wallet');
    void page.session.pay();
    await settle(page.session.pay());
    expect(page.world.count('wallet send')).to.equal(2);
    answer.keep();
  });
});

describe('a reload continues where it was:', () => {
  /** The page after a reload, and whether its payment is unclear, at which stage. */
  const resumed = async (page: TestPage, requests: readonly string[], unclear: boolean) => {
    expect(page.walletRequests()).to.deep.equal(requests);
    const next = await page.reload();
    expect(fundingOf(next).unclear).to.equal(unclear);
    expect(stageOf(next)).to.equal(unclear ? 'funding' : 'awaiting-deposit');
    return next;
  };

  it('with the order placed and the wallet not prompted: it is only prompted on a click', async () => {
    const page = await ordered({
      world: byTransaction(),
      gates: {beforeSign: never},
    });
    expect(moneyRequests(page)).to.deep.equal(['POST']);
    const next = await page.reload({gates: {}});
    expect(stageOf(next)).to.equal('awaiting-deposit');
    expect(moneyRequests(next)).to.deep.equal(['POST']);
    await next.session.pay();
    expect(moneyRequests(next)).to.deep.equal(['POST', 'wallet send']);
    expect(next.walletRequests()).to.deep.equal(['send sent']);
  });

  it('while the wallet was prompted to send: the request is open, the wallet is not prompted again', async () => {
    const world = byTransaction({wallet: never});
    const page = await ordered({world});
    const next = await resumed(page, ['send asking'], true);
    await next.session.pay();
    expect(world.count('wallet send')).to.equal(1);
    world.wallet = () => Promise.resolve();
    await next.session.answer(false);
    await next.session.pay();
    expect(world.count('wallet send')).to.equal(2);
  });

  it('while the wallet was prompted to sign: the signature never left the page, so a click prompts again', async () => {
    const world = createWorld(DEPOSIT, {wallet: never});
    const page = await ordered({world});
    const next = await resumed(page, ['sign asking'], false);
    world.wallet = () => Promise.resolve();
    await next.session.pay();
    expect(next.walletRequests()).to.deep.equal(['sign asking', 'sign signed', 'initiate sent']);
    expect(world.count('PATCH')).to.equal(1);
  });

  it('while an approval was prompted: a click requests what is still needed', async () => {
    const world = byTransaction({approvals: ['approve'], wallet: never});
    const page = await ordered({world});
    const next = await resumed(page, ['approve asking'], false);
    world.approvals = [];
    world.wallet = () => Promise.resolve();
    await next.session.pay();
    expect(moneyRequests(next)).to.deep.equal(['POST', 'wallet approve', 'wallet send']);
    expect(next.walletRequests()).to.deep.equal(['approve asking', 'send sent']);
  });

  it('signed, and the signature not submitted: it never left, so a click prompts again', async () => {
    const storage = new TestStorage();
    const world = createWorld();
    const page = await openSession({browser: createTestBrowser(storage), world});
    // The page is closed between the two.
    storage.onWrite = (_key, text) => {
      if (text.includes('initiate')) throw new Error('The page is gone.');
    };
    await page.order();
    expect(world.count('PATCH')).to.equal(0);
    storage.onWrite = () => undefined;
    const next = await resumed(page, ['sign signed'], false);
    await next.session.pay();
    expect(next.walletRequests()).to.deep.equal(['sign signed', 'sign signed', 'initiate sent']);
  });

  it('while the signature was being submitted: it may be paid, and is followed', async () => {
    const world = createWorld(DEPOSIT, {initiate: never});
    const page = await ordered({world});
    const next = await resumed(page, ['sign signed', 'initiate asking'], true);
    await next.session.pay();
    expect(moneyRequests(next)).to.deep.equal(['POST', 'wallet sign', 'PATCH']);
    world.orders.set(ORDER_ID, completeOrder());
    await next.host.pass(10_000);
    expect(stageOf(next)).to.equal('complete');
  });

  it('sent: it is followed, its transaction shown, and the person is not asked', async () => {
    const page = await ordered({world: byTransaction()});
    const next = await page.reload();
    expect(stageOf(next)).to.equal('funding');
    expect(fundingOf(next).funding).to.deep.equal({how: 'transaction', hash: `0x${'ab'.repeat(32)}`});
    await next.session.pay();
    expect(next.world.count('wallet send')).to.equal(1);
    next.world.orders.set(ORDER_ID, paidOrder());
    await next.host.pass(5_000);
    expect(stageOf(next)).to.equal('settling');
  });
});

describe('a write is never repeated by itself, and never assumed lost:', () => {
  it('a signature that was made while the browser is offline stays in the page', async () => {
    const page = await openSession();
    const {world, host} = page;
    world.wallet = () => Promise.resolve(host.online$.set(false));
    await page.order();
    expect(page.walletRequests()).to.deep.equal(['sign signed']);
    expect([fundingOf(page).error?.code, fundingOf(page).unclear]).to.deep.equal(['offline', false]);
    world.wallet = () => Promise.resolve();
    host.online$.set(true);
    expect(fundingOf(page).error).to.equal(undefined);
    await page.session.pay();
    expect(page.walletRequests()).to.deep.equal(['sign signed', 'sign signed', 'initiate sent']);
  });

  it('an order that could not be placed while the browser was offline is no fault once it is back', async () => {
    for (const [code, state] of [
      ['offline', 'idle'],
      ['timeout', 'failed'],
    ] as const) {
      const page = await reviewed();
      page.world.place = () => Promise.reject(new SwapError(code));
      await settle(page.session.placeOrder());
      await settle(page.host.online$.set(false));
      expect(page.session.$order.get().state).to.equal('failed');
      await settle(page.host.online$.set(true));
      expect(page.session.$order.get().state, code).to.equal(state);
    }
  });

  it('a signature that may have been taken never expires', async () => {
    const page = await ordered({world: createWorld(DEPOSIT, {initiate: lost})});
    await page.host.pass(90 * MINUTE);
    expect(stageOf(page)).to.equal('funding');
  });

  it('a refused signature is followed by a read, and then the transaction is offered with the reason', async () => {
    const world = createWorld();
    world.initiate = () => Promise.resolve({accepted: false, reason: 'not supported for initiations'});
    const page = await ordered({world});
    expect(page.walletRequests()).to.deep.equal(['sign signed', 'initiate refused']);
    expect(world.log.slice(world.log.indexOf('PATCH'))).to.include('GET order');
    expect(fundingOf(page)).to.deep.include({
      refusedBecause: 'not supported for initiations',
      way: 'transaction',
      other: undefined,
      unclear: false,
      funding: undefined,
    });
    await page.session.pay();
    expect(moneyRequests(page)).to.deep.equal(['POST', 'wallet sign', 'PATCH', 'wallet send']);
    expect(fundingOf(page).refusedBecause).to.equal(undefined);
  });

  it('after a refused signature, what the wallet will be asked is read again', async () => {
    const world = createWorld();
    const ways = foretelling(world, ['approve', 'send']);
    world.initiate = () => Promise.resolve({accepted: false, reason: 'insufficient allowance'});
    const page = await ordered({world});
    await settle();
    expect(fundingOf(page)).to.deep.include({plan: [], foreseen: {moves: false, plan: ['approve', 'send']}});
    expect(ways.at(-1)).to.equal('transaction');
    expect(moneyRequests(page)).to.deep.equal(['POST', 'wallet sign', 'PATCH']);
  });

  it('a signature whose allowance another swap used is not given away, and the next click asks for both', async () => {
    const world = createWorld();
    foretelling(world, ['approve', 'sign']);
    const fund = world.adapter.fund.bind(world.adapter);
    world.adapter.fund = async (...given) => {
      await fund(...given);
      throw new SwapError('approval-failed', {field: 'used'});
    };
    const page = await ordered({world});
    await settle();
    expect(page.walletRequests()).to.deep.equal(['sign signed']);
    expect(fundingOf(page)).to.deep.include({
      plan: [],
      earlier: 1,
      foreseen: {moves: false, plan: ['approve', 'sign']},
      way: 'signature',
      unclear: false,
    });
    expect(fundingOf(page).error).to.include({code: 'approval-failed', field: 'used'});
    expect(moneyRequests(page)).to.deep.equal(['POST', 'wallet sign']);

    world.adapter.fund = fund;
    world.approvals = ['approve'];
    await page.session.pay();
    expect(moneyRequests(page)).to.deep.equal(['POST', 'wallet sign', 'wallet approve', 'wallet sign', 'PATCH']);
    expect(fundingOf(page)).to.deep.include({plan: ['approve', 'sign'], earlier: 1, error: undefined});
  });

  it('if no signature can be obtained, the transaction is used, and remains the method', async () => {
    const world = createWorld(DEPOSIT, {unsigned: 'version 9'});
    const page = await openSession({world});
    world.wallet = () => Promise.reject(new SwapError('rejected'));
    await page.order();
    expect(fundingOf(page)).to.deep.include({way: 'transaction', other: undefined, unsigned: 'version 9'});
    expect(page.walletRequests()).to.deep.equal(['send refused']);
    world.wallet = () => Promise.resolve();
    await page.session.pay();
    expect(page.walletRequests()).to.deep.equal(['send refused', 'send sent']);
    expect(moneyRequests(page)).to.deep.equal(['POST', 'wallet send', 'wallet send']);
  });

  it('a rejected signature that was accepted after all does not lead to a second payment', async () => {
    const world = createWorld();
    world.initiate = () => {
      world.orders.set(ORDER_ID, paidOrder());
      return Promise.resolve({accepted: false, reason: 'Order already initiated'});
    };
    const page = await ordered({world});
    expect(stageOf(page)).to.equal('settling');
    expect(fundingOf(page).refusedBecause).to.equal(undefined);
    await page.session.pay();
    expect(moneyRequests(page)).to.deep.equal(['POST', 'wallet sign', 'PATCH']);
  });

  it('a refused signature after which the order cannot be read stays unclear', async () => {
    const world = createWorld();
    const page = await openSession({world});
    world.initiate = () => {
      world.read = lost;
      return Promise.resolve({accepted: false, reason: 'no'});
    };
    await page.order();
    expect(page.walletRequests()).to.deep.equal(['sign signed', 'initiate asking']);
    expect(fundingOf(page).unclear).to.equal(true);
    expect(fundingOf(page).refusedBecause).to.equal(undefined);
  });

  it('a payment that was canceled in the wallet is said to be, and paying is offered again', async () => {
    const world = byTransaction();
    const lifetimes: (string | undefined)[] = [];
    world.depositState = () => Promise.resolve('seen');
    world.onChain = {lifetime: '7'};
    const {readDeposit} = world.adapter;
    world.adapter.readDeposit = (deal, options) => {
      lifetimes.push(options.lifetime);
      return readDeposit(deal, options);
    };
    const page = await ordered({world});
    await page.host.pass(10_000);
    expect(stageOf(page)).to.equal('funding');
    expect(entriesIn(page.session)[0]?.walletRequests.at(-1)).to.include({kind: 'send', state: 'sent', lifetime: '7'});
    expect(lifetimes.at(-1), 'what the chain is asked with').to.equal('7');

    page.world.onChain = {};
    page.world.depositState = () => Promise.resolve('canceled');
    await page.host.pass(60_000);
    expect(page.walletRequests()).to.deep.equal(['send refused']);
    const {code, field} = fundingOf(page).error!;
    expect([code, field]).to.deep.equal(['rejected', 'canceled']);
    expect(page.told().filter(kind => kind === 'error rejected')).to.have.length(1);
    expect(stageOf(page)).to.equal('awaiting-deposit');
    await page.session.pay();
    expect(page.walletRequests()).to.deep.equal(['send refused', 'send sent']);
  });

  it('overlapping reads report a reverted payment once, though the service’s claim changes meanwhile', async () => {
    const page = await openSession({world: byTransaction()});
    const looks = answersTo(page.world, 'depositState');
    await page.order();
    const told = [anOrder(), anOrder({source: aLeg({initiated: {hashes: ['0xaa']}})})];
    page.world.read = () => Promise.resolve(told.shift() ?? anOrder());
    await page.host.pass(10_000);
    expect(looks.length).to.be.above(1);
    for (const {keep} of looks) keep('reverted');
    await settle();
    expect(page.told().filter(kind => kind === 'error funding-reverted')).to.have.length(1);
  });
});

describe('removal stops reads, not answers:', () => {
  it('a wallet’s late response is stored, and a signature is still submitted', async () => {
    const world = createWorld();
    const answer = answeredLater(world, 'wallet');
    const page = await ordered({world});
    page.remove();
    await settle(answer.keep());
    expect(page.walletRequests()).to.deep.equal(['sign signed', 'initiate sent']);
  });

  /** A widget that is removed while the page is deciding on the payment, which it then allows. */
  async function removedBeforeTheWallet() {
    const gate = later();
    const page = await ordered({world: byTransaction(), gates: {beforeSign: () => gate.promise}});
    page.remove();
    await settle(gate.keep());
    return page;
  }

  it('a wallet is not prompted once the widget was removed', async () => {
    const page = await removedBeforeTheWallet();
    expect(moneyRequests(page)).to.deep.equal(['POST']);
    expect(page.walletRequests()).to.deep.equal([]);
  });

  it('a request not made is made on a click once the widget is back, and is not reported as blocked', async () => {
    const page = await removedBeforeTheWallet();
    await settle(page.session.start());
    expect(fundingIn(page.session).error).to.equal(undefined);
    expect(page.told()).not.to.include('error held');
    await page.session.pay();
    expect(page.walletRequests()).to.deep.equal(['send sent']);
  });

  it('nothing more is read', async () => {
    const world = byTransaction();
    const page = await ordered({world});
    const signals: AbortSignal[] = [];
    world.read = (_orderId, signal) => {
      if (signal) signals.push(signal);
      return never();
    };
    await page.host.pass(5_000);
    page.remove();
    expect(signals.at(-1)?.aborted).to.equal(true);
    const before = world.log.length;
    await page.host.pass(10 * MINUTE);
    expect(world.log.length).to.equal(before);
  });
});

describe('what you see is what you sign:', () => {
  const bad = () => Promise.resolve([{name: 'contract', outcome: 'failed'} as const]);

  it('one failed check stops the swap, and the wallet is never prompted', async () => {
    const world = byTransaction({check: bad});
    const page = await ordered({world});
    expect(stageOf(page)).to.equal('stopped');
    expect(moneyRequests(page)).to.deep.equal(['POST']);
    expect(page.events.findLast(({type}) => type === 'error')).to.deep.include({orderId: ORDER_ID});
    expect(page.told()).to.include('error deposit-mismatch');
    await page.session.pay();
    world.check = () => Promise.resolve([]);
    await page.session.pay();
    const next = await page.reload();
    expect(stageOf(next)).to.equal('stopped');
    await next.session.pay();
    expect(moneyRequests(next)).to.deep.equal(['POST']);
  });

  for (const when of ['after', 'during'])
    it(`an order of the last visit is checked against all settings of the page, also those set ${when} a check`, async () => {
      const world = byTransaction();
      const contracts = [`0x${'1'.repeat(40)}`];
      const described = catalogue.assets.map(({id}) => (id === WBTC.id ? {id, contracts} : id));
      const last = createCatalogue({families: ['evm'], assets: described});
      const page = await ordered({world, gates: {beforeSign: never}, config: {catalogue: last}});

      // The page is reloaded, and sets its own contracts after the element is created.
      const checking = later();
      if (when === 'after') checking.keep();
      world.check = async ({agreed: {from}}) => {
        await checking.promise;
        return [{name: 'contract', outcome: from.contracts.includes(contracts[0]!) ? 'passed' : 'failed'}];
      };
      const next = await page.reload({gates: {}, config: {catalogue}});
      if (when === 'after') expect(stageOf(next)).to.equal('stopped');
      next.session.configure({...next.config, catalogue: last});
      await settle(checking.keep());
      expect(stageOf(next)).to.equal('awaiting-deposit');
      expect(shownIn(next.session)?.report?.outcome).to.equal('passed');
      await next.session.pay();
      expect(moneyRequests(next)).to.deep.equal(['POST', 'wallet send']);
    });

  it('a check that fails right before the prompt stops it too', async () => {
    const world = byTransaction();
    const page = await openSession({world});
    let checks = 0;
    world.check = () => (++checks > 1 ? bad() : Promise.resolve([]));
    await page.order();
    expect(moneyRequests(page)).to.deep.equal(['POST']);
    expect(stageOf(page)).to.equal('stopped');
  });

  it('a check that could not be made is shown and stops nothing', async () => {
    const world = byTransaction({check: () => Promise.resolve([{name: 'contract', outcome: 'unchecked'}])});
    const page = await ordered({world});
    expect(shownIn(page.session)?.report?.results[0]?.outcome).to.equal('unchecked');
    expect(page.walletRequests()).to.deep.equal(['send sent']);
  });

  it('the same checks are shown during the prompt as before it', async () => {
    const world = byTransaction();
    const seen: (readonly string[])[] = [];
    const note = ({session}: TestPage) => seen.push(shownIn(session)?.report?.results.map(({name}) => name) ?? []);
    const page = await openSession({world});
    world.wallet = () => {
      note(page);
      return Promise.resolve();
    };
    await page.order();
    note(page);
    expect(seen).to.deep.equal([
      ['amount', 'fresh'],
      ['amount', 'fresh'],
    ]);
  });

  it('the values of both sides at the agreed price are stored', async () => {
    const page = await ordered({world: byTransaction()});
    const [entry] = entriesIn(page.session);
    // Each side of the quote is worth 58.82.
    expect(entry?.worth).to.deep.equal({paid: 5_882n, received: 5_882n});
  });

  it('the order is read and checked before each wallet request, also after a reload', async () => {
    const world = byTransaction();
    const page = await ordered({world, gates: {beforeSign: never}});
    const next = await page.reload({gates: {}});
    const before = world.log.length;
    await next.session.pay();
    const [read, check, wallet] = ['GET order', 'check', 'wallet send'].map(what => world.log.indexOf(what, before));
    expect(read).to.be.at.least(before);
    expect(check).to.be.above(read ?? 0);
    expect(wallet).to.be.above(check ?? 0);
  });

  it('what is checked is frozen, and the exact object that the wallet gets', async () => {
    const world = byTransaction();
    const seen: unknown[] = [];
    const isFrozen = (value: unknown): boolean =>
      typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen));
    world.wallet = (_kind, deal) => {
      seen.push(deal);
      expect(isFrozen(deal)).to.equal(true);
      return Promise.resolve();
    };
    await ordered({world});
    expect(seen).to.have.length(1);
  });

  it('the page may block a payment: the wallet is not prompted', async () => {
    const page = await unpaid();
    expect(moneyRequests(page)).to.deep.equal(['POST']);
    expect(page.walletRequests()).to.deep.equal([]);
    expect(fundingOf(page).error?.code).to.equal('held');
    expect(stageOf(page)).to.equal('awaiting-deposit');
  });

  it('the page decides about approvals, too, if it asks for that, and what it blocked can be paid later', async () => {
    for (const holdApprovals of [undefined, true]) {
      const world = byTransaction({approvals: ['approve']});
      const steps: string[] = [];
      const beforeSign = (...[, , , step]: unknown[]) => {
        const isHeld = steps.push(`${String(step)} after ${String(moneyRequests({world}).length)}`) === 1;
        return isHeld ? Promise.reject(new SwapError('held')) : Promise.resolve();
      };
      const page = await ordered({world, gates: {beforeSign}, config: {holdApprovals}});
      expect([fundingOf(page).error?.code, stageOf(page)]).to.deep.equal(['held', 'awaiting-deposit']);
      await settle(page.session.pay());
      const held = holdApprovals ? ['approve after 1', 'approve after 1'] : ['pay after 2'];
      expect(steps.join()).to.equal([...held, holdApprovals ? 'pay after 2' : 'pay after 3'].join());
    }
  });

  it('no wallet is asked for an order that the person left while the page decided', async () => {
    const world = byTransaction({approvals: ['approve']});
    const deciding = later<undefined>();
    const page = await ordered({world, gates: {beforeSign: () => deciding.promise}, config: {holdApprovals: true}});
    page.session.reset();
    await settle(deciding.keep(undefined));
    expect(moneyRequests(page)).to.deep.equal(['POST']);
    await settle(page.session.openOrder(ORDER_ID));
    expect(fundingOf(page)).to.include({busy: false, error: undefined});
    await settle(page.session.pay());
    expect(moneyRequests(page).at(-1)).to.equal('wallet send');
  });

  it('the page may block an order: none is placed', async () => {
    const page = await ordered({gates: {beforeOrder: () => Promise.reject(new SwapError('held'))}});
    expect(moneyRequests(page)).to.deep.equal([]);
    expect(stageOf(page)).to.equal('reviewing');
    expect(page.told()).to.include('error held');
  });

  it('without the account no wallet is prompted', async () => {
    const page = await unpaid();
    page.session.disconnect('evm');
    await page.session.pay();
    expect(fundingOf(page).error?.code).to.equal('wallet-missing');
    expect(moneyRequests(page)).to.deep.equal(['POST']);
  });

  it('an order is checked against itself, however quickly another one is opened', async () => {
    const other = 'b'.repeat(64);
    const page = await unpaid();
    const {world} = page;
    world.orders.set(other, anOrder({id: other}));
    const next = await page.reload({bare: true});
    await settle(next.session.reset());
    world.check = deal =>
      Promise.resolve([{name: 'order', outcome: deal.order && deal.order.id !== deal.orderId ? 'failed' : 'passed'}]);
    next.session.openOrder(ORDER_ID);
    await settle(next.session.openOrder(other));
    next.session.openOrder(ORDER_ID);
    void next.session.pay();
    await settle(next.session.openOrder(other));
    const status = statusIn(next.session);
    expect(status.state === 'ready' && status.value.id).to.equal(other);
    await settle(next.session.openOrder(ORDER_ID));
    expect(stageOf(next)).to.equal('awaiting-deposit');
    expect(entriesIn(next.session)[0]?.stage).not.to.equal('stopped');
  });
});

describe('a stranger’s order is view-only:', () => {
  it('it has no deal, and cannot be paid, refunded, or given an answer', async () => {
    const stranger = 'c'.repeat(64);
    const page = await openSession();
    page.world.orders.set(stranger, anOrder({id: stranger}));
    await settle(page.session.openOrder(stranger));
    const placed = page.session.$order.get();
    expect(placed).to.deep.include({state: 'ready'});
    expect(placed.state === 'ready' && placed.value.deal).to.equal(undefined);
    expect(stageOf(page)).to.equal('awaiting-deposit');
    await page.session.pay();
    await page.session.answer(true);
    await page.session.answer(false);
    await page.session.refund();
    expect(moneyRequests(page)).to.deep.equal([]);
    expect(entriesIn(page.session)).to.deep.equal([]);
  });
});

describe('late is late:', () => {
  it('after the deposit window an unpaid order is expired, and the person is not asked to pay it', async () => {
    const page = await unpaid();
    expect(stageOf(page)).to.equal('awaiting-deposit');
    await page.host.pass(59 * MINUTE);
    expect(stageOf(page)).to.equal('awaiting-deposit');
    await page.host.pass(MINUTE + 1_000);
    expect(stageOf(page)).to.equal('expired');
    await page.session.pay();
    expect(fundingOf(page).error?.code).to.equal('expired');
    expect(moneyRequests(page)).to.deep.equal(['POST']);
  });

  it('the end of the time to pay is already too late', async () => {
    const page = await unpaid();
    const {payUntil} = shownIn(page.session)!;
    await page.host.pass(payUntil - page.host.now());
    expect(page.host.now()).to.equal(payUntil);
    await page.session.pay();
    expect(fundingOf(page).error?.code).to.equal('expired');
  });

  it('the wallet is not prompted to pay once the time is over, however long an approval took', async () => {
    const world = byTransaction({approvals: ['approve'], wallet: rejected});
    const page = await ordered({world});
    await page.host.pass(52 * MINUTE);
    const approving = later();
    world.wallet = () => approving.promise;
    await settle(page.session.pay());
    await page.host.pass(12 * MINUTE);
    await settle(approving.keep());
    expect(page.walletRequests()).to.deep.equal(['approve refused', 'approve sent']);
    expect(fundingOf(page).error?.code).to.equal('expired');
  });

  it('nor however long the page took to decide', async () => {
    const world = byTransaction({wallet: rejected});
    const holding = later();
    let isHolding = false;
    const page = await ordered({
      world,
      gates: {beforeSign: () => (isHolding ? holding.promise : Promise.resolve())},
    });
    await page.host.pass(59 * MINUTE);
    isHolding = true;
    await settle(page.session.pay());
    await page.host.pass(90_000);
    await settle(holding.keep());
    expect(page.walletRequests()).to.deep.equal(['send refused']);
    expect(fundingOf(page).error?.code).to.equal('expired');
  });

  it('an order shows until when it may be paid, according to the setting', async () => {
    const page = await ordered({world: byTransaction(), config: {depositWindow: 10 * MINUTE}});
    expect(timeToPay(page)).to.equal(10 * MINUTE);
  });

  it('an expired order is still read, slowly, and a late payment moves it on', async () => {
    const page = await unpaid();
    await page.host.pass(61 * MINUTE);
    const reads = page.world.count('GET order');
    await page.host.pass(10 * MINUTE);
    const more = page.world.count('GET order') - reads;
    expect(more).to.be.within(9, 11);
    const {source, ...order} = paidOrder();
    const late = {hashes: [HASH], block: 9n, at: NOON + 65 * MINUTE} as const;
    page.world.orders.set(ORDER_ID, {...order, source: {...source, initiated: late}});
    page.world.onChain = {amount: 50_000n, block: 9n};
    await page.host.pass(MINUTE);
    expect(stageOf(page)).to.equal('refunding');
  });

  it('a refund clicked twice prompts once, and can be requested again after a rejection', async () => {
    const page = await ordered({world: byTransaction()});
    page.world.orders.set(ORDER_ID, paidOrder());
    await page.host.pass(61 * MINUTE);
    page.world.wallet = rejected;
    await Promise.all([page.session.refund(), page.session.refund()]);
    expect(page.world.count('wallet refund')).to.equal(1);
    expect(shownIn(page.session)?.refund).to.have.property('state', 'failed');
    page.world.wallet = () => Promise.resolve();
    await page.session.refund();
    expect(shownIn(page.session)?.refund).to.have.property('state', 'ready');
    page.session.disconnect('evm');
    await page.session.refund();
    expect(shownIn(page.session)?.refund).to.have.nested.property('error.code', 'wallet-missing');
  });

  it('a refund is tried once if the chain cannot be read, though the service says that the money is back', async () => {
    const world = byTransaction({depositState: () => Promise.resolve('unknown')});
    const page = await ordered({world});
    const {source, ...order} = paidOrder();
    world.orders.set(ORDER_ID, {...order, source: {...source, refunded: {hashes: ['0xee'], block: 9n}}});
    await page.host.pass(61 * MINUTE);
    await page.session.refund();
    await page.session.refund();
    expect(world.count('wallet refund')).to.equal(1);
  });

  it('a refund is not requested if the chain allows none and the service says that the money arrived', async () => {
    const world = byTransaction({onChain: {isHeld: false, isRefundOpen: false}});
    const page = await ordered({world});
    world.orders.set(ORDER_ID, completeOrder());
    await page.host.pass(61 * MINUTE);
    await page.session.refund();
    expect(world.count('wallet refund')).to.equal(0);
  });

  it('a refund belongs to its own order, whatever the person is viewing by then', async () => {
    const page = await ordered({world: byTransaction()});
    page.world.orders.set(ORDER_ID, paidOrder());
    await page.host.pass(61 * MINUTE);
    const answer = answeredLater(page.world, 'wallet');
    await settle(page.session.refund());
    const stranger = 'c'.repeat(64);
    page.world.orders.set(stranger, anOrder({id: stranger}));
    await settle(page.session.openOrder(stranger));
    await settle(answer.keep());
    expect(shownIn(page.session)?.refund).to.deep.equal({state: 'idle'});
    expect(page.walletRequests()).to.deep.equal(['send sent', 'refund sent']);
  });
});

describe('the price agreed is a floor:', () => {
  const priced = async (shown: bigint, ordered: bigint, config = {}) => {
    const world = byTransaction();
    const page = await openSession({world, config});
    world.quote = request => Promise.resolve([aQuote(shown, 'solver-1', request)]);
    await page.review();
    world.quote = request => Promise.resolve([aQuote(ordered, 'solver-1', request)]);
    await settle(page.session.placeOrder());
    return page;
  };

  it('a price drop within the tolerance is ordered without asking again, at the new price', async () => {
    const page = await priced(49_850n, 49_601n);
    expect(moneyRequests(page)).to.deep.equal(['POST', 'wallet send']);
    expect(page.session.$form.get().moved).to.equal(undefined);
    expect(shownIn(page.session)?.deal?.agreed).to.include({receive: 49_601n, atLeast: 49_601n});
  });

  it('a larger drop asks, with both amounts, and a click orders what was shown', async () => {
    const page = await priced(49_850n, 49_600n);
    expect(moneyRequests(page)).to.deep.equal([]);
    expect(page.session.$form.get().moved).to.include({before: 49_850n, now: 49_600n});
    expect(stageOf(page)).to.equal('reviewing');
    expect(page.session.$form.get().agreement).to.include({receive: 49_600n});
    await page.session.placeOrder();
    expect(moneyRequests(page)).to.deep.equal(['POST', 'wallet send']);
    expect(page.session.$form.get().moved).to.equal(undefined);
  });

  it('is never below the page’s required amount, and below that nothing is ordered, however often one clicks', async () => {
    const asked = {atLeast: 49_800n};
    const change = {asked, prefill: {receive: '0.000498'}, locked: ['receive', 'amount']} as const;
    const page = await priced(49_850n, 49_799n, change);
    await page.session.placeOrder();
    expect(moneyRequests(page)).to.deep.equal([]);
    page.session.back();
    expect(page.session.$form.get().problem?.code).to.equal('finding-amount');
    expect(page.session.$form.get().agreement).to.equal(undefined);
    const next = await priced(49_850n, 49_800n, change);
    expect(shownIn(next.session)?.deal?.agreed).to.include({receive: 49_800n, atLeast: 49_800n});
  });

  it('stays as shown while the price refreshes, and a drop below it asks at once', async () => {
    const world = byTransaction();
    const page = await reviewed({world});
    const floor = () => page.session.$form.get().agreement?.atLeast;
    world.quote = request => Promise.resolve([aQuote(55_000n, 'solver-1', request)]);
    await page.host.pass(30_000);
    expect(page.session.$form.get().agreement).to.include({receive: 55_000n, atLeast: 49_601n});
    world.quote = request => Promise.resolve([aQuote(49_601n, 'solver-1', request)]);
    await page.host.pass(30_000);
    expect([floor(), page.session.$form.get().moved]).to.deep.equal([49_601n, undefined]);
    world.quote = request => Promise.resolve([aQuote(30_000n, 'solver-1', request)]);
    await page.host.pass(30_000);
    expect(page.session.$form.get().moved).to.include({before: 49_850n, now: 30_000n});
    expect(floor()).to.equal(49_601n);
    // It may recover by itself.
    world.quote = request => Promise.resolve([aQuote(49_700n, 'solver-1', request)]);
    await page.host.pass(30_000);
    expect(page.session.$form.get().moved).to.equal(undefined);
    await settle(page.session.placeOrder());
    expect(shownIn(page.session)?.deal?.agreed).to.include({receive: 49_700n, atLeast: 49_601n});
  });

  it('changes only after both amounts are confirmed', async () => {
    const world = byTransaction();
    const page = await reviewed({world});
    world.quote = request => Promise.resolve([aQuote(30_000n, 'solver-1', request)]);
    await page.host.pass(30_000);
    world.quote = request => Promise.resolve([aQuote(29_849n, 'solver-1', request)]);
    await settle(page.session.placeOrder());
    expect(moneyRequests(page), 'below the second floor').to.deep.equal([]);
    expect(page.session.$form.get().moved).to.include({before: 30_000n, now: 29_849n});
    await settle(page.session.placeOrder());
    expect(shownIn(page.session)?.deal?.agreed).to.include({receive: 29_849n, atLeast: 29_700n});
  });

  it('belongs to its own request: a change by the page during the click leads back to the form', async () => {
    const world = byTransaction();
    const page = await reviewed({world});
    const answer = later<readonly Quote[]>();
    world.quote = () => answer.promise;
    await settle(page.session.placeOrder());
    page.session.edit({amount: '0.005'});
    expect(page.session.$view.get()).to.equal('form');
    world.quote = request => Promise.resolve([aQuote(498_500n, 'solver-1', request)]);
    await settle(answer.keep([aQuote(40_000n)]));
    expect(page.session.$form.get().agreement).to.equal(undefined);
    await page.host.pass(1_000);
    expect(page.session.$form.get().agreement).to.include({amount: 500_000n, receive: 498_500n, atLeast: 496_008n});
    expect([page.session.$form.get().moved, moneyRequests(page)]).to.deep.equal([undefined, []]);
    await page.session.placeOrder();
    expect(moneyRequests(page), 'nobody has looked at it').to.deep.equal([]);
  });

  it('does not carry over to another fee that the page sets during the click', async () => {
    const world = byTransaction();
    const page = await reviewed({world});
    const answer = later<readonly Quote[]>();
    world.quote = () => answer.promise;
    await settle(page.session.placeOrder());
    world.quote = request => Promise.resolve([aQuote(49_700n, 'solver-1', request)]);
    const fee = {asset: USDC.id, address: `0x${'1'.repeat(40)}`, bps: 30} as const;
    page.session.configure({...page.config, affiliateFees: [fee]});
    answer.keep([aQuote(49_850n)]);
    await page.host.pass(1_000);
    expect(moneyRequests(page)).to.deep.equal([]);
    expect(page.session.$form.get().agreement).to.include({receive: 49_700n, atLeast: 49_601n});
    expect(page.session.$form.get().agreement?.affiliateFees).to.deep.equal([fee]);
  });

  it('stays with an order being sent to the service, even if the page changes the draft', async () => {
    const world = byTransaction();
    const page = await reviewed({world});
    const answer = later();
    const {place} = world;
    world.place = agreed => answer.promise.then(() => place(agreed));
    await settle(page.session.placeOrder());
    page.session.edit({amount: '0.005'});
    expect(page.session.$stage.get()).to.equal('ordering');
    await settle(answer.keep());
    expect(moneyRequests(page)).to.deep.equal(['POST', 'wallet send']);
    expect(shownIn(page.session)?.deal?.agreed).to.include({amount: 50_000n, atLeast: 49_601n});
  });

  it('a fresh price is fetched right before the order, with the partner’s fee', async () => {
    const world = byTransaction();
    const bps: number[] = [];
    const page = await reviewed({
      world,
      config: {affiliateFees: [{asset: 'base:usdc', address: `0x${'1'.repeat(40)}`, bps: 30}]},
    });
    world.quote = request => {
      bps.push(totalBps(request.affiliateFees));
      return Promise.resolve([aQuote(49_850n, 'solver-1', request)]);
    };
    await settle(page.session.placeOrder());
    expect(bps).to.deep.equal([30]);
    expect(world.log.slice(0, world.log.indexOf('POST')).at(-1)).to.equal('GET quote');
  });
});

describe('a prepared payment that has expired:', () => {
  it('is not requested again, however often the person clicks', async () => {
    const page = await ordered({world: shortLived({wallet: rejected})});
    await page.host.pass(6 * MINUTE);
    for (let press = 0; press < 2; press++) {
      await page.session.pay();
      expect(fundingOf(page).error?.code).to.equal('expired');
    }
    expect(moneyRequests(page)).to.deep.equal(['POST', 'wallet send']);
    expect(stageOf(page)).to.equal('awaiting-deposit');
  });

  it('sets the countdown, instead of the deposit window', async () => {
    const page = await ordered({world: shortLived({wallet: rejected})});
    expect(timeToPay(page)).to.equal(5 * MINUTE);
    const again = await page.reload();
    await settle(again.session.openOrder(ORDER_ID));
    expect(timeToPay(again)).to.equal(5 * MINUTE);
  });

  it('can be paid until it expires, and not after', async () => {
    for (const [late, last] of [
      [-1_000, 'send sent'],
      [1_000, 'send refused'],
    ] as const) {
      const world = shortLived({wallet: rejected});
      const page = await ordered({world});
      const {payUntil} = shownIn(page.session)!;
      await page.host.pass(payUntil + late - page.host.now());
      world.wallet = () => Promise.resolve();
      await page.session.pay();
      expect(page.walletRequests().at(-1)).to.equal(last);
    }
  });

  it('is given up after an unclear response only when it has expired, if the chain cannot be read', async () => {
    for (const [minutes, seen] of [
      [4, 'unknown'],
      [6, 'expired'],
    ] as const) {
      const page = await ordered({world: shortLived({wallet: lost, depositState: () => Promise.resolve('unknown')})});
      await page.host.pass(minutes * MINUTE);
      await page.session.answer(false);
      expect(fundingOf(page).seen).to.equal(seen);
      expect(page.walletRequests()).to.deep.equal(['send refused']);
    }
  });

  it('is followed as a payment if the order was paid after all', async () => {
    const world = shortLived({wallet: lost});
    const page = await ordered({world});
    world.orders.set(ORDER_ID, paidOrder());
    await page.host.pass(6 * MINUTE);
    await page.session.answer(false);
    expect(stageOf(page)).to.equal('settling');
    expect(page.walletRequests()).to.deep.equal(['send claimed']);
  });

  it('is not given up while the service reports the payment, if the chain cannot be read', async () => {
    const world = shortLived({depositState: () => Promise.resolve('unknown')});
    const page = await ordered({world});
    world.orders.set(ORDER_ID, paidOrder());
    await page.host.pass(20 * MINUTE);
    expect(stageOf(page)).to.equal('settling');
    expect(page.walletRequests()).to.deep.equal(['send sent']);
    expect(fundingOf(page).error).to.equal(undefined);
  });
});

describe('a payment sent before the computer slept', () => {
  const HOURS = 60 * MINUTE;

  /** Sent, and asleep before its chain responded. */
  async function asleep(answer: DepositState, world: World) {
    const page = await ordered({world});
    const state = later<DepositState>();
    world.depositState = () => state.promise;
    page.session.refresh();
    await page.host.pass(2_000);
    page.host.sleep(2 * HOURS);
    await settle(state.keep(answer));
    return page;
  }

  it('is not declared failed by an earlier response, when the node may have lagged', async () => {
    for (const answer of ['empty', 'expired'] as const) {
      const page = await asleep(answer, byTransaction());
      expect(page.walletRequests(), answer).to.deep.equal(['send sent']);
      expect(stageOf(page), answer).to.equal('funding');
      page.world.depositState = () => Promise.resolve(answer);
      await page.host.pass(MINUTE);
      expect(page.walletRequests(), `${answer}, read anew`).to.deep.equal(['send refused']);
    }
  });

  it('is not given up because nothing can be read at the moment', async () => {
    const world = shortLived();
    const page = await ordered({world});
    page.host.sleep(2 * HOURS);
    world.depositState = lost;
    world.read = lost;
    await page.host.pass(5 * MINUTE);
    expect(page.walletRequests(), 'offline').to.deep.equal(['send sent']);
    world.read = () => Promise.resolve(anOrder());
    await page.host.pass(2 * MINUTE);
    expect(page.walletRequests(), 'the service does not know of it, and no node answers').to.deep.equal([
      'send refused',
    ]);
    expect(fundingOf(page).error?.code).to.equal('expired');
  });
});

describe('a wallet on another chain', () => {
  it('is first asked to switch, as a separate step, and then prompted for the payment', async () => {
    const world = byTransaction();
    const moving = later();
    const paying = later();
    world.move = () => moving.promise;
    world.wallet = () => paying.promise;
    const page = await ordered({world});
    expect(fundingOf(page).move).to.equal('asking');
    expect(fundingOf(page).asking).to.equal(undefined);
    expect(page.walletRequests()).to.deep.equal([]);
    await settle(moving.keep());
    expect(fundingOf(page)).to.include({move: 'moved', asking: 'send'});
    await settle(paying.keep());
    expect(page.walletRequests()).to.deep.equal(['send sent']);
  });

  it('is not asked to switch if the widget was removed during the check', async () => {
    const world = byTransaction();
    const checking = later<readonly CheckResult[]>();
    let moves = 0;
    world.check = () => checking.promise;
    world.move = () => Promise.resolve(void moves++);
    const page = await ordered({world});
    page.remove();
    await settle(checking.keep([]));
    expect(moves).to.equal(0);
    expect(moneyRequests(page)).to.deep.equal(['POST']);
  });

  it('that does not switch can be asked again, and continues if its owner switched it manually', async () => {
    const world = byTransaction({move: rejected});
    const page = await ordered({world});
    expect(fundingOf(page)).to.include({move: 'wanted', busy: false});
    await page.session.pay();
    expect(fundingOf(page)).to.include({move: 'wanted', busy: false});
    expect(page.walletRequests()).to.deep.equal([]);
    world.move = undefined;
    await page.session.pay();
    expect(fundingOf(page)).to.include({move: 'moved', sent: true});
  });
});

describe('a wallet that alone can read its chain', () => {
  const openAlone = async (rpc: string | undefined) => {
    const world = byTransaction();
    const steps: string[] = [];
    world.check = () => {
      steps.push('check');
      return Promise.resolve([]);
    };
    world.adapter.wallets.moveTo = async (chain, _, {onMove}) => {
      onMove?.('asking');
      steps.push(`move to ${chain.name}`);
      await world.move?.();
      onMove?.('moved');
    };
    const chains = {base_sepolia: {...(rpc !== undefined && {rpc})}};
    const named = createCatalogue({families: ['evm'], hints: [WBTC.id], chains});
    return {page: await openSession({world, config: {catalogue: named}}), world, steps};
  };

  it('is there before anything is checked; elsewhere a check comes first', async () => {
    const {page, steps} = await openAlone(undefined);
    await page.order();
    expect(steps.slice(0, 2)).to.deep.equal([`move to ${WBTC.chain.name}`, 'check']);
    expect(fundingOf(page)).to.include({move: 'moved', sent: true});
    const other = await openAlone('https://node.example');
    await other.page.order();
    expect(other.steps[0]).to.equal('check');
    expect(other.steps).not.to.include(`move to ${WBTC.chain.name}`);
  });

  it('is not asked to switch while it has another account', async () => {
    const {page, steps} = await openAlone(undefined);
    page.world.wallet = () => Promise.reject(new SwapError('rejected'));
    await page.order();
    steps.length = 0;
    const {knownWallet} = page.world;
    const account = {family: 'evm', address: SOLVER, wallet: knownWallet, watch: () => undefined} as const;
    await page.session.connect({...knownWallet, connect: () => Promise.resolve(account)});
    await settle(page.session.pay());
    expect(steps).to.deep.equal([]);
    expect(fundingOf(page).error?.code).to.equal('wrong-account');
  });

  it('and does not switch leaves nothing checked, and can be asked again', async () => {
    const {page, world, steps} = await openAlone(undefined);
    world.move = rejected;
    await page.order();
    expect(steps).to.deep.equal([`move to ${WBTC.chain.name}`]);
    expect(fundingOf(page)).to.include({move: 'wanted', busy: false});
    expect([page.session.$stage.get(), page.walletRequests()]).to.deep.equal(['awaiting-deposit', []]);
    world.move = undefined;
    await page.session.pay();
    expect(fundingOf(page)).to.include({move: 'moved', sent: true});
  });

  it('and is elsewhere after a reload stops no order that could not be read, and accuses nobody', async () => {
    const unread = {name: 'code', outcome: 'failed', isRead: false} as const;
    for (const [found, stage] of [
      [[unread], 'awaiting-deposit'],
      [[unread, {name: 'token', outcome: 'failed', isRead: true}], 'stopped'],
      [[unread, {name: 'amount', outcome: 'failed'}], 'stopped'],
    ] as const) {
      const {page, world} = await openAlone(undefined);
      world.move = rejected;
      await page.order();
      world.check = () => Promise.resolve(world.move ? found : []);
      const again = await page.reload();
      expect(stageOf(again)).to.equal(stage);
      if (stage === 'stopped') continue;
      expect(fundingOf(again)).to.include({move: 'wanted', busy: false});
      expect(again.told()).not.to.include('error deposit-mismatch');
      world.move = undefined;
      await again.session.pay();
      expect(fundingOf(again)).to.include({move: 'moved', sent: true});
    }
  });
});

describe('an order that is open in two tabs:', () => {
  const twoTabs = async () => {
    const browser = createTestBrowser();
    const world = byTransaction();
    const answering = later();
    world.wallet = () => answering.promise;
    const first = await openSession({browser, world});
    await first.order();
    expect(first.walletRequests()).to.deep.equal(['send asking']);
    const second = await openSession({browser, world});
    return {first, second, answering};
  };

  it('while one prompts its wallet, the other says so, and asks neither the wallet nor the person', async () => {
    const {first, second, answering} = await twoTabs();
    second.session.openOrder(ORDER_ID);
    await second.host.pass(1_000);
    expect(fundingOf(second)).to.include({elsewhere: true, unclear: false});
    await second.session.pay();
    await second.session.answer(false);
    expect(second.walletRequests()).to.deep.equal(['send asking']);
    await settle(answering.keep());
    await second.host.pass(1_000);
    expect(fundingOf(second)).to.include({elsewhere: undefined, unclear: false, sent: true});
    expect(first.walletRequests()).to.deep.equal(['send sent']);
  });

  it('the other is updated even if it was open before', async () => {
    const browser = createTestBrowser();
    const world = byTransaction({wallet: rejected});
    const first = await openSession({browser, world});
    await first.order();
    const second = await openSession({browser, world});
    second.session.openOrder(ORDER_ID);
    await second.host.pass(1_000);
    expect(fundingOf(second)).to.include({elsewhere: undefined, busy: false});
    const answering = later();
    world.wallet = () => answering.promise;
    await settle(first.session.pay());
    second.host.tellStorage(orderKey());
    await second.host.pass(1_000);
    expect(fundingOf(second)).to.include({elsewhere: true});
    await settle(answering.keep());
    await second.host.pass(1_000);
    expect(fundingOf(second)).to.include({elsewhere: undefined, sent: true});
  });

  it('the one that prompts its wallet continues, whatever the other writes meanwhile', async () => {
    const {first, answering} = await twoTabs();
    const {storage} = first.host;
    const entry = JSON.parse(storage?.getItem(orderKey()) ?? '') as {walletRequests: {state: string}[]};
    const revoked = {kind: 'revoke', state: 'sent', at: NOON};
    storage?.setItem(orderKey(), JSON.stringify({...entry, walletRequests: [revoked, ...entry.walletRequests]}));
    await settle(first.host.tellStorage(orderKey()));
    expect(fundingOf(first)).to.include({busy: true, unclear: false});
    await settle(answering.keep());
    expect(fundingOf(first)).to.include({busy: false, sent: true});
    expect(first.walletRequests()).to.include('revoke sent');
  });

  it('after one was closed during a prompt, the other asks the person', async () => {
    const {second} = await twoTabs();
    second.session.openOrder(ORDER_ID);
    await second.host.pass(1_000);
    const third = await second.reload();
    third.session.openOrder(ORDER_ID);
    await third.host.pass(1_000);
    expect(fundingOf(third)).to.include({unclear: true, elsewhere: undefined});
  });
});

describe('a page that never answers', () => {
  it('before the order: it is blocked after two minutes, nothing was placed, and the person can go back', async () => {
    const page = await ordered({world: byTransaction(), gates: {beforeOrder: never}});
    expect(stageOf(page)).to.equal('ordering');
    await page.host.pass(121_000);
    expect(stageOf(page)).to.equal('reviewing');
    expect(page.told()).to.include('error held');
    expect(moneyRequests(page)).to.deep.equal([]);
    page.session.back();
    expect(stageOf(page)).to.equal('editing');
  });

  it('before the wallet: it is blocked, and another tab may continue', async () => {
    const browser = createTestBrowser();
    const world = byTransaction();
    const page = await ordered({browser, world, gates: {beforeSign: never}});
    await page.host.pass(121_000);
    expect(fundingOf(page).error?.code).to.equal('held');
    expect(fundingOf(page).busy).to.equal(false);
    const other = await openSession({browser, world});
    await settle(other.session.openOrder(ORDER_ID));
    await other.session.pay();
    expect(other.walletRequests()).to.deep.equal(['send sent']);
  });
});

describe('the chain’s response', () => {
  it('that a payment may still come is not overruled by the clock', async () => {
    const world = shortLived();
    const page = await ordered({world});
    await page.host.pass(10 * MINUTE);
    expect(page.walletRequests()).to.deep.equal(['send sent']);
    expect(fundingOf(page)).to.include({seen: 'none', error: undefined});
    expect(stageOf(page)).to.equal('funding');
  });
});
