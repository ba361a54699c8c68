import {getProviderById, getProviders, getSupportedWallets, request} from 'sats-connect';
import type {Chain} from '../../domain/asset.js';
import {SwapError} from '../../domain/error.js';
import type {Account, Wallet} from '../adapter.js';
import {layersOf, makeWallet, noAccount, readIcon, readName, within, messageOf, type Timeouts} from '../common.js';
import {isBitcoinAddress} from './address.js';

/** What a wallet is asked, whatever dialect it speaks. */
export interface Connector {
  /** Whether the wallet is still there. */
  isHere(): boolean;
  /** Asks for the addresses that it pays from; its window may open. */
  connect(): Promise<unknown>;
  /** The same without a window, where the wallet allowed it before; rejects otherwise. */
  current(): Promise<unknown>;
  /** The wallet's own name for the network it is on; `undefined` where it tells none. */
  network(): Promise<unknown>;
  /** What the wallet will be asked for, in its own form. */
  payment(chain: Chain, address: string, amount: bigint): Payment;
  /** Asks for a payment; the answer should hold a transaction's hash. */
  send(payment: Payment): Promise<unknown>;
  /** Tells that account or network may be another now; answers how to stop. */
  listen(changed: () => void): () => void;
}

/** The parameters of `sendTransfer`. */
export interface Payment {
  readonly recipients: readonly [{readonly address: string; readonly amount: number | string}];
  readonly network?: string;
}

/** Longer than the id of any wallet, which is a way to it from `window`. */
const MAX_ID = 128;
/** Wallets say nothing when they appear (WBIP-004), so they are looked for again and again, in milliseconds. */
const LOOK_AGAIN = 500;

/** Wallets with methods of their own instead of `request`, by their way from `window`. */
const OWN_METHODS = ['unisat', 'okxwallet.bitcoin'];
/** Takes amounts as text only, and wants to be told the network. */
const LEATHER = 'LeatherProvider';

/** The door of each wallet that was found. Accounts outlive the search that found their wallet. */
const doors = new WeakMap<Wallet, Connector>();

/** @throws SwapError `wallet-missing` for an account that is not from a wallet that was found here. */
export function connectorOf({wallet}: Account): Connector {
  const door = doors.get(wallet);
  if (!door?.isHere()) throw new SwapError('wallet-missing', {detail: wallet.name});
  return door;
}

/**
 * Tells of each wallet once: those that registered themselves (WBIP-004), then those that are known and did not, until
 * the signal aborts. Nothing is connected.
 */
export function discoverWallets(found: (wallet: Wallet) => void, patience: Timeouts, signal: AbortSignal): void {
  if (signal.aborted) return;
  const known = new Set<string>();
  const look = () => {
    for (const entry of entriesOfPage()) {
      const wallet = readEntry(entry, patience);
      if (!wallet || known.has(wallet.id)) continue;
      known.add(wallet.id);
      found(wallet);
    }
  };
  look();
  const timer = setInterval(look, LOOK_AGAIN);
  signal.addEventListener('abort', () => clearInterval(timer), {once: true});
}

/** It registers nowhere, and knows the main network alone. */
const OKX = {id: 'okxwallet.bitcoin', name: 'OKX'};

/** What wallets of the page say of themselves. Any script of the page may have put anything there. */
function entriesOfPage(): readonly Entry[] {
  const registered: unknown = getProviders();
  const silent = getSupportedWallets().filter(({isInstalled}) => isInstalled);
  return [...(Array.isArray(registered) ? (registered as unknown[]) : []), ...silent, OKX].map(
    entry => (entry ?? {}) as Entry,
  );
}

type Entry = Partial<Readonly<Record<'id' | 'name' | 'icon', unknown>>>;

/**
 * A wallet from the provider that a page has: one that answers `request` as sats-connect's providers and its default
 * export do, or one with methods of its own, as Unisat's. One that is on the page is asked and called as it is there.
 * @throws SwapError `config` for anything else.
 */
export function walletFromProvider(given: unknown, patience: Timeouts): Wallet {
  for (const entry of given == null ? [] : entriesOfPage()) {
    const wallet = typeof entry.id === 'string' && getProviderById(entry.id) === given && readEntry(entry, patience);
    if (wallet) return wallet;
  }
  const provider = (given ?? {}) as Partial<StandardProvider & OwnProvider>;
  const door =
    openStandard(
      () => provider,
      '',
      (method, params) => provider.request?.(method, params),
    ) ?? openOwn(() => provider, '');
  if (!door) {
    throw new SwapError('config', {
      field: 'wallets.bitcoin',
      detail: 'It is no provider of sats-connect: it has neither request() nor sendBitcoin().',
    });
  }
  return createWallet('', '', undefined, door, patience);
}

function readEntry({id, name, icon}: Entry, patience: Timeouts): Wallet | undefined {
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID) return undefined;
  const provider = () => getProviderById(id) as Partial<StandardProvider & OwnProvider> | undefined;
  const door = OWN_METHODS.includes(id)
    ? openOwn(provider, id)
    : openStandard(provider, id, (method, params) => request(method as 'sendTransfer', params as never, id));
  return door && createWallet(id, readName(name) || id, readIcon(icon), door, patience);
}

