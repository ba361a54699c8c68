import {computed, type ReadableAtom, type WritableAtom} from 'nanostores';
import type {Agreement} from '../domain/deposit.js';
import {isProblem, totalBps, type Problem} from '../domain/draft.js';
import type {SwapError} from '../domain/error.js';
import {toSwapError} from '../domain/error.js';
import {rankQuotes, type LimitsByAsset, type QuoteRequest, type Quotes} from '../domain/quote.js';
import {failed, idle, pending, ready, valueOf, type Remote} from '../domain/remote.js';
import type {Host, SessionConfig} from './types.js';

/** People type in bursts; a price is asked for once they pause. */
const TYPING_PAUSE_MS = 300;
/** How long a price stands on the screen before it is asked for again. The service names no expiry (API, Quote). */
const REFRESH_MS = 30_000;
/** How soon a price that could not be had is asked for again. */
const RETRY_MS = 8_000;
/** How long an old price may be shown while a new one cannot be had. */
const STALE_MS = 60_000;

/** The price of the present request. Loaded with the first one. */
export interface Quoting {
  /** Asks now. */
  ask(): void;
  /**
   * Holds the price of this very moment against what the person agreed to. Answers what may be ordered, or `undefined`
   * where it fell below the floor, so that the person has to be asked, or where they or the page want something else by
   * now. @throws SwapError
   */
  agree(agreed: Agreement, isAwaited: () => boolean): Promise<Agreement | undefined>;
  /** Goes to work until called off. */
  run(): () => void;
}

/**
 * Keeps the price of the present request: asked for after a pause in typing and again while it is wanted, one request at
 * a time, the newest winning.
 */
