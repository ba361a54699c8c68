import {expect} from '../support/expect.js';
import {Interface, TypedDataEncoder, sha256} from 'ethers';
import {newAddress} from '../support/evm-key.js';
import {sandbox} from '../support/sandbox.js';
import {
  Person,
  SandboxClient,
  TO_WBTC,
  WBTC,
  WORDS,
  placeOrder,
  type Answer,
  type Fields,
  type Json,
} from './client.js';
import {exactly, kind, text, type Kind} from '../../demo/conformance/shapes.js';
import {
  QUOTE_SIDE,
  SWAP as SPECIFIED,
  UNTOUCHED,
  anyText,
  digits,
  hash,
  hex,
  whole,
} from '../../demo/conformance/specification.js';

const isAddress = text('0x and 40 hex digits', /^0x[0-9a-f]{40}$/i);
const matches = (pattern: RegExp) => text(String(pattern), pattern);
const isList = kind('a list', Array.isArray);
const isObject = kind('an object', value => typeof value === 'object' && value !== null);

/** Checks that there is every field with its type, and no other field. */
function expectFields(value: Json | undefined, table: Record<string, Kind>) {
  const fields = value as Fields;
  expect(Object.keys(fields).sort()).to.deep.equal(Object.keys(table).sort());
  for (const [name, check] of Object.entries(table)) {
    expect(check.is(fields[name] ?? null), `${name} = ${JSON.stringify(fields[name])}`).to.equal(true);
  }
}

/** An error in the API's format. */
function expectRefused({status, body}: Answer, error: RegExp, wanted = 400) {
  expect(status, JSON.stringify(body)).to.equal(wanted);
  expectFields(body, {status: exactly('Error'), error: matches(error)});
}

/** Legs on EVM chains. */
const SWAP = {...SPECIFIED, swap_id: hash, initiator: isAddress, redeemer: isAddress};

const QUOTE = `/v2/quote?from=${WBTC}&to=${TO_WBTC}&from_amount=50000`;

