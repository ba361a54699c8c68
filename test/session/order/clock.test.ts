/** Clocks that are wrong, and that are set while a swap runs: what waits, counts or expires goes by one clock. */
import {expect} from '../../support/expect.js';
import type {Deposit} from '../../../src/domain/deposit.js';
import type {DepositState} from '../../../src/domain/evidence.js';
import type {Stage} from '../../../src/domain/stage.js';
import type {Order} from '../../../src/domain/order.js';
import {withSteadyTime} from '../../../src/session/clock.js';
import type {Host} from '../../../src/session/types.js';
import {
  answeredLater,
  BY_TRANSACTION,
  BY_TRANSFER,
  createTestBrowser,
  createWorld,
  openSession,
  paidOrder,
  settle,
  type TestPage,
  ordered,
  describeAs,
  reviewed,
  typed,
  byTransaction,
} from '../../support/session.js';
import {shownIn, storyIn} from '../../support/shown.js';
import {anOrder, HOUR, MINUTE, NOON, ORDER_ID} from '../../support/swap.js';

interface Clocks {
  /** How far the visitor's clock is ahead of the true time when the page opens. */
  readonly ahead?: number;
  /** What shows the true time: the date of the service's responses, or a chain's blocks. */
  readonly by?: 'date' | 'chain' | undefined;
  /** How far the clock that dates new orders is ahead. */
  readonly created?: number;
  /** For how long after NOON the chain makes no block, as in the five minutes before. */
  readonly still?: number;
}

async function place({ahead = 0, by, created = 0, still = 0}: Clocks, deposit: Deposit = BY_TRANSFER) {
  const browser = createTestBrowser();
  Object.assign(browser, {now: NOON + ahead, jumped: ahead, set: ahead});
  const world = createWorld(deposit, {depositState: () => Promise.resolve('none')});
  const trueTime = () => browser.now - browser.set;
  if (by === 'date') world.date = trueTime;
  const block = () => (trueTime() < NOON + still ? NOON - 5 * MINUTE : Math.floor(trueTime() / BLOCK) * BLOCK);
  if (by === 'chain') world.chainTime = () => Promise.resolve(block());
  describeAs(world, order => ({...order, createdAt: trueTime() + created}));
  const page = await ordered({browser, world});
  await page.host.pass(1_000);
  return page;
}

function minutesLeft({session}: TestPage): number {
  const left = (shownIn(session)?.payUntil ?? 0) - session.$now.get();
  return session.$stage.get() === 'awaiting-deposit' ? Math.round(left / MINUTE) : 0;
}

/** What is said to be left, once the page has read the order again. */
async function leftAfter(page: TestPage, minutes: number): Promise<number> {
  await page.host.pass(minutes * MINUTE);
  return minutesLeft(page);
}

const WITNESSES = ['date', 'chain', undefined] as const;
const BLOCK = 12_000;

describe('a page’s clock', () => {
  it('starts with the visitor’s, and goes by the one that is never set, unless that is more than five seconds behind', () => {
    let [wall, elapsed] = [NOON, 100];
    const host = withSteadyTime({now: () => wall, elapsed: () => elapsed} as Host);
    const passed = (went: number, ran: number) => {
      [wall, elapsed] = [wall + went, elapsed + ran];
      return [host.now() - NOON, host.jumps()];
    };
    expect(passed(0, 0)).to.deep.equal([0, 0]);
    expect(passed(1_000, 1_000)).to.deep.equal([1_000, 0]);
    expect(passed(5_000, 0)).to.deep.equal([1_000, 0]);
    expect(passed(5_001, 0)).to.deep.equal([6_001, 1]);
    expect(passed(-5_001, 0)).to.deep.equal([6_001, 2]);
  });
});

