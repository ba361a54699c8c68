import fc from 'fast-check';
import {expect} from '../../support/expect.js';
import {createCatalogue} from '../../../src/domain/catalogue.js';
import {ALL_KNOWN} from '../../../src/domain/known/all.js';
import {readSwaps, writeSwaps, writeTable} from '../../../src/session/order/exchange.js';
import type {JournalEntry} from '../../../src/session/order/journal.js';
import {createFakeSession} from '../../support/fake-session.js';
import {orderIds} from '../../support/order-ids.js';
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
  it('has one line per swap, with amounts as plain decimal text', () => {
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

  it('has what arrived, and the source', () => {
    expect(rowOf(() => ({stage: 'complete'}))).to.deep.include({received: '0.0994013', received_witness: 'service'});
    const seen = rowOf(() => ({stage: 'complete', paidOut: {amount: 9_940_000n, hashes: ['aa']}}));
    expect(seen).to.deep.include({received: '0.0994', received_witness: 'network'});
  });

  it('begins with a UTF-8 byte order mark and ends lines with CRLF', () => {
    const table = writeTable(entries());
    expect(table.startsWith('\uFEFFplaced_at,swap_id,')).to.equal(true);
    expect(table.replaceAll('\r\n', '')).not.to.match(/[\r\n]/);
  });

  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '＝1', '=HYPERLINK("https://evil")']) {
    it(`writes ${JSON.stringify(formula)} as text, not as a formula`, () => {
      const row = rowOf(({agreed}) => ({agreed: {...agreed, from: {...agreed.from, symbol: formula}}}));
      expect(row['paid_asset']).to.equal(`'${formula}`);
    });
  }

  it('keeps commas, quotes and line ends within their cell', () => {
    const symbol = 'A "good", long\r\nname';
    expect(rowOf(({agreed}) => ({agreed: {...agreed, to: {...agreed.to, symbol}}}))['received_asset']).to.equal(symbol);
  });

  it('has nothing that could pay', () => {
    const session = createFakeSession();
    STATES['deposit-address']?.(session);
    expect(writeTable(entriesIn(session))).not.to.include(DEPOSIT_ADDRESS);
  });
});

