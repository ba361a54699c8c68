import {expect} from '../support/expect.js';
import {Interface, sha256} from 'ethers';
import type {Account} from '../../src/chains/adapter.js';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {CheckName, CheckReport} from '../../src/domain/deposit.js';
import {connectLedger} from '../support/evm-account.js';
import {CONTRACT, ownDeal, sampleDeal, STRANGER, TOKEN, type OpenDeal} from '../support/evm-deal.js';
import {LedgerWallet} from '../support/evm-ledger.js';

const adapter = createEvmAdapter({...TIMEOUTS, read: 100});
const CHAIN = 11155111;
const HASH = `0x${'5a'.repeat(32)}`;
const forms = new Interface([
  'function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash)',
  'function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash, bytes destinationData)',
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
]);
const INITIATE = 'initiate(address,uint256,uint256,bytes32)';
const WITH_DATA = 'initiate(address,uint256,uint256,bytes32,bytes)';

type Terms = [redeemer: string, timelock: bigint, amount: bigint, secretHash: string];

const termsOf = (deal: OpenDeal) =>
  [...forms.decodeFunctionData(INITIATE, deal.deposit.payload.transaction.data)] as unknown as Terms;

const recall = (deal: OpenDeal, change: (...terms: Terms) => Terms) => {
  deal.deposit.payload.transaction.data = forms.encodeFunctionData(INITIATE, change(...termsOf(deal)));
};

const failed = ({results}: CheckReport) => results.filter(({outcome}) => outcome === 'failed').map(({name}) => name);
const unchecked = ({results}: CheckReport) =>
  results.filter(({outcome}) => outcome === 'unchecked').map(({name}) => name);

