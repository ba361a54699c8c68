import {expect} from '../support/expect.js';
import {parseAmount} from '../../src/domain/amount.js';
import {readingsOf, readTyped, writeTyped} from '../../src/domain/typed.js';
import {decimal, inField, plain as readPlain, plainValue} from '../../src/locales/figures.js';
import {createRandom} from '../support/random.js';

const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'ja', 'ko', 'zh', 'tr', 'ar', 'hi'];
const REGIONS = ['de-CH', 'de-AT', 'es-MX', 'pt-PT', 'en-IN', 'hi-IN', 'fr-CH', 'en-ZA', 'pl', 'fa', 'it'];

describe('A typed amount', () => {
  const read: readonly [text: string, plain: string, comma?: string][] = [
    ['0.1', '0.1'],
    ['0,1', '0.1'],
    ['.5', '.5'],
    ['5.', '5.'],
    ['0,500', '0.500'],
    // One separator and three digits.
    ['1,500', '1,500', '1.500'],
    ['1.500', '1.500', '1,500'],
    ['1,500 WBTC', '1,500', '1.500'],
    ['1,5000', '1.5000'],
    ['1,000,000', '1000000'],
    ['1.000.000', '1000000'],
    ['1,234.5', '1234.5'],
    ['1.234,5', '1234.5'],
    ['1.234,567', '1234.567'],
    ['1 234,567', '1234.567'],
    ['1,234.', '1234.'],
    ['1,00,000', '100000'],
    ['12,34,567.5', '1234567.5'],
    ['1 000', '1000'],
    ['1\u00a0000,25', '1000.25'],
    ['1\u202f000\u202f000', '1000000'],
    ['1\u2009234.5', '1234.5'],
    ["1'234.5", '1234.5'],
    ['1’234.5', '1234.5'],
    ['٠٫١', '0.1'],
    ['١٬٥٠٠', '1500'],
    ['۱۲٫۵', '12.5'],
    ['०.१', '0.1'],
    ['०,१', '0.1'],
    ['１，２３４．５', '1234.5'],
    ['０．１', '0.1'],
    ['０。１', '0.1'],
    ['+0.1', '0.1'],
    ['  0.1\n', '0.1'],
    ['0.1 WBTC', '0.1'],
    ['1 000.5 wbtc', '1000.5'],
    ['wbtc 0.1', '0.1'],
    ['\u20680.1\u2069\u200f WBTC', '0.1'],
  ];
  for (const [text, point, comma = point] of read) {
    it(`${JSON.stringify(text)} is ${point}${comma === point ? '' : `, and ${comma} if the comma is the decimal separator`}`, () => {
      expect(readTyped(text, {sign: '.', symbols: ['WBTC']})).to.equal(point);
      expect(readTyped(text, {sign: ',', symbols: ['WBTC']})).to.equal(comma);
    });
  }

  for (const text of [
    '',
    '.',
    '-1',
    '−1',
    '1e3',
    '0x10',
    '5k',
    '1.2.3',
    '1,2,3',
    '1,000.5,5',
    '1 00',
    '1 0000',
    '1 000 000,5.5',
    '1 000 WBTC 5',
    '0 500',
    '1, 5',
    '½',
    'WBTC',
    '1 ETH',
    '$1',
    '1.000 000',
    '9'.repeat(81),
  ]) {
    it(`${JSON.stringify(text.slice(0, 20))} is not an amount in any language`, () => {
      for (const sign of ['.', ','] as const) {
        const plain = readTyped(text, {sign, symbols: ['WBTC']});
        expect(plain).to.equal(text);
        expect(typeof parseAmount(plain, 8)).to.equal('string');
      }
    });
  }

  it('has thousands if a currency has fewer decimals', () => {
    expect(plainValue('$1,500', {locale: 'en', currency: 'USD'})).to.equal('1500');
    expect(plainValue('1.500 €', {locale: 'de', currency: 'EUR'})).to.equal('1500');
    expect(plainValue('USD 1.500,25', {locale: 'de', currency: 'USD'})).to.equal('1500.25');
  });

  it('is rejected if it is ambiguous, with both readings', () => {
    expect(parseAmount(readTyped('1,500', {sign: '.'}), 8)).to.equal('not-a-number');
    expect(parseAmount(readTyped('1.500', {sign: ','}), 8)).to.equal('not-a-number');
    expect(readingsOf('1,500')).to.deep.equal(['1500', '1.5']);
    expect(readingsOf('1,000')).to.deep.equal(['1000', '1']);
    expect(readingsOf('100,010')).to.deep.equal(['100010', '100.01']);
    for (const text of ['1.500', '0,500', '1,50', '1500']) expect(readingsOf(text)).to.equal(undefined);
  });

  it('may have the digits of any script', () => {
    const scripts = 'arab arabext deva beng thai fullwide mymr khmr tibt adlm mathsans brah cakm'.split(' ');
    for (const numberingSystem of scripts) {
      const digits = new Intl.NumberFormat('en', {numberingSystem, useGrouping: false}).format(1234567890);
      expect(readTyped(digits, {sign: '.'}), numberingSystem).to.equal('1234567890');
    }
  });

  it('is read as the amount that was formatted, in every language and with groups of any size', () => {
    const random = createRandom(3);
    const others: string[] = [];
    for (let round = 0; round < 400; round++) {
      const digits = String(random.digits(2 + random.below(24)));
      const fraction = random.below(3) ? String(random.digits(1 + random.below(8))) : '';
      const plain = fraction ? `${digits}.${fraction}` : digits;
      for (const locale of [...LANGUAGES, ...REGIONS]) {
        const latin = `${locale}-u-nu-latn`;
        const written = decimal(plain, latin);
        const back = readPlain(written, latin);
        const [whole] = readingsOf(back) ?? [];
        // If it is ambiguous, one of the readings is the amount.
        if (back !== plain && whole !== plain) others.push(`${locale}: ${written} is read as ${back}`);
        const shown = inField('', plain, latin);
        if (readPlain(shown, latin) !== plain) others.push(`${locale}: ${plain} is shown as ${shown}`);
      }
    }
    expect(others).to.deep.equal([]);
  });

  it('needs no notation while nothing is typed: a phone takes a twentieth of a second to make one', () => {
    const {NumberFormat} = Intl;
    Intl.NumberFormat = undefined as unknown as typeof NumberFormat;
    try {
      expect(inField('', '', 'sv')).to.equal('');
    } finally {
      Intl.NumberFormat = NumberFormat;
    }
  });

  it('is shown in the field with the decimal separator of its language', () => {
    expect(writeTyped('0.1', ',')).to.equal('0,1');
    expect(writeTyped('0.1', '.')).to.equal('0.1');
    expect(writeTyped('1.500', ',')).to.equal('1,500');
    expect(writeTyped('1,500', ',')).to.equal('1.500');
    expect(writeTyped('a,b', ',')).to.equal('a,b');
  });
});
