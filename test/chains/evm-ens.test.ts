/** ENS names in place of addresses: responses of registry and resolver, and the results. */
import {expect} from '../support/expect.js';
import {AbiCoder, Interface, getAddress, namehash, toBeHex, zeroPadValue} from 'ethers';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {Chain} from '../../src/domain/asset.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';
import {hex} from '../../src/chains/rpc.js';

const adapter = createEvmAdapter({...TIMEOUTS, read: 100});
const RPC = 'https://ethereum.test/';
const REGISTRY = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e';
const RESOLVER = getAddress('0x231b0ee14048e9dccd1d247744d114a4eb5e8e63');
const ALICE = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const OTHER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const NAME = 'alice.eth';

const calls = new Interface([
  'function resolver(bytes32) view returns (address)',
  'function addr(bytes32) view returns (address)',
  'function addr(bytes32,uint256) view returns (bytes)',
  'error OffchainLookup(address,string[],bytes,bytes4,bytes)',
]);
const word = (address: string) => zeroPadValue(address, 32);
const bytes = (data: string) => AbiCoder.defaultAbiCoder().encode(['bytes'], [data]);
const knownChain = (name: string) => ALL_KNOWN.chains.find(chain => chain.name === name)!;

/** A node's response to a call: data, a JSON-RPC error, or `undefined` for an unreadable one. */
type Answer = string | {readonly code: number; readonly message: string; readonly data?: unknown} | undefined;

/** An Ethereum node that resolves `alice.eth`. */
const ledger = () => ({
  chainId: 1 as number | string,
  resolver: word(RESOLVER) as Answer,
  addr: word(ALICE) as Answer,
  ofChain: {} as Record<string, Answer>,
  isDown: false,
});

async function read(
  change: Partial<ReturnType<typeof ledger>> = {},
  {name = NAME, chain = 'ethereum', rpc = RPC} = {},
) {
  const node = {...ledger(), ...change};
  const asked: string[] = [];
  const answerTo = (method: string, {to, data} = {to: '', data: ''}): Answer => {
    if (method === 'eth_chainId') return hex(Number(node.chainId));
    const call = calls.parseTransaction({data})!;
    expect(call.args[0]).to.equal(namehash(name.toLowerCase().replaceAll('\ufe0f', '')));
    asked.push(call.signature);
    if (to === REGISTRY) return node.resolver;
    expect(to).to.equal(RESOLVER);
    return call.args.length === 1 ? node.addr : (node.ofChain[toBeHex(call.args[1] as bigint)] ?? bytes('0x'));
  };
  const {fetch} = globalThis;
  const hosts = new Set<string>();
  globalThis.fetch = (input, init) => {
    hosts.add(String(input));
    if (node.isDown) return Promise.reject(new TypeError('Failed to fetch'));
    const {method, params} = JSON.parse(String(init?.body)) as {method: string; params: [{to: string; data: string}?]};
    const answer = answerTo(method, params[0]);
    const body = typeof answer === 'object' ? {error: answer} : {result: answer ?? null};
    return Promise.resolve(Response.json(body));
  };
  const findChain = (wanted: string): Chain => {
    const {rpc: _, ...known} = knownChain(wanted);
    return wanted.startsWith('ethereum') && rpc ? {...known, rpc} : known;
  };
  try {
    const reading = await adapter.addresses.readName!(
      name,
      knownChain(chain),
      findChain(adapter.addresses.namesOn!(knownChain(chain))),
      {},
    );
    return {reading, asked, hosts: [...hosts]};
  } finally {
    globalThis.fetch = fetch;
  }
}

const faultOf = async (...how: Parameters<typeof read>) => (await read(...how)).reading.fault;

