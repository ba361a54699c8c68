import {expect} from '../../support/expect.js';
import {SwapError} from '../../../src/domain/error.js';
import type {Order} from '../../../src/domain/order.js';
import {
  answersTo,
  bearOut,
  completeOrder,
  createWorld,
  HASH,
  later,
  paidOrder,
  settle,
  type TestPage,
  type World,
  ordered,
  byTransaction,
} from '../../support/session.js';
import {aLeg, anOrder, NOON, ORDER_ID, MINUTE} from '../../support/swap.js';
import {entriesIn, fundingIn, shownIn, statusIn, storyIn, stageOf} from '../../support/shown.js';

const sent = () => ordered({world: byTransaction()});

/** A page whose order has arrived: the service says so, and the chain shows it. */
async function received(): Promise<TestPage> {
  const page = await sent();
  bearOut(page.world);
  page.world.orders.set(ORDER_ID, completeOrder());
  await page.host.pass(15_000);
  return page;
}

const onSource = (change: Parameters<typeof aLeg>[0]): Order => anOrder({source: aLeg(change)});
const unseen = anOrder();
const seen = onSource({initiated: {hashes: [HASH]}});
const inBlock = onSource({initiated: {hashes: [HASH], block: 1n, at: NOON}});
const settling = paidOrder();

describe('the stage of an order', () => {
  it('updates the order if it changed, and with each response only the time of reading', async () => {
    const page = await sent();
    page.world.orders.set(ORDER_ID, seen);
    const [orders, reads]: [unknown[], unknown[]] = [[], []];
    let [order, readAt] = [storyIn(page.session)?.order, shownIn(page.session)?.readAt];
    page.session.$order.listen(() => {
      const {story, readAt: at} = shownIn(page.session) ?? {};
      if (story?.order !== order) orders.push((order = story?.order));
      if (at !== readAt) reads.push((readAt = at));
    });
    await page.host.pass(MINUTE);
    expect(orders).to.have.lengthOf(1);
    expect(reads.length).to.be.above(10);
  });

  it('re-renders on a chain read only if the result changed', async () => {
    const page = await sent();
    page.world.orders.set(ORDER_ID, inBlock);
    await page.host.pass(5_000);
    const answers = answersTo(page.world, 'depositState');
    const draws = async (onChain: World['onChain']) => {
      page.world.onChain = onChain;
      await settle(page.session.refresh());
      let count = 0;
      const stop = page.session.$order.listen(() => count++);
      expect(answers).not.to.have.lengthOf(0);
      for (const answer of answers.splice(0)) answer.keep('seen');
      await settle();
      stop();
      return count;
    };
    const held = {amount: 50_000n, hashes: [HASH], block: 1n, isHeld: true, isRefundOpen: false};
    expect(await draws(held), 'new').to.be.above(0);
    expect(await draws({...held}), 'the same again').to.equal(0);
    expect(await draws({...held, isRefundOpen: true}), 'another').to.be.above(0);
  });

  it('counts as checked at the time of the response, not of its arrival', async () => {
    const world = byTransaction();
    const {readOrder} = world.service;
    world.service.readOrder = (orderId, options = {}) => {
      options.onAge?.(10 * MINUTE);
      return readOrder(orderId, options);
    };
    const page = await ordered({world});
    await page.host.pass(1_000);
    const {$now} = page.session;
    expect(Math.round(($now.get() - shownIn(page.session)!.readAt!) / MINUTE)).to.equal(10);
  });

  it('does not move on a response overtaken by a later one', async () => {
    const page = await sent();
    page.world.depositState = () => Promise.resolve('unknown');
    const answers = answersTo(page.world, 'read');
    await settle(page.session.refresh());
    await settle(page.session.refresh());
    const [first, second] = answers.slice(-2);
    await settle(second?.keep(settling));
    expect(stageOf(page)).to.equal('settling');
    const readAt = shownIn(page.session)?.readAt;
    await page.host.pass(500);
    await settle(first?.keep(unseen));
    expect(stageOf(page)).to.equal('settling');
    expect(shownIn(page.session)?.movedBackFrom).to.equal(undefined);
    expect(shownIn(page.session)?.readAt).to.equal(readAt);
  });

  it('is not reported unreadable by a failure that a later response overtook', async () => {
    const page = await sent();
    const answers = answersTo(page.world, 'read');
    for (let press = 0; press < 2; press++) {
      await settle(page.session.refresh());
    }
    const [first, second] = answers.slice(-2);
    await settle(second?.keep(seen));
    await settle(first?.fail(new SwapError('timeout')));
    expect(statusIn(page.session).state).to.equal('ready');
  });

  it('does not move on a response about another order', async () => {
    const page = await sent();
    const stranger = 'c'.repeat(64);
    const answer = later<Order>();
    page.world.read = orderId => (orderId === ORDER_ID ? answer.promise : Promise.resolve(anOrder({id: stranger})));
    await settle(page.session.refresh());
    await settle(page.session.openOrder(stranger));
    expect(stageOf(page)).to.equal('awaiting-deposit');
    page.world.read = () => new Promise(() => undefined);
    await page.host.pass(500);
    const readAt = shownIn(page.session)?.readAt;
    await page.host.pass(500);
    await settle(answer.keep(settling));
    expect(stageOf(page)).to.equal('awaiting-deposit');
    expect(shownIn(page.session)?.readAt).to.equal(readAt);
    const status = statusIn(page.session);
    expect(status.state === 'ready' && status.value.id).to.equal(stranger);
  });

  it('moves back on a valid response, reports from where, and forgets that once it has caught up', async () => {
    const page = await sent();
    page.world.orders.set(ORDER_ID, settling);
    await page.host.pass(5_000);
    page.world.orders.set(ORDER_ID, seen);
    await page.host.pass(6_000);
    expect(stageOf(page)).to.equal('deposit-seen');
    expect(shownIn(page.session)?.movedBackFrom).to.equal('settling');
    expect(page.told()).to.include('status deposit-seen');
    page.world.orders.set(ORDER_ID, unseen);
    await page.host.pass(6_000);
    expect(stageOf(page)).to.equal('funding');
    expect(shownIn(page.session)?.movedBackFrom).to.equal('deposit-seen');
    page.world.orders.set(ORDER_ID, inBlock);
    await page.host.pass(6_000);
    expect(stageOf(page)).to.equal('confirming');
    expect(shownIn(page.session)?.movedBackFrom).to.equal(undefined);
  });
});

