/** What the checks detect only on EVM chains; what holds for the contract family is in `token-htlc-check.test.ts`. */
import {expect} from '../support/expect.js';
import {computeAddress, Interface, SigningKey} from 'ethers';
import type {CheckName} from '../../src/domain/deposit.js';
import {closeLast, ON_EVM, openAt} from '../support/dialects.js';
import {CONTRACT, sampleDeal, STRANGER, type OpenDeal} from '../support/evm-deal.js';
import {doubted, failed, unchecked} from '../support/reports.js';

const {adapter, recall} = ON_EVM;
const open = () => openAt(ON_EVM);
afterEach(closeLast);

const HASH = `0x${'5a'.repeat(32)}`;
const CALL: readonly CheckName[] = ['amount', 'call', 'order', 'secret'];
const later = new Interface([
  'function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash, bytes destinationData)',
]);

const transactionOf = ({deposit}: OpenDeal) => deposit.payload.transaction;
const domainOf = ({deposit}: OpenDeal) => deposit.payload.typedData.domain;
const messageOf = ({deposit}: OpenDeal) => deposit.payload.typedData.message;

/** The same payment with the later form of the call. */
function callWith(deal: OpenDeal, destinationData: string): void {
  const {redeemer, timelock, amount, secretHash} = ON_EVM.dialect.terms(deal.deposit.payload)!;
  const terms = [redeemer, timelock, amount, `0x${secretHash}`, destinationData];
  transactionOf(deal).data = later.encodeFunctionData('initiate', terms);
}

/** Without typed data, beside which a call that cannot be read is not sent. */
const unsigned = ({deposit}: OpenDeal) => Reflect.deleteProperty(deposit.payload, 'typedData');

/** One lie each, and exactly the checks that must detect it. */
const LIES: readonly (readonly [lie: string, seen: readonly CheckName[], tell: (deal: OpenDeal) => unknown])[] = [
  ['a timelock too large for other chains', ['call', 'same', 'order'], deal => recall(deal, {timelock: 2n ** 255n})],
  ['another chain in the transaction', ['chain'], deal => (transactionOf(deal).chainId = 1)],
  [
    'another contract only in the transaction',
    ['contract', 'code', 'token'],
    deal => (transactionOf(deal).to = STRANGER),
  ],
  ['another contract only in the typed data', ['contract'], deal => (domainOf(deal)['verifyingContract'] = STRANGER)],
  ['bytes after the call', CALL, deal => [(transactionOf(deal).data += '00'.repeat(32)), unsigned(deal)]],
  [
    'a truncated call',
    CALL,
    deal => [(transactionOf(deal).data = transactionOf(deal).data.slice(0, -2)), unsigned(deal)],
  ],
  [
    'dirty bytes above an address in the call',
    CALL,
    deal => {
      const {data} = transactionOf(deal);
      transactionOf(deal).data = `${data.slice(0, 10)}ff${data.slice(12)}`;
      unsigned(deal);
    },
  ],
  ['bytes for the destination', CALL, deal => [callWith(deal, '0x01'), unsigned(deal)]],
];

/** Typed data in an unknown form, and what the report says about it. It is not signed. */
const STRANGE: readonly (readonly [what: string, found: string, tell: (deal: OpenDeal) => unknown])[] = [
  ['a domain version that is a number', 'version 2', deal => (domainOf(deal)['version'] = 2)],
  ['a secret hash too short', 'typed data', deal => (messageOf(deal)['secretHash'] = '0x5a')],
  ['an amount in octal digits', 'message', deal => (messageOf(deal)['amount'] = '050000')],
  ['a redeemer that is an object', 'typed data', deal => (messageOf(deal)['redeemer'] = {})],
  ['a chain id that is not a number', 'chainId', deal => (domainOf(deal)['chainId'] = '0xzz')],
  [
    'a message that names its prototype',
    'message',
    ({deposit}) =>
      (deposit.payload.typedData.message = JSON.parse(
        `{"__proto__":{},"redeemer":"${STRANGER}","timelock":"0x1","amount":"0xc350","secretHash":"${HASH}"}`,
      ) as never),
  ],
];

/** Parts of another type: none may pass, none may throw. */
const WRECKS: readonly (readonly [string, (deal: OpenDeal) => void])[] = [
  ['a contract that is a number', deal => (transactionOf(deal).to = 5 as never)],
  ['data that is an object', deal => (transactionOf(deal).data = {} as never)],
  ['a value that is text', deal => (transactionOf(deal).value = '0' as never)],
];

