/** How a Bitcoin chain is read: what a node of Esplora is asked, and what its answers mean. */
import {sha256} from '@noble/hashes/sha2.js';
import {hex} from '@scure/base';
import {expect} from '../support/expect.js';
import {readOrder} from '../../src/api/schema.js';
import type {Account} from '../../src/chains/adapter.js';
import {createBitcoinAdapter} from '../../src/chains/bitcoin/bitcoin.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {Leg} from '../../src/domain/order.js';
import {sampleDeal} from '../support/bitcoin-deal.js';
import {scriptedFetch, type ScriptedAnswer} from '../support/fetch.js';
import {depositState, faultOf} from '../support/funding.js';
import {samples} from '../support/samples.js';

const adapter = createBitcoinAdapter({...TIMEOUTS, read: 2_000});

describe('a Bitcoin deposit', () => {
  it('is looked up at the address in the published samples, whichever side pays in', () => {
    const {order, agreed} = sampleDeal();
    const at = (source: Leg) => adapter.depositsOf({...order, source}, agreed.from);
    const legs = (['bitcoin', 'evm', 'solana', 'starknet'] as const).map(family => {
      const {source, destination} = readOrder(samples[family].status.result);
      return family === 'bitcoin' ? source : destination;
    });
    expect(legs.map(at)).to.deep.equal(legs.map(({swapId, amount}) => [{how: 'transfer', address: swapId, amount}]));
  });

  it('is not looked up under terms that make no address', () => {
    const {order, agreed} = sampleDeal();
    const {from} = agreed;
    expect(adapter.depositsOf(order, from).map(({how}) => how)).to.include('transfer');
    for (const change of [{timelock: 0}, {timelock: 0x1_0000}, {secretHash: ''}, {redeemer: 'nobody', delegate: ''}])
      expect(adapter.depositsOf({...order, source: {...order.source, ...change}}, from)).to.deep.equal([]);
  });
});