/** One lie each, and exactly the checks that must see it. */
const LIES: readonly (readonly [lie: string, seen: readonly CheckName[], tell: (deal: OpenDeal) => void])[] = [
  ['more in the call', ['amount', 'same'], deal => recall(deal, (r, t, a, s) => [r, t, a * 2n, s])],
  ['less in the call', ['amount', 'same'], deal => recall(deal, (r, t, a, s) => [r, t, a - 1n, s])],
  [
    'more in the typed data',
    ['amount', 'same'],
    ({deposit}) => (deposit.payload.typedData.message['amount'] = '0xc351'),
  ],
  [
    'more in both',
    ['amount'],
    deal => {
      recall(deal, (r, t, a, s) => [r, t, a + 1n, s]);
      deal.deposit.payload.typedData.message['amount'] = '0xc351';
    },
  ],
  ['another redeemer in the call', ['same', 'order'], deal => recall(deal, (_, t, a, s) => [STRANGER, t, a, s])],
  [
    'another redeemer in the typed data',
    ['same'],
    ({deposit}) => (deposit.payload.typedData.message['redeemer'] = STRANGER),
  ],
  [
    'another redeemer in both',
    ['order'],
    deal => {
      recall(deal, (_, t, a, s) => [STRANGER, t, a, s]);
      deal.deposit.payload.typedData.message['redeemer'] = STRANGER;
    },
  ],
  [
    'the zero address as redeemer',
    ['call', 'same', 'order'],
    deal => recall(deal, (_, t, a, s) => [`0x${'0'.repeat(40)}`, t, a, s]),
  ],
  [
    'the payer as redeemer',
    ['call', 'same', 'order'],
    deal => recall(deal, (_, t, a, s) => [deal.agreed.owner, t, a, s]),
  ],
  ['another timelock in the call', ['same', 'order'], deal => recall(deal, (r, t, a, s) => [r, t + 1n, a, s])],
  ['no timelock', ['call', 'same', 'order'], deal => recall(deal, (r, _, a, s) => [r, 0n, a, s])],
  ['a timelock without end', ['call', 'same', 'order'], deal => recall(deal, (r, _, a, s) => [r, 2n ** 255n, a, s])],
  [
    'another timelock in the typed data',
    ['same'],
    ({deposit}) => (deposit.payload.typedData.message['timelock'] = '0x1c21'),
  ],
  ['another secret in the call', ['same', 'secret'], deal => recall(deal, (r, t, a) => [r, t, a, HASH])],
  [
    'another secret in the typed data',
    ['same'],
    ({deposit}) => (deposit.payload.typedData.message['secretHash'] = HASH),
  ],
  ['another chain in the transaction', ['chain'], ({deposit}) => (deposit.payload.transaction.chainId = 1)],
  ['another chain in the typed data', ['chain'], ({deposit}) => (deposit.payload.typedData.domain['chainId'] = '0x1')],
  [
    'another contract in the transaction',
    ['contract', 'code', 'token'],
    ({deposit}) => (deposit.payload.transaction.to = STRANGER),
  ],
  [
    'another contract in the typed data',
    ['contract'],
    ({deposit}) => (deposit.payload.typedData.domain['verifyingContract'] = STRANGER),
  ],
  [
    'another contract in both',
    ['contract', 'code', 'token'],
    ({deposit}) => {
      deposit.payload.transaction.to = STRANGER;
      deposit.payload.typedData.domain['verifyingContract'] = STRANGER;
    },
  ],
  ['coins beside the token', ['value'], ({deposit}) => (deposit.payload.transaction.value = 1n)],
  [
    'an approval instead',
    ['amount', 'call', 'same', 'order', 'secret'],
    ({deposit}) =>
      (deposit.payload.transaction.data = forms.encodeFunctionData('approve', [STRANGER, 2n ** 256n - 1n])),
  ],
  [
    'a transfer instead',
    ['amount', 'call', 'same', 'order', 'secret'],
    ({deposit}) => (deposit.payload.transaction.data = forms.encodeFunctionData('transfer', [STRANGER, 50_000n])),
  ],
  [
    'bytes behind the call',
    ['amount', 'call', 'same', 'order', 'secret'],
    ({deposit}) => (deposit.payload.transaction.data += '00'.repeat(32)),
  ],
  [
    'a call cut short',
    ['amount', 'call', 'same', 'order', 'secret'],
    ({deposit}) => (deposit.payload.transaction.data = deposit.payload.transaction.data.slice(0, -2)),
  ],
  [
    'dirt above an address in the call',
    ['amount', 'call', 'same', 'order', 'secret'],
    ({deposit}) => {
      const {data} = deposit.payload.transaction;
      deposit.payload.transaction.data = `${data.slice(0, 10)}ff${data.slice(12)}`;
    },
  ],
  [
    'bytes for the destination',
    ['amount', 'call', 'same', 'order', 'secret'],
    deal => {
      deal.deposit.payload.transaction.data = forms.encodeFunctionData(WITH_DATA, [...termsOf(deal), '0x01']);
    },
  ],
  ['no data', ['amount', 'call', 'same', 'order', 'secret'], ({deposit}) => (deposit.payload.transaction.data = '0x')],
  ['an order of another id', ['order'], ({order}) => (order.id = 'f00d')],
  ['an order from another asset', ['order'], ({order}) => (order.source.asset = 'ethereum_sepolia:usdc')],
  ['an order on another chain', ['order'], ({order}) => (order.source.chain = 'ethereum')],
  ['an order of another amount', ['order'], ({order}) => (order.source.amount = 500_000n)],
  ['an order with another redeemer', ['order'], ({order}) => (order.source.redeemer = STRANGER)],
  ['an order with another timelock', ['order'], ({order}) => (order.source.timelock = 7_199)],
  ['an order to another asset', ['order'], ({order}) => (order.destination.asset = 'bitcoin_testnet:wbtc')],
  ['an order to another chain', ['order'], ({order}) => (order.destination.chain = 'bitcoin')],
  ['an order that pays less', ['order'], ({order}) => (order.destination.amount = 49_849n)],
  ['an order that pays another', ['order'], ({order}) => (order.destination.redeemer = 'tb1qstranger')],
  ['an order by another payer', ['refund'], ({order}) => (order.source.initiator = STRANGER)],
  ['a source leg with another secret', ['secret'], ({order}) => (order.source.secretHash = '5a'.repeat(32))],
  ['a destination leg with another secret', ['secret'], ({order}) => (order.destination.secretHash = '5a'.repeat(32))],
  ['a secret of another hash', ['secret'], ({order}) => (order.source.secret = '5a'.repeat(32))],
  ['a secret that is none', ['secret'], ({order}) => (order.destination.secret = 'soon')],
  ['a destination that is bound as long as the source', ['timelock'], ({order}) => (order.destination.timelock = 144)],
  ['a destination that is bound without end', ['timelock'], ({order}) => (order.destination.timelock = 10_000)],
  [
    'a destination that was paid when the source was not, and outlives it',
    ['timelock'],
    ({order}) => Object.assign(order.destination, {timelock: 143, initiated: {hashes: ['f00d'], at: Date.now() + 1e7}}),
  ],
];

