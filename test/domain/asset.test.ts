import {readFileSync} from 'node:fs';
import {expect} from '../support/expect.js';
import {faultIn} from '../support/funding.js';
import {getAddress} from 'ethers';
import {
  contractsOf,
  splitAssetId,
  withVouched,
  type AssetSettings,
  type ChainSettings,
  type Coin,
  type KnownAssets,
} from '../../src/domain/asset.js';
import {vouchedText} from '../../src/domain/vouched.js';
import {isWebAddress} from '../../src/domain/web-address.js';
import {previewOf} from '../../src/domain/known/preview.js';
import {createCatalogue, type CatalogueSettings} from '../../src/domain/catalogue.js';
import {asset, chain, COMMON, USDC} from '../../src/domain/known/common.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';
import {transactionUrl} from '../../src/domain/order.js';
import {assetOf, WBTC} from '../support/swap.js';

const open = (settings: CatalogueSettings = {}) => createCatalogue({families: ['evm'], ...settings});
const ids = (settings: CatalogueSettings) => open(settings).assets.map(({id}) => id);
const SEPOLIA = ['base_sepolia:wbtc', 'ethereum_sepolia:wbtc'] as const;
/** Contracts that the catalogue does not know. */
const [OWN, OTHER] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(39)}A`] as const;

describe('an asset’s id', () => {
  it('is a chain and a name, and the name may hold a dot', () => {
    expect(splitAssetId('base_sepolia:wbtc')).to.deep.equal({chain: 'base_sepolia', name: 'wbtc'});
    expect(splitAssetId('megaeth:btc.b')).to.deep.equal({chain: 'megaeth', name: 'btc.b'});
    expect(splitAssetId('ethereum:cbBTC')).to.deep.equal({chain: 'ethereum', name: 'cbBTC'});
  });

  for (const text of [
    '',
    ':',
    'base',
    'base:',
    ':wbtc',
    'a:b:c',
    'base wbtc',
    ' base:wbtc',
    'base:w btc',
    'base:*',
    '*',
  ]) {
    it(`is not “${text}”`, () => {
      expect(splitAssetId(text)).to.equal(undefined);
    });
  }

  it('is at most as long as a name may be', () => {
    expect(splitAssetId(`${'a'.repeat(64)}:${'b'.repeat(64)}`)).not.to.equal(undefined);
    expect(splitAssetId(`${'a'.repeat(65)}:b`)).to.equal(undefined);
    expect(splitAssetId(`a:${'b'.repeat(65)}`)).to.equal(undefined);
  });
});

describe('a catalogue', () => {
  it('offers mainnets by default', () => {
    const {assets, test} = open();
    expect(test).to.equal(false);
    expect(assets.map(({id}) => id)).to.include.members(['ethereum:wbtc', 'base:usdc']);
    expect(assets.some(({chain}) => chain.test)).to.equal(false);
  });

  it('offers the kind of network that the first known hint is on', () => {
    for (const hints of [['base_sepolia:wbtc'], ['', 'ethereum_sepolia:usdc'], ['nowhere:x', 'base_sepolia:wbtc']]) {
      const {assets, test} = open({hints});
      expect(test).to.equal(true);
      expect(assets.every(({chain}) => chain.test)).to.equal(true);
    }
    expect(open({hints: ['base:usdc', 'base_sepolia:wbtc']}).test).to.equal(false);
  });

  it('offers the listed assets once each, in that order', () => {
    expect(ids({assets: ['ethereum:wbtc', 'base:usdc', 'ethereum:wbtc']})).to.deep.equal([
      'ethereum:wbtc',
      'base:usdc',
    ]);
  });

  it('offers all of a chain for chain:*, and of no chain that only begins like it', () => {
    const found = ids({assets: ['base:*']});
    expect(found).to.have.length.above(1);
    expect(found.every(id => id.startsWith('base:'))).to.equal(true);
  });

  it('prefers the page’s description to the catalogue’s', () => {
    const described: AssetSettings = {id: 'base_sepolia:wbtc', decimals: 18, symbol: 'tBTC', contracts: ['0x01']};
    for (const assets of [
      ['base_sepolia:*', described],
      [described, 'base_sepolia:*'],
    ]) {
      const {decimals, symbol, title, contracts, token} = assetOf('base_sepolia:wbtc', open({assets}));
      expect({decimals, symbol, contracts}).to.deep.equal({decimals: 18, symbol: 'tBTC', contracts: ['0x01']});
      expect({title, token}).to.deep.equal({title: 'Wrapped Bitcoin', token: WBTC.token});
    }
  });

  it('takes a new chain and its assets from their descriptions', () => {
    const built = createCatalogue({
      chains: {
        megaeth: {
          family: 'evm',
          title: 'MegaETH',
          chainId: 4326,
          blockSeconds: 0.01,
          coin: {name: 'Mega', symbol: 'MEGA', decimals: 18},
          explorer: 'https://explorer.test/',
          contracts: {'btc.b': ['0x02']},
        },
      },
      assets: ['base:usdc', {id: 'megaeth:btc.b', decimals: 8}],
    });
    const asset = assetOf('megaeth:btc.b', built);
    expect(asset).to.deep.equal({
      id: 'megaeth:btc.b',
      chain: {
        name: 'megaeth',
        family: 'evm',
        title: 'MegaETH',
        test: false,
        chainId: 4326,
        blockSeconds: 0.01,
        coin: {name: 'Mega', symbol: 'MEGA', decimals: 18},
        explorer: 'https://explorer.test',
      },
      symbol: 'BTC.B',
      title: 'BTC.B',
      decimals: 8,
      contracts: ['0x02'],
    });
  });

  it('capitalizes a symbol as on other chains, with its name if they all agree', () => {
    const chains = {new: {family: 'evm', chainId: 77, blockSeconds: 1}} as const;
    const named = (assets: readonly AssetSettings[]) =>
      createCatalogue({known: ALL_KNOWN, chains, assets}).assets.map(({symbol, title}) => [symbol, title]);
    expect(
      named([
        {id: 'new:cbbtc', decimals: 8},
        {id: 'new:btc', decimals: 8},
        {id: 'new:ubtc', decimals: 8, symbol: 'Mine'},
        {id: 'new:doge', decimals: 8},
      ]),
    ).to.deep.equal([
      ['cbBTC', 'Coinbase Wrapped BTC'],
      ['BTC', 'BTC'],
      ['Mine', 'Mine'],
      ['DOGE', 'DOGE'],
    ]);
  });

  it('changes only the described properties of a known chain', () => {
    const chains = {base_sepolia: {rpc: 'http://127.0.0.1:8545', blockSeconds: 12, explorer: ''}};
    const {chain} = assetOf('base_sepolia:wbtc', open({chains, hints: ['base_sepolia:wbtc']}));
    expect(chain).to.deep.equal({
      name: 'base_sepolia',
      family: 'evm',
      title: 'Base Sepolia',
      test: true,
      chainId: 84532,
      blockSeconds: 12,
      rpc: 'http://127.0.0.1:8545',
    });
  });

  it('knows the domain version of some contracts, whoever pinned them, and guesses none', () => {
    const id = 'ethereum_sepolia:wbtc';
    const versions = {'0x88e1032252c712681a3659986f452e910d2134d8': '2'};
    expect(assetOf(id, open({hints: [id]})).versions).to.deep.equal(versions);
    const described = [{id, contracts: Object.keys(versions)} as const, SEPOLIA[0]];
    expect(assetOf(id, open({assets: described})).versions).to.deep.equal(versions);
    for (const {id: each, contracts = [], versions: known = {}} of ALL_KNOWN.assets) {
      expect(contracts, each).to.include.members(Object.keys(known));
      expect(contracts.join('')).not.to.contain('@');
      expect(['2', '3'], each).to.include.members(Object.values(known));
    }
    expect(Object.keys(asset('base:other', USDC, '', '0xaa@3', '0xbb').versions ?? {})).to.deep.equal(['0xaa']);
    expect(asset('base:other', USDC, '', '0xaa')).not.to.have.property('versions');
  });

  it('pins the contracts of the description before the chain’s and its own', () => {
    const id = 'base_sepolia:wbtc';
    const pins = (settings: CatalogueSettings) => assetOf(id, open({hints: [id], ...settings})).contracts;
    const described = [{id, contracts: ['0x0b']} as const, SEPOLIA[1]];
    const chains = {base_sepolia: {contracts: {wbtc: ['0x0c']}}};
    expect(pins({assets: described, chains})).to.deep.equal(['0x0b']);
    expect(pins({chains})).to.deep.equal(['0x0c']);
    expect(pins({})).to.deep.equal(WBTC.contracts);
  });

  it('has what the page vouches for beside them: it adds, replaces nothing, and is frozen', () => {
    const [id, other] = SEPOLIA;
    const contracts = `${id} ${OWN} ${OTHER},`;
    const asset = assetOf(id, open({assets: [...SEPOLIA], contracts}));
    expect(asset.contracts).to.deep.equal(WBTC.contracts);
    expect(asset.vouched).to.deep.equal([{address: OWN}, {address: OTHER}]);
    expect(contractsOf(asset)).to.deep.equal([...WBTC.contracts, OWN, OTHER]);
    expect([asset.vouched, asset.vouched?.[0]].every(Object.isFrozen)).to.equal(true);
    expect(assetOf(other, open({assets: [...SEPOLIA], contracts}))).not.to.have.property('vouched');
    const described = [{id, contracts: ['0x0b'], icon: '<svg></svg>'} as const, other];
    const own = assetOf(id, open({assets: described, contracts: {[id]: OWN}}));
    expect([own.contracts, own.vouched, own.icon?.slice(0, 5)]).to.deep.equal([['0x0b'], [{address: OWN}], 'data:']);
    expect(Object.keys(own)).not.to.contain('icon');
  });

  it('is known with what is vouched for as another asset of its chain, too', () => {
    const [first, other] = SEPOLIA;
    const catalogue = open({assets: [first, other], toAssets: [other], contracts: {[first]: [OWN]}});
    const known = catalogue.others(first.split(':')[0] ?? '').find(({id}) => id === first);
    expect(known?.vouched).to.deep.equal([{address: OWN}]);
  });

  it('keeps the vouched ones when it is copied with others, and its icon', () => {
    const asset = assetOf('base:usdc', open({assets: [{id: 'base:usdc', icon: '<svg></svg>'}, 'ethereum:usdc']}));
    const other = withVouched(asset, [{address: OWN}]);
    expect(other).to.deep.equal({...asset, vouched: [{address: OWN}]});
    expect([other.icon, Object.isFrozen(other)]).to.deep.equal([asset.icon, true]);
    expect(withVouched(other, undefined)).to.deep.equal(asset);
    expect(withVouched(asset, undefined)).to.equal(asset);
  });

  it('vouches for programs of Solana, and entry points on Starknet', () => {
    const [sol, wbtc] = ['solana_testnet:sol', 'starknet_sepolia:wbtc'];
    const program = 'SwapRsyqb7nHXp4g3r5v2ZbTpzqEcmYyo8pKJ1cVtiX';
    const contracts = {[sol]: [program], [wbtc]: ['0x0a.deposit', '0xb.initiate', '0xC']};
    const catalogue = createCatalogue({known: ALL_KNOWN, hints: [sol], contracts});
    expect(catalogue.find(sol)?.vouched).to.deep.equal([{address: program}]);
    const named = [{address: '0x0a', entry: 'deposit'}, {address: '0xb'}, {address: '0xC'}];
    expect(catalogue.find(wbtc)?.vouched).to.deep.equal(named);
  });

  /** A contract on a mainnet. */
  const PIN = ALL_KNOWN.assets.find(({id}) => id === 'base:usdc')?.contracts?.[0];
  const NOT_VOUCHED: readonly (readonly [what: string, entry: string])[] = [
    ['is not an asset and its contracts', 'base_sepolia:wbtc'],
    ['is not an asset and its contracts', `wbtc ${OWN}`],
    ['is not an asset and its contracts', `${OWN} base_sepolia:wbtc`],
    ['names an unknown asset', `base_sepolia:doge ${OWN}`],
    ['names an unknown asset', `atlantis:wbtc ${OWN}`],
    ['is on a main network, and what is swapped on test networks', `base:usdc ${OWN}`],
    ['Bitcoin has no contracts', `bitcoin_testnet:btc ${OWN}`],
    ['not an address of 0x and 40', 'base_sepolia:wbtc 0x0a'],
    ['not an address of 0x and 40', `base_sepolia:wbtc 0x${'0'.repeat(40)}`],
    ['not an address of 0x and 40', `base_sepolia:wbtc ${OWN.slice(0, -1)}`],
    ['not an address of 0x and 40', `base_sepolia:wbtc ${OWN}1`],
    ['not an address of 0x and 40', `base_sepolia:wbtc 0${OWN}`],
    ['not an address of 0x and 40', `base_sepolia:wbtc ${OWN}.deposit`],
    ['the token of “base_sepolia:wbtc” itself', `base_sepolia:wbtc ${String(WBTC.token).toLowerCase()}`],
    ['the token of “base_sepolia:wbtc” itself', `base_sepolia:usdc ${String(WBTC.token)}`],
    ['not the address of a program', `solana_testnet:sol ${OWN}`],
    ['not the address of a program', `solana_testnet:sol ${'2'.repeat(31)}`],
    ['not the address of a program', `solana_testnet:sol ${'2'.repeat(45)}`],
    ['not the address of a program', `solana_testnet:sol ${'z'.repeat(44)}`],
    ['the contract of “base_sepolia:wbtc”', `base_sepolia:usdc ${String(WBTC.contracts?.[0])}`],
    ['the contract of “base:usdc”', `base_sepolia:usdc ${String(PIN)}`],
    ['everybody’s coins', 'solana_testnet:sol 11111111111111111111111111111111'],
    ['everybody’s coins', 'solana_testnet:sol TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
    ['not an address, 0x…, with or without an entry point', 'starknet_sepolia:wbtc deposit'],
    ['not an address, 0x…, with or without an entry point', 'starknet_sepolia:wbtc 0x12.'],
    ['not an address, 0x…, with or without an entry point', 'starknet_sepolia:wbtc 0x12.de-posit'],
    ['not an address, 0x…, with or without an entry point', 'starknet_sepolia:wbtc 0x0.deposit'],
    ['not an address, 0x…, with or without an entry point', 'starknet_sepolia:wbtc 0x12.1st'],
    ['not an address, 0x…, with or without an entry point', 'starknet_sepolia:wbtc 0x12.a.b'],
    ['not an address, 0x…, with or without an entry point', 'starknet_sepolia:wbtc 0x'],
    ['not an address, 0x…, with or without an entry point', 'starknet_sepolia:wbtc 00x12'],
    ['not an address, 0x…, with or without an entry point', 'starknet_sepolia:wbtc 0x12g'],
    // Addresses end below 2^251.
    ['not an address, 0x…, with or without an entry point', `starknet_sepolia:wbtc 0x8${'0'.repeat(62)}`],
  ];
  for (const [what, entry] of NOT_VOUCHED) {
    it(`names the entry “${entry}”, because it ${what}`, () => {
      const contracts = `ethereum_sepolia:wbtc ${OWN}, ${entry}`;
      const fault = faultIn(() => open({known: ALL_KNOWN, hints: [SEPOLIA[0]], contracts}));
      expect(fault).to.include({code: 'config', field: 'contracts'});
      expect(fault.detail).to.contain(`“${entry}”`).and.to.contain(what);
    });
  }

  it('refuses the token of a Starknet asset, however it is written', () => {
    const {token = ''} = ALL_KNOWN.assets.find(({id}) => id === 'starknet_sepolia:wbtc') ?? {};
    for (const written of [token, `0x${BigInt(token).toString(16)}`, `${token}.deposit`]) {
      const contracts = `starknet_sepolia:wbtc ${written}`;
      expect(faultIn(() => open({known: ALL_KNOWN, hints: [SEPOLIA[0]], contracts})).detail).to.contain('the token of');
    }
  });

  it('takes the first and the last address of Starknet, and one that is a token on another chain', () => {
    const [token] = ALL_KNOWN.assets.flatMap(({id, token}) => (id === 'base_sepolia:usdc' && token ? [token] : []));
    const contracts = `starknet_sepolia:wbtc 0x1 0x7${'f'.repeat(62)}, ethereum_sepolia:wbtc ${String(token)}`;
    const {find} = createCatalogue({known: ALL_KNOWN, hints: [SEPOLIA[0]], contracts});
    expect([find('starknet_sepolia:wbtc')?.vouched?.length, find(SEPOLIA[1])?.vouched?.length]).to.deep.equal([2, 1]);
  });

  it('has mainnets and test networks apart where it vouches, too', () => {
    const {detail} = faultIn(() => open({assets: ['base:usdc', 'ethereum:usdc'], contracts: `${SEPOLIA[0]} ${OWN}`}));
    expect(detail).to.contain('is on a test network, and what is swapped on main networks');
  });

  it('has several settings of it as one text', () => {
    const text = vouchedText('', undefined, {'base:usdc': [OWN, OTHER], 'base:wbtc': OWN}, `ethereum:wbtc ${OTHER}`);
    expect(text).to.equal(`base:usdc ${OWN} ${OTHER}, base:wbtc ${OWN}, ethereum:wbtc ${OTHER}`);
  });

  it('keeps the known contract of an asset for which the page names another', () => {
    const {others} = open({known: ALL_KNOWN, assets: [{id: 'base:usdc', contracts: [OWN]}, 'base:cbbtc']});
    const all = others('base').filter(({id}) => id === 'base:usdc');
    expect(all.map(({contracts}) => contracts)).to.deep.equal([[OWN, PIN]]);
  });

  describe('with a second name for a chain', () => {
    const chains = {mine: {family: 'evm', chainId: 84532, test: true, blockSeconds: 2}} as const;
    const named = (token: string) => ({id: 'mine:coin', symbol: 'COIN', decimals: 8, token}) as const;

    it('knows all assets of the chain by both names, and none of another chain', () => {
      const {others} = open({chains, assets: [named(OTHER), ...SEPOLIA]});
      for (const name of ['mine', 'base_sepolia']) {
        const found = others(name).map(({id}) => id);
        expect(found, name).to.include.members(['mine:coin', 'base_sepolia:wbtc', 'base_sepolia:usdt']);
        expect(found.some(id => id.startsWith('ethereum'))).to.equal(false);
      }
      expect(others('atlantis')).to.deep.equal([]);
    });

    it('takes one token for one asset, with all of its contracts', () => {
      const own = {...named(String(WBTC.token).toUpperCase().replace('0X', '0x')), contracts: [OWN]};
      const {others} = open({chains, assets: [own, ...SEPOLIA], contracts: {[SEPOLIA[0]]: OTHER}});
      const among = (name: string) => others(name).filter(asset => contractsOf(asset).includes(OWN));
      const [mine, ...more] = among('mine');
      expect([mine?.id, more.length]).to.deep.equal(['mine:coin', 0]);
      expect(contractsOf(mine!)).to.deep.equal([OWN, ...WBTC.contracts, OTHER]);
      expect(among('base_sepolia').map(({id}) => id)).to.deep.equal(['base_sepolia:wbtc']);
    });

    it('vouches for no token of the chain, nor for another asset’s contract, by either name', () => {
      const fault = (contracts: string) =>
        faultIn(() => open({chains, assets: [named(OTHER), ...SEPOLIA], contracts})).detail;
      expect(fault(`mine:coin ${String(WBTC.token)}`)).to.contain('the token of “base_sepolia:wbtc”');
      expect(fault(`${SEPOLIA[0]} ${OTHER}`)).to.contain('the token of “mine:coin”');
      expect(fault(`mine:coin ${String(WBTC.contracts?.[0])}`)).to.contain('the contract of “base_sepolia:wbtc”');
      const same = {...named(String(WBTC.token)), contracts: []};
      const contracts = `mine:coin ${String(WBTC.contracts?.[0])}`;
      expect(open({chains, assets: [same, ...SEPOLIA], contracts}).find('mine:coin')?.vouched).to.have.length(1);
    });
  });

  it('knows the other assets of a chain, whatever it was given to offer', () => {
    const {others} = createCatalogue({families: ['evm'], hints: [SEPOLIA[0]]});
    expect(others('base_sepolia').map(({id}) => id)).to.include('base_sepolia:usdt');
  });

  it('does not mind what a page vouches for and does not offer', () => {
    const contracts = `base_sepolia:usdc ${OWN}`;
    expect(ids({assets: [...SEPOLIA], contracts})).to.deep.equal([...SEPOLIA]);
  });

  it('finds only what it offers', () => {
    const {find} = open({assets: [...SEPOLIA]});
    expect(find('base_sepolia:wbtc')?.symbol).to.equal('WBTC');
    for (const id of ['base_sepolia:usdc', 'BASE_SEPOLIA:WBTC', '', 'toString']) expect(find(id)).to.equal(undefined);
  });

  it('is frozen: a page cannot change an asset later', () => {
    const {assets} = open();
    for (const asset of assets) {
      expect([assets, asset, asset.contracts].every(Object.isFrozen)).to.equal(true);
    }
    const {chain} = assetOf('base:usdc', open({chains: {base: {rpc: 'https://rpc.test'}}}));
    expect(Object.isFrozen(chain)).to.equal(true);
  });

  it('knows each asset’s token and contract by its own chain', () => {
    const all = [...open().assets, ...open({hints: ['base_sepolia:wbtc']}).assets];
    for (const {id, token, contracts} of all) {
      expect(token, id).to.match(/^0x[0-9a-fA-F]{40}$/);
      expect(contracts.length, id).to.be.above(0);
      for (const contract of contracts) expect(contract, id).to.match(/^0x[0-9a-fA-F]{40}$/);
    }
  });

  describe('reports what is wrong:', () => {
    const chains = (settings: ChainSettings, name = 'new'): Partial<CatalogueSettings> => ({
      chains: {[name]: settings},
    });
    const good = {family: 'evm', chainId: 7, blockSeconds: 1} as const;
    const asset = (settings: Partial<AssetSettings>): Partial<CatalogueSettings> => ({
      assets: [SEPOLIA[0], {id: SEPOLIA[1], ...settings}],
    });
    const wrong: readonly [what: string, settings: Partial<CatalogueSettings>, field: string, named: string][] = [
      ['text that is not an asset', {assets: ['wbtc', ...SEPOLIA]}, 'assets', '“wbtc”'],
      ['an unknown chain', {assets: ['nowhere:wbtc', ...SEPOLIA]}, 'chains', '“nowhere:wbtc”'],
      ['a chain without settings', {assets: ['nowhere:*']}, 'assets', '“nowhere:*”'],
      [
        'a family that this build does not support',
        {assets: ['x:btc'], chains: {x: {family: 'bitcoin', blockSeconds: 600}}},
        'assets',
        'bitcoin',
      ],
      ['unknown decimals', {assets: ['base:seed', 'base:usdc']}, 'assets', '“base:seed”'],
      ['negative decimals', asset({decimals: -1}), 'assets', '-1'],
      ['half a decimal', asset({decimals: 8.5}), 'assets', '8.5'],
      ['more decimals than any asset has', asset({decimals: 37}), 'assets', '37'],
      ['decimals that are text', asset({decimals: '8' as unknown as number}), 'assets', SEPOLIA[1]],
      ['no asset', {assets: []}, 'assets', 'two'],
      ['one asset, twice', {assets: [SEPOLIA[0], SEPOLIA[0]]}, 'assets', 'two'],
      ['testnets and mainnets', {assets: [SEPOLIA[0], 'base:usdc']}, 'assets', '“base:usdc”'],
      ['mainnets and testnets', {assets: ['base:*', SEPOLIA[0]]}, 'assets', `“${SEPOLIA[0]}”`],
      ['a chain without a family', chains({chainId: 7, blockSeconds: 1}), 'chains.new', 'family'],
      ['an EVM chain without its id', chains({family: 'evm', blockSeconds: 1}), 'chains.new.chainId', 'chain id'],
      ['a chain id of 0', chains({...good, chainId: 0}), 'chains.new.chainId', 'chain id'],
      ['a chain id that is not an integer', chains({...good, chainId: 1.5}), 'chains.new.chainId', 'chain id'],
      ['a chain without a block time', chains({family: 'evm', chainId: 7}), 'chains.new.blockSeconds', 'seconds'],
      ['a chain with a block time of zero', chains({...good, blockSeconds: 0}), 'chains.new.blockSeconds', 'seconds'],
      ['a block time that is not a number', chains({...good, blockSeconds: NaN}), 'chains.new.blockSeconds', 'seconds'],
      [
        'a coin without a name',
        chains({...good, coin: {symbol: 'X', decimals: 18} as Coin}),
        'chains.new.coin.name',
        'coin',
      ],
      ['a coin that is text', chains({...good, coin: 'ETH' as unknown as Coin}), 'chains.new.coin.name', 'coin'],
      [
        'a coin without a symbol',
        chains({...good, coin: {name: 'X', symbol: '', decimals: 18}}),
        'chains.new.coin.symbol',
        'coin',
      ],
      [
        'half a decimal of a coin',
        chains({...good, coin: {name: 'X', symbol: 'X', decimals: 1.5}}),
        'chains.new.coin.decimals',
        '36',
      ],
      ['an RPC over plain http', chains({rpc: 'http://rpc.test'}, 'base'), 'chains.base.rpc', 'http://rpc.test'],
      [
        'an explorer that is a script',
        chains({explorer: 'javascript:alert(1)'}, 'base'),
        'chains.base.explorer',
        'alert',
      ],
    ];
    for (const [what, settings, field, named] of wrong) {
      it(what, () => {
        const fault = faultIn(() => open(settings));
        expect({code: fault.code, field: fault.field}).to.deep.equal({code: 'config', field});
        expect(fault.detail).to.contain(named);
      });
    }
  });
});

describe('a web address', () => {
  for (const text of [
    'https://api.example.com',
    'HTTPS://API.EXAMPLE.COM/v2/',
    'https://example.com:8443/a/b?c=d#e',
    'https://example.com/@me',
    'https://127.0.0.1.evil.com',
    'https://xn--bcher-kva.example',
    'http://localhost',
    'http://localhost:8787/',
    'http://app.localhost:5173',
    'http://127.0.0.1:8545',
    'http://127.1.2.3/path',
    'http://[::1]:8545/',
  ]) {
    it(`is ${text}`, () => {
      expect(isWebAddress(text)).to.equal(true);
    });
  }

  for (const text of [
    '',
    'example.com',
    '//example.com',
    '/v2',
    'https:',
    'https://',
    'https:///path',
    'https:example.com',
    'https:\\\\example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://ex ample.com',
    ' https://example.com',
    'https://example.com\n',
    'https://example.com/a b',
    'http://example.com',
    'http://127.0.0.1.evil.com',
    'http://localhost.evil.com',
    'http://localhost@evil.com',
    'http://127.0.0.1@evil.com',
    'http://127.0.0.1:80@evil.com',
    'http://evil.com#.localhost',
    'http://evil.com?.localhost',
    'http://evil.com/.localhost',
    'http://evil.com\\.localhost',
    'http://evil.com\\@localhost',
    'http://evil.com%2f.localhost',
    'http://evillocalhost',
    'http://[::1].evil.com',
    'http://[::2]',
    'http://0.0.0.0',
    'http://127.0.0.999',
    'http://1127.0.0.1',
    'https://user@example.com',
    'https://user:secret@example.com',
    'https://user:443@example.com',
    'https://@example.com',
    'https://example.com:port',
    'https://example.com:99999',
    'https://[::1',
    'https://exa<mple.com',
  ]) {
    it(`is not ${JSON.stringify(text)}`, () => {
      expect(isWebAddress(text)).to.equal(false);
    });
  }
});

describe('a transaction', () => {
  it('has a link if its chain has an explorer, whatever the hash contains', () => {
    expect(transactionUrl(WBTC.chain, '0xab')).to.equal('https://sepolia.basescan.org/tx/0xab');
    expect(transactionUrl(WBTC.chain, '../?x=<b>')).to.equal('https://sepolia.basescan.org/tx/..%2F%3Fx%3D%3Cb%3E');
    const {explorer: _none, ...chain} = WBTC.chain;
    expect(transactionUrl(chain, '0xab')).to.equal(undefined);
  });
});

describe('all that is known', () => {
  const {chains, assets} = ALL_KNOWN;
  const chainOf = (id: string) => chains.find(({name}) => name === splitAssetId(id)?.chain);

  it('has every chain and every asset once, and the often named ones first', () => {
    expect(new Set(chains.map(({name}) => name)).size).to.equal(chains.length);
    expect(new Set(assets.map(({id}) => id)).size).to.equal(assets.length);
    expect(assets.slice(0, COMMON.assets.length)).to.deep.equal(COMMON.assets);
  });

  it('includes what the form shows first', () => {
    for (const id of COMMON.assets.map(asset => asset.id)) {
      const [asset] = previewOf([id, id])?.assets ?? [];
      const known = assets.find(each => each.id === id);
      const {name, family, title, test} = chainOf(id) ?? {};
      expect([asset?.symbol, asset?.decimals], id).to.deep.equal([known?.symbol, known?.decimals]);
      expect(asset?.chain, id).to.deep.include({name, family, title, test});
      expect(asset?.token !== undefined, id).to.equal(known?.token !== undefined);
      expect(asset?.contracts).to.deep.equal([]);
    }
  });

  it('offers everything on one kind of network, except for what the operator left, which a page has to name', () => {
    for (const [hint, test] of [
      ['bitcoin_testnet:btc', true],
      ['bitcoin:btc', false],
    ] as const) {
      const offered = createCatalogue({known: ALL_KNOWN, hints: [hint]}).assets.map(({id}) => id);
      expect(offered).to.deep.equal(
        assets.filter(({id, isGone}) => chainOf(id)?.test === test && !isGone).map(({id}) => id),
      );
    }
    const named = (...list: readonly string[]) =>
      createCatalogue({known: ALL_KNOWN, assets: ['bitcoin:btc', ...list]})
        .assets.map(({id}) => id)
        .slice(1);
    expect(named('monad:*')).to.deep.equal(['monad:mon', 'monad:usdc']);
    expect(named('arbitrum:*')).not.to.include('arbitrum:usdc');
    expect(named('arbitrum:usdc')).to.deep.equal(['arbitrum:usdc']);
  });

  /** Checks the addresses of some assets, and that none is missing. */
  const expectAddresses = (of: KnownAssets) => {
    for (const {id, token, contracts = []} of of.assets) {
      const {family} = of.chains.find(({name}) => name === splitAssetId(id)?.chain)!;
      expect(contracts.length > 0, id).to.equal(family !== 'bitcoin');
      if (family !== 'evm') continue;
      for (const address of [...contracts, ...(token ? [token] : [])]) {
        expect(getAddress(address.toLowerCase()).toLowerCase(), id).to.equal(address.toLowerCase());
        if (/[A-F]/.test(address)) expect(getAddress(address), id).to.equal(address);
      }
    }
  };

  it('has addresses whose checksum holds, and a swap contract for everything but bitcoins', () => {
    expectAddresses(ALL_KNOWN);
  });

  it('accepts the guide’s chain and asset, which it does not have yet', () => {
    const guide = readFileSync('src/chains/README.md', 'utf8').split('## How to add an asset or a chain')[1];
    const sample = /```ts\n(.*?)```/s.exec(guide ?? '')?.[1] ?? '';
    const words = {
      chain,
      asset,
      USDC,
      OF_USDC: assets.find(({id}) => id === 'unichain:usdc')?.contracts?.[0],
      evm: (chainId: number) => ({chainId}),
    };
    // oxlint-disable-next-line typescript/no-implied-eval -- the guide's own code
    const read = new Function(...Object.keys(words), `return [${sample}]`) as (...values: unknown[]) => unknown[];
    const [more, another] = read(...Object.values(words)) as [(typeof chains)[0], (typeof assets)[0]];
    expect(
      chains.map(({name}) => name),
      'the guide wants another example',
    ).not.to.include(more.name);
    const known = {chains: [...chains, more], assets: [...assets, another]};
    expectAddresses(known);
    const {find} = createCatalogue({known, hints: [another.id]});
    expect(find(another.id)).to.deep.include({symbol: 'USDC', decimals: 6, token: another.token});
    expect(find(another.id)?.chain).to.deep.equal(more);
  });

  it('gives each asset the decimals of its own chain', () => {
    const all = assets.flatMap(({id}) => (chainOf(id)?.test ? [] : [id]));
    const {find} = createCatalogue({known: ALL_KNOWN, assets: all});
    expect(find('base:usdc')?.decimals).to.equal(6);
    expect(find('bnbchain:usdc')?.decimals).to.equal(18);
    expect(find('bitcoin:btc')?.decimals).to.equal(8);
    expect(find('botanix:btc')?.decimals).to.equal(18);
    expect(find('megaeth:btc.b')?.symbol).to.equal('BTC.b');
  });

  it('leads to each chain’s own explorer', () => {
    const url = (id: string) => {
      const {find} = createCatalogue({known: ALL_KNOWN, hints: [id]});
      return transactionUrl(find(id)!.chain, 'abc');
    };
    expect(url('bitcoin_testnet:btc')).to.equal('https://mempool.space/testnet4/tx/abc');
    expect(url('solana_testnet:sol')).to.equal('https://explorer.solana.com/tx/abc?cluster=devnet');
    expect(url('starknet:wbtc')).to.equal('https://voyager.online/tx/abc');
  });
});
