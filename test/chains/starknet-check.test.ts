import {expect} from '../support/expect.js';
import {hash, selector, typedData as snip12} from 'starknet';
import {SELECTORS} from '../../src/chains/starknet/htlc.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import {createStarknetAdapter} from '../../src/chains/starknet/starknet.js';
import type {CheckName, CheckReport} from '../../src/domain/deposit.js';
import {CONTRACT, ORDER_ID, sampleDeal, TOKEN, type OpenDeal} from '../support/starknet-deal.js';
import {OWNER, STRANGER, StarknetLedger, WalletError} from '../support/starknet-ledger.js';

const adapter = createStarknetAdapter({...TIMEOUTS, read: 100});
const U32 = 2 ** 32;

const callOf = ({deposit}: OpenDeal) => deposit.payload.call;
const messageOf = ({deposit}: OpenDeal) => deposit.payload.typedData.message as Record<string, unknown>;
const domainOf = ({deposit}: OpenDeal) => deposit.payload.typedData.domain as Record<string, unknown>;
const setCall = (deal: OpenDeal, at: number, value: string) => (callOf(deal).calldata[at] = value);

const failed = ({results}: CheckReport) => results.filter(({outcome}) => outcome === 'failed').map(({name}) => name);
const unchecked = ({results}: CheckReport) =>
  results.filter(({outcome}) => outcome === 'unchecked').map(({name}) => name);

const ledgerOf = () => new StarknetLedger({token: TOKEN, contract: CONTRACT, orderId: ORDER_ID, balance: 10n ** 8n});

/** Checks a deal while its chain answers. */
async function check(deal: OpenDeal, ledger = ledgerOf()): Promise<CheckReport> {
  const close = ledger.serve();
  try {
    return await adapter.check(deal, {});
  } finally {
    close();
  }
}

const CALL: readonly CheckName[] = ['amount', 'call', 'same', 'order', 'secret'];

/** One lie each, and exactly the checks that must see it. */
const LIES: readonly (readonly [lie: string, seen: readonly CheckName[], tell: (deal: OpenDeal) => unknown])[] = [
  ['more in the call', ['amount', 'same'], deal => setCall(deal, 2, '0xc351')],
  ['2^128 times as much in the call', ['amount', 'same'], deal => setCall(deal, 3, '0x1')],
  ['more in the typed data', ['amount', 'same'], deal => (messageOf(deal)['amount'] = {low: '0xc351', high: '0x0'})],
  ['more in its upper half', ['amount', 'same'], deal => (messageOf(deal)['amount'] = {low: '0xc350', high: '0x1'})],
  [
    'more in both',
    ['amount'],
    deal => {
      setCall(deal, 2, '0xc351');
      messageOf(deal)['amount'] = {low: '0xc351', high: '0x0'};
    },
  ],
  ['another redeemer in the call', ['same', 'order'], deal => setCall(deal, 0, STRANGER)],
  ['another redeemer in the typed data', ['same'], deal => (messageOf(deal)['redeemer'] = STRANGER)],
  [
    'another redeemer in both',
    ['order'],
    deal => {
      setCall(deal, 0, STRANGER);
      messageOf(deal)['redeemer'] = String(BigInt(STRANGER));
    },
  ],
  ['no redeemer', ['call', 'same', 'order'], deal => setCall(deal, 0, '0x0')],
  ['the payer as redeemer', ['call', 'same', 'order'], deal => setCall(deal, 0, OWNER)],
  ['a redeemer beyond all addresses', CALL, deal => setCall(deal, 0, `0x${'7'.padEnd(63, 'f')}f`)],
  ['another timelock in the call', ['same', 'order'], deal => setCall(deal, 1, '0xb41')],
  ['another timelock in the typed data', ['same'], deal => (messageOf(deal)['timelock'] = '2881')],
  ['no timelock', ['call', 'same', 'order'], deal => setCall(deal, 1, '0x0')],
  ['a timelock without end', ['call', 'same', 'order'], deal => setCall(deal, 1, '0xffffffffffff')],
  ['another secret in the call', ['same', 'secret'], deal => setCall(deal, 11, '0x1')],
  ['another secret in the typed data', ['same'], deal => ((messageOf(deal)['secretHash'] as number[])[7] = 1)],
  ['a word too large in the call', CALL, deal => setCall(deal, 11, `0x${U32.toString(16)}`)],
  ['seven words in the call', CALL, deal => callOf(deal).calldata.pop()],
  ['a number behind the call', CALL, deal => callOf(deal).calldata.push('0x1')],
  ['a length in front of the words', CALL, deal => callOf(deal).calldata.splice(4, 0, '0x8')],
  ['text in the call', CALL, deal => setCall(deal, 2, '50000')],
  ['another chain in the typed data', ['chain'], deal => (domainOf(deal)['chainId'] = 'SN_MAIN')],
  ['another contract', ['contract', 'code', 'token'], deal => (callOf(deal).to = STRANGER)],
  ['no contract', ['contract', 'code', 'token'], deal => (callOf(deal).to = '0x0')],
  ['an approval instead', CALL, deal => (callOf(deal).selector = selector.getSelectorFromName('approve'))],
  ['a transfer instead', CALL, deal => (callOf(deal).selector = selector.getSelectorFromName('transfer'))],
  ['a name for the selector', CALL, deal => (callOf(deal).selector = 'initiate')],
  [
    'a selector that was hashed twice',
    CALL,
    deal => (callOf(deal).selector = selector.getSelectorFromName(SELECTORS.initiate)),
  ],
  ['another person’s order', ['order'], ({order}) => (order.id = 'another')],
  ['another amount in the order', ['order'], ({order}) => (order.source.amount += 1n)],
  ['less that arrives', ['order'], ({order}) => (order.destination.amount -= 1n)],
  ['another recipient', ['order'], ({order}) => (order.destination.redeemer = 'tb1q…')],
  ['another chain in the order', ['order'], ({order}) => (order.source.chain = 'starknet')],
  ['another secret for the destination', ['secret'], ({order}) => (order.destination.secretHash = 'ab'.repeat(32))],
  ['a secret of another hash', ['secret'], ({order}) => (order.destination.secret = 'ab'.repeat(32))],
  ['a destination that is bound longer', ['timelock'], ({order}) => (order.destination.timelock = 145)],
  ['a refund to another person', ['refund'], ({order}) => (order.source.initiator = STRANGER)],
  ['an asset without a token', ['token'], ({agreed}) => Reflect.deleteProperty(agreed.from, 'token')],
];

