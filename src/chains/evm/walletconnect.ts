/*
 * Wallets on other devices, by WalletConnect, through the modal of `@web3modal/ethers`. All of what that package is and
 * does is dealt with here: what puts another one in its place changes this file and nothing else.
 */
import type {createWeb3Modal} from '@web3modal/ethers';
import type {Chain} from '../../domain/asset.js';
import {SwapError} from '../../domain/error.js';
import {notLoaded} from '../../domain/lazy.js';
import type {DiscoverOptions} from '../adapter.js';
import {coinOf, faultOf, type Provider} from './rpc.js';

type Elsewhere = NonNullable<DiscoverOptions['elsewhere']>;
type Modal = ReturnType<typeof createWeb3Modal>;

/** How long the modal has, once it closed, to name the provider that was connected in it. It closes first. */
const NAMING_MS = 1_500;
/** How long WalletConnect's relay may take to answer with the code that is scanned, before it is said to be unreachable. */
const CODE_MS = 20_000;

/** What the way to another device is called, by the library too. */
const NAME = 'WalletConnect';

/** The modal's element. Whoever defines it first on a page draws every modal there is. */
const TAG = 'w3m-modal';

/** The modal of this page, for all widgets on it. The library holds its state in its modules, so there is one. */
let modal: Promise<Modal> | undefined;

/**
 * Whether the modal can be opened: not on a page with a copy of its own, whose element would answer to ours and show
 * nothing. Such a page has its own way to WalletConnect, and hands over the wallet that it finds there (`wallets`).
 */
export function canOpen(): boolean {
  return modal !== undefined || !customElements.get(TAG);
}

/**
 * Opens the modal, waits for a wallet to be connected in it, and closes it. Answers that wallet's provider.
 * @throws SwapError `wallet-missing` where the person closed it, `timeout` where it could not be loaded or the relay
 * cannot be reached.
 */
export async function connectElsewhere(
  elsewhere: Elsewhere,
  onWindow: (() => void) | undefined,
  signal: AbortSignal | undefined,
): Promise<Provider> {
  if (!canOpen()) throw new SwapError('wallet-missing', {detail: `The page has a ${TAG} of its own.`});
  const opened = await (modal ??= load(elsewhere));
  signal?.throwIfAborted();
  globals.lend();
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (milliseconds: number, deed: () => void) => {
      clearTimeout(timer);
      timer = setTimeout(deed, milliseconds);
    };
    const finish = () => {
      over.abort();
      clearTimeout(timer);
      void opened.close();
      // A wallet on another device goes on speaking through the library; all others do without.
      if (opened.getWalletProviderType() !== 'walletConnect') globals.takeBack();
    };
    const fail = (error: unknown) => {
      finish();
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    const last = opened.getWalletProvider();
    const found = () => {
      const provider = opened.getWalletProvider();
      if (!opened.getIsConnected() || !provider) return false;
      finish();
      resolve(provider as Provider);
      return true;
    };

    let isOpen = false;
    const follow = [
      opened.subscribeProvider(() => {
        // The one of the last time is there from the start.
        if (opened.getWalletProvider() !== last) found();
      }),
      opened.subscribeState(({open}) => {
        if (open === isOpen) return;
        isOpen = open;
        if (open) onWindow?.();
        else
          later(NAMING_MS, () => found() || fail(new SwapError('wallet-missing', {detail: 'The modal was closed.'})));
      }),
      opened.subscribeEvents(({data}) => {
        if (data.event === 'SELECT_WALLET' && data.properties.name === NAME) {
          later(CODE_MS, () => fail(new SwapError('timeout', {detail: 'The relay gave no code in time.'})));
        }
        if (data.event !== 'CONNECT_ERROR') return;
        const {message} = data.properties;
        // To a no on the other device the modal itself answers, with another code.
        if (faultOf({message}) !== 'rejected') fail(new SwapError('timeout', {detail: message}));
      }),
    ];
    over.signal.addEventListener('abort', () => follow.forEach(stop => stop?.()));
    signal?.addEventListener('abort', () => fail(signal.reason), {signal: over.signal});
    opened.open({view: 'Connect'}).catch(fail);
  });
}

