/** What is read from the chains about an order's money: by its terms, its stored data, and its service's reports. */
import {expect} from '../../support/expect.js';
import type {ChainAdapter} from '../../../src/chains/adapter.js';
import {SwapError} from '../../../src/domain/error.js';
import type {DepositOnChain, PayoutOnChain} from '../../../src/domain/evidence.js';
import type {Order} from '../../../src/domain/order.js';
import {
  BY_TRANSACTION,
  completeOrder,
  DEPOSIT,
  HASH,
  later,
  openSession,
  paidOrder,
  describeAs,
  byTransaction,
} from '../../support/session.js';
import {storyIn, stageOf, tell} from '../../support/shown.js';
import {aLeg, anOrder, NOON, OTHER_WBTC, PAYER, SOLVER, MINUTE, HOUR} from '../../support/swap.js';

const STRANGER = 'c'.repeat(64);

const HELD: DepositOnChain = {state: 'seen', amount: 50_000n, block: 100n, isHeld: true, isRefundOpen: false};
const GONE: DepositOnChain = {...HELD, isHeld: false};
const backBy = (hash: string): DepositOnChain => ({
  ...GONE,
  end: {how: 'refunded', amount: 50_000n, hashes: [hash], block: 109n},
});
const PAYOUT: PayoutOnChain = {amount: 49_850n, loose: 0n, earlier: 0n, hashes: ['0xdd'], block: 7n};
const ANOTHERS: PayoutOnChain = {amount: 0n, loose: 0n, earlier: 49_850n, hashes: []};
type Chains = Pick<ChainAdapter, 'readDeposit' | 'readPayout' | 'depositsOf'>;

async function open(change: Partial<Chains> = {}) {
  const world = byTransaction();
  const chains: Chains = {
    readDeposit: () => Promise.resolve(HELD),
    readPayout: () => Promise.resolve(undefined),
    depositsOf: () => [],
    ...change,
  };
  world.adapter.readDeposit = (...asked) => chains.readDeposit(...asked);
  world.adapter.readPayout = (...asked) => chains.readPayout(...asked);
  world.adapter.depositsOf = (...asked) => chains.depositsOf(...asked);
  return {page: await openSession({world}), chains};
}

/** An order paid by the wallet's own transaction, and held by its contract. */
async function paid() {
  const {page, chains} = await open();
  await page.order();
  await page.host.pass(10_000);
  return {page, chains};
}

async function opened(order: Order, change: Partial<Chains>) {
  const {page} = await open(change);
  tell(page, order);
  page.session.openOrder(STRANGER);
  await page.host.pass(5_000);
  return page;
}

describe('a payment into an order', () => {
  it('is found after a reload from stored data, with the service gone', async () => {
    const {page, chains} = await paid();
    chains.readDeposit = ({order}) => Promise.resolve(order?.source.secretHash ? HELD : {state: 'unknown'});
    page.world.read = () => Promise.reject(new SwapError('timeout'));
    const next = await page.reload();
    await next.host.pass(10_000);
    expect(storyIn(next.session)?.paidIn).to.include({certainty: 'proved', amount: 50_000n});
  });

  it('made by another transaction, such as a sped-up one, has the hash that its chain shows', async () => {
    const {page, chains} = await paid();
    chains.readDeposit = () => Promise.resolve({...HELD, hashes: ['0xbb']});
    await page.host.pass(MINUTE);
    expect(storyIn(page.session)?.order?.source.initiated?.hashes).to.deep.equal(['0xbb']);
  });

  it('is denied by one RPC alone only until anything showed it', async () => {
    const asked: (boolean | undefined)[] = [];
    const none = {state: 'none'} as const;
    const readDeposit: Chains['readDeposit'] = (_deal, {mustShow}) => Promise.resolve((asked.push(mustShow), none));
    const {page, chains} = await open({readDeposit});
    await page.order();
    await page.host.pass(10_000);
    expect(new Set(asked)).to.deep.equal(new Set([false]));
    chains.readDeposit = () => Promise.resolve(HELD);
    await page.host.pass(MINUTE);
    page.world.read = () => Promise.reject(new SwapError('timeout'));
    asked.length = 0;
    const next = await page.reload();
    chains.readDeposit = readDeposit;
    await next.host.pass(10_000);
    expect(asked.at(-1)).to.equal(true);
  });

  it('is refunded by the transaction that the wallet sent, with the service gone', async () => {
    const {page, chains} = await paid();
    chains.readDeposit = () => Promise.resolve({...HELD, isRefundOpen: true});
    await page.host.pass(MINUTE);
    await page.session.refund();
    page.world.read = () => Promise.reject(new SwapError('timeout'));
    chains.readDeposit = (_deal, {ends = []}) => Promise.resolve(ends.includes(HASH) ? backBy(HASH) : GONE);
    await page.host.pass(MINUTE);
    expect(stageOf(page)).to.equal('refunded');
  });

  it('is refunded, as its chain shows, by the transaction that the service reports', async () => {
    const {page, chains} = await paid();
    chains.readDeposit = (_deal, {ends = []}) => Promise.resolve(ends.includes('0xee') ? backBy('0xee') : GONE);
    tell(page, anOrder({source: {...paidOrder().source, refunded: {hashes: ['0xee'], block: 9n}}}));
    await page.host.pass(MINUTE);
    expect(storyIn(page.session)).to.include({stage: 'refunded', witness: 'chain'});
  });
});

