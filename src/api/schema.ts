import * as v from 'valibot';
import type {AssetId} from '../domain/asset.js';
import {SwapError} from '../domain/error.js';
import type {Quote} from '../domain/quote.js';

/*
 * The wire format of the service, one schema per resource: quotes and the envelope here, orders in order-schema.ts, which
 * is loaded with the first order. Unknown fields are let through unread. What money or stage depend on must be there and
 * well-typed; the rest may be missing.
 */

/** An amount in the smallest unit (API, Amount): digits in text. Practice sends a number here and there. */
export const Amount = v.pipe(
  v.union([v.pipe(v.string(), v.regex(/^\d{1,78}$/)), v.pipe(v.number(), v.safeInteger(), v.minValue(0))]),
  v.transform((digits): bigint => BigInt(digits)),
);

export const AssetText = v.pipe(
  v.string(),
  v.regex(/^[^:\s]{1,64}:[^:\s]{1,64}$/),
  v.transform(text => text as AssetId),
);
const QuoteSide = v.object({
  asset: AssetText,
  amount: Amount,
  display: v.string(),
  value: v.fallback(v.pipe(v.union([v.string(), v.number()]), v.transform(String)), ''),
});

const QuoteResult = v.array(
  v.object({source: QuoteSide, destination: QuoteSide, solver_id: v.fallback(v.string(), '')}),
);

/** API, GET quote: one element per solver. */
export function readQuotes(result: unknown): readonly Quote[] {
  return parse(QuoteResult, result).map(({source, destination, solver_id}) => ({
    source,
    destination,
    solverId: solver_id,
  }));
}

/** The envelope of every answer (API, Endpoints); the shape of an error is not documented, this is what practice sends. */
export function readEnvelope(body: unknown): {ok: true; result: unknown} | {ok: false; error: string} {
  const envelope = v.safeParse(
    v.object({status: v.string(), result: v.optional(v.unknown()), error: v.optional(v.unknown())}),
    body,
  );
  if (!envelope.success) {
    const loose = v.safeParse(v.object({status: v.optional(v.unknown()), error: v.unknown()}), body);
    if (loose.success && loose.output.error) return {ok: false, error: errorText(loose.output.error)};
    throw new SwapError('unreadable', {field: 'status'});
  }
  const {status, result, error} = envelope.output;
  return status === 'Ok' ? {ok: true, result} : {ok: false, error: errorText(error)};
}

function errorText(error: unknown): string {
  if (error === undefined || error === null) return '';
  return (typeof error === 'string' ? error : JSON.stringify(error)).slice(0, 500);
}

/** Reads a value by its schema. @throws SwapError `unreadable` that names the field. */
export function parse<T>(schema: v.GenericSchema<unknown, T>, value: unknown): T {
  const reading = v.safeParse(schema, value);
  if (reading.success) return reading.output;
  const [issue] = reading.issues;
  const field = v.getDotPath(issue) ?? (issue.type === 'check' ? issue.message : 'result');
  throw new SwapError('unreadable', {field, detail: issue.message});
}
