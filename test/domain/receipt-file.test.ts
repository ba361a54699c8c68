/** A receipt as a file: writing, reading, and comparing each of its fields with what the chains show. */
import {expect} from '../support/expect.js';
import type {DepositOnChain, Movement} from '../../src/domain/evidence.js';
import {
  orderOfReceipt,
  otherSideOf,
  readReceipt,
  RECEIPT_FIELDS,
  writeReceipt,
  type Receipt,
  type ReceiptField,
} from '../../src/domain/receipt-file.js';
import {judgeReceipt, verdictOf, type LegShown, type SwapShown} from '../../src/domain/receipt-proof.js';
import {aLeg, anOrder, OTHER_WBTC, PAYER, WBTC} from '../support/swap.js';

const RECIPIENT = `0x${'5'.repeat(40)}`;

const HASH = `0x${'a'.repeat(64)}`;
const EVENT = {amount: '7', hashes: [HASH], block: '9'};
const LEG = {
  asset: 'base_sepolia:wbtc',
  contract: PAYER,
  initiator: PAYER,
  redeemer: RECIPIENT,
  delegate: 'b'.repeat(64),
  timelock: 5,
  amount: '7',
  paid: EVENT,
  redeemed: EVENT,
  refunded: EVENT,
};
/** A file with every possible field. */
const WHOLE = {
  swapReceipt: 1,
  placedAt: '2026-01-02T03:04:05.000Z',
  secretHash: 'c'.repeat(64),
  secret: 'd'.repeat(64),
  recipient: RECIPIENT,
  atLeast: '7',
  source: LEG,
  destination: LEG,
};

const textOf = (file: object) => JSON.stringify(file);
const whole = () => readReceipt(textOf(WHOLE));

function refusal(file: object | string): string {
  try {
    readReceipt(typeof file === 'string' ? file : textOf(file));
  } catch (error) {
    const {code, field} = error as {code: string; field: string};
    return `${code} ${field}`;
  }
  return 'read';
}

/** The file with another value in one field. */
function withValue(field: string, value: unknown): object {
  const file = JSON.parse(textOf(WHOLE)) as Record<string, unknown>;
  const keys = field.split('.');
  const last = keys.pop() ?? '';
  const holder = keys.reduce((inner, key) => inner[key] as Record<string, unknown>, file);
  holder[last] = value;
  return file;
}

const OPTIONAL = /secret$|recipient|atLeast|contract|delegate|(?:paid|redeemed|refunded)\.(?:amount|block)/;

