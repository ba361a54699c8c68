import {expect} from '../support/expect.js';
import {
  accept,
  depositState,
  disputedIn,
  isTaken,
  LONGEST_WAIT_MS,
  movementsOf,
  NO_EVIDENCE,
  orderOf,
  payoutHashes,
  type Certainty,
  type DepositOnChain,
  type Evidence,
  type Fact,
  type Movements,
  type PayoutOnChain,
  type Written,
} from '../../src/domain/evidence.js';
import {writeJson} from '../../src/domain/json.js';
import {termsOf} from '../../src/domain/order.js';
import {
  AT_LEAST,
  event,
  expectEach,
  GONE,
  HELD,
  orderThatSays,
  PAID,
  payout,
  REFUNDED,
  says,
  sees,
  seesPaid as seenPaid,
  TAKEN,
  TIED,
  type Words,
} from '../support/facts.js';
import {anOrder, NOON, PAYER, SOLVER} from '../support/swap.js';

const SECOND = 1_000;
const SECRET = '00'.repeat(32);

const RECORD: Written = {
  placedAt: NOON,
  deposit: {how: 'wallet'},
  agreed: {amount: PAID, atLeast: AT_LEAST},
  terms: termsOf(anOrder()),
};
const written = (change: Partial<Written> = {}): Fact => ({about: 'record', value: {...RECORD, ...change}});

/** The readings of transactions that are named first. */
const seesPaid = (
  ...[hash, value, askedAt]: readonly [string | readonly string[], PayoutOnChain | 'unreadable' | undefined, number]
) => seenPaid(value, askedAt, hash);

const known = (...facts: readonly Fact[]): Evidence =>
  facts.reduce<Evidence>((all, fact) => accept(all, fact), NO_EVIDENCE);
const money = (facts: readonly Fact[]): Movements => movementsOf(known(...facts));
const certainties = (facts: readonly Fact[]) => {
  const {paidIn, paidOut, paidBack} = money(facts);
  return [paidIn, paidOut, paidBack].map(({certainty}) => certainty).join(' ');
};

