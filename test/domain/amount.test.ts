import {expect} from '../support/expect.js';
import {formatAmount, parseAmount} from '../../src/domain/amount.js';
import {lessBps} from '../../src/domain/quote.js';
import {createRandom} from '../support/random.js';

describe('an amount', () => {
  describe('read from text', () => {
    const readings: readonly [text: string, decimals: number, amount: bigint][] = [
      ['0.1', 8, 10_000_000n],
      ['1', 8, 100_000_000n],
      ['1', 0, 1n],
      ['0', 18, 0n],
      ['.5', 8, 50_000_000n],
      ['5.', 8, 500_000_000n],
      ['0,00000001', 8, 1n],
      [',5', 1, 5n],
      ['  0.25\u00a0', 2, 25n],
      ['007', 0, 7n],
      ['1.50000000000000000000', 1, 15n],
      ['1.000', 0, 1n],
      ['.0', 0, 0n],
      ['0.000000000000000001', 18, 1n],
      ['21000000', 8, 2_100_000_000_000_000n],
      // The largest amount that a contract can hold.
      [
        '115792089237316195423570985008687907853269984665640564039457.584007913129639935',
        18,
        115792089237316195423570985008687907853269984665640564039457584007913129639935n,
      ],
    ];
    for (const [text, decimals, amount] of readings) {
      it(`“${text}” with ${String(decimals)} decimals is ${String(amount)}`, () => {
        expect(parseAmount(text, decimals)).to.equal(amount);
      });
    }

    for (const text of ['', ' ', '\t\n']) {
      it(`${JSON.stringify(text)} is empty`, () => {
        expect(parseAmount(text, 8)).to.equal('empty');
      });
    }

    const junk = [
      '.',
      ',',
      '-1',
      '+1',
      '1e3',
      '0x10',
      '1.2.3',
      '1,2,3',
      '1,000.5',
      '1.000,5',
      '1 000',
      '1_000',
      "1'000",
      '½',
      '１',
      '٣',
      'Infinity',
      'NaN',
      '$1',
      '1btc',
      '1\n2',
      '9'.repeat(81),
      '0'.repeat(5_000),
    ];
    for (const text of junk) {
      it(`${JSON.stringify(text.slice(0, 20))} is not a number`, () => {
        expect(parseAmount(text, 8)).to.equal('not-a-number');
      });
    }

    for (const [text, decimals] of [
      ['0.000000001', 8],
      ['0,1', 0],
      ['1.0000000000000000001', 18],
    ] as const) {
      it(`“${text}” has too many decimals for ${String(decimals)}, and is not rounded`, () => {
        expect(parseAmount(text, decimals)).to.equal('too-many-decimals');
      });
    }
  });

  describe('written as text', () => {
    const writings: readonly [amount: bigint, decimals: number, short: string][] = [
      [0n, 0, '0'],
      [0n, 8, '0'],
      [1n, 8, '0.00000001'],
      [49_850n, 8, '0.0004985'],
      [100_000_000n, 8, '1'],
      [1_234n, 0, '1234'],
      [1_000n, 0, '1000'],
      [10n ** 18n, 18, '1'],
      [-5n, 1, '-0.5'],
      [10n ** 60n + 1n, 18, `1${'0'.repeat(42)}.000000000000000001`],
    ];
    for (const [amount, decimals, short] of writings) {
      it(`${String(amount)} with ${String(decimals)} decimals is ${short}`, () => {
        expect(formatAmount(amount, decimals)).to.equal(short);
      });
    }
  });

  it('round-trips through text', () => {
    const random = createRandom(1);
    const others: string[] = [];
    for (let round = 0; round < 5_000; round++) {
      const decimals = random.below(37);
      const amount = random.digits(42);
      const text = formatAmount(amount, decimals);
      const withComma = text.replace('.', ',');
      // Three digits behind a comma may be a thousand.
      const isClear = !/^[1-9]\d{0,2},\d{3}$/.test(withComma);
      for (const written of [text, ...(isClear ? [withComma] : [])]) {
        if (parseAmount(written, decimals) !== amount) others.push(`${written} with ${String(decimals)} decimals`);
      }
    }
    expect(others).to.deep.equal([]);
  });

  describe('less basis points', () => {
    it('is a floor, rounded up', () => {
      expect(lessBps(10_000n, 50)).to.equal(9_950n);
      expect(lessBps(49_850n, 50)).to.equal(49_601n);
      expect(lessBps(1n, 50)).to.equal(1n);
      expect(lessBps(0n, 50)).to.equal(0n);
      expect(lessBps(49_850n, 0)).to.equal(49_850n);
      expect(lessBps(49_850n, 10_000)).to.equal(0n);
    });

    it('is never below what was agreed, nor a whole unit above it', () => {
      const random = createRandom(2);
      const others: string[] = [];
      for (let round = 0; round < 5_000; round++) {
        const amount = random.digits(40);
        const bps = random.below(10_001);
        const agreed = amount * BigInt(10_000 - bps);
        const floor = lessBps(amount, bps) * 10_000n;
        if (floor < agreed || floor >= agreed + 10_000n) others.push(`${String(amount)} less ${String(bps)}`);
      }
      expect(others).to.deep.equal([]);
    });
  });
});
