/** The tools to tell lies with: each changes one place of an answer. */
import {formatAmount} from '../../src/domain/amount.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import type {Fields, Json} from '../sandbox/client.js';
import type {Lie, ReadFields} from './man.js';

export const THIEF: Readonly<Record<ChainFamily, string>> = {
  bitcoin: 'tb1p4pr78swsn60y4ushe05v28mqpqppxxkfkxu2wun5jw6duc8unj3sjrh4gd',
  evm: '0x00000000000000000000000000000000deadbeef',
  solana: 'GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMJ',
  starknet: '0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe',
};
export const KEY = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
export const HASH = '5a'.repeat(32);

export const at = (value: Json | undefined, ...path: readonly string[]): Fields =>
  path.reduce<Fields>((inside, key) => inside[key] as Fields, value as Fields);

/** Sets fields of the response to `POST`, under a path. */
export const inOrder = (path: readonly string[], change: (inside: Fields) => Record<string, unknown>): Lie => ({
  order: result => {
    const inside = at(result, ...path);
    if (inside) Object.assign(inside, change(inside));
  },
});
export const inTransaction = (change: (inside: Fields) => Record<string, unknown>) => inOrder(['transaction'], change);
export const inDomain = (change: (inside: Fields) => Record<string, unknown>) =>
  inOrder(['typed_data', 'domain'], change);
export const inMessage = (change: (inside: Fields) => Record<string, unknown>) =>
  inOrder(['typed_data', 'message'], change);

export const inLeg = (
  leg: 'source_swap' | 'destination_swap',
  change: (leg: Fields, order: ReadFields) => object,
): Lie => ({
  read: order => void Object.assign(order[leg], change(order[leg], order)),
});
export const inQuote = (change: (quote: Fields) => object): Lie => ({
  quote: quotes => quotes.forEach(quote => Object.assign(quote, change(quote))),
});
export const inSide = (side: 'source' | 'destination', change: (side: Fields) => object): Lie => ({
  quote: quotes => quotes.forEach(quote => Object.assign(at(quote, side), change(at(quote, side)))),
});

/** Sets an amount of a quote, and its display text, which has to agree. */
export const priced = (
  side: 'source' | 'destination',
  change: (amount: Json | undefined, turn: number) => string,
): Lie => ({
  quote: (quotes, {turn}) => {
    for (const quote of quotes) {
      const {amount, display} = at(quote, side);
      const text = change(amount, turn);
      const decimals = String(display).split('.')[1]?.length ?? 0;
      Object.assign(at(quote, side), {amount: text, display: formatAmount(BigInt(text), decimals)});
    }
  },
});

export const big = (value: Json | undefined) => BigInt(String(value));
export const hex = (value: bigint) => `0x${value.toString(16)}`;
export const times = (value: Json | undefined, factor: bigint) => String(big(value) * factor);

export const inFelts = (place: number, value: (before: bigint) => string) =>
  inTransaction(({calldata}) => ({
    calldata: (calldata as string[]).map((felt, index) => (index === place ? value(BigInt(felt)) : felt)),
  }));
