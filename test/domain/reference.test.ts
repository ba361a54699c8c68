import {expect} from '../support/expect.js';
import {aboveReference, bpsAbove, readPrice} from '../../src/domain/reference.js';
import {aQuote, aRequest, OTHER_WBTC, USDC, WBTC} from '../support/swap.js';

/** How many basis points more arrive than at this price, for `paid` of `from` and `received` of `to`. */
function above(price: string, paid: bigint, received: bigint, from = WBTC, to = USDC): number {
  const named = readPrice(price);
  if (!named) throw new Error(`${price} is no price.`);
  return aboveReference(aQuote(received, 'solver-1', aRequest({from, to, amount: paid})), from, to, named);
}

describe('The page’s reference price', () => {
  for (const [what, price, paid, received, bps] of [
    ['the same price', '65000', 10_000_000n, 6_500_000_000n, 0],
    ['a price with more places than the asset', '65000.0000000000001', 10_000_000n, 6_500_000_000n, 0],
    ['less', '65000', 10_000_000n, 6_474_000_000n, -40],
    ['more', '65000.00', 10_000_000n, 6_513_000_000n, 20],
    ['half a basis point less, rounded away from none', '2', 100_000_000n, 1_999_900n, -1],
    ['less than half of one', '2', 100_000_000n, 1_999_901n, 0],
    ['half a basis point more', '2', 100_000_000n, 2_000_100n, 1],
    ['a huge price', '9'.repeat(20), 1n, BigInt('9'.repeat(20)) / 100n, 0],
    ['a tiny price', `0.${'0'.repeat(20)}1`, 10n ** 24n, 10n, 0],
    ['twice as much', '1', 100_000_000n, 2_000_000n, 10_000],
  ] as const) {
    it(`is compared with the offer, to a hundredth of a percent: ${what}`, () => {
      expect(above(price, paid, received)).to.equal(bps);
    });
  }

  it('is in whole units, whatever the decimals of both assets', () => {
    expect(above('0.00002', 1_000_000_000n, 1_990_000n, USDC, WBTC)).to.equal(-50);
    expect(above('1', 50_000n, 49_850n, WBTC, OTHER_WBTC)).to.equal(-30);
  });

  for (const text of [
    '',
    '0',
    '0.000',
    '-1',
    '+1',
    '1e5',
    '1,5',
    '65,000',
    ' 1',
    '.5',
    '1.',
    'NaN',
    '0x1',
    '٣',
    65_000,
    null,
  ]) {
    it(`is not ${JSON.stringify(text)}`, () => {
      expect(readPrice(text)).to.equal(undefined);
    });
  }
});

describe('The difference of two amounts', () => {
  for (const [amount, base, bps] of [
    [9_909_090n, 9_940_130n, -31],
    [9_940_130n, 9_940_130n, 0],
    [10_005n, 10_000n, 5],
    [19_999n, 20_000n, -1],
    [0n, 1n, -10_000],
  ] as const)
    it(`is in basis points, rounded to nearest: ${String(amount)} and ${String(base)}`, () => {
      expect(bpsAbove(amount, base)).to.equal(bps);
    });
});
