import {notLoaded, type SwapError} from './error.js';

/** A part that is loaded once, when it is first needed. A failed load is retried with the next call. */
export interface Lazy<Part> {
  /** Loads it. Rejects with `SwapError` `timeout` if it cannot be loaded. */
  (): Promise<Part>;
  /**
   * Uses it: now if it is loaded, otherwise as soon as it is. Earlier uses run in the order of their calls. If it
   * cannot be loaded, `onFailure` returns the result; without one, the promise rejects.
   */
  use<Result>(act: (part: Part) => Result | Promise<Result>, onFailure?: (error: SwapError) => Result): Promise<Result>;
  part?: Part;
}

/** `make` creates the part from the module, if it is not the module itself. */
export function lazy<Module, Part = Module>(
  load: () => Promise<Module>,
  make = (module: Module) => module as unknown as Part,
): Lazy<Part> {
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
      // First in line, so that a use from now on runs after those before it.
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
