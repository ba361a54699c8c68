import {requestProviders} from 'mipd';
import type {Asset, Chain} from '../../domain/asset.js';
import {fault, SwapError, toSwapError} from '../../domain/error.js';
import type {Account, Wallet} from '../adapter.js';
import type {FundingContext} from '../funding.js';
import {soundsDeclined} from '../errors.js';
import {hex} from '../rpc.js';
import {onAbort, within, type Timeouts} from '../timeouts.js';
import {
  createConnectors,
  createWallet,
  moveToChain,
  onceEach,
  readId,
  waitForChain,
  type AccountListener,
  type WalletFacts,
} from '../wallet.js';
import {addressIn, chainIdIn} from './answers.js';
import {ask, coinOf, explorerOf, faultOf, PUBLIC, readThrough, type Provider} from './rpc.js';

export const providers = createConnectors<Provider>();

/**
 * Finds the wallets that announce themselves (EIP-6963). If none does, the page's own provider is one (EIP-1193,
 * `window.ethereum`), as in the browsers of some wallets. Nothing is connected.
 */
export function discoverWallets(found: (wallet: Wallet) => void, timeouts: Timeouts, signal: AbortSignal): void {
  if (signal.aborted) return;
  const tell = onceEach(found);
  let isAlone = true;
  const stop = requestProviders(announcement => {
    const wallet = readAnnouncement(announcement, timeouts);
    if (wallet) isAlone = false;
    tell(wallet);
  });
  const timer = setTimeout(() => {
    if (isAlone) tell(injectedWallet(timeouts));
  }, timeouts.announce);
  onAbort(signal, () => {
    clearTimeout(timer);
    stop?.();
  });
}

/** The provider that the browser put into the page, under a name that no wallet on the page can announce. */
function injectedWallet(timeouts: Timeouts): Wallet | undefined {
  const {ethereum} = globalThis as {readonly ethereum?: Partial<Provider> | null};
  if (typeof ethereum?.request !== 'function') return undefined;
  const facts = {id: 'injected', key: 'window.ethereum', name: '', icon: undefined, isInjected: true};
  return walletOf(facts, ethereum as Provider, timeouts);
}

/**
 * A wallet from any EIP-1193 provider. If a wallet announced the same one, it has that wallet's name.
 * @throws SwapError `config` if it is not a provider.
 */
export function walletFromProvider(given: unknown, timeouts: Timeouts): Wallet {
  const provider = given as Partial<Provider> | null;
  if (typeof provider?.request !== 'function') {
    throw fault('wallets.evm', 'Not a provider: request() is missing (EIP-1193).');
  }
  let announced: Wallet | undefined;
  requestProviders(announcement => {
    // Any script on the page may have announced anything.
    if ((announcement as Partial<typeof announcement> | null)?.provider === given)
      announced = readAnnouncement(announcement, timeouts);
  })?.();
  return announced ?? walletOf({id: '', name: '', icon: undefined}, provider as Provider, timeouts);
}

function readAnnouncement(announcement: unknown, timeouts: Timeouts): Wallet | undefined {
  const {info, provider} = (announcement ?? {}) as {
    readonly info?: Partial<Readonly<Record<'uuid' | 'rdns' | 'name' | 'icon', unknown>>>;
    readonly provider?: Provider;
  };
  const id = readId(info?.rdns);
  if (id === undefined || typeof provider?.request !== 'function') return undefined;
  return walletOf({id, key: readId(info?.uuid), name: info?.name, icon: info?.icon}, provider, timeouts);
}

export function walletOf(facts: WalletFacts, provider: Provider, timeouts: Timeouts): Wallet {
  const source = {
    connect: async (silent: boolean) => addressIn(await ask(provider, silent ? 'eth_accounts' : 'eth_requestAccounts')),
    watch: (listener: AccountListener, signal: AbortSignal) => watch(provider, listener, signal),
    faultOf,
  };
  return providers.add(createWallet('evm', facts, source, timeouts), provider);
}

