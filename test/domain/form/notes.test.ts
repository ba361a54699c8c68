/** What is said at the fields of the form: why a text cannot be used, what to mind, what is asked, or a hint. */
import {expect} from '../../support/expect.js';
import type {Asset, Catalogue} from '../../../src/domain/asset.js';
import {EMPTY, type Problem, type Side} from '../../../src/domain/draft.js';
import {notesOf, warningsOf, type AmountRemark, type NoteFacts} from '../../../src/domain/form/notes.js';
import type {AmountLimits, QuoteRequest} from '../../../src/domain/quote.js';

const ASSET = {id: 'base:usdc', symbol: 'USDC', decimals: 6} as Partial<Asset> as Asset;
const request = (amount: bigint): QuoteRequest => ({from: ASSET, to: ASSET, amount, affiliateFees: []});
const problem = (code: Problem['code'], more: object = {}) =>
  ({code, field: 'amount', remedy: 'correct', ...more}) as Problem;
const finding = (asset: Asset) => ({find: () => asset}) as Partial<Catalogue> as Catalogue;
const LIMITS = {min: 10n, max: 90n};

/** A note without its level, which follows from its code. */
type Said<Remark = AmountRemark> = Remark extends unknown ? Omit<Remark, 'level'> : never;
const USUAL: Said = {code: 'usual-amounts', ...LIMITS};

/** What is given of the side that is paid, or of the other. */
interface Given extends Partial<Pick<NoteFacts, 'request' | 'problem' | 'balance' | 'reserve'>> {
  readonly side?: Side;
  readonly text?: string;
  readonly limits?: AmountLimits;
  readonly isLocked?: boolean;
}

const facts = ({side = 'pay', text = '', limits, isLocked, ...more}: Given): NoteFacts => ({
  draft: {...EMPTY, from: ASSET.id, to: ASSET.id, [side === 'pay' ? 'amount' : 'receive']: text},
  page: {catalogue: finding(ASSET), prefill: {}, ...(isLocked && {locked: ['amount']})},
  request: request(50n),
  problem: undefined,
  wrong: {},
  balance: undefined,
  reserve: 0n,
  limits: limits ? {[ASSET.id]: limits} : {},
  ...more,
});

const NOTES: readonly (readonly [what: string, given: Given, note: Said | undefined])[] = [
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
  ['more than there is', {balance: 49n, problem: problem('not-enough')}, {code: 'not-enough', has: 49n, missing: 1n}],
  [
    'more than there is, beside something else',
    {balance: 49n, reserve: 3n, problem: problem('connect')},
    {code: 'has-less', has: 49n, missing: 4n},
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
  const levels: Partial<Record<AmountRemark['code'], AmountRemark['level']>> = {
    'keep-for-fee': 'mind',
    'stays-for-fee': 'hint',
    'usual-amounts': 'hint',
  };
  for (const [what, given, note] of NOTES) {
    it(`of ${what}: ${note?.code ?? 'nothing'}`, () => {
      const found = notesOf(facts(given))[given.side === 'receive' ? 'receive' : 'amount'];
      expect(found).to.deep.equal(note && {level: levels[note.code] ?? 'fault', ...note});
    });
  }
});

describe('what is said at an address', () => {
  const EVM = {...ASSET, chain: {family: 'evm'}} as Asset;
  const wrong = {code: 'not-an-address', field: 'recipient', remedy: 'correct'} as const;
  const given = (recipient: string, more: Partial<NoteFacts> = {}): NoteFacts => {
    const all = facts({});
    const draft = {...all.draft, recipient};
    return {...all, draft, page: {...all.page, catalogue: finding(EVM)}, ...more};
  };
  const ADDRESS = `0x${'ab'.repeat(20)}`;
  const NAME = {name: 'a.eth', fault: 'off'} as const;

  for (const [what, typed, problem, fault] of [
    ['text', 'hello', wrong, {code: 'not-an-address', typed: 'hello'}],
    ['another length', ADDRESS.slice(1), {...wrong}, {code: 'not-an-address', typed: ADDRESS.slice(1)}],
    ['a digit less', ADDRESS.slice(0, -1), wrong, {code: 'length', typed: ADDRESS.slice(0, -1), length: 42}],
    ['nobody’s', `0x${'0'.repeat(40)}`, wrong, {code: 'nobodys', typed: `0x${'0'.repeat(40)}`}],
    ['typed of elsewhere', 'x', {...wrong, network: 'B'}, {code: 'other-network', network: 'B', isTyped: true}],
    ['a wallet’s of elsewhere', '', {...wrong, network: 'B'}, {code: 'other-network', network: 'B', isTyped: false}],
    ['a name', 'a.eth', {...wrong, name: NAME}, {code: 'no-name', name: NAME}],
    ['a contract', ADDRESS, {...wrong, code: 'a-contract'}, {code: 'a-contract'}],
  ] as const) {
    it(`names its fault: ${what}`, () => {
      expect(notesOf(given(typed, {wrong: {recipient: problem}})).recipient).to.deep.equal(fault);
      expect(notesOf(given(typed)).recipient).to.equal(undefined);
    });
  }

  const confirm = {code: 'confirm-recipient', field: 'recipient', remedy: 'press'} as const;
  const READ = {name: 'a.eth', address: ADDRESS} as const;
  const page = (values: Partial<NoteFacts['page']>) => ({page: {...facts({}).page, ...values}});
  for (const [what, more, warning] of [
    ['of another', {problem: confirm}, {level: 'loss', why: 'other'}],
    ['of the page', {problem: confirm, ...page({prefill: {recipient: ADDRESS}})}, {level: 'loss', why: 'given'}],
    ['of a link', {problem: confirm, ...page({linked: {recipient: ADDRESS}})}, {level: 'loss', why: 'linked'}],
    ['of a contract', {problem: {...confirm, why: 'contract'}}, {level: 'loss', why: 'contract'}],
    ['of a name', {problem: {...confirm, name: READ}}, {level: 'caution', why: 'name', name: READ}],
    [
      'of no name',
      {problem: {...confirm, code: 'name-unread', name: NAME}},
      {level: 'caution', why: 'name-unread', name: NAME},
    ],
    ['like a used one', {lookalikes: {recipient: 'used'}}, {level: 'loss', used: 'used'}],
    [
      'of a name, like a used one',
      {problem: {...confirm, name: READ}, lookalikes: {recipient: 'used'}},
      {level: 'loss', why: 'name', name: READ, used: 'used'},
    ],
    ['that is the wallet’s', {}, undefined],
  ] as const) {
    it(`asks about one, or warns: ${what}`, () => {
      expect(warningsOf(given(ADDRESS, more)).recipient).to.deep.equal(warning);
    });
  }

  it('asks about a refund address that the page filled in', () => {
    const problem = {code: 'confirm-refund', field: 'refundAddress', remedy: 'press'} as const;
    expect(warningsOf(given(ADDRESS, {problem})).refundAddress).to.deep.equal({level: 'loss', why: 'filled-in'});
    expect(warningsOf(given(ADDRESS, {problem})).recipient).to.equal(undefined);
  });
});
