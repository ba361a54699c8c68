import {computed, effect, type ReadableAtom} from 'nanostores';
import type {SwapApi} from '../api/client.js';
import {formatAmount} from '../domain/amount.js';
import {estimate, findAmount, goalOf, isClose, type Offer} from '../domain/asked.js';
import type {Agreement} from '../domain/deposit.js';
import {SwapError, toSwapError} from '../domain/error.js';
import {feesFor} from '../domain/affiliate-fee.js';
import {fallsShort, offerOf, wishIn} from '../domain/form/story.js';
import {isSameData} from '../domain/json.js';
import {rankQuotes, type QuoteRequest, type Quotes} from '../domain/quote.js';
import {failed, idle, pending, ready, valueOf, type Remote} from '../domain/remote.js';
import {routeKey} from '../domain/routes.js';
import {warnOnce} from '../domain/warn-once.js';
import {learnOffered} from './offered.js';
import {BACK_ONLINE_MS, backOff, spread} from './pace.js';
import {change, whileStarted, type SessionCore} from './shared.js';
import type {SessionConfig} from './types.js';

/** People type in bursts; a price is requested once they pause. */
const TYPING_PAUSE_MS = 300;
/** How long a price is displayed before it is requested again. The service returns no expiry (API, Quote). */
const REFRESH_MS = 30_000;
/** The pause before a price is requested again after a failure; doubled after each further one, up to the longest. */
const FIRST_RETRY_MS = 4_000;
/** After this long without a response, the form says that it takes longer than usual. */
export const SLOW_MS = 5_000;
/** A price that takes longer is given up, including all retries. */
const LATEST_MS = 15_000;
/** How long an old price may be displayed while a new one is unavailable. */
const STALE_MS = 60_000;
/** How often a balance that is too small is read. */
const BALANCE_PAUSE_MS = 5_000;

const GIVEN_UP = new SwapError('timeout', {detail: 'the answer was no longer waited for'});

/** A response with a price, which is marked as slow after a while and finally times out. Rejects with the same error. */
function inTime<T>({host, $asking}: SessionCore, answer: Promise<T>, signal?: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const fail = (error: SwapError) => {
      end();
      reject(error);
    };
    const stops = [
      host.after(SLOW_MS, () => change($asking, {slow})),
      host.after(LATEST_MS, () =>
        fail(new SwapError('timeout', {detail: `no answer in ${String(LATEST_MS / 1000)} s`})),
      ),
    ];
    const slow = {cancel: () => fail(GIVEN_UP)};
    const end = () => {
      stops.forEach(stop => stop());
      if ($asking.get().slow === slow) change($asking, {slow: undefined});
    };
    signal?.addEventListener('abort', end, {once: true});
    answer.finally(end).then(resolve, reject);
  });
}

/**
 * Keeps the price of the current request up to date. It is requested after a pause in typing, at once if nothing was
 * typed, and again while it is wanted: one request at a time, and the newest wins.
 */
export class Pricing {
  readonly #core: SessionCore;
  readonly #$wish: ReadableAtom<Wish | undefined>;
  readonly #$wanted: ReadableAtom<boolean>;
  #asking = new AbortController();
  #cancel = () => {};
  #previous: Wish | undefined;
  #service: SwapApi | undefined;
  #last: Quotes | undefined;
  #faults = 0;

