/** A receipt as a file: writing, reading, and comparing each of its fields with what the chains show. */
import {expect} from '../support/expect.js';
import type {Asset} from '../../src/domain/asset.js';
import type {Deposit} from '../../src/domain/deposit.js';
import type {DepositOnChain, Movement} from '../../src/domain/evidence.js';
import {
  orderOfReceipt,
  otherSideOf,
  readReceipt,
  RECEIPT_FIELDS,
  writeReceipt,
  type Receipt,
  type ReceiptField,
  type WrittenFrom,
} from '../../src/domain/receipt-file.js';
import {judgeReceipt, nameWrong, verdictOf, type LegShown, type SwapShown} from '../../src/domain/receipt-proof.js';
import {aLeg, anAgreement, anOrder, NOON, OTHER_WBTC, PAYER, SOLVER, WBTC} from '../support/swap.js';

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

const proved = (amount = 7n): Movement => ({certainty: 'proved', amount});
const NONE: Movement = {certainty: 'none', amount: 0n};

const BTC: Asset = {
  ...WBTC,
  id: 'bitcoin_testnet:btc',
  chain: {...WBTC.chain, name: 'bitcoin_testnet', family: 'bitcoin'},
  contracts: [],
};
/** The terms this browser agreed to, and the call that pays. */
const OWN = {
  placedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  agreed: anAgreement({recipient: RECIPIENT}),
  deposit: {
    how: 'wallet',
    ways: ['transaction'],
    payload: {
      family: 'evm',
      transaction: {to: SOLVER, value: 0n, data: '0x97ffc7ae', gasLimit: 1n, chainId: 84532},
    },
  },
} as const satisfies WrittenFrom['own'];
const facts = (): WrittenFrom => ({
  order: anOrder(),
  own: OWN,
  money: {paidIn: NONE, paidOut: NONE, paidBack: NONE},
  from: WBTC,
  to: OTHER_WBTC,
});

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

  it('has numbers, hashes and times in one form only, within limits', () => {
    for (const [field, wrong] of [
      ['secretHash', 'c'.repeat(63)],
      ['source.amount', '07'],
      ['source.amount', `1${'0'.repeat(78)}`],
      ['source.timelock', 1.5],
      ['source.paid.hashes', Array.from({length: 51}, () => HASH)],
      ['placedAt', '1969-12-31T23:59:59.999Z'],
      ['placedAt', '2026-13-01T00:00:00.000Z'],
    ] as const)
      expect(refusal(withValue(field, wrong)), String(wrong)).to.equal(`unreadable ${field}`);
  });

  it('has only the fields of its text, whatever a page adds to all objects', () => {
    const {secret: _, ...file} = WHOLE;
    const all = Object.prototype as {secret?: string};
    all.secret = 'd'.repeat(64);
    try {
      expect(Object.hasOwn(readReceipt(textOf(file)), 'secret')).to.equal(false);
    } finally {
      delete all.secret;
    }
  });

  it('is only read with its marker, version and structure', () => {
    for (const none of ['', '[]', 'null', '{}', '{"swapReceipt":', `{"swapReceipt":1,"x":"${'x'.repeat(100_000)}"}`])
      expect(refusal(none)).to.equal('unreadable receipt');
    // Of two fields with one name, a person may see the first and a program the second.
    expect(refusal(textOf(WHOLE).replace('"amount"', '"amount":"9","amount"'))).to.equal('unreadable receipt');
    expect(refusal(JSON.stringify(WHOLE, null, 2))).to.equal('read');
    expect(refusal({...WHOLE, swapReceipt: 2})).to.equal('unreadable swapReceipt');
    for (const source of [1, null, []]) expect(refusal({...WHOLE, source})).to.equal('unreadable source');
    expect(refusal({...WHOLE, source: {...LEG, paid: 1}})).to.equal('unreadable source.paid');
    expect(refusal(withValue('destination.redeemed.hashes', []))).to.equal('unreadable destination.redeemed.hashes');
  });

  it('has the terms and what the chains show, and nothing to query a service with', () => {
    const order = anOrder({
      source: aLeg({filled: 50_000n, initiated: {hashes: [HASH], block: 9n}}),
      destination: aLeg({asset: OTHER_WBTC.id, redeemed: {hashes: [HASH], block: 10n}}),
    });
    const money = {
      paidIn: {...NONE, amount: 50_000n},
      paidOut: {certainty: 'proved', amount: 49_850n, secret: 'ab'.repeat(32)},
      paidBack: NONE,
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

  it('has a field for everything that is known about a swap', () => {
    const event = (digit: string, block: bigint) => ({hashes: [`0x${digit.repeat(64)}`], block});
    const order = anOrder({
      source: aLeg({
        delegate: 'b'.repeat(64),
        initiated: event('1', 1n),
        redeemed: event('2', 2n),
        refunded: event('3', 3n),
      }),
      destination: aLeg({
        asset: 'bitcoin_testnet:btc',
        swapId: 'tb1pdestination',
        initiated: event('4', 4n),
        redeemed: event('5', 5n),
        refunded: {hashes: ['0x6']},
      }),
    });
    const money = {paidIn: proved(11n), paidOut: {...proved(12n), secret: 'ab'.repeat(32)}, paidBack: proved(13n)};
    const written = JSON.parse(writeReceipt({...facts(), order, money, to: BTC})) as unknown;
    const {secretHash, timelock} = order.source;
    const terms = {initiator: PAYER, redeemer: SOLVER, timelock, amount: '50000'};
    expect(written).to.deep.equal({
      swapReceipt: 1,
      placedAt: '2026-01-02T03:04:05.000Z',
      secretHash,
      secret: 'ab'.repeat(32),
      recipient: RECIPIENT,
      atLeast: '49601',
      source: {
        asset: 'base_sepolia:wbtc',
        contract: SOLVER,
        ...terms,
        delegate: 'b'.repeat(64),
        paid: {amount: '11', hashes: [`0x${'1'.repeat(64)}`], block: '1'},
        redeemed: {hashes: [`0x${'2'.repeat(64)}`], block: '2'},
        refunded: {amount: '13', hashes: [`0x${'3'.repeat(64)}`], block: '3'},
      },
      destination: {
        asset: 'bitcoin_testnet:btc',
        contract: 'tb1pdestination',
        ...terms,
        paid: {hashes: [`0x${'4'.repeat(64)}`], block: '4'},
        redeemed: {amount: '12', hashes: [`0x${'5'.repeat(64)}`], block: '5'},
        refunded: {hashes: ['0x6']},
      },
    });
  });

  it('names the contract, program or address that was paid into, if it is known', () => {
    const contractIn = (change: Partial<WrittenFrom>) =>
      readReceipt(writeReceipt({...facts(), ...change})).source.contract;
    const paidWith = (deposit: Deposit, from = WBTC) =>
      contractIn({own: {...OWN, agreed: {...OWN.agreed, from}, deposit}});
    const with_ = (payload: object) => ({how: 'wallet', ways: ['transaction'], payload}) as unknown as Deposit;
    expect(paidWith({how: 'transfer', address: 'tb1psource', amount: 7n})).to.equal('tb1psource');
    expect(paidWith(with_({family: 'starknet', call: {to: '0x5afe'}}))).to.equal('0x5afe');
    const solana = with_({family: 'solana', transaction: ''});
    expect(paidWith(solana, {...WBTC, contracts: ['Program1']})).to.equal('Program1');
    expect(paidWith(solana, {...WBTC, contracts: ['Program1', 'Program2']})).to.equal(undefined);
    // For another browser's order, only an address is known: in a contract, the swap has an id.
    expect(contractIn({own: undefined})).to.equal(undefined);
    const order = anOrder({source: aLeg({asset: 'bitcoin_testnet:btc', swapId: 'tb1psource'})});
    expect(contractIn({own: undefined, order, from: BTC})).to.equal('tb1psource');
  });

  it('has the service’s time and no agreement if another browser placed the order', () => {
    const receipt = readReceipt(writeReceipt({...facts(), own: undefined}));
    expect(receipt.placedAt).to.equal(NOON);
    expect(receipt).not.to.have.any.keys('recipient', 'atLeast');
  });

  it('leaves out unknown amounts and invalid hashes, so that it can be read again', () => {
    const hashes = ['no hash', ...Array.from({length: 60}, (_, at) => `0x${String(at)}`)];
    const order = anOrder({source: aLeg({initiated: {hashes}})});
    const {paid} = readReceipt(writeReceipt({...facts(), order})).source;
    expect(paid).to.deep.equal({hashes: hashes.slice(1, 51)});
  });

  it('describes an order, also as the other side sees it', () => {
    const event = {hashes: [HASH], block: 9n};
    const leg = {
      chain: 'base_sepolia',
      asset: 'base_sepolia:wbtc',
      swapId: '',
      initiator: PAYER,
      redeemer: RECIPIENT,
      delegate: 'b'.repeat(64),
      timelock: 5,
      amount: 7n,
      filled: 7n,
      secretHash: WHOLE.secretHash,
      secret: WHOLE.secret,
      confirmations: {current: 0, required: 1},
      initiated: event,
      redeemed: event,
      refunded: event,
    };
    const recipient = `0x${'6'.repeat(40)}`;
    const receipt = readReceipt(textOf({...WHOLE, recipient}));
    const order = orderOfReceipt(receipt);
    expect(order.source).to.deep.equal(leg);
    expect(order.destination, 'paid to the agreed recipient').to.deep.equal({...leg, redeemer: recipient});
    const other = otherSideOf(receipt);
    expect(other.source).to.deep.equal(leg);
    // How the other side took the payment is already known from how it ended.
    const {redeemed: _, ...theirs} = leg;
    expect(other.destination).to.deep.equal(theirs);
  });

  it('describes an order as paid with what the file says, in full if it ended, and otherwise not at all', () => {
    const {paid: _, redeemed: _redeemed, refunded: _refunded, ...terms} = LEG;
    const filled = (source: object, destination: object = terms) =>
      orderOfReceipt(readReceipt(textOf({...WHOLE, source: {...terms, ...source}, destination}))).source.filled;
    expect(filled({})).to.equal(0n);
    expect(filled({paid: {...EVENT, amount: '6'}, redeemed: EVENT})).to.equal(6n);
    expect(filled({paid: {hashes: [HASH]}})).to.equal(7n);
    expect(filled({redeemed: EVENT})).to.equal(7n);
    expect(filled({refunded: EVENT})).to.equal(7n);
    expect(filled({}, {...terms, redeemed: EVENT}), 'nobody pays out for nothing').to.equal(7n);
    const {delegate: _delegate, ...plain} = terms;
    expect(orderOfReceipt(readReceipt(textOf({...WHOLE, source: plain}))).source).not.to.have.any.keys(
      'delegate',
      'initiated',
      'redeemed',
      'refunded',
    );
  });
});

const DEPOSIT: DepositOnChain = {
  state: 'seen',
  amount: 7n,
  hashes: [HASH.toUpperCase().replace('0X', '0x')],
  block: 9n,
  isHeld: false,
};

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

  /** A line's certainty and reason. */
  const judged = (field: ReceiptField, change: Partial<SwapShown>, receipt?: Receipt) => {
    const line = lineOf(field, change, receipt);
    return line && [line.certainty, line.reason].filter(Boolean).join(' ');
  };
  const told = (more: Partial<Movement> = {}): Movement => ({certainty: 'told', amount: 7n, ...more});

  it('is only told if its chain was not read, or shows money that is not tied to the swap', () => {
    const unread = {source: leg({paid: told(), deposit: undefined})};
    expect(judged('source.amount', unread)).to.equal('told unread');
    expect(judged('source.amount', {source: leg({paid: told({untied: 5n})})})).to.equal('told untied');
    const foreign = {source: leg({paid: told({untied: 5n}), isForeign: true})};
    expect(judged('source.amount', foreign), 'not because of the contract').to.equal('told untied');
    expect(judged('recipient', {out: told()})).to.equal('told unread');
    expect(judged('recipient', {out: {...NONE, certainty: 'denied'}})).to.equal('denied not-there');
  });

  it('is left out if the file has no such field', () => {
    const {delegate: _, ...source} = LEG;
    expect(lineOf('source.delegate', {}, readReceipt(textOf({...WHOLE, source})))).to.equal(undefined);
  });

  it('proves the secret hash by the legs that were paid into', () => {
    const none = leg({paid: NONE, deposit: undefined});
    expect(judged('secretHash', {source: none, destination: none, out: NONE})).to.equal('told own-word');
    expect(judged('secretHash', {destination: none, out: NONE}), 'one leg is enough').to.equal('proved');
    const unread = leg({paid: told(), deposit: undefined});
    expect(judged('secretHash', {destination: unread, out: told()})).to.equal('told unread');
    expect(judged('secretHash', {destination: unread}), 'the payout has the secret').to.equal('proved');
  });

  it('denies that the agreed minimum was paid only for a payout that is proved', () => {
    expect(judged('atLeast', {})).to.equal('told own-word');
    expect(judged('atLeast', {out: told({amount: 6n})})).to.equal('told own-word');
  });

  it('proves the secret by the payout that shows it, whether or not it can be hashed', () => {
    const {out} = shown();
    expect(judged('secret', {secret: 'unchecked'})).to.equal('proved');
    expect(judged('secret', {out: {...out, secret: undefined}})).to.equal('told silent');
    expect(judged('secret', {out: told()})).to.equal('told unread');
  });

  it('proves the destination’s asset by a payout of it, unless something denies it', () => {
    const unread = leg({paid: told(), deposit: undefined});
    expect(judged('destination.asset', {destination: unread})).to.equal('proved');
    expect(judged('destination.amount', {destination: unread})).to.equal('told unread');
    const denied = leg({paid: {...NONE, certainty: 'denied'}});
    expect(judged('destination.asset', {destination: denied})).to.equal('denied no-such-swap');
    expect(judged('source.asset', {source: unread}), 'the source was not paid out').to.equal('told unread');
  });

  it('proves no payer for a payment to an address, until a refund shows whose money it was', () => {
    const source = leg({isByAddress: true});
    expect(judged('source.initiator', {source})).to.equal('told own-word');
    expect(judged('source.initiator', {source: {...source, back: proved()}})).to.equal('proved');
    expect(judged('source.redeemer', {source}), 'its key is in the address').to.equal('proved');
    expect(judged('destination.initiator', {destination: source}), 'its key, too').to.equal('proved');
  });

  it('proves the recipient as redeemer of a payout from an address if the payout shows them', () => {
    const change = {destination: leg({isByAddress: true})};
    const of = (recipient: string | undefined) => readReceipt(textOf({...WHOLE, recipient}));
    expect(judged('destination.redeemer', change, of(RECIPIENT))).to.equal('proved');
    expect(judged('destination.redeemer', change, of(undefined))).to.equal('proved');
    expect(judged('destination.redeemer', change, of(PAYER)), 'another one').to.equal('told own-word');
    expect(judged('destination.redeemer', {...change, out: told()}, of(RECIPIENT))).to.equal('told unread');
    const source = leg({isByAddress: true, paid: told(), deposit: undefined});
    expect(judged('source.redeemer', {...change, source})).to.equal('told unread');
    expect(judged('destination.redeemer', {destination: leg({paid: told()})})).to.equal('told unread');
  });

  it('compares an address’s amount with what arrived there, which may become more later', () => {
    const at = (amount: bigint | undefined, paid = proved()) => {
      const {amount: _, ...rest} = DEPOSIT;
      const deposit = amount === undefined ? rest : {...rest, amount};
      return {source: leg({isByAddress: true, paid, deposit})};
    };
    expect(judged('source.amount', at(7n))).to.equal('proved');
    expect(lineOf('source.amount', at(8n))).to.include({certainty: 'told', reason: 'more', shows: '8'});
    expect(lineOf('source.amount', at(6n))).to.include({certainty: 'denied', reason: 'differs', shows: '6'});
    expect(judged('source.amount', at(undefined))).to.equal('told silent');
    expect(judged('source.amount', at(7n, {...NONE, certainty: 'denied'}))).to.equal('denied no-such-swap');
  });

  it('allows more only where anybody can pay, and only if everything in the file is there', () => {
    const [other, third] = ['f', 'e'].map(digit => `0x${digit.repeat(64)}`) as [string, string];
    const more = {...DEPOSIT, hashes: [HASH, other]};
    expect(judged('source.paid.hashes', {source: leg({deposit: more})}), 'a contract').to.equal('denied differs');
    const at = (hashes: string[]) => ({source: leg({isByAddress: true, deposit: {...DEPOSIT, hashes}})});
    expect(judged('source.paid.hashes', at([other, third])), 'another’s').to.equal('denied differs');
    expect(judged('source.paid.hashes', at([HASH])), 'the same').to.equal('proved');
    const late = {source: leg({isByAddress: true, deposit: {...DEPOSIT, block: 12n}})};
    expect(judged('source.paid.block', late), 'the same payment in another block').to.equal('denied differs');
  });

  it('is only told where the chain shows nothing', () => {
    const {amount: _, block: _block, ...bare} = DEPOSIT;
    const change = {source: leg({deposit: {...bare, hashes: []}})};
    for (const part of ['amount', 'hashes', 'block'] as const)
      expect(judged(`source.paid.${part}`, change), part).to.equal('told silent');
  });

  it('adds a movement that the file leaves out only if it was a refund', () => {
    const {paid: _, redeemed: _redeemed, refunded: _refunded, ...terms} = LEG;
    const receipt = readReceipt(textOf({...WHOLE, source: terms}));
    const end = {how: 'redeemed', amount: 0n, hashes: [HASH]} as const;
    const lines = judgeReceipt(receipt, shown({source: leg({deposit: {...DEPOSIT, end}})}));
    expect(
      lines.map(({field}) => field).filter(field => /^source\.(?:paid|redeemed|refunded)/.test(field)),
    ).to.deep.equal([]);
  });

  it('is the author’s word for an unknown contract, except for what another source denies', () => {
    const source = leg({paid: told(), deposit: {state: 'unknown'}, isForeign: true});
    expect(judged('source.refunded.amount', {source})).to.equal('told unknown-contract');
    expect(judged('source.refunded.amount', {source: {...source, back: {...NONE, certainty: 'waiting'}}})).to.equal(
      'waiting failed',
    );
    expect(judged('source.refunded.amount', {source: leg()}), 'without a sign of it').to.equal('told own-word');
  });

  it('judges the other side’s redeem by how the payment ended', () => {
    const ended = (how: 'redeemed' | 'refunded', hashes = [HASH]) =>
      leg({deposit: {...DEPOSIT, end: {how, amount: 0n, hashes, block: 9n}}});
    expect(judged('source.redeemed.hashes', {source: ended('redeemed')})).to.equal('proved');
    expect(judged('source.redeemed.block', {source: ended('redeemed')})).to.equal('proved');
    // Nothing came back, but that does not show how much was redeemed.
    expect(judged('source.redeemed.amount', {source: ended('redeemed')})).to.equal('told silent');
    expect(judged('source.redeemed.hashes', {source: ended('redeemed', [PAYER])})).to.equal('denied differs');
    expect(judged('source.redeemed.hashes', {source: ended('refunded')})).to.equal('denied not-there');
    expect(judged('source.redeemed.hashes', {source: leg({deposit: {...DEPOSIT, isHeld: true}})})).to.equal(
      'denied not-there',
    );
    expect(judged('source.redeemed.hashes', {source: leg()}), 'it left, and nothing shows how').to.equal('told unread');
    expect(judged('source.redeemed.hashes', {source: leg({paid: {...NONE, certainty: 'waiting'}})})).to.equal(
      'waiting failed',
    );
    expect(judged('destination.redeemed.amount', {})).to.equal('proved');
  });

  it('recognises one hash in its different forms, and different hashes in similar forms', () => {
    const says = (hash: string, shows: string[], isByAddress = false) => {
      const source = {...LEG, paid: {...EVENT, hashes: [hash]}};
      const deposit = {...DEPOSIT, hashes: shows};
      return judged(
        'source.paid.hashes',
        {source: leg({deposit, isByAddress})},
        readReceipt(textOf({...WHOLE, source})),
      );
    };
    expect(says('0x0a1', ['0xA1']), 'Starknet').to.equal('proved');
    expect(says('AB'.repeat(32), ['ab'.repeat(32)]), 'Bitcoin').to.equal('proved');
    expect(says('5Kx', ['5kX']), 'Solana').to.equal('denied differs');
    expect(says('0xa1', ['0xa1', '0xb2'])).to.equal('denied differs');
    const two = readReceipt(textOf({...WHOLE, source: {...LEG, paid: {...EVENT, hashes: [HASH, '0xb2']}}}));
    expect(judged('source.paid.hashes', {}, two)).to.equal('denied differs');
  });

  it('is the only one denied if the rest is right, with what the contract recorded', () => {
    const line = (field: ReceiptField, says: string) => ({field, says, certainty: 'proved'}) as const;
    const wrong = [line('source.amount', '8'), line('source.timelock', '5')].map(
      one => ({...one, certainty: 'denied', reason: 'no-such-swap'}) as const,
    );
    const right = [line('source.amount', '7'), line('source.timelock', '5'), line('source.refunded.amount', '')];
    expect(nameWrong(wrong, right)).to.deep.equal([
      {field: 'source.amount', says: '8', certainty: 'denied', reason: 'differs', shows: '7'},
      right[1],
      right[2],
    ]);
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
