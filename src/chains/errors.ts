/*
 * Reading the errors of wallets and nodes, and making ours of them. A family's `faultOf` says what an error means for
 * certain; the tables here and in its `fund.ts` say which of our codes that is.
 */
import type {CheckReport} from '../domain/deposit.js';
import {SwapError, type SwapErrorCode} from '../domain/error.js';

/** An error and those that wallets and libraries wrap into it. */
export function layersOf(error: unknown): readonly Readonly<Record<string, unknown>>[] {
  const layers: Record<string, unknown>[] = [];
  const open = (value: unknown) => {
    if (typeof value !== 'object' || value === null || layers.length === 8) return;
    const layer = value as Record<string, unknown>;
    if (layers.includes(layer)) return;
    layers.push(layer);
    for (const key of ['data', 'originalError', 'cause', 'error', 'info']) open(layer[key]);
  };
  open(error);
  return layers;
}

/** The numeric codes of an error and of those wrapped into it, outermost first. */
export function codesOf(error: unknown): readonly number[] {
  return layersOf(error)
    .map(layer => layer['code'])
    .filter(code => typeof code === 'number');
}

/** The message of an error and of those wrapped into it, for logs. */
export function messageOf(error: unknown): string {
  if (typeof error === 'string') return error.slice(0, MAX_MESSAGE);
  const messages = layersOf(error)
    .map(layer => layer['message'])
    .filter(message => typeof message === 'string');
  return [...new Set(messages)].join(' / ').slice(0, MAX_MESSAGE);
}

const MAX_MESSAGE = 500;

/** The person said no (EIP-1193, “User Rejected Request”). Wallets of every family use it. */
const USER_REJECTED = 4001;

/** How wallets that have no code for it word the person's no. */
const REJECTION =
  /\buser\b.{0,24}\b(?:rejected|denied|declined|cancell?ed|disapproved)\b|\buser[ _]?(?:abort|reject|refused|denied|declined|cancell?ed)|\b(?:aborted|rejected|refused|denied|declined|cancell?ed) by (?:the )?user\b/i;

/** Codes that only say that something went wrong: JSON-RPC 2.0, and 163 of Starknet's wallet API. */
const VAGUE: readonly number[] = [-32603, -32000, 163];

/** The codes of an error that say what went wrong. */
export function clearCodesOf(error: unknown): readonly number[] {
  return codesOf(error).filter(code => !VAGUE.includes(code));
}

/**
 * Whether the person said no: by a code, `codes` being the family's own beside 4001, else in words without a clear
 * code.
 */
export function isRejection(error: unknown, ...codes: readonly number[]): boolean {
  const found = clearCodesOf(error);
  return found.length
    ? found.some(code => code === USER_REJECTED || codes.includes(code))
    : REJECTION.test(messageOf(error));
}

/** An error of ours, made of another. `field`: what it is about, where its code does not say. */
export function errorFrom(code: SwapErrorCode, cause: unknown, field?: string): SwapError {
  return new SwapError(code, {detail: messageOf(cause), cause, field});
}

/** What the service prepared is not what was agreed. `field`: the checks that failed. */
export function mismatch(field: string, cause?: CheckReport): SwapError {
  return new SwapError('deposit-mismatch', {field, cause});
}

/** The chain shows this order's payment, so the wallet is not asked for another. `field`: `paid`. */
export function paidAlready(detail: string): SwapError {
  return new SwapError('wallet-unclear', {field: 'paid', detail});
}

/** Makes of a family's `faultOf` and its table of codes what reads an error as one of our codes. */
export function codeReader<Fault extends string>(
  faultOf: (error: unknown) => Fault | undefined,
  codes: Readonly<Record<Fault, SwapErrorCode | undefined>>,
): (error: unknown) => SwapErrorCode | undefined {
  return error => {
    const fault = faultOf(error);
    return fault && codes[fault];
  };
}

/**
 * A read without which the wallet may not be asked. Its failure says nothing about a payment, so it has a code of its
 * own: `timeout`.
 */
export async function requireRead<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof SwapError || cause instanceof DOMException) throw cause;
    throw errorFrom('timeout', cause);
  }
}

/** A read that may fail; `undefined` where it does. */
export async function tryRead<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}