const reads = ({world}: TestPage) => world.count('GET order');
async function expectNoMoreReads(page: TestPage, {host} = page) {
  const before = reads(page);
  await host.pass(10 * MINUTE);
  expect(reads(page)).to.equal(before);
}

describe('a displayed order', () => {
  it('is read quickly at first, then every five seconds, and at most 150 times in an hour', async () => {
    const page = await sent();
    const before = reads(page);
    await page.host.pass(3_000);
    expect(reads(page) - before).to.be.within(2, 5);
    await page.host.pass(MINUTE);
    const later = reads(page);
    await page.host.pass(MINUTE);
    expect(reads(page) - later).to.be.within(10, 13);
    await page.host.pass(57 * MINUTE);
    expect(reads(page) - before).to.be.within(120, 150);
  });

  it('is read twice a minute for as long as a refund is open', async () => {
    const page = await sent();
    page.world.depositState = () => Promise.resolve('seen');
    page.world.onChain = {amount: 50_000n, isHeld: true, isRefundOpen: true};
    await page.host.pass(60 * MINUTE);
    expect(stageOf(page)).to.equal('refunding');
    const before = reads(page);
    await page.host.pass(10 * MINUTE);
    expect(reads(page) - before).to.be.within(17, 21);
  });

  it('is read each half minute while offline, and within two seconds once online', async () => {
    const page = await sent();
    const {read} = page.world;
    page.world.read = () => Promise.reject(new SwapError('offline'));
    await settle(page.host.online$.set(false));
    const before = reads(page);
    await page.host.pass(10 * MINUTE);
    expect(reads(page) - before).to.be.within(17, 21);
    page.world.read = read;
    const tried = reads(page);
    page.host.online$.set(true);
    await page.host.pass(1_400);
    expect(reads(page)).to.equal(tried + 1);
  });

  it('is known at once to be out of date while offline, and not any more once online', async () => {
    const page = await sent();
    const fault = () => {
      const reading = shownIn(page.session)?.reading;
      return reading?.state === 'failed' ? reading.error.code : undefined;
    };
    expect(fault()).to.equal(undefined);
    await settle(page.host.online$.set(false));
    expect(fault()).to.equal('offline');
    await settle(page.host.online$.set(true));
    expect(fault()).to.equal(undefined);
  });

  it('is not read while the page is hidden and nothing is paid, and is read at once when visible', async () => {
    const page = await ordered({
      world: createWorld(),
      gates: {beforeSign: () => Promise.reject(new SwapError('held'))},
    });
    expect(stageOf(page)).to.equal('awaiting-deposit');
    await settle(page.host.visible$.set(false));
    await expectNoMoreReads(page);
    const before = reads(page);
    await settle(page.host.visible$.set(true));
    expect(reads(page)).to.equal(before + 1);
  });

  it('is read twice a minute while the page is hidden and money is under way, and at once when visible', async () => {
    const page = await sent();
    page.host.visible$.set(false);
    await page.host.pass(MINUTE);
    const [before, looks] = [reads(page), page.world.count('look')];
    await page.host.pass(10 * MINUTE);
    expect(reads(page) - before).to.be.within(19, 21);
    expect(page.world.count('look') - looks, 'of its chain').to.be.within(19, 21);
    await settle(page.host.visible$.set(true));
    expect(reads(page) - before).to.be.within(20, 22);
  });

  it('is retried less and less often while unreadable, and no earlier than Retry-After', async () => {
    const page = await sent();
    page.world.read = () => Promise.reject(new SwapError('service'));
    await page.host.pass(2 * MINUTE);
    const before = reads(page);
    await page.host.pass(2 * MINUTE);
    expect(reads(page) - before).to.be.within(2, 3);
    page.world.read = () => Promise.reject(new SwapError('rate-limited', {retryAfter: 5 * MINUTE}));
    await page.host.pass(MINUTE);
    const limited = reads(page);
    await page.host.pass(5 * MINUTE - 1_000);
    expect(reads(page)).to.equal(limited);
    await page.host.pass(MINUTE + 1_000);
    expect(reads(page)).to.equal(limited + 1);
  });

  it('unknown to its service is reported to the page once, and still looked up on the chain', async () => {
    const page = await sent();
    page.world.read = () => Promise.reject(new SwapError('service', {field: 'order', detail: '404'}));
    const looks = page.world.count('look');
    await page.host.pass(2 * MINUTE);
    expect(page.told().filter(kind => kind === 'error service')).to.have.length(1);
    expect(page.world.count('look')).to.be.above(looks + 5);
    expect(stageOf(page)).to.equal('funding');
    page.world.depositState = hash => Promise.resolve(hash === HASH ? 'seen' : 'unknown');
    await page.host.pass(15_000);
    expect(fundingIn(page.session).seen).to.equal('seen');
  });

  it('is dated by the service’s response, whatever the chains show later', async () => {
    const page = await sent();
    const chain = later<'unknown'>();
    page.world.depositState = () => chain.promise;
    page.world.orders.set(ORDER_ID, inBlock);
    await page.host.pass(5_000);
    expect(stageOf(page)).to.equal('funding');
    const {read} = page.world;
    page.world.read = () => new Promise(() => undefined);
    await page.host.pass(20_000);
    const answeredAt = shownIn(page.session)?.readAt;
    chain.keep('unknown');
    page.world.read = read;
    await settle();
    expect(stageOf(page)).to.equal('confirming');
    expect(shownIn(page.session)?.readAt).to.equal(answeredAt);
  });

  it('leaves no request pending if the page is hidden and nothing is paid', async () => {
    const world = createWorld();
    const page = await ordered({world, gates: {beforeSign: () => Promise.reject(new SwapError('held'))}});
    let asked: AbortSignal | undefined;
    world.read = (_orderId, signal) => {
      asked = signal;
      return new Promise(() => undefined);
    };
    await page.host.pass(10_000);
    expect(asked?.aborted).to.equal(false);
    await settle(page.host.visible$.set(false));
    expect(asked?.aborted).to.equal(true);
  });

  it('has at most two pending reads, however often a person requests one', async () => {
    const page = await sent();
    page.world.read = () => new Promise(() => undefined);
    const before = reads(page);
    for (let press = 0; press < 20; press++) page.session.refresh();
    await settle();
    expect(reads(page) - before).to.be.at.most(2);
  });

  it('is found unreadable however often a person retries meanwhile', async () => {
    const page = await sent();
    page.world.read = () =>
      new Promise((_, reject) => {
        page.host.after(2_000, () => reject(new SwapError('timeout')));
      });
    for (let press = 0; press < 20; press++) {
      page.session.refresh();
      await page.host.pass(500);
    }
    expect(statusIn(page.session).state).to.equal('failed');
  });

  it('is read once after an outcome that the chain confirms, and no more', async () => {
    const page = await received();
    const before = reads(page);
    await page.host.pass(10 * MINUTE);
    for (const isVisible of [false, true]) {
      page.host.visible$.set(isVisible);
      await page.host.pass(MINUTE);
    }
    expect(reads(page)).to.equal(before);
  });

  it('that is complete is read until its payment’s chain has answered, too', async () => {
    const page = await received();
    const {depositState} = page.world;
    page.world.depositState = () => Promise.reject(new Error('The node is busy.'));
    const next = await page.reload();
    await next.host.pass(1_000);
    const certainty = () => storyIn(next.session)?.paidIn.certainty;
    expect([stageOf(next), certainty()]).to.deep.equal(['complete', 'waiting']);
    page.world.depositState = depositState;
    page.world.onChain = {amount: 50_000n, hashes: [HASH]};
    await next.host.pass(MINUTE);
    expect([stageOf(next), certainty()]).to.deep.equal(['complete', 'proved']);
    await expectNoMoreReads(page, next);
  });

  it('that is complete is no longer read once its payment’s chain has been silent for long', async () => {
    const page = await received();
    page.world.depositState = () => Promise.reject(new Error('The node is down.'));
    const next = await page.reload();
    await next.host.pass(3 * MINUTE);
    expect(storyIn(next.session)).to.deep.include({stage: 'complete', isOver: true});
    expect(storyIn(next.session)?.paidIn.certainty).to.equal('told');
    await expectNoMoreReads(page, next);
  });

  it('that is complete is read although the page was hidden while it loaded', async () => {
    const page = await received();
    const {read} = page.world;
    page.world.read = () => new Promise(() => undefined);
    const next = await page.reload();
    next.host.visible$.set(false);
    await next.host.pass(MINUTE);
    page.world.read = read;
    next.host.visible$.set(true);
    await next.host.pass(1_000);
    expect(storyIn(next.session)?.order?.destination.redeemed).to.not.equal(undefined);
    expect(shownIn(next.session)?.reading.state).to.equal('ready');
  });
});

