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
import type {Timeouts} from '../timeouts.js';
import type {Purse} from '../token-htlc/dialect.js';
import {callsIn, isAtomicIn} from './answers.js';
import type {EvmCall} from './htlc.js';
import {ask, faultOf, readThrough, type Provider} from './rpc.js';

/** EIP-5792, `wallet_sendCalls`. */
interface Bundle {
  readonly version: '2.0.0';
  readonly id: string;
  readonly from: string;
  readonly chainId: string;
  readonly atomicRequired: true;
  readonly calls: readonly {readonly to: string; readonly data: string; readonly value: string}[];
}

/** Wallets that claimed support and failed, or did not respond, by chain: this page does not query them again. */
const unable = new WeakMap<Provider, Set<Chain['chainId']>>();

function setUnable(provider: Provider, {chainId}: Chain) {
  unable.set(provider, (unable.get(provider) ?? new Set()).add(chainId));
}

export async function canBundle(provider: Provider, from: string, chain: Chain, timeouts: Timeouts): Promise<boolean> {
  const {chainId = 0} = chain;
  if (unable.get(provider)?.has(chainId)) return false;
  try {
    const answer = await readThrough(provider, timeouts)('wallet_getCapabilities', from, [hex(chainId)]);
    return isAtomicIn(answer, chainId);
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
        read: callsIn,
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
 * account's upgrade (EIP-5792, Error Codes); the method is not, or, before anything is done with them, the parameters
 * (EIP-1474): an earlier version of the standard. Not a duplicate id (5720): the wallet may have sent those calls.
 */
const UNABLE: readonly number[] = [5700, 5710, 5740, 5750, 5760, 4200, -32601, -32602];

function isUnable(error: unknown): boolean {
  const [code] = clearCodesOf(error);
  return code === undefined ? faultOf(error) === 'unsupported' : UNABLE.includes(code);
}
