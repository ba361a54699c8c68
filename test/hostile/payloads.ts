/**
 * A thief's responses, one line each: the name of the lie, and what the thief would gain by it. In `benign` are a
 * service's legitimate variations: those swaps have to complete.
 */
import type {ChainFamily} from '../../src/domain/asset.js';
import type {FundWay} from '../../src/domain/deposit.js';
import type {Fields, Json} from '../sandbox/client.js';
import type {Case} from './judge.js';
import {
  THIEF,
  KEY,
  HASH,
  EVERYTHING,
  at,
  inOrder,
  inTransaction,
  inDomain,
  inMessage,
  inLeg,
  inRead,
  inQuote,
  inSide,
  priced,
  big,
  hex,
  times,
  wordOf,
  inCall,
  inFelts,
  inBytes,
} from './lies.js';
import {both, type Lie} from './man.js';

type Line = readonly [name: string, gain: string, lie: Lie, way?: FundWay];
const attacks = (lines: readonly Line[]): Case[] =>
  lines.map(([name, gain, lie, way]) => ({name, gain, lie, ...(way && {way})}));
const faults = (gains: Readonly<Record<string, string>>): Case[] =>
  Object.entries(gains).map(([kind, gain]) => ({name: `sandbox: ${kind}`, gain, faults: {hostile: {kind}}}));
const benign = (lines: readonly (readonly [name: string, lie: Lie, way?: FundWay])[]): Case[] =>
  lines.map(([name, lie, way]) => ({name, lie, ...(way && {way})}));

/* -- what each family signs -------------------------------------------------------------------------------------------- */

const more = (value: bigint) => hex(value * 2n);
const thiefInCall = inCall(0, () => THIEF.evm);
const thiefInMessage = inMessage(() => ({redeemer: THIEF.evm}));

