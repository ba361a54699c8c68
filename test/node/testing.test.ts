/** The test service without a page: the widget's own client reads its responses, and its own checks verify them. */
import {deepEqual, equal, match, ok, rejects, throws} from 'node:assert/strict';
import {createClient} from '../../src/api/client.js';
import {adapters} from '../../src/chains/families.js';
import type {Asset, AssetId, ChainFamily} from '../../src/domain/asset.js';
import type {Agreement} from '../../src/domain/deposit.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';
import {createTestService, type TestServiceOptions} from '../../src/testing.js';
import {KNOWN} from '../support/deal.js';
import {anAgreement, assetOf} from '../support/swap.js';

const {assets, find} = KNOWN;

const OWNERS: Readonly<Record<ChainFamily, string>> = {
  bitcoin: 'tb1p4pr78swsn60y4ushe05v28mqpqppxxkfkxu2wun5jw6duc8unj3sjrh4gd',
  evm: '0x004Cc75ACF4132Fc08cB6a252E767804F303F729',
  solana: 'F7zPBzCiBSXJ8rzvmmQ5Hs2sdZFVrV4qYmYzTQLoA2Na',
  starknet: '0x78f8ae98fe78b5df9d3755b5910864c028d5249b4af685eb45687b1b76a4205',
};

function open(options: TestServiceOptions = {}) {
  const service = createTestService(options);
  const api = createClient({
    base: `${service.baseUrl}/v2`,
    headers: {},
    dialect: {},
    fetch: service.fetch,
    timeouts: {read: 1_000, write: 1_000, pause: 1},
  });
  /** Some hundred dollars’ worth. */
  const priced = async (from: Asset, to: Asset, affiliateFees: Agreement['affiliateFees'] = []) => {
    const amount = (await api.readOffered()).limits[from.id.toLowerCase()]!.min * 100n;
    const [quote] = await api.quote({from, to, amount, affiliateFees});
    return {amount, receive: quote!.destination.amount};
  };
  return {
    service,
    api,
    priced,
    async place(fromId: AssetId, toId: AssetId = 'bitcoin_testnet:btc', fees: Agreement['affiliateFees'] = []) {
      const [from, to] = [assetOf(fromId, KNOWN), assetOf(toId, KNOWN)];
      const {amount, receive} = await priced(from, to, fees);
      const parties = {owner: OWNERS[from.chain.family], recipient: OWNERS[to.chain.family]};
      const terms = {from, to, amount, receive, atLeast: receive, affiliateFees: fees};
      const agreed = anAgreement({...terms, ...parties});
      return {agreed, ...(await api.createOrder(agreed))};
    },
  };
}

