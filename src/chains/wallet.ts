/*
 * What the wallets of all families share: reading what they say of themselves, connecting, following their account, and
 * bringing them to a chain. A family adds a connector, which makes wallets of several standards alike.
 */
import type {Chain} from '../domain/asset.js';
import {SwapError, type SwapErrorCode} from '../domain/error.js';
import type {Account, FundOptions, Wallet} from './adapter.js';
import {errorFrom, requireRead} from './errors.js';
import {pause, within, type Timeouts} from './timeouts.js';

/** Longer than the id of any wallet. */
const MAX_ID = 128;
/** Longer than the name of any wallet. */
const MAX_NAME = 40;
/** Characters of a `data:` address: a picture of 96 × 96 pixels has far fewer. */
const MAX_ICON = 200_000;

/** A wallet's id, if it is one. Any script of the page may have announced anything. */
export function readId(id: unknown): string | undefined {
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID ? id : undefined;
}

/** A wallet's name on one line, without control characters and those that turn the direction of writing. */
export function readName(name: unknown): string {
  if (typeof name !== 'string') return '';
  const line = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim();
  return Array.from(line).slice(0, MAX_NAME).join('').trim();
}

/** A picture that came with the announcement; none is ever fetched. Browsers do not know Leather's type, `image/svg`. */
function readIcon(icon: unknown): string | undefined {
  return typeof icon === 'string' && icon.length <= MAX_ICON && /^data:image\/[a-z0-9.+-]+[;,]/i.test(icon)
    ? icon.replace(/^(data:image\/svg)(?=[;,])/i, '$1+xml')
    : undefined;
}

/** The connectors behind a family's wallets. Accounts outlive the search that found their wallet. */
export function createConnectors<Connector>() {
  const connectors = new WeakMap<Wallet, Connector>();
  const find = (account: Account | undefined) => account && connectors.get(account.wallet);
  return {
    add(wallet: Wallet, connector: Connector): Wallet {
      connectors.set(wallet, connector);
      return wallet;
    },
    find,
    /** @throws SwapError `wallet-missing` for an account of a wallet that was not found or made here. */
    get(account: Account): Connector {
      const connector = find(account);
      if (!connector) throw new SwapError('wallet-missing', {detail: account.wallet.name});
      return connector;
    },
  };
}

/** Hands on each wallet once, however often it announces itself. */
export function onceEach(found: (wallet: Wallet) => void): (wallet: Wallet | undefined) => void {
  const known = new Set<string>();
  return wallet => {
    if (!wallet || known.has(wallet.id)) return;
    known.add(wallet.id);
    found(wallet);
  };
}

/** What a wallet says of itself, unread. */
export interface WalletFacts {
  readonly id: string;
  readonly name: unknown;
  readonly icon: unknown;
}

/** How a wallet is asked for its account. */
export interface AccountSource {
  /** Loads what it takes to ask, before the person is asked. @throws SwapError `timeout` */
  prepare?(): Promise<unknown>;
  /**
   * Asks for the current address, on a chain where the wallet can be told which; `undefined` where the wallet names none.
   * Silent: no window may open.
   */
  connect(silent: boolean, chain: Chain | undefined): Promise<string | undefined>;
  /** Follows the account until the signal aborts. */
  watch(listener: AccountListener, signal: AbortSignal): void;
  /** What an error says for certain. */
  faultOf(error: unknown): string | undefined;
  /** What it means if a wallet that may open its window names no account. */
  readonly noAccount?: SwapErrorCode;
}

export interface AccountListener {
  /** This is the current address, which may be the one that it was. */
  changed(address: string | undefined): void;
  /** The wallet moved to another chain, with the same account. */
  moved(): void;
}

/** Why a wallet gave no account, where its error says so for certain. */
const CONNECT_CODES: Readonly<Partial<Record<string, SwapErrorCode>>> = {
  rejected: 'rejected',
  pending: 'wallet-locked',
  unauthorized: 'wallet-locked',
  missing: 'wallet-missing',
};

