import fc from 'fast-check';
import {expect} from '../support/expect.js';
import {orderIds} from '../support/order-ids.js';
import type {AssetId, KnownAsset} from '../../src/domain/asset.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';
import {
  assetOf,
  chainOf,
  differences,
  isKnownContract,
  readRescue,
  writeRescue,
  type AddressRescue,
  type ContractRescue,
} from '../../src/domain/rescue.js';

const FILE: ContractRescue = {
  how: 'contract',
  chain: {name: 'base_sepolia', family: 'evm', chainId: 84532, test: true, blockSeconds: 2},
  asset: {id: 'base_sepolia:wbtc', symbol: 'WBTC', decimals: 8},
  order: 'f1b8d5a0c3',
  placedAt: Date.UTC(2026, 10, 25, 12, 0, 5),
  hash: `0x${'ab'.repeat(32)}`,
  rpc: 'https://node.example/base',
  terms: {
    contract: '0xd1E0Ba2b165726b3a6051b765d4564d030FDcf50',
    payer: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    redeemer: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    amount: 10_000_000n,
    timelock: 7_200n,
    secretHash: 'cd'.repeat(32),
  },
};

const ON_BITCOIN: AddressRescue = {
  how: 'address',
  chain: {name: 'bitcoin_testnet', family: 'bitcoin', test: true, blockSeconds: 600},
  asset: {id: 'bitcoin_testnet:btc', symbol: 'BTC', decimals: 8},
  order: 'f1b8d5a0c3',
  placedAt: Date.UTC(2026, 10, 25, 12, 0, 5),
  hash: undefined,
  rpc: undefined,
  address: 'tb1ptt49v22dcst7mquwfsmcu2t56xjg07whtcgufvhjuj5zu89y6q0qn8fvfp',
  payer: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  amount: 1_000_000n,
  service: 'https://the.service',
};

const fieldsOf = (file = FILE as ContractRescue | AddressRescue) =>
  JSON.parse(writeRescue(file)) as Record<string, unknown>;
const faultsOf = (fields: Record<string, unknown>) => {
  const read = readRescue(JSON.stringify(fields));
  return 'fields' in read ? read.fields : [];
};

/** An almost valid value for each field. */
const WRONG: Readonly<Record<string, unknown>> = {
  order: 'a\nb',
  placed: '2026-11-25',
  chain: 'base sepolia',
  family: 'tron',
  test: 'true',
  blockSeconds: 0,
  asset: 'wbtc',
  symbol: 'WBTC\u202e',
  decimals: -1,
  payer: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed and more',
  amount: '0',
  contract: 'javascript:alert(1)',
  redeemer: '',
  timelock: '-7200',
  secretHash: 'CD'.repeat(32),
  address: 'x',
  service: 'http://the.service',
  chainId: '84532',
  hash: `${'ab'.repeat(32)}\n`,
  rpc: 'http://node.example',
};

