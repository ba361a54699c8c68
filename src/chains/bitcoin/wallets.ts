import {getProviderById, getProviders, getSupportedWallets} from 'sats-connect';
import type {Chain} from '../../domain/asset.js';
import {fault, SwapError} from '../../domain/error.js';
import type {Account, Wallet} from '../adapter.js';
import {codesOf, messageOf, onDevice, readSaid, USER_REJECTED, type Said} from '../errors.js';
import {onAbort, within, type Timeouts} from '../timeouts.js';
import {createConnectors, createWallet, onceEach, readId, type AccountListener, type WalletFacts} from '../wallet.js';
import {isBitcoinAddress} from './address.js';

/** The operations of wallets of both kinds: those with the `request` of WBIPs, and those with their own methods. */
export interface Connector {
  isHere(): boolean;
  /** Requests the addresses that it pays from, for a chain if it accepts one; its window may open. */
  connect(chain: Chain | undefined): Promise<unknown>;
  /** The same without a window, if the wallet allowed it before; rejects otherwise. */
  current(): Promise<unknown>;
  /** The wallet's own name for its network; `undefined` if it has none. */
  network(): Promise<unknown>;
  payment(chain: Chain, address: string, amount: bigint): Payment;
  send(payment: Payment): Promise<unknown>;
  /** Calls back when account or network may have changed; returns a function to stop. */
  listen(changed: () => void): () => void;
}

export interface Payment {
  readonly recipients: readonly [{readonly address: string; readonly amount: number | string}];
  readonly network?: string;
}

/** The pause between searches for wallets, which do not announce themselves (WBIP-004), in milliseconds. */
const LOOK_AGAIN = 500;

/** Wallets with their own methods instead of `request`, by their path from `window`. */
const OWN_METHODS = ['unisat', 'okxwallet.bitcoin'];
/** Only accepts amounts as text, and needs the network in each request. It starts on mainnet. */
const LEATHER = 'LeatherProvider';
const leatherNetwork = ({test}: Chain) => (test ? 'testnet4' : 'mainnet');

const connectors = createConnectors<Connector>();

/** @throws SwapError `wallet-missing` if the account's wallet is not available, or no longer. */
export function connectorOf(account: Account): Connector {
  const connector = connectors.get(account);
  if (!connector.isHere()) throw new SwapError('wallet-missing', {detail: account.wallet.name});
  return connector;
}

/** Finds those that registered themselves (WBIP-004), then known ones that did not. Nothing is connected. */
export function discoverWallets(found: (wallet: Wallet) => void, timeouts: Timeouts, signal: AbortSignal): void {
  if (signal.aborted) return;
  const tell = onceEach(found);
  const look = () => {
    for (const entry of entriesOfPage()) tell(readEntry(entry, timeouts));
  };
  look();
  const timer = setInterval(look, LOOK_AGAIN);
  onAbort(signal, () => clearInterval(timer));
}

/** It does not register itself, and only supports mainnet. */
const OKX = {id: 'okxwallet.bitcoin', name: 'OKX'};

/** The descriptions that the page's wallets registered. Any script on the page may have put anything there. */
function entriesOfPage(): readonly Entry[] {
  // Outside a page there are none, and the library would access `window`.
  if (!('window' in globalThis)) return [];
  const registered: unknown = getProviders();
  const silent = getSupportedWallets().filter(({isInstalled}) => isInstalled);
  return [...(Array.isArray(registered) ? (registered as unknown[]) : []), ...silent, OKX].map(
    entry => (entry ?? {}) as Entry,
  );
}

type Entry = Partial<Readonly<Record<'id' | 'name' | 'icon', unknown>>>;

/**
 * A wallet from a provider that the page passed: one with a `request` like sats-connect's providers and its default
 * export, or one with its own methods, like Unisat's. If it is also found on the page, that entry is used.
 * @throws SwapError `config` for anything else.
 */