const EVM: readonly Case[] = attacks([
  ['the redeemer in the call', 'the whole deposit', thiefInCall, 'transaction'],
  ['the redeemer in the message', 'the whole deposit', thiefInMessage],
  ['the redeemer in both', 'the whole deposit', both(thiefInCall, thiefInMessage)],
  ['the redeemer in both, by transaction', 'the whole deposit', both(thiefInCall, thiefInMessage), 'transaction'],
  [
    'the payer as redeemer',
    'a deposit that nobody pays for',
    both(
      inCall(0, () => EVERYTHING.slice(24)),
      inMessage(() => ({redeemer: `0x${EVERYTHING.slice(24)}`})),
    ),
  ],
  [
    'dirty bytes above the redeemer',
    'another redeemer, if a contract truncates',
    inCall(0, before => hex(before | (1n << 200n))),
    'transaction',
  ],
  ['twice the amount in the call', 'as much again', inCall(2, more), 'transaction'],
  ['twice the amount in the message', 'as much again', inMessage(({amount}) => ({amount: more(big(amount))}))],
  [
    'twice the amount in both',
    'as much again',
    both(
      inCall(2, more),
      inMessage(({amount}) => ({amount: more(big(amount))})),
    ),
  ],
  ['one unit more in the call', 'a unit a swap', inCall(2, before => hex(before + 1n)), 'transaction'],
  [
    'an amount of 2^256 - 1',
    'all of the token',
    both(
      inCall(2, () => EVERYTHING),
      inMessage(() => ({amount: `0x${EVERYTHING}`})),
    ),
  ],
  [
    'a zero amount',
    'a swap that is never served',
    both(
      inCall(2, () => '0'),
      inMessage(() => ({amount: '0x0'})),
    ),
  ],
  [
    'the amount in decimals in the message',
    'none, if it is the same number',
    inMessage(({amount}) => ({amount: big(amount).toString()})),
  ],
  ['an endless timelock in the call', 'a ransom for the deposit', inCall(1, () => hex(2n ** 64n)), 'transaction'],
  [
    'an endless timelock in both',
    'a ransom for the deposit',
    both(
      inCall(1, () => hex(2n ** 64n)),
      inMessage(() => ({timelock: hex(2n ** 64n)})),
    ),
  ],
  [
    'a timelock of 0',
    'a refund race',
    both(
      inCall(1, () => '0'),
      inMessage(() => ({timelock: '0x0'})),
    ),
  ],
  ['another secret hash in the call', 'a deposit that only the thief can open', inCall(3, () => HASH), 'transaction'],
  [
    'another secret hash in the message',
    'a deposit that only the thief can open',
    inMessage(() => ({secretHash: `0x${HASH}`})),
  ],
  [
    'another secret hash in both',
    'a deposit that only the thief can open',
    both(
      inCall(3, () => HASH),
      inMessage(() => ({secretHash: `0x${HASH}`})),
    ),
  ],
  [
    'a secret hash that is too short',
    'a hash that is padded to another',
    inMessage(({secretHash}) => ({secretHash: String(secretHash).slice(0, -2)})),
  ],
  ['the thief as contract of the call', 'the allowance', inTransaction(() => ({to: THIEF.evm})), 'transaction'],
  [
    'the thief as contract of both',
    'the allowance',
    both(
      inTransaction(() => ({to: THIEF.evm})),
      inDomain(() => ({verifyingContract: THIEF.evm})),
    ),
  ],
  [
    'the thief as verifying contract',
    'a signature for the contract of the thief',
    inDomain(() => ({verifyingContract: THIEF.evm})),
  ],
  ['no verifying contract', 'a signature for every contract', inDomain(() => ({verifyingContract: undefined}))],
  [
    'another chain in the call',
    'a payment where it is worth more',
    inTransaction(() => ({chain_id: 1})),
    'transaction',
  ],
  [
    'another chain in both',
    'a signature for mainnet',
    both(
      inTransaction(() => ({chain_id: 1})),
      inDomain(() => ({chainId: '0x1'})),
    ),
  ],
  ['no chain in the domain', 'a signature for every chain', inDomain(() => ({chainId: undefined}))],
  ['coins in addition to the token', 'an ether', inTransaction(() => ({value: '0xde0b6b3a7640000'})), 'transaction'],
  ['one wei in addition to the token', 'a wei', inTransaction(() => ({value: 1})), 'transaction'],
  [
    'an approval instead of the call',
    'all of the token',
    inTransaction(() => ({data: `0x095ea7b3${THIEF.evm.slice(2).padStart(64, '0')}${EVERYTHING}`})),
    'transaction',
  ],
  [
    'a transfer instead of the call',
    'the amount',
    inTransaction(({data}) => ({data: `0xa9059cbb${THIEF.evm.slice(2).padStart(64, '0')}${wordOf(data, 2)}`})),
    'transaction',
  ],
  [
    'an approval of the token',
    'all of the token',
    {
      order: result =>
        void Object.assign(result, {
          approval_transaction: {
            ...at(result, 'transaction'),
            data: `0x095ea7b3${THIEF.evm.slice(2).padStart(64, '0')}${EVERYTHING}`,
          },
        }),
    },
  ],
  [
    'another entry of the contract',
    'initiateOnBehalf, with another refund address',
    inTransaction(({data}) => ({data: `0x7929d59a${String(data).slice(10)}`})),
    'transaction',
  ],
  [
    'bytes after the call',
    'what another decoder reads there',
    inTransaction(({data}) => ({data: `${String(data)}${'00'.repeat(32)}`})),
    'transaction',
  ],
  ['half a call', 'what a node pads', inTransaction(({data}) => ({data: String(data).slice(0, -2)})), 'transaction'],
  ['no call at all', 'a plain payment', inTransaction(() => ({data: '0x'})), 'transaction'],
  ['an absurd gas limit', 'the fee', inTransaction(() => ({gas_limit: hex(2n ** 60n)})), 'transaction'],
  ['a permit as domain', 'the token by permit', inDomain(() => ({name: 'Permit2'}))],
  ['an unknown version', 'a signature for another contract', inDomain(() => ({version: '7'}))],
  ['a salt in the domain', 'a domain that checks read otherwise', inDomain(() => ({salt: `0x${HASH}`}))],
  ['a permit as primary type', 'the token by permit', inOrder(['typed_data'], () => ({primaryType: 'Permit'}))],
  [
    'one more field to sign',
    'a spender',
    {
      order: result => {
        (at(result, 'typed_data', 'types')['Initiate'] as Json[]).push({name: 'spender', type: 'address'});
        Object.assign(at(result, 'typed_data', 'message'), {spender: THIEF.evm});
      },
    },
  ],
  [
    'fields in another order',
    'another digest than the one shown',
    {order: result => void (at(result, 'typed_data', 'types')['Initiate'] as Json[]).reverse()},
  ],
  [
    'the amount as a smaller type',
    'an amount that overflows',
    {
      order: result =>
        void Object.assign((at(result, 'typed_data', 'types')['Initiate'] as Fields[])[2] ?? {}, {type: 'uint8'}),
    },
  ],
]);

