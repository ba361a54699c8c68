/** What the checks of the contract family detect, in every dialect. What only one of them has is in its own file. */
import {expect} from '../support/expect.js';
import {type CheckName, type CheckReport} from '../../src/domain/deposit.js';
import {closeLast, openAt, PLACES, type OpenDeal, type Place} from '../support/dialects.js';
import {doubted, failed, unchecked, unverified} from '../support/reports.js';

const OTHER_HASH = '5a'.repeat(32);
const CALL: readonly CheckName[] = ['amount', 'call', 'order', 'secret'];
const unsigned = ({deposit}: OpenDeal) => Reflect.deleteProperty(deposit.payload, 'typedData');
const WHERE: readonly CheckName[] = ['contract', 'code', 'token'];

const domainOf = ({deposit}: OpenDeal) => deposit.payload.typedData.domain;
const messageOf = ({deposit}: OpenDeal) => deposit.payload.typedData.message;

/** One lie each, and exactly the checks that must detect it. */
const LIES: readonly (readonly [
  lie: string,
  seen: readonly CheckName[],
  tell: (deal: OpenDeal, place: Place) => unknown,
])[] = [
  ['more in the call', ['amount', 'same'], (deal, {recall}) => recall(deal, {amount: 100_000n})],
  ['less in the call', ['amount', 'same'], (deal, {recall}) => recall(deal, {amount: 49_999n})],
  ['more in the typed data', ['amount', 'same'], (deal, {retype}) => retype(deal, {amount: 50_001n})],
  [
    'more in both',
    ['amount'],
    (deal, {recall, retype}) => [recall(deal, {amount: 50_001n}), retype(deal, {amount: 50_001n})],
  ],
  ['another redeemer in the call', ['same', 'order'], (deal, {recall, stranger}) => recall(deal, {redeemer: stranger})],
  ['another redeemer in the typed data', ['same'], (deal, {retype, stranger}) => retype(deal, {redeemer: stranger})],
  [
    'another redeemer in both',
    ['order'],
    (deal, {recall, retype, stranger}) => [recall(deal, {redeemer: stranger}), retype(deal, {redeemer: stranger})],
  ],
  [
    'nobody as redeemer',
    ['call', 'same', 'order'],
    (deal, {recall}) => recall(deal, {redeemer: `0x${'0'.repeat(40)}`}),
  ],
  ['the payer as redeemer', ['call', 'same', 'order'], (deal, {recall, owner}) => recall(deal, {redeemer: owner})],
  ['another timelock in the call', ['same', 'order'], (deal, {recall}) => recall(deal, {timelock: 2_881n})],
  ['no timelock', ['call', 'same', 'order'], (deal, {recall}) => recall(deal, {timelock: 0n})],
  ['an endless timelock', ['call', 'same', 'order'], (deal, {recall}) => recall(deal, {timelock: 2n ** 127n})],
  ['another timelock in the typed data', ['same'], (deal, {retype}) => retype(deal, {timelock: 2_881n})],
  ['another secret in the call', ['same', 'secret'], (deal, {recall}) => recall(deal, {secretHash: OTHER_HASH})],
  ['another secret in the typed data', ['same'], (deal, {retype}) => retype(deal, {secretHash: OTHER_HASH})],
  ['another chain in the typed data', ['chain'], (deal, {typeElsewhere}) => typeElsewhere(deal)],
  ['another contract', WHERE, (deal, {move, stranger}) => move(deal, stranger)],
  ['no contract', WHERE, (deal, {move}) => move(deal, '0x0')],
  ['an approval instead', CALL, (deal, {others}) => [others['an approval']!(deal), unsigned(deal)]],
  ['a transfer instead', CALL, (deal, {others}) => [others['a transfer']!(deal), unsigned(deal)]],
  ['an empty call', CALL, (deal, {others}) => [others['nothing']!(deal), unsigned(deal)]],
  ['an order with another id', ['order'], ({order}) => (order.id = 'f00d')],
  ['an order from another asset', ['order'], ({order}) => (order.source.asset = 'ethereum_sepolia:usdc')],
  ['an order on another chain', ['order'], ({order}) => (order.source.chain = 'ethereum')],
  ['an order with another amount', ['order'], ({order}) => (order.source.amount = 500_000n)],
  ['an order with another redeemer', ['order'], ({order}, {stranger}) => (order.source.redeemer = stranger)],
  ['an order with another timelock', ['order'], ({order}) => (order.source.timelock -= 1)],
  ['an order to another asset', ['order'], ({order}) => (order.destination.asset = 'bitcoin_testnet:wbtc')],
  ['an order to another chain', ['order'], ({order}) => (order.destination.chain = 'bitcoin')],
  ['an order that pays less', ['order'], ({order}) => (order.destination.amount -= 1n)],
  ['an order that pays another', ['order'], ({order}) => (order.destination.redeemer = 'tb1qstranger')],
  ['an order by another payer', ['refund'], ({order}, {stranger}) => (order.source.initiator = stranger)],
  ['a source leg with another secret', ['secret'], ({order}) => (order.source.secretHash = OTHER_HASH)],
  ['a destination leg with another secret', ['secret'], ({order}) => (order.destination.secretHash = OTHER_HASH)],
  ['a secret with another hash', ['secret'], ({order}) => (order.source.secret = OTHER_HASH)],
  ['an invalid secret', ['secret'], ({order}) => (order.destination.secret = 'soon')],
  ['a destination that is locked as long as the source', ['timelock'], ({order}) => (order.destination.timelock = 144)],
  ['a destination that is locked forever', ['timelock'], ({order}) => (order.destination.timelock = 10_000)],
  [
    'a destination that was paid when the source was not, and outlives it',
    ['timelock'],
    ({order}) => Object.assign(order.destination, {timelock: 143, initiated: {hashes: ['f00d'], at: Date.now() + 1e7}}),
  ],
];

