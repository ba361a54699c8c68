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

type Check = (value: Json) => boolean;

const isText: Check = value => typeof value === 'string';
const is =
  (pattern: RegExp): Check =>
  value =>
    typeof value === 'string' && pattern.test(value);
const equals =
  (wanted: Json): Check =>
  value =>
    JSON.stringify(value) === JSON.stringify(wanted);
const isWhole: Check = value => Number.isInteger(value);
const isDigits = is(/^\d+$/);
const isAddress = is(/^0x[0-9a-f]{40}$/i);
const isHash = is(/^[0-9a-f]{64}$/);
const isHex = is(/^0x[0-9a-f]+$/);
const isTime = is(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
const isDecimal = is(/^\d+\.\d+$/);

/** Checks that there is every field with its type, and no other field. */
function expectFields(value: Json | undefined, table: Record<string, Check>) {
  const fields = value as Fields;
  expect(Object.keys(fields).sort()).to.deep.equal(Object.keys(table).sort());
  for (const [name, check] of Object.entries(table)) {
    expect(check(fields[name] ?? null), `${name} = ${JSON.stringify(fields[name])}`).to.equal(true);
  }
}

/** An error in the API's format. */
function expectRefused({status, body}: Answer, error: RegExp, wanted = 400) {
  expect(status, JSON.stringify(body)).to.equal(wanted);
  expectFields(body, {status: equals('Error'), error: is(error)});
}

const QUOTE_SIDE = {asset: is(/^\w+:\w+$/), amount: isDigits, display: isDecimal, value: isDecimal};

const SWAP: Record<string, Check> = {
  created_at: isTime,
  swap_id: isHash,
  chain: isText,
  asset: is(/^\w+:\w+$/),
  initiator: isAddress,
  redeemer: isAddress,
  timelock: isWhole,
  filled_amount: isDigits,
  amount: isDigits,
  asset_price: value => typeof value === 'number' && value > 0,
  secret_hash: isHash,
  secret: isText,
  initiate_tx_hash: isText,
  redeem_tx_hash: isText,
  refund_tx_hash: isText,
  initiate_block_number: isDigits,
  redeem_block_number: isDigits,
  refund_block_number: isDigits,
  required_confirmations: isWhole,
  current_confirmations: isWhole,
  initiate_timestamp: value => value === null || isTime(value),
  redeem_timestamp: value => value === null || isTime(value),
  refund_timestamp: value => value === null || isTime(value),
};

const UNTOUCHED: Record<string, Check> = {
  filled_amount: equals('0'),
  secret: equals(''),
  initiate_tx_hash: equals(''),
  redeem_tx_hash: equals(''),
  refund_tx_hash: equals(''),
  initiate_block_number: equals('0'),
  redeem_block_number: equals('0'),
  refund_block_number: equals('0'),
  current_confirmations: equals(0),
  initiate_timestamp: equals(null),
  redeem_timestamp: equals(null),
  refund_timestamp: equals(null),
};

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
      expectFields(body, {status: equals('Ok'), result: Array.isArray});
      const quotes = body['result'] as Fields[];
      expect(quotes).to.have.length(2);
      for (const quote of quotes) {
        expectFields(quote, {
          source: value => value !== null,
          destination: value => value !== null,
          solver_id: isAddress,
        });
        expectFields(quote['source'], {...QUOTE_SIDE, asset: equals(WBTC), amount: equals('50000')});
        expectFields(quote['destination'], {...QUOTE_SIDE, asset: equals(TO_WBTC)});
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
        to: equals(contract),
        value: equals('0x0'),
        data: is(/^0x97ffc7ae[0-9a-f]{256}$/),
        gas_limit: isHex,
        chain_id: equals(chainId),
      });
      expectFields(typed_data as unknown as Json, {
        domain: equals({name: 'HTLC', version: '2', chainId: `0x${chainId.toString(16)}`, verifyingContract: contract}),
        primaryType: equals('Initiate'),
        types: equals({
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
        message: value => value !== null,
      });
      const {message} = typed_data;
      expectFields(message, {
        redeemer: isAddress,
        timelock: equals('0x12c'),
        amount: equals(`0x${BigInt(quote.source.amount).toString(16)}`),
        secretHash: is(/^0x[0-9a-f]{64}$/),
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
        created_at: is(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        source_swap: value => value !== null,
        destination_swap: value => value !== null,
        nonce: isDigits,
        order_id: equals(order_id),
        affiliate_fees: Array.isArray,
        integrator: equals('sandbox'),
        version: equals('v1'),
      });
      expect(BigInt(String(order['nonce'])) > 2n ** 53n).to.equal(true);
      const hash = typed_data.message.secretHash;
      expectFields(order.source_swap, {
        ...SWAP,
        ...UNTOUCHED,
        swap_id: equals(
          sha256(WORDS.encode(['uint256', 'bytes32', 'address'], [owner.chain.chainId, hash, owner.address])).slice(2),
        ),
        chain: equals('base_sepolia'),
        asset: equals(WBTC),
        initiator: equals(owner.address),
        timelock: equals(300),
        amount: equals(quote.source.amount),
        secret_hash: equals(hash.slice(2)),
        required_confirmations: equals(1),
      });
      expectFields(order.destination_swap, {
        ...SWAP,
        ...UNTOUCHED,
        chain: equals('ethereum_sepolia'),
        asset: equals(TO_WBTC),
        redeemer: equals(recipient),
        timelock: equals(150),
        amount: equals(quote.destination.amount),
        secret_hash: equals(hash.slice(2)),
        required_confirmations: equals(0),
      });
      const [usdc, cbbtc] = order['affiliate_fees'] as Fields[];
      expectFields(usdc, {
        asset: equals('base_sepolia:usdc'),
        address: equals(payee),
        fee: equals(10),
        amount: isDigits,
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
          expectFields(answer.body, {status: equals('Error'), error: equals(`${method} ${path}: no such endpoint`)});
          expect(answer.headers.get('access-control-allow-origin'), `${method} ${path}`).to.equal('*');
        }
      }
    });

    it('say what a request without a body lacks, and require JSON', async () => {
      const {order_id} = await placeOrder(client, owner);
      const headers = {'content-type': 'application/json'};
      for (const [method, path] of [
        ['POST', '/v2/orders'],
        ['PATCH', `/v2/orders/${order_id}?action=initiate`],
        ['POST', '/sandbox/mine'],
      ] as const) {
        const answer = await client.ask(path, {method, headers});
        expect(answer.status, path).to.equal(400);
        expectFields(answer.body, {status: equals('Error'), error: equals('body: must be JSON')});
        expect((await client.ask(path, {method})).status, path).to.equal(415);
      }
    });

    it('list chains, contracts and tokens', async () => {
      const {appId, faucets, clock, health, chains} = await client.info();
      expect(appId).to.equal(sandbox.appId);
      expect(clock).to.deep.equal({speed: 0});
      expect(health['lastFailure']).to.equal(null);
      expect(faucets).to.include.members([
        WBTC,
        TO_WBTC,
        'base_sepolia:usdt',
        'base_sepolia:eth',
        'ethereum_sepolia:eth',
      ]);
      const ofFamily: Record<string, Record<string, Check>> = {
        evm: {chainId: isWhole},
        bitcoin: {network: equals('testnet')},
        solana: {genesisHash: isText, program: isText, walletChain: equals('solana:devnet')},
        starknet: {chainId: equals('0x534e5f5345504f4c4941'), accountClass: isText, guardedAccountClass: isText},
      };
      expect(chains).to.include.keys('base_sepolia', 'ethereum_sepolia', 'bitcoin_testnet', 'starknet_sepolia');
      for (const chain of Object.values(chains)) {
        expectFields(chain, {
          family: equals(chain.family),
          ...ofFamily[chain.family],
          rpc: is(/^http:\/\/127\.0\.0\.1:\d+$/),
          blockSeconds: equals(null),
          height: isWhole,
          assets: value => value !== null,
        });
        for (const asset of Object.values(chain.assets)) {
          expectFields(asset, {
            symbol: isText,
            decimals: isWhole,
            ...('token' in asset && {token: chain.family === 'starknet' ? is(/^0x[0-9a-f]{64}$/) : isAddress}),
            contracts: Array.isArray,
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
