import type {SwapError} from '../domain/error.js';
import type {Host} from './storage.js';

/** How long the browser's word that it is offline counts, in milliseconds. */
const BELIEVED_MS = 30_000;

/** A page's connection. What the browser says of it is a hint, which some get wrong. */
export interface Connection {
  followOnline(): () => void;
  /** The visitor does something that needs it, so it is tried. */
  tryOnline(): void;
  /** Assumes that the browser is offline, if that is why a request failed. */
  heed(failure: SwapError): void;
}

/**
 * Supposes that the page is online until the browser says otherwise or a request failed offline; then again after a while,
 * and as soon as the visitor acts. `tell` is called with each.
 */
export function createConnection(host: Host, tell: (isOnline: boolean) => void): Connection {
  let cancel = () => {};
  const suppose = (isOnline: boolean) => {
    cancel();
    if (!isOnline) cancel = host.after(BELIEVED_MS, () => suppose(true));
    tell(isOnline);
  };
  return {
    followOnline() {
      const stop = host.online$.listen(suppose);
      return () => {
        stop();
        cancel();
      };
    },
    tryOnline: () => suppose(true),
    heed({code}) {
      if (code === 'offline') suppose(false);
    },
  };
}