describe('a payment to the recipient', () => {
  const {source, destination} = completeOrder();
  const other = 'f'.repeat(64);
  type Asked = Parameters<Chains['readPayout']>;
  for (const [what, change, isAsAgreed] of [
    [
      'another recipient',
      {destination: {...destination, redeemer: SOLVER}},
      (_asset: Asked[0], recipient: Asked[1]) => recipient === PAYER,
    ],
    [
      'another asset',
      {destination: {...destination, asset: 'base_sepolia:usdc'}},
      ({id}: Asked[0]) => id === OTHER_WBTC.id,
    ],
    [
      'another secret',
      {source: {...source, secretHash: other}, destination: {...destination, secretHash: other}},
      (...[, , , {secretHash}]: Asked) => secretHash === source.secretHash,
    ],
    [
      'another swap',
      {destination: {...destination, swapId: 'another', initiator: PAYER, timelock: 1, amount: 1n}},
      (...[, , , {leg}]: Asked) =>
        [leg?.swapId, leg?.initiator, leg?.timelock, leg?.amount].join() ===
        [destination.swapId, destination.initiator, destination.timelock, destination.amount].join(),
    ],
    ['an earlier date', {createdAt: 0}, (...[, , , {since = 0}]: Asked) => since > NOON - 24 * HOUR],
  ] as const satisfies readonly (readonly [string, Partial<Order>, (...asked: Asked) => boolean])[]) {
    it(`is looked up as agreed, though the service now reports ${what}`, async () => {
      const {page, chains} = await paid();
      chains.readPayout = (...asked) => Promise.resolve(isAsAgreed(...asked) ? PAYOUT : ANOTHERS);
      tell(page, {...completeOrder(), ...change});
      await page.host.pass(MINUTE);
      expect(storyIn(page.session)).to.include({stage: 'complete', witness: 'chain'});
    });
  }

  describe('is dated by one clock:', () => {
    /** A swap whose browser's clock is this far ahead. Its service and its chains have the true time. */
    const openAhead = async (
      ahead: number,
      {height, created = 0, isDated}: {height?: bigint; created?: number; isDated?: boolean} = {},
    ) => {
      const {page, chains} = await open();
      page.host.setClock(ahead);
      page.world.height = () => Promise.resolve(height);
      if (isDated) page.world.date = () => page.host.now() - ahead;
      describeAs(page.world, () => anOrder({createdAt: NOON + created}));
      await page.order();
      await page.host.pass(10_000);
      return {
        page,
        /** What is said once the service names a payout in this block, of this true time. */
        async saidOf(block: bigint, at: number, where = page) {
          chains.readPayout = (...[, , , {after, since = 0}]) =>
            Promise.resolve((after === undefined ? at < since : block <= after) ? ANOTHERS : {...PAYOUT, block});
          tell(page, {...completeOrder(), createdAt: NOON + created});
          await where.host.pass(MINUTE);
          const {stage, paidOut} = storyIn(where.session)!;
          return `${stage} ${paidOut.certainty}`;
        },
      };
    };
    const CLOCKS = {
      'three hours ahead': 3 * HOUR,
      'nine hours ahead': 9 * HOUR,
      'seven hours behind': -7 * HOUR,
      'in 1970': 60_000 - NOON,
    };
    for (const [clock, ahead] of Object.entries(CLOCKS)) {
      it(`a payout counts, though the browser’s clock is ${clock}`, async () => {
        const {saidOf} = await openAhead(ahead, {height: 100n});
        expect(await saidOf(101n, NOON + MINUTE)).to.equal('complete proved');
      });

      it(`an earlier one does not, though the browser’s clock is ${clock}`, async () => {
        const {saidOf} = await openAhead(ahead, {height: 100n});
        expect(await saidOf(100n, NOON - MINUTE)).to.equal('settling denied');
      });
    }

    it('a payout counts on Bitcoin, though its block’s time is two hours before the order', async () => {
      const {saidOf} = await openAhead(0, {height: 100n});
      expect(await saidOf(101n, NOON - 3 * HOUR)).to.equal('complete proved');
    });

    it('that clock is the chain’s after a reload, too', async () => {
      const {page, saidOf} = await openAhead(9 * HOUR, {height: 100n});
      page.host.setClock(-9 * HOUR);
      expect(await saidOf(101n, NOON + MINUTE, await page.reload())).to.equal('complete proved');
    });

    it('without a height, it is the later of what the service and the browser say, less two hours', async () => {
      for (const [created, at, said] of [
        [0, -HOUR, 'complete proved'],
        [0, -3 * HOUR, 'settling denied'],
        [-24 * HOUR, -3 * HOUR, 'settling denied'],
        [HOUR, -HOUR - MINUTE, 'settling denied'],
        [HOUR, MINUTE, 'complete proved'],
      ] as const) {
        const {saidOf} = await openAhead(0, {created});
        expect(await saidOf(101n, NOON + at), `${String(created)} ${String(at)}`).to.equal(said);
      }
    });

    it('without a height, a browser’s clock that is nine hours ahead is corrected by the date of responses', async () => {
      const {saidOf} = await openAhead(9 * HOUR, {isDated: true});
      expect(await saidOf(101n, NOON + MINUTE)).to.equal('complete proved');
      const {saidOf: ofOld} = await openAhead(9 * HOUR, {isDated: true});
      expect(await ofOld(101n, NOON - 3 * HOUR)).to.equal('settling denied');
    });

    it('without a height, a browser’s clock that is far ahead of the service’s is corrected by the chain’s own time', async () => {
      for (const ahead of [3 * HOUR, 9 * HOUR]) {
        for (const [at, said] of [
          [NOON + MINUTE, 'complete proved'],
          [NOON - HOUR, 'complete proved'],
          [NOON - 3 * HOUR, 'settling denied'],
        ] as const) {
          const {page, saidOf} = await openAhead(ahead);
          page.world.chainTime = () => Promise.resolve(page.host.now() - ahead);
          expect(await saidOf(101n, at), `${String(ahead)} ${String(at)}`).to.equal(said);
        }
      }
    });

    it('that time bounds what a service dates back, and a clock that was set right before a reload', async () => {
      const {page, saidOf} = await openAhead(0, {created: -24 * HOUR});
      page.world.chainTime = () => Promise.resolve(page.host.now());
      expect(await saidOf(101n, NOON - 23 * HOUR)).to.equal('settling denied');
      const ahead = await openAhead(3 * HOUR);
      ahead.page.world.chainTime = () => Promise.resolve(NOON + MINUTE);
      ahead.page.host.setClock(-3 * HOUR);
      expect(await ahead.saidOf(101n, NOON + MINUTE, await ahead.page.reload())).to.equal('complete proved');
    });

    it('a service’s time that is hours in the future is not believed', async () => {
      const {saidOf} = await openAhead(0, {created: 9 * HOUR});
      expect(await saidOf(101n, NOON + MINUTE)).to.equal('complete proved');
      const {saidOf: ofOld} = await openAhead(0, {created: 9 * HOUR});
      expect(await ofOld(101n, NOON - 3 * HOUR)).to.equal('settling denied');
    });

    it('the height does not delay the order, and one that arrives once it can be paid does not count', async () => {
      const height = later<bigint>();
      const {page, chains} = await open();
      page.world.height = () => height.promise;
      await page.order();
      expect(page.world.count('wallet sign') + page.world.count('wallet send')).to.equal(1);
      height.keep(200n);
      await page.host.pass(10_000);
      chains.readPayout = (...[, , , {after}]) => Promise.resolve(after === undefined ? PAYOUT : ANOTHERS);
      tell(page, completeOrder());
      await page.host.pass(MINUTE);
      expect(stageOf(page)).to.equal('complete');
    });

    it('a chain that cannot be read delays nothing', async () => {
      const {page} = await open();
      page.world.height = () => Promise.reject(new Error('the code did not load'));
      await page.order();
      expect(page.world.count('wallet sign') + page.world.count('wallet send')).to.equal(1);
    });
  });
});