describe('What is known of an order', () => {
  it('is the answer to the later of two requests, whichever arrives first', () => {
    const pairs: readonly (readonly [string, Fact, Fact])[] = [
      ['order', says({}, 1), says({paid: '0xa'}, 2)],
      ['deposit', sees({state: 'none'}, 1), sees(HELD, 2)],
      ['payout', seesPaid('0xc', payout(), 1), seesPaid('0xc', TIED, 2)],
      ['unreadable', seesPaid('0xc', TIED, 1), seesPaid('0xc', 'unreadable', 2)],
    ];
    for (const [name, early, late] of pairs) expect(known(late, early), name).to.deep.equal(known(early, late));
    expect(known(says({paid: '0xa'}, 2), says({}, 1)).told?.value.source.initiated?.hashes).to.deep.equal(['0xa']);
    expect(known(sees(HELD, 2), sees({state: 'none'}, 1)).deposit?.value).to.equal(HELD);
  });

  it('is what was stored last', () => {
    expect(known(written(), {about: 'record', value: undefined})).to.deep.equal({...NO_EVIDENCE, record: undefined});
    const evidence = known(written());
    expect(accept(evidence, {about: 'record', value: evidence.record})).to.equal(evidence);
  });

  it('is not reduced by a failed request', () => {
    const facts = [says({paid: '0xa', out: '0xc', back: '0xe'}, 1), sees(HELD, 2), seesPaid('0xc', TIED, 2)];
    const failures: readonly Fact[] = [
      {about: 'order', askedAt: 3, value: undefined},
      sees(undefined, 3),
      seesPaid('0xc', undefined, 3),
    ];
    const {failedAt, ...rest} = known(...facts, ...failures);
    expect(rest).to.deep.equal(known(...facts));
    expect(failedAt).to.deep.equal({deposit: 3, payout: 3});
    expect(money([...facts, ...failures])).to.deep.equal(money(facts));
  });

  it('includes, after a failed request, only that the chain cannot be read now', () => {
    const states = (...facts: readonly Fact[]) => depositState(known(...facts));
    const lost: readonly Fact[] = [{about: 'order', askedAt: 2, value: undefined}, seesPaid('0xc', undefined, 2)];
    expectEach([
      ['never asked', states(), undefined],
      ['asked', states(sees(HELD, 1)), 'seen'],
      ['in vain', states(sees(undefined, 1)), 'unknown'],
      ['only others in vain', states(sees(HELD, 1), ...lost), 'seen'],
      ['in vain after that', states(sees(HELD, 1), sees(undefined, 2)), 'unknown'],
      ['in vain before that', states(sees(HELD, 3), sees(undefined, 2)), 'seen'],
      ['in vain at the same time', states(sees(HELD, 2), sees(undefined, 2)), 'unknown'],
      ['twice in vain', states(sees(undefined, 4), sees(undefined, 2), sees(HELD, 3)), 'unknown'],
    ]);
  });

  it('stays small, though the service claims something new in each of 10,000 responses', () => {
    let evidence = known(written());
    for (let at = 1; at <= 10_000; at++) {
      const hash = `0x${String(at).padStart(64, '0')}`;
      evidence = accept(evidence, says({paid: hash, filled: BigInt(at), out: hash, back: hash}, at));
      evidence = accept(evidence, seesPaid(hash, payout(), at));
    }
    expect(writeJson(evidence).length).to.be.below(8_000);
    expect(movementsOf(evidence).paidOut.certainty, 'as it was read last').to.equal('denied');
    // The newest claims and what they are about, and the newest readings.
    expect(Object.keys(evidence.claims)).to.have.lengthOf(24 + 3);
    expect(Object.keys(evidence.payouts)).to.have.lengthOf(8);
    expect(evidence.claims).to.include({in: 1, out: 1, back: 1});
  });

  it('keeps when the last response’s claims began, whatever else was claimed meanwhile', () => {
    const facts = Array.from({length: 100}, (_, at) =>
      says({paid: `0x${String(at)}`, back: `0x${String(at)}`, out: '0xc'}, at),
    );
    expect(known(...facts).claims).to.include({'out 0xc': 0});
    const overtaken = facts.map((_, at) => says({paid: `0x${String(at)}`, back: `0x${String(at)}`}, at));
    expect(known(says({out: '0xc'}, 0), says({out: '0xc'}, 100), ...overtaken).claims).to.include({'out 0xc': 0});
  });

  it('is queried by transactions: those that the service names, and those seen before', () => {
    const proof = {amount: 1n, hashes: ['0xc', '0xd'], block: 8n};
    expectEach([
      ['nothing', payoutHashes(known()), []],
      ['named', payoutHashes(known(says({out: '0xc'}, 1))), ['0xc']],
      ['seen', payoutHashes(known(written({paidOut: proof}))), ['0xc', '0xd']],
      ['named as it was seen', payoutHashes(known(written({paidOut: proof}), says({out: '0xd'}, 1))), ['0xd', '0xc']],
      ['both', payoutHashes(known(written({paidOut: proof}), says({out: '0xb'}, 1))), ['0xb', '0xc', '0xd']],
    ]);
  });

  it('keeps the last readings, whichever transactions are named again', () => {
    const facts = Array.from({length: 20}, (_, at) => seesPaid(`0x${String(at)}`, payout(), NOON + at));
    const outOf = (at: number) => money([...facts, says({out: `0x${String(at)}`}, NOON)]).paidOut.certainty;
    expect([outOf(0), outOf(11), outOf(12), outOf(19)]).to.deep.equal(['waiting', 'waiting', 'denied', 'denied']);
  });

  it('supports transactions named like members of Object.prototype', () => {
    const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', 'in', 'out', 'back'];
    const each = (facts: (name: string) => readonly Fact[], expected: Certainty) =>
      names.map(name => [name, money(facts(name)).paidOut.certainty, expected] as const);
    expectEach(each(out => [says({out}, NOON)], 'waiting'));
    expectEach(each(out => [says({out}, NOON), seesPaid(out, payout(), NOON)], 'denied'));
  });
});