  constructor(core: SessionCore) {
    const {$asking, $form, $settings, $watch, $stage, $view, $page} = core;
    this.#core = core;
    this.#$wish = computed($form, ({request}) => wishIn(request));
    this.#$wanted = computed(
      [$watch, $stage, $settings],
      (watch, stage, {config, fault}) =>
        watch === 'seen' && !fault && !config?.paused && (stage === 'editing' || stage === 'reviewing'),
    );
    learnOffered(core);
    followBalance(core, this.#$wanted);
    tellPage(core);
    $view.listen(view => {
      if (view === 'review') change($asking, {raised: undefined});
    });
    effect([this.#$wish, $settings, this.#$wanted, $page], () => this.#follow());
    whileStarted(core, () => () => this.#stop());
  }

  /** Requests a price now. */
  async ask(): Promise<void> {
    this.#stop();
    const {$settings, host} = this.#core;
    const {config} = $settings.get();
    const wish = this.#$wish.get();
    if (!config || !wish || !this.#$wanted.get()) return;
    if (config.hasAppId === false && !config.catalogue.test)
      warnOnce('app-id: it is not set. On mainnets a service may require one.');
    const {signal} = (this.#asking = new AbortController());
    const before = valueOf(this.#core.$asking.get().quote);
    const kept = before && isSameRequest(before.request, wish) ? before : undefined;
    this.#wait(kept);
    let last = wish;
    const read = async (amount: bigint) => {
      const at = host.now();
      const request = {...wish, amount, affiliateFees: feesFor(config.affiliateFees, {...wish, amount})};
      last = request;
      return rankQuotes(request, await inTime(this.#core, config.api.quote(request, {signal}), signal), at);
    };
    try {
      const quotes = await this.#reach(wish, config, read);
      if (signal.aborted) return;
      this.#last = quotes;
      this.#noteAmount(wish, quotes.request);
      this.#set(ready(quotes));
      this.#faults = 0;
      this.#schedule(spread(host, REFRESH_MS));
    } catch (cause) {
      if (signal.aborted) return;
      this.#asking.abort();
      this.#noteAmount(wish, last);
      this.#fail(toSwapError(cause, 'service'), wish, kept, cause !== GIVEN_UP);
    }
  }

  /**
   * Requests a price once more and checks it against what the visitor agreed to. Returns what may be ordered, or
   * `undefined` if the price fell below the floor, so that the visitor has to be asked, or if the visitor or the page
   * has changed the request. @throws SwapError
   */
  async agree(agreed: Agreement, isAwaited: () => boolean): Promise<Agreement | undefined> {
    const {$asking, $facts, host, config} = this.#core;
    const {from, to, amount, affiliateFees} = agreed;
    const request = {from, to, amount, affiliateFees};
    const quotes = rankQuotes(request, await inTime(this.#core, config().api.quote(request)), host.now());
    const present = this.#$wish.get();
    // A price is displayed, and an order placed, only for the current request.
    if (!isAwaited() || !present || !isSameRequest(present, request)) return undefined;
    this.#stop();
    change($asking, {quote: ready(quotes)});
    if (this.#$wanted.get()) this.#schedule(REFRESH_MS);
    const offer = offerOf($facts.get(), present, quotes.offers);
    const receive = offer.destination.amount;
    return receive < agreed.atLeast ? undefined : Object.freeze({...agreed, receive, solverId: offer.solverId});
  }

  #follow(): void {
    const {config} = this.#core.$settings.get();
    const wish = this.#$wish.get();
    if (!wish || !config) {
      this.#stop();
      this.#previous = undefined;
      change(this.#core.$asking, {raised: undefined, quote: idle});
      return;
    }
    const isOtherService = this.#service !== config.api;
    this.#service = config.api;
    if (isOtherService) {
      this.#last = undefined;
      this.#set(idle);
    }
    const previous = this.#previous;
    const isNew = isOtherService || !previous || !isSameRequest(previous, wish);
    if (isNew) {
      this.#faults = 0;
      change(this.#core.$asking, {raised: undefined});
    }
    this.#previous = wish;
    if (!this.#$wanted.get()) this.#pause(isNew);
    else if (isNew) this.#begin(wish, previous);
    else this.#goOn(wish);
  }

  #schedule(milliseconds: number): void {
    const {$asking, host} = this.#core;
    this.#cancel();
    change($asking, {nextQuoteAt: host.now() + milliseconds});
    this.#cancel = host.after(milliseconds, () => void this.ask());
  }

  #stop(): void {
    this.#asking.abort();
    this.#cancel();
    change(this.#core.$asking, {nextQuoteAt: undefined});
  }

  #set(quote: Remote<Quotes>): void {
    change(this.#core.$asking, {quote});
  }

  #begin(wish: Wish, previous: Wish | undefined): void {
    const {$facts, host} = this.#core;
    const {draft, page} = $facts.get();
    const isOtherPair = previous && (previous.from.id !== wish.from.id || previous.to.id !== wish.to.id);
    // Preset fields were not typed.
    const field = wish.atLeast === undefined ? 'amount' : 'receive';
    const isAsFilled = !previous && draft[field] === page?.prefill[field];
    this.#stop();
    this.#wait();
    this.#cancel = host.after(isOtherPair || isAsFilled ? 0 : TYPING_PAUSE_MS, () => void this.ask());
  }

  /** The same request, whose price is wanted again: an old one is requested at once, a recent one when it is due. */
  #goOn(wish: Wish): void {
    const {$asking, host} = this.#core;
    const now = this.#core.$asking.get().quote;
    if (now.state === 'failed' && !canPass(now.error)) return;
    if ($asking.get().nextQuoteAt !== undefined || now.state === 'pending') return;
    const age = host.now() - (valueOf(now)?.at ?? 0);
    if (now.state === 'failed' && now.error.code === 'offline') this.#schedule(spread(host, BACK_ONLINE_MS));
    else if (age >= REFRESH_MS || now.state === 'failed' || fallsShort(valueOf(now)?.offers[0], wish)) void this.ask();
    else this.#schedule(REFRESH_MS - age);
  }

  /** No price is wanted. A pending request is repeated once it is wanted again. */
  #pause(isNew: boolean): void {
    const now = this.#core.$asking.get().quote;
    this.#stop();
    if (isNew) this.#set(idle);
    else if (now.state === 'pending') this.#set(now.value ? ready(now.value) : idle);
    if (!this.#core.$page.get().isOnline) this.#failOffline();
  }

  /** Marks the price as pending: once, not with each keystroke and again after the pause, so that nothing renders for it. */
  #wait(kept?: Quotes): void {
    const now = this.#core.$asking.get().quote;
    if (now.state !== 'pending' || now.value !== kept) this.#set(pending(kept));
  }

  #fail(error: SwapError, wish: Wish, kept: Quotes | undefined, isAwaited: boolean): void {
    const {$asking, connectivity, host} = this.#core;
    const fresh = kept && host.now() - kept.at < STALE_MS ? kept : undefined;
    const {range} = error;
    const {limits, routes} = $asking.get();
    if (range) change($asking, {limits: {...limits, [wish.from.id.toLowerCase()]: range}});
    if (error.code === 'no-route')
      change($asking, {routes: {...routes, refused: new Set(routes?.refused).add(routeKey(wish.from.id, wish.to.id))}});
    this.#set(failed(error, fresh));
    connectivity.heed(error);
    // A visitor who stopped waiting requests again with a click. While offline, being online does.
    if (this.#$wanted.get() && canPass(error) && isAwaited)
      this.#schedule(backOff(host, FIRST_RETRY_MS, ++this.#faults, error.retryAfter));
  }

  /** Sets the offline error. The last price is kept for as long as after any other failure. */
  #failOffline(): void {
    const {host} = this.#core;
    const kept = valueOf(this.#core.$asking.get().quote);
    const left = kept ? kept.at + STALE_MS - host.now() : 0;
    this.#set(failed(new SwapError('offline'), left > 0 ? kept : undefined));
    if (left > 0) this.#cancel = host.after(left, () => this.#set(failed(new SwapError('offline'))));
  }

  #noteAmount(wish: Wish, request: Wish): void {
    const {$asking, $facts, $view, edit} = this.#core;
    const {amount} = request;
    if (amount === undefined || wish.amount === amount) return;
    this.#previous = request;
    if ($view.get() === 'review' && wish.amount !== undefined)
      change($asking, {raised: {before: wish.amount, now: amount}});
    edit({amount: formatAmount(amount, wish.from.decimals), receive: $facts.get().draft.receive});
  }

  /**
   * Requests a price for the draft's amount, if that brings the requested minimum and hardly more; otherwise for an
   * amount that does. In the review it may bring more: the amount stays the reviewed one.
   */
  async #reach(wish: Wish, config: SessionConfig, read: (amount: bigint) => Promise<Quotes>): Promise<Quotes> {
    const {amount, atLeast = 0n, from, to} = wish;
    const goal = config.asked ? goalOf(atLeast, config.priceTolerance) : atLeast;
    const mayBeMore = !atLeast || config.asked || this.#core.$view.get() !== 'form';
    const found = new Map<bigint, Quotes>();
    const receive = async (some: bigint) => {
      const quotes = await read(some);
      found.set(some, quotes);
      return quotes.offers[0].destination.amount;
    };
    const quotesOf = async (some: bigint) => found.get(some) ?? (await read(some));
    const last = this.#last;
    let start: bigint | Offer = 10n ** BigInt(from.decimals);
    if (amount !== undefined) {
      const offer = {amount, receive: await receive(amount)};
      if (mayBeMore ? offer.receive >= atLeast : isClose(offer.receive, goal)) return quotesOf(amount);
      start = offer;
    } else if (last?.request.from.id === from.id && last.request.to.id === to.id) {
      start = estimate(goal, {amount: last.request.amount, receive: last.offers[0].destination.amount});
    }
    return quotesOf(await findAmount(goal, start, receive));
  }
}

/** Polls the balance while it is too small: the account may receive more at any time. */
function followBalance(core: SessionCore, $wanted: ReadableAtom<boolean>): void {
  const {$form, host} = core;
  let cancel: (() => void) | undefined;
  const wait = () => {
    cancel = host.after(spread(host, BALANCE_PAUSE_MS), () => {
      wait();
      core.readBalance();
    });
  };
  effect([$wanted, $form], (isWanted, {problem}) => {
    const isShort = isWanted && problem?.code === 'not-enough';
    if (isShort && !cancel) wait();
    if (isShort) return;
    cancel?.();
    cancel = undefined;
  });
}

function tellPage({$asking, tell}: SessionCore): void {
  let lastQuoteAt = 0;
  let lastFault = '';
  $asking.listen(({quote}) => {
    if (quote.state === 'ready' && quote.value.at !== lastQuoteAt) {
      lastQuoteAt = quote.value.at;
      lastFault = '';
      tell({type: 'quote', request: quote.value.request, quotes: quote.value});
    } else if (quote.state === 'failed' && quote.error.message !== lastFault) {
      lastFault = quote.error.message;
      tell({type: 'error', error: quote.error});
    }
  });
}

type Wish = Omit<QuoteRequest, 'amount'> & Partial<Pick<QuoteRequest, 'amount'>>;

function isSameRequest(one: Wish, other: Wish): boolean {
  return (
    one.from.id === other.from.id &&
    one.to.id === other.to.id &&
    one.amount === other.amount &&
    (one.amount !== undefined || one.atLeast === other.atLeast) &&
    isSameData(one.affiliateFees, other.affiliateFees)
  );
}

function canPass({code, field}: SwapError): boolean {
  return !['amount-range', 'no-route', 'config'].includes(code) && field !== 'request';
}
