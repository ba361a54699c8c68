import {expect} from '../support/expect.js';
import type {Asset} from '../../src/domain/asset.js';
import {createCatalogue} from '../../src/domain/catalogue.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';
import {findAssets} from '../../src/domain/search.js';

const MAIN = createCatalogue({known: ALL_KNOWN}).assets;
const TEST = createCatalogue({known: ALL_KNOWN, hints: ['base_sepolia:wbtc']}).assets;

const found = (text: string, assets: readonly Asset[] = MAIN) => findAssets(text, assets).map(({id}) => id);
const first = (text: string, assets?: readonly Asset[]) => found(text, assets)[0];
const tokenOf = (id: string) => ALL_KNOWN.assets.find(one => one.id === id)!.token!;

describe('The search for an asset', () => {
  it('starts with the one of exactly that symbol or name', () => {
    for (const [text, id] of [
      ['bitcoin', 'bitcoin:btc'],
      ['btc', 'bitcoin:btc'],
      [' BTC ', 'bitcoin:btc'],
      ['ether', 'ethereum:eth'],
      ['eth', 'ethereum:eth'],
      ['seed', 'ethereum:seed'],
      ['solana', 'solana:sol'],
      ['wrapped bitcoin', 'ethereum:wbtc'],
    ] as const) {
      expect(first(text), text).to.equal(id);
    }
    expect(first('bitcoin', TEST)).to.equal('bitcoin_testnet:btc');
    expect(first('ether', TEST)).to.equal('ethereum_sepolia:eth');
  });

  it('continues with what begins with the text, then with words inside a name, then with the rest', () => {
    const titles = (text: string) => [...new Set(findAssets(text, TEST).map(({title}) => title))];
    expect(titles('bit'), 'the last three on Arbitrum').to.deep.equal([
      'Bitcoin',
      'Wrapped Bitcoin',
      'Citrea Bitcoin',
      'Wrapped Citrea Bitcoin',
      'USD Coin',
      'iBTC',
      'Seed',
    ]);
    expect(titles('coin')).to.deep.equal([
      'Coinbase Wrapped BTC',
      'USD Coin',
      'Bitcoin',
      'Wrapped Bitcoin',
      'Citrea Bitcoin',
      'Wrapped Citrea Bitcoin',
    ]);
    expect(titles('eth').at(-1), 'inside “Tether”').to.equal('Tether');
  });

  it('counts the beginning of a network’s name', () => {
    const networks = found('base').map(id => id.split(':')[0]);
    expect(networks.slice(0, 2)).to.deep.equal(['base', 'base']);
    expect(found('base').at(-1), 'Coinbase').to.equal('ethereum:cbbtc');
  });

  it('keeps the page’s order among equals', () => {
    expect(found('usdc')).to.deep.equal(MAIN.filter(({symbol}) => symbol === 'USDC').map(({id}) => id));
    expect(found('')).to.deep.equal(MAIN.map(({id}) => id));
    expect(found('  ')).to.deep.equal(MAIN.map(({id}) => id));
  });

  it('takes several words, in any order', () => {
    expect(found('usdc base')).to.deep.equal(['base:usdc']);
    expect(found('base usdc')).to.deep.equal(['base:usdc']);
    expect(first('btc bnb')).to.equal('bnbchain:btcb');
    expect(found('usdc nowhere')).to.deep.equal([]);
  });

  it('finds a token by its address, in any letter case', () => {
    const token = tokenOf('base:usdc');
    for (const text of [token, token.toLowerCase(), token.toUpperCase(), ` ${token}\n`]) {
      expect(found(text), text).to.deep.equal(['base:usdc']);
    }
    expect(found(tokenOf('base:cbbtc')), 'the same address on two networks').to.deep.equal([
      'base:cbbtc',
      'ethereum:cbbtc',
    ]);
    expect(found(token.replace(/.$/, '0'))).to.deep.equal([]);
    expect(found('0x0')).to.deep.equal([]);
  });

  it('finds a Starknet token with or without leading zeros', () => {
    const digits = tokenOf('starknet:wbtc').slice(2);
    for (const text of [
      `0x${digits}`,
      `0x${digits.padStart(64, '0')}`,
      `0x${digits.toUpperCase().padStart(64, '0')}`,
    ]) {
      expect(found(text), text).to.deep.equal(['starknet:wbtc']);
    }
  });

  it('finds a Solana token by its mint, whose letter case counts', () => {
    const token = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    const {assets} = createCatalogue({assets: ['base:usdc', {id: 'solana:usdc', token, decimals: 6}]});
    expect(found(token, assets)).to.deep.equal(['solana:usdc']);
    expect(found(token.toLowerCase(), assets)).to.deep.equal([]);
  });

  it('finds an asset by its own id, or by its id of the standard', () => {
    expect(first('base_sepolia:wbtc', TEST)).to.equal('base_sepolia:wbtc');
    expect(found(`eip155:8453/erc20:${tokenOf('base:usdc')}`)).to.deep.equal(['base:usdc']);
    expect(found('bip122:000000000019d6689c085ae165831e93/slip44:0')).to.deep.equal(['bitcoin:btc']);
    expect(found('eip155:8453/erc20:0x1')).to.deep.equal([]);
  });

  it('prefers an asset’s own id to a longer one', () => {
    const {assets} = createCatalogue({assets: [{id: 'base:usdc2', symbol: 'USDC2', decimals: 6}, 'base:usdc']});
    expect(found('base:usdc', assets)).to.deep.equal(['base:usdc', 'base:usdc2']);
  });
});
