/** The amount that is to arrive, where a person or a page says that: what has to be paid is found for it. */
import {expect} from '../support/expect.js';
import {formatAmount} from '../../src/domain/amount.js';
import {SwapError} from '../../src/domain/error.js';
import type {Quote, QuoteRequest} from '../../src/domain/quote.js';
import {valueOf} from '../../src/domain/remote.js';
import {later, openSession, settle, type TestPage} from '../support/session.js';
import {aQuote, OTHER_WBTC, WBTC} from '../support/swap.js';

const draftOf = ({session}: TestPage) => session.$draft.get();
const problemOf = ({session}: TestPage) => session.$price.get().problem?.code;
const bestOf = ({session}: TestPage) => valueOf(session.$price.get().quote)?.offers[0].destination.amount ?? 0n;
const raisedOf = ({session}: TestPage) => {
  const raised = session.$price.get().raised;
  return raised && [raised.before, raised.now].map(amount => formatAmount(amount, WBTC.decimals));
};
const asked = ({world}: TestPage) => world.count('GET quote');

/** A service that keeps part of what is paid, and a fixed cost. */
function charging(page: TestPage, {bps = 30n, cost = 0n} = {}) {
  page.world.quote = request => Promise.resolve([quoteOf(request, bps, cost)]);
}

function quoteOf(request: QuoteRequest, bps: bigint, cost: bigint, solver = 'solver-1'): Quote {
  const amount = (request.amount * (10_000n - bps)) / 10_000n - cost;
  if (amount <= 0n) throw new SwapError('amount-range');
  return aQuote(amount, solver, request);
}

/** A page with the review of what was typed as what is to arrive. */
async function reviewed() {
  const page = await openSession();
  charging(page);
  page.session.edit({receive: '0.0005'});
  await page.host.pass(300);
  page.session.review();
  await settle();
  return page;
}

