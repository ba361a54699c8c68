/** What the sanctions oracle says of an address, and what is no answer of it. A real chain has it in `evm-chain.test.ts`. */
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';
import {expect} from '../support/expect.js';

const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const word = (end: string) => `0x${end.padStart(64, '0')}`;

it('The sanctions oracle is asked where it is, and says yes or no; nonsense says nothing', async () => {
  const {fetch} = globalThis;
  let calls: unknown[] = [];
  const lookUp = (answer: unknown, name = 'base', chainId = '0x2105') => {
    calls = [];
    globalThis.fetch = (_, init) => {
      const {method, params} = JSON.parse(String(init?.body)) as {method: string; params: unknown[]};
      if (method === 'eth_call') calls.push(params[0]);
      return Promise.resolve(Response.json({result: method === 'eth_chainId' ? chainId : answer}));
    };
    const chain = {...ALL_KNOWN.chains.find(known => known.name === name)!, rpc: 'https://node.test/'};
    return createEvmAdapter().addresses.isListed!(chain, ADDRESS, {});
  };
  expect([await lookUp(word('1')), await lookUp(word('0'))]).to.deep.equal([true, false]);
  const data = `0xdf592f7d${ADDRESS.slice(2).toLowerCase().padStart(64, '0')}`;
  expect(calls).to.deep.equal([{to: '0x3A91A31cB3dC49b4db9Ce721F50a9D076c8D739B', data}]);
  for (const answer of [
    '0x',
    word('2'),
    `0x${'f'.repeat(64)}`,
    `${word('0')}00`,
    word('1').replace('00', '0'),
    '0x0',
    true,
    null,
  ])
    expect(await lookUp(answer), String(answer)).to.equal(undefined);
  expect(await lookUp(word('0'), 'ethereum')).to.equal(undefined);
  globalThis.fetch = fetch;
});
