/** What the form's button does: it says what it does, and every problem has a way out. */
import {expect} from '../../support/expect.js';
import type {Problem, Remedy} from '../../../src/domain/draft.js';
import {deedOf, isAvailable, isDecision, type Deed} from '../../../src/domain/form/deed.js';
import {failed, idle, pending, ready} from '../../../src/domain/remote.js';
import {SwapError} from '../../../src/domain/error.js';
import {OTHER_WBTC, WBTC} from '../../support/swap.js';

const PRICE = {quote: ready('a price'), offer: 'an offer'};
const problem = (code: Problem['code'], field: Problem['field'], remedy: Remedy, more: object = {}) =>
  ({code, field, remedy, ...more}) as Problem;

const DEEDS: readonly (readonly [what: string, Problem, Deed])[] = [
  ['nothing to pay with', problem('choose-from', 'from', 'press'), {does: 'choose', side: 'pay'}],
  ['nothing to receive', problem('choose-to', 'to', 'press'), {does: 'choose', side: 'receive'}],
  ['no amount', problem('enter-amount', 'amount', 'type'), {does: 'focus', field: 'amount', mends: true}],
  ['no amount to receive', problem('enter-amount', 'receive', 'type'), {does: 'focus', field: 'receive', mends: true}],
  ['another amount', problem('amount-range', 'amount', 'press', {use: 7n}), {does: 'use', amount: 7n}],
  ['none of it', problem('not-enough', 'amount', 'press', {use: 0n}), {does: 'use', amount: 0n}],
  [
    'an account with nothing',
    problem('not-enough', 'amount', 'correct'),
    {does: 'focus', field: 'amount', mends: false},
  ],
  [
    'a high cost',
    problem('confirm-cost', 'amount', 'press', {cost: {bps: 700, parts: []} as never}),
    {does: 'confirm', what: 'cost'},
  ],
  ['no wallet', problem('connect', 'account', 'press'), {does: 'connect'}],
  [
    'a wrong address',
    problem('not-an-address', 'recipient', 'correct'),
    {does: 'focus', field: 'recipient', mends: true},
  ],
  [
    'an address of the page',
    problem('confirm-refund', 'refundAddress', 'press'),
    {does: 'confirm', what: 'refundAddress'},
  ],
  [
    'a pair without a route',
    problem('no-route', 'to', 'press', {instead: {from: WBTC, to: OTHER_WBTC}}),
    {does: 'take', pair: {from: WBTC, to: OTHER_WBTC}},
  ],
  ['no other pair either', problem('no-route', 'to', 'press'), {does: 'choose', side: 'receive'}],
  ['one asset twice', problem('same-asset', 'to', 'press'), {does: 'choose', side: 'receive'}],
  ['a wallet’s address of another network', problem('not-an-address', 'account', 'correct'), {does: 'connect'}],
  ['a name that could not be read', problem('name-unread', 'recipient', 'press'), {does: 'confirm', what: 'recipient'}],
  ['no connection', problem('offline', 'amount', 'wait'), {does: 'wait'}],
  ['an address that is looked up', problem('checking-address', 'recipient', 'wait'), {does: 'wait'}],
  ['an amount that is looked up', problem('finding-amount', 'amount', 'wait'), {does: 'wait'}],
];

describe('the form’s button', () => {
  for (const [what, given, deed] of DEEDS) {
    it(`has one deed for ${what}, whatever the price is`, () => {
      for (const price of [PRICE, {quote: idle}, {quote: pending()}, {quote: failed(new SwapError('timeout'))}]) {
        expect(deedOf({...price, problem: given})).to.deep.equal(deed);
      }
    });
  }

  it('reviews an offer, asks again for a price that failed, and waits for one that is pending', () => {
    expect(deedOf(PRICE)).to.deep.equal({does: 'review'});
    expect(deedOf({quote: failed(new SwapError('timeout')), offer: 'of before'})).to.deep.equal({
      does: 'ask-again',
    });
    for (const quote of [idle, pending()]) expect(deedOf({quote})).to.deep.equal({does: 'wait'});
  });

  it('is there to press unless it waits or mends nothing, and decides something where what is agreed to changes', () => {
    const [mends, mendsNothing] = [true, false].map(mends => ({does: 'focus', field: 'amount', mends}) as const);
    for (const [deed, available, decision] of [
      [{does: 'choose', side: 'pay'}, true, true],
      [mends, true, false],
      [mendsNothing, false, false],
      [{does: 'use', amount: 0n}, true, true],
      [{does: 'confirm', what: 'cost'}, true, true],
      [{does: 'connect'}, true, false],
      [{does: 'take', pair: {from: WBTC, to: OTHER_WBTC}}, true, true],
      [{does: 'wait'}, false, false],
      [{does: 'ask-again'}, true, false],
      [{does: 'review'}, true, false],
    ] as readonly (readonly [Deed, boolean, boolean])[])
      expect([isAvailable(deed), isDecision(deed)], deed.does).to.deep.equal([available, decision]);
  });
});