describe('A movement of money', () => {
  it('is attributed to nobody if nobody reports it', () => {
    expectEach([
      ['nothing known', certainties([]), 'none none none'],
      ['the service says nothing', certainties([says({}, NOON)]), 'none none none'],
      ['the chain shows nothing', certainties([says({}, NOON), sees({state: 'none'}, NOON)]), 'none none none'],
      ['only another’s transaction', certainties([says({}, NOON), seesPaid('0xc', TIED, NOON)]), 'none none none'],
    ]);
  });

  it('in is what the source chain holds, whatever the service says', () => {
    const found = (reading: DepositOnChain, words: Words = {}) => {
      const {certainty, amount} = money([says(words, NOON), sees(reading, NOON)]).paidIn;
      return [certainty, amount] as const;
    };
    expectEach([
      ['held', found(HELD), ['proved', PAID]],
      ['gone', found(GONE), ['proved', PAID]],
      ['a part', found({...HELD, amount: 7n}, {paid: '0xa', filled: 9n * PAID}), ['proved', 7n]],
      ['none of it', found({state: 'none'}, {paid: '0xa'}), ['denied', 0n]],
      ['none of it any more', found({state: 'none', amount: PAID}, {paid: '0xa'}), ['denied', 0n]],
      ['reverted', found({state: 'reverted'}, {paid: '0xa'}), ['denied', 0n]],
      ['empty', found({state: 'empty'}, {paid: '0xa'}), ['denied', 0n]],
      ['expired', found({state: 'expired'}, {paid: '0xa'}), ['denied', 0n]],
      ['a transaction on its way', found({state: 'seen', hashes: ['0xa']}, {paid: '0xa'}), ['told', PAID]],
      ['a transaction on its way, and no word', found({state: 'seen', hashes: ['0xa']}), ['none', 0n]],
      ['held, and not how much', found({state: 'seen', isHeld: true}, {paid: '0xa', filled: 3n}), ['told', 3n]],
      ['cannot be read', found({state: 'unknown'}, {paid: '0xa', filled: 3n}), ['told', 3n]],
      ['paid without a transaction', found({state: 'none'}, {filled: 3n}), ['denied', 0n]],
    ] as const);
  });

  it('in is nobody’s word while its address was not shown, nor its wallet asked: only its chain can show it', () => {
    const before = written({payableSince: null});
    const address = {payableSince: null, deposit: {how: 'transfer'}} as const;
    const atAddress = written(address);
    const all = says({paid: '0xa', out: '0xc', back: '0xe'}, 1);
    const unread = sees({state: 'unknown'}, 2);
    const inOf = (...facts: readonly Fact[]) => money(facts).paidIn.certainty;
    expectEach([
      ['not shown', inOf(before, all), 'none'],
      ['not shown, and its chain cannot be read', inOf(before, all, unread), 'none'],
      ['not shown, and its chain shows nothing', inOf(before, all, sees({state: 'none'}, 2)), 'none'],
      ['not asked for, and its contract shows the payment', inOf(before, all, sees(HELD, 2)), 'proved'],
      ['not asked for, and its chain shows a transaction', inOf(before, all, sees({state: 'seen'}, 2)), 'none'],
      ['not shown, and something lies there', inOf(atAddress, all, sees(HELD, 2)), 'none'],
      ['not shown, and its chain shows a transaction', inOf(atAddress, all, sees({state: 'seen'}, 2)), 'none'],
      ['not shown, and written down as seen', inOf(written({...address, paidIn: true}), all, unread), 'none'],
      [
        'not asked for, and its chain has shown it',
        inOf(written({payableSince: null, paidIn: true}), all, unread),
        'told',
      ],
      ['shown', inOf(written({payableSince: NOON}), all, unread), 'told'],
      ['of an earlier version', inOf(written(), all, unread), 'told'],
      ['of someone else', inOf(all, unread), 'told'],
    ]);
    const evidence = known(before, all, unread);
    expect(orderOf(evidence, movementsOf(evidence))?.source).to.not.have.property('initiated');
  });

  it('out is only proved by what is tied to the order', () => {
    const found = (reading: PayoutOnChain | 'unreadable') => {
      const {certainty, amount, untied} = money([
        written(),
        says({out: '0xc'}, NOON),
        seesPaid('0xc', reading, NOON),
      ]).paidOut;
      return [certainty, amount, untied] as const;
    };
    expectEach([
      ['tied', found(TIED), ['proved', 49_850n, undefined]],
      ['tied, and less than agreed', found(payout({amount: 1n, hashes: ['0xc']})), ['proved', 1n, undefined]],
      ['tied, beside other money', found({...TIED, loose: 9n}), ['proved', 49_850n, undefined]],
      ['untied, what was agreed at least', found(payout({loose: AT_LEAST})), ['told', 49_850n, AT_LEAST]],
      ['untied, more', found(payout({loose: 90_000n})), ['told', 49_850n, 90_000n]],
      ['untied, less', found(payout({loose: AT_LEAST - 1n})), ['denied', 0n, AT_LEAST - 1n]],
      ['before the order', found(payout({earlier: 90_000n})), ['denied', 0n, 90_000n]],
      ['less, and before the order', found(payout({loose: 1n, earlier: 90_000n})), ['denied', 0n, 1n]],
      ['nothing', found(payout()), ['denied', 0n, undefined]],
      ['unreadable', found('unreadable'), ['told', 49_850n, undefined]],
    ] as const);
    const both = [seesPaid('0xc', TIED, NOON), seesPaid('0xc', 'unreadable', NOON)];
    expect(money([says({out: '0xc'}, NOON), ...both]).paidOut.certainty, 'both at once').to.equal('proved');
  });

  it('out is denied while the payment is seen to be held and the other chain was read and showed nothing', () => {
    const nothing = seesPaid('0xc', payout(), NOON);
    const first = says({paid: '0xa', out: '0xc'}, NOON);
    const other = says({paid: '0xa', out: '0xd'}, NOON + SECOND);
    const later = NOON + SECOND + LONGEST_WAIT_MS;
    const outOf = (...facts: readonly Fact[]) => money([written(), first, ...facts]).paidOut.certainty;
    const held = sees(HELD, later);
    const noMore = seesPaid('0xc', 'unreadable', later);
    const otherUnread = seesPaid('0xd', 'unreadable', later);
    const otherInVain = seesPaid('0xd', undefined, later);
    expectEach([
      ['never read', outOf(held, noMore), 'told'],
      ['read, then unreadable', outOf(held, nothing, noMore), 'denied'],
      ['unreadable, then read', outOf(held, noMore, seesPaid('0xc', payout(), later + 1)), 'denied'],
      ['read, then renamed and unreadable', outOf(held, nothing, other, otherUnread), 'denied'],
      ['read, then renamed and failing', outOf(held, nothing, other, otherInVain), 'denied'],
      ['renamed, and waited for', outOf(held, nothing, other), 'waiting'],
      ['renamed, and tied', outOf(held, nothing, other, seesPaid('0xd', {...TIED, hashes: ['0xd']}, later)), 'proved'],
      ['renamed, and untied', outOf(held, nothing, other, seesPaid('0xd', payout({loose: AT_LEAST}), later)), 'told'],
      ['too little', outOf(held, seesPaid('0xc', payout({loose: AT_LEAST - 1n}), NOON), noMore), 'denied'],
      ['untied', outOf(held, seesPaid('0xc', payout({loose: AT_LEAST}), NOON), noMore), 'told'],
      [
        'tied before, however little',
        outOf(held, seesPaid('0xc', payout({amount: 1n}), NOON), other, otherUnread),
        'told',
      ],
      [
        'untied before, beside nothing',
        outOf(
          held,
          seesPaid('0xc', payout({loose: AT_LEAST}), NOON),
          seesPaid('0xe', payout(), NOON),
          other,
          otherUnread,
        ),
        'told',
      ],
      ['no longer held', outOf(sees(GONE, later), nothing, noMore), 'told'],
      ['nobody sees whether it is held', outOf(sees({state: 'unknown'}, later), nothing, noMore), 'told'],
    ]);
  });

  it('out is denied then, however many transactions are named that cannot be read', () => {
    const facts = [written(), sees(HELD, NOON), says({paid: '0xa', out: '0xc'}, NOON), seesPaid('0xc', payout(), NOON)];
    for (let at = NOON + 1; at < NOON + 100; at++) {
      const hash = `0x${String(at)}`;
      facts.push(says({paid: '0xa', out: hash}, at), seesPaid(hash, 'unreadable', at));
    }
    expect(money(facts).paidOut.certainty).to.equal('denied');
    expect(Object.keys(known(...facts).payouts).length).to.be.below(10);
  });

  it('out is not reported for an order from elsewhere if the chain shows nothing, however little its service names', () => {
    const order = orderThatSays({out: '0xc'});
    const free: Fact = {
      about: 'order',
      askedAt: NOON,
      value: {...order, destination: {...order.destination, amount: 0n}},
    };
    expect(money([free, seesPaid('0xc', payout(), NOON)]).paidOut).to.deep.equal({certainty: 'denied', amount: 0n});
    const stranger = (loose: bigint) =>
      money([says({out: '0xc'}, NOON), seesPaid('0xc', payout({loose}), NOON)]).paidOut;
    expect(stranger(49_850n)).to.include({certainty: 'told', untied: 49_850n});
    expect(stranger(49_849n)).to.include({certainty: 'denied', untied: 49_849n});
  });

  it('is no less for being one unit', () => {
    expect(certainties([says({filled: 1n}, NOON)])).to.equal('waiting none none');
    const agreed = {...RECORD.agreed, atLeast: 1n};
    const least = seesPaid('0xc', payout({loose: 1n}), NOON);
    expect(money([written({agreed}), says({out: '0xc'}, NOON), least]).paidOut).to.include({
      certainty: 'told',
      untied: 1n,
    });
  });

  it('back is denied while the contract holds the money, whatever transaction is named', () => {
    const found = (reading: DepositOnChain, words: Words = {back: '0xe'}, more: Partial<Written> = {}) => {
      const {certainty, amount} = money([
        written(more),
        says({paid: '0xa', ...words}, NOON),
        sees(reading, NOON),
      ]).paidBack;
      return [certainty, amount] as const;
    };
    const paidBack = {amount: 7n, hashes: ['0xe'], block: 9n};
    expectEach([
      ['held', found(HELD), ['denied', 0n]],
      ['held, and written down', found(HELD, {back: '0xe'}, {paidBack}), ['denied', 0n]],
      ['held, and written down alone', found(HELD, {}, {paidBack}), ['none', 0n]],
      ['refunded', found(REFUNDED), ['proved', PAID]],
      ['refunded, and the service says nothing', found(REFUNDED, {}), ['proved', PAID]],
      ['taken', found(TAKEN), ['denied', 0n]],
      ['taken, and written down', found(TAKEN, {}, {paidBack}), ['none', 0n]],
      ['never paid', found({state: 'none'}), ['denied', 0n]],
      ['gone, and not where to', found(GONE), ['told', PAID]],
      ['gone, and written down', found(GONE, {}, {paidBack}), ['proved', 7n]],
      ['cannot be read', found({state: 'unknown'}), ['told', PAID]],
      ['cannot be read, and written down', found({state: 'unknown'}, {}, {paidBack}), ['proved', 7n]],
    ] as const);
  });

  it('is the agreed amount, by the service’s word, if the service names none', () => {
    const back = {about: 'order', askedAt: NOON, value: orderThatSays({back: '0xe'})} as const;
    expect(money([back, sees({state: 'unknown'}, NOON)]).paidBack).to.include({certainty: 'told', amount: PAID});
    const part = says({paid: '0xa', filled: 7n, back: '0xe'}, NOON);
    expect(money([part, sees({state: 'unknown'}, NOON)]).paidBack).to.include({certainty: 'told', amount: 7n});
  });

  it('stays as stored until a later reading denies it', () => {
    const paidOut = {amount: 49_850n, hashes: ['0xc'], block: 8n};
    const out = (...facts: readonly Fact[]) => money([written({paidOut}), ...facts]).paidOut.certainty;
    expectEach<Certainty>([
      ['alone', out(), 'proved'],
      ['without the service’s word', out(says({}, NOON)), 'proved'],
      ['with another transaction', out(says({out: '0xd'}, NOON)), 'proved'],
      ['unreadable', out(seesPaid('0xc', 'unreadable', NOON)), 'proved'],
      ['a read that failed', out(seesPaid('0xc', undefined, NOON)), 'proved'],
      ['others read', out(seesPaid('0xd', payout(), NOON)), 'proved'],
      ['denied, as nobody says so', out(seesPaid('0xc', payout(), NOON)), 'none'],
      ['denied', out(says({out: '0xc'}, NOON), seesPaid('0xc', payout(), NOON)), 'denied'],
    ]);
  });
});