describe('A rescue file', () => {
  it('keeps every id that a service may give', () => {
    fc.assert(
      fc.property(orderIds, order => {
        expect(readRescue(writeRescue({...FILE, order}))).to.include({order});
      }),
      {numRuns: 200, seed: 44},
    );
  });

  for (const [name, file] of [
    ['by a contract', FILE],
    ['to an address', ON_BITCOIN],
  ] as const) {
    it(`of a payment ${name} is read as written, and fits into a QR code`, () => {
      const text = writeRescue(file);
      expect(readRescue(text)).to.deep.equal(file);
      expect(readRescue(`\n${JSON.stringify(JSON.parse(text), null, 2)}\n`)).to.deep.equal(file);
      expect(text.length).to.be.lessThan(1_000);
    });

    for (const field of Object.keys(fieldsOf(file)).filter(field => field !== 'rescue')) {
      it(`of a payment ${name} reports “${field}” if it is invalid or missing`, () => {
        expect(Object.keys(WRONG)).to.include(field);
        const names = faultsOf({...fieldsOf(file), [field]: WRONG[field]});
        expect(names).to.include(field);
        const {[field]: _gone, ...rest} = fieldsOf(file);
        const needed = field !== 'hash' && field !== 'rpc';
        expect(faultsOf(rest).includes(field), 'missing').to.equal(needed);
      });
    }
  }

  it('of any earlier version of the widget is read', () => {
    const kept =
      '{"rescue":1,"order":"f1b8d5a0c3","placed":"2026-11-25T12:00:05Z","chain":"base_sepolia","family":"evm",' +
      '"chainId":84532,"test":true,"blockSeconds":2,"asset":"base_sepolia:wbtc","symbol":"WBTC","decimals":8,' +
      `"contract":"${FILE.terms.contract}","payer":"${FILE.terms.payer}","redeemer":"${FILE.terms.redeemer}",` +
      `"amount":"10000000","timelock":"7200","secretHash":"${'cd'.repeat(32)}"}`;
    expect(readRescue(kept)).to.deep.equal({...FILE, hash: undefined, rpc: undefined});
    expect(writeRescue({...FILE, hash: undefined, rpc: undefined})).to.equal(kept);
  });

  it('keeps its time to the second, in one form, on a day that there was', () => {
    const placedAt = FILE.placedAt + 678;
    expect(fieldsOf({...FILE, placedAt})['placed']).to.equal('2026-11-25T12:00:05Z');
    for (const placed of [
      '2026-02-30T12:00:05Z',
      '2026-11-25T12:00:05.000Z',
      '2026-11-25T12:00:05+00:00',
      '+012026-11-25T12:00:05Z',
      ' 2026-11-25T12:00:05Z',
      '2026-11-25T12:00:05Z ',
      FILE.placedAt,
    ])
      expect(faultsOf({...fieldsOf(), placed}), String(placed)).to.deep.equal(['placed']);
  });

  it('holds the shortest and the longest value of each field, and none beyond', () => {
    const url = (length: number) => `https://${'n'.repeat(length - 8)}`;
    const digits = (length: number) => '9'.repeat(length);
    const limits: readonly (readonly [field: string, good: readonly unknown[], bad: readonly unknown[]])[] = [
      ['symbol', ['W', 'w'.repeat(256)], ['', 'w'.repeat(257), 'W\nW']],
      ['blockSeconds', [0.25, 31_536_000], [0, -1, 31_536_001, '2']],
      ['decimals', [0, 36], [-1, 37, 1.5]],
      ['chainId', [1, Number.MAX_SAFE_INTEGER], [0, Number.MAX_SAFE_INTEGER + 1]],
      ['amount', ['1', digits(78)], ['0', '01', digits(79), '1 ', ' 1', '1n', 1]],
      ['payer', ['p'.repeat(20), 'p'.repeat(100)], ['p'.repeat(19), 'p'.repeat(101), `!${'p'.repeat(20)}`]],
      ['rpc', [url(500)], [url(501), 5]],
    ];
    for (const [field, good, bad] of limits) {
      for (const value of good) expect(faultsOf({...fieldsOf(), [field]: value}), String(value)).to.deep.equal([]);
      for (const value of bad) expect(faultsOf({...fieldsOf(), [field]: value}), String(value)).to.deep.equal([field]);
    }
  });

  it('names its chain and its asset as the service does', () => {
    const faults = (chain: string, asset: string) => faultsOf({...fieldsOf(), chain, asset});
    const [longest, longer] = ['c'.repeat(64), 'c'.repeat(65)];
    for (const [chain, name] of [
      ['c', 'a'],
      [longest, longest],
      ['Base_1-x', 'WBTC.e_2-x'],
    ] as const)
      expect(faults(chain, `${chain}:${name}`)).to.deep.equal([]);
    expect(faults('', ':a')).to.deep.equal(['chain', 'asset']);
    expect(faults(longer, `${longer}:a`)).to.deep.equal(['chain', 'asset']);
    for (const asset of ['c', 'c:', `c:${longer}`, 'c:a!', 'c:!a', 'c:a:b', 'd:a'])
      expect(faults('c', asset), asset).to.deep.equal(['asset']);
  });

  it('has at most 4,000 characters, spaces around it aside', () => {
    const text = writeRescue(FILE);
    const spaced = (length: number) => text.replace('{', `{${' '.repeat(length - text.length)}`);
    expect(readRescue(`  ${spaced(4_000)}\n`)).to.deep.equal(FILE);
    expect(readRescue(spaced(4_001))).to.deep.equal({fields: ['text']});
  });

  it('has an unknown field reported by the beginning of its name', () => {
    expect(faultsOf({...fieldsOf(), ['x'.repeat(41)]: 1})).to.deep.equal(['x'.repeat(40)]);
  });

  it('contains no secret', () => {
    expect(Object.keys(fieldsOf()).filter(name => /secret(?!Hash)|key|seed|signature/i.test(name))).to.deep.equal([]);
  });

  it('reports unknown fields, and those of the other kind of payment', () => {
    expect(faultsOf({...fieldsOf(), to: '0x', value: 1})).to.deep.equal(['to', 'value']);
    expect(faultsOf({...fieldsOf(), address: ON_BITCOIN.address})).to.deep.equal(['address']);
    expect(faultsOf({...fieldsOf(ON_BITCOIN), contract: FILE.terms.contract})).to.deep.equal(['contract']);
  });

  it('has its asset’s chain, and a chain id only for EVM chains', () => {
    expect(faultsOf({...fieldsOf(), chain: 'base'})).to.deep.equal(['asset']);
    expect(faultsOf({...fieldsOf(), family: 'solana'})).to.deep.equal(['chainId']);
  });

  it('names a token on Solana, where one program holds many, and only there', () => {
    const [payer = '', token = ''] = ['3', '4'].map(digit => digit.repeat(44));
    const chain = {name: 'solana_testnet', family: 'solana', test: true, blockSeconds: 0.4} as const;
    const asset = {id: 'solana_testnet:usdc', symbol: 'USDC', decimals: 6} as const;
    const file = {...FILE, chain, asset, terms: {...FILE.terms, payer, token}};
    expect(readRescue(writeRescue(file))).to.deep.equal(file);
    expect(faultsOf({...fieldsOf(file), token: 'none'})).to.deep.equal(['token']);
    expect(faultsOf({...fieldsOf(), token})).to.deep.equal(['token']);
  });

  it('is distinguished from other texts and versions, and from one with duplicate fields', () => {
    for (const text of ['', '[]', 'null', '{}', 'hello', '{"rescue":1', 'x'.repeat(5_000)])
      expect(readRescue(text)).to.deep.equal({fields: ['text']});
    expect(faultsOf({...fieldsOf(), rescue: 2})).to.deep.equal(['version']);
    const twice = writeRescue(FILE).replace('"amount"', '"amount":"5","amount"');
    expect(readRescue(twice)).to.deep.equal({fields: ['text']});
    expect(faultsOf({...fieldsOf(), amount: {toString: 1}})).to.deep.equal(['text']);
  });
});

