import {expect} from '../support/expect.js';
import type {AffiliateFee} from '../../src/domain/affiliate-fee.js';
import {chargedBeyond, compareFees, feesText, type SameAddress} from '../../src/domain/fees.js';
import type {ChargedFee} from '../../src/domain/order.js';

const A = `0x${'aB'.repeat(20)}`;
const B = `0x${'cD'.repeat(20)}`;
const USDC = {asset: 'base:usdc', address: A, bps: 10} as const;
const CBBTC = {asset: 'ethereum:cbbtc', address: B, bps: 20} as const;
const AGREED: readonly AffiliateFee[] = [USDC, CBBTC];

/** Compares addresses as on chains where letter case does not matter. */
const isSameAddress: SameAddress = (_asset, one, other) => one.toLowerCase() === other.toLowerCase();
const compare = (charged: readonly ChargedFee[] | undefined, agreed = AGREED) =>
  compareFees(agreed, charged, isSameAddress);

describe('The fees that an order charges', () => {
  const {bps: _usdc, ...noShare} = USDC;
  const {address: _a, ...nobody} = CBBTC;
  const {asset: _b, ...ofSomething} = CBBTC;

  const same: readonly [what: string, charged: readonly ChargedFee[], agreed?: readonly AffiliateFee[]][] = [
    ['as they were sent', AGREED],
    ['in another order', [CBBTC, USDC]],
    ['with their amounts', [{...USDC, amount: 5n}, CBBTC]],
    ['in other letters', [{asset: 'BASE:USDC', address: A.toUpperCase(), bps: 10}, CBBTC]],
    ['split', [{...CBBTC, bps: 5}, USDC, {...CBBTC, bps: 15}]],
    ['merged', [{...USDC, bps: 30}], [USDC, {...USDC, bps: 15}, {...USDC, bps: 5}]],
    ['none of none', [], []],
    ['with nothing for another payee', [...AGREED, {...USDC, address: B, bps: 0}]],
  ];
  for (const [what, charged, agreed] of same) {
    it(`are the ones that were sent, ${what}`, () => {
      expect(compare(charged, agreed)).to.equal('same');
    });
  }

  const other: readonly [what: string, charged: readonly ChargedFee[], agreed?: readonly AffiliateFee[]][] = [
    ['dropped', []],
    ['dropped in part', [USDC]],
    ['redirected', [USDC, {...CBBTC, address: A}]],
    ['redirected, though nothing says how much', [{...USDC, address: B, bps: 10}, CBBTC]],
    ['paid out in something else', [{...USDC, asset: 'base:cbbtc'}, CBBTC]],
    ['paid out on another chain', [{...USDC, asset: 'ethereum:usdc'}, CBBTC]],
    ['smaller', [{...USDC, bps: 9}, CBBTC]],
    ['larger', [{...USDC, bps: 11}, CBBTC]],
    ['larger, whatever else there is', [{...USDC, bps: 11}, {}]],
    [
      'shared out otherwise',
      [
        {...USDC, bps: 20},
        {...CBBTC, bps: 10},
      ],
    ],
    ['charged for another payee too', [...AGREED, {...USDC, address: B}]],
    ['charged for a payee who was not named', [...AGREED, {asset: 'base:seed', bps: 1}]],
    ['charged though none were sent', [{bps: 1}], []],
    ['paid to a payee though none were sent', [{amount: 1n}], []],
    ['dropped, where the other’s share is not said', [noShare]],
  ];
  for (const [what, charged, agreed] of other) {
    it(`differ if one is ${what}`, () => {
      expect(compare(charged, agreed)).to.equal('other');
    });
  }

  const unknown: readonly [
    what: string,
    charged: readonly ChargedFee[] | undefined,
    agreed?: readonly AffiliateFee[],
  ][] = [
    ['nothing is said of them', undefined],
    ['an entry cannot be read', [USDC, {}]],
    ['no entry can be read', [{}, {}]],
    ['an entry cannot be read and none were sent', [{}], []],
    ['a share is not said', [noShare, CBBTC]],
    ['a payee is not said', [USDC, nobody]],
    ['an asset is not said', [USDC, ofSomething]],
  ];
  for (const [what, charged, agreed] of unknown) {
    it(`cannot be compared if ${what}`, () => {
      expect(compare(charged, agreed)).to.equal('unknown');
    });
  }

  it('cannot be compared if the address format is unknown, unless the texts are equal', () => {
    const nobodyKnows = () => undefined;
    expect(compareFees(AGREED, [CBBTC, USDC], nobodyKnows)).to.equal('same');
    expect(compareFees(AGREED, [{...USDC, address: A.toLowerCase()}, CBBTC], nobodyKnows)).to.equal('unknown');
    expect(compareFees(AGREED, [USDC], nobodyKnows)).to.equal('other');
  });

  it('exceed the agreement by an amount that is certain', () => {
    expect(chargedBeyond(AGREED, [...AGREED, {bps: 40}, {}])).to.equal(40);
    expect(chargedBeyond(AGREED, [CBBTC])).to.equal(0);
    expect(chargedBeyond(AGREED, undefined)).to.equal(0);
  });

  it('are formatted as in the attribute', () => {
    expect(feesText(AGREED)).to.equal(`base:usdc ${A} 10, ethereum:cbbtc ${B} 20`);
    expect(feesText([{bps: 0}, {}])).to.equal('? ? 0, ? ? ?');
    expect(feesText([])).to.equal('none');
  });
});
