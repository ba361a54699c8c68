/**
 * Counts what the widget's own code leaves on a page: timers, frames, listeners on outer objects, requests, observers,
 * locks. The tests, the runner and the development wallets use them too; the call stack shows whose they are.
 */

/** What is left: `setTimeout 1000`, `window storage`, `fetch /v2/quote`. */
export interface Guest {
  left(): Record<string, number>;
  readonly requests: number;
  end(): void;
}

type AnyFunction = (...args: never[]) => unknown;

/** The caller: the innermost code outside the platform, if it is the widget's, or a library's that the widget called. */
function asker(): 'widget' | 'library' | undefined {
  const frames = (new Error().stack ?? '').split('\n').slice(1);
  const known = frames.filter(frame => frame.includes('http') && !frame.includes('/support/guest.ts'));
  const own = known.find(frame => /\/(?:src|demo|test)\//.test(frame));
  if (!own?.includes('/src/')) return undefined;
  return known[0] === own ? 'widget' : 'library';
}

const isOurs = () => asker() !== undefined;

interface Watch {
  readonly left: Map<object, string>;
  replace<T extends object, K extends keyof T>(target: T, name: K, make: (original: T[K]) => T[K]): void;
}

export function watchGuest(): Guest {
  const depth = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  const left = new Map<object, string>();
  const undo: (() => void)[] = [() => (Error.stackTraceLimit = depth)];
  let requests = 0;
  const watch: Watch = {
    left,
    replace(target, name, make) {
      const original = target[name];
      target[name] = make(original);
      undo.push(() => (target[name] = original));
    },
  };
  watchTimers(watch);
  watchRequests(watch, () => requests++);
  watchListeners(watch);
  watchObservers(watch);
  watchLocks(watch);

  return {
    left() {
      const counts: Record<string, number> = {};
      for (const what of left.values()) counts[what] = (counts[what] ?? 0) + 1;
      return counts;
    },
    get requests() {
      return requests;
    },
    end() {
      for (const put of undo.splice(0).reverse()) put();
    },
  };
}

function watchTimers({left, replace}: Watch): void {
  const timers = new Map<unknown, object>();
  const page = window as unknown as Record<string, AnyFunction>;
  for (const [set, clear, isRepeated] of [
    ['setTimeout', 'clearTimeout', false],
    ['setInterval', 'clearInterval', true],
    ['requestAnimationFrame', 'cancelAnimationFrame', false],
    ['requestIdleCallback', 'cancelIdleCallback', false],
  ] as const) {
    replace(page, set, original => {
      return (work: (...args: unknown[]) => unknown, ...rest: never[]) => {
        const by = asker();
        if (typeof work !== 'function' || !by) return original(work as never, ...rest);
        const entry = {};
        const handle = original(
          ((...args: unknown[]) => {
            if (!isRepeated) left.delete(entry);
            work(...args);
          }) as never,
          ...rest,
        );
        left.set(entry, by === 'library' ? `${set} of a library` : [set, ...rest.slice(0, 1)].join(' '));
        timers.set(`${set} ${String(handle)}`, entry);
        return handle;
      };
    });
    replace(page, clear, original => {
      return (handle: never) => {
        const entry = timers.get(`${set} ${String(handle)}`);
        if (entry) left.delete(entry);
        return original(handle);
      };
    });
  }
}

function watchRequests({left, replace}: Watch, sent: () => void): void {
  replace(window, 'fetch', original => async (input, init) => {
    if (!isOurs()) return original(input, init);
    const entry = {};
    sent();
    left.set(entry, `fetch ${new URL(input instanceof Request ? input.url : input).pathname}`);
    try {
      return await original(input, init);
    } finally {
      left.delete(entry);
    }
  });
}

function watchListeners({left, replace}: Watch): void {
  const listeners = new Map<EventTarget, Map<string, object>>();
  const ids = new WeakMap<object, number>();
  let count = 0;
  const idOf = (thing: object) => ids.get(thing) ?? (ids.set(thing, ++count), count);
  const keyOf = (type: string, listener: object, options: unknown) => {
    const capture = typeof options === 'object' && options ? (options as AddEventListenerOptions).capture : options;
    return `${type} ${String(idOf(listener))} ${String(Boolean(capture))}`;
  };
  const prototype = EventTarget.prototype;
  replace(prototype, 'addEventListener', original => {
    return function (this: EventTarget | undefined, type, listener, options) {
      const target = this ?? window;
      original.call(target, type, listener, options);
      const settings = typeof options === 'object' ? options : {};
      if (!listener || settings.signal?.aborted || !isOfPage(target) || !isOurs()) return;
      const own = listeners.get(target) ?? new Map<string, object>();
      listeners.set(target, own);
      const key = keyOf(type, listener, options);
      if (own.has(key)) return;
      const entry = {};
      own.set(key, entry);
      left.set(entry, `${nameOf(target)} ${type}`);
      const forget = () => {
        own.delete(key);
        left.delete(entry);
      };
      if (settings.signal) original.call(settings.signal, 'abort', forget, {once: true});
      if (settings.once) original.call(target, type, forget, {once: true});
    };
  });
  replace(prototype, 'removeEventListener', original => {
    return function (this: EventTarget | undefined, type, listener, options) {
      const target = this ?? window;
      original.call(target, type, listener, options);
      const key = listener && keyOf(type, listener, options);
      const entry = key && listeners.get(target)?.get(key);
      if (!key || !entry) return;
      listeners.get(target)?.delete(key);
      left.delete(entry);
    };
  });
}

const nameOf = (target: EventTarget) =>
  target === window
    ? 'window'
    : target instanceof Document
      ? 'document'
      : target instanceof Element
        ? target.localName
        : target.constructor.name;

/** Targets inside the widget disappear with it; its own signals do not belong to the page. */
const isOfPage = (target: EventTarget) =>
  !(target instanceof AbortSignal) &&
  !(target instanceof Element && target !== document.documentElement && target !== document.body) &&
  !(target instanceof ShadowRoot) &&
  !(target instanceof MessagePort);

function watchObservers({left, replace}: Watch): void {
  for (const observer of [MutationObserver, ResizeObserver, IntersectionObserver]) {
    const methods = observer.prototype as unknown as Record<'observe' | 'disconnect', AnyFunction>;
    replace(methods, 'observe', original => {
      return function (this: object, ...args: never[]) {
        if (isOurs()) left.set(this, observer.name);
        return original.apply(this, args);
      };
    });
    replace(methods, 'disconnect', original => {
      return function (this: object) {
        left.delete(this);
        return original.apply(this);
      };
    });
  }
}

function watchLocks({left, replace}: Watch): void {
  const {locks} = navigator;
  replace(locks, 'request', original => {
    const counted = async (...args: Parameters<LockManager['request']>): Promise<unknown> => {
      const asking: Promise<unknown> = Reflect.apply(original, locks, args);
      if (!isOurs()) return asking;
      const entry = {};
      left.set(entry, `lock ${args[0]}`);
      return asking.finally(() => left.delete(entry));
    };
    return counted as LockManager['request'];
  });
}