function watch(provider: Provider, {changed, moved}: AccountListener, signal: AbortSignal): void {
  const accountsChanged = (addresses: unknown) => changed(addressIn(addresses));
  const listeners: readonly (readonly [event: string, listener: (value: unknown) => void])[] = [
    ['accountsChanged', accountsChanged],
    // What can be read through the wallet depends on its chain.
    ['chainChanged', moved],
    // Its chains are out of reach (EIP-1193): MetaMask also says so while a node does not answer. The account is gone if
    // the wallet names none any more, or rejects the request, as after the end of a WalletConnect session.
    ['disconnect', () => void ask(provider, 'eth_accounts').then(accountsChanged, accountsChanged)],
  ];
  for (const [event, listener] of listeners) provider.on?.(event, listener);
  onAbort(signal, () => listeners.forEach(([event, listener]) => provider.removeListener?.(event, listener)));
}

/** How often a wallet that added a chain is looked at before it is asked to switch: a second by default. */
const LOOKS_AFTER_ADDING = 4;

/**
 * Brings the wallet to a chain, as `moveToChain` does, and describes the chain to a wallet that seems not to know it.
 * The error for that differs: 4902 in most, 4901 in Taho, 8546 in Enkrypt, or only a message. So every failure counts
 * except a rejection, an open window and a missing response; so does a response without a switch.
 */
export function bringToChain(
  provider: Provider,
  chain: Chain,
  {timeouts, signal, onMove}: Pick<FundingContext, 'timeouts' | 'signal' | 'onMove'>,
): Promise<boolean> {
  const read = readThrough(provider, timeouts, signal);
  const isThere = async () => chainIdIn(await read('eth_chainId')) === chain.chainId;
  const chainId = hex(chain.chainId ?? 0);
  const request = (method: string, wanted: object, looks?: number) =>
    waitForChain(ask(provider, method, [wanted]), isThere, timeouts, signal, looks);
  const move = async () => {
    try {
      if (await request('wallet_switchEthereumChain', {chainId})) return true;
    } catch (error) {
      const fault = faultOf(error);
      signal?.throwIfAborted();
      if (error instanceof SwapError || fault === 'rejected' || fault === 'pending' || soundsDeclined(error))
        throw error;
    }
    // A chain with an RPC from the partner may be a private one, even with a public id.
    const told = chain.rpc === undefined ? {...PUBLIC[chain.chainId ?? 0], ...chain} : chain;
    const explorer = explorerOf(told);
    const description = {
      chainId,
      chainName: chain.title,
      nativeCurrency: coinOf(chain),
      ...(told.rpc === undefined ? {} : {rpcUrls: [told.rpc]}),
      // Taho rejects a chain without one on its own.
      ...(explorer === undefined ? {} : {blockExplorerUrls: [explorer]}),
    };
    // Some wallets add a chain without switching to it.
    return (
      (await request('wallet_addEthereumChain', description, LOOKS_AFTER_ADDING)) ||
      request('wallet_switchEthereumChain', {chainId})
    );
  };
  return moveToChain(chain, {isThere, move, faultOf, onMove}, signal);
}

/**
 * EIP-747, `wallet_watchAsset`. Most wallets assume that the token is on their current chain, so they are brought there first. A response means that the request was understood, not what became of it.
 * @throws SwapError `rejected`, `wallet-missing`, `wallet-failed`.
 */
export async function listToken(
  {chain, token: address, symbol, decimals}: Asset,
  account: Account,
  timeouts: Timeouts,
): Promise<boolean> {
  const provider = providers.get(account);
  try {
    await bringToChain(provider, chain, {timeouts, signal: undefined, onMove: () => undefined});
    // Its parameter is one object, not a list.
    const params = {type: 'ERC20', options: {address, symbol, decimals}} as unknown as readonly unknown[];
    return (await within(timeouts.request, provider.request({method: 'wallet_watchAsset', params}))) === true;
  } catch (error) {
    const isDeclined = faultOf(error) === 'rejected' || soundsDeclined(error);
    throw toSwapError(error, isDeclined ? 'rejected' : 'wallet-failed');
  }
}
