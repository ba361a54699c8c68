import {
  isWalletAdapterCompatibleStandardWallet,
  WalletNotReadyError,
  WalletReadyState,
  type WalletAdapter,
} from '@solana/wallet-adapter-base';
import type {SolanaSignAndSendTransactionFeature, SolanaSignTransactionFeature} from '@solana/wallet-standard-features';
import {getWallets} from '@wallet-standard/app';
import type {IdentifierString, Wallet as StandardWallet, WalletAccount} from '@wallet-standard/base';
import type {StandardConnectFeature, StandardEventsFeature} from '@wallet-standard/features';
import type {Chain} from '../../domain/asset.js';
import {fault, SwapError} from '../../domain/error.js';
import {lazy} from '../../domain/lazy.js';
import type {Wallet} from '../adapter.js';
import {onAbort, TIMEOUTS, type Timeouts} from '../timeouts.js';
import {createConnectors, createWallet, readName, type AccountListener} from '../wallet.js';
import {faultOf} from './rpc.js';
import {isSolanaAddress} from './transaction.js';
import type {VersionedTransaction} from './versioned.js';

export interface SigningRequest {
  readonly address: string;
  readonly chain: IdentifierString;
  readonly transaction: Uint8Array;
}

/** The operations of wallets of both kinds: of the Wallet Standard, and of wallet-adapter. */
export interface Connector {
  /** The accounts that this page may use now, the current one first. */
  accounts(): readonly string[];
  /** Whether an account can be used on a chain; `true` for wallets that do not report it. */
  isOn(address: string, chain: IdentifierString): boolean;
  takes(version: 'legacy' | 0): boolean;
  /** Signs and returns the signed transaction, without sending it. */
  sign?(request: SigningRequest): Promise<Uint8Array>;
  /** Signs and sends, and returns the signature. */
  send?(request: SigningRequest): Promise<Uint8Array>;
  /** Loads what the request needs, before the prompt. @throws SwapError `timeout` */
  prepare?(): Promise<unknown>;
  /** Requests an account. Silent: without a window. */
  connect(silent: boolean): Promise<void>;
  /** Calls back when the accounts may have changed; returns a function to stop. */
  watch(changed: () => void): () => void;
}

export const connectors = createConnectors<Connector>();

/**
 * Their Wallet Standard names. The service calls the devnet cluster `solana_testnet`; a wallet that was asked for
 * another one would sign all the same, and the payment would never arrive.
 */
const CLUSTERS: Readonly<Record<string, IdentifierString>> = {
  solana: 'solana:mainnet',
  solana_testnet: 'solana:devnet',
  solana_devnet: 'solana:devnet',
  solana_localnet: 'solana:localnet',
};

export function walletChainOf({name, test}: Pick<Chain, 'name' | 'test'>): IdentifierString {
  return CLUSTERS[name] ?? (test ? 'solana:devnet' : 'solana:mainnet');
}

/** Finds each wallet that registers itself (Wallet Standard), until the signal aborts. Nothing is connected. */
export function discoverWallets(found: (wallet: Wallet) => void, timeouts: Timeouts, signal: AbortSignal): void {
  if (signal.aborted) return;
  const known = new Map<string, StandardWallet>();
  const read = (...announced: readonly StandardWallet[]) => {
    for (const one of announced) {
      const wallet = readStandard(one, timeouts);
      // A wallet is only identified by its name, so the first one keeps it.
      if (!wallet || known.has(wallet.id)) continue;
      known.set(wallet.id, one);
      found(wallet);
    }
  };
  const {get, on} = getWallets();
  const offs = [
    on('register', read),
    on('unregister', (...gone) => {
      for (const [id, one] of known) if (gone.includes(one)) known.delete(id);
    }),
  ];
  onAbort(signal, () => offs.forEach(off => off()));
  read(...get());
}

/**
 * Takes a wallet of the Wallet Standard, or any adapter of wallet-adapter (`@solana/wallet-adapter-base`). An adapter
 * that wraps a standard wallet is used as that wallet. Any other has to sign versioned transactions, and the chain
 * needs an `rpc`, since the widget then sends the transaction: adapters guess the chain from a URL.
 * @throws SwapError `config` for anything else.
 */
export function walletFrom(given: unknown, timeouts: Timeouts = TIMEOUTS): Wallet {
  if (typeof given !== 'object' || given === null) throw config('Not a wallet.');
  if ('features' in given) return walletFromStandard(given as StandardWallet, timeouts);
  if ('standard' in given && 'wallet' in given) return walletFromStandard(given.wallet as StandardWallet, timeouts);
  return walletFromAdapter(given as Partial<WalletAdapter>, timeouts);
}

function walletFromStandard(standard: StandardWallet, timeouts: Timeouts): Wallet {
  const wallet = readStandard(standard, timeouts);
  if (!wallet) {
    throw config('It has to connect, report changes and sign transactions for a chain of Solana.');
  }
  return wallet;
}