/** Typed data in an unknown form, and what the report says about it. It is not signed. */
const STRANGE: readonly (readonly [what: string, found: string, tell: (deal: OpenDeal) => unknown])[] = [
  ['another domain name', 'name Permit2', ({deposit}) => (deposit.payload.typedData.domain['name'] = 'Permit2')],
  ['another domain version', 'version 9', ({deposit}) => (deposit.payload.typedData.domain['version'] = '9')],
  ['a domain version that is a number', 'version 2', ({deposit}) => (deposit.payload.typedData.domain['version'] = 2)],
  ['a salt in the domain', 'domain', ({deposit}) => (deposit.payload.typedData.domain['salt'] = HASH)],
  ['another primary type', 'type Permit', ({deposit}) => (deposit.payload.typedData.primaryType = 'Permit')],
  ['an empty primary type', 'type ', ({deposit}) => (deposit.payload.typedData.primaryType = '')],
  [
    'one more type',
    'types',
    ({deposit}) => (deposit.payload.typedData.types['Permit'] = [{name: 'spender', type: 'address'}]),
  ],
  [
    'one more field in the type',
    'types',
    ({deposit}) => deposit.payload.typedData.types['Initiate']?.push({name: 'spender', type: 'address'}),
  ],
  ['fields in another order', 'types', ({deposit}) => deposit.payload.typedData.types['Initiate']?.reverse()],
  [
    'a field of another type',
    'types',
    ({deposit}) =>
      (deposit.payload.typedData.types['Initiate'] = (deposit.payload.typedData.types['Initiate'] ?? []).map(field => ({
        ...field,
        type: field.type.replace('uint256', 'uint128'),
      }))),
  ],
  ['no domain type', 'types', ({deposit}) => delete deposit.payload.typedData.types['EIP712Domain']],
  [
    'one more value in the message',
    'message',
    ({deposit}) => (deposit.payload.typedData.message['spender'] = STRANGER),
  ],
  ['one more part', 'typed data', ({deposit}) => ((deposit.payload.typedData as Record<string, unknown>)[''] = 'more')],
  ['a secret hash too short', 'typed data', ({deposit}) => (deposit.payload.typedData.message['secretHash'] = '0x5a')],
  ['an amount in octal digits', 'message', ({deposit}) => (deposit.payload.typedData.message['amount'] = '050000')],
  ['a redeemer missing', 'message', ({deposit}) => delete deposit.payload.typedData.message['redeemer']],
  ['a redeemer that is an object', 'typed data', ({deposit}) => (deposit.payload.typedData.message['redeemer'] = {})],
  ['a chain id that is no number', 'chainId', ({deposit}) => (deposit.payload.typedData.domain['chainId'] = '0xzz')],
  [
    'a message that names its prototype',
    'message',
    ({deposit}) =>
      (deposit.payload.typedData.message = JSON.parse(
        `{"__proto__":{},"redeemer":"${STRANGER}","timelock":"0x1","amount":"0xc350","secretHash":"${HASH}"}`,
      ) as never),
  ],
  ['no message', 'typed data', ({deposit}) => (deposit.payload.typedData.message = null as never)],
  ['no domain', 'typed data', ({deposit}) => (deposit.payload.typedData.domain = undefined as never)],
  ['types that are text', 'typed data', ({deposit}) => (deposit.payload.typedData.types = 'Initiate' as never)],
  [
    'types of nothing',
    'typed data',
    ({deposit}) => (deposit.payload.typedData.types = {EIP712Domain: null, Initiate: null} as never),
  ],
  ['text instead', 'typed data', ({deposit}) => (deposit.payload.typedData = 'text' as never)],
  [
    'a primary type that is an object',
    'typed data',
    ({deposit}) => (deposit.payload.typedData.primaryType = Object.create(null) as never),
  ],
  [
    'more than a screen can hold',
    `name ${'x'.repeat(55)}`,
    ({deposit}) => (deposit.payload.typedData.domain['name'] = 'x'.repeat(1_000)),
  ],
];

