/**
 * A thief's responses, one line each: the name of the lie, and what the thief would gain by it. What is signed, and the
 * order as read, are lied about in `chains/*-check`, and of unknown contracts in `facts.ts`; here is the rest. In `benign`
 * is what a wallet gets in other forms: those swaps have to complete. Other forms of an answer are read in `api/schema`.
 */
import type {ChainFamily} from '../../src/domain/asset.js';
import type {FundWay} from '../../src/domain/deposit.js';
import type {Json} from '../sandbox/client.js';
import type {Case} from './judge.js';
import {at, big, hex, inDomain, inMessage, inQuote, inSide, inTransaction, priced, THIEF, times} from './lies.js';
import {both, type Lie} from './man.js';

type Line = readonly [name: string, gain: string, lie: Lie, way?: FundWay];
const attacks = (lines: readonly Line[]): Case[] =>
  lines.map(([name, gain, lie, way]) => ({name, gain, lie, ...(way && {way})}));
const benign = (lines: readonly (readonly [name: string, lie: Lie, way?: FundWay])[]): Case[] =>
  lines.map(([name, lie, way]) => ({name, lie, ...(way && {way})}));

/* -- what no check in `chains/*-check` meets: parts of an answer that are not the payment's, and prices -------------------- */

const BESIDE: readonly Case[] = attacks([
  [
    'an approval of the token',
    'all of the token',
    {
      order: result =>
        void Object.assign(result, {
          approval_transaction: {
            ...at(result, 'transaction'),
            data: `0x095ea7b3${THIEF.evm.slice(2).padStart(64, '0')}${'f'.repeat(64)}`,
          },
        }),
    },
  ],
  ['an absurd gas limit', 'the fee', inTransaction(() => ({gas_limit: hex(2n ** 60n)})), 'transaction'],
]);

const QUOTE: readonly Case[] = attacks([
  ['a price ten times as good', 'an order at another price', priced('destination', amount => times(amount, 10n))],
  [
    'a worse price for the order than for the review',
    'the difference',
    priced('destination', (amount, turn) => String(big(amount) / (turn > 0 ? 2n : 1n))),
  ],
  ['a larger source amount', 'the difference', priced('source', amount => times(amount, 2n))],
  ['another source asset', 'the difference', inSide('source', () => ({asset: 'base_sepolia:usdc'}))],
  ['another destination asset', 'the difference', inSide('destination', () => ({asset: 'base_sepolia:usdt'}))],
  ['another solver', 'nothing: the same terms', inQuote(() => ({solver_id: '0xthief'}))],
]);

/** The typed amount to receive, in the units of all pairs' destinations. */
const RECEIVE = '0.0009';
/** A typed amount to receive has to arrive: no price may reduce it, or change the displayed amount to pay. */
const RECEIVING: readonly Case[] = attacks([
  [
    'a price that falls with each request',
    'the difference',
    priced('destination', (amount, turn) => String((big(amount) * BigInt(1000 - 3 * Math.min(turn, 300))) / 1000n)),
  ],
  ['the same payout for any amount', 'the whole balance, for the typed amount', priced('destination', () => '89999')],
  ['exactly the typed amount for any payment', 'an order at another price', priced('destination', () => '90000')],
]).map(test => ({...test, name: `typed amount to receive: ${test.name}`, receive: RECEIVE}));

/** What a thief gains nothing by, for each family. */
export const ATTACKS: Readonly<Record<ChainFamily, readonly Case[]>> = {
  bitcoin: [...QUOTE, ...RECEIVING],
  evm: [...BESIDE, ...QUOTE, ...RECEIVING],
  solana: [...QUOTE, ...RECEIVING],
  starknet: [...QUOTE, ...RECEIVING],
};

/* -- harmless variations ------------------------------------------------------------------------------------------- */

const upper = (text: Json | undefined) => `0x${String(text).slice(2).toUpperCase()}`;

const EVERYWHERE: readonly Case[] = [
  {name: 'unchanged', lie: {}},
  {name: 'unchanged, with a typed amount to receive', receive: RECEIVE},
];

/** What has to complete on each family, with every way to pay. */
export const BENIGN: Readonly<Record<ChainFamily, readonly Case[]>> = {
  bitcoin: EVERYWHERE,
  evm: [
    ...EVERYWHERE,
    ...benign([
      ['unchanged, by transaction', {}, 'transaction'],
      [
        'upper-case hex',
        both(
          inTransaction(({to, data}) => ({to: upper(to), data: upper(data)})),
          inDomain(({verifyingContract}) => ({verifyingContract: upper(verifyingContract)})),
          inMessage(({redeemer, secretHash, amount}) => ({
            redeemer: upper(redeemer),
            secretHash: upper(secretHash),
            amount: upper(amount),
          })),
        ),
      ],
      [
        'upper-case hex, by transaction',
        inTransaction(({to, data}) => ({to: upper(to), data: upper(data)})),
        'transaction',
      ],
    ]),
  ],
  solana: EVERYWHERE,
  starknet: [
    ...EVERYWHERE,
    ...benign([
      ['unchanged, by transaction', {}, 'transaction'],
      [
        'addresses with leading zeros',
        inTransaction(({to, calldata}) => ({
          to: `0x${String(to).slice(2).padStart(64, '0')}`,
          calldata: (calldata as string[]).map(one => `0x${one.slice(2).padStart(64, '0')}`),
        })),
        'transaction',
      ],
      [
        'upper-case hex',
        inTransaction(({to, selector}) => ({to: upper(to), selector: upper(selector)})),
        'transaction',
      ],
    ]),
  ],
};
