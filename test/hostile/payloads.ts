/**
 * A thief's responses, one line each: the name of the lie, and what the thief would gain by it. What is signed, and the
 * order as read, are lied about in `chains/*-check`, and of unknown contracts in `facts.ts`; here is the rest. In `benign`
 * are a service's legitimate variations: those swaps have to complete.
 */
import type {ChainFamily} from '../../src/domain/asset.js';
import type {FundWay} from '../../src/domain/deposit.js';
import type {Fields, Json} from '../sandbox/client.js';
import type {Case} from './judge.js';
import {
  at,
  big,
  HASH,
  hex,
  inBytes,
  inDomain,
  inLeg,
  inMessage,
  inOrder,
  inQuote,
  inRead,
  inSide,
  inTransaction,
  priced,
  THIEF,
  times,
} from './lies.js';
import {both, type Lie} from './man.js';

type Line = readonly [name: string, gain: string, lie: Lie, way?: FundWay];
const attacks = (lines: readonly Line[]): Case[] =>
  lines.map(([name, gain, lie, way]) => ({name, gain, lie, ...(way && {way})}));
const benign = (lines: readonly (readonly [name: string, lie: Lie, way?: FundWay])[]): Case[] =>
  lines.map(([name, lie, way]) => ({name, lie, ...(way && {way})}));

/* -- what no check in `chains/*-check` meets: parts of an answer that are not the payment's ------------------------------ */

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

const NAMES: readonly Case[] = attacks([
  ['another order’s id', 'a read of another order', inRead(() => ({order_id: HASH}))],
  ['an id that is a path', 'the response of another URL', inOrder([], () => ({order_id: '../quote?x='}))],
  ['an id that every object has', 'the value under that name', inOrder([], () => ({order_id: '__proto__'}))],
  [
    'an id in upper case',
    'a second entry for one order',
    inOrder([], ({order_id}) => ({order_id: String(order_id).toUpperCase()})),
  ],
  [
    'both legs swapped',
    'a check of the wrong side',
    {
      read: order => {
        [order.source_swap, order.destination_swap] = [order.destination_swap, order.source_swap];
      },
    },
  ],
  ['a deadline in a thousand years', 'a late payment', inRead(() => ({deadline: '3025-01-01T00:00:00Z'}))],
]);

const QUOTE: readonly Case[] = attacks([
  ['a price ten times as good', 'an order at another price', priced('destination', amount => times(amount, 10n))],
  ['a zero price', 'the payment', priced('destination', () => '0')],
  [
    'a worse price for the order than for the review',
    'the difference',
    priced('destination', (amount, turn) => String(big(amount) / (turn > 0 ? 2n : 1n))),
  ],
  ['a larger source amount', 'the difference', priced('source', amount => times(amount, 2n))],
  ['another source asset', 'the difference', inSide('source', () => ({asset: 'base_sepolia:usdc'}))],
  ['another destination asset', 'the difference', inSide('destination', () => ({asset: 'base_sepolia:usdt'}))],
  ['a negative amount', 'whatever wraps round', inSide('destination', () => ({amount: '-1'}))],
  ['an amount with an exponent', 'whatever wraps round', inSide('destination', () => ({amount: '1e30'}))],
  [
    'a larger amount than its text says',
    'the difference',
    inSide('destination', ({amount}) => ({amount: times(amount, 2n)})),
  ],
  [
    'another amount in the displayed text',
    'the number that people read',
    inSide('destination', () => ({display: '1000000'})),
  ],
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
  [
    'a price that falls a little with each request',
    'the difference',
    priced('destination', (amount, turn) =>
      String((big(amount) * BigInt(100_000 - 20 * Math.min(turn, 300))) / 100_000n),
    ),
  ],
  [
    'every second price is half',
    'the difference',
    priced('destination', (amount, turn) => String(big(amount) / (turn % 2 ? 2n : 1n))),
  ],
  [
    'every second price is twice as good',
    'an order at another price',
    priced('destination', (amount, turn) => times(amount, turn % 2 ? 2n : 1n)),
  ],
  [
    'a price that is a third better',
    'an order at another price',
    priced('destination', amount => String((big(amount) * 4n) / 3n)),
  ],
  ['the same payout for any amount', 'the whole balance, for the typed amount', priced('destination', () => '89999')],
  ['exactly the typed amount for any payment', 'an order at another price', priced('destination', () => '90000')],
  ['a zero price', 'an endless search', priced('destination', () => '0')],
  [
    'an order for one unit less',
    'the difference',
    inLeg('destination_swap', ({amount}) => ({amount: String(big(amount) - 1n)})),
  ],
]).map(test => ({...test, name: `typed amount to receive: ${test.name}`, receive: RECEIVE}));

