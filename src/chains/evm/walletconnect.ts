/*
 * Wallets on other devices, through WalletConnect and the modal of `@web3modal/ethers`. Everything about that package
 * except its element's name is in this file, so that replacing it changes nothing else. It loads late (`elsewhere.ts`).
 */
import type {createWeb3Modal} from '@web3modal/ethers';
import type {Chain} from '../../domain/asset.js';
import {notLoaded, SwapError} from '../../domain/error.js';
import type {DiscoverOptions} from '../adapter.js';
import {soundsDeclined} from '../errors.js';
import {coinOf, explorerOf, type Provider} from './rpc.js';

type Elsewhere = NonNullable<DiscoverOptions['elsewhere']>;
type Modal = ReturnType<typeof createWeb3Modal>;

/** How long after closing the modal may take to report the connected provider. It closes first. */
const NAMING_MS = 1_500;
/** How long WalletConnect's relay may take to return the code to scan, before it counts as unreachable. */
const CODE_MS = 20_000;

const NAME = 'WalletConnect';

/** The page's only modal, shared by all its widgets, since the library stores its state in its modules. */
let modal: Promise<Modal> | undefined;

export function isLoaded(): boolean {
  return modal !== undefined;
}

/**
 * Opens the modal, waits for a wallet to connect, and closes it. Resolves with that wallet's provider.
 * @throws SwapError `wallet-missing` if the visitor closed it, `timeout` if it could not be loaded or the relay cannot
 * be reached.
 */
export async function connectElsewhere(
  elsewhere: Elsewhere,
  onWindow: (() => void) | undefined,
  signal: AbortSignal | undefined,
): Promise<Provider> {
  const opened = await (modal ??= load(elsewhere));
  signal?.throwIfAborted();
  globals.lend();
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (milliseconds: number, work: () => void) => {
      clearTimeout(timer);
      timer = setTimeout(work, milliseconds);
    };
    const finish = () => {
      over.abort();
      clearTimeout(timer);
      void opened.close();
      // A wallet on another device communicates through the library; all others do not need it.
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
        // The provider of the last connection is there from the start.
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
        // After a rejection on the other device the modal itself shows another code.
        if (!soundsDeclined({message})) fail(new SwapError('timeout', {detail: message}));
      }),
    ];
    over.signal.addEventListener('abort', () => follow.forEach(stop => stop?.()));
    signal?.addEventListener('abort', () => fail(signal.reason), {signal: over.signal});
    opened.open({view: 'Connect'}).catch(fail);
  });
}

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
        // Off: its iframe, its login by e-mail and social networks, its wallet.
        auth: {email: false, socials: [], showWallets: true, walletFeatures: false},
        enableCoinbase: false,
        // Wallets of this browser announce themselves; nobody chose the one that set `window.ethereum`.
        enableInjected: false,
        enableEIP6963: true,
      }),
      enableAnalytics: false,
      enableOnramp: false,
      enableSwaps: false,
      themeVariables: {'--w3m-z-index': 2_147_483_647},
    });
  } catch (cause) {
    modal = undefined;
    globals.takeBack();
    throw notLoaded(cause);
  }
}

function chainOf(chain: Chain) {
  const {chainId = 0, title, rpc = ''} = chain;
  return {chainId, name: title, currency: coinOf(chain).symbol, explorerUrl: explorerOf(chain) ?? '', rpcUrl: rpc};
}

/*
 * -- what it puts on the page ---------------------------------------------------------------------------------------
 */

const NAMES = ['Buffer', 'global', 'process'] as const;

/**
 * The library needs Node's globals, and adds them to the page. Scripts may take them for a sign of Node, so they are
 * only there while the library works.
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
    lend() {
      if (before) return;
      before = read();
      put(during);
    },
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
 * A page's strict style policy blocks the `<style>` elements that the library adds to its head. Only then, their rules
 * become adopted style sheets, which such a policy allows, without external resources.
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

/** The `media` that the library sets on the color schemes that it does not use. */
const UNUSED = 'enabled';

/** The name of the wallet on the other device; `undefined` for a provider in this browser. */
export function nameElsewhere(provider: Provider): string | undefined {
  const {session} = provider as {readonly session?: {readonly peer?: {readonly metadata?: {readonly name?: unknown}}}};
  const name = session?.peer?.metadata?.name;
  return session && (typeof name === 'string' ? name : '');
}