const felt = (value: bigint) => hex(value);
const thiefInFelts = inFelts(0, () => THIEF.starknet);
const thiefInSnip = inMessage(() => ({redeemer: BigInt(THIEF.starknet).toString()}));
const moreInSnip = inMessage(({amount}) => ({amount: {...at(amount), low: more(big(at(amount)['low']))}}));
const nextWord = inFelts(11, before => felt((before + 1n) % 2n ** 32n));
const nextInSnip = inMessage(({secretHash}) => ({
  secretHash: (secretHash as number[]).map((one, index) => (index === 7 ? (one + 1) % 2 ** 32 : one)),
}));

const STARKNET: readonly Case[] = attacks([
  ['the redeemer in the call', 'the whole deposit', thiefInFelts, 'transaction'],
  ['the redeemer in the message', 'the whole deposit', thiefInSnip],
  ['the redeemer in both', 'the whole deposit', both(thiefInFelts, thiefInSnip)],
  ['twice the amount in the call', 'as much again', inFelts(2, more), 'transaction'],
  ['twice the amount in the message', 'as much again', moreInSnip],
  ['twice the amount in both', 'as much again', both(inFelts(2, more), moreInSnip)],
  [
    'a high half of the amount',
    '2^128 units',
    both(
      inFelts(3, () => '0x1'),
      inMessage(({amount}) => ({amount: {...at(amount), high: '0x1'}})),
    ),
  ],
  [
    'an endless timelock',
    'a ransom for the deposit',
    both(
      inFelts(1, () => felt(2n ** 64n)),
      inMessage(() => ({timelock: (2n ** 64n).toString()})),
    ),
  ],
  ['another secret hash in the call', 'a deposit that only the thief can open', nextWord, 'transaction'],
  ['another secret hash in the message', 'a deposit that only the thief can open', nextInSnip],
  ['another secret hash in both', 'a deposit that only the thief can open', both(nextWord, nextInSnip)],
  [
    'a word of 33 bits',
    'another hash in the contract',
    both(
      inFelts(11, before => felt(before + 2n ** 32n)),
      inMessage(({secretHash}) => ({
        secretHash: (secretHash as number[]).map((one, index) => (index === 7 ? one + 2 ** 32 : one)),
      })),
    ),
  ],
  [
    'seven words',
    'another hash in the contract',
    both(
      inTransaction(({calldata}) => ({calldata: (calldata as Json[]).slice(0, -1)})),
      inMessage(({secretHash}) => ({secretHash: (secretHash as Json[]).slice(0, -1)})),
    ),
  ],
  ['the thief as contract', 'the allowance', inTransaction(() => ({to: THIEF.starknet})), 'transaction'],
  ['the thief as contract, by signature', 'the allowance', inTransaction(() => ({to: THIEF.starknet}))],
  [
    'an approval instead of the call',
    'all of the token',
    inTransaction(() => ({
      selector: '0x219209e083275171774dab1df80982e9df2096516f06319c5c6d71ae0a8480c',
      calldata: [THIEF.starknet, '0xffffffffffffffffffffffffffffffff', '0xffffffffffffffffffffffffffffffff'],
    })),
    'transaction',
  ],
  [
    'a transfer instead of the call',
    'the amount',
    inTransaction(({calldata}) => ({
      selector: '0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12e',
      calldata: [THIEF.starknet, (calldata as Json[])[2] ?? '', '0x0'],
    })),
    'transaction',
  ],
  ['an unknown entry', 'whatever it does', inTransaction(() => ({selector: '0xabc'})), 'transaction'],
  [
    'felts after the call',
    'what another decoder reads there',
    inTransaction(({calldata}) => ({calldata: [...(calldata as Json[]), '0x0']})),
    'transaction',
  ],
  [
    'a felt above the prime',
    'a number that wraps round',
    inFelts(0, before => felt(before + 2n ** 251n + 17n * 2n ** 192n + 1n)),
    'transaction',
  ],
  ['another chain in the domain', 'a signature for mainnet', inDomain(() => ({chainId: 'SN_MAIN'}))],
  ['revision 0', 'another hash of the same words', inDomain(() => ({revision: '0'}))],
  ['an unknown version', 'a signature for another contract', inDomain(() => ({version: '7'}))],
  ['a permit as domain', 'the token by permit', inDomain(() => ({name: 'Permit'}))],
  [
    'one more field to sign',
    'a spender',
    {
      order: result => {
        (at(result, 'typed_data', 'types')['Initiate'] as Json[]).push({name: 'spender', type: 'ContractAddress'});
        Object.assign(at(result, 'typed_data', 'message'), {spender: THIEF.starknet});
      },
    },
  ],
  ['a permit as primary type', 'the token by permit', inOrder(['typed_data'], () => ({primaryType: 'Permit'}))],
]);

