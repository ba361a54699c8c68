import {getWallets} from '@wallet-standard/app';
import type {Chain} from '../../domain/asset.js';
import {SwapError} from '../../domain/error.js';
import type {Account, Wallet} from '../adapter.js';
import {arrive, makeWallet, readIcon, readName, reading, within, messageOf, type Timeouts} from '../common.js';
import {addressText, isContractAddress} from './htlc.js';
import {chainIdOf, faultOf, readChainId} from './rpc.js';

/** A wallet's door: what both kinds of wallets understand, whichever way they announced themselves. */
export interface Connector {
  /** Asks by Starknet's wallet API (`wallet_rpc.json`). */
  ask(type: string, params?: unknown): Promise<unknown>;
  /** Asks for the accounts. Silent: without a window, so that it answers none where it would need one. */
  connect(silent: boolean): Promise<readonly unknown[]>;
  /** Tells of other accounts until the signal aborts. */
  watch(changed: (addresses: readonly unknown[]) => void, signal: AbortSignal): void;
}

/** What a wallet says of itself, with its door. */
interface Announcement {
  readonly id: unknown;
  readonly name: unknown;
  readonly icon: unknown;
  readonly door: Connector;
}

const MAX_ID = 128;

/** The door of each wallet that announced itself. Accounts outlive the search that found their wallet. */
const doors = new WeakMap<Wallet, Connector>();

/** @throws SwapError `wallet-missing` for an account that is not from a wallet that announced itself here. */
export function connectorOf({wallet}: Account): Connector {
  const door = doors.get(wallet);
  if (!door) throw new SwapError('wallet-missing', {detail: wallet.name});
  return door;
}

/**
 * Tells of each wallet once, until the signal aborts: of those that leave an object in the page under a name that begins
 * with `starknet`, and of those that register by the Wallet Standard. Where a wallet does both, the second counts, and is
 * told under the id of the first. Nothing is connected.
 */
export function discoverWallets(found: (wallet: Wallet) => void, patience: Timeouts, signal: AbortSignal): void {
  if (signal.aborted) return;
  /** The id of the last wallet of a name. */
  const ids = new Map<string, string>();
  const known = new Set<string>();
  const standards = new Set<string>();

  const tell = (announcement: Announcement | undefined, isStandard: boolean) => {
    if (!announcement) return;
    const {door, icon} = announcement;
    const own = typeof announcement.id === 'string' ? announcement.id : '';
    const name = readName(announcement.name) || readName(own);
    const namesake = ids.get(name);
    // Wallets of one kind may share a name; of two kinds they are one wallet.
    const id = namesake !== undefined && isStandard !== standards.has(namesake) ? namesake : own;
    if (id === '' || id.length > MAX_ID || standards.has(id)) return;
    if (!isStandard && known.has(id)) return;
    known.add(id);
    ids.set(name, id);
    if (isStandard) standards.add(id);
    found(createWallet(id, name, readIcon(icon), door, patience));
  };

  // An object that a wallet leaves in the page announces nothing, so it is looked for again as long as somebody looks.
  const scan = () => {
    for (const key of Object.getOwnPropertyNames(globalThis)) {
      if (key.startsWith('starknet')) tell(readInjected(key), false);
    }
  };
  const registry = getWallets();
  const register = (...wallets: readonly unknown[]) => {
    for (const wallet of wallets) tell(readStandard(wallet), true);
  };
  const stop = registry.on('register', register);
  register(...registry.get());
  scan();
  const timer = setInterval(scan, patience.poll);
  signal.addEventListener(
    'abort',
    () => {
      clearInterval(timer);
      stop();
    },
    {once: true},
  );
}

/**
 * A wallet that a page has: the object that get-starknet gives, or one of the Wallet Standard.
 * @throws SwapError `config` for anything else.
 */
export function walletFrom(given: unknown, patience: Timeouts): Wallet {
  const announcement = typeof given === 'object' && given !== null && (readStandard(given) ?? readObject(given));
  if (!announcement) {
    throw new SwapError('config', {
      field: 'wallets.starknet',
      detail: 'It is no wallet object (request, on, off), and none of the Wallet Standard with starknet:walletApi.',
    });
  }
  const id = typeof announcement.id === 'string' ? announcement.id : '';
  const name = readName(announcement.name) || readName(id);
  return createWallet(id, name, readIcon(announcement.icon), announcement.door, patience);
}

/** An object in the page, as wallets of get-starknet's fourth version leave it. */
interface InjectedWallet {
  readonly id: unknown;
  readonly name: unknown;
  /** One picture, or one for each theme. */
  readonly icon: unknown;
  request(question: {readonly type: string; readonly params?: unknown}): Promise<unknown>;
  on(event: string, listener: (...values: unknown[]) => void): void;
  off(event: string, listener: (...values: unknown[]) => void): void;
}

function readInjected(key: string): Announcement | undefined {
  let wallet: Partial<InjectedWallet> | null | undefined;
  try {
    wallet = (globalThis as unknown as Record<string, Partial<InjectedWallet> | null | undefined>)[key];
  } catch {
    // Anything may bear such a name.
    return undefined;
  }
  return typeof wallet === 'object' && wallet !== null ? readObject(wallet) : undefined;
}

function readObject(wallet: Partial<InjectedWallet>): Announcement | undefined {
  if (!isInjected(wallet)) return undefined;
  const {id, name, icon} = wallet;
  const {light} = (typeof icon === 'object' && icon !== null ? icon : {}) as {readonly light?: unknown};
  return {id, name, icon: light ?? icon, door: injectedDoor(wallet)};
}

function isInjected(wallet: Partial<InjectedWallet>): wallet is InjectedWallet {
  return [wallet.request, wallet.on, wallet.off].every(method => typeof method === 'function');
}

