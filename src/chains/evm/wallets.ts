import {getAddress} from 'ethers/address';
import {requestProviders} from 'mipd';
import type {Chain} from '../../domain/asset.js';
import {SwapError} from '../../domain/error.js';
import type {Account, DiscoverOptions, Wallet} from '../adapter.js';
import {
  arrive,
  makeWallet,
  noAccount,
  readIcon,
  readName,
  reading,
  within,
  messageOf,
  type Timeouts,
} from '../common.js';
import {PUBLIC} from './public.js';
import {ask, coinOf, faultOf, hex, readChainId, type Provider, type Read} from './rpc.js';
import {canOpen, connectElsewhere, nameElsewhere} from './walletconnect.js';

const MAX_ID = 128;
/** The door of each wallet that announced itself. Accounts outlive the search that found their wallet. */
const providers = new WeakMap<Wallet, Provider>();

/** @throws SwapError `wallet-missing` for an account that is not from a wallet that announced itself here. */
export function providerOf({wallet}: Account): Provider {
  const provider = providers.get(wallet);
  if (!provider) throw new SwapError('wallet-missing', {detail: wallet.name});
  return provider;
}

/** The same for reads, which do without. */
export function findProvider(account: Account | undefined): Provider | undefined {
  return account && providers.get(account.wallet);
}

/**
 * Tells of each wallet once as it announces itself (EIP-6963), until the signal aborts, and of the way to one on another
 * device. Nothing is connected.
 */
export function discoverWallets(
  found: (wallet: Wallet) => void,
  patience: Timeouts,
  {signal, elsewhere}: DiscoverOptions,
): void {
  if (signal.aborted) return;
  const known = new Set<string>();
  const stop = requestProviders(announcement => {
    const wallet = readAnnouncement(announcement, patience);
    // Wallets announce themselves again whenever anybody on the page asks.
    if (!wallet || known.has(wallet.id)) return;
    known.add(wallet.id);
    found(wallet);
  });
  signal.addEventListener('abort', () => stop?.(), {once: true});
  if (elsewhere && canOpen()) found(walletElsewhere(elsewhere, patience));
}

/** The way to a wallet on another device. What speaks to it is loaded when it is chosen, and never before. */
function walletElsewhere(elsewhere: NonNullable<DiscoverOptions['elsewhere']>, patience: Timeouts): Wallet {
  return Object.freeze({
    id: 'walletconnect',
    family: 'evm',
    name: 'WalletConnect',
    icon: WALLETCONNECT_ICON,
    isElsewhere: true,
    async connect({silent = false, signal, onWindow} = {}) {
      if (silent) throw new SwapError('wallet-locked');
      const provider = await connectElsewhere(elsewhere, onWindow, signal);
      const name = nameElsewhere(provider);
      const wallet =
        name === undefined
          ? walletFromProvider(provider, patience)
          : createWallet('walletconnect', readName(name) || 'WalletConnect', WALLETCONNECT_ICON, provider, patience);
      return wallet.connect({silent: true, ...(signal && {signal})});
    },
  } satisfies Wallet);
}

/** WalletConnect's mark. */
const WALLETCONNECT_ICON =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"%3E%3Crect width="40" height="40" fill="%233b99fc"/%3E%3Cpath fill="none" stroke="%23fff" stroke-width="3" d="M9 17c6-6 16-6 22 0M7 21l6 6 7-7 7 7 6-6"/%3E%3C/svg%3E';

/**
 * A wallet from any provider by EIP-1193. Where a wallet announced the same one, it is known by that wallet's name.
 * @throws SwapError `config` for what is no provider.
 */
export function walletFromProvider(given: unknown, patience: Timeouts): Wallet {
  const provider = given as Partial<Provider> | null;
  if (typeof provider?.request !== 'function') {
    throw new SwapError('config', {
      field: 'wallets.evm',
      detail: 'It is no provider: it has no request() (EIP-1193).',
    });
  }
  let announced: Wallet | undefined;
  requestProviders(announcement => {
    // Any script on the page may have announced anything.
    if ((announcement as Partial<typeof announcement> | null)?.provider === given)
      announced = readAnnouncement(announcement, patience);
  })?.();
  return announced ?? createWallet('', '', undefined, provider as Provider, patience);
}

/** Reads an announcement, which any script on the page may have made. */
function readAnnouncement(announcement: unknown, patience: Timeouts): Wallet | undefined {
  const {info, provider} = (announcement ?? {}) as {
    readonly info?: {readonly rdns?: unknown; readonly name?: unknown; readonly icon?: unknown};
    readonly provider?: Provider;
  };
  const id = info?.rdns;
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID) return undefined;
  if (typeof provider?.request !== 'function') return undefined;

  return createWallet(id, readName(info?.name) || readName(id), readIcon(info?.icon), provider, patience);
}

function createWallet(
  id: string,
  name: string,
  icon: string | undefined,
  provider: Provider,
  patience: Timeouts,
): Wallet {
  const wallet = makeWallet({id, family: 'evm', name, icon}, (silent, signal) =>
    connect(wallet, provider, silent, patience, signal),
  );
  providers.set(wallet, provider);
  return wallet;
}