describe('An ENS name', () => {
  it('resolves to its address on Ethereum, read only from the given RPC', async () => {
    const {reading, asked, hosts} = await read();
    expect(reading).to.deep.equal({name: NAME, address: ALICE});
    expect(asked).to.deep.equal(['resolver(bytes32)', 'addr(bytes32)']);
    expect(hosts).to.deep.equal([RPC]);
  });

  it('is resolved on the testnet for an asset on a testnet', async () => {
    const {reading} = await read({chainId: 11155111}, {chain: 'ethereum_sepolia'});
    expect(reading.address).to.equal(ALICE);
    expect(await faultOf({chainId: 1}, {chain: 'ethereum_sepolia'})).to.equal('unread');
  });

  it('resolves on another chain to the address set for that chain, never to the one on Ethereum', async () => {
    const ofChain = {'0x80002105': bytes(OTHER)};
    const {reading, asked} = await read({ofChain}, {chain: 'base'});
    expect(reading).to.deep.equal({name: NAME, address: OTHER});
    expect(asked).to.deep.equal(['resolver(bytes32)', 'addr(bytes32,uint256)']);
    expect(await faultOf({ofChain}, {chain: 'arbitrum'})).to.equal('no-address');
    for (const data of [`0x${'00'.repeat(20)}`, '0x']) {
      expect(await faultOf({ofChain: {'0x80002105': bytes(data)}}, {chain: 'base'}), data).to.equal('no-address');
    }
    for (const answer of [bytes('0x1234'), bytes(word(OTHER)), '0x1234', word(OTHER)]) {
      expect(await faultOf({ofChain: {'0x80002105': answer}}, {chain: 'base'}), answer).to.equal('unread');
    }
  });

  it('is normalized to lower case, and to emoji in text style', async () => {
    expect((await read({}, {name: 'Alice.ETH'})).reading).to.deep.equal({name: NAME, address: ALICE});
    const {reading} = await read({}, {name: 'alice❤️.eth'});
    expect(reading).to.deep.equal({name: 'alice❤.eth', address: ALICE});
  });

  it('is invalid with disallowed characters, mixed scripts, or lookalikes', async () => {
    for (const name of [
      'аlice.eth',
      'ali ce.eth',
      'ali\u200bce.eth',
      'a..eth',
      '.eth',
      'ａlice.eth',
      'ethereum:alice.eth',
    ]) {
      const {reading, hosts} = await read({}, {name});
      expect(reading, name).to.deep.equal({name, fault: 'not-a-name'});
      expect(hosts).to.deep.equal([]);
    }
  });

  it('has no address if no resolver or no address is set, or the resolver reverts', async () => {
    const zero = `0x${'00'.repeat(32)}`;
    for (const change of [
      {resolver: zero},
      {addr: zero},
      {addr: '0x'},
      {addr: {code: 3, message: 'execution reverted', data: '0x'}},
    ]) {
      expect(await faultOf(change), JSON.stringify(change)).to.equal('no-address');
    }
  });

  it('that is resolved off-chain is not looked up there', async () => {
    const lookup = calls.encodeErrorResult('OffchainLookup', [
      RESOLVER,
      ['https://gate.test/'],
      '0x',
      '0x12345678',
      '0x',
    ]);
    for (const addr of [
      {code: 3, message: 'execution reverted', data: lookup},
      {code: -32603, message: 'Internal error', data: {code: 3, message: 'reverted', data: lookup}},
      {code: -32015, message: 'VM execution error.', data: `Reverted ${lookup}`},
    ]) {
      const {reading, hosts} = await read({addr});
      expect(reading.fault).to.equal('offchain');
      expect(hosts).to.deep.equal([RPC]);
    }
  });

  it('is unread if the node is on another chain, does not respond, or returns no address', async () => {
    for (const change of [
      {chainId: 8453},
      {isDown: true},
      {resolver: '0x'},
      {resolver: undefined},
      {resolver: ALICE},
      {addr: ALICE},
      {addr: `0x${'f'.repeat(64)}`},
      {addr: undefined},
      {addr: {code: -32005, message: 'limit exceeded'}},
    ]) {
      expect(await faultOf(change), JSON.stringify(change)).to.equal('unread');
    }
  });

  it('is not resolved without an RPC for Ethereum', async () => {
    const {reading, hosts} = await read({}, {rpc: ''});
    expect(reading.fault).to.equal('off');
    expect(hosts).to.deep.equal([]);
  });
});
