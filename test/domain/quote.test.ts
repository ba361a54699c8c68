import {expect} from '../support/expect.js';
import {faultIn} from '../support/funding.js';
import {readQuotes} from '../../src/api/schema.js';
import type {AssetId} from '../../src/domain/asset.js';
import {
  amountWorth,
  cents,
  costOf,
  inverseRateOf,
  isSameAmount,
  type Quote,
  type QuoteSide,
  rankQuotes,
  rateOf,
} from '../../src/domain/quote.js';
import {createRandom} from '../support/random.js';
import {samples} from '../support/samples.js';
import {aQuote, aRequest, NOON, OTHER_WBTC, USDC, WBTC} from '../support/swap.js';

const valued = (paid: string, received: string): Quote => {
  const {source, destination, solverId} = aQuote(49_850n);
  return {source: {...source, value: paid}, destination: {...destination, value: received}, solverId};
};

describe('the offers for a request', () => {
  it('are sorted by amount, and equal ones in the service’s order', () => {
    const quotes = [aQuote(3n, 'a'), aQuote(5n, 'b'), aQuote(4n, 'c'), aQuote(5n, 'd')];
    const {offers, request, at} = rankQuotes(aRequest(), quotes, NOON);
    expect(offers.map(({solverId}) => solverId)).to.deep.equal(['b', 'd', 'c', 'a']);
    expect(request).to.deep.equal(aRequest());
    expect(at).to.equal(NOON);
    expect(quotes.map(({solverId}) => solverId)).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('are compared as whole amounts, however large', () => {
    const much = 10n ** 30n;
    const {offers} = rankQuotes(aRequest(), [aQuote(much, 'a'), aQuote(much + 1n, 'b')], NOON);
    expect(offers[0].solverId).to.equal('b');
  });

  it('leave out an offer of zero', () => {
    const {offers} = rankQuotes(aRequest(), [aQuote(0n, 'a'), aQuote(1n, 'b')], NOON);
    expect(offers.map(({solverId}) => solverId)).to.deep.equal(['b']);
  });

  it('give no price if there are none above zero', () => {
    expect(faultIn(() => rankQuotes(aRequest(), [], NOON)).code).to.equal('no-quote');
    expect(faultIn(() => rankQuotes(aRequest(), [aQuote(0n), aQuote(0n)], NOON)).code).to.equal('no-quote');
  });

  it('name their assets in any letter case', () => {
    const {source, destination, solverId} = aQuote(49_850n);
    const loud = {...destination, asset: destination.asset.toUpperCase() as AssetId};
    const {offers} = rankQuotes(aRequest(), [{source, destination: loud, solverId}], NOON);
    expect(offers.length).to.equal(1);
  });

  const change = (side: 'source' | 'destination', part: Partial<QuoteSide>): Quote => {
    const quote = aQuote(49_850n);
    return {...quote, [side]: {...quote[side], ...part}};
  };
  const wrong: readonly [what: string, quote: Quote, field: string][] = [
    ['another asset to pay with', change('source', {asset: USDC.id}), 'source.asset'],
    ['another asset to receive', change('destination', {asset: USDC.id}), 'destination.asset'],
    ['the two sides changed over', aQuote(49_850n, 's', aRequest({from: OTHER_WBTC, to: WBTC})), 'source.asset'],
    ['another amount', aQuote(49_850n, 's', aRequest({amount: 50_001n})), 'source.amount'],
    ['other decimals on the source', change('source', {display: '0.05'}), 'source.display'],
    ['other decimals on the destination', change('destination', {display: '49850'}), 'destination.display'],
    ['nothing to read as a display', change('destination', {display: ''}), 'destination.display'],
  ];
  for (const [what, quote, field] of wrong) {
    it(`are ignored with ${what}: omitted beside a valid one, reported if there is none`, () => {
      for (const quotes of [[quote], [aQuote(0n), quote], [quote, {...aQuote(1n), source: quote.destination}]]) {
        const error = faultIn(() => rankQuotes(aRequest(), quotes, NOON));
        expect({code: error.code, field: error.field}).to.deep.equal({code: 'unreadable', field});
      }
      expect(
        rankQuotes(aRequest(), [quote, aQuote(3n, 'good')], NOON).offers.map(({solverId}) => solverId),
      ).to.deep.equal(['good']);
    });
  }
});

describe('an amount and its display', () => {
  const same: readonly [display: string, amount: bigint, decimals: number][] = [
    ['0.00050000', 50_000n, 8],
    ['0.0005', 50_000n, 8],
    ['1', 100_000_000n, 8],
    ['1.000000000000', 100_000_000n, 8],
    ['7', 7n, 0],
    ['0', 0n, 8],
    ['0.000000000000000001', 1n, 18],
    // The published Solana quote shows eight decimals of nine, the last one cut off.
    ['0.35460826', 354_608_265n, 9],
    ['0.35460827', 354_608_265n, 9],
    ['1.23', 1_239_999_999_999_999_999n, 18],
    ['1.23', 1_225_000_000_000_000_000n, 18],
    // So little that it is displayed as zero with eight decimals.
    ['0.00000000', 1_000_000_000n, 18],
    ['0.00000000', 1n, 18],
  ];
  for (const [display, amount, decimals] of same) {
    it(`agree: ${display} and ${String(amount)} with ${String(decimals)} decimals`, () => {
      expect(isSameAmount(display, amount, decimals)).to.equal(true);
    });
  }

  const other: readonly [display: string, amount: bigint, decimals: number][] = [
    ['0.00050001', 50_000n, 8],
    ['0.0005', 50_000n, 6],
    ['0.0005', 50_000n, 18],
    ['0.000500001', 50_000n, 8],
    ['1', 100n, 8],
    ['0', 1n, 8],
    ['0.00000000', 10_000_000_000n, 18],
    ['0.00000000', 1n, 8],
    ['0.35460825', 354_608_265n, 9],
    ['0.35460828', 354_608_265n, 9],
    ['1.23', 1_240_000_000_000_000_000n, 18],
    ['1.23', 1_224_999_999_999_999_999n, 18],
    ['', 0n, 8],
    ['.5', 50_000_000n, 8],
    ['1.', 100_000_000n, 8],
    ['-1', -100_000_000n, 8],
    ['1e-3', 100_000n, 8],
    ['1,000', 100_000_000_000n, 8],
  ];
  for (const [display, amount, decimals] of other) {
    it(`disagree: “${display}” and ${String(amount)} with ${String(decimals)} decimals`, () => {
      expect(isSameAmount(display, amount, decimals)).to.equal(false);
    });
  }

  it('never agree with wrong decimals, even if the display is truncated or rounded', () => {
    const random = createRandom(3);
    const wrongly: string[] = [];
    let compared = 0;
    for (let round = 0; round < 5_000; round++) {
      const decimals = random.below(19);
      const shown = random.below(decimals + 1);
      const amount = random.digits(24);
      const unit = 10n ** BigInt(decimals - shown);
      const digits = random.below(2) ? amount / unit : (amount + unit / 2n) / unit;
      if (digits === 0n) continue;
      compared++;
      const text = String(digits).padStart(shown + 1, '0');
      const display = shown ? `${text.slice(0, -shown)}.${text.slice(-shown)}` : text;
      for (let tried = 0; tried < 37; tried++) {
        const isSame = isSameAmount(display, amount, tried);
        if (isSame !== (tried === decimals))
          wrongly.push(`${display} ${String(amount)} with ${String(tried)} decimals`);
      }
    }
    expect(wrongly).to.deep.equal([]);
    expect(compared).to.be.above(4_000);
  });

  it('agree in every published quote', () => {
    const decimals: Record<string, number> = {'solana_testnet:sol': 9};
    for (const {quote} of Object.values(samples)) {
      const quotes = readQuotes(quote.result);
      expect(quotes).to.have.length(1);
      for (const {source, destination} of quotes) {
        for (const {asset, amount, display} of [source, destination]) {
          expect(isSameAmount(display, amount, decimals[asset] ?? 8), asset).to.equal(true);
        }
      }
    }
  });
});

describe('what a swap costs', () => {
  it('is the value lost in the swap, split by who receives it', () => {
    expect(costOf(valued('58.8200', '58.6435'), [])).to.deep.equal({total: 18n, network: 18n, shares: [], bps: 31});
    expect(costOf(valued('100', '98'), [{bps: 30}, {bps: 20}])).to.deep.equal({
      total: 200n,
      network: 150n,
      shares: [30n, 20n],
      bps: 200,
    });
    expect(costOf(valued('0', '0'), []), 'a price that rounds to nothing').to.equal(undefined);
  });

  it('converts a value to an amount of an asset, to the smallest unit, by the quote’s own prices', () => {
    const quote = (value: string) => {
      const {source, ...rest} = aQuote(1n);
      return {...rest, source: {...source, value}};
    };
    // 50,000 units are worth 58.8200.
    expect(amountWorth(5_882n, quote('58.8200'))).to.equal(50_000n);
    expect(amountWorth(100_000n, quote('58.8200'))).to.equal(850_051n);
    expect(amountWorth(100n, quote('58.82'))).to.equal(850n);
    expect(amountWorth(100n, quote('50000'))).to.equal(1n);
    for (const value of ['', '0', '0.00', '-1', 'n/a', '1e3']) {
      expect(amountWorth(100n, quote(value)), value).to.equal(undefined);
    }
  });

  it('may be negative, but not by more than 5%: such values cannot be right', () => {
    expect(costOf(valued('10', '10.05'), [{bps: 10}])).to.deep.equal({
      total: -5n,
      network: -6n,
      shares: [1n],
      bps: -50,
    });
    expect(costOf(valued('100', '105'), [])?.bps).to.equal(-500);
    expect(costOf(valued('100', '105.01'), [])).to.equal(undefined);
  });

  it('is unknown if the service gives no readable value', () => {
    for (const value of ['', 'n/a', '1e3', '1,5', 'NaN', '$5', '.5']) {
      expect(costOf(valued(value, '1'), []), value).to.equal(undefined);
      expect(costOf(valued('1', value), []), value).to.equal(undefined);
    }
  });

  it('adds up to the cent, each payee’s share the nearest cent of the value paid', () => {
    const random = createRandom(4);
    const others: string[] = [];
    const decimal = () => `${String(random.digits(9))}.${String(random.below(10_000)).padStart(4, '0')}`;
    for (let round = 0; round < 5_000; round++) {
      const [received, paid] = [decimal(), decimal()].sort((a, b) => Number(a) - Number(b)) as [string, string];
      const fees = Array.from({length: random.below(5)}, () => ({bps: 1 + random.below(300)}));
      const cost = costOf(valued(paid, received), fees);
      if (!cost || !addsUp(cost, paid, received, fees))
        others.push(`${paid} for ${received} with ${JSON.stringify(fees)}`);
    }
    expect(others).to.deep.equal([]);
  });

  for (const [value, expected] of [
    ['58.82', 5_882n],
    ['0.0049999', 0n],
    ['0.005', 1n],
    ['0.995', 100n],
    ['-1.5', -150n],
    ['123456789012345678901234567890', 12_345_678_901_234_567_890_123_456_789_000n],
  ] as const) {
    it(`counts ${value} as ${String(expected)} hundredths`, () => {
      expect(cents(value)).to.equal(expected);
    });
  }
});

describe('the rate of a quote', () => {
  it('is the amount of the other asset for one whole unit of this one', () => {
    const quote = aQuote(29_425_000n, 's', aRequest({to: USDC}));
    expect(rateOf(quote, WBTC)).to.equal(58_850_000_000n);
    expect(inverseRateOf(quote, USDC)).to.equal(1_699n);
  });
});

/** Whether a cost is the sum of its parts, and each is right to the cent. */
function addsUp(
  {total, network, shares}: NonNullable<ReturnType<typeof costOf>>,
  paid: string,
  received: string,
  fees: readonly {readonly bps: number}[],
): boolean {
  // In ten-thousandths, both values are integers.
  const [of, less] = [paid, received].map(text => BigInt(text.replace('.', ''))) as [bigint, bigint];
  const cents = (of + 50n) / 100n;
  return (
    shares.reduce((sum, share) => sum + share, network) === total &&
    // Each value is within half a cent, so both are within one.
    abs(total * 100n - (of - less)) <= 100n &&
    shares.length === fees.length &&
    shares.every((share, at) => abs(share * 10_000n - cents * BigInt(fees[at]?.bps ?? 0)) <= 5_000n)
  );
}

const abs = (value: bigint) => (value < 0n ? -value : value);