describe('reading a Bitcoin chain', () => {
  const real = globalThis.fetch;
  afterEach(() => {
    globalThis.fetch = real;
  });

  function open(...answers: ScriptedAnswer[]) {
    const {fetch, sent} = scriptedFetch(...answers);
    globalThis.fetch = fetch;
    const deal = sampleDeal();
    Object.assign(deal.agreed.from.chain, {rpc: 'https://node.example/api/'});
    return {deal, sent};
  }

  const stats = (chain: number, mempool: number) => ({
    body: {
      chain_stats: {funded_txo_sum: chain, spent_txo_sum: 0},
      mempool_stats: {funded_txo_sum: mempool, spent_txo_sum: 0},
    },
  });

  it('reads nothing if no node is set', async () => {
    const {sent} = open();
    const deal = sampleDeal();
    const account = {address: deal.agreed.owner} as Account;
    expect(await depositState(adapter, deal, {account})).to.equal('unknown');
    expect(await adapter.readFee?.(deal, {account})).to.equal(undefined);
    expect(await adapter.means.balance(deal.agreed.from, account)).to.equal(undefined);
    expect(await adapter.means.reserve?.(deal.agreed.from, account)).to.equal(0n);
    expect((await adapter.check(deal, {account})).outcome).to.equal('passed');
    expect(sent).to.deep.equal([]);
  });

  it('reads the balance of its chain’s addresses only, and only as an amount', async () => {
    const {deal, sent} = open(stats(70, 5), stats(-5, 0), stats(0.5, 0));
    const read = (address: string) => adapter.means.balance(deal.agreed.from, {address} as Account);
    expect(await read('1nowhere')).to.equal(undefined);
    expect(sent).to.deep.equal([]);
    const found = [];
    for (const owner of Array<string>(3).fill(deal.agreed.owner)) found.push(await read(owner));
    expect(found).to.deep.equal([75n, undefined, undefined]);
  });

  it('requests the one address, and reveals nothing else', async () => {
    const {deal, sent} = open(stats(0, 0));
    const {address} = deal.deposit;
    deal.deposit.address = address.toUpperCase();
    expect(await depositState(adapter, deal, {hash: '5a'.repeat(32)})).to.equal('none');
    expect(sent.map(({method, url}) => `${method} ${url}`)).to.deep.equal([
      `GET https://node.example/api/address/${address}`,
    ]);
    expect(sent[0]?.init.credentials).to.equal('omit');
  });

  for (const [what, answer] of [
    ['an error', {status: 500, body: 'busy'}],
    ['a page', {body: '<html>'}],
    ['invalid sums', {body: {chain_stats: {}, mempool_stats: {}}}],
    ['half a response', {body: {chain_stats: {funded_txo_sum: 0, spent_txo_sum: 0}}}],
    ['an unreadable response', {body: 'null'}],
    ['no connection', 'broken'],
  ] as const) {
    it(`does not report a payment by ${what}`, async () => {
      expect(await faultOf(depositState(adapter, open(answer).deal, {}))).to.be.an('error');
    });
  }

  it('sends no request for what is not an address of that network', async () => {
    const {deal, sent} = open();
    for (const address of ['../../admin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4']) {
      deal.deposit.address = address;
      expect(await depositState(adapter, deal, {})).to.equal('unknown');
      expect(await adapter.readFee?.(deal, {})).to.equal(undefined);
    }
    expect(sent).to.deep.equal([]);
  });

  const {address} = sampleDeal().deposit;
  const toIt = {vout: [{scriptpubkey_address: address}], status: {confirmed: false}};
  const payment = {...toIt, fee: 282, weight: 564};
  const advice = {body: {1: 3.04, 6: 1}};
  const feeOf = async (transactions: unknown, estimates: ScriptedAnswer = advice) =>
    adapter.readFee?.(open({body: transactions}, estimates).deal, {});

  describe('for a payout', () => {
    const [D, E] = ['d', 'e'].map(digit => digit.repeat(64)) as [string, string];
    const SECRET = '5e'.repeat(32);
    const secretHash = hex.encode(sha256(hex.decode(SECRET)));
    const BEGAN = 1_700_000_000;
    const asset = sampleDeal().agreed.from;
    const out = (to: string, value: number) => ({scriptpubkey_address: to, value});
    const witness = ['51'.repeat(64), SECRET, `a820${'ab'.repeat(32)}88`, 'c0'];
    const transaction = {
      txid: D,
      vin: [{prevout: out('a swap', 90), witness}],
      vout: [out(address, 40), out('another', 30), out(address, 20)],
      status: {confirmed: true, block_height: 12, block_time: BEGAN},
    };
    const read = (...answers: ScriptedAnswer[]) => {
      open(...answers);
      const chain = {...asset.chain, rpc: 'https://node.example/api/'};
      return (hashes: readonly string[], to = address, options: {after?: bigint; since?: number} = {}) =>
        adapter.readPayout({...asset, chain}, to, hashes, {secretHash, ...options});
    };
    const missing = {status: 404, body: 'Transaction not found'};
    const nothing = {amount: 0n, loose: 0n, earlier: 0n, hashes: []};
    const shown = {...nothing, amount: 60n, hashes: [D], block: 12n, secret: SECRET};

    it('requests only hashes, and is nothing of what the chain does not know', async () => {
      expect(await read({body: transaction}, missing)([D, E], address.toUpperCase())).to.deep.equal(shown);
      expect(await read()(['../admin'])).to.deep.equal(nothing);
      const change = {...transaction, vin: [{prevout: out(address, 15)}]};
      expect(await read({body: change})([D]), 'without a secret').to.deep.equal({...nothing, loose: 45n});
    });

    it('does not count from before the order: by the height, else by the block’s own time', async () => {
      const at = BEGAN * 1_000;
      const earlier = {...nothing, earlier: 60n};
      const {block, ...unconfirmed} = shown;
      for (const [options, wanted] of [
        [{since: at}, shown],
        [{since: at + 1}, earlier],
        [{since: at + 1, after: block - 1n}, shown],
        [{since: 0, after: block}, earlier],
      ] as const)
        expect(await read({body: transaction})([D], address, options)).to.deep.equal(wanted);
      const pending = {body: {...transaction, status: {confirmed: false}}};
      expect(await read(pending)([D], address, {after: block})).to.deep.equal(unconfirmed);
    });

    it('is unknown if the chain cannot be read, and a failed read is an error', async () => {
      expect(await faultOf(read({status: 500, body: 'busy'})([D]))).to.be.an('error');
      expect(await faultOf(read({body: {...transaction, vout: 'none'}})([D]))).to.be.an('error');
      expect(await read()([D], 'nobody')).to.be.undefined;
      expect(await adapter.readPayout(asset, address, [D], {})).to.be.undefined;
    });
  });

  it('returns the fee rate of the next blocks, and that of an unconfirmed payment, the lowest of several', async () => {
    const other = {...payment, fee: 150};
    const now = {wanted: 3, within: 20 * 60_000, unit: 'sat/vB'};
    expect(await feeOf([payment])).to.deep.equal({...now, paid: 2});
    expect(await feeOf([payment, other])).to.deep.equal({...now, paid: 1.1});
    expect(await feeOf([payment], {body: {2: 5}})).to.deep.equal({...now, paid: 2, wanted: 5});
    const spent = {...payment, vout: [{scriptpubkey_address: 'another'}]};
    for (const none of [[], [{...payment, status: {confirmed: true}}], [spent]])
      expect(await feeOf(none)).to.deep.equal(now);
  });

  for (const [what, transactions, estimates] of [
    ['an invalid fee', [{...payment, fee: 'much'}], advice],
    ['no list', {}, advice],
    ['an empty transaction', [null], advice],
    ['no fee estimate', [payment], {body: {}}],
    ['an invalid fee estimate', [payment], {body: {1: 'much'}}],
    ['an error instead of a fee estimate', [payment], {status: 500, body: 'busy'}],
  ] as const) {
    it(`makes no hint of ${what}`, async () => {
      expect(await feeOf(transactions, estimates)).to.equal(undefined);
    });
  }

  it('stops when the signal aborts', async () => {
    const {deal} = open('silent');
    const looking = new AbortController();
    const looked = faultOf(depositState(adapter, deal, {signal: looking.signal}));
    looking.abort();
    expect(await looked).to.include({name: 'AbortError'});
  });
});
