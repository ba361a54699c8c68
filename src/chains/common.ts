/*
 * What the families share: waiting for wallets and chains that may never answer, reading what they say of themselves,
 * and how a check ends.
 */
import {formatAmount} from '../domain/amount.js';
import type {Asset, Chain} from '../domain/asset.js';
import type {CheckName, CheckResult, TypedData} from '../domain/deposit.js';
import {SwapError} from '../domain/error.js';

/** How long is waited, in milliseconds. Wallets have promises that never settle, so nothing waits for ever. */
export interface Patience {
  /** For one answer of a chain or of a wallet that need not ask anybody. */
  readonly read: number;
  /** For a person to allow a connection or another chain. */
  readonly connect: number;
  /** For a person to sign or to send. */
  readonly question: number;
  /** For an approval to get into a block. */
  readonly receipt: number;
  /** For a node to know what a block that it has shown already changed. */
  readonly lag: number;
  /** Between two looks at something that is waited for. It grows up to eight times that. */
  readonly poll: number;
}

export const PATIENCE: Patience = {
  read: 12_000,
  connect: 180_000,
  question: 600_000,
  receipt: 600_000,
  lag: 20_000,
  poll: 1_000,
};

/** Waits for an answer, but no longer than so many milliseconds. What was asked goes on. */
export function within<T>(milliseconds: number, answer: Promise<T>, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason as Error);
    const timer = setTimeout(() => reject(new SwapError('timeout')), milliseconds);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    answer.then(resolve, reject).finally(settle);
  });
}

/** Waits a while; rejects at once when the signal aborts. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return within(milliseconds + 1_000, new Promise(resolve => setTimeout(resolve, milliseconds)), signal);
}

/** A read without which nothing may be asked. Its failure is none of a payment, so it has a code of its own. */
export async function reading<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof SwapError || cause instanceof DOMException) throw cause;
    throw new SwapError('timeout', {detail: wordsOf(cause), cause});
  }
}

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

/** What an error says in words, its wrapped ones included, for logs. */
export function wordsOf(error: unknown): string {
  if (typeof error === 'string') return error.slice(0, MAX_WORDS);
  const words = layersOf(error)
    .map(layer => layer['message'])
    .filter(message => typeof message === 'string');
  return [...new Set(words)].join(' / ').slice(0, MAX_WORDS);
}

const MAX_WORDS = 500;

/** Longer than the name of any wallet. */
const MAX_NAME = 40;
/** Characters of a `data:` address: a picture of 96 × 96 pixels has far fewer. */
const MAX_ICON = 200_000;

/** A wallet's name on one line: control characters and those that turn the direction of writing are left out. */
export function readName(name: unknown): string {
  if (typeof name !== 'string') return '';
  const line = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim();
  return Array.from(line).slice(0, MAX_NAME).join('').trim();
}

/** Pictures come along with the announcement; nothing is fetched for one. */
export function readIcon(icon: unknown): string | undefined {
  return typeof icon === 'string' && icon.length <= MAX_ICON && /^data:image\/[a-z0-9.+-]+[;,]/i.test(icon)
    ? icon
    : undefined;
}

/** How a check ended, in the words of its two sides. */
export type Finding = Omit<CheckResult, 'name'>;

/** Runs one check. What is so ill-formed that it throws has failed it. */
export function judge(name: CheckName, check: () => Finding): CheckResult {
  try {
    return {name, ...check()};
  } catch {
    return {name, outcome: 'failed'};
  }
}

/** Runs one check that asks the chain. Where the chain gives no answer there is nothing to hold against. */
export async function inquire<Read>(
  name: CheckName,
  read: Read | undefined,
  check: (read: Read) => Promise<Finding>,
): Promise<CheckResult> {
  if (!read) return {name, outcome: 'unchecked'};
  try {
    return {name, ...(await check(read))};
  } catch {
    return {name, outcome: 'unchecked'};
  }
}

export function verdict(held: boolean, expected: string | undefined, found: string | undefined): Finding {
  return {outcome: held ? 'passed' : 'failed', ...textsOf(expected, found)};
}

export function textsOf(expected: string | undefined, found: string | undefined): Omit<Finding, 'outcome'> {
  const cut = (text: string | undefined) => text?.slice(0, MAX_TEXT);
  return {...(expected && {expected: cut(expected)}), ...(found && {found: cut(found)})} as Omit<Finding, 'outcome'>;
}

/** A screen has room for a contract or three, not for whatever somebody sends. */
const MAX_TEXT = 200;

export function amountText(amount: bigint, {decimals, symbol}: Pick<Asset, 'decimals' | 'symbol'>): string {
  return `${formatAmount(amount, decimals)} ${symbol}`;
}

/**
 * An address in the one form in which its family's addresses are compared. Base58, as Solana and older Bitcoin
 * addresses are written, tells letters of two sizes apart, so it stays as it is.
 */
export function canonicalAddress({family}: Pick<Chain, 'family'>, text: string): string {
  switch (family) {
    case 'evm':
      return text.toLowerCase();
    case 'bitcoin':
      // Bech32 may be written in letters of either size (BIP-173).
      return /^(?:bc|tb|bcrt)1/i.test(text) ? text.toLowerCase() : text;
    case 'solana':
      return text;
    case 'starknet':
      // Some write an address without its leading zeros.
      return /^0x[0-9a-f]{1,64}$/i.test(text) ? `0x${text.slice(2).toLowerCase().padStart(64, '0')}` : text;
  }
}

/** A whole number as typed data may hold it: hex text, decimal text without needless zeros, or a number. */
export function readNumber(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  return typeof value === 'string' && /^(?:0x[0-9a-f]{1,64}|0|[1-9]\d{0,77})$/i.test(value) ? BigInt(value) : undefined;
}

/** Exactly these keys, in any order. */
export function hasKeys(object: object, keys: readonly string[]): boolean {
  return JSON.stringify(Object.keys(object).sort()) === JSON.stringify([...keys].sort());
}

/** Types with their names in order. The order of fields within a type is left alone: it changes what is signed. */
export function sortedTypes(types: TypedData['types']): unknown {
  return Object.entries(types)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, fields]) => [name, fields.map(field => Object.entries(field).sort())]);
}

/** Freezes a value through and through, also where only its outside is frozen. */
export function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}
