import {expect} from '@open-wc/testing';
import {feesFor, type FeeRequest} from '../../src/domain/affiliate-fee.js';
import type {ChainSettings} from '../../src/domain/asset.js';
import {dealOf} from '../../src/domain/deposit.js';
import {SwapError} from '../../src/domain/error.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';
import {readAllSettings} from '../../src/elements/settings/all.js';
import {readFormSettings} from '../../src/elements/settings/form.js';
import type {Settings} from '../../src/elements/settings/settings.js';
import {sampleDeal} from '../support/evm-deal.js';

const GOOD: Settings = {baseUrl: 'https://service.example/', from: 'base_sepolia:wbtc', to: 'ethereum_sepolia:wbtc'};
const read = (settings: Settings, base = GOOD) => readAllSettings({...base, ...settings});

function faultOf(settings: Settings): string | undefined {
  try {
    read(settings);
    return undefined;
  } catch (error) {
    if (!(error instanceof SwapError) || error.code !== 'config') throw error;
    expect(error.detail).to.match(/\w/);
    return error.field;
  }
}

describe('reading settings', () => {
  it('accepts the minimum, and fills in defaults', () => {
    const config = read({}, {baseUrl: 'https://service.example/'});
    expect(config.service).to.equal('https://service.example');
    expect(config.priceTolerance).to.equal(50);
    expect(config.depositWindow).to.equal(60 * 60_000);
    expect(config.catalogue.test).to.equal(false);
    expect(config.journal).to.equal(true);
    expect(config.paused).to.equal(false);
    expect(config.policy).to.deep.equal({});
    expect([config.prefill, config.locked, config.forThisTab]).to.deep.equal([{}, [], false]);
    expect(read({support: ' mailto:help@shop.example '}).support).to.equal('mailto:help@shop.example');
    expect(read({support: 'https://shop.example/help'}).support).to.equal('https://shop.example/help');
  });

  it('derives the kind of network from the prefilled assets', () => {
    expect(read({}).catalogue.test).to.equal(true);
    expect(() => read({to: 'base:usdc'}))
      .to.throw(SwapError)
      .with.property('detail')
      .contains('on a main network');
  });

  it('reads lists of assets with commas, spaces and whole chains', () => {
    const ids = (assets: string) => read({assets}).catalogue.assets.map(({id}) => id);
    expect(ids('base_sepolia:wbtc, ethereum_sepolia:wbtc')).to.deep.equal([
      'base_sepolia:wbtc',
      'ethereum_sepolia:wbtc',
    ]);
    expect(ids('base_sepolia:wbtc ethereum_sepolia:*')).to.deep.equal([
      'base_sepolia:wbtc',
      'ethereum_sepolia:wbtc',
      'ethereum_sepolia:usdc',
      'ethereum_sepolia:eth',
    ]);
  });

  it('offers assets on one side only, and no excluded ones', () => {
    const offered = (settings: Settings) => {
      const {assets, find} = read(settings).catalogue;
      return (['from', 'to'] as const).map(side => assets.filter(({id}) => find(id, side)).map(({id}) => id));
    };
    const [wbtc, usdc, other] = ['base_sepolia:wbtc', 'base_sepolia:usdc', 'ethereum_sepolia:wbtc'];
    expect(
      offered({fromAssets: 'base_sepolia:*', toAssets: [other], assets: '-base_sepolia:ibtc -bitcoin:btc'}),
    ).to.deep.equal([
      read({assets: 'base_sepolia:*', from: undefined, to: undefined})
        .catalogue.assets.map(({id}) => id)
        .filter(id => id !== 'base_sepolia:ibtc'),
      [other],
    ]);
    expect(offered({assets: [wbtc, usdc, other, `-${usdc}`]})).to.deep.equal([
      [wbtc, other],
      [wbtc, other],
    ]);
    expect(offered({assets: [wbtc, usdc, other], toAssets: other})).to.deep.equal([[wbtc, usdc, other], [other]]);
  });

  it('derives the kind of network from the assets of one side, too', () => {
    expect(read({toAssets: 'base_sepolia:usdc', from: undefined, to: undefined}).catalogue.test).to.equal(true);
  });

  it('can draw the form before everything is read if the page lists well-known assets', () => {
    const form = readFormSettings({...GOOD, amount: '0.1', lock: 'amount', affiliateFees: 'read later', paused: true});
    expect(form?.catalogue.assets.map(({id}) => id)).to.deep.equal([GOOD.from, GOOD.to]);
    expect(form?.prefill).to.deep.equal({from: GOOD.from, to: GOOD.to, amount: '0.1'});
    expect([form?.locked, form?.paused]).to.deep.equal([['amount'], true]);
    expect(readFormSettings({assets: ['bitcoin:btc', 'base:usdc', 'solana:sol']})?.catalogue.test).to.equal(false);
    for (const assets of [
      [{id: 'base_sepolia:wbtc', decimals: 8} as const, 'ethereum_sepolia:wbtc'],
      'base_sepolia:wbtc',
      'base_sepolia:* ethereum_sepolia:wbtc',
      'base_sepolia:ibtc base_sepolia:wbtc',
      'nowhere:wbtc base_sepolia:wbtc',
    ]) {
      expect(readFormSettings({...GOOD, assets}), String(assets)).to.equal(undefined);
    }
  });

  it('accepts the page’s own icon of an asset as SVG, as a data URL, and as a URL', () => {
    const mark = (icon: unknown) => {
      const asset = {id: 'base_sepolia:wbtc', icon: icon as string} as const;
      return read({assets: [asset, 'ethereum_sepolia:wbtc']}).catalogue.find(asset.id);
    };
    for (const address of ['https://cdn.example/a.svg', '/marks/a.svg', 'data:image/png;base64,AAAA'])
      expect(mark(address)?.icon).to.equal(address);
    const svg = '<svg viewBox="0 0 1 1"><title>50 % ”</title></svg>';
    expect(decodeURIComponent(mark(svg)?.icon ?? '')).to.equal(
      `data:image/svg+xml,${svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"')}`,
    );
    // What is stored of a swap, and may be read in another browser, has no icon.
    expect(JSON.stringify(mark(svg))).not.to.include('icon');
    expect(mark(undefined)?.icon).to.equal(undefined);
    for (const icon of [
      'javascript:alert(1)',
      'http://cdn.example/a.svg',
      '//cdn.example/a.svg',
      '/\\cdn.example/a.svg',
      'data:text/html,<svg></svg>',
      '<img src=x onerror=alert(1)>',
      '<svg',
      '',
      {},
    ]) {
      const assets = [{id: 'base_sepolia:wbtc', icon: icon as string} as const, 'ethereum_sepolia:wbtc'];
      expect(faultOf({assets}), String(icon)).to.equal('assets');
      expect(() => read({assets})).to.throw(SwapError, /base_sepolia:wbtc.*icon/);
    }
  });

  it('accepts affiliate fees as text and as a list', () => {
    const fees = [{asset: 'base_sepolia:usdc', address: '0x1', bps: 10}] as const;
    expect(read({affiliateFees: 'base_sepolia:usdc 0x1 10'}).affiliateFees).to.deep.equal(fees);
    expect(read({affiliateFees: fees}).affiliateFees).to.deep.equal(fees);
  });

  it('accepts a function of the request for them, asked once for each pair and amount, and checks what it returns', () => {
    const feesBy = (affiliateFees: unknown) => {
      const config = read({affiliateFees} as Settings);
      const [from, to] = [GOOD.from, GOOD.to].map(id => config.catalogue.find(id!)!);
      return (amount?: bigint) => feesFor(config.affiliateFees, {from: from!, to: to!, amount});
    };
    let asked = 0;
    const fees = feesBy(({from, amount}: FeeRequest) => {
      asked += 1;
      return `${from.replace('wbtc', 'usdc')} 0x1 ${String(amount)}`;
    });
    expect(fees(7n)).to.deep.equal([{asset: 'base_sepolia:usdc', address: '0x1', bps: 7}]);
    expect([fees(7n), fees(9n), fees(), asked]).to.deep.equal([fees(7n), fees(9n), [], 2]);
    for (const wrong of [undefined, 10, {}, Promise.resolve('base_sepolia:usdc 0x1 7'), 'base:usdc 0x1 7', [null]])
      expect(() => feesBy(() => wrong)(1n), String(wrong)).to.throw(SwapError, /^config: affiliate-fees/);
    expect(() => fees(301n)).to.throw(SwapError, /^config: affiliate-fees: The fees add up to 301/);
    for (const reading of [feesBy(() => null), () => feesBy({})])
      expect(() => reading(1n)).to.throw(SwapError, /^config: affiliate-fees: They are neither text nor a list/);
  });

  it('reports what is wrong', () => {
    expect(() => read({theme: 'beige' as 'light'})).to.throw(
      SwapError,
      'config: theme: “beige” is not one of light, dark, auto.',
    );
  });

  it('prefills the form', () => {
    const given = {amount: '0.1', recipient: '0xabc', refundAddress: 'tb1q'};
    const config = read({...given, lock: 'from, amount'});
    expect(config.prefill).to.deep.equal({from: GOOD.from, to: GOOD.to, ...given});
    expect(config.locked, 'the other amount follows').to.deep.equal(['from', 'amount', 'receive']);
  });

  it('accepts CAIP ids of known assets and chains', () => {
    const wbtc = (id: string) => ALL_KNOWN.assets.find(one => one.id === id)!.token!;
    const base = `eip155:84532/erc20:${wbtc('base_sepolia:wbtc')}`;
    const ethereum = `eip155:11155111/erc20:${wbtc('ethereum_sepolia:wbtc')}`;
    const config = read({
      assets: `${base}, ${ethereum}`,
      from: base,
      to: ethereum,
      rpc: 'eip155:84532 https://one.example',
    });
    expect(config.prefill).to.include({from: 'base_sepolia:wbtc', to: 'ethereum_sepolia:wbtc'});
    expect(config.catalogue.assets.map(({id}) => id)).to.deep.equal(['base_sepolia:wbtc', 'ethereum_sepolia:wbtc']);
    expect(config.catalogue.find('base_sepolia:wbtc')?.chain.rpc).to.equal('https://one.example');
    expect(() => read({from: 'eip155:84532/erc20:0x01'})).to.throw(SwapError, 'from: “eip155:84532/erc20:0x01”');
  });

  it('prefills the amount to receive or the amount to pay, never both', () => {
    const config = read({receive: '0.1', lock: 'receive'});
    expect(config.prefill).to.include({receive: '0.1'});
    expect(config.locked).to.have.members(['receive', 'amount']);
    expect(() => read({amount: '1', receive: '0.1'})).to.throw(SwapError, 'config: receive: One of amount and receive');
    expect(() => read({receive: '0.0000000000000000001'})).to.throw(
      SwapError,
      'config: receive: “0.0000000000000000001”',
    );
  });

  it('sets RPCs in the catalogue’s chains', () => {
    const {catalogue} = read({rpc: 'base_sepolia https://one.example, ethereum_sepolia http://localhost:8545'});
    expect(catalogue.find('base_sepolia:wbtc')?.chain.rpc).to.equal('https://one.example');
    expect(catalogue.find('ethereum_sepolia:wbtc')?.chain.rpc).to.equal('http://localhost:8545');
  });

  it('accepts several RPCs of one chain, once each, which take precedence over the property’s', () => {
    const chainOf = (rpc: string, chains: ChainSettings = {}) =>
      read({rpc, chains: {base_sepolia: chains}}).catalogue.find('base_sepolia:wbtc')!.chain;
    const [one, two] = ['https://one.example', 'https://two.example/key'];
    expect(chainOf(`base_sepolia ${one}  ${two} ${one}, ethereum_sepolia ${two}`)).to.deep.include({
      rpc: one,
      otherRpcs: [two],
    });
    expect(chainOf(`base_sepolia ${one}`, {rpc: [two, one]}))
      .to.include({rpc: one})
      .and.not.to.have.property('otherRpcs');
    expect(chainOf('', {rpc: [two, one]})).to.deep.include({rpc: two, otherRpcs: [one]});
    expect(chainOf('', {rpc: []})).not.to.have.property('rpc');
  });

  it('accepts the currency of values', () => {
    expect(read({}).currency).to.equal(undefined);
    expect(read({valueCurrency: ' eur '}).currency).to.equal('eur');
  });

  it('accepts numbers as attributes and properties, also zero', () => {
    expect(read({priceTolerance: '0'}).priceTolerance).to.equal(0);
    expect(read({priceTolerance: 120}).priceTolerance).to.equal(120);
    expect(read({policy: {depositMinutes: 15}}).depositWindow).to.equal(15 * 60_000);
    expect(read({policy: {maxCostBps: 300, holdApprovals: true}})).to.include({
      maxCostBps: 300,
      holdApprovals: true,
    });
  });

  it('adds what the page vouches for to what is known', () => {
    const id = 'base_sepolia:wbtc';
    const wbtc = (settings: Settings) => read(settings).catalogue.find(id);
    const [known, first, second] = [wbtc({})?.contracts, `0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
    const both = [{address: first}, {address: second}];
    for (const settings of [
      {contracts: `${id} ${first} ${second}`},
      {contracts: ` ${id}  ${first} ,\n${id} ${second}, `},
      {contracts: {[id]: [first, second]}},
      {contracts: `${id} ${first}, ${id} ${second}`, chains: {}},
    ]) {
      expect(wbtc(settings)?.vouched, JSON.stringify(settings)).to.deep.equal(both);
      expect(wbtc(settings)?.contracts).to.deep.equal(known);
    }
    expect(wbtc({}), 'of the same other settings').not.to.have.property('vouched');
    expect(wbtc({contracts: ''})).not.to.have.property('vouched');
  });

  it('asks about what is unverified on testnets, stops it on mainnets, and obeys the page', () => {
    const rule = (settings: Settings, mainnet = false) => {
      const config = mainnet ? read(settings, {baseUrl: 'https://service.example/'}) : read(settings);
      const {agreed, ...deal} = sampleDeal();
      const asset = {...agreed.from, chain: {...agreed.from.chain, test: !mainnet}};
      return dealOf({...deal, agreed: {...agreed, from: asset, to: asset}}, undefined, config.policy).policy.unverified;
    };
    expect([rule({}), rule({}, true)]).to.deep.equal(['ask', 'stop']);
    expect([rule({unverified: 'stop'}), rule({unverified: 'ask'}, true)]).to.deep.equal(['stop', 'ask']);
    expect(rule({unverified: '' as 'ask'}, true), 'an empty attribute').to.equal('stop');
  });

  it('takes neither from a link', () => {
    const link = {unverified: 'ask', contracts: `base:usdc 0x${'1'.repeat(40)}`, policy: '{}'};
    const config = readAllSettings({baseUrl: 'https://service.example/'}, link as object);
    expect(config.policy).to.deep.equal({});
    expect(config.catalogue.find('base:usdc')).not.to.have.property('vouched');
  });

  it('passes on the redeemers, also for assets that are not offered', () => {
    const redeemers = {'base_sepolia:wbtc': ['0x1111111111111111111111111111111111111111'], 'solana:sol': ['somebody']};
    expect(read({policy: {redeemers}}).policy).to.deep.equal({redeemers});
  });

  const WRONG: readonly [string, Settings][] = [
    ['policy.redeemers', {policy: {redeemers: {wbtc: ['0x1']}}}],
    ['policy.redeemers', {policy: {redeemers: {'base_sepolia:wbtc': []}}}],
    ['policy.redeemers', {policy: {redeemers: {'base_sepolia:wbtc': '0x1' as never}}}],
    ['policy.redeemers', {policy: {redeemers: {'base_sepolia:wbtc': ['0x1', ' ']}}}],
    ['unverified', {unverified: 'pass' as 'ask'}],
    ['unverified', {unverified: 'ASK' as 'ask'}],
    ['contracts', {contracts: [`base_sepolia:wbtc 0x${'1'.repeat(40)}`] as never}],
    ['contracts', {contracts: {'base_sepolia:wbtc': []}}],
    ['contracts', {contracts: {'base_sepolia:wbtc': ['0x12']}}],
    ['base-url', {baseUrl: undefined}],
    ['base-url', {baseUrl: 'http://service.example'}],
    ['app-id', {appId: 'ABC'}],
    ['service', {service: 'operator'}],
    ['service.header', {service: '{"header": "not a header"}'}],
    ['assets', {assets: 'base_sepolia:doge, base_sepolia:wbtc'}],
    ['assets', {assets: 'base_sepolia:wbtc, base:usdc', from: undefined, to: undefined}],
    ['from', {from: 'base_sepolia:doge'}],
    ['to', {to: 'base:usdc'}],
    ['to', {to: 'base_sepolia:wbtc'}],
    ['from', {toAssets: 'ethereum_sepolia:wbtc', fromAssets: 'base_sepolia:usdc'}],
    ['to', {toAssets: 'base_sepolia:usdc'}],
    ['from', {assets: '-base_sepolia:*'}],
    ['assets', {assets: '*:doge'}],
    ['from-assets', {fromAssets: 'base_sepolia:doge'}],
    ['from-assets', {assets: 'base_sepolia:wbtc ethereum_sepolia:wbtc', fromAssets: 'base_sepolia:usdc'}],
    ['to-assets', {fromAssets: 'base_sepolia:wbtc', toAssets: 'base_sepolia:wbtc', to: undefined}],
    ['to-assets', {toAssets: 'base_sepolia:usdc', assets: '-base_sepolia:usdc', to: undefined}],
    ['assets', {assets: '-bitcoin:doge'}],
    ['assets', {assets: 'base_sepolia:wbtc base_sepolia:usdc -base_sepolia:usdc', to: undefined}],
    ['amount', {amount: '0,1'}],
    ['amount', {amount: '0.123456789'}],
    ['affiliate-fees[0]', {affiliateFees: 'base_sepolia:usdc 0x1'}],
    ['affiliate-fees[0].asset', {affiliateFees: 'base:usdc 0x1 10'}],
    ['affiliate-fees[1].asset', {affiliateFees: 'base_sepolia:usdc 0x1 10, base_sepolia:wbtc 0x1 10'}],
    ['affiliate-fees', {affiliateFees: [{asset: 'base_sepolia:usdc', address: `0x${'1'.repeat(40)}`, bps: 301}]}],
    ['order-id', {orderId: '..'}],
    ['order-id', {orderId: 'a b'}],
    ['order-id', {orderId: 'a'.repeat(129)}],
    ['price-tolerance', {priceTolerance: '1.5'}],
    ['price-tolerance', {priceTolerance: '1001'}],
    ['price-tolerance', {priceTolerance: '-1'}],
    ['rpc', {rpc: 'base_sepolia'}],
    ['rpc', {rpc: 'base_sepolia http://chain.example'}],
    ['rpc', {rpc: 'atlantis https://chain.example'}],
    ['rpc', {rpc: 'base_sepolia https://one.example two.example'}],
    ['rpc', {rpc: 'base_sepolia https://one.example, https://two.example'}],
    ['chains.base_sepolia.rpc', {chains: {base_sepolia: {rpc: ['https://one.example', 'http://two.example']}}}],
    ['service.fields', {service: '{"fields": ["colour"]}'}],
    ['theme', {theme: 'beige' as 'light'}],
    ['variant', {variant: 'popup' as 'card'}],
    ['value-currency', {valueCurrency: 'euro'}],
    ['support', {support: 'javascript:alert(1)'}],
    ['support', {support: 'mailto:help@shop.example?cc=two@shop.example'}],
    ['lock', {lock: 'everything'}],
    ['lock', {lock: 'amount'}],
    ['storage', {storage: 'cookie' as 'local'}],
    ['service.signature', {service: '{"signature": "rs"}'}],
    ['referencePrice', {referencePrice: '1' as unknown as () => string}],
    ['policy.depositMinutes', {policy: {depositMinutes: 0.5}}],
    ['policy.maxAffiliateBps', {policy: {maxAffiliateBps: 20_000}}],
    ['policy.maxCostBps', {policy: {maxCostBps: 10_001}}],
    ['affiliate-fees', {affiliateFees: 'base_sepolia:usdc 0x1 11', policy: {maxAffiliateBps: 10}}],
    ['affiliate-fees[0].asset', {affiliateFees: 'base_sepolia:usdc 0x1 11', service: {payout: ['*:cbbtc']}}],
  ];
  for (const [field, settings] of WRONG) {
    it(`reports ${field} for ${JSON.stringify(settings)}`, () => {
      expect(faultOf(settings)).to.equal(field);
    });
  }
});
