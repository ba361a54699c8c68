import {startSandbox, type Sandbox} from '../../demo/sandbox/sandbox.js';
import {assertLoopback} from '../../demo/wallets/wallet-core.js';
import {expect} from '../support/expect.js';

const TOKEN = 'the token of this test';

describe('the sandbox', () => {
  let shared: Sandbox;
  before(async () => {
    shared = await startSandbox({token: TOKEN});
  });
  after(() => shared.close());

  const ask = (
    path: string,
    {method = 'GET', body, headers}: {method?: string; body?: unknown; headers?: object} = {},
  ) =>
    fetch(shared.url + path, {
      method,
      headers: {...(body !== undefined && {'content-type': 'application/json'}), ...headers},
      ...(body !== undefined && {body: JSON.stringify(body)}),
    });
  const call = (chain: string, method: string, ...params: unknown[]) =>
    ask(`/rpc/${chain}`, {method: 'POST', body: {jsonrpc: '2.0', id: 1, method, params}});

  it('requires its token for every control once it is shared, even from this machine', async () => {
    const body = {chain: 'base_sepolia', blocks: 1};
    for (const headers of [
      {},
      {authorization: 'Bearer '},
      {authorization: `Bearer ${TOKEN}x`},
      {authorization: TOKEN},
    ]) {
      expect((await ask('/sandbox/mine', {method: 'POST', body, headers})).status).to.equal(401);
      expect((await ask('/sandbox/faults', {method: 'DELETE', headers})).status).to.equal(401);
    }
    const headers = {authorization: `Bearer ${TOKEN}`, origin: 'https://partner.example'};
    const mined = await ask('/sandbox/mine', {method: 'POST', body, headers});
    expect(mined.status).to.equal(200);
    expect(mined.headers.get('access-control-allow-origin')).to.equal('https://partner.example');
  });

  it('publishes its app id and chains, and proxies their nodes under its own address', async () => {
    const info = (await (await ask('/sandbox')).json()) as {chains: Record<string, {rpc: string}>};
    expect(Object.keys(info.chains)).to.have.length(5);
    for (const [name, {rpc}] of Object.entries(info.chains)) expect(rpc).to.equal(`${shared.url}/rpc/${name}`);
    const id = (await (await call('base_sepolia', 'eth_chainId')).json()) as {result: string};
    expect(id.result).to.equal('0x14a34');
    const height = await ask('/rpc/bitcoin_testnet/blocks/tip/height');
    expect(Number(await height.text())).to.be.greaterThan(0);
    expect((await call('mars', 'eth_chainId')).status).to.equal(404);
  });

  it('does not expose a node’s keys and tools', async () => {
    for (const method of [
      'anvil_setBalance',
      'evm_mine',
      'eth_sendTransaction',
      'eth_sendTransactionSync',
      'eth_sendUnsignedTransaction',
      'eth_signTypedData_v4',
      'eth_accounts',
      'eth_fillTransaction',
      'eth_subscribe',
      'eth_somethingNew',
      'net_somethingNew',
      'toString',
      ['eth_call'],
      ' eth_call',
    ])
      expect((await call('base_sepolia', method as string)).status, String(method)).to.equal(403);
    const batch = [{method: 'eth_chainId'}, {method: 'anvil_reset'}];
    expect((await ask('/rpc/base_sepolia', {method: 'POST', body: batch})).status).to.equal(403);
    const twice = '{"jsonrpc":"2.0","id":1,"method":"anvil_nodeInfo","method":"eth_chainId","params":[]}';
    const answer = await fetch(`${shared.url}/rpc/base_sepolia`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: twice,
    });
    expect(await answer.json()).to.deep.equal({jsonrpc: '2.0', id: 1, result: '0x14a34'});
  });

  it('lets wallets and pages read, and send what they signed themselves', async () => {
    for (const method of ['eth_getLogs', 'eth_feeHistory', 'eth_getBlockByNumber', 'eth_sendRawTransaction'])
      expect((await call('base_sepolia', method)).status, method).not.to.equal(403);
    const batch = [
      {jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: []},
      {jsonrpc: '2.0', id: 2, method: 'net_version', params: []},
    ];
    expect((await ask('/rpc/base_sepolia', {method: 'POST', body: batch})).status).to.equal(200);
  });

  it('does not expose its nodes while it is not shared', async () => {
    const alone = await startSandbox();
    try {
      expect((await fetch(`${alone.url}/rpc/base_sepolia`, {method: 'POST', body: '{}'})).status).to.equal(404);
      expect((await fetch(`${alone.url}/healthz`)).status).to.equal(200);
    } finally {
      await alone.close();
    }
  });
});

it('A development wallet only runs on loopback addresses', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]', 'shop.localhost']) assertLoopback(host);
  for (const host of ['shop.example', '10.0.0.1', '127.0.0.1.evil.example', 'localhost.example', '']) {
    expect(() => assertLoopback(host)).to.throw('only run on loopback addresses');
  }
});