/** Whole parts that are missing or of another kind: none may get past, none may throw. */
const WRECKS: readonly (readonly [string, (deal: OpenDeal) => void])[] = [
  ['a contract that is a number', ({deposit}) => (deposit.payload.transaction.to = 5 as never)],
  ['data that is an object', ({deposit}) => (deposit.payload.transaction.data = {} as never)],
  ['a value that is text', ({deposit}) => (deposit.payload.transaction.value = '0' as never)],
  ['no transaction', ({deposit}) => (deposit.payload.transaction = null as never)],
  ['the payload of another family', ({deposit}) => (deposit.payload = {family: 'solana', transaction: ''} as never)],
  ['a transfer', deal => (deal.deposit = {how: 'transfer', address: STRANGER, amount: 50_000n} as never)],
];

describe('check of an EVM deal', () => {
  let wallet: LedgerWallet;
  let account: Account;

  beforeEach(async () => {
    wallet = new LedgerWallet({chainId: CHAIN, token: TOKEN, contract: CONTRACT, balance: 10n ** 12n});
    account = await connectLedger(adapter, wallet);
  });

  it('passes the published sample as it is, in every point', async () => {
    const report = await adapter.check(sampleDeal(), {account});
    expect(report.outcome).to.equal('passed');
    expect(report.results.map(({name, outcome}) => `${name} ${outcome}`)).to.deep.equal([
      'amount passed',
      'chain passed',
      'contract passed',
      'code passed',
      'token passed',
      'call passed',
      'same passed',
      'typed-data passed',
      'value passed',
      'order passed',
      'secret passed',
      'timelock passed',
      'refund passed',
    ]);
  });

  it('shows both sides as text for the screen', async () => {
    const deal = sampleDeal();
    recall(deal, (r, t, _, s) => [r, t, 500_000n, s]);
    deal.deposit.payload.transaction.chainId = 1;
    const {results} = await adapter.check(deal, {account});
    expect(results[0]).to.deep.equal({name: 'amount', outcome: 'failed', expected: '0.0005 WBTC', found: '0.005 WBTC'});
    expect(results[1]).to.deep.equal({
      name: 'chain',
      outcome: 'failed',
      expected: 'Ethereum Sepolia',
      found: 'chain 1',
    });
    expect(results[2]).to.deep.equal({name: 'contract', outcome: 'passed', expected: CONTRACT, found: CONTRACT});
    expect(results[4]).to.deep.equal({name: 'token', outcome: 'passed', expected: TOKEN, found: TOKEN});
  });

  for (const [lie, seen, tell] of LIES) {
    it(`sees ${lie}`, async () => {
      const deal = sampleDeal();
      tell(deal);
      const report = await adapter.check(deal, {account});
      expect(failed(report)).to.deep.equal(seen);
      expect(report.outcome).to.equal('failed');
    });
  }

  for (const [what, found, tell] of STRANGE) {
    it(`accepts the transaction alone beside typed data with ${what}`, async () => {
      const deal = sampleDeal();
      tell(deal);
      const {outcome, results} = await adapter.check(deal, {account});
      expect(outcome).to.equal('passed');
      expect(results.filter(result => result.outcome === 'unchecked')).to.deep.equal([
        {name: 'same', outcome: 'unchecked', found},
        {name: 'typed-data', outcome: 'unchecked', expected: 'HTLC, Initiate', found},
      ]);
    });
  }

  it('sees a lie in the transaction beside typed data of an unknown form', async () => {
    const deal = sampleDeal();
    deal.deposit.payload.typedData.domain['version'] = '9';
    recall(deal, (r, t, a, s) => [r, t, a * 2n, s]);
    expect(failed(await adapter.check(deal, {account}))).to.deep.equal(['amount']);
  });

  for (const [wreck, make] of WRECKS) {
    it(`fails, and does not break, on ${wreck}`, async () => {
      const deal = sampleDeal();
      make(deal);
      expect((await adapter.check(deal, {account})).outcome).to.equal('failed');
    });
  }

  it('takes a transaction without typed data', async () => {
    const deal = sampleDeal();
    Reflect.deleteProperty(deal.deposit.payload, 'typedData');
    const {outcome, results} = await adapter.check(deal, {account});
    expect(outcome).to.equal('passed');
    expect(results.map(({name}) => name)).not.to.include.members(['same', 'typed-data']);
  });

  it('takes the later form of the call as long as it carries nothing for the destination', async () => {
    const deal = sampleDeal();
    deal.deposit.payload.transaction.data = forms.encodeFunctionData(WITH_DATA, [...termsOf(deal), '0x']);
    expect(failed(await adapter.check(deal, {account}))).to.deep.equal([]);
  });

  it('takes typed data of domain version 3, decimal numbers and any case', async () => {
    const deal = sampleDeal();
    const {domain, message} = deal.deposit.payload.typedData;
    Object.assign(domain, {version: '3', chainId: CHAIN, verifyingContract: CONTRACT});
    Object.assign(message, {timelock: '7200', amount: 50_000, redeemer: '0x661bA32eb5f86CaB358DDbB7F264b10c5825e2dd'});
    expect(failed(await adapter.check(deal, {account}))).to.deep.equal([]);
  });

  it('leaves unchecked what only the order can show, until it can be read', async () => {
    const deal = sampleDeal();
    Reflect.deleteProperty(deal, 'order');
    const report = await adapter.check(deal, {account});
    expect(report.outcome).to.equal('passed');
    expect(unchecked(report)).to.deep.equal(['order', 'secret', 'timelock', 'refund']);
  });

  it('shows how long each side is locked, as time', async () => {
    const {results} = await adapter.check(sampleDeal(), {account});
    expect(results.find(({name}) => name === 'timelock')).to.deep.equal({
      name: 'timelock',
      outcome: 'passed',
      expected: '< 24 h',
      found: '2 h',
    });
  });

  it('leaves unchecked which side is locked longer while it is not known when one began, or begins', async () => {
    for (const tell of [
      ({order}: OpenDeal) => (order.source.initiated = {hashes: ['f00d']}),
      ({order}: OpenDeal) => (order.destination.initiated = {hashes: ['f00d']}),
      ({order}: OpenDeal) => (order.source.initiated = {hashes: ['f00d'], at: Date.now() - 23 * 3_600_000}),
    ]) {
      const deal = sampleDeal();
      tell(deal);
      expect(unchecked(await adapter.check(deal, {account})), tell.toString()).to.deep.equal(['timelock']);
    }
    const deal = sampleDeal();
    const at = Date.now() - 23 * 3_600_000;
    deal.order.source.initiated = {hashes: ['f00d'], at};
    deal.order.destination.initiated = {hashes: ['f00d'], at};
    expect(unchecked(await adapter.check(deal, {account}))).to.deep.equal([]);
  });

  it('takes the secret that the hash is of, however it is written', async () => {
    const deal = sampleDeal();
    const secret = 'ab'.repeat(32);
    const hash = sha256(`0x${secret}`).slice(2);
    recall(deal, (r, t, a) => [r, t, a, `0x${hash}`]);
    deal.deposit.payload.typedData.message['secretHash'] = `0x${hash}`;
    Object.assign(deal.order.source, {secretHash: hash, secret, initiated: {hashes: ['f00d']}, filled: 50_000n});
    Object.assign(deal.order.destination, {secretHash: hash.toUpperCase(), secret: `0x${secret.toUpperCase()}`});
    expect(failed(await adapter.check(deal, {account}))).to.deep.equal([]);
  });

  it('knows assets and chains in either case', async () => {
    const deal = sampleDeal();
    Object.assign(deal.order.source, {asset: 'ethereum_sepolia:WBTC', chain: 'Ethereum_Sepolia'});
    Object.assign(deal.order.destination, {asset: 'Bitcoin_Testnet:BTC', chain: 'BITCOIN_TESTNET'});
    expect(failed(await adapter.check(deal, {account}))).to.deep.equal([]);
  });

  it('leaves the contract unchecked where none is known, and stops where the partner wants one known', async () => {
    const deal = sampleDeal();
    deal.agreed.from.contracts = [];
    expect(unchecked(await adapter.check(deal, {account}))).to.deep.equal(['contract']);
    deal.policy.requirePins = true;
    expect(failed(await adapter.check(deal, {account}))).to.deep.equal(['contract']);
  });

  it('takes nothing for a contract that can be none, though none is known', async () => {
    for (const to of ['0xabc', `0x${'0'.repeat(40)}`, CONTRACT.replace('88e1', '88E1')]) {
      const deal = sampleDeal();
      deal.agreed.from.contracts = [];
      deal.deposit.payload.transaction.to = to;
      Reflect.deleteProperty(deal.deposit.payload, 'typedData');
      expect(failed(await adapter.check(deal, {})), to).to.deep.equal(['contract']);
    }
  });

  it('takes any of several known contracts', async () => {
    const deal = sampleDeal();
    deal.agreed.from.contracts = [STRANGER, CONTRACT.toLowerCase()];
    expect(failed(await adapter.check(deal, {account}))).to.deep.equal([]);
  });

  it('leaves unchecked what the chain cannot be asked', async () => {
    const deal = sampleDeal();
    expect(unchecked(await adapter.check(deal, {}))).to.deep.equal(['code', 'token']);
    wallet.chainId = 1;
    expect(unchecked(await adapter.check(deal, {account}))).to.deep.equal(['code', 'token']);
    wallet.chainId = CHAIN;
    wallet.instead.set('eth_call', () => new Promise(() => {}));
    expect(unchecked(await adapter.check(deal, {account}))).to.deep.equal(['token']);
  });

  it('sees an address without code, and one that is no swap contract', async () => {
    wallet.hasCode = false;
    wallet.instead.set('eth_call', () => '0x');
    expect(failed(await adapter.check(sampleDeal(), {account}))).to.deep.equal(['code', 'token']);
  });

  it('sees a contract of another token', async () => {
    wallet.namedToken = STRANGER;
    const {results} = await adapter.check(sampleDeal(), {account});
    expect(results.find(({outcome}) => outcome === 'failed')).to.deep.equal({
      name: 'token',
      outcome: 'failed',
      expected: TOKEN,
      found: STRANGER,
    });
  });

  it('wants a coin sent with the call, and a contract that takes coins', async () => {
    const deal = ownDeal();
    Reflect.deleteProperty(deal.agreed.from, 'token');
    expect(failed(await adapter.check(deal, {account}))).to.deep.equal(['token', 'value']);
    wallet.namedToken = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
    deal.deposit.payload.transaction.value = deal.agreed.amount;
    expect(failed(await adapter.check(deal, {account}))).to.deep.equal([]);
  });

  it('says coins beside a token by the name that they have on that chain', async () => {
    for (const [change, found] of [
      [{}, '1 ETH'],
      [{chainId: 56}, '1 BNB'],
      [{chainId: 999_999}, '1 ETH'],
      [{chainId: 56, coin: {name: 'Own', symbol: 'OWN', decimals: 17}}, '10 OWN'],
    ] as const) {
      const deal = sampleDeal();
      deal.agreed.from.chain = {...deal.agreed.from.chain, ...change};
      deal.deposit.payload.transaction.value = 10n ** 18n;
      const {results} = await adapter.check(deal, {});
      expect(results.find(({name}) => name === 'value')).to.include({outcome: 'failed', found});
    }
  });

  it('knows a recipient of another family however its address is written', async () => {
    for (const [family, agreed, answered] of [
      ['starknet', `0x00${'6a'.repeat(31)}`, `0x${'6A'.repeat(31)}`],
      ['bitcoin', `tb1q${'x'.repeat(38)}`, `TB1Q${'X'.repeat(38)}`],
    ] as const) {
      const deal = sampleDeal();
      deal.agreed.to.chain = {...deal.agreed.to.chain, family};
      deal.agreed.recipient = agreed;
      deal.order.destination.redeemer = answered;
      expect(failed(await adapter.check(deal, {account}))).to.not.include('order');
      deal.order.destination.redeemer = answered.replace(/.$/, '7');
      expect(failed(await adapter.check(deal, {account}))).to.include('order');
    }
    const deal = sampleDeal();
    deal.agreed.to.chain = {...deal.agreed.to.chain, family: 'solana'};
    deal.agreed.recipient = 'So11111111111111111111111111111111111111112';
    deal.order.destination.redeemer = 'so11111111111111111111111111111111111111112';
    expect(failed(await adapter.check(deal, {account}))).to.include('order');
  });

  it('answers with a frozen report', async () => {
    const report = await adapter.check(sampleDeal(), {account});
    expect(report).to.be.frozen;
    expect(report.results).to.be.frozen;
    expect(report.results[0]).to.be.frozen;
  });
});