describe('A claim of the service', () => {
  const CLAIMS = {in: {paid: '0xa'}, out: {out: '0xc'}, back: {back: '0xe'}} as const;
  const MOVED = {in: 'paidIn', out: 'paidOut', back: 'paidBack'} as const;
  type Kind = keyof typeof CLAIMS;
  const KINDS = Object.keys(CLAIMS) as Kind[];
  const OTHERS = {in: {paid: '0xb'}, out: {out: '0xb'}, back: {back: '0xb'}} as const;
  const silent = (kind: Kind, askedAt: number, hash = '0xc'): Fact =>
    kind === 'out' ? seesPaid(hash, payout(), askedAt) : sees({state: 'none'}, askedAt);
  const of = (kind: Kind, facts: readonly Fact[]) => money(facts)[MOVED[kind]].certainty;
  const vain = (kind: Kind, askedAt: number, hash = '0xc'): Fact =>
    kind === 'out' ? seesPaid(hash, undefined, askedAt) : sees(undefined, askedAt);
  const forEachKind = (found: (kind: Kind) => Certainty, expected: Certainty) => {
    expectEach(KINDS.map(kind => [kind, found(kind), expected] as const));
  };

  it('waits for the chain, and becomes the service’s word if a read a minute later fails', () => {
    const after = (wait: number) => (kind: Kind) => of(kind, [says(CLAIMS[kind], NOON), vain(kind, NOON + wait)]);
    forEachKind(kind => of(kind, [says(CLAIMS[kind], NOON)]), 'waiting');
    forEachKind(after(0), 'waiting');
    forEachKind(after(LONGEST_WAIT_MS - 1), 'waiting');
    forEachKind(after(LONGEST_WAIT_MS), 'told');
    expect(LONGEST_WAIT_MS).to.equal(60 * SECOND);
  });

  it('waits for the answer to a question that was asked before the computer slept', () => {
    const asleep = (kind: Kind) => [says(CLAIMS[kind], NOON), says(CLAIMS[kind], NOON + 8 * 60 * LONGEST_WAIT_MS)];
    forEachKind(kind => of(kind, asleep(kind)), 'waiting');
    forEachKind(kind => of(kind, [...asleep(kind), vain(kind, NOON + 1)]), 'waiting');
  });

  it('falls back to the service’s word only if its own chain fails', () => {
    const late = NOON + LONGEST_WAIT_MS;
    const other = {in: 'out', out: 'in', back: 'out'} as const;
    forEachKind(kind => of(kind, [says(CLAIMS[kind], NOON), vain(other[kind], late)]), 'waiting');
  });

  it('is not denied by what was read before it', () => {
    for (const kind of ['in', 'back'] as const) {
      const at = (askedAt: number) => of(kind, [says(CLAIMS[kind], NOON), silent(kind, askedAt)]);
      expect([at(NOON - 1), at(NOON)], kind).to.deep.equal(['waiting', 'denied']);
    }
  });

  it('is denied by what was read after it, also after it was the service’s word', () => {
    const late = NOON + 2 * LONGEST_WAIT_MS;
    const facts = (kind: Kind) => [says(CLAIMS[kind], NOON), vain(kind, late - 1), silent(kind, late)];
    forEachKind(kind => of(kind, facts(kind)), 'denied');
  });

  it('is denied at once if repeated, even if the service withdrew it meanwhile', () => {
    const facts = (kind: Kind) => [says(CLAIMS[kind], NOON), silent(kind, NOON + 1), says({}, NOON + 2)];
    forEachKind(kind => of(kind, facts(kind)), 'none');
    forEachKind(kind => of(kind, [...facts(kind), says(CLAIMS[kind], NOON + 3)]), 'denied');
  });

  it('waits again if it is a new claim and the chain was readable before', () => {
    const anew = NOON + 10 * LONGEST_WAIT_MS;
    const facts = (kind: Kind) => [says(CLAIMS[kind], NOON), silent(kind, NOON + 1), says(OTHERS[kind], anew)];
    const after = (wait: number) => (kind: Kind) => of(kind, [...facts(kind), vain(kind, anew + wait, '0xb')]);
    forEachKind(kind => of(kind, facts(kind)), 'waiting');
    forEachKind(after(LONGEST_WAIT_MS - 1), 'waiting');
    forEachKind(after(LONGEST_WAIT_MS), 'told');
    const more = [says({filled: 1n}, NOON), silent('in', NOON + 1), says({filled: 2n}, anew)];
    expect(of('in', more), 'more money').to.equal('waiting');
  });

  it('waits no longer than the first of its kind if the chain was never read', () => {
    const anew = NOON + LONGEST_WAIT_MS;
    const facts = (kind: Kind) => [says(CLAIMS[kind], NOON), vain(kind, anew), says(OTHERS[kind], anew)];
    forEachKind(kind => of(kind, facts(kind)), 'told');
    const out = [says(CLAIMS.out, NOON), seesPaid('0xc', 'unreadable', NOON), says(OTHERS.out, anew)];
    expect(of('out', [...out, vain('out', anew)]), 'unreadable').to.equal('told');
  });

  it('of a refund is never believed if the contract held the money when last seen, however long the chain is silent', () => {
    const facts = [sees(HELD, NOON - 1), says({paid: '0xa', back: '0xe'}, NOON)];
    expect(of('back', [...facts, sees(undefined, NOON + LONGEST_WAIT_MS - 1)])).to.equal('waiting');
    expect(of('back', [...facts, sees(undefined, NOON + LONGEST_WAIT_MS)])).to.equal('denied');
  });

  it('of a payout is judged by its own transactions, in whatever order they are named', () => {
    const order = orderThatSays({out: '0xc'});
    const names = (...hashes: string[]): Fact => ({
      about: 'order',
      askedAt: NOON,
      value: {...order, destination: {...order.destination, redeemed: {hashes}}},
    });
    expect(of('out', [names('0xc', '0xd'), seesPaid(['0xd', '0xc', '0xd'], TIED, NOON)])).to.equal('proved');
    expect(of('out', [names('0xc', '0xd'), seesPaid('0xc', TIED, NOON)])).to.equal('waiting');
  });
});

