import fc from 'fast-check';
import {expect} from '../../support/expect.js';
import type {JournalEntry} from '../../../src/session/order/journal.js';
import {writeTable} from '../../../src/session/order/tax-table.js';
import {createFakeSession} from '../../support/fake-session.js';
import {orderIds} from '../../support/order-ids.js';
import {DEPOSIT_ADDRESS, STATES} from '../../support/states.js';
import {entriesIn} from '../../support/shown.js';

/** The swaps of a browser in one of the widget's states. */
function entries(state = 'journal'): readonly JournalEntry[] {
  const session = createFakeSession();
  STATES[state]?.(session);
  return entriesIn(session);
}

function read(table: string): readonly Record<string, string>[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of table.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') rows.push([]);
  }
  const [columns = [], ...others] = rows.filter(row => row.length > 1);
  return others.map(row => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? ''])));
}

/** The rows of one changed swap, of 0.1 WBTC, placed at noon. */
function rowsOf(change: (entry: JournalEntry) => Partial<JournalEntry>) {
  const [first] = entries();
  const placed = {...first!, orderId: 'a1', placedAt: Date.UTC(2026, 4, 1, 12)};
  return read(writeTable([{...placed, ...change(placed)}]));
}

const seen = {filled: 10_000_000n, hashes: ['0xpaid']};

describe('The list of swaps as a table for tax programs', () => {
  it('has their columns, and lines that end with CRLF', () => {
    const table = writeTable(entries());
    const columns =
      'Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Label,Description,TxHash';
    expect(table.startsWith(`${columns}\r\n`)).to.equal(true);
    expect(table.replaceAll('\r\n', '')).not.to.match(/[\r\n]/);
  });

  it('has one row for a swap, with the payment’s hash and the payout’s', () => {
    const paidOut = {amount: 9_940_000n, hashes: ['aa']};
    const rows = rowsOf(({agreed}) => ({stage: 'complete', seen, paidOut, agreed: {...agreed, affiliateFees: []}}));
    expect(rows).to.deep.equal([
      {
        Date: '2026-05-01 12:00:00 UTC',
        'Sent Amount': '0.1',
        'Sent Currency': 'WBTC',
        'Received Amount': '0.0994',
        'Received Currency': 'WBTC',
        'Fee Amount': '',
        'Fee Currency': '',
        Label: '',
        Description: 'Swap a1 from Base Sepolia to Ethereum Sepolia: received aa',
        TxHash: '0xpaid',
      },
    ]);
  });

  it('names the partners’ fees, and with them all that was paid', () => {
    const fee = {asset: 'base_sepolia:usdc', address: '0x1', bps: 25} as const;
    const [row] = rowsOf(({agreed}) => ({stage: 'complete', seen, agreed: {...agreed, affiliateFees: [fee, fee]}}));
    expect(row).to.deep.include({'Sent Amount': '0.0995', 'Fee Amount': '0.0005', 'Fee Currency': 'WBTC'});
  });

  it('says what only the service reports', () => {
    const [row] = rowsOf(() => ({stage: 'complete', seen}));
    expect(row).to.deep.include({'Received Amount': '0.0994013'});
    expect(row?.['Description']).to.match(/: received, as the swap service reports$/);
  });

  it('has a refund as a row of its own, and no trade', () => {
    const paidBack = {amount: 9_999_000n, hashes: ['0xback']};
    const rows = rowsOf(() => ({stage: 'refunded', seen, paidBack}));
    const sides = rows.map(row => [
      row['Sent Amount'],
      row['Received Amount'],
      row['Received Currency'],
      row['TxHash'],
    ]);
    expect(sides).to.deep.equal([
      ['0.1', '', '', '0xpaid'],
      ['', '0.09999', 'WBTC', '0xback'],
    ]);
    const told = rowsOf(() => ({stage: 'refunded', seen: {...seen, filled: 5n}}));
    expect(told.map(row => row['Sent Amount'] || row['Received Amount'])).to.deep.equal(['0.00000005', '0.00000005']);
  });

  it('believes no service that more was paid than agreed', () => {
    const [row, ...more] = rowsOf(() => ({stage: 'settling', seen: {...seen, filled: 10n ** 30n}}));
    expect([row?.['Sent Amount'], row?.['Received Amount'], more.length]).to.deep.equal(['0.1', '', 0]);
  });

  it('leaves out what was never paid, and has nothing that could pay', () => {
    expect(rowsOf(() => ({stage: 'expired'}))).to.deep.equal([]);
    expect(writeTable(entries('deposit-address'))).not.to.include(DEPOSIT_ADDRESS);
  });

  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '＝1', '=HYPERLINK("https://evil")']) {
    it(`writes ${JSON.stringify(formula)} as text, not as a formula`, () => {
      const [row] = rowsOf(({agreed}) => ({
        seen: {...seen, hashes: [formula]},
        agreed: {...agreed, from: {...agreed.from, symbol: formula}},
      }));
      expect([row?.['Sent Currency'], row?.['TxHash']]).to.deep.equal([`'${formula}`, `'${formula}`]);
    });
  }

  it('keeps commas, quotes, line ends and every id that a service may give within their cell', () => {
    const symbol = 'A "good", long\r\nname';
    const [row] = rowsOf(({agreed}) => ({seen, agreed: {...agreed, from: {...agreed.from, symbol}}}));
    expect(row?.['Sent Currency']).to.equal(symbol);
    fc.assert(
      fc.property(orderIds, orderId => {
        const [only, ...more] = rowsOf(() => ({seen, orderId}));
        expect([only?.['Description'], more.length]).to.deep.equal([
          `Swap ${orderId} from Base Sepolia to Ethereum Sepolia`,
          0,
        ]);
      }),
      {numRuns: 200, seed: 44},
    );
  });
});