async function connect(
  wallet: Wallet,
  provider: Provider,
  silent: boolean,
  patience: Timeouts,
  signal: AbortSignal | undefined,
): Promise<Account> {
  signal?.throwIfAborted();
  let addresses: unknown;
  try {
    addresses = await (silent
      ? within(patience.read, ask(provider, 'eth_accounts'), signal)
      : within(patience.connect, ask(provider, 'eth_requestAccounts'), signal));
  } catch (error) {
    signal?.throwIfAborted();
    switch (faultOf(error)) {
      case 'rejected':
        throw new SwapError('rejected', {detail: messageOf(error), cause: error});
      case 'pending':
      case 'unauthorized':
        throw new SwapError('wallet-locked', {detail: messageOf(error), cause: error});
      default:
        throw new SwapError('wallet-unclear', {detail: messageOf(error), cause: error});
    }
  }
  const account = readAccount(addresses, wallet, provider);
  if (!account) throw noAccount(silent);
  return account;
}

/** The account that the wallet shows as the current one: the first it names. */
function readAccount(addresses: unknown, wallet: Wallet, provider: Provider): Account | undefined {
  const address = firstAddress(addresses);
  if (address === undefined) return undefined;
  return Object.freeze({
    family: 'evm',
    address,
    wallet,
    watch: (changed: (account: Account | undefined) => void, signal: AbortSignal) =>
      watch(address, wallet, provider, changed, signal),
  });
}

/** The wallet's current address, with its checksum; `undefined` while it shows none to this page. */
export async function currentAddress(
  provider: Provider,
  {read}: Timeouts,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  return firstAddress(await within(read, ask(provider, 'eth_accounts'), signal));
}

function firstAddress(addresses: unknown): string | undefined {
  const [first] = Array.isArray(addresses) ? (addresses as unknown[]) : [];
  return typeof first === 'string' && /^0x[0-9a-f]{40}$/i.test(first) ? getAddress(first.toLowerCase()) : undefined;
}

function watch(
  address: string,
  wallet: Wallet,
  provider: Provider,
  changed: (account: Account | undefined) => void,
  signal: AbortSignal,
): void {
  if (signal.aborted) return;
  let current: string | undefined = address;
  const listeners: readonly (readonly [event: string, listener: (value: unknown) => void])[] = [
    [
      'accountsChanged',
      addresses => {
        const account = readAccount(addresses, wallet, provider);
        if (account?.address === current) return;
        current = account?.address;
        changed(account);
      },
    ],
    // The same account, told anew: what can be read through the wallet depends on its chain.
    ['chainChanged', () => current !== undefined && changed(readAccount([current], wallet, provider))],
    [
      'disconnect',
      () => {
        if (current === undefined) return;
        current = undefined;
        changed(undefined);
      },
    ],
  ];
  for (const [event, listener] of listeners) provider.on?.(event, listener);
  signal.addEventListener(
    'abort',
    () => {
      for (const [event, listener] of listeners) provider.removeListener?.(event, listener);
    },
    {once: true},
  );
}

/**
 * Brings the wallet to a chain; answers whether it had to move. It is believed only when the wallet itself says that it
 * is there.
 * @throws SwapError `wrong-network`, `rejected`, `wallet-locked`.
 */
export async function bringToChain(
  provider: Provider,
  chain: Chain,
  read: Read,
  patience: Timeouts,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const isThere = async () => (await readChainId(read)) === chain.chainId;
  if (await reading(isThere())) return false;

  const chainId = hex(chain.chainId ?? 0);
  const request = (method: string, wanted: object) =>
    arrive(ask(provider, method, [wanted]), isThere, patience, signal);
  try {
    try {
      await request('wallet_switchEthereumChain', {chainId});
    } catch (error) {
      if (faultOf(error) !== 'unknown-chain') throw error;
      // A chain that the partner has a node of may be one of their own, whatever its id.
      const {rpc, explorer} = chain.rpc === undefined ? {...PUBLIC[chain.chainId ?? 0], ...chain} : chain;
      await request('wallet_addEthereumChain', {
        chainId,
        chainName: chain.title,
        nativeCurrency: coinOf(chain),
        ...(rpc === undefined ? {} : {rpcUrls: [rpc]}),
        ...(explorer === undefined ? {} : {blockExplorerUrls: [explorer]}),
      });
      // Adding a chain is not yet being on it.
      if (!(await isThere())) await request('wallet_switchEthereumChain', {chainId});
    }
    if (await isThere()) return true;
  } catch (cause) {
    signal?.throwIfAborted();
    const fault = faultOf(cause);
    const code = fault === 'rejected' ? 'rejected' : fault === 'pending' ? 'wallet-locked' : 'wrong-network';
    throw new SwapError(code, {detail: messageOf(cause), cause});
  }
  throw new SwapError('wrong-network', {detail: chain.title});
}
