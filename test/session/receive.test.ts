/** The amount to receive, set by a person or a page: the amount to pay is searched for it. */
import {expect} from '../support/expect.js';
import {formatAmount} from '../../src/domain/amount.js';
import {SwapError} from '../../src/domain/error.js';
import type {Quote, QuoteRequest} from '../../src/domain/quote.js';
import {valueOf} from '../../src/domain/remote.js';
import {later, createWorld, openSession, settle, type TestPage} from '../support/session.js';
import {aQuote, OTHER_WBTC, SOLVER, WBTC} from '../support/swap.js';

const draftOf = ({session}: TestPage) => session.$form.get().draft;
const problemOf = ({session}: TestPage) => session.$form.get().problem?.code;
const bestOf = ({session}: TestPage) => valueOf(session.$form.get().quote)?.offers[0].destination.amount ?? 0n;
const raisedOf = ({session}: TestPage) => {
  const raised = session.$form.get().raised;
  return raised && [raised.before, raised.now].map(amount => formatAmount(amount, WBTC.decimals));
};
const asked = ({world}: TestPage) => world.count('GET quote');

/** A service that charges a share and a fixed cost. */
function charging({world}: Pick<TestPage, 'world'>, {bps = 30n, cost = 0n} = {}) {
  world.quote = request => Promise.resolve([quoteOf(request, bps, cost)]);
}

function quoteOf(request: QuoteRequest, bps: bigint, cost: bigint, solver = 'solver-1'): Quote {
  const amount = (request.amount * (10_000n - bps)) / 10_000n - cost;
  if (amount <= 0n) throw new SwapError('amount-range');
  return aQuote(amount, solver, request);
}

async function reviewed() {
  const page = await openSession();
  charging(page);
  page.session.edit({receive: '0.0005'});
  await page.host.pass(300);
  await settle(page.session.review());
  return page;
}

describe('An amount to receive', () => {
  it('leads to the amount to pay with four prices at most, and none during typing', async () => {
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

  it('needs one price if it is near the last one', async () => {
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

  it('is kept for another asset, and becomes the amount to pay when the sides are swapped', async () => {
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

  it('ignores the response to the previous input', async () => {
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
    await settle(answer.keep(requests.map(request => quoteOf(request, 30n, 0n))));
    expect(draftOf(page)).to.include({amount: '', receive: '0.05'});
    await page.host.pass(300);
    expect(bestOf(page) >= 5_000_000n && bestOf(page) <= 5_005_000n).to.equal(true);
  });

  it('is the minimum in the review, and no order is placed for less', async () => {
    const page = await reviewed();
    expect(problemOf(page)).to.equal(undefined);
    expect(page.session.$form.get().agreement?.atLeast).to.equal(50_000n);
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
    await settle(page.session.review());
    expect(raisedOf(page)).to.equal(undefined);
    await page.session.placeOrder();
    await settle();
    expect(page.world.count('POST')).to.equal(1);
  });

  it('may cost more without a notice before the review, and a notice disappears with its amount, not with its fees', async () => {
    const [low, high] = [[], [{asset: 'base_sepolia:usdc', address: SOLVER, bps: 30} as const]];
    const page = await openSession({config: {affiliateFees: ({amount}) => (amount < 50_600n ? low : high)}});
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

  it('cannot be ordered for less during a new search', async () => {
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
    expect(page.session.$form.get().agreement).to.equal(undefined);
    await page.session.placeOrder();
    expect(page.world.count('POST')).to.equal(0);
  });

  it('is searched again if a new price yields less, or much more', async () => {
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

  it('is reached by the best of several offers, and an offer that yields less cannot be chosen', async () => {
    const page = await openSession();
    page.world.quote = request =>
      Promise.resolve([quoteOf(request, 100n, 0n, 'near'), quoteOf(request, 20n, 3_000n, 'far')]);
    page.session.edit({receive: '0.01'});
    await page.host.pass(300);
    expect(asked(page)).to.be.within(1, 4);
    expect(bestOf(page) >= 1_000_000n && bestOf(page) <= 1_001_000n).to.equal(true);
    page.session.choose('near');
    expect(page.session.$form.get().offer?.destination.amount).to.equal(bestOf(page));
    expect(problemOf(page)).not.to.equal('finding-amount');
  });

  it('without a price shows the last error, and is tried again', async () => {
    const page = await openSession();
    page.world.quote = () => Promise.reject(new SwapError('amount-range', {range: {min: 5_000_000n, max: 4_000_000n}}));
    page.session.edit({receive: '0.01'});
    await page.host.pass(300);
    expect(page.session.$form.get().quote).to.have.nested.property('error.code', 'amount-range');
    expect(draftOf(page).receive).to.equal('0.01');
    page.world.quote = () => Promise.reject(new SwapError('service'));
    page.session.edit({receive: '0.02'});
    await page.host.pass(300);
    expect(page.session.$form.get().quote).to.have.nested.property('error.code', 'service');
    charging(page);
    await page.host.pass(20_000);
    expect(bestOf(page) >= 2_000_000n && bestOf(page) <= 2_002_000n, String(bestOf(page))).to.equal(true);
  });

  it('can be set by a link or the page, and cannot be changed if it is locked', async () => {
    const world = createWorld();
    charging({world});
    const page = await openSession({world, config: {prefill: {receive: '0.01'}, locked: ['receive', 'amount']}});
    await page.host.pass(1_000);
    expect(bestOf(page) >= 1_000_000n && bestOf(page) <= 1_001_000n, String(bestOf(page))).to.equal(true);
    page.session.edit({amount: '5'});
    page.session.edit({receive: '7'});
    await page.host.pass(1_000);
    expect(draftOf(page).receive).to.equal('0.01');
    expect(bestOf(page) >= 1_000_000n && bestOf(page) <= 1_001_000n, String(bestOf(page))).to.equal(true);
  });

  it('set later by the page does not replace a typed amount to pay, unless it is locked', async () => {
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