describe('the test service', () => {
  before(() => {
    console.warn = () => undefined;
  });

  it('returns orders that pass every off-chain check, for every pair it quotes', async () => {
    const {api, place, priced} = open();
    const quoted: string[] = [];
    for (const from of assets) {
      const to = from.id === 'bitcoin_testnet:btc' ? 'base_sepolia:wbtc' : 'bitcoin_testnet:btc';
      const isQuoted = await priced(from, find(to)!).then(
        () => true,
        () => false,
      );
      if (!isQuoted) continue;
      quoted.push(from.id);
      const {agreed, orderId, deposit} = await place(from.id, to);
      const order = await api.readOrder(orderId);
      const adapter = await adapters[from.chain.family]?.();
      const report = await adapter?.check({orderId, agreed, deposit, order, policy: {unverified: 'stop'}}, {});
      deepEqual(
        report?.results.filter(({outcome}) => outcome === 'failed'),
        [],
        from.id,
      );
    }
    deepEqual(
      [...new Set(quoted.map(id => id.split(':')[0]))].sort(),
      [
        'arbitrum_sepolia',
        'base_sepolia',
        'bitcoin_testnet',
        'bnbchain_testnet',
        'citrea_testnet',
        'ethereum_sepolia',
        'monad_testnet',
        'starknet_sepolia',
      ].sort(),
    );
  });

  it('returns nothing that could be paid on mainnet', async () => {
    const {api, place, service} = open();
    const main = new Set(
      ALL_KNOWN.assets
        .filter(({id}) => !find(id))
        .flatMap(({contracts = []}) => contracts.map(text => text.toLowerCase())),
    );
    for (const from of ['bitcoin_testnet:btc', 'base_sepolia:wbtc', 'starknet_sepolia:wbtc'] as const) {
      const {orderId} = await place(from, 'ethereum_sepolia:wbtc');
      const response = await service.fetch(`${service.baseUrl}/v2/orders/${orderId}`);
      ok(!/\bbc1|"[13][1-9A-HJ-NP-Za-km-z]{25,33}"/.test((await response.text()).replace(/"1{32}"/g, '')), from);
    }
    const {deposit} = await place('bitcoin_testnet:btc', 'ethereum_sepolia:wbtc');
    match(deposit.how === 'transfer' ? deposit.address : '', /^tb1p/);
    // Solana's program and some contracts have the same address on both kinds of network.
    for (const from of assets.filter(({contracts}) => contracts.some(text => main.has(text.toLowerCase())))) {
      await rejects(place(from.id), {code: 'no-route'}, from.id);
    }
    const request = {from: {id: 'bitcoin:btc'}, to: {id: 'base:usdc'}, amount: 50_000n, affiliateFees: []};
    await rejects(api.quote(request as never), {code: 'no-route'});
    throws(() => createTestService({assets: ['bitcoin:btc']}), RangeError);
    equal(service.baseUrl.endsWith('.invalid'), true);
  });

  it('charges the quoted fees: its own, and affiliate fees in their payout asset', async () => {
    const {api, place} = open({prices: {btc: 50_000}, feeBps: 100});
    const {agreed, orderId} = await place('bitcoin_testnet:btc', 'base_sepolia:usdc', [
      {asset: 'base_sepolia:usdc', address: OWNERS.evm, bps: 50},
    ]);
    // 0.002 BTC at 50,000 dollars, less one and a half percent.
    equal(agreed.amount, 200_000n);
    equal(agreed.receive, 98_500_000n);
    const {affiliateFees} = await api.readOrder(orderId);
    deepEqual(affiliateFees, [{asset: 'base_sepolia:usdc', address: OWNERS.evm, bps: 50, amount: 500_000n}]);
  });

  it('progresses and fails as scripted', async () => {
    const {api, place, service} = open();
    const {orderId} = await place('base_sepolia:wbtc');
    deepEqual(await api.initiate(orderId, '0x51'), {accepted: true});
    deepEqual(
      [1, 2, 3, 4].map(() => service.advance(orderId)),
      ['confirmed', 'locked', 'complete', 'complete'],
    );
    const {source, destination} = await api.readOrder(orderId);
    equal(source.confirmations.current, 1);
    match(destination.redeemed?.hashes[0] ?? '', /^7e57/);
    throws(() => service.refund(orderId), /complete/);
    throws(() => service.pay('another'), /not found/);

    service.fail('order', {status: 400, error: 'insufficient liquidity'});
    await rejects(place('base_sepolia:wbtc'), {code: 'no-quote'});
    service.fail('read', {status: 0}, 2);
    await rejects(api.readOrder(orderId), {code: 'timeout'});
    equal((await api.readOrder(orderId)).id, orderId);
  });

  it('rejects an order without a quote, and stores orders where configured', async () => {
    const kept = new Map<string, string>();
    const storage = {getItem: (key: string) => kept.get(key) ?? null, setItem: kept.set.bind(kept)};
    const {api, place, service} = open({storage});
    const {agreed, orderId} = await place('base_sepolia:wbtc');
    await rejects(api.createOrder({...agreed, receive: agreed.receive + 1n}), {code: 'service'});
    service.pay(orderId, 1n);
    const later = open({storage});
    equal((await later.api.readOrder(orderId)).source.filled, 1n);
    equal(later.service.orders[0]?.step, 'seen');
  });
});
