import {atom, onMount, type ReadableAtom} from 'nanostores';
import type {Host} from '../session/session.js';
import {unlessForbidden} from '../session/storage.js';

/** A session's access to its page. The storage lasts until the visitor clears it, or for as long as the tab is open. */
export function createHost(storageKind: () => 'local' | 'session' | 'none' | undefined): Host {
  return {
    now: () => Date.now(),

    after(milliseconds, work) {
      // Browsers use 32 bits: a longer timeout would fire at once.
      const timer = setTimeout(work, Math.min(milliseconds, 2 ** 31 - 1));
      return () => clearTimeout(timer);
    },

    get storage() {
      return unlessForbidden(() => (storageKind() === 'session' ? sessionStorage : localStorage));
    },

    onStorage(changed) {
      const listener = ({key}: StorageEvent) => changed(key);
      addEventListener('storage', listener);
      return () => removeEventListener('storage', listener);
    },

    visible$: follow(document, ['visibilitychange'], () => document.visibilityState === 'visible'),
    online$: follow(window, ['online', 'offline'], () => navigator.onLine),
  };
}

/** A value that is read again with each of these events, while it has listeners. */
function follow<T>(target: EventTarget, events: readonly string[], read: () => T): ReadableAtom<T> {
  const $value = atom(read());
  onMount($value, () => {
    const update = () => $value.set(read());
    update();
    for (const event of events) target.addEventListener(event, update);
    return () => {
      for (const event of events) target.removeEventListener(event, update);
    };
  });
  return $value;
}