function createWallet(id: string, name: string, icon: string | undefined, door: Connector, patience: Timeouts): Wallet {
  const wallet = makeWallet({id, family: 'bitcoin', name, icon}, (silent, signal) =>
    connect(wallet, door, silent, patience, signal),
  );
  doors.set(wallet, door);
  return wallet;
}

/** A wallet that answers `request` as sats-connect asks it. */
function openStandard(
  provider: () => Partial<StandardProvider> | undefined,
  id: string,
  request: (method: string, params: unknown) => unknown,
): Connector | undefined {
  if (typeof provider()?.request !== 'function') return undefined;

  /** A no comes as an answer, a missing wallet as an exception; here both are thrown. */
  const ask = async (method: string, params: unknown): Promise<unknown> => resultOf(await request(method, params));
  const isUnknown = (error: unknown) => faultOf(error) === 'unsupported';

  return {
    isHere: () => Boolean(provider()),
    async connect() {
      // Wallets know one of these, the newest first.
      for (const [method, params] of [
        ['wallet_connect', {addresses: ['payment']}],
        ['getAccounts', {purposes: ['payment']}],
      ] as const) {
        try {
          return await ask(method, params);
        } catch (error) {
          if (!isUnknown(error)) throw error;
        }
      }
      return ask('getAddresses', {purposes: ['payment']});
    },
    current: () => ask('wallet_getAccount', null),
    async network() {
      const {bitcoin} = (await ask('wallet_getNetwork', null)) as {readonly bitcoin?: {readonly name?: unknown}};
      return bitcoin?.name;
    },
    payment: ({test}, address, amount) =>
      id === LEATHER
        ? {recipients: [{address, amount: String(amount)}], network: test ? 'testnet4' : 'mainnet'}
        : {recipients: [{address, amount: toNumber(amount)}]},
    send: payment => ask('sendTransfer', payment),
    listen(changed) {
      const stops = ['accountChange', 'networkChange', 'disconnect'].map((eventName): unknown =>
        provider()?.addListener?.({eventName, cb: changed}),
      );
      return () => {
        for (const stop of stops) if (typeof stop === 'function') (stop as () => void)();
      };
    },
  };
}

interface StandardProvider {
  request(method: string, params: unknown): Promise<unknown>;
  addListener?(listener: {readonly eventName: string; readonly cb: () => void}): unknown;
}

/** Unisat and OKX: the same methods on different objects. */
function openOwn(provider: () => Partial<OwnProvider> | undefined, id: string): Connector | undefined {
  if (typeof provider()?.sendBitcoin !== 'function') return undefined;
  const present = () => {
    const found = provider();
    if (!found) throw new SwapError('wallet-missing', {detail: id});
    return found as OwnProvider;
  };
  const events = ['accountsChanged', 'networkChanged', 'chainChanged'];

  return {
    isHere: () => Boolean(provider()),
    connect: async () => present().requestAccounts(),
    current: async () => present().getAccounts(),
    async network() {
      // The older question tells one test network from another no better than an address does.
      const chain = await present().getChain?.();
      return chain?.enum ?? present().getNetwork();
    },
    payment: (_, address, amount) => ({recipients: [{address, amount: toNumber(amount)}]}),
    send: async ({recipients: [{address, amount}]}) => present().sendBitcoin(address, amount),
    listen(changed) {
      for (const event of events) provider()?.on?.(event, changed);
      return () => {
        for (const event of events) provider()?.removeListener?.(event, changed);
      };
    },
  };
}

interface OwnProvider {
  requestAccounts(): Promise<unknown>;
  getAccounts(): Promise<unknown>;
  getNetwork(): Promise<unknown>;
  getChain?(): Promise<{readonly enum?: unknown} | undefined>;
  sendBitcoin(address: string, amount: number | string): Promise<unknown>;
  on?(event: string, listener: () => void): void;
  removeListener?(event: string, listener: () => void): void;
}

/** All coins there can be fit into a number exactly; more than that is no amount. */
function toNumber(amount: bigint): number {
  const number = Number(amount);
  if (!Number.isSafeInteger(number)) throw new RangeError(String(amount));
  return number;
}

/**
 * What sats-connect answers, and in `data` what it did not understand: some wallets answer in its own form already. A
 * provider itself answers by JSON-RPC.
 */
function resultOf(answer: unknown): unknown {
  const {status, result, error} = (answer ?? {}) as Readonly<Record<'status' | 'result' | 'error', unknown>>;
  if (status === 'success' || (status === undefined && result !== undefined)) return result;
  const {data} = (error ?? {}) as {readonly data?: {readonly status?: unknown}};
  if (data?.status === 'success' || data?.status === 'error') return resultOf(data);
  throw (error ?? new Error('no answer')) as Error;
}

