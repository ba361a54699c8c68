import {expect} from '../support/expect.js';
import type {AffiliateFee} from '../../src/domain/affiliate-fee.js';
import {createFeeLedger, isSameAddress} from '../../src/domain/fee-ledger.js';
import type {ChargedFee, Order} from '../../src/domain/order.js';
import {onPage} from '../support/prototypes.js';
import {aChainEvent, aLeg, anOrder, NOON, ORDER_ID} from '../support/swap.js';

const PAYEE = '0x3f1C000000000000000000000000000000009A07';
const FEES: readonly AffiliateFee[] = [
  {asset: 'base:usdc', address: PAYEE, bps: 20},
  {asset: 'ethereum:cbbtc', address: PAYEE, bps: 5},
];
const CHARGED: readonly ChargedFee[] = [
  {asset: 'base:usdc', address: PAYEE.toLowerCase(), bps: 20, amount: 1_234_567n},
  {asset: 'ethereum:cbbtc', address: PAYEE, bps: 5, amount: 100n},
];

const complete = (affiliateFees: readonly ChargedFee[] | undefined, id = ORDER_ID): Order => {
  const {affiliateFees: _, ...order} = anOrder({id, destination: aLeg({redeemed: aChainEvent(7n, NOON)})});
  return affiliateFees ? {...order, affiliateFees} : order;
};

/** What a page hears of a swap. */
const heard = (charged: readonly ChargedFee[] | undefined, agreed = FEES, orderId = ORDER_ID) => [
  {orderId, agreed: {affiliateFees: agreed}},
  {orderId, order: complete(charged, orderId)},
];

function memory(items: Record<string, string> = {}) {
  return {
    getItem: (key: string) => items[key] ?? null,
    setItem: (key: string, text: string) => void (items[key] = text),
  };
}

