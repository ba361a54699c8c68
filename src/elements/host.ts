import {atom, onMount, type ReadableAtom} from 'nanostores';
import type {Host} from '../session/session.js';

/** Where a widget keeps its journal: until the visitor clears it, or for as long as the tab is open. */
export type StorageKind = 'local' | 'session';

/** What a session may know of the page it lives in. */
export function createHost(storageKind: () => StorageKind | undefined): Host {
  return {
    now: () => Date.now(),

    after(milliseconds, work) {
      // Browsers count in 32 bits: a longer wait would be none at all.
      const timer = setTimeout(work, Math.min(milliseconds, 2 ** 31 - 1));
      return () => {
        clearTimeout(timer);
      };
    },

    get storage() {
      try {
        return storageKind() === 'session' ? sessionStorage : localStorage;
      } catch {
        // A browser that keeps nothing for this page throws where it is asked for its storage.
        return undefined;
      }
    },

    onStorage(changed) {
      const listener = ({key}: StorageEvent) => {
        changed(key);
      };
      addEventListener('storage', listener);
      return () => {
        removeEventListener('storage', listener);
      };
    },

    visible$: follow(document, ['visibilitychange'], () => document.visibilityState === 'visible'),
    online$: follow(window, ['online', 'offline'], () => navigator.onLine),
  };
}

/** A value that is read again whenever one of the events comes, while something listens. */
function follow<T>(target: EventTarget, events: readonly string[], read: () => T): ReadableAtom<T> {
  const $value = atom(read());
  onMount($value, () => {
    const update = () => {
      $value.set(read());
    };
    update();
    for (const event of events) target.addEventListener(event, update);
    return () => {
      for (const event of events) target.removeEventListener(event, update);
    };
  });
  return $value;
}

/** What a widget is told apart by: its id, else its place among those of the page, or of the shadow root it stands in. */
export function scopeOf(element: Element): string {
  const root = element.getRootNode() as Document | ShadowRoot;
  const place = element.id || [...root.querySelectorAll(element.localName)].indexOf(element);
  return ('host' in root ? `${scopeOf(root.host)}/` : '') + String(place);
}

/** Keeps from the page what is typed into fields: a page's key for “5” is not meant there. It still gets all that are not text. */
export function keepTyping(root: EventTarget): void {
  for (const type of ['keydown', 'keypress', 'keyup']) {
    root.addEventListener(type, event => {
      // What a browser fills in by itself comes with events that name no key.
      const {key = '', ctrlKey, altKey, metaKey} = event as Partial<KeyboardEvent>;
      // With both of the first two, a key writes a third sign.
      const isText = (key.length === 1 && !metaKey && ctrlKey === altKey) || key === 'Backspace' || key === 'Delete';
      if (isText && event.composedPath()[0] instanceof HTMLInputElement) event.stopPropagation();
    });
  }
}
