import type {LitElement, PropertyValues, ReactiveController} from 'lit';
import {atom} from 'nanostores';
import {isProblem} from '../../domain/draft.js';
import type {SwapError} from '../../domain/error.js';
import type {QuoteRequest} from '../../domain/quote.js';
import {valueOf, type Remote} from '../../domain/remote.js';
import {isTerminal, isUnderWay} from '../../domain/stage.js';
import type {ShownOrder, SwapSession} from '../../session/session.js';
import {isAsBefore, newsOf, payoutDenied, saidOf, swapOf, type Telling} from '../order/telling.js';
import {afterFrame} from './after-frame.js';
import {register, SHARED, type SwapElement} from './swap-element.js';
import {
  aboutAmount,
  amountText,
  errorWords,
  LatePart,
  raisedText,
  routeWords,
  sentencesText,
  walletName,
} from './words.js';

/** What was announced and still holds, and what the live region says now. */
const createSpeech = () => atom<{readonly announced?: {readonly text: string}; readonly heard: string}>({heard: ''});

/**
 * Announces a sentence once, for what the live region does not say of the session's stores by itself. Returns a function
 * that takes it back once it no longer holds: what was announced can still be read afterwards.
 */
export function announce(session: SwapSession, text: string): () => void {
  const $speech = session.keep(createSpeech);
  const announced = {text};
  $speech.set({...$speech.get(), announced});
  return () => {
    const {heard, announced: last} = $speech.get();
    if (last === announced) $speech.set({heard});
  };
}

/** `pause`: in milliseconds. The sentence is taken back once it no longer holds. */
export class Voice implements ReactiveController {
  readonly #part: SwapElement;
  readonly #sentence: () => string;
  readonly #pause: number;
  #last = '';
  #timer?: ReturnType<typeof setTimeout>;
  #takeBack?: (() => void) | undefined;
  #isOff = false;

  constructor(part: SwapElement, sentence: () => string, pause = 0) {
    this.#part = part;
    this.#sentence = sentence;
    this.#pause = pause;
    part.addController(this);
  }

  hostConnected() {
    this.#isOff = false;
  }

