import {listenToConsole} from '../support/console.js';
import {expect} from '../support/expect.js';
import {faultIn} from '../support/funding.js';
import {OTHER_WBTC, WBTC} from '../support/swap.js';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {checkAffiliateFees, checkPayees, parseAffiliateFees, payeeFault} from '../../src/domain/affiliate.js';
import {createCatalogue} from '../../src/domain/catalogue.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';
import {feesFor, totalBps, type AffiliateFee} from '../../src/domain/affiliate-fee.js';

const A = '0x004Cc75ACF4132Fc08cB6a252E767804F303F729';
const B = '0x661bA32eb5f86CaB358DDbB7F264b10c5825e2dd';
const fee = (change: Partial<AffiliateFee> = {}): AffiliateFee => ({
  asset: 'base:usdc',
  address: A,
  bps: 10,
  ...change,
});

const catalogue = createCatalogue({known: ALL_KNOWN, families: ['evm'], hints: ['base:usdc']});
const {findChain} = catalogue;
const TEST = createCatalogue({known: ALL_KNOWN, families: ['evm'], hints: ['base_sepolia:wbtc']});
const check = (fees: readonly AffiliateFee[], rules: {maxBps?: number; payout?: readonly string[]} = {}) =>
  checkAffiliateFees(fees, {...catalogue, ...rules});

