/*
 * Classifies errors of wallets and nodes, and converts them to ours. A family's `faultOf` says what an error means for
 * certain; the tables here and in its `fund.ts` map that to our codes.
 */
import type {Chain} from '../domain/asset.js';
import type {CheckReport} from '../domain/deposit.js';
import {SwapError, type SwapErrorCode} from '../domain/error.js';

const MAX_JSON = 10_000;

/** An error and its nested errors, as wallets and libraries wrap them; some write one as JSON, in place of a message. */
export function layersOf(error: unknown): readonly Readonly<Record<string, unknown>>[] {
  const layers: Record<string, unknown>[] = [];
  const open = (value: unknown) => {
    if (typeof value === 'string') {
      if (value.startsWith('{') && value.length <= MAX_JSON) open(parsed(value));
      return;
    }
    if (typeof value !== 'object' || value === null || layers.length === 8) return;
    const layer = value as Record<string, unknown>;
    if (layers.includes(layer)) return;
    layers.push(layer);
    for (const key of ['data', 'originalError', 'cause', 'error', 'info', 'message']) open(layer[key]);
  };
  open(error);
  return layers;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The numeric codes of an error and its nested errors, outermost first. Some wallets write them as text. */
export function codesOf(error: unknown): readonly number[] {
  return layersOf(error).flatMap(({code}) => {
    if (typeof code === 'number') return [code];
    return typeof code === 'string' && /^-?\d{1,6}$/.test(code) ? [Number(code)] : [];
  });
}

export function messageOf(error: unknown): string {
  if (typeof error === 'string') return error.slice(0, MAX_MESSAGE);
  const messages = layersOf(error)
    .map(layer => layer['message'])
    .filter(message => typeof message === 'string');
  return [...new Set(messages)].join(' / ').slice(0, MAX_MESSAGE);
}

const MAX_MESSAGE = 500;

/** Unspecific codes: JSON-RPC 2.0, and 163 of Starknet's wallet API. */
const VAGUE: readonly number[] = [-32603, -32000, 163];

export function clearCodesOf(error: unknown): readonly number[] {
  return codesOf(error).filter(code => !VAGUE.includes(code));
}

/**
 * A row of a family's table of what wallets say, and what that means for certain. An error is of it if one of its layers
 * has one of these codes or names, or, where no layer has a specific code, exactly one of these messages: each is one
 * wallet's own, as a whole. Parts of messages say nothing, and neither does what is in no table.
 */
export interface Said<Fault extends string> {
  readonly means: Fault;
  readonly codes?: readonly number[];
  /** Codes that only count as the outermost one: a node that a wallet queried uses them with other meanings. */
  readonly ownCodes?: readonly number[];
  /** An error's name, or a code that is text. */
  readonly names?: readonly string[];
  readonly texts?: readonly (string | RegExp)[];
}

/** The user rejected the request (EIP-1193, “User Rejected Request”). Wallets of every family use it. */
export const USER_REJECTED = 4001;

/**
 * A Ledger that answers one of these has signed nothing, so nothing was sent. Its library has the status as
 * `statusCode`, and a name of its own for some (LedgerHQ/ledger-live, `@ledgerhq/errors`).
 */
const DEVICE: Readonly<Record<'declined' | 'locked' | 'blind', Omit<Said<string>, 'means'>>> = {
  declined: {
    names: ['UserRefusedOnDevice', 'CONDITIONS_OF_USE_NOT_SATISFIED'],
    texts: ['Ledger device: Condition of use not satisfied (denied by the user?) (0x6985)'],
  },
  locked: {names: ['LockedDeviceError', 'LOCKED_DEVICE'], texts: ['Ledger device: Locked device (0x5515)']},
  // Blind signing is off: `hw-app-eth`, `hw-app-solana`.
  blind: {
    names: ['EthAppPleaseEnableContractData'],
    texts: [
      'Please enable Blind signing or Contract data in the Ethereum app Settings',
      'Missing a parameter. Try enabling blind signature in the app',
    ],
  },
};

export function onDevice<Fault extends string>(declined: Fault, locked: Fault, blind: Fault): readonly Said<Fault>[] {
  return [
    {means: declined, ...DEVICE.declined},
    {means: locked, ...DEVICE.locked},
    {means: blind, ...DEVICE.blind},
  ];
}

export function readSaid<Fault extends string>(table: readonly Said<Fault>[], error: unknown): Fault | undefined {
  const layers = layersOf(error);
  const codes = codesOf(error);
  const names = layers.flatMap(({name, code, statusText}) => [name, code, statusText]);
  const isClear = clearCodesOf(error).length > 0;
  const messages = isClear ? [] : [error, ...layers.map(({message}) => message)];
  const has = (said: string | RegExp) =>
    messages.some(text => typeof text === 'string' && (typeof said === 'string' ? said === text : said.test(text)));
  return table.find(
    row =>
      row.codes?.some(code => codes.includes(code)) ||
      row.ownCodes?.some(code => codes[0] === code) ||
      row.names?.some(name => names.includes(name)) ||
      row.texts?.some(has),
  )?.means;
}

const DECLINED =
  /\buser\b.{0,24}\b(?:rejected|denied|declined|cancell?ed|disapproved)\b|\buser[ _]?(?:abort|reject|refused|denied|declined|cancell?ed)|\b(?:aborted|rejected|refused|denied|declined|cancell?ed) by (?:the )?user\b|^approval denied\b/i;

/** Whether an error sounds like the user's no. Only where nothing can be paid: connecting, and changing the chain. */
export function soundsDeclined(error: unknown): boolean {
  return !clearCodesOf(error).length && DECLINED.test(messageOf(error));
}

/** A `SwapError` with another error as its cause. `field`: what it concerns, if its code does not say. */
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

export async function tryRead<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}

/** A contract answered something that no swap contract does. */
export class StrangeAnswer extends Error {
  constructor(call: string) {
    super(`${call} gave something else`);
  }
}