describe('A payment in one request with its approval', () => {
  it('was taken if the wallet said so in an answer to a request of this time or later', () => {
    const taken = sees({...HELD, isTaken: true}, NOON);
    expect(isTaken(known(taken))).to.equal(true);
    expect(isTaken(known(taken), NOON)).to.equal(true);
    expect(isTaken(known(taken), NOON + 1)).to.equal(false);
    expect(isTaken(known(sees(HELD, NOON)))).to.equal(false);
    expect(isTaken(known(sees(HELD, NOON)), NOON)).to.equal(false);
    expect(isTaken(NO_EVIDENCE)).to.equal(false);
  });
});

describe('RPCs of a chain that contradict each other', () => {
  const LATE = NOON + 10 * LONGEST_WAIT_MS;
  const disputedDeposit = (askedAt: number): Fact => ({...sees(undefined, askedAt), isDisputed: true}) as Fact;
  const disputedPayout = (askedAt: number): Fact =>
    ({...seesPaid('0xc', undefined, askedAt), isDisputed: true}) as Fact;

  it('leave the service’s claims waiting for as long as they contradict', () => {
    const all = says({paid: '0xa', out: '0xc', back: '0xe'}, NOON);
    const silent = [sees(undefined, LATE), seesPaid('0xc', undefined, LATE)];
    expect(certainties([all, ...silent]), 'silent').to.equal('told told told');
    expect(certainties([all, ...silent, disputedDeposit(LATE)])).to.equal('waiting told waiting');
    expect(certainties([all, ...silent, disputedPayout(LATE)])).to.equal('told waiting told');
    const seen = sees(HELD, NOON + 1);
    const paid = [all, ...silent, seen, disputedDeposit(LATE)];
    expect(certainties(paid), 'it was paid in').to.equal('proved told waiting');
    expect(certainties([disputedDeposit(NOON)]), 'nobody says so').to.equal('none none none');
  });

  it('do not revoke what two agreed on before', () => {
    const all = says({paid: '0xa', out: '0xc'}, NOON);
    expect(certainties([all, seesPaid('0xc', TIED, NOON + 1), disputedPayout(LATE)])).to.match(/ proved /);
    expect(certainties([all, sees(REFUNDED, NOON + 1), disputedDeposit(LATE)])).to.match(/proved$/);
    expect(certainties([written({paidOut: TIED}), disputedPayout(LATE)])).to.match(/ proved /);
  });

  it('are reported until one answer comes, whichever was requested first', () => {
    const facts = [says({out: '0xc'}, NOON), disputedPayout(NOON + 1), disputedDeposit(NOON + 1)];
    expect(disputedIn(known(...facts))).to.deep.equal({source: true, target: true});
    expect(disputedIn(known(...facts, sees(undefined, NOON + 2)))).to.include({source: true});
    const ended = [...facts, sees(HELD, NOON + 2), seesPaid('0xc', 'unreadable', NOON + 2)];
    expect(disputedIn(known(...ended))).to.deep.equal({source: false, target: false});
    expect(disputedIn(known(...facts, sees(HELD, NOON + 1))), 'both at once').to.include({source: false});
    expect(disputedIn(known(...ended, disputedDeposit(NOON + 1)))).to.include({source: false});
    expect(depositState(known(...facts)), 'nothing is known of it').to.equal('unknown');
  });
});