describe('the service', function () {
  this.timeout(15_000);
  const client = new SandboxClient(sandbox.url, sandbox.appId);
  let owner: Person;
  before(async () => {
    owner = await Person.with(client, WBTC, 100_000_000n);
  });

  describe('GET /v2/quote', () => {
    it('returns a quote from each solver, with all fields of the right type', async () => {
      const {status, body} = await client.ask(QUOTE);
      expect(status).to.equal(200);
      expectFields(body, {status: exactly('Ok'), result: isList});
      const quotes = body['result'] as Fields[];
      expect(quotes).to.have.length(2);
      for (const quote of quotes) {
        expectFields(quote, {
          source: isObject,
          destination: isObject,
          solver_id: isAddress,
        });
        expectFields(quote['source'], {...QUOTE_SIDE, asset: exactly(WBTC), amount: exactly('50000')});
        expectFields(quote['destination'], {...QUOTE_SIDE, asset: exactly(TO_WBTC)});
      }
      const [first, second] = quotes;
      expect(first?.['solver_id']).not.to.equal(second?.['solver_id']);
    });

    it('charges 30 basis points of the source, as in the published sample', async () => {
      const {source, destination} = await client.bestQuote(WBTC, TO_WBTC, 50_000n);
      expect(source.display).to.equal('0.00050000');
      expect(destination.amount).to.equal('49850');
      expect(destination.display).to.equal('0.00049850');
      expect(Number(source.value)).to.be.within(58, 60);
    });

    const bad: [string, Record<string, string>, RegExp][] = [
      ['no from', {from: ''}, /^from: /],
      ['no to', {to: ''}, /^to: /],
      ...['', '0.5', '-5', '0'].map((from_amount): [string, Record<string, string>, RegExp] => [
        `an amount of “${from_amount}”`,
        {from_amount},
        /^from_amount: /,
      ]),
      ['an unknown asset', {from: 'base_sepolia:gold'}, /^from: Asset 'base_sepolia:gold' not found$/],
      ['a name of every object', {from: 'constructor'}, /^from: Asset/],
      ['the same asset twice', {to: WBTC}, /^No order pair found : base_sepolia:wbtc::base_sepolia:wbtc$/],
      [
        'too little',
        {from_amount: '49999'},
        /^Exact output quote error : expected amount to be within the range of 50000 to 100000000$/,
      ],
      ['too much', {from_amount: '100000001'}, /within the range of 50000 to 100000000$/],
    ];
    for (const [name, change, error] of bad) {
      it(`rejects ${name}, naming the field`, async () => {
        const query = new URLSearchParams({from: WBTC, to: TO_WBTC, from_amount: '50000', ...change});
        expectRefused(await client.ask(`/v2/quote?${String(query)}`), error);
      });
    }

    it('rejects a parameter that is given twice', async () => {
      for (const more of [`from=${TO_WBTC}`, `to=${WBTC}`, 'from_amount=1', 'affiliate_fee=0']) {
        const [name = ''] = more.split('=');
        const answer = await client.ask(`${QUOTE}&affiliate_fee=10&${more}`);
        expectRefused(answer, new RegExp(`^${name}: is given more than once$`));
      }
    });
  });

  describe('POST /v2/orders', () => {
    it('returns a transaction and typed data with the same content', async () => {
      const {order_id, transaction, typed_data, quote} = await placeOrder(client, owner);
      expect(order_id).to.match(/^[0-9a-f]{64}$/);
      const {chainId, assets} = owner.chain;
      const contract = assets[WBTC]?.contracts[0].toLowerCase() ?? '';
      expectFields(transaction as unknown as Json, {
        to: exactly(contract),
        value: exactly('0x0'),
        data: matches(/^0x97ffc7ae[0-9a-f]{256}$/),
        gas_limit: hex,
        chain_id: exactly(chainId),
      });
      expectFields(typed_data as unknown as Json, {
        domain: exactly({
          name: 'HTLC',
          version: '2',
          chainId: `0x${chainId.toString(16)}`,
          verifyingContract: contract,
        }),
        primaryType: exactly('Initiate'),
        types: exactly({
          EIP712Domain: [
            {name: 'name', type: 'string'},
            {name: 'version', type: 'string'},
            {name: 'chainId', type: 'uint256'},
            {name: 'verifyingContract', type: 'address'},
          ],
          Initiate: [
            {name: 'redeemer', type: 'address'},
            {name: 'timelock', type: 'uint256'},
            {name: 'amount', type: 'uint256'},
            {name: 'secretHash', type: 'bytes32'},
          ],
        }),
        message: isObject,
      });
      const {message} = typed_data;
      expectFields(message, {
        redeemer: isAddress,
        timelock: exactly('0x12c'),
        amount: exactly(`0x${BigInt(quote.source.amount).toString(16)}`),
        secretHash: matches(/^0x[0-9a-f]{64}$/),
      });
      const form = new Interface(['function initiate(address, uint256, uint256, bytes32)']);
      const call = form.encodeFunctionData('initiate', [
        message.redeemer,
        message.timelock,
        message.amount,
        message.secretHash,
      ]);
      expect(transaction.data).to.equal(call);
    });

    const side = (asset: string, amount: string, address = newAddress()) => ({
      asset,
      amount,
      owner: address,
    });
    const good = () => ({source: side(WBTC, '7000000'), destination: side(TO_WBTC, '6979000')});
    before(() => client.bestQuote(WBTC, TO_WBTC, 7_000_000n));

    const post = (body: unknown) => client.ask('/v2/orders', {method: 'POST', body});

    it('only accepts the solver of the quote', async () => {
      const {solver_id} = await client.bestQuote(WBTC, TO_WBTC, 7_000_000n);
      expect((await client.order({...good(), solver_id})).order_id).to.match(/^[0-9a-f]{64}$/);
      const another = await post({...good(), solver_id: `0x${'11'.repeat(20)}`});
      expectRefused(another, /^solver_id: Invalid strategy id$/);
    });

    const bad: [string, () => unknown, RegExp][] = [
      ['no JSON', () => '{"source":', /^body: /],
      ['no object', () => [], /^source: is missing/],
      ['no source', () => ({destination: good().destination}), /^source: is missing/],
      ['no owner', () => ({...good(), source: {asset: WBTC, amount: '7000000'}}), /^source\.owner: is missing/],
      [
        'an unknown asset',
        () => ({...good(), source: side('mars:wbtc', '1')}),
        /^source\.asset: Asset 'mars:wbtc' not/,
      ],
      [
        'a pair without a quote',
        () => ({source: side('base_sepolia:usdt', '15000000'), destination: side('ethereum_sepolia:cbbtc', '1')}),
        /^source\.asset: no quote/,
      ],
      ['another source amount', () => ({...good(), source: side(WBTC, '7000001')}), /^source\.amount: /],
      [
        'another destination amount',
        () => ({...good(), destination: side(TO_WBTC, '6979001')}),
        /^destination\.amount: /,
      ],
    ];
    for (const [name, body, error] of bad) {
      it(`rejects ${name}, naming the field`, async () => expectRefused(await post(body()), error));
    }

    /** Places an order that pays to this address. */
    async function placeTo(asset: string, address: string) {
      const quote = await client.bestQuote(WBTC, asset, 7_000_000n);
      return post({source: side(WBTC, '7000000'), destination: side(asset, quote.destination.amount, address)});
    }
    const [BTC, SOL, STARKNET] = ['bitcoin_testnet:btc', 'solana_testnet:sol', 'starknet_sepolia:wbtc'];

    for (const [asset, address, timelock] of [
      [TO_WBTC, newAddress(), 150],
      [BTC, 'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c', 3],
      [SOL, 'BHaGGXJeXYLSC4WMW8FuMT3wxjv4t1HMM86BuTb1WWyM', 4_500],
      [STARKNET, `0x${'0c'.repeat(31)}`, 60],
    ] as const) {
      it(`locks a destination for half an hour of blocks: ${asset}`, async () => {
        const {body} = await placeTo(asset, address);
        const {destination_swap} = await client.read((body['result'] as {order_id: string}).order_id);
        expect(destination_swap['timelock']).to.equal(timelock);
      });
    }

    const strangers: [asset: string, address: string, why?: RegExp][] = [
      [TO_WBTC, 'tb1qxyz', /not a valid EVM address/],
      [TO_WBTC, '0x661bA32eb5f86CaB358DDbB7F264b10c5825e2dD'],
      [TO_WBTC, `0x${'00'.repeat(20)}`],
      [SOL, '0x004Cc75ACF4132Fc08cB6a252E767804F303F729'],
      [SOL, '1'.repeat(31)],
      [SOL, '1'.repeat(32)],
      [SOL, 'BHaGGXJeXYLSC4WMW8FuMT3wxjv4t1HMM86BuTb1WWyM1'],
      [STARKNET, 'tb1qxyz'],
      [STARKNET, '0x0'],
      [STARKNET, 'So11111111111111111111111111111111111111112'],
      [STARKNET, `0x${'f'.repeat(64)}`],
      [BTC, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', /main network/],
      [BTC, '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', /main network/],
      [BTC, '3P14159f73E4gFr7JterCCQh9QjiTjiZrG', /main network/],
      [BTC, 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', /regression-test network/],
      [BTC, 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsy', /checksum is wrong/],
      [BTC, 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzSX', /mixes upper and lower case/],
      // Invalid addresses from BIP-350: another version's checksum, a program of the wrong length.
      [BTC, 'tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf', /checksum is of the wrong kind/],
      [BTC, 'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47', /checksum is of the wrong kind/],
      [BTC, 'tb1pfees9rn5nz', /not in use yet/],
      [BTC, 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfm', /not a valid Bitcoin address/],
      [BTC, '0x004Cc75ACF4132Fc08cB6a252E767804F303F729', /not a valid Bitcoin address/],
    ];
    for (const [asset, address, why = /./] of strangers) {
      it(`refuses to pay ${asset} to ${address}`, async () => {
        const answer = await placeTo(asset, address);
        expectRefused(answer, /^destination\.owner: Invalid address format/);
        expect(answer.body['error']).to.match(why);
      });
    }
  });

  describe('GET /v2/orders/<order_id>', () => {
    it('returns every field of an order and of both legs', async () => {
      const payee = newAddress();
      const fees = [
        {asset: 'base_sepolia:usdc', address: payee, fee: 10},
        {asset: 'ethereum_sepolia:cbbtc', address: payee, fee: 20},
      ];
      const {order_id, typed_data, quote, recipient} = await placeOrder(client, owner, {fees});
      const order = await client.read(order_id);
      expectFields(order, {
        created_at: matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        source_swap: isObject,
        destination_swap: isObject,
        nonce: digits,
        order_id: exactly(order_id),
        affiliate_fees: isList,
        integrator: exactly('sandbox'),
        version: exactly('v1'),
      });
      expect(BigInt(String(order['nonce'])) > 2n ** 53n).to.equal(true);
      const hash = typed_data.message.secretHash;
      expectFields(order.source_swap, {
        ...SWAP,
        ...UNTOUCHED,
        swap_id: exactly(
          sha256(WORDS.encode(['uint256', 'bytes32', 'address'], [owner.chain.chainId, hash, owner.address])).slice(2),
        ),
        chain: exactly('base_sepolia'),
        asset: exactly(WBTC),
        initiator: exactly(owner.address),
        timelock: exactly(300),
        amount: exactly(quote.source.amount),
        secret_hash: exactly(hash.slice(2)),
        required_confirmations: exactly(1),
      });
      expectFields(order.destination_swap, {
        ...SWAP,
        ...UNTOUCHED,
        chain: exactly('ethereum_sepolia'),
        asset: exactly(TO_WBTC),
        redeemer: exactly(recipient),
        timelock: exactly(150),
        amount: exactly(quote.destination.amount),
        secret_hash: exactly(hash.slice(2)),
        required_confirmations: exactly(0),
      });
      const [usdc, cbbtc] = order['affiliate_fees'] as Fields[];
      expectFields(usdc, {
        asset: exactly('base_sepolia:usdc'),
        address: exactly(payee),
        fee: exactly(10),
        amount: digits,
      });
      // 10 and 20 basis points of 0.1 WBTC, in the unit of each.
      expect(Number(usdc?.['amount'])).to.be.within(11_700_000, 11_900_000);
      expect(Number(cbbtc?.['amount'])).to.be.within(19_900, 20_100);
    });

    it('uses the leg id of the published sample', () => {
      const hash = '0x61d22856ce12bc3693df0cd4967d404400449f61810080c52638fd805b379723';
      const initiator = '0x004Cc75ACF4132Fc08cB6a252E767804F303F729';
      expect(sha256(WORDS.encode(['uint256', 'bytes32', 'address'], [11155111, hash, initiator]))).to.equal(
        '0x30facc712b6eaa7a2453dba968da223d180322f224285db2820a8cdd7125147a',
      );
    });

    it('can be read with any app id, and only names a known integrator', async () => {
      const other = SandboxClient.forAppOfItsOwn(sandbox);
      const {order_id} = await placeOrder(other, owner);
      const {status, body} = await client.ask(`/v2/orders/${order_id}`, {appId: null});
      expect(status).to.equal(200);
      expect(body['result']).not.to.have.property('integrator');
      expect((body['result'] as Fields)['affiliate_fees']).to.deep.equal([]);
    });

    it('returns 404 for an unknown order', async () => {
      expectRefused(await client.ask(`/v2/orders/${'0'.repeat(64)}`), /order not found/, 404);
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

    it('uses the typed data with the contract’s domain', async () => {
      const {typed_data} = await placeOrder(client, owner);
      const {Initiate = []} = typed_data.types;
      const separator = TypedDataEncoder.hashDomain(typed_data.domain);
      const form = new Interface([
        `function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId,
          address verifyingContract, bytes32 salt, uint256[] extensions)`,
      ]);
      const to = typed_data.domain.verifyingContract;
      const answer = await owner.rpc<string>('eth_call', {to, data: form.encodeFunctionData('eip712Domain')}, 'latest');
      const told = form.decodeFunctionResult('eip712Domain', answer).toObject() as Record<string, string>;
      const {name = '', version = '', chainId = '', verifyingContract = ''} = told;
      const onChain = {name, version, chainId, verifyingContract};
      expect(TypedDataEncoder.hashDomain(onChain)).to.equal(separator);
      expect(Initiate).to.have.length(4);
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

    it('return 404 as JSON for an unknown endpoint, to a page of any origin', async () => {
      const headers = {origin: 'https://shop.example'};
      for (const path of ['/v2/assets', '/v2', '/v3/quote', '/v3/orders', '/sandboxes', '/']) {
        for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
          const answer = await client.ask(path, {method, headers});
          expect(answer.status, `${method} ${path}`).to.equal(404);
          expectFields(answer.body, {status: exactly('Error'), error: exactly(`${method} ${path}: no such endpoint`)});
          expect(answer.headers.get('access-control-allow-origin'), `${method} ${path}`).to.equal('*');
        }
      }
    });

    it('report what a request without a body lacks, and require JSON', async () => {
      const {order_id} = await placeOrder(client, owner);
      const headers = {'content-type': 'application/json'};
      for (const [method, path] of [
        ['POST', '/v2/orders'],
        ['PATCH', `/v2/orders/${order_id}?action=initiate`],
        ['POST', '/sandbox/mine'],
      ] as const) {
        const answer = await client.ask(path, {method, headers});
        expect(answer.status, path).to.equal(400);
        expectFields(answer.body, {status: exactly('Error'), error: exactly('body: must be JSON')});
        expect((await client.ask(path, {method})).status, path).to.equal(415);
      }
    });

    it('list chains, contracts and tokens', async () => {
      const {appId, faucets, clock, health, chains} = await client.info();
      expect(appId).to.equal(sandbox.appId);
      expect(clock).to.deep.equal({speed: 0, weekEnds: []});
      expect(health['lastFailure']).to.equal(null);
      expect(faucets).to.include.members([
        WBTC,
        TO_WBTC,
        'base_sepolia:usdt',
        'base_sepolia:eth',
        'ethereum_sepolia:eth',
      ]);
      const ofFamily: Record<string, Record<string, Kind>> = {
        evm: {chainId: whole, batchAccount: anyText},
        bitcoin: {network: exactly('testnet')},
        solana: {genesisHash: anyText, program: anyText, walletChain: exactly('solana:devnet')},
        starknet: {chainId: exactly('0x534e5f5345504f4c4941'), accountClass: anyText, guardedAccountClass: anyText},
      };
      expect(chains).to.include.keys('base_sepolia', 'ethereum_sepolia', 'bitcoin_testnet', 'starknet_sepolia');
      for (const chain of Object.values(chains)) {
        expectFields(chain, {
          family: exactly(chain.family),
          ...ofFamily[chain.family],
          rpc: matches(/^http:\/\/127\.0\.0\.1:\d+$/),
          blockSeconds: exactly(null),
          height: whole,
          assets: isObject,
        });
        for (const asset of Object.values(chain.assets)) {
          expectFields(asset, {
            symbol: anyText,
            decimals: whole,
            ...('token' in asset && {token: chain.family === 'starknet' ? matches(/^0x[0-9a-f]{64}$/) : isAddress}),
            contracts: isList,
          });
        }
      }
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
