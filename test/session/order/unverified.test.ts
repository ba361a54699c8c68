/** What is asked before a payment to something neither known nor vouched for, and what its yes covers. */
import {expect} from '../../support/expect.js';
import {reportOf, type CheckResult} from '../../../src/domain/deposit.js';
import type {Order} from '../../../src/domain/order.js';
import {createConsent} from '../../../src/session/order/consent.js';
import {sampleDeal} from '../../support/evm-deal.js';
import {
  BY_TRANSFER,
  createTestBrowser,
  createWorld,
  DEPOSIT,
  openSession,
  settle,
  type TestPage,
  type TestPageOptions,
} from '../../support/session.js';
import {entriesIn, fundingIn, shownIn} from '../../support/shown.js';
import {aLeg, anOrder, ORDER_ID} from '../../support/swap.js';

const FINDING: CheckResult = {name: 'contract', outcome: 'unverified', expected: 'one', found: 'other'};
const {address} = {address: 'tb1pexample', ...BY_TRANSFER};

/** A page on which an order was placed that is unverified. */
async function openUnverified(options: Partial<TestPageOptions> & {byAddress?: boolean} = {}) {
  const {byAddress = false, ...rest} = options;
  const page = await openSession(rest);
  page.world.check = () => Promise.resolve([FINDING]);
  if (byAddress) {
    const source = aLeg({swapId: address});
    page.world.place = () => {
      page.world.orders.set(ORDER_ID, anOrder({source}));
      return Promise.resolve({orderId: ORDER_ID, deposit: BY_TRANSFER});
    };
  }
  await page.order();
  return page;
}

const questionOf = ({session}: TestPage) => shownIn(session)?.question?.id;
const prompts = ({world}: TestPage) => world.log.filter(line => line.startsWith('wallet'));
const say = async (page: TestPage, id = questionOf(page) ?? '') => {
  void page.session.accept(id);
  await settle();
};
/** Everything that a page can read of a session. */
const readable = ({session, events}: TestPage) =>
  JSON.stringify(
    [
      Object.entries(session).flatMap(([name, part]) =>
        name.startsWith('$') ? [(part as {get(): unknown}).get()] : [],
      ),
      events,
    ],
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  );

describe('a payment that is unverified', () => {
  it('is asked about before the wallet is, and paid after the yes', async () => {
    const page = await openUnverified();
    expect(shownIn(page.session)?.report?.outcome).to.equal('unverified');
    expect(questionOf(page)).to.match(/./);
    expect(shownIn(page.session)?.deal?.deposit).to.deep.equal(DEPOSIT);
    expect([prompts(page), fundingIn(page.session).error, page.session.$stage.get()]).to.deep.equal([
      [],
      undefined,
      'awaiting-deposit',
    ]);
    await say(page);
    expect(prompts(page)).to.deep.equal(['wallet sign']);
    expect(questionOf(page)).to.equal(undefined);
    expect(entriesIn(page.session)[0]?.unverified).to.equal(true);
    expect(shownIn(page.session)?.report?.outcome).to.equal('unverified');
  });

  it('is not paid without a yes, however often it is pressed, nor by a yes to another question', async () => {
    const page = await openUnverified();
    const id = questionOf(page);
    await page.session.pay();
    await page.session.pay('transaction');
    await say(page, 'f'.repeat(64));
    await say(page, '');
    expect([prompts(page), questionOf(page)]).to.deep.equal([[], id]);
  });

  it('is asked about again if anything that the yes was about is another', async () => {
    const changes: readonly ((page: TestPage) => unknown)[] = [
      ({world}) => (world.check = () => Promise.resolve([{...FINDING, found: 'a third'}])),
      ({world}) => (world.check = () => Promise.resolve([{...FINDING, expected: 'a third'}])),
      ({world}) => (world.check = () => Promise.resolve([FINDING, {name: 'timelock', outcome: 'unverified'}])),
      ({world}) => changeOrder(world.orders, ({source}) => ({source: {...source, redeemer: 'another'}})),
      ({world}) => changeOrder(world.orders, ({source}) => ({source: {...source, secretHash: '5a'.repeat(32)}})),
      ({world}) => changeOrder(world.orders, ({source}) => ({source: {...source, timelock: 7}})),
      ({world}) => changeOrder(world.orders, ({destination}) => ({destination: {...destination, timelock: 7}})),
    ];
    for (const [at, change] of changes.entries()) {
      const page = await openUnverified();
      const id = questionOf(page);
      // The answer meets another question than the one that was read.
      change(page);
      await say(page);
      expect(prompts(page), String(at)).to.deep.equal([]);
      expect(questionOf(page), String(at)).to.match(/./);
      expect(questionOf(page), String(at)).not.to.equal(id);
    }
  });

  it('is asked about again after a reload, and in another tab', async () => {
    const page = await openUnverified();
    page.world.wallet = () => Promise.reject(new Error('later'));
    await say(page);
    const again = await page.reload();
    await again.session.pay();
    await settle();
    expect(prompts(again).length).to.equal(1);
  });

  it('is stopped where nobody may be asked', async () => {
    const page = await openUnverified({config: {policy: {unverified: 'stop'}}});
    expect([page.session.$stage.get(), questionOf(page), prompts(page)]).to.deep.equal(['stopped', undefined, []]);
    expect(page.told()).to.include('error deposit-mismatch');
  });

  it('is stopped by a failed check beside it, and nothing is asked', async () => {
    const page = await openSession();
    page.world.check = () => Promise.resolve([FINDING, {name: 'amount', outcome: 'failed'}]);
    await page.order();
    expect([page.session.$stage.get(), questionOf(page)]).to.deep.equal(['stopped', undefined]);
    await say(page, 'anything');
    expect(prompts(page)).to.deep.equal([]);
  });
});

