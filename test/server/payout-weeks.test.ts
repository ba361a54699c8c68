import type {SwapError} from '../../src/domain/error.js';
import {checkPayouts, type CheckPayoutsOptions} from '../../src/server.js';
import {expect} from '../support/expect.js';
import {
  judgeWeeks,
  MONDAY,
  payableSince,
  payeesOf,
  weeksToCsv,
  type EarnedFee,
  type PayoutTransfer,
  type ReadTransfers,
} from '../../src/server/payout-weeks.js';

const PAYEE = '0x3f1C000000000000000000000000000000009A07';
const DAY = 24 * 3_600_000;
const WEEK = 7 * DAY;
/** A Monday at 00:00 UTC: 2 November 2026. */
const FIRST = Date.UTC(2026, 10, 2);
const NOW = FIRST + 5 * WEEK + 3 * DAY;

/** A fee of an order completed this many days after the first Monday. */
const earned = (day: number, amount: bigint, more: Partial<EarnedFee> = {}): EarnedFee => ({
  orderId: `order ${String(day)}`,
  isComplete: true,
  completedAt: FIRST + day * DAY,
  asset: 'base:usdc',
  address: PAYEE,
  amount,
  ...more,
});
const came = (day: number, amount: bigint): PayoutTransfer => ({
  hash: `0x${String(day)}`,
  from: '0xpayer',
  amount,
  at: FIRST + day * DAY,
});
const FIVE = [1, 8, 15, 22, 29].map(day => earned(day, 100n));

function judge(
  fees: readonly EarnedFee[],
  read: readonly PayoutTransfer[] | ReadTransfers,
  {now = NOW, ends = MONDAY, grace = 2 * DAY, isClaimed = false}: Partial<Parameters<typeof judgeWeeks>[2]> = {},
) {
  const [payee] = payeesOf(fees).payees;
  const all = Array.isArray(read)
    ? {transfers: read as readonly PayoutTransfer[], until: now}
    : (read as ReadTransfers);
  return judgeWeeks(payee!, all, {now, ends, grace, decimals: 6, isClaimed});
}
const told = (weeks: ReturnType<typeof judge>) => weeks.map(({verdict, difference}) => [verdict, difference]);