export function createQuoting({
  $quote,
  $nextAt,
  $chosen,
  $limits,
  $request,
  $config,
  $wanted,
  host,
}: {
  readonly $quote: WritableAtom<Remote<Quotes>>;
  /** When the price is asked for again, in milliseconds since 1970; `undefined` while it is not. */
  readonly $nextAt: WritableAtom<number | undefined>;
  /** The solver whose offer was taken instead of the best. */
  readonly $chosen: ReadableAtom<string | undefined>;
  readonly $limits: WritableAtom<LimitsByAsset>;
  readonly $request: ReadableAtom<QuoteRequest | Problem>;
  readonly $config: ReadableAtom<SessionConfig | undefined>;
  /** Whether anybody looks at a price. */
  readonly $wanted: ReadableAtom<boolean>;
  readonly host: Host;
}): Quoting {
  let asking = new AbortController();
  let callOff = () => {};
  /** The service whose list of assets was asked for. */
  let listed: string | undefined;
  let isReminded = false;

  const schedule = (milliseconds: number) => {
    callOff();
    $nextAt.set(host.now() + milliseconds);
    callOff = host.after(milliseconds, () => void ask());
  };

  const rest = () => {
    asking.abort();
    callOff();
    $nextAt.set(undefined);
  };

  /**
   * Asks for the list of assets, once there is a price, so that nobody waits for it. The specification has none, and a
   * page's console would tell of each answer 404: so only a service whose quotes hold more than it documents is asked.
   */
  const list = ({api, service}: SessionConfig, {offers}: Quotes) => {
    if (listed !== undefined && listed !== service) $limits.set({});
    if (listed === service || !offers.some(({estimatedSeconds}) => estimatedSeconds !== undefined)) return;
    listed = service;
    api.readLimits?.().then(
      limits => {
        if (listed === service) $limits.set(limits);
      },
      () => undefined,
    );
  };

  const remind = ({hasAppId, catalogue}: SessionConfig) => {
    if (hasAppId !== false || catalogue.test || isReminded) return;
    isReminded = true;
    console.warn('<swap-widget> app-id: it is not set. On main networks a service may ask for one.');
  };

  const ask = async () => {
    rest();
    const config = $config.get();
    const request = $request.get();
    if (!config || isProblem(request) || !$wanted.get()) return;
    remind(config);
    const {signal} = (asking = new AbortController());
    const last = valueOf($quote.get());
    const kept = last && isSameRequest(last.request, request) ? last : undefined;
    $quote.set(pending(kept));
    try {
      const at = host.now();
      const quotes = rankQuotes(request, await config.api.quote(request, {signal}), at);
      if (signal.aborted) return;
      $quote.set(ready(quotes));
      schedule(REFRESH_MS);
      list(config, quotes);
    } catch (cause) {
      if (signal.aborted) return;
      const error = toSwapError(cause, 'service');
      const fresh = kept && host.now() - kept.at < STALE_MS ? kept : undefined;
      $quote.set(failed(error, fresh));
      if (canPass(error)) schedule(Math.max(error.retryAfter ?? 0, RETRY_MS));
    }
  };

  const $present = computed([$request, $config, $wanted], (request, config, wanted) => ({request, config, wanted}));
  let previous: QuoteRequest | undefined;
  const follow = ({
    request,
    config,
    wanted,
  }: {
    request: QuoteRequest | Problem;
    config: SessionConfig | undefined;
    wanted: boolean;
  }) => {
    if (isProblem(request) || !config) {
      rest();
      previous = undefined;
      $quote.set(idle);
      return;
    }
    const isNew = !previous || !isSameRequest(previous, request);
    const isOther = previous && (previous.from.id !== request.from.id || previous.to.id !== request.to.id);
    previous = request;
    const now = $quote.get();
    if (!wanted) {
      rest();
      // What was being asked for is asked for anew, once somebody looks again.
      if (isNew) $quote.set(idle);
      else if (now.state === 'pending') $quote.set(now.value ? ready(now.value) : idle);
      return;
    }
    if (!isNew && now.state === 'failed' && !canPass(now.error)) return;
    const age = host.now() - (valueOf($quote.get())?.at ?? 0);
    if (isNew) {
      rest();
      $quote.set(pending());
      callOff = host.after(isOther ? 0 : TYPING_PAUSE_MS, () => void ask());
    } else if ($nextAt.get() === undefined && now.state !== 'pending') {
      // Somebody looks again: an old price is asked for at once, a young one when it is due.
      if (age >= REFRESH_MS) void ask();
      else schedule(REFRESH_MS - age);
    }
  };

  return {
    ask: () => void ask(),
    async agree(agreed, isAwaited) {
      const settings = $config.get();
      if (!settings) throw new Error('The session is not configured.');
      const {from, to, amount} = agreed;
      const request = {from, to, amount, affiliateBps: totalBps(settings.affiliateFees)};
      const quotes = rankQuotes(request, await settings.api.quote(request), host.now());
      const present = $request.get();
      // A price is shown, and an order made, for nothing but what is asked for now.
      if (!isAwaited() || isProblem(present) || !isSameRequest(present, request)) return undefined;
      rest();
      $quote.set(ready(quotes));
      if ($wanted.get()) schedule(REFRESH_MS);
      const offer = quotes.offers.find(({solverId}) => solverId === $chosen.get()) ?? quotes.offers[0];
      const receive = offer.destination.amount;
      return receive < agreed.atLeast ? undefined : Object.freeze({...agreed, receive, solverId: offer.solverId});
    },

    run() {
      const stop = $present.subscribe(follow);
      return () => {
        stop();
        rest();
      };
    },
  };
}

function isSameRequest(one: QuoteRequest, other: QuoteRequest): boolean {
  return (
    one.from.id === other.from.id &&
    one.to.id === other.to.id &&
    one.amount === other.amount &&
    one.affiliateBps === other.affiliateBps
  );
}

/** Whether the same question may get a better answer in a while. */
function canPass(error: SwapError): boolean {
  return !['amount-range', 'no-route', 'config'].includes(error.code);
}