describe('checking an EVM deal', () => {
  it('passes the published sample as it is', async () => {
    const {account} = await open();
    const {results} = await adapter.check(sampleDeal(), {account});
    expect(results.filter(({outcome}) => outcome !== 'passed')).to.deep.equal([]);
  });

  for (const [lie, seen, tell] of LIES) {
    it(`detects ${lie}`, async () => {
      const {deal, check} = await open();
      tell(deal);
      expect(doubted(await check())).to.deep.equal(seen);
    });
  }

  for (const [what, found, tell] of STRANGE) {
    it(`accepts the transaction alone beside typed data with ${what}`, async () => {
      const {deal, check} = await open();
      tell(deal);
      const {outcome, results} = await check();
      expect(outcome).to.equal('passed');
      expect(results.filter(result => result.outcome === 'unchecked')).to.deep.equal([
        {name: 'same', outcome: 'unchecked', found},
        {name: 'typed-data', outcome: 'unchecked', expected: 'HTLC, Initiate', found},
      ]);
    });
  }

  for (const [wreck, make] of WRECKS) {
    it(`fails, and does not throw, on ${wreck}`, async () => {
      const {deal, check} = await open();
      make(deal);
      expect(failed(await check())).to.deep.equal(['call']);
    });
  }

  it('accepts the later form of the call as long as it has no data for the destination', async () => {
    const {deal, check} = await open();
    callWith(deal, '0x');
    expect(failed(await check())).to.deep.equal([]);
  });

  it('reports which chain it found instead', async () => {
    const {deal, check} = await open();
    transactionOf(deal).chainId = 1;
    const {results} = await check();
    const found = {name: 'chain', outcome: 'failed', expected: 'Ethereum Sepolia', found: 'chain 1'};
    expect(results[1]).to.deep.equal({...found, sides: ['agreed', 'payment']});
  });

  for (const [version, pinned, isSigned] of [
    ['2', undefined, true],
    ['3', undefined, true],
    ['2', '2', true],
    ['3', '3', true],
    ['3', '2', false],
    ['2', '3', false],
    ['02', '2', false],
    ['1', undefined, false],
  ] as const) {
    it(`${isSigned ? 'has' : 'does not have'} domain version ${version} signed for a contract ${pinned ? `of version ${pinned}` : 'whose version is unknown'}`, async () => {
      const {deal, check} = await open();
      Object.assign(domainOf(deal), {version, verifyingContract: CONTRACT.toLowerCase()});
      if (pinned) Object.assign(deal.agreed.from, {versions: {[STRANGER]: '7', [CONTRACT]: pinned}});
      const {outcome, results} = await check();
      expect(outcome).to.equal('passed');
      const line = results.find(({name}) => name === 'typed-data');
      expect(line?.outcome).to.equal(isSigned ? 'passed' : 'unchecked');
      if (!isSigned) expect(line?.found).to.equal(`version ${version}`);
    });
  }

  it('accepts typed data with domain version 3, decimal numbers and any letter case', async () => {
    const {deal, check} = await open();
    Object.assign(domainOf(deal), {version: '3', chainId: 11155111, verifyingContract: CONTRACT});
    Object.assign(messageOf(deal), {timelock: '7200', amount: 50_000});
    Object.assign(messageOf(deal), {redeemer: '0x661bA32eb5f86CaB358DDbB7F264b10c5825e2dd'});
    expect(failed(await check())).to.deep.equal([]);
  });

  it('rejects a contract address that is too short or has a wrong checksum', async () => {
    for (const to of ['0xabc', CONTRACT.replace('88e1', '88E1')]) {
      const {deal} = await open();
      deal.agreed.from.contracts = [];
      transactionOf(deal).to = to;
      Reflect.deleteProperty(deal.deposit.payload, 'typedData');
      expect(failed(await adapter.check(deal, {})), to).to.deep.equal(['contract', 'code', 'token']);
    }
  });

  it('takes the public key of an address in its place, in full only', async () => {
    const key = new SigningKey(`0x${'7'.repeat(64)}`);
    const {deal, check} = await open();
    deal.agreed.owner = computeAddress(key.publicKey);
    for (const text of [key.publicKey, key.compressedPublicKey, key.publicKey.slice(2)]) {
      deal.order.source.initiator = text;
      expect(failed(await check())).not.to.include('refund');
    }
    for (const text of [key.compressedPublicKey.slice(4), new SigningKey(`0x${'8'.repeat(64)}`).publicKey]) {
      deal.order.source.initiator = text;
      expect(failed(await check())).to.include('refund');
    }
  });

  it('asks about another domain of an unknown contract, and about no other form of typed data', async () => {
    const {deal, check} = await open();
    deal.agreed.from.contracts = [];
    Object.assign(domainOf(deal), {name: 'Vault', version: '7'});
    const report = await check();
    expect(doubted(report)).to.deep.equal(['contract', 'typed-data']);
    expect(report.results.find(({name}) => name === 'typed-data')?.found).to.equal('name Vault');
    // Of one that is vouched for, the domain is right.
    Object.assign(deal.agreed.from, {vouched: [{address: CONTRACT}]});
    expect(doubted(await check())).to.deep.equal([]);
    Object.assign(deal.agreed.from, {vouched: []});
    messageOf(deal)['spender'] = STRANGER;
    expect(unchecked(await check())).to.include.members(['same', 'typed-data']);
  });

  it('reports native coins in addition to a token by the coin’s name on that chain', async () => {
    for (const [change, found] of [
      [{}, '1 ETH'],
      [{chainId: 56}, '1 BNB'],
      [{chainId: 999_999}, '1 ETH'],
      [{chainId: 56, coin: {name: 'Own', symbol: 'OWN', decimals: 17}}, '10 OWN'],
    ] as const) {
      const {deal} = await open();
      deal.agreed.from.chain = {...deal.agreed.from.chain, ...change};
      deal.deposit.payload.transaction.value = 10n ** 18n;
      const {results} = await adapter.check(deal, {});
      expect(results.find(({name}) => name === 'value')).to.include({outcome: 'failed', found});
    }
  });
});
