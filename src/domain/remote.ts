import type {SwapError} from './error.js';

/**
 * A value that comes from elsewhere. While it is asked for again, and after a failed try, `value` keeps the last
 * good one, so that a screen never goes blank over a passing fault.
 */
export type Remote<T> =
  | {readonly state: 'idle'}
  | {readonly state: 'pending'; readonly value?: T}
  | {readonly state: 'ready'; readonly value: T}
  | {readonly state: 'failed'; readonly error: SwapError; readonly value?: T};

/** Nothing has been asked for. */
export const idle: Remote<never> = {state: 'idle'};

/** It is being asked for; the last good value may be kept in the meantime. */
export function pending<T>(value?: T): Remote<T> {
  return value === undefined ? {state: 'pending'} : {state: 'pending', value};
}

/** It is here. */
export function ready<T>(value: T): Remote<T> {
  return {state: 'ready', value};
}

/** It could not be had; the last good value may be kept. */
export function failed<T>(error: SwapError, value?: T): Remote<T> {
  return value === undefined ? {state: 'failed', error} : {state: 'failed', error, value};
}

/** The last good value of a remote, if there is one. */
export function valueOf<T>(remote: Remote<T>): T | undefined {
  return remote.state === 'idle' ? undefined : remote.value;
}
