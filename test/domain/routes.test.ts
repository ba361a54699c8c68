/** Which pairs can be swapped, as far as the page, the service's lists and its refusals say. */
import {expect} from '../support/expect.js';
import {createCatalogue, type CatalogueSettings} from '../../src/domain/catalogue.js';
import {SwapError} from '../../src/domain/error.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';
import {
  hasRoute,
  otherRoute,
  plausible,
  routeKey,
  rulesOf,
  type RoutePolicy,
  type Routes,
} from '../../src/domain/routes.js';

const FAMILIES = ['bitcoin', 'evm', 'solana', 'starknet'] as const;
const open = (settings: Partial<CatalogueSettings> = {}) =>
  createCatalogue({families: FAMILIES, known: ALL_KNOWN, ...settings});
const ids = (pairs: string, side: 'from' | 'to', settings: Partial<CatalogueSettings> = {}) => {
  const {assets, find} = open({pairs, ...settings});
  return assets.flatMap(({id}) => (find(id, side) ? [id] : []));
};
const faultOf = (settings: Partial<CatalogueSettings>) => {
  try {
    open(settings);
    return undefined;
  } catch (error) {
    return error instanceof SwapError ? [error.code, error.field] : error;
  }
};
const rules = (...texts: readonly string[]) => texts.flatMap(text => rulesOf(text) ?? []);
const policy = (given: Partial<RoutePolicy>): Routes => ({
  policy: {isOpen: true, groups: [], allowed: [], barred: [], ...given},
});

describe('The page’s pairs', () => {
  it('are what is offered, in their order, on the sides that they name', () => {
    const pairs = 'bitcoin:btc > base:cbbtc, ETHEREUM:WBTC->bitcoin:btc';
    expect(ids(pairs, 'from')).to.deep.equal(['bitcoin:btc', 'ethereum:wbtc']);
    expect(ids(pairs, 'to')).to.deep.equal(['bitcoin:btc', 'base:cbbtc']);
    const {pairs: named} = open({pairs});
    expect([named?.has('bitcoin:btc', 'base:cbbtc'), named?.has('ethereum:wbtc', 'base:cbbtc')]).to.deep.equal([
      true,
      false,
    ]);
  });

  for (const [pairs, from, to] of [
    ['bitcoin:btc<->base:cbbtc', 2, 2],
    ['base:* > bitcoin:btc', open({assets: ['base:*', 'bitcoin:btc']}).assets.length - 1, 1],
    ['*:cbbtc <-> bitcoin:btc', 3, 3],
    ['eip155:8453/erc20:0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf > bitcoin:btc', 1, 1],
    [' bitcoin:btc > base:cbbtc ,\n', 1, 1],
  ] as const) {
    it(`can be “${pairs.trim()}”`, () => {
      const test = {assets: ['-solana:*']};
      expect([ids(pairs, 'from', test).length, ids(pairs, 'to', test).length]).to.deep.equal([from, to]);
    });
  }

  it('choose between mainnet and testnets', () => {
    expect(open({pairs: 'bitcoin_testnet:btc > base_sepolia:*'}).test).to.equal(true);
  });

  it('that are empty, or not set, name none', () => {
    expect(open({pairs: ' , '}).pairs).to.equal(undefined);
    expect(open().assets.length).to.equal(open({pairs: '* > *'}).assets.length);
  });

  for (const pairs of [
    'bitcoin:btc',
    'bitcoin:btc > ',
    'bitcoin:btc = base:cbbtc',
    'bitcoin:btc > base:cbbtc base:usdc',
    'bitcoin:btc > base:nothing',
    'bitcoin:btc > nowhere:*',
    'bitcoin:btc > bitcoin:btc',
  ]) {
    it(`cannot be “${pairs}”`, () => {
      expect(faultOf({pairs})).to.deep.equal(['config', 'pairs']);
    });
  }
});