/** Loads the library, and makes its one modal. */
async function load({projectId, chains}: Elsewhere): Promise<Modal> {
  globals.lend();
  try {
    const {createWeb3Modal, defaultConfig} = await import('@web3modal/ethers');
    globals.learn();
    adoptBlockedStyles();
    return createWeb3Modal({
      projectId,
      chains: chains.map(chainOf),
      ethersConfig: defaultConfig({
        metadata: {name: document.title || location.host, description: '', url: location.origin, icons: []},
        // Their frame, their log-in by e-mail and by social networks, their wallet.
        auth: {email: false, socials: [], showWallets: true, walletFeatures: false},
        enableCoinbase: false,
        // Wallets of this browser announce themselves; whoever took `window.ethereum` is nobody's choice.
        enableInjected: false,
        enableEIP6963: true,
      }),
      enableAnalytics: false,
      enableOnramp: false,
      enableSwaps: false,
      // In front of whatever the page has.
      themeVariables: {'--w3m-z-index': 2_147_483_647},
    });
  } catch (cause) {
    modal = undefined;
    globals.takeBack();
    throw notLoaded(cause);
  }
}

function chainOf(chain: Chain) {
  const {chainId = 0, title, explorer = '', rpc = ''} = chain;
  return {chainId, name: title, currency: coinOf(chain).symbol, explorerUrl: explorer, rpcUrl: rpc};
}

/* -- what it puts on the page --------------------------------------------------------------------------------------- */

const NAMES = ['Buffer', 'global', 'process'] as const;

/**
 * The library takes names of Node for given, and puts them on the page. Scripts of the page may take them for a sign of
 * Node, so they are there while the library works, and otherwise as they were.
 */
const globals = (() => {
  const read = () => new Map(NAMES.map(name => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));
  let before: ReturnType<typeof read> | undefined;
  let during: ReturnType<typeof read> | undefined;
  const put = (descriptors: ReturnType<typeof read> | undefined) => {
    for (const [name, descriptor] of descriptors ?? []) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
  };
  return {
    /** Puts there what the library wants, as soon as it is known. */
    lend() {
      if (before) return;
      before = read();
      put(during);
    },
    /** Sees what the library, just loaded, has put there. */
    learn() {
      during = read();
    },
    takeBack() {
      put(before);
      before = undefined;
    },
  };
})();

/**
 * A strict style policy of the page blocks the `<style>` elements that the library puts into its head. What is in them
 * goes where such a policy lets it, to the adopted style sheets, without what they would fetch. Where nothing blocks
 * them, nothing is done.
 */
function adoptBlockedStyles(): void {
  const adopted = new Map<Node, CSSStyleSheet>();
  new MutationObserver(records => {
    for (const node of records.flatMap(({addedNodes}) => [...addedNodes])) {
      if (!(node instanceof HTMLStyleElement) || node.sheet || node.media === UNUSED) continue;
      const text = node.textContent;
      if (!text.includes('w3m-') || adopted.has(node)) continue;
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text.replace(/@import[^;]*;/g, ''));
      adopted.set(node, sheet);
      document.adoptedStyleSheets.push(sheet);
    }
    for (const node of records.flatMap(({removedNodes}) => [...removedNodes])) {
      const gone = !node.isConnected && adopted.get(node);
      if (!gone) continue;
      adopted.delete(node);
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter(sheet => sheet !== gone);
    }
  }).observe(document.head, {childList: true});
}

/** The medium that the library gives to the colours that it does not use. */
const UNUSED = 'enabled';

/** What the wallet on the other device calls itself; `undefined` for a provider that is in this browser. */
export function nameElsewhere(provider: Provider): string | undefined {
  const {session} = provider as {readonly session?: {readonly peer?: {readonly metadata?: {readonly name?: unknown}}}};
  const name = session?.peer?.metadata?.name;
  return session && (typeof name === 'string' ? name : '');
}
