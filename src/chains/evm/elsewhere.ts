/**
 * Access to wallets on other devices, without the library for them, which is larger than everything else. A page with a
 * script tag loads it on a click; a page with a bundler passes it in, so that other bundles do not include it.
 */
import {SwapError} from '../../domain/error.js';
import {lazy, type Lazy} from '../../domain/lazy.js';
import type * as walletconnect from './walletconnect.js';

type Library = typeof walletconnect;

/** Only set in the build for script tags, whose pages import nothing: there, a release has the library beside it. */
declare const IS_FOR_SCRIPT_TAG: true | undefined;

let library: Lazy<Library> | undefined =
  typeof IS_FOR_SCRIPT_TAG === 'undefined' ? undefined : lazy(() => import('./walletconnect.js'));

/** Says `handed-in` once there is a library. */
const arrival = new EventTarget();
let isTold = false;

/** The library's modal. Its first definition on a page renders all modals. */
const TAG = 'w3m-modal';

export function handIn(load: () => Promise<Library>): void {
  library = lazy(load);
  arrival.dispatchEvent(new Event('handed-in'));
}

/** Calls back once the library can be loaded: at once if it can, and not after the signal has aborted. */
export function whenHandedIn(offer: () => void, signal: AbortSignal): void {
  if (library) {
    offer();
    return;
  }
  if (!isTold) {
    isTold = true;
    console.error(
      "<swap-widget> walletconnect-project-id: no wallet on another device can be offered without `import 'swap-widget/walletconnect'`.",
    );
  }
  arrival.addEventListener('handed-in', offer, {once: true, signal});
}

/**
 * Whether the modal can be opened: not on a page with its own copy, whose element would be created instead of ours and
 * show nothing. Such a page uses WalletConnect itself, and passes its wallet (`wallets`).
 */
export function canOpen(): boolean {
  return library?.part?.isLoaded() === true || !customElements.get(TAG);
}

/** Rejects with `SwapError`: `wallet-missing` if its modal cannot be opened, `timeout` if it cannot be loaded. */
export async function loadLibrary(): Promise<Library> {
  if (!library || !canOpen()) throw new SwapError('wallet-missing', {detail: `The page has a ${TAG} of its own.`});
  return library();
}
