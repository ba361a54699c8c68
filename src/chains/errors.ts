/*
 * Classifies errors of wallets and nodes, and converts them to ours. A family's `faultOf` says what an error means for
 * certain; the tables here and in its `fund.ts` map that to our codes.
 */
import type {Chain} from '../domain/asset.js';
import type {CheckReport} from '../domain/deposit.js';
import {SwapError, type SwapErrorCode} from '../domain/error.js';

/** An error and its nested errors, as wallets and libraries wrap them. */
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

/** The numeric codes of an error and its nested errors, outermost first. */
export function codesOf(error: unknown): readonly number[] {
  return layersOf(error)
    .map(layer => layer['code'])
    .filter(code => typeof code === 'number');
}

/** The message of an error and its nested errors, for logs. */
export function messageOf(error: unknown): string {
  if (typeof error === 'string') return error.slice(0, MAX_MESSAGE);
  const messages = layersOf(error)
    .map(layer => layer['message'])
    .filter(message => typeof message === 'string');
  return [...new Set(messages)].join(' / ').slice(0, MAX_MESSAGE);
}

const MAX_MESSAGE = 500;

/** The user rejected the request (EIP-1193, “User Rejected Request”). Wallets of every family use it. */
const USER_REJECTED = 4001;

/** The messages for a rejection by wallets that have no code for it. The last one is Backpack's, also for its closed window. */
const REJECTION =
  /\buser\b.{0,24}\b(?:rejected|denied|declined|cancell?ed|disapproved)\b|\buser[ _]?(?:abort|reject|refused|denied|declined|cancell?ed)|\b(?:aborted|rejected|refused|denied|declined|cancell?ed) by (?:the )?user\b|^approval denied\b/i;

/** Unspecific codes: JSON-RPC 2.0, and 163 of Starknet's wallet API. */
const VAGUE: readonly number[] = [-32603, -32000, 163];

/** The specific codes of an error. */
export function clearCodesOf(error: unknown): readonly number[] {
  return codesOf(error).filter(code => !VAGUE.includes(code));
}

/**
 * Whether the user rejected the request: according to a code (4001 or the family's own `codes`), or to the message if
 * there is no specific code.
 */
export function isRejection(error: unknown, ...codes: readonly number[]): boolean {
  const found = clearCodesOf(error);
  return found.length
    ? found.some(code => code === USER_REJECTED || codes.includes(code))
    : REJECTION.test(messageOf(error));
}

/** One of our errors for another one. `field`: what it concerns, if its code does not say. */
export function errorFrom(code: SwapErrorCode, cause: unknown, field?: string): SwapError {
  return new SwapError(code, {detail: messageOf(cause), cause, field});
}

/** The service's payload differs from what was agreed. `field`: the failed checks. */
export function mismatch(field: string, cause?: CheckReport): SwapError {
  return new SwapError('deposit-mismatch', {field, cause});
}

/** The RPCs of a chain contradict each other about a deal, or only one of them speaks: nothing is paid, or wrong yet. */
export function contradiction({title}: Pick<Chain, 'title'>, cause: unknown): SwapError {
  return new SwapError('unreadable', {field: 'rpc', detail: `${title}: ${messageOf(cause)}`, cause});
}

/** The chain shows this order's payment, so the wallet is not prompted for another. `field`: `paid`. */
export function paidAlready(detail: string): SwapError {
  return new SwapError('wallet-unclear', {field: 'paid', detail});
}

/** Creates a function that converts errors to our codes, from a family's `faultOf` and its table. */
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
 * A read without which the wallet must not be prompted. Its failure says nothing about a payment, so it has its own
 * code: `timeout`.
 */
export async function requireRead<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof SwapError || cause instanceof DOMException) throw cause;
    throw errorFrom('timeout', cause);
  }
}

/** A read that may fail; `undefined` if it does. */
export async function tryRead<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}