async function connect(
  wallet: Wallet,
  door: Connector,
  silent: boolean,
  patience: Timeouts,
  signal: AbortSignal | undefined,
): Promise<Account> {
  signal?.throwIfAborted();
  let answer: unknown;
  try {
    answer = await (silent
      ? within(patience.read, door.current(), signal)
      : within(patience.connect, door.connect(), signal));
  } catch (cause) {
    signal?.throwIfAborted();
    const fault = faultOf(cause);
    const code = fault && CONNECT_FAULTS[fault];
    throw new SwapError(code ?? 'wallet-unclear', {detail: messageOf(cause), cause});
  }
  const account = readAccount(answer, wallet, door, patience);
  if (!account) throw noAccount(silent);
  return account;
}

const CONNECT_FAULTS: Partial<Record<Fault, 'rejected' | 'wallet-locked' | 'wallet-missing'>> = {
  rejected: 'rejected',
  unauthorized: 'wallet-locked',
  missing: 'wallet-missing',
};

function readAccount(answer: unknown, wallet: Wallet, door: Connector, patience: Timeouts): Account | undefined {
  const address = paymentAddressOf(answer);
  if (address === undefined) return undefined;
  return Object.freeze({
    family: 'bitcoin',
    address,
    wallet,
    watch: (changed: (account: Account | undefined) => void, signal: AbortSignal) =>
      watch(address, wallet, door, patience, changed, signal),
  });
}

/** The address that a wallet pays from: the one it calls so, else one for coins and nothing but coins, else its first. */
function paymentAddressOf(answer: unknown): string | undefined {
  const {addresses = answer} = (answer ?? {}) as {readonly addresses?: unknown};
  const entries = (Array.isArray(addresses) ? (addresses as unknown[]) : [])
    .map(entry => (typeof entry === 'string' ? {address: entry} : (entry ?? {})) as Partial<AddressEntry>)
    .filter(
      ({address}) => typeof address === 'string' && [true, false].some(test => isBitcoinAddress({test}, address)),
    );
  const chosen =
    entries.find(({purpose}) => purpose === 'payment') ?? entries.find(({type}) => type === 'p2wpkh') ?? entries[0];
  return chosen?.address;
}

interface AddressEntry {
  readonly address: string;
  readonly purpose: string;
  /** Leather's. */
  readonly type: string;
}

function watch(
  address: string,
  wallet: Wallet,
  door: Connector,
  patience: Timeouts,
  changed: (account: Account | undefined) => void,
  signal: AbortSignal,
): void {
  if (signal.aborted) return;
  let current: string | undefined = address;
  const look = async () => {
    const answer = await within(patience.read, door.current(), signal).catch(() => undefined);
    const account = readAccount(answer, wallet, door, patience);
    if (signal.aborted || account?.address === current) return;
    current = account?.address;
    changed(account);
  };
  const stop = door.listen(() => void look());
  signal.addEventListener('abort', stop, {once: true});
}

/**
 * Whether a wallet is where a chain's coins are. Test networks go by many names and mean each other; the main network
 * means itself alone, and other chains that have its addresses mean none of them. Without a name the address tells.
 */
export async function isOnNetwork(
  door: Connector,
  chain: Chain,
  address: string,
  {read}: Timeouts,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const name = await within(read, door.network(), signal).catch(() => undefined);
  signal?.throwIfAborted();
  if (typeof name !== 'string') return isBitcoinAddress(chain, address);
  return (chain.test ? /^(?:bitcoin_)?(?:test|signet|regtest)/i : /^(?:bitcoin_)?(?:main|live)(?:net)?$/i).test(name);
}

/** What an error of a wallet says for certain; `undefined` where it says nothing certain. */
export type Fault =
  /** The person said no. */
  | 'rejected'
  /** The wallet is closed to this page. */
  | 'unauthorized'
  /** The wallet does not know this method. */
  | 'unsupported'
  /** The wallet does not take this request. */
  | 'invalid'
  /** The coins do not cover amount and fee. */
  | 'insufficient-funds'
  /** There is no wallet. */
  | 'missing';

/** Reads an error by its codes (sats-connect's, EIP-1193's in some wallets), and by its words where the codes say nothing. */
export function faultOf(error: unknown): Fault | undefined {
  const codes = layersOf(error).map(layer => layer['code']);
  const text = messageOf(error);
  const has = (...wanted: number[]) => codes.some(code => wanted.includes(Number(code)));

  if (error instanceof SwapError && error.code === 'wallet-missing') return 'missing';
  if (/^no wallet provider was found$/.test(text)) return 'missing';
  if (has(-32000, 4001)) return 'rejected';
  if (has(-32001, -32601, 4002, 4200)) return 'unsupported';
  if (has(-32602)) return 'invalid';
  // With EVM wallets' meaning it says that another window is still open, which may still be answered.
  if (has(-32002) && !/\b(?:pending|already)\b/i.test(text)) return 'unauthorized';
  if (has(4100)) return 'unauthorized';
  if (/\binsufficient (?:funds|balance)\b/i.test(text)) return 'insufficient-funds';
  return undefined;
}
