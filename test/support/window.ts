/** In Node: as much of a page's `window` as wallets need for discovery and for their location. */
import {Locks} from './locks.js';

if (!('window' in globalThis)) {
  const page = new EventTarget();
  Object.assign(globalThis, {
    window: globalThis,
    location: {hostname: '127.0.0.1', host: '127.0.0.1'},
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
    dispatchEvent: page.dispatchEvent.bind(page),
  });
  Object.defineProperty(globalThis, 'navigator', {value: {locks: new Locks()}, configurable: true});
}