describe('The list of swaps as a file', () => {
  const SERVICE = 'https://service.example';
  const catalogue = createCatalogue({known: ALL_KNOWN, families: ['evm'], hints: ['base_sepolia:wbtc']});

  /** The fields of a file's first swap. */
  interface Written {
    [field: string]: unknown;
    from: Record<string, unknown>;
    to: Record<string, unknown>;
  }

  const written = (list = entries()) =>
    JSON.parse(writeSwaps(list, SERVICE)) as {swapWidget: number; service: string; swaps: Written[]};

  /** Reads a file in which the first of two swaps was changed. */
  function readChanged(change: (swap: Written) => void) {
    const file = written(entries().slice(0, 2));
    change(file.swaps[0]!);
    return readSwaps(JSON.stringify(file), catalogue);
  }

  it('writes each amount in whole units of its own asset', () => {
    const [first] = entries();
    const {from, to} = first!.agreed;
    const agreed = {
      ...first!.agreed,
      from: {...from, decimals: 8},
      to: {...to, decimals: 6},
      amount: 150_000_000n,
      receive: 2_500_000n,
      atLeast: 2_400_000n,
    };
    const {service, swaps} = written([{...first!, agreed}]);
    expect(service).to.equal(SERVICE);
    expect(swaps[0]).to.deep.include({amount: '1.5', receive: '2.5', atLeast: '2.4'});
    expect(swaps[0]!.from).to.deep.include({id: from.id, decimals: 8});
  });

  it('is read back as written, with today’s assets, and is frozen', () => {
    const list = entries();
    const swaps = readSwaps(writeSwaps(list, SERVICE), catalogue)!;
    expect(swaps.map(({orderId}) => orderId)).to.deep.equal(list.map(({orderId}) => orderId));
    for (const [at, {placedAt, stage, agreed}] of swaps.entries()) {
      const was = list[at]!;
      expect({placedAt, stage}).to.deep.equal({placedAt: was.placedAt, stage: was.stage});
      expect(agreed.amount).to.equal(was.agreed.amount);
      expect(agreed.receive).to.equal(was.agreed.receive);
      expect(agreed.from).to.equal(catalogue.find(was.agreed.from.id));
      expect(agreed.to).to.equal(catalogue.find(was.agreed.to.id));
    }
    expect(swaps).to.satisfy(Object.isFrozen);
    expect(swaps[0]!.agreed).to.satisfy(Object.isFrozen);
  });

  it('keeps every id that a service may give, also in the table', () => {
    const [first] = entries();
    fc.assert(
      fc.property(orderIds, orderId => {
        expect(readSwaps(writeSwaps([{...first!, orderId}], SERVICE), catalogue)?.[0]?.orderId).to.equal(orderId);
        expect(rowOf(() => ({orderId}))['swap_id']?.replace(/^'(?=.)/, '')).to.equal(orderId.replace(/^'(?=.)/, ''));
      }),
      {numRuns: 200, seed: 44},
    );
  });

  it('keeps an asset’s own decimals if they differ today, so that its amounts do not change', () => {
    const [first] = readChanged(({from}) => {
      from['decimals'] = 2;
    })!;
    const {from, amount} = first!.agreed;
    expect(from).to.deep.include({decimals: 2});
    expect(from.chain).to.equal(undefined);
    expect(amount).to.equal(entries()[0]!.agreed.amount / 10n ** BigInt(catalogue.find(from.id)!.decimals - 2));
  });

  it('reads the received amount with the received asset’s decimals', () => {
    const [first] = readChanged(swap => {
      swap.from['decimals'] = 2;
      swap.to['decimals'] = 9;
      swap['amount'] = '0.25';
      swap['receive'] = '0.000000001';
    })!;
    expect(first!.agreed).to.deep.include({amount: 25n, receive: 1n});
  });

  const WRONG: Record<string, (swap: Written) => void> = {
    'an invalid amount': swap => (swap['amount'] = 'a lot'),
    'an amount with too many decimals': swap => (swap['amount'] = `0.${'1'.repeat(30)}`),
    'an invalid amount to receive': swap => (swap['receive'] = ''),
    'invalid characters in its id': swap => (swap['orderId'] = 'a b'),
    'an invalid time': swap => (swap['placedAt'] = 'yesterday'),
    'an unknown stage': swap => (swap['stage'] = 'paid'),
    'an asset without a network': ({from}) => (from['id'] = 'btc'),
    'an asset without a symbol': ({to}) => (to['symbol'] = ''),
    'too many decimals': ({to}) => (to['decimals'] = 37),
    'fractional decimals': ({to}) => (to['decimals'] = 1.5),
    'no asset': swap => (swap.to = Object.create(null) as Written['to']),
  };
  for (const [what, change] of Object.entries(WRONG)) {
    it(`skips a swap that has ${what}, and reads the others`, () => {
      expect(readChanged(change)!.map(({orderId}) => orderId)).to.deep.equal([entries()[1]!.orderId]);
    });
  }

  it('is not read from other text, nor from text longer than any such file', () => {
    const file = written();
    const text = JSON.stringify(file);
    expect(readSwaps(text, catalogue)).to.have.length(file.swaps.length);
    for (const other of ['', 'placed_at,swap_id', '[]', 'null', JSON.stringify({...file, swapWidget: 2})])
      expect(readSwaps(other, catalogue), other).to.equal(undefined);
    expect(readSwaps(JSON.stringify({...file, swaps: {}}), catalogue)).to.equal(undefined);
    expect(readSwaps(text + ' '.repeat(10_000_001 - text.length), catalogue)).to.equal(undefined);
    expect(readSwaps(text + ' '.repeat(10_000_000 - text.length), catalogue)).to.have.length(file.swaps.length);
  });

  it('reads at most ten thousand swaps', () => {
    const file = written();
    const swaps = Array.from({length: 10_001}, () => file.swaps[0]);
    expect(readSwaps(JSON.stringify({...file, swaps}), catalogue)).to.have.length(10_000);
  });

  it('has nothing that could pay', () => {
    const session = createFakeSession();
    STATES['deposit-address']?.(session);
    expect(writeSwaps(entriesIn(session), SERVICE)).not.to.include(DEPOSIT_ADDRESS);
  });
});
