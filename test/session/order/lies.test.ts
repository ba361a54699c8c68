/** What a lying service can make the widget say: nothing against the chain, and nothing that ends a right. */
import {expect} from '../../support/expect.js';
import {createCatalogue} from '../../../src/domain/catalogue.js';
import {SwapError} from '../../../src/domain/error.js';
import {
  bearOut,
  BY_TRANSFER,
  completeOrder,
  createTestBrowser,
  createWorld,
  HASH,
  moneyRequests,
  openSession,
  orderKey,
  paidOrder,
  settle,
  type TestPage,
  ordered,
  answeredLater,
  describeAs,
  openHeld,
  byTransaction,
} from '../../support/session.js';
import {entriesIn, fundingIn, stageOf, tell} from '../../support/shown.js';
import {MINUTE, ORDER_ID} from '../../support/swap.js';

const ends = (page: TestPage) => page.events.filter(({type}) => type === 'complete' || type === 'refund');

describe('a lie in one response', () => {
  for (const [what, read] of [
    ['fails', () => Promise.reject(new Error('429'))],
    ['takes six seconds', ({host}: TestPage) => new Promise<object>(done => host.after(6_000, () => done({})))],
  ] as const) {
    for (const place of ['screen', 'list'] as const) {
      it(`during a chain read that ${what} does not remain on the ${place}`, async () => {
        const page = await openHeld();
        let isFirst = true;
        page.world.payout = () => {
          const answer = isFirst ? read(page) : Promise.resolve({});
          isFirst = false;
          return answer;
        };
        if (place === 'list') page.session.reset();
        tell(page, completeOrder());
        await page.host.pass(10 * MINUTE);
        expect(entriesIn(page.session)[0]?.stage).to.equal('settling');
        expect(ends(page)).to.deep.equal([]);
        tell(page, paidOrder());
        const next = await page.reload();
        await next.host.pass(MINUTE);
        expect(entriesIn(next.session)[0]?.stage).to.equal('settling');
      });
    }
  }
});

describe('a transaction that succeeded and paid nothing', () => {
  it('leads to the question again once no node can lag that far, and the order can be paid again', async () => {
    const page = await openSession({world: byTransaction()});
    page.world.depositState = hash => Promise.resolve(hash === undefined ? 'none' : 'empty');
    await page.order();
    await page.host.pass(30_000);
    expect(stageOf(page)).to.equal('funding');
    expect(fundingIn(page.session).error).to.equal(undefined);
    await page.host.pass(MINUTE);
    expect(stageOf(page)).to.equal('awaiting-deposit');
    expect(fundingIn(page.session).error).to.include({code: 'funding-reverted', field: 'empty', detail: HASH});
    expect(page.told().filter(kind => kind === 'error funding-reverted')).to.have.length(1);
    await page.session.pay();
    expect(moneyRequests(page)).to.deep.equal(['POST', 'wallet send', 'wallet send']);
  });
});

describe('an end', () => {
  it('is reported once per order and browser; another page marks it as repeated', async () => {
    const browser = createTestBrowser();
    const page = await openHeld(undefined, browser);
    bearOut(page.world);
    const other = await openSession({browser, world: page.world, bare: true});
    other.session.reset();
    tell(page, completeOrder());
    await page.host.pass(10_000);
    await other.host.pass(40_000);
    other.session.openOrder(ORDER_ID);
    await other.host.pass(10_000);
    const told = [...ends(page), ...ends(other)];
    expect(told.filter(event => !('again' in event))).to.have.length(1);
    expect(told[0]).to.include({witness: 'chain'});
  });
});

describe('a browser', () => {
  it('stores little of an order, however many fees its service invents', async () => {
    const browser = createTestBrowser();
    const world = createWorld();
    const fees = Array.from({length: 300}, (_, at) => ({
      asset: `base:${'x'.repeat(60)}${String(at)}` as const,
      address: 'y'.repeat(250),
      bps: 9_999,
    }));
    describeAs(world, order => ({...order, affiliateFees: fees}));
    const page = await ordered({world, browser});
    await page.host.pass(3_000);
    expect(browser.storage!.getItem(orderKey())!.length).to.be.below(16_000);
  });

  it('without Web Locks pays an order once, though two tabs are clicked at the same moment', async () => {
    const catalogue = createCatalogue({families: ['evm', 'bitcoin'], hints: ['bitcoin_testnet:btc']});
    const world = createWorld(BY_TRANSFER);
    const browser = createTestBrowser();
    const locks = {get: () => undefined, set: () => locks} as unknown as Map<string, Promise<unknown>>;
    const options = {world, browser: {...browser, locks}, config: {catalogue}};
    const page = await openSession(options);
    page.session.edit({from: 'bitcoin_testnet:btc', to: 'base_sepolia:wbtc', refundAddress: 'tb1qown'});
    await settle(undefined, 40);
    await page.order();
    const tab = await openSession({...options, bare: true});
    await settle(undefined, 60);
    const wallet = {
      ...world.knownWallet,
      family: 'bitcoin' as const,
      connect: () =>
        Promise.resolve({family: 'bitcoin' as const, address: 'tb1qown', wallet: world.knownWallet, watch() {}}),
    };
    for (const {session} of [page, tab]) await session.connect(wallet);
    await settle(undefined, 40);
    const answer = answeredLater(world, 'wallet');
    const pressed = [page.session.pay(), tab.session.pay()];
    await settle(undefined, 60);
    answer.keep();
    await Promise.all(pressed);
    expect(moneyRequests(page).filter(what => what === 'wallet send')).to.have.length(1);
  });

  it('reads orders that are not shown one after the other, however slow their service is', async () => {
    const browser = createTestBrowser();
    const first = await openSession({browser});
    await first.order();
    const text = browser.storage!.getItem(orderKey())!;
    first.remove();
    for (let at = 1; at < 20; at++) {
      const id = String(at).padStart(64, 'c');
      browser.storage!.setItem(orderKey(id), text.replaceAll(ORDER_ID, id));
    }
    const page = await openSession({browser, bare: true});
    let [now, most, all] = [0, 0, 0];
    page.world.read = () =>
      new Promise((_, reject) => {
        now += 1;
        all += 1;
        most = Math.max(most, now);
        page.host.after(31_000, () => {
          now -= 1;
          reject(new SwapError('timeout'));
        });
      });
    page.session.reset();
    await page.host.pass(38 * MINUTE);
    expect(most).to.equal(1);
    expect(all).to.be.below(80);
  });
});