describe('the time to pay', () => {
  for (const by of WITNESSES) {
    describe(`by ${by === 'date' ? 'the date of responses' : by === 'chain' ? 'a chain’s blocks' : 'nothing but the visitor’s clock'}`, () => {
      for (const hours of [-9, -3, 1, 3, 9]) {
        it(`is the agreed time though the visitor’s clock is ${String(hours)} h ahead`, async () => {
          const page = await place({ahead: hours * HOUR, by});
          expect(await leftAfter(page, 9)).to.equal(51);
          expect(await leftAfter(page, 50)).to.equal(1);
          expect(await leftAfter(page, 2)).to.equal(0);
          expect(page.session.$stage.get()).to.equal('expired');
        });
      }

      for (const reloads of [false, true])
        it(`is not longer if a clock that was ahead is set right${reloads ? ' before a reload' : ''}`, async () => {
          const page = await place({ahead: 3 * HOUR, by});
          await page.host.pass(10 * MINUTE);
          page.host.setClock(-3 * HOUR);
          const next = reloads ? await page.reload() : page;
          expect(await leftAfter(next, 1)).to.equal(49);
          expect(await leftAfter(next, 50)).to.equal(0);
        });

      it('is shorter by a sleep', async () => {
        const page = await place({by});
        page.host.sleep(20 * MINUTE);
        expect(await leftAfter(page, 1)).to.equal(39);
        page.host.sleep(HOUR);
        expect(await leftAfter(page, 1)).to.equal(0);
      });

      it('is shorter by a sleep in which a clock that was ahead is set right', async () => {
        const page = await place({ahead: HOUR, by});
        page.host.sleep(3 * HOUR);
        page.host.setClock(-HOUR);
        expect(await leftAfter(page, 1)).to.equal(0);
      });

      it('is that of the service, though its clock is five hours ahead, also after a reload', async () => {
        const page = await place({by, created: 5 * HOUR});
        expect(await leftAfter(page, 10)).to.equal(50);
        const next = await page.reload();
        expect(await leftAfter(next, 1)).to.equal(49);
        expect(await leftAfter(next, 50)).to.equal(0);
      });
    });
  }

  for (const hours of [1, 7]) {
    it(`is over once the clock was set ${String(hours)} h ahead`, async () => {
      const page = await place({ahead: -hours * HOUR});
      await page.host.pass(10 * MINUTE);
      page.host.setClock(hours * HOUR);
      expect(await leftAfter(page, 1)).to.equal(0);
    });
  }

  for (const by of ['date', 'chain'] as const) {
    for (const hours of [1, 7]) {
      it(`is known again from a ${by} once the clock was set ${String(hours)} h ahead`, async () => {
        const page = await place({ahead: -hours * HOUR, by});
        await page.host.pass(10 * MINUTE);
        page.host.setClock(hours * HOUR);
        expect(await leftAfter(page, 2)).to.equal(48);
        expect(await leftAfter(page, 50)).to.equal(0);
      });
    }

    it(`is shorter by a sleep in which a clock was set back as far, which a ${by} shows`, async () => {
      const page = await place({ahead: HOUR, by});
      await page.host.pass(MINUTE);
      page.host.sleep(50 * MINUTE);
      page.host.setClock(-50 * MINUTE);
      expect(await leftAfter(page, 11)).to.equal(0);
    });

    it(`is known again from a ${by} after a reload, whatever was set`, async () => {
      for (const [ahead, set] of [
        [0, 3 * HOUR],
        [3 * HOUR, 0],
        [3 * HOUR, 5 * HOUR],
        [-3 * HOUR, 3 * HOUR],
      ] as const) {
        const page = await place({ahead, by});
        await page.host.pass(10 * MINUTE);
        page.host.setClock(set);
        const next = await page.reload();
        expect(await leftAfter(next, 1)).to.equal(49);
        expect(await leftAfter(next, 50)).to.equal(0);
      }
    });
  }

  for (const seconds of [10, 100, 1_000]) {
    it(`is whole though its chain stood still, and made the next block ${String(seconds)} s later`, async () => {
      const page = await place({by: 'chain', still: seconds * 1_000});
      expect(await leftAfter(page, 19)).to.equal(41);
      const next = await page.reload();
      expect(await leftAfter(next, 1)).to.equal(40);
      next.host.setClock(3 * HOUR);
      expect(await leftAfter(await next.reload(), 1)).to.equal(39);
    });
  }

  it('is whole for a later order, too, whose chain stood still in between', async () => {
    const page = await place({by: 'chain'});
    await page.host.pass(2 * MINUTE);
    page.session.reset({keep: true});
    page.world.chainTime = () => Promise.resolve(NOON + MINUTE);
    await page.host.pass(4 * MINUTE);
    const {place: placeOne} = page.world;
    page.world.place = async agreed => ({...(await placeOne(agreed)), deposit: {...BY_TRANSFER, address: 'tb1pother'}});
    await page.order();
    expect(await leftAfter(page, 1)).to.equal(59);
    expect(await leftAfter(await page.reload(), 1)).to.equal(58);
  });

  it('is not longer by a sleep before the chain’s next block, even if a clock that was ahead is set right', async () => {
    for (const set of [0, -MINUTE, -3 * HOUR]) {
      const page = await place({ahead: 3 * HOUR, by: 'chain', still: MINUTE});
      page.host.sleep(20 * MINUTE);
      page.host.setClock(set);
      expect(await leftAfter(page, 1), String(set)).to.equal(39);
      expect(await leftAfter(await page.reload(), 1), String(set)).to.equal(38);
    }
  });

  it('is not longer by a page whose timers were late', async () => {
    const page = await place({by: 'chain', still: 10_000});
    const {after} = page.host;
    page.host.after = (milliseconds, work) => after(milliseconds === 5_000 ? 50_000 : milliseconds, work);
    await page.host.pass(MINUTE);
    page.host.after = after;
    expect(await leftAfter(page, 28)).to.equal(31);
  });

  it('is known again as soon as a chain that stood still for minutes makes a block', async () => {
    const page = await place({by: 'chain'});
    await page.host.pass(10 * MINUTE);
    const {chainTime} = page.world;
    page.host.setClock(3 * HOUR);
    const next = await page.reload();
    // Its nodes are not equally far, and one does not answer.
    const answers = [NOON, undefined, NOON - BLOCK];
    let reads = 0;
    next.world.chainTime = () => Promise.resolve(answers[reads++ % 3]);
    expect(await leftAfter(next, 0.9)).to.equal(0);
    next.world.chainTime = () => Promise.resolve(NOON);
    expect(await leftAfter(next, 2.1)).to.equal(0);
    next.world.chainTime = chainTime;
    expect(await leftAfter(next, 2)).to.equal(45);
  });

  it('is asked of a chain until it makes a block, again after ten minutes, and never where responses have a date', async () => {
    for (const by of ['date', 'chain'] as const) {
      const page = await place({by});
      const {chainTime} = page.world;
      let reads = 0;
      page.world.chainTime = () => {
        reads++;
        return by === 'date' ? Promise.resolve(page.host.now()) : chainTime();
      };
      const {host} = await page.reload();
      for (const [minutes, isRead] of [
        [1, true],
        [8.5, false],
        [2, true],
      ] as const) {
        reads = 0;
        await host.pass(minutes * MINUTE);
        expect(reads > 0).to.equal(isRead && by === 'chain');
      }
    }
  });

  it('is not longer by a chain that stands still', async () => {
    const page = await place({by: 'chain'});
    await page.host.pass(10 * MINUTE);
    page.world.chainTime = () => Promise.resolve(NOON - 3 * HOUR);
    page.host.setClock(3 * HOUR);
    expect(await leftAfter(page, 2)).to.equal(0);
    expect(await leftAfter(await page.reload(), 2)).to.equal(0);
  });

  it('is over for a wallet, too, whose payment is asked for after a clock was set back', async () => {
    const page = await place({ahead: 3 * HOUR}, BY_TRANSACTION);
    const before = page.walletRequests();
    await page.host.pass(30 * MINUTE);
    page.host.setClock(-3 * HOUR);
    await page.host.pass(31 * MINUTE);
    await page.session.pay();
    await settle();
    expect(page.walletRequests()).to.deep.equal(before);
  });
});