export function walletFromProvider(given: unknown, timeouts: Timeouts): Wallet {
  for (const entry of given == null ? [] : entriesOfPage()) {
    const wallet = typeof entry.id === 'string' && getProviderById(entry.id) === given && readEntry(entry, timeouts);
    if (wallet) return wallet;
  }
  const provider = (given ?? {}) as Partial<StandardProvider & OwnProvider>;
  const connector = openStandard(() => provider, '') ?? openOwn(() => provider, '');
  if (!connector) {
    throw fault('wallets.bitcoin', 'Not a sats-connect provider: it has neither request() nor sendBitcoin().');
  }
  return walletOf({id: '', name: '', icon: undefined}, connector, timeouts);
}

function readEntry({id: given, name, icon}: Entry, timeouts: Timeouts): Wallet | undefined {
  const id = readId(given);
  if (id === undefined) return undefined;
  const provider = () => getProviderById(id) as Partial<StandardProvider & OwnProvider> | undefined;
  const connector = (OWN_METHODS.includes(id) ? openOwn : openStandard)(provider, id);
  return connector && walletOf({id, name, icon}, connector, timeouts);
}

function walletOf(facts: WalletFacts, connector: Connector, timeouts: Timeouts): Wallet {
  const source = {
    connect: async (silent: boolean, chain: Chain | undefined) =>
      paymentAddressOf(await (silent ? connector.current() : connector.connect(chain))),
    watch({changed}: AccountListener, signal: AbortSignal) {
      const look = async () => {
        const answer = await within(timeouts.read, connector.current(), signal).catch(() => undefined);
        changed(paymentAddressOf(answer));
      };
      const stop = connector.listen(() => void look());
      onAbort(signal, stop);
    },
    faultOf,
  };
  return connectors.add(createWallet('bitcoin', facts, source, timeouts), connector);
}

/**
 * A wallet with the `request` of WBIPs. It is called directly: the `request` of sats-connect first calls `getInfo`,
 * which not every wallet supports, and caches one wallet's response for all.
 */
