/* How the service, and practice, write one value each: any known spelling, and no longer than it ever needs to be. */
import * as v from 'valibot';
import type {AssetId} from '../domain/asset.js';
import {bare} from '../domain/deposit.js';
import {SwapError} from '../domain/error.js';
import {writeJson} from '../domain/json.js';
import {isOrderId, LATEST} from '../domain/order.js';

/** An object with these fields: valibot would also require fields that the page's scripts add to all objects. */
export const object = <T extends v.ObjectEntries>(entries: T) => v.object(bare(entries));

export const upTo = (longest: number) => v.pipe(v.string(), v.maxLength(longest));
export const Short = upTo(128);
const LONGEST_NAME = 256;
export const Name = upTo(LONGEST_NAME);

/** A field that nothing depends on: absent if it cannot be read. */
export function told<T>(schema: v.GenericSchema<unknown, T>) {
  return v.fallback(v.optional(schema), undefined);
}

export function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}

type Present<T> = {[Key in keyof T]?: Exclude<T[Key], undefined>};

/** An amount in the smallest unit (API, Amount): digits as text. Some services return a number. */
export const Amount = v.pipe(
  v.union([v.pipe(v.string(), v.regex(/^\d{1,78}$/)), v.pipe(v.number(), v.safeInteger(), v.minValue(0))]),
  v.transform((digits): bigint => BigInt(digits)),
);

export const AssetText = v.pipe(
  Name,
  v.regex(/^[^:\s]{1,64}:[^:\s]{1,64}$/),
  v.transform(text => text as AssetId),
);

/**
 * A whole number as hex text or, in practice, as a number. `0x` and zeros alone are invalid, as for nodes; other digits
 * without a prefix would be ambiguous, so they are rejected.
 */
export const Hex = v.pipe(
  v.union([
    v.pipe(
      v.string(),
      v.regex(/^(?:0x[0-9a-f]{0,64}|0*)$/i),
      v.transform(text => (text.length > 2 ? text : '0')),
    ),
    v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  ]),
  v.transform((digits): bigint => BigInt(digits)),
);

export const Count = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))]),
  v.safeInteger(),
  v.minValue(0),
);
export const Id = v.pipe(Name, v.minLength(1));
export const OrderId = v.pipe(v.string(), v.check(isOrderId));
/** Hex digits, without an optional prefix; empty while there are none, for which practice also returns null. */
export const Digits = v.pipe(
  v.nullish(Name, ''),
  v.transform(text => text.trim().toLowerCase().replace(/^0x/, '')),
);

/** Anybody who sends dust to an address makes its list of hashes longer; the first ones are enough. */
const MOST_HASHES = 50;

/**
 * Empty, a hash, `<hash>:<block>` (API, Swap object), or in practice a comma-separated list of those, or null for
 * empty. By the specification any non-empty text means that it happened. Here it has to name a transaction: blanks, a
 * block alone (`:5`), `0x` or a hash of zeros name none, so they never mean that money has arrived.
 */
export const Hashes = v.pipe(
  v.nullish(v.string(), ''),
  v.transform(text => text.split(',').map(entry => entry.trim())),
  v.everyItem(entry => entry.length <= LONGEST_NAME),
  v.transform(entries => {
    const named = entries
      .map(entry => entry.split(':'))
      .filter(([hash = '']) => /[1-9a-z]/i.test(hash.replace(/^0x/i, '')));
    const [first, ...others] = named.slice(0, MOST_HASHES).map(([hash = '']) => hash.trim());
    const block = named.at(-1)?.[1] ?? '';
    return {
      hashes: first === undefined ? undefined : ([first, ...others] as const),
      block: /^\d{1,20}$/.test(block) ? BigInt(block) : 0n,
    };
  }),
);

/** Date, time, a fraction of up to milliseconds, and a time zone. */
const ISO_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(\.\d{1,3})?\d*\s*(?:Z|UTC|([+-]\d\d)(?::?(\d\d))?)?$/i;

/** An ISO 8601 time, in milliseconds since 1970. Without a time zone it is in UTC, as the specification requires. */
export const Time = v.pipe(
  Short,
  v.transform(text => {
    const [, date = '', time = '', fraction = '', hours, minutes = '00'] = ISO_TIME.exec(text.trim()) ?? [];
    return Date.parse(`${date}T${time}${fraction}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  }),
  v.number(),
  v.finite(),
);

/** Above this, a number cannot be seconds since 1970: it is in milliseconds. */
const SECONDS_END = 100_000_000_000;

/** A time in seconds or milliseconds since 1970, as a number or digits, or in ISO 8601; as milliseconds since 1970. */
export const Moment = v.union([
  v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))]),
    v.minValue(0),
    v.transform(time => (time < SECONDS_END ? time * 1000 : time)),
    v.maxValue(LATEST),
  ),
  Time,
]);

export const Price = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,30}(?:\.\d{1,30})?$/), v.transform(Number))]),
  v.finite(),
  v.minValue(0),
);

/** Longer than the typed data of any swap as JSON: it is stored with its order. */
const LONGEST_TYPED_DATA = 5_000;

export const TypedDataWire = v.pipe(
  object({
    domain: v.record(v.string(), v.unknown()),
    primaryType: v.string(),
    types: v.record(v.string(), v.array(object({name: v.string(), type: v.string()}))),
    message: v.record(v.string(), v.unknown()),
  }),
  v.check(data => writeJson(data).length <= LONGEST_TYPED_DATA && !hasLostDigits(data)),
  // Ordinary objects for wallets, whatever the parser created.
  v.transform(data => structuredClone(data)),
);

/** Whether it contains a number that is too large to be exact in JSON: its original value is unknown. */
function hasLostDigits(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLostDigits);
}

export function parse<T>(schema: v.GenericSchema<unknown, T>, value: unknown): T {
  const reading = v.safeParse(schema, value);
  if (reading.success) return reading.output;
  const [issue] = reading.issues;
  const field = v.getDotPath(issue) ?? (issue.type === 'check' ? issue.message : 'result');
  // The message repeats the value, however long it is.
  throw new SwapError('unreadable', {field, detail: issue.message.slice(0, 300)});
}