describe('the chains of an order', () => {
  it('are read no more often than they make blocks, however often the service is', async () => {
    const page = await sent();
    page.world.orders.set(ORDER_ID, inBlock);
    const next = await page.reload();
    const looks = page.world.count('look');
    const before = reads(page);
    await next.host.pass(3_000);
    expect(reads(page) - before).to.be.at.least(3);
    expect(page.world.count('look') - looks).to.be.at.most(2);
  });

  it('are not sent the same request again before they responded', async () => {
    const page = await sent();
    await page.host.pass(5_000);
    page.world.depositState = () => new Promise(() => undefined);
    const looks = page.world.count('look');
    await page.host.pass(25_000);
    expect(page.world.count('look')).to.equal(looks + 1);
  });

  it('are read for each order separately, even if one read gets no response', async () => {
    const page = await sent();
    const seenOf: string[] = [];
    page.world.depositState = (_hash, orderId) => {
      seenOf.push(orderId);
      return orderId === ORDER_ID ? new Promise(() => undefined) : Promise.resolve('none');
    };
    await page.host.pass(5_000);
    page.session.reset();
    page.world.wallet = () => Promise.resolve();
    await page.order();
    await page.host.pass(2_000);
    expect(new Set(seenOf).size).to.equal(2);
  });
});

