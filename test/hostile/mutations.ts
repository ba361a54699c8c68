/**
 * Changes anywhere in the service's responses, drawn by fast-check: one leaf of one response, in a potentially harmful
 * way. The same seed draws the same changes.
 */
import fc from 'fast-check';
import type {ChainFamily} from '../../src/domain/asset.js';
import type {Json} from '../sandbox/client.js';
import type {Case} from './judge.js';
import type {Endpoint} from './man.js';
import {THIEF} from './lies.js';

interface Draw extends Drawn {
  /** The leaf, modulo the number of leaves. */
  readonly leaf: number;
}

interface Drawn {
  readonly endpoint: Exclude<Endpoint, 'initiate'>;
  /** The way to change it, modulo the number of ways. */
  readonly change: number;
  /** A place inside the leaf. */
  readonly place: number;
  readonly number: bigint;
  readonly byTransaction: boolean;
}

const draws: fc.Arbitrary<Drawn> = fc.record({
  // Most of what is signed or paid is in the response to `POST`.
  endpoint: fc.constantFrom('order', 'order', 'order', 'read', 'read', 'quote'),
  change: fc.nat(1_000_000),
  place: fc.nat(1_000_000),
  number: fc.bigInt({min: 0n, max: 2n ** 256n - 1n}),
  byTransaction: fc.boolean(),
});

/** Mutations of one family's responses. The effect is only known with a response: then `describe` returns it. */
export function mutationsOf(
  family: ChainFamily,
  seed: number,
  runs: number,
): readonly (Case & {readonly describe: () => string})[] {
  const turns = {order: seed, read: seed, quote: seed};
  return fc.sample(draws, {seed, numRuns: runs}).map((drawn, index) => {
    // Every leaf has its turn; the way to change it is random.
    const draw = {...drawn, leaf: turns[drawn.endpoint]++};
    let done = 'no such answer came';
    const change = (result: unknown) => {
      const [changed, what] = mutate(result as Json, draw, family);
      done = `${draw.endpoint} ${what}`;
      return changed;
    };
    return {
      name: `mutation ${String(index)}.`,
      gain: draw.endpoint,
      lie: {[draw.endpoint]: change},
      ...(draw.byTransaction && {way: 'transaction'}),
      describe: () => done,
    };
  });
}

type Path = readonly (string | number)[];

function pathsOf(value: Json, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inside = Object.entries(value).flatMap(([key, one]) =>
    pathsOf(one, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length ? [path, ...inside] : inside;
}

type Inside = Record<string | number, Json>;

function mutate(result: Json, {leaf, change, place, number}: Draw, family: ChainFamily): readonly [Json, string] {
  const changed = structuredClone(result);
  const paths = pathsOf(changed);
  const path = paths[leaf % paths.length] ?? [];
  const holder = path.slice(0, -1).reduce<Json>((inside, key) => (inside as Inside)[key] ?? null, changed) as Inside;
  const key = path.at(-1) ?? '';
  const before = holder[key] ?? null;
  const other = paths[number === 0n ? 0 : Number(number % BigInt(paths.length))] ?? [];
  const copied = other.reduce<Json>((inside, one) => (inside as Inside)[one] ?? null, changed);
  const ways = waysOf(before, place, number, family, copied);
  const way = ways[change % ways.length];
  if (way === undefined) Reflect.deleteProperty(holder, key);
  else holder[key] = way;
  const text = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 48);
  return [changed, `${path.join('.')}: ${text(before)} → ${text(way)}`];
}

/** The possible replacements of a value; `undefined` removes it. */
function waysOf(
  before: Json,
  place: number,
  number: bigint,
  family: ChainFamily,
  copied: Json,
): readonly (Json | undefined)[] {
  const any: (Json | undefined)[] = [
    undefined,
    null,
    '',
    0,
    -1,
    true,
    'x',
    [before],
    {},
    1e300,
    copied,
    structuredClone(copied),
  ];
  if (typeof before === 'number') return [...numbers(BigInt(Math.trunc(before))).map(Number), ...any];
  if (typeof before !== 'string') return any;
  return [...texts(before, place, number, family), ...any];
}

const numbers = (value: bigint): bigint[] => [
  value * 2n,
  value + 1n,
  value - 1n,
  value / 2n,
  0n,
  1n,
  value + 2n ** 32n,
  value + 2n ** 128n,
  2n ** 255n,
];

function texts(before: string, place: number, number: bigint, family: ChainFamily): Json[] {
  const prefix = /^0x/i.test(before) ? '0x' : '';
  const digits = before.slice(prefix.length);
  const thieves = [THIEF[family], THIEF.evm, prefix + digits.replace(/./g, 'f')];
  const text = number.toString(16).padStart(64, '0');
  const common: Json[] = [
    ...thieves,
    `${before} `,
    `${before}0`,
    before.slice(0, -1),
    before.toUpperCase(),
    text,
    `0x${text}`,
    number.toString(),
  ];
  if (/^\d{1,78}$/.test(before)) return [...numbers(BigInt(before)).map(String), ...common];
  if (!/^[0-9a-f]+$/i.test(digits)) return [...common, swapLetter(before, place)];
  const flipped = prefix + swapLetter(digits, place);
  if (digits.length <= 64)
    return [
      ...numbers(BigInt(`0x${digits}`)).map(one => prefix + one.toString(16).replace('-', '')),
      ...common,
      flipped,
    ];
  // Calldata or a whole transaction: one word replaced, a byte more or less.
  const start = prefix
    ? 8 + 64 * (place % Math.max(1, Math.floor((digits.length - 8) / 64)))
    : 2 * (place % (digits.length / 2 - 32));
  const withWord = (word: string) =>
    prefix + digits.slice(0, start) + word.padStart(64, '0') + digits.slice(start + 64);
  const words = [
    text,
    THIEF.evm.slice(2),
    'f'.repeat(64),
    '0',
    ((BigInt(`0x${digits.slice(start, start + 64)}`) * 2n) % 2n ** 256n).toString(16),
    (BigInt(`0x${digits.slice(start, start + 64)}`) ^ 1n).toString(16),
  ];
  return [...words.map(withWord), flipped, flipped, flipped, `${before}00`, before.slice(0, -2), ...common];
}

function swapLetter(text: string, place: number): string {
  const at = place % Math.max(1, text.length);
  const letter = text.charAt(at);
  const next = /[0-9a-f]/i.test(letter) ? ((parseInt(letter, 16) + 1 + (place % 15)) % 16).toString(16) : 'q';
  return text.slice(0, at) + next + text.slice(at + 1);
}