/** Typed data in an unknown form, and what the report says about it. It is not signed. */
const STRANGE: readonly (readonly [what: string, found: string, tell: (deal: OpenDeal) => unknown])[] = [
  ['another domain', 'name ERC20', deal => (domainOf(deal)['name'] = 'ERC20')],
  ['another version', 'version 3', deal => (domainOf(deal)['version'] = '3')],
  ['the old revision', 'revision 0', deal => (domainOf(deal)['revision'] = '0')],
  ['no chain', 'domain', deal => delete domainOf(deal)['chainId']],
  ['more in the domain', 'domain', deal => (domainOf(deal)['salt'] = '1')],
  ['more in the message', 'message', deal => (messageOf(deal)['spender'] = STRANGER)],
  ['half an amount', 'amount', deal => (messageOf(deal)['amount'] = {low: '0xc350'})],
  [
    'a third part of an amount',
    'amount',
    deal => (messageOf(deal)['amount'] = {low: '0xc350', high: '0x0', more: '0x1'}),
  ],
  ['a word too large', 'message', deal => ((messageOf(deal)['secretHash'] as number[])[7] = U32)],
  ['seven words', 'message', deal => (messageOf(deal)['secretHash'] as number[]).pop()],
  ['nine words', 'message', deal => (messageOf(deal)['secretHash'] as number[]).push(1)],
  ['another type', 'type Transfer', ({deposit}) => (deposit.payload.typedData.primaryType = 'Transfer')],
  [
    'the fields of a type in another order',
    'types',
    ({deposit}) => deposit.payload.typedData.types['Initiate']?.reverse(),
  ],
  [
    'a field of another type',
    'types',
    ({deposit}) => (deposit.payload.typedData.types['Initiate']![3]!.type = 'felt*'),
  ],
  [
    'a type beside them',
    'types',
    ({deposit}) => (deposit.payload.typedData.types['Permit'] = [{name: 'spender', type: 'ContractAddress'}]),
  ],
  [
    'the form of a later contract, which is named in it, and with its texts as numbers',
    'version 0x32',
    deal => {
      Object.assign(domainOf(deal), {version: '0x32', revision: '0x1'});
      messageOf(deal)['verifyingContract'] = CONTRACT;
      deal.deposit.payload.typedData.types['Initiate']?.push({name: 'verifyingContract', type: 'ContractAddress'});
    },
  ],
  ['an empty message', 'message', ({deposit}) => (deposit.payload.typedData.message = {})],
  ['nothing in its place', 'amount', deal => Object.assign(messageOf(deal), {amount: 5, secretHash: null})],
  ['no message', 'typed data', ({deposit}) => (deposit.payload.typedData.message = null as never)],
  ['text instead', 'typed data', ({deposit}) => (deposit.payload.typedData = 'text' as never)],
];