describe('orders that are not shown', () => {
  it('are read occasionally, and the list shows their stage', async () => {
    const page = await sent();
    bearOut(page.world);
    page.session.reset();
    page.world.orders.set(ORDER_ID, settling);
    await page.host.pass(30_000);
    expect(entriesIn(page.session)[0]?.stage).to.equal('settling');
    page.world.orders.set(ORDER_ID, completeOrder());
    await page.host.pass(30_000);
    expect(entriesIn(page.session)[0]?.stage).to.equal('complete');
    await expectNoMoreReads(page);
  });

  it('are still read while the page is hidden if money is under way', async () => {
    const page = await sent();
    page.session.reset();
    page.host.visible$.set(false);
    page.world.orders.set(ORDER_ID, completeOrder());
    await page.host.pass(MINUTE);
    expect(page.told()).to.include('complete');
    await expectNoMoreReads(page);
  });

  it('keep their stage if they may be paid', async () => {
    const page = await sent();
    page.session.reset();
    await page.host.pass(2 * 60 * MINUTE);
    expect(entriesIn(page.session)[0]?.stage).to.equal('funding');
  });
});

describe('the page is told', () => {
  it('each event once, in order, from price to receipt', async () => {
    const page = await sent();
    for (const order of [seen, inBlock, settling, completeOrder()]) {
      page.world.orders.set(ORDER_ID, order);
      await page.host.pass(5_000);
    }
    await page.host.pass(10 * MINUTE);
    const told = page.told().filter(kind => kind !== 'quote');
    expect(told).to.deep.equal([
      'order',
      'status funding',
      'deposit',
      'status deposit-seen',
      'status confirming',
      'status settling',
      'status complete',
      'complete',
    ]);
  });

  it('nothing twice after a reload', async () => {
    const page = await sent();
    page.world.orders.set(ORDER_ID, inBlock);
    await page.host.pass(5_000);
    const next = await page.reload();
    await next.host.pass(10_000);
    expect(next.told()).to.deep.equal([]);
    page.world.orders.set(ORDER_ID, completeOrder());
    await next.host.pass(10_000);
    expect(next.told()).to.deep.equal(['status settling', 'status complete', 'complete']);
    const last = await next.reload();
    await last.host.pass(10_000);
    expect(last.told()).to.deep.equal([]);
  });
});
