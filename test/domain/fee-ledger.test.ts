import {expect} from '../support/expect.js';
import type {AffiliateFee} from '../../src/domain/affiliate.js';
import {createFeeLedger} from '../../src/domain/fee-ledger.js';
import type {ChargedFee, Order} from '../../src/domain/order.js';
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

  it('is kept in the given storage, and starts empty if that holds something else', () => {
    const storage = memory();
    for (const event of heard(CHARGED)) createFeeLedger({storage}).add(event);
    expect(createFeeLedger({storage}).fees.map(({amount}) => amount)).to.deep.equal([1_234_567n, 100n]);
    for (const text of ['nonsense', '{}', '[null, {"orderId": 1}, {"orderId": "a", "charged": [{"amount": "-1"}]}]']) {
      expect(createFeeLedger({storage: memory({'swap-widget:fee-ledger': text})}).fees).to.deep.equal([]);
    }
  });
});