/** Typed data in an unknown form, and what the report says about it. It is not signed. */
const STRANGE: readonly (readonly [what: string, found: string, tell: (deal: OpenDeal, place: Place) => unknown])[] = [
  ['another domain name', 'name Permit2', deal => (domainOf(deal)['name'] = 'Permit2')],
  ['another domain version', 'version 9', deal => (domainOf(deal)['version'] = '9')],
  ['a salt in the domain', 'domain', deal => (domainOf(deal)['salt'] = OTHER_HASH)],
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
    ({deposit}) => (deposit.payload.typedData.types['Initiate']![1]!.type = 'uint128'),
  ],
  [
    'no domain type',
    'types',
    ({deposit}, {dialect}) => Reflect.deleteProperty(deposit.payload.typedData.types, dialect.form.domainType),
  ],
  ['one more value in the message', 'message', (deal, {stranger}) => (messageOf(deal)['spender'] = stranger)],
  ['a value missing', 'message', deal => delete messageOf(deal)['redeemer']],
  ['an empty message', 'message', ({deposit}) => (deposit.payload.typedData.message = {})],
  ['one more part', 'typed data', ({deposit}) => ((deposit.payload.typedData as Record<string, unknown>)[''] = 'more')],
  ['no message', 'typed data', ({deposit}) => (deposit.payload.typedData.message = null as never)],
  ['no domain', 'typed data', ({deposit}) => (deposit.payload.typedData.domain = undefined as never)],
  ['types that are text', 'typed data', ({deposit}) => (deposit.payload.typedData.types = 'Initiate' as never)],
  [
    'empty types',
    'typed data',
    ({deposit}, {dialect}) =>
      (deposit.payload.typedData.types = {[dialect.form.domainType]: null, Initiate: null} as never),
  ],
  ['text instead', 'typed data', ({deposit}) => (deposit.payload.typedData = 'text' as never)],
  [
    'a primary type that is an object',
    'typed data',
    ({deposit}) => (deposit.payload.typedData.primaryType = Object.create(null) as never),
  ],
  ['more than a screen can hold', `name ${'x'.repeat(55)}`, deal => (domainOf(deal)['name'] = 'x'.repeat(1_000))],
];

const OTHER = ({stranger}: Place) => ({id: 'chain:other', symbol: 'OTHER', token: stranger}) as const;

afterEach(closeLast);