describe('What is to arrive', () => {
  it('is typed, and what has to be paid follows, in four prices at most and none while it is typed', async () => {
    const page = await openSession();
    charging(page, {cost: 2_100n});
    for (const receive of ['0', '0.', '0.0', '0.01']) {
      page.session.edit({receive});
      await page.host.pass(100);
    }
    expect(asked(page)).to.equal(0);
    expect(problemOf(page)).to.equal('finding-amount');
    await page.host.pass(300);
    expect(asked(page)).to.be.within(1, 4);
    expect(bestOf(page) >= 1_000_000n && bestOf(page) <= 1_001_000n, String(bestOf(page))).to.equal(true);
    expect(draftOf(page)).to.include({receive: '0.01', amount: '0.01005618'});
    expect(problemOf(page)).not.to.equal('finding-amount');
    await page.host.pass(29_000);
    expect(asked(page)).to.be.within(1, 4);
  });

  it('is found at once near the last price', async () => {
    const page = await openSession();
    charging(page);
    page.session.edit({receive: '0.01'});
    await page.host.pass(300);
    const before = asked(page);
    page.session.edit({receive: '0.02'});
    await page.host.pass(300);
    expect(asked(page) - before).to.equal(1);
    expect(bestOf(page) >= 2_000_000n).to.equal(true);
  });

  it('gives way to what is typed as the amount, and the other way round', async () => {
    const page = await openSession();
    charging(page);
    page.session.edit({receive: '0.01'});
    await page.host.pass(300);
    page.session.edit({amount: '0.5'});
    expect(draftOf(page)).to.include({amount: '0.5', receive: ''});
    await page.host.pass(300);
    expect(bestOf(page)).to.equal(49_850_000n);
    page.session.edit({receive: '0.2'});
    expect(draftOf(page)).to.include({amount: '', receive: '0.2'});
    page.session.edit({receive: ''});
    await page.host.pass(300);
    expect(problemOf(page)).to.equal('enter-amount');
  });

  it('stays where another asset is chosen, and is what is paid where the sides are turned', async () => {
    const page = await openSession();
    charging(page);
    page.session.edit({receive: '0.01'});
    await page.host.pass(300);
    page.session.flip();
    expect(draftOf(page)).to.include({amount: '0.01', receive: ''});
    page.session.edit({receive: '0.03'});
    await page.host.pass(300);
    expect(bestOf(page) >= 3_000_000n).to.equal(true);
    page.session.edit({from: WBTC.id, to: OTHER_WBTC.id});
    expect(draftOf(page).receive).to.equal('0.03');
    await page.host.pass(0);
    expect(bestOf(page) >= 3_000_000n && bestOf(page) <= 3_003_000n).to.equal(true);
  });

  it('drops the answer to what was typed before', async () => {
    const page = await openSession();
    const answer = later<readonly Quote[]>();
    const requests: QuoteRequest[] = [];
    page.world.quote = request => {
      requests.push(request);
      return answer.promise;
    };
    page.session.edit({receive: '0.01'});
    await page.host.pass(300);
    charging(page);
    page.session.edit({receive: '0.05'});
    answer.keep(requests.map(request => quoteOf(request, 30n, 0n)));
    await settle();
    expect(draftOf(page)).to.include({amount: '', receive: '0.05'});
    await page.host.pass(300);
    expect(bestOf(page) >= 5_000_000n && bestOf(page) <= 5_005_000n).to.equal(true);
  });

  it('is what the review promises at least, and the order is not placed for less', async () => {
    const page = await reviewed();
    expect(problemOf(page)).to.equal(undefined);
    expect(page.session.$agreement.get().agreed?.atLeast).to.equal(50_000n);
    const before = draftOf(page).amount;
    charging(page, {bps: 90n});
    await page.session.placeOrder();
    await settle();
    expect(page.world.count('POST')).to.equal(0);
    await page.host.pass(300);
    expect(page.session.$view.get(), 'the new amount is read before it is agreed to').to.equal('form');
    expect(draftOf(page).amount > before).to.equal(true);
    expect(bestOf(page) >= 50_000n).to.equal(true);
    expect(raisedOf(page), 'it is said what changed').to.deep.equal([before, draftOf(page).amount]);
    page.session.review();
    await settle();
    expect(raisedOf(page)).to.equal(undefined);
    await page.session.placeOrder();
    await settle();
    expect(page.world.count('POST')).to.equal(1);
  });

  it('costs more without a word where it was not in the review, and the word goes with the amount it is about', async () => {
    const page = await openSession();
    charging(page);
    page.session.edit({receive: '0.0005'});
    await page.host.pass(300);
    charging(page, {bps: 90n});
    await page.host.pass(40_000);
    expect(bestOf(page) >= 50_000n).to.equal(true);
    expect(raisedOf(page)).to.equal(undefined);
    page.session.review();
    charging(page, {bps: 150n});
    await page.host.pass(40_000);
    expect(page.session.$view.get()).to.equal('form');
    expect(raisedOf(page)).not.to.equal(undefined);
    page.session.edit({receive: '0.0006'});
    expect(raisedOf(page)).to.equal(undefined);
  });

  it('is not agreed to for less while another amount is looked for', async () => {
    const page = await reviewed();
    let isFirst = true;
    page.world.quote = request => {
      const answer = isFirst ? Promise.resolve([quoteOf(request, 90n, 0n)]) : new Promise<readonly Quote[]>(() => {});
      isFirst = false;
      return answer;
    };
    await page.session.placeOrder();
    await settle();
    expect(bestOf(page) < 50_000n).to.equal(true);
    expect(page.session.$agreement.get().agreed).to.equal(undefined);
    await page.session.placeOrder();
    expect(page.world.count('POST')).to.equal(0);
  });

  it('is looked for again where a price that is asked for again brings less, or much more', async () => {
    const page = await openSession();
    charging(page);
    page.session.edit({receive: '0.01'});
    await page.host.pass(300);
    for (const bps of [60n, 10n]) {
      charging(page, {bps});
      await page.host.pass(31_000);
      expect(bestOf(page) >= 1_000_000n && bestOf(page) <= 1_001_000n, String(bestOf(page))).to.equal(true);
    }
  });

  it('is brought by the best of several offers, and by no other that would bring less', async () => {
    const page = await openSession();
    page.world.quote = request =>
      Promise.resolve([quoteOf(request, 100n, 0n, 'near'), quoteOf(request, 20n, 3_000n, 'far')]);
    page.session.edit({receive: '0.01'});
    await page.host.pass(300);
    expect(asked(page)).to.be.within(1, 4);
    expect(bestOf(page) >= 1_000_000n && bestOf(page) <= 1_001_000n).to.equal(true);
    page.session.choose('near');
    expect(page.session.$price.get().offer?.destination.amount).to.equal(bestOf(page));
    expect(problemOf(page)).not.to.equal('finding-amount');
  });

  it('says what is wrong with a text that is none, at its own field', async () => {
    const page = await openSession();
    for (const [receive, code] of [
      ['x', 'not-a-number'],
      ['0.000000001', 'too-many-decimals'],
      ['0', 'enter-amount'],
    ] as const) {
      page.session.edit({receive});
      await page.host.pass(1_000);
      expect(page.session.$price.get().problem).to.include({code, field: 'receive'});
    }
    expect(asked(page)).to.equal(0);
  });

  it('that the service has no price for says why, of the amount that was asked for last, and is tried again', async () => {
    const page = await openSession();
    page.world.quote = () => Promise.reject(new SwapError('amount-range', {range: {min: 5_000_000n, max: 4_000_000n}}));
    page.session.edit({receive: '0.01'});
    await page.host.pass(300);
    expect(page.session.$price.get().quote).to.have.nested.property('error.code', 'amount-range');
    expect(draftOf(page).receive).to.equal('0.01');
    page.world.quote = () => Promise.reject(new SwapError('service'));
    page.session.edit({receive: '0.02'});
    await page.host.pass(300);
    expect(page.session.$price.get().quote).to.have.nested.property('error.code', 'service');
    charging(page);
    await page.host.pass(20_000);
    expect(bestOf(page) >= 2_000_000n && bestOf(page) <= 2_002_000n, String(bestOf(page))).to.equal(true);
  });

  it('is what a link or the page says, and stays where it is locked', async () => {
    const page = await openSession({config: {prefill: {receive: '0.01'}, locked: ['receive', 'amount']}});
    charging(page);
    await page.host.pass(1_000);
    expect(bestOf(page) >= 1_000_000n && bestOf(page) <= 1_001_000n, String(bestOf(page))).to.equal(true);
    page.session.edit({amount: '5'});
    page.session.edit({receive: '7'});
    await page.host.pass(1_000);
    expect(draftOf(page).receive).to.equal('0.01');
    expect(bestOf(page) >= 1_000_000n && bestOf(page) <= 1_001_000n, String(bestOf(page))).to.equal(true);
  });

  it('gives way to an amount that was typed, where the page fills it in later, unless the page locks it', async () => {
    const page = await openSession();
    charging(page);
    page.session.edit({amount: '0.5'});
    page.session.configure({...page.config, prefill: {receive: '0.01'}});
    expect(draftOf(page)).to.include({amount: '0.5', receive: ''});
    page.session.configure({...page.config, prefill: {receive: '0.01'}, locked: ['receive', 'amount']});
    expect(draftOf(page)).to.include({amount: '', receive: '0.01'});
    await page.host.pass(1_000);
    const {amount} = draftOf(page);
    const before = asked(page);
    page.session.configure({
      ...page.config,
      prefill: {receive: '0.01'},
      locked: ['receive', 'amount'],
      affiliateFees: [],
    });
    await page.host.pass(1_000);
    expect(draftOf(page), 'what was found stays').to.include({amount, receive: '0.01'});
    expect(asked(page)).to.equal(before);
  });
});