describe('a refund', () => {
  const {source} = paidOrder();
  const opens = (order: Order) => order.createdAt + source.timelock * 2_000;

  it('is expected by the visitor’s own clock, however wrong that is', async () => {
    const page = await place({ahead: 3 * HOUR}, BY_TRANSACTION);
    page.world.depositState = () => Promise.resolve('unknown');
    const order = {...paidOrder(), createdAt: NOON};
    page.world.orders.set(order.id, order);
    await page.host.pass(MINUTE);
    expect(Math.round((storyIn(page.session)!.refundOpensAt! - opens(order)) / MINUTE)).to.equal(180);
  });

  it('can be tried in time, though the service says that the order was made in the year 9999', async () => {
    const page = await place({}, BY_TRANSACTION);
    page.world.depositState = () => Promise.resolve('unknown');
    page.world.orders.set(anOrder().id, anOrder({createdAt: Date.UTC(9999, 1)}));
    await page.host.pass(opens(anOrder()) - NOON + HOUR + MINUTE);
    expect(storyIn(page.session)?.refund).to.equal('likely');
  });
});

describe('a price', () => {
  for (const hours of [-9, -1, 1]) {
    it(`is requested again in time if the clock is set by ${String(hours)} h on the form`, async () => {
      const page = await openSession();
      page.session.edit({amount: '0.0005'});
      await page.host.pass(1_000);
      const before = page.world.count('GET quote');
      page.host.setClock(hours * HOUR);
      page.host.visible$.set(false);
      page.host.visible$.set(true);
      await page.host.pass(40_000);
      expect(page.world.count('GET quote')).to.be.above(before);
      const left = page.session.$form.get().nextQuoteAt! - page.session.$now.get();
      expect(left).to.be.within(0, 30_000);
    });
  }
});