describe('A receipt’s file', () => {
  it('reports a wrong or missing field by name', () => {
    for (const field of RECEIPT_FIELDS) {
      for (const wrong of [{}, null, '<b>', -1, true, ['<b>'], 'x'.repeat(300)])
        expect(refusal(withValue(field, wrong))).to.equal(`unreadable ${field}`);
      expect(refusal(withValue(field, undefined))).to.equal(OPTIONAL.test(field) ? 'read' : `unreadable ${field}`);
    }
  });

  it('is rejected with a field that nothing verifies', () => {
    expect(refusal({...WHOLE, note: 'paid in full'})).to.equal('unreadable note');
    expect(refusal(withValue('source.note', 1))).to.equal('unreadable source.note');
    expect(refusal(withValue('destination.paid.by', 1))).to.equal('unreadable destination.paid.by');
    expect(refusal({...WHOLE, ['__proto__x\n']: 1})).to.equal('unreadable __proto__x');
  });

  it('is only read with its marker, version and structure', () => {
    for (const none of ['', '[]', 'null', '{}', '{"swapReceipt":', `{"swapReceipt":1,"x":"${'x'.repeat(100_000)}"}`])
      expect(refusal(none)).to.equal('unreadable receipt');
    expect(refusal({...WHOLE, swapReceipt: 2})).to.equal('unreadable swapReceipt');
    expect(refusal({...WHOLE, source: 1})).to.equal('unreadable source');
    expect(refusal({...WHOLE, source: {...LEG, paid: 1}})).to.equal('unreadable source.paid');
    expect(refusal(withValue('destination.redeemed.hashes', []))).to.equal('unreadable destination.redeemed.hashes');
  });

  it('has the terms and what the chains show, and nothing to query a service with', () => {
    const order = anOrder({
      source: aLeg({filled: 50_000n, initiated: {hashes: [HASH], block: 9n}}),
      destination: aLeg({asset: OTHER_WBTC.id, redeemed: {hashes: [HASH], block: 10n}}),
    });
    const none: Movement = {certainty: 'none', amount: 0n};
    const money = {
      paidIn: {...none, amount: 50_000n},
      paidOut: {certainty: 'proved', amount: 49_850n, secret: 'ab'.repeat(32)},
      paidBack: none,
    } as const;
    const text = writeReceipt({order, money, from: WBTC, to: OTHER_WBTC});
    const receipt = readReceipt(text);
    expect(receipt.source).to.include({asset: order.source.asset, amount: order.source.amount});
    expect(receipt.destination.redeemed).to.deep.include({amount: 49_850n, hashes: order.destination.redeemed?.hashes});
    expect(receipt.secret).to.equal('ab'.repeat(32));
    expect(text).not.to.include(order.id);
    expect(text).not.to.match(/app|nonce|storage|solverId/i);
    const told = writeReceipt({
      order,
      money: {...money, paidOut: {certainty: 'told', amount: 1n}},
      from: WBTC,
      to: WBTC,
    });
    expect(readReceipt(told).secret).to.equal(undefined);
  });

  it('describes an order, also as the other side sees it', () => {
    const order = orderOfReceipt(whole());
    expect(order.source).to.include({initiator: PAYER, timelock: 5, amount: 7n, filled: 7n, chain: 'base_sepolia'});
    expect(order.destination.redeemed?.hashes).to.deep.equal([HASH]);
    const other = otherSideOf(whole());
    expect(other.source.redeemed?.hashes).to.deep.equal([HASH]);
    // How the other side took the payment is already known from how it ended.
    expect(other.destination.redeemed).to.equal(undefined);
  });
});

const proved = (amount = 7n): Movement => ({certainty: 'proved', amount});
const DEPOSIT: DepositOnChain = {
  state: 'seen',
  amount: 7n,
  hashes: [HASH.toUpperCase().replace('0X', '0x')],
  block: 9n,
  isHeld: false,
};
const NONE: Movement = {certainty: 'none', amount: 0n};

function leg(change: Partial<LegShown> = {}): LegShown {
  return {paid: proved(), back: NONE, deposit: DEPOSIT, isByAddress: false, isForeign: false, ...change};
}

function shown(change: Partial<SwapShown> = {}): SwapShown {
  const out: Movement = {...proved(), secret: 'd'.repeat(64), event: {hashes: [HASH], block: 9n, onChain: true}};
  return {source: leg(), destination: leg(), out, isEarlier: false, secret: 'matches', ...change};
}

const lineOf = (field: ReceiptField, change: Partial<SwapShown>, receipt: Receipt = whole()) =>
  judgeReceipt(receipt, shown(change)).find(line => line.field === field);

