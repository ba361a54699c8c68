/** Where each lie is told: once, in the room where it costs least. A lie that no suite tells fails here. */
import {readFileSync} from 'node:fs';
import type {CheckName} from '../../src/domain/deposit.js';
import {expect} from '../support/expect.js';

/** A suite, and the words of it by which the lie is found there. */
type Place = readonly [suite: string, words: string];

/** A lie that a check has to see is a line of a table `LIES`, beside the checks that it fails. */
const inTable = (...suites: readonly string[]) => suites.map((suite): Place => [`chains/${suite}-check`, 'LIES']);
const CONTRACTS = ['token-htlc', 'solana'] as const;

const OF_CHECKS: Readonly<Record<CheckName, readonly Place[]>> = {
  amount: inTable('bitcoin', ...CONTRACTS),
  chain: inTable('bitcoin', 'evm', 'token-htlc'),
  contract: inTable('evm', 'solana'),
  code: inTable('evm'),
  token: inTable('evm', 'solana'),
  call: inTable(...CONTRACTS),
  script: inTable('bitcoin'),
  same: inTable('token-htlc', 'starknet'),
  value: inTable('solana'),
  order: inTable('bitcoin', ...CONTRACTS),
  secret: inTable('bitcoin', ...CONTRACTS),
  timelock: inTable('bitcoin', ...CONTRACTS),
  refund: inTable('bitcoin', ...CONTRACTS),
  redeemer: [['chains/checks', 'redeemer']],
  'typed-data': [['chains/token-htlc-check', 'STRANGE']],
  fresh: [['session/order/witness', 'an order that reuses another one’s data']],
};

/** What a service may say that no check of a payment sees. */
const OTHERS: Readonly<Record<string, Place>> = {
  'a part that nobody paid': ['domain/evidence', 'in is what the source chain holds, whatever the service says'],
  'a payment of an address that was not shown': ['domain/evidence', 'in is nobody’s word while its address'],
  'a payout that is not tied to the order': ['domain/evidence', 'out is only proved by what is tied to the order'],
  'a payout while the payment is held': ['domain/evidence', 'out is denied while the payment is seen to be held'],
  'a refund while the payment is held': ['domain/evidence', 'back is denied while the contract holds the money'],
  'a refund right that has ended': ['domain/story', 'never ends on the service’s word'],
  'others’ real transactions': ['hostile/others', 'as anything'],
  'an end while a read fails or is late': ['hostile/unreadable', 'while any one read fails'],
  'an end in one response': ['session/order/lies', 'does not remain on the'],
  'an end that is taken back': ['session/order/tracking', 'moves back on a valid response'],
  'an end that was kept, and is taken back': ['domain/story', 'does not move back while a chain read'],
  'a signature that was refused, and is used': ['hostile/claims', 'rejected with a message, and still used'],
  'other terms after the payment': ['session/order/faults', 'of a paid order: it is reported once'],
  'other fees': ['session/order/fees', 'are reported once if the service'],
  'other terms before the payment': ['session/order/faults', 'of an unpaid order: the swap stops'],
  'another price': ['hostile/payloads', 'a worse price for the order than for the review'],
  'another price for a typed amount': ['session/receive', 'no order is placed for less'],
  'what always stops, in every way to it': ['session/order/never-payable', 'is never payable'],
  'an id that is none': ['session/order/faults', 'A new order whose id is none'],
  'a contract of its own': ['hostile/once', 'thief'],
  'all of the sandbox’s, on an EVM chain and Starknet': ['chains/token-htlc-chain', 'paid by no wallet'],
  'all of the sandbox’s, on Solana': ['chains/solana-chain', 'paid by no wallet'],
};

/** The name of a lie, as it is written before the checks that it fails. */
const TITLE = /^ {2}\['[^']*'|^ {4}'[^']*',$/gm;

const textOf = (suite: string) => {
  const read = (ending: string) => readFileSync(`test/${suite}${ending}`, 'utf8');
  try {
    return read('.test.ts');
  } catch {
    return read('.ts');
  }
};

describe('a lie that a check has to see', () => {
  for (const [check, places] of Object.entries(OF_CHECKS))
    it(`is told: ${check}`, () => {
      for (const [suite, words] of places) {
        const [, told] = textOf(suite).split(words === 'LIES' ? /^const LIES:/m : words);
        expect(told, `${suite} has no “${words}”`).to.be.a('string');
        if (words !== 'LIES') continue;
        const table = told!.slice(0, told!.search(/^\];$/m));
        const isNamed = new RegExp(`'${check}'`).test(table.replace(TITLE, ''));
        expect(isNamed, `${suite} tells no lie that only “${check}” sees`).to.equal(true);
      }
    });
});

describe('any other lie', () => {
  for (const [lie, [suite, words]] of Object.entries(OTHERS))
    it(`is told: ${lie}`, () => {
      expect(textOf(suite), suite).to.contain(words);
    });
});