describe('a page that is back after a day', () => {
  const {source, destination, ...order} = paidOrder();
  const unconfirmed = {...order, source: {...source, confirmations: {current: 0, required: 1}}, destination};
  const settling = {...order, source, destination: {...destination, initiated: source.initiated!}};
  /** What it was in the middle of, and where it is then: a wallet, or the service, answers as late; a refund is due. */
  const MIDDLES: Record<
    string,
    {deposit?: Deposit; open?: typeof ordered; waits?: 'place' | 'wallet'; told?: Order; stage: Stage; asked?: string[]}
  > = {
    'the form': {open: typed, stage: 'editing'},
    'the review': {open: reviewed, stage: 'reviewing'},
    'an order that is placed': {waits: 'place', stage: 'expired'},
    'a deposit to an address': {deposit: BY_TRANSFER, stage: 'expired'},
    'a prompt to pay': {deposit: BY_TRANSACTION, waits: 'wallet', stage: 'funding', asked: ['send sent']},
    'a prompt to sign': {waits: 'wallet', stage: 'expired', asked: ['sign signed']},
    'a payment': {deposit: BY_TRANSACTION, told: unconfirmed, stage: 'refunding', asked: ['send sent']},
    'a payout': {deposit: BY_TRANSACTION, told: settling, stage: 'settling', asked: ['send sent']},
  };
  for (const [what, {deposit, open = ordered, waits, told, stage, asked = []}] of Object.entries(MIDDLES)) {
    for (const way of ['asleep', 'frozen']) {
      it(`from ${what}, ${way}`, async () => {
        const [browser, world] = [createTestBrowser(), createWorld(deposit)];
        const answer = waits && answeredLater(world, waits);
        const page = await open({browser, world});
        if (told) world.orders.set(ORDER_ID, told);
        await page.host.pass(MINUTE);
        page.host.visible$.set(false);
        const [quotes, patches] = [world.count('GET quote'), world.count('PATCH')];
        if (way === 'asleep') page.host.sleep(24 * HOUR);
        else browser.now += 24 * HOUR;
        await settle(answer?.keep());
        await settle(page.host.visible$.set(true));
        if (open !== ordered) expect(world.count('GET quote')).to.equal(quotes + 1);
        await page.host.pass(MINUTE);
        const now = [page.session.$stage.get(), page.walletRequests(), world.count('PATCH')];
        expect(now).to.deep.equal([stage, asked, patches]);
      });
    }
  }
});

describe('a payment on a chain that nobody can read, where what is signed expires in five minutes,', () => {
  const sent = ['send sent'];
  const givenUp = ['send refused'];

  /** Paid, and neither its chain nor the service shows it. */
  async function paid(state: DepositState = 'unknown') {
    const world = byTransaction();
    Object.assign(world.adapter, {expiresAfter: 5 * MINUTE});
    world.depositState = () => Promise.resolve(state);
    return ordered({world});
  }

  /** What is known of the payment after some more minutes. */
  async function after(page: TestPage, minutes: number): Promise<readonly string[]> {
    await page.host.pass(minutes * MINUTE);
    return page.walletRequests();
  }

  for (const minutes of [4, 10, 50]) {
    for (const sign of [1, -1]) {
      it(`is given up after five minutes, though the clock is set ${String(sign * minutes)} min ahead meanwhile`, async () => {
        const page = await paid();
        await page.host.pass(MINUTE);
        page.host.setClock(sign * minutes * MINUTE);
        expect(await after(page, 3.9)).to.deep.equal(sent);
        expect(await after(page, 1)).to.deep.equal(givenUp);
      });

      it(`is followed for five minutes by a new page, with a clock ${String(sign * minutes)} min ahead`, async () => {
        const page = await paid();
        page.host.setClock(sign * minutes * MINUTE);
        const next = await page.reload();
        expect(await after(next, 4.9)).to.deep.equal(sent);
        expect(await after(next, 1)).to.deep.equal(givenUp);
      });
    }
  }

  for (const answer of ['empty', 'expired'] as const) {
    it(`is not given up as ${answer} on the word of a node that may lag a minute behind, whatever is set`, async () => {
      const page = await paid(answer);
      page.host.setClock(HOUR);
      expect(await after(page, 0.9)).to.deep.equal(sent);
      expect(await after(page, 1)).to.deep.equal(givenUp);
    });
  }
});
