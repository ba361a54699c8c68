import {getWallets} from '@wallet-standard/app';
import type {Chain} from '../../domain/asset.js';
import {fault} from '../../domain/error.js';
import type {Wallet} from '../adapter.js';
import type {FundingContext} from '../funding.js';
import {hex} from '../rpc.js';
import {onAbort, within, type Timeouts} from '../timeouts.js';
import {
  createConnectors,
  createWallet,
  moveToChain,
  readId,
  readName,
  waitForChain,
  type AccountListener,
  type WalletFacts,
} from '../wallet.js';
import {addressText, isContractAddress} from './htlc.js';
import {chainIdOf, faultOf, readChainId} from './rpc.js';

export interface Connector {
  /** Sends a request of Starknet's wallet API (`wallet_rpc.json`). */
  request(type: string, params?: unknown): Promise<unknown>;
  /** Requests the addresses. Silent: without a window, so the wallet returns none if it would need one. */
  connect(silent: boolean): Promise<readonly unknown[]>;
  /** Calls back with the addresses when they may have changed, until the signal aborts. */
  watch(changed: (addresses: readonly unknown[]) => void, signal: AbortSignal): void;
}

interface Announcement {
  readonly id: unknown;
  readonly name: unknown;
  readonly icon: unknown;
  readonly connector: Connector;
}

export const connectors = createConnectors<Connector>();

/**
 * Finds each wallet once, until the signal aborts: those that inject an object into the page under a name that starts
 * with `starknet`, and those that register with the Wallet Standard. A wallet that does both is used through the
 * standard, under the injected id. Nothing is connected.
 */
export function discoverWallets(found: (wallet: Wallet) => void, timeouts: Timeouts, signal: AbortSignal): void {
  if (signal.aborted) return;
  const ids = new Map<string, string>();
  const known = new Set<string>();
  const standards = new Set<string>();

  const tell = (announcement: Announcement | undefined, isStandard: boolean) => {
    if (!announcement) return;
    const {connector, icon} = announcement;
    const own = typeof announcement.id === 'string' ? announcement.id : '';
    const name = readName(announcement.name) || readName(own);
    const namesake = ids.get(name);
    // Two wallets of one kind may share a name. Two of different kinds with one name are one wallet.
    const id = readId(namesake !== undefined && isStandard !== standards.has(namesake) ? namesake : own);
    if (id === undefined || standards.has(id)) return;
    if (!isStandard && known.has(id)) return;
    known.add(id);
    ids.set(name, id);
    if (isStandard) standards.add(id);
    found(walletOf({id, name, icon}, connector, timeouts));
  };

  // An injected object is not announced, so it is searched for repeatedly.
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
  const timer = setInterval(scan, timeouts.poll);
  onAbort(signal, () => {
    clearInterval(timer);
    stop();
  });
}

/**
 * Takes the object that get-starknet returns, a connector of starknet-react, or a Wallet Standard wallet.
 * @throws SwapError `config` for anything else.
 */
export function walletFrom(given: unknown, timeouts: Timeouts): Wallet {
  const announcement = typeof given === 'object' && given !== null && (readStandard(given) ?? readObject(given));
  if (!announcement) {
    throw fault(
      'wallets.starknet',
      'Neither a wallet object (request, on, off) nor a Wallet Standard wallet with starknet:walletApi.',
    );
  }
  const {id, name, icon, connector} = announcement;
  return walletOf({id: typeof id === 'string' ? id : '', name, icon}, connector, timeouts);
}

/** An object in the page, as injected by wallets for get-starknet's fourth version. */
interface InjectedWallet {
  readonly id: unknown;
  readonly name: unknown;
  /** One image, or one for each theme. */
  readonly icon: unknown;
  request(request: {readonly type: string; readonly params?: unknown}): Promise<unknown>;
  on(event: string, listener: (...values: unknown[]) => void): void;
  off(event: string, listener: (...values: unknown[]) => void): void;
}

function readInjected(key: string): Announcement | undefined {
  let wallet: Partial<InjectedWallet> | null | undefined;
  try {
    wallet = (globalThis as unknown as Record<string, Partial<InjectedWallet> | null | undefined>)[key];
  } catch {
    // Anything may have such a name.
    return undefined;
  }
  return typeof wallet === 'object' && wallet !== null ? readObject(wallet) : undefined;
}