/** What a thief gains nothing by, for each family. */
export const ATTACKS: Readonly<Record<ChainFamily, readonly Case[]>> = {
  bitcoin: [...NAMES, ...QUOTE, ...RECEIVING],
  evm: [...BESIDE, ...NAMES, ...QUOTE, ...RECEIVING],
  solana: [...NAMES, ...QUOTE, ...RECEIVING],
  starknet: [...NAMES, ...QUOTE, ...RECEIVING],
};

/* -- harmless variations ------------------------------------------------------------------------------------------- */

const upper = (text: Json | undefined) => `0x${String(text).slice(2).toUpperCase()}`;
const later = (result: Fields): Fields => {
  const {transaction, ...rest} = result;
  return {...rest, initiate_transaction: transaction ?? null, approval_transaction: null};
};

const EVERYWHERE: readonly Case[] = [
  {name: 'unchanged, with a typed amount to receive', receive: RECEIVE},
  ...benign([
    ['unchanged', {}],
    [
      'unknown fields everywhere',
      {
        quote: quotes => quotes.map(quote => ({...quote, new_field: {a: [1, 2]}})),
        order: result => ({...result, new_field: ['x']}),
        read: order => ({...order, new_field: null, source_swap: {...order.source_swap, other: 1}}),
      },
    ],
    [
      'null instead of absent',
      {
        read: order => {
          for (const leg of [order.source_swap, order.destination_swap]) {
            for (const name of [
              'initiate_tx_hash',
              'redeem_tx_hash',
              'refund_tx_hash',
              'secret',
              'filled_amount',
              'delegate',
              'asset_price',
            ]) {
              if (!leg[name] || leg[name] === '0') leg[name] = null;
            }
          }
        },
      },
    ],
    [
      'optional fields omitted',
      {
        read: order => {
          for (const leg of [order.source_swap, order.destination_swap]) {
            for (const name of [
              'created_at',
              'asset_price',
              'initiate_timestamp',
              'redeem_timestamp',
              'refund_timestamp',
              'delegate',
            ]) {
              if (name !== 'delegate' || leg[name] == null) Reflect.deleteProperty(leg, name);
            }
          }
          for (const name of ['affiliate_fees', 'integrator', 'nonce', 'version']) Reflect.deleteProperty(order, name);
        },
      },
    ],
    [
      'numbers as text and text as numbers',
      {
        quote: quotes => {
          for (const quote of quotes)
            Object.assign(at(quote, 'destination'), {amount: Number(at(quote, 'destination')['amount'])});
        },
        read: order => {
          for (const leg of [order.source_swap, order.destination_swap]) leg['timelock'] = String(leg['timelock']);
        },
      },
    ],
    [
      'secret hashes with a prefix and in upper case',
      {
        read: order => {
          for (const leg of [order.source_swap, order.destination_swap])
            leg['secret_hash'] = `0x${String(leg['secret_hash']).toUpperCase()}`;
        },
      },
    ],
  ]),
];

/** What has to complete on each family, with every way to pay. */
export const BENIGN: Readonly<Record<ChainFamily, readonly Case[]>> = {
  bitcoin: [
    ...EVERYWHERE,
    ...benign([
      ['the amount as a number', inOrder([], ({amount}) => ({amount: Number(amount)}))],
      ['the address in upper case', inOrder([], ({to}) => ({to: String(to).toUpperCase()}))],
    ]),
  ],
  evm: [
    ...EVERYWHERE,
    ...benign([
      ['unchanged, by transaction', {}, 'transaction'],
      ['the later format', {order: later}],
      ['the later format, by transaction', {order: later}, 'transaction'],
      ['no typed data', inOrder([], () => ({typed_data: null}))],
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
      ['no value, no gas limit', inTransaction(() => ({value: null, gas_limit: null})), 'transaction'],
      [
        'numbers for numbers',
        both(
          inTransaction(({chain_id}) => ({chain_id: hex(big(chain_id)), value: 0})),
          inDomain(({chainId}) => ({chainId: Number(chainId)})),
        ),
      ],
      ['decimal chain id', inDomain(({chainId}) => ({chainId: big(chainId).toString()}))],
    ]),
  ],
  solana: [
    ...EVERYWHERE,
    ...benign([
      ['base64', inBytes(text => (/^[0-9a-f]+$/i.test(text) ? Buffer.from(text, 'hex').toString('base64') : text))],
      ['upper-case hex', inBytes(text => (/^[0-9a-f]+$/i.test(text) ? text.toUpperCase() : text))],
    ]),
  ],
  starknet: [
    ...EVERYWHERE,
    ...benign([
      ['unchanged, by transaction', {}, 'transaction'],
      ['the later format', {order: later}],
      ['no typed data', inOrder([], () => ({typed_data: null}))],
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