describe('A fee ledger', () => {
  it('lists what each order owes to whom, and what was agreed, in whole and smallest units', () => {
    const ledger = createFeeLedger();
    for (const event of [...heard(CHARGED), ...heard(CHARGED)]) ledger.add(event);
    expect(
      ledger.fees.map(({asset, agreedBps, chargedBps, amount, text, verdict}) => [
        asset,
        agreedBps,
        chargedBps,
        amount,
        text,
        verdict,
      ]),
    ).to.deep.equal([
      ['base:usdc', 20, 20, 1_234_567n, '1.234567', 'same'],
      ['ethereum:cbbtc', 5, 5, 100n, '0.000001', 'same'],
    ]);
    expect(ledger.toCSV()).to.equal(
      'order,complete,completed_at,asset,address,agreed_bps,charged_bps,amount,amount_decimal,verdict\r\n' +
        `${ORDER_ID},yes,2026-11-21T14:00:00.000Z,base:usdc,${PAYEE},20,20,1234567,1.234567,same\r\n` +
        `${ORDER_ID},yes,2026-11-21T14:00:00.000Z,ethereum:cbbtc,${PAYEE},5,5,100,0.000001,same\r\n`,
    );
  });

  it('reports orders with another fee, another payee, or no fee information', async () => {
    const ledger = createFeeLedger({decimals: {'my:coin': 2}});
    const [first] = CHARGED;
    ledger.add(heard([{...first, bps: 10}], FEES.slice(0, 1), 'less')[0]!);
    for (const id of ['other', 'silent', 'gone']) ledger.add(heard(undefined, FEES.slice(0, 1), id)[0]!);
    const orders: Record<string, Order> = {
      less: complete([{...first, bps: 10}], 'less'),
      other: complete([{asset: 'my:coin', address: 'thief', bps: 20, amount: 250n}], 'other'),
      silent: complete(undefined, 'silent'),
    };
    const {other, unread} = await ledger.reconcile(async id => {
      await Promise.resolve();
      if (!orders[id]) throw new Error('not found');
      return orders[id];
    });
    expect(unread).to.deep.equal(['gone']);
    expect(
      other.map(({orderId, address, agreedBps, chargedBps, text}) => [orderId, address, agreedBps, chargedBps, text]),
    ).to.deep.equal([
      ['less', PAYEE, 20, 10, '1.234567'],
      ['other', PAYEE, 20, undefined, undefined],
      ['other', 'thief', undefined, 20, '2.5'],
    ]);
    expect(
      ledger.fees
        .filter(({orderId}) => orderId === 'silent' || orderId === 'gone')
        .map(({verdict, isComplete}) => [verdict, isComplete]),
    ).to.deep.equal([
      ['unknown', true],
      ['unknown', false],
    ]);
  });

  it('never writes a cell that a spreadsheet would take for a formula, or that would end its line', () => {
    for (const thief of [
      '=HYPERLINK("http://x","y")',
      '+1',
      '-1',
      '@SUM(1)',
      '\t=1',
      ' =1',
      '＝1',
      '|cmd',
      'a\r\n=1',
      'x,"y',
    ]) {
      const ledger = createFeeLedger();
      ledger.add({orderId: ORDER_ID, order: complete([{asset: 'base:usdc', address: thief, bps: 1}])});
      const csv = ledger.toCSV();
      // Cells as a spreadsheet reads them (RFC 4180).
      const cells = [...csv.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(?:,|\r\n)/g)].map(([, text = '']) =>
        text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text,
      );
      expect(cells).to.have.length(20);
      expect(
        cells.filter(text => /^\s*[=+\-@|＝]/.test(text)),
        thief,
      ).to.deep.equal([]);
    }
  });

  it('is kept in the given storage, with what the service says later, and starts empty without one', async () => {
    const storage = memory();
    const kept = () => createFeeLedger({storage}).fees.map(({amount, isComplete}) => [amount, isComplete]);
    expect(kept()).to.deep.equal([]);
    const [placed] = heard(CHARGED);
    createFeeLedger({storage}).add(placed!);
    expect(kept()).to.deep.equal([
      [undefined, false],
      [undefined, false],
    ]);
    await createFeeLedger({storage}).reconcile(() => Promise.resolve(complete(CHARGED)));
    expect(kept()).to.deep.equal([
      [1_234_567n, true],
      [100n, true],
    ]);
  });

  it('is kept on a page that changes how lists become JSON', async () => {
    const storage = memory();
    await onPage(Array.prototype, {toJSON: {value: () => 'a list', enumerable: true}}, () => {
      for (const event of heard(CHARGED)) createFeeLedger({storage}).add(event);
    });
    expect(createFeeLedger({storage}).fees.map(({amount}) => amount)).to.deep.equal([1_234_567n, 100n]);
  });

  it('keeps each entry that it can read, whatever else its storage holds', () => {
    const fee = {asset: 'base:usdc', address: PAYEE, bps: 20};
    const good = {orderId: 'good', agreed: [fee], charged: [{...fee, amount: '9'.repeat(78)}], completedAt: NOON};
    const badFields: readonly object[] = [
      ...[null, 'text', {}, {...fee, asset: 1}, {...fee, address: null}, {...fee, bps: '20'}].map(one => ({
        agreed: [fee, one],
      })),
      {agreed: fee},
      {agreed: {length: 0}},
      ...[null, 'text', {asset: 1}, {address: 1}, {bps: '20'}].map(one => ({charged: [fee, one]})),
      ...['-1', '', '5x', 'x5', 5, '9'.repeat(79)].map(amount => ({charged: [{...fee, amount}]})),
      {charged: 'text'},
      {isComplete: 'yes', agreed: [fee]},
      {completedAt: 'noon', agreed: [fee]},
    ];
    const bad = [
      null,
      'text',
      {agreed: [fee]},
      {orderId: 1, agreed: [fee]},
      ...badFields.map(one => ({orderId: 'bad', ...one})),
    ];
    const readable = [{orderId: 'bare', charged: [{}]}, {orderId: 'nothing'}, good];
    // What has only an id is an order without fees.
    const expected = ['bare', 'good'];
    for (const one of bad) {
      const text = JSON.stringify([one, ...readable]);
      const {fees} = createFeeLedger({storage: memory({'swap-widget:fee-ledger': text})});
      expect(
        fees.map(({orderId}) => orderId),
        JSON.stringify(one),
      ).to.deep.equal(expected);
    }
    for (const text of ['nonsense', '{}', '"text"', 'null', '']) {
      expect(createFeeLedger({storage: memory({'swap-widget:fee-ledger': text})}).fees, text).to.deep.equal([]);
    }
  });

  it('leaves cells empty for what is not known, and for a payout that was not made', () => {
    const ledger = createFeeLedger();
    ledger.add({orderId: 'open', agreed: {affiliateFees: FEES.slice(0, 1)}});
    ledger.add({orderId: 'vague', order: complete([{address: PAYEE}])});
    expect(ledger.toCSV().split('\r\n').slice(1)).to.deep.equal([
      `open,no,,base:usdc,${PAYEE},20,,,,unknown`,
      `vague,yes,2026-11-21T14:00:00.000Z,,${PAYEE},,,,,unknown`,
      '',
    ]);
  });

  it('keeps when a payout was made, though the service says it only once', async () => {
    const ledger = createFeeLedger();
    for (const event of heard(CHARGED)) ledger.add(event);
    const {at: _, ...event} = aChainEvent(7n, NOON);
    await ledger.reconcile(() => Promise.resolve(anOrder({destination: aLeg({redeemed: event})})));
    expect(ledger.fees.map(({completedAt}) => completedAt)).to.deep.equal([NOON, NOON]);
  });

  it('adds up what one payee is promised, charged and owed', () => {
    const ledger = createFeeLedger();
    const [fee] = FEES;
    const [charged] = CHARGED;
    for (const event of heard([charged!, {...charged!, bps: 3, amount: 4n}], [fee!, {...fee!, bps: 3}]))
      ledger.add(event);
    expect(ledger.fees.map(({agreedBps, chargedBps, amount}) => [agreedBps, chargedBps, amount])).to.deep.equal([
      [23, 23, 1_234_571n],
    ]);
  });
});

describe('A payee’s address', () => {
  const isSame = (one: string, other: string) => isSameAddress('', one, other);

  it('in hex is the same in any letter case, with or without leading zeros', () => {
    expect(isSame(PAYEE, PAYEE.toLowerCase())).to.equal(true);
    expect(isSame('0x0a', '0XA')).to.equal(true);
    expect(isSame(`0x${'0'.repeat(63)}a`, '0xA')).to.equal(true);
    expect(isSame('0xa', '0xb')).to.equal(false);
  });

  it('of any other form is itself only', () => {
    for (const [one, other] of [
      ['abc', 'ABC'],
      ['0xabz', '0xABZ'],
      ['x0xab', 'x0xAB'],
      ['0x', '0X'],
      ['0x', '0x0'],
      [`0x${'0'.repeat(64)}a`, '0xa'],
      ['10', '0xa'],
      ['0xa', '10'],
    ] as const) {
      expect(isSame(one, other), one).to.equal(false);
      expect(isSame(one, one)).to.equal(true);
    }
  });
});
