import {expect} from '../support/expect.js';
import type {Asset} from '../../src/domain/asset.js';
import {createCatalogue} from '../../src/domain/catalogue.js';
import {SwapError} from '../../src/domain/error.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';
import {acceptedBps, priceProblem, tooFine, type PriceContext} from '../../src/domain/price-problem.js';
import {aQuote, aRequest, assetOf} from '../support/swap.js';

const BTC = assetOf(
  'bitcoin_testnet:btc',
  createCatalogue({known: ALL_KNOWN, families: ['bitcoin', 'evm'], hints: ['bitcoin_testnet:btc']}),
);

const problem = (change: Partial<PriceContext>) =>
  priceProblem({
    request: aRequest(),
    error: undefined,
    offer: undefined,
    limits: undefined,
    balance: undefined,
    reserve: 0n,
    isLocked: false,
    affiliateFees: [],
    maxCostBps: 500,
    ...change,
  });

describe('What is in the way of a review', () => {
  const limits = {min: 60_000n, max: 100_000n};

  for (const [what, amount, use] of [
    ['the least, for an amount below it', 50_000n, 60_000n],
    ['the most, for an amount above it', 200_000n, 100_000n],
    ['nothing if the limits do not explain the rejection', 70_000n, undefined],
  ] as const) {
    it(`is an amount that the service rejects; the fix is ${what}`, () => {
      const request = aRequest({amount});
      const named = problem({
        request,
        error: new SwapError('amount-range', {range: limits}),
        limits: {min: 1n, max: 2n},
      });
      const listed = problem({request, error: new SwapError('amount-range'), limits});
      for (const found of [named, listed]) {
        expect(found?.code).to.equal('amount-range');
        expect(found?.use).to.equal(use);
        expect(found?.remedy).to.equal(use === undefined ? 'correct' : 'press');
      }
    });
  }

  it('is not a limit in the service’s list, as long as there is a price', () => {
    expect(problem({limits})).to.equal(undefined);
  });

  it('is an amount that cannot be changed, without a button', () => {
    const error = new SwapError('amount-range', {range: limits});
    expect(problem({error, isLocked: true})).to.deep.equal({code: 'amount-range', field: 'amount', remedy: 'correct'});
  });

  it('is a balance known to be too small; the fix is the most that can be paid', () => {
    expect(problem({balance: 50_000n})).to.equal(undefined);
    expect(problem({balance: undefined})).to.equal(undefined);
    expect(problem({balance: 49_999n, reserve: 999n})).to.deep.include({code: 'not-enough', use: 49_000n});
    expect(problem({balance: 900n, reserve: 999n})).to.deep.include({code: 'not-enough', remedy: 'correct'});
    expect(problem({balance: 0n})).to.deep.include({code: 'not-enough', remedy: 'correct'});
  });

  it('is an amount with too many decimals; the fix is without the excess, and no more than can be paid', () => {
    const found = (text: string, asset: Asset, balance?: bigint) =>
      tooFine(text, asset, {balance, reserve: 100n, limits: undefined});
    const {from} = aRequest();
    for (const balance of [undefined, 0n, 10n ** 12n])
      expect(found('1.2345678999', from, balance)).to.deep.include({code: 'too-many-decimals', use: 123_456_789n});
    expect(found('1234.5678912345', from, 1_000n)).to.deep.include({remedy: 'press', use: 900n});
    // A wallet is not the only one that may pay to an address.
    expect(found('1234.5678912345', BTC, 1_000n)?.use).to.equal(123_456_789_123n);
    expect(found('0.0000000001', from)).to.deep.equal({code: 'too-many-decimals', field: 'amount', remedy: 'correct'});
  });

  it('is not a wallet’s balance when paying by address: that may come from anywhere', () => {
    expect(problem({request: aRequest({from: BTC}), balance: 0n})).to.equal(undefined);
  });

  it('is a total cost above the usual, until it is accepted', () => {
    const quote = aQuote(49_000n);
    const worth = (paid: string, received: string) => ({
      ...quote,
      source: {...quote.source, value: paid},
      destination: {...quote.destination, value: received},
    });
    expect(problem({offer: worth('100', '95')})).to.equal(undefined);
    const found = problem({offer: worth('100', '94.98'), affiliateFees: [{bps: 30}]});
    expect(found).to.deep.equal({
      code: 'confirm-cost',
      field: 'amount',
      remedy: 'press',
      cost: {total: 502n, network: 472n, shares: [30n], bps: 502},
    });
    expect(problem({offer: worth('100', '94.98'), maxCostBps: 502})).to.equal(undefined);
    expect(problem({offer: worth('', '94.98')}), 'without values').to.equal(undefined);
  });
});

describe('An accepted cost', () => {
  it('covers a cost up to that plus the price tolerance', () => {
    expect(acceptedBps(500, undefined, 50)).to.equal(500);
    expect(acceptedBps(500, 700, 50)).to.equal(750);
    expect(acceptedBps(500, 100, 50)).to.equal(500);
  });
});