describe('What is trusted in a rescue file', () => {
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

  it('is only the RPC if the catalogue knows the chain', () => {
    const lie = {...FILE.chain, chainId: 1, blockSeconds: 9, test: false};
    expect(chainOf(lie, FILE.rpc, ALL_KNOWN)).to.deep.equal({
      ...ALL_KNOWN.chains.find(({name}) => name === 'base_sepolia')!,
      rpc: FILE.rpc,
    });
    expect(chainOf({...FILE.chain, name: 'mine'}, undefined, ALL_KNOWN).title).to.equal('mine');
  });

  it('is a contract only on the chain for which the catalogue has it', () => {
    const {contract} = FILE.terms;
    const isKnown = (chain: {name: string; family: 'evm' | 'solana'}, one = contract) =>
      isKnownContract(chain, one, ALL_KNOWN, isSame);
    expect(isKnown({name: 'base_sepolia', family: 'evm'})).to.equal(true);
    expect(isKnown({name: 'base', family: 'evm'})).to.equal(false);
    expect(isKnown({name: 'base_sepolia', family: 'solana'})).to.equal(false);
    expect(isKnown({name: 'mine', family: 'evm'})).to.equal(false);
    expect(isKnown({name: 'base_sepolia', family: 'evm'}, FILE.terms.payer)).to.equal(false);
  });

  it('is each contract that the catalogue has for an asset, an earlier one, too', () => {
    const [chain] = ALL_KNOWN.chains;
    const asset = {...ALL_KNOWN.assets[0]!, id: `${chain!.name}:a`} as const;
    const known = {chains: [chain!], assets: [{...asset, contracts: ['0xold', '0xnew']}]};
    for (const contract of ['0xOLD', '0xnew']) expect(isKnownContract(chain!, contract, known, isSame)).to.equal(true);
    expect(isKnownContract(chain!, '0xother', known, isSame)).to.equal(false);
  });

  it('is no asset: that is what the catalogue has for the contract, else for the token that the contract holds', () => {
    const [chain, elsewhere] = ALL_KNOWN.chains;
    const {contracts: _, token: __, ...bare} = ALL_KNOWN.assets[0]!;
    const anAsset = (id: string, more: Partial<KnownAsset>) => ({...bare, ...more, id: id as AssetId});
    const catalogue = {
      chains: [chain!],
      assets: [
        anAsset(`${elsewhere!.name}:a`, {contracts: ['0xa'], token: '0x1'}),
        anAsset(`${chain!.name}:coin`, {}),
        anAsset(`${chain!.name}:b`, {contracts: ['0xold', '0xb'], token: '0x2'}),
        anAsset(`${chain!.name}:c`, {token: '0x3'}),
      ],
    };
    const found = (contract: string, token?: string) => assetOf(chain!, contract, token, catalogue, isSame);
    const {symbol, title, decimals} = bare;
    const b = {id: `${chain!.name}:b`, chain, symbol, title, decimals, contracts: ['0xold', '0xb'], token: '0x2'};
    for (const [contract, token] of [['0xB'], ['0xold', '0x3'], ['0xelse', '0x2']] as const)
      expect(found(contract, token)).to.deep.equal(b);
    expect(found('0xelse', '0x3')).to.deep.include({id: `${chain!.name}:c`, contracts: [], token: '0x3'});
    for (const [contract, token] of [['0xelse'], ['0xa', '0x1'], ['0xelse', '0x4']] as const)
      expect(found(contract, token)).to.equal(undefined);
    const ofCoin = anAsset(`${chain!.name}:coin`, {contracts: ['0xd']});
    expect(assetOf(chain!, '0xd', undefined, {chains: [], assets: [ofCoin]}, isSame)).to.not.have.property('token');
  });

  it('is the token’s asset where a contract holds those of several', () => {
    const chain = ALL_KNOWN.chains.find(({name}) => name === 'solana_testnet')!;
    const [usdc, cbbtc] = ALL_KNOWN.assets.filter(({id, token}) => token && id.startsWith('solana_testnet:'));
    const found = (token?: string) =>
      assetOf(chain, usdc!.contracts![0]!, token, ALL_KNOWN, (one, other) => one === other)?.id;
    expect([usdc, cbbtc].map(one => found(one!.token))).to.deep.equal([usdc!.id, cbbtc!.id]);
    for (const token of [undefined, 'another']) expect(found(token)).to.be.undefined;
  });

  it('is reported if the chain shows something else', () => {
    const shown = {...FILE.terms, payer: FILE.terms.payer.toLowerCase(), amount: 1n};
    expect(differences(FILE.terms, shown, isSame)).to.deep.equal(['amount']);
    expect(differences(FILE.terms, FILE.terms, isSame)).to.deep.equal([]);
  });
});
