import {SwapError} from './error.js';

/**
 * A part that is loaded when it is first wanted, and then once. What could not be loaded is tried anew at the next call;
 * until then the answer rejects with `SwapError` `timeout`.
 */
export function lazy<Module, Part>(load: () => Promise<Module>, make: (module: Module) => Part): () => Promise<Part> {
  let loading: Promise<Part> | undefined;
  return () =>
    (loading ??= load().then(make, (cause: unknown) => {
      loading = undefined;
      throw notLoaded(cause);
    }));
}

/** What is said of a part that could not be loaded: most likely there is no connection. */
export function notLoaded(cause: unknown): SwapError {
  return new SwapError('timeout', {detail: 'a part of the widget could not be loaded', cause});
}
