/*
 * Several calls in one request to the wallet, atomically (EIP-5792, with `atomic`). The wallet's report on them says
 * where to look; only the chain proves a payment.
 */
import type {Chain} from '../../domain/asset.js';
import {deepFreeze} from '../../domain/deposit.js';
import {SwapError, type SwapErrorCode} from '../../domain/error.js';
import {hexText} from '../checks.js';
import {clearCodesOf} from '../errors.js';
import {requestWallet, type FundingContext} from '../funding.js';
import {hex} from '../rpc.js';
import {within, type Timeouts} from '../timeouts.js';
import type {CallsState, Purse} from '../token-htlc/dialect.js';
import {wordOf, type EvmCall} from './htlc.js';
import {ask, faultOf, type Provider} from './rpc.js';

/** EIP-5792, `wallet_sendCalls`. */
interface Bundle {
  readonly version: '2.0.0';
  readonly id: string;
  readonly from: string;
  readonly chainId: string;
  readonly atomicRequired: true;
  readonly calls: readonly {readonly to: string; readonly data: string; readonly value: string}[];
}

/** Longer than any id of calls: ours has 32 bytes, and wallets return the id they were given. */
const MAX_ID = 256;

/** Wallets that claimed support and failed, or did not respond, by chain: they are not queried again on this page. */
const unable = new WeakMap<Provider, Set<Chain['chainId']>>();

function setUnable(provider: Provider, {chainId}: Chain) {
  unable.set(provider, (unable.get(provider) ?? new Set()).add(chainId));
}

/** Whether a wallet reports that it accepts several calls in one request on a chain, possibly after an upgrade (EIP-7702). */
export async function canBundle(provider: Provider, from: string, chain: Chain, {read}: Timeouts): Promise<boolean> {
  const {chainId = 0} = chain;
  if (unable.get(provider)?.has(chainId)) return false;
  try {
    const answer = await within(read, ask(provider, 'wallet_getCapabilities', [from, [hex(chainId)]]));
    const all = Object.entries(
      (answer ?? {}) as Readonly<Record<string, {readonly atomic?: {readonly status?: unknown}}>>,
    );
    // The entry for this chain takes precedence over the one for all chains: 0.
    const said = [chainId, 0].flatMap(id => all.find(([key]) => key && Number(key) === id)?.[1].atomic?.status ?? []);
    return said[0] === 'supported' || said[0] === 'ready';
  } catch (error) {
    if (error instanceof SwapError) setUnable(provider, chain);
    return false;
  }
}

/** Requests several calls at once from a wallet. `refusalOf`: the meaning of its errors if it certainly sent nothing. */
export function bundleOf(
  context: FundingContext,
  provider: Provider,
  refusalOf: (cause: unknown) => SwapErrorCode | undefined,
): NonNullable<Purse<EvmCall>['bundle']> {
  const {from: asset, owner} = context.deal.agreed;
  const {chain} = asset;
  return {
    isPossible: () => canBundle(provider, owner, chain, context.timeouts),
    of: (from, calls): Bundle =>
      deepFreeze({
        version: '2.0.0',
        id: newId(),
        from,
        chainId: hex(chain.chainId ?? 0),
        atomicRequired: true,
        calls: calls.map(({to, data, value = 0n}) => ({to, data, value: hex(value)})),
      }),
    send: bundle =>
      requestWallet(context, 'send', {
        calls: (bundle as Bundle).id,
        request: () => ask(provider, 'wallet_sendCalls', [bundle]),
        read(answer) {
          const id = (answer as {readonly id?: unknown} | null)?.id;
          if (typeof id !== 'string' || id === '' || id.length > MAX_ID) {
            throw new SwapError('wallet-unclear', {detail: 'The wallet gave no id of the calls.'});
          }
          return {state: 'sent', calls: id, value: id};
        },
        refusalOf(error) {
          if (!isUnable(error)) return refusalOf(error);
          setUnable(provider, chain);
          return 'wallet-failed';
        },
      }),
  };
}

/** Unrelated to the order and the visitor, so that nobody else can query it or use it first. */
function newId(): string {
  return `0x${hexText(crypto.getRandomValues(new Uint8Array(32)))}`;
}

/**
 * A capability, the chain, the number of calls or an atomic transaction is not supported, or the visitor rejected the
 * account's upgrade (EIP-5792, Error Codes). Not a duplicate id (5720): the wallet may have sent those calls.
 */
const UNABLE: readonly number[] = [5700, 5710, 5740, 5750, 5760];

/** Invalid parameters, before anything is done with them (EIP-1474): a wallet with an earlier version of the standard. */
const INVALID_PARAMS = -32602;

/** Whether a wallet certainly sent nothing because it does not support the request. */
function isUnable(error: unknown): boolean {
  const [code] = clearCodesOf(error);
  if (code === undefined) return faultOf(error) === 'unsupported';
  return UNABLE.includes(code) || code === INVALID_PARAMS || code === 4200 || code === -32601;
}

/** Reads the status of calls from a wallet (`wallet_getCallsStatus`). Rejects if it is unknown or the response is invalid. */
export async function readCalls(
  id: string,
  provider: Provider,
  {read}: Timeouts,
  signal?: AbortSignal,
): Promise<CallsState> {
  const answer = await within(read, ask(provider, 'wallet_getCallsStatus', [id]), signal);
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
