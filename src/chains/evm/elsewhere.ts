/**
 * The way to wallets on other devices, without the library that reaches them, which is larger than all the rest. A page
 * with a script tag loads it by the press; one with a bundler hands it in, so that nobody else's bundle has it.
 */
import {SwapError} from '../../domain/error.js';
import {lazy, type Lazy} from '../../domain/lazy.js';
import type * as walletconnect from './walletconnect.js';

type Library = typeof walletconnect;

/** Set by the build for bundlers alone: there, what `swap-widget/walletconnect` hands in is all there is. */
declare const IS_FOR_BUNDLERS: true | undefined;

/** The library, to be loaded; `undefined` until the page hands it in. */
let library: Lazy<Library> | undefined =
  typeof IS_FOR_BUNDLERS === 'undefined' ? lazily(() => import('./walletconnect.js')) : undefined;

/** What waits for the library to be handed in. */
const waiting = new Set<() => void>();

/** Whether the page was told already that it hands nothing in. */
let isTold = false;

/** The library's modal. The first definition on a page draws every modal there is. */
const TAG = 'w3m-modal';

/** Takes the library from the page, to be loaded when a visitor chooses the way to another device. */
export function handIn(load: () => Promise<Library>): void {
  library = lazily(load);
  for (const offer of waiting) offer();
  waiting.clear();
}

/** Calls back once the library can be loaded: at once where it can, and not after the signal has aborted. */
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
  waiting.add(offer);
  signal.addEventListener('abort', () => waiting.delete(offer), {once: true});
}

/**
 * Whether the modal can be opened: not on a page with a copy of its own, whose element would answer to ours and show
 * nothing. Such a page has its own way to WalletConnect, and hands over the wallet that it finds there (`wallets`).
 */
export function canOpen(): boolean {
  return library?.part?.isLoaded() === true || !customElements.get(TAG);
}

/**
 * Loads the library. Rejects with `SwapError`: `wallet-missing` where its modal cannot be opened, `timeout` where it
 * cannot be loaded.
 */
export async function loadLibrary(): Promise<Library> {
  if (!library || !canOpen()) throw new SwapError('wallet-missing', {detail: `The page has a ${TAG} of its own.`});
  return library();
}

function lazily(load: () => Promise<Library>): Lazy<Library> {
  return lazy(load, module => module);
}