for (const place of PLACES) {
  const {adapter, dialect, recall, stranger, owner, contract, token} = place;
  const open = () => openAt(place);
  /** If only typed data contains the chain, that is unchecked without it. */
  const byTypedData: readonly CheckName[] = dialect.family === 'starknet' ? ['chain'] : [];

  describe(`checking a deal on ${place.name}`, () => {
    it('passes every check of the published sample, in the order of importance to a person', async () => {
      const {check} = await open();
      const report = await check();
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
        ...(dialect.coin ? ['value passed'] : []),
        'order passed',
        'secret passed',
        'timelock passed',
        'refund passed',
      ]);
      for (const one of [report, report.results, report.results[0]]) expect(one).to.be.frozen;
    });

    for (const [lie, seen, tell] of LIES) {
      it(`detects ${lie}`, async () => {
        const {deal, check} = await open();
        tell(deal, place);
        const report = await check();
        expect(doubted(report)).to.deep.equal(seen);
        expect(report.outcome).to.equal('failed');
      });
    }

    for (const [what, found, tell] of STRANGE) {
      it(`accepts the call alone beside typed data with ${what}`, async () => {
        const {deal, check} = await open();
        tell(deal, place);
        const report = await check();
        expect(report.outcome).to.equal('passed');
        expect(report.results.filter(({name, outcome}) => outcome === 'unchecked' && name !== 'chain')).to.deep.equal([
          {name: 'same', outcome: 'unchecked', found},
          {name: 'typed-data', outcome: 'unchecked', expected: 'HTLC, Initiate', found},
        ]);
        expect(unchecked(report)).to.deep.equal([...byTypedData, 'same', 'typed-data']);
      });
    }

    it('detects a lie in the call beside typed data of an unknown form', async () => {
      const {deal, check} = await open();
      domainOf(deal)['version'] = '9';
      recall(deal, {amount: 50_001n});
      expect(failed(await check())).to.deep.equal(['amount']);
    });

    it('fails, and does not throw, on a payload of another family', async () => {
      const {deal, check} = await open();
      const {payload} = deal.deposit;
      for (const other of [
        {family: 'solana', transaction: ''},
        {family: payload.family},
        {...payload, transaction: null, call: null},
      ]) {
        deal.deposit.payload = other as never;
        expect(failed(await check())).to.deep.equal(['call']);
      }
      deal.deposit = {how: 'transfer', address: stranger, amount: 50_000n} as never;
      expect(failed(await check())).to.deep.equal(['call']);
    });

    it('accepts a call without typed data', async () => {
      const {deal, check} = await open();
      Reflect.deleteProperty(deal.deposit.payload, 'typedData');
      const report = await check();
      expect(report.outcome).to.equal('passed');
      expect(unchecked(report)).to.deep.equal(byTypedData);
      expect(report.results.map(({name}) => name)).not.to.include.members(['same', 'typed-data']);
    });

    it('reports both sides of what differs, and of what matches', async () => {
      const {deal, check} = await open();
      recall(deal, {amount: 500_000n});
      deal.order.destination.amount -= 1n;
      const {results} = await check();
      const of = (wanted: CheckName) => results.find(({name}) => name === wanted);
      expect(of('amount')).to.deep.equal({
        name: 'amount',
        outcome: 'failed',
        expected: '0.0005 WBTC',
        found: '0.005 WBTC',
        sides: ['agreed', 'payment'],
      });
      expect(of('order')).to.deep.include({
        expected: '0.0004985 BTC',
        found: '0.00049849 BTC',
        sides: ['agreed', 'order'],
      });
      expect(of('contract')).to.deep.equal({name: 'contract', outcome: 'passed', expected: contract, found: contract});
      expect(of('token')).to.deep.equal({name: 'token', outcome: 'passed', expected: token, found: token});
      expect(of('timelock')).to.deep.equal({name: 'timelock', outcome: 'passed', expected: '< 24 h', found: '2 h'});
      place.move(deal, stranger);
      expect((await check()).results[2]).to.include({name: 'contract', expected: contract, found: stranger});
    });

    it('leaves unchecked which side is locked longer while the start of one is unknown', async () => {
      const at = Date.now() - 23 * 3_600_000;
      for (const tell of [
        ({order}: OpenDeal) => (order.source.initiated = {hashes: ['f00d']}),
        ({order}: OpenDeal) => (order.destination.initiated = {hashes: ['f00d']}),
        ({order}: OpenDeal) => (order.source.initiated = {hashes: ['f00d'], at}),
      ]) {
        const {deal, check} = await open();
        tell(deal);
        expect(unchecked(await check()), tell.toString()).to.deep.equal(['timelock']);
      }
      const {deal, check} = await open();
      for (const leg of [deal.order.source, deal.order.destination]) leg.initiated = {hashes: ['f00d'], at};
      expect(unchecked(await check())).to.deep.equal([]);
    });

    it('recognizes assets, chains and addresses in any letter case', async () => {
      const {deal, check} = await open();
      const {source, destination} = deal.order;
      const upper = (text: string) => text.toUpperCase().replace('X', 'x');
      Object.assign(source, {asset: source.asset.toUpperCase(), chain: source.chain.toUpperCase()});
      Object.assign(source, {redeemer: upper(source.redeemer), initiator: upper(source.initiator)});
      Object.assign(destination, {asset: 'Bitcoin_Testnet:BTC', chain: 'BITCOIN_TESTNET'});
      expect(failed(await check())).to.deep.equal([]);
    });

    it('asks about a contract that is neither known nor vouched for, and stops where nobody may be asked', async () => {
      for (const contracts of [[], [stranger]]) {
        const {deal, check} = await open();
        deal.agreed.from.contracts = contracts;
        const report = await check();
        expect(doubted(report)).to.deep.equal(['contract']);
        expect([report.outcome, unverified(report)]).to.deep.equal(['unverified', ['contract']]);
        // Typed data that names no contract could be used with another one.
        const isSigned = report.results.some(({name, outcome}) => name === 'typed-data' && outcome === 'passed');
        expect(isSigned).to.equal(dialect.signedContract !== undefined);
        deal.policy.unverified = 'stop';
        expect((await check()).outcome).to.equal('failed');
        Object.assign(deal.agreed.from, {vouched: [{address: contract.toLowerCase()}]});
        expect((await check()).outcome).to.equal('passed');
      }
    });

    it('never asks about an unknown contract that nobody could read', async () => {
      for (const method of ['hasCode', 'token', 'allowance'] as const) {
        const {deal, ledger, check} = await open();
        ledger.other = OTHER(place).token;
        deal.agreed.from.contracts = [];
        ledger.fail('busy', method);
        const report = await check({others: [OTHER(place)]});
        const name = ({hasCode: 'code', token: 'token', allowance: 'contract'} as const)[method];
        expect(failed(report), method).to.include(name);
      }
      const {deal, blind} = await open();
      deal.agreed.from.contracts = [];
      blind();
      expect(failed(await adapter.check(deal, {}))).to.include.members(['code', 'token']);
    });

    if (!place.coin) {
      it('asks about an unknown contract that has no view of its token', async () => {
        const {deal, ledger, check} = await open();
        ledger.fail('mute', 'token');
        expect(unverified(await check())).to.deep.equal([]);
        deal.agreed.from.contracts = [];
        const report = await check();
        expect([failed(report), unverified(report)]).to.deep.equal([[], ['contract', 'token']]);
      });
    }

    it('never asks about a contract with another role on its chain, or with an allowance of another token', async () => {
      const {deal, check} = await open();
      deal.agreed.from.contracts = [];
      for (const other of [
        {contracts: [contract.toLowerCase()]},
        {contracts: [], vouched: [{address: contract}]},
        {token: contract},
      ]) {
        const others = [{...OTHER(place), ...other}];
        expect(failed(await check({others})), JSON.stringify(other)).to.include('contract');
      }
      for (const own of [owner, token]) {
        const moved = await open();
        moved.deal.agreed.from.contracts = [];
        place.move(moved.deal, own);
        expect(failed(await moved.check())).to.include('contract');
      }
      expect(failed(await check({others: [OTHER(place)]}))).to.deep.equal([]);
      const asked = await open();
      asked.deal.agreed.from.contracts = [];
      asked.ledger.other = OTHER(place).token;
      asked.ledger.allowance = 1n;
      const report = await asked.check({others: [OTHER(place)]});
      expect(failed(report)).to.deep.equal(['contract']);
      const {allowed} = report.results.find(({name}) => name === 'contract')!;
      expect(allowed).to.deep.equal({token: OTHER(place).token, symbol: OTHER(place).symbol});
      // Of the agreed token, it is exactly what is asked for.
      expect(failed(await asked.check({others: [{...OTHER(place), token}]}))).to.deep.equal([]);
      // A known one only takes what it is asked to.
      asked.deal.agreed.from.contracts = [contract];
      expect(failed(await asked.check({others: [OTHER(place)]}))).to.deep.equal([]);
    });

    it('stops at a contract vouched for that has another role, or an allowance of another token', async () => {
      const vouch = (deal: OpenDeal, address = contract) =>
        Object.assign(deal.agreed.from, {contracts: [], vouched: [{address}]});
      const {deal, check} = await open();
      vouch(deal);
      const other = OTHER(place);
      const {id} = deal.agreed.from;
      for (const [role, seen] of [
        [{...other, contracts: [contract.toLowerCase()]}, ['contract']],
        [{...other, token: contract}, ['contract']],
        // It may be vouched for as the contract of several assets, and is one of its own.
        [{...other, vouched: [{address: contract}]}, []],
        [{...other, id, contracts: [contract]}, []],
      ] as const) {
        expect(failed(await check({others: [role]})), JSON.stringify(role)).to.deep.equal(seen);
      }
      for (const own of [owner, token]) {
        const moved = await open();
        vouch(moved.deal, own);
        place.move(moved.deal, own);
        expect(failed(await moved.check())).to.include('contract');
      }
      const asked = await open();
      asked.ledger.other = other.token;
      vouch(asked.deal);
      asked.ledger.when('allowance', () => 1n);
      const report = await asked.check({others: [other]});
      expect(failed(report)).to.deep.equal(['contract']);
      expect(report.results.find(({name}) => name === 'contract')?.allowed?.token).to.equal(other.token);
      asked.ledger.fail('busy', 'allowance');
      const {results} = await asked.check({others: [other]});
      expect(results.find(({name}) => name === 'contract')?.outcome).to.equal('unchecked');
    });

    it('asks about timelocks only where the unit is not known, and takes any unit of a contract vouched for', async () => {
      const lock = async (timelock: bigint, from: object) => {
        const {deal, check} = await open();
        Object.assign(deal.agreed.from, from);
        recall(deal, {timelock});
        unsigned(deal);
        deal.order.source.timelock = Number(timelock);
        return check();
      };
      const unknown = {contracts: []};
      const vouched = {contracts: [], vouched: [{address: contract}]};
      const days = 24 * 60 * 60;
      const inTenDays = BigInt(Math.floor(Date.now() / 1_000) + 10 * days);
      for (const timelock of [BigInt(10 * days), inTenDays]) {
        expect(failed(await lock(timelock, {}))).to.include('call');
        expect(failed(await lock(timelock, unknown))).to.deep.equal([]);
        expect(unverified(await lock(timelock, unknown))).to.include('call');
        expect(doubted(await lock(timelock, vouched))).to.deep.equal([]);
      }
      // Either side may count in another unit.
      const {deal: mixed, check: checkMixed} = await open();
      Object.assign(mixed.agreed.from, vouched);
      mixed.order.source.timelock = 10 * days;
      mixed.order.destination.timelock = Number(inTenDays) - 9 * days;
      expect(doubted(await checkMixed())).not.to.include('timelock');
      mixed.order.destination.timelock = 10 ** 15;
      expect(failed(await checkMixed())).to.include('timelock');
      const tooLong = 2n ** 52n;
      expect(failed(await lock(tooLong, vouched))).to.include('call');
      expect(failed(await lock(0n, vouched))).to.include('call');
      expect(unverified(await lock(tooLong, unknown))).to.include('call');
      const {deal, check} = await open();
      deal.order.destination.timelock = 144;
      expect(failed(await check())).to.deep.equal(['timelock']);
      deal.agreed.from.contracts = [];
      expect(unverified(await check())).to.deep.equal(['contract', 'timelock']);
    });

    it('signs beside a call that cannot be read, if the signature names the contract', async () => {
      for (const contracts of [[contract], []]) {
        const {deal, check} = await open();
        place.others['an approval']!(deal);
        deal.agreed.from.contracts = contracts;
        const report = await check();
        if (dialect.signedContract) {
          expect(report.outcome).to.equal('unverified');
          expect(unverified(report)).to.deep.equal(contracts.length ? ['call'] : ['contract', 'call']);
        } else {
          expect(failed(report)).to.include('call');
          const found = dialect.signedTerms(deal.deposit.payload.typedData)?.redeemer;
          const sides = ['payment', 'signature'];
          const same = contracts.length
            ? {outcome: 'failed', found, sides}
            : {outcome: 'unchecked', found: 'no contract'};
          expect(report.results.find(({name}) => name === 'same')).to.deep.equal({name: 'same', ...same});
        }
        // A signature pays no coins.
        if (!dialect.coin) continue;
        Reflect.deleteProperty(deal.agreed.from, 'token');
        expect(failed(await check())).to.include('call');
      }
    });

    it('is bounded by allowance and value where a contract is vouched for whose call cannot be read', async () => {
      const {deal, check} = await open();
      place.others['an approval']!(deal);
      unsigned(deal);
      Object.assign(deal.agreed.from, {contracts: [], vouched: [{address: contract}]});
      // On Starknet the partner names the entry point, too.
      const isNamed = !dialect.isEntry;
      expect(doubted(await check())).to.deep.equal(isNamed ? [] : CALL);
      Object.assign(deal.agreed.from, {vouched: [{address: stranger, entry: 'approve'}, {address: contract}]});
      expect(doubted(await check())).to.deep.equal(isNamed ? [] : CALL);
      Object.assign(deal.agreed.from, {vouched: [{address: stranger}, {address: contract, entry: 'approve'}]});
      expect(doubted(await check())).to.deep.equal([]);
      // Whom it names is not known, whatever the order says; what enters by its name is read.
      Object.assign(deal.policy, {redeemers: {[deal.agreed.from.id]: [deal.order.source.redeemer]}});
      expect(failed(await check())).to.deep.equal(isNamed ? ['redeemer'] : []);
      Reflect.deleteProperty(deal.policy, 'redeemers');
      deal.order.destination.secretHash = OTHER_HASH;
      expect(failed(await check())).to.deep.equal(['secret']);
    });

    it('rejects an address that cannot be a contract, even if none is known', async () => {
      for (const to of ['0x', `0x${'0'.repeat(40)}`, 'a contract']) {
        const {deal, blind} = await open();
        blind();
        deal.agreed.from.contracts = [];
        place.move(deal, to);
        Reflect.deleteProperty(deal.deposit.payload, 'typedData');
        expect(failed(await adapter.check(deal, {})), to).to.deep.equal(WHERE);
      }
    });

    it('leaves unchecked what the chain cannot return, or does not', async () => {
      const {deal, ledger, check, blind} = await open();
      for (const failure of ['busy', undefined] as const) {
        ledger.fail(failure, 'token');
        expect(unchecked(await check())).to.deep.equal(['token']);
      }
      ledger.fail('busy', 'hasCode');
      expect(unchecked(await check())).to.deep.equal(['code', 'token']);
      ledger.heal();
      ledger.isOther();
      expect(unchecked(await check())).to.deep.equal(['code', 'token']);
      blind();
      ledger.reads.length = 0;
      expect(unchecked(await adapter.check(deal, {}))).to.deep.equal(['code', 'token']);
      expect(ledger.reads).to.deep.equal([]);
      deal.agreed.from.token = 'a token';
      expect(failed(await adapter.check(deal, {})), 'of which there is none').to.deep.equal(['token']);
    });

    it('detects an address without code, a contract that returns no token, and one for another token', async () => {
      const {deal, ledger, check} = await open();
      ledger.hasCode = false;
      ledger.fail('reverts', 'token');
      expect(failed(await check())).to.deep.equal(['code', 'token']);
      ledger.hasCode = true;
      expect(failed(await check())).to.deep.equal(['token']);
      Object.assign(deal.agreed.from, {contracts: [], vouched: [{address: contract}]});
      expect([doubted(await check()), unchecked(await check())]).to.deep.equal([[], ['token']]);
      Object.assign(deal.agreed.from, {vouched: []});
      expect([failed(await check()), unverified(await check())]).to.deep.equal([[], ['contract', 'token']]);
      deal.agreed.from.contracts = [contract];
      ledger.heal();
      ledger.namedToken = stranger;
      const {results} = await check();
      expect(results.filter(({outcome}) => outcome === 'failed')).to.deep.equal([
        {name: 'token', outcome: 'failed', expected: token, found: stranger, sides: ['agreed', 'chain'], isRead: true},
      ]);
    });

    it('requires the token in the call, or the coin sent with it to a contract that accepts coins', async () => {
      const {deal, ledger, check} = await open();
      Reflect.deleteProperty(deal.agreed.from, 'token');
      expect(failed(await check())).to.deep.equal(['token', ...(dialect.coin ? ['value'] : [])]);
      if (!dialect.coin) return;
      ledger.namedToken = dialect.coin.address;
      deal.deposit.payload.transaction.value = deal.agreed.amount;
      expect(failed(await check())).to.deep.equal([]);
      deal.agreed.from.token = token;
      ledger.namedToken = token;
      const {results} = await check();
      const found = `0.00000000000005 ${dialect.coin.of(deal.agreed.from.chain).symbol}`;
      expect(failed({results} as CheckReport)).to.deep.equal(['value']);
      expect(results.find(({name}) => name === 'value')).to.include({found});
    });

    it('recognizes a recipient of another family however its address is written, and no other', async () => {
      const stark = `0x${'6a'.repeat(32)}`;
      for (const [family, agreed, answered, isSame] of [
        ['evm', `0x${'6a'.repeat(20)}`, `0x${'6A'.repeat(20)}`, true],
        ['evm', `0x${'6a'.repeat(20)}`, `0x${'6A'.repeat(19)}67`, false],
        ['starknet', `0x00${'6a'.repeat(31)}`, `0x${'6A'.repeat(31)}`, true],
        ['bitcoin', `tb1q${'x'.repeat(38)}`, `TB1Q${'X'.repeat(38)}`, true],
        ['bitcoin', `bcrt1q${'x'.repeat(38)}`, `bcrt1q${'X'.repeat(38)}`, true],
        ['solana', 'So11111111111111111111111111111111111111112', 'so11111111111111111111111111111111111111112', false],
        ['bitcoin', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'mipcbbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', false],
        ['bitcoin', 'mtb1BbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'mtb1bbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', false],
        ['starknet', stark, `00${stark.slice(2)}`, false],
        ['starknet', stark, `0${stark}`, false],
        ['starknet', stark, `${stark}.`, false],
      ] as const) {
        const {deal, check} = await open();
        deal.agreed.to.chain = {...deal.agreed.to.chain, family};
        deal.agreed.recipient = agreed;
        deal.order.destination.redeemer = answered;
        expect(failed(await check()), answered).to.deep.equal(isSame ? [] : ['order']);
      }
    });

    it('asks about a key in place of a Bitcoin recipient from which none follows, and about nothing else', async () => {
      const {deal, check} = await open();
      deal.agreed.recipient = 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7';
      deal.order.destination.redeemer = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';
      expect([failed(await check()), unverified(await check())]).to.deep.equal([[], ['order']]);
      deal.order.source.timelock -= 1;
      expect(failed(await check())).to.deep.equal(['order']);
    });

    it('names the contract that its allowance is for in one form, whoever wrote its address', async () => {
      const {deal} = await open();
      const {spenderOf} = adapter.back;
      const one = spenderOf!(deal);
      expect(one?.toLowerCase()).to.equal(contract.toLowerCase());
      const other = structuredClone(deal);
      for (const change of [place.others['an approval']!, unsigned]) change(other);
      expect(spenderOf!(other)).to.equal(one);
      Object.assign(other.deposit, {payload: {family: 'bitcoin'}});
      expect(spenderOf!(other)).to.equal(undefined);
    });

    it('finds a payment whose call cannot be read by the terms of its order, if those are whole', async () => {
      const {deal, terms} = await open();
      const found = () => adapter.back.termsOf!(deal);
      expect(found()).to.deep.include(terms);
      place.others['an approval']!(deal);
      unsigned(deal);
      expect(found()).to.deep.include(terms);
      deal.order.source.timelock += 0.5;
      expect(found()).to.equal(undefined);
    });
  });
}