function readObject(wallet: Partial<InjectedWallet>): Announcement | undefined {
  if (!isInjected(wallet)) return undefined;
  const {id, name, icon} = wallet;
  const {light} = (typeof icon === 'object' && icon !== null ? icon : {}) as {readonly light?: unknown};
  return {id, name, icon: light ?? icon, connector: injectedConnector(wallet)};
}

function isInjected(wallet: Partial<InjectedWallet>): wallet is InjectedWallet {
  return [wallet.request, wallet.on, wallet.off].every(method => typeof method === 'function');
}

type Listeners = readonly (readonly [event: string, listener: (...values: unknown[]) => void])[];

/** A change reported by a starknet-react connector, in the order of a wallet's parameters. */
function readChange(data: unknown): [chainId: unknown, accounts: unknown] {
  const {chainId, account} = data as {readonly chainId?: unknown; readonly account?: unknown};
  return [chainId, account && [account]];
}

/** Whether it is a starknet-react connector, which forwards requests to its wallet and has its own events. */
function isConnector(wallet: object): boolean {
  return 'available' in wallet && typeof wallet.available === 'function';
}

function injectedConnector(wallet: InjectedWallet): Connector {
  const request: Connector['request'] = async (type, params) =>
    wallet.request(params === undefined ? {type} : {type, params});
  return {
    request,
    connect: async silent => readList(await request('wallet_requestAccounts', {silent_mode: silent})),
    watch(changed, signal) {
      // Another chain may have another account. Without a chain the wallet has disconnected from the page.
      const moved = (chainId: unknown, accounts: unknown) =>
        (!chainId || accounts) && changed(chainId ? readList(accounts) : []);
      const listeners: Listeners = isConnector(wallet)
        ? [
            ['change', data => moved(...readChange(data))],
            ['disconnect', () => changed([])],
          ]
        : [
            ['accountsChanged', accounts => changed(readList(accounts))],
            ['networkChanged', moved],
          ];
      for (const [event, listener] of listeners) wallet.on(event, listener);
      onAbort(signal, () => listeners.forEach(([event, listener]) => wallet.off(event, listener)));
    },
  };
}

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
  const connector: Connector = {
    request: async (type, params) => api.request(params === undefined ? {type} : {type, params}),
    connect: async silent => addresses((await connecting.connect({silent})).accounts),
    watch(changed, signal) {
      const stop = events.on('change', ({accounts}) => accounts !== undefined && changed(addresses(accounts)));
      onAbort(signal, stop);
    },
  };
  return {id: api.id ?? name, name, icon, connector};
}

function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function walletOf(facts: WalletFacts, connector: Connector, timeouts: Timeouts): Wallet {
  const source = {
    connect: async (silent: boolean) => firstAddress(await connector.connect(silent)),
    watch: ({changed}: AccountListener, signal: AbortSignal) =>
      connector.watch(addresses => changed(firstAddress(addresses)), signal),
    faultOf,
    // After a prompt, a wallet returns no account if the visitor rejects it (wallet API, requestAccounts).
    noAccount: 'rejected' as const,
  };
  return connectors.add(createWallet('starknet', facts, source, timeouts), connector);
}

/** The wallet's current account is the first in its list. */
function firstAddress([first]: readonly unknown[]): string | undefined {
  return typeof first === 'string' && isContractAddress(first) ? addressText(first) : undefined;
}

export async function currentAddress(connector: Connector, {read}: Timeouts, signal?: AbortSignal) {
  const answer = await within(read, connector.request('wallet_requestAccounts', {silent_mode: true}), signal);
  return firstAddress(readList(answer));
}

export async function isOnChain(connector: Connector, chain: Chain, {read}: Timeouts, signal?: AbortSignal) {
  return readChainId(await within(read, connector.request('wallet_requestChainId'), signal)) === chainIdOf(chain);
}

/** Brings the wallet to a chain, as `moveToChain` does. Not every wallet can be switched by a page. */
export function bringToChain(
  connector: Connector,
  chain: Chain,
  {timeouts, signal, onMove}: Pick<FundingContext, 'timeouts' | 'signal' | 'onMove'>,
): Promise<boolean> {
  const isThere = () => isOnChain(connector, chain, timeouts, signal);
  const move = () =>
    waitForChain(
      connector.request('wallet_switchStarknetChain', {chainId: hex(chainIdOf(chain))}),
      isThere,
      timeouts,
      signal,
    );
  return moveToChain(chain, {isThere, move, faultOf, onMove}, signal);
}