const SOLANA: readonly Case[] = [
  ...faults({
    amount: 'as much again',
    redeemer: 'the whole deposit',
    'secret-hash-in-call': 'a deposit that only the thief can open',
    timelock: 'a ransom for the deposit',
    initiator: 'the refund',
    'fee-payer': 'a transaction that waits for the thief',
    contract: 'what another program does',
    'swap-account': 'the account that holds the money',
    'system-program': 'the call that moves the money',
    'extra-transfer': 'as much again',
    'extra-deposit': 'as much again',
    transfer: 'the amount',
    'priority-fee': 'the fee, with the validator',
    'durable-nonce': 'a signature that never expires',
    'lookup-table': 'accounts that can change later',
    'trailing-bytes': 'what another decoder reads there',
  }),
  ...attacks([
    ['bytes after the transaction', 'what another decoder reads there', inBytes(text => `${text}00`)],
    ['half a transaction', 'what a wallet makes of it', inBytes(text => text.slice(0, -64))],
    [
      'a second signature wanted',
      'a transaction that waits for the thief',
      inBytes(text => `02${text.slice(2, 130)}${'00'.repeat(64)}${text.slice(130)}`),
    ],
    [
      'the key of the thief anywhere',
      'whatever that account takes',
      inBytes(text => text.replace(text.slice(-224, -160), KEY)),
    ],
    ['no transaction', 'nothing: a swap that stalls', inOrder([], () => ({versioned_tx: '00'}))],
  ]),
];

const BITCOIN: readonly Case[] = [
  ...faults({
    address: 'the payment',
    amount: 'as much again',
    network: 'a payment where it is worth something',
    redeemer: 'the payment',
    timelock: 'a ransom for the payment',
  }),
  ...attacks([
    ['the address of the thief', 'the payment', inOrder([], () => ({to: THIEF.bitcoin}))],
    ['twice the amount', 'as much again', inOrder([], ({amount}) => ({amount: times(amount, 2n)}))],
    ['one satoshi more', 'a satoshi a swap', inOrder([], ({amount}) => ({amount: String(big(amount) + 1n)}))],
    [
      'half of the amount',
      'a payment that is never served',
      inOrder([], ({amount}) => ({amount: String(big(amount) / 2n)})),
    ],
    ['a zero amount', 'a swap that is never served', inOrder([], () => ({amount: '0'}))],
    [
      'an address with an amount in it',
      'a link with other contents',
      inOrder([], ({to}) => ({to: `${String(to)}?amount=1`})),
    ],
    [
      'an address of a later version',
      'what anyone can take',
      inOrder([], () => ({to: 'tb1zw508d6qejxtdg4y5r3zarvaryvqyzf3du'})),
    ],
    [
      'the thief in the address and the order',
      'the payment',
      both(
        inOrder([], () => ({to: THIEF.bitcoin})),
        inLeg('source_swap', () => ({swap_id: THIEF.bitcoin})),
      ),
    ],
    ['another delegate', 'a refund that nobody can sign', inLeg('source_swap', () => ({delegate: KEY}))],
  ]),
];

