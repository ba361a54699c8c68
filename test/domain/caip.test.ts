/** Other services' ids of the same chains and assets: CAIP-2 and CAIP-19. */
import {expect} from '../support/expect.js';
import {assetIdIn, caip2Of} from '../../src/domain/caip.js';
import {createCatalogue, ownIds} from '../../src/domain/catalogue.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';

const {asset, chain} = ownIds(ALL_KNOWN);
const tokenOf = (id: string) => ALL_KNOWN.assets.find(one => one.id === id)!.token!;

describe('An id of another service', () => {
  it('is read as ours', () => {
    for (const [text, id] of [
      [`eip155:8453/erc20:${tokenOf('base:usdc')}`, 'base:usdc'],
      [`eip155:8453/erc20:${tokenOf('base:usdc').toLowerCase()}`, 'base:usdc'],
      ['eip155:1/slip44:60', 'ethereum:eth'],
      ['bip122:000000000019d6689c085ae165831e93/slip44:0', 'bitcoin:btc'],
      ['bip122:00000000da84f2bafbbc53dee25a72ae/slip44:1', 'bitcoin_testnet:btc'],
      ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/slip44:501', 'solana:sol'],
      [`starknet:SN_SEPOLIA/erc20:${tokenOf('starknet_sepolia:wbtc')}`, 'starknet_sepolia:wbtc'],
    ] as const) {
      expect(asset(text), text).to.equal(id);
    }
    expect(chain('eip155:84532')).to.equal('base_sepolia');
    expect(chain('starknet:SN_MAIN')).to.equal('starknet');
  });

  it('stays as it is if unknown, and so do our own ids', () => {
    for (const text of [
      'base:usdc',
      'base:*',
      'eip155:8453',
      'eip155:8453/erc20:0x1',
      `eip155:1/erc20:${tokenOf('base:cbbtc').replace(/.$/, '0')}`,
      `eip155:8453/token:${tokenOf('base:usdc')}`,
      'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/slip44:0',
      '/',
      '',
    ]) {
      expect(asset(text)).to.equal(text);
    }
    expect(chain('base')).to.equal('base');
    expect(chain('eip155:5')).to.equal('eip155:5');
  });

  it('of a Solana token is case-sensitive', () => {
    const token = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    const assets = [{id: 'solana:usdc', token, chain: ALL_KNOWN.chains.find(({name}) => name === 'solana')}];
    const id = `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:${token}`;
    expect(assetIdIn(id, assets)).to.equal('solana:usdc');
    expect(assetIdIn(id.replace('EPj', 'epj'), assets)).to.equal(id.replace('EPj', 'epj'));
  });

  it('belongs to one chain only', () => {
    const ids = ALL_KNOWN.chains.map(caip2Of);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids).not.to.include(undefined);
  });

  it('is accepted wherever a catalogue is made from ids', () => {
    const usdc = `eip155:8453/erc20:${tokenOf('base:usdc')}`;
    const catalogue = createCatalogue({
      known: ALL_KNOWN,
      assets: [usdc, 'bitcoin:btc', 'eip155:1/slip44:60', '-eip155:1/slip44:60'],
      fromAssets: [usdc, 'bitcoin:btc'],
      chains: {'eip155:8453': {rpc: 'https://rpc.example'}},
      contracts: {[usdc]: [`0x${'1'.repeat(40)}`]},
    });
    expect(catalogue.assets.map(({id}) => id)).to.deep.equal(['base:usdc', 'bitcoin:btc']);
    expect(catalogue.find('base:usdc')).to.have.nested.property('chain.rpc', 'https://rpc.example');
    expect(catalogue.find('base:usdc')?.vouched).to.deep.equal([{address: `0x${'1'.repeat(40)}`}]);
  });
});
