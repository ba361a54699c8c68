/** When an order is checked, and what a failed check does to it. */
import {expect} from '../../support/expect.js';
import {createCatalogue} from '../../../src/domain/catalogue.js';
import type {CheckResult} from '../../../src/domain/deposit.js';
import type {Order} from '../../../src/domain/order.js';
import {
  BY_TRANSACTION,
  createWorld,
  later,
  openAwaiting,
  openSession,
  paidOrder,
  settle,
  type TestPage,
} from '../../support/session.js';
import {entriesIn, shownIn} from '../../support/shown.js';
import {anOrder, catalogue, ORDER_ID, WBTC} from '../../support/swap.js';

const stageOf = ({session}: TestPage) => session.$stage.get();
const tell = ({world}: TestPage, order: Order) => world.orders.set(order.id, order);
const errorsOf = ({events}: TestPage) =>
  events.flatMap(event => (event.type === 'error' ? [`${event.error.code} ${event.error.field ?? ''}`.trim()] : []));
const failing = (): Promise<readonly CheckResult[]> => Promise.resolve([{name: 'amount', outcome: 'failed'}]);
/** The same order with less for the recipient. */
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

  it('is followed if a connected wallet paid it before', async () => {
    const page = await openAwaiting();
    await page.session.pay();
    expect(page.walletRequests()).to.deep.equal(['send sent']);
    page.world.check = failing;
    tell(page, changed(anOrder()));
    await page.host.pass(10_000);
    expect(entriesIn(page.session)[0]?.stage).to.equal('funding');
  });

  it('is no longer checked if it was paid from elsewhere: the change is reported, and it is followed', async () => {
    const page = await openAwaiting();
    page.world.depositState = () => Promise.resolve('seen');
    page.world.onChain = {amount: 50_000n, hashes: ['aa'], block: 7n, isHeld: true};
    tell(page, paidOrder());
    await page.host.pass(10_000);
    page.world.check = failing;
    tell(page, changed(paidOrder()));
    await page.host.pass(10_000);
    expect(errorsOf(page)).to.deep.equal(['order-changed']);
    expect(entriesIn(page.session)[0]?.stage).to.equal('settling');
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
});

describe('an order that was stopped', () => {
  it('shows the reason when it is reopened, and the page gets the error once', async () => {
    const world = createWorld(BY_TRANSACTION);
    world.check = failing;
    const page = await openSession({world});
    await page.order();
    page.session.reset();
    page.session.openOrder(ORDER_ID);
    await settle();
    expect(shownIn(page.session)?.report?.outcome).to.equal('failed');
    expect(errorsOf(page)).to.deep.equal(['deposit-mismatch amount']);
  });
});

describe('settings that change while an order is checked', () => {
  it('apply before the check counts', async () => {
    const world = createWorld(BY_TRANSACTION);
    world.wallet = () => Promise.reject(new Error('closed'));
    const contracts = {[WBTC.id]: [`0x${'1'.repeat(40)}`]};
    const last = createCatalogue({families: ['evm'], hints: [WBTC.id], contracts});
    const page = await openSession({
      world,
      gates: {beforeSign: () => new Promise(() => undefined)},
      config: {catalogue: last},
    });
    await page.order();
    const checked = later();
    world.check = async ({agreed: {from}}) => {
      await checked.promise;
      return [{name: 'contract', outcome: from.contracts[0] === contracts[WBTC.id]![0] ? 'passed' : 'failed'}];
    };
    const next = await page.reload({gates: {}, config: {catalogue}});
    next.session.configure({...next.config, catalogue: last});
    checked.keep();
    await settle();
    expect(stageOf(next)).to.equal('awaiting-deposit');
    expect(shownIn(next.session)?.report?.outcome).to.equal('passed');
  });
});