describe('The result for each field of a receipt', () => {
  it('is one line', () => {
    expect(
      judgeReceipt(whole(), shown())
        .map(({field}) => field)
        .sort(),
    ).to.deep.equal([...RECEIPT_FIELDS].sort());
  });

  it('is proved if the chain shows the same, in any letter case', () => {
    expect(lineOf('source.paid.hashes', {})).to.deep.equal({
      field: 'source.paid.hashes',
      says: HASH,
      certainty: 'proved',
    });
  });

  it('is denied if the chain shows something else, which it includes', () => {
    const other = lineOf('source.paid.amount', {source: leg({deposit: {...DEPOSIT, amount: 6n}})});
    expect(other).to.include({certainty: 'denied', reason: 'differs', shows: '6'});
    const secret = lineOf('secret', {out: {...shown().out, secret: 'e'.repeat(64)}});
    expect(secret).to.include({certainty: 'denied', shows: 'e'.repeat(64)});
    expect(lineOf('secret', {out: {...NONE, certainty: 'told'}, secret: 'differs'})).to.include({
      reason: 'wrong-secret',
    });
    expect(lineOf('atLeast', {out: {...shown().out, amount: 6n}})).to.include({certainty: 'denied', reason: 'less'});
    expect(lineOf('placedAt', {isEarlier: true})).to.include({certainty: 'denied', reason: 'earlier'});
  });

  it('is denied for all terms at once if no contract has such a swap', () => {
    const change = {source: leg({paid: {certainty: 'denied', amount: 0n}, deposit: {state: 'none'}})};
    for (const part of ['initiator', 'redeemer', 'timelock', 'amount', 'contract'] as const)
      expect(lineOf(`source.${part}`, change)).to.include({certainty: 'denied', reason: 'no-such-swap'});
    expect(lineOf('secretHash', change)).to.include({certainty: 'denied'});
    expect(lineOf('source.paid.hashes', change)).to.include({certainty: 'denied', reason: 'not-there'});
  });

  it('is the author’s word if the contract is unknown, whatever that reports', () => {
    const change = {source: leg({paid: {certainty: 'told', amount: 7n}, deposit: {state: 'unknown'}, isForeign: true})};
    for (const field of ['source.contract', 'source.amount', 'source.paid.amount'] as const)
      expect(lineOf(field, change)).to.include({certainty: 'told', reason: 'unknown-contract'});
    expect(verdictOf(judgeReceipt(whole(), shown(change)))).to.equal('told');
  });

  it('includes a refund that the file omits', () => {
    const {refunded: _, ...source} = LEG;
    const receipt = readReceipt(textOf({...WHOLE, source}));
    const change = {
      source: leg({back: proved(), deposit: {...DEPOSIT, end: {how: 'refunded', amount: 7n, hashes: [HASH]}}}),
    };
    expect(lineOf('source.refunded.amount', change, receipt)).to.include({
      certainty: 'denied',
      reason: 'left-out',
      shows: '7',
    });
    expect(lineOf('source.redeemed.hashes', change, receipt)).to.include({certainty: 'denied'});
  });

  it('remains the author’s word if somebody sends dust to its address later, and says so', () => {
    const dust = {...DEPOSIT, amount: 7n + 546n, hashes: [HASH, 'f'.repeat(64)], block: 12n};
    const change = {source: leg({isByAddress: true, deposit: dust})};
    expect(lineOf('source.paid.hashes', change)).to.include({certainty: 'told', reason: 'more'});
    expect(lineOf('source.paid.amount', change)).to.include({certainty: 'told', reason: 'more', shows: '553'});
    expect(lineOf('source.paid.block', change)).to.include({certainty: 'told', reason: 'more'});
    // Less than the file says is not dust.
    const less = {source: leg({isByAddress: true, deposit: {...dust, amount: 6n}})};
    expect(lineOf('source.paid.amount', less)).to.include({certainty: 'denied', shows: '6'});
  });

  it('waits if its chain cannot be read at the moment', () => {
    const change = {source: leg({paid: {certainty: 'waiting', amount: 0n}, deposit: undefined})};
    expect(lineOf('source.timelock', change)).to.include({certainty: 'waiting', reason: 'failed'});
  });

  it('adds up to the worst of the lines, except those that only the author can know', () => {
    const of = (...lines: readonly Partial<ReturnType<typeof judgeReceipt>[number]>[]) =>
      verdictOf(lines.map(one => ({field: 'placedAt', says: '', certainty: 'proved', ...one})));
    expect(of({}, {certainty: 'told', reason: 'own-word'})).to.equal('proved');
    expect(of({}, {certainty: 'told', reason: 'unread'})).to.equal('told');
    expect(of({certainty: 'waiting'}, {certainty: 'told', reason: 'unread'})).to.equal('waiting');
    expect(of({certainty: 'waiting'}, {certainty: 'denied'})).to.equal('denied');
  });
});