describe('The event of a movement', () => {
  const eventOf = (facts: readonly Fact[], name: keyof Movements) => money([written(), ...facts])[name].event;

  it('is the service’s, unmarked, if only the service reports it, and absent if that counts for nothing', () => {
    const words = says({paid: '0xa', out: '0xc', back: '0xe'}, NOON);
    const unread = [words, sees({state: 'unknown'}, NOON), seesPaid('0xc', 'unreadable', NOON)];
    expect(eventOf(unread, 'paidIn')).to.deep.equal(event('0xa', 7n));
    expect(eventOf(unread, 'paidOut')).to.deep.equal(event('0xc', 7n));
    expect(eventOf(unread, 'paidBack')).to.deep.equal(event('0xe', 7n));
    const denied = [words, sees({state: 'none'}, NOON), seesPaid('0xc', payout(), NOON)];
    for (const name of ['paidIn', 'paidOut', 'paidBack'] as const) expect(eventOf(denied, name)).to.equal(undefined);
  });

  it('is marked if the chain shows it, with the chain’s transactions and block, and the service’s time', () => {
    const words = says({paid: '0x1', out: '0x2', back: '0x3'}, NOON);
    const facts = [words, sees(REFUNDED, NOON), seesPaid('0x2', TIED, NOON)];
    const shown = {at: NOON, onChain: true} as const;
    expect(eventOf(facts, 'paidIn')).to.deep.equal({...shown, hashes: ['0xa'], block: 5n});
    expect(eventOf(facts, 'paidOut')).to.deep.equal({...shown, hashes: ['0xc'], block: 8n});
    expect(eventOf(facts, 'paidBack')).to.deep.equal({...shown, hashes: ['0xe'], block: 9n});
  });

  it('has the service’s transactions and block if the chain reports neither', () => {
    const nameless = {state: 'seen', amount: PAID, isHeld: true} as const;
    const paidIn = eventOf([says({paid: '0xa'}, NOON), sees(nameless, NOON)], 'paidIn');
    expect(paidIn).to.deep.equal({...event('0xa', 7n), onChain: true});
    expect(eventOf([sees(nameless, NOON)], 'paidIn'), 'nobody names one').to.deep.equal({hashes: [], onChain: true});
  });

  it('has no block if the chain reports its transactions without one, whatever the service says', () => {
    const words = says({paid: '0xa', out: '0xc', back: '0xe'}, NOON);
    const {block: _in, ...paid} = HELD;
    const {block: _out, ...tied} = TIED;
    const facts = (reading: DepositOnChain) => [words, sees(reading, NOON), seesPaid('0xc', tied, NOON)];
    const back = {how: 'refunded', amount: PAID, hashes: ['0xe']} as const;
    expect(eventOf(facts(paid), 'paidIn')).not.to.have.property('block');
    expect(eventOf(facts(paid), 'paidOut')).not.to.have.property('block');
    expect(eventOf(facts({...GONE, end: back}), 'paidBack')).not.to.have.property('block');
    const proof = {amount: PAID, hashes: ['0xe']};
    const remembered = movementsOf(known(written({paidBack: proof, paidOut: proof}), words));
    expect(remembered.paidBack.event).not.to.have.property('block');
    expect(remembered.paidOut.event).not.to.have.property('block');
  });
});

