import {expect} from '../../support/expect.js';
import {writeTable} from '../../../src/session/order/exchange.js';
import type {JournalEntry} from '../../../src/session/order/journal.js';
import {createFakeSession} from '../../support/fake-session.js';
import {DEPOSIT_ADDRESS, PAYER, RECIPIENT, STATES} from '../../support/states.js';
import {entriesIn} from '../../support/shown.js';

/** The swaps of a browser. */
function entries(): readonly JournalEntry[] {
  const session = createFakeSession();
  STATES['journal']?.(session);
  return entriesIn(session);
}

/** A table's rows, read as a spreadsheet does. */
function read(table: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of table.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') rows.push([]);
  }
  return rows.filter(row => row.length > 1);
}

/** The first row of a table with one changed swap. */
function rowOf(change: (entry: JournalEntry) => Partial<JournalEntry>): Record<string, string> {
  const [first] = entries();
  const [columns = [], row = []] = read(writeTable([{...first!, ...change(first!)}]).slice(1));
  return Object.fromEntries(columns.map((name, at) => [name, row[at] ?? '']));
}

describe('The list of swaps as a table', () => {
  it('has a line for each swap, with amounts as plain decimal text', () => {
    const [columns = [], ...rows] = read(writeTable(entries()).slice(1));
    expect(rows).to.have.length(5);
    for (const row of rows) expect(row).to.have.length(columns.length);
    const row = rowOf(({agreed}) => ({
      stage: 'awaiting-deposit',
      agreed: {...agreed, amount: 1_234_567_800_000_000n, receive: 1n},
    }));
    expect(row).to.deep.include({paid: '12345678', paid_asset: 'WBTC', paid_network: 'Base Sepolia'});
    expect(row).to.deep.include({received: '', received_witness: '', quoted: '0.00000001'});
    expect(row).to.deep.include({payer: PAYER, recipient: RECIPIENT, stage: 'awaiting-deposit'});
  });

  it('says what arrived, and who says so', () => {
    expect(rowOf(() => ({stage: 'complete'}))).to.deep.include({received: '0.0994013', received_witness: 'service'});
    const seen = rowOf(() => ({stage: 'complete', paidOut: {amount: 9_940_000n, hashes: ['aa']}}));
    expect(seen).to.deep.include({received: '0.0994', received_witness: 'network'});
  });

  it('begins with the mark of UTF-8 and ends its lines as the standard says', () => {
    const table = writeTable(entries());
    expect(table.startsWith('\uFEFFplaced_at,swap_id,')).to.equal(true);
    expect(table.replaceAll('\r\n', '')).not.to.match(/[\r\n]/);
  });

  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '＝1', '=HYPERLINK("https://evil")']) {
    it(`takes ${JSON.stringify(formula)} for text, not for a formula`, () => {
      const row = rowOf(({agreed}) => ({agreed: {...agreed, from: {...agreed.from, symbol: formula}}}));
      expect(row['paid_asset']).to.equal(`'${formula}`);
    });
  }

  it('keeps commas, quotes and line ends within their cell', () => {
    const symbol = 'A "good", long\r\nname';
    expect(rowOf(({agreed}) => ({agreed: {...agreed, to: {...agreed.to, symbol}}}))['received_asset']).to.equal(symbol);
  });

  it('has nothing that pays', () => {
    const session = createFakeSession();
    STATES['deposit-address']?.(session);
    expect(writeTable(entriesIn(session))).not.to.include(DEPOSIT_ADDRESS);
  });
});