function openStandard(provider: () => Partial<StandardProvider> | undefined, id: string): Connector | undefined {
  if (typeof provider()?.request !== 'function') return undefined;

  /** Some wallets return a refusal, some throw it; here it is always thrown. */
  const ask = async (method: string, params: unknown): Promise<unknown> =>
    readAnswer(await present(provider, id).request(method, params));
  const isUnknown = (error: unknown) => faultOf(error) === 'unsupported';

  return {
    isHere: () => Boolean(provider()),
    async connect(chain) {
      // Each wallet knows one of these; the newest comes first.
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
      const network = id === LEATHER && chain ? {network: leatherNetwork(chain)} : {};
      return ask('getAddresses', {purposes: ['payment'], ...network});
    },
    current: () => ask('wallet_getAccount', null),
    async network() {
      const {bitcoin} = (await ask('wallet_getNetwork', null)) as {readonly bitcoin?: {readonly name?: unknown}};
      return bitcoin?.name;
    },
    payment: (chain, address, amount) =>
      id === LEATHER
        ? {recipients: [{address, amount: String(amount)}], network: leatherNetwork(chain)}
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

/** @throws SwapError `wallet-missing` if the wallet has disappeared. */
function present<Provider>(provider: () => Partial<Provider> | undefined, id: string): Provider {
  const found = provider();
  if (!found) throw new SwapError('wallet-missing', {detail: id});
  return found as Provider;
}

interface StandardProvider {
  request(method: string, params: unknown): Promise<unknown>;
  addListener?(listener: {readonly eventName: string; readonly cb: () => void}): unknown;
}

/** Unisat and OKX have the same methods on different objects. */
function openOwn(provider: () => Partial<OwnProvider> | undefined, id: string): Connector | undefined {
  if (typeof provider()?.sendBitcoin !== 'function') return undefined;
  const here = () => present(provider, id);
  const events = ['accountsChanged', 'networkChanged', 'chainChanged'];

  return {
    isHere: () => Boolean(provider()),
    connect: async () => here().requestAccounts(),
    current: async () => here().getAccounts(),
    async network() {
      // The older method distinguishes testnets no better than an address does.
      const chain = await here().getChain?.();
      return chain?.enum ?? here().getNetwork();
    },
    payment: (_, address, amount) => ({recipients: [{address, amount: toNumber(amount)}]}),
    send: async ({recipients: [{address, amount}]}) => here().sendBitcoin(address, amount),
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

/** A number can represent the sum of all coins exactly; higher amounts are invalid. */
function toNumber(amount: bigint): number {
  const number = Number(amount);
  if (!Number.isSafeInteger(number)) throw new RangeError(String(amount));
  return number;
}

/**
 * Reads a response: a provider's in JSON-RPC, or one in sats-connect's format, which some wallets return themselves.
 * sats-connect does not recognize its own format there, and wraps it into `data`.
 */
function readAnswer(answer: unknown): unknown {
  const {status, result, error} = (answer ?? {}) as Readonly<Record<'status' | 'result' | 'error', unknown>>;
  if (status === 'success' || (status === undefined && result !== undefined)) return result;
  const {data} = (error ?? {}) as {readonly data?: {readonly status?: unknown}};
  if (data?.status === 'success' || data?.status === 'error') return readAnswer(data);
  throw (error ?? new Error('no answer')) as Error;
}

/** The address that a wallet pays from: the one marked for payments, otherwise a native segwit one, otherwise the first. */
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

/**
 * Whether a wallet is on a chain's network. All testnet names are treated as one. Mainnet only matches itself, and
 * other chains with the same address format match neither. Without a name, the address decides.
 */
export async function isOnNetwork(
  connector: Connector,
  chain: Chain,
  address: string,
  {read}: Timeouts,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const name = await within(read, connector.network(), signal).catch(() => undefined);
  signal?.throwIfAborted();
  if (typeof name !== 'string') return isBitcoinAddress(chain, address);
  return (chain.test ? /^(?:bitcoin_)?(?:test|signet|regtest)/i : /^(?:bitcoin_)?(?:main|live)(?:net)?$/i).test(name);
}

/** What a wallet's error means for certain; `undefined` if nothing is certain. */
export type Fault =
  | 'rejected'
  /** The wallet is locked, or not connected to this page. */
  | 'unauthorized'
  | 'unsupported'
  | 'invalid'
  | 'insufficient-funds'
  | 'missing';

/** What wallets say, with who says it and where. */
const SAID: readonly Said<Fault>[] = [
  // sats-connect (`RpcErrorCode`); Leather, UniSat, OKX.
  {means: 'rejected', codes: [USER_REJECTED], ownCodes: [-32000]},
  ...onDevice<Fault>('rejected', 'unauthorized', 'invalid'),
  // sats-connect, JSON-RPC 2.0; Leather; EIP-1193.
  {means: 'unsupported', ownCodes: [-32001], codes: [-32601, 4002, 4200]},
  {means: 'invalid', codes: [-32602]},
  {means: 'unauthorized', codes: [4100]},
  // While the wallet chooses its coins, before it signs.
  {means: 'insufficient-funds', texts: [/^insufficient (?:funds|balance)[.!]?$/i]},
];

export function faultOf(error: unknown): Fault | undefined {
  if (error instanceof SwapError && error.code === 'wallet-missing') return 'missing';
  const said = readSaid(SAID, error);
  if (said) return said;
  // sats-connect's “access denied”. In EVM wallets this code means that another window is open, which may still be
  // answered.
  const isDenied = codesOf(error).includes(-32002) && !/\b(?:pending|already)\b/i.test(messageOf(error));
  return isDenied ? 'unauthorized' : undefined;
}
