import type {SwapError} from './error.js';

/**
 * A remote value. During a repeated request, and after a failed one, `value` keeps the last good one, so that the
 * screen never goes blank over a transient error.
 */
export type Remote<T> =
  | {readonly state: 'idle'}
  | {readonly state: 'pending'; readonly value?: T}
  | {readonly state: 'ready'; readonly value: T}
  | {readonly state: 'failed'; readonly error: SwapError; readonly value?: T};

export const idle: Remote<never> = {state: 'idle'};

export function pending<T>(value?: T): Remote<T> {
  return value === undefined ? {state: 'pending'} : {state: 'pending', value};
}

export function ready<T>(value: T): Remote<T> {
  return {state: 'ready', value};
}

export function failed<T>(error: SwapError, value?: T): Remote<T> {
  return value === undefined ? {state: 'failed', error} : {state: 'failed', error, value};
}

/** The last good value of a remote, if there is one. */
export function valueOf<T>(remote: Remote<T>): T | undefined {
  return remote.state === 'idle' ? undefined : remote.value;
}