/** Makes a wallet, frozen: the page gets it too. */
export function createWallet(
  family: Wallet['family'],
  {id, name, icon}: WalletFacts,
  source: AccountSource,
  timeouts: Timeouts,
): Wallet {
  const picture = readIcon(icon);
  const accountAt = (address: string): Account =>
    Object.freeze({
      family,
      address,
      wallet,
      watch(changed: (account: Account | undefined) => void, signal: AbortSignal) {
        if (signal.aborted) return;
        let current: string | undefined = address;
        const listener: AccountListener = {
          changed(next) {
            if (signal.aborted || next === current) return;
            current = next;
            changed(next === undefined ? undefined : accountAt(next));
          },
          moved() {
            if (current !== undefined) changed(accountAt(current));
          },
        };
        try {
          source.watch(listener, signal);
        } catch {
          // Its events are no reason to do without the wallet.
        }
      },
    });
  const wallet: Wallet = Object.freeze({
    id,
    family,
    name: readName(name) || readName(id),
    ...(picture === undefined ? {} : {icon: picture}),
    async connect(options = {}) {
      return accountAt(await connect(source, options, timeouts));
    },
  } satisfies Wallet);
  return wallet;
}

async function connect(
  source: AccountSource,
  {silent = false, chain, signal}: NonNullable<Parameters<Wallet['connect']>[0]>,
  timeouts: Timeouts,
): Promise<string> {
  signal?.throwIfAborted();
  await source.prepare?.();
  signal?.throwIfAborted();
  let address: string | undefined;
  try {
    address = await within(silent ? timeouts.read : timeouts.connect, source.connect(silent, chain), signal);
  } catch (cause) {
    signal?.throwIfAborted();
    throw errorFrom(CONNECT_CODES[source.faultOf(cause) ?? ''] ?? 'wallet-unclear', cause);
  }
  if (address !== undefined) return address;
  // Silent, it only was not allowed to.
  throw new SwapError(silent ? 'wallet-locked' : (source.noAccount ?? 'wallet-unclear'), {
    detail: 'The wallet named no account.',
  });
}

/** Why a wallet did not change its chain, where its error says so for certain. */
const MOVE_CODES: Readonly<Partial<Record<string, SwapErrorCode>>> = {rejected: 'rejected', pending: 'wallet-locked'};

/**
 * Brings a wallet to a chain; answers whether it had to move. It is believed only when the wallet itself says that it
 * is there.
 * @throws SwapError `wrong-network`, `rejected`, `wallet-locked`; `field`: `chain`.
 */
export async function moveToChain(
  chain: Chain,
  wallet: {
    /** Whether the wallet says that it is on the chain. */
    isThere(): Promise<boolean>;
    /** Asks it to change. */
    move(): Promise<void>;
    faultOf(error: unknown): string | undefined;
    readonly onMove?: FundOptions['onMove'] | undefined;
  },
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (await requireRead(wallet.isThere())) return false;
  try {
    wallet.onMove?.('asking');
    await wallet.move();
    if (await wallet.isThere()) {
      wallet.onMove?.('moved');
      return true;
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw errorFrom(MOVE_CODES[wallet.faultOf(cause) ?? ''] ?? 'wrong-network', cause, 'chain');
  }
  throw new SwapError('wrong-network', {field: 'chain', detail: chain.title});
}

/**
 * Waits for a wallet that was asked to change its chain: for its answer, or until it is there, whichever comes first.
 * MetaMask's answer may never come (its #18276).
 */
export async function waitForChain(
  answer: Promise<unknown>,
  isThere: () => Promise<boolean>,
  timeouts: Timeouts,
  signal: AbortSignal | undefined,
): Promise<void> {
  let answered = false;
  const answering = answer.finally(() => {
    answered = true;
  });
  const look = async () => {
    const started = Date.now();
    while (!answered) {
      if (Date.now() - started > timeouts.connect) throw new SwapError('timeout');
      await pause(timeouts.poll, signal);
      if (await isThere().catch(() => false)) return;
    }
    await answering;
  };
  await Promise.race([answering, look()]);
}