/* -- the order as read, and the price: the same for all families ------------------------------------------------------- */

/** The thief's address on the destination's chain. */
const RECIPIENT = THIEF.evm;

const ORDER: readonly Case[] = attacks([
  ['another recipient', 'the payout', inLeg('destination_swap', () => ({redeemer: RECIPIENT}))],
  [
    'half of the payout',
    'the other half',
    inLeg('destination_swap', ({amount}) => ({amount: String(big(amount) / 2n)})),
  ],
  [
    'one unit less arrives',
    'a unit a swap',
    inLeg('destination_swap', ({amount}) => ({amount: String(big(amount) - 1n)})),
  ],
  ['another asset arrives', 'the difference', inLeg('destination_swap', () => ({asset: 'base_sepolia:usdc'}))],
  [
    'it arrives on another chain',
    'an address that is someone else’s there',
    inLeg('destination_swap', () => ({chain: 'solana_testnet'})),
  ],
  [
    'another secret hash of the destination',
    'the secret without a payment',
    inLeg('destination_swap', () => ({secret_hash: HASH})),
  ],
  [
    'another secret hash of the source',
    'a deposit that only the thief can open',
    inLeg('source_swap', () => ({secret_hash: HASH})),
  ],
  [
    'another secret hash of both legs',
    'a deposit that only the thief can open',
    both(
      inLeg('source_swap', () => ({secret_hash: HASH})),
      inLeg('destination_swap', () => ({secret_hash: HASH})),
    ),
  ],
  [
    'no secret hash',
    'a skipped check',
    both(
      inLeg('source_swap', () => ({secret_hash: ''})),
      inLeg('destination_swap', () => ({secret_hash: ''})),
    ),
  ],
  [
    'a secret that does not match the hash',
    'a deposit that cannot be redeemed',
    inLeg('destination_swap', () => ({secret: HASH})),
  ],
  ['another redeemer of the source', 'a check of another contract', inLeg('source_swap', () => ({redeemer: KEY}))],
  ['another payer', 'the refund', inLeg('source_swap', () => ({initiator: RECIPIENT}))],
  [
    'another amount of the source',
    'a check of another amount',
    inLeg('source_swap', ({amount}) => ({amount: times(amount, 2n)})),
  ],
  [
    'another asset of the source',
    'a check of another asset',
    inLeg('source_swap', () => ({asset: 'base_sepolia:usdc'})),
  ],
  ['another chain of the source', 'a check on another chain', inLeg('source_swap', () => ({chain: 'ethereum'}))],
  ['a short timelock of the source', 'both sides, after a refund', inLeg('source_swap', () => ({timelock: 1}))],
  [
    'a long timelock of the destination',
    'both sides, by waiting',
    inLeg('destination_swap', () => ({timelock: 100_000_000})),
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
  ['another order’s id', 'a read of another order', inRead(() => ({order_id: HASH}))],
  ['an id that is a path', 'the response of another URL', inOrder([], () => ({order_id: '../quote?x='}))],
  ['an id that every object has', 'the value under that name', inOrder([], () => ({order_id: '__proto__'}))],
  [
    'an id in upper case',
    'a second entry for one order',
    inOrder([], ({order_id}) => ({order_id: String(order_id).toUpperCase()})),
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

/** Attacks by family: on what is signed there, and for each family on the order as read and the price. */
export const ATTACKS: Readonly<Record<ChainFamily, readonly Case[]>> = {
  bitcoin: [...BITCOIN, ...ORDER, ...QUOTE, ...RECEIVING],
  evm: [...EVM, ...ORDER, ...QUOTE, ...RECEIVING],
  solana: [...SOLANA, ...ORDER, ...QUOTE, ...RECEIVING],
  starknet: [...STARKNET, ...ORDER, ...QUOTE, ...RECEIVING],
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
