/** What is said at an amount: why it cannot be used, what to mind, or a hint. */
import {expect} from '../../support/expect.js';
import type {Asset} from '../../../src/domain/asset.js';
import type {Problem} from '../../../src/domain/draft.js';
import {amountNote, isHint, type AmountFacts, type AmountRemark} from '../../../src/domain/form/notes.js';
import type {QuoteRequest} from '../../../src/domain/quote.js';

const ASSET = {id: 'base:usdc', symbol: 'USDC', decimals: 6} as Partial<Asset> as Asset;
const request = (amount: bigint): QuoteRequest => ({from: ASSET, to: ASSET, amount, affiliateBps: 0});
const problem = (code: Problem['code'], more: Partial<Problem> = {}): Problem => ({
  code,
  field: 'amount',
  remedy: 'correct',
  ...more,
});
const LIMITS = {min: 10n, max: 90n};
const USUAL: AmountRemark = {code: 'usual-amounts', ...LIMITS};

const facts = (more: Partial<AmountFacts>): AmountFacts => ({
  side: 'pay',
  text: '',
  asset: ASSET,
  request: request(50n),
  problem: undefined,
  balance: undefined,
  reserve: 0n,
  limits: undefined,
  isLocked: false,
  ...more,
});

const NOTES: readonly (readonly [what: string, given: Partial<AmountFacts>, note: AmountRemark | undefined])[] = [
  ['an amount that is right', {balance: 50n, limits: LIMITS}, undefined],
  ['text that is no amount', {text: '1x', request: problem('not-a-number')}, {code: 'not-a-number'}],
  [
    'text that may mean two',
    {text: '1,250', request: problem('not-a-number')},
    {code: 'ambiguous', readings: ['1250', '1.25'], isOffered: true},
  ],
  [
    'such text of the page’s own',
    {text: '1,250', request: problem('not-a-number'), isLocked: true},
    {code: 'ambiguous', readings: ['1250', '1.25'], isOffered: false},
  ],
  [
    'too many decimals',
    {text: '1.1234567', request: problem('too-many-decimals')},
    {code: 'too-many-decimals', use: 1_123_456n},
  ],
  [
    'nothing but such decimals',
    {text: '0.0000001', request: problem('too-many-decimals')},
    {code: 'too-many-decimals'},
  ],
  [
    'such decimals that the button takes off',
    {text: '1.1234567', request: problem('too-many-decimals'), problem: problem('too-many-decimals', {use: 1n})},
    {code: 'too-many-decimals'},
  ],
  [
    'such decimals of the page’s own',
    {text: '1.1234567', request: problem('too-many-decimals'), isLocked: true},
    {code: 'too-many-decimals'},
  ],
  [
    'a fault of the other amount',
    {text: '1x', request: problem('not-a-number', {field: 'receive'}), limits: LIMITS},
    undefined,
  ],
  ['an amount that no service takes', {problem: problem('amount-range')}, {code: 'amount-range'}],
  [
    'less than the service takes',
    {problem: problem('amount-range', {use: 60n})},
    {code: 'amount-range', bound: 'least', amount: 60n},
  ],
  [
    'more than the service takes',
    {problem: problem('amount-range', {use: 40n})},
    {code: 'amount-range', bound: 'most', amount: 40n},
  ],
  ['more than there is', {balance: 49n, problem: problem('not-enough')}, {code: 'not-enough', has: 49n}],
  [
    'more than there is, beside something else',
    {balance: 49n, problem: problem('connect')},
    {code: 'has-less', has: 49n},
  ],
  ['all, with nothing for the fee', {balance: 50n, reserve: 3n}, {code: 'keep-for-fee', reserve: 3n, use: 47n}],
  ['all of too little for a fee', {balance: 50n, reserve: 50n}, {code: 'keep-for-fee', reserve: 50n}],
  ['all, of the page’s own', {balance: 50n, reserve: 3n, isLocked: true}, {code: 'keep-for-fee', reserve: 3n}],
  ['all but the fee', {balance: 53n, reserve: 3n, limits: LIMITS}, {code: 'stays-for-fee', reserve: 3n}],
  ['less than all but the fee', {balance: 54n, reserve: 3n, limits: LIMITS}, undefined],
  ['no amount yet', {request: problem('enter-amount'), limits: LIMITS}, USUAL],
  ['no amount to receive yet', {request: problem('enter-amount', {field: 'receive'}), limits: LIMITS}, USUAL],
  ['no pair yet', {request: problem('choose-to', {field: 'to'}), limits: LIMITS}, undefined],
  ['less than is usual', {request: request(9n), balance: 100n, limits: LIMITS}, USUAL],
  ['the usual least', {request: request(10n), limits: LIMITS}, undefined],
  ['the usual most', {request: request(90n), limits: LIMITS}, undefined],
  ['more than is usual', {request: request(91n), limits: LIMITS}, USUAL],
  ['no limits', {request: request(9n)}, undefined],
  ['an amount to receive', {side: 'receive', request: request(9n), balance: 1n, limits: LIMITS}, undefined],
  [
    'text that is no amount to receive',
    {side: 'receive', text: '1x', request: problem('not-a-number', {field: 'receive'})},
    {code: 'not-a-number'},
  ],
  [
    'no amount to receive',
    {side: 'receive', request: problem('enter-amount', {field: 'receive'}), limits: LIMITS},
    undefined,
  ],
];

describe('what is said at an amount', () => {
  for (const [what, given, note] of NOTES) {
    it(`of ${what}: ${note?.code ?? 'nothing'}`, () => {
      expect(amountNote(facts(given))).to.deep.equal(note);
    });
  }

  it('is a hint or a fault', () => {
    const hints = NOTES.flatMap(([, , note]) => (note && isHint(note) ? [note.code] : []));
    expect([...new Set(hints)]).to.deep.equal(['stays-for-fee', 'usual-amounts']);
  });
});