describe('checking a deposit on Starknet', () => {
  it('finds nothing wrong with the published sample', async () => {
    const report = await check(sampleDeal());
    expect(failed(report)).to.deep.equal([]);
    expect(unchecked(report)).to.deep.equal([]);
    expect(report.results.map(({name}) => name)).to.deep.equal([
      'amount',
      'chain',
      'contract',
      'code',
      'token',
      'call',
      'same',
      'typed-data',
      'order',
      'secret',
      'timelock',
      'refund',
    ]);
  });

  for (const [lie, seen, tell] of LIES) {
    it(`sees ${lie}`, async () => {
      const deal = sampleDeal();
      tell(deal);
      expect(failed(await check(deal))).to.deep.equal(seen);
    });
  }

  for (const [what, found, tell] of STRANGE) {
    it(`accepts the call alone beside typed data with ${what}`, async () => {
      const deal = sampleDeal();
      tell(deal);
      const {outcome, results} = await check(deal);
      expect(outcome).to.equal('passed');
      // Nothing but typed data names the chain; the wallet is brought there before it is asked.
      expect(results.filter(result => result.outcome === 'unchecked')).to.deep.equal([
        {name: 'chain', outcome: 'unchecked', expected: 'Starknet Sepolia'},
        {name: 'same', outcome: 'unchecked', found},
        {name: 'typed-data', outcome: 'unchecked', expected: 'HTLC, Initiate', found},
      ]);
    });
  }

  it('sees a lie in the call beside typed data of an unknown form', async () => {
    const deal = sampleDeal();
    domainOf(deal)['version'] = '3';
    setCall(deal, 2, '0xc351');
    expect(failed(await check(deal))).to.deep.equal(['amount']);
  });

  it('says both sides of what differs', async () => {
    const deal = sampleDeal();
    callOf(deal).to = STRANGER;
    deal.order.destination.amount -= 1n;
    setCall(deal, 2, '0xc351');
    const {results} = await check(deal);
    const of = (name: CheckName) => results.find(result => result.name === name);
    expect(of('amount')).to.include({expected: '0.0005 WBTC', found: '0.00050001 WBTC'});
    expect(of('contract')).to.include({expected: CONTRACT, found: STRANGER});
    expect(of('order')).to.include({expected: '0.0004985 BTC', found: '0.00049849 BTC'});
  });

  it('sees no contract and another token where the chain says so', async () => {
    const bare = ledgerOf();
    bare.hasCode = false;
    expect(failed(await check(sampleDeal(), bare))).to.deep.equal(['code']);
    const other = ledgerOf();
    other.namedToken = STRANGER;
    expect(failed(await check(sampleDeal(), other))).to.deep.equal(['token']);
  });

  it('leaves unchecked what the chain does not say', async () => {
    const silent = ledgerOf();
    silent.instead.set('token', () => {
      throw new WalletError(21, 'Requested entrypoint does not exist in the contract');
    });
    expect(unchecked(await check(sampleDeal(), silent))).to.deep.equal(['token']);
    const old = ledgerOf();
    old.instead.set('token', () => {
      throw new WalletError(40, 'Contract error', {revert_error: "0x454e54525950… ('ENTRYPOINT_NOT_FOUND')"});
    });
    expect(unchecked(await check(sampleDeal(), old))).to.deep.equal(['token']);
    const elsewhere = ledgerOf();
    elsewhere.nodeChainId = '0x534e5f4d41494e';
    expect(unchecked(await check(sampleDeal(), elsewhere))).to.deep.equal(['code', 'token']);
  });

  it('leaves unchecked what cannot be known without an address to read from', async () => {
    const deal = sampleDeal();
    Reflect.deleteProperty(deal.agreed.from.chain, 'rpc');
    Reflect.deleteProperty(deal, 'order');
    deal.agreed.from.contracts = [];
    const ledger = ledgerOf();
    const report = await check(deal, ledger);
    expect(unchecked(report)).to.deep.equal(['contract', 'code', 'token', 'order', 'secret', 'timelock', 'refund']);
    expect(failed(report)).to.deep.equal([]);
    expect(ledger.reads).to.deep.equal([]);
    deal.policy.requirePins = true;
    expect(failed(await check(deal))).to.deep.equal(['contract']);
  });

  it('checks a payment without typed data against the order alone', async () => {
    const deal = sampleDeal();
    Reflect.deleteProperty(deal.deposit.payload, 'typedData');
    const report = await check(deal);
    expect(failed(report)).to.deep.equal([]);
    expect(unchecked(report)).to.deep.equal(['chain']);
    expect(report.results.map(({name}) => name)).to.not.include('same');
  });

  it('accepts what libraries and services write differently with the same meaning', async () => {
    for (const tell of [
      (deal: OpenDeal) => (domainOf(deal)['chainId'] = '0x534e5f5345504f4c4941'),
      (deal: OpenDeal) => (domainOf(deal)['version'] = '0x31'),
      (deal: OpenDeal) => (domainOf(deal)['revision'] = 1),
      (deal: OpenDeal) => (messageOf(deal)['timelock'] = '0xb40'),
      (deal: OpenDeal) =>
        (messageOf(deal)['secretHash'] = (messageOf(deal)['secretHash'] as number[]).map(word => String(word))),
      (deal: OpenDeal) => (deal.order.source.redeemer = deal.order.source.redeemer.replace('0x0', '0x')),
      (deal: OpenDeal) => (deal.agreed.owner = deal.agreed.owner.replace('0x00', '0x').toUpperCase().replace('X', 'x')),
      (deal: OpenDeal) => (callOf(deal).selector = callOf(deal).selector.replace('0x', '0x0')),
    ]) {
      const deal = sampleDeal();
      tell(deal);
      expect(failed(await check(deal)), tell.toString()).to.deep.equal([]);
    }
  });

  it('fails whole, not with an error, on what is no Starknet payload', async () => {
    for (const payload of [
      {family: 'solana', transaction: ''},
      {family: 'starknet'},
      {family: 'starknet', call: null},
    ]) {
      const deal = sampleDeal();
      (deal.deposit as {payload: unknown}).payload = payload;
      expect(failed(await check(deal))).to.deep.equal(['call']);
    }
    for (const call of [
      {},
      {selector: 5, calldata: 5, to: 5},
      {selector: SELECTORS.initiate, calldata: null, to: CONTRACT},
    ]) {
      const deal = sampleDeal();
      (deal.deposit.payload as {call: unknown}).call = call;
      expect(failed(await check(deal))).to.include('call');
    }
  });

  it('reads the recipient’s address as its own family writes it', async () => {
    const deal = sampleDeal();
    deal.agreed.to.chain = {...deal.agreed.from.chain};
    deal.order.destination.chain = deal.agreed.to.chain.name;
    deal.agreed.recipient = OWNER;
    deal.order.destination.redeemer = OWNER.replace('0x00', '0x');
    expect(failed(await check(deal))).to.deep.equal([]);
  });
});

describe('the wire form', () => {
  it('knows each entry point by the selector that its name hashes to', () => {
    for (const [name, number] of Object.entries(SELECTORS)) {
      expect(number).to.equal(hash.getSelectorFromName(name));
    }
  });

  it('is hashed by the library with the version as a number, however it was written', () => {
    // A contract that reads its version as a letter wants another signature (starknet.js #1039).
    const {typedData} = sampleDeal().deposit.payload;
    const hashOf = (version: string) =>
      snip12.getMessageHash({...typedData, domain: {...typedData.domain, version}}, OWNER);
    expect(hashOf('1')).to.equal('0x4e644e4ce4c5935093e09734876961b806817846876a8d3fd00801043bbfc47');
    expect(hashOf('0x31')).to.not.equal(hashOf('1'));
  });
});
