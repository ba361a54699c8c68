/** What an EVM wallet's answers are read as, form by form. What is done with them is in `evm-fund` and `evm-calls`. */
import {expect} from '../support/expect.js';
import * as answers from '../../src/chains/evm/answers.js';
import {STRANGER} from '../support/evm-deal.js';
import {OWNER} from '../support/evm-ledger.js';

const HASH = `0x${'Ab'.repeat(32)}`;
const [SHORT, LONG, ID] = [`0x${'ab'.repeat(64)}`, `0x${'ab'.repeat(200)}`, 'f'.repeat(256)];
const SENT = {state: 'sent', hash: HASH, value: HASH};
const at = (key: string, status: unknown) => ({[key]: {atomic: {status}}});
const receipts = [{transactionHash: `0x${'1'.repeat(64)}`}, {transactionHash: HASH}];
const [TAKEN, FAILED] = ['taken', 'failed'].map(state => ({state, hash: undefined}));
const NOTHING = [null, undefined, {}, [], '0xzz'] as const;

const chainId = (answer: unknown) => answers.chainIdIn(answer) > 0 && answers.chainIdIn(answer);
const isAtomic = (answer: unknown) => answers.isAtomicIn(answer, 11155111);
const hash = (answer: unknown) => answers.hashIn('send', answer);
const {addressIn: account, signatureIn: signature, callsIn: calls, callsStateIn: status} = answers;

/** A reader, what it reads or the code of its error, and the answers that it reads so. */
const TABLE: readonly (readonly [of: string, read: (answer: unknown) => unknown, is: unknown, said: unknown[]])[] = [
  ['a chain’s id', chainId, 84532, ['0x14a34', '0x14A34', '84532', 84532]],
  ['no chain’s id', chainId, false, [...NOTHING, '', 0]],
  ['an account', account, OWNER, [[OWNER], [OWNER.toLowerCase(), STRANGER]]],
  ['no account', account, undefined, [...NOTHING, OWNER, 'text', [5], ['0x12'], [`${OWNER}0`], [null, OWNER]]],
  ['atomic', isAtomic, true, ['0xaa36a7', '0xAA36A7', '0x00aa36a7', '0x0'].map(key => at(key, 'ready'))],
  ['atomic here', isAtomic, true, [{...at('0x0', 'no'), ...at('0xaa36a7', 'supported')}]],
  ['not atomic here', isAtomic, false, [{...at('0x0', 'ready'), ...at('0xaa36a7', 'no')}, at('0x1', 'supported')]],
  ['not atomic', isAtomic, false, [...NOTHING, 'supported', at('0xaa36a7', 'unsupported'), at('0xaa36a7', true)]],
  ['an earlier form', isAtomic, false, [{'0xaa36a7': {atomicBatch: {supported: true}}}, at('', 'ready')]],
  ['a hash', hash, SENT, [HASH, HASH.slice(2), ` ${HASH}\n`, {hash: '0x1', transaction_hash: HASH}]],
  ['a bridge’s hash', hash, SENT, [{hash: HASH}, {result: HASH}, {transactionHash: HASH}]],
  ['no hash', hash, 'wallet-unclear', [...NOTHING, '', '0x', '0x1', `${HASH}0`, [HASH], {data: HASH}, 5, true]],
  ['a signature', signature, `${SHORT}1b`, [`${SHORT}00`, `${SHORT}1b`]],
  ['a signature of the other parity', signature, `${SHORT}1c`, [`${SHORT}01`, `${SHORT}1c`]],
  ['a short signature', signature, SHORT, [SHORT]],
  ['a long signature', signature, `${LONG}00`, [`${LONG}00`]],
  ['an account that cannot sign', signature, '0x', ['0x']],
  ['no signature', signature, 'wallet-unclear', [...NOTHING, '', SHORT.slice(0, -2), `${SHORT}0`, SHORT.slice(2)]],
  ['an id of calls', calls, {state: 'sent', calls: ID, value: ID}, [{id: ID}]],
  ['no id of calls', calls, 'wallet-unclear', [...NOTHING, {id: 7}, {id: ''}, {id: `${ID}f`}]],
  ['calls taken', status, TAKEN, [100, 110, 200, 399, '100', '0x64', 600, 699].map(code => ({status: code}))],
  ['calls taken, no hash', status, TAKEN, [[null], 'text', []].map(odd => ({status: 200, receipts: odd}))],
  ['calls failed', status, FAILED, [400, 404, 499, 500, 599].map(code => ({status: code, receipts: [{}]}))],
  [
    'calls in a block',
    status,
    {...TAKEN, hash: HASH.toLowerCase()},
    [200, 500].map(code => ({status: code, receipts})),
  ],
  ['no status of calls', status, 'unreadable', [...NOTHING, 700, {status: 700}, {status: 99}, {status: 'PENDING'}]],
];

describe('an EVM wallet’s answer', () => {
  for (const [of, read, is, said] of TABLE) {
    it(`is read as ${of}: ${JSON.stringify(said).slice(0, 60)}`, () => {
      for (const answer of said) {
        let found: unknown;
        try {
          found = read(answer);
        } catch (error) {
          found = (error as {code?: string}).code ?? 'unreadable';
        }
        expect(found, JSON.stringify(answer)).to.deep.equal(is);
      }
    });
  }
});