describe('The displayed order', () => {
  const shown = (...facts: readonly Fact[]) => {
    const evidence = known(...facts);
    return orderOf(evidence, movementsOf(evidence));
  };
  const everything: Words = {paid: '0xa', filled: 9n * PAID, out: '0xc', back: '0xe', taken: '0xf'};

  it('is unknown until the service responds, except for what a chain shows', () => {
    expect(shown()).to.equal(undefined);
    expect(shown(written())).to.equal(undefined);
    expect(shown(written(), sees({state: 'none'}, NOON))).to.equal(undefined);
    const {source, destination} = shown(written(), sees(HELD, NOON)) ?? anOrder();
    expect(source).to.deep.include({filled: PAID, initiator: PAYER, redeemer: SOLVER});
    expect(source.initiated).to.deep.equal({hashes: ['0xa'], block: 5n, onChain: true});
    expect(destination).to.include({amount: 49_850n}).and.not.to.have.property('redeemed');
    expect(shown(written(), sees(HELD, NOON))?.createdAt).to.equal(NOON);
    const proof = {amount: 49_850n, hashes: ['0xc'], block: 8n};
    expect(shown(written({paidOut: proof}))?.destination.redeemed).to.include({onChain: true});
    expect(shown(written({paidBack: proof}))?.source.refunded).to.include({onChain: true});
    const {terms: _, ...record} = RECORD;
    expect(shown({about: 'record', value: record}, sees(HELD, NOON)), 'without its terms').to.equal(undefined);
  });

  it('is what the service reports if no chain can be read', () => {
    const unread = [sees({state: 'unknown'}, NOON), seesPaid('0xc', 'unreadable', NOON)];
    expect(shown(says(everything, NOON), ...unread)).to.deep.equal(orderThatSays(everything));
  });

  it('omits what a chain denies, or has not answered yet', () => {
    for (const facts of [[], [sees({state: 'none'}, NOON), seesPaid('0xc', payout(), NOON)]]) {
      const {source, destination} = shown(says(everything, NOON), ...facts) ?? anOrder();
      expect(source).to.include({filled: 0n}).and.not.to.have.any.keys('initiated', 'refunded');
      expect(destination).not.to.have.property('redeemed');
    }
  });

  it('is neither refunded nor redeemed while its contract holds the money', () => {
    const {source} = shown(says(everything, NOON), sees(HELD, NOON)) ?? anOrder();
    expect(source).to.include({filled: PAID}).and.not.to.have.any.keys('redeemed', 'refunded');
    expect(shown(says(everything, NOON), sees(TAKEN, NOON))?.source).to.have.property('redeemed');
  });

  it('has the secret from the chain and everything else as the service reports it', () => {
    const order = orderThatSays({out: '0xc'});
    const destination = {
      ...order.destination,
      initiated: event('0x8', 7n),
      refunded: event('0x9', 7n),
      secret: '11'.repeat(32),
    };
    const told: Fact = {about: 'order', askedAt: NOON, value: {...order, destination}};
    const read = shown(told, seesPaid('0xc', TIED, NOON))?.destination;
    expect(read).to.deep.include({initiated: event('0x8', 7n), refunded: event('0x9', 7n), secret: SECRET});
    expect(read?.redeemed).to.include({onChain: true});
    expect(shown(told)?.destination.secret).to.equal('11'.repeat(32));
  });
});
