/* How a wallet's answers are read, in every form that wallets give them. Their errors are in `rpc.ts`. */
import type {WalletRequestKind} from '../../domain/deposit.js';
import {sentIn, unclearWithout, type Answer} from '../funding.js';
import type {CallsState} from '../token-htlc/dialect.js';
import {checksummed} from './abi.js';
import {wordOf} from './htlc.js';

/** The EIP-155 id of the wallet's chain, in some in decimal; not positive, or `NaN`, if it cannot be read. */
export function chainIdIn(answer: unknown): number {
  return Number(answer);
}

/** The current account, the first in the list, with its checksum; `undefined` while the wallet reveals none to this page. */
export function addressIn(answer: unknown): string | undefined {
  const first: unknown = Array.isArray(answer) ? answer[0] : undefined;
  return typeof first === 'string' && /^0x[0-9a-f]{40}$/i.test(first) ? checksummed(first) : undefined;
}

/** Whether calls are accepted atomically on a chain (EIP-5792), maybe after an upgrade (EIP-7702). Throws for `null` there. */
export function isAtomicIn(answer: unknown, chainId: number): boolean {
  const all = Object.entries((answer ?? {}) as Readonly<Record<string, {atomic?: {status?: unknown}}>>);
  // The entry for this chain takes precedence over the one for all chains: 0.
  const said = [chainId, 0].flatMap(id => all.find(([key]) => key && Number(key) === id)?.[1].atomic?.status ?? []);
  return said[0] === 'supported' || said[0] === 'ready';
}

export function hashIn(kind: WalletRequestKind, answer: unknown): Answer<string> {
  return sentIn(kind, answer, hash => wordOf(hash) !== undefined);
}

/** What an account answers that can only sign on-chain, or later with its other owners: a Safe, for example. */
export const NO_SIGNATURE = '0x';

/**
 * A signature, or `NO_SIGNATURE`. Some hardware wallets end it with 0 or 1 where contracts expect 27 or 28.
 * @throws SwapError `wallet-unclear` if it is neither.
 */
export function signatureIn(answer: unknown): string {
  if (answer === NO_SIGNATURE) return NO_SIGNATURE;
  if (typeof answer !== 'string' || !/^0x(?:[0-9a-f]{2}){64,}$/i.test(answer)) throw unclearWithout('signature');
  return answer.replace(/^(.{130})0([01])$/, (_, rest: string, parity) => rest + (parity === '0' ? '1b' : '1c'));
}

/**
 * The id of several calls, of at most 256 characters: ours has 32 bytes, and wallets return the id they were given.
 * @throws SwapError `wallet-unclear` if there is none.
 */
export function callsIn(answer: unknown): Answer<string> {
  const id = (answer as {readonly id?: unknown} | null)?.id;
  if (typeof id !== 'string' || id === '' || id.length > 256) throw unclearWithout('id of the calls');
  return {state: 'sent', calls: id, value: id};
}

/** The status of several calls: a number, or its text in decimal or hex. Throws for anything else. */
export function callsStateIn(answer: unknown): CallsState {
  const {status, receipts} = (answer ?? {}) as {readonly status?: unknown; readonly receipts?: unknown};
  const code = Number(status);
  if (!(code >= 100 && code < 700)) throw new Error('The answer is no status of calls.');
  // The payment is the last call, whatever the wallet added.
  const last = (Array.isArray(receipts) ? (receipts as readonly unknown[]) : []).at(-1);
  const hash = wordOf((last as {readonly transactionHash?: unknown} | null | undefined)?.transactionHash);
  // 4xx: it will not send them. 5xx: all reverted; with a transaction, the chain itself shows that.
  const isFailed = (code >= 400 && code < 500) || (code >= 500 && code < 600 && hash === undefined);
  return {state: isFailed ? 'failed' : 'taken', hash};
}