describe('the yes', () => {
  it('is to the last question alone', () => {
    const consent = createConsent();
    const deal = {...sampleDeal(), orderId: ORDER_ID};
    const ask = (found: string) => consent.open(deal, reportOf([{...FINDING, found}], {unverified: 'ask'}));
    const first = ask('one')!;
    const second = ask('two')!;
    expect(first.id).not.to.equal(second.id);
    consent.give(ORDER_ID, first);
    expect(ask('two')).to.deep.equal(second);
    consent.give(ORDER_ID, second);
    expect(ask('two')).to.equal(undefined);
    expect(consent.open(deal, reportOf([{name: 'amount', outcome: 'failed'}]))).to.equal(undefined);
    expect(ask('one')).not.to.equal(undefined);
  });

  it('is to the terms of the order, whatever becomes of it, and also where it cannot be read yet', () => {
    const consent = createConsent();
    const {order, ...deal} = {...sampleDeal(), orderId: ORDER_ID};
    const ask = (read: object) => consent.open({...deal, ...read}, reportOf([FINDING], {unverified: 'ask'}))!;
    const question = ask({order});
    expect(ask({order: {...order, source: {...order.source, filled: 1n}}})).to.equal(question);
    const unread = ask({});
    expect(unread).not.to.equal(question);
    consent.give(ORDER_ID, unread);
    expect(ask({})).to.equal(undefined);
  });
});

describe('an address that is unverified', () => {
  it('is in no store, event or record that the page reads before the yes, and in all of them after it', async () => {
    const page = await openUnverified({byAddress: true});
    expect(questionOf(page)).to.match(/./);
    expect(shownIn(page.session)?.deal?.deposit).to.deep.include({how: 'transfer', address: ''});
    await page.host.pass(10_000);
    expect(readable(page)).not.to.include(address);
    expect(entriesIn(page.session)[0]?.payableSince).to.equal(null);
    await say(page);
    expect(shownIn(page.session)?.deal?.deposit).to.deep.include({address});
    expect(entriesIn(page.session)[0]).to.deep.include({unverified: true});
    expect(entriesIn(page.session)[0]?.payableSince).to.be.a('number');
    expect(entriesIn(page.session)[0]?.deposit).to.deep.include({address});
  });

  it('is hidden again after a reload, until another yes', async () => {
    const page = await openUnverified({byAddress: true});
    await say(page);
    const again = await page.reload();
    await settle();
    again.session.openOrder(ORDER_ID);
    await settle();
    expect(questionOf(again)).to.match(/./);
    expect(readable(again)).not.to.include(address);
    await say(again);
    expect(shownIn(again.session)?.deal?.deposit).to.deep.include({address});
  });

  it('is hidden until it is checked, although nothing is to be asked', async () => {
    const browser = createTestBrowser();
    const world = createWorld();
    const page = await openSession({browser, world});
    let check: (results: readonly CheckResult[]) => void = () => undefined;
    world.check = () => new Promise(resolve => (check = resolve));
    world.place = () => {
      world.orders.set(ORDER_ID, anOrder({source: aLeg({swapId: address})}));
      return Promise.resolve({orderId: ORDER_ID, deposit: BY_TRANSFER});
    };
    await page.order();
    expect(readable(page)).not.to.include(address);
    check([{name: 'script', outcome: 'passed'}]);
    await settle();
    expect(shownIn(page.session)?.deal?.deposit).to.deep.include({address});
  });
});

function changeOrder(orders: Map<string, Order>, change: (order: Order) => Partial<Order>): void {
  const order = orders.get(ORDER_ID);
  if (order) orders.set(ORDER_ID, {...order, ...change(order)});
}
