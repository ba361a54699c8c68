import {expect} from '../support/expect.js';
import {newAddress} from '../support/evm-key.js';
import {sandbox} from '../support/sandbox.js';
import {Person, SandboxClient, TO_WBTC, WBTC, placeOrder, type Answer, type Fields} from './client.js';

/** An error in the API's format. */
function expectRefused({status, body}: Answer, error: RegExp, wanted = 400) {
  expect(status, JSON.stringify(body)).to.equal(wanted);
  expect(Object.keys(body)).to.have.members(['status', 'error']);
  expect(body['status']).to.equal('Error');
  expect(body['error']).to.match(error);
}

const QUOTE = `/v2/quote?from=${WBTC}&to=${TO_WBTC}&from_amount=50000`;

describe('the service', () => {
  const client = new SandboxClient(sandbox.url, sandbox.appId);
  let owner: Person;
  before(async () => {
    owner = await Person.with(client, WBTC, 100_000_000n);
  });

  describe('GET /v2/quote', () => {
    it('charges 30 basis points of the source, as in the published sample', async () => {
      const {source, destination} = await client.bestQuote(WBTC, TO_WBTC, 50_000n);
      expect(source.display).to.equal('0.00050000');
      expect(destination.amount).to.equal('49850');
      expect(destination.display).to.equal('0.00049850');
      expect(Number(source.value)).to.be.within(58, 60);
    });

    const bad: [Record<string, string>, RegExp][] = [
      [{from: ''}, /^from: /],
      [{to: ''}, /^to: /],
      ...['', '0.5', '-5', '0'].map((from_amount): [Record<string, string>, RegExp] => [
        {from_amount},
        /^from_amount: /,
      ]),
      [{from: 'base_sepolia:gold'}, /^from: Asset 'base_sepolia:gold' not found$/],
      [{from: 'constructor'}, /^from: Asset/],
      [{to: WBTC}, /^No order pair found : base_sepolia:wbtc::base_sepolia:wbtc$/],
      [
        {from_amount: '49999'},
        /^Exact output quote error : expected amount to be within the range of 50000 to 100000000$/,
      ],
      [{from_amount: '100000001'}, /within the range of 50000 to 100000000$/],
    ];
    it('rejects what it cannot quote, naming the field', async () => {
      for (const [change, error] of bad) {
        const query = new URLSearchParams({from: WBTC, to: TO_WBTC, from_amount: '50000', ...change});
        expectRefused(await client.ask(`/v2/quote?${String(query)}`), error);
      }
      expectRefused(await client.ask(`${QUOTE}&to=${WBTC}`), /^to: is given more than once$/);
    });
  });

  describe('POST /v2/orders', () => {
    const side = (asset: string, amount: string, address = newAddress()) => ({
      asset,
      amount,
      owner: address,
    });
    const good = () => ({source: side(WBTC, '7000000'), destination: side(TO_WBTC, '6979000')});
    before(() => client.bestQuote(WBTC, TO_WBTC, 7_000_000n));

    const post = (body: unknown) => client.ask('/v2/orders', {method: 'POST', body});

    it('rejects what it did not quote or cannot read, naming the field', async () => {
      const bad: [unknown, RegExp][] = [
        ['{"source":', /^body: /],
        [[], /^source: is missing/],
        [{destination: good().destination}, /^source: is missing/],
        [{...good(), source: {asset: WBTC, amount: '7000000'}}, /^source\.owner: is missing/],
        [{...good(), source: side('mars:wbtc', '1')}, /^source\.asset: Asset 'mars:wbtc' not/],
        [
          {source: side('base_sepolia:usdt', '15000000'), destination: side('ethereum_sepolia:cbbtc', '1')},
          /^source\.asset: no quote/,
        ],
        [{...good(), source: side(WBTC, '7000001')}, /^source\.amount: /],
        [{...good(), source: {...side(WBTC, '1'), amount: 7_000_000}}, /^source\.amount: must be /],
        [{...good(), destination: side(TO_WBTC, '6979001')}, /^destination\.amount: /],
      ];
      for (const [body, error] of bad) expectRefused(await post(body), error);
    });

    /** Places an order that pays to this address. */
    async function placeTo(asset: string, address: string) {
      const quote = await client.bestQuote(WBTC, asset, 7_000_000n);
      return post({source: side(WBTC, '7000000'), destination: side(asset, quote.destination.amount, address)});
    }
    const [BTC, SOL, STARKNET] = ['bitcoin_testnet:btc', 'solana_testnet:sol', 'starknet_sepolia:wbtc'];

    const strangers: [asset: string, address: string, why?: RegExp][] = [
      [TO_WBTC, 'tb1qxyz', /not a valid EVM address/],
      [TO_WBTC, `0x${'00'.repeat(20)}`],
      [SOL, '0x004Cc75ACF4132Fc08cB6a252E767804F303F729'],
      [STARKNET, '0x0'],
      [STARKNET, `0x${'f'.repeat(64)}`],
      [BTC, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', /main network/],
      [BTC, 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsy', /checksum is wrong/],
    ];
    it('refuses to pay to an address of another chain or network, or to none', async () => {
      for (const [asset, address, why = /./] of strangers) {
        const answer = await placeTo(asset, address);
        expectRefused(answer, /^destination\.owner: Invalid address format/);
        expect(answer.body['error'], address).to.match(why);
      }
    });
  });

  describe('GET /v2/orders/<order_id>', () => {
    it('has the affiliate fees in the unit of each asset', async () => {
      const payee = newAddress();
      const fees = [
        {asset: 'base_sepolia:usdc', address: payee, fee: 10},
        {asset: 'ethereum_sepolia:cbbtc', address: payee, fee: 20},
      ];
      const {order_id} = await placeOrder(client, owner, {fees});
      const [usdc, cbbtc] = (await client.read(order_id))['affiliate_fees'] as Fields[];
      expect(usdc).to.include(fees[0]);
      expect(cbbtc).to.include(fees[1]);
      // 10 and 20 basis points of 0.1 WBTC.
      expect(Number(usdc?.['amount'])).to.be.within(11_700_000, 11_900_000);
      expect(Number(cbbtc?.['amount'])).to.be.within(19_900, 20_100);
    });

    it('can be read with any app id, and only names a known integrator', async () => {
      const other = SandboxClient.forAppOfItsOwn(sandbox);
      const {order_id} = await placeOrder(other, owner);
      const {status, body} = await client.ask(`/v2/orders/${order_id}`, {appId: null});
      expect(status).to.equal(200);
      expect(body['result']).not.to.have.property('integrator');
      expect((body['result'] as Fields)['affiliate_fees']).to.deep.equal([]);
    });
  });

  describe('PATCH /v2/orders/<order_id>?action=initiate', () => {
    it('rejects what it cannot initiate, naming the field', async () => {
      const {order_id, typed_data} = await placeOrder(client, owner);
      const path = `/v2/orders/${order_id}`;
      const signature = await owner.sign(typed_data);
      const other = await new Person(owner.chain).sign(typed_data);
      const cases: [string, unknown, number, RegExp][] = [
        [path, {signature}, 400, /^action: /],
        [`${path}?action=dance`, {signature}, 400, /^action: /],
        [`${path}?action=initiate`, {}, 400, /^signature: Missing signature$/],
        [`${path}?action=initiate`, {signature: other}, 400, /^signature: not a signature/],
        [`${path}?action=initiate`, {signature}, 400, /^source\.owner: insufficient allowance/],
        [`/v2/orders/${'0'.repeat(64)}?action=initiate`, {signature}, 404, /order not found/],
      ];
      for (const [at, body, status, error] of cases) {
        expectRefused(await client.ask(at, {method: 'PATCH', body}), error, status);
      }
    });
  });

  describe('all endpoints', () => {
    it('allow requests without an app id, and reject a malformed one', async () => {
      expect((await client.ask(QUOTE, {appId: null})).status).to.equal(200);
      const {status, body} = await client.ask(QUOTE, {appId: 'abc'});
      expect(status).to.equal(401);
      expect(body['error']).to.match(/^service-app-id: /);
    });

    it('accept the app id in any header, from a page of any origin', async () => {
      const other = SandboxClient.forAppOfItsOwn(sandbox);
      await other.faults({emptyQuotes: true});
      const headers = {'x-shop!#$%.id': other.appId};
      expect((await other.ask(QUOTE, {appId: null, headers})).body['result']).to.deep.equal([]);
      expect((await other.ask(QUOTE, {appId: null})).body['result']).to.have.length(2);
      expect((await other.ask(QUOTE, {appId: client.appId, headers})).body['result']).to.have.length(2);
    });

    it('tell pages when to ask again, and what time it is', async () => {
      const {headers} = await fetch(`${sandbox.url}${QUOTE}`, {headers: {origin: 'https://partner.example'}});
      expect(headers.get('access-control-expose-headers')?.split(',')).to.have.members(['Retry-After', 'Date']);
      expect(Math.abs(Date.parse(headers.get('date') ?? '') - Date.now())).to.be.below(5_000);
    });

    it('require JSON', async () => {
      const headers = {'content-type': 'application/json'};
      expectRefused(await client.ask('/v2/orders', {method: 'POST', headers}), /^body: must be JSON$/);
      expect((await client.ask('/v2/orders', {method: 'POST'})).status).to.equal(415);
    });

    it('take at most 64 kB, and no id that every object has', async () => {
      const body = {note: 'x'.repeat(65_536)};
      for (const chunked of [false, true]) {
        const answer = await client.ask('/v2/orders', {method: 'POST', body, chunked});
        expectRefused(answer, /^body: must be at most 65536 bytes$/, 413);
      }
      for (const id of ['__proto__', 'constructor', '%E0%A4%A', '..%2f..', '*'])
        expectRefused(await client.ask(`/v2/orders/${id}`), /order not found$/, 404);
      expectRefused(await client.ask('/v3/quote'), /^GET \/v3\/quote: no such endpoint$/, 404);
    });

    it('reject invalid controls, naming the field', async () => {
      const cases: [string, unknown, RegExp][] = [
        ['faucet', {asset: 'mars:gold', address: owner.address, amount: '1'}, /^asset: /],
        ['faucet', {asset: WBTC, address: 'me', amount: '1'}, /^address: /],
        ['faucet', {asset: WBTC, address: owner.address, amount: 1}, /^amount: /],
        ['mine', {chain: 'mars', blocks: 1}, /^chain: /],
        ['mine', {chain: 'base_sepolia', blocks: 0}, /^blocks: /],
        ['faults', {appId: 'abc', slow: true}, /^appId: /],
        ['faults', {appId: sandbox.appId, sloow: true}, /^sloow: no such fault/],
        ['faults', {appId: sandbox.appId, slow: {secs: 1}}, /^slow\.secs: /],
        ['faults', {appId: sandbox.appId, slow: {on: 'nowhere'}}, /^slow\.on: /],
        ['faults', {appId: sandbox.appId, hostile: {kind: 'rude'}}, /^hostile\.kind: /],
      ];
      for (const [control, body, error] of cases) {
        expectRefused(await client.ask(`/sandbox/${control}`, {method: 'POST', body}), error);
      }
    });
  });
});
