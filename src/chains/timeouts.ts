import {SwapError} from '../domain/error.js';
import {tryRead} from './errors.js';

/** Timeouts in milliseconds. Some promises of wallets never settle, so every wait has an end. */
export interface Timeouts {
  /** For one response from a chain, or from a wallet without a prompt. */
  readonly read: number;
  /** For wallets to announce themselves. */
  readonly announce: number;
  /** For the visitor to allow a connection or a chain switch. */
  readonly connect: number;
  /** For the visitor to answer a wallet's prompt. */
  readonly request: number;
  /** For an approval to be included in a block. */
  readonly receipt: number;
  /** For a node to have the state after a block, once it shows that block. */
  readonly lag: number;
  /** The polling interval. It may grow to eight times this. */
  readonly poll: number;
}

export const TIMEOUTS: Timeouts = {
  read: 12_000,
  announce: 1_000,
  connect: 180_000,
  request: 600_000,
  receipt: 600_000,
  lag: 20_000,
  poll: 1_000,
};

/** An error in `stop` is ignored: what fails has nothing left to stop, such as a wallet that is gone. */
export function onAbort(signal: AbortSignal, stop: () => unknown): void {
  signal.addEventListener('abort', () => void tryRead(() => Promise.resolve(stop())), {once: true});
}

/** Waits for a response, at most this many milliseconds. The work itself continues. */
export function within<T>(milliseconds: number, answer: Promise<T>, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      settle();
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => reject(new SwapError('timeout')), milliseconds);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    answer.then(resolve, reject).finally(settle);
  });
}

/** Waits this many milliseconds; rejects at once when the signal aborts. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>(resolve => (timer = setTimeout(resolve, milliseconds)));
  await within(milliseconds + 1_000, over, signal).finally(() => clearTimeout(timer));
}
