import {expect} from '@open-wc/testing';
import {checkAffiliateFees, parseAffiliateFees, totalBps, type AffiliateFee} from '../../src/domain/affiliate.js';
import {SwapError} from '../../src/domain/error.js';

const A = '0x004Cc75ACF4132Fc08cB6a252E767804F303F729';
const B = '0x661bA32eb5f86CaB358DDbB7F264b10c5825e2dd';
const fee = (change: Partial<AffiliateFee> = {}): AffiliateFee => ({
  asset: 'base:usdc',
  address: A,
  bps: 10,
  ...change,
});

function faultOf(work: () => unknown): SwapError {
  try {
    work();
  } catch (error) {
    if (error instanceof SwapError) return error;
    throw error;
  }
  throw new Error('Nothing was wrong.');
}

describe('affiliate fees', () => {
  it('are none where the attribute is empty', () => {
    expect(parseAffiliateFees('')).to.deep.equal([]);
    expect(parseAffiliateFees(' \n ')).to.deep.equal([]);
    expect(totalBps([])).to.equal(0);
  });

  it('go to one payee or are split over several, as the specification’s example', () => {
    const fees = parseAffiliateFees(`base:usdc ${A} 10,\n  ethereum:cbbtc\t${B}  20 `);
    expect(fees).to.deep.equal([fee(), fee({asset: 'ethereum:cbbtc', address: B, bps: 20})]);
    expect(checkAffiliateFees(fees)).to.deep.equal(fees);
    expect(totalBps(fees)).to.equal(30);
  });

  for (const text of [
    'base:usdc',
    `base:usdc ${A}`,
    `base:usdc ${A} ten`,
    `base:usdc ${A} 1.5`,
    `base:usdc ${A} -5`,
    `base:usdc ${A} 100000`,
    `base:usdc ${A} 10 more`,
    `base:usdc ${A} 10,`,
    `,base:usdc ${A} 10`,
  ]) {
    it(`cannot be read from “${text.replace(A, '0x…')}”`, () => {
      const {code, field} = faultOf(() => parseAffiliateFees(text));
      expect({code, field}).to.deep.equal({code: 'config', field: 'affiliate-fees'});
    });
  }

  const wrong: readonly [what: string, fee: AffiliateFee, named: string][] = [
    ['an asset without a chain', fee({asset: 'usdc' as AffiliateFee['asset']}), 'usdc'],
    ['an asset that is not paid out', fee({asset: 'base:wbtc'}), 'base:wbtc'],
    ['a payee of no address', fee({address: 'me'}), 'me'],
    ['an address that is too short', fee({address: A.slice(0, -1)}), A.slice(0, -1)],
    ['a fee of nothing', fee({bps: 0}), '0'],
    ['a negative fee', fee({bps: -1}), '-1'],
    ['half a basis point', fee({bps: 0.5}), '0.5'],
    ['no number', fee({bps: NaN}), 'NaN'],
  ];
  for (const [what, entry, named] of wrong) {
    it(`stop the widget with ${what}, and say so`, () => {
      const {code, field, detail} = faultOf(() => checkAffiliateFees([fee(), entry]));
      expect({code, field}).to.deep.equal({code: 'config', field: 'affiliate-fees'});
      expect(detail).to.contain(`“${named}”`);
    });
  }

  it('take the payout assets in any letter case', () => {
    expect(checkAffiliateFees([fee({asset: 'base:cbBTC'}), fee({asset: 'ethereum:USDC'})])).to.have.length(2);
  });

  it('add up to the limit and no further', () => {
    expect(checkAffiliateFees([fee({bps: 300})])).to.have.length(1);
    expect(faultOf(() => checkAffiliateFees([fee({bps: 300}), fee({bps: 1})])).detail).to.contain('301');
    expect(checkAffiliateFees([fee({bps: 400})], 400)).to.have.length(1);
    expect(faultOf(() => checkAffiliateFees([fee()], 9)).field).to.equal('affiliate-fees');
  });

  it('are frozen copies, which a page cannot change under way', () => {
    const mine = [{asset: 'base:usdc', address: A, bps: 10}] satisfies AffiliateFee[];
    const checked = checkAffiliateFees(mine);
    mine[0] = {asset: 'base:usdc', address: B, bps: 300};
    expect(checked).to.deep.equal([fee()]);
    expect(Object.isFrozen(checked) && checked.every(Object.isFrozen)).to.equal(true);
  });
});
