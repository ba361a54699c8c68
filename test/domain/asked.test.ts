import {expect} from '../support/expect.js';
import {findAmount, goalOf, isClose} from '../../src/domain/asked.js';
import {SwapError} from '../../src/domain/error.js';

/** A service with a price, a fixed cost and a range. It counts the requests. */
function service({price = [3n, 2n] as readonly [bigint, bigint], cost = 0n, max = 10n ** 30n, named = true} = {}) {
  const asked: bigint[] = [];
  const receive = (amount: bigint): Promise<bigint> => {
    asked.push(amount);
    if (amount > max) {
      return Promise.reject(new SwapError('amount-range', named ? {range: {min: 1n, max}} : {}));
    }
    const got = (amount * price[0]) / price[1] - cost;
    return got > 0n ? Promise.resolve(got) : Promise.reject(new SwapError('amount-range'));
  };
  return {asked, receive};
}

describe('The amount to pay for a requested payment', () => {
  for (const [name, settings] of [
    ['in proportion', {}],
    ['with a fixed cost', {cost: 4_321n}],
    ['at a price far from one', {price: [1n, 65_000n] as const}],
    ['if the first amount is too high', {max: 40_000_000n}],
    ['if the service does not say how high it may be', {max: 40_000_000n, named: false}],
  ] as const) {
    it(`is found with a few prices: ${name}`, async () => {
      const {asked, receive} = service(settings);
      const amount = await findAmount(1_000_000n, 10n ** 10n, receive);
      const got = await receive(amount);
      expect(got >= 1_000_000n && got <= 1_001_000n, String(got)).to.equal(true);
      expect(asked.length).to.be.below(8);
    });
  }

  it('leaves room for the price to fall by the tolerance, and none without one', () => {
    expect(goalOf(1_000_000n, 0)).to.equal(1_000_000n);
    const goal = goalOf(1_000_000n, 50);
    expect(goal - (goal * 50n) / 10_000n >= 1_000_000n).to.equal(true);
  });

  it('is not searched for above the balance if the service offers next to nothing', async () => {
    const asked: bigint[] = [];
    const end = await findAmount(10n ** 30n, 10n ** 18n, amount => {
      asked.push(amount);
      return Promise.resolve(1n);
    }).catch((reason: unknown) => (reason as SwapError).code);
    expect(end).to.equal('no-quote');
    expect(asked).to.have.length(1);
  });

  it('is close to the goal if it is that, or more by a thousandth at most', () => {
    const offers = [9_999n, 10_000n, 10_010n, 10_011n];
    expect(offers.filter(offer => isClose(offer, 10_000n))).to.deep.equal([10_000n, 10_010n]);
  });

  it('is exact if one unit less is too little', async () => {
    const asked: bigint[] = [];
    const amount = await findAmount(1_000n, 4n, some => {
      asked.push(some);
      return Promise.resolve(some * 300n);
    });
    expect(amount).to.equal(4n);
    expect(asked.length).to.be.at.most(4);
  });

  it('is found in four prices if the offer grows ever more slowly', async () => {
    for (const depth of [10n ** 9n, 10n ** 8n, 3n * 10n ** 7n]) {
      const asked: bigint[] = [];
      const receive = (amount: bigint) => {
        asked.push(amount);
        return Promise.resolve((amount * depth) / (amount + depth));
      };
      const amount = await findAmount(1_000_000n, 10n ** 6n, receive);
      const got = (amount * depth) / (amount + depth);
      expect(got >= 1_000_000n && got <= 1_001_000n, String(got)).to.equal(true);
      expect(asked.length).to.be.at.most(4);
    }
  });

  it('is given up after four prices if no amount yields enough', async () => {
    const asked: bigint[] = [];
    const end = await findAmount(1_000_000n, 10n ** 6n, amount => {
      asked.push(amount);
      return Promise.resolve((amount * 900_000n) / (amount + 900_000n));
    }).catch((reason: unknown) => (reason as SwapError).code);
    expect(end).to.equal('no-quote');
    expect(asked).to.have.length(4);
  });

  it('is not found if the service does not offer the pair', async () => {
    const error = new SwapError('no-route');
    const end = await findAmount(1n, 1n, () => Promise.reject(error)).catch((reason: unknown) => reason);
    expect(end).to.equal(error);
  });
});