function walletFromAdapter(adapter: Partial<WalletAdapter>, timeouts: Timeouts): Wallet {
  const name = readName(adapter.name);
  const isAdapter = [adapter.connect, adapter.on, adapter.off].every(method => typeof method === 'function');
  if (!name || !isAdapter || !('signTransaction' in adapter) || !adapter.supportedTransactionVersions) {
    throw config(`The adapter “${name}” does not sign versioned transactions.`);
  }
  return walletOf(name, adapter.icon, connectorToAdapter(adapter as WalletAdapter), timeouts);
}

/** Any script on the page may have registered it; `undefined` if it cannot be used here. */
function readStandard(standard: StandardWallet, timeouts: Timeouts): Wallet | undefined {
  try {
    const name = readName(standard.name);
    const isOurs = name !== '' && standard.chains.some(isSolana);
    if (!isOurs || !isWalletAdapterCompatibleStandardWallet(standard)) return undefined;
    return walletOf(name, standard.icon, connectorToStandard(standard, standard.features), timeouts);
  } catch {
    return undefined;
  }
}

/** Wallets of both kinds are identified by their names. */
function walletOf(name: string, icon: unknown, connector: Connector, timeouts: Timeouts): Wallet {
  /** The wallet's current account is the first in its list. */
  const current = () => connector.accounts()[0];
  const source = {
    ...(connector.prepare && {prepare: connector.prepare}),
    async connect(silent: boolean) {
      await connector.connect(silent);
      return current();
    },
    watch({changed}: AccountListener, signal: AbortSignal) {
      const stop = connector.watch(() => changed(current()));
      onAbort(signal, stop);
    },
    faultOf,
  };
  return connectors.add(createWallet('solana', {id: name, name, icon}, source, timeouts), connector);
}

function connectorToStandard(
  wallet: StandardWallet,
  features: StandardConnectFeature &
    StandardEventsFeature &
    Partial<SolanaSignTransactionFeature & SolanaSignAndSendTransactionFeature>,
): Connector {
  const signing = features['solana:signTransaction'];
  const sending = features['solana:signAndSendTransaction'];
  const fitting = () =>
    wallet.accounts.filter(({address, chains}) => isSolanaAddress(address) && chains.some(isSolana));
  const accountOf = (address: string): WalletAccount => {
    const account = fitting().find(one => one.address === address);
    if (!account) throw new SwapError('wrong-account', {detail: address});
    return account;
  };
  return {
    accounts: () => fitting().map(({address}) => address),
    isOn: (address, chain) => accountOf(address).chains.includes(chain),
    takes: version =>
      [signing, sending].every(feature => !feature || feature.supportedTransactionVersions.includes(version)),
    ...(signing && {
      sign: async ({address, chain, transaction}) => {
        const [output] = await signing.signTransaction({account: accountOf(address), chain, transaction});
        return bytesIn(output?.signedTransaction);
      },
    }),
    ...(sending && {
      send: async ({address, chain, transaction}) => {
        const [output] = await sending.signAndSendTransaction({account: accountOf(address), chain, transaction});
        return bytesIn(output?.signature);
      },
    }),
    connect: async silent => {
      await features['standard:connect'].connect(silent ? {silent} : {});
    },
    watch: changed => features['standard:events'].on('change', changed),
  };
}

type SigningAdapter = WalletAdapter & {
  signTransaction(transaction: VersionedTransaction): Promise<{serialize(): Uint8Array}>;
};

const ABSENT: readonly WalletReadyState[] = [WalletReadyState.NotDetected, WalletReadyState.Unsupported];

/** The format in which adapters accept a transaction. Where none is passed in, the build leaves it out. */
const loadVersioned = /* @__PURE__ */ lazy(
  () => import('./versioned.js'),
  versioned => versioned,
);

function connectorToAdapter(given: WalletAdapter): Connector {
  const adapter = given as unknown as SigningAdapter;
  return {
    accounts: () => {
      const address = adapter.publicKey?.toBase58();
      return address === undefined ? [] : [address];
    },
    isOn: () => true,
    takes: version => adapter.supportedTransactionVersions?.has(version) ?? false,
    async sign({transaction}) {
      const {openTransaction} = await loadVersioned();
      const {publicKey} = adapter;
      if (!publicKey) throw new SwapError('wrong-account');
      return bytesIn((await adapter.signTransaction(openTransaction(transaction, publicKey))).serialize());
    },
    prepare: loadVersioned,
    connect: async silent => {
      // Some adapters open a window for their automatic connection too.
      if (silent || adapter.connected) return;
      // Without an installed wallet, some adapters navigate the page to its website.
      if (ABSENT.includes(adapter.readyState)) throw new WalletNotReadyError();
      await adapter.connect();
    },
    watch: changed => {
      adapter.on('connect', changed);
      adapter.on('disconnect', changed);
      return () => {
        adapter.off('connect', changed);
        adapter.off('disconnect', changed);
      };
    },
  };
}

function isSolana(chain: string): boolean {
  return chain.startsWith('solana:');
}

function bytesIn(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new SwapError('wallet-unclear', {detail: 'The wallet gave no bytes.'});
  return Uint8Array.from(value);
}

function config(detail: string): SwapError {
  return fault('wallets.solana', detail);
}
