import {expect} from '../../support/expect.js';
import type {ChargedFee} from '../../../src/domain/order.js';
import {completeOrder, createWorld, openSession, paidOrder, type TestPage, type World} from '../../support/session.js';
import {anOrder, ORDER_ID, PAYER, SOLVER} from '../../support/swap.js';

const FEES = [
  {asset: 'base_sepolia:usdc', address: PAYER, bps: 10},
  {asset: 'ethereum_sepolia:usdc', address: SOLVER, bps: 20},
] as const;
const [FIRST, SECOND] = FEES;

function charging(affiliateFees: readonly ChargedFee[] | undefined): World {
  const world = createWorld();
  const {read} = world;
  world.read = async (orderId, signal) => {
    const {affiliateFees: _none, ...order} = await read(orderId, signal);
    return affiliateFees ? {...order, affiliateFees} : order;
  };
  return world;
}

const faults = ({events}: TestPage) =>
  events.flatMap(event => (event.type === 'error' ? [`${event.error.code} ${event.orderId ?? ''}`] : []));
const open = (world: World, affiliateFees: readonly (typeof FEES)[number][] = FEES) =>
  openSession({world, config: {affiliateFees}});

describe('The fees of an order', () => {
  const broken: readonly [what: string, charged: readonly ChargedFee[]][] = [
    ['drops them', []],
    ['redirects one', [FIRST, {...SECOND, address: PAYER}]],
  ];
  for (const [what, charged] of broken) {
    it(`are reported once if the service ${what}, and the swap continues`, async () => {
      const page = await open(charging(charged));
      await page.order();
      expect(faults(page)).to.deep.equal([`fees-changed ${ORDER_ID}`]);
      expect(page.world.count('wallet sign')).to.equal(1);

      page.world.orders.set(ORDER_ID, paidOrder());
      await page.host.pass(60_000);
      page.world.orders.set(ORDER_ID, completeOrder());
      await page.host.pass(60_000);
      expect(page.session.$stage.get()).to.equal('complete');
      expect(faults(page)).to.have.length(1);

      const again = await page.reload();
      await again.host.pass(60_000);
      expect(faults(again)).to.deep.equal([]);
    });
  }

  it('are reported with both sides and the differing field', async () => {
    const page = await open(charging([FIRST, {...SECOND, address: PAYER}]));
    await page.order();
    const told = page.events.find(({type}) => type === 'error');
    if (told?.type !== 'error') return expect.fail('Nothing was told.');
    expect(told.error.field).to.equal('affiliate_fees');
    expect(told.error.detail).to.equal(
      `sent: base_sepolia:usdc ${PAYER} 10, ethereum_sepolia:usdc ${SOLVER} 20; ` +
        `charged: base_sepolia:usdc ${PAYER} 10, ethereum_sepolia:usdc ${PAYER} 20`,
    );
  });

  const kept: readonly [what: string, charged: readonly ChargedFee[] | undefined][] = [
    ['keeps them', [{...FIRST, amount: 5n}, SECOND]],
    [
      'formats them differently',
      [
        {...SECOND, address: SOLVER.toLowerCase()},
        {...FIRST, asset: 'BASE_SEPOLIA:usdc'},
      ],
    ],
    ['does not report them', undefined],
  ];
  for (const [what, charged] of kept) {
    it(`are not reported if the service ${what}`, async () => {
      const page = await open(charging(charged));
      await page.order();
      await page.host.pass(60_000);
      expect(faults(page)).to.deep.equal([]);
    });
  }

  it('are not reported on an order of another browser', async () => {
    const world = charging([FIRST]);
    world.orders.set(ORDER_ID, anOrder());
    const page = await open(world);
    page.session.openOrder(ORDER_ID);
    await page.host.pass(60_000);
    expect(faults(page)).to.deep.equal([]);
  });

  it('reach the page with the amounts that the service withholds, also at the end', async () => {
    const page = await open(charging([{...FIRST, amount: 65_124n}, SECOND]));
    await page.order();
    page.world.orders.set(ORDER_ID, completeOrder());
    await page.host.pass(60_000);
    const end = page.events.find(({type}) => type === 'complete');
    if (end?.type !== 'complete') return expect.fail('It never was complete.');
    expect(end.order.affiliateFees?.map(({amount}) => amount)).to.deep.equal([65_124n, undefined]);
  });
});