describe('What is owed and what is paid', () => {
  it('reports the week whose payout was dropped, and the one whose payout was short', () => {
    const weeks = judge(FIVE, [came(7, 100n), came(14, 100n), came(28, 75n), came(35, 100n)]);
    expect(told(weeks)).to.deep.equal([
      ['paid', 0n],
      ['paid', 0n],
      ['missing', -100n],
      ['short', -25n],
      ['paid', 0n],
    ]);
    expect(weeks.map(({begins}) => new Date(begins).toISOString().slice(0, 10))).to.deep.equal([
      '2026-11-02',
      '2026-11-09',
      '2026-11-16',
      '2026-11-23',
      '2026-11-30',
    ]);
    expect(weeks[3]).to.deep.include({owed: 100n, paid: 75n, orders: ['order 22'], ends: FIRST + 4 * WEEK});
  });

  it('counts an order for the week in which it was complete, to the millisecond', () => {
    const last = earned(0, 1n, {completedAt: FIRST + WEEK - 1});
    const first = earned(0, 2n, {completedAt: FIRST + WEEK});
    expect(judge([last, first], []).map(({owed}) => owed)).to.deep.equal([1n, 2n]);
  });

  it('adds up several payouts of one week', () => {
    expect(told(judge([earned(1, 100n)], [came(7, 60n), came(9, 40n)]))).to.deep.equal([['paid', 0n]]);
  });

  it('uses a later payout’s surplus for weeks that lack something, oldest first', () => {
    const weeks = judge(FIVE, [came(7, 100n), came(14, 100n), came(28, 175n), came(35, 100n)]);
    expect(weeks.map(({verdict, paid, carried}) => [verdict, paid, carried])).to.deep.equal([
      ['paid', 100n, 0n],
      ['paid', 100n, 0n],
      ['short', 0n, 75n],
      ['paid', 175n, -75n],
      ['paid', 100n, 0n],
    ]);
  });

  it('uses an earlier payout’s surplus for a later week, and reports the rest as over', () => {
    const weeks = judge([earned(1, 100n), earned(8, 100n)], [came(7, 210n)]);
    expect(told(weeks)).to.deep.equal([
      ['over', 10n],
      ['paid', 0n],
    ]);
  });

  it('spreads a surplus over several weeks, and fills one week from several', () => {
    const share = judge(FIVE.slice(0, 3), [came(7, 60n), came(14, 80n), came(21, 150n)]);
    expect(share.map(({verdict, carried}) => [verdict, carried])).to.deep.equal([
      ['paid', 40n],
      ['short', 10n],
      ['paid', -50n],
    ]);
    const fill = judge(FIVE.slice(0, 3), [came(7, 120n), came(14, 130n), came(21, 60n)]);
    expect(fill.map(({verdict, carried}) => [verdict, carried])).to.deep.equal([
      ['paid', -20n],
      ['over', -20n],
      ['paid', 40n],
    ]);
  });

  it('does not count a surplus for the week that has not ended, and lists what nobody earned', () => {
    const weeks = judge([earned(1, 100n), earned(36, 50n)], [came(7, 110n), came(22, 5n)]);
    expect(weeks.map(({verdict, owed, paid}) => [verdict, owed, paid])).to.deep.equal([
      ['over', 100n, 110n],
      ['over', 0n, 5n],
      ['due', 50n, undefined],
    ]);
  });

  it('lists a week’s transfers by their time', () => {
    const [week] = judge([earned(1, 100n)], [came(9, 40n), came(7, 60n)]);
    expect(week?.transfers.map(({at}) => at)).to.deep.equal([FIRST + 7 * DAY, FIRST + 9 * DAY]);
  });

  it('judges a week from the moment it ends, and a fee with a time in the future as due', () => {
    const now = FIRST + WEEK;
    expect(told(judge([earned(1, 100n)], [], {now, grace: 0}))).to.deep.equal([['missing', -100n]]);
    expect(payableSince(payeesOf([earned(1, 100n)]).payees[0]!, now, MONDAY)).to.equal(now);
    expect(told(judge([earned(8, 1n)], [], {now: FIRST}))).to.deep.equal([['due', undefined]]);
  });

  it('reports nothing as missing before its payout is due, or without a reading of the chain', () => {
    const fees = [earned(1, 100n), earned(8, 100n)];
    const now = FIRST + 9 * DAY - 1;
    expect(judge(fees, [], {now}).map(({verdict}) => verdict)).to.deep.equal(['due', 'due']);
    expect(judge(fees, [], {now: now + 1}).map(({verdict}) => verdict)).to.deep.equal(['missing', 'due']);
    expect(judge(fees, [], {now: now + 1, isClaimed: true})[0]).to.deep.include({verdict: 'unclaimed'});
    const behind = {transfers: [], until: now};
    expect(judge(fees, behind, {now: NOW}).map(({verdict}) => verdict)).to.deep.equal(['due', 'due']);
    const ahead = {transfers: [], until: NOW};
    expect(judge(fees, ahead, {now}).map(({verdict}) => verdict)).to.deep.equal(['due', 'due']);
  });

  it('judges nothing where the chain could not be read', () => {
    const [first, , , , running] = judge([...FIVE.slice(0, 4), earned(36, 5n)], {unread: 'No RPC answered.'});
    expect(first).to.deep.include({verdict: 'unread', why: 'No RPC answered.', owed: 100n});
    expect(first).to.not.have.any.keys('paid', 'difference', 'carried');
    expect(running).to.deep.include({verdict: 'due', owed: 5n});
  });

  it('does not count what arrived before the first week ended', () => {
    const fees = [earned(1, 100n)];
    expect(told(judge(fees, [came(2, 100n)]))).to.deep.equal([['missing', -100n]]);
    expect(payableSince(payeesOf(fees).payees[0]!, NOW, MONDAY)).to.equal(FIRST + WEEK);
    expect(payableSince(payeesOf(fees).payees[0]!, FIRST + 3 * DAY, MONDAY)).to.equal(undefined);
  });

  it('ends weeks when the partner says: at a given hour, or at listed moments', () => {
    const sunday = FIRST - 6 * 3_600_000;
    const weeks = judge([earned(1, 100n)], [came(6.9, 100n)], {ends: sunday});
    expect(told(weeks)).to.deep.equal([['paid', 0n]]);
    expect(judge([earned(1, 100n)], [came(7, 100n)], {ends: MONDAY + 1_000 * WEEK})[0]).to.include({begins: FIRST});
    const ends = [FIRST + DAY, FIRST + 2 * DAY, FIRST + 3 * DAY];
    const listed = judge([earned(0.5, 1n), earned(1.5, 2n), earned(3.5, 4n)], [came(1, 1n)], {ends, grace: 0});
    expect(listed.map(({verdict, owed, ends: end}) => [verdict, owed, end])).to.deep.equal([
      ['paid', 1n, ends[0]],
      ['missing', 2n, ends[1]],
      ['due', 4n, undefined],
    ]);
  });

  it('counts an order at the very end of a listed week for the next one', () => {
    const ends = [0, 1, 2, 3].map(day => FIRST + day * DAY);
    const weeks = judge([earned(2, 5n)], [came(2.5, 3n), came(3, 5n)], {ends});
    expect(weeks.map(({begins, ends: end, owed, paid}) => [begins, end, owed, paid])).to.deep.equal([
      [ends[2], ends[3], 5n, 5n],
    ]);
    const [within] = judge([earned(2.5, 5n)], [], {ends});
    expect(within).to.include({begins: ends[2], ends: ends[3]});
    const [only] = judge([earned(-1, 5n)], [], {ends});
    expect(only).to.include({begins: FIRST - DAY, ends: FIRST});
  });

  it('identifies a payee by its address, in any letter case, and its asset', () => {
    const {payees} = payeesOf([
      earned(1, 1n),
      earned(2, 2n, {address: PAYEE.toLowerCase()}),
      earned(3, 4n, {asset: 'base:cbbtc'}),
      earned(4, 8n, {address: PAYEE.replace('7', '8')}),
    ]);
    expect(payees.map(({asset, fees}) => [asset, fees.length])).to.deep.equal([
      ['base:usdc', 2],
      ['base:cbbtc', 1],
      ['base:usdc', 1],
    ]);
  });

  it('lists what cannot be counted, and ignores what is not owed yet', () => {
    const vague = [
      earned(1, 1n, {amount: undefined}),
      earned(1, 1n, {completedAt: undefined}),
      earned(1, 1n, {asset: ''}),
      earned(1, 1n, {address: ''}),
    ];
    const {payees, uncounted} = payeesOf([...vague, earned(1, 9n, {isComplete: false})]);
    expect([payees, uncounted]).to.deep.equal([[], vague]);
  });

  it('is saved as a table, in which every number can be added up', () => {
    const weeks = judge(FIVE.slice(0, 2), [came(7, 1_500_000n)], {grace: 0});
    expect(weeksToCsv(weeks)).to.equal(
      'week_begins,week_ends,asset,address,verdict,owed,paid,paid_by_other_weeks,paid_for_other_weeks,missing,extra,' +
        'owed_decimal,paid_decimal,missing_decimal,extra_decimal,transactions,why\r\n' +
        `2026-11-02T00:00:00.000Z,2026-11-09T00:00:00.000Z,base:usdc,${PAYEE},over,100,1500000,0,100,0,1499800,` +
        '0.0001,1.5,0,1.4998,0x7,\r\n' +
        `2026-11-09T00:00:00.000Z,2026-11-16T00:00:00.000Z,base:usdc,${PAYEE},paid,100,0,100,0,0,0,0.0001,0,0,0,,\r\n`,
    );
    const [{decimals: _, ...unknown}] = weeks as [(typeof weeks)[number]];
    expect(weeksToCsv([unknown])).to.match(/,over,100,1500000,0,100,0,1499800,,,,,0x7,\r\n$/);
  });
});

describe('An invalid option', () => {
  const cases: [string, Partial<CheckPayoutsOptions>][] = [
    ['fees', {fees: {} as never}],
    ['rpc', {rpc: undefined as never}],
    ['weekEnds', {weekEnds: [2, 1]}],
    ['weekEnds', {weekEnds: [1, 1]}],
    ['weekEnds', {weekEnds: NaN}],
    ['graceHours', {graceHours: -1}],
    ['payers.base', {payers: {base: 'nobody'}}],
    ['payers.base', {payers: {base: []}}],
    ['payers.bse', {payers: {bse: PAYEE}}],
    ['assets', {fees: [earned(0, 1n, {asset: 'base:nothing'})]}],
  ];
  it('is reported by name', async () => {
    for (const [field, options] of cases) {
      const refused = await checkPayouts({fees: [], rpc: {}, ...options}).catch((error: unknown) => error as SwapError);
      expect(refused, field).to.include({code: 'config'});
      expect((refused as SwapError).field).to.match(new RegExp(`^${field}`));
    }
  });
});
