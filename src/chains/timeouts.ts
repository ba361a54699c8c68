import {SwapError} from '../domain/error.js';

/** How long to wait, in milliseconds. Some promises of wallets never settle, so every wait has an end. */
export interface Timeouts {
  /** For one answer from a chain, or from a wallet that need not ask the person. */
  readonly read: number;
  /** For the person to allow a connection or a change of chain. */
  readonly connect: number;
  /** For the person to answer a wallet request. */
  readonly request: number;
  /** For an approval to get into a block. */
  readonly receipt: number;
  /** For a node to know the state that a block left, once it shows that block. */
  readonly lag: number;
  /** Between two looks at something awaited. It may grow to eight times this. */
  readonly poll: number;
}

export const TIMEOUTS: Timeouts = {
  read: 12_000,
  connect: 180_000,
  request: 600_000,
  receipt: 600_000,
  lag: 20_000,
  poll: 1_000,
};

/** Waits for an answer, at most this many milliseconds. What was started goes on. */
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
