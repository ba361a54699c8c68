import {SwapError} from './error.js';

/** A part that is loaded when it is first needed, and then once. A failed load is tried again at the next call. */
export interface Lazy<Part> {
  /** Loads it. Rejects with `SwapError` `timeout` where it cannot be loaded. */
  (): Promise<Part>;
  /**
   * Uses it: now where it is loaded, otherwise as soon as it is. Uses before that run in the order of their calls. Where
   * it cannot be loaded, `onFailure` answers; without one, it rejects.
   */
  use<Result>(act: (part: Part) => Result | Promise<Result>, onFailure?: (error: SwapError) => Result): Promise<Result>;
  /** The part, once it is loaded. */
  part?: Part;
}

/** A part that `load` gets and `make` makes, when it is first needed. */
export function lazy<Module, Part>(load: () => Promise<Module>, make: (module: Module) => Part): Lazy<Part> {
  let loading: Promise<Part> | undefined;
  let ready: Part | undefined;
  const get: Lazy<Part> = () => {
    if (!loading) {
      loading = load().then(
        module => (get.part = make(module)),
        (cause: unknown) => {
          loading = undefined;
          throw notLoaded(cause);
        },
      );
      // First in line, so that a use that comes now waits for those before it.
      loading.then(
        part => (ready = part),
        () => undefined,
      );
    }
    return loading;
  };
  get.use = async (act, onFailure) => (ready === undefined ? get().then(act, onFailure) : act(ready));
  return get;
}

/** The error of a part that could not be loaded: most likely there is no connection. */
export function notLoaded(cause: unknown): SwapError {
  return new SwapError('timeout', {detail: 'a part of the widget could not be loaded', cause});
}
