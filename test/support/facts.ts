/** Facts about an order, for the tests of what they mean: what its service says, and what its chains show. */
import type {WalletRequest} from '../../src/domain/deposit.js';
import type {DepositOnChain, Fact, PayoutOnChain} from '../../src/domain/evidence.js';
import {writeJson} from '../../src/domain/json.js';
import type {ChainEvent, Leg, Order} from '../../src/domain/order.js';
import {expect} from './expect.js';
import {anOrder, NOON} from './swap.js';

export const PAID = 50_000n;
export const AT_LEAST = 49_601n;

type Told = Exclude<Fact, {readonly about: 'record'}>;

/** What the service may claim: the event of each movement, or its transaction in block 7, and the amount paid in. */
export interface Words {
  readonly paid?: ChainEvent | string | undefined;
  readonly filled?: bigint | undefined;
  readonly out?: ChainEvent | string | undefined;
  readonly back?: ChainEvent | string | undefined;
  readonly taken?: ChainEvent | string | undefined;
  readonly source?: Partial<Leg>;
  readonly destination?: Partial<Leg>;
  readonly createdAt?: number;
}

export const event = (hash: string, block?: bigint): ChainEvent => ({
  hashes: [hash],
  ...(block !== undefined && {block}),
  at: NOON,
});

export function orderThatSays({paid, out, back, taken, ...words}: Words): Order {
  const {source, destination, filled = paid === undefined ? 0n : PAID, createdAt = NOON} = words;
  const order = anOrder({createdAt});
  const told = (name: 'initiated' | 'redeemed' | 'refunded', said: ChainEvent | string | undefined) =>
    said === undefined ? {} : {[name]: typeof said === 'string' ? event(said, 7n) : said};
  return {
    ...order,
    source: {
      ...order.source,
      filled,
      ...told('initiated', paid),
      ...told('refunded', back),
      ...told('redeemed', taken),
      ...source,
    },
    destination: {...order.destination, ...told('redeemed', out), ...destination},
  };
}

export const says = (words: Words = {}, askedAt = NOON): Told => {
  return {about: 'order', askedAt, value: orderThatSays(words)};
};
export const sees = (value: DepositOnChain | undefined, askedAt = NOON): Told => ({about: 'deposit', askedAt, value});
export const payout = (change: Partial<PayoutOnChain> = {}): PayoutOnChain => {
  return {amount: 0n, loose: 0n, earlier: 0n, hashes: [], ...change};
};

/** What the recipient's chain shows of these transactions. */
export const seesPaid = (
  value: PayoutOnChain | 'unreadable' | undefined,
  askedAt = NOON,
  hash: string | readonly string[] = '0xc',
): Told => ({about: 'payout', askedAt, hashes: [hash].flat(), value});

/** The source chain's readings of a payment. */
export const UNREADABLE: DepositOnChain = {state: 'unknown'};
export const HELD: DepositOnChain = {
  state: 'seen',
  amount: PAID,
  isHeld: true,
  hashes: ['0xa'],
  block: 5n,
  isRefundOpen: false,
};
export const GONE: DepositOnChain = {...HELD, isHeld: false};
export const REFUNDED: DepositOnChain = {...GONE, end: {how: 'refunded', amount: PAID, hashes: ['0xe'], block: 9n}};
export const TAKEN: DepositOnChain = {...GONE, end: {how: 'redeemed', amount: 0n, hashes: ['0xf'], block: 9n}};
/** A payout of 49,850 that is tied to the order. */
export const TIED = payout({amount: 49_850n, hashes: ['0xc'], block: 8n, secret: '00'.repeat(32)});

export const asked = (
  kind: WalletRequest['kind'],
  state: WalletRequest['state'],
  more: Partial<WalletRequest> = {},
): WalletRequest => ({kind, state, at: NOON, ...more});

/** Compares all rows of a table at once, by their names. */
export function expectEach<T>(rows: readonly (readonly [name: string, found: T, expected: T])[]): void {
  const column = (at: 1 | 2) => Object.fromEntries(rows.map(row => [row[0], writeJson(row[at]) as string | undefined]));
  expect(column(1)).to.deep.equal(column(2));
}
