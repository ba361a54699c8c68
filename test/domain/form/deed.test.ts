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

const DEEDS: readonly (readonly [what: string, Problem, Deed, isAvailable: boolean, isDecision: boolean])[] = [
  ['nothing to pay with', problem('choose-from', 'from', 'press'), {does: 'choose', side: 'pay'}, true, true],
  ['nothing to receive', problem('choose-to', 'to', 'press'), {does: 'choose', side: 'receive'}, true, true],
  ['no amount', problem('enter-amount', 'amount', 'type'), {does: 'focus', field: 'amount', mends: true}, true, false],
  [
    'no amount to receive',
    problem('enter-amount', 'receive', 'type'),
    {does: 'focus', field: 'receive', mends: true},
    true,
    false,
  ],
  ['another amount', problem('amount-range', 'amount', 'press', {use: 7n}), {does: 'use', amount: 7n}, true, true],
  ['none of it', problem('not-enough', 'amount', 'press', {use: 0n}), {does: 'use', amount: 0n}, true, true],
  [
    'an account with nothing',
    problem('not-enough', 'amount', 'correct'),
    {does: 'focus', field: 'amount', mends: false},
    false,
    false,
  ],
  [
    'a high cost',
    problem('confirm-cost', 'amount', 'press', {cost: {bps: 700, parts: []} as never}),
    {does: 'confirm', what: 'cost'},
    true,
    true,
  ],
  ['no wallet', problem('connect', 'account', 'press'), {does: 'connect'}, true, false],
  [
    'a wrong address',
    problem('not-an-address', 'recipient', 'correct'),
    {does: 'focus', field: 'recipient', mends: true},
    true,
    false,
  ],
  [
    'an address of the page',
    problem('confirm-refund', 'refundAddress', 'press'),
    {does: 'confirm', what: 'refundAddress'},
    true,
    true,
  ],
  [
    'a pair without a route',
    problem('no-route', 'to', 'press', {instead: {from: WBTC, to: OTHER_WBTC}}),
    {does: 'take', pair: {from: WBTC, to: OTHER_WBTC}},
    true,
    true,
  ],
  ['no other pair either', problem('no-route', 'to', 'press'), {does: 'choose', side: 'receive'}, true, true],
  ['one asset twice', problem('same-asset', 'to', 'press'), {does: 'choose', side: 'receive'}, true, true],
  [
    'a wallet’s address of another network',
    problem('not-an-address', 'account', 'correct'),
    {does: 'connect'},
    true,
    false,
  ],
  [
    'a name that could not be read',
    problem('name-unread', 'recipient', 'press'),
    {does: 'confirm', what: 'recipient'},
    true,
    true,
  ],
  ['no connection', problem('offline', 'amount', 'wait'), {does: 'wait'}, false, false],
  ['an address that is looked up', problem('checking-address', 'recipient', 'wait'), {does: 'wait'}, false, false],
  ['an amount that is looked up', problem('finding-amount', 'amount', 'wait'), {does: 'wait'}, false, false],
];

describe('the form’s button', () => {
  for (const [what, given, deed, available, decision] of DEEDS) {
    it(`has one deed for ${what}, whatever the price is`, () => {
      for (const price of [PRICE, {quote: idle}, {quote: pending()}, {quote: failed(new SwapError('timeout'))}]) {
        const found = deedOf({...price, problem: given});
        expect(found).to.deep.equal(deed);
        expect([isAvailable(found), isDecision(found)]).to.deep.equal([available, decision]);
      }
    });
  }

  it('reviews an offer, asks again for a price that failed, and waits for one that is pending', () => {
    expect(deedOf(PRICE)).to.deep.equal({does: 'review'});
    expect(deedOf({quote: failed(new SwapError('timeout')), offer: 'of before'})).to.deep.equal({
      does: 'ask-again',
    });
    for (const quote of [idle, pending()]) expect(deedOf({quote})).to.deep.equal({does: 'wait'});
    expect([isAvailable({does: 'ask-again'}), isDecision({does: 'review'})]).to.deep.equal([true, false]);
  });
});
