import type {ReadableAtom, WritableAtom} from 'nanostores';
import {attempt} from '../domain/error.js';
import type {SessionBase} from './shared.js';

/**
 * Fills a store that elements could read before its rule was loaded. It is up to date whenever it is read; it notifies
 * listeners while the session is started, since rules may listen to the page.
 */
export function fill<T>(core: SessionBase, $store: WritableAtom<T>, $rule: ReadableAtom<T>): void {
  $store.get = () => $rule.get();
  hear(core, $rule, value => $store.set(value));
}

/** Listens to a rule while the session is started: a stopped one leaves no listeners on the page. */
export function hear<T>({$running}: SessionBase, $rule: ReadableAtom<T>, change: (value: T) => void): void {
  let stop = () => {};
  $running.subscribe(running => {
    stop();
    stop = running ? $rule.subscribe(value => change(value)) : () => {};
  });
}

/** If one of the page's listeners throws, only that listener fails: the code that changed the store continues. */
export function guard($store: ReadableAtom): void {
  const {listen} = $store;
  $store.listen = listener =>
    listen((...change) => {
      attempt(() => listener(...change));
    });
}