describe('affiliate fees', () => {
  it('are empty if the attribute is', () => {
    expect(parseAffiliateFees('')).to.deep.equal([]);
    expect(parseAffiliateFees(' \n ')).to.deep.equal([]);
  });

  it('go to one payee or several, as in the specification’s example', () => {
    const fees = parseAffiliateFees(`base:usdc ${A} 10,\n  ethereum:cbbtc\t${B}  20 `);
    expect(fees).to.deep.equal([fee(), fee({asset: 'ethereum:cbbtc', address: B, bps: 20})]);
    expect(check(fees)).to.deep.equal(fees);
    expect(totalBps(fees)).to.equal(30);
  });

  for (const [text, at] of [
    [`base:usdc ${A}`, 0],
    [`base:usdc ${A} 1.5`, 0],
    [`base:usdc ${A} 100000`, 0],
    [`base:usdc ${A} 10 more`, 0],
    [`base:usdc ${A} 10,`, 1],
    [`base:usdc ${A} 10, ethereum:cbbtc ${B}`, 1],
  ] as const) {
    it(`cannot be read from “${text.replaceAll(A, '0x…').replace(B, '0x…')}”, and the entry is named`, () => {
      const {code, field} = faultIn(() => parseAffiliateFees(text));
      expect({code, field}).to.deep.equal({code: 'config', field: `affiliate-fees[${String(at)}]`});
    });
  }

  const wrong: readonly [what: string, fee: AffiliateFee, part: keyof AffiliateFee, named: string][] = [
    ['an asset without a chain', fee({asset: 'usdc' as AffiliateFee['asset']}), 'asset', 'usdc'],
    ['an asset that is not paid out', fee({asset: 'base:wbtc'}), 'asset', 'base:wbtc'],
    ['a testnet asset', fee({asset: 'base_sepolia:usdc'}), 'asset', 'base_sepolia:usdc'],
    ['a zero fee', fee({bps: 0}), 'bps', '0'],
    ['half a basis point', fee({bps: 0.5}), 'bps', '0.5'],
    ['a number as text', fee({bps: '10' as unknown as number}), 'bps', '10'],
  ];
  for (const [what, entry, part, named] of wrong) {
    it(`stop the widget with ${what}, and say which`, () => {
      const {code, field, detail} = faultIn(() => check([fee(), entry]));
      expect({code, field}).to.deep.equal({code: 'config', field: `affiliate-fees[1].${part}`});
      expect(detail).to.contain(`“${named}”`);
    });
  }

  it('stop the widget if a payee is missing', () => {
    for (const entry of [fee({address: ''}), {asset: 'base:usdc', bps: 10} as unknown as AffiliateFee])
      expect(faultIn(() => check([fee(), entry])).field).to.equal('affiliate-fees[1].address');
  });

  it('need addresses that are valid on their chains', async () => {
    const evm = () => Promise.resolve(createEvmAdapter());
    await checkPayees([fee()], {findChain}, evm);
    const typo = A.replace('C', 'c');
    for (const [address, why] of [
      ['me', ''],
      [typo, ': its checksum (EIP-55) is wrong'],
    ] as const) {
      const detail = `“${address}” is not an address on Base${why}.`;
      const error = await checkPayees([fee(), fee({address})], {findChain}, evm).catch((caught: unknown) => caught);
      expect(error).to.deep.include({code: 'config', field: 'affiliate-fees[1].address', detail});
    }
  });

  it('of a function are none before an amount is known, and what is wrong with them is named', () => {
    const feesOf = (amount?: bigint) => feesFor(() => check([fee({bps: 0})]), {from: WBTC, to: OTHER_WBTC, amount});
    expect(feesOf()).to.deep.equal([]);
    expect(faultIn(() => feesOf(1n)).field).to.equal('affiliate-fees[0].bps');
  });

  it('must be on the same kind of network as the swap, whatever the service pays', () => {
    const checkTest = (asset: AffiliateFee['asset'], payout?: readonly string[]) =>
      checkAffiliateFees([fee({asset})], {...TEST, payout});
    expect(checkTest('ethereum_sepolia:usdc')).to.have.length(1);
    expect(checkTest('base_sepolia:wbtc', ['base_sepolia:wbtc'])).to.have.length(1);
    for (const payout of [undefined, ['base:usdc']]) {
      const {code, field, detail} = faultIn(() => checkTest('base:usdc', payout));
      expect({code, field}).to.deep.equal({code: 'config', field: 'affiliate-fees[0].asset'});
      expect(detail).to.contain('on a main network');
    }
  });

  it('may be paid in USDC or cbBTC on any chain: the specification lists none', () => {
    for (const asset of ['core:usdc', 'starknet:usdc', 'ethereum:USDC', 'solana:cbBTC', 'base:cbbtc'] as const) {
      expect(check([fee({asset})]), asset).to.have.length(1);
    }
    expect(checkAffiliateFees([fee({asset: 'base_sepolia:cbbtc'})], TEST)).to.have.length(1);
  });

  it('are taken on an unknown chain, of which the console is told once, and nobody checks the address', async () => {
    const heard = await listenToConsole('warn', () => {
      const readTwice = ['whale', 'whale'].map(address => check([fee({asset: 'atlantis:usdc', address})]));
      expect(readTwice.flat()).to.have.length(2);
    });
    expect(heard).to.have.length(1);
    expect(heard[0]).to.contain('affiliate-fees').and.contain('“atlantis”');
    const adapter = () => expect.fail('There is no code for it.');
    await checkPayees([fee({asset: 'atlantis:usdc', address: 'whale'})], {findChain}, adapter);
  });

  it('are paid in the assets that the service names, and in no others', () => {
    const payout = ['base:WBTC', 'solana:*'];
    expect(check([fee({asset: 'base:wbtc'}), fee({asset: 'solana:sol'})], {payout})).to.have.length(2);
    const {field, detail} = faultIn(() => check([fee({asset: 'base:usdc'})], {payout}));
    expect(field).to.equal('affiliate-fees[0].asset');
    expect(detail).to.contain('(base:WBTC, solana:*)').and.contain('service.payout');
    expect(faultIn(() => check([fee({asset: 'usdc' as never})])).detail).to.contain('“usdc” is not an asset');
  });

  it('add up to the limit and no further', () => {
    expect(check([fee({bps: 300})])).to.have.length(1);
    expect(faultIn(() => check([fee({bps: 300}), fee({bps: 1})])).detail).to.contain('301');
    expect(check([fee({bps: 400})], {maxBps: 400})).to.have.length(1);
    expect(faultIn(() => check([fee()], {maxBps: 9})).field).to.equal('affiliate-fees');
  });

  it('are frozen copies that a page cannot change later', () => {
    const mine = [{asset: 'base:usdc', address: A, bps: 10}] satisfies AffiliateFee[];
    const checked = check(mine);
    mine[0] = {asset: 'base:usdc', address: B, bps: 300};
    expect(checked).to.deep.equal([fee()]);
    expect(Object.isFrozen(checked) && checked.every(Object.isFrozen)).to.equal(true);
  });

  describe('that the service refuses', () => {
    const pair = ['ethereum:usdc', 'base:cbbtc'].map(id => catalogue.find(id)!);
    const usdc = catalogue.find('base:usdc')!;
    const at = (reason: string, fees = [fee({asset: 'ethereum:cbbtc'}), fee()]) =>
      payeeFault(reason, fees, pair, catalogue)?.field;

    it('are the site’s, whether the service names the asset by its id, its token or its contract', () => {
      const [contract = ''] = usdc.contracts;
      for (const name of [
        'base:usdc',
        `base:${usdc.token!}`,
        `base:${contract.toLowerCase()}`,
        usdc.token!.toUpperCase(),
      ]) {
        expect(at(`Asset '${name}' not found`), name).to.equal('affiliate-fees[1].asset');
      }
      const {code, detail} = payeeFault("Asset 'base:usdc' not found", [fee()], pair, catalogue)!;
      expect(code).to.equal('config');
      expect(detail).to.contain('“base:usdc”').and.contain("Asset 'base:usdc' not found");
    });

    it('are not, where it names one of the two assets that are swapped, or none at all', () => {
      for (const reason of [
        "Asset 'ethereum:usdc' not found",
        'No order pair found : ethereum:usdc::base:usdc',
        'Asset not found',
      ]) {
        expect(at(reason), reason).to.equal(undefined);
      }
      // The same contract is another asset's on another chain.
      const [shared = ''] = catalogue.find('ethereum:cbbtc')!.contracts;
      expect(pair[1]!.contracts).to.include(shared);
      expect(at(`Asset 'base:${shared}' not found`)).to.equal(undefined);
    });

    it('are the site’s on a chain that nobody knows, too', () => {
      expect(at("Asset 'atlantis:usdc' not found", [fee({asset: 'atlantis:usdc'})])).to.equal(
        'affiliate-fees[0].asset',
      );
    });
  });
});