describe('an order from elsewhere', () => {
  it('is complete through a later payment with its own secret', async () => {
    const {secretHash: own} = aLeg();
    const page = await opened(completeOrder(STRANGER), {
      readPayout: (_asset, _recipient, _hashes, {secretHash, leg, since = 0}) =>
        Promise.resolve(secretHash === own && leg?.swapId && since > NOON - 24 * HOUR ? PAYOUT : ANOTHERS),
    });
    expect(storyIn(page.session)).to.include({stage: 'complete', witness: 'chain'});
  });

  it('is found in any contract that its terms allow', async () => {
    const page = await opened(paidOrder(STRANGER), {
      depositsOf: () => [DEPOSIT, BY_TRANSACTION],
      readDeposit: ({deposit}) => Promise.resolve(deposit === BY_TRANSACTION ? HELD : {state: 'none'}),
    });
    expect(storyIn(page.session)?.paidIn.certainty).to.equal('proved');
  });

  it('is the service’s word if none of those contracts holds it: another one may', async () => {
    const page = await opened(paidOrder(STRANGER), {
      depositsOf: () => [DEPOSIT],
      readDeposit: () => Promise.resolve({state: 'none'}),
    });
    expect(storyIn(page.session)?.paidIn.certainty).to.equal('told');
  });

  it('is refunded, as its chain shows, though the service reports no payment', async () => {
    const page = await opened(anOrder({id: STRANGER, source: aLeg({refunded: {hashes: ['0xee'], block: 9n}})}), {
      depositsOf: () => [DEPOSIT],
      readDeposit: (_deal, {ends = []}) => Promise.resolve(ends.includes('0xee') ? backBy('0xee') : GONE),
    });
    expect(storyIn(page.session)).to.include({stage: 'refunded', witness: 'chain'});
  });

  it('is refunding once its timelock has expired, and offers no refund button', async () => {
    const {source, ...order} = paidOrder(STRANGER);
    const at = NOON - 5 * HOUR;
    const paidLongAgo = {...order, createdAt: at, source: {...source, initiated: {...source.initiated!, at}}};
    const page = await opened(paidLongAgo, {
      depositsOf: () => [DEPOSIT],
      readDeposit: () => Promise.resolve({...HELD, isRefundOpen: true}),
    });
    expect(storyIn(page.session)).to.include({stage: 'refunding', refund: 'none'});
  });

  it('causes no chain reads while the service reports no payment', async () => {
    let questions = 0;
    const page = await opened(anOrder({id: STRANGER}), {
      depositsOf: () => [DEPOSIT],
      readDeposit: () => {
        questions += 1;
        return Promise.resolve({state: 'none'});
      },
    });
    await page.host.pass(MINUTE);
    expect(stageOf(page)).to.equal('awaiting-deposit');
    expect(questions).to.equal(0);
  });
});
