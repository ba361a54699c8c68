/*
 * What the wallets of all families share: reading their descriptions, connecting, watching their account, and switching
 * their chain. A family adds a connector, which makes wallets of several standards alike.
 */
import type {Chain} from '../domain/asset.js';
import {SwapError, type SwapErrorCode} from '../domain/error.js';
import type {Account, FundOptions, Wallet} from './adapter.js';
import {errorFrom, requireRead, soundsDeclined} from './errors.js';
import {pause, within, type Timeouts} from './timeouts.js';

const MAX_ID = 128;
const MAX_NAME = 40;
/** The maximum length of a `data:` URL: an icon of 96 × 96 pixels is far shorter. */
const MAX_ICON = 200_000;

/** A wallet's id, if it is valid. Any script on the page may have announced anything. */
export function readId(id: unknown): string | undefined {
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID ? id : undefined;
}

/** A wallet's name on one line, without control and direction characters. */
export function readName(name: unknown): string {
  if (typeof name !== 'string') return '';
  const line = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim();
  return Array.from(line).slice(0, MAX_NAME).join('').trim();
}

/** An icon from the announcement; none is ever fetched. Browsers do not know Leather's media type, `image/svg`. */
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
    /** @throws SwapError `wallet-missing` if the account's wallet was not found or created here. */
    get(account: Account): Connector {
      const connector = find(account);
      if (!connector) throw new SwapError('wallet-missing', {detail: account.wallet.name});
      return connector;
    },
  };
}

export function onceEach(found: (wallet: Wallet) => void): (wallet: Wallet | undefined) => void {
  const known = new Set<string>();
  return wallet => {
    if (!wallet || known.has(wallet.key)) return;
    known.add(wallet.key);
    found(wallet);
  };
}

export interface WalletFacts {
  readonly id: string;
  /** Without one its id tells it apart. */
  readonly key?: string | undefined;
  readonly name: unknown;
  readonly icon: unknown;
  readonly isInjected?: boolean;
}

export interface AccountSource {
  /** Loads what the request needs, before the prompt. @throws SwapError `timeout` */
  prepare?(): Promise<unknown>;
  /** `undefined` if the wallet returns none. Silent: no window may open. */
  connect(silent: boolean, chain: Chain | undefined): Promise<string | undefined>;
  watch(listener: AccountListener, signal: AbortSignal): void;
  faultOf(error: unknown): string | undefined;
  readonly noAccount?: SwapErrorCode;
}

export interface AccountListener {
  changed(address: string | undefined): void;
  /** The wallet switched to another chain, with the same account. */
  moved(): void;
}

const CONNECT_CODES: Readonly<Partial<Record<string, SwapErrorCode>>> = {
  rejected: 'rejected',
  pending: 'wallet-locked',
  unauthorized: 'wallet-locked',
  missing: 'wallet-missing',
};

/** Creates a wallet, frozen: the page gets it too. */
export function createWallet(
  family: Wallet['family'],
  {id, key = id, name, icon, isInjected}: WalletFacts,
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
          // Failing events do not make the wallet unusable.
        }
      },
    });
  const wallet: Wallet = Object.freeze({
    id,
    key,
    family,
    ...(isInjected && {isInjected}),
    name: isInjected ? '' : readName(name) || readName(id),
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
    throw errorFrom(CONNECT_CODES[faultFor(source, cause)] ?? 'wallet-unclear', cause);
  }
  if (address !== undefined) return address;
  // Silent, it may just not have been allowed to.
  throw new SwapError(silent ? 'wallet-locked' : (source.noAccount ?? 'wallet-unclear'), {
    detail: 'The wallet named no account.',
  });
}

/** What an error means where nothing can be paid, so that a no need not be certain. */
function faultFor({faultOf}: Pick<AccountSource, 'faultOf'>, error: unknown): string {
  return faultOf(error) ?? (soundsDeclined(error) ? 'rejected' : '');
}

const MOVE_CODES: Readonly<Partial<Record<string, SwapErrorCode>>> = {rejected: 'rejected', pending: 'wallet-locked'};

/**
 * Resolves with whether the wallet had to switch. Only its own report that it is there counts.
 * @throws SwapError `wrong-network`, `rejected`, `wallet-locked`; `field`: `chain`.
 */
export async function moveToChain(
  chain: Chain,
  wallet: {
    isThere(): Promise<boolean>;
    /** Asks it to switch; resolves with whether it is there. */
    move(): Promise<boolean>;
    faultOf(error: unknown): string | undefined;
    readonly onMove?: FundOptions['onMove'] | undefined;
  },
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (await requireRead(wallet.isThere())) return false;
  try {
    wallet.onMove?.('asking');
    if (await wallet.move()) {
      wallet.onMove?.('moved');
      return true;
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw errorFrom(MOVE_CODES[faultFor(wallet, cause)] ?? 'wrong-network', cause, 'chain');
  }
  throw new SwapError('wrong-network', {field: 'chain', detail: chain.title});
}

/** How often a wallet that has answered is looked at again, four times in an interval: six seconds by default. */
const LOOKS = 24;

/**
 * Waits for a wallet that was asked to switch its chain; resolves with whether it is there. MetaMask's response may never
 * come (its #18276); some wallets respond before they have switched, or without switching.
 */
export async function waitForChain(
  answer: Promise<unknown>,
  isThere: () => Promise<boolean>,
  {connect, poll}: Timeouts,
  signal: AbortSignal | undefined,
  looks = LOOKS,
): Promise<boolean> {
  const isThereNow = () => isThere().catch(() => false);
  const answered = answer.then(() => true);
  const end = performance.now() + connect;
  while (!(await Promise.race([answered, pause(poll, signal).then(() => false)]))) {
    if (await isThereNow()) return true;
    if (performance.now() > end) throw new SwapError('timeout');
  }
  for (let left = looks; !(await isThereNow()); left--) {
    if (left === 0) return false;
    await pause(poll / 4, signal);
  }
  return true;
}
