/*
 * What the families share: waiting for wallets and chains that may never answer, and reading what they say of
 * themselves.
 */
import type {Chain} from '../domain/asset.js';
import type {WalletRequestKind} from '../domain/deposit.js';
import {SwapError, type SwapErrorCode} from '../domain/error.js';
import type {Account, FundOptions, WalletRequestUpdate, Wallet} from './adapter.js';

/** How long is waited, in milliseconds. Wallets have promises that never settle, so nothing waits for ever. */
export interface Timeouts {
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

export const TIMEOUTS: Timeouts = {
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
    throw new SwapError('timeout', {detail: messageOf(cause), cause});
  }
}

/**
 * Waits for a wallet that goes to another chain: for its answer, or until it is there, whichever shows first. MetaMask's
 * answer may never come (its #18276).
 */
export async function arrive(
  answer: Promise<unknown>,
  isThere: () => Promise<boolean>,
  patience: Timeouts,
  signal: AbortSignal | undefined,
): Promise<void> {
  let answered = false;
  const answering = answer.finally(() => {
    answered = true;
  });
  const look = async () => {
    const started = Date.now();
    while (!answered) {
      if (Date.now() - started > patience.connect) throw new SwapError('timeout');
      await pause(patience.poll, signal);
      if (await isThere().catch(() => false)) return;
    }
    await answering;
  };
  await Promise.race([answering, look()]);
}

/** What a wallet answered: what the journal keeps of it, and what is gone on with. */
export type Answer<T> = Omit<WalletRequestUpdate, 'kind'> & {readonly value: T};

/**
 * Asks a wallet for something that costs money, once that is written down. Only what certainly means that nothing was
 * sent is written down as refused. Once asked, it is waited for even if nobody looks any more, and after the time that
 * anybody waits it is still listened to: an answer is money, and is written down whenever it comes. Nothing else is done
 * about one that comes so late.
 */
export async function question<T>(
  {patience, signal, tell}: {patience: Timeouts; signal: AbortSignal | undefined; tell: FundOptions['onWalletRequest']},
  kind: WalletRequestKind,
  {
    ask,
    read,
    refusalOf,
  }: {
    readonly ask: () => unknown;
    /** Reads what it answered. @throws SwapError for what is no answer. */
    readonly read: (answer: unknown) => Answer<T> | Promise<Answer<T>>;
    /** Why nothing was sent, where its error says so for certain. */
    readonly refusalOf: (cause: unknown) => SwapErrorCode | undefined;
  },
): Promise<T> {
  signal?.throwIfAborted();
  await tell({kind, state: 'asking'});
  const asked = new Promise<unknown>(resolve => resolve(ask()));
  const settled = asked.then(
    async answer => {
      const {value, ...said} = await read(answer);
      await tell({kind, ...said});
      return value;
    },
    async (cause: unknown) => {
      const code = refusalOf(cause);
      if (code) await tell({kind, state: 'refused'});
      throw new SwapError(code ?? 'wallet-unclear', {detail: messageOf(cause), cause});
    },
  );
  // Of one that comes late, nobody is there to hear what is wrong with it.
  settled.catch(() => undefined);
  await within(
    patience.question,
    asked.catch(() => undefined),
  ).catch((cause: unknown) => {
    throw new SwapError('wallet-unclear', {detail: messageOf(cause), cause});
  });
  return settled;
}

/** A wallet named no account: without a window it only was not allowed to, and with one nobody knows why. */
export function noAccount(silent: boolean): SwapError {
  return new SwapError(silent ? 'wallet-locked' : 'wallet-unclear', {detail: 'The wallet named no account.'});
}

/** A wallet as it is handed to a page that could alter it. */
export function makeWallet(
  {icon, ...facts}: Pick<Wallet, 'id' | 'family' | 'name'> & {readonly icon: string | undefined},
  connect: (silent: boolean, signal: AbortSignal | undefined) => Promise<Account>,
): Wallet {
  return Object.freeze({
    ...facts,
    ...(icon === undefined ? {} : {icon}),
    connect: ({silent = false, signal}: {silent?: boolean; signal?: AbortSignal} = {}) => connect(silent, signal),
  });
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
export function messageOf(error: unknown): string {
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

/** The hash of bytes, both as hex text, by the browser's own cryptography: every secure page has it, and no other. */
export async function sha256(hex: string): Promise<string> {
  const bytes = Uint8Array.from(hex.replace(/^0x/i, '').match(/../g) ?? [], pair => parseInt(pair, 16));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, byte => byte.toString(16).padStart(2, '0')).join('');
}