function injectedDoor(wallet: InjectedWallet): Connector {
  const ask: Connector['ask'] = async (type, params) => wallet.request(params === undefined ? {type} : {type, params});
  return {
    ask,
    connect: async silent => readList(await ask('wallet_requestAccounts', {silent_mode: silent})),
    watch(changed, signal) {
      const listeners: readonly (readonly [event: string, listener: (...values: unknown[]) => void])[] = [
        ['accountsChanged', accounts => changed(readList(accounts))],
        // An account may be another one on another chain. Without a chain the wallet has let go of the page.
        ['networkChanged', (chainId, accounts) => (!chainId || accounts) && changed(chainId ? readList(accounts) : [])],
      ];
      for (const [event, listener] of listeners) wallet.on(event, listener);
      signal.addEventListener('abort', () => listeners.forEach(([event, listener]) => wallet.off(event, listener)), {
        once: true,
      });
    },
  };
}

/** The features of a wallet of the Wallet Standard that pays on Starknet. */
interface StandardFeatures {
  readonly 'starknet:walletApi': Pick<InjectedWallet, 'request'> & {readonly id?: unknown};
  readonly 'standard:connect': {connect(options: {readonly silent: boolean}): Promise<{readonly accounts: unknown}>};
  readonly 'standard:events': {
    on(event: 'change', listener: (change: {readonly accounts?: unknown}) => void): () => void;
  };
}

function readStandard(wallet: unknown): Announcement | undefined {
  const {name, icon, features} = wallet as {
    readonly name?: unknown;
    readonly icon?: unknown;
    readonly features?: Partial<StandardFeatures>;
  };
  const api = features?.['starknet:walletApi'];
  const connecting = features?.['standard:connect'];
  const events = features?.['standard:events'];
  if (typeof api?.request !== 'function' || typeof connecting?.connect !== 'function') return undefined;
  if (typeof events?.on !== 'function') return undefined;
  const addresses = (accounts: unknown) =>
    readList(accounts).map(account => (account as {readonly address?: unknown}).address);
  const door: Connector = {
    ask: async (type, params) => api.request(params === undefined ? {type} : {type, params}),
    connect: async silent => addresses((await connecting.connect({silent})).accounts),
    watch(changed, signal) {
      const stop = events.on('change', ({accounts}) => accounts !== undefined && changed(addresses(accounts)));
      signal.addEventListener('abort', stop, {once: true});
    },
  };
  return {id: api.id ?? name, name, icon, door};
}

function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function createWallet(id: string, name: string, icon: string | undefined, door: Connector, patience: Timeouts): Wallet {
  const wallet = makeWallet({id, family: 'starknet', name, icon}, (silent, signal) =>
    connect(wallet, door, silent, patience, signal),
  );
  doors.set(wallet, door);
  return wallet;
}

async function connect(
  wallet: Wallet,
  door: Connector,
  silent: boolean,
  patience: Timeouts,
  signal: AbortSignal | undefined,
): Promise<Account> {
  signal?.throwIfAborted();
  let addresses: readonly unknown[];
  try {
    addresses = await within(silent ? patience.read : patience.connect, door.connect(silent), signal);
  } catch (cause) {
    signal?.throwIfAborted();
    const code = faultOf(cause) === 'rejected' ? 'rejected' : 'wallet-unclear';
    throw new SwapError(code, {detail: messageOf(cause), cause});
  }
  const account = readAccount(addresses, wallet, door);
  // Asked with a window, a wallet answers with no account where the person says no (wallet API, requestAccounts).
  if (!account) throw new SwapError(silent ? 'wallet-locked' : 'rejected');
  return account;
}

/** The account that the wallet shows as the current one: the first it names. */
function readAccount(addresses: readonly unknown[], wallet: Wallet, door: Connector): Account | undefined {
  const address = firstAddress(addresses);
  if (address === undefined) return undefined;
  return Object.freeze({
    family: 'starknet',
    address,
    wallet,
    watch(changed: (account: Account | undefined) => void, signal: AbortSignal) {
      if (signal.aborted) return;
      let current: string | undefined = address;
      door.watch(others => {
        const account = readAccount(others, wallet, door);
        // Wallets tell of changes that are none.
        if (account?.address === current) return;
        current = account?.address;
        changed(account);
      }, signal);
    },
  });
}

function firstAddress([first]: readonly unknown[]): string | undefined {
  return typeof first === 'string' && isContractAddress(first) ? addressText(first) : undefined;
}

/** The wallet's current address; `undefined` while it shows none to this page. */
export async function currentAddress(
  door: Connector,
  {read}: Timeouts,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  return firstAddress(readList(await within(read, door.ask('wallet_requestAccounts', {silent_mode: true}), signal)));
}

/**
 * Brings the wallet to a chain; answers whether it had to move. It is believed only when the wallet itself says that it
 * is there. Not every wallet can be moved by a page.
 * @throws SwapError `wrong-network`, `rejected`.
 */
export async function bringToChain(
  door: Connector,
  chain: Chain,
  patience: Timeouts,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const wanted = chainIdOf(chain);
  const isThere = async () =>
    readChainId(await within(patience.read, door.ask('wallet_requestChainId'), signal)) === wanted;
  if (await reading(isThere())) return false;

  try {
    await arrive(
      door.ask('wallet_switchStarknetChain', {chainId: `0x${wanted.toString(16)}`}),
      isThere,
      patience,
      signal,
    );
    if (await isThere()) return true;
  } catch (cause) {
    signal?.throwIfAborted();
    const code = faultOf(cause) === 'rejected' ? 'rejected' : 'wrong-network';
    throw new SwapError(code, {detail: messageOf(cause), cause});
  }
  throw new SwapError('wrong-network', {detail: chain.title});
}