  hostUpdated() {
    // A part that was just removed may still render once: nobody would take back what it says.
    if (this.#isOff) return;
    const sentence = this.#sentence();
    if (sentence === this.#last) return;
    this.#stop();
    this.#last = sentence;
    const session = this.#part[SHARED].$session.get();
    const say = () => (this.#takeBack = session && announce(session, sentence));
    if (sentence && this.#pause) this.#timer = setTimeout(say, this.#pause);
    else if (sentence) say();
  }

  hostDisconnected() {
    this.#isOff = true;
    this.#stop();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#takeBack?.();
    this.#takeBack = undefined;
    this.#last = '';
  }
}

/** How long before the end of the time to pay it is announced. */
const WARNING_MS = 10 * 60_000;

/**
 * The text of the live region, one sentence at a time: the price after typing, the stage of the swap, what the wallet
 * needs, errors. Never countdowns, nothing twice, and nothing that no longer holds.
 *
 * @tag swap-widget-announcement
 */
export class Announcement extends LatePart {
  #derived = '';
  #view = '';
  #said = '';
  #announced: {readonly text: string} | undefined;
  #error = '';
  /** The announced price, and its request. A newer one for the same request is only announced if it differs. */
  #price = {of: '', amount: 0n, text: ''};
  #aside = {of: '', before: '', text: ''};
  #placed?: ShownOrder | undefined;
  readonly #observer = new MutationObserver(() => this.#widget.requestUpdate('lang'));

  override connectedCallback() {
    super.connectedCallback();
    const changes = {subtree: true, attributeFilter: ['lang', 'dir']};
    this.#observer.observe(this.ownerDocument, changes);
    this.#observer.observe(this.#widget.getRootNode(), changes);
    // The page may have changed while the widget was not in it. The widget is rendering right now.
    const widget = this.#widget;
    void widget.updateComplete.then(() => widget.requestUpdate('lang'));
  }

  get #widget(): LitElement {
    return (this.getRootNode() as ShadowRoot & {readonly host: LitElement}).host;
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  /** The screen comes first. On a hidden page there are no frames, and it is announced at once. */
  protected override async scheduleUpdate() {
    if (!document.hidden) await new Promise<void>(afterFrame);
    await super.scheduleUpdate();
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    const $speech = this.session.keep(createSpeech);
    $speech.set({...$speech.get(), heard: this.#said});
  }

  override render() {
    this.lang = this.look.locale;
    const announced = this.read(this.session.keep(createSpeech), 'announced');
    const view = this.read(this.session.$view);
    const derived = view === 'journal' ? this.#derived : this.#errorText() || this.#standingText();
    if (announced && announced !== this.#announced) {
      // The same text is only announced again if it differs.
      this.#said = announced.text === this.#said ? `${announced.text}\u00A0` : announced.text;
    } else if (derived !== this.#derived) this.#said = derived;
    else if (view !== this.#view || (!announced && this.#said.trim() === this.#announced?.text)) this.#said = '';
    this.#announced = announced;
    this.#derived = derived;
    this.#view = view;
    return this.#said;
  }

  #errorText(): string {
    const {session} = this;
    const view = this.read(session.$view);
    const isQuoting = view === 'form' || view === 'review';
    const pair = {from: this.assetOf('pay'), to: this.assetOf('receive')};
    const noRoute = isQuoting && routeWords(this.read(session.$form, 'problem'), pair, this.t);
    if (noRoute) return sentencesText(...noRoute);
    const ofConnecting = this.read(session.$wallets, ({connecting}) => errorOf(connecting));
    const error =
      (isQuoting ? this.read(session.$form, ({quote}) => errorOf(quote)) : undefined) ??
      this.read(session.$order, order => errorOf(order) ?? errorOf(valueOf(order)?.reading)) ??
      ofConnecting ??
      (isTerminal(this.read(session.$stage))
        ? undefined
        : (errorOf(this.#ofOrder('refund')) ?? this.#ofOrder('funding')?.error));
    // Failed requests are retried: until a response, nothing new is known.
    const isTriedAgain = isQuoting && this.read(session.$form, 'quote').state === 'pending';
    if (!error) return isTriedAgain ? this.#error : (this.#error = '');
    return (this.#error = this.#wordsFor(error, error === ofConnecting));
  }

  #wordsFor(error: SwapError, isConnecting: boolean): string {
    if (error.field === 'order' && !this.#ofOrder('deal')) return this.t.noSuchSwap;
    const request = this.read(this.session.$form, 'request');
    const note = this.read(this.session.$form, 'notes')?.amount;
    if (
      error.code === 'amount-range' &&
      note?.code === 'amount-range' &&
      note.amount !== undefined &&
      !isProblem(request)
    ) {
      const {symbol} = request.from;
      const words = {amount: amountText(note.amount, request.from, this.look.locale), symbol};
      return note.bound === 'least' ? this.t.leastAmount(words) : this.t.mostAmount(words);
    }
    return errorWords(error, this.t, isConnecting).what;
  }

  #standingText(): string {
    const stage = this.read(this.session.$stage);
    // Before there is something to announce no message is used, since all of them would be created for it.
    if (stage === 'editing' || stage === 'reviewing') return this.#movedText() || this.#slowText() || this.#priceText();
    if (stage === 'ordering') return this.#orderingText();
    const told = this.#told;
    if (!told) return '';
    const {placed, swap, t} = told;
    const text = saidOf(stage, told, {
      wallet: walletName(swap.from && this.read(this.session.$wallets, 'accounts')[swap.from.chain.family], t),
      entry: this.read(this.session.$journal, ({entries}) => entries.find(({orderId}) => orderId === placed.id)),
      isOver: this.read(this.session.$now, now => now >= placed.payUntil),
    });
    if (stage === 'awaiting-deposit') return this.#warned(text, told);
    const [news] = isUnderWay(stage) ? [...payoutDenied(told), ...newsOf(told)] : [];
    return news ? this.#once(news.said, news.said, text) : text;
  }

  #orderingText(): string {
    const {t, session} = this;
    if (this.read(session.$view) === 'order') return t.readingOrder;
    return this.read(session.$form, 'isPlacingSlow') ? t.longerThanUsual : t.placing;
  }

  get #told(): Telling | undefined {
    const {session, t, look} = this;
    const placed = this.read(session.$order, order => {
      const now = valueOf(order);
      return (this.#placed = isAsBefore(now, this.#placed) ? this.#placed : now);
    });
    const swap = placed && swapOf(placed, this.read(session.$settings, 'config')?.catalogue);
    return swap && {placed, swap, locale: look.locale, t};
  }

  #movedText(): string {
    const {t, look, session} = this;
    const moved = this.read(session.$form, 'moved');
    const to = this.read(session.$form, ({agreement}) => agreement?.to);
    if (!moved || !to) {
      const raised = this.read(session.$form, form => raisedText(form, look.locale, t));
      return raised && sentencesText(t.priceMoved, raised);
    }
    const text = (amount: bigint) => aboutAmount(amount, to, look.locale);
    return t.said.moved({before: text(moved.before), now: text(moved.now), symbol: to.symbol});
  }

  #slowText(): string {
    return this.read(this.session.$form, 'slow') ? this.t.longerThanUsual : '';
  }

  /** The price, once for each amount that was typed here. */
  #priceText(): string {
    const {session} = this;
    const request = this.read(session.$form, 'request');
    const offer = this.read(session.$form, 'offer');
    if (isProblem(request)) {
      this.#price = {of: '', amount: 0n, text: ''};
      return '';
    }
    const keyOf = ({from, to, amount}: QuoteRequest) => [from.id, to.id, amount].join(' ');
    const of = keyOf(request);
    const quotes = valueOf(this.read(session.$form, 'quote'));
    const isFor = quotes !== undefined && keyOf(quotes.request) === of;
    const amount = offer?.destination.amount ?? 0n;
    const tolerance = BigInt(this.read(session.$settings, 'config')?.priceTolerance ?? 0);
    const difference = amount - this.#price.amount;
    const isFar = (difference < 0n ? -difference : difference) * 10_000n > this.#price.amount * tolerance;
    if (isFor && offer && (of !== this.#price.of || isFar)) {
      const isTyped = this.closest(':focus-within') !== null || this.#widget.matches(':focus-within');
      const words = {amount: aboutAmount(amount, request.to, this.look.locale), symbol: request.to.symbol};
      this.#price = {of, amount, text: isTyped ? this.t.said.price(words) : ''};
    }
    return of === this.#price.of ? this.#price.text : '';
  }

  #warned(text: string, {placed: {id, deal, payUntil}, t}: Telling): string {
    const {$now} = this.session;
    const isLate = this.read($now, now => now < payUntil && now >= payUntil - WARNING_MS);
    if (!deal || !isLate) return text;
    const minutes = Math.max(1, Math.floor((payUntil - $now.get()) / 60_000));
    return this.#once(id, t.said.minutesLeft({minutes}), text);
  }

  /** A sentence that is announced once while another one persists; later changes are announced again. */
  #once(of: string, text: string, before: string): string {
    if (this.#aside.of !== of) this.#aside = {of, before, text};
    return this.#aside.before === before ? this.#aside.text : before;
  }

  #ofOrder<K extends keyof ShownOrder>(name: K): ShownOrder[K] | undefined {
    return this.read(this.session.$order, order => valueOf(order)?.[name]);
  }
}

function errorOf(remote: Remote<unknown> | undefined): SwapError | undefined {
  return remote?.state === 'failed' ? remote.error : undefined;
}

/**
 * What the live region says from now on, within a modal dialog: around that all is inert, and not heard.
 *
 * @tag swap-widget-echo
 */
export class Echo extends LatePart {
  #before: string | undefined;
  #isNew = false;

  override render() {
    const heard = this.read(this.session.keep(createSpeech), 'heard');
    this.#before ??= heard;
    this.#isNew ||= heard !== this.#before;
    return this.#isNew ? heard : '';
  }
}

register({'swap-widget-announcement': Announcement, 'swap-widget-echo': Echo});