describe('A pair has a route', () => {
  const has = (from: string, to: string, routes: Routes = {}) => hasRoute(from, to, {}, routes);

  it('as long as nobody says anything else', () => {
    expect(has('a:x', 'b:y')).to.equal(true);
  });

  it('unless the service refused it, in that direction', () => {
    const refused = {refused: new Set([routeKey('a:X', 'b:y')])};
    expect([has('a:x', 'b:y', refused), has('b:y', 'a:x', refused)]).to.deep.equal([false, true]);
  });

  it('unless one of its assets is not listed', () => {
    const listed = {listed: new Set(['a:x', 'b:y'])};
    expect([has('a:X', 'b:y', listed), has('a:x', 'c:z', listed), has('c:z', 'a:x', listed)]).to.deep.equal([
      true,
      false,
      false,
    ]);
  });

  it('according to the first of the service’s rules that says something: groups, exceptions, bars, the rest', () => {
    const all = policy({
      groups: rules('a:seed <-> b:seed'),
      allowed: rules('a:seed -> b:usdc', 'a:usdc -> *:wbtc'),
      barred: rules('a:usdc -> *', '* -> c:*'),
    });
    const pairs: readonly (readonly [string, string, boolean])[] = [
      ['a:seed', 'b:seed', true],
      ['b:seed', 'a:seed', true],
      ['a:seed', 'b:usdc', false],
      ['b:usdc', 'a:seed', false],
      ['a:usdc', 'b:wbtc', true],
      ['a:usdc', 'b:usdc', false],
      ['b:usdc', 'a:usdc', true],
      ['b:wbtc', 'c:x', false],
      ['b:wbtc', 'd:x', true],
    ];
    for (const [from, to, is] of pairs) expect(has(from, to, all), `${from} ${to}`).to.equal(is);
    const closed = policy({isOpen: false, allowed: rules('a:x <-> b:y')});
    expect([has('a:x', 'b:y', closed), has('b:y', 'a:x', closed), has('a:x', 'b:z', closed)]).to.deep.equal([
      true,
      true,
      false,
    ]);
  });
});

describe('What a service says of its offer', () => {
  const catalogue = open({assets: ['bitcoin:btc', 'base:cbbtc', 'base:usdc']});
  const listed = new Set(['bitcoin:btc', 'base:cbbtc']);

  it('counts as far as it can be true', () => {
    expect(plausible({listed}, catalogue, {from: 'bitcoin:btc'}).listed).to.equal(listed);
    expect(plausible({listed: new Set()}, catalogue, {}).listed, 'empty').to.equal(undefined);
    expect(plausible({listed: new Set(['bitcoin:btc', 'x:y'])}, catalogue, {}).listed, 'of others').to.equal(undefined);
    expect(plausible({listed}, catalogue, {to: 'base:usdc'}).listed, 'without the page’s').to.equal(undefined);
    const pairs = open({pairs: 'bitcoin:btc > base:usdc, bitcoin:* > base:cbbtc'});
    expect(plausible({listed}, pairs, {}).listed, 'without the page’s pair').to.equal(undefined);
  });

  it('cannot bar the page’s own pair', () => {
    const closed = policy({isOpen: false});
    const pair = {from: 'bitcoin:btc', to: 'base:usdc'};
    expect(plausible(closed, catalogue, pair).policy).to.equal(undefined);
    expect(plausible(closed, catalogue, {from: pair.from}).policy).to.equal(closed.policy);
  });
});

describe('Instead of a pair without a route', () => {
  const catalogue = open({assets: ['bitcoin:btc', 'base:usdc', 'base:cbbtc', 'arbitrum:usdc', 'ethereum:wbtc']});
  const pair = {from: catalogue.find('bitcoin:btc')!, to: catalogue.find('base:usdc')!};
  const other = (given: Partial<RoutePolicy>, locked: readonly string[] = []) => {
    const found = otherRoute(pair, catalogue, policy(given), locked);
    return found && {from: found.from.id, to: found.to.id};
  };

  it('the same asset elsewhere is proposed, or else another one, for what is paid', () => {
    const barred = rules('bitcoin:btc -> base:usdc');
    expect(other({barred})).to.deep.equal({from: 'bitcoin:btc', to: 'arbitrum:usdc'});
    expect(other({barred: rules('bitcoin:btc -> *:usdc')})).to.deep.equal({from: 'bitcoin:btc', to: 'base:cbbtc'});
  });

  it('or another one to pay with, if what arrives is locked or cannot be swapped for it', () => {
    const barred = rules('bitcoin:btc -> *');
    expect(other({barred})?.to).to.equal('base:usdc');
    expect(other({barred: rules('bitcoin:btc -> base:usdc')}, ['to'])?.from).to.equal('base:cbbtc');
  });

  it('nothing is proposed where nothing is left', () => {
    expect(other({isOpen: false})).to.equal(undefined);
    expect(other({barred: rules('bitcoin:btc -> base:usdc')}, ['from', 'to'])).to.equal(undefined);
  });
});
